/*
 * SQL functions against values computed by hand (the tables), and against slow references over
 * random rows.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "store/functions.h"
#include "tests/unit/unit.h"
#include "util/prng.h"
#include "util/slice.h"

static sqlite3 *db;

static void
open_db(void)
{
	struct err err = ERR_INIT;
	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_msg(functions_register(db, &err) == 0, "%s", err.message);
}

static void
close_db(void)
{
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

static void
run(const char *sql)
{
	char *message = NULL;
	sqlite3_exec(db, sql, NULL, NULL, &message);
	ck_assert_msg(!message, "%s: %s", sql, message);
}

/* The first column of the first row, ready to be read; the caller finalizes. */
static sqlite3_stmt *
one_row(const char *sql)
{
	sqlite3_stmt *stmt;
	ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK, "%s: %s", sql,
	              sqlite3_errmsg(db));
	ck_assert_msg(sqlite3_step(stmt) == SQLITE_ROW, "%s: %s", sql, sqlite3_errmsg(db));
	return stmt;
}

static double
real_of(const char *sql)
{
	sqlite3_stmt *stmt = one_row(sql);
	ck_assert_msg(sqlite3_column_type(stmt, 0) == SQLITE_FLOAT, "%s: type %d", sql,
	              sqlite3_column_type(stmt, 0));
	double value = sqlite3_column_double(stmt, 0);
	sqlite3_finalize(stmt);
	return value;
}

#define VALUES(list) "FROM (SELECT column1 AS x, column2 AS y FROM (VALUES " list "))"
#define MANY(n)                                                                                    \
	"(WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < " #n ") "       \
	"SELECT i FROM c)"
#define EIGHT "(3,0),(1,0),(4,0),(1,0),(5,0),(9,0),(2,0),(6,0)"

