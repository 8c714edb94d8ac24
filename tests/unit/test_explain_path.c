/* The critical path: against a search that asks every item, and telescoping whatever a schedule
 * looks like. */
#include "config.h"
#include "explain/parts/path.h"
#include "explain/parts/parts.h"

#include "unit.h"

#include "random_schedule.h"

static struct path *
find(const struct schedule *schedule)
{
	struct err err = ERR_INIT;
	struct path *path = path_find(schedule, NULL, &err);
	ck_assert_ptr_nonnull(path);
	return path;
}

static bool
stands_before(const struct schedule *schedule, uint32_t a, uint32_t b)
{
	int64_t x = schedule->items[a].start_ns, y = schedule->items[b].start_ns;
	return x != y ? x < y : a < b;
}

/* Latest end among those that could have held an item up; the schedule's start if there are
 * none. */
static int64_t
latest_before(const struct schedule *schedule, uint32_t item)
{
	const struct schedule_item *items = schedule->items;
	int64_t latest = INT64_MIN;
	for (uint32_t i = 0; i < schedule->n_items; i++) {
		bool leads =
		    items[i].lane == items[item].lane && items[i].end_ns <= items[item].start_ns;
		for (size_t e = 0; e < schedule->n_edges; e++) {
			leads |= schedule->edges[e].from == i && schedule->edges[e].to == item;
		}
		if (leads && stands_before(schedule, i, item) && items[i].end_ns > latest) {
			latest = items[i].end_ns;
		}
	}
	return latest == INT64_MIN ? schedule->start_ns : latest;
}

/* From an item of the path back: whether what stands before its waiting ended when the slow search
 * says. */
static void
check_steps(const struct schedule *schedule, const struct path *path)
{
	int64_t wait_from = schedule->start_ns;
	uint32_t before = SCHEDULE_NONE;
	for (size_t i = 0; i < path->n; i++) {
		const struct path_piece *piece = &path->pieces[i];
		const struct schedule_item *item = &schedule->items[piece->item];
		if (piece->path_class != PATH_RUN) {
			ck_assert_int_le(piece->end_ns, item->start_ns);
			continue;
		}
		ck_assert_int_eq(piece->start_ns, item->start_ns);
		ck_assert_int_eq(piece->end_ns, item->end_ns);
		ck_assert_int_eq(latest_before(schedule, piece->item), wait_from);
		ck_assert(before == SCHEDULE_NONE || stands_before(schedule, before, piece->item));
		before = piece->item;
		wait_from = piece->end_ns;
	}
}

static void
check_telescopes(const struct schedule *schedule, const struct path *path)
{
	int64_t at = schedule->start_ns;
	for (size_t i = 0; i < path->n; i++) {
		ck_assert_int_eq(path->pieces[i].start_ns, at);
		ck_assert_int_gt(path->pieces[i].end_ns, at);
		at = path->pieces[i].end_ns;
	}
	ck_assert_int_eq(at, schedule->end_ns);
}

static bool
takes_time(const struct schedule *schedule)
{
	for (size_t i = 0; i < schedule->n_items; i++) {
		if (schedule->items[i].start_ns == schedule->items[i].end_ns) {
			return false;
		}
	}
	return true;
}

START_TEST(path_is_the_slow_search)
{
	struct prng prng = {(uint64_t)_i + 1};
	int n_checked = 0;
	for (int round = 0; round < 1000; round++) {
		struct schedule *schedule = random_schedule(&prng);
		struct path *path = find(schedule);
		check_telescopes(schedule, path);
		/* Items without length are on the path, but no pieces: only without them it can be
		 * followed here. */
		if (takes_time(schedule)) {
			check_steps(schedule, path);
			n_checked += schedule->n_edges > 0;
		}
		path_free(path);
		arena_free(schedule->arena);
	}
	ck_assert_int_gt(n_checked, 20);
}
END_TEST

