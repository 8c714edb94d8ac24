/* The cascade importer on the samples, whose tasks and transfers must be exactly those of an
 * independent implementation, on generated traces, and on many rows. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "cascade_fixture.h"
#include "simulate/demo_traces.h"
#include "util/mem.h"
#include "util/prng.h"

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

int
main(void)
{
	Suite *suite = suite_create("import_cascade_samples");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, samples);
	tcase_add_test(tcase, microtrace_sums);
	tcase_add_test(tcase, demo_traces);
	tcase_add_test(tcase, many_rows);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
