/* Reading a run as a schedule: from run files written here, spans against a look at every ns. */
#include "config.h"
#include "explain/schedule/schedule.h"

#include "unit.h"

#include "column/scan/scan.h"
#include "small_run.h"
#include "util/prng.h"

/* ---- run files ---- */

static const char *const texts[] = {"h0",      "worker0",     "worker1", "worker0 transfers",
                                    "make:1f", "make:2e",     "use:3d",  "make",
                                    "use",     "make:1f.out", "lone:4c", "remote",
                                    "work",    "h1",          "worker9", "elsewhere:5"};
enum {
	H0,
	W0,
	W1,
	TRANSFERS,
	MAKE1,
	MAKE2,
	USE,
	KIND_MAKE,
	KIND_USE,
	MAKE1_OUT,
	LONE,
	REMOTE,
	WORK,
	H1,
	W9,
	ELSEWHERE,
	TEXTS
};

struct run_rows {
	const struct task *tasks;
	size_t n_tasks;
	const struct transfer *transfers;
	size_t n_transfers;
	const int64_t (*dependencies)[2];
	size_t n_dependencies;
	struct span_row *spans;
	size_t n_spans;
};

static struct column_info
put_column(struct writer *writer, const struct block_info *block, uint32_t nth, uint32_t field,
           enum column_type type, const int64_t *values)
{
	struct strbuf bytes = {0};
	struct column_info column = {.field = field, .type = (uint8_t)type};
	column_encode_integers(&column, values, NULL, block->n_rows, &bytes);
	column.blob_bytes = (uint32_t)bytes.len;
	if (bytes.len) {
		column.blob_id = writer_blob_id(block->source, block->kind, block->sequence, nth);
		must(writer_blob(writer, column.blob_id, strbuf_slice(&bytes), &err) == 0);
	}
	strbuf_free(&bytes);
	return column;
}

static void
put_spans(struct writer *writer, const struct run_rows *rows)
{
	struct block_info block = {.kind = BLOCK_SPAN,
	                           .n_rows = (uint32_t)rows->n_spans,
	                           .first_id = 1,
	                           .start_min = INT64_MAX,
	                           .start_max = INT64_MIN,
	                           .end_max = INT64_MIN};
	int64_t *values[4];
	for (int c = 0; c < 4; c++) {
		values[c] = xcalloc(rows->n_spans, sizeof **values);
	}
	for (size_t i = 0; i < rows->n_spans; i++) {
		const struct span_row *span = &rows->spans[i];
		int64_t end = span->start_ns + span->duration_ns;
		values[0][i] = span->start_ns;
		values[1][i] = span->duration_ns;
		values[2][i] = span->lane;
		values[3][i] = span->name;
		block.start_min =
		    span->start_ns < block.start_min ? span->start_ns : block.start_min;
		block.start_max =
		    span->start_ns > block.start_max ? span->start_ns : block.start_max;
		block.end_max = end > block.end_max ? end : block.end_max;
	}
	struct column_info columns[] = {
	    put_column(writer, &block, 0, FIELD_START, COLUMN_INTEGER, values[0]),
	    put_column(writer, &block, 1, FIELD_DURATION, COLUMN_INTEGER, values[1]),
	    put_column(writer, &block, 2, FIELD_LANE, COLUMN_INTEGER, values[2]),
	    put_column(writer, &block, 3, FIELD_NAME, COLUMN_TEXT, values[3])};
	block.columns = columns;
	block.n_columns = 4;
	must(writer_block(writer, &block, &err) == 0);
	for (int c = 0; c < 4; c++) {
		free(values[c]);
	}
}

