/*
 * Table-valued functions other than sums (pages, unions, overlaps, pairs, gaps, idle lanes,
 * flows) against statements over plain tables that hold the same random rows.
 */
#include "config.h"

#include "tests/unit/vtab_check.h"

START_TEST(test_pages)
{
	static const char *const orders[][2] = {
	    {"", "id"},
	    {"-duration", "duration DESC, id"},
	    {"name,-start", "name, start DESC, id"},
	    {"-id", "id DESC"},
	    {"lane,-duration,id", "lane, duration DESC, id"},
	    {"depth,self", "depth, self, id"},
	};
	struct prng prng = {5};
	for (int round = 0; round < 60; round++) {
		size_t k = prng_below(&prng, sizeof(orders) / sizeof(orders[0]));
		const char *filter = PICK(&prng, span_filters);
		int offset = (int)prng_below(&prng, prng_below(&prng, 2) ? 10 : 4000);
		int n = (int)prng_below(&prng, prng_below(&prng, 2) ? 20 : 5000);
		char *sql = sqlite3_mprintf("SELECT id, duration, name, path, size, parent, "
		                            "lane_name FROM span_page(%Q, %Q, %d, %d)",
		                            filter, orders[k][0], offset, n);
		char *plain = sqlite3_mprintf("SELECT id, duration, name, path, size, parent, "
		                              "lane_name FROM plain_span WHERE %s ORDER BY %s "
		                              "LIMIT %d OFFSET %d",
		                              *filter ? filter : "1", orders[k][1], n, offset);
		check_same(sql, plain);
		sqlite3_free(sql);
		sqlite3_free(plain);
	}
	check_same(
	    "SELECT id, json_extract(args, '$.fd') FROM span_page('name = ?1', 'start', 3, 9, "
	    "'read')",
	    "SELECT id, fd FROM plain_span WHERE name = 'read' ORDER BY start, id "
	    "LIMIT 9 OFFSET 3");
	check_same(
	    "SELECT id, time, start, category FROM event_page('', '-start', 0, 10)",
	    "SELECT id, time, time, category FROM plain_event ORDER BY time DESC, id LIMIT 10");
	check_same("SELECT id, value, json_extract(args, '$.fd') FROM counter_page('value > 3', "
	           "'-value', 2, 10)",
	           "SELECT id, value, fd FROM plain_counter WHERE value > 3 "
	           "ORDER BY value DESC, id LIMIT 10 OFFSET 2");
	check_same("SELECT DISTINCT matching FROM span_page('depth = 3', '', 1, 5)",
	           "SELECT count(*) FROM plain_span WHERE depth = 3");
	check_same(
	    "SELECT l.id, p.id FROM plain_lane l, span_page('lane = ?1', '-duration', 0, 2, "
	    "l.id) p WHERE l.id < 3 ORDER BY l.id, p.duration DESC, p.id",
	    "SELECT lane, id FROM (SELECT lane, id, row_number() OVER (PARTITION BY lane "
	    "ORDER BY duration DESC, id) AS nth FROM plain_span) WHERE nth <= 2 AND lane < 3 "
	    "ORDER BY lane, nth");
}
END_TEST

#define OVERLAP_SQL(bucket)                                                                        \
	"SELECT " bucket                                                                           \
	" AS bucket, union_ns(start, a * duration), union_ns(start, b * duration), "               \
	"union_ns(start, a * duration) + union_ns(start, b * duration) - "                         \
	"union_ns(start, max(a, b) * duration), sum(a), sum(b) FROM "                              \
	"(SELECT start, duration, name IN ('read', 'write') AS a, depth > 1 AS b FROM "            \
	"plain_span) "                                                                             \
	"WHERE a OR b GROUP BY 1 ORDER BY 1"

