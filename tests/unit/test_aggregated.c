/*
 * Records that stand for many calls: random plain traces, and the same with the calls of each
 * process, thread and name summed by interval, tell the same where a sum can, and nothing where it
 * can't.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "ingest/ingest.h"
#include "ingest_folder.h"
#include "run_answers.h"
#include "util/prng.h"

#define PROCESSES 3u
#define THREADS 2u
#define INTERVALS 12u
#define INTERVAL_US 100000u
#define INTERVAL_NS ((int64_t)INTERVAL_US * 1000)
#define CALLS 900u
#define BEGIN_US UINT64_C(1785104600000000)

static const char *const names[] = {"read", "write", "openat"};
#define NAMES 3u

struct sum {
	uint64_t n, sum, min, max, bytes, least, most;
};

struct traces {
	struct strbuf plain, parts[2]; /* parts: what is aggregated, in two files */
	struct sum sums[PROCESSES][THREADS][NAMES][INTERVALS];
};

static void
add_sum(struct sum *sum, uint64_t duration, uint64_t bytes)
{
	sum->sum += duration;
	sum->bytes += bytes;
	sum->min = sum->n == 0 || duration < sum->min ? duration : sum->min;
	sum->max = duration > sum->max ? duration : sum->max;
	sum->least = sum->n == 0 || bytes < sum->least ? bytes : sum->least;
	sum->most = bytes > sum->most ? bytes : sum->most;
	sum->n++;
}

static void
add_call(struct strbuf *out, unsigned process, unsigned thread, const char *name, uint64_t start,
         uint64_t duration, uint64_t bytes)
{
	strbuf_printf(
	    out,
	    "{\"name\":\"%s\",\"cat\":\"POSIX\",\"ph\":1,\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64
	    ",\"dur\":%" PRIu64 ",\"args\":{\"ret\":%" PRIu64 "}}\n",
	    name, process, thread, start, duration, bytes);
}

static void
add_field(struct strbuf *out, const char *name, uint64_t n, uint64_t sum, uint64_t min,
          uint64_t max)
{
	if (n == 1 || min == max) {
		strbuf_printf(out, ",\"%s\":%" PRIu64, name, min);
	} else {
		strbuf_printf(out,
		              ",\"%s_sum\":%" PRIu64 ",\"%s_min\":%" PRIu64 ",\"%s_max\":%" PRIu64,
		              name, sum, name, min, name, max);
	}
}

static void
add_record(struct strbuf *out, unsigned process, unsigned thread, unsigned name, unsigned interval,
           const struct sum *sum)
{
	strbuf_printf(
	    out,
	    "{\"name\":\"%s\",\"cat\":\"POSIX\",\"ph\":3,\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64
	    ",\"args\":{\"dft_cnt\":%" PRIu64,
	    names[name], process, thread, BEGIN_US + (uint64_t)interval * INTERVAL_US, sum->n);
	add_field(out, "dur", sum->n, sum->sum, sum->min, sum->max);
	add_field(out, "ret", sum->n, sum->bytes, sum->least, sum->most);
	strbuf_add_text(out, "}}\n");
}

/* The last process stays as it is where is_mixed. */
static void
make_traces(struct traces *traces, struct prng *prng, bool is_mixed)
{
	for (unsigned i = 0; i < CALLS; i++) {
		unsigned process = (unsigned)prng_below(prng, PROCESSES);
		unsigned thread = (unsigned)prng_below(prng, THREADS);
		unsigned name = prng_below(prng, 40) ? (unsigned)prng_below(prng, 2) : 2;
		unsigned interval = (unsigned)prng_below(prng, INTERVALS);
		uint64_t from = prng_below(prng, INTERVAL_US - 2000);
		uint64_t duration = 1 + prng_below(prng, 2000), bytes = 1 + prng_below(prng, 9999);
		uint64_t start = BEGIN_US + (uint64_t)interval * INTERVAL_US + from;
		add_call(&traces->plain, process, thread, names[name], start, duration, bytes);
		if (is_mixed && process == PROCESSES - 1) {
			add_call(&traces->parts[0], process, thread, names[name], start, duration,
			         bytes);
		} else {
			add_sum(&traces->sums[process][thread][name][interval], duration, bytes);
		}
	}
	for (unsigned i = 0; i < PROCESSES * THREADS * NAMES * INTERVALS; i++) {
		unsigned interval = i % INTERVALS, name = i / INTERVALS % NAMES,
			 thread = i / INTERVALS / NAMES % THREADS,
			 process = i / INTERVALS / NAMES / THREADS;
		const struct sum *sum = &traces->sums[process][thread][name][interval];
		if (sum->n > 0) { /* by turns, so that no file has all of a process's grid */
			add_record(&traces->parts[interval % 2], process, thread, name, interval,
			           sum);
		}
	}
}

