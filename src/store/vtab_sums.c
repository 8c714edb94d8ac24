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

static void
sums_declare(const struct vtab_type *type, struct strbuf *columns)
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

struct sums_cursor {
	struct listed_cursor listed; /* rows: the part's groups; n: of all parts until now */
	struct sums_parts *parts;
	int64_t first; /* row of the part */
};

/* The index of the current row in its part. */
static size_t
place_in_part(const struct listed_cursor *listed)
{
	return (size_t)(listed->cursor.at - ((const struct sums_cursor *)listed)->first);
}

/* The next part that has groups, if there is one, instead of the one that is there. */
static int
next_part(struct sums_cursor *cursor, struct err *err)
{
	struct listed_cursor *listed = &cursor->listed;
	int64_t before = listed->n;

	while (listed->n == before && !sums_parts_end(cursor->parts)) {
		struct sums *sums;
		sums_free(listed->rows);
		listed->rows = NULL;
		if (sums_parts_next(cursor->parts, &sums, err)) {
			return -1;
		}
		listed->rows = sums;
		listed->n += (int64_t)sums_count(sums);
		cursor->first = before;
	}
	return 0;
}

static int
run_scan(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	const struct arguments *arguments = &cursor->arguments;
	int parts = cursor->wants;
	const struct sums_shape *shape = &sums_shapes[vtab->type->kind];
	struct sums_request request = {.kind = vtab->type->kind};
	if (arguments_by(arguments, &request.by, &request.filter, err) ||
	    arguments_parameters(arguments, request.parameters, err)) {
		return -1;
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
	struct sums_cursor *sums = (struct sums_cursor *)cursor;
	sums_parts_free(sums->parts);
	sums->first = 0;
	sums->parts = sums_parts_new(cursor->cursor.dataset, &request);
	if (next_part(sums, err)) {
		return -1;
	}
	return vtab_take_census(vtab, request.filter, request.parameters, false, err);
}

static bool
sums_key_of(const struct listed_cursor *cursor, enum row_column dimension, struct scan_value *value)
{
	bool has = sums_has(cursor->rows, dimension);
	if (has) {
		*value = sums_key(cursor->rows, place_in_part(cursor), dimension);
	}
	return has;
}

static int
sums_filter(sqlite3_vtab_cursor *base, int wants, const char *names, int argc, sqlite3_value **argv)
{
	struct sums_cursor *cursor = (struct sums_cursor *)base;

	if (cursor->first > 0) { /* begins again */
		cursor->listed.is_run = false;
	}
	return vtab_listed_filter(base, wants, names, argc, argv);
}

static int
sums_next(sqlite3_vtab_cursor *base)
{
	struct sums_cursor *cursor = (struct sums_cursor *)base;
	struct err err = ERR_INIT;

	if (cursor->listed.cursor.at + 1 == cursor->listed.n && next_part(cursor, &err)) {
		return vtab_fail((struct vtab *)base->pVtab, &err);
	}
	return vtab_listed_next(base);
}

static void
sums_release(sqlite3_vtab_cursor *base)
{
	sums_parts_free(((struct sums_cursor *)base)->parts);
	vtab_listed_release(base);
}

static void
free_sums(void *sums)
{
	sums_free(sums);
}

/* --- Results ------------------------------------------------------------- */

static int
result_total(const struct listed_cursor *cursor, sqlite3_context *context,
             const struct group_sums *group, int total)
{
	switch (total) {
	case TOTAL_N:
		if (group->n_leaves) {
			return vtab_too_large(cursor, "", "n", 64);
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
result_part(const struct listed_cursor *cursor, sqlite3_context *context,
            const struct group_sums *group, const struct measure_columns *measure, int part)
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
		return vtab_too_large(cursor, measure->prefix,
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
	const struct listed_cursor *cursor = (const struct listed_cursor *)base;
	enum block_kind kind = ((const struct vtab *)base->pVtab)->type->kind;
	const struct measure_columns *measure;
	int part;
	const struct group_sums *group = sums_group(cursor->rows, place_in_part(cursor));
	if (column < FIRST_MEASURE) {
		return result_total(cursor, context, group, column);
	}
	if (find_part(kind, column, &measure, &part)) {
		return result_part(cursor, context, group, measure, part);
	}
	if (kind == BLOCK_SPAN && part == 1 && group->unfinished_leaves) {
		return vtab_too_large(cursor, "unfinished", "sum", 64);
	}
	if (kind == BLOCK_SPAN && part < UNFINISHED) {
		sqlite3_result_int64(context, part == 0 ? group->unfinished : group->unfinished_ns);
		return SQLITE_OK;
	}
	return vtab_groups_column(cursor, context, part - (kind == BLOCK_SPAN ? UNFINISHED : 0));
}

const struct vtab_class vtab_sums = {
    .methods = {VTAB_FRAME, .xBestIndex = best_index, .xFilter = sums_filter, .xNext = sums_next,
                .xColumn = sums_column},
    .declare = sums_declare,
    .cursor_bytes = sizeof(struct sums_cursor),
    .release = sums_release,
    .arguments = &arguments_shape,
    .run = run_scan,
    .free_rows = free_sums,
    .key = sums_key_of,
};
