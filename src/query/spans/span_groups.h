/*
 * Spans in groups, as a table: by what they are told apart, how many they are and how long. Sums
 * are made by the scans of column/ops, never row by row.
 * Used by cli, ui/lists.
 */
#ifndef LANESCOPE_QUERY_SPANS_SPAN_GROUPS_H
#define LANESCOPE_QUERY_SPANS_SPAN_GROUPS_H

#include "query/spans/span_by.h"

/* More would be no table to read. */
#define SPAN_GROUPS_LIMIT (1u << 20)
#define SPAN_GROUPS_COLUMNS "count, inside, total, self, mean, max, share, size"

struct span_groups {
	const struct dataset *dataset;
	const struct span_by *by;
	/* "count, total"; NULL: SPAN_GROUPS_COLUMNS, but inside without a scope's range, and size
	 * where no span has any */
	const char *columns;
	const char *filter;   /* NULL: all spans */
	uint32_t group_limit; /* 0: SPAN_GROUPS_LIMIT */
	const struct cancel *cancel;
};
/* New: a row a group, first the columns of `by`, then those asked for; the most of the first
 * figure first. ERR_USAGE names the columns there are, ERR_LIMIT says that there are too many
 * groups. */
struct result *span_groups(const struct span_groups *request, struct err *err);

/* The filter (NULL: none) and the first n columns of a row, those of `by`, as one condition (new):
 * that of its spans. */
char *span_groups_filter(const struct span_by *by, unsigned n, const char *filter,
                         const struct result *result, size_t row);

/* The same with the values of the last column of `by` as columns of one figure, which adds up:
 * "count", "calls", "inside", "total", "self" or "size", NULL: "inside". At most n_values columns,
 * 0: as result_pivot. What is told of a column of values is the condition for its spans. */
struct result *span_pivot(const struct span_groups *request, const char *measure, size_t n_values,
                          struct err *err);
/* ERR_USAGE names those that there are. */
int span_pivot_check(const char *measure, struct err *err);
/* The filter for the spans of a cell, or of the row, where the column is none of values. */
char *span_pivot_filter(const struct span_by *by, const char *filter, const struct result *result,
                        size_t row, size_t column);

#endif
