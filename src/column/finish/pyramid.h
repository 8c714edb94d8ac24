/*
 * All levels of one lane's (or group's) tiles, folded on the fly: what comes in is in order of
 * time, so each level has one open cell and one open chunk.
 * Used by its room alone.
 */
#ifndef LANESCOPE_COLUMN_FINISH_PYRAMID_H
#define LANESCOPE_COLUMN_FINISH_PYRAMID_H

#include "column/finish/tile.h"
#include "util/err.h"

struct pyramid;
/* Cells 0 ... duration_ns / base_ns of the base level. chunk: encoded cells, in order of chunks on
 * each level; lent. */
struct pyramid *pyramid_new(int64_t base_ns, int64_t duration_ns,
                            int (*chunk)(void *user, unsigned level, uint64_t chunk,
                                         struct slice bytes, struct err *err));
/* How many levels until one cell covers [0, duration_ns]. */
unsigned pyramid_levels(int64_t base_ns, int64_t duration_ns);
void pyramid_begin(struct pyramid *pyramid, void *user);
/* A stretch of time that shows a category, and a span's start; what lies outside of the run is
 * ignored. Starts of stretches and of spans together may not decrease (a stretch before a start at
 * its end is fine). */
int pyramid_add_time(struct pyramid *pyramid, int64_t start_ns, int64_t end_ns, uint32_t category,
                     struct err *err);
int pyramid_add_start(struct pyramid *pyramid, int64_t time_ns, struct err *err);
/* A whole base cell. */
int pyramid_add_cell(struct pyramid *pyramid, uint64_t index, const struct tile_cell *cell,
                     struct err *err);
/* The density of a base cell, in order of cells, before anything of a later cell comes. */
int pyramid_add_density(struct pyramid *pyramid, uint64_t index, int64_t density_ns,
                        struct err *err);
int pyramid_end(struct pyramid *pyramid, struct err *err);
void pyramid_free(struct pyramid *pyramid); /* takes NULL */

#endif
