/*
 * The lanes of a source, or of the run: packed, as there may be millions. Private to src/ingest.
 * Used by its room alone.
 */
#ifndef LANESCOPE_INGEST_LANE_LIST_H
#define LANESCOPE_INGEST_LANE_LIST_H

#include <stddef.h>
#include "model/model.h"
#include "util/index.h"

struct kept_lane;
/* Zero-initialise. */
struct lane_list {
	struct kept_lane *lanes;
	size_t n, capacity;
	struct index index; /* by what makes them; index_free() once no lane is looked for */
};

/* Its number, from 0; it is added if it is new. Two are one if they agree in everything. */
uint32_t lane_list_id(struct lane_list *list, const struct lane *lane);
/* Adds one that is none of those before, and is not looked for. */
uint32_t lane_list_add(struct lane_list *list, const struct lane *lane);
struct lane lane_list_at(const struct lane_list *list, size_t i);
void lane_list_rename(struct lane_list *list, size_t i, text_code name);
void lane_list_free(struct lane_list *list); /* takes a zeroed one */

#endif
