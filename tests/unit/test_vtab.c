/*
 * Virtual tables against plain tables that hold the same random rows.
 */
#include "config.h"

#include "tests/unit/vtab_fixture.h"

static struct fixture fixture;

static void
setup(void)
{
	fixture_open(&fixture, 20260302);
}

static void
teardown(void)
{
	fixture_close(&fixture);
}

/* Both statements give the same rows, and (unless may_be_empty) some. */
static void
check_same(const char *sql, const char *plain)
{
	char *got = fixture_query(&fixture, sql), *expected = fixture_query(&fixture, plain);
	ck_assert_msg(strncmp(expected, "error", 5) != 0, "%s: %s", plain, expected);
	size_t same = 0;
	while (got[same] && got[same] == expected[same]) {
		same++;
	}
	size_t context = same > 60 ? same - 60 : 0;
	ck_assert_msg(strcmp(got, expected) == 0, "%s\n%s\n... %.160s\nnot ... %.160s", sql, plain,
	              got + context, expected + context);
	free(got);
	free(expected);
}

static void
check_text(const char *sql, const char *expected)
{
	char *got = fixture_query(&fixture, sql);
	ck_assert_msg(strcmp(got, expected) == 0, "%s: %s, not %s", sql, got, expected);
	free(got);
}

static void
check_error(const char *sql, const char *part)
{
	char *got = fixture_query(&fixture, sql);
	ck_assert_msg(strncmp(got, "error 1: ", 9) == 0 && strstr(got, part), "%s: %s, not %s", sql,
	              got, part);
	free(got);
}

/* --- Rows ---------------------------------------------------------------- */

START_TEST(test_all_columns)
{
	check_same(
	    "SELECT id, start, duration, finish, self, depth, parent, lane, lane_name, host, "
	    "process, thread, kind, name, category, path, size, calls, source FROM span",
	    "SELECT id, start, duration, finish, self, depth, parent, lane, lane_name, host, "
	    "process, thread, kind, name, category, path, size, calls, source FROM plain_span "
	    "ORDER BY id");
	check_same("SELECT id, time, lane, lane_name, host, process, thread, kind, name, category, "
	           "source FROM event",
	           "SELECT id, time, lane, lane_name, host, process, thread, kind, name, category, "
	           "source FROM plain_event ORDER BY id");
	check_same("SELECT id, time, lane, lane_name, host, process, thread, kind, name, value, "
	           "source FROM counter",
	           "SELECT id, time, lane, lane_name, host, process, thread, kind, name, value, "
	           "source FROM plain_counter ORDER BY id");
	check_same("SELECT start, rowid FROM event",
	           "SELECT time, id FROM plain_event ORDER BY id");
	check_same("SELECT typeof(process), typeof(thread), typeof(size), typeof(path), "
	           "count(*) FROM span GROUP BY 1, 2, 3, 4",
	           "SELECT typeof(process), typeof(thread), typeof(size), typeof(path), "
	           "count(*) FROM plain_span GROUP BY 1, 2, 3, 4");
	check_same("SELECT id, json_extract(args, '$.fd') FROM span",
	           "SELECT id, fd FROM plain_span ORDER BY id");
	check_same("SELECT json_extract(args, '$.fd'), id FROM counter WHERE id > 7",
	           "SELECT fd, id FROM plain_counter WHERE id > 7 ORDER BY id");
}
END_TEST

