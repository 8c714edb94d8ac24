/*
 * What the tables of groups share: span_sums and its kin, and span_busy. Every dimension is a column,
 * behind the figures; of those that are not in `by` there is no value, and NULL would look like one:
 * reading it is an error that names it.
 */
#include "config.h"
#include "store/vtab.h"

static const char *
type_of_dimension(enum dimension dimension)
{
	switch (dimension) {
	case DIMENSION_NAME:
	case DIMENSION_CATEGORY:
	case DIMENSION_PATH:
	case DIMENSION_BASENAME:
	case DIMENSION_DIRNAME:
	case DIMENSION_CLASS:
	case DIMENSION_PATTERN:
	case DIMENSION_LANE_NAME:
	case DIMENSION_HOST:
	case DIMENSION_KIND:
		return "TEXT";
	case DIMENSION_PROCESS:
	case DIMENSION_THREAD:
	case DIMENSION_ARG1:
	case DIMENSION_ARG2:
	case DIMENSION_ARG3:
	case DIMENSION_ARG4:
		return ""; /* any */
	default:
		return "INTEGER";
	}
}

void
vtab_declare_dimensions(struct strbuf *columns)
{
	for (int i = 0; i < DIMENSIONS; i++) {
		strbuf_printf(columns, ", \"%s\" %s", dimension_name((enum dimension)i),
		              type_of_dimension((enum dimension)i));
	}
}

int
vtab_no_dimension(struct vtab *vtab, enum dimension dimension, sqlite3_value *by)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_QUERY, "%s: column %s is not in by '%s'", vtab->type->name,
	        dimension_name(dimension), (const char *)sqlite3_value_text(by));
	return vtab_fail(vtab, &err);
}

void
vtab_result_value(sqlite3_context *context, const struct scan_value *value)
{
	switch (value->type) {
	case SCAN_NULL:
		break;
	case SCAN_INTEGER:
		sqlite3_result_int64(context, value->integer);
		break;
	case SCAN_REAL:
		sqlite3_result_double(context, value->real);
		break;
	case SCAN_TEXT: /* may belong to the groups, which go before the statement does */
		sqlite3_result_text64(context, value->text.len ? value->text.ptr : "",
		                      value->text.len, SQLITE_TRANSIENT, SQLITE_UTF8);
		break;
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
vtab_too_large(struct vtab *vtab, const bool *has, const struct scan_value *keys,
               const char *prefix, const char *column, int bits)
{
	struct strbuf group = {0};
	struct err err = ERR_INIT;

	for (int i = 0; i < DIMENSIONS; i++) {
		if (has[i]) {
			strbuf_printf(&group, "%s%s ", group.len ? ", " : " of ",
			              dimension_name((enum dimension)i));
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
