/*
 * span_sums, event_sums and counter_sums: the whole scan happens in xFilter, then rows are groups.
 *
 * A column of a dimension that is not in `by` has no value, and NULL would look like one: reading
 * it is an error that names it. So is a missing or NULL `by`; the empty text asks for one group
 * over everything.
 *
 * Of an empty group n, rows, sums and sums of squares are 0; minima, maxima, deviations and
 * quantiles are NULL. A sum that leaves 64 bits (of squares: 128) is an error that names column and
 * group, where it is read: no figure is ever the nearest that fits.
 *
 * Only what the statement reads is computed; quantiles cost passes of their own. SQLite tells which
 * columns it reads by bits, of which the last stands for all columns from the
 * 64th on: so figures come first, and behind them dimensions and the hidden arguments, which nobody
 * needs to know about.
 */
#include "config.h"
#include "store/squares.h"
#include "store/vtab.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"

enum {
	PART_N,
	PART_SUM,
	PART_MIN,
	PART_MAX,
	PART_SUMSQ, /* of reals: of their distances from the mean */
	PART_STD,
	PART_QUANTILE /* and the next five */
};

enum { TOTAL_N, TOTAL_ROWS, TOTAL_SUMMED, TOTAL_START_MIN, TOTAL_FINISH_MAX, TOTALS };

/* The measures of a kind, as blocks of columns behind dimensions and totals. */
struct measure_columns {
	enum measure measure;
	const char *prefix;
	int first_part; /* PART_SUM: without n, which is `rows` */
};
struct sums_shape {
	struct measure_columns measures[3];
	int n_measures;
};
static const struct sums_shape sums_shapes[] = {
    [BLOCK_SPAN] = {{{MEASURE_DURATION, "dur", PART_SUM},
                     {MEASURE_SELF, "self", PART_SUM},
                     {MEASURE_SIZE, "size", PART_N}},
                    3},
    [BLOCK_EVENT] = {{{0}}, 0},
    [BLOCK_COUNTER] = {{{MEASURE_VALUE, "value", PART_N}}, 1},
};
#define FIRST_MEASURE TOTALS
#define PARTS (PART_QUANTILE + QUANTILES)
#define UNFINISHED 2 /* columns of spans behind the measures: unfinished_n, unfinished_sum */

static const struct arguments_shape arguments_shape = {
    {"by", "filter", PARAMETER_NAMES}, 10, 1, "(by [, filter [, p1, ... p8]])"};

struct sums_cursor {
	struct groups_cursor groups;
	struct sums *sums;
	int parts; /* what sums has, as parts_used says */
};

/* --- Columns ------------------------------------------------------------- */

static bool
is_of_reals(const struct measure_columns *measure)
{
	return measure->measure == MEASURE_VALUE;
}

static const char *
part_name(const struct measure_columns *measure, int part)
{
	static const char *const parts[PARTS] = {"n",   "sum", "min", "max", "sumsq", "std",
	                                         "p25", "p50", "p75", "p90", "p95",   "p99"};
	return part == PART_SUMSQ && is_of_reals(measure) ? "devsq" : parts[part];
}

static const char *
part_type(const struct measure_columns *measure, int part)
{
	if (part >= PART_STD || (part != PART_N && is_of_reals(measure))) {
		return "REAL";
	}
	return part == PART_SUMSQ ? "BLOB" : "INTEGER";
}

void
vtab_sums_declare(const struct vtab_type *type, struct strbuf *columns)
{
	const struct sums_shape *shape = &sums_shapes[type->kind];
	strbuf_add_text(
	    columns,
	    "n INTEGER, rows INTEGER, summed INTEGER, start_min INTEGER, finish_max INTEGER");
	for (int i = 0; i < shape->n_measures; i++) {
		const struct measure_columns *measure = &shape->measures[i];
		for (int part = measure->first_part; part < PARTS; part++) {
			strbuf_printf(columns, ", %s_%s %s", measure->prefix,
			              part_name(measure, part), part_type(measure, part));
		}
	}
	if (type->kind == BLOCK_SPAN) {
		strbuf_add_text(columns, ", unfinished_n INTEGER, unfinished_sum INTEGER");
	}
	vtab_declare_dimensions(columns);
	arguments_declare(&arguments_shape, columns);
}

