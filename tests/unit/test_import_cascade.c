/* The cascade importer: small traces of each generation in tests/data/cascade, what is odd, and
 * what is recognised. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "cascade_fixture.h"
#include "util/prng.h"

#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B64 "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define TASK_A "retrieve(0, 1):" A64
#define TASK_B "mean:" B64

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
	tcase_add_test(tcase, stopping);
	tcase_add_test(tcase, recognition);
	tcase_add_test(tcase, recognition_of_all);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
