/* Made-up traces: the same bytes everywhere, whatever is asked for, and records that make sense. */
#include "config.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "simulate/demo_traces.h"
#include "tests/unit/ingest_folder.h"
#include "util/slice.h"

static struct strbuf
read_all(const char *path)
{
	struct strbuf text = {0};
	char bytes[4096];
	FILE *file = fopen(path, "rb");

	ck_assert_msg(file != NULL, "%s", path);
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;) {
		strbuf_add(&text, bytes, n);
	}
	fclose(file);
	return text;
}

/* FNV-1a. */
static uint64_t
digest_add(uint64_t digest, const struct strbuf *text)
{
	for (size_t i = 0; i < text->len; i++) {
		digest = (digest ^ (unsigned char)text->data[i]) * UINT64_C(0x100000001b3);
	}
	return digest;
}

#define DIGEST_BEGIN UINT64_C(0xcbf29ce484222325)

/* ---- DFTracer ---- */

/* What the lines of a trace come to. */
struct sums {
	uint64_t records, bad;
};

static void
add_record(struct sums *sums, struct slice line)
{
	json_t *record = json_loadb(line.ptr, line.len, JSON_DECODE_INT_AS_REAL, NULL);
	json_t *duration = json_object_get(record, "dur");

	sums->records += record != NULL;
	sums->bad += record == NULL;
	ck_assert(json_is_string(duration) ? atoll(json_string_value(duration)) >= 0
	                                   : json_number_value(duration) >= 0);
	json_decref(record);
}

static void
add_file(const char *path, struct sums *sums, uint64_t *digest)
{
	struct strbuf text = read_all(path);
	struct slice rest = strbuf_slice(&text);

	*digest = digest_add(*digest, &text);
	while (rest.len > 0) {
		const char *end = memchr(rest.ptr, '\n', rest.len);
		size_t length = end ? (size_t)(end - rest.ptr) : rest.len;
		struct slice line = slice_trim((struct slice){rest.ptr, length}, " ,");

		if (line.len > 1) { /* else the array's own */
			add_record(sums, line);
		}
		rest = slice_from(rest, end ? length + 1 : length);
	}
	strbuf_free(&text);
}

static const struct dftracer_case {
	enum demo_dialect dialect;
	bool scr;
	uint64_t events, seed, digest;
} dftracer_cases[] = {
    {DEMO_OLD, false, 3000, 1, UINT64_C(0x2838da4d3c6d15a3)},
    {DEMO_OLD, true, 3000, 1, UINT64_C(0xf088a17a513e831b)},
    {DEMO_NEW, false, 3000, 1, UINT64_C(0x10bc366c1893fc1d)},
    {DEMO_NEW, true, 3000, 2, UINT64_C(0xc8dd146587f7e2d8)},
    {DEMO_V2, false, 3000, 1, UINT64_C(0x4e5f8652140f0ef8)},
    {DEMO_V2, true, 3001, 3, UINT64_C(0x871628a23d08c7cf)},
    {DEMO_NEW, true, 0, 1, UINT64_C(0x375ffae54f26a3ad)},
};

START_TEST(traces_of_a_training_job_are_the_same_everywhere)
{
	const struct dftracer_case *given = &dftracer_cases[_i];
	struct demo_dftracer options = {.events = given->events,
	                                .ranks = 3,
	                                .nodes = 2,
	                                .steps = 2,
	                                .layers = 5,
	                                .dialect = given->dialect,
	                                .scr = given->scr,
	                                .seed = given->seed,
	                                .bad_lines = 9};
	struct demo_count count;
	struct err err = ERR_INIT;
	uint64_t digest = DIGEST_BEGIN;
	struct sums all = {0};

	ck_assert_int_eq(demo_write_dftracer(in_folder("made"), &options, &count, &err), 0);
	for (unsigned rank = 0; rank < 3; rank++) {
		char name[64];

		snprintf(name, sizeof name, "made/trace-%u-of-3.pfw", rank);
		add_file(in_folder(name), &all, &digest);
	}
	ck_assert_uint_eq(count.records, all.records);
	ck_assert_uint_eq(count.bad_lines, 9);
	ck_assert_uint_eq(all.bad, 9);
	if (given->events > 0) { /* as many as were asked for, or what the checkpoints need */
		ck_assert_uint_ge(all.records, given->events);
	}
	ck_assert_msg(digest == given->digest, "%016" PRIx64, digest);
}
END_TEST

