/* The registry's table, made of its list. */
#include "config.h"
#include "column/encode/registry.h"

#include "model/model.h"

enum {
	SPANS = 1 << BLOCK_SPAN,
	EVENTS = 1 << BLOCK_EVENT,
	COUNTERS = 1 << BLOCK_COUNTER,
	ALL = SPANS | EVENTS | COUNTERS
};

#define MEMBER(name) offsetof(struct span_row, name)
#define ROW_COLUMN_INFO(id, ...) [ROW_##id] = {__VA_ARGS__},

const struct row_column_info row_columns[ROW_COLUMNS] = {ROW_COLUMN_LIST(ROW_COLUMN_INFO)};

bool
row_column_is(enum row_column column, struct slice name, enum block_kind kind)
{
	const struct row_column_info *info = &row_columns[column];

	return row_column_in(column, kind) &&
	       (slice_is_anycase(name, info->name) ||
	        (info->synonym && slice_is_anycase(name, info->synonym)));
}

bool
row_column_find(struct slice name, enum block_kind kind, enum row_column *column)
{
	for (int i = 0; i < ROW_COLUMNS; i++) {
		if (row_column_is_named((enum row_column)i, kind) &&
		    row_column_is((enum row_column)i, name, kind)) {
			*column = (enum row_column)i;
			return true;
		}
	}
	return false;
}

void
row_column_list(enum block_kind kind, struct strbuf *out)
{
	for (int i = 0; i < ROW_ARG; i++) {
		if (row_column_is_named((enum row_column)i, kind)) {
			strbuf_printf(out, "%s, ", row_columns[i].name);
		}
	}
	strbuf_add_text(out, row_columns[ROW_ARG].name);
}