static int64_t
sum_of_class(const struct path *path, enum path_class path_class)
{
	int64_t sum = 0;
	for (size_t i = 0; i < path->n; i++) {
		if (path->pieces[i].path_class == path_class) {
			sum += path->pieces[i].end_ns - path->pieces[i].start_ns;
		}
	}
	return sum;
}

/* One task makes what another one on the next lane waits for. */
static const struct made_task pair[] = {
    {"maker", 0, 0, 100, 200, 90}, {"user", 1, 1, 300, 400, 210}, {"idler", 2, 1, 100, 150, 90}};
static const struct made_edge moved = {0, 1, 220, 270};

START_TEST(wait_for_a_transfer_is_cut_by_its_times)
{
	struct schedule *schedule = made_schedule(pair, 3, &moved, 1, 2, 1);
	schedule->transfers[0].started_ns = 235;
	schedule->tasks[1].enqueued_ns = 280;
	struct path *path = find(schedule);
	check_telescopes(schedule, path);
	ck_assert_int_eq(sum_of_class(path, PATH_COMMUNICATION), 10 + 10); /* 90, 270 */
	ck_assert_int_eq(sum_of_class(path, PATH_RUN), 200);
	ck_assert_int_eq(sum_of_class(path, PATH_PLAN), 20);          /* 200 .. 220 */
	ck_assert_int_eq(sum_of_class(path, PATH_TRANSFER_WAIT), 15); /* .. 235 */
	ck_assert_int_eq(sum_of_class(path, PATH_TRANSFER), 35);      /* .. 270 */
	ck_assert_int_eq(sum_of_class(path, PATH_QUEUE), 20);         /* 280 .. 300 */
	ck_assert_uint_eq(path->by_input, 1);
	ck_assert_uint_eq(path->by_nothing, 1);
	path_free(path);
	arena_free(schedule->arena);
}
END_TEST

/* It was with its lane before its data arrived: that it waited for, not in the queue. */
START_TEST(enqueued_task_waits_for_its_transfer)
{
	struct schedule *schedule = made_schedule(pair, 3, &moved, 1, 2, 1);
	schedule->tasks[1].enqueued_ns = 225;
	schedule->items[schedule->tasks[2].item].end_ns = 240; /* the lane was busy until then */
	struct path *path = find(schedule);
	check_telescopes(schedule, path);
	ck_assert_int_eq(sum_of_class(path, PATH_QUEUE), 30);    /* 270 .. 300 */
	ck_assert_int_eq(sum_of_class(path, PATH_TRANSFER), 30); /* when it began is not known */
	ck_assert_uint_eq(path->by_lane, 1);
	path_free(path);
	arena_free(schedule->arena);
}
END_TEST

/* Data that was there before anybody planned the task tells nothing of its wait. */
START_TEST(transfer_before_planning_is_no_wait)
{
	struct schedule *schedule = made_schedule(pair, 3, &moved, 1, 2, 1);
	schedule->tasks[1].planned_ns = 280;
	schedule->tasks[1].enqueued_ns = 290;
	struct path *path = find(schedule);
	check_telescopes(schedule, path);
	ck_assert_int_eq(sum_of_class(path, PATH_TRANSFER), 0);
	ck_assert_int_eq(sum_of_class(path, PATH_PLAN), 80); /* 200 .. 280 */
	ck_assert_int_eq(sum_of_class(path, PATH_COMMUNICATION), 10 + 10);
	path_free(path);
	arena_free(schedule->arena);
}
END_TEST

START_TEST(without_inputs_planned_times_and_lanes_tell)
{
	struct schedule *schedule = made_schedule(pair, 3, NULL, 0, 2, 1);
	struct path *path = find(schedule);
	check_telescopes(schedule, path);
	ck_assert_int_eq(sum_of_class(path, PATH_RUN), 150);
	ck_assert_int_eq(sum_of_class(path, PATH_PLAN), 60);               /* 150 .. 210 */
	ck_assert_int_eq(sum_of_class(path, PATH_COMMUNICATION), 90 + 10); /* 210 .. 300 */
	ck_assert_uint_eq(path->by_lane, 1);
	path_free(path);

	for (size_t t = 0; t < schedule->n_tasks; t++) {
		schedule->tasks[t].planned_ns = SCHEDULE_NO_TIME;
	}
	schedule->start_ns = 100;
	path = find(schedule);
	check_telescopes(schedule, path);
	ck_assert_int_eq(sum_of_class(path, PATH_AFTER_LANE), 150);
	path_free(path);
	arena_free(schedule->arena);
}
END_TEST