START_TEST(ranks_are_written_one_by_one_as_well)
{
	struct demo_dftracer options = DEMO_DFTRACER_DEFAULTS, none = options;
	struct demo_count all, one, sum = {0, 0};
	struct err err = ERR_INIT;

	options.ranks = 2;
	options.steps = 1;
	options.events = 2000;
	options.bad_lines = 3;
	ck_assert_int_eq(demo_write_dftracer(in_folder("a"), &options, &all, &err), 0);
	ck_assert_int_eq(demo_write_dftracer(in_folder("b"), &options, NULL, &err), 0);
	for (unsigned rank = 0; rank < 2; rank++) {
		char name[2][64];
		struct strbuf text[2];

		for (int i = 0; i < 2; i++) {
			snprintf(name[i], sizeof name[i], "%c/trace-%u-of-2.pfw.gz", "ab"[i], rank);
		}
		ck_assert_int_eq(unlink(in_folder(name[1])), 0);
		ck_assert_int_eq(
		    demo_write_dftracer_rank(in_folder("b"), &options, rank, &one, &err), 0);
		for (int i = 0; i < 2; i++) {
			text[i] = read_all(in_folder(name[i]));
		}
		ck_assert_uint_eq(text[0].len, text[1].len);
		ck_assert_mem_eq(text[0].data, text[1].data, text[0].len);
		strbuf_free(&text[0]);
		strbuf_free(&text[1]);
		sum.records += one.records;
		sum.bad_lines += one.bad_lines;
	}
	ck_assert_uint_eq(sum.records, all.records);
	ck_assert_uint_eq(all.bad_lines, 3);
	ck_assert_uint_eq(sum.bad_lines, 3);
	for (int i = 0; i < 3; i++) {
		unsigned *const fields[] = {&none.ranks, &none.nodes, &none.steps};
		unsigned was = *fields[i];

		*fields[i] = 0;
		ck_assert_int_ne(demo_write_dftracer(in_folder("c"), &none, NULL, &err), 0);
		ck_assert_str_eq(err.message, "a trace needs ranks, nodes and steps");
		ck_assert_int_ne(demo_write_dftracer_rank(in_folder("a"), &none, 0, NULL, &err), 0);
		*fields[i] = was;
	}
	ck_assert_int_eq(access(in_folder("c"), F_OK), -1);
	ck_assert_int_ne(demo_write_dftracer(in_folder("no/folder"), &options, NULL, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.message, "no/folder: cannot create the folder"));
	write_file("file", "");
	ck_assert_int_ne(demo_write_dftracer(in_folder("file"), &options, NULL, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.message, "file/trace-0-of-2.pfw.gz"));
}
END_TEST

/* ---- cascade ---- */

static const struct cascade_case {
	unsigned hosts, workers;
	uint64_t seed;
	double slow_factor;
	uint64_t digest;
} cascade_cases[] = {
    {0, 1, 1, 1, UINT64_C(0xf449a1a285be8703)},   {0, 4, 7, 1, UINT64_C(0x64ead099c3b49a2e)},
    {1, 3, 1, 2.5, UINT64_C(0x0c077e88e82ccc66)}, {2, 2, 1, 1, UINT64_C(0x06990dc0361c34e8)},
    {3, 1, 5, 1, UINT64_C(0x920df1dc34eb4fd3)},   {0, 16, 1, 0.1, UINT64_C(0x72dc06cbb93a659f)},
    {8, 4, 3, 1, UINT64_C(0x1b689806276ec874)},   {0, 1, 2, 1000, UINT64_C(0x0a68876dca8784c6)},
};

START_TEST(runs_of_cascade_are_the_same_everywhere)
{
	const struct cascade_case *given = &cascade_cases[_i];
	uint64_t digest = DIGEST_BEGIN;
	struct sums sums = {0};
	struct err err = ERR_INIT;

	ck_assert_int_eq(demo_write_cascade(in_folder("run.jsonl"), given->hosts, given->workers,
	                                    given->seed, given->slow_factor, &err),
	                 0);
	add_file(in_folder("run.jsonl"), &sums, &digest);
	ck_assert_uint_eq(sums.bad, 0);
	ck_assert_uint_ge(sums.records, 135);
	ck_assert_msg(digest == given->digest, "%016" PRIx64, digest);
}
END_TEST

