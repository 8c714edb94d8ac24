/* The cascade importer: small traces of each generation in tests/data/cascade, and the samples,
 * whose tasks and transfers must be exactly those of an independent implementation. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "unit.h"
#include "import/formats.h"
#include "record_sink.h"
#include "simulate/demo_traces.h"
#include "util/mem.h"
#include "util/prng.h"

#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B64 "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define TASK_A "retrieve(0, 1):" A64
#define TASK_B "mean:" B64

static const struct import_format *const format = &import_cascade;

/* With what is known once all files are read; here it is one. */
static void
read_run(struct record_sink *recorded, const char *path)
{
	void *facts;

	ck_assert_int_eq(record_file(recorded, format, path, false, &facts), 0);
	format->conclude(&facts, 1, &recorded->sink);
	format->free_facts(facts);
}

static struct record_sink *
read_fixture(const char *name)
{
	char path[4096];
	const char *folder = getenv("LANESCOPE_SRCDIR");
	struct record_sink *recorded = record_sink_new();

	snprintf(path, sizeof path, "%s/tests/data/cascade/%s", folder ? folder : ".", name);
	read_run(recorded, path);
	return recorded;
}

static struct record_sink *
read_text(const char *text)
{
	struct record_sink *recorded = record_sink_new();

	ck_assert_int_eq(record_bytes(recorded, format, text, strlen(text), 0, false, NULL), 0);
	return recorded;
}

/* "category name start+duration | lane | args" */
static const char *
show_span(const struct record_sink *recorded, size_t index)
{
	static char text[2048];

	ck_assert_uint_lt(index, recorded->n_spans);
	const struct span *span = &recorded->spans[index];
	snprintf(text, sizeof text, "%s %s %" PRId64 "+%" PRId64 " | %s | %s",
	         record_text(recorded, span->category), record_text(recorded, span->name),
	         span->start_ns, span->duration_ns, record_lane(recorded, span->lane),
	         record_args(recorded, span->args, span->n_args));
	return text;
}

static void
check_tags(const struct record_sink *recorded, const char *generation, const char *scenario,
           const char *hosts, const char *workers)
{
	ck_assert_str_eq(record_tag(recorded, "-", "generation"), generation);
	ck_assert_str_eq(record_tag(recorded, "-", "scenario"), scenario);
	ck_assert_str_eq(record_tag(recorded, "-", "hosts"), hosts);
	ck_assert_str_eq(record_tag(recorded, "-", "workers"), workers);
}

START_TEST(generation_1_single)
{
	struct record_sink *recorded = read_fixture("single.jsonl");

	ck_assert_str_eq(recorded->facts.dialect, "generation 1");
	ck_assert_int_eq(recorded->facts.clock, CLOCK_STEADY);
	ck_assert_uint_eq(recorded->facts.records, 9);
	check_tags(recorded, "1", "F", "1", "2");
	ck_assert_uint_eq(recorded->n_tasks, 2);
	const struct task *task = &recorded->tasks[0];
	ck_assert_str_eq(record_text(recorded, task->key), TASK_A);
	ck_assert_str_eq(record_text(recorded, task->name), TASK_A);
	ck_assert_str_eq(record_text(recorded, task->kind), "retrieve");
	ck_assert_str_eq(record_text(recorded, task->worker), "worker0");
	ck_assert_str_eq(record_lane(recorded, task->lane), "worker fiab/-/worker0 worker0");
	ck_assert_int_eq(task->planned, 1000);
	ck_assert_int_eq(task->enqueued, 1100);
	ck_assert_int_eq(task->started, 1300);
	ck_assert_int_eq(task->finished, 2300);
	ck_assert_int_eq(task->loaded, TIME_NONE);
	ck_assert(task->recorded_start != task->recorded_start); /* NaN: nothing was a real */
	ck_assert_str_eq(record_text(recorded, recorded->tasks[1].kind), "mean");
	ck_assert_int_eq(recorded->tasks[1].finished, TIME_NONE);

	ck_assert_uint_eq(recorded->n_transfers, 1);
	const struct transfer *transfer = &recorded->transfers[0];
	ck_assert_str_eq(record_text(recorded, transfer->name), TASK_A);
	ck_assert_str_eq(record_text(recorded, transfer->target), "worker1");
	ck_assert_str_eq(record_text(recorded, transfer->mode), "local");
	ck_assert_int_eq(transfer->planned, 2400);
	ck_assert_int_eq(transfer->started, 2500); /* local: as finished */
	ck_assert_int_eq(transfer->loaded, 2500);
	ck_assert_int_eq(transfer->finished, 2500);

	ck_assert_uint_eq(recorded->n_spans, 5);
	ck_assert_str_eq(show_span(recorded, 0), "task " TASK_A " 1300+1000 | worker "
	                                         "fiab/-/worker0 worker0 | kind='retrieve'");
	ck_assert_str_eq(show_span(recorded, 1),
	                 "wait comm 1000+100 | waiting fiab/-/worker0 worker0 queue | "
	                 "kind='retrieve' task='" TASK_A "'");
	ck_assert_str_eq(show_span(recorded, 2),
	                 "wait queue 1100+200 | waiting fiab/-/worker0 worker0 queue | "
	                 "kind='retrieve' task='" TASK_A "'");
	ck_assert_str_eq(show_span(recorded, 3),
	                 "wait comm 2600+50 | waiting fiab/-/worker1 worker1 queue | "
	                 "kind='mean' task='" TASK_B "'");
	ck_assert_str_eq(show_span(recorded, 4),
	                 "transfer " TASK_A
	                 " 2400+100 | waiting fiab/-/worker1 worker1 transfers | "
	                 "mode='local'");
	/* started before it was enqueued: the times are kept, no span goes backwards */
	ck_assert_uint_eq(recorded->n_problems, 1);
	ck_assert_int_eq(recorded->problems[0].kind, PROBLEM_SUSPICIOUS);
	ck_assert_uint_eq(recorded->problems[0].record, 9);
	ck_assert_int_eq(recorded->tasks[1].started, 2640);
	record_sink_free(recorded);
}
END_TEST