/* Quantiles are numpy.quantile(..., method='linear'), variances numpy.var(..., ddof=1). */
static const struct {
	const char *sql;
	double expected;
} reals[] = {
    {"SELECT quantile(x, 0) " VALUES(EIGHT), 1},
    {"SELECT quantile(x, 0.25) " VALUES(EIGHT), 1.75},
    {"SELECT quantile(x, 0.5) " VALUES(EIGHT), 3.5},
    {"SELECT quantile(x, 0.75) " VALUES(EIGHT), 5.25},
    {"SELECT quantile(x, 0.9) " VALUES(EIGHT), 6.9},
    {"SELECT quantile(x, 0.95) " VALUES(EIGHT), 7.95},
    {"SELECT quantile(x, 0.99) " VALUES(EIGHT), 8.79},
    {"SELECT quantile(x, 1) " VALUES(EIGHT), 9},
    {"SELECT quantile(x, 0.5) " VALUES("(7,0)"), 7},
    {"SELECT quantile(x, 0.3) " VALUES("(0.5,0),(NULL,0),(1,0),(NULL,0)"), 0.65},
    {"SELECT quantile(x, 0.5) " VALUES("('12',0),('3.5',0)"), 7.75},
    {"SELECT quantile(x, 0.25) " VALUES("(-9223372036854775808,0),(9223372036854775807,0)"),
     -4611686018427387904.0},
    {"SELECT quantile(x, 0.5) " VALUES("(1e308,0),(1e308,0)"), 1e308},
    {"SELECT quantile(x, 0.1) " VALUES("(9e999,0),(9e999,0)"), INFINITY},
    {"SELECT median(x) " VALUES("(5,0),(-0.0,0),(0,0)"), 0},
    {"SELECT median(x) " VALUES("(2,0),(1,0),(10,0),(4,0)"), 3},
    {"SELECT median(x) " VALUES("(-1.5,0),(-2.5,0),(8,0)"), -1.5},
    {"SELECT median(x) " VALUES("(9007199254740993,0)"), 9007199254740992.0},
    /* the values three times 10, once 20, twice 40 */
    {"SELECT weighted_quantile(x, y, 0.5) " VALUES("(20,1),(10,3),(40,2)"), 15},
    {"SELECT weighted_quantile(x, y, 0.25) " VALUES("(20,1),(10,3),(40,2)"), 10},
    {"SELECT weighted_quantile(x, y, 0.75) " VALUES("(20,1),(10,3),(40,2)"), 35},
    {"SELECT weighted_quantile(x, y, 1) " VALUES("(20,1),(10,3),(40,2)"), 40},
    {"SELECT weighted_quantile(x, y, 0) " VALUES("(20,1),(10,0),(40,NULL)"), 20},
    {"SELECT weighted_quantile(x, y, 0.5) " VALUES("(1,4000000000000),(2,4000000000000.0)"), 1.5},
    {"SELECT variance(x) " VALUES(EIGHT), 7.553571428571429},
    {"SELECT stddev(x) " VALUES(EIGHT), 2.748376143938713},
    {"SELECT variance(x) " VALUES("(1,0),(2,0)"), 0.5},
    {"SELECT variance(x) " VALUES("(1,0),(2,0),(NULL,0),(2,0)"), 1.0 / 3},
    {"SELECT variance(x) " VALUES("(9223372036854775806,0),(9223372036854775807,0)"), 0.5},
    {"SELECT variance(x) " VALUES("(-9223372036854775808,0),(9223372036854775807,0)"),
     1.7014118346046923e38},
    {"SELECT variance(x) " VALUES("(1000000000000000001,0),(1000000000000000003,0),"
                                  "(1000000000000000003,0)"),
     4.0 / 3},
    {"SELECT variance(x) " VALUES("(1e9,0),(1000000001,0),(1000000002.0,0)"), 1},
    {"SELECT stddev(x) " VALUES("(0.1,0),(0.1,0),(0.1,0)"), 0},
    /* squares that leave 128 bits only when they are added; means of many that round up and down */
    {"SELECT variance(x) " VALUES("(0,0),(9223372036854775807,0),(9223372036854775807,0),"
                                  "(9223372036854775807,0)"),
     2.1267647932558654e37},
    {"SELECT variance(x) FROM (SELECT 0 AS x UNION ALL SELECT 1 FROM " MANY(999) ")", 0.001},
    {"SELECT variance(x) FROM (SELECT 0 AS x UNION ALL SELECT -1 FROM " MANY(999) ")", 0.001},
    {"SELECT variance(x) " VALUES("(1,0),(2,0),(2.5,0),(3,0)"), 0.72916666666666666},
    /* 3, 3, 5 in two parts; 1900000000 and 1900000001; reals 1e9, 1e9 + 1 and 1e9 + 2; parts of
     * nothing */
    {"SELECT pooled_std(x, y, z) FROM (SELECT 2 AS x, 6 AS y, x'00000000000000000000000000000012' "
     "AS z "
     "UNION ALL SELECT 1, 5, x'00000000000000000000000000000019' UNION ALL SELECT 0, 0, NULL)",
     1.1547005383792515},
    {"SELECT pooled_std(2, 3800000001, x'0000000000000000643297C010D16601')", 0.70710678118654757},
    {"SELECT pooled_std(x, y, 0.5) FROM (SELECT 2 AS x, 2000000001.0 AS y UNION ALL SELECT 0, "
     "NULL)",
     0.70710678118654757},
    {"SELECT pooled_std(x, y, z) FROM (SELECT 2 AS x, 2000000001.0 AS y, 0.5 AS z "
     "UNION ALL SELECT 1, 1000000002.0, 0.0)",
     1},
    {"SELECT sum_in_order(x, y) " VALUES("(1,3),(1e100,2),(-1e100,4)"), 0},
    {"SELECT sum_in_order(x, y) " VALUES("(1,3),(1e100,1),(-1e100,2)"), 1},
    {"SELECT sum_in_order(x, y) " VALUES("(1e100,NULL),(1,3),(-1e100,-9)"), 1},
    {"SELECT sum_in_order(x, y) " VALUES("(1,7),(1e100,7),(-1e100,7)"), 0},
    {"SELECT sum_in_order(x, y) " VALUES("(1,0.5),(1e100,0),(-1e100,0.25)"), 1},
    {"SELECT sum_in_order(x, y) " VALUES("(NULL,1),(0.1,2),(0.2,3),(0.3,4)"), 0.1 + 0.2 + 0.3},
    {"SELECT mean_in_order(x, y) " VALUES("(1,3),(NULL,1),(1e100,1),(-1e100,2)"), 1.0 / 3},
    /* integers become reals when the first of these comes, NULL stays before all */
    {"SELECT sum_in_order(x, y) " VALUES("(1e100,-6),(-1e100,-5),(1,-0.5),(0,NULL)"), 1},
    {"SELECT sum_in_order(x, y) " VALUES("(1e100,NULL),(-1e100,NULL),(1,-1e300),(0,7)"), 1},
    {"SELECT sum_in_order(x, y) " VALUES("(1e100,-1),(-1e100,-2),(1,-3)"), 0},
    {"SELECT quantile(x, 0) " VALUES("(-5,0),(-0.5,0)"), -5},
    {"SELECT weighted_quantile(x, y, 0) " VALUES("(-5,1),(7,1),(-0.5,1)"), -5},
    {"SELECT weighted_quantile(x, y, 0.25) " VALUES("(-5,1),(-0.5,1)"), -3.875},
    {"SELECT weighted_quantile(x, y, 0.5) " VALUES("(1,1),(5,2),(9,1)"), 5},
    {"SELECT weighted_quantile(x, y, 0.9) " VALUES("(1,1),(5,2),(9,1)"), 7.8},
    {"SELECT weighted_quantile(x, y, 1) " VALUES("(1,8e18)"), 1},
    {"SELECT quantile(i, 0.5) FROM " MANY(1000), 500.5},
    {"SELECT sqrt(2.25)", 1.5},
    {"SELECT pow(2, 10)", 1024},
    {"SELECT ln(exp(1))", 1},
    {"SELECT floor(-1.5)", -2},
    {"SELECT ceil(-1.5)", -1},
};

