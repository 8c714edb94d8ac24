/*
 * sample_sums(sample, skip, p): the figures of an array of table sample without its first `skip`
 * values, one row, or none where there is no such array. What the SQL functions make of
 * sample_value's rows, to the last bit, without a row for each value.
 */
#include "config.h"
#include "store/vtab.h"

#include <math.h>
#include <stdlib.h>

#include "store/functions.h"
#include "store/moments.h"
#include "store/ordered.h"
#include "util/mem.h"
#include "util/order.h"

enum { N, MISSING, MEAN, LOW, HIGH, DEVIATION, P50, P90, P99, QUANTILE, COLUMNS };
#define DEAR (1u << DEVIATION | 1u << P50 | 1u << P90 | 1u << P99 | 1u << QUANTILE)

struct sample_sums {
	int64_t n, missing;
	double reals[COLUMNS]; /* by column; NAN: none */
};

static double
double_at(const char *data, int64_t i)
{
	double value;

	memcpy(&value, data + i * (int64_t)sizeof value, sizeof value);
	return value;
}

/* Added from left to right. */
static void
add_values(struct sample_sums *sums, const char *data, int64_t skip, int64_t n)
{
	double sum = 0, low = NAN, high = NAN;

	for (int64_t i = skip; i < n; i++) {
		double value = double_at(data, i);
		if (isnan(value)) {
			sums->missing++;
			continue;
		}
		sum += value;
		low = low <= value ? low : value;
		high = high >= value ? high : value;
		sums->n++;
	}
	sums->reals[MEAN] = sums->n > 0 ? sum / (double)sums->n : NAN;
	sums->reals[LOW] = low;
	sums->reals[HIGH] = high;
}

/* p: NAN, or that of the quantile; columns: a mask of those that are wanted. */
static void
add_distribution(struct sample_sums *sums, const char *data, int64_t skip, int64_t n, double p,
                 unsigned columns)
{
	const double places[] = {[P50] = 0.5, [P90] = 0.9, [P99] = 0.99, [QUANTILE] = p};
	uint64_t *values = xmalloc((size_t)sums->n * sizeof *values), n_values = 0;
	struct moments moments = {0};

	for (int64_t i = skip; i < n; i++) {
		double value = double_at(data, i);
		if (!isnan(value)) {
			values[n_values++] = order_of_real(value);
			if (columns >> DEVIATION & 1) {
				moments_add_real(&moments, value);
			}
		}
	}
	sums->reals[DEVIATION] = moments_deviation(&moments);
	for (int column = P50; column <= QUANTILE; column++) {
		bool is_wanted = columns >> column & 1 && !isnan(places[column]) && n_values > 0;
		sums->reals[column] =
		    is_wanted ? ordered_quantile(values, n_values, places[column], true) : NAN;
	}
	free(values);
}

/* ---- the table ---- */

static int
read_arguments(const struct arguments *arguments, int64_t *skip, double *p, struct err *err)
{
	sqlite3_value *place = arguments->values[2];

	*skip = 0;
	*p = NAN;
	if (arguments->values[1] && sqlite3_value_type(arguments->values[1]) != SQLITE_NULL &&
	    arguments_integer(arguments, 1, skip, err)) {
		return -1;
	}
	*skip = MOST(*skip, 0);
	if (!place || sqlite3_value_type(place) == SQLITE_NULL) {
		return 0;
	}
	*p = sqlite3_value_double(place);
	return sqlite3_value_numeric_type(place) != SQLITE_TEXT && *p >= 0 && *p <= 1
	           ? 0
	           : err_set(err, ERR_QUERY, "p must be a number from 0 to 1");
}

static int
add_array(struct listed_cursor *cursor, sqlite3_stmt *row, int64_t skip, double p, struct err *err)
{
	int64_t n = sqlite3_column_int64(row, 0);
	const char *data = sqlite3_column_blob(row, 1);

	if (n < 0 || n != sqlite3_column_bytes(row, 1) / (int)sizeof(double) ||
	    sqlite3_column_bytes(row, 1) % (int)sizeof(double) != 0) {
		return err_set(err, ERR_FORMAT, "sample %lld is damaged",
		               sqlite3_value_int64(cursor->arguments.values[0]));
	}
	struct sample_sums *sums = xcalloc(1, sizeof *sums);
	cursor->rows = sums;
	cursor->n = 1;
	add_values(sums, data, skip, n);
	if (cursor->wants) {
		add_distribution(sums, data, skip, n, p, (unsigned)cursor->wants);
	}
	return 0;
}

static int
run(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	sqlite3_stmt *row;
	int64_t skip;
	double p;

	if (read_arguments(&cursor->arguments, &skip, &p, err)) {
		return -1;
	}
	int result = vtab_prepare(vtab, "SELECT n, data FROM main.sample WHERE id = ?1", &row);
	int status = 0;
	if (result == SQLITE_OK) {
		result = sqlite3_bind_value(row, 1, cursor->arguments.values[0]);
	}
	if (result == SQLITE_OK && (result = sqlite3_step(row)) == SQLITE_ROW) {
		status = add_array(cursor, row, skip, p, err);
	} else if (result != SQLITE_DONE) {
		status = err_of_file(vtab_connection(vtab), result, "run file", err);
	}
	sqlite3_finalize(row);
	return status;
}

static unsigned
read_sums(const void *rows, int64_t at, int64_t values[LISTED_COLUMNS])
{
	const struct sample_sums *sums = (const struct sample_sums *)rows + at;
	unsigned missing = 0;

	memcpy(values, sums->reals, sizeof sums->reals);
	values[N] = sums->n;
	values[MISSING] = sums->missing;
	for (int column = MEAN; column < COLUMNS; column++) {
		missing |= isnan(sums->reals[column]) ? 1u << column : 0;
	}
	return missing;
}

const struct listed_table vtab_sample_sums_listed = {
    .arguments = {{"sample", "skip", "p"}, 3, 1, "(sample [, skip [, p]])"},
    .n_columns = COLUMNS,
    .columns = {[N] = {"n", LISTED_INTEGER},
                [MISSING] = {"missing", LISTED_INTEGER},
                [MEAN] = {"mean", LISTED_REAL},
                [LOW] = {"min", LISTED_REAL},
                [HIGH] = {"max", LISTED_REAL},
                [DEVIATION] = {"std", LISTED_REAL},
                [P50] = {"p50", LISTED_REAL},
                [P90] = {"p90", LISTED_REAL},
                [P99] = {"p99", LISTED_REAL},
                [QUANTILE] = {"quantile", LISTED_REAL}},
    .extra = DEAR,
    .is_plain = true,
    .run = run,
    .read = read_sums};