START_TEST(generation_1_multi)
{
	static const struct {
		enum problem_kind kind;
		uint64_t line;
		const char *reason;
	} expected[] = {
	    {PROBLEM_MALFORMED, 11, ""},
	    {PROBLEM_INVALID, 12, "without task"},
	    {PROBLEM_MALFORMED, 13, "no at"},
	    {PROBLEM_MALFORMED, 14, "at is not an integer"},
	    {PROBLEM_TRUNCATED, 17, ""},
	    {PROBLEM_DUPLICATE, 10,
	     "taskFinished of " TASK_A " on h0:worker0 stands in line 4 already"},
	    {PROBLEM_SUSPICIOUS, 15, "taskPaused"},
	};
	struct record_sink *recorded = read_fixture("multi.jsonl");

	check_tags(recorded, "1", "M", "2", "3");
	ck_assert_uint_eq(recorded->facts.records, 12);
	ck_assert_uint_eq(recorded->facts.bad_records, 5);
	ck_assert_uint_eq(recorded->n_problems, sizeof expected / sizeof *expected);
	for (size_t i = 0; i < recorded->n_problems; i++) {
		ck_assert_int_eq(recorded->problems[i].kind, expected[i].kind);
		ck_assert_uint_eq(recorded->problems[i].record, expected[i].line);
		ck_assert_ptr_nonnull(strstr(recorded->problems[i].reason, expected[i].reason));
	}
	ck_assert_uint_eq(recorded->n_tasks, 2);
	ck_assert_str_eq(record_lane(recorded, recorded->tasks[0].lane),
	                 "worker h0/-/h0:worker0 h0:worker0");
	ck_assert_int_eq(recorded->tasks[0].finished, INT64_C(16274119344968)); /* the first */
	ck_assert_int_eq(recorded->tasks[1].planned, TIME_NONE);
	ck_assert_str_eq(record_text(recorded, recorded->tasks[1].worker), "h1:worker0");

	ck_assert_uint_eq(recorded->n_transfers, 2);
	ck_assert_str_eq(record_text(recorded, recorded->transfers[0].target), "h1:worker0");
	ck_assert_str_eq(record_text(recorded, recorded->transfers[0].mode), "redundant");
	ck_assert_int_eq(recorded->transfers[0].started, INT64_C(16274119345100));
	ck_assert_str_eq(record_text(recorded, recorded->transfers[1].target), "h1:worker1");
	ck_assert_str_eq(record_text(recorded, recorded->transfers[1].mode), "-");
	ck_assert_int_eq(recorded->transfers[1].finished, TIME_NONE);
	ck_assert_str_eq(record_lane(recorded, recorded->transfers[1].lane),
	                 "waiting h1/-/h1:worker1 h1:worker1 transfers"); /* host from the name */
	/* an action that is not known stays visible */
	ck_assert_uint_eq(recorded->n_events, 1);
	ck_assert_str_eq(record_text(recorded, recorded->events[0].name), "taskPaused");
	ck_assert_str_eq(
	    record_args(recorded, recorded->events[0].args, recorded->events[0].n_args),
	    "why=3 host='h0' worker='worker0' task='" TASK_A "'");
	/* the remote transfer's parts */
	ck_assert_str_eq(show_span(recorded, 4),
	                 "stage comm 16274119345000+100 | waiting h1/-/h1:worker0 h1:worker0 "
	                 "transfers | mode='redundant'");
	ck_assert_str_eq(show_span(recorded, 6),
	                 "stage transmit 16274119345200+100 | waiting h1/-/h1:worker0 h1:worker0 "
	                 "transfers | mode='redundant'");
	record_sink_free(recorded);
}
END_TEST

static void
check_generation_2(const char *name)
{
	struct record_sink *recorded = read_fixture(name);

	ck_assert_str_eq(recorded->facts.dialect, "generation 2");
	ck_assert_uint_eq(recorded->facts.records, 6);
	ck_assert_uint_eq(recorded->n_problems, 0);
	check_tags(recorded, "2", "F", "1", "1");
	ck_assert_int_eq(recorded->tasks[0].loaded, 5250);
	ck_assert_uint_eq(recorded->n_spans, 5);
	ck_assert_str_eq(show_span(recorded, 1),
	                 "stage load 5200+50 | worker fiab/-/worker0 worker0 "
	                 "| kind='retrieve' task='" TASK_A "'");
	ck_assert_str_eq(show_span(recorded, 2),
	                 "stage compute 5250+650 | worker fiab/-/worker0 worker0 | "
	                 "kind='retrieve' task='" TASK_A "'");
	ck_assert_uint_eq(recorded->n_events, 1);
	const struct event *event = &recorded->events[0];
	ck_assert_int_eq(event->time_ns, 6000);
	ck_assert_str_eq(record_text(recorded, event->name), "controllerReport");
	ck_assert_str_eq(record_text(recorded, event->category), "controller");
	ck_assert_str_eq(record_lane(recorded, event->lane), "controller -/-/- controller");
	ck_assert_str_eq(record_args(recorded, event->args, event->n_args),
	                 "actDuration=150460 waitDuration=null busyWorkers=4");
	record_sink_free(recorded);
}