START_TEST(test_real)
{
	double value = real_of(reals[_i].sql), expected = reals[_i].expected;
	ck_assert_msg(value == expected || fabs(value - expected) <= 1e-15 * fabs(expected),
	              "%s: %.17g, not %.17g", reals[_i].sql, value, expected);
}
END_TEST

/* As text; "NULL" for NULL. */
static const struct {
	const char *sql, *expected;
} texts[] = {
    {"SELECT quantile(x, 0.5) " VALUES("(NULL,0)"), "NULL"},
    {"SELECT quantile(x, 0.5) " VALUES("(1,0)") " WHERE x > 1", "NULL"},
    {"SELECT median(NULL)", "NULL"},
    {"SELECT weighted_quantile(x, y, 0.5) " VALUES("(1,0)"), "NULL"},
    {"SELECT variance(x) " VALUES("(5,0)"), "NULL"},
    {"SELECT stddev(x) " VALUES("(5,0),(NULL,0)"), "NULL"},
    {"SELECT stddev(x) " VALUES("(5,0)") " WHERE x > 5", "NULL"},
    {"SELECT sum_in_order(x, y) " VALUES("(NULL,0)"), "NULL"},
    {"SELECT sum_in_order(x, y) " VALUES("(1,1)") " WHERE 0", "NULL"},
    {"SELECT typeof(sum_in_order(x, y)) " VALUES("(1,1)"), "real"},
    {"SELECT pooled_std(x, y, NULL) " VALUES("(2,3)"), "NULL"},
    {"SELECT pooled_std(NULL, 1, 0.5)", "NULL"},
    {"SELECT pooled_std(1, NULL, 0.5)", "NULL"},
    {"SELECT pooled_std(0, 5, 'ignored')", "NULL"},
    {"SELECT pooled_std(1, 7, x'00000000000000000000000000000031')", "NULL"},
    {"SELECT pooled_std(1, 7.0, 0.0)", "NULL"},
    {"SELECT pooled_std(1, 1, 0.5) WHERE 0", "NULL"},
    {"SELECT union_ns(x, y) " VALUES("(0,10)"), "10"},
    {"SELECT union_ns(x, y) " VALUES("(5,10),(15,1),(14,1),(4,1)"), "12"},
    {"SELECT union_ns(x, y) " VALUES("(NULL,NULL)"), "0"},
    {"SELECT union_ns(i * 10, 3) FROM " MANY(200), "600"},
    {"SELECT union_ns(x, y) " VALUES("(5,10),(0,6)"), "15"},
    {"SELECT union_ns(x, y) " VALUES("(0,10),(20,5),(9,11),(100,0)"), "25"},
    {"SELECT union_ns(x, y) " VALUES("(0,10),(NULL,5),(3,NULL)"), "10"},
    {"SELECT union_ns(x, y) " VALUES("(9223372036854775800,100)"), "7"},
    {"SELECT union_ns(x, y) " VALUES("(1,1)") " WHERE 0", "0"},
    {"SELECT longest_path(x, y, 1) " VALUES("(1,NULL),(2,1),(3,2),(3,1),(9,NULL)"), "[1,2,3]"},
    {"SELECT longest_path(x, y, x) " VALUES("(2,1),(3,1),(9,NULL)"), "[9]"},
    {"SELECT longest_path(x, y, 1) " VALUES("(4,1),(4,3),(4,2),(2,NULL),(3,NULL)"), "[2,4]"},
    {"SELECT longest_path(x, y, NULL) " VALUES("(1,NULL)"), "[1]"},
    {"SELECT longest_path(x, y, 1) " VALUES("(1,2),(2,1),(3,2),(5,4)"), "[1,2,3]"},
    {"SELECT longest_path(x, y, 1) " VALUES("(1,1)"), "[1]"},
    {"SELECT longest_path(x, y, 1) " VALUES("(3,2),(2,3),(2,1),(1,2),(4,3)"), "[1,2,3,4]"},
    {"SELECT longest_path(x, y, 1) " VALUES("(NULL,1)"), "NULL"},
    {"SELECT longest_path(1, NULL, 1) WHERE 0", "NULL"},
    {"SELECT longest_path(x, y, 1) " VALUES("(1,NULL),(NULL,1),(2,1)"), "[1,2]"},
    /* of several weights the largest; what only stands before weighs nothing */
    {"SELECT longest_path(column1, column2, column3) FROM (VALUES (1, NULL, 2), (1, NULL, 9), "
     "(1, NULL, 3), (2, NULL, 8))",
     "[1]"},
    {"SELECT longest_path(column1, column2, column3) FROM (VALUES (5, 4, 1), (5, 3, 1), "
     "(3, NULL, 0))",
     "[5]"},
    {"SELECT longest_path(column1, column2, column3) FROM (VALUES (9, 1, 1), (9, 2, 1), "
     "(1, NULL, 1), (2, NULL, 1), (10, 2, 1))",
     "[1,9]"},
    {"SELECT json_array_length(longest_path(i, nullif(i - 1, 0), 1)) FROM " MANY(500), "500"},
    {"SELECT first_covering(column1, column2, column3) FROM (VALUES (1, 0, 5), (2, 4, 9.5), "
     "(10, 9.5, NULL), (11, 0, NULL), (12, 5, NULL), (13, -1, NULL), (14, 10, NULL))",
     "{\"11\":1,\"12\":1,\"10\":2}"},
    {"SELECT first_covering(column1, column2, column3) FROM (VALUES (3, 0, 100), (2, 0, 10), "
     "(1, 50, 60), (7, 20, NULL), (8, 55, NULL), (9, 70, NULL), (6, 5, NULL))",
     "{\"6\":2,\"7\":3,\"8\":1,\"9\":3}"},
    {"SELECT first_covering(column1, column2, column3) FROM (VALUES (1, 5, 4), (2, NULL, 9), "
     "(3, 4.5, NULL), (4, NULL, NULL))",
     "{}"},
    {"SELECT first_covering(1, 2, 3) WHERE 0", "NULL"},
    {"SELECT first_covering(1, NULL, 3)", "{}"},
    /* instants of one time by their id, however they come; both ends are in */
    {"SELECT first_covering(column1, column2, column3) FROM (VALUES (5, 1, 4), (13, 4, NULL), "
     "(12, 4, NULL), (14, 1, NULL), (3, 1, 1))",
     "{\"14\":3,\"12\":5,\"13\":5}"},
    {"SELECT first_covering(column1, column2, column3) FROM (VALUES (9, 3, NULL), (8, 3, NULL), "
     "(2, 5, 6), (1, 0, 3))",
     "{\"9\":1,\"8\":1}"},
    {"SELECT length(first_covering(i, i, CASE WHEN i % 2 THEN i + 0.5 END)) FROM " MANY(300), "2"},
    {"SELECT first_covering(i, i / 2, CASE WHEN i % 2 THEN 150 END) = '{' || (SELECT group_concat("
     "'\"' || (i * 2) || '\":1', ',') FROM " MANY(150) " WHERE i > 0) || '}' FROM " MANY(300),
     "1"},
    {"SELECT 'rank_12' REGEXP '\\d+$'", "1"},
    {"SELECT 'rank' REGEXP '^an'", "0"},
    {"SELECT regexp('a.c', 'xabcx')", "1"},
    {"SELECT regexp('a', NULL)", "NULL"},
    {"SELECT NULL REGEXP 'a'", "NULL"},
    {"SELECT 12345 REGEXP '3.5'", "1"},
    {"SELECT group_concat(x REGEXP y, ' ') " VALUES("('a','a'),('a','b'),('b','b')"), "1 0 1"},
    {"SELECT regexp_replace('ckpt_12/rank_3', '\\d+', 'N')", "ckpt_N/rank_N"},
    {"SELECT regexp_replace('a-b', '(\\w)-(\\w)', '\\2-\\1')", "b-a"},
    {"SELECT regexp_replace('', 'a', 'b')", ""},
    {"SELECT regexp_replace('a', 'a', '')", ""},
    {"SELECT regexp_replace('abc', 'b', NULL)", "NULL"},
    {"SELECT hex(regexp_replace(CAST(x'61FF62' AS TEXT), '[^a-z]', '.'))", "612E62"},
    {"SELECT basename('/a/b.c')", "b.c"},
    {"SELECT basename('b.c')", "b.c"},
    {"SELECT basename('a/')", ""},
    {"SELECT basename('')", ""},
    {"SELECT basename(NULL)", "NULL"},
    {"SELECT dask_name('x')", "x"},
    {"SELECT dask_name('x-1-2-3')", "x"},
    {"SELECT dask_name('(''x-2'', 1)')", "x"},
    {"SELECT dask_name('(''x'', 1)')", "x"},
    {"SELECT dask_name('hello-world-1')", "hello-world"},
    {"SELECT dask_name('ae05086432ca935f6eba409a8ecd4896')", "data"},
    {"SELECT dask_name('<module.submodule.myclass object at 0xdaf372')", "myclass"},
    {"SELECT dask_name('<plain object at 0x1>')", "plain"},
    {"SELECT dask_name('<a.b>')", "b"},
    {"SELECT dask_name('<>a.b')", "b"},
    {"SELECT dask_name('<')", ""},
    {"SELECT dask_name('ae05086432ca935f6eba409a8ecd489')", "ae05086432ca935f6eba409a8ecd489"},
    {"SELECT dask_name('ae05086432ca935f6eba409a8ecd489g')", "ae05086432ca935f6eba409a8ecd489g"},
    {"SELECT dask_name('x-abcdefa')", "x-abcdefa"},
    {"SELECT dask_name('x-ABCDEFAB')", "x-ABCDEFAB"},
    {"SELECT dask_name('x-y--z')", "x-y"},
    {"SELECT dask_name('x-y-')", "x-y"},
    {"SELECT dask_name('été-ü')", "été-ü"},
    {"SELECT dask_name('(\"y_\", 1)')", "y"},
    {"SELECT dask_name('()')", "Other"},
    {"SELECT dask_name('a_(b)')", "a_(b)"},
    {"SELECT dask_name('-x')", "-x"},
    {"SELECT dask_name('x-abcdefab')", "x"},
    {"SELECT dask_name('x-abcdefgh')", "x-abcdefgh"},
    {"SELECT dask_name('_(x)')", "x"},
    {"SELECT dask_name('')", "Other"},
    {"SELECT dask_name(NULL)", "NULL"},
    {"SELECT dask_name('(''assign-3f2ac0de'', 0, 1)')", "assign"},
    {"SELECT dask_name('(''var-partial-e4670000'', 13)')", "var-partial"},
    {"SELECT dask_name('(''feaa2f85b1478cea2b2d36d46dd9e413-0'', 3)')", "data"},
    {"SELECT dask_name('_func_fit-62a75b12-6b7a-49b0-b279-160a')", "func_fit"},
    {"SELECT lane_is_beside('waiting') || lane_is_beside('annotation')", "11"},
    {"SELECT lane_is_beside('worker') || lane_is_beside('device')", "00"},
    {"SELECT lane_is_beside(NULL)", "NULL"},
    {"SELECT dirname('/a/b.c')", "/a"},
    {"SELECT dirname('/a')", "/"},
    {"SELECT dirname('a')", ""},
    {"SELECT dirname('a//b')", "a"},
    {"SELECT dirname('//b')", "//"},
    {"SELECT dirname(NULL)", "NULL"},
    {"SELECT floor(7)", "7"},
    {"SELECT ln(-1)", "NULL"},
    {"SELECT sqrt('x')", "NULL"},
};