/* Items without length, all at one ns, each an input of all: no walk in a circle, and none of all
 * for each. */
START_TEST(circles_of_instants_end)
{
	enum { N = 60 };
	struct made_task tasks[N];
	struct made_edge edges[N * N];
	size_t n_edges = 0;
	for (unsigned i = 0; i < N; i++) {
		tasks[i] = (struct made_task){NULL, 0, i % 3, 5, 5, 1};
		for (unsigned k = 0; k < N; k++) {
			if (i != k) {
				edges[n_edges++] =
				    (struct made_edge){i, k, SCHEDULE_NO_TIME, SCHEDULE_NO_TIME};
			}
		}
	}
	struct schedule *schedule = made_schedule(tasks, N, edges, n_edges, 3, 1);
	struct path *path = find(schedule);
	check_telescopes(schedule, path);
	ck_assert_uint_lt(path->by_input + path->by_lane, N);
	path_free(path);
	arena_free(schedule->arena);
}
END_TEST

START_TEST(many_instants_are_quick)
{
	enum { N = 200000 };
	struct made_task *tasks = xcalloc(N, sizeof *tasks);
	for (unsigned i = 0; i < N; i++) {
		tasks[i] = (struct made_task){
		    "t", 0, 0, i < N / 2 ? 5 : 9, i < N / 2 ? 5 : 9, SCHEDULE_NO_TIME};
	}
	tasks[0].end = 8; /* items do not stand in order of their ends */
	struct schedule *schedule = made_schedule(tasks, N, NULL, 0, 1, 1);
	struct path *path = find(schedule);
	check_telescopes(schedule, path);
	ck_assert_uint_ge(path->by_lane, N / 2);
	path_free(path);
	arena_free(schedule->arena);
	free(tasks);
}
END_TEST

START_TEST(rows_add_up)
{
	static const char *const unfolded[] = {"0%", NULL};
	struct prng prng = {(uint64_t)_i + 50};
	for (int round = 0; round < 400; round++) {
		struct schedule *a = random_schedule(&prng), *b = random_schedule(&prng);
		struct result *result = made_explain(&explain_path, a, b, unfolded);
		check_sums(result, a, b);
		result_free(result);
		arena_free(a->arena);
		arena_free(b->arena);
	}
}
END_TEST

/* ---- piece by piece ---- */

static void
check_rows_follow(const struct result *result, const struct schedule *schedule)
{
	int64_t at = schedule->start_ns;
	for (size_t r = 0; r < result->n_rows; r++) {
		ck_assert_int_eq((int64_t)made_number(result, r, "start"), at);
		at += (int64_t)made_number(result, r, "duration");
		ck_assert_int_eq((int64_t)made_number(result, r, "end"), at);
	}
	ck_assert_int_eq(at, schedule->end_ns);
}