START_TEST(generation_2)
{
	check_generation_2("reports.jsonl");
	check_generation_2("reports.log"); /* the same, with lines of another logger */
}
END_TEST

#define T INT64_C(1744372800000000000)

START_TEST(generation_3)
{
	struct record_sink *recorded = read_fixture("lifecycle.log");

	ck_assert_str_eq(recorded->facts.dialect, "generation 3");
	ck_assert_int_eq(recorded->facts.clock, CLOCK_WALL);
	ck_assert_uint_eq(recorded->facts.records, 17);
	ck_assert_uint_eq(recorded->facts.bad_records, 2);
	ck_assert_uint_eq(recorded->problems[0].record, 17);
	ck_assert_uint_eq(recorded->problems[1].record, 18);
	check_tags(recorded, "3", "M", "2", "1");
	const struct task *task = &recorded->tasks[0];
	ck_assert_uint_eq(recorded->n_tasks, 1);
	ck_assert_int_eq(task->planned, T + 10);
	ck_assert_int_eq(task->enqueued, T + 100);
	ck_assert_int_eq(task->started, T + 200);
	ck_assert_int_eq(task->loaded, T + 300);
	ck_assert_int_eq(task->computed, T + 1000300);
	ck_assert_int_eq(task->published, T + 1000400);
	ck_assert_int_eq(task->completed, T + 1000500);
	ck_assert_int_eq(task->finished, TIME_NONE);
	ck_assert_str_eq(record_lane(recorded, task->lane), "worker h0/-/h0.w0 h0.w0");
	const struct transfer *transfer = &recorded->transfers[0];
	ck_assert_uint_eq(recorded->n_transfers, 1);
	ck_assert_str_eq(record_text(recorded, transfer->name), TASK_A ".0");
	ck_assert_str_eq(record_text(recorded, transfer->source), "h0");
	ck_assert_str_eq(record_text(recorded, transfer->target), "h1");
	ck_assert_str_eq(record_text(recorded, transfer->mode), "redundant");
	ck_assert_str_eq(record_lane(recorded, transfer->lane), "waiting h1/-/- h1 transfers");
	ck_assert_int_eq(transfer->received, T + 1000900);
	ck_assert_int_eq(transfer->unloaded, T + 1001000);
	ck_assert_int_eq(transfer->completed, TIME_NONE);

	/* task, 3 parts, 3 waits; transfer, 4 parts; 3 phases in order of time */
	ck_assert_uint_eq(recorded->n_spans, 15);
	ck_assert_int_eq(recorded->spans[0].duration_ns, 1000200);
	ck_assert_str_eq(record_text(recorded, recorded->spans[3].name), "publish");
	ck_assert_str_eq(record_text(recorded, recorded->spans[6].name), "report");
	ck_assert_int_eq(recorded->spans[7].duration_ns, 400); /* to unloaded */
	const struct span *phases = &recorded->spans[12];
	ck_assert_str_eq(record_text(recorded, phases[0].name), "assign");
	ck_assert_int_eq(phases[0].duration_ns, 250);
	ck_assert_str_eq(record_text(recorded, phases[1].name), "wait");
	ck_assert_int_eq(phases[1].duration_ns, 2000000 - 250);
	ck_assert_str_eq(record_text(recorded, phases[2].name), "shutdown");
	ck_assert_int_eq(phases[2].duration_ns, 0);
	ck_assert_uint_eq(recorded->n_events, 3);
	ck_assert_str_eq(record_text(recorded, recorded->events[0].name), "ctrl_assign");
	ck_assert_str_eq(record_text(recorded, recorded->events[0].category), "mark");

	/* microtraces: at the line's time, the zone learnt from the marks */
	ck_assert_uint_eq(recorded->n_counters, 2);
	ck_assert_str_eq(record_text(recorded, recorded->counters[0].name), "wrk_task");
	ck_assert_int_eq(recorded->counters[0].time_ns, T + 2000000);
	ck_assert_double_eq(recorded->counters[0].value, 1000200);
	ck_assert_str_eq(record_lane(recorded, recorded->counters[0].lane),
	                 "counter h0/4000/- h0.w0");
	ck_assert_str_eq(record_lane(recorded, recorded->counters[1].lane),
	                 "counter -/3999/- controller");
	record_sink_free(recorded);
}
END_TEST

