/* Files that hold several runs: divided where that is certain, into what went in. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dasf_records.h"
#include "import/formats.h"
#include "ingest/ingest.h"
#include "ingest/plan.h"
#include "ingest_folder.h"
#include "run_answers.h"
#include "util/mem.h"
#include "util/prng.h"

/* ---- runs of cascade ---- */

struct row {
	int64_t at;
	char text[200];
};

struct rows {
	struct row rows[600];
	size_t n;
};

static int
compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	return (x->at > y->at) - (x->at < y->at);
}

static void
add_row(struct rows *rows, int64_t at, const char *action, const char *prefix, unsigned task,
        const char *host)
{
	struct row *row = &rows->rows[rows->n++];

	row->at = at;
	snprintf(row->text, sizeof row->text,
	         "{\"task\": \"%s%u\", \"action\": \"%s\", \"worker\": \"worker%u\", \"host\": "
	         "\"%s\", \"at\": %" PRId64 "}\n",
	         prefix, task, action, task % 3, host, at);
}

/* Tasks with their life cycles, and data sent between. Returns when all is over. */
static int64_t
record_run(struct strbuf *out, struct prng *prng, const char *prefix, unsigned n_tasks,
           int64_t start)
{
	struct rows rows = {.n = 0};
	int64_t end = start;

	for (unsigned i = 0; i < n_tasks; i++) {
		int64_t at = start + (int64_t)prng_below(prng, 1000);
		add_row(&rows, at, "taskPlanned", prefix, i, "controller");
		at += 1 + (int64_t)prng_below(prng, 500);
		add_row(&rows, at, "taskEnqueued", prefix, i, "fiab");
		at += 1 + (int64_t)prng_below(prng, 500);
		add_row(&rows, at, "taskStarted", prefix, i, "fiab");
		at += 1 + (int64_t)prng_below(prng, 5000);
		add_row(&rows, at, "taskFinished", prefix, i, "fiab");
		end = at > end ? at : end;
	}
	qsort(rows.rows, rows.n, sizeof *rows.rows, compare_rows);
	for (size_t i = 0; i + 1 < rows.n; i += 7) { /* only nearly in order */
		struct row row = rows.rows[i];
		rows.rows[i] = rows.rows[i + 1];
		rows.rows[i + 1] = row;
	}
	for (size_t i = 0; i < rows.n; i++) {
		strbuf_add_text(out, rows.rows[i].text);
	}
	return end;
}

/* ---- plans, and runs made of them ---- */

static struct ingest_plans *
plan(const char *const *paths, unsigned n, bool one)
{
	struct err err = ERR_INIT;
	struct ingest_options options = {.out = folder, .one = one};
	struct ingest_plans *plans = ingest_plan(paths, n, &options, &err);

	ck_assert_msg(plans != NULL, "%s", err.message);
	return plans;
}

static void
import_all(const struct ingest_plans *plans)
{
	struct err err = ERR_INIT;
	struct ingest_options options = {.out = folder};

	for (unsigned i = 0; i < plans->n_plans; i++) {
		ck_assert_msg(ingest_run(&plans->plans[i], &options, NULL, NULL, &err) == 0, "%s",
		              err.message);
	}
}

static void
compare_runs(const char *run, const char *other)
{
	static const char *const statements[] = {
	    "SELECT key, worker, planned, enqueued, started, finished FROM tasks ORDER BY 1, 2",
	    "SELECT name, category, start, duration FROM span ORDER BY 1, 2, 3, 4",
	    "SELECT name, value FROM counter ORDER BY id",
	    "SELECT sum(records), sum(bad_records) FROM source",
	    "SELECT start_ns, duration_ns FROM run",
	    "SELECT count(*) FROM problem",
	};

	expect_same_answers(run, other, statements, sizeof statements / sizeof *statements);
}

static void
expect_problem(const char *run, const char *pattern, const char *count)
{
	char sql[300];

	snprintf(sql, sizeof sql,
	         "SELECT count(*) FROM problem WHERE kind = 'suspicious' AND reason LIKE '%s'",
	         pattern);
	char *found = answer(run, sql);
	ck_assert_msg(strncmp(found, count, strlen(count)) == 0, "%s: %s", pattern, found);
	free(found);
}

/* What one file of bytes becomes: the number of runs. */
static unsigned
count_runs(const char *name, const struct strbuf *bytes)
{
	const char *path = write_bytes(name, bytes->data, bytes->len);
	struct ingest_plans *plans = plan(&path, 1, false);
	unsigned n = plans->n_plans;

	import_all(plans);
	ingest_plans_free(plans);
	return n;
}