START_TEST(runs_of_cascade_have_limits)
{
	static const struct {
		unsigned hosts, workers;
		double slow_factor;
		bool is_right;
	} cases[] = {{0, 0, 1, false},   {0, 257, 1, false},  {65, 1, 1, false},
	             {0, 1, 0, false},   {0, 1, -1, false},   {0, 1, 1000.5, false},
	             {0, 1, NAN, false}, {64, 1, 1000, true}, {0, 256, 1, true}};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct err err = ERR_INIT;
		int rc = demo_write_cascade(in_folder("run.jsonl"), cases[i].hosts,
		                            cases[i].workers, 1, cases[i].slow_factor, &err);

		ck_assert_msg((rc == 0) == cases[i].is_right, "%zu", i);
		ck_assert_int_eq(access(in_folder("run.jsonl"), F_OK), rc);
	}
	struct err err = ERR_INIT;
	ck_assert_int_ne(demo_write_cascade(in_folder("no/run.jsonl"), 0, 1, 1, 1, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.message, "no/run.jsonl"));
}
END_TEST

/* ---- Dask, data loading ---- */

static const struct folder_case {
	int (*write)(const char *folder, uint64_t seed, struct err *err);
	const char *files[8];
	uint64_t digest;
} folder_cases[] = {
    {demo_write_dasf,
     {"cube-TracePlugin-h0.msgpack", "cube-ResourceMonitor-h0.msgpack",
      "cube-TracePlugin-h1.msgpack", "cube-ResourceMonitor-h1.msgpack"},
     UINT64_C(0x1efb075a0cf741b2)},
    {demo_write_dataload,
     {"baseline1/images/run1/remote/sim_compute_time=0.1/data_load_time.npy",
      "baseline1/images/run2/remote/sim_compute_time=1.0/compute_time.npy",
      "baseline1/images/run1/remote/sim_compute_time=0.5/io_time.npy",
      "baseline2/images/remote/sim_compute_time=0.1-block_size=320/processing_time.npy",
      "baseline2/images/remote/sim_compute_time=0.1-block_size=10/memory.npy",
      "ours/images/run2/remote/sim_compute_time=0.5/data_load_time.npy",
      "ours/images/run1/remote/sim_compute_time=0.1/opt_config"},
     UINT64_C(0xa6522550fce20f36)},
};

START_TEST(folders_of_traces_are_the_same_everywhere)
{
	const struct folder_case *given = &folder_cases[_i];
	uint64_t digest = DIGEST_BEGIN;
	struct err err = ERR_INIT;

	ck_assert_int_ne(given->write(in_folder("no"), 1, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.message, "/no/"));
	ck_assert_int_eq(given->write(folder, 1, &err), 0);
	for (size_t i = 0; given->files[i]; i++) {
		struct strbuf text = read_all(in_folder(given->files[i]));
		digest = digest_add(digest, &text);
		strbuf_free(&text);
	}
	ck_assert_msg(digest == given->digest, "%016" PRIx64, digest);
}
END_TEST

/* ---- tasks of one host slow each other down ---- */

struct timed_task {
	char name[96], host[32];
	double start, end;
};

/* From a trace's own rows: nothing here is the generator's. */
static size_t
read_tasks(const char *path, struct timed_task *tasks, size_t capacity)
{
	struct strbuf text = read_all(path);
	size_t n = 0;

	for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n")) {
		json_t *row = json_loads(line, JSON_DECODE_INT_AS_REAL, NULL);
		const char *action = json_string_value(json_object_get(row, "action"));
		const char *name = json_string_value(json_object_get(row, "task"));
		double at = json_number_value(json_object_get(row, "at"));
		size_t i = 0;

		if (strcmp(action, "taskStarted") != 0 && strcmp(action, "taskFinished") != 0) {
			json_decref(row);
			continue;
		}
		while (i < n && strcmp(tasks[i].name, name) != 0) {
			i++;
		}
		if (i == n) {
			ck_assert_uint_lt(n, capacity);
			memset(&tasks[n], 0, sizeof tasks[n]);
			snprintf(tasks[n].name, sizeof tasks[n].name, "%s", name);
			snprintf(tasks[n].host, sizeof tasks[n].host, "%s",
			         json_string_value(json_object_get(row, "host")));
			n++;
		}
		*(strcmp(action, "taskStarted") == 0 ? &tasks[i].start : &tasks[i].end) = at;
		json_decref(row);
	}
	strbuf_free(&text);
	return n;
}

