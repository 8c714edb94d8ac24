/*
 * Columns of span_sums and its kin: how they are called, what of a group each shows, and what of
 * the sums must be computed where it is read.
 *
 * SQLite tells which columns it reads by bits, of which the last stands for all columns from the
 * 64th on: so figures come first, and behind them dimensions and the hidden arguments, which nobody
 * needs to know about.
 */
#include "config.h"
#include "store/vtab_sums.h"

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

static const char *const total_names[TOTALS] = {"n", "rows", "summed", "start_min", "finish_max"};
static const char *const unfinished_names[UNFINISHED] = {"unfinished_n", "unfinished_sum"};

void
sums_declare(enum block_kind kind, struct strbuf *columns)
{
	const struct sums_shape *shape = &sums_shapes[kind];
	for (int i = 0; i < TOTALS; i++) {
		strbuf_printf(columns, "%s%s INTEGER", i ? ", " : "", total_names[i]);
	}
	for (int i = 0; i < shape->n_measures; i++) {
		const struct measure_columns *measure = &shape->measures[i];
		for (int part = measure->first_part; part < PARTS; part++) {
			strbuf_printf(columns, ", %s_%s %s", measure->prefix,
			              part_name(measure, part), part_type(measure, part));
		}
	}
	for (int i = 0; kind == BLOCK_SPAN && i < UNFINISHED; i++) {
		strbuf_printf(columns, ", %s INTEGER", unfinished_names[i]);
	}
	vtab_declare_dimensions(columns);
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

int
sums_first_dimension(enum block_kind kind)
{
	const struct sums_shape *shape = &sums_shapes[kind];
	int column = FIRST_MEASURE + (kind == BLOCK_SPAN ? UNFINISHED : 0);

	for (int i = 0; i < shape->n_measures; i++) {
		column += PARTS - shape->measures[i].first_part;
	}
	return column;
}

bool
sums_is_count(int column)
{
	return column < FIRST_MEASURE;
}

void
sums_column_name(enum block_kind kind, int column, struct strbuf *out)
{
	int dimension = column - sums_first_dimension(kind), part;
	const struct measure_columns *measure;

	if (dimension >= 0) {
		strbuf_printf(out, "\"%s\"",
		              row_columns[dimension_shape().columns[dimension]].name);
	} else if (column < TOTALS) {
		strbuf_add_text(out, total_names[column]);
	} else if (find_part(kind, column, &measure, &part)) {
		strbuf_printf(out, "%s_%s", measure->prefix, part_name(measure, part));
	} else {
		strbuf_add_text(out, unfinished_names[part]);
	}
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

int
sums_parts_used(enum block_kind kind, sqlite3_uint64 used)
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

void
sums_request_parts(enum block_kind kind, int parts, struct sums_request *request)
{
	const struct sums_shape *shape = &sums_shapes[kind];

	for (int i = 0; i < MEASURES; i++) {
		request->unread[i] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES;
	}
	for (int i = 0; i < shape->n_measures; i++) {
		enum measure measure = shape->measures[i].measure;
		request->quantiles[measure] =
		    (unsigned)parts >> i * QUANTILES & ((1u << QUANTILES) - 1);
		request->unread[measure] = ~(unsigned)parts >> NEED_SHIFT(i) & 7;
	}
	request->unread_times = !(parts & WITH_TIMES);
	request->unread_unfinished = !(parts & WITH_UNFINISHED);
}

/* --- Figures ------------------------------------------------------------- */

static const struct sums_figure no_figure = {.type = FIGURE_NULL},
				too_large = {.type = FIGURE_LARGE};

static struct sums_figure
of_integer(int64_t integer)
{
	return (struct sums_figure){.type = FIGURE_INTEGER, .integer = integer};
}

/* NaN is NULL. */
static struct sums_figure
of_real(double real)
{
	return (struct sums_figure){.type = isnan(real) ? FIGURE_NULL : FIGURE_REAL, .real = real};
}

static struct sums_figure
figure_of_total(const struct group_sums *group, int total)
{
	switch (total) {
	case TOTAL_N:
		return group->n_leaves ? too_large : of_integer(group->n);
	case TOTAL_ROWS:
		return of_integer(group->rows);
	case TOTAL_SUMMED:
		return of_integer(group->summed);
	default:
		return group->rows == 0 ? no_figure
		                        : of_integer(total == TOTAL_START_MIN ? group->start_min
		                                                              : group->end_max);
	}
}

static struct sums_figure
figure_of_squares(const struct measure_sums *sums, bool is_real)
{
	return is_real ? of_real(sums->real_squares)
	               : (struct sums_figure){.type = FIGURE_SQUARES, .squares = &sums->squares};
}

static struct sums_figure
figure_of_part(const struct group_sums *group, const struct measure_columns *measure, int part)
{
	const struct measure_sums *sums = &group->measure[measure->measure];
	bool is_real = is_of_reals(measure);
	bool leaves = part == PART_SUM                         ? sums->sum_leaves
	              : part == PART_SUMSQ || part == PART_STD ? sums->squares_leave
	                                                       : false;
	int64_t n = measure->first_part == PART_N ? sums->n : group->rows;
	bool is_null = n == 0 && part != PART_N && part != PART_SUM && part != PART_SUMSQ;
	if (leaves && !is_null) {
		return too_large;
	}
	if (is_null || (sums->has_no_distribution && part >= PART_SUMSQ) ||
	    (sums->has_no_range && (part == PART_MIN || part == PART_MAX))) {
		return no_figure;
	}
	switch (part) {
	case PART_N:
		return of_integer(sums->n);
	case PART_SUM:
		return is_real ? of_real(sums->real_sum) : of_integer(sums->sum);
	case PART_MIN:
		return is_real ? of_real(sums->real_min) : of_integer(sums->min);
	case PART_MAX:
		return is_real ? of_real(sums->real_max) : of_integer(sums->max);
	case PART_SUMSQ:
		return figure_of_squares(sums, is_real);
	case PART_STD:
		return of_real(sums->deviation);
	default:
		return of_real(sums->quantile[part - PART_QUANTILE]);
	}
}

struct sums_figure
sums_figure(enum block_kind kind, const struct group_sums *group, int column)
{
	const struct measure_columns *measure;
	int part;

	if (column < FIRST_MEASURE) {
		return figure_of_total(group, column);
	}
	if (find_part(kind, column, &measure, &part)) {
		return figure_of_part(group, measure, part);
	}
	if (part == 0) {
		return of_integer(group->unfinished);
	}
	return group->unfinished_leaves ? too_large : of_integer(group->unfinished_ns);
}

int
sums_too_large(const struct listed_cursor *cursor, int column)
{
	enum block_kind kind = ((const struct vtab *)cursor->cursor.base.pVtab)->type->kind;
	const struct measure_columns *measure;
	int part;

	if (column < FIRST_MEASURE) {
		return vtab_too_large(cursor, "", total_names[column], 64);
	}
	if (!find_part(kind, column, &measure, &part)) {
		return vtab_too_large(cursor, "", unfinished_names[part], 64);
	}
	return vtab_too_large(cursor, measure->prefix,
	                      part == PART_SUM   ? "_sum"
	                      : part == PART_STD ? "_std"
	                                         : "_sumsq",
	                      part == PART_SUM ? 64 : 128);
}