/* Which measure and part a column behind the totals shows; false: it is number *part of those
 * behind the measures. */
static bool
find_part(enum block_kind kind, int column, const struct measure_columns **measure, int *part)
{
	const struct sums_shape *shape = &sums_shapes[kind];
	int place = column - FIRST_MEASURE;
	for (int i = 0; i < shape->n_measures; i++) {
		*measure = &shape->measures[i];
		int n = PARTS - (*measure)->first_part;
		if (place < n) {
			*part = place + (*measure)->first_part;
			return true;
		}
		place -= n;
	}
	*part = place;
	return false;
}

static int
first_dimension(enum block_kind kind)
{
	const struct measure_columns *measure;
	int column = FIRST_MEASURE, part;
	while (find_part(kind, column, &measure, &part)) {
		column++;
	}
	return column + (kind == BLOCK_SPAN ? UNFINISHED : 0);
}

/*
 * What the statement reads, as xFilter is told in idxNum: a bit for each quantile of the first
 * measure, then of the next; above them the SUMS_NO_... bits that do not hold for each measure, and
 * whether times and unfinished spans are read.
 */
#define NEED_SHIFT(nth) (3 * QUANTILES + 3 * (nth))
#define WITH_TIMES (1 << NEED_SHIFT(3))
#define WITH_UNFINISHED (WITH_TIMES << 1)

static int
bit_of_part(const struct measure_columns *measure, int nth, int part)
{
	bool is_counted = measure->first_part == PART_N; /* else n is the number of rows */
	int need = 0;
	switch (part) {
	case PART_N:
	case PART_SUM:
		need = SUMS_NO_SUM;
		break;
	case PART_MIN:
	case PART_MAX:
		need = SUMS_NO_RANGE | (is_counted ? SUMS_NO_SUM : 0);
		break;
	case PART_SUMSQ:
		need = SUMS_NO_SQUARES;
		break;
	case PART_STD:
		need = SUMS_NO_SQUARES | SUMS_NO_SUM;
		break;
	default: /* n tells whether there is a quantile */
		return 1 << (nth * QUANTILES + part - PART_QUANTILE) |
		       (is_counted ? SUMS_NO_SUM << NEED_SHIFT(nth) : 0);
	}
	return need << NEED_SHIFT(nth);
}

static int
parts_used(enum block_kind kind, sqlite3_uint64 used)
{
	const struct measure_columns *measure;
	int bits = 0, part;
	int column = FIRST_MEASURE;
	for (; column < 63 && find_part(kind, column, &measure, &part); column++) {
		if (used >> column & 1) {
			bits |=
			    bit_of_part(measure, (int)(measure - sums_shapes[kind].measures), part);
		}
	}
	if (used >> TOTAL_START_MIN & 3) {
		bits |= WITH_TIMES;
	}
	if (kind == BLOCK_SPAN && used >> column & ((1 << UNFINISHED) - 1)) {
		bits |= WITH_UNFINISHED;
	}
	return bits;
}

static int
best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	struct vtab *vtab = (struct vtab *)table;
	info->idxNum = parts_used(vtab->type->kind, info->colUsed);
	return arguments_best_index(vtab, &arguments_shape,
	                            first_dimension(vtab->type->kind) + vtab->dimensions.n, info);
}

/* --- The scan ------------------------------------------------------------ */