/* A value to compare with: near the data, far from it, of the wrong type. */
static void
random_value(struct prng *prng, struct strbuf *out, bool is_text)
{
	static const char *const texts[] = {
	    "'write'",
	    "'POSIX'",
	    "'lane 0.1'",
	    "'twin'",
	    "'node1'",
	    "'none'",
	    "''",
	    "'a''b'",
	    "7",
	    "NULL",
	    "'WRITE' COLLATE NOCASE",
	};
	static const char *const odd[] = {
	    "NULL",
	    "'100'",
	    "'x'",
	    "1e300",
	    "-1e300",
	    "0.5",
	    "9223372036854775807",
	    "-9223372036854775808",
	    "x'01'",
	    "9e999",
	    "100.0",
	    "-1",
	};
	if (is_text) {
		strbuf_add_text(out, PICK(prng, texts));
	} else if (prng_below(prng, 6) == 0) {
		strbuf_add_text(out, PICK(prng, odd));
	} else {
		static const uint64_t bounds[] = {4, 200, 3600, 160000};
		strbuf_printf(out, "%llu%s",
		              (unsigned long long)prng_below(prng, PICK(prng, bounds)),
		              prng_below(prng, 5) ? "" : ".25");
	}
}

static void
random_term(struct prng *prng, struct strbuf *out)
{
	static const char *const numbers[] = {"id",   "start", "duration", "finish", "lane",
	                                      "size", "depth", "self",     "parent", "rowid"};
	static const char *const texts[] = {"name", "category", "lane_name",
	                                    "host", "path",     "kind"};
	static const char *const operators[] = {"=", "<", "<=", ">", ">=", "<>", "IS", "IS NOT"};
	bool is_text = prng_below(prng, 3) == 0;
	const char *column = is_text ? PICK(prng, texts) : PICK(prng, numbers);
	switch (prng_below(prng, 8)) {
	case 0:
		strbuf_printf(out, "%s IN (", column);
		random_value(prng, out, is_text);
		strbuf_add_text(out, ", ");
		random_value(prng, out, is_text);
		strbuf_add_text(out, ")");
		break;
	case 1:
		strbuf_printf(out, "%s BETWEEN ", column);
		random_value(prng, out, is_text);
		strbuf_add_text(out, " AND ");
		random_value(prng, out, is_text);
		break;
	case 2:
		random_value(prng, out, is_text);
		strbuf_printf(out, " >= %s", column);
		break;
	default:
		strbuf_printf(out, "%s %s ", column, PICK(prng, operators));
		random_value(prng, out, is_text);
	}
}

START_TEST(test_random_where)
{
	struct prng prng = {31 + (uint64_t)_i};
	for (int round = 0; round < 150; round++) {
		struct strbuf where = {NULL, 0, 0};
		size_t n = 1 + prng_below(&prng, 4);
		for (size_t i = 0; i < n; i++) {
			strbuf_add_text(&where, i == 0                 ? ""
			                        : prng_below(&prng, 4) ? " AND "
			                                               : " OR ");
			strbuf_add_text(&where, prng_below(&prng, 8) ? "" : "NOT ");
			random_term(&prng, &where);
		}
		static const char *const tails[] = {"id", "id DESC", "start, id", "name, -id"};
		const char *order = PICK(&prng, tails);
		char *sql = sqlite3_mprintf("SELECT id, duration FROM span WHERE %s ORDER BY %s",
		                            where.data, order);
		char *plain = sqlite3_mprintf(
		    "SELECT id, duration FROM plain_span WHERE %s ORDER BY %s", where.data, order);
		check_same(sql, plain);
		sqlite3_free(sql);
		sqlite3_free(plain);
		strbuf_free(&where);
	}
}
END_TEST

/* Joins give the tables values that depend on other rows. */
START_TEST(test_joins)
{
	check_same(
	    "SELECT a.id, b.name FROM span a JOIN span b ON b.id = a.parent WHERE a.id < 400 "
	    "ORDER BY a.id",
	    "SELECT a.id, b.name FROM plain_span a JOIN plain_span b ON b.id = a.parent "
	    "WHERE a.id < 400 ORDER BY a.id");
	check_same("SELECT l.id, count(*) FROM plain_lane l JOIN span s ON s.lane = l.id "
	           "AND s.start >= l.id * 5000 GROUP BY l.id",
	           "SELECT l.id, count(*) FROM plain_lane l JOIN plain_span s ON s.lane = l.id "
	           "AND s.start >= l.id * 5000 GROUP BY l.id");
	check_same("SELECT count(*) FROM event e LEFT JOIN span s ON s.start = e.time "
	           "AND s.name = e.name",
	           "SELECT count(*) FROM plain_event e LEFT JOIN plain_span s ON s.start = e.time "
	           "AND s.name = e.name");
	check_same("SELECT time, value FROM counter WHERE time BETWEEN 1000 AND 9000 AND lane = 2 "
	           "AND name = 'write'",
	           "SELECT time, value FROM plain_counter WHERE time BETWEEN 1000 AND 9000 AND "
	           "lane = 2 AND name = 'write' ORDER BY id");
}
END_TEST