static struct store *
import_files(const char *const *files, unsigned n, const char *out, unsigned n_threads)
{
	struct err err = ERR_INIT;
	const char *paths[2] = {files[0], n > 1 ? files[1] : NULL};
	struct ingest_plan plan = {
	    .format = "dftracer", .name = "run", .out_path = out, .paths = paths, .n_paths = n};
	struct ingest_options options = {.n_threads = n_threads};
	int status = ingest_run(&plan, &options, NULL, NULL, &err);
	ck_assert_msg(status == 0, "%s", err.message);
	return open_run(out);
}

static void
expect_same(struct store *a, struct store *b, const char *sql)
{
	char *rows = query(a, sql);
	expect(b, sql, rows);
	free(rows);
}

static int64_t
number(struct store *store, const char *sql)
{
	char *text = query(store, sql);
	int64_t value = strtoll(text, NULL, 10);
	free(text);
	return value;
}

/* A row for each lane of a process and thread, in one order: what its spans cover, and when they
 * begin and end. */
#define BUSY                                                                                       \
	"SELECT busy FROM span_busy('process,thread') ORDER BY CAST(process AS INTEGER), "         \
	"CAST(thread AS INTEGER)"
#define IDLE                                                                                       \
	"SELECT sum(busy), min(start), max(finish), sum(gaps) FROM span_idle('', 0) i JOIN lanes " \
	"l ON "                                                                                    \
	"l.id = i.lane GROUP BY l.process, l.thread ORDER BY CAST(l.process AS INTEGER), "         \
	"CAST(l.thread AS INTEGER)"
/* A call that an interval holds alone is a call, but stands where the interval begins: a plain
 * figure may exceed by it. */
#define MOVED                                                                                      \
	"SELECT ifnull(sum(CASE WHEN kind = 'thread' THEN duration END), 0) "                      \
	"FROM "                                                                                    \
	"span GROUP BY process, thread ORDER BY CAST(process AS INTEGER), CAST(thread AS INTEGER)"

/* Of a text of rows, one number a line. */
static size_t
numbers(struct store *store, const char *sql, int64_t *values, size_t limit)
{
	char *text = query(store, sql);
	size_t n = 0;

	for (char *at = text; *at && n < limit; at += strcspn(at, "\n") + 1) {
		values[n++] = strtoll(at, NULL, 10);
	}
	free(text);
	return n;
}

/* How many intervals each lane has calls in: what its intervals can cover at most. */
static void
lane_intervals(const struct traces *traces, bool is_mixed, int64_t ns[PROCESSES * THREADS])
{
	for (unsigned lane = 0; lane < PROCESSES * THREADS; lane++) {
		ns[lane] = 0;
		for (unsigned interval = 0; interval < INTERVALS; interval++) {
			uint64_t n = 0;
			for (unsigned name = 0; name < NAMES; name++) {
				n += traces->sums[lane / THREADS][lane % THREADS][name][interval].n;
			}
			ns[lane] += n > 0 ? INTERVAL_NS : 0;
		}
		ck_assert(!is_mixed || lane / THREADS < PROCESSES - 1 || ns[lane] == 0);
	}
}

