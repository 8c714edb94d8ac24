/* Lists of spans, a page at a time, and one span with all that is known of it. */
#ifndef LANESCOPE_QUERY_SPAN_LIST_H
#define LANESCOPE_QUERY_SPAN_LIST_H

#include "query/query.h"

struct spans_request {
	const char *filter; /* in the language of span_sums; NULL: all */
	const char *order;  /* "-duration": a column of the filter language; NULL: as recorded */
	int64_t offset;     /* of the first row, from 0 */
	int64_t n;
	int64_t matching; /* as an earlier page said; -1: not known yet */
};
struct spans_page {
	struct result *result; /* columns: see spans.c; the first is id */
	int64_t offset;
	int64_t matching,
	    total_ns; /* of all that match; total_ns: -1 unless matching was not known */
};
/* NULL on error; ERR_QUERY if the filter is refused. A page beyond the middle is read from the end. */
struct spans_page *spans_page_read(struct store *store, const struct spans_request *request,
                                   const struct cancel *cancel, struct err *err);
void spans_page_free(struct spans_page *page); /* takes NULL */
/* What the user typed as a filter, as the language has it: itself if it holds an operator, else name REGEXP 'text'. */
void spans_filter_text(struct slice typed, struct strbuf *filter);

/* Facts of one span: columns "field", "value" (as people read it), "span" (the id of a span that the row stands for, or NULL), and "section"
 * (span, arguments, parents, children, inputs, outputs, task). */
struct result *span_facts(struct store *store, int64_t id, const struct cancel *cancel,
                          struct err *err);

#endif
