/*
 * Tables of what clusters' pools had and lost (capacity_state, capacity_sums, preemption_sums)
 * against statements over the records.
 */
#include "config.h"

#include "tests/unit/vtab_check.h"

#define DIALECTS 5

static void
make_tables(void)
{
	static const char *const dialects[DIALECTS] = {"node", "asg", "terminate", "found", "x"};

	fixture_run(&fixture, "CREATE TABLE source (id INTEGER PRIMARY KEY, dialect)");
	fixture_run(&fixture, "CREATE TABLE capacity (id INTEGER PRIMARY KEY, source, time, pool, "
	                      "nodes)");
	fixture_run(&fixture, "CREATE TABLE preemption (id INTEGER PRIMARY KEY, source, time, "
	                      "pool, nodes)");
	for (int i = 0; i < DIALECTS; i++) {
		execute(sqlite3_mprintf("INSERT INTO source VALUES (%d, '%s')", i, dialects[i]));
	}
}

/* Records of three pools and of none, in order of time (0) or not, often several of one time. */
static void
fill(int order)
{
	struct prng prng = {.state = 8};

	make_tables();
	check_same("SELECT * FROM capacity_state", "SELECT 1 WHERE 0");
	check_same("SELECT * FROM capacity_sums(0, 'node')", "SELECT 1 WHERE 0");
	check_same("SELECT * FROM preemption_sums(0)", "SELECT 1 WHERE 0");
	for (int i = 0; i < 800; i++) {
		int pool = (int)prng_below(&prng, 4), time = (int)prng_below(&prng, 90);
		pool = order == 0 ? i / 200 : pool;
		time = order == 0 ? i % 200 / 4 - 20 : time;
		execute(sqlite3_mprintf("INSERT INTO %s VALUES (NULL, %d, %d, nullif(%d, 0), %d)",
		                        i % 2 ? "capacity" : "preemption",
		                        (int)prng_below(&prng, DIALECTS), time, pool,
		                        (int)prng_below(&prng, 9) - (i % 2 ? 0 : 4)));
	}
}

START_TEST(test_capacity_state)
{
	fill(_i);
	check_same("SELECT pool, time, nodes, rows, source, before, since, until, changed, dropped "
	           "FROM capacity_state",
	           "WITH counts AS (SELECT pool, time, nodes, count(*) AS rows, source, max(id) "
	           "FROM capacity GROUP BY pool, time), states AS (SELECT *, lag(nodes) OVER w AS "
	           "before, lag(time) OVER w AS since, lead(time) OVER w AS until FROM counts "
	           "WINDOW w AS (PARTITION BY pool ORDER BY time)) "
	           "SELECT pool, time, nodes, rows, source, before, since, until, "
	           "max(CASE WHEN before IS NULL OR nodes <> before THEN time END) OVER w, "
	           "max(CASE WHEN nodes < before THEN time END) OVER w FROM states "
	           "WINDOW w AS (PARTITION BY pool ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING "
	           "AND 1 PRECEDING) ORDER BY pool, time");
	check_same("SELECT pool, sum(rows) FROM capacity_state GROUP BY pool",
	           "SELECT pool, count(*) FROM capacity GROUP BY pool ORDER BY pool");
	check_same("SELECT time, pool FROM capacity_state ORDER BY pool DESC, time",
	           "SELECT DISTINCT time, pool FROM capacity ORDER BY pool DESC, time");
	check_same(
	    "SELECT pool FROM capacity_state ORDER BY time, pool",
	    "SELECT pool FROM (SELECT DISTINCT time, pool FROM capacity) ORDER BY time, pool");
}
END_TEST

#define STATES(big, each)                                                                          \
	"WITH steps AS (SELECT pool, time, nodes, rows, until, CASE WHEN source IN (SELECT id "    \
	"FROM source WHERE dialect = " each                                                        \
	") THEN time - since WHEN nodes <> before THEN time - changed END AS gap, "                \
	"CASE WHEN nodes < before THEN before - nodes END AS fall, "                               \
	"CASE WHEN nodes < before THEN time - dropped END AS fall_gap, "                           \
	"CASE WHEN nodes > before THEN nodes - before END AS rise, "                               \
	"CASE WHEN nodes = 0 AND before > 1 AND until IS NULL THEN before END AS stopped, " big    \
	" AS big FROM capacity_state) "

START_TEST(test_capacity_sums)
{
	static const char sums[] =
	    "SELECT pool, sum(rows), min(time), max(time), min(nodes), max(nodes), "
	    "sum(CASE WHEN until IS NULL THEN nodes END), "
	    "coalesce(sum(nodes * 1.0 * (until - time)), 0.0), avg(gap), stddev(gap), count(fall), "
	    "coalesce(sum(fall), 0), sum(stopped), count(CASE WHEN stopped IS NULL THEN fall END), "
	    "coalesce(sum(CASE WHEN stopped IS NULL THEN fall END), 0), "
	    "avg(CASE WHEN stopped IS NULL THEN fall END), "
	    "stddev(CASE WHEN stopped IS NULL THEN fall END), "
	    "avg(CASE WHEN stopped IS NULL THEN fall_gap END), "
	    "stddev(CASE WHEN stopped IS NULL THEN fall_gap END), count(rise), "
	    "coalesce(sum(rise), 0), count(CASE WHEN rise > big THEN 1 END), "
	    "count(CASE WHEN rise <= big THEN 1 END), avg(CASE WHEN rise <= big THEN rise END), "
	    "stddev(CASE WHEN rise <= big THEN rise END) FROM steps GROUP BY pool ORDER BY pool";
	static const char stopped[] =
	    "INSERT INTO capacity VALUES (NULL, 1, 100, 2, 7), (NULL, 1, 101, 2, 0)";
	char *node = sqlite3_mprintf("%s%s", STATES("3", "'node'"), sums);
	char *none = sqlite3_mprintf("%s%s", STATES("-1", "NULL"), sums);

	fill(_i);
	fixture_run(&fixture, stopped);
	check_same("SELECT * FROM capacity_sums(3, 'node') ORDER BY pool", node);
	check_same("SELECT * FROM capacity_sums(-1, NULL) ORDER BY pool", none);
	check_text("SELECT stopped, drops - losses FROM capacity_sums(3, 'node') WHERE pool = 2",
	           "7|1\n");
	sqlite3_free(node);
	sqlite3_free(none);
}
END_TEST

