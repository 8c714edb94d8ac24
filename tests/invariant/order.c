/*
 * sum, avg and total that refuse what their result depends on the order of rows for: two or more
 * numbers with a fraction. Which order rows come in is SQLite's business and changes with its
 * version; sum_in_order is for those. Whole numbers below 2^53 have one sum in any order.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "store/store_private.h"
#include "tests/invariant/rows.h"

enum aggregate { AGGREGATE_SUM, AGGREGATE_AVG, AGGREGATE_TOTAL };

struct summed {
	sqlite3_int64 n, n_reals, n_fractions, integer;
	double real;
};

static void
add(sqlite3_context *context, sqlite3_value *value, int sign)
{
	struct summed *sums = sqlite3_aggregate_context(context, sizeof *sums);
	int type = sqlite3_value_numeric_type(value);
	double real = sqlite3_value_double(value);

	if (!sums || type == SQLITE_NULL) {
		return;
	}
	sums->n += sign;
	if (type == SQLITE_INTEGER) {
		sums->integer += sign * sqlite3_value_int64(value);
		return;
	}
	sums->n_reals += sign;
	sums->n_fractions += sign * (real != trunc(real));
	sums->real += sign * real;
}

static void
step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	(void)argc;
	add(context, argv[0], 1);
}

static void
inverse(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	(void)argc;
	add(context, argv[0], -1);
}

static void
tell(sqlite3_context *context)
{
	static const struct summed none;
	const struct summed *sums = sqlite3_aggregate_context(context, 0);
	enum aggregate aggregate = *(const enum aggregate *)sqlite3_user_data(context);

	sums = sums ? sums : &none;
	if (sums->n_fractions > 1) {
		sqlite3_result_error(
		    context, "a sum of fractions follows the order of rows: use sum_in_order", -1);
	} else if (sums->n == 0 && aggregate != AGGREGATE_TOTAL) {
		sqlite3_result_null(context);
	} else if (aggregate == AGGREGATE_SUM && sums->n_reals == 0) {
		sqlite3_result_int64(context, sums->integer);
	} else {
		double sum = (double)sums->integer + sums->real;

		sqlite3_result_double(context,
		                      aggregate == AGGREGATE_AVG ? sum / (double)sums->n : sum);
	}
}

void
refuse_orders(struct store *store)
{
	static const enum aggregate kinds[] = {AGGREGATE_SUM, AGGREGATE_AVG, AGGREGATE_TOTAL};
	static const char *const names[] = {"sum", "avg", "total"};

	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (sqlite3_create_window_function(store->db, names[i], 1, SQLITE_UTF8,
		                                   (void *)&kinds[i], step, tell, tell, inverse,
		                                   NULL)) {
			abort();
		}
	}
}
