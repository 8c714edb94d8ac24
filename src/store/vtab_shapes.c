/* Which columns of the registry a table has. */
#include "config.h"
#include "store/vtab.h"

const char *
vtab_type_of_column(enum row_column column)
{
	static const char *const types[] = {[ROW_CLASS_INTEGER] = "INTEGER",
	                                    [ROW_CLASS_REAL] = "REAL",
	                                    [ROW_CLASS_TEXT] = "TEXT",
	                                    [ROW_CLASS_LANE] = "",
	                                    [ROW_CLASS_ARG] = ""};
	const struct row_column_info *info = &row_columns[column];
	return info->sql_type ? info->sql_type : types[info->class];
}

struct row_shape
row_shape(enum block_kind kind)
{
	struct row_shape shape = {.n = 0};
	for (int place = 1; place <= UINT8_MAX; place++) {
		for (int i = 0; i < ROW_COLUMNS; i++) {
			if (row_columns[i].place == place &&
			    row_column_in((enum row_column)i, kind)) {
				shape.columns[shape.n++] = (enum row_column)i;
			}
		}
	}
	return shape;
}

struct row_shape
dimension_shape(void)
{
	struct row_shape shape = {.n = 0};
	for (int i = 0; i < ROW_COLUMNS; i++) {
		if (row_columns[i].by) {
			shape.columns[shape.n++] = (enum row_column)i;
		}
	}
	return shape;
}