START_TEST(test_preemption_sums)
{
	fill(_i);
	check_same(
	    "SELECT * FROM preemption_sums(2) ORDER BY pool, coalesce(kind, 9)",
	    "WITH kinds AS (SELECT pool, time, abs(p.nodes) AS n, p.id, CASE WHEN p.nodes < 0 THEN "
	    "0 WHEN p.nodes = 0 THEN NULL WHEN dialect = 'terminate' THEN 1 WHEN dialect = 'found' "
	    "THEN 4 ELSE 2 END AS kind FROM preemption p JOIN source s ON s.id = p.source), "
	    "losses AS (SELECT *, time - lag(time) OVER (PARTITION BY pool, kind ORDER BY time, "
	    "id) AS gap FROM kinds) "
	    "SELECT pool, kind, count(*), sum(n), avg(n), stddev(n), avg(gap), stddev(gap), "
	    "count(CASE WHEN n > 2 THEN 1 END), count(CASE WHEN n <= 2 THEN 1 END), "
	    "avg(CASE WHEN n <= 2 THEN n END), stddev(CASE WHEN n <= 2 THEN n END) FROM losses "
	    "GROUP BY pool, kind ORDER BY pool, coalesce(kind, 9)");
}
END_TEST

/* Sums and times at the ends of 64 bits. */
START_TEST(test_extremes)
{
	make_tables();
	fixture_run(&fixture, "INSERT INTO capacity VALUES "
	                      "(NULL, 0, -9223372036854775808, 1, 5), "
	                      "(NULL, 0, 9223372036854775807, 1, 4), "
	                      "(NULL, 1, NULL, NULL, NULL), (NULL, 1, 'x', NULL, 1.5)");
	check_text("SELECT pool, rows, start, change_mean, change_std, nodes_last FROM "
	           "capacity_sums(0, 'node')",
	           "1|2|-9223372036854775808|9.22337203685e+18|NULL|4\nNULL|2|0|NULL|NULL|1\n");
	fixture_run(&fixture, "INSERT INTO capacity VALUES "
	                      "(NULL, 1, 1, 2, -9223372036854775808), "
	                      "(NULL, 1, 2, 2, 9223372036854775807)");
	check_text("SELECT risen, nodes_min, regular_rows FROM capacity_sums(0, '') WHERE pool = 2",
	           "9223372036854775807|-9223372036854775808|0\n");
	fixture_run(&fixture, "INSERT INTO capacity VALUES "
	                      "(NULL, 1, 3, 2, 0), (NULL, 1, 4, 2, 1)");
	check_text("SELECT * FROM capacity_sums(0, '')",
	           "error 18: capacity_sums: a sum of instances is more than 64 bits hold");
	fixture_run(&fixture, "INSERT INTO preemption VALUES (NULL, 2, 1, 1, "
	                      "-9223372036854775808), (NULL, NULL, NULL, NULL, NULL)");
	check_text("SELECT pool, kind, nodes, mean, std FROM preemption_sums(0)",
	           "1|0|9223372036854775807|9.22337203685e+18|NULL\nNULL|NULL|0|0|NULL\n");
	fixture_run(&fixture, "INSERT INTO preemption VALUES (NULL, 3, 1, 1, -1)");
	check_text("SELECT * FROM preemption_sums(0)",
	           "error 18: preemption_sums: a sum of instances is more than 64 bits hold");
}
END_TEST

START_TEST(test_errors)
{
	check_text("SELECT * FROM capacity_sums(0, '')",
	           "error 11: capacity_sums: run file: no such table: main.capacity");
	make_tables();
	check_error("SELECT * FROM capacity_sums(0.5, '')", "argument 'big' is not an integer");
	check_error("SELECT * FROM preemption_sums('many')", "argument 'big' is not an integer");
	check_error("SELECT * FROM preemption_sums", "(big)");
}
END_TEST

static Suite *
vtab_pools_suite(void)
{
	Suite *suite = suite_create("vtab_pools");
	TCase *tc = tcase_create("vtab");
	tcase_set_timeout(tc, 60);
	tcase_add_unchecked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test_capacity_state, 0, 2);
	tcase_add_loop_test(tc, test_capacity_sums, 0, 2);
	tcase_add_loop_test(tc, test_preemption_sums, 0, 2);
	tcase_add_test(tc, test_extremes);
	tcase_add_test(tc, test_errors);
	suite_add_tcase(suite, tc);
	return suite;
}

int
main(void)
{
	return unit_run(vtab_pools_suite());
}
