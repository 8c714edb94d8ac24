/* Files of cascade that hold several runs: workflows that are generated, broken off at random
 * points, run again and tried again are divided where they were joined, and nowhere else. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "import/formats.h"
#include "record_sink.h"
#include "unit.h"
#include "util/mem.h"
#include "util/prng.h"

#define MAX_TASKS 60u
#define MAX_WORKERS 6u

/* ---- a workflow, and a scheduler of it ---- */

struct workflow {
	unsigned n_tasks, n_sources;
	unsigned needs[MAX_TASKS][2]; /* of those that are no sources: earlier tasks */
};

struct row {
	int64_t at;
	unsigned task;
	char text[320];
};

struct rows {
	struct row *rows;
	size_t n, capacity;
};

struct recording {
	struct prng *prng;
	const struct workflow *workflow;
	unsigned generation, n_workers;
	unsigned retries; /* in a hundred tasks */
	struct rows rows;
};

static struct workflow
make_workflow(struct prng *prng)
{
	struct workflow workflow = {.n_tasks = 4 + (unsigned)prng_below(prng, MAX_TASKS - 4)};

	workflow.n_sources = 2 + (unsigned)prng_below(prng, workflow.n_tasks / 2);
	for (unsigned i = workflow.n_sources; i < workflow.n_tasks; i++) {
		workflow.needs[i][0] = (unsigned)prng_below(prng, i);
		workflow.needs[i][1] = (unsigned)prng_below(prng, i);
	}
	return workflow;
}

static void
spell_worker(const struct recording *recording, bool controller, unsigned worker, char text[32])
{
	if (recording->generation == 3) {
		snprintf(text, 32, "h%u.w%u", worker % 2, worker / 2);
	} else if (controller) {
		snprintf(text, 32, "h%u:worker%u", worker % 2, worker / 2);
	} else {
		snprintf(text, 32, "worker%u", worker / 2);
	}
}

static void
add_row(struct recording *recording, int64_t at, unsigned task, const char *actions[2],
        bool is_transfer, unsigned worker)
{
	struct rows *rows = &recording->rows;
	bool controller = strstr(actions[0], "Planned") != NULL;
	char place[32], host[16];
	const char *key = "worker";

	rows->rows = mem_grow(rows->rows, &rows->capacity, rows->n + 1, sizeof *rows->rows);
	struct row *row = &rows->rows[rows->n++];
	spell_worker(recording, controller, worker, place);
	snprintf(host, sizeof host, "h%u", worker % 2);
	if (recording->generation == 3 && is_transfer) {
		key = controller ? "source\": \"h9\", \"target" : "target";
		memcpy(place, host, sizeof host);
	}
	row->at = at;
	row->task = task;
	snprintf(row->text, sizeof row->text,
	         "{\"%s\": \"task%u\", \"action\": \"%s\", \"%s\": \"%s\", \"host\": \"%s\", "
	         "\"at\": %" PRId64 "}\n",
	         is_transfer ? "dataset" : "task", task, actions[recording->generation == 3], key,
	         place, controller ? "controller" : host, at);
}

static int64_t
random_time(struct recording *recording, uint64_t below)
{
	return 1 + (int64_t)prng_below(recording->prng, below);
}

/* What a task needs is sent there, once to each worker at most: mostly it is there. */
static int64_t
send(struct recording *recording, unsigned task, unsigned worker, int64_t at)
{
	static const char *planned[] = {"transmitPlanned", "transmit_planned"},
			  *started[] = {"transmitStarted", "transmit_started"},
			  *loaded[] = {"transmitLoaded", "transmit_loaded"},
			  *finished[] = {"transmitFinished", "transmit_completed"};

	add_row(recording, at, task, planned, true, worker);
	if (prng_below(recording->prng, 3) > 0) {
		add_row(recording, at += random_time(recording, 1000), task, started, true, worker);
		add_row(recording, at += random_time(recording, 1000), task, loaded, true, worker);
	}
	add_row(recording, at += random_time(recording, 1000), task, finished, true, worker);
	return at;
}

static int64_t
try_task(struct recording *recording, unsigned task, unsigned worker, int64_t at, bool fails)
{
	static const char *planned[] = {"taskPlanned", "task_planned"},
			  *enqueued[] = {"taskEnqueued", "task_enqueued"},
			  *started[] = {"taskStarted", "task_started"},
			  *finished[] = {"taskFinished", "task_completed"};

	add_row(recording, at, task, planned, false, worker);
	add_row(recording, at += random_time(recording, 1000), task, enqueued, false, worker);
	add_row(recording, at += random_time(recording, 1000), task, started, false, worker);
	at += random_time(recording, 20000);
	if (!fails) {
		add_row(recording, at, task, finished, false, worker);
	}
	return at;
}

static int
compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	return (x->at > y->at) - (x->at < y->at);
}

