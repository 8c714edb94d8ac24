/* Scans of parts of a list of spans: for src/query/spans*.c alone.
 * Used by its room alone. */
#ifndef LANESCOPE_QUERY_SPANS_SPAN_LIST_PRIVATE_H
#define LANESCOPE_QUERY_SPANS_SPAN_LIST_PRIVATE_H

#include "query/spans/span_list.h"

struct region {
	bool is_valued;
	int64_t first, n; /* rows of the list */
};

/* What every scan of a list needs. */
struct reading {
	const struct dataset *dataset; /* the list's */
	const struct span_list *list;
	struct slice text; /* ?7 */
};

struct reading reading_of(const struct span_list *list);
/* Spans with a value to order by, spans without. */
void reading_regions(const struct reading *reading, const struct span_figures *figures,
                     struct region regions[2]);
bool reading_goes_by_id(const struct reading *reading, const struct region *region);

void filter_and(struct strbuf *filter, const char *condition);
/* The list's own filter, and which of its two parts. */
void region_filter(const struct reading *reading, const struct region *region,
                   struct strbuf *filter);
void region_order(const struct reading *reading, const struct region *region, bool is_reversed,
                  struct strbuf *out);
/* Adds "stands behind the row", or "before it". A text is ?8. */
void region_beside(struct strbuf *filter, const struct reading *reading,
                   const struct region *region, const struct span_row *row, bool behind);

bool key_may_miss(enum span_list_key key);
const char *key_filter(enum span_list_key key); /* the column, of the row itself */
bool key_is_text(enum span_list_key key);
int64_t span_row_key(const struct span_row *row, enum span_list_key key); /* numbers only */
bool span_row_has_key(const struct span_row *row, enum span_list_key key);
/* The text that a list by texts is ordered by; empty for other lists. */
struct slice reading_row_text(const struct reading *reading, const struct span_row *row);

/* A page: filter, order, offset and limit are the page's; beside: the text that is ?8. */
int64_t reading_scan(const struct reading *reading, struct page_request page, struct slice beside,
                     struct span_row **rows, int64_t *matching, struct err *err);
/* How many pass a filter; -1 on error. */
int64_t reading_count(const struct reading *reading, const struct strbuf *filter,
                      struct slice beside, struct err *err);
/* Rows of the region whose key (a number) stands before value (or is it). */
int64_t region_count_before(const struct reading *reading, const struct region *region,
                            int64_t value, bool or_equal, struct err *err);
/* The region's row number nth, by its key: for rows far from all that is known. */
int region_locate(const struct reading *reading, const struct region *region, int64_t nth,
                  struct span_row *row, struct err *err);

#endif