static void
put_rows(struct writer *writer, const struct run_rows *rows)
{
	static const uint32_t lanes[] = {0, 1, 2, 3},
			      codes[TEXTS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
	const struct lane run_lanes[] = {{.host = H0, .name = W0, .kind = LANE_WORKER},
	                                 {.host = H0, .name = W1, .kind = LANE_WORKER},
	                                 {.host = H1, .name = W9, .kind = LANE_WORKER},
	                                 {.host = H0, .name = TRANSFERS, .kind = LANE_WAITING}};
	struct writer_source source = {.path = "a.json",
	                               .members = 1,
	                               .texts = codes,
	                               .n_texts = TEXTS,
	                               .lanes = lanes,
	                               .n_lanes = 4,
	                               .n_spans = (int64_t)rows->n_spans};
	for (uint32_t i = 0; i < TEXTS; i++) {
		must(writer_text(writer, slice_of(texts[i]), &err) == 0);
	}
	for (int i = 0; i < 4; i++) {
		must(writer_lane(writer, &run_lanes[i], &err) == 0);
	}
	must(writer_source(writer, &source, &err) == 0);
	if (rows->n_spans > 0) {
		put_spans(writer, rows);
	}
	for (size_t i = 0; i < rows->n_tasks; i++) {
		must(writer_task(writer, 0, &rows->tasks[i], &err) == 0);
	}
	for (size_t i = 0; i < rows->n_transfers; i++) {
		must(writer_transfer(writer, 0, &rows->transfers[i], &err) == 0);
	}
	for (size_t i = 0; i < rows->n_dependencies; i++) {
		must(writer_dependency(writer, rows->n_tasks == 0, rows->dependencies[i][0],
		                       rows->dependencies[i][1], TEXT_NONE, &err) == 0);
	}
}

/* The schedule lends its texts from the store: both stay. */
struct reading_of {
	struct store *store;
	struct schedule *schedule;
};

static struct reading_of
read_run(const struct run_rows *rows, const struct cancel *cancel, struct err *why)
{
	const char *folder = folder_new();
	char path[96];
	struct writer *writer = NULL;
	struct reading_of reading;
	snprintf(path, sizeof path, "%s/a.lanes", folder);
	must((writer = writer_new(path, &err)) != NULL);
	put_rows(writer, rows);
	small_run_facts(writer, "a");
	must(writer_finish(writer, NULL, NULL, &err) == 0);
	reading.store = small_run_open(path);
	reading.schedule = schedule_read(reading.store, cancel, why);
	folder_remove(folder);
	return reading;
}

static struct reading_of
read_whole(const struct run_rows *rows)
{
	struct err err = ERR_INIT;
	struct reading_of reading = read_run(rows, NULL, &err);
	ck_assert_msg(reading.schedule, "%s", err.message);
	return reading;
}

static void
close_run(struct reading_of *reading)
{
	schedule_free(reading->schedule);
	store_close(reading->store);
}

/* ---- tasks ---- */

static struct task
task_of(uint32_t name, uint32_t kind, uint32_t lane, int64_t planned, int64_t started,
        int64_t finished)
{
	return (struct task){.key = name,
	                     .name = name,
	                     .kind = kind,
	                     .lane = lane,
	                     .worker = TEXT_NONE,
	                     .planned = planned,
	                     .enqueued = TIME_NONE,
	                     .started = started,
	                     .loaded = TIME_NONE,
	                     .computed = TIME_NONE,
	                     .published = TIME_NONE,
	                     .finished = finished,
	                     .completed = TIME_NONE,
	                     .recorded_start = NAN,
	                     .recorded_duration = NAN,
	                     .size_bytes = SIZE_NONE};
}

static struct transfer
transfer_of(uint32_t name, uint32_t target, int64_t planned, int64_t finished)
{
	return (struct transfer){.name = name,
	                         .lane = 3,
	                         .source = TEXT_NONE,
	                         .target = target,
	                         .mode = REMOTE,
	                         .planned = planned,
	                         .started = TIME_NONE,
	                         .loaded = TIME_NONE,
	                         .received = TIME_NONE,
	                         .unloaded = TIME_NONE,
	                         .finished = finished,
	                         .completed = TIME_NONE,
	                         .size_bytes = 77};
}

START_TEST(tasks_become_items_lane_by_lane)
{
	const struct task tasks[] = {
	    task_of(USE, KIND_USE, 1, 150, 300, 400),
	    task_of(MAKE1, KIND_MAKE, 0, 40, 100, 200),
	    task_of(MAKE2, TEXT_NONE, 0, 40, 50, 90), /* kind from the name */
	    task_of(LONE, KIND_USE, 1, 10, TIME_NONE, TIME_NONE),
	    task_of(ELSEWHERE, KIND_USE, LANE_NONE, 20, 30, 999),
	    task_of(USE, KIND_USE, 1, 150, 500, 450) /* ends before it starts */
	};
	const struct run_rows rows = {.tasks = tasks, .n_tasks = 6};
	struct reading_of reading = read_whole(&rows);
	const struct schedule *schedule = reading.schedule;
	ck_assert(schedule->is_tasks);
	ck_assert_uint_eq(schedule->n_tasks, 6);
	ck_assert_uint_eq(schedule->n_items, 3);
	ck_assert_uint_eq(schedule->n_lanes, 2);
	ck_assert_uint_eq(schedule->lanes[0].n, 2);
	ck_assert_uint_eq(schedule->lanes[1].first, 2);
	ck_assert_uint_eq(schedule->lanes[1].id, 1);
	ck_assert_int_eq(schedule->items[0].start_ns, 50);
	ck_assert_int_eq(schedule->items[1].start_ns, 100);
	ck_assert_int_eq(schedule->items[2].end_ns, 400);
	ck_assert(slice_is(schedule->kinds[schedule->items[1].kind], "make"));
	ck_assert(slice_is(schedule->kinds[schedule->items[2].kind], "use"));
	ck_assert_uint_eq(schedule->tasks[3].item, SCHEDULE_NONE);
	ck_assert_uint_eq(schedule->tasks[4].item, SCHEDULE_NONE);
	ck_assert_uint_eq(schedule->tasks[5].item, SCHEDULE_NONE);
	/* From the first planned time, also of a task that never ran, to the last end of one that
	 * did. */
	ck_assert_int_eq(schedule->start_ns, 10);
	ck_assert(schedule->starts_planned);
	ck_assert_int_eq(schedule->end_ns, 400);
	close_run(&reading);
}
END_TEST

static void
assert_kind(const char *kind, const char *name, const char *wanted)
{
	struct strbuf out = {0};
	schedule_kind(&out, slice_of(kind), slice_of(name));
	ck_assert_str_eq(out.data ? out.data : "", wanted);
	strbuf_free(&out);
}

/* Hashes differ from run to run: a kind must not. */
START_TEST(kinds_have_no_hashes)
{
	assert_kind("retrieve", "retrieve(0, 1):3f", "retrieve");
	assert_kind("assign-8dabbeb5b62b3ef3288de1ceeb84a2c9", "x", "assign");
	assert_kind("8dabbeb5b62b3ef3288de1ceeb84a2c9", "x", "(hash)");
	assert_kind("step-2", "x", "step-2");
	assert_kind("odd-", "x", "odd-");
	assert_kind("", "retrieve(0, 1)", "retrieve(#, #)");
	assert_kind("", "", "");
}
END_TEST

START_TEST(makespan_begins_at_a_start_where_nothing_was_planned_before)
{
	const struct task tasks[] = {task_of(MAKE1, KIND_MAKE, 0, 150, 100, 200),
	                             task_of(USE, KIND_USE, 1, TIME_NONE, 120, 180)};
	const struct run_rows rows = {.tasks = tasks, .n_tasks = 2};
	struct reading_of reading = read_whole(&rows);
	ck_assert_int_eq(reading.schedule->start_ns, 100);
	ck_assert(!reading.schedule->starts_planned);
	close_run(&reading);
}
END_TEST

START_TEST(nothing_that_ran_has_no_makespan)
{
	const struct task tasks[] = {task_of(MAKE1, KIND_MAKE, 0, 150, TIME_NONE, TIME_NONE)};
	const struct run_rows rows[] = {{.n_tasks = 0}, {.tasks = tasks, .n_tasks = 1}};
	for (int i = 0; i < 2; i++) {
		struct reading_of reading = read_whole(&rows[i]);
		ck_assert_uint_eq(reading.schedule->n_items, 0);
		ck_assert_uint_eq(reading.schedule->n_lanes, 0);
		ck_assert_int_eq(reading.schedule->start_ns, reading.schedule->end_ns);
		close_run(&reading);
	}
}
END_TEST

START_TEST(dependencies_are_edges_unless_they_end_late)
{
	const struct task tasks[] = {task_of(MAKE1, KIND_MAKE, 0, 0, 0, 100),
	                             task_of(MAKE2, KIND_MAKE, 1, 0, 0, 150),
	                             task_of(USE, KIND_USE, 0, 0, 120, 200),
	                             task_of(LONE, KIND_USE, 0, 0, TIME_NONE, TIME_NONE)};
	static const int64_t dependencies[][2] = {{1, 3}, {2, 3}, {3, 3}, {4, 3}, {1, 4}, {1, 99}};
	const struct run_rows rows = {
	    .tasks = tasks, .n_tasks = 4, .dependencies = dependencies, .n_dependencies = 6};
	struct reading_of reading = read_whole(&rows);
	const struct schedule *schedule = reading.schedule;
	ck_assert_uint_eq(schedule->n_edges, 1);
	ck_assert_uint_eq(schedule->edges[0].from, schedule->tasks[0].item);
	ck_assert_uint_eq(schedule->edges[0].to, schedule->tasks[2].item);
	ck_assert_int_eq(schedule->edges[0].type, EDGE_DEPENDENCY);
	ck_assert_uint_eq(schedule->n_late_edges, 1);
	close_run(&reading);
}
END_TEST

/* A data set is its task's, tried twice; with an output's name; to a worker, to a host, to
 * nobody. */
START_TEST(transfers_are_edges_from_the_maker)
{
	const struct task tasks[] = {
	    task_of(MAKE1, KIND_MAKE, 0, 0, 0, 100), task_of(MAKE1, KIND_MAKE, 0, 0, 200, 300),
	    task_of(USE, KIND_USE, 1, 0, 150, 180), task_of(LONE, KIND_USE, 1, 0, 400, 500),
	    task_of(MAKE2, KIND_MAKE, 2, 0, 410, 420)};
	const struct transfer transfers[] = {
	    transfer_of(MAKE1, W1, 110, 140),     transfer_of(MAKE1_OUT, W1, 310, 390),
	    transfer_of(MAKE1, H1, 310, 405),     transfer_of(MAKE1, W1, 310, 501),
	    transfer_of(ELSEWHERE, W1, 310, 390), transfer_of(MAKE1, W1, 320, TIME_NONE)};
	const struct run_rows rows = {
	    .tasks = tasks, .n_tasks = 5, .transfers = transfers, .n_transfers = 6};
	struct reading_of reading = read_whole(&rows);
	const struct schedule *schedule = reading.schedule;
	const struct schedule_task *task = schedule->tasks;
	static const unsigned from[] = {0, 1, 1, 1}, to[] = {2, 3, 3, 4}, by[] = {0, 1, 5, 2};
	ck_assert_uint_eq(schedule->n_transfers, 6);
	ck_assert_uint_eq(schedule->n_edges, 4);
	for (size_t e = 0; e < 4; e++) {
		ck_assert_uint_eq(schedule->edges[e].from, task[from[e]].item);
		ck_assert_uint_eq(schedule->edges[e].to, task[to[e]].item);
		ck_assert_uint_eq(schedule->edges[e].transfer, by[e]);
		ck_assert_int_eq(schedule->edges[e].type, EDGE_TRANSFER);
	}
	ck_assert_uint_eq(schedule->transfers[0].from, task[0].item);
	ck_assert_uint_eq(schedule->transfers[3].from, task[1].item);
	ck_assert_uint_eq(schedule->transfers[4].from, SCHEDULE_NONE);
	ck_assert_uint_eq(schedule->lanes[schedule->transfers[2].lane].id, 2);
	ck_assert_int_eq(schedule->transfers[0].size_bytes, 77);
	close_run(&reading);
}
END_TEST

/* Thousands of tasks and transfers of one name: each finds its maker at once. */
START_TEST(makers_of_one_name_are_found_quickly)
{
	enum { N = 20000 };
	struct task *tasks = xcalloc(N, sizeof *tasks);
	struct transfer *transfers = xcalloc(N, sizeof *transfers);
	for (int64_t i = 0; i < N; i++) {
		tasks[i] = task_of(MAKE1, KIND_MAKE, 0, i * 10, i * 10, i * 10 + 5);
		transfers[i] = transfer_of(MAKE1, W0, i * 10 + 5, i * 10 + 10);
	}
	const struct run_rows rows = {
	    .tasks = tasks, .n_tasks = N, .transfers = transfers, .n_transfers = N};
	struct reading_of reading = read_whole(&rows);
	ck_assert_uint_eq(reading.schedule->n_edges, N - 1);
	for (uint32_t e = 0; e < N - 1; e++) {
		ck_assert_uint_eq(reading.schedule->edges[e].from, e);
		ck_assert_uint_eq(reading.schedule->edges[e].to, e + 1);
	}
	close_run(&reading);
	free(tasks);
	free(transfers);
}
END_TEST

START_TEST(reading_is_cancelled)
{
	const struct task tasks[] = {task_of(MAKE1, KIND_MAKE, 0, 0, 0, 100)};
	struct span_row spans[] = {{.start_ns = 0, .duration_ns = 5, .name = WORK}};
	const struct run_rows rows[] = {{.tasks = tasks, .n_tasks = 1},
	                                {.spans = spans, .n_spans = 1}};
	const struct cancel cancel = {true};
	for (int i = 0; i < 2; i++) {
		struct err err = ERR_INIT;
		struct reading_of reading = read_run(&rows[i], &cancel, &err);
		ck_assert_ptr_null(reading.schedule);
		ck_assert_int_eq(err.code, ERR_CANCELLED);
		close_run(&reading);
	}
}
END_TEST

/* ---- spans ---- */

#define SPANS 14
#define LENGTH 40

/* Whether a counts rather than b where both last: began later, else is shorter, else stands behind
 * it. */
static bool
is_inner(const struct span_row *spans, size_t a, size_t b)
{
	if (spans[a].start_ns != spans[b].start_ns) {
		return spans[a].start_ns > spans[b].start_ns;
	}
	if (spans[a].duration_ns != spans[b].duration_ns) {
		return spans[a].duration_ns < spans[b].duration_ns;
	}
	return a > b;
}

/* Name of the span that counts; -1 none. */
static int64_t
innermost(const struct span_row *spans, size_t n, uint32_t lane, int64_t t)
{
	size_t best = SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		if (spans[i].lane == lane && spans[i].start_ns <= t &&
		    t < spans[i].start_ns + spans[i].duration_ns &&
		    (best == SIZE_MAX || is_inner(spans, i, best))) {
			best = i;
		}
	}
	return best == SIZE_MAX ? -1 : (int64_t)spans[best].name;
}