START_TEST(odd_input)
{
	struct record_sink *recorded = read_text("");
	ck_assert_uint_eq(recorded->n_problems, 0);
	record_sink_free(recorded);

	/* other loggers, also with our words in their text; cut and empty lines */
	recorded =
	    read_text("2025-04-11 12:00:00,000:INFO:cascade.shm.server:1:tracing:2:#a=1;at=3\n"
	              "nothing at all\n\n:::\n"
	              "2025-04-11 12:00:00,000:DEBUG:x.tracing.marker:no pid:#at=1\n");
	ck_assert_uint_eq(recorded->facts.records, 0);
	ck_assert_uint_eq(recorded->n_problems, 0);
	record_sink_free(recorded);

	/* names of any length are told by their beginnings */
	char name[512], first[2048], row[8192];
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = 0;
	snprintf(first, sizeof first,
	         "{\"action\":\"taskStarted\",\"task\":\"%s\",\"worker\":\"%s\",\"at\":1}\n", name,
	         name);
	snprintf(row, sizeof row,
	         "%s{\"action\":\"taskStarted\",\"task\":\"t\",\"worker\":\"w\",\"at\":2}\n%s",
	         first, first);
	recorded = read_text(row);
	ck_assert_uint_eq(recorded->n_problems, 1);
	snprintf(row, sizeof row,
	         "taskStarted of %.200s on %.200s stands in line 1 already: that one is kept", name,
	         name);
	ck_assert_str_eq(recorded->problems[0].reason, row);
	record_sink_free(recorded);

	/* without worker or target: kept, but on no lane */
	recorded =
	    read_text("{\"action\":\"taskStarted\",\"task\":\"t\",\"at\":1}\n"
	              "{\"action\":\"taskFinished\",\"task\":\"t\",\"worker\":\"None\",\"at\":5}\n"
	              "{\"action\":\"transmit_planned\",\"dataset\":\"d\",\"at\":2}\n");
	ck_assert_uint_eq(recorded->n_tasks, 1);
	ck_assert_uint_eq(recorded->tasks[0].lane, LANE_NONE);
	ck_assert_int_eq(recorded->tasks[0].finished, 5);
	ck_assert_uint_eq(recorded->n_transfers, 1);
	ck_assert_uint_eq(recorded->n_spans, 0);
	record_sink_free(recorded);

	/* extremes of time: no overflow */
	recorded = read_text("{\"action\":\"taskStarted\",\"task\":\"t\",\"worker\":\"w\",\"at\":-"
	                     "9223372036854775807}\n"
	                     "{\"action\":\"taskFinished\",\"task\":\"t\",\"worker\":\"w\",\"at\":"
	                     "9223372036854775807}\n"
	                     "{\"action\":\"ctrl_a\",\"at\":-9223372036854775807}\n"
	                     "{\"action\":\"ctrl_b\",\"at\":9223372036854775807}\n"
	                     "{\"action\":\"ctrl_\",\"at\":-9223372036854775808}\n");
	ck_assert_uint_eq(recorded->facts.bad_records, 1);
	record_sink_free(recorded);
}
END_TEST

/* ---- samples ---- */

/* One line of a CSV file into fields, in place; quotes are taken off. */
static size_t
split_csv(char *line, char **fields, size_t capacity)
{
	size_t n = 0;

	for (char *at = line; n < capacity;) {
		char *end;
		if (*at == '"') {
			end = strchr(++at, '"');
			ck_assert_ptr_nonnull(end);
			*end++ = '\0';
		} else {
			end = at + strcspn(at, ",\r\n");
		}
		fields[n++] = at;
		bool more = *end == ',';
		*end = '\0';
		if (!more) {
			break;
		}
		at = end + 1;
	}
	return n;
}

static void
check_time(const char *expected, int64_t actual)
{
	if (!*expected) {
		ck_assert_int_eq(actual, TIME_NONE);
	} else {
		ck_assert_int_eq(actual, strtoll(expected, NULL, 10));
	}
}

static const struct task *
find_task(const struct record_sink *recorded, const char *name, const char *worker)
{
	for (size_t i = 0; i < recorded->n_tasks; i++) {
		const struct task *task = &recorded->tasks[i];
		if (strcmp(record_text(recorded, task->key), name) == 0 &&
		    strcmp(record_text(recorded, task->worker), worker) == 0) {
			return task;
		}
	}
	return NULL;
}

static void
check_task_row(const struct record_sink *recorded, char **fields, bool lifecycle)
{
	const struct task *task = find_task(recorded, fields[0], fields[1]);

	ck_assert_msg(task, "%s on %s", fields[0], fields[1]);
	if (lifecycle) { /* completed,computed,enqueued,loaded,planned,published,started */
		check_time(fields[2], task->completed);
		check_time(fields[3], task->computed);
		check_time(fields[4], task->enqueued);
		check_time(fields[5], task->loaded);
		check_time(fields[6], task->planned);
		check_time(fields[7], task->published);
		check_time(fields[8], task->started);
	} else { /* Enqueued,Finished,Planned,Started */
		check_time(fields[2], task->enqueued);
		check_time(fields[3], task->finished);
		check_time(fields[4], task->planned);
		check_time(fields[5], task->started);
	}
}

static bool
same_or_missing(const struct record_sink *recorded, text_code code, const char *expected)
{
	return *expected ? strcmp(record_text(recorded, code), expected) == 0 : code == TEXT_NONE;
}