START_TEST(cascade_runs_come_apart)
{
	struct prng prng = {(uint64_t)_i + 1};
	struct strbuf whole = {NULL, 0, 0};
	unsigned n = 2 + (unsigned)prng_below(&prng, 3),
		 n_tasks = 2 + (unsigned)prng_below(&prng, 40);
	int64_t now = INT64_C(16000000000000);
	char name[32];

	make_folder();
	for (unsigned i = 0; i < n; i++) {
		struct strbuf single = {NULL, 0, 0};
		now = record_run(&single, &prng, "task", n_tasks, now) + 1 +
		      (int64_t)prng_below(&prng, 100);
		snprintf(name, sizeof name, "single%u.jsonl", i);
		ck_assert_uint_eq(count_runs(name, &single), 1);
		strbuf_add(&whole, single.data, single.len);
		strbuf_free(&single);
	}
	ck_assert_uint_eq(count_runs("whole.jsonl", &whole), n);
	for (unsigned i = 0; i < n; i++) {
		char part[32];
		snprintf(part, sizeof part, "whole-%u.lanes", i + 1);
		snprintf(name, sizeof name, "single%u.lanes", i);
		compare_runs(in_folder(part), in_folder(name));
	}
	strbuf_free(&whole);
	remove_folder();
}
END_TEST

/* A clock that jumps by years is another, whatever the tasks are; one that goes on is not. */
START_TEST(cascade_clocks)
{
	static const int64_t later[] = {INT64_C(1700000000000000000), 1000,
	                                INT64_C(16000000020000)};
	static const unsigned runs[] = {2, 1, 1};

	make_folder();
	for (size_t i = 0; i < 3; i++) {
		struct prng prng = {i};
		struct strbuf whole = {NULL, 0, 0};
		char name[32];
		record_run(&whole, &prng, "one", 10, INT64_C(16000000000000));
		record_run(&whole, &prng, "other", 10, later[i]);
		snprintf(name, sizeof name, "clock%zu.jsonl", i);
		ck_assert_uint_eq(count_runs(name, &whole), runs[i]);
		strbuf_free(&whole);
	}
	/* the machine has been started anew, and the same tasks with it */
	struct prng prng = {7};
	struct strbuf whole = {NULL, 0, 0};
	record_run(&whole, &prng, "one", 10, INT64_C(16000000000000));
	record_run(&whole, &prng, "one", 10, INT64_C(1000));
	ck_assert_uint_eq(count_runs("anew.jsonl", &whole), 2);
	strbuf_free(&whole);
	remove_folder();
}
END_TEST

START_TEST(cascade_runs_that_stay_together)
{
	struct prng prng = {5};
	struct strbuf whole = {NULL, 0, 0};

	make_folder();
	/* at the same time: told */
	record_run(&whole, &prng, "task", 12, INT64_C(16000000000000));
	record_run(&whole, &prng, "task", 12, INT64_C(16000000001000));
	ck_assert_uint_eq(count_runs("mixed.jsonl", &whole), 1);
	expect_problem(in_folder("mixed.lanes"), "%more than one run%", "1");
	/* one row twice */
	strbuf_clear(&whole);
	record_run(&whole, &prng, "task", 12, INT64_C(16000000000000));
	const char *line_end = memchr(whole.data, '\n', whole.len);
	char *line = xstrndup(whole.data, (size_t)(line_end - whole.data) + 1);
	strbuf_add_text(&whole, line);
	free(line);
	ck_assert_uint_eq(count_runs("twice.jsonl", &whole), 1);
	expect_problem(in_folder("twice.lanes"), "%more than one run%", "0");
	/* certain, but wished otherwise: told */
	strbuf_clear(&whole);
	int64_t end = record_run(&whole, &prng, "task", 12, INT64_C(16000000000000));
	record_run(&whole, &prng, "task", 12, end + 100);
	strbuf_add_char(&whole, '\0');
	const char *path = write_file("wished.jsonl", whole.data);
	struct ingest_plans *plans = plan(&path, 1, true);
	ck_assert_uint_eq(plans->n_plans, 1);
	import_all(plans);
	ingest_plans_free(plans);
	expect_problem(in_folder("wished.lanes"), "%more than one run%", "1");
	strbuf_free(&whole);
	remove_folder();
}
END_TEST

/* ---- runs of DASF ---- */

static void
record_compute(struct strbuf *out, unsigned worker, double timestamp, unsigned key)
{
	char thread[60], task[60];

	snprintf(thread, sizeof thread, "worker-n1-%u", worker);
	snprintf(task, sizeof task, "('sum-%u', 0)", key);
	add_call(out, "Compute", timestamp, 0.25, "n1", thread, task);
}