START_TEST(test_busy)
{
	check_same("SELECT name, busy, rows, dur_sum, n, size_n FROM span_busy('name')",
	           "SELECT name, union_ns(start, duration), count(*), sum(duration), sum(calls), "
	           "sum(CASE WHEN size IS NOT NULL THEN calls ELSE 0 END) FROM plain_span GROUP BY "
	           "name ORDER BY "
	           "name");
	check_same(
	    "SELECT host, process, busy, hidden FROM span_busy('host,process', 'name = ?1', NULL, "
	    "'read') ORDER BY 1, 2",
	    "SELECT host, process, union_ns(start, duration), NULL FROM plain_span WHERE name = "
	    "'read' GROUP BY 1, 2 ORDER BY 1, 2");
	check_same("SELECT busy, threads, hidden <= busy FROM span_busy('', '', 'depth = 0')",
	           "SELECT union_ns(start, duration), count(DISTINCT lane), 1 FROM plain_span");
	check_same("SELECT n, busy, hidden, threads FROM span_busy('', 'id < 0', '')",
	           "SELECT 0, 0, 0, 0");
}
END_TEST

START_TEST(test_overlap)
{
	check_same(
	    "SELECT * FROM span_overlap(0, 'name IN (''read'', ''write'')', 'depth > ?1', 1)",
	    OVERLAP_SQL("0"));
	check_same(
	    "SELECT * FROM span_overlap(10000, 'name IN (''read'', ''write'')', 'depth > 1')",
	    OVERLAP_SQL("start / 10000 * 10000"));
	check_same("SELECT * FROM span_overlap('10us', 'name IN (''read'', ''write'')', "
	           "'depth > 1')",
	           OVERLAP_SQL("start / 10000 * 10000"));
	check_same("SELECT sum(a_ns), sum(both_ns) FROM span_overlap(NULL, '', NULL)",
	           "SELECT union_ns(start, duration), union_ns(start, duration) FROM plain_span");
}
END_TEST

START_TEST(test_interference)
{
	check_same("SELECT n, sum_ns FROM span_interference('name = ?1', '', NULL, 0, 'read') "
	           "WHERE level = 0",
	           "SELECT count(*), sum(duration) FROM plain_span WHERE name = 'read' AND "
	           "duration > 0");
	check_same("SELECT lane, n, sum_ns FROM span_interference('', 'id < 0') WHERE level = 3 "
	           "AND slowed IS NULL AND beside_ns = 0 ORDER BY lane",
	           "SELECT lane, count(*), sum(duration) FROM plain_span WHERE duration > 0 "
	           "GROUP BY lane ORDER BY lane");
}
END_TEST

START_TEST(test_pairs)
{
	check_same("SELECT id, lane, name, start, finish, duration, n, partner_start, "
	           "partner_finish FROM span_pairs('name', 'depth > ?1', 'depth = 0', 1) "
	           "ORDER BY id",
	           "SELECT a.id, a.lane, a.name, a.start, a.start + a.duration, a.duration, "
	           "count(b.id), min(b.start), max(b.start + b.duration) FROM plain_span a LEFT "
	           "JOIN plain_span b ON b.name = a.name AND b.depth = 0 WHERE a.depth > 1 GROUP "
	           "BY a.id ORDER BY a.id");
}
END_TEST

#define PAIR_SUMS(columns, by, group)                                                              \
	"SELECT " columns ", n, paired_n, delay_sum, delay_mean, delay_p50, delay_max, "           \
	"queue_mean, inside_sum, partner_sum, gaps, gap_sum, gap_max FROM span_pair_sums('" by     \
	"', '2us', 'name', 'depth > ?1', 'depth = 0', 1) ORDER BY " group,                         \
	    "WITH pairs AS (SELECT *, CASE WHEN start > before THEN start - before END AS gap, "   \
	    "CASE WHEN NOT start > before OR before IS NULL THEN NULL WHEN partner_start > "       \
	    "before THEN 0 WHEN start - before < 2000 THEN 1 ELSE 2 END AS cause FROM "            \
	    "span_pairs('name', 'depth > ?1', 'depth = 0', 1)) "                                   \
	    "SELECT " columns ", count(*), count(partner_start), sum(start - partner_start), "     \
	    "avg(start - partner_start), median(start - partner_start), "                          \
	    "max(start - partner_start), avg(start - partner_finish), sum(inside), "               \
	    "sum(partner_finish - partner_start), count(gap), sum(gap), max(gap) "                 \
	    "FROM pairs GROUP BY " group " ORDER BY " group

