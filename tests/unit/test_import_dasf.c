/* The DASF importer: small files in tests/data/dasf, records made here by an encoder of our own,
 * damage of every kind, and the samples. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "unit.h"
#include "import/formats.h"
#include "import/import_dasf.h"
#include "dasf_records.h"
#include "record_sink.h"
#include "util/mem.h"
#include "util/prng.h"

static const struct import_format *const format = &import_dasf;

static struct record_sink *
read_path(const char *folder, const char *name, void **facts)
{
	char path[4096];
	struct record_sink *recorded = record_sink_new();

	snprintf(path, sizeof path, "%s/%s", folder, name);
	ck_assert_int_eq(record_file(recorded, format, path, false, facts), 0);
	return recorded;
}

static struct record_sink *
read_fixture(const char *name, void **facts)
{
	const char *folder = getenv("LANESCOPE_SRCDIR");
	char path[4096];

	snprintf(path, sizeof path, "%s/tests/data/dasf", folder ? folder : ".");
	return read_path(path, name, facts);
}

static struct record_sink *
read_bytes(const struct strbuf *bytes, size_t chunk)
{
	struct record_sink *recorded = record_sink_new();

	ck_assert_int_eq(
	    record_bytes(recorded, format, bytes->data, bytes->len, chunk, false, NULL), 0);
	return recorded;
}

/* "category name start+duration size | lane | args" */
static const char *
show_span(const struct record_sink *recorded, size_t index)
{
	static char text[2048];

	ck_assert_uint_lt(index, recorded->n_spans);
	const struct span *span = &recorded->spans[index];
	snprintf(text, sizeof text, "%s %s %" PRId64 "+%" PRId64 " %" PRId64 " | %s | %s",
	         record_text(recorded, span->category), record_text(recorded, span->name),
	         span->start_ns, span->duration_ns,
	         span->size_bytes == SIZE_NONE ? -1 : span->size_bytes,
	         record_lane(recorded, span->lane),
	         record_args(recorded, span->args, span->n_args));
	return text;
}

static const char *
show_counter(const struct record_sink *recorded, size_t index)
{
	static char text[2048];

	ck_assert_uint_lt(index, recorded->n_counters);
	const struct counter *counter = &recorded->counters[index];
	snprintf(text, sizeof text, "%s=%g at %" PRId64 " | %s | %s",
	         record_text(recorded, counter->name), counter->value, counter->time_ns,
	         record_lane(recorded, counter->lane),
	         record_args(recorded, counter->args, counter->n_args));
	return text;
}

static void
check_problem(const struct record_sink *recorded, size_t index, enum problem_kind kind,
              uint64_t record, const char *reason)
{
	ck_assert_uint_lt(index, recorded->n_problems);
	const struct problem *problem = &recorded->problems[index];
	ck_assert_int_eq(problem->kind, kind);
	ck_assert_uint_eq(problem->record, record);
	ck_assert_msg(strstr(problem->reason, reason), "%s: %s", problem->reason, reason);
}

