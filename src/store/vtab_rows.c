/*
 * span, event and counter: every row, in the order of ids (rowid = id).
 *
 * Constraints are pushed down only to skip what can't match (blocks by their minima and maxima,
 * rows by the cursor's bounds); none is omitted, SQLite checks each row again. So a bound may be
 * wider than its constraint but never narrower, and where types make that hard (text against a
 * number, several lanes of one name) there is no bound at all.
 *
 * idxStr tells xFilter the constraints, two letters each: the column and the operator. idxNum holds
 * the fields that are read.
 */
#include "config.h"
#include "store/vtab.h"

#include <string.h>

#include "util/order.h"

#define COST_ALL 1e9
#define ROWS_ALL 100000000
#define COST_ID 1e3
#define KEPT 8
#define BY_ID "A=" /* the plan of a look-up: ROW_ID is the first column */

struct rows_cursor {
	struct vtab_cursor cursor;
	struct row_cursor *rows; /* one of `kept`, or NULL */
	/* Of look-ups by id, the blocks used last: the ends of dependencies lie in several at
	 * once. */
	struct row_cursor *kept[KEPT];
	unsigned n_kept;
	struct span_row row;
	bool seeks; /* the kept ones were bounded by one id: they can be for another */
};

static void
rows_declare(const struct vtab_type *type, struct strbuf *columns)
{
	row_declare(type->kind, columns);
	row_declare_alias(type->kind, columns);
}

static enum row_column
column_at(const struct vtab *vtab, int column)
{
	const struct row_shape *shape = &vtab->rows;

	if (column < 0) {
		return ROW_ID;
	}
	return column < shape->n ? shape->columns[column] : row_alias(vtab->type->kind);
}

/* --- Planning ------------------------------------------------------------ */

/* Comparisons as letters; '\0': not one that helps. */
static char
letter_of(unsigned char op)
{
	switch (op) {
	case SQLITE_INDEX_CONSTRAINT_EQ:
		return '=';
	case SQLITE_INDEX_CONSTRAINT_GT:
		return '>';
	case SQLITE_INDEX_CONSTRAINT_GE:
		return 'G';
	case SQLITE_INDEX_CONSTRAINT_LT:
		return '<';
	case SQLITE_INDEX_CONSTRAINT_LE:
		return 'L';
	default:
		return '\0';
	}
}

/* What constraints make of the cost of a scan and of its rows. */
struct estimate {
	double cost, rows;
	bool is_one; /* a look-up by id */
};

static void
estimate_add(struct estimate *estimate, enum row_column column, char letter)
{
	switch (column) {
	case ROW_ID:
		estimate->is_one |= letter == '=';
		/* fall through */
	case ROW_START:
	case ROW_END:
	case ROW_DURATION:
		estimate->cost *= 0.25;
		estimate->rows *= letter == '=' ? 0.01 : 0.25;
		break;
	default:
		/* Many blocks hold any given lane or name: one pass that SQLite filters is better
		 * than a pass for each member of an IN list, which looks like `=` here. So these
		 * seem to cost more than they do. */
		estimate->cost *= 2;
		estimate->rows *= 0.1;
	}
}

/* Can the constraint be a bound? */
static bool
is_helpful(sqlite3_index_info *info, int i, enum row_column column, char letter)
{
	switch (column) {
	case ROW_ID:
	case ROW_START:
	case ROW_END:
	case ROW_DURATION:
		return letter != '\0';
	case ROW_LANE:
		return letter == '=';
	case ROW_NAME:
	case ROW_CATEGORY:
	case ROW_LANE_NAME:
	case ROW_HOST:
		return letter == '=' && strcmp(sqlite3_vtab_collation(info, i), "BINARY") == 0;
	default:
		return false;
	}
}

static void
estimate_give(const struct estimate *estimate, sqlite3_index_info *info)
{
	double rows = ROWS_ALL * (MOST(1e-6, estimate->rows));
	info->estimatedCost = estimate->is_one ? COST_ID : COST_ALL * estimate->cost;
	info->estimatedRows = estimate->is_one ? 1 : (sqlite3_int64)rows;
	info->idxFlags = estimate->is_one ? SQLITE_INDEX_SCAN_UNIQUE : 0;
}

static int
fields_used(const struct vtab *vtab, sqlite3_uint64 used)
{
	uint64_t fields = 0;
	for (int i = 0; i <= vtab->rows.n; i++) {
		if (used >> i & 1) {
			fields |= row_fields(column_at(vtab, i));
		}
	}
	return (int)fields;
}

