/*
 * Sums in the order in which a statement wants them. SQLite would copy each row of a million into
 * its sorter, compare, and read it back; here figures are sorted as integers of the same order,
 * digit by digit, the last column first, and rows are handed out as they come.
 *
 * What is promised to xBestIndex must hold whatever the arguments are. Groups that are too many to
 * be in memory at once come in parts by their keys, in no other order: then SQLite sorts them after
 * all, in a statement of the same table, whose rows are passed on.
 */
#include "config.h"
#include "store/vtab_sums.h"

#include <stdlib.h>
#include <string.h>

#include "column/scan/rowvalue.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/radix.h"

#define FIRST_COLUMN '0'       /* a column of a plan is a character */
#define USED_DIGITS 16         /* of a plan: hexadecimal */
#define MIN_SKIPS_NULL 3032000 /* older ones take min() of a table in order from its first row */

/* --- The plan ------------------------------------------------------------- */

static bool
can_order(const struct vtab *vtab, int column, bool is_first_alone)
{
	const enum block_kind kind = vtab->type->kind;
	static const struct group_sums none; /* of no rows: what may be missing is */
	int n_figures = sums_first_dimension(kind);

	if (column < 0 || column >= n_figures + vtab->dimensions.n) {
		return false;
	}
	int type = column < n_figures ? (int)sums_figure(kind, &none, column).type : FIGURE_NULL;
	bool may_be_null = type == FIGURE_NULL;
	return type != FIGURE_SQUARES &&
	       !(is_first_alone && may_be_null && sqlite3_libversion_number() < MIN_SKIPS_NULL);
}

int
sums_order_plan(const struct vtab *vtab, sqlite3_index_info *info)
{
	char order[2 * SUMS_ORDER_MOST + 1] = "";

	if (info->nOrderBy == 0 || info->nOrderBy > SUMS_ORDER_MOST) {
		return SQLITE_OK;
	}
	for (int i = 0; i < info->nOrderBy; i++) {
		int column = info->aOrderBy[i].iColumn;
		bool is_descending = info->aOrderBy[i].desc;
		if (!can_order(vtab, column, info->nOrderBy == 1 && !is_descending)) {
			return SQLITE_OK;
		}
		order[2 * i] = (char)(FIRST_COLUMN + column);
		order[2 * i + 1] = is_descending ? '-' : '+';
	}
	char *plan = sqlite3_mprintf("%s%0*llx%s", info->idxStr, USED_DIGITS,
	                             (unsigned long long)info->colUsed, order);
	if (!plan) {
		return SQLITE_NOMEM;
	}
	sqlite3_free(info->idxStr);
	info->idxStr = plan;
	info->orderByConsumed = 1;
	return SQLITE_OK;
}

void
sums_order_read(struct sums_cursor *cursor, const char *plan, int argc)
{
	const char *order = "";

	cursor->used = 0;
	if (strlen(plan) > (size_t)argc) {
		char digits[USED_DIGITS + 1] = "";
		memcpy(digits, plan + argc, USED_DIGITS);
		cursor->used = strtoull(digits, NULL, 16);
		order = plan + argc + USED_DIGITS;
	}
	if (strcmp(order, cursor->order) != 0) {
		cursor->listed.is_run = false;
		strcpy(cursor->order, order);
	}
}

static int
column_of(const struct sums_cursor *cursor, size_t i)
{
	return cursor->order[2 * i] - FIRST_COLUMN;
}

static bool
is_descending(const struct sums_cursor *cursor, size_t i)
{
	return cursor->order[2 * i + 1] == '-';
}

/* --- Sorting ---------------------------------------------------------------- */

/* What a column's values are sorted by, and which of them are NULL. */
struct order_keys {
	uint64_t *keys;
	bool *is_null;
	size_t n, n_null;
};