static void
check_plan(const char *sql, const char *part, bool has)
{
	char *explain = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", sql);
	char *plan = fixture_query(&fixture, explain);
	ck_assert_msg((strstr(plan, part) != NULL) == has, "%s: %s", sql, plan);
	sqlite3_free(explain);
	free(plan);
}

START_TEST(test_plans)
{
	/* Letters: A id, B start, D finish, C duration, H lane, N name; then the comparison. */
	check_plan("SELECT name FROM span WHERE id = 7", ":A=", true);
	check_plan("SELECT name FROM span WHERE rowid >= 7", ":AG", true);
	check_plan("SELECT id FROM span WHERE start >= 1 AND start < 9 AND finish > 3", ":BGB<D>",
	           true);
	check_plan("SELECT id FROM span WHERE duration > 9", ":C>", true);
	check_plan("SELECT id FROM span WHERE lane = 2 AND name = 'write'", ":H=N=", true);
	check_plan("SELECT time FROM event WHERE time > 2", ":B>", true);
	check_plan("SELECT id FROM span WHERE name = 'x' COLLATE NOCASE", "N=", false);
	if (sqlite3_libversion_number() >= 3040000) { /* older ones do not ask for another plan */
		check_plan("SELECT id FROM span WHERE name IN ('a', 'b', 'c')", "N=", false);
	}
	check_plan("SELECT id FROM span ORDER BY id", "B-TREE", false);
	check_plan("SELECT id FROM span ORDER BY id DESC", "B-TREE", true);
	check_plan("SELECT id FROM span ORDER BY start", "B-TREE", true);
	check_plan("SELECT max(dur_sum) FROM span_sums('name')", "B-TREE", false);
}
END_TEST

/* --- Sums ---------------------------------------------------------------- */

struct dimension_case {
	const char *by, *column, *plain; /* plain: the expression over the plain table */
};
static const struct dimension_case span_dimensions[] = {
    {"name", "name", "name"},
    {"category", "category", "category"},
    {"path", "path", "path"},
    {"basename", "basename", "basename(path)"},
    {"dirname", "dirname", "dirname(path)"},
    {"class", "class", "(SELECT class FROM span WHERE span.id = plain_span.id)"},
    {"pattern(''[0-9]+'', ''#'')", "pattern", "regexp_replace(basename(path), '[0-9]+', '#')"},
    {"size", "size", "size"},
    {"duration", "duration", "duration"},
    {"self", "self", "self"},
    {"depth", "depth", "depth"},
    {"calls", "calls", "calls"},
    {"lane", "lane", "lane"},
    {"lane_name", "lane_name", "lane_name"},
    {"host", "host", "host"},
    {"process", "process", "process"},
    {"thread", "thread", "thread"},
    {"kind", "kind", "kind"},
    {"start(10000)", "start", "start / 10000 * 10000"},
    {"arg.fd", "arg1", "fd"},
};
static const char *const span_filters[] = {
    "",
    "duration > 100",
    "name = 'write'",
    "name IN ('read', 'open') OR depth = 1",
    "path LIKE '%npy' AND size IS NOT NULL",
    "NOT (category = 'POSIX')",
    "start >= 50000 AND lane <> 2",
    "name = 'nothing'",
};

