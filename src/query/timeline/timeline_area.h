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
	const struct area_row *beside;        /* of two runs: the same group in B; else NULL */
};

struct timeline_area {
	struct arena *arena;
	int64_t start_ns, end_ns;
	const char *by;
	struct area_row *rows; /* most time inside first */
	size_t n;
	int64_t n_spans, n_reaching, inside_ns;
	struct timeline_area *beside; /* of two runs, B's: its rows are those beside */
};
/* NULL on error: ERR_QUERY where there is no such dimension, ERR_LIMIT where it has too many
 * values. */
struct timeline_area *timeline_area_read(struct store *store, const struct area_request *request,
                                         const struct cancel *cancel, struct err *err);
void timeline_area_free(struct timeline_area *area); /* takes NULL */
/* Makes A's area one of both runs: each of its rows has B's beside it, and groups of B alone follow
 * as rows of nothing. Takes b. */
void timeline_area_join(struct timeline_area *a, struct timeline_area *b);
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
	/* of two runs, where those above are A's */
	AREA_INSIDE_B,
	AREA_DELTA, /* of inside: B's less A's */
	AREA_COUNT_B,
	AREA_MEAN_B,
	AREA_COLUMNS
};
#define AREA_SHOWN 8
/* The columns that an area of one run or of two has, AREA_SHOWN in all, the text first. */
const enum area_column *timeline_area_columns(bool is_of_two);
static inline int64_t
area_delta_ns(const struct area_row *row)
{
	return row->beside ? row->beside->inside_ns - row->inside_ns : 0;
}
/* The column's largest first, of differences by their size; texts by bytes. */
void timeline_area_sort(struct timeline_area *area, enum area_column column);
/* As a table, new. */
struct result *timeline_area_table(const struct timeline_area *area);
/* "start < END AND ...": the spans of a range. */
void timeline_area_condition(struct strbuf *out, int64_t start_ns, int64_t end_ns);

#endif