static void
check_transfer_row(const struct record_sink *recorded, char **fields, bool lifecycle)
{
	const struct transfer *found = NULL;

	for (size_t i = 0; i < recorded->n_transfers && !found; i++) {
		const struct transfer *transfer = &recorded->transfers[i];
		if (strcmp(record_text(recorded, transfer->name), fields[0]) == 0 &&
		    strcmp(record_text(recorded, transfer->target), fields[1]) == 0) {
			found = transfer;
		}
	}
	ck_assert_msg(found, "%s to %s", fields[0], fields[1]);
	if (lifecycle) { /* source,mode,completed,loaded,planned,received,started,unloaded */
		ck_assert(same_or_missing(recorded, found->source, fields[2]));
		ck_assert(same_or_missing(recorded, found->mode, fields[3]));
		check_time(fields[4], found->completed);
		check_time(fields[5], found->loaded);
		check_time(fields[6], found->planned);
		check_time(fields[7], found->received);
		check_time(fields[8], found->started);
		check_time(fields[9], found->unloaded);
	} else { /* mode,Finished,Loaded,Planned,Started */
		ck_assert(same_or_missing(recorded, found->mode, fields[2]));
		check_time(fields[3], found->finished);
		check_time(fields[4], found->loaded);
		check_time(fields[5], found->planned);
		check_time(fields[6], found->started);
	}
}

/* Every row of an expected file is there, and no more. */
static void
check_expected(const struct record_sink *recorded, const char *path, bool transfers, bool lifecycle)
{
	FILE *file = fopen(path, "r");
	char line[4096], *fields[32];
	size_t n = 0;

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof line, file)) {
		memset(fields, 0, sizeof fields);
		ck_assert_uint_ge(split_csv(line, fields, 32), 9);
		if (n++ == 0) {
			continue; /* names of the columns */
		}
		if (transfers) {
			check_transfer_row(recorded, fields, lifecycle);
		} else {
			check_task_row(recorded, fields, lifecycle);
		}
	}
	fclose(file);
	ck_assert_uint_eq(transfers ? recorded->n_transfers : recorded->n_tasks, n ? n - 1 : 0);
}

START_TEST(samples)
{
	static const struct {
		const char *file, *expected, *dialect;
		uint64_t records;
		size_t problems;
	} files[] = {
	    {"f1.jsonl", "f1", "generation 1", 540, 0},
	    {"f4.jsonl", "f4", "generation 1", 724, 0},
	    {"m1_4.jsonl", "m1_4", "generation 1", 720, 0},
	    {"m2_2.jsonl", "m2_2", "generation 1", 864, 0},
	    {"m4_1.jsonl", "m4_1", "generation 1", 852, 0},
	    {"defects.jsonl", "defects", "generation 1", 816, 0},
	    {"m2_2.run2.jsonl", "m2_2", "generation 2", 1130, 0},
	    {"m2_2.log", "m2_2.log", "generation 3", 525 + 404 + 945 + 135 + 131 + 1, 0},
	};
	const char *shared = unit_shared();

	for (size_t i = 0; shared && i < sizeof files / sizeof *files; i++) {
		struct record_sink *recorded = record_sink_new();
		char path[4096];
		bool lifecycle = strstr(files[i].file, ".log") != NULL;
		snprintf(path, sizeof path, "%s/cascade/%s", shared, files[i].file);
		ck_assert_int_eq(record_file(recorded, format, path, false, NULL), 0);
		ck_assert_str_eq(recorded->facts.dialect, files[i].dialect);
		ck_assert_uint_eq(recorded->facts.records, files[i].records);
		ck_assert_uint_eq(recorded->n_problems, files[i].problems);
		snprintf(path, sizeof path, "%s/cascade/expected/%s.tasks.csv", shared,
		         files[i].expected);
		check_expected(recorded, path, false, lifecycle);
		snprintf(path, sizeof path, "%s/cascade/expected/%s.transmits.csv", shared,
		         files[i].expected);
		check_expected(recorded, path, true, lifecycle);
		record_sink_free(recorded);
	}
}
END_TEST

/* Sums of generation 3 as its own reporting prints them. */
START_TEST(microtrace_sums)
{
	static const struct {
		const char *kind;
		unsigned count;
		int64_t sum;
	} expected[] = {{"wrk_task", 135, 18831015642},
	                {"ctrl_wait", 131, 8416167362},
	                {"total_incluster", 1, 8587464406}};
	const char *shared = unit_shared();
	char path[4096];

	if (!shared) {
		return;
	}
	struct record_sink *recorded = record_sink_new();
	snprintf(path, sizeof path, "%s/cascade/m2_2.log", shared);
	ck_assert_int_eq(record_file(recorded, format, path, false, NULL), 0);
	for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
		unsigned count = 0;
		int64_t sum = 0;
		for (size_t i = 0; i < recorded->n_counters; i++) {
			const struct counter *counter = &recorded->counters[i];
			if (strcmp(record_text(recorded, counter->name), expected[k].kind) == 0) {
				count++;
				sum += (int64_t)counter->value;
			}
		}
		ck_assert_uint_eq(count, expected[k].count);
		ck_assert_int_eq(sum, expected[k].sum);
	}
	ck_assert_uint_eq(recorded->n_events, 525);
	record_sink_free(recorded);
}
END_TEST

/* ---- generated traces, and scale ---- */