START_TEST(test_text)
{
	sqlite3_stmt *stmt = one_row(texts[_i].sql);
	const char *text = (const char *)sqlite3_column_text(stmt, 0);
	ck_assert_msg(strcmp(text ? text : "NULL", texts[_i].expected) == 0, "%s: %s, not %s",
	              texts[_i].sql, text ? text : "NULL", texts[_i].expected);
	sqlite3_finalize(stmt);
}
END_TEST

#define POOL_ARGUMENTS                                                                             \
	"pooled_std: the arguments are not a count, a sum and a sum of squares (dur_sumsq, "       \
	"value_devsq)"

static const struct {
	const char *sql, *message;
} errors[] = {
    {"SELECT quantile('abc', 0.5)", "quantile: an argument is not a number"},
    {"SELECT lane_is_beside('queue')", "lane_is_beside: there is no such kind of lane"},
    {"SELECT quantile(x'00', 0.5)", "quantile: an argument is not a number"},
    {"SELECT quantile(1, 'p')", "quantile: an argument is not a number"},
    {"SELECT quantile(1, -0.1)", "quantile: p must be a number from 0 to 1"},
    {"SELECT quantile(1, 1.1)", "quantile: p must be a number from 0 to 1"},
    {"SELECT weighted_quantile(1, 1, 2)", "weighted_quantile: p must be a number from 0 to 1"},
    {"SELECT weighted_quantile('x', 1, 0.5)", "weighted_quantile: an argument is not a number"},
    {"SELECT weighted_quantile(1, 'x', 0.5)", "weighted_quantile: an argument is not a number"},
    {"SELECT weighted_quantile(1, 1e19, 0.5)",
     "weighted_quantile: weights are whole numbers from 0 up"},
    {"SELECT pooled_std('x', 1, 0.5)", "pooled_std: an argument is not a number"},
    {"SELECT pooled_std(1, 'x', 0.5)", "pooled_std: an argument is not a number"},
    {"SELECT pooled_std(-1, 1, 0.5)", "pooled_std: the first argument is not a count"},
    {"SELECT pooled_std(1.5, 1, 0.5)", "pooled_std: the first argument is not a count"},
    {"SELECT pooled_std(1, 1, 'text')", POOL_ARGUMENTS},
    {"SELECT pooled_std(1, 1, x'00')", POOL_ARGUMENTS},
    {"SELECT pooled_std(1, 1, '0123456789abcdef')", POOL_ARGUMENTS},
    {"SELECT pooled_std(1, 1.5, x'00000000000000000000000000000001')", POOL_ARGUMENTS},
    {"SELECT pooled_std(x, y, CASE x WHEN 1 THEN 0.5 ELSE x'00000000000000000000000000000001' "
     "END) " VALUES("(1,1),(2,1)"),
     "pooled_std: sums of integers and of reals do not mix"},
    {"SELECT pooled_std(x, y, CASE x WHEN 2 THEN 0.5 ELSE x'00000000000000000000000000000001' "
     "END) " VALUES("(1,1),(2,1)"),
     "pooled_std: sums of integers and of reals do not mix"},
    {"SELECT pooled_std(x, y, x'ffffffffffffffffffffffffffffffff') " VALUES("(1,1),(2,1)"),
     "pooled_std: the sums are more than 128 bits hold"},
    {"SELECT pooled_std(x, y, x'00000000000000000000000000000000') FROM (SELECT "
     "9223372036854775807 AS x, 0 AS y FROM " MANY(3) ")",
     "pooled_std: the sums are more than 128 bits hold"},
    {"SELECT union_ns('x', 1)", "union_ns: an argument is not a number"},
    {"SELECT union_ns(1, 'x')", "union_ns: an argument is not a number"},
    {"SELECT union_ns(1, 1.5)", "union_ns: times are integers"},
    {"SELECT sum_in_order('x', 1)", "sum_in_order: an argument is not a number"},
    {"SELECT first_covering(1.5, 1, 1)", "first_covering: ids are integers"},
    {"SELECT longest_path(1, 'a', 1)", "longest_path: nodes are integers"},
    {"SELECT longest_path('a', 1, 1)", "longest_path: nodes are integers"},
    {"SELECT longest_path(1, 1.5, 1)", "longest_path: nodes are integers"},
    {"SELECT longest_path(1, NULL, 'a')", "longest_path: an argument is not a number"},
    {"SELECT first_covering(NULL, 1, 1)", "first_covering: ids are integers"},
    {"SELECT first_covering(1, 'a', 1)", "first_covering: an argument is not a number"},
    {"SELECT first_covering(1, 1, x'00')", "first_covering: an argument is not a number"},
    {"SELECT quantile(1, 1.5)", "quantile: p must be a number from 0 to 1"},
    {"SELECT quantile(1, NULL)", "quantile: p must be a number from 0 to 1"},
    {"SELECT quantile(x, y) " VALUES("(1, 0.5), (1, 0.6)"),
     "quantile: p must be the same in all rows of a group"},
    {"SELECT median('x')", "median: an argument is not a number"},
    {"SELECT weighted_quantile(1, -1, 0.5)",
     "weighted_quantile: weights are whole numbers from 0 up"},
    {"SELECT weighted_quantile(1, 1.5, 0.5)",
     "weighted_quantile: weights are whole numbers from 0 up"},
    {"SELECT weighted_quantile(x, y, 0.5) " VALUES(
	 "(1,9223372036854775807),(2,9223372036854775807)"),
     "weighted_quantile: the weights' sum is too large"},
    {"SELECT variance('x')", "variance: an argument is not a number"},
    {"SELECT stddev('x')", "stddev: an argument is not a number"},
    {"SELECT union_ns(1, -1)", "union_ns: a duration is negative"},
    {"SELECT union_ns(1.5, 1)", "union_ns: times are integers"},
    {"SELECT sum_in_order(1, 'x')", "sum_in_order: an argument is not a number"},
    {"SELECT 'a' REGEXP '('", "regexp: regular expression, character 2: '(' without ')'"},
    {"SELECT regexp_replace('a', '[', '')",
     "regexp_replace: regular expression, character 2: '[' without ']'"},
};