START_TEST(trace)
{
	struct record_sink *recorded = read_fixture("trace.msgpack", NULL);

	ck_assert_str_eq(recorded->facts.dialect, "trace");
	ck_assert_int_eq(recorded->facts.clock, CLOCK_STEADY);
	ck_assert_uint_eq(recorded->facts.records, 12);
	ck_assert_uint_eq(recorded->n_problems, 0);
	ck_assert_uint_eq(recorded->n_spans, 6);
	/* the timestamp is the end */
	ck_assert_str_eq(
	    show_span(recorded, 1),
	    "Compute load 100000000000+1000000000 16000 | worker n1/-/worker-n1-b worker-n1-b | "
	    "timestamp=101.0 record=3 seconds=1.0 key='('load-0a1b', 1)' state='memory' "
	    "shape=[2000] "
	    "dtype='float64' type='<class 'numpy.ndarray'>'");
	ck_assert_int_eq(recorded->spans[5].duration_ns, 0);
	ck_assert_uint_eq(recorded->n_tasks, 6);
	const struct task *task = &recorded->tasks[4]; /* the sum, computed again */
	ck_assert_str_eq(record_text(recorded, task->key), "('sum-4e5f', 0)");
	ck_assert_uint_eq(task->key, recorded->tasks[3].key);
	ck_assert_str_eq(record_text(recorded, task->kind), "sum");
	ck_assert_str_eq(record_text(recorded, task->worker), "worker-n1-b");
	ck_assert_double_eq(task->recorded_start, 103.125);
	ck_assert_double_eq(task->recorded_duration, 0.125);
	ck_assert_int_eq(task->size_bytes, recorded->spans[4].size_bytes);
	ck_assert_int_eq(recorded->tasks[1].size_bytes, 16000);
	ck_assert_int_eq(task->started, INT64_C(103000000000));
	ck_assert_int_eq(task->finished, INT64_C(103125000000));
	ck_assert_int_eq(task->planned, TIME_NONE);
	/* each edge once, though both ends tell of it */
	ck_assert_uint_eq(recorded->n_dependencies, 4);
	ck_assert_str_eq(record_text(recorded, recorded->dependencies[0].from_key),
	                 "('load-0a1b', 0)");
	ck_assert_str_eq(record_text(recorded, recorded->dependencies[0].to_key),
	                 "('add-2c3d', 0)");
	ck_assert_uint_eq(recorded->n_counters, 12);
	ck_assert_str_eq(
	    show_counter(recorded, 11),
	    "managed_tasks=0 at 103250000000 | worker n1/-/worker-n1-a worker-n1-a | "
	    "timestamp=103.25 record=12 second=103 key='('load-0a1b', 0)' state='erred'");
	record_sink_free(recorded);
}
END_TEST

START_TEST(resources)
{
	struct record_sink *recorded = read_fixture("resources.msgpack", NULL);

	ck_assert_str_eq(recorded->facts.dialect, "resources");
	ck_assert_uint_eq(recorded->facts.records, 4);
	ck_assert_uint_eq(recorded->n_counters, 4 * 9);
	ck_assert_str_eq(show_counter(recorded, 7),
	                 "gpu_utilization=90 at 100250000000 | counter n1/-/- resources | "
	                 "timestamp=100.25 record=1 time=1700000100.25");
	ck_assert_str_eq(record_tag(recorded, "host n1", "clock began (unix time)"),
	                 "1700000000.000");
	record_sink_free(recorded);
	recorded = read_fixture("resources-cpu.msgpack", NULL);
	ck_assert_uint_eq(recorded->n_counters, 4 * 7);
	record_sink_free(recorded);
}
END_TEST

START_TEST(phases)
{
	struct record_sink *recorded = read_fixture("phases.msgpack", NULL);

	ck_assert_str_eq(recorded->facts.dialect, "events");
	ck_assert_uint_eq(recorded->facts.records, 7);
	ck_assert_uint_eq(recorded->facts.bad_records, 4);
	ck_assert_uint_eq(recorded->n_spans, 3);
	ck_assert_str_eq(show_span(recorded, 0),
	                 "duration outer 1000000000+2000000000 -1 | thread -/0/0 "
	                 "thread 0 | timestamp=3.0 record=2 ok=true");
	ck_assert_str_eq(show_span(recorded, 1),
	                 "complete whole 5000000000+1000000000 -1 | thread "
	                 "-/0/0 thread 0 | timestamp=5.0 record=6 seconds=1.0");
	ck_assert_int_eq(recorded->spans[2].start_ns, INT64_C(6000000000));
	ck_assert_int_eq(recorded->spans[2].duration_ns, 0);
	ck_assert_uint_eq(recorded->n_events, 5);
	const struct event *mark = &recorded->events[4];
	ck_assert_str_eq(record_text(recorded, mark->name), "mark ✓");
	ck_assert_str_eq(record_text(recorded, mark->category), "instant");
	ck_assert_str_eq(record_args(recorded, mark->args, mark->n_args),
	                 "timestamp=4.0 record=5 scope='p' a=null d=-9223372036854775808 "
	                 "e=18446744073709551615 g=[1,{\"x\":\"y\"}] t='größe'");
	check_problem(recorded, 0, PROBLEM_SUSPICIOUS, 4, "without its begin");
	check_problem(recorded, 1, PROBLEM_INVALID, 8, "phase");
	check_problem(recorded, 2, PROBLEM_INVALID, 9, "timestamp");
	check_problem(recorded, 3, PROBLEM_INVALID, 10, "duration");
	check_problem(recorded, 4, PROBLEM_INVALID, 11, "no name");
	check_problem(recorded, 5, PROBLEM_SUSPICIOUS, 0,
	              "1 of the spans have a negative duration");
	check_problem(recorded, 6, PROBLEM_SUSPICIOUS, 0, "1 of the begins (B) have no end");
	record_sink_free(recorded);
}
END_TEST