/* Where one of the runs does not say what waited for what there is no critical path. */
START_TEST(without_dependencies_it_is_the_last_lanes_timeline)
{
	static const char *const unfolded[] = {"0%", NULL};
	struct schedule *known = made_schedule(pair, 3, &moved, 1, 2, 1);
	struct schedule *unknown = made_schedule(pair, 3, NULL, 0, 2, 1);
	struct result *result = made_explain(&explain_path, known, known, unfolded);
	ck_assert_str_eq(result->title, "Critical path by class");
	ck_assert_str_eq(result->columns[0].name, "class");
	result_free(result);
	for (int i = 0; i < 2; i++) {
		struct schedule *a = i ? known : unknown, *b = i ? unknown : known;
		result = made_explain(&explain_path, a, b, unfolded);
		check_sums(result, a, b);
		ck_assert_str_eq(result->title, "The last lane's timeline");
		ck_assert_str_eq(result->columns[0].name, "lane was");
		ck_assert(made_has_note(result, "so it is no critical path"));
		for (size_t r = 0; r + 2 < result->n_rows; r++) {
			struct slice was = result_value(result, r, 0)->text;
			ck_assert(slice_is(was, "busy") || slice_is(was, "idle"));
		}
		result_free(result);
	}
	result = made_explain(&explain_path_steps, unknown, unknown, NULL);
	check_rows_follow(result, unknown);
	ck_assert_str_eq(result->title, "The last lane's timeline");
	result_free(result);
	arena_free(known->arena);
	arena_free(unknown->arena);
}
END_TEST

START_TEST(steps_follow_each_other)
{
	struct prng prng = {9};
	for (int round = 0; round < 300; round++) {
		struct schedule *a = random_schedule(&prng), *b = random_schedule(&prng);
		size_t n_rows = SIZE_MAX;
		static const char *const lengths[] = {"0ns", "3ns", "1s"};
		for (size_t i = 0; i < 3; i++) {
			const char *const of_a[] = {"a", lengths[i]};
			struct result *result = made_explain(&explain_path_steps, a, b, of_a);
			check_rows_follow(result, a);
			ck_assert_uint_le(result->n_rows, n_rows);
			n_rows = result->n_rows;
			result_free(result);
		}
		ck_assert_uint_le(n_rows, 1);
		struct result *result = made_explain(&explain_path_steps, a, b, NULL);
		check_rows_follow(result, b);
		result_free(result);
		arena_free(a->arena);
		arena_free(b->arena);
	}
}
END_TEST

START_TEST(step_says_what_ran_where)
{
	struct schedule *schedule = made_schedule(pair, 3, &moved, 1, 2, 1);
	struct result *result = made_explain(&explain_path_steps, schedule, schedule, NULL);
	size_t last = result->n_rows - 1;
	ck_assert_int_eq((int64_t)made_number(result, last, "start"), 300);
	ck_assert_int_eq((int64_t)made_number(result, last, "lane"), 1);
	ck_assert_int_eq((int64_t)made_number(result, last, "task_id"), 1);
	ck_assert(slice_is(result_value(result, last, 3)->text, "run"));
	ck_assert(slice_is(result_value(result, last, 4)->text, "kind 1"));
	ck_assert(slice_is(result_value(result, last, 5)->text, "user"));
	ck_assert(made_has_note(result, "1 steps through inputs"));
	result_free(result);

	struct explain_run runs[2] = {{.name = "A", .schedule = schedule},
	                              {.name = "B", .schedule = schedule}};
	struct explain explain = {.a = &runs[0], .b = &runs[1], .n_a = 1, .n_b = 1};
	const char *const wrong[] = {"c", "0ns"};
	struct err err = ERR_INIT;
	ck_assert_ptr_null(explain_path_steps.compute(&explain, wrong, &err));
	ck_assert_int_eq(err.code, ERR_USAGE);
	arena_free(schedule->arena);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_path");
	TCase *tcase = tcase_create("explain_path");
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, path_is_the_slow_search, 0, 4);
	tcase_add_test(tcase, wait_for_a_transfer_is_cut_by_its_times);
	tcase_add_test(tcase, enqueued_task_waits_for_its_transfer);
	tcase_add_test(tcase, transfer_before_planning_is_no_wait);
	tcase_add_test(tcase, without_inputs_planned_times_and_lanes_tell);
	tcase_add_test(tcase, circles_of_instants_end);
	tcase_add_test(tcase, many_instants_are_quick);
	tcase_add_loop_test(tcase, rows_add_up, 0, 4);
	tcase_add_test(tcase, without_dependencies_it_is_the_last_lanes_timeline);
	tcase_add_test(tcase, steps_follow_each_other);
	tcase_add_test(tcase, step_says_what_ran_where);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