static int
best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	const struct vtab *vtab = (struct vtab *)table;
	struct strbuf plan = {0};
	struct estimate estimate = {1, 1, false};
	int n = 0;
	strbuf_add(&plan, "", 0);
	for (int i = 0; i < info->nConstraint; i++) {
		enum row_column column = column_at(vtab, info->aConstraint[i].iColumn);
		char letter = letter_of(info->aConstraint[i].op);
		if (!info->aConstraint[i].usable || !is_helpful(info, i, column, letter)) {
			continue;
		}
		info->aConstraintUsage[i].argvIndex = ++n;
		strbuf_add_char(&plan, (char)('A' + row_columns[column].place - 1));
		strbuf_add_char(&plan, letter);
		estimate_add(&estimate, column, letter);
	}
	info->idxStr = sqlite3_mprintf("%s", plan.data ? plan.data : "");
	strbuf_free(&plan);
	if (!info->idxStr) {
		return SQLITE_NOMEM;
	}
	info->needToFreeIdxStr = 1;
	info->idxNum = fields_used(vtab, info->colUsed);
	info->orderByConsumed = info->nOrderBy == 1 && !info->aOrderBy[0].desc &&
	                        column_at(vtab, info->aOrderBy[0].iColumn) == ROW_ID;
	estimate_give(&estimate, info);
	return SQLITE_OK;
}

/* --- Reading ------------------------------------------------------------- */

static void
rows_forget(struct rows_cursor *cursor)
{
	for (unsigned i = 0; i < cursor->n_kept; i++) {
		row_cursor_free(cursor->kept[i]);
	}
	cursor->n_kept = 0;
	cursor->rows = NULL;
}

/* The kept one that has the id's block open, else the one used longest ago; it becomes the
 * first. */
static struct row_cursor *
rows_kept_for(struct rows_cursor *cursor, int64_t id)
{
	unsigned i = 0;
	while (i < cursor->n_kept && !row_cursor_holds(cursor->kept[i], id)) {
		i++;
	}
	if (i == cursor->n_kept && i < KEPT) {
		return NULL;
	}
	i -= i == KEPT;
	struct row_cursor *found = cursor->kept[i];
	memmove(cursor->kept + 1, cursor->kept, i * sizeof *cursor->kept);
	cursor->kept[0] = found;
	return found;
}

static void
rows_keep(struct rows_cursor *cursor, struct row_cursor *rows)
{
	memmove(cursor->kept + 1, cursor->kept, cursor->n_kept * sizeof *cursor->kept);
	cursor->kept[0] = rows;
	cursor->n_kept++;
	cursor->rows = rows;
}

static void
rows_release(sqlite3_vtab_cursor *base)
{
	rows_forget((struct rows_cursor *)base);
}

static int
rows_next(sqlite3_vtab_cursor *base)
{
	struct rows_cursor *cursor = (struct rows_cursor *)base;
	struct err err = ERR_INIT;
	int found = row_cursor_next(cursor->rows, &cursor->row, &err);
	cursor->cursor.is_end = found <= 0;
	cursor->cursor.at = cursor->row.id - 1; /* so that rowid is the id */
	if (found < 0) {
		rows_forget(cursor);
		return vtab_fail((struct vtab *)base->pVtab, &err);
	}
	return SQLITE_OK;
}

static int
rows_filter(sqlite3_vtab_cursor *base, int fields, const char *plan, int argc, sqlite3_value **argv)
{
	struct rows_cursor *cursor = (struct rows_cursor *)base;
	struct vtab *vtab = (struct vtab *)base->pVtab;
	const struct dataset *before = cursor->cursor.dataset;
	struct err err = ERR_INIT;
	cursor->cursor.is_end = true;
	cursor->cursor.dataset = vtab_dataset(vtab, &err);
	if (!cursor->cursor.dataset) {
		rows_forget(cursor);
		return vtab_fail(vtab, &err);
	}
	struct row_bounds bounds;
	if (!bounds_of_plan(cursor->cursor.dataset, plan, argc, argv, &bounds)) {
		return SQLITE_OK;
	}
	bool is_one = strcmp(plan, BY_ID) == 0 && bounds.id_min == bounds.id_max;
	if (!is_one || !cursor->seeks || before != cursor->cursor.dataset) {
		rows_forget(cursor);
	}
	cursor->seeks = is_one;
	cursor->rows = rows_kept_for(cursor, bounds.id_min);
	if (cursor->rows) {
		row_cursor_seek(cursor->rows, bounds.id_min);
		return rows_next(base);
	}
	bounds.columns = (uint64_t)fields;
	rows_keep(cursor, row_cursor_new(cursor->cursor.dataset, vtab->type->kind, &bounds));
	return rows_next(base);
}

static int
rows_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct rows_cursor *cursor = (struct rows_cursor *)base;
	enum row_column which = column_at((struct vtab *)base->pVtab, column);
	if (which != ROW_ARGS) {
		row_result(context, cursor->cursor.dataset, &cursor->row, which);
		return SQLITE_OK;
	}
	struct err err = ERR_INIT;
	int status = row_cursor_arguments(cursor->rows, &cursor->cursor.json, &err);
	return row_result_arguments(&cursor->cursor, context, status, &err);
}

const struct vtab_class vtab_rows = {
    .methods = {VTAB_FRAME, .xBestIndex = best_index, .xFilter = rows_filter, .xNext = rows_next,
                .xColumn = rows_column},
    .declare = rows_declare,
    .cursor_bytes = sizeof(struct rows_cursor),
    .release = rows_release,
};