static int64_t
stretch_at(const struct schedule *schedule, uint32_t lane, int64_t t)
{
	int64_t found = -1;
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		if (schedule->lanes[item->lane].id == lane && item->start_ns <= t &&
		    t < item->end_ns) {
			ck_assert_int_eq(found, -1); /* one at a time */
			for (found = 0; !slice_is(schedule->kinds[item->kind], texts[found]);) {
				found++;
			}
		}
	}
	return found;
}

START_TEST(spans_become_innermost_stretches)
{
	struct prng prng = {(uint64_t)_i + 1};
	for (int round = 0; round < 25; round++) {
		struct span_row spans[SPANS];
		size_t n = 1 + prng_below(&prng, SPANS);
		bool unequal = prng_below(&prng, 2);
		for (size_t i = 0; i < n; i++) {
			spans[i] = (struct span_row){
			    .start_ns = (int64_t)prng_below(&prng, LENGTH / 2),
			    .duration_ns = (int64_t)prng_below(&prng, unequal ? LENGTH / 2 : 4),
			    .lane = (uint32_t)prng_below(&prng, 4),
			    .name = (uint32_t)prng_below(&prng, TEXTS)};
		}
		const struct run_rows rows = {.spans = spans, .n_spans = n};
		struct reading_of reading = read_whole(&rows);
		ck_assert(!reading.schedule->is_tasks);
		for (uint32_t lane = 0; lane < 4; lane++) {
			for (int64_t t = 0; t < LENGTH; t++) {
				/* Lane 3 waits, it does not work. */
				int64_t wanted = lane == 3 ? -1 : innermost(spans, n, lane, t);
				ck_assert_int_eq(stretch_at(reading.schedule, lane, t), wanted);
			}
		}
		close_run(&reading);
	}
}
END_TEST