static int
run_scan(struct vtab *vtab, struct sums_cursor *cursor, int parts, struct err *err)
{
	const struct arguments *arguments = &cursor->groups.arguments;
	const struct sums_shape *shape = &sums_shapes[vtab->type->kind];
	struct sums_request request = {.kind = vtab->type->kind};
	const struct dataset *dataset = vtab_dataset(vtab, err);
	if (!dataset || arguments_text(arguments, &arguments_shape, 0, &request.by, err) ||
	    arguments_text(arguments, &arguments_shape, 1, &request.filter, err) ||
	    arguments_parameters(arguments, &arguments_shape, request.parameters, err)) {
		return -1;
	}
	if (!request.by) {
		return err_set(err, ERR_QUERY, "'by' is NULL ('' asks for one group over all)");
	}
	for (int i = 0; i < MEASURES; i++) {
		request.unread[i] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES;
	}
	for (int i = 0; i < shape->n_measures; i++) {
		enum measure measure = shape->measures[i].measure;
		request.quantiles[measure] =
		    (unsigned)parts >> i * QUANTILES & ((1u << QUANTILES) - 1);
		request.unread[measure] = ~(unsigned)parts >> NEED_SHIFT(i) & 7;
	}
	request.unread_times = !(parts & WITH_TIMES);
	request.unread_unfinished = !(parts & WITH_UNFINISHED);
	request.cancel = vtab_cancel(vtab);
	cursor->sums = sums_run(dataset, &request, err);
	cursor->parts = parts;
	return cursor->sums ? vtab_take_census(vtab, request.filter, request.parameters, false, err)
	                    : -1;
}

static int
sums_filter(sqlite3_vtab_cursor *base, int parts, const char *names, int argc, sqlite3_value **argv)
{
	struct sums_cursor *cursor = (struct sums_cursor *)base;
	struct vtab *vtab = (struct vtab *)base->pVtab;
	struct err err = ERR_INIT;
	bool is_same;
	cursor->groups.group = cursor->groups.n_groups = 0;
	if (arguments_set(&cursor->groups.arguments, names, argc, argv, &is_same)) {
		return SQLITE_NOMEM;
	}
	if (!is_same || !cursor->sums || parts != cursor->parts) {
		sums_free(cursor->sums);
		cursor->sums = NULL;
		if (run_scan(vtab, cursor, parts, &err)) {
			err_wrap(&err, "%s", vtab->type->name);
			return vtab_fail(vtab, &err);
		}
	}
	cursor->groups.n_groups = sums_count(cursor->sums);
	return SQLITE_OK;
}

/* --- Results ------------------------------------------------------------- */

static int
result_dimension(struct sums_cursor *cursor, sqlite3_context *context, enum row_column dimension)
{
	if (!sums_has(cursor->sums, dimension)) {
		return vtab_no_dimension((struct vtab *)cursor->groups.base.pVtab, dimension,
		                         cursor->groups.arguments.values[0]);
	}
	struct scan_value value = sums_key(cursor->sums, cursor->groups.group, dimension);
	vtab_result_value(context, &value);
	return SQLITE_OK;
}

/* A column's figure does not fit: an error that names column and group. */
static int
fail_too_large(struct sums_cursor *cursor, const char *prefix, const char *column, int bits)
{
	struct scan_value keys[ROW_COLUMNS];
	bool has[ROW_COLUMNS];

	for (int i = 0; i < ROW_COLUMNS; i++) {
		has[i] = sums_has(cursor->sums, (enum row_column)i);
		keys[i] = sums_key(cursor->sums, cursor->groups.group, (enum row_column)i);
	}
	return vtab_too_large((struct vtab *)cursor->groups.base.pVtab, has, keys, prefix, column,
	                      bits);
}

static int
result_total(struct sums_cursor *cursor, sqlite3_context *context, const struct group_sums *group,
             int total)
{
	switch (total) {
	case TOTAL_N:
		if (group->n_leaves) {
			return fail_too_large(cursor, "", "n", 64);
		}
		sqlite3_result_int64(context, group->n);
		break;
	case TOTAL_ROWS:
		sqlite3_result_int64(context, group->rows);
		break;
	case TOTAL_SUMMED:
		sqlite3_result_int64(context, group->summed);
		break;
	default:
		if (group->rows > 0) {
			sqlite3_result_int64(context, total == TOTAL_START_MIN ? group->start_min
			                                                       : group->end_max);
		}
	}
	return SQLITE_OK;
}

static void
result_squares(sqlite3_context *context, const struct measure_sums *sums, bool is_real)
{
	unsigned char bytes[SQUARES_BYTES];

	if (is_real) {
		sqlite3_result_double(context, sums->real_squares);
		return;
	}
	squares_put(bytes, sums->squares);
	sqlite3_result_blob(context, bytes, sizeof bytes, SQLITE_TRANSIENT);
}

