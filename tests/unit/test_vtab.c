/*
 * Virtual tables of rows and of sums against plain tables that hold the same random rows.
 */
#include "config.h"

#include "tests/unit/vtab_check.h"

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
    {"SELECT * FROM span_interference('')", "span_interference: argument 'b' is missing"},
    {"SELECT * FROM span_interference('', '', 'rack')",
     "within is host, process or run: not \"rack\""},
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
	struct vtab_source source = {
	    .user = &fixture, .dataset = fixture_dataset, .cancel = fixture_cancel};
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