/* One run of the workflow. Returns when it is over. */
static int64_t
record(struct recording *recording, int64_t start)
{
	const struct workflow *workflow = recording->workflow;
	int64_t ready[MAX_TASKS], free_at[MAX_WORKERS], end = start;
	bool is_sent[MAX_TASKS][MAX_WORKERS] = {{false}};

	recording->rows.n = 0;
	for (unsigned i = 0; i < recording->n_workers; i++) {
		free_at[i] = start;
	}
	for (unsigned i = 0; i < workflow->n_tasks; i++) {
		unsigned worker = 0;
		for (unsigned j = 1; j < recording->n_workers; j++) {
			worker = free_at[j] < free_at[worker] ? j : worker;
		}
		int64_t at = free_at[worker];
		for (unsigned j = 0; j < 2 && i >= workflow->n_sources; j++) {
			unsigned need = workflow->needs[i][j];
			at = ready[need] > at ? ready[need] : at;
		}
		for (unsigned j = 0; j < 2 && i >= workflow->n_sources; j++) {
			unsigned need = workflow->needs[i][j],
				 place = recording->generation == 3 ? worker % 2 : worker;
			if (!is_sent[need][place] && prng_below(recording->prng, 2)) {
				is_sent[need][place] = true;
				at = send(recording, need, worker, at) + 1;
			}
		}
		if (i >= recording->n_workers &&
		    prng_below(recording->prng, 100) < recording->retries) {
			at = try_task(recording, i, worker, at, true) + 1;
		}
		ready[i] = try_task(recording, i, worker, at, false) + 1;
		free_at[worker] = ready[i];
		end = ready[i] > end ? ready[i] : end;
	}
	qsort(recording->rows.rows, recording->rows.n, sizeof *recording->rows.rows, compare_rows);
	return end;
}

/* Writes the first rows, only nearly in order. */
static void
write_rows(struct strbuf *out, struct rows *rows, size_t n)
{
	for (size_t i = 0; i + 1 < n; i += 9) {
		struct row row = rows->rows[i];
		rows->rows[i] = rows->rows[i + 1];
		rows->rows[i + 1] = row;
	}
	for (size_t i = 0; i < n; i++) {
		strbuf_add_text(out, rows->rows[i].text);
	}
}

static unsigned
tasks_in(const struct rows *rows, size_t n)
{
	bool seen[MAX_TASKS] = {false};
	unsigned count = 0;

	for (size_t i = 0; i < n; i++) {
		count += !seen[rows->rows[i].task];
		seen[rows->rows[i].task] = true;
	}
	return count;
}

/* ---- what is found ---- */

static void
find(const struct strbuf *bytes, struct import_parts *parts)
{
	struct err err = ERR_INIT;
	struct input *input = input_from_memory(strbuf_slice(bytes), 0);

	*parts = (struct import_parts){NULL, 0, 0};
	ck_assert_msg(import_cascade.find_parts(input, NULL, parts, &err) == 0, "%s", err.message);
	input_close(input);
}

static void
expect_parts(const struct strbuf *bytes, const uint64_t *records, size_t n, int seed)
{
	struct import_parts parts;

	find(bytes, &parts);
	for (size_t i = 0; i < parts.n && i < n; i++) {
		ck_assert_msg(parts.parts[i].record == records[i],
		              "seed %d: at record %" PRIu64 ", not %" PRIu64, seed,
		              parts.parts[i].record, records[i]);
	}
	ck_assert_msg(parts.n == n, "seed %d: %zu places, not %zu", seed, parts.n, n);
	import_parts_free(&parts);
}

static struct recording
prepare(struct prng *prng, const struct workflow *workflow)
{
	return (struct recording){.prng = prng,
	                          .workflow = workflow,
	                          .generation = prng_below(prng, 2) ? 3 : 1,
	                          .n_workers = 1 + (unsigned)prng_below(prng, MAX_WORKERS)};
}

/* Broken off anywhere and begun anew, on other workers, once or several times; the clock goes on,
 * or is another. */
START_TEST(broken_off_and_run_again)
{
	struct prng prng = {(uint64_t)_i + 1};
	struct workflow workflow = make_workflow(&prng);
	struct recording recording = prepare(&prng, &workflow);
	struct strbuf bytes = {NULL, 0, 0};
	uint64_t records[8], n_rows = 0;
	size_t n = 0;
	int64_t now = INT64_C(16000000000000);
	unsigned breaks = 1 + (unsigned)prng_below(&prng, 3);

	for (unsigned i = 0; i < breaks; i++) {
		now = record(&recording, now) + random_time(&recording, 3000000000);
		size_t least = 2 + recording.rows.n / 4,
		       kept = least + (size_t)prng_below(&prng, recording.rows.n - least + 1);
		while (kept < recording.rows.n && tasks_in(&recording.rows, kept) < 2) {
			kept++;
		}
		write_rows(&bytes, &recording.rows, kept);
		n_rows += kept;
		records[n++] = n_rows + 1;
		now = prng_below(&prng, 4) == 0 ? now - INT64_C(15000000000) * (i + 1) : now;
		recording.n_workers = 1 + (unsigned)prng_below(&prng, MAX_WORKERS);
	}
	(void)record(&recording, now);
	write_rows(&bytes, &recording.rows, recording.rows.n);
	expect_parts(&bytes, records, n, _i);
	free(recording.rows.rows);
	strbuf_free(&bytes);
}
END_TEST

