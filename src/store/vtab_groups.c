/*
 * What the tables of groups share: span_sums and its kin, and span_busy. Every dimension is a column,
 * behind the figures; of those that are not in `by` there is no value, and NULL would look like one:
 * reading it is an error that names it.
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

int
vtab_no_dimension(struct vtab *vtab, enum row_column dimension, sqlite3_value *by)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_QUERY, "%s: column %s is not in by '%s'", vtab->type->name,
	        row_columns[dimension].name, (const char *)sqlite3_value_text(by));
	return vtab_fail(vtab, &err);
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
vtab_too_large(struct vtab *vtab, const bool *has, const struct scan_value *keys,
               const char *prefix, const char *column, int bits)
{
	struct strbuf group = {0};
	struct err err = ERR_INIT;

	for (int i = 0; i < ROW_COLUMNS; i++) {
		if (has[i]) {
			strbuf_printf(&group, "%s%s ", group.len ? ", " : " of ",
			              row_columns[i].name);
			print_key(&group, &keys[i]);
		}
	}
	err_set(&err, ERR_LIMIT,
	        "%s: %s%s%s is more than %d bits hold: take fewer records, by a filter or by more "
	        "groups",
	        vtab->type->name, prefix, column, group.len ? group.data : "", bits);
	strbuf_free(&group);
	return vtab_fail(vtab, &err);
}

int
vtab_groups_next(sqlite3_vtab_cursor *base)
{
	((struct groups_cursor *)base)->group++;
	return SQLITE_OK;
}

int
vtab_groups_eof(sqlite3_vtab_cursor *base)
{
	const struct groups_cursor *cursor = (const struct groups_cursor *)base;
	return cursor->group >= cursor->n_groups;
}

int
vtab_groups_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	*rowid = (sqlite3_int64)((struct groups_cursor *)base)->group + 1;
	return SQLITE_OK;
}