#define MEASURES_OF(prefix)                                                                        \
	prefix "_sum, " prefix "_min, " prefix "_max, " prefix "_p25, " prefix "_p50, " prefix     \
	       "_p75, " prefix "_p90, " prefix "_p95, " prefix "_p99"
#define SQUARES_OF(prefix) "hex(" prefix "_sumsq), round(" prefix "_std, 9)"
#define PLAIN_SQUARES_OF(x)                                                                        \
	"printf('%032X', ifnull(sum(" x " * " x "), 0)), round(stddev(" x "), 9)"
#define PLAIN_OF(x)                                                                                \
	"ifnull(sum(" x "), 0), min(" x "), max(" x "), quantile(" x ", 0.25), median(" x          \
	"), quantile(" x ", 0.75), quantile(" x ", 0.9), quantile(" x ", 0.95), quantile(" x       \
	", 0.99)"

#define ALL_OF(prefix) MEASURES_OF(prefix) ", " SQUARES_OF(prefix)
#define PLAIN_ALL_OF(x) PLAIN_OF(x) ", " PLAIN_SQUARES_OF(x)
static const char *const span_measures[] = {ALL_OF("dur"), ALL_OF("self"), ALL_OF("size")};
static const char *const plain_measures[] = {PLAIN_ALL_OF("duration"), PLAIN_ALL_OF("self"),
                                             PLAIN_ALL_OF("size")};

static void
check_sums(struct prng *prng)
{
	struct strbuf by = {NULL, 0, 0}, columns = {NULL, 0, 0}, plain = {NULL, 0, 0};
	unsigned used = 0;
	size_t n = prng_below(prng, 4);
	strbuf_add(&by, "", 0);
	for (size_t i = 0; i < n; i++) {
		size_t k = prng_below(prng, sizeof(span_dimensions) / sizeof(span_dimensions[0]));
		if (used >> k & 1) {
			continue;
		}
		used |= 1u << k;
		strbuf_printf(&by, "%s%s", by.len ? ", " : "", span_dimensions[k].by);
		strbuf_printf(&columns, "%s, ", span_dimensions[k].column);
		strbuf_printf(&plain, "%s, ", span_dimensions[k].plain);
	}
	const char *of_calls = PICK(prng, span_filters);
	char *filter =
	    sqlite3_mprintf("(%s) AND name <> '" FIXTURE_MANY "'", *of_calls ? of_calls : "id > 0");
	int n_keys = 0;
	for (unsigned bits = used; bits; bits &= bits - 1) {
		n_keys++;
	}
	struct strbuf group = {NULL, 0, 0};
	for (int i = 1; i <= n_keys; i++) {
		strbuf_printf(&group, "%s%d", i == 1 ? "GROUP BY " : ", ", i);
	}
	char *sql = sqlite3_mprintf(
	    "SELECT %s n, rows, start_min, finish_max, %s, %s, size_n, %s FROM span_sums('%s', %Q)",
	    columns.data ? columns.data : "", span_measures[0], span_measures[1], span_measures[2],
	    by.data ? by.data : "", filter);
	char *reference = sqlite3_mprintf(
	    "SELECT %s ifnull(sum(calls), 0), count(*), min(start), max(finish), %s, %s, "
	    "count(size), %s FROM plain_span WHERE %s %s",
	    plain.data ? plain.data : "", plain_measures[0], plain_measures[1], plain_measures[2],
	    filter, group.data ? group.data : "");
	check_same(sql, reference);
	sqlite3_free(filter);
	sqlite3_free(sql);
	sqlite3_free(reference);
	strbuf_free(&by);
	strbuf_free(&columns);
	strbuf_free(&plain);
	strbuf_free(&group);
}

START_TEST(test_random_sums)
{
	struct prng prng = {77};
	for (int round = 0; round < 120; round++) {
		check_sums(&prng);
	}
}
END_TEST

