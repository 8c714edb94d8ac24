/* Inside of the list of spans: state and questions, shared by view_spans.c, view_spans_ask.c and
 * view_spans_export.c.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_LISTS_VIEW_SPANS_H
#define LANESCOPE_UI_LISTS_VIEW_SPANS_H

#include "query/spans/span_list.h"
#include "ui/base/filter_stack.h"
#include "ui/table/grid.h"
#include "ui/app/view.h"

/* Where the list should go. */
enum spans_goal {
	GOAL_SCROLL, /* to what all.top says */
	GOAL_PLACE,  /* to the row `place` */
	GOAL_VALUE,  /* to the first row with this key or behind it */
	GOAL_FIND    /* to the next one with a text */
};
struct spans_wish {
	enum spans_goal goal;
	int64_t place, value;
	enum span_find where;
	struct slice text; /* of GOAL_FIND: copied by spans_ask_for */
};

struct spans_view {
	struct filter_stack filters;
	enum span_list_key key;
	char *column; /* of SPAN_KEY_OTHER; else NULL */
	bool is_descending;
	struct span_figures figures; /* of all that pass */
	bool is_known;               /* the figures are of these filters and this key */
	struct list all;             /* all rows; the page holds some of them */
	struct span_page *page;      /* NULL until the first came */
	struct table_model model;    /* the page as a result */
	struct grid grid;
	struct span_row from; /* where the last search began */
	bool is_asked;
	char **keys; /* names of arguments that can be grouped by; NULL: not known yet */
	enum { OPEN_NOTHING, OPEN_SPAN, OPEN_TIMELINE } opens; /* once the selected row is here */
	bool may_hide;               /* the next page says which columns hold nothing */
	bool is_empty[SPAN_COLUMNS]; /* hidden for that */
};

/* All of it as it is filtered and sorted, for the worker: the filter is new. */
struct span_list spans_list(const struct spans_view *spans);
/* On the worker: -1 with err set if the run's dataset can't be read. */
int spans_list_open(struct span_list *list, struct store *store, const struct cancel *cancel,
                    struct err *err);

/* Of what the list is sorted by. */
const char *spans_key_name(const struct spans_view *spans);

void spans_ask_for(struct view *view, const struct spans_wish *wish);
/* The same: spans_ask(view, GOAL_PLACE, .place = row). */
#define spans_ask(view, ...) spans_ask_for(view, &(struct spans_wish){.goal = __VA_ARGS__})
/* Filters or order are others now: from the first row on. */
void spans_ask_anew(struct view *view);
void spans_done(struct view *view, struct view_job *job);
/* The selection moved: what is seen is asked for if it is not here. */
void spans_moved(struct view *view);
bool spans_unfilter(struct view *view); /* false if there is no filter */
/* Sort and columns, from one list of spans to the next. */
void spans_remember(const struct view *view);
void spans_recall(struct view *view);

/* Row of the page that is selected; -1 if it is not here. */
int64_t spans_row(const struct spans_view *spans);
void spans_export(struct view *view, char *path); /* takes path; NULL: nothing */

/* view_spans_group.c: F and *, with the selected column. */
void spans_prompt_group(struct view *view, enum prompt_kind kind);
int spans_group(struct view *view, enum prompt_kind kind, struct slice text, struct err *err);

#endif