START_TEST(test_error)
{
	char *message = NULL;
	int result = sqlite3_exec(db, errors[_i].sql, NULL, NULL, &message);
	ck_assert_int_ne(result, SQLITE_OK);
	ck_assert_str_eq(message, errors[_i].message);
	sqlite3_free(message);
}
END_TEST

/* --- Random rows --------------------------------------------------------- */

#define ROWS_MAX 200
struct sample {
	size_t n;
	long long x[ROWS_MAX];
	long long weight[ROWS_MAX];
};

/* Makes table t(i, x, weight), x of the given spread. */
static void
make_sample(struct prng *prng, struct sample *sample)
{
	static const uint64_t spreads[] = {3, 100, 1000000007, UINT64_C(1) << 52};
	uint64_t spread = spreads[prng_below(prng, 4)];
	long long base = prng_below(prng, 2) ? (long long)prng_below(prng, UINT64_C(1) << 52) : 0;
	run("DROP TABLE IF EXISTS t; CREATE TABLE t(i, x, weight); BEGIN");
	sample->n = 1 + prng_below(prng, ROWS_MAX);
	for (size_t i = 0; i < sample->n; i++) {
		sample->x[i] = base + (long long)prng_below(prng, spread) - (long long)(spread / 2);
		sample->weight[i] = (long long)prng_below(prng, 5);
		char *sql = sqlite3_mprintf("INSERT INTO t VALUES(%d, %lld, %lld)", (int)i,
		                            sample->x[i], sample->weight[i]);
		run(sql);
		sqlite3_free(sql);
	}
	run("COMMIT");
}