static void
check_demo(unsigned hosts, unsigned workers, const char *scenario, int64_t *total)
{
	char path[] = "/tmp/lanescope-cascade-XXXXXX";
	struct record_sink *recorded = record_sink_new();
	struct err err = ERR_INIT;

	close(mkstemp(path));
	ck_assert_int_eq(demo_write_cascade(path, hosts, workers, 1, 1.0, &err), 0);
	read_run(recorded, path);
	unlink(path);
	ck_assert_uint_eq(recorded->n_tasks, 135);
	ck_assert_uint_eq(recorded->n_problems, 0);
	ck_assert_str_eq(record_tag(recorded, "-", "scenario"), scenario);
	*total = 0;
	for (size_t i = 0; i < recorded->n_tasks; i++) {
		ck_assert_int_ne(recorded->tasks[i].finished, TIME_NONE);
		*total += recorded->tasks[i].finished - recorded->tasks[i].planned;
	}
	record_sink_free(recorded);
}

START_TEST(demo_traces)
{
	int64_t alone, four, several;

	check_demo(0, 1, "F", &alone);
	check_demo(0, 4, "F", &four);
	check_demo(2, 2, "M", &several);
	ck_assert_int_gt(four, alone + alone / 4); /* workers on one host slow each other down */
	struct err err = ERR_INIT;
	ck_assert_int_eq(demo_write_cascade("/nonexistent/x", 1, 1, 1, 1.0, &err), -1);
	ck_assert_int_eq(demo_write_cascade("/tmp/x", 1, 0, 1, 1.0, &err), -1);
	ck_assert_int_eq(err.code, ERR_USAGE);
}
END_TEST

/* Rows of many tasks in any order: what is not linear would show as a timeout. */
START_TEST(many_rows)
{
	struct strbuf text = {NULL, 0, 0};
	struct prng prng = {3};
	const unsigned n = 20000;

	for (unsigned i = 0; i < n; i++) {
		static const char *const actions[] = {"task_planned", "task_enqueued",
		                                      "task_started", "task_published"};
		strbuf_printf(&text,
		              "{\"action\": \"%s\", \"task\": \"t%u\", \"worker\": \"h%u.w%u\", "
		              "\"host\": \"h0\", \"at\": %u}\n",
		              actions[i % 4], i / 4, (unsigned)prng_below(&prng, 100),
		              (unsigned)prng_below(&prng, 10), i);
	}
	struct record_sink *recorded = read_text(text.data);
	ck_assert_uint_eq(recorded->facts.records, n);
	ck_assert_uint_gt(recorded->n_tasks, n / 4);
	record_sink_free(recorded);
	strbuf_free(&text);
}
END_TEST

/* ---- rows as other programs write them ---- */

#define ROWS 6
static const char *const plain_rows[ROWS] = {
    "{\"action\":\"taskPlanned\",\"task\":\"a:1\",\"worker\":\"w\",\"host\":\"controller\",\"at\":"
    "16274564727889}",
    "{\"action\":\"taskEnqueued\",\"task\":\"a:1\",\"worker\":\"w\",\"host\":\"h\",\"at\":"
    "16300000000000}",
    "{\"action\":\"taskStarted\",\"task\":\"a:1\",\"worker\":\"w\",\"host\":\"h\",\"at\":"
    "16300000000027}",
    "{\"action\":\"taskFinished\",\"task\":\"a:1\",\"worker\":\"w\",\"host\":\"h\",\"at\":"
    "16400000000000}",
    "{\"action\":\"transmitFinished\",\"dataset\":\"a:1\",\"worker\":\"w\",\"host\":\"h\",\"mode\":"
    "\"local\",\"at\":16400000000009}",
    "{\"action\":\"controllerReport\",\"actDuration\":\"150460\",\"waitDuration\":\"27\",\"at\":"
    "16500000000000}"};
static const char *const table_rows[ROWS] = {
    "{\"action\":\"taskPlanned\",\"task\":\"a:1\",\"dataset\":null,\"mode\":NaN,\"worker\":\"w\","
    "\"host\":\"controller\",\"at\":16274564727889.0,"
    "\"actDuration\":NaN,\"waitDuration\":null}",
    "{\"action\":\"taskEnqueued\",\"task\":\"a:1\",\"dataset\":null,\"mode\":null,\"worker\":\"w\","
    "\"host\":\"h\",\"at\":1.63e13,\"actDuration\":null}",
    "{\"action\":\"taskStarted\",\"task\":\"a:1\",\"dataset\":null,\"mode\":null,\"worker\":\"w\","
    "\"host\":\"h\",\"at\":\"16300000000027.0\"}",
    "{\"action\":\"taskFinished\",\"task\":\"a:1\",\"dataset\":\"nan\",\"mode\":\"NaN\",\"worker\":"
    "\"w\",\"host\":\"h\",\"at\":1.64E+13}",
    "{\"action\":\"transmitFinished\",\"task\":null,\"dataset\":\"a:1\",\"worker\":\"w\",\"host\":"
    "\"h\",\"mode\":\"local\",\"at\":16400000000009.00}",
    "{\"action\":\"controllerReport\",\"task\":null,\"actDuration\":150460.0,\"waitDuration\":\"27."
    "0\",\"at\":1.65e13}"};

