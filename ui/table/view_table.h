/* Inside of a table's view: what view_table*.c share, and what may be asked of
 * a table by views that it opened.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_TABLE_VIEW_TABLE_H
#define LANESCOPE_UI_TABLE_VIEW_TABLE_H

#include "ui/table/drill.h"
#include "ui/table/grid.h"
#include "ui/base/list.h"
#include "ui/table/table_model.h"
#include "ui/table/table_source.h"
#include "ui/app/view.h"
#include "util/mem.h"

struct table_view {
	struct table_source *source;
	/* Texts of the source's parameters, NULL: the default: of the last question, and of the
	 * result shown. */
	char **asked, **answered;
	struct table_model model;
	struct grid grid;
	struct list list;
	struct err failure; /* of the last question; ERR_NONE if it was answered */
	char *draft;        /* SQL that was edited and refused; NULL: none */
	size_t row_wished;  /* of the result, plus one: to be selected when it is there; 0: none */
	bool is_asked;
	bool is_settled;    /* rows that grow no longer do, and were asked for since */
	unsigned n_ordered; /* of model.n_wishes: those that a job was made for */
};

/* The rows or columns changed: lays out what follows from them, and remembers
 * them. */
void table_changed(struct view *view);
/* Lays out only. */
void table_lay(struct view *view);
/* Adds a filter and shows its rows, or says what is wrong with it: false. */
bool table_add_filter(struct view *view, struct slice text);

/* view_table_ask.c: the question and its answer. */
/* Asks, or prompts for the first parameter that it can't do without. */
void table_ask(struct view *view);
void table_done(struct view *view, struct view_job *job);
/* Has the rows put in order as they are wanted, if that was not asked for yet. */
void table_order_rows(struct view *view);
/* Nothing is asked any more: what is shown is what is wanted. */
void table_cancelled(struct view *view);
void table_prompt_parameter(struct view *view);
int table_set_parameter(struct view *view, struct slice text, struct err *err); /* "NAME=VALUE" */
void table_open_frequency(struct view *view, size_t column);

/* view_table_group.c: groups and pivots of the rows, or of the spans behind them. */
/* F and *: groups by the selected column, or asks by which. */
void table_prompt_group(struct view *view, enum prompt_kind kind);
/* "name, host" of a PROMPT_GROUP, "name by host count" of a PROMPT_PIVOT. */
int table_group(struct view *view, enum prompt_kind kind, struct slice text, struct err *err);
void table_complete_group(const struct view *view, struct completion *completion);

/* view_table_draw.c */
void table_draw(const struct view *view, struct canvas *canvas, struct area area);
void table_status(const struct view *view, struct strbuf *out);

/* view_table_prompt.c: prompts, completion, commands. */
void table_prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final);
void table_complete(const struct view *view, enum prompt_kind kind, struct completion *completion);
enum command_outcome table_command(struct view *view, struct slice name, struct slice arguments,
                                   struct err *err);

/* view_table_memory.c: sort, filters and columns of a source from one view of
 * it to the next. */
void table_remember(const struct view *view);
void table_recall(struct view *view);

/* view_table_row.c: what can be done with the selected row or column. */
/* ACTION_OPEN, _TIMELINE, _SPANS: what stands behind the row; of two runs in B, but for rows that
 * only A has. ACTION_PARTNER: in A. */
bool table_go_on(struct view *view, enum view_action action);
/* Of a table of two runs, which of them the selected row leads into: B, but for rows of A. */
int table_side_of_row(const struct table_view *table);
/* What a timeline opened at the place of the selected row paints (new); NULL: nothing, as the row
 * stands for spans, which are marked there. */
struct paint_source *table_paint(const struct table_view *table, const struct focus *focus);
/* Where the selected row lies (drill_focus_free in any case). False: it says nothing of that. */
bool table_focus(const struct table_view *table, struct focus *focus);
/* Adds to the scope what stands behind the selected row, or what the selected cell says. */
void table_scope(struct view *view, bool is_cell);
void table_copy(struct view *view, bool is_row);
/* Opens a chart of the rows shown, in their order. */
void table_plot(struct view *view);
void table_save(struct view *view, struct slice text); /* a prompt's text */

#endif