/* How long the task would have taken alone, if each of up to three others slows it down by a third
 * of `percent`: its time, piece by piece of as many neighbours. */
static double
time_alone(const struct timed_task *tasks, size_t n, const struct timed_task *task, double percent)
{
	double alone = 0, at = task->start;

	while (at < task->end) {
		double until = task->end;
		int others = 0;

		for (size_t i = 0; i < n; i++) {
			const struct timed_task *other = &tasks[i];
			if (other == task || strcmp(other->host, task->host) != 0) {
				continue;
			}
			others += other->start <= at && at < other->end;
			until = other->start > at ? fmin(until, other->start) : until;
			until = other->end > at ? fmin(until, other->end) : until;
		}
		alone += (until - at) / (1 + percent / 100 * others / 3);
		at = until;
	}
	return alone;
}

static const struct {
	unsigned hosts, workers;
} sharing_cases[] = {{0, 1}, {0, 4}, {1, 4}, {2, 2}, {4, 1}, {0, 3}};

START_TEST(tasks_of_a_host_slow_each_other_down_while_they_run)
{
	static const struct {
		const char *prefix;
		double ms, percent;
	} kinds[] = {{"retrieve", 62, 8},   {"concat", 60, 5}, {"mean", 70, 25},
	             {"threshold", 75, 30}, {"sot", 460, 132}, {"efi", 1030, 118}};
	static struct timed_task tasks[160];
	double longest = 0;
	struct err err = ERR_INIT;

	ck_assert_int_eq(demo_write_cascade(in_folder("run.jsonl"), sharing_cases[_i].hosts,
	                                    sharing_cases[_i].workers, 1, 1, &err),
	                 0);
	size_t n = read_tasks(in_folder("run.jsonl"), tasks, 160);
	ck_assert_uint_eq(n, 135);
	for (size_t i = 0; i < n; i++) {
		size_t kind = 0;
		while (strncmp(tasks[i].name, kinds[kind].prefix, strlen(kinds[kind].prefix)) !=
		       0) {
			kind++;
			ck_assert_uint_lt(kind, sizeof kinds / sizeof kinds[0]);
		}
		double alone = time_alone(tasks, n, &tasks[i], kinds[kind].percent) / 1e6;
		double share = alone / kinds[kind].ms;
		ck_assert_msg(share > 0.92 && share < 1.101, "%s: %f", tasks[i].name, share);
		longest = fmax(longest, (tasks[i].end - tasks[i].start) / 1e6 / kinds[kind].ms);
	}
	/* Alone, only chance makes a task longer; beside three others it takes twice as long. */
	ck_assert_msg((longest > 1.101) == (sharing_cases[_i].workers > 1), "%f", longest);
	ck_assert_msg((longest > 2.1) == (sharing_cases[_i].workers > 3), "%f", longest);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("demo");
	TCase *tests = tcase_create("demo");

	tcase_add_checked_fixture(tests, make_folder, remove_folder);
	tcase_add_loop_test(tests, traces_of_a_training_job_are_the_same_everywhere, 0,
	                    (int)(sizeof dftracer_cases / sizeof dftracer_cases[0]));
	tcase_add_test(tests, ranks_are_written_one_by_one_as_well);
	tcase_add_loop_test(tests, runs_of_cascade_are_the_same_everywhere, 0,
	                    (int)(sizeof cascade_cases / sizeof cascade_cases[0]));
	tcase_add_test(tests, runs_of_cascade_have_limits);
	tcase_add_loop_test(tests, folders_of_traces_are_the_same_everywhere, 0,
	                    (int)(sizeof folder_cases / sizeof folder_cases[0]));
	tcase_add_loop_test(tests, tasks_of_a_host_slow_each_other_down_while_they_run, 0,
	                    (int)(sizeof sharing_cases / sizeof sharing_cases[0]));
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
