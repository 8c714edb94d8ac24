/*
 * A table turned: values of one column become columns, each cell the sum of a measure over the rows
 * that have its values.
 * Used by query/spans, ui/table.
 */
#ifndef LANESCOPE_QUERY_SAVED_PIVOT_H
#define LANESCOPE_QUERY_SAVED_PIVOT_H

#include "query/saved/query.h"

#define PIVOT_COLUMNS 30 /* what is more becomes one, "(other)" */
#define PIVOT_ROWS_BY 8

struct pivot {
	size_t rows[PIVOT_ROWS_BY]; /* columns of the table that stay */
	size_t n_rows_by;
	size_t columns;  /* the one whose values become columns */
	size_t measure;  /* one that adds up; SIZE_MAX: rows are counted */
	size_t n_values; /* that become columns at most; 0: PIVOT_COLUMNS */
};
struct pivoted {
	/* First the columns that stay, then `sum`, then one a value, the largest first, then
	 * "(other N)" where there were too many. */
	struct result *result;
	size_t first_value, n_values;
	struct value *values; /* in the result's arena: of which value a column is */
	bool has_other;
};
/* ERR_USAGE where the measure does not add up. */
int pivot_check(const struct result *from, const struct pivot *pivot, struct err *err);
/* Of these rows; NULL: the first n_rows. -1: ERR_USAGE where the measure does not add up,
 * ERR_CANCELLED. */
int result_pivot(const struct result *from, const size_t *rows, size_t n_rows,
                 const struct pivot *pivot, const struct cancel *cancel, struct pivoted *pivoted,
                 struct err *err);

#endif