/*
 * Each lane alone: what covers it is at least what its calls cover, and exceeds that by at most the
 * rest of each interval it reports; a lane without records is as it was.
 */
static void
check_lanes(const struct traces *traces, struct store *plain, struct store *summed, bool is_mixed)
{
	enum { LANES = PROCESSES * THREADS };
	int64_t a[LANES], b[LANES], by_idle[LANES], moved[LANES], intervals[LANES];

	ck_assert_uint_eq(numbers(plain, BUSY, a, LANES), LANES);
	ck_assert_uint_eq(numbers(summed, BUSY, b, LANES), LANES);
	ck_assert_uint_eq(numbers(summed, IDLE, by_idle, LANES), LANES);
	ck_assert_uint_eq(numbers(summed, MOVED, moved, LANES), LANES);
	lane_intervals(traces, is_mixed, intervals);
	for (unsigned lane = 0; lane < LANES; lane++) {
		if (intervals[lane] == 0) {
			ck_assert_int_eq(by_idle[lane], b[lane]);
			ck_assert_int_eq(b[lane], a[lane]);
		} else {
			ck_assert_int_ge(by_idle[lane], b[lane]);
			ck_assert_int_le(by_idle[lane], b[lane] + moved[lane]);
			ck_assert_int_ge(b[lane] + moved[lane], a[lane]);
			ck_assert_int_le(b[lane], intervals[lane]);
			ck_assert_int_le(b[lane], a[lane] + intervals[lane]);
		}
	}
}

/* As explanations and their gate see it; bound by what is told only where it is. */
static int64_t
makespan(struct store *store)
{
	struct err err = ERR_INIT;
	struct schedule *schedule = schedule_read(store, NULL, &err);
	ck_assert_msg(schedule != NULL, "%s", err.message);
	int64_t ns = explain_makespan_ns(schedule), ran = explain_ran_ns(schedule);
	ck_assert_int_ge(ns, ran);
	ck_assert_int_eq(*explain_bound(schedule) != 0, ns > ran);
	ck_assert_int_eq(schedule->summed.calls,
	                 number(store, "SELECT sum(calls) FROM span WHERE kind = 'aggregate'"));
	ck_assert_int_eq(schedule->summed.calls_ns,
	                 number(store, "SELECT sum(ifnull(call_sum, duration)) FROM span WHERE "
	                               "kind = 'aggregate'"));
	schedule_free(schedule);
	return ns;
}

/* The run: as long as the plain one, or longer by less than the interval in which each end
 * falls. */
static void
check_bounds(const struct traces *traces, struct store *plain, struct store *summed, bool is_mixed)
{
	int64_t a = number(plain, "SELECT duration_ns FROM run"),
		b = number(summed, "SELECT duration_ns FROM run");

	ck_assert_msg(b >= a && b < a + 2 * INTERVAL_NS, "%" PRId64 ", not %" PRId64, b, a);
	check_lanes(traces, plain, summed, is_mixed);
	ck_assert_int_eq(makespan(plain), a);
	ck_assert_int_eq(makespan(summed), b);
	expect(summed,
	       "SELECT count(*) FROM span WHERE calls > 1 AND (duration <> 100000000 OR "
	       "call_sum > duration)",
	       "0\n");
}

/* What a condition on calls takes of records is right, and with what it leaves out there is no less
 * than of plain calls. */
static void
check_condition(struct store *plain, struct store *summed, const char *condition)
{
	const struct store_census *censuses;
	struct strbuf sql = {NULL, 0, 0};

	strbuf_printf(&sql, "SELECT n FROM span_sums('', '%s')", condition);
	store_forget_censuses(summed);
	int64_t all = number(plain, sql.data), taken = number(summed, sql.data), in_records = 0;
	ck_assert_uint_eq(store_censuses(summed, &censuses), 1);
	int64_t left_out = censuses[0].census.left_out_calls;
	ck_assert_int_eq(left_out == 0, censuses[0].census.left_out_records == 0);
	ck_assert_msg(taken <= all && all <= taken + left_out,
	              "%s: %" PRId64 " calls, with %" PRId64 " left out; plain %" PRId64, condition,
	              taken, left_out, all);
	strbuf_clear(&sql);
	strbuf_printf(&sql, "SELECT summed FROM span_sums('', '%s')", condition);
	in_records = number(summed, sql.data);
	ck_assert_int_eq(in_records, censuses[0].census.calls);
	strbuf_free(&sql);
}

