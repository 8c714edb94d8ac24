/* sample_value against the arrays that were stored: all of them, chosen by constraints of every
 * type, and damaged ones. */
#include "config.h"

#include <math.h>

#include "tests/unit/vtab_fixture.h"

static struct fixture fixture;

static void
setup(void)
{
	static const double first[] = {0.5, 1.25, -3, (double)NAN}, second[] = {7};
	static const struct {
		int trial;
		uint32_t name;
		const double *values;
		int n;
	} samples[] = {{1, 0, first, 4}, {1, 1, NULL, 0}, {2, 0, second, 1}, {2, 1, first, 3}};
	sqlite3_stmt *insert = NULL;

	fixture_open(&fixture, 20260312);
	fixture_run(&fixture,
	            "CREATE TABLE sample (id INTEGER PRIMARY KEY, trial INTEGER NOT NULL, "
	            "name INTEGER NOT NULL, type INTEGER NOT NULL, n INTEGER NOT NULL, "
	            "data BLOB NOT NULL)");
	ck_assert_int_eq(sqlite3_prepare_v2(fixture.db,
	                                    "INSERT INTO sample VALUES (NULL, ?, ?, 0, ?, ?)", -1,
	                                    &insert, NULL),
	                 SQLITE_OK);
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		sqlite3_bind_int(insert, 1, samples[i].trial);
		sqlite3_bind_int64(insert, 2, samples[i].name);
		sqlite3_bind_int(insert, 3, samples[i].n);
		sqlite3_bind_blob(insert, 4, samples[i].n ? (const void *)samples[i].values : "",
		                  samples[i].n * (int)sizeof(double), SQLITE_TRANSIENT);
		ck_assert_int_eq(sqlite3_step(insert), SQLITE_DONE);
		sqlite3_reset(insert);
	}
	sqlite3_finalize(insert);
}

static void
teardown(void)
{
	fixture_close(&fixture);
}

static void
check_text(const char *sql, const char *expected)
{
	char *got = fixture_query(&fixture, sql);
	ck_assert_msg(strcmp(got, expected) == 0, "%s: %s, not %s", sql, got, expected);
	free(got);
}

START_TEST(all_rows)
{
	check_text(
	    "SELECT sample, trial, i, value FROM sample_value",
	    "1|1|0|0.5\n1|1|1|1.25\n1|1|2|-3\n1|1|3|NULL\n3|2|0|7\n4|2|0|0.5\n4|2|1|1.25\n4|2|"
	    "2|-3\n");
	check_text("SELECT count(DISTINCT name), count(DISTINCT rowid), min(name) IS NOT NULL FROM "
	           "sample_value",
	           "2|8|1\n");
	check_text(
	    "SELECT s.id, (SELECT avg(value) FROM sample_value WHERE sample = s.id AND i >= 1) "
	    "FROM sample s",
	    "1|-0.875\n2|NULL\n3|NULL\n4|-0.875\n");
	check_text(
	    "SELECT s.id, count(v.value) FROM sample s LEFT JOIN sample_value v ON v.sample = "
	    "s.id GROUP BY s.id",
	    "1|3\n2|0\n3|1\n4|3\n");
}
END_TEST

/* A constraint gives what a filter over all rows gives, of whatever type its value is. */
START_TEST(constraints)
{
	static const char *const columns[] = {"sample", "trial"};
	static const char *const values[] = {
	    "1",  "2",     "3",   "4", "'3'",  "1.0",  "'1.0'",          "1.5", "NULL", "99",
	    "-1", "x'31'", "'x'", "0", "9e99", "+'2'", "CAST(2 AS TEXT)"};
	char sql[512], plain[512];

	for (size_t c = 0; c < 2; c++) {
		for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
			snprintf(sql, sizeof sql,
			         "SELECT sample, i FROM sample_value WHERE %s = %s", columns[c],
			         values[v]);
			snprintf(
			    plain, sizeof plain,
			    "SELECT s.sample, i.value FROM (SELECT id AS sample, trial, n FROM "
			    "sample) "
			    "s, json_each('[0,1,2,3]') i WHERE i.value < n AND %s = %s ORDER "
			    "BY 1, 2",
			    columns[c], values[v]);
			char *got = fixture_query(&fixture, sql);
			char *expected = fixture_query(&fixture, plain);
			ck_assert_msg(strcmp(got, expected) == 0, "%s: %s, not %s", sql, got,
			              expected);
			free(got);
			free(expected);
		}
	}
	check_text("SELECT count(*) FROM sample_value WHERE sample = 4 AND trial = 2", "3\n");
	check_text("SELECT count(*) FROM sample_value WHERE sample = 4 AND trial = 1", "0\n");
	check_text("SELECT count(*) FROM sample_value WHERE sample = 1 AND sample = 3", "0\n");
	check_text("SELECT count(*) FROM sample_value WHERE trial IN (1, 2)", "8\n");
}
END_TEST

/* Reals of all sizes, the same ones several times, endless ones and none; the last has nothing
 * else. */