static int
result_part(struct sums_cursor *cursor, sqlite3_context *context, const struct group_sums *group,
            const struct measure_columns *measure, int part)
{
	const struct measure_sums *sums = &group->measure[measure->measure];
	bool is_real = is_of_reals(measure);
	bool leaves = part == PART_SUM                         ? sums->sum_leaves
	              : part == PART_SUMSQ || part == PART_STD ? sums->squares_leave
	                                                       : false;
	int64_t n = measure->first_part == PART_N ? sums->n : group->rows;
	if (n == 0 && part != PART_N && part != PART_SUM && part != PART_SUMSQ) {
		return SQLITE_OK;
	}
	if (leaves) {
		return fail_too_large(cursor, measure->prefix,
		                      part == PART_SUM   ? "_sum"
		                      : part == PART_STD ? "_std"
		                                         : "_sumsq",
		                      part == PART_SUM ? 64 : 128);
	}
	if ((sums->has_no_distribution && part >= PART_SUMSQ) ||
	    (sums->has_no_range && (part == PART_MIN || part == PART_MAX))) {
		return SQLITE_OK;
	}
	switch (part) {
	case PART_N:
		sqlite3_result_int64(context, sums->n);
		break;
	case PART_SUMSQ:
		result_squares(context, sums, is_real);
		break;
	case PART_STD: /* NaN is NULL */
		sqlite3_result_double(context, sums->deviation);
		break;
	case PART_SUM:
	case PART_MIN:
	case PART_MAX:
		if (is_real) {
			sqlite3_result_double(context, part == PART_SUM   ? sums->real_sum
			                               : part == PART_MIN ? sums->real_min
			                                                  : sums->real_max);
		} else {
			sqlite3_result_int64(context, part == PART_SUM   ? sums->sum
			                              : part == PART_MIN ? sums->min
			                                                 : sums->max);
		}
		break;
	default:
		sqlite3_result_double(context, sums->quantile[part - PART_QUANTILE]);
	}
	return SQLITE_OK;
}

static int
sums_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct sums_cursor *cursor = (struct sums_cursor *)base;
	const struct vtab *vtab = (const struct vtab *)base->pVtab;
	enum block_kind kind = vtab->type->kind;
	const struct measure_columns *measure;
	int part;
	const struct group_sums *group = sums_group(cursor->sums, cursor->groups.group);
	if (column < FIRST_MEASURE) {
		return result_total(cursor, context, group, column);
	}
	if (find_part(kind, column, &measure, &part)) {
		return result_part(cursor, context, group, measure, part);
	}
	if (kind == BLOCK_SPAN && part == 1 && group->unfinished_leaves) {
		return fail_too_large(cursor, "unfinished", "sum", 64);
	}
	if (kind == BLOCK_SPAN && part < UNFINISHED) {
		sqlite3_result_int64(context, part == 0 ? group->unfinished : group->unfinished_ns);
		return SQLITE_OK;
	}
	part -= kind == BLOCK_SPAN ? UNFINISHED : 0;
	if (part < vtab->dimensions.n) {
		return result_dimension(cursor, context, vtab->dimensions.columns[part]);
	}
	arguments_result(&cursor->groups.arguments, part - vtab->dimensions.n, context);
	return SQLITE_OK;
}

static int
sums_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct sums_cursor *sums = xcalloc(1, sizeof(*sums));
	(void)table;
	*cursor = &sums->groups.base;
	return SQLITE_OK;
}

static int
sums_close(sqlite3_vtab_cursor *base)
{
	struct sums_cursor *cursor = (struct sums_cursor *)base;
	sums_free(cursor->sums);
	arguments_free(&cursor->groups.arguments);
	free(cursor);
	return SQLITE_OK;
}

const sqlite3_module vtab_sums_module = {
    .xConnect = vtab_connect,
    .xBestIndex = best_index,
    .xDisconnect = vtab_disconnect,
    .xOpen = sums_open,
    .xClose = sums_close,
    .xFilter = sums_filter,
    .xNext = vtab_groups_next,
    .xEof = vtab_groups_eof,
    .xColumn = sums_column,
    .xRowid = vtab_groups_rowid,
};
