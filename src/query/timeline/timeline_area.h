/*
 * What is in an area: the spans of a range of time on some lanes, in groups, each with the part of
 * their time inside the range. Spans that reach in from outside count with that part.
 * Used by ui/timeline.
 */
#ifndef LANESCOPE_QUERY_TIMELINE_TIMELINE_AREA_H
#define LANESCOPE_QUERY_TIMELINE_TIMELINE_AREA_H

#include "query/saved/query.h"
#include "store/store.h"

struct area_request {
	int64_t start_ns, end_ns;
	const char *by;     /* one dimension: "name", "category", "lane_name", "path", "arg.KEY" */
	const char *filter; /* of lanes and conditions; NULL: none */
};

struct area_row {
	struct slice text;     /* what the group has in common, as it is shown */
	const char *condition; /* the same in the filter language */
	int64_t n, n_reaching; /* spans, and those among them that begin or end outside */
	int64_t calls;         /* more than n, where records stand for many */
	int64_t inside_ns, total_ns, self_ns; /* total: of their whole durations */
};

struct timeline_area {
	struct arena *arena;
	int64_t start_ns, end_ns;
	const char *by;
	struct area_row *rows; /* most time inside first */
	size_t n;
	int64_t n_spans, n_reaching, inside_ns;
};
/* NULL on error: ERR_QUERY where there is no such dimension, ERR_LIMIT where it has too many
 * values. */
struct timeline_area *timeline_area_read(struct store *store, const struct area_request *request,
                                         const struct cancel *cancel, struct err *err);
void timeline_area_free(struct timeline_area *area); /* takes NULL */
static inline double
area_mean_ns(const struct area_row *row)
{
	return row->calls > 0 ? (double)row->total_ns / (double)row->calls : 0;
}

enum area_column {
	AREA_TEXT,
	AREA_INSIDE,
	AREA_SHARE, /* of all that is inside */
	AREA_SELF,
	AREA_COUNT,
	AREA_REACHING,
	AREA_MEAN,
	AREA_TOTAL,
	AREA_COLUMNS
};
/* The column's largest first; texts by bytes. */
void timeline_area_sort(struct timeline_area *area, enum area_column column);
/* As a table, new. */
struct result *timeline_area_table(const struct timeline_area *area);
/* "start < END AND ...": the spans of a range. */
void timeline_area_condition(struct strbuf *out, int64_t start_ns, int64_t end_ns);

#endif
