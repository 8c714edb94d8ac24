/*
 * A result as the table shows it: which rows, in which order. Filters are stacked; sorting is stable. Knows no cells.
 */
#ifndef LANESCOPE_UI_TABLE_MODEL_H
#define LANESCOPE_UI_TABLE_MODEL_H

#include "query/query.h"

struct table_model {
	struct result *result; /* owned */
	size_t *rows; /* indices of the result's rows that pass all filters, in the order shown */
	size_t n_rows;
	char **filters;
	size_t n_filters, filter_capacity;
	size_t sort_column; /* n_columns: as the query gave them */
	bool is_descending;
};

void table_model_fini(struct table_model *model);
/* Takes result; keeps filters and sort if its columns are named as before. */
void table_model_set(struct table_model *model, struct result *result);
void table_model_sort(struct table_model *model, size_t column, bool is_descending);
/* A regular expression over the shown text of all cells, or COLUMN OP VALUE (= <> < <= > >= ~): value by the column's
 * kind ("total > 40ms"). ERR_USAGE says what is wrong. */
int table_model_filter(struct table_model *model, struct slice text, struct err *err);
bool table_model_unfilter(struct table_model *model); /* drops the last; false if there is none */
/* Whether the text of some cell of a shown row holds text, ignoring ASCII case. */
bool table_model_matches(const struct table_model *model, size_t shown_row, struct slice text);

#endif