static int
compare_longs(const void *a, const void *b)
{
	long long x = *(const long long *)a, y = *(const long long *)b;
	return x < y ? -1 : x > y;
}

static double
slow_quantile(long long *values, size_t n, double p)
{
	qsort(values, n, sizeof(*values), compare_longs);
	double place = p * (double)(n - 1);
	size_t i = (size_t)place;
	if (i + 1 >= n) {
		return (double)values[n - 1];
	}
	return (double)((long double)values[i] +
	                (long double)(values[i + 1] - values[i]) * (place - (double)i));
}

static void
check_close(const char *what, double value, double expected)
{
	ck_assert_msg(fabs(value - expected) <= 1e-12 * fabs(expected) + 1e-12,
	              "%s: %.17g, not %.17g", what, value, expected);
}

static double
query_real(const char *format, double p)
{
	char *sql = sqlite3_mprintf(format, p);
	double value = real_of(sql);
	sqlite3_free(sql);
	return value;
}

START_TEST(test_random_quantiles)
{
	struct prng prng = {11};
	for (int round = 0; round < 60; round++) {
		struct sample sample;
		long long copy[ROWS_MAX], expanded[ROWS_MAX * 5];
		make_sample(&prng, &sample);
		size_t n_expanded = 0;
		for (size_t i = 0; i < sample.n; i++) {
			for (long long k = 0; k < sample.weight[i]; k++) {
				expanded[n_expanded++] = sample.x[i];
			}
		}
		for (int k = 0; k < 4; k++) {
			double p = (double)prng_below(&prng, 1001) / 1000;
			memcpy(copy, sample.x, sizeof(copy));
			double expected = slow_quantile(copy, sample.n, p);
			check_close("quantile", query_real("SELECT quantile(x, %.17g) FROM t", p),
			            expected);
			check_close("quantile of reals",
			            query_real("SELECT quantile(x * 1.0, %.17g) FROM t", p),
			            expected);
			if (n_expanded > 0) {
				check_close("weighted_quantile",
				            query_real("SELECT weighted_quantile(x, weight, %.17g) "
				                       "FROM t",
				                       p),
				            slow_quantile(expanded, n_expanded, p));
			}
		}
	}
}
END_TEST