START_TEST(test_other_sums)
{
	check_same(
	    "SELECT category, host, n, rows, start_min, finish_max FROM "
	    "event_sums('category,host', 'name <> ?1', 'read')",
	    "SELECT category, host, count(*), count(*), min(time), max(time) FROM plain_event "
	    "WHERE name <> 'read' GROUP BY 1, 2");
	check_same(
	    "SELECT name, n, value_n, " MEASURES_OF(
		"value") ", round(value_std, 6), "
			 "round(value_devsq) FROM counter_sums('name')",
	    "SELECT name, count(*), count(*), " PLAIN_OF(
		"value") ", round(stddev(value), 6), "
			 "round(variance(value) * (count(*) - 1)) FROM plain_counter GROUP BY 1");
	check_same("SELECT start, value_max FROM counter_sums('start(?2)', 'value > ?1', 50, 5000)",
	           "SELECT time / 5000 * 5000, max(value) FROM plain_counter WHERE value > 50 "
	           "GROUP BY 1");
}
END_TEST

/* Only the columns that are read are computed; the others must not change for that. */
START_TEST(test_single_columns)
{
	static const char *const pairs[][2] = {
	    {"dur_p99", "quantile(duration, 0.99)"},
	    {"size_p25", "quantile(size, 0.25)"},
	    {"size_min", "min(size)"},
	    {"hex(size_sumsq)", "printf('%032X', sum(size * size))"},
	    {"round(self_std, 9)", "round(stddev(self), 9)"},
	    {"self_max", "max(self)"},
	    {"n", "sum(calls)"},
	    {"finish_max", "max(finish)"},
	    {"self_p50, dur_min", "median(self), min(duration)"},
	};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		char *sql = sqlite3_mprintf(
		    "SELECT name, %s FROM span_sums('name', 'name <> \"" FIXTURE_MANY "\"')",
		    pairs[i][0]);
		char *plain = sqlite3_mprintf("SELECT name, %s FROM plain_span WHERE name <> "
		                              "'" FIXTURE_MANY "' GROUP BY name",
		                              pairs[i][1]);
		check_same(sql, plain);
		sqlite3_free(sql);
		sqlite3_free(plain);
	}
}
END_TEST

/* Of records that stand for many calls the sums are there, but no distribution. */
START_TEST(test_sums_of_many)
{
	check_same(
	    "SELECT n, rows, summed, dur_sum, dur_min IS NULL, dur_sumsq IS NULL, dur_p50 IS "
	    "NULL, self_sum, size_n, size_sum, size_p99 IS NULL FROM span_sums('', 'name = "
	    "\"" FIXTURE_MANY "\"')",
	    "SELECT sum(calls), count(*), sum(CASE WHEN calls > 1 THEN calls ELSE 0 END), "
	    "sum(duration), 1, 1, 1, sum(CASE WHEN calls > 1 THEN duration ELSE self END), "
	    "sum(CASE WHEN size IS NULL THEN 0 ELSE calls END), sum(size), 1 FROM plain_span "
	    "WHERE name = '" FIXTURE_MANY "'");
	check_same(
	    "SELECT size, n, summed FROM span_sums('size', 'name = \"" FIXTURE_MANY "\"')",
	    "SELECT CASE calls WHEN 1 THEN size END, sum(calls), sum(calls) - sum(calls = 1) "
	    "FROM plain_span WHERE name = '" FIXTURE_MANY "' GROUP BY 1");
}
END_TEST

