/*
 * sample_value: the arrays of table sample as rows, one a value.
 *
 *     SELECT avg(value) FROM sample_value WHERE sample = 7 AND i >= 1
 *
 * Unlike spans these lie in an ordinary table, one BLOB an array, so a cursor is a statement over
 * that table and a position in the array at hand. Constraints on sample, trial and name choose the
 * arrays that are read at all; SQLite checks them again. A value that is NaN (missing) is NULL.
 */
#include "config.h"
#include "store/vtab.h"

enum sample_column { SAMPLE_ID, SAMPLE_TRIAL, SAMPLE_NAME, SAMPLE_I, SAMPLE_VALUE };

struct samples_cursor {
	struct stmt_cursor of; /* its statement is on the row whose array is at hand */
	const char *data;
	sqlite3_int64 i, n;
};

static void
samples_declare(const struct vtab_type *type, struct strbuf *columns)
{
	(void)type;
	strbuf_add_text(columns, "sample INTEGER, trial INTEGER, name TEXT, i INTEGER, value REAL");
}

/* ---- planning ---- */

/* "sample = ?" and "trial = ?": letters of idxStr, in the order of xFilter's arguments. */
static char
letter_of(const struct sqlite3_index_constraint *constraint)
{
	if (!constraint->usable || constraint->op != SQLITE_INDEX_CONSTRAINT_EQ) {
		return '\0';
	}
	return constraint->iColumn == SAMPLE_ID      ? 's'
	       : constraint->iColumn == SAMPLE_TRIAL ? 't'
	                                             : '\0';
}

static int
best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	char letters[3] = "";
	int n = 0;

	(void)table;
	info->estimatedCost = 1e8;
	info->estimatedRows = 10000000;
	for (int i = 0; i < info->nConstraint; i++) {
		char letter = letter_of(&info->aConstraint[i]);
		if (!letter || letters[0] == letter || n == 2) {
			continue;
		}
		letters[n++] = letter;
		letters[n] = '\0';
		info->aConstraintUsage[i].argvIndex = n;
		info->estimatedCost /= letter == 's' ? 1000 : 10;
		info->estimatedRows /= letter == 's' ? 1000 : 10;
	}
	info->idxStr = sqlite3_mprintf("%s", letters);
	info->needToFreeIdxStr = 1;
	return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- reading ---- */

/* The next array that is not empty. */
static int
next_array(struct samples_cursor *cursor)
{
	struct vtab *vtab = (struct vtab *)cursor->of.cursor.base.pVtab;
	struct err err = ERR_INIT;

	for (;;) {
		int result = sqlite3_step(cursor->of.stmt);
		if (result != SQLITE_ROW) {
			cursor->of.cursor.is_end = true;
			return vtab_fail_read(vtab, result);
		}
		cursor->i = 0;
		cursor->n = sqlite3_column_int64(cursor->of.stmt, 3);
		cursor->data = sqlite3_column_blob(cursor->of.stmt, 4);
		int bytes = sqlite3_column_bytes(cursor->of.stmt, 4);
		if (bytes % (int)sizeof(double) != 0 || bytes / (int)sizeof(double) != cursor->n) {
			err_set(&err, ERR_FORMAT, "sample %lld is damaged",
			        sqlite3_column_int64(cursor->of.stmt, 0));
			return vtab_fail(vtab, &err);
		}
		if (cursor->n > 0) {
			return SQLITE_OK;
		}
	}
}

static int
samples_filter(sqlite3_vtab_cursor *base, int number, const char *letters, int argc,
               sqlite3_value **argv)
{
	static const char *const statements[] = {
	    "SELECT id, trial, name, n, data FROM main.sample WHERE ?1 IS NULL AND ?2 IS NULL "
	    "ORDER BY id",
	    "SELECT id, trial, name, n, data FROM main.sample WHERE id = ?1 AND (?2 IS NULL OR "
	    "trial = ?2)",
	    "SELECT id, trial, name, n, data FROM main.sample WHERE trial = ?2 AND ?1 IS NULL "
	    "ORDER BY id",
	};
	struct samples_cursor *cursor = (struct samples_cursor *)base;
	struct vtab *vtab = (struct vtab *)base->pVtab;
	int chosen = 0, result = vtab_stmt_begin(&cursor->of);

	(void)number;
	if (result != SQLITE_OK) {
		return result;
	}
	for (int i = 0; i < argc; i++) {
		cursor->of.cursor.is_end |=
		    sqlite3_value_type(argv[i]) == SQLITE_NULL; /* equals nothing */
		if (sqlite3_value_type(argv[i]) == SQLITE_INTEGER && chosen != 1) {
			chosen = letters[i] == 's' ? 1 : 2;
		}
	}
	if (cursor->of.cursor.is_end) {
		return SQLITE_OK;
	}
	result = sqlite3_prepare_v2(vtab_connection(vtab), statements[chosen], -1, &cursor->of.stmt,
	                            NULL);
	if (result != SQLITE_OK) {
		return vtab_fail_read(vtab, result);
	}
	/* As SQLite compares them: a value that is no integer might still be equal to one, so it is
	 * no bound. */
	for (int i = 0; i < argc; i++) {
		if (sqlite3_value_type(argv[i]) == SQLITE_INTEGER) {
			sqlite3_bind_value(cursor->of.stmt, letters[i] == 's' ? 1 : 2, argv[i]);
		}
	}
	return next_array(cursor);
}

static int
samples_next(sqlite3_vtab_cursor *base)
{
	struct samples_cursor *cursor = (struct samples_cursor *)base;

	cursor->of.cursor.at++;
	return ++cursor->i < cursor->n ? SQLITE_OK : next_array(cursor);
}

static int
samples_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct samples_cursor *cursor = (struct samples_cursor *)base;
	sqlite3_int64 code;
	double value;

	switch ((enum sample_column)column) {
	case SAMPLE_ID:
		sqlite3_result_int64(context, sqlite3_column_int64(cursor->of.stmt, 0));
		break;
	case SAMPLE_TRIAL:
		sqlite3_result_int64(context, sqlite3_column_int64(cursor->of.stmt, 1));
		break;
	case SAMPLE_NAME:
		code = sqlite3_column_int64(cursor->of.stmt, 2);
		if (code >= 0 && code < cursor->of.cursor.dataset->n_texts) {
			vtab_result_code(context, cursor->of.cursor.dataset, (uint32_t)code);
		}
		break;
	case SAMPLE_I:
		sqlite3_result_int64(context, cursor->i);
		break;
	case SAMPLE_VALUE:
		memcpy(&value, cursor->data + cursor->i * (sqlite3_int64)sizeof value,
		       sizeof value);
		sqlite3_result_double(context, value);
		break;
	}
	return SQLITE_OK;
}

const struct vtab_class vtab_samples = {
    .methods = {VTAB_FRAME, .xBestIndex = best_index, .xFilter = samples_filter,
                .xNext = samples_next, .xColumn = samples_column},
    .declare = samples_declare,
    .cursor_bytes = sizeof(struct samples_cursor),
    .release = vtab_stmt_release,
};