/* Times, places and arguments of all that was read. */
static char *
show_all(const struct record_sink *recorded)
{
	struct strbuf out = {0};

	for (size_t i = 0; i < recorded->n_tasks; i++) {
		const struct task *task = &recorded->tasks[i];
		strbuf_printf(&out, "task %s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
		              record_text(recorded, task->key), task->planned, task->enqueued,
		              task->started, task->finished);
	}
	for (size_t i = 0; i < recorded->n_transfers; i++) {
		const struct transfer *transfer = &recorded->transfers[i];
		strbuf_printf(&out, "transfer %s %" PRId64 "\n",
		              record_text(recorded, transfer->mode), transfer->finished);
	}
	for (size_t i = 0; i < recorded->n_events; i++) {
		const struct event *event = &recorded->events[i];
		strbuf_printf(&out, "event %" PRId64 " %s\n", event->time_ns,
		              record_args(recorded, event->args, event->n_args));
	}
	return strbuf_take(&out);
}

static void
add_rows(struct strbuf *text, const char *const *rows, const char *before, const char *between,
         const char *after)
{
	strbuf_add_text(text, before);
	for (size_t i = 0; i < ROWS; i++) {
		strbuf_add_text(text, i ? between : "");
		strbuf_add_text(text, rows[i]);
	}
	strbuf_add_text(text, after);
}

START_TEST(rows_of_tables)
{
	static const struct {
		const char *before, *between, *after;
		size_t bad;
	} shapes[] = {
	    {"", "\n", "\n", 0},
	    {"[", ",", "]", 0},
	    {"[\n  ", ",\n  ", "\n]\n", 0},
	    {"\xef\xbb\xbf[", ",\r\n", "]\r\n", 0},
	    {"[", ",\n", "", 0},
	    {"oops\n[", ",\n", "]", 1},
	    {"[", ",\noops\n", "]", 5},
	    {"[", ",\n{\"action\": \n", "]", 5},
	    {"[", ",\n{\"a: 1},\n", "]", 5},
	    {"[", ",\n{\"a\" 1},", "\n,{\"action\":", 6},
	    {"{oops\n", "\noops\n", "", 6},
	};
	struct record_sink *recorded = record_sink_new();
	struct strbuf text = {0};

	add_rows(&text, plain_rows, "", "\n", "\n");
	record_bytes(recorded, format, text.data, text.len, 0, false, NULL);
	char *expected = show_all(recorded);
	ck_assert_ptr_nonnull(
	    strstr(expected, "task a:1 16274564727889 16300000000000 16300000000027"));
	ck_assert_ptr_nonnull(strstr(expected, "actDuration=150460 waitDuration=27"));
	record_sink_free(recorded);
	for (size_t i = 0; i < 2 * sizeof shapes / sizeof *shapes; i++) {
		size_t shape = i / 2;
		strbuf_clear(&text);
		add_rows(&text, i % 2 ? table_rows : plain_rows, shapes[shape].before,
		         shapes[shape].between, shapes[shape].after);
		for (size_t chunk = 0; chunk < 8; chunk++) {
			recorded = record_sink_new();
			record_bytes(recorded, format, text.data, text.len, chunk, false, NULL);
			char *found = show_all(recorded);
			ck_assert_str_eq(found, expected);
			ck_assert_uint_eq(recorded->facts.bad_records, shapes[shape].bad);
			ck_assert_uint_eq(recorded->facts.records, ROWS);
			record_sink_free(recorded);
			free(found);
		}
		ck_assert_int_gt(format->sniff(strbuf_slice(&text), "x"), 0);
	}
	free(expected);
	strbuf_free(&text);
}
END_TEST

/* An object over several lines is told at its first; times above 2^53 are exact. */
START_TEST(pretty_arrays)
{
	struct record_sink *recorded = read_text(
	    "[\n  {\n    \"action\": \"task_started\",\n    \"task\": \"a{\\\"b\",\n"
	    "    \"at\": 1730382061123456789.0\n  },\n  {\n    \"action\": \"task_started\",\n"
	    "    \"at\": 1.5\n  },\n  {\n    \"action\": \"task_computed\", \"task\": "
	    "\"a{\\\"b\",\n"
	    "    \"at\": 1.730382061123456791e18\n  }\n]\n");

	ck_assert_uint_eq(recorded->n_tasks, 1);
	ck_assert_int_eq(recorded->tasks[0].started, INT64_C(1730382061123456789));
	ck_assert_uint_eq(recorded->n_problems, 1);
	ck_assert_uint_eq(recorded->problems[0].record, 7);
	ck_assert_uint_eq(recorded->problems[0].offset, 96);
	ck_assert_int_eq(recorded->problems[0].kind, PROBLEM_MALFORMED);
	record_sink_free(recorded);
}
END_TEST

/* Whatever opens and does not end: time goes with the bytes. */
START_TEST(objects_without_end)
{
	static const char *const patterns[] = {"{\n", "{\"a\n", "{{}\n{}\n", "{ \"\\\n"};
	struct strbuf text = {0};

	strbuf_add_text(&text, "[{\"action\":\"taskStarted\",\"task\":\"a\",\"at\":1},\n");
	while (text.len < (size_t)3 << 20) {
		strbuf_add_text(&text, patterns[_i]);
	}
	struct record_sink *recorded = record_sink_new();
	record_bytes(recorded, format, text.data, text.len, 0, false, NULL);
	ck_assert_uint_eq(recorded->n_tasks, 1);
	ck_assert_uint_gt(recorded->facts.bad_records, 100000);
	record_sink_free(recorded);
	strbuf_free(&text);
}
END_TEST

