/* The list of dimensions that sums are grouped by, parsed.
 * Used by column/ops. */
#ifndef LANESCOPE_COLUMN_SCAN_DIMENSION_H
#define LANESCOPE_COLUMN_SCAN_DIMENSION_H

#include "column/scan/rowcolumn.h"
#include "column/scan/scan.h"

struct arena;

struct dimension_spec {
	enum row_column dimension;         /* ROW_PATTERN, ROW_ARG2 ... */
	enum row_column column;            /* what its value is made of; ROW_ARG: key */
	uint32_t key;                      /* UINT32_MAX: no record of the run has it */
	int64_t width_ns;                  /* start(W), time(W); else 0 */
	struct slice pattern, replacement; /* pattern(R, S); in the arena */
};
struct dimension_list {
	struct dimension_spec specs[SCAN_DIMENSIONS];
	unsigned n;
};

/* by NULL or blank: an empty list. ERR_QUERY with position and what is allowed. */
int dimension_parse(const struct dataset *dataset, enum block_kind kind, const char *by,
                    const struct scan_value *parameters, struct arena *arena,
                    struct dimension_list *list, struct err *err);

#endif