START_TEST(test_pair_sums)
{
	check_same(PAIR_SUMS("name", "name", "name"));
	check_same(PAIR_SUMS("lane, cause", "lane,cause", "lane, cause"));
	check_same(PAIR_SUMS("cause, lane, name", "cause,lane,name", "cause, lane, name"));
	check_same("SELECT n, name, lane, cause FROM span_pair_sums('', 0, 'name', 'id < 9', '')",
	           "SELECT 8, NULL, NULL, NULL");
	check_text("SELECT n, paired_n, delay_sum, delay_p50, gap_sum, gap_max FROM "
	           "span_pair_sums('', 0, 'name', 'id = 1', 'id < 0')",
	           "1|0|NULL|NULL|NULL|NULL\n");
	check_text("SELECT * FROM span_pair_sums('name', 0, 'name', 'id < 0', '')", "");
	check_error("SELECT * FROM span_pair_sums('name,host', 0, 'name', '', '')",
	            "span_pair_sums: by: 'host' is none of name, lane, cause");
	check_error("SELECT * FROM span_pair_sums('name', 'soon', 'name', '', '')", "least");
}
END_TEST

/* Gaps as window functions see them; spans with the same start count by their latest end. */
#define GAPS_SQL(condition)                                                                        \
	"WITH spans AS (SELECT id, lane, start, finish, name, duration FROM plain_span "           \
	"WHERE " condition                                                                         \
	"), ends AS (SELECT lane, start, max(max(finish)) OVER (PARTITION BY lane "                \
	"ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before "              \
	"FROM spans GROUP BY lane, start), gaps AS (SELECT lane, before AS start, "                \
	"start AS finish, start - before AS duration FROM ends WHERE start > before) "

START_TEST(test_gaps)
{
	check_same(
	    "SELECT lane, start, finish, duration, before, before_name, after, after_name "
	    "FROM span_gaps('name IN (''read'', ?1)', 900, 50, 'write')",
	    GAPS_SQL("name IN ('read', 'write')") "SELECT g.lane, g.start, g.finish, g.duration, "
						  "b.id, b.name, a.id, a.name "
						  "FROM gaps g JOIN spans b ON b.id = (SELECT id "
						  "FROM spans s WHERE s.lane = "
						  "g.lane AND s.finish = g.start ORDER BY "
						  "s.duration DESC, id LIMIT 1) JOIN spans "
						  "a ON a.id = (SELECT id FROM spans s WHERE "
						  "s.lane = g.lane AND s.start = "
						  "g.finish ORDER BY s.duration DESC, id LIMIT 1) "
						  "WHERE g.duration >= 900 ORDER BY 4 DESC, 1, 2 "
						  "LIMIT 50");
	check_same("SELECT count(*), sum(duration) FROM span_gaps(NULL, NULL, 100000)",
	           GAPS_SQL("1") "SELECT count(*), sum(duration) FROM gaps");
	check_same("SELECT count(before), count(after) FROM span_gaps('', '0.9us', 9)",
	           "SELECT 9, 9");
}
END_TEST