START_TEST(test_sums_arguments)
{
	check_same("SELECT dur_sum FROM span_sums WHERE by = '' AND filter = 'depth = 2'",
	           "SELECT sum(duration) FROM plain_span WHERE depth = 2");
	check_same("SELECT rows FROM span_sums('', NULL)", "SELECT count(*) FROM plain_span");
	check_same("SELECT rows FROM span_sums('', 'name = ?1 AND size > ?2 AND duration >= ?8', "
	           "'write', 1000, NULL, NULL, NULL, NULL, NULL, 20.5)",
	           "SELECT count(*) FROM plain_span WHERE name = 'write' AND size > 1000 AND "
	           "duration >= 20.5");
	check_text("SELECT rows, by, filter, p1, p2 FROM span_sums('', 'id < ?1', 4)",
	           "3||id < ?1|4|NULL\n");
	/* A condition on the result means HAVING. */
	check_same("SELECT name FROM span_sums('name') WHERE n > 600 ORDER BY n",
	           "SELECT name FROM plain_span GROUP BY name HAVING sum(calls) > 600 "
	           "ORDER BY sum(calls)");
	/* Nothing matches. */
	check_text("SELECT n, rows, start_min, finish_max, dur_sum, dur_min, hex(dur_sumsq), "
	           "dur_std, dur_p50, "
	           "size_n, size_sum, size_max FROM span_sums('', 'name = ''none''')",
	           "0|0|NULL|NULL|0|NULL|00000000000000000000000000000000|NULL|NULL|0|0|NULL\n");
	check_text("SELECT count(*) FROM span_sums('name', 'name = ''none''')", "0\n");
	/* An IN list asks once for each. */
	check_text("SELECT count(*), sum(rows) FROM span_sums WHERE by IN ('', 'kind')",
	           "3|7200\n");
	/* Twice the same argument. */
	check_text("SELECT count(*) FROM span_sums('kind') WHERE by = 'kind'", "2\n");
	check_text("SELECT count(*) FROM span_sums('kind') WHERE by = 'name'", "0\n");
}
END_TEST

/* Arguments from other tables, and how often the run is scanned. */
START_TEST(test_correlated)
{
	check_same("SELECT f.name, s.rows FROM (SELECT DISTINCT name FROM plain_span) f, "
	           "span_sums('', 'name = ?1', f.name) s ORDER BY 1",
	           "SELECT name, count(*) FROM plain_span GROUP BY name");
	check_same("SELECT (SELECT rows FROM span_sums('', 'lane = ?1', l.id)) FROM plain_lane l "
	           "WHERE l.id < 3 ORDER BY l.id",
	           "SELECT count(*) FROM plain_span WHERE lane < 3 GROUP BY lane");
	fixture.n_scans = 0;
	check_same(
	    "SELECT l.name, s.rows FROM plain_lane l JOIN span_sums('lane') s ON s.lane = l.id "
	    "ORDER BY l.id",
	    "SELECT lane_name, count(*) FROM plain_span GROUP BY lane ORDER BY lane");
	ck_assert_int_le(fixture.n_scans, 1);
	fixture.n_scans = 0;
	check_same("SELECT l.id, s.rows FROM plain_lane l LEFT JOIN span_sums('lane') s "
	           "ON s.lane = l.id ORDER BY l.id",
	           "SELECT lane, count(*) FROM plain_span GROUP BY lane ORDER BY lane");
	ck_assert_int_le(fixture.n_scans, 1);
}
END_TEST