/* Tasks that are tried again within a run are no other run, and hide none. */
START_TEST(tried_again)
{
	struct prng prng = {(uint64_t)_i + 1};
	struct workflow workflow = make_workflow(&prng);
	struct recording recording = prepare(&prng, &workflow);
	struct strbuf bytes = {NULL, 0, 0};

	recording.retries = 1 + (unsigned)prng_below(&prng, 15);
	int64_t now = record(&recording, INT64_C(16000000000000));
	write_rows(&bytes, &recording.rows, recording.rows.n);
	expect_parts(&bytes, NULL, 0, _i);
	uint64_t next = recording.rows.n + 1;
	(void)record(&recording, now + 5000000);
	write_rows(&bytes, &recording.rows, recording.rows.n);
	expect_parts(&bytes, &next, 1, _i);
	free(recording.rows.rows);
	strbuf_free(&bytes);
}
END_TEST

/* What nothing proves is not divided: two at once, or the same rows twice. That is told. */
START_TEST(not_certain)
{
	struct prng prng = {(uint64_t)_i + 1};
	struct workflow workflow = make_workflow(&prng);
	struct recording recording = prepare(&prng, &workflow);
	struct strbuf bytes = {NULL, 0, 0};
	static const char *const said[] = {"more than one run in this file?",
	                                   "with the same time: the same data twice"};

	for (unsigned i = 0; i < 2; i++) {
		struct record_sink *recorded = record_sink_new();
		strbuf_clear(&bytes);
		(void)record(&recording, INT64_C(16000000000000));
		write_rows(&bytes, &recording.rows, recording.rows.n);
		if (i == 0) {
			recording.n_workers = 1 + (unsigned)prng_below(&prng, MAX_WORKERS);
			(void)record(&recording, INT64_C(16000000000500));
		}
		write_rows(&bytes, &recording.rows, recording.rows.n);
		expect_parts(&bytes, NULL, 0, _i);
		ck_assert_int_eq(
		    record_bytes(recorded, &import_cascade, bytes.data, bytes.len, 0, false, NULL),
		    0);
		bool is_said = false;
		for (size_t j = 0; j < recorded->n_problems; j++) {
			is_said |= strstr(recorded->problems[j].reason, said[i]) != NULL;
		}
		ck_assert_msg(is_said, "seed %d: %s", _i, said[i]);
		record_sink_free(recorded);
	}
	free(recording.rows.rows);
	strbuf_free(&bytes);
}
END_TEST

/* A controller that plans again what was lost with a host goes on. */
START_TEST(lost_and_done_again)
{
	static const struct {
		const char *tasks; /* one after the other; capitals fail */
		size_t n;
	} runs[] = {
	    {"abcdefGg", 0},      {"abcdefgg", 0}, {"aAabcdef", 0},
	    {"abcdefbcdefgh", 0}, {"aa", 1},       {"abcDdefabcdef", 1},
	    {"abcdefAabcdef", 1}, {"Aabc", 0},     {"ABabc", 1},
	};
	static const char *const actions[] = {"taskPlanned", "taskEnqueued", "taskStarted",
	                                      "taskFinished"};

	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct strbuf bytes = {NULL, 0, 0};
		struct import_parts parts;
		int at = 1000;
		for (const char *task = runs[i].tasks; *task; task++) {
			bool fails = *task < 'a';
			for (unsigned stage = 0; stage < (fails ? 3 : 4); stage++) {
				char line[200];
				snprintf(
				    line, sizeof line,
				    "{\"task\": \"%c\", \"action\": \"%s\", \"worker\": \"w\", "
				    "\"at\": %d}\n",
				    *task | 0x20, actions[stage], at += 10);
				strbuf_add_text(&bytes, line);
			}
		}
		find(&bytes, &parts);
		ck_assert_msg(parts.n == runs[i].n, "%s: %zu", runs[i].tasks, parts.n);
		import_parts_free(&parts);
		strbuf_free(&bytes);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("cascade_reruns");
	TCase *tests = tcase_create("cascade_reruns");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, broken_off_and_run_again, 0, 200);
	tcase_add_loop_test(tests, tried_again, 0, 100);
	tcase_add_loop_test(tests, not_certain, 0, 20);
	tcase_add_test(tests, lost_and_done_again);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