START_TEST(test_random_variance)
{
	struct prng prng = {12};
	for (int round = 0; round < 60; round++) {
		struct sample sample;
		make_sample(&prng, &sample);
		if (sample.n < 2) {
			continue;
		}
		__int128 sum = 0, squares = 0, n = (__int128)sample.n;
		for (size_t i = 0; i < sample.n; i++) {
			__int128 d = sample.x[i] - sample.x[0];
			sum += d;
			squares += d * d;
		}
		double variance =
		    (double)((long double)(n * squares - sum * sum) / (long double)(n * (n - 1)));
		double got = real_of("SELECT variance(x) FROM t");
		ck_assert_msg(fabs(got - variance) <= 1e-15 * variance, "%.17g, not %.17g", got,
		              variance);
		check_close("stddev", real_of("SELECT stddev(x) FROM t"), sqrt(variance));
	}
}
END_TEST

/* Doubles that differ little beside a large mean: what the textbook formula gets wrong. */
START_TEST(test_stable_variance)
{
	double got = real_of("WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c "
	                     "WHERE i < 9999) SELECT variance(1e9 + (i % 2) * 0.5) FROM c");
	ck_assert(fabs(got - 0.0625 * 10000 / 9999) < 1e-9);
}
END_TEST

START_TEST(test_random_union)
{
	struct prng prng = {13};
	for (int round = 0; round < 100; round++) {
		bool covered[400] = {false};
		size_t n = prng_below(&prng, 40);
		bool is_sorted = prng_below(&prng, 2);
		run("DROP TABLE IF EXISTS u; CREATE TABLE u(start, dur)");
		for (size_t i = 0; i < n; i++) {
			int start = (int)prng_below(&prng, 350),
			    duration = (int)prng_below(&prng, 50);
			char *sql =
			    sqlite3_mprintf("INSERT INTO u VALUES(%d, %d)", start, duration);
			run(sql);
			sqlite3_free(sql);
			for (int k = 0; k < duration; k++) {
				covered[start + k] = true;
			}
		}
		int expected = 0;
		for (size_t i = 0; i < 400; i++) {
			expected += covered[i];
		}
		sqlite3_stmt *stmt = one_row(
		    is_sorted ? "SELECT union_ns(start, dur) FROM (SELECT * FROM u ORDER BY start)"
			      : "SELECT union_ns(start, dur) FROM u");
		ck_assert_int_eq(sqlite3_column_int(stmt, 0), expected);
		sqlite3_finalize(stmt);
	}
}
END_TEST

START_TEST(test_random_sum)
{
	struct prng prng = {14};
	for (int round = 0; round < 60; round++) {
		struct sample sample;
		make_sample(&prng, &sample);
		double expected = 0;
		for (size_t i = 0; i < sample.n; i++) {
			expected += (double)sample.x[i] / 7;
		}
		ck_assert(real_of("SELECT sum_in_order(x / 7.0, i) FROM "
		                  "(SELECT * FROM t ORDER BY random())") == expected);
		ck_assert(real_of("SELECT sum_in_order(x / 7.0, i * 0.5) FROM "
		                  "(SELECT * FROM t ORDER BY x)") == expected);
	}
}
END_TEST