/* Positive and negative zero are equal. */
static uint64_t
key_of_real(double real)
{
	uint64_t bits;

	real = real == 0 ? 0 : real;
	memcpy(&bits, &real, sizeof bits);
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static void
put_null(struct order_keys *keys, size_t i)
{
	keys->keys[i] = 0; /* they are equal */
	keys->is_null[i] = true;
	keys->n_null++;
}

/* Of a figure that can't be read: fails as reading it does. */
static int
fill_figures(struct sums_cursor *cursor, int column, struct order_keys *keys)
{
	enum block_kind kind = ((struct vtab *)cursor->listed.cursor.base.pVtab)->type->kind;

	const struct group_sums *(*group)(struct sums * sums, size_t index) =
	    sums_is_count(column) ? sums_counts : sums_group;

	for (size_t i = 0; i < keys->n; i++) {
		struct sums_figure figure =
		    sums_figure(kind, group(cursor->listed.rows, i), column);
		switch (figure.type) {
		case FIGURE_INTEGER:
			keys->keys[i] = radix_key(figure.integer);
			break;
		case FIGURE_REAL:
			keys->keys[i] = key_of_real(figure.real);
			break;
		case FIGURE_LARGE:
			cursor->listed.cursor.at = (int64_t)i;
			return sums_too_large(&cursor->listed, column);
		case FIGURE_NULL:
		case FIGURE_SQUARES: /* is not taken over */
			put_null(keys, i);
		}
	}
	return SQLITE_OK;
}

struct ranked_value {
	struct scan_value value;
	size_t index;
};

static int
compare_ranked(const void *a, const void *b)
{
	const struct ranked_value *x = a, *y = b;
	int order = scan_value_order(&x->value, &y->value);

	return order ? order : ORDER(x->index, y->index);
}

/* Values of any type: by how many different ones are below. */
static void
rank_values(const struct sums *sums, enum row_column dimension, struct order_keys *keys)
{
	struct ranked_value *ranked = xcalloc(keys->n, sizeof *ranked);
	bool is_sorted = true; /* as the first dimension is */
	uint64_t rank = 0;

	for (size_t i = 0; i < keys->n; i++) {
		ranked[i] = (struct ranked_value){sums_key(sums, i, dimension), i};
		is_sorted = is_sorted && (i == 0 || scan_value_order(&ranked[i - 1].value,
		                                                     &ranked[i].value) <= 0);
	}
	if (!is_sorted) {
		SORT(ranked, keys->n, compare_ranked);
	}
	for (size_t i = 0; i < keys->n; i++) {
		rank += i > 0 && scan_value_order(&ranked[i - 1].value, &ranked[i].value) != 0;
		keys->keys[ranked[i].index] = rank;
	}
	free(ranked);
}

static int
fill_dimension(struct sums_cursor *cursor, int column, struct order_keys *keys)
{
	const struct vtab *vtab = (const struct vtab *)cursor->listed.cursor.base.pVtab;
	enum row_column dimension = vtab->dimensions.columns[column];
	const struct sums *sums = cursor->listed.rows;

	if (!sums_has(sums, dimension)) {
		return vtab_not_in_by(&cursor->listed, dimension);
	}
	for (size_t i = 0; i < keys->n; i++) {
		struct scan_value value = sums_key(sums, i, dimension);
		if (value.type == SCAN_INTEGER) {
			keys->keys[i] = radix_key(value.integer);
		} else if (value.type == SCAN_NULL) {
			put_null(keys, i);
		} else {
			memset(keys->is_null, 0, keys->n * sizeof *keys->is_null);
			keys->n_null = 0;
			rank_values(sums, dimension, keys);
			return SQLITE_OK;
		}
	}
	return SQLITE_OK;
}

/* Stable: NULL comes first, or last of a descending order. */
static void
part_nulls(const struct order_keys *keys, bool is_descending, const struct radix_item *items,
           struct radix_item *other)
{
	size_t next_null = is_descending ? keys->n - keys->n_null : 0;
	size_t next = is_descending ? 0 : keys->n_null;

	for (size_t i = 0; i < keys->n; i++) {
		other[keys->is_null[items[i].index] ? next_null++ : next++] = items[i];
	}
}

/* Sorts items by one column's keys, stably; the other half of the room is at `other`. */
static struct radix_item *
sort_by(const struct order_keys *keys, bool is_descending, struct radix_item *items,
        struct radix_item *other)
{
	uint64_t turned = is_descending ? UINT64_MAX : 0;
	bool is_sorted = keys->n_null == 0;

	for (size_t i = 0; i < keys->n; i++) {
		items[i].key = keys->keys[items[i].index] ^ turned;
		is_sorted = is_sorted && (i == 0 || items[i - 1].key <= items[i].key);
	}
	if (is_sorted) {
		return items;
	}
	struct radix_item *sorted = radix_sort(items, other, keys->n);
	if (keys->n_null == 0) {
		return sorted;
	}
	struct radix_item *parted = sorted == items ? other : items;
	part_nulls(keys, is_descending, sorted, parted);
	return parted;
}

/* Of the i-th column of the order, the last of it: are the rows in it as they come? */
static bool
is_in_order(const struct sums_cursor *cursor, size_t i)
{
	const struct vtab *vtab = (const struct vtab *)cursor->listed.cursor.base.pVtab;
	int dimension = column_of(cursor, i) - cursor->n_figures;

	return cursor->order[2 * (i + 1)] == '\0' && !is_descending(cursor, i) && dimension >= 0 &&
	       sums_are_ordered_by(cursor->listed.rows, vtab->dimensions.columns[dimension]);
}

int
sums_order_rows(struct sums_cursor *cursor)
{
	struct listed_cursor *listed = &cursor->listed;
	int n_figures = cursor->n_figures, status = SQLITE_OK;
	struct order_keys keys = {.n = (size_t)listed->n};
	struct radix_item *room = xcalloc(keys.n, 2 * sizeof *room), *items = room;

	MEM_NEW(keys.keys, keys.n);
	MEM_NEW(keys.is_null, keys.n);
	for (size_t i = 0; i < keys.n; i++) {
		items[i].index = (uint32_t)i;
	}
	for (size_t i = strlen(cursor->order) / 2; i-- > 0 && status == SQLITE_OK;) {
		int column = column_of(cursor, i);
		if (is_in_order(cursor, i)) {
			continue;
		}
		memset(keys.is_null, 0, keys.n * sizeof *keys.is_null);
		keys.n_null = 0;
		status = column < n_figures ? fill_figures(cursor, column, &keys)
		                            : fill_dimension(cursor, column - n_figures, &keys);
		if (status == SQLITE_OK) {
			items = sort_by(&keys, is_descending(cursor, i), items,
			                items == room ? room + keys.n : room);
		}
	}
	MEM_NEW(cursor->places, keys.n);
	for (size_t i = 0; i < keys.n; i++) {
		cursor->places[i] = items[i].index;
	}
	sums_put_in_order(listed->rows, cursor->places);
	free(room);
	free(keys.keys);
	free(keys.is_null);
	return status;
}

/* --- By SQLite -------------------------------------------------------------- */

/* Of the statement's columns the one that shows a column of the table: rowid, the used figures,
 * then what is in `by`. */
static int
place_of(const struct sums_cursor *cursor, int column)
{
	int n_figures = cursor->n_figures, place = 1;

	for (int i = 0; i < column && i < n_figures; i++) {
		place += cursor->used >> i & 1;
	}
	for (int i = n_figures; i < column; i++) {
		place += cursor->is_in_by[i - n_figures];
	}
	return place;
}

static void
print_columns(struct sums_cursor *cursor, const struct vtab *vtab, struct strbuf *sql)
{
	enum block_kind kind = vtab->type->kind;
	int n_figures = cursor->n_figures;

	for (int i = 0; i < n_figures + vtab->dimensions.n; i++) {
		bool is_read = i < n_figures ? cursor->used >> i & 1 : false;
		if (i >= n_figures) {
			enum row_column dimension = vtab->dimensions.columns[i - n_figures];
			is_read = cursor->is_in_by[i - n_figures] =
			    sums_has(cursor->listed.rows, dimension);
		}
		if (is_read) {
			strbuf_add_text(sql, ", ");
			sums_column_name(kind, i, sql);
		}
	}
}

int
sums_order_prepare(struct sums_cursor *cursor, struct err *err)
{
	const struct vtab *vtab = (const struct vtab *)cursor->listed.cursor.base.pVtab;
	const struct arguments *arguments = &cursor->listed.arguments;
	struct strbuf sql = {0};

	strbuf_add_text(&sql, "SELECT rowid");
	print_columns(cursor, vtab, &sql);
	strbuf_printf(&sql, " FROM %s(", vtab->type->name);
	for (int i = 0; i < arguments->shape->n; i++) {
		strbuf_printf(&sql, "%s?%d", i ? ", " : "", i + 1);
	}
	strbuf_add_text(&sql, ")");
	for (size_t i = 0; i < strlen(cursor->order) / 2; i++) {
		strbuf_add_text(&sql,
		                i ? ", +" : " ORDER BY +"); /* + keeps it from being taken over */
		sums_column_name(vtab->type->kind, column_of(cursor, i), &sql);
		strbuf_add_text(&sql, is_descending(cursor, i) ? " DESC" : "");
	}
	int result = sqlite3_prepare_v2(vtab->db, sql.data, -1, &cursor->sorted, NULL);
	for (int i = 0; i < arguments->shape->n && result == SQLITE_OK; i++) {
		result = arguments->values[i]
		             ? sqlite3_bind_value(cursor->sorted, i + 1, arguments->values[i])
		             : SQLITE_OK;
	}
	strbuf_free(&sql);
	return result == SQLITE_OK ? 0 : err_of_result(vtab->db, result, NULL, err);
}

int
sums_order_step(struct sums_cursor *cursor)
{
	struct vtab *vtab = (struct vtab *)cursor->listed.cursor.base.pVtab;
	int result = sqlite3_step(cursor->sorted);

	cursor->listed.cursor.is_end = result != SQLITE_ROW;
	if (result == SQLITE_ROW || result == SQLITE_DONE) {
		return SQLITE_OK;
	}
	sqlite3_free(vtab->base.zErrMsg);
	vtab->base.zErrMsg = sqlite3_mprintf("%s", sqlite3_errmsg(vtab->db));
	return result;
}

void
sums_order_column(const struct sums_cursor *cursor, sqlite3_context *context, int column)
{
	sqlite3_result_value(context,
	                     sqlite3_column_value(cursor->sorted, place_of(cursor, column)));
}