START_TEST(damaged)
{
	struct record_sink *recorded = read_fixture("damaged.msgpack", NULL);

	/* half a record, then whole ones of another process, then the end is cut */
	ck_assert_uint_eq(recorded->facts.records, 4);
	ck_assert_uint_eq(recorded->facts.bad_records, 2);
	ck_assert_uint_eq(recorded->n_problems, 2);
	check_problem(recorded, 0, PROBLEM_MALFORMED, 3, "100 bytes were passed over");
	ck_assert_uint_eq(recorded->problems[0].offset, 411);
	check_problem(recorded, 1, PROBLEM_TRUNCATED, 6, "ends within a record");
	ck_assert_uint_eq(recorded->n_spans, 2);
	ck_assert_int_eq(recorded->spans[1].start_ns, INT64_C(101250000000));
	record_sink_free(recorded);
}
END_TEST

START_TEST(two_runs)
{
	struct record_sink *recorded = read_fixture("two-runs.msgpack", NULL);

	ck_assert_uint_eq(recorded->n_problems, 1);
	check_problem(recorded, 0, PROBLEM_SUSPICIOUS, 13, "run 2 of this file begins");
	ck_assert_uint_eq(recorded->n_lanes, 4);
	ck_assert_str_eq(record_lane(recorded, recorded->spans[0].lane),
	                 "worker n1/-/worker-n1-a worker-n1-a");
	ck_assert_str_eq(record_lane(recorded, recorded->spans[6].lane),
	                 "worker n1/-/worker-n1-a worker-n1-a (run 2)");
	ck_assert_str_eq(record_lane(recorded, recorded->spans[7].lane),
	                 "worker n1/-/worker-n1-b worker-n1-b (run 2)");
	record_sink_free(recorded);
}
END_TEST

START_TEST(over_all_files)
{
	void *facts[3];
	struct record_sink *first = read_fixture("resources.msgpack", &facts[0]);
	struct record_sink *second = read_fixture("trace.msgpack", &facts[1]);
	struct record_sink *third = read_fixture("trace.msgpack", &facts[2]);
	struct record_sink *all = record_sink_new();

	format->conclude(facts, 2, &all->sink);
	ck_assert_uint_eq(all->n_problems, 0);
	format->conclude(facts, 3, &all->sink);
	ck_assert_uint_eq(all->n_problems, 1);
	check_problem(all, 0, PROBLEM_SUSPICIOUS, 0, "tasks of n1 are in several files");
	record_sink_free(first);
	record_sink_free(second);
	record_sink_free(third);
	record_sink_free(all);
	for (unsigned i = 0; i < 3; i++) {
		format->free_facts(facts[i]);
	}
}
END_TEST

/* ---- records made here ---- */

static void
add_compute(struct strbuf *out, unsigned key, double timestamp)
{
	char text[16];

	snprintf(text, sizeof text, "task-%u", key);
	add_call(out, "Compute", timestamp, 0.5, "h1", "worker-h1-0", text);
}

