/*
 * A table's rows turned: rows x columns of a measure, as a table of its own.
 * Used by ui/lists.
 */
#ifndef LANESCOPE_UI_TABLE_TABLE_PIVOT_H
#define LANESCOPE_UI_TABLE_TABLE_PIVOT_H

#include "ui/table/table_model.h"
#include "ui/table/table_source.h"

/* "name, kind by host total" in its parts, which are lent; the measure may be missing (length 0).
 * ERR_USAGE says how it is written. */
struct pivot_text {
	struct slice rows, columns, measure;
};
int pivot_text_read(struct slice text, struct pivot_text *parts, struct err *err);

/* The rows that the model shows. Enter on a cell leaves the table, and filters the one below it by
 * the cell's values. NULL: the text names no columns, or a measure that does not add up. */
struct table_source *table_source_pivot(const struct table_model *model, struct slice text,
                                        struct err *err);

#endif