/* The same of several lanes as one, whose first span at an instant is that around a gap. */
#define WITHIN_SQL(by, is_same)                                                                    \
	"WITH work AS (SELECT *, max(finish) OVER (PARTITION BY " by " ORDER BY start, id "        \
	"ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM plain_span WHERE "       \
	"depth = 2 AND name IN ('read', 'seek')) SELECT (SELECT min(lane) FROM plain_span g "      \
	"WHERE " is_same "), w.before, w.start, w.start - w.before, b.id, b.name, b.lane, w.id, "  \
	"w.name, w.lane FROM work w JOIN work b ON b.id = (SELECT min(id) FROM work g WHERE "      \
	"g.finish = w.before AND " is_same ") WHERE w.start > w.before AND w.start - w.before >= " \
	"30 ORDER BY 4 DESC, w.process, w.host, w.start LIMIT 200"

START_TEST(test_gaps_within)
{
#define WITHIN(level)                                                                              \
	"SELECT * FROM span_gaps_within('" level "', 'depth = 2 AND name IN (''read'', ?1)', "     \
	"'0.03us', 200, 'seek')"
	check_same(WITHIN("process"),
	           WITHIN_SQL("host, process", "g.host IS w.host AND g.process IS w.process"));
	check_same(
	    WITHIN("host") " ORDER BY duration DESC, start, lane",
	    "SELECT * FROM (" WITHIN_SQL("host", "g.host IS w.host") ") ORDER BY 4 DESC, 2, 1");
	/* SQLite 3.26 does not take a constant for one partition. */
	check_same(WITHIN("run"),
	           "SELECT * FROM (" WITHIN_SQL("id * 0", "1") ") ORDER BY 4 DESC, 2");
	check_same("SELECT count(*) FROM span_gaps_within('process', '', 0, 0)", "SELECT 0");
	check_error("SELECT * FROM span_gaps_within('lane', '', 0, 1)",
	            "within is process, host or run: not \"lane\"");
	check_error("SELECT * FROM span_gaps_within(NULL, '', 0, 1)", "within is process");
	check_error("SELECT * FROM span_gaps_within('run', '', 0)", "argument 'n' is missing");
}
END_TEST

START_TEST(test_idle)
{
	check_same("SELECT * FROM span_idle('depth < ?1', '1us', 2)",
	           GAPS_SQL("depth < 2") "SELECT s.lane, min(s.start), max(s.finish), count(*), "
	                                 "union_ns(s.start, s.duration), "
	                                 "coalesce((SELECT sum(duration) FROM gaps g WHERE g.lane "
	                                 "= s.lane AND duration >= "
	                                 "1000), 0), (SELECT count(*) FROM gaps g WHERE g.lane = "
	                                 "s.lane AND duration >= 1000), "
	                                 "(SELECT max(duration) FROM gaps g WHERE g.lane = s.lane "
	                                 "AND duration >= 1000), "
	                                 "(SELECT start FROM gaps g WHERE g.lane = s.lane AND "
	                                 "duration >= 1000 ORDER BY "
	                                 "duration DESC, start LIMIT 1) FROM spans s GROUP BY "
	                                 "s.lane ORDER BY s.lane");
	check_same("SELECT lane FROM span_idle('name = ''none''', 0)", "SELECT 1 WHERE 0");
}
END_TEST

/* Flows with a name or none, between spans that may be the same, and some to spans that are not
 * there; dependencies of tasks are none. */