/* What a host counts of itself: time is the wall clock's, in seconds. */
static void
add_usage(struct strbuf *out, const char *host, double timestamp, double time)
{
	struct strbuf record = {NULL, 0, 0};

	pack_map(&record, 6);
	add_time(&record, "Resource Usage", timestamp);
	add_place(&record, "I", host, "resources");
	pack_text(&record, "args");
	pack_map(&record, 2);
	pack_text(&record, "cpu");
	pack_real(&record, 1);
	pack_text(&record, "time");
	pack_real(&record, time);
	end_record(out, &record);
}

static void
take_facts(struct strbuf *bytes, void **facts)
{
	struct record_sink *recorded = record_sink_new();

	ck_assert_int_eq(record_bytes(recorded, format, bytes->data, bytes->len, 0, false, facts),
	                 0);
	record_sink_free(recorded);
	strbuf_free(bytes);
}

/* A host whose clock moved between files, two hosts of different clocks in one file, and hosts of
 * which no clock is known: each is told once, by its first case. */
START_TEST(clocks_that_do_not_fit)
{
	static const char *const reasons[] = {
	    "h8: no Resource Usage sample tells the wall clock's time (nor for 1 more files); its "
	    "times are taken as by the clock of h1, and do not compare with those of other hosts",
	    "h1: its samples in several files are of different clocks, as after a restart: import "
	    "the files of each run by themselves",
	    "h3: has a file in common with h2, whose clock is another: its times in there follow "
	    "that "
	    "one's, and do not compare with those of other hosts"};
	struct record_sink *all = record_sink_new();
	struct strbuf bytes = {NULL, 0, 0};
	static const int64_t offsets[] = {1000000, 1000000, 1000100, 1000000, 1000000, 1009000};
	int64_t offsets_ns[6];
	void *facts[6];

	add_usage(&bytes, "h1", 100, 1000100);
	take_facts(&bytes, &facts[0]);
	add_usage(&bytes, "h1", 100, 1000100);
	take_facts(&bytes, &facts[1]);
	add_usage(&bytes, "h2", 10, 1000110);
	add_usage(&bytes, "h3", 10, 1005010);
	take_facts(&bytes, &facts[2]);
	add_call(&bytes, "Compute", 5, 0.5, "h8", "worker-h8-0", "t");
	take_facts(&bytes, &facts[3]);
	add_call(&bytes, "Compute", 6, 0.5, "h9", "worker-h9-0", "u");
	take_facts(&bytes, &facts[4]);
	add_usage(&bytes, "h1", 100, 1009100);
	take_facts(&bytes, &facts[5]);

	ck_assert(format->align(facts, 2, &all->sink, offsets_ns));
	ck_assert_uint_eq(all->n_problems, 0);
	ck_assert(format->align(facts, 6, &all->sink, offsets_ns));
	for (size_t i = 0; i < 6; i++) {
		ck_assert_int_eq(offsets_ns[i] / 1000000000, offsets[i]);
	}
	ck_assert_uint_eq(all->n_problems, 3);
	for (size_t i = 0; i < 3; i++) {
		check_problem(all, i, PROBLEM_SUSPICIOUS, 0, reasons[i]);
	}
	record_sink_free(all);
	for (size_t i = 0; i < 6; i++) {
		format->free_facts(facts[i]);
	}
}
END_TEST

