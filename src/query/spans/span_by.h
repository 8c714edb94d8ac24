/*
 * By what spans are told apart: "name, host, arg.fd", columns that sums group by, also
 * start(WIDTH). As people type it; and the condition that holds for exactly the spans of a group.
 * Used by cli, ui/lists.
 */
#ifndef LANESCOPE_QUERY_SPANS_SPAN_BY_H
#define LANESCOPE_QUERY_SPANS_SPAN_BY_H

#include "column/scan/scan.h"
#include "query/saved/query.h"

struct span_by_column {
	enum row_column dimension; /* ROW_NAME, ROW_BUCKET, ROW_ARG1 ... of sums_key */
	char *name;       /* "host", "arg.fd", "start(10ms)": of `by` and of a result's column */
	int64_t width_ns; /* of start(WIDTH) */
};
/* Zero-initialise. */
struct span_by {
	unsigned n;
	struct span_by_column columns[SCAN_DIMENSIONS];
};
/* ERR_USAGE or ERR_QUERY, with what there is. At least one. */
int span_by_read(struct slice text, struct span_by *by, struct err *err);
void span_by_free(struct span_by *by);
/* Appends the columns as they are typed: "name, host". */
void span_by_write(const struct span_by *by, struct strbuf *out);
/* Of a column's values; of arguments and idents only their values tell. */
enum column_kind span_by_kind(const struct span_by_column *column);

/* Appends the condition for the spans whose value this is: "host IS NULL", "arg.fd = 3". is_least:
 * no span of the groups has a lesser one. */
void span_by_condition(const struct span_by_column *column, const struct value *value,
                       bool is_least, struct strbuf *filter);
/* Is it the least of its column in the table? */
bool span_by_is_least(const struct result *result, size_t column, const struct value *value);
/* Appends " AND " where something stands there already, and what follows in brackets. */
void span_by_and(struct strbuf *filter, const char *condition);

/* The names of all that spans can be grouped by, but arguments: the i-th, NULL at the end. */
const char *span_by_name(size_t i);

#endif