static const struct {
	const char *sql, *part;
} refused[] = {
    {"SELECT n FROM span_sums", "span_sums: argument 'by' is missing: span_sums(by"},
    {"SELECT n FROM span_sums WHERE filter = ''", "argument 'by' is missing"},
    {"SELECT n FROM span_sums(NULL)", "span_sums: 'by' is NULL"},
    {"SELECT n FROM event_sums(x'00')", "event_sums: argument 'by' is a blob"},
    {"SELECT n FROM span_sums('name' || char(0))", "holds a NUL"},
    {"SELECT n FROM span_sums('', '', x'00')", "argument 'p1' is a blob"},
    {"SELECT n FROM span_sums('nonsense')", "nonsense"},
    {"SELECT n FROM span_sums('', 'nonsense = 1')", "nonsense"},
    {"SELECT n FROM span_sums('', 'name = ')", "span_sums: "},
    {"SELECT name FROM span_sums('lane')", "span_sums: column name is not in by 'lane'"},
    {"SELECT * FROM span_sums('name')", "span_sums: column category is not in by 'name'"},
    {"SELECT arg2 FROM span_sums('arg.fd')", "column arg2 is not in by 'arg.fd'"},
    {"SELECT n FROM span_sums('name') WHERE host = 'x'", "column host is not in by 'name'"},
    {"SELECT count(*) FROM span_page", "span_page: argument 'filter' is missing"},
    {"SELECT count(*) FROM span_page('')", "span_page: argument 'order' is missing"},
    {"SELECT count(*) FROM span_page('', '', 0)", "argument 'n' is missing"},
    {"SELECT count(*) FROM span_page('', '', 0, 'x')", "span_page: argument 'n' is not an integer"},
    {"SELECT count(*) FROM span_page('', '', NULL, 1)", "argument 'offset' is not an integer"},
    {"SELECT count(*) FROM span_page('', '', -1, 1)", "can't be negative"},
    {"SELECT count(*) FROM span_page('', 'nonsense', 0, 1)", "nonsense"},
    {"SELECT * FROM span_overlap(1)", "span_overlap: argument 'a' is missing"},
    {"SELECT * FROM span_busy", "span_busy: argument 'by' is missing"},
    {"SELECT * FROM span_busy(NULL)", "'by' is NULL"},
    {"SELECT * FROM span_busy('time(1s)')", "busy time goes by start(WIDTH)"},
    {"SELECT host FROM span_busy('name')", "span_busy: column host is not in by 'name'"},
    {"SELECT hidden FROM span_busy('', '', 'nonsense = 1')", "beside: filter, character 1"},
    {"SELECT * FROM span_pairs('name', '')", "span_pairs: argument 'partners' is missing"},
    {"SELECT * FROM span_pairs('name,lane', '', '')", "key: one dimension"},
    {"SELECT * FROM span_overlap('soon', '', '')", "window 'soon' is no duration"},
    {"SELECT * FROM span_overlap(1.5, '', '')", "window '1.5' is no duration"},
    {"SELECT * FROM span_gaps('', 0)", "span_gaps: argument 'n' is missing: span_gaps(filter"},
    {"SELECT * FROM span_gaps('nonsense = 1', 0, 1)", "nonsense"},
    {"SELECT * FROM span_gaps('', 'soon', 1)", "least 'soon' is no duration"},
    {"SELECT * FROM span_gaps('', 0, -1)", "span_gaps: n can't be negative"},
    {"SELECT * FROM span_idle('')", "span_idle: argument 'least' is missing"},
    {"SELECT * FROM span_idle('', x'00')", "argument 'least' is a blob"},
    {"CREATE VIRTUAL TABLE s USING span", "no such module"},
};

START_TEST(test_refused)
{
	check_error(refused[_i].sql, refused[_i].part);
}
END_TEST

/* After an error the same table answers again. */
START_TEST(test_recovers)
{
	sqlite3_stmt *stmt;
	ck_assert_int_eq(
	    sqlite3_prepare_v2(fixture.db, "SELECT rows FROM span_sums(?1, ?2)", -1, &stmt, NULL),
	    SQLITE_OK);
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ERROR);
		sqlite3_reset(stmt);
		sqlite3_bind_text(stmt, 1, "", -1, SQLITE_STATIC);
		sqlite3_bind_null(stmt, 2);
		ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
		ck_assert_int_eq(sqlite3_column_int(stmt, 0), 3600);
		sqlite3_reset(stmt);
		sqlite3_bind_text(stmt, 2, "depth =", -1, SQLITE_STATIC);
	}
	sqlite3_finalize(stmt);
}
END_TEST

START_TEST(test_cancel)
{
	struct cancel cancel = {true};
	fixture.cancel = &cancel;
	char *got = fixture_query(&fixture, "SELECT n FROM span_sums('name')");
	ck_assert_msg(strncmp(got, "error 9:", 8) == 0, "%s", got); /* SQLITE_INTERRUPT */
	free(got);
	fixture.cancel = NULL;
	check_text("SELECT rows FROM span_sums('')", "3600\n");
}
END_TEST

