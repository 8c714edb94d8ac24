/* Grouped sums as they should be, from a fixture's plain rows. */
#ifndef LANESCOPE_TESTS_SUMS_REFERENCE_H
#define LANESCOPE_TESTS_SUMS_REFERENCE_H

#include "unit/scan_fixture.h"

/* A dimension as `by` has it, and what it is made of. */
struct sums_dimension {
	const char *text, *column;
	int64_t width;
};
#define SUMS_DIMENSIONS 27
extern const struct sums_dimension sums_dimensions[SUMS_DIMENSIONS];
extern const enum row_column sums_dimension_ids[SUMS_DIMENSIONS];

/* Sums by these dimensions over the rows that the filter and accepts (NULL: all) take, against the
 * reference; quantiles: a mask. */
void sums_check_by(const struct fixture *of, enum block_kind kind, const unsigned *dimensions,
                   unsigned n, const char *filter, bool (*accepts)(const struct fixture_row *row),
                   unsigned quantiles);
/* A key's value as text, so that groups can be told apart. */
void sums_add_key(struct strbuf *key, struct scan_value value);

#endif