static void
check_conditions(struct store *plain, struct store *summed, struct prng *prng)
{
	static const char *const columns[] = {"duration", "self", "size"};
	static const char *const operators[] = {"=", "<>", "<", "<=", ">", ">="};
	char text[200];

	for (unsigned i = 0; i < 60; i++) {
		unsigned c = (unsigned)prng_below(prng, 3);
		uint64_t bound =
		    prng_below(prng, 10) == 0 ? prng_below(prng, 3) : prng_below(prng, 10000);
		bound *= c == 2 ? 1 : 250;
		(void)snprintf(text, sizeof(text), "%s%s %s %" PRIu64 "%s",
		               prng_below(prng, 3) ? "" : "NOT ", columns[c],
		               operators[prng_below(prng, 6)], bound,
		               i % 3 == 0   ? " AND name = \"read\""
		               : i % 3 == 1 ? " OR process = 1"
		                            : "");
		check_condition(plain, summed, text);
	}
	check_condition(plain, summed, "size IS NULL");
	check_condition(plain, summed, "duration IN (1000, 2000, 3000) OR size NOT IN (5, 6)");
	check_condition(plain, summed, "duration BETWEEN 1us AND 2ms AND size LIKE \"%1%\"");
	/* What is true of all calls, and of none, is not left out. */
	expect_same(plain, summed,
	            "SELECT n, dur_sum, size_sum FROM span_sums('', 'duration <= 2ms AND size "
	            "BETWEEN 1 AND 9999')");
	expect_same(plain, summed, "SELECT n, dur_sum FROM span_sums('', 'size IS NULL')");
	expect(summed,
	       "SELECT n FROM span_sums('', 'duration > 2ms') UNION ALL SELECT n FROM "
	       "span_sums('', 'size > 9999')",
	       "0\n0\n");
}

START_TEST(sums_agree)
{
	struct prng prng = {(uint64_t)_i + 1};
	struct traces traces = {0};

	make_folder();
	make_traces(&traces, &prng, _i % 2);
	const char *plain_file = write_file("plain.pfw", traces.plain.data);
	const char *files[] = {write_file("a.pfw", traces.parts[0].data),
	                       write_file("b.pfw", traces.parts[1].data)};
	struct store *plain = import_files(&plain_file, 1, in_folder("plain.lanes"), 1);
	struct store *summed = import_files(files, 2, in_folder("summed.lanes"), 1 + _i % 3u);
	expect_same(plain, summed,
	            "SELECT process, thread, name, n, dur_sum, dur_min, dur_max, size_n, size_sum, "
	            "size_min, size_max FROM span_sums('process,thread,name')");
	expect_same(plain, summed,
	            "SELECT n, dur_sum, dur_min, dur_max, size_sum FROM span_sums('')");
	expect_same(plain, summed,
	            "SELECT name, sum(n), sum(dur_sum), min(dur_min), max(dur_max), sum(size_sum) "
	            "FROM span_totals GROUP BY name");
	expect(
	    summed,
	    "SELECT count(*) FROM span_sums('process,name') WHERE summed > 0 AND "
	    "coalesce(dur_p25, dur_p50, dur_p75, dur_p99, dur_std, dur_sumsq, self_p50, self_min, "
	    "size_p50, size_p99, size_std) IS NOT NULL",
	    "0\n");
	expect(summed,
	       "SELECT count(*) FROM span_sums('process,name') WHERE summed = 0 AND dur_p50 "
	       "IS NULL",
	       "0\n");
	expect(plain, "SELECT sum(summed), sum(dur_p50 IS NULL) FROM span_sums('process,name')",
	       "0|0\n");
	check_bounds(&traces, plain, summed, _i % 2);
	check_conditions(plain, summed, &prng);
	store_close(plain);
	store_close(summed);
	strbuf_free(&traces.plain);
	strbuf_free(&traces.parts[0]);
	strbuf_free(&traces.parts[1]);
	remove_folder();
}
END_TEST