static void
record_usage(struct strbuf *out, double timestamp, double unix_time)
{
	struct strbuf record = {NULL, 0, 0};

	pack_map(&record, 7);
	add_time(&record, "Resource Usage", timestamp);
	pack_text(&record, "phase");
	pack_text(&record, "I");
	pack_text(&record, "scope");
	pack_text(&record, "g");
	pack_text(&record, "process_id");
	pack_text(&record, "n1");
	pack_text(&record, "thread_id");
	pack_nil(&record);
	pack_text(&record, "args");
	pack_map(&record, 2);
	pack_text(&record, "cpu");
	pack_real(&record, 50);
	pack_text(&record, "time");
	pack_real(&record, unix_time);
	end_record(out, &record);
}

/* Batches of workers, one after the other, and samples. */
static void
record_dasf(struct strbuf *trace, struct strbuf *resources, double clock, double unix_time,
            unsigned first_worker)
{
	for (unsigned batch = 0; batch < 2; batch++) {
		for (unsigned worker = first_worker; worker < first_worker + 3; worker++) {
			for (unsigned i = 0; i < 5; i++) {
				record_compute(trace, worker, clock + batch * 5 + i,
				               batch * 100 + worker * 10 + i);
			}
		}
	}
	for (unsigned i = 0; i < 20; i++) {
		record_usage(resources, clock + i * 0.5, unix_time + i * 0.5);
	}
}

START_TEST(dasf_runs_come_apart)
{
	static const double clocks[] = {5000, 90, 3};
	struct strbuf trace = {NULL, 0, 0}, resources = {NULL, 0, 0};

	make_folder();
	for (unsigned i = 0; i < 3; i++) {
		struct strbuf one = {NULL, 0, 0}, two = {NULL, 0, 0};
		char name[60], other[60];
		record_dasf(&one, &two, clocks[i], 1700000000 + i * 1e6, 0);
		snprintf(name, sizeof name, "single%u-TracePlugin-n1.msgpack", i);
		snprintf(other, sizeof other, "single%u-ResourceMonitor-n1.msgpack", i);
		const char *paths[] = {write_bytes(other, two.data, two.len),
		                       write_bytes(name, one.data, one.len)};
		struct ingest_plans *plans = plan(paths, 2, false);
		ck_assert_uint_eq(plans->n_plans, 1);
		struct ingest_options options = {0};
		struct err err = ERR_INIT;
		snprintf(name, sizeof name, "single%u.lanes", i);
		plans->plans[0].out_path = in_folder(name);
		ck_assert_int_eq(ingest_run(&plans->plans[0], &options, NULL, NULL, &err), 0);
		ingest_plans_free(plans);
		strbuf_add(&trace, one.data, one.len);
		strbuf_add(&resources, two.data, two.len);
		strbuf_free(&one);
		strbuf_free(&two);
	}
	const char *paths[] = {
	    write_bytes("all-ResourceMonitor-n1.msgpack", resources.data, resources.len),
	    write_bytes("all-TracePlugin-n1.msgpack", trace.data, trace.len)};
	struct ingest_plans *plans = plan(paths, 2, false);
	ck_assert_uint_eq(plans->n_plans, 3);
	import_all(plans);
	for (unsigned i = 0; i < 3; i++) {
		char name[60];
		snprintf(name, sizeof name, "single%u.lanes", i);
		ck_assert_uint_eq(plans->plans[i].n_paths, 2);
		compare_runs(plans->plans[i].out_path, in_folder(name));
	}
	ingest_plans_free(plans);
	strbuf_free(&trace);
	strbuf_free(&resources);
	remove_folder();
}
END_TEST

/* Appended without the host being started anew: the same tasks after a pause; or others, where the
 * samples pause as well. */
START_TEST(dasf_runs_of_one_clock)
{
	struct strbuf trace = {NULL, 0, 0}, resources = {NULL, 0, 0};

	make_folder();
	record_dasf(&trace, &resources, 100, 1700000000, 0);
	record_dasf(&trace, &resources, 500, 1700000400, 0);
	record_dasf(&trace, &resources, 900, 1700000800, 0);
	ck_assert_uint_eq(count_runs("again.msgpack", &trace), 3);
	for (unsigned samples = 0; samples < 2; samples++) {
		strbuf_clear(&trace);
		strbuf_clear(&resources);
		record_dasf(&trace, &resources, 100, 1700000000, 0);
		/* they go on: so does the cluster */
		for (unsigned i = 0; samples && i < 388; i++) {
			record_usage(&resources, 110 + i, 1700000010 + i);
		}
		record_dasf(&trace, &resources, 500, 1700000400, samples ? 0 : 4);
		const char *paths[] = {
		    write_bytes("x-ResourceMonitor-n1.msgpack", resources.data, resources.len),
		    write_bytes("x-TracePlugin-n1.msgpack", trace.data, trace.len)};
		struct ingest_plans *plans = plan(paths, 2, false);
		ck_assert_uint_eq(plans->n_plans, samples ? 1 : 2);
		import_all(plans);
		for (unsigned i = 0; i < plans->n_plans; i++) {
			ck_assert_uint_eq(plans->plans[i].n_paths, 2);
			expect_answer(plans->plans[i].out_path, "SELECT count(*) FROM tasks",
			              samples ? "60\n" : "30\n");
			expect_problem(plans->plans[i].out_path, "%nothing is recorded%",
			               samples ? "1" : "0");
		}
		ingest_plans_free(plans);
	}
	strbuf_free(&trace);
	strbuf_free(&resources);
	remove_folder();
}
END_TEST

