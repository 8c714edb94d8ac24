/*
 * A result as the table shows it: which rows, in which order, which of them
 * marked. Filters are stacked; sorting is stable. Knows no cells.
 * Used by ui/lists.
 */
#ifndef LANESCOPE_UI_TABLE_TABLE_MODEL_H
#define LANESCOPE_UI_TABLE_TABLE_MODEL_H

#include "ui/base/completion.h"
#include "ui/table/table_order.h"

struct table_model {
	struct result_hold *hold;
	const struct result *result; /* hold's; NULL: none yet */
	size_t *rows; /* indices of the result's rows that pass all filters, in the order shown */
	size_t n_rows;
	struct table_wish wish;  /* filters and sort as the user wants them */
	struct table_wish shown; /* as the rows are */
	size_t at_once;          /* more rows than these are put in order elsewhere; 0: never */
	bool is_late;            /* the rows are not as wanted: table_model_take */
	unsigned n_wishes;       /* how often that was so */
	bool wants_sums;         /* of what is shown, not only of what is marked */
	bool *is_marked;         /* by the result's rows */
	size_t *marked;          /* the marked ones of them */
	size_t n_marked, marked_capacity;
	/* of the shown rows, by column; NULL: not wanted, one row, or nothing adds up */
	struct value *sums;
};

void table_model_fini(struct table_model *model);
/* Takes result; keeps filters and sort as far as its columns are named as
 * before, and drops the marks. */
void table_model_set(struct table_model *model, struct result *result);
/* The same of a result whose first rows are those of the one before, grown: marks stay. */
void table_model_grow(struct table_model *model, struct result *result);

/* What is to be worked out where is_late (new), and its result (taken; that of another result is
 * passed over). */
struct table_order *table_model_order(const struct table_model *model);
void table_model_take(struct table_model *model, struct table_order *order);
/* Wants nothing but what is shown; false if that was so. */
bool table_model_revert(struct table_model *model);

void table_model_sort(struct table_model *model, size_t column, bool is_descending);
/* Among rows that are equal so far; a column that is a key already changes its
 * direction. */
void table_model_sort_add(struct table_model *model, size_t column, bool is_descending);
/* A column of differences by how far the runs are apart, largest first. False if it is none. */
bool table_model_sort_size(struct table_model *model, size_t column, bool adds);
/* "-total,kind", or "-|total_delta|" by its size; the empty text: as the query gave them. ERR_USAGE
 * names the columns there are. */
int table_model_sort_by(struct table_model *model, const char *order, struct err *err);
/* The same as typed: blanks do for commas. */
int table_model_sort_typed(struct table_model *model, struct slice order, struct err *err);
void table_model_sort_text(const struct table_model *model, struct strbuf *out);

/* A filter (table_filter.h) that further rows must pass. -1: nothing has
 * changed. */
int table_model_filter(struct table_model *model, struct slice text, struct err *err);
bool table_model_unfilter(struct table_model *model); /* drops the last; false if there is none */

void table_model_mark(struct table_model *model, size_t shown_row); /* or takes the mark away */
bool table_model_unmark_all(struct table_model *model);             /* false if none was */
bool table_model_is_marked(const struct table_model *model, size_t shown_row);
/* The sum of the column over the marked rows (of largest and
 * least values: the largest, the least), or where none is marked over those shown.
 * NULL where a sum says nothing: texts, times, means, quantiles, shares. */
bool table_model_has_totals(const struct table_model *model); /* of any column */
struct value table_model_total(const struct table_model *model, size_t column);

/* The mark of a column in its title where rows are sorted by it: "▾", "▴2". */
void table_model_sort_mark(const struct table_model *model, size_t column, bool is_ascii,
                           struct strbuf *out);
/* Names of its columns, each behind the prefix. */
void table_model_complete(const struct table_model *model, const char *prefix,
                          struct completion *completion);

/* Whether the shown text of a cell holds text, ignoring ASCII case. */
bool table_model_cell_matches(const struct table_model *model, size_t shown_row, size_t column,
                              struct slice text);

#endif