#define RECORD(ts, args)                                                                           \
	"{\"name\":\"read\",\"cat\":\"POSIX\",\"ph\":3,\"pid\":8,\"tid\":9,\"ts\":" ts             \
	",\"args\":{" args "}}\n"

static void
expect_of(const char *text, const char *sql, const char *expected)
{
	make_folder();
	const char *file = write_file("a.pfw", text);
	struct store *store = import_files(&file, 1, in_folder("a.lanes"), 1);
	expect(store, sql, expected);
	store_close(store);
	remove_folder();
}

/* How long an interval is, where the grid does not tell or a call outlasts it. */
START_TEST(intervals_are_found)
{
	static const char spans[] = "SELECT start, duration, calls, call_sum FROM span ORDER BY id";

	/* A single start: to the last end in the process, of other threads and files too. */
	expect_of(
	    RECORD("1000", "\"dft_cnt\":4,\"dur\":10") "{\"name\":\"x\",\"ph\":1,\"pid\":8,\"tid\":"
						       "1,\"ts\":1500,\"dur\":100}\n"
						       "{\"name\":\"x\",\"ph\":1,\"pid\":7,\"tid\":"
						       "1,\"ts\":1500,\"dur\":9000}\n",
	    spans, "500000|100000|1|\n500000|9000000|1|\n0|600000|4|40000\n");
	/* Alone: as long as the longest call. */
	expect_of(RECORD("1000", "\"dft_cnt\":4,\"dur_sum\":40,\"dur_min\":1,\"dur_max\":30"),
	          spans, "0|30000|4|40000\n");
	/* A call outlasts its interval. */
	expect_of(RECORD("1000", "\"dft_cnt\":2,\"dur_sum\":300,\"dur_min\":1,\"dur_max\":299")
	              RECORD("1100", "\"dft_cnt\":2,\"dur\":5"),
	          spans, "0|299000|2|300000\n100000|100000|2|10000\n");
	/* One call is a call, and none of the grid. */
	expect_of(RECORD("1000", "\"dft_cnt\":2,\"dur\":5")
	              RECORD("2000", "\"dft_cnt\":2,\"dur\":5")
	                  RECORD("2300", "\"dft_cnt\":1,\"dur\":5"),
	          spans, "1300000|5000|1|\n0|1000000|2|10000\n1000000|1000000|2|10000\n");
	expect_of(RECORD("1000", "\"dft_cnt\":1,\"dur\":5") RECORD("1400", "\"dft_cnt\":1"),
	          "SELECT kind, start, duration, calls, depth FROM span ORDER BY start",
	          "thread|0|5000|1|0\nthread|400000|0|1|0\n");
	/* Nothing is told but the count. */
	expect_of(RECORD("1000", "\"dft_cnt\":2") RECORD("1200", "\"dft_cnt\":3"), spans,
	          "0|200000|2|0\n200000|200000|3|0\n");
	/* Not even that: what varied is of two calls at least. */
	expect_of(RECORD("1000", "\"dur_sum\":10,\"dur_min\":2,\"dur_max\":4")
	              RECORD("1200", "\"dur\":7"),
	          spans, "200000|7000|1|\n0|207000|3|10000\n");
}
END_TEST

