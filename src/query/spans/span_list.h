/*
 * Lists of spans of any length, a few screens of them at a time. A list is all spans that pass a
 * filter, in an order; ties stand by id, spans without a value to order by come last. Wherever a
 * page lies, it costs a look at a few columns of the spans, never a sort of all of them.
 * Used by cli, query, ui/lists, ui/timeline.
 */
#ifndef LANESCOPE_QUERY_SPANS_SPAN_LIST_H
#define LANESCOPE_QUERY_SPANS_SPAN_LIST_H

#include "column/scan/scan.h"
#include "query/saved/query.h"

enum span_list_key {
	SPAN_KEY_ID, /* as recorded */
	SPAN_KEY_START,
	SPAN_KEY_DURATION,
	SPAN_KEY_INSIDE,
	SPAN_KEY_SELF,
	SPAN_KEY_SIZE,
	SPAN_KEY_NAME,
	SPAN_KEY_CATEGORY,
	SPAN_KEY_PATH,
	SPAN_KEY_LANE,
	SPAN_KEY_OTHER /* any other column or argument: span_list.column */
};
#define SPAN_KEYS 10 /* but the last */
const char *
span_list_key_name(enum span_list_key key); /* of the filter language: "id", "start", ... */
/* Of any column that filters know, argument or not; *column is new, NULL but for SPAN_KEY_OTHER.
 * ERR_USAGE, ERR_QUERY. */
int span_list_key_read(struct slice name, enum span_list_key *key, char **column, struct err *err);

struct span_list {
	const char *filter; /* of the filter language; NULL: all spans */
	enum span_list_key key;
	bool is_descending;
	const char *column; /* of SPAN_KEY_OTHER, as in orders: "host", "arg.fd"; else NULL */
	/* so far from a known row, a row's key is searched for; 0: 200 000 (tests take less) */
	int64_t far_rows;
	const struct dataset *dataset;
	const struct cancel *cancel; /* NULL: never */
};

struct span_figures {
	int64_t n_calls;     /* of them: more where records stand for many */
	int64_t n, n_valued; /* spans that pass; those among them with a value to order by */
	/* of durations the parts in the scope's range, and whole */
	int64_t inside_ns, duration_ns, self_ns, size_bytes, n_sized;
	bool has_range;  /* the scope: they may differ */
	bool sums_leave; /* 64 bits: the three sums say nothing */
};
int span_list_figures(const struct span_list *list, struct span_figures *figures, struct err *err);

struct span_texts {
	struct slice name, category, path, lane, host;
	struct slice arguments; /* "fd 3  offset 4096" */
};
struct span_page {
	struct arena *arena;
	int64_t first, n; /* rows[0] is the list's row number `first`, from 0 */
	struct span_row *rows;
	struct span_texts *texts;
};
/* Rows of the list that are known already: they make pages beside them quick. */
struct span_known {
	size_t n;
	int64_t places[2];
	struct span_row rows[2];
};
/* First and last row of a page (may be NULL). */
struct span_known span_page_known(const struct span_page *page);
/* Rows first ... first + n - 1, fewer at the list's end. NULL on error. */
struct span_page *span_page_read(const struct span_list *list, const struct span_figures *figures,
                                 const struct span_known *known, int64_t first, int64_t n,
                                 struct err *err);
void span_page_free(struct span_page *page); /* takes NULL */

/* A page's rows as a table has them. */
#define SPAN_COLUMNS 14
#define SPAN_COLUMN_INSIDE 2
extern const struct result_column span_columns[SPAN_COLUMNS];
/* The values of a row of a page; texts are the page's. */
void span_page_values(const struct span_page *page, int64_t i, struct value values[SPAN_COLUMNS]);

/* The first rows of the list, `most` of them, page by page, so that memory does not grow with them.
 * Nonzero from `row` stops with -1 (it has set err); texts are lent for the call. */
int span_list_read(const struct span_list *list, const struct span_figures *figures, int64_t most,
                   int (*row)(void *user, const struct value *values, struct err *err), void *user,
                   struct err *err);

/* Number of the first row whose key (a number) is value or stands behind it; -1 on error. */
int64_t span_list_seek(const struct span_list *list, const struct span_figures *figures,
                       int64_t value, struct err *err);

enum span_find { SPAN_FIND_HERE, SPAN_FIND_NEXT, SPAN_FIND_PREVIOUS };
/* Of lists by a column of the enum. The nearest span that holds text (ASCII case apart) in its
 * name, category, path or lane, from a row of the list on, around the end: its number, -2 if there
 * is none, -1 on error. */
int64_t span_list_find(const struct span_list *list, const struct span_figures *figures,
                       const struct span_row *from, enum span_find where, struct slice text,
                       struct err *err);

/* The condition "name = 'it''s'" of the filter language, appended. */
void span_filter_add(struct strbuf *filter, const char *column, struct slice text);

#endif
