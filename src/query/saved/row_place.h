/*
 * What a row of an answer leads to, as the header of its query says: the spans that it stands for,
 * its place in the timeline, the arguments of another query. The explorer opens it, `query
 * --behind` prints it, and a test counts it: a row's figures are those of what it leads to.
 * Used by cli, query/timeline, ui/app, ui/table, ui/timeline.
 */
#ifndef LANESCOPE_QUERY_SAVED_ROW_PLACE_H
#define LANESCOPE_QUERY_SAVED_ROW_PLACE_H

#include "query/saved/query.h"

/* What a row's table is the answer to. */
struct drill {
	const struct query_drill *header; /* NULL or without a view: none */
	const char *spans;                /* of the saved query, or NULL */
	const struct query_param *params; /* for values with :name */
	char *const *texts;               /* their values, NULL each: the default; NULL: all */
	size_t n_params;
};
struct drill drill_of_query(const struct saved_query *query, char *const *texts);

/* Where Enter leads. */
enum drill_target { DRILL_NOWHERE, DRILL_ROW, DRILL_SPANS, DRILL_TIMELINE, DRILL_QUERY };
enum drill_target drill_target(const struct query_drill *header);

/* Zero-initialise. */
struct row_place {
	char *filter;  /* takes the row's spans, in the filter language; NULL: it stands for none */
	char *why_not; /* why, as a sentence; NULL where there is a filter */
	char *lane_name;
	int64_t span, lane; /* ids; -1: none */
	bool has_start;
	int64_t start_ns, length_ns; /* length 0: an instant */
};
void row_place_read(const struct drill *drill, const struct result *result, size_t row,
                    struct row_place *place);
void row_place_free(struct row_place *place);

/* What the header's bindings make of the parameters of its target: a text each, NULL for its
 * default; free each and all. */
char **drill_texts(const struct drill *drill, const struct query_param *params, size_t n_params,
                   const struct result *result, size_t row);

/* Takes the next NAME=COLUMN off what `covers:` says: NAME is count, rows, duration (in the
 * scope's range), whole (durations whole), self or size of the row's spans or, of rows of another
 * query, `rows` or a column of them; COLUMN is a column of the row or a number, or several with +
 * between them that add up to it. False at the end. */
bool covers_next(struct slice *rest, struct slice *name, struct slice *column);

/* Whether all that the header names is there: columns, parameters, columns of spans and of the
 * target. target: the query that it leads to, if it is one. */
int drill_check(const struct saved_query *query, const struct saved_query *target, struct err *err);

#endif