/* Sizes of every kind: what no 64-bit size is stays as an argument, and is told. */
START_TEST(sizes)
{
	static const struct {
		unsigned first;
		uint64_t number;
		unsigned n_bytes;
		int64_t size; /* -1: none */
		const char *argument;
	} cases[] = {
	    {0xcf, INT64_MAX, 8, INT64_MAX, NULL},
	    {0xcf, UINT64_C(1) << 63, 8, -1, "9223372036854775808"},
	    {0xcf, UINT64_MAX, 8, -1, "18446744073709551615"},
	    {0xd3, (uint64_t)-5, 8, -1, "-5"},
	    {0xcb, UINT64_C(0x4090000000000000), 8, 1024, NULL},
	    {0xcb, UINT64_C(0x7ff8000000000000), 8, -1, "null"},
	    {0xc0, 0, 0, -1, NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf bytes = {0}, record = {0};
		char argument[64];
		pack_map(&record, 6);
		pack_text(&record, "name");
		pack_text(&record, "Compute");
		pack_text(&record, "timestamp");
		pack_real(&record, 1);
		pack_text(&record, "duration");
		pack_real(&record, 0.5);
		pack_text(&record, "phase");
		pack_text(&record, "X");
		pack_text(&record, "process_id");
		pack_text(&record, "h1");
		pack_text(&record, "args");
		pack_map(&record, 2);
		pack_text(&record, "key");
		pack_text(&record, "k");
		pack_text(&record, "size");
		pack_form(&record, cases[i].first, cases[i].number, cases[i].n_bytes);
		end_record(&bytes, &record);
		struct record_sink *recorded = read_bytes(&bytes, 0);
		ck_assert_uint_eq(recorded->n_spans, 1);
		const struct span *span = &recorded->spans[0];
		ck_assert_int_eq(span->size_bytes == SIZE_NONE ? -1 : span->size_bytes,
		                 cases[i].size);
		snprintf(argument, sizeof argument, "size=%s",
		         cases[i].argument ? cases[i].argument : "");
		const char *args = record_args(recorded, span->args, span->n_args);
		ck_assert_msg(!strstr(args, cases[i].argument ? argument : "size=") ==
		                  !cases[i].argument,
		              "%s", args);
		ck_assert_uint_eq(recorded->n_problems, cases[i].argument != NULL);
		if (cases[i].argument) {
			check_problem(recorded, 0, PROBLEM_SUSPICIOUS, 1,
			              "no number of bytes below");
		}
		record_sink_free(recorded);
		strbuf_free(&bytes);
	}
}
END_TEST

START_TEST(hosts_in_turn)
{
	struct strbuf bytes = {0};

	add_instant(&bytes, "a", 1, "h1");
	add_instant(&bytes, "a", 2, "h1");
	add_instant(&bytes, "a", 3, "h2");
	struct record_sink *recorded = read_bytes(&bytes, 0);
	ck_assert_uint_eq(recorded->n_problems, 1);
	check_problem(recorded, 0, PROBLEM_SUSPICIOUS, 3, "h2 begins where all hosts before it");
	record_sink_free(recorded);
	add_instant(&bytes, "a", 4, "h1");
	recorded = read_bytes(&bytes, 0);
	ck_assert_uint_eq(recorded->n_problems, 0); /* mixed, as hosts of one run are */
	record_sink_free(recorded);
	strbuf_free(&bytes);
}
END_TEST

/* A task that was computed again is told only if most were, and after a pause. */
START_TEST(computed_again)
{
	static const struct {
		unsigned n_again;
		double pause_s;
		bool is_told;
	} cases[] = {{0, 3600, false}, {4, 3600, false}, {5, 3600, true},
	             {10, 3600, true}, {10, 50, false},  {10, 70, true}};

	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct strbuf bytes = {0};
		for (unsigned i = 0; i < 10 + cases[c].n_again; i++) {
			add_compute(&bytes, i % 10, i < 10 ? i : 9 + cases[c].pause_s + i - 10);
		}
		struct record_sink *recorded = read_bytes(&bytes, 0);
		ck_assert_uint_eq(recorded->n_problems, cases[c].is_told);
		if (cases[c].is_told) {
			check_problem(recorded, 0, PROBLEM_SUSPICIOUS, 0,
			              "of 10 tasks were computed again after a pause");
		}
		record_sink_free(recorded);
		strbuf_free(&bytes);
	}
}
END_TEST

