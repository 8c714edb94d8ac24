/* task_sums and task_levels against statements over the tasks. */
#include "config.h"

#include "tests/unit/vtab_check.h"
#include "util/order.h"

#define N_TASKS 900

/* Lanes of few workers, some without a host or a thread. */
static void
make_tables(void)
{
	const struct dataset *dataset = memory_dataset_get(fixture.memory);

	fixture_run(&fixture, "CREATE TABLE plain_text (id INTEGER PRIMARY KEY, text)");
	for (uint32_t i = 0; i < dataset->n_texts; i++) {
		execute(sqlite3_mprintf("INSERT INTO plain_text VALUES (%u, '%.*q')", i,
		                        (int)dataset->texts[i].len, dataset->texts[i].ptr));
	}
	fixture_run(&fixture,
	            "CREATE TABLE lanes AS SELECT DISTINCT id, nullif(id % 3, 0) AS host, "
	            "id % 2 AS process, nullif('w-' || id % 4, 'w-1') AS thread, "
	            "'lane ' || id AS name FROM plain_lane");
	fixture_run(&fixture, "CREATE TABLE task (id INTEGER PRIMARY KEY, key, kind, lane, "
	                      "recorded_duration, size)");
}

/* Tasks of few keys and of many, a part of them without a lane, kind, time or size. */
static void
fill(int n_keys)
{
	struct prng prng = {.state = 11};
	const struct dataset *dataset = memory_dataset_get(fixture.memory);

	for (int i = 0; i < N_TASKS; i++) {
		double seconds = (double)prng_below(&prng, 9) * 0.1;
		execute(sqlite3_mprintf(
		    "INSERT INTO task VALUES (%d, %d, nullif(%d, 0), nullif(%d, -1), "
		    "nullif(%.17g, 0.8), nullif(%d, 3))",
		    i * 3 - 50, (int)prng_below(&prng, LEAST((uint32_t)n_keys, dataset->n_texts)),
		    (int)prng_below(&prng, dataset->n_texts),
		    (int)prng_below(&prng, dataset->n_lanes + 1) - 1, seconds,
		    (int)prng_below(&prng, 99)));
	}
}

#define SUMS(pattern)                                                                              \
	"WITH place AS (SELECT id AS lane, first_value(id) OVER (PARTITION BY coalesce(host, "     \
	"process), thread ORDER BY id) AS worker FROM lanes WHERE name GLOB '" pattern             \
	"'), work AS (SELECT worker, t.key, t.kind, min(t.id) AS first, "                          \
	"sum_in_order(t.recorded_duration, t.id) AS sum, count(*) AS n FROM task t JOIN place "    \
	"p ON p.lane = t.lane GROUP BY t.key, worker), worker AS (SELECT worker, min(first) AS "   \
	"first, sum_in_order(sum, first) AS sum FROM work GROUP BY worker), sums AS (SELECT "      \
	"w.worker, (SELECT text FROM plain_text p WHERE p.id = key) AS key, (SELECT text FROM "    \
	"plain_text p WHERE p.id = kind) AS kind, w.n, w.sum AS recorded_sum, v.sum AS "           \
	"worker_sum, (SELECT size FROM task t WHERE t.key = w.key ORDER BY id DESC LIMIT 1) AS "   \
	"size, row_number() OVER (ORDER BY v.first, w.first) - 1 AS nr FROM work w JOIN worker v " \
	"USING (worker)) SELECT * FROM sums ORDER BY "

START_TEST(test_task_sums)
{
	make_tables();
	check_text("SELECT * FROM task_sums", "");
	fill(_i == 0 ? 5 : 1000);
	check_same("SELECT * FROM task_sums", SUMS("*") "recorded_sum DESC, nr");
	check_same("SELECT * FROM task_sums('lane [1-4]')", SUMS("lane [1-4]") "5 DESC, nr");
	check_same("SELECT * FROM task_sums(NULL) ORDER BY recorded_sum DESC, nr",
	           SUMS("*") "recorded_sum DESC, nr");
	check_same("SELECT * FROM task_sums ORDER BY nr DESC", SUMS("*") "nr DESC");
	check_same("SELECT * FROM task_sums ORDER BY recorded_sum, nr", SUMS("*") "5, nr");
	check_same("SELECT t.* FROM (SELECT 1 UNION ALL SELECT 1) CROSS JOIN task_sums t ORDER BY "
	           "recorded_sum DESC, nr LIMIT 3",
	           "SELECT s.* FROM (SELECT 1 UNION ALL SELECT 1) CROSS JOIN (" SUMS(
		       "*") "nr) s ORDER BY 5 DESC, nr LIMIT 3");
	check_text("SELECT * FROM task_sums('none')", "");
}
END_TEST

/* Times that add up to no number, and keys, kinds and lanes that are not there. */
START_TEST(test_odd_tasks)
{
	make_tables();
	fixture_run(&fixture,
	            "INSERT INTO task VALUES (1, 0, 1, 0, 1e999, 1), (2, 0, 1, 0, -1e999, NULL), "
	            "(3, 1, NULL, 0, 2.0, 4), (4, 77777777777, -3, 0, 4.0, 5), "
	            "(5, 1, 1, 123456789, 1.0, 6), (6, 1, 1, -1, 1.0, 7), (7, 1, 'x', 0, NULL, 8)");
	check_text("SELECT key IS NULL, kind IS NULL, n, recorded_sum, worker_sum, size, nr FROM "
	           "task_sums",
	           "1|1|1|4|6|5|2\n0|1|2|2|6|8|1\n0|0|2|NULL|6|NULL|0\n");
}
END_TEST