START_TEST(test_span_flows)
{
	const struct dataset *dataset = memory_dataset_get(fixture.memory);
	struct prng prng = {.state = 4};

	execute(sqlite3_mprintf(
	    "CREATE TABLE dependency (id INTEGER PRIMARY KEY, type, from_id, to_id, name)"));
	execute(sqlite3_mprintf("CREATE TABLE plain_text (id INTEGER PRIMARY KEY, text)"));
	check_same("SELECT * FROM span_flows", "SELECT 1 WHERE 0");
	for (uint32_t i = 0; i < dataset->n_texts && i < 3; i++) {
		execute(sqlite3_mprintf("INSERT INTO plain_text VALUES (%u, '%.*q')", i,
		                        (int)dataset->texts[i].len, dataset->texts[i].ptr));
	}
	for (int i = 0; i < 900; i++) {
		execute(sqlite3_mprintf(
		    "INSERT INTO dependency VALUES (NULL, %Q, %d, %d, nullif(%d, 0))",
		    prng_below(&prng, 9) ? "span" : "task", (int)prng_below(&prng, 3700) - 20,
		    (int)prng_below(&prng, i % 2 ? 3700 : 9), (int)prng_below(&prng, 3)));
	}
	check_same("SELECT flow, source, target, n, wait_mean, wait_min, wait_max FROM span_flows "
	           "ORDER BY 1, 2, 3",
	           "SELECT (SELECT text FROM plain_text t WHERE t.id = d.name), a.name, b.name, "
	           "count(*), avg(b.start - a.finish), min(b.start - a.finish), max(b.start - "
	           "a.finish) FROM dependency d JOIN plain_span a ON a.id = d.from_id JOIN "
	           "plain_span b ON b.id = d.to_id WHERE type = 'span' GROUP BY 1, 2, 3 "
	           "ORDER BY 1, 2, 3");
}
END_TEST

/* Arguments from another table: a scan is not done again for the same ones, and any column of
 * theirs tells what was given. */
START_TEST(test_changing_arguments)
{
	fixture.n_scans = 0;
	check_text("SELECT count(*), sum(rows) FROM (VALUES (1.5), (1.5), (2.5), (NULL), (NULL), "
	           "('a'), ('a'), ('b'), ('bc'), (''), (3), (3), (3.0), (4)) v "
	           "CROSS JOIN span_sums('', '', v.column1) s",
	           "14|50400\n");
	ck_assert_int_eq(fixture.n_scans, 10);
	check_text(
	    "SELECT s.filter, s.least, s.n, s.p1, s.p8 FROM (SELECT 'depth = 1' AS f, 5 AS l) "
	    "v CROSS JOIN span_gaps(v.f, v.l, 1, v.f || 'x') s",
	    "depth = 1|5|1|depth = 1x|NULL\n");
	check_text("SELECT s.\"window\", s.a, s.b, s.p2 FROM (SELECT '9s' AS w, 'id = 1' AS a) v "
	           "CROSS JOIN span_overlap(v.w, v.a, '', 1, 0.5) s",
	           "9s|id = 1||0.5\n");
	check_text(
	    "SELECT s.by, s.beside FROM (SELECT '' AS b) v CROSS JOIN span_busy(v.b, v.b, v.b) "
	    "s",
	    "|\n");
	check_text(
	    "SELECT s.filter, s.\"order\", s.offset, s.n, s.p8, s.matching FROM (SELECT 1 AS "
	    "one) v CROSS JOIN span_page('id < 9', '-id', v.one, v.one) s",
	    "id < 9|-id|1|1|NULL|8\n");
	/* conditions on arguments that are no equations are SQLite's own */
	check_text("SELECT rows FROM span_sums('') WHERE p1 IS NULL", "3600\n");
	check_text("SELECT rows FROM span_sums('') WHERE filter > 'a'", "");
	check_text("SELECT count(*) FROM span_sums('') WHERE by >= ''", "1\n");
}
END_TEST

static Suite *
vtab_functions_suite(void)
{
	Suite *suite = suite_create("vtab_functions");
	TCase *tc = tcase_create("vtab");
	tcase_set_timeout(tc, 60);
	tcase_add_unchecked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_pages);
	tcase_add_test(tc, test_busy);
	tcase_add_test(tc, test_overlap);
	tcase_add_test(tc, test_interference);
	tcase_add_test(tc, test_pairs);
	tcase_add_test(tc, test_pair_sums);
	tcase_add_test(tc, test_gaps);
	tcase_add_test(tc, test_gaps_within);
	tcase_add_test(tc, test_idle);
	tcase_add_test(tc, test_span_flows);
	tcase_add_test(tc, test_changing_arguments);
	suite_add_tcase(suite, tc);
	return suite;
}

int
main(void)
{
	return unit_run(vtab_functions_suite());
}
