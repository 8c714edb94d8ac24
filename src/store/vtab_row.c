/* Single rows as SQL values, and the columns of tables, as the registry of columns has them. */
#include "config.h"
#include "store/vtab.h"

#define BIT(field) (UINT64_C(1) << (field))

void
row_declare(enum block_kind kind, struct strbuf *columns)
{
	struct row_shape shape = row_shape(kind);
	for (int i = 0; i < shape.n; i++) {
		const struct row_column_info *info = &row_columns[shape.columns[i]];
		strbuf_printf(columns, "%s%s %s", i > 0 ? ", " : "",
		              info->kinds_of_synonym >> kind & 1 ? info->synonym : info->name,
		              vtab_type_of_column(shape.columns[i]));
	}
}

enum row_column
row_alias(enum block_kind kind)
{
	return kind == BLOCK_SPAN ? ROW_INSIDE : ROW_START;
}

void
row_declare_alias(enum block_kind kind, struct strbuf *columns)
{
	strbuf_printf(columns, ", %s INTEGER HIDDEN", row_columns[row_alias(kind)].name);
}

uint64_t
row_fields(enum row_column column)
{
	/* bit 0 is no field's */
	return (BIT(row_columns[column].field) | BIT(row_columns[column].other)) & ~BIT(0);
}

void
row_result(sqlite3_context *context, const struct dataset *dataset, const struct span_row *row,
           enum row_column column)
{
	const struct row_column_info *info = &row_columns[column];
	int64_t integer;
	uint32_t code;
	if (info->class == ROW_CLASS_INTEGER) {
		if (row_column_integer(row, column, &integer)) {
			sqlite3_result_int64(context, integer);
		}
	} else if (info->class == ROW_CLASS_TEXT && !info->is_computed) {
		memcpy(&code, (const char *)row + info->member, sizeof code);
		vtab_result_code(context, dataset, code);
	} else {
		struct scan_value value = row_column_value(dataset, row, column);
		if (value.type == SCAN_TEXT) { /* the dataset's: no copy is needed */
			vtab_result_text(context, value.text);
		} else {
			vtab_result_value(context, &value);
		}
	}
}

int
row_result_arguments(struct vtab_cursor *cursor, sqlite3_context *context, int status,
                     const struct err *err)
{
	if (status) {
		sqlite3_free(cursor->base.pVtab->zErrMsg);
		cursor->base.pVtab->zErrMsg = sqlite3_mprintf("%s", err->message);
		strbuf_clear(&cursor->json);
		return result_of_err(err);
	}
	sqlite3_result_text64(context, cursor->json.data, cursor->json.len, SQLITE_TRANSIENT,
	                      SQLITE_UTF8);
	strbuf_clear(&cursor->json);
	return SQLITE_OK;
}