/* Tasks that are queued, start and finish, a part of each not recorded, before the run, in it and
 * after its end; what depends on others is queued when these are finished. */
static void
fill_lives(void)
{
	struct prng prng = {.state = 12};
	int64_t end = memory_dataset_get(fixture.memory)->duration_ns;

	fixture_run(&fixture, "CREATE TABLE task (id INTEGER PRIMARY KEY, worker, enqueued, "
	                      "started, finished)");
	fixture_run(&fixture, "CREATE TABLE dependency (type, from_id, to_id)");
	fixture_run(&fixture, "CREATE TABLE string (id INTEGER PRIMARY KEY, text)");
	fixture_run(&fixture, "INSERT INTO string VALUES (0, 'a'), (1, 'b')");
	for (int i = 0; i < N_TASKS; i++) {
		int64_t time = (int64_t)prng_below(&prng, (uint64_t)end + 2000) - 1000;
		time = i % 3 ? time : time / 1000 * 1000;
		execute(sqlite3_mprintf(
		    "INSERT INTO task VALUES (%d, nullif(%d, 2), nullif(%lld, %lld), "
		    "nullif(%lld, %lld), nullif(%lld, %lld))",
		    i, i % 3, time, i % 5 == 0 ? time : -1, time + i % 77, i % 7 ? -1 : time,
		    time + i % 1000, i % 11 ? -1 : time + i % 1000));
		execute(sqlite3_mprintf("INSERT INTO dependency VALUES (%Q, %d, %d)",
		                        i % 8 ? "task" : "span", (int)prng_below(&prng, N_TASKS),
		                        (int)prng_below(&prng, N_TASKS)));
	}
}

#define LEVELS(ns, worker)                                                                         \
	"WITH RECURSIVE life AS (SELECT coalesce(t.enqueued, (SELECT max(n.finished) FROM "        \
	"dependency d JOIN task n ON n.id = d.from_id WHERE d.to_id = t.id AND d.type = 'task'), " \
	"t.started) AS queued, t.started, t.finished FROM task t LEFT JOIN string w ON w.id = "    \
	"t.worker WHERE coalesce(w.text, '') GLOB '" worker                                        \
	"'), move(time, waits, runs, queued, begun, done) AS (SELECT queued, 1, 0, 1, 0, 0 FROM "  \
	"life UNION ALL SELECT max(started, queued), -1, 0, 0, 0, 0 FROM life UNION ALL SELECT "   \
	"started, 0, 1, 0, 1, 0 FROM life UNION ALL SELECT finished, 0, -1, 0, 0, 1 FROM life), "  \
	"seen AS (SELECT max(time, range_start()) AS time, waits, runs, queued * (time >= "        \
	"range_start()) AS queued, begun * (time >= range_start()) AS begun, done * (time >= "     \
	"range_start()) AS done FROM move WHERE time <= range_end()), steps(start) AS (SELECT "    \
	"min(time) / " ns " * " ns " FROM seen UNION ALL SELECT start + " ns " FROM steps WHERE "  \
	"start + " ns " < range_end() LIMIT 100000), level AS (SELECT time, sum(waits) OVER "      \
	"by_time AS waits, sum(runs) OVER by_time AS runs, lead(time, 1, range_end()) OVER "       \
	"(ORDER BY time) - time AS lasts, queued, begun, done FROM (SELECT * FROM seen UNION ALL " \
	"SELECT max(start, range_start()), 0, 0, 0, 0, 0 FROM steps WHERE start IS NOT NULL) "     \
	"WINDOW by_time AS (ORDER BY time)) SELECT min(time, range_end() - 1) / " ns " * " ns      \
	" AS start, sum(waits * lasts), sum(runs * lasts), sum(lasts), max(waits), max(runs), "    \
	"sum(queued), sum(begun), sum(done) FROM level GROUP BY 1 ORDER BY 1"

START_TEST(test_task_levels)
{
	fill_lives();
	check_same("SELECT * FROM task_levels(1000)", LEVELS("1000", "*"));
	check_same("SELECT * FROM task_levels('7us', 'a') ORDER BY start", LEVELS("7000", "a"));
	check_same("SELECT * FROM task_levels('1h', NULL)", LEVELS("3600000000000", "*"));
	check_same("SELECT * FROM task_levels(13, 'b')", LEVELS("13", "b"));
	check_same("SELECT * FROM task_levels(1, '')", LEVELS("1", ""));
	check_text("SELECT * FROM task_levels(1000, 'c')", "");
	check_error("SELECT * FROM task_levels(0)", "window: a duration above 0");
	check_error("SELECT * FROM task_levels", "argument 'window' is missing");
}
END_TEST

START_TEST(test_errors)
{
	check_text("SELECT * FROM task_sums",
	           "error 11: task_sums: run file: no such table: main.lanes");
	make_tables();
	check_error("SELECT * FROM task_sums(x'00')", "argument 'lanes' is a blob");
}
END_TEST

static Suite *
vtab_tasks_suite(void)
{
	Suite *suite = suite_create("vtab_tasks");
	TCase *tc = tcase_create("vtab");
	tcase_set_timeout(tc, 60);
	tcase_add_unchecked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test_task_sums, 0, 2);
	tcase_add_test(tc, test_odd_tasks);
	tcase_add_test(tc, test_task_levels);
	tcase_add_test(tc, test_errors);
	suite_add_tcase(suite, tc);
	return suite;
}

int
main(void)
{
	return unit_run(vtab_tasks_suite());
}