START_TEST(dasf_runs_that_stay_together)
{
	struct strbuf trace = {NULL, 0, 0}, resources = {NULL, 0, 0};

	make_folder();
	/* the clock goes on: at once, or other tasks come after a pause, which is told */
	record_dasf(&trace, &resources, 100, 1700000000, 0);
	record_dasf(&trace, &resources, 115, 1700000015, 0);
	ck_assert_uint_eq(count_runs("on.msgpack", &trace), 1);
	expect_problem(in_folder("on.lanes"), "%", "0");
	strbuf_clear(&trace);
	record_dasf(&trace, &resources, 100, 1700000000, 0);
	record_dasf(&trace, &resources, 500, 1700000400, 4);
	record_dasf(&trace, &resources, 900, 1700000800, 8);
	ck_assert_uint_eq(count_runs("others.msgpack", &trace), 1);
	expect_problem(in_folder("others.lanes"),
	               "%nothing is recorded for 6m 3_s before record 31, and in other places%",
	               "1");
	/* a part of the tasks again is what was lost */
	strbuf_clear(&trace);
	record_dasf(&trace, &resources, 100, 1700000000, 0);
	record_compute(&trace, 0, 500, 0);
	record_compute(&trace, 0, 501, 1);
	ck_assert_uint_eq(count_runs("lost.msgpack", &trace), 1);
	expect_problem(in_folder("lost.lanes"), "%nothing is recorded%", "1");
	/* a task that takes so long is no pause; nor is what stands later in the file within one */
	strbuf_clear(&trace);
	record_compute(&trace, 0, 100, 1);
	add_call(&trace, "Compute", 500, 399, "n1", "worker-n1-0", "long");
	record_compute(&trace, 0, 1000, 1);
	for (int at = 520; at < 1000; at += 50) {
		record_compute(&trace, 1, at, 2);
	}
	ck_assert_uint_eq(count_runs("long.msgpack", &trace), 1);
	expect_problem(in_folder("long.lanes"), "%nothing is recorded%", "0");
	strbuf_clear(&trace);
	/* one worker's clock goes back, and another's on */
	strbuf_clear(&trace);
	record_dasf(&trace, &resources, 100, 1700000000, 0);
	record_compute(&trace, 0, 50, 1);
	record_compute(&trace, 1, 120, 1);
	ck_assert_uint_eq(count_runs("both.msgpack", &trace), 1);
	expect_problem(in_folder("both.lanes"), "%clock is another one%", "1");
	strbuf_free(&trace);
	strbuf_free(&resources);
	remove_folder();
}
END_TEST

/* Cancelled while a file is read for where its runs begin, the planning ends. */
START_TEST(looking_for_parts_is_cancelled)
{
	struct cancel cancel = {false};
	struct ingest_options options = {.cancel = &cancel};
	struct strbuf text = {NULL, 0, 0};
	size_t number = 0;

	make_folder();
	for (unsigned i = 0; i < 3000; i++) {
		strbuf_printf(&text,
		              "{\"action\": \"taskStarted\", \"task\": \"t%u\", \"worker\": "
		              "\"w\", \"host\": \"h\", \"at\": %u}\n",
		              i, 5 + i);
	}
	struct plan_file file = {.path = write_bytes("long.jsonl", text.data, text.len)};
	struct run_draft draft = {.format = &import_cascade, .files = &number, .n_files = 1};
	struct planning planning = {
	    .options = &options, .files = &file, .n_files = 1, .drafts = &draft, .n_drafts = 1};
	for (int turn = 0; turn < 2; turn++) {
		struct err err = ERR_INIT;
		ck_assert_int_eq(plan_parts(&planning, &err), -turn);
		ck_assert_int_eq(err.code, turn ? ERR_CANCELLED : ERR_NONE);
		ck_assert_uint_eq(planning.n_drafts, 1);
		cancel_request(&cancel);
	}
	strbuf_free(&text);
	remove_folder();
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("parts");
	TCase *tests = tcase_create("parts");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, cascade_runs_come_apart, 0, 20);
	tcase_add_test(tests, cascade_clocks);
	tcase_add_test(tests, cascade_runs_that_stay_together);
	tcase_add_test(tests, dasf_runs_come_apart);
	tcase_add_test(tests, dasf_runs_of_one_clock);
	tcase_add_test(tests, dasf_runs_that_stay_together);
	tcase_add_test(tests, looking_for_parts_is_cancelled);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