START_TEST(spans_that_touch_stay_apart_but_one_is_not_cut_by_an_instant)
{
	struct span_row spans[] = {{.start_ns = 0, .duration_ns = 10, .name = WORK},
	                           {.start_ns = 10, .duration_ns = 10, .name = WORK},
	                           {.start_ns = 15, .duration_ns = 0, .name = W0}};
	const struct run_rows rows = {.spans = spans, .n_spans = 3};
	struct reading_of reading = read_whole(&rows);
	ck_assert_uint_eq(reading.schedule->n_items, 2);
	ck_assert_int_eq(reading.schedule->items[1].start_ns, 10);
	ck_assert_int_eq(reading.schedule->items[1].end_ns, 20);
	close_run(&reading);
}
END_TEST

/* From the last stretch within the source that had ended, to the first of the target. */
START_TEST(flows_are_edges_between_stretches)
{
	struct span_row spans[] = {
	    {.start_ns = 0, .duration_ns = 100, .lane = 0, .name = WORK},    /* 1 */
	    {.start_ns = 20, .duration_ns = 10, .lane = 0, .name = MAKE1},   /* 2, in 1 */
	    {.start_ns = 60, .duration_ns = 10, .lane = 0, .name = MAKE2},   /* 3, in 1 */
	    {.start_ns = 65, .duration_ns = 40, .lane = 1, .name = USE},     /* 4 */
	    {.start_ns = 200, .duration_ns = 10, .lane = 1, .name = USE},    /* 5 */
	    {.start_ns = 200, .duration_ns = 5, .lane = 1, .name = LONE},    /* 6, in 5 */
	    {.start_ns = 5, .duration_ns = 5, .lane = 3, .name = TRANSFERS}, /* 7, no work */
	    {.start_ns = 40, .duration_ns = 0, .lane = 1, .name = USE}       /* 8 */
	};
	/* 3 still ran when 4 began; 5 ended after 1 began. */
	static const int64_t flows[][2] = {{1, 4}, {2, 5}, {3, 4}, {5, 1}, {7, 4}, {1, 8}, {9, 4}};
	const struct run_rows rows = {
	    .spans = spans, .n_spans = 8, .dependencies = flows, .n_dependencies = 7};
	struct reading_of reading = read_whole(&rows);
	const struct schedule *schedule = reading.schedule;
	ck_assert_uint_eq(schedule->n_edges, 2);
	ck_assert_uint_eq(schedule->n_late_edges, 2);
	const struct schedule_item *items = schedule->items;
	ck_assert_int_eq(items[schedule->edges[0].from].start_ns, 30);
	ck_assert_int_eq(items[schedule->edges[0].from].end_ns, 60);
	ck_assert_int_eq(items[schedule->edges[0].to].start_ns, 65);
	ck_assert_int_eq(items[schedule->edges[1].from].start_ns, 20);
	ck_assert_int_eq(items[schedule->edges[1].to].start_ns, 200);
	ck_assert_int_eq(items[schedule->edges[1].to].end_ns, 205);
	ck_assert_int_eq(schedule->edges[0].type, EDGE_FLOW);
	close_run(&reading);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_schedule");
	TCase *tcase = tcase_create("explain_schedule");
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, tasks_become_items_lane_by_lane);
	tcase_add_test(tcase, kinds_have_no_hashes);
	tcase_add_test(tcase, makespan_begins_at_a_start_where_nothing_was_planned_before);
	tcase_add_test(tcase, nothing_that_ran_has_no_makespan);
	tcase_add_test(tcase, dependencies_are_edges_unless_they_end_late);
	tcase_add_test(tcase, transfers_are_edges_from_the_maker);
	tcase_add_test(tcase, makers_of_one_name_are_found_quickly);
	tcase_add_test(tcase, reading_is_cancelled);
	tcase_add_loop_test(tcase, spans_become_innermost_stretches, 0, 6);
	tcase_add_test(tcase, spans_that_touch_stay_apart_but_one_is_not_cut_by_an_instant);
	tcase_add_test(tcase, flows_are_edges_between_stretches);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