/* Against the best sum of each node, which its smaller neighbours determine. */
START_TEST(test_random_path)
{
	enum { NODES = 12 };
	struct prng prng = {15};
	for (int round = 0; round < 100; round++) {
		double best[NODES] = {0}, weight[NODES], most = 0;
		struct strbuf sql = {0};
		strbuf_add_text(&sql, "WITH e(n, b, w) AS (VALUES (-1, NULL, 0)");
		for (int node = 0; node < NODES; node++) {
			weight[node] = (double)prng_below(&prng, 100);
			strbuf_printf(&sql, ",(%d, NULL, %g)", node, weight[node]);
			for (int before = 0; before < node; before++) {
				if (prng_below(&prng, 4) == 0) {
					strbuf_printf(&sql, ",(%d, %d, %g)", node, before,
					              weight[node]);
					best[node] = fmax(best[node], best[before]);
				}
			}
			best[node] += weight[node];
			most = fmax(most, best[node]);
		}
		strbuf_add_text(
		    &sql,
		    "), p AS (SELECT key, value FROM json_each((SELECT longest_path(n, b, w) FROM "
		    "e))) "
		    "SELECT (SELECT sum(w) FROM e JOIN p ON p.value = e.n WHERE b IS NULL) * 1.0 "
		    "WHERE NOT EXISTS (SELECT 1 FROM p x JOIN p y ON y.key = x.key + 1 "
		    "WHERE NOT EXISTS (SELECT 1 FROM e WHERE e.n = y.value AND e.b = x.value))");
		ck_assert(real_of(sql.data) == most);
		strbuf_free(&sql);
	}
}
END_TEST

/* Errors in the middle of a group free what was gathered (the sanitizer looks), and groups do not
 * mix. */
START_TEST(test_groups)
{
	run("CREATE TABLE g(k, x); INSERT INTO g "
	    "VALUES('a',1),('b',10),('a',3),('b',20),('c',NULL)");
	sqlite3_stmt *stmt = one_row("SELECT group_concat(m, ' ') FROM (SELECT k || "
	                             "ifnull(median(x), '-') || ifnull(variance(x), '-') AS m "
	                             "FROM g GROUP BY k ORDER BY k)");
	ck_assert_str_eq((const char *)sqlite3_column_text(stmt, 0), "a2.02.0 b15.050.0 c--");
	sqlite3_finalize(stmt);
	run("INSERT INTO g VALUES('a', 'x')");
	ck_assert_int_ne(sqlite3_exec(db, "SELECT median(x) FROM g", NULL, NULL, NULL), SQLITE_OK);
	ck_assert_int_ne(sqlite3_exec(db, "SELECT sum_in_order(x, x) FROM g", NULL, NULL, NULL),
	                 SQLITE_OK);
}
END_TEST

/* Usable where an untrusted schema may call only innocuous functions, and in indexes
 * (deterministic). */
START_TEST(test_flags)
{
	if (sqlite3_libversion_number() < 3031000) {
		return;
	}
	run("CREATE TABLE p(path); INSERT INTO p VALUES('/a/b'),('/c/d')");
	run("CREATE INDEX p_base ON p(basename(path))");
	run("CREATE VIEW v AS SELECT basename(path) AS base, regexp_replace(path, 'a', 'b') FROM "
	    "p");
	run("PRAGMA trusted_schema = 0");
	run("SELECT * FROM v");
}
END_TEST

static int
deny_json(void *unused, int action, const char *unused_name, const char *name, const char *database,
          const char *trigger)
{
	(void)unused;
	(void)unused_name;
	(void)database;
	(void)trigger;
	return action == SQLITE_FUNCTION && strcmp(name, "json_extract") == 0 ? SQLITE_DENY
	                                                                      : SQLITE_OK;
}

/* A library that lacks something is told when it is met, not by some queries. */
START_TEST(test_lacking)
{
	struct err err = ERR_INIT;
	sqlite3_set_authorizer(db, deny_json, NULL);
	ck_assert_int_eq(functions_check_library(db, &err), -1);
	ck_assert_msg(strstr(err.message, "was built without JSON functions"), "%s", err.message);
	sqlite3_set_authorizer(db, NULL, NULL);
}
END_TEST

static Suite *
functions_suite(void)
{
	Suite *suite = suite_create("functions");
	TCase *tc = tcase_create("functions");
	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, open_db, close_db);
	tcase_add_loop_test(tc, test_real, 0, sizeof(reals) / sizeof(reals[0]));
	tcase_add_loop_test(tc, test_text, 0, sizeof(texts) / sizeof(texts[0]));
	tcase_add_loop_test(tc, test_error, 0, sizeof(errors) / sizeof(errors[0]));
	tcase_add_test(tc, test_random_quantiles);
	tcase_add_test(tc, test_random_variance);
	tcase_add_test(tc, test_stable_variance);
	tcase_add_test(tc, test_random_union);
	tcase_add_test(tc, test_random_sum);
	tcase_add_test(tc, test_random_path);
	tcase_add_test(tc, test_groups);
	tcase_add_test(tc, test_flags);
	tcase_add_test(tc, test_lacking);
	suite_add_tcase(suite, tc);
	return suite;
}

int
main(void)
{
	return unit_run(functions_suite());
}