/* The middle sample counts, whatever the others say and however many there are. */
START_TEST(clocks)
{
	struct prng prng = {7};
	static const size_t counts[] = {1, 2, 101, 5000, 100000};

	for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
		struct dasf_clock clock = {NULL, 0, 0, 0, 0};
		ck_assert(isnan(dasf_clock_offset(&clock)));
		for (size_t i = 0; i < counts[c]; i++) {
			double timestamp = 100 + (double)i;
			bool is_off = counts[c] > 2 && prng_next(&prng) % 3 == 0;
			dasf_clock_add(&clock, 1.7e9 + timestamp + (is_off ? 3600 : 0), timestamp);
		}
		dasf_clock_add(&clock, NAN, 1);
		dasf_clock_add(&clock, INFINITY, 1);
		dasf_clock_add(&clock, -1, 1);
		ck_assert_double_eq(dasf_clock_offset(&clock), 1.7e9);
		ck_assert_uint_le(clock.n, 4096);
		free(clock.offsets);
	}
}
END_TEST

START_TEST(many_args)
{
	struct strbuf bytes = {0}, record = {0};
	char key[32];

	pack_map(&record, 4);
	pack_text(&record, "phase");
	pack_text(&record, "I");
	pack_text(&record, "timestamp");
	pack_integer(&record, 5);
	pack_text(&record, "args");
	pack_map(&record, 1000);
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(key, sizeof key, "k%u", i % 990); /* some twice */
		pack_text(&record, key);
		pack_array(&record, 2);
		pack_integer(&record, i);
		pack_text(&record, key);
	}
	pack_text(&record, "name");
	pack_text(&record, "");
	end_record(&bytes, &record);
	struct record_sink *recorded = read_bytes(&bytes, 0);
	ck_assert_uint_eq(recorded->n_problems, 0);
	ck_assert_uint_eq(recorded->n_events, 1);
	ck_assert_uint_eq(recorded->events[0].n_args, 256);
	const struct arg *arg = &recorded->events[0].args[255];
	ck_assert_int_eq(arg->type, ARG_JSON);
	ck_assert(slice_is(arg->text, "[253,\"k253\"]"));
	record_sink_free(recorded);
	strbuf_free(&bytes);
}
END_TEST

START_TEST(hostile_lengths)
{
	struct strbuf bytes = {0};

	strbuf_add(&bytes, "\xff\xff\xff\xff\xff\xff\xff\xff\x80", 9);
	add_instant(&bytes, "kept", 1, "h");
	strbuf_add(&bytes, "\0\0\0\0\0\0\0\0", 8); /* of no bytes */
	add_instant(&bytes, "kept too", 2, "h");
	strbuf_add(&bytes, "\0\0\0\0\x03\xff\xff\xff\x81", 9); /* of 64 MiB, cut */
	struct record_sink *recorded = read_bytes(&bytes, 3);
	ck_assert_uint_eq(recorded->n_events, 2);
	ck_assert_uint_eq(recorded->n_problems, 3);
	check_problem(recorded, 0, PROBLEM_MALFORMED, 1, "longer than any");
	check_problem(recorded, 1, PROBLEM_MALFORMED, 3, "damaged");
	check_problem(recorded, 2, PROBLEM_TRUNCATED, 5, "ends within");
	record_sink_free(recorded);
	strbuf_clear(&bytes);
	recorded = read_bytes(&bytes, 0); /* an empty file is valid, but worth a word */
	ck_assert_uint_eq(recorded->n_problems, 1);
	check_problem(recorded, 0, PROBLEM_SUSPICIOUS, 0, "the file is empty");
	ck_assert_uint_eq(recorded->facts.bad_records, 0);
	ck_assert_uint_eq(recorded->facts.records, 0);
	record_sink_free(recorded);
	strbuf_free(&bytes);
}
END_TEST

/* Heads of records, each claiming the rest of the file, all valid until close to its end. */
START_TEST(quadratic)
{
	struct strbuf bytes = {0};
	const unsigned n = 40000;

	for (unsigned i = 0; i < n; i++) {
		pack_bytes(&bytes, (uint64_t)(n - i) * 18 - 8, 8);
		strbuf_add(&bytes, "\xde\xff\xff\xa4name\x01\x01", 10);
	}
	struct record_sink *recorded = read_bytes(&bytes, 0);
	ck_assert_uint_eq(recorded->facts.records, 0);
	ck_assert_uint_gt(recorded->n_problems, 0);
	record_sink_free(recorded);
	strbuf_free(&bytes);
}
END_TEST

