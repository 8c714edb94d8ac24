/*
 * variance and stddev, of a sample (n - 1); NULL below two values (moments.h).
 *
 * pooled_std is the deviation of values that are there as sums only, a row each: rows of span_sums
 * or span_total, say, whose sums of squares are BLOBs, or of counter_sums.
 */
#include "config.h"
#include "store/functions.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "store/moments.h"
#include "store/squares.h"
#include "util/deviation.h"

struct pool {
	sqlite3_uint64 n;
	__int128 sum;
	unsigned __int128 squares;
	struct deviations deviations; /* of reals */
};

static bool
add_moments(sqlite3_context *context, void *kept, sqlite3_value **argv)
{
	struct number x;
	struct moments moments; /* SQLite aligns to 8 bytes, __int128 wants 16: so a copy */
	int found = function_number(context, argv[0], &x);
	if (found > 0) {
		memcpy(&moments, kept, sizeof moments);
		if (x.is_real) {
			moments_add_real(&moments, x.real);
		} else {
			moments_add(&moments, x.integer);
		}
		memcpy(kept, &moments, sizeof moments);
	}
	return found >= 0;
}

static double
variance_itself(double variance)
{
	return variance;
}

static void
finish_moments(sqlite3_context *context, void *kept, bool has_failed)
{
	const struct sql_function *function = sqlite3_user_data(context);
	struct moments moments;
	memcpy(&moments, kept, sizeof moments);
	if (moments.n >= 2 && !has_failed) {
		sqlite3_result_double(context, function->real(moments_variance(&moments)));
	}
}

/* ---- pooled_std(n, sum, squares) ---- */

static bool
add_to_pool(struct pool *pool, const struct number *n, const struct number *sum,
            sqlite3_value *squares)
{
	const unsigned char *bytes = sqlite3_value_blob(squares);

	pool->sum += sum->integer; /* of 2^64 rows at most */
	return !__builtin_add_overflow(pool->n, (sqlite3_uint64)n->integer, &pool->n) &&
	       !__builtin_add_overflow(pool->squares, squares_get(bytes), &pool->squares);
}

/* What is wrong with a row, or NULL. */
static const char *
pool_row(struct pool *pool, const struct number *n, const struct number *sum,
         sqlite3_value *squares)
{
	bool is_real = sqlite3_value_type(squares) == SQLITE_FLOAT;

	if (n->is_real || n->integer < 0) {
		return "the first argument is not a count";
	}
	if (n->integer == 0) {
		return NULL;
	}
	if (is_real ? pool->n > 0 : pool->deviations.n > 0) {
		return "sums of integers and of reals do not mix";
	}
	if (is_real) {
		struct deviations more = {n->integer, sum->real / (double)n->integer,
		                          sqlite3_value_double(squares)};
		deviations_merge(&pool->deviations, &more);
		return NULL;
	}
	if (sqlite3_value_type(squares) != SQLITE_BLOB ||
	    sqlite3_value_bytes(squares) != SQUARES_BYTES || sum->is_real) {
		return "the arguments are not a count, a sum and a sum of squares (dur_sumsq, "
		       "value_devsq)";
	}
	return add_to_pool(pool, n, sum, squares) ? NULL : "the sums are more than 128 bits hold";
}

static bool
add_pool(sqlite3_context *context, void *kept, sqlite3_value **argv)
{
	struct number n, sum;
	struct pool pool; /* see add_moments */

	if (sqlite3_value_type(argv[2]) == SQLITE_NULL) {
		return true;
	}
	int found = function_number(context, argv[0], &n);
	found = found > 0 ? function_number(context, argv[1], &sum) : found;
	if (found <= 0) {
		return found == 0;
	}
	memcpy(&pool, kept, sizeof pool);
	const char *wrong = pool_row(&pool, &n, &sum, argv[2]);
	memcpy(kept, &pool, sizeof pool);
	return !wrong || function_fail(context, wrong);
}

/* NaN is NULL. */
static void
finish_pool(sqlite3_context *context, void *kept, bool has_failed)
{
	struct pool pool;

	if (!has_failed) {
		memcpy(&pool, kept, sizeof pool);
		sqlite3_result_double(context,
		                      pool.deviations.n > 0
		                          ? deviations_get(&pool.deviations)
		                          : deviation_of_sums(pool.n, pool.sum, pool.squares));
	}
}

const struct sql_function functions_moments[] = {
    {"variance", 1, .state_bytes = sizeof(struct moments), .add = add_moments,
     .finish = finish_moments, .real = variance_itself},
    {"stddev", 1, .state_bytes = sizeof(struct moments), .add = add_moments,
     .finish = finish_moments, .real = sqrt},
    {"pooled_std", 3, .state_bytes = sizeof(struct pool), .add = add_pool, .finish = finish_pool},
    {0},
};
