/*
 * What "/", n and N do, the same in every view: a text is looked for from where the prompt was
 * opened while it is typed, Esc goes back there, n and N go on around the end. Many rows are looked
 * through a slice at a time, so that no key waits.
 * Used by ui/app, ui/lists, ui/table.
 */
#ifndef LANESCOPE_UI_BASE_SEARCH_H
#define LANESCOPE_UI_BASE_SEARCH_H

#include "ui/base/list.h"
#include "util/slice.h"

/* Where a search goes: on from a row itself (while the text is typed), or beyond it, either way. */
enum search_where { SEARCH_HERE, SEARCH_NEXT, SEARCH_PREVIOUS };

enum search_outcome {
	SEARCH_NOTHING, /* nothing was looked for */
	SEARCH_GOES_ON, /* there are rows to look at yet */
	SEARCH_FOUND,
	SEARCH_WRAPPED, /* found, around the end */
	SEARCH_MISSED
};

struct list_search {
	struct strbuf text;          /* what is looked for, and highlighted; empty: nothing */
	struct strbuf former;        /* what was when the prompt was opened */
	size_t from, top;            /* the list's place then */
	enum search_outcome outcome; /* of the last look */
	/* of a look that goes on */
	enum search_where where;
	size_t begin, looked, n;
};

void search_fini(struct list_search *search);
/* The prompt is opened over the list; typed in; left by Esc, which takes all back. */
void search_open(struct list_search *search, const struct list *list);
void search_type(struct list_search *search, struct list *list, struct slice text);
void search_leave(struct list_search *search, struct list *list);
/* Begins to look for the text from the selected row; search_go looks. False if there is no text. */
bool search_begin(struct list_search *search, const struct list *list, enum search_where where);
/* Looks until a row has the text (it is selected then), or until budget_ns are over. A list that
 * has changed ends it. */
enum search_outcome search_go(struct list_search *search, struct list *list,
                              bool (*has)(const void *user, size_t row, struct slice text),
                              const void *user, int64_t budget_ns);
/* What finding this row means: SEARCH_FOUND or SEARCH_WRAPPED. */
enum search_outcome search_found(const struct list_search *search, size_t row);
/* Ends a look that goes on; false if there is none. */
bool search_stop(struct list_search *search);
/* How much of the rows was looked at, in percent. */
int search_percent(const struct list_search *search);

#endif