/* Whole records keep their meaning however the bytes come, and single damaged bytes cost little. */
START_TEST(any_damage)
{
	struct prng prng = {99};
	struct strbuf bytes = {0};
	const unsigned n = 50;

	for (unsigned i = 0; i < n; i++) {
		add_instant(&bytes, "event", i, "h");
	}
	for (unsigned round = 0; round < 300; round++) {
		size_t at = (size_t)prng_below(&prng, bytes.len);
		char old = bytes.data[at];
		bytes.data[at] = (char)prng_next(&prng);
		struct record_sink *recorded = read_bytes(&bytes, round % 3 * 7);
		ck_assert_uint_ge(recorded->n_events, n - 2);
		ck_assert_uint_le(recorded->n_events, n);
		record_sink_free(recorded);
		bytes.data[at] = old;
	}
	strbuf_free(&bytes);
}
END_TEST

START_TEST(stopped)
{
	struct record_sink *recorded = record_sink_new();
	struct strbuf bytes = {0};

	add_instant(&bytes, "a", 1, "h");
	add_instant(&bytes, "a", 2, "h");
	recorded->stop_after = 1;
	ck_assert_int_ne(record_bytes(recorded, format, bytes.data, bytes.len, 0, false, NULL), 0);
	record_sink_free(recorded);
	strbuf_free(&bytes);
}
END_TEST

/* ---- samples ---- */

START_TEST(samples)
{
	static const struct {
		const char *name;
		uint64_t records, bad;
	} expected[] = {
	    {"gpu1-ResourceMonitor-c096.msgpack", 43, 0},
	    {"gpu1-TracePlugin-c096.msgpack", 2933, 0},
	    {"cpu-ResourceMonitor-c096.msgpack", 29, 0},
	    {"cpu-TracePlugin-c096.msgpack", 617, 0},
	    {"gpu4-ResourceMonitor-c096.msgpack", 132, 0},
	    {"gpu4-TracePlugin-c096.msgpack", 21788, 0},
	    {"edge-graph.msgpack", 59, 0},
	    {"edge-phases.msgpack", 10, 0},
	    {"edge-empty.msgpack", 0, 0},
	    {"edge-truncated-body.msgpack", 181, 1},
	    {"edge-two-runs.msgpack", 1521, 0},
	};
	const char *shared = unit_shared();
	char folder[4096];

	if (!shared) {
		return;
	}
	snprintf(folder, sizeof folder, "%s/dasf", shared);
	if (access(folder, R_OK) != 0) {
		return;
	}
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		struct record_sink *recorded = read_path(folder, expected[i].name, NULL);
		ck_assert_uint_eq(recorded->facts.records, expected[i].records);
		ck_assert_uint_eq(recorded->facts.bad_records, expected[i].bad);
		record_sink_free(recorded);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_dasf");
	TCase *files = tcase_create("files");
	TCase *records = tcase_create("records");

	tcase_add_test(files, trace);
	tcase_add_test(files, resources);
	tcase_add_test(files, phases);
	tcase_add_test(files, damaged);
	tcase_add_test(files, two_runs);
	tcase_add_test(files, over_all_files);
	tcase_add_test(files, samples);
	tcase_add_test(records, sizes);
	tcase_add_test(records, hosts_in_turn);
	tcase_add_test(records, clocks);
	tcase_add_test(records, clocks_that_do_not_fit);
	tcase_add_test(records, computed_again);
	tcase_add_test(records, many_args);
	tcase_add_test(records, hostile_lengths);
	tcase_add_test(records, quadratic);
	tcase_add_test(records, any_damage);
	tcase_add_test(records, stopped);
	suite_add_tcase(suite, files);
	suite_add_tcase(suite, records);
	return unit_run(suite);
}