/* --- Pages and overlaps -------------------------------------------------- */

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

/* Records of three pools and of none, in order of time (0) or not, often several of one time. */
START_TEST(test_capacity_state)
{
	struct prng prng = {.state = 8};
	char *message = NULL;
	sqlite3_exec(fixture.db,
	             "CREATE TABLE capacity (id INTEGER PRIMARY KEY, source, time, pool, nodes)",
	             NULL, NULL, &message);
	ck_assert_ptr_null(message);
	check_same("SELECT * FROM capacity_state", "SELECT 1 WHERE 0");
	for (int i = 0; i < 400; i++) {
		int pool = (int)prng_below(&prng, 4), time = (int)prng_below(&prng, 90);
		pool = _i == 0 ? i / 100 : pool;
		time = _i == 0 ? i % 100 / 2 - 20 : time;
		char *sql = sqlite3_mprintf(
		    "INSERT INTO capacity VALUES (NULL, %d, %d, nullif(%d, 0), %d)",
		    (int)prng_below(&prng, 9), time, pool, (int)prng_below(&prng, 4));
		sqlite3_exec(fixture.db, sql, NULL, NULL, &message);
		ck_assert_ptr_null(message);
		sqlite3_free(sql);
	}
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

/* --- Registration -------------------------------------------------------- */

/* Registered again while a statement of the first tables runs: both sources live as long as they
 * are needed. */
START_TEST(test_registered_twice)
{
	sqlite3_stmt *stmt;
	ck_assert_int_eq(sqlite3_prepare_v2(fixture.db, "SELECT id FROM span", -1, &stmt, NULL),
	                 SQLITE_OK);
	ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
	struct err err = ERR_INIT;
	struct vtab_source source = {&fixture, fixture_dataset, fixture_cancel, NULL};
	ck_assert_int_eq(vtab_register(fixture.db, &source, &err), 0);
	int n = 1;
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		n++;
	}
	ck_assert_int_eq(n, 3600);
	sqlite3_finalize(stmt);
	check_text("SELECT rows FROM span_sums('')", "3600\n");
}
END_TEST

START_TEST(test_innocuous)
{
	if (sqlite3_libversion_number() >= 3031000) {
		fixture_run(&fixture, "CREATE VIEW v AS SELECT count(*) AS n FROM span;"
		                      "PRAGMA trusted_schema = 0");
		check_text("SELECT n FROM v", "3600\n");
	}
}
END_TEST

static Suite *
vtab_suite(void)
{
	Suite *suite = suite_create("vtab");
	TCase *tc = tcase_create("vtab");
	tcase_set_timeout(tc, 60);
	tcase_add_unchecked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_all_columns);
	tcase_add_loop_test(tc, test_random_where, 0, 4);
	tcase_add_test(tc, test_joins);
	tcase_add_test(tc, test_plans);
	tcase_add_test(tc, test_random_sums);
	tcase_add_test(tc, test_other_sums);
	tcase_add_test(tc, test_single_columns);
	tcase_add_test(tc, test_sums_of_many);
	tcase_add_test(tc, test_sums_arguments);
	tcase_add_test(tc, test_correlated);
	tcase_add_loop_test(tc, test_refused, 0, sizeof(refused) / sizeof(refused[0]));
	tcase_add_test(tc, test_recovers);
	tcase_add_test(tc, test_cancel);
	tcase_add_test(tc, test_pages);
	tcase_add_test(tc, test_busy);
	tcase_add_test(tc, test_overlap);
	tcase_add_test(tc, test_pairs);
	tcase_add_test(tc, test_gaps);
	tcase_add_test(tc, test_idle);
	tcase_add_loop_test(tc, test_capacity_state, 0, 2);
	tcase_add_test(tc, test_registered_twice);
	tcase_add_test(tc, test_innocuous);
	suite_add_tcase(suite, tc);
	return suite;
}

int
main(void)
{
	return unit_run(vtab_suite());
}