static void
add_arrays(void)
{
	struct prng prng = {.state = 6};
	sqlite3_stmt *insert = NULL;

	sqlite3_prepare_v2(fixture.db, "INSERT INTO sample VALUES (NULL, 3, 0, 0, ?, ?)", -1,
	                   &insert, NULL);
	for (int array = 0; array < 40; array++) {
		double values[300];
		int n = (int)prng_below(&prng, array % 2 ? 300 : 9);
		for (int i = 0; i < n; i++) {
			double value = (double)prng_below(&prng, 1000) / 7 - 20;
			values[i] = array % 3 == 0 ? floor(value / 30) * 0.1
			            : i % 9 == 8   ? value * pow(10, (double)prng_below(&prng, 200))
			                           : value;
			if (array == 39 || prng_below(&prng, 11) == 0) {
				values[i] = array % 5 == 1 ? INFINITY : (double)NAN;
			}
		}
		sqlite3_bind_int(insert, 1, n);
		sqlite3_bind_blob(insert, 2, n ? (const void *)values : "", n * 8,
		                  SQLITE_TRANSIENT);
		ck_assert_int_eq(sqlite3_step(insert), SQLITE_DONE);
		sqlite3_reset(insert);
	}
	sqlite3_finalize(insert);
}

START_TEST(sums)
{
	static const char *const skips[] = {"0", "1", "NULL", "7", "-1", "1000000"};
	char sql[512], plain[700];

	add_arrays();
	for (size_t i = 0; i < sizeof skips / sizeof *skips; i++) {
		snprintf(sql, sizeof sql,
		         "SELECT s.id, t.* FROM sample s CROSS JOIN sample_sums(s.id, %s, 0.3) t "
		         "ORDER BY s.id",
		         skips[i]);
		snprintf(plain, sizeof plain,
		         "SELECT s.id, count(value), count(i) - count(value), mean_in_order(value, "
		         "i), min(value), max(value), stddev(value), median(value), "
		         "quantile(value, 0.9), quantile(value, 0.99), quantile(value, 0.3) FROM "
		         "sample s LEFT JOIN sample_value v ON v.sample = s.id AND i >= "
		         "coalesce(%s, 0) GROUP BY s.id ORDER BY s.id",
		         skips[i]);
		char *expected = fixture_query(&fixture, plain);
		ck_assert_msg(strncmp(expected, "error", 5) != 0, "%s", expected);
		check_text(sql, expected);
		free(expected);
	}
	check_text("SELECT n, quantile, p50 FROM sample_sums(1)", "3|NULL|0.5\n");
	check_text("SELECT mean FROM sample_sums(1, 1)", "-0.875\n");
	check_text("SELECT * FROM sample_sums(99)", "");
	check_text("SELECT * FROM sample_sums(NULL)", "");
	check_text("SELECT n FROM sample_sums(1, 'few')",
	           "error 1: sample_sums: argument 'skip' is not an integer");
	check_text("SELECT n FROM sample_sums(1, 0, 1.5)",
	           "error 1: sample_sums: p must be a number from 0 to 1");
	fixture_run(&fixture, "UPDATE sample SET n = 2 WHERE id = 3");
	check_text("SELECT n FROM sample_sums(3)", "error 11: sample_sums: sample 3 is damaged");
	fixture_run(&fixture, "UPDATE sample SET n = 1, data = '123456789' WHERE id = 3");
	check_text("SELECT n FROM sample_sums(3)", "error 11: sample_sums: sample 3 is damaged");
}
END_TEST

START_TEST(damaged)
{
	fixture_run(&fixture, "UPDATE sample SET n = 2 WHERE id = 3");
	check_text("SELECT count(*) FROM sample_value",
	           "error 11: sample_value: sample 3 is damaged");
	check_text("SELECT count(*) FROM sample_value WHERE sample = 1", "4\n");
	fixture_run(&fixture, "UPDATE sample SET n = -1, data = '' WHERE id = 3");
	check_text("SELECT count(*) FROM sample_value",
	           "error 11: sample_value: sample 3 is damaged");
	fixture_run(&fixture, "UPDATE sample SET n = 1, data = '123456789' WHERE id = 3");
	check_text("SELECT count(*) FROM sample_value",
	           "error 11: sample_value: sample 3 is damaged");
	fixture_run(&fixture, "UPDATE sample SET n = 1, data = 5, name = 4000000000 WHERE id = 3");
	check_text("SELECT count(*) FROM sample_value",
	           "error 11: sample_value: sample 3 is damaged");
	fixture_run(&fixture, "UPDATE sample SET n = 1, data = '12345678' WHERE id = 3");
	check_text("SELECT name FROM sample_value WHERE sample = 3", "NULL\n");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("vtab_samples");
	TCase *cases = tcase_create("vtab_samples");

	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_add_test(cases, all_rows);
	tcase_add_test(cases, constraints);
	tcase_add_test(cases, sums);
	tcase_add_test(cases, damaged);
	suite_add_tcase(suite, cases);
	return unit_run(suite);
}
