/*
 * What the tables of groups share: span_sums and its kin, and span_busy. Every dimension is a
 * column, behind the figures; of those that are not in `by` there is no value, and NULL would look
 * like one: reading it is an error that names it.
 */
#include "config.h"
#include "store/vtab.h"

void
vtab_declare_dimensions(struct strbuf *columns)
{
	struct row_shape shape = dimension_shape();
	for (int i = 0; i < shape.n; i++) {
		strbuf_printf(columns, ", \"%s\" %s", row_columns[shape.columns[i]].name,
		              vtab_type_of_column(shape.columns[i]));
	}
}

static void
print_key(struct strbuf *text, const struct scan_value *value)
{
	switch (value->type) {
	case SCAN_NULL:
		strbuf_add_text(text, "NULL");
		break;
	case SCAN_INTEGER:
		strbuf_printf(text, "%lld", (long long)value->integer);
		break;
	case SCAN_REAL:
		strbuf_printf(text, "%.17g", value->real);
		break;
	case SCAN_TEXT:
		strbuf_printf(text, "'%.*s'", (int)value->text.len,
		              value->text.len ? value->text.ptr : "");
		break;
	}
}

int
vtab_too_large(const struct listed_cursor *cursor, const char *prefix, const char *column, int bits)
{
	struct vtab *vtab = (struct vtab *)cursor->cursor.base.pVtab;
	struct strbuf group = {0};
	struct err err = ERR_INIT;
	struct scan_value key;

	for (int i = 0; i < ROW_COLUMNS; i++) {
		if (vtab->type->class->key(cursor, (enum row_column)i, &key)) {
			strbuf_printf(&group, "%s%s ", group.len ? ", " : " of ",
			              row_columns[i].name);
			print_key(&group, &key);
		}
	}
	err_set(&err, ERR_LIMIT,
	        "%s%s%s is more than %d bits hold: take fewer records, by a filter or by more "
	        "groups",
	        prefix, column, group.len ? group.data : "", bits);
	strbuf_free(&group);
	return vtab_fail(vtab, &err);
}

int
vtab_not_in_by(const struct listed_cursor *cursor, enum row_column dimension)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_QUERY, "column %s is not in by '%s'", row_columns[dimension].name,
	        (const char *)sqlite3_value_text(cursor->arguments.values[0]));
	return vtab_fail((struct vtab *)cursor->cursor.base.pVtab, &err);
}

int
vtab_groups_column(const struct listed_cursor *cursor, sqlite3_context *context, int column)
{
	struct vtab *vtab = (struct vtab *)cursor->cursor.base.pVtab;
	struct scan_value key;

	if (column >= vtab->dimensions.n) {
		arguments_result(&cursor->arguments, column - vtab->dimensions.n, context);
		return SQLITE_OK;
	}
	enum row_column dimension = vtab->dimensions.columns[column];
	if (!vtab->type->class->key(cursor, dimension, &key)) {
		return vtab_not_in_by(cursor, dimension);
	}
	vtab_result_value(context, &key);
	return SQLITE_OK;
}