START_TEST(stopping)
{
	const char *shared = unit_shared();
	char path[4096];

	snprintf(path, sizeof path, "%s/cascade/m2_2.log", shared ? shared : "");
	for (int after = 0; shared && after < 3000; after += 97) {
		struct record_sink *recorded = record_sink_new();
		recorded->stop_after = after;
		int result = record_file(recorded, format, path, false, NULL);
		ck_assert_int_eq(result, recorded->stopped ? -1 : 0);
		record_sink_free(recorded);
	}
}
END_TEST

START_TEST(recognition)
{
	static const struct {
		const char *text;
		bool mine;
	} cases[] = {
	    {"", false},
	    {"{\"action\": \"taskPlanned\", \"task\": \"x\", \"at\": 5}\n", true},
	    {"{\"action\": \"taskPlanned\", \"task\": \"x\", \"at\": 5}", true},
	    {"{\"action\": \"controllerReport\", \"at\": 5}\n", true},
	    {"{\"action\": \"created\", \"at\": 5}\n", false},
	    {"{\"action\": \"taskPlanned\", \"task\": \"x\"}\n", false},
	    {"{\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"ph\":\"X\"}\n", false},
	    {"2025-04-11 12:00:00,000:DEBUG:cascade.low.tracing.tracer:1:#wrk_task=5\n", true},
	    {"noise\nmore noise\n2024-11-08 10:00:00,001:DEBUG:cascade.controller.tracing:17:"
	     "host=h;task=t;action=taskStarted;worker=w;at=5\n",
	     true},
	    {"an essay about tracing: what it is\n", false},
	    {"[{\"action\": \"taskPlanned\", \"task\": \"x\", \"at\": 5}]", true},
	    {"[\n{\n\"action\": \"taskPlanned\",\n\"task\": \"x\", \"at\": 5.0\n}\n]", true},
	    {"[{\"action\": \"created\", \"at\": 5}]", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int score = format->sniff(slice_of(cases[i].text), "x");
		ck_assert_msg((score > 0) == cases[i].mine, "%s: %d", cases[i].text, score);
	}
}
END_TEST

/* Every sample of every format is recognised as what it is, random bytes as nothing. */
static void
sniff_folder(const char *folder)
{
	char command[4096], path[4096];
	struct err err = ERR_INIT;

	snprintf(command, sizeof command, "find '%s' -type f", folder);
	FILE *list = popen(command, "r");
	while (fgets(path, sizeof path, list)) {
		path[strcspn(path, "\n")] = '\0';
		const char *want = strstr(path, "/expected/")   ? NULL
		                   : strstr(path, ".zindex")    ? NULL
		                   : strstr(path, ".md")        ? NULL
		                   : strstr(path, ".py")        ? NULL
		                   : strstr(path, "/dftracer/") ? "dftracer"
		                   : strstr(path, "/cascade/")  ? "cascade"
		                                                : NULL;
		struct input *input = input_open(path, &err);
		struct slice head;
		if (!input || input_peek(input, 65536, &head, &err) < 0) {
			input_close(input); /* a zip archive, say */
			continue;
		}
		int dftracer = import_find("dftracer")->sniff(head, path);
		int cascade = import_find("cascade")->sniff(head, path);
		ck_assert_msg(want && strcmp(want, "dftracer") == 0 ? dftracer >= 80
		                                                    : dftracer == 0,
		              "%s: %d", path, dftracer);
		ck_assert_msg(want && strcmp(want, "cascade") == 0
		                  ? cascade >= 80
		                  : cascade == 0 || cascade == SNIFF_UNDECIDED,
		              "%s: %d", path, cascade);
		input_close(input);
	}
	pclose(list);
}

START_TEST(recognition_of_all)
{
	const char *shared = unit_shared();
	struct prng prng = {11};
	char bytes[4096];

	if (shared) {
		sniff_folder(shared);
	}
	for (unsigned round = 0; round < 200; round++) {
		for (size_t i = 0; i < sizeof bytes; i++) {
			bytes[i] =
			    (char)(round % 2 ? prng_next(&prng) : 32 + prng_below(&prng, 95));
		}
		ck_assert_ptr_null(import_sniff((struct slice){bytes, sizeof bytes}, "x.pfw"));
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_cascade");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, generation_1_single);
	tcase_add_test(tcase, generation_1_multi);
	tcase_add_test(tcase, generation_2);
	tcase_add_test(tcase, generation_3);
	tcase_add_test(tcase, odd_input);
	tcase_add_test(tcase, samples);
	tcase_add_test(tcase, microtrace_sums);
	tcase_add_test(tcase, demo_traces);
	tcase_add_test(tcase, many_rows);
	tcase_add_test(tcase, rows_of_tables);
	tcase_add_test(tcase, pretty_arrays);
	tcase_add_loop_test(tcase, objects_without_end, 0, 4);
	tcase_add_test(tcase, stopping);
	tcase_add_test(tcase, recognition);
	tcase_add_test(tcase, recognition_of_all);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