/* What is told of a run as a whole, or of the first record that something is wrong with. */
START_TEST(doubts_are_told)
{
	static const char problems[] =
	    "SELECT kind, record, reason FROM problem ORDER BY source IS NULL, id";
	static const char unknown[] =
	    " is not known (all records for many calls begin at one time): the length of %s a "
	    "guess, and busy times, bandwidths and the run's length are no bounds\n";
	char expected[512], rest[256];

	snprintf(rest, sizeof rest, unknown, "2 records is");
	snprintf(expected, sizeof expected, "suspicious||the reporting interval of process 8%s",
	         rest);
	expect_of(RECORD("1000", "\"dft_cnt\":4,\"dur\":10")
	              RECORD("1000", "\"dft_cnt\":3,\"dur\":10")
	                  RECORD("1500", "\"dft_cnt\":1,\"dur\":10"),
	          problems, expected);
	snprintf(expected, sizeof expected,
	         "suspicious||the reporting interval of process 8 and 1 more%s", rest);
	expect_of(
	    RECORD("1000", "\"dft_cnt\":4,\"dur\":10") "{\"name\":\"x\",\"ph\":3,\"pid\":9,\"tid\":"
						       "1,\"ts\":1500,\"args\":{\"dft_cnt\":2,"
						       "\"dur\":3}}\n",
	    problems, expected);
	expect_of(RECORD("1000", "\"dft_cnt\":2,\"dur_sum\":9") RECORD("2000", "\"dft_cnt\":2")
	              RECORD("3000", "\"dft_cnt\":3"),
	          problems,
	          "suspicious|2|2 records for 5 calls (the first here) tell no durations: in sums "
	          "and means of time these calls count as 0 ns\n");
	expect_of(
	    RECORD("1000", "\"dft_cnt\":2,\"dur_sum\":9")
		RECORD("2000", "\"dft_cnt\":2,\"dur_sum\":9,\"dur_min\":6,\"dur_max\":3")
		    RECORD("3000", "\"dft_cnt\":2,\"dur\":9,\"ret_sum\":4,\"ret_min\":-1,"
	                           "\"ret_max\":5")
			RECORD("4000", "\"dft_cnt\":2,\"dur_sum\":9,\"dur_min\":0,\"dur_max\":9"),
	    problems,
	    "suspicious|2|1 record for 2 calls (the first here) tells a minimum and a maximum that "
	    "contradict each other or the sum: these two are taken as not known\n");
}
END_TEST

/* Several files of a process: the grid is that of all of them. */
START_TEST(grids_are_of_all_files)
{
	make_folder();
	const char *files[] = {write_file("a.pfw", RECORD("1000", "\"dft_cnt\":4,\"dur\":10")),
	                       write_file("b.pfw", RECORD("2000", "\"dft_cnt\":4,\"dur\":10"))};
	struct store *store = import_files(files, 2, in_folder("a.lanes"), 1);
	expect(store, "SELECT count(*) FROM problem", "0\n");
	store_close(store);
	remove_folder();
}
END_TEST

/* What a record does not tell is not known, and no more is lost than that. */
START_TEST(missing_figures)
{
	static const char sums[] =
	    "SELECT n, summed, dur_sum, dur_min, dur_max, size_n, size_sum, size_min, dur_p50 FROM "
	    "span_sums('')";

	expect_of(RECORD("1000", "\"dft_cnt\":4,\"dur_sum\":40,\"ret_sum\":30"), sums,
	          "4|4|40000|||4|30||\n");
	expect_of(RECORD("1000", "\"dft_cnt\":4,\"dur_sum\":40,\"dur_min\":50,\"dur_max\":60"),
	          sums, "4|4|40000|||0|0||\n");
	expect_of(RECORD("1000",
	                 "\"dft_cnt\":4,\"dur\":10,\"ret_sum\":30,\"ret_min\":-1,\"ret_max\":"
	                 "16"),
	          sums, "4|4|40000|10000|10000|4|30||\n");
	expect_of(RECORD("1000", "\"dft_cnt\":1,\"dur\":10,\"ret\":3"), sums,
	          "1|0|10000|10000|10000|1|3|3|10000.0\n");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("aggregated");
	TCase *tests = tcase_create("aggregated");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, sums_agree, 0, 6);
	tcase_add_test(tests, intervals_are_found);
	tcase_add_test(tests, doubts_are_told);
	tcase_add_test(tests, grids_are_of_all_files);
	tcase_add_test(tests, missing_figures);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
