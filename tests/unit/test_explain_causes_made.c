/* The verdict on runs made by hand: causes in the stages of tasks, in what one run alone did, in
 * clocks, and in spans; and runs that are hardly any. */
#include "config.h"

#include "unit.h"

#include "causes_fixture.h"
#include "made_run.h"

static struct told
told_and_freed(struct schedule *a, struct schedule *b)
{
	struct told told = told_of(a, b);
	arena_free(a->arena);
	arena_free(b->arena);
	return told;
}

static struct told
told_of_runs(struct made_run a, struct made_run b)
{
	a.seed = 5;
	b.seed = 6;
	return told_and_freed(run_of(a), run_of(b));
}

static void
check_cause(const struct told_cause *told, const char *cause, const char *slice,
            const char *sentence)
{
	ck_assert_str_eq(told->cause, cause);
	ck_assert_str_eq(told->slice, slice);
	ck_assert_msg(strstr(told->sentence, sentence) != NULL, "%s", told->sentence);
	ck_assert(isnan(told->makespan) ||
	          (told->low <= told->makespan && told->makespan <= told->high));
	ck_assert(told->lane_low <= told->lane_time && told->lane_time <= told->lane_high);
	ck_assert_double_lt(told->chance, 0.01);
}

/* ---- stages ---- */

START_TEST(the_controller)
{
	struct told told = told_of_runs((struct made_run){0}, (struct made_run){.plan_ns = 6 * MS});
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "controller", "all",
	            "planning every task takes the controller ");
	ck_assert_double_eq_tol(told.cause[0].lane_time, 5e6 * TASKS, 1e6 * TASKS);
	ck_assert_double_gt(told.cause[0].makespan, 0);
	struct told back = told_of_runs((struct made_run){.plan_ns = 6 * MS}, (struct made_run){0});
	check_cause(&back.cause[0], "controller", "all",
	            "planning every task takes the controller 0.");
	ck_assert_double_lt(back.cause[0].makespan, 0);
}
END_TEST

START_TEST(communication)
{
	struct told told =
	    told_of_runs((struct made_run){0}, (struct made_run){.communicate_ns = 9 * MS});
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "communication", "all",
	            "sending every task to its lane takes ");
	ck_assert_double_eq_tol(told.cause[0].lane_time, 8e6 * TASKS, 0.8e6 * TASKS);
	ck_assert_double_eq_tol(told.cause[0].makespan, 8e6 * TASKS / 4, 0.6e6 * TASKS);
	told =
	    told_of_runs((struct made_run){0}, (struct made_run){.far_host = 1, .far_ns = 9 * MS});
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "communication", "host='host 1'", "on host host 1 to its lane");
}
END_TEST

START_TEST(start_up)
{
	struct told told =
	    told_of_runs((struct made_run){0}, (struct made_run){.begin_ns = 9 * MS});
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "start-up", "all", "x as long to begin");
	ck_assert_double_eq_tol(told.cause[0].lane_time, 8e6 * TASKS, 0.8e6 * TASKS);
	told = told_of_runs((struct made_run){.begin_ns = 9 * MS}, (struct made_run){0});
	check_cause(&told.cause[0], "start-up", "all", "takes 0.");
}
END_TEST

/* ---- slices ---- */

static double
outlier(unsigned task, unsigned lane)
{
	(void)lane;
	return task == 61 ? 12 : 1;
}

static double
second_half(unsigned task, unsigned lane)
{
	(void)lane;
	return task >= TASKS / 2 ? 1.5 : 1;
}

static double
host(unsigned task, unsigned lane)
{
	(void)task;
	return lane < 2 ? 1.4 : 1;
}

static double
kind_on_lane(unsigned task, unsigned lane)
{
	return lane == 3 && task * 7 / 3 % KINDS == 1 ? 2 : 1;
}

static double
twice(unsigned task, unsigned lane)
{
	(void)task, (void)lane;
	return 2;
}

START_TEST(slices)
{
	static const struct {
		double (*factor)(unsigned, unsigned);
		const char *slice, *sentence;
	} cases[] = {{outlier, "task='task 61'", "task task 61 runs 1"},
	             {second_half, "from=", "every task from "},
	             {host, "host='host 0'", "every task on host host 0 runs 1."},
	             {kind_on_lane, "kind='kind 1' lane='lane 3'", "kind kind 1 on lane 3 runs "},
	             {twice, "all", "every task runs "}};
	struct told told =
	    told_of_runs((struct made_run){0}, (struct made_run){.factor = cases[_i].factor});
	ck_assert_uint_eq(told.n, 1);
	ck_assert_str_eq(told.cause[0].cause, "slower");
	ck_assert(strstr(told.cause[0].slice, cases[_i].slice) == told.cause[0].slice);
	ck_assert(strstr(told.cause[0].sentence, cases[_i].sentence) == told.cause[0].sentence);
	ck_assert_double_gt(told.cause[0].makespan, 0);
}
END_TEST

/* ---- work ---- */

static const char *
key_of(unsigned task, const char *kind, int digits, const char *end)
{
	static char keys[TASKS * 2][40];
	snprintf(keys[task], sizeof keys[task], "%s:%0*x%s", kind, digits, task, end);
	return keys[task];
}

static bool
is_second(unsigned task)
{
	return task * 7 / 3 % KINDS == 2;
}

static const char *
hashed(unsigned task)
{
	return key_of(task, is_second(task) ? "older" : "task", 8, "ab");
}

static const char *
hashed_anew(unsigned task)
{
	return key_of(task, is_second(task) ? "newer" : "task", 8, "ab");
}

static void
rename_kind(struct schedule *schedule, size_t kind, const char *name)
{
	schedule->kinds[kind] = slice_of(name);
}

START_TEST(renamed)
{
	struct made_run run = {.seed = 5, .key = hashed};
	struct schedule *a = run_of(run);
	run.key = hashed_anew;
	struct schedule *b = run_of(run);
	rename_kind(b, 2, "newer");
	struct told told = told_and_freed(a, b);
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "renamed", "kind='kind 2'",
	            "kind kind 2 is called newer: the same ");
	ck_assert_double_eq_tol(told.cause[0].lane_time, 0, 1e6);
}
END_TEST

static const char *
bare(unsigned task)
{
	return key_of(task, "task", 1, "");
}

static const char *
bare_anew(unsigned task)
{
	return key_of(task, is_second(task) ? "newer" : "task", 1, "");
}

/* Without hashes, as many items whose times are alike; half as long is another kind. */
START_TEST(renamed_by_times)
{
	for (int is_other = 0; is_other < 2; is_other++) {
		struct schedule *a = run_of((struct made_run){.seed = 5, .key = bare});
		struct schedule *b = run_of((struct made_run){.seed = 6, .key = bare_anew});
		for (size_t i = 0; i < b->n_items && is_other; i++) {
			struct schedule_item *item = &b->items[i];
			item->end_ns -= item->kind == 2 ? (item->end_ns - item->start_ns) / 2 : 0;
		}
		rename_kind(b, 2, "newer");
		struct told told = told_and_freed(a, b);
		if (is_other) {
			ck_assert_uint_eq(told.n, 2);
			bool is_more = strcmp(told.cause[0].cause, "more work") == 0;
			check_cause(&told.cause[!is_more], "more work", "kind=newer",
			            " of kind newer more");
			check_cause(&told.cause[is_more], "less work", "kind='kind 2'",
			            " of kind kind 2 less");
			ck_assert_double_lt(told.cause[is_more].lane_time, 0);
		} else {
			ck_assert_uint_eq(told.n, 1);
			check_cause(&told.cause[0], "renamed", "kind='kind 2'", "is called newer");
		}
	}
}
END_TEST

/* Each of kind 3 becomes two, of kinds 4 and 5. */
static struct schedule *
split_run(void)
{
	struct made_task tasks[TASKS * 2];
	static char keys[TASKS * 2][24];
	struct schedule *whole = run_of((struct made_run){.seed = 5});
	unsigned n = 0;
	for (size_t i = 0; i < whole->n_items; i++) {
		struct schedule_item item = whole->items[i];
		int64_t planned = whole->tasks[item.task].planned_ns;
		int64_t middle = item.start_ns + (item.end_ns - item.start_ns) / 3;
		bool is_split = item.kind == 3;
		snprintf(keys[n], sizeof keys[n], is_split ? "one %u" : "task %u", item.task);
		tasks[n] =
		    (struct made_task){keys[n],       is_split ? 4 : (int)item.kind,   item.lane,
		                       item.start_ns, is_split ? middle : item.end_ns, planned};
		n++;
		if (is_split) {
			snprintf(keys[n], sizeof keys[n], "two %u", item.task);
			tasks[n] = (struct made_task){keys[n], 5,           item.lane,
			                              middle,  item.end_ns, SCHEDULE_NO_TIME};
			n++;
		}
	}
	arena_free(whole->arena);
	return made_schedule(tasks, n, NULL, 0, 4, 2);
}

START_TEST(split)
{
	struct told told = told_and_freed(run_of((struct made_run){.seed = 5}), split_run());
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "split", "kind='kind 3'", "is split into kind 4 and kind 5");
	ck_assert_double_eq(told.cause[0].lane_time, 0);
}
END_TEST

static int
fifth_kind(unsigned task)
{
	return task >= TASKS ? 4 : (int)(task * 7 / 3 % KINDS);
}

START_TEST(more_and_less_work)
{
	struct made_run more = {.n_tasks = TASKS + 12, .kind = fifth_kind};
	struct told told = told_of_runs((struct made_run){0}, more);
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "more work", "kind='kind 4'", "12 tasks of kind kind 4 more");
	ck_assert_double_eq_tol(told.cause[0].lane_time, 12 * 82e6, 60e6);
	ck_assert_double_eq_tol(told.cause[0].makespan, 12 * 84e6 / 4, 80e6);
	told = told_of_runs(more, (struct made_run){0});
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "less work", "kind='kind 4'", "12 tasks of kind kind 4 less");
	ck_assert_double_eq_tol(told.cause[0].lane_time, -12 * 82e6, 60e6);
	ck_assert_double_lt(told.cause[0].makespan, 0);
}
END_TEST

START_TEST(heaped)
{
	struct told told = told_of_runs((struct made_run){0}, (struct made_run){.heaped = 3});
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "placement", "kind='kind 3' lane='lane 0'",
	            "nearly all of kind kind 3 went to lane 0");
	ck_assert_double_gt(told.cause[0].makespan, 0);
}
END_TEST

/* ---- clocks ---- */

START_TEST(a_clock)
{
	int64_t by = _i ? -80 * MS : 80 * MS;
	struct schedule *a = run_of((struct made_run){.seed = 5});
	struct schedule *b = run_of((struct made_run){.seed = 6});
	int64_t right = b->end_ns;
	shift_host(b, 2, by);
	int64_t seems = b->end_ns - right;
	struct told told = told_and_freed(a, b);
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "clock", "host='host 1'", "the clock of host host 1 is ");
	ck_assert(strstr(told.cause[0].sentence, _i ? "behind" : "ahead"));
	ck_assert_double_eq_tol(told.cause[0].makespan, (double)seems, 2e6);
	ck_assert_double_eq(told.cause[0].lane_time, 0);
}
END_TEST

/* A slow way to a host is no clock. */
START_TEST(a_slow_way_is_no_clock)
{
	struct made_run b = {.far_host = 1, .far_ns = 80 * MS};
	struct told told = told_of_runs((struct made_run){0}, b);
	check_cause(&told.cause[0], "communication", "host='host 1'", "sending every task on host");
	for (size_t i = 0; i < told.n; i++) {
		ck_assert_str_ne(told.cause[i].cause, "clock");
	}
}
END_TEST

/* ---- spans ---- */

START_TEST(interference)
{
	struct schedule *a = steps(3, 0), *b = steps(4, 0.6), *c = steps(4, 0);
	double truth = (double)(b->end_ns - c->end_ns);
	as_spans(a);
	as_spans(b);
	struct told told = told_and_freed(a, b);
	arena_free(c->arena);
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "interference", "kind='kind 0' while='kind 1'",
	            "while kind 1 runs beside it");
	ck_assert(strstr(told.cause[0].sentence, "runs 1.5") ||
	          strstr(told.cause[0].sentence, "runs 1.6"));
	ck_assert_double_eq_tol(told.cause[0].lane_time, truth, 0.1 * truth);
	ck_assert_double_eq_tol(told.cause[0].makespan, truth, 0.15 * truth);
}
END_TEST

START_TEST(waiting_is_no_cause)
{
	struct told told = told_and_freed(barriers(8, 1), barriers(9, 1.4));
	ck_assert_uint_eq(told.n, 1);
	ck_assert_str_eq(told.cause[0].cause, "slower");
	ck_assert(strstr(told.cause[0].slice, "lane='lane 1'") ||
	          strstr(told.cause[0].slice, "host='host 1'"));
	told = told_and_freed(barriers(8, 1), barriers(9, 1));
	ck_assert_str_eq(told.cause[0].cause, "same");
}
END_TEST

START_TEST(fewer_lanes_of_spans)
{
	struct schedule *a = dealt_spans(3, TASKS, 0, 4), *b = dealt_spans(4, TASKS, 0, 3);
	double delta = (double)(b->end_ns - a->end_ns);
	struct told told = told_and_freed(a, b);
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "lanes", "all", "3 lanes instead of 4");
	ck_assert_double_eq_tol(told.cause[0].makespan, delta, 0.05 * delta);
	/* A lane fewer that did less, too, is less work. */
	told = told_and_freed(dealt_spans(3, TASKS, 0, 4), dealt_spans(4, TASKS * 3 / 4, 0, 3));
	for (size_t i = 0; i < told.n; i++) {
		ck_assert_str_ne(told.cause[i].cause, "lanes");
	}
}
END_TEST

/* As many on other lanes is no work more or less; of more, only the surplus is. */
START_TEST(elsewhere_is_no_work)
{
	struct told told =
	    told_and_freed(dealt_spans(3, TASKS, 50, 2), dealt_spans(4, TASKS, 70, 2));
	for (size_t i = 0; i < told.n; i++) {
		ck_assert_ptr_null(strstr(told.cause[i].cause, "work"));
	}
	told = told_and_freed(dealt_spans(3, TASKS, 50, 2), dealt_spans(4, TASKS + 20, 70, 2));
	check_cause(&told.cause[0], "more work", "kind='kind 0'", "20 spans of kind kind 0 more");
	ck_assert_double_eq_tol(told.cause[0].lane_time, 1e9, 0.05e9);
}
END_TEST

/* More than can be matched one by one. */
static struct schedule *
many_spans(uint64_t seed, double slow, size_t n_more)
{
	enum { LANES = 4, ROUNDS = MATCHING_ITEMS_LIMIT / (2 * LANES) + 1000 };
	const struct made_task tasks[] = {{NULL, 0, 0, 0, 1, 0},
	                                  {NULL, 1, 1, 0, 1, 0},
	                                  {NULL, 2, 2, 0, 1, 0},
	                                  {NULL, 0, 3, 0, 1, 0}};
	struct schedule *schedule = made_schedule(tasks, LANES, NULL, 0, LANES, 2);
	struct prng prng = {seed};
	size_t n = 0;
	as_spans(schedule);
	schedule->items = arena_zalloc(schedule->arena, (LANES * (2 * (size_t)ROUNDS + n_more)) *
	                                                    sizeof *schedule->items);
	schedule->end_ns = 0;
	for (uint32_t l = 0; l < LANES; l++) {
		int64_t now = 0;
		schedule->lanes[l].first = n;
		for (size_t i = 0; i < 2 * (size_t)ROUNDS + n_more; i++) {
			uint32_t kind = i >= 2 * (size_t)ROUNDS ? 2 : i % 2;
			double ns = 1000 * (0.8 + 0.4 * sim_uniform(&prng));
			ns *= kind == 1 && l == 2 ? slow : 1;
			schedule->items[n++] = (struct schedule_item){now,  now + (int64_t)ns, l,
			                                              kind, SCHEDULE_NONE,     0};
			now += (int64_t)ns;
		}
		schedule->lanes[l].n = n - schedule->lanes[l].first;
		schedule->end_ns = now > schedule->end_ns ? now : schedule->end_ns;
	}
	schedule->n_items = n;
	return schedule;
}

START_TEST(more_than_can_be_matched)
{
	struct schedule *a = many_spans(3, 1, 0), *b = many_spans(4, 1.3, 0);
	ck_assert_uint_gt(a->n_items, MATCHING_ITEMS_LIMIT);
	double truth = (double)(b->end_ns - a->end_ns);
	struct told told = told_of(a, b);
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "slower", "kind='kind 1' lane='lane 2'", "runs 1.30 x as long");
	ck_assert_double_eq_tol(told.cause[0].lane_time, truth, 0.02 * truth);
	ck_assert_double_eq_tol(told.cause[0].makespan, truth, 0.02 * truth);
	arena_free(b->arena);
	b = many_spans(5, 1, 0);
	told = told_and_freed(a, b);
	ck_assert_str_eq(told.cause[0].cause, "same");
	ck_assert(fabs(told.cause[0].lane_time) < 1e6);
}
END_TEST

START_TEST(more_work_than_can_be_matched)
{
	struct told told = told_and_freed(many_spans(3, 1, 0), many_spans(4, 1, 60000));
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "more work", "kind='kind 2'", " spans of kind kind 2 more");
	ck_assert_double_eq_tol(told.cause[0].lane_time, 4 * 60e6, 2e6);
	ck_assert_int_eq(atoi(told.cause[0].sentence) / 1000, 240);
}
END_TEST

/* ---- hardly any runs ---- */

START_TEST(nothing_at_all)
{
	struct schedule *none[] = {made_schedule(NULL, 0, NULL, 0, 0, 1),
	                           made_schedule(NULL, 0, NULL, 0, 0, 1)};
	struct told told = told_of(none[0], none[1]);
	ck_assert_uint_eq(told.n, 1);
	ck_assert_str_eq(told.cause[0].cause, "same");
	told = told_and_freed(none[0], run_of((struct made_run){0}));
	ck_assert_uint_ge(told.n, 1);
	ck_assert_double_gt(told.cause[0].makespan, 0);
	told = told_and_freed(run_of((struct made_run){0}), none[1]);
	ck_assert_uint_ge(told.n, 1);
	ck_assert_double_lt(told.cause[0].makespan, 0);
}
END_TEST

static const char *
first_key(unsigned task)
{
	return key_of(task, "first", 1, "");
}

static const char *
other_key(unsigned task)
{
	return key_of(task, "other", 1, "");
}

/* Not a task in common: that is all there is to say, not a cause for each kind. */
START_TEST(nothing_in_common)
{
	struct schedule *a = run_of((struct made_run){.seed = 5, .key = first_key});
	struct schedule *b =
	    run_of((struct made_run){.seed = 6, .key = other_key, .factor = twice});
	for (size_t k = 0; k < KINDS; k++) {
		static const char *const names[KINDS] = {"w", "x", "y", "z"};
		rename_kind(b, k, names[k]);
	}
	struct told told = told_and_freed(a, b);
	ck_assert_uint_eq(told.n, 1);
	ck_assert_str_eq(told.cause[0].cause, "other work");
	ck_assert_str_eq(told.cause[0].sentence, "nothing that one run did is in the other");
	ck_assert(strstr(told.note, "slower than A"));
}
END_TEST

/* All went to the one lane that there is: that is no placement. */
START_TEST(one_lane_is_no_heap)
{
	struct told told = told_of_runs((struct made_run){0}, (struct made_run){.n_lanes = 1});
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "lanes", "all", "1 lane instead of 4");
	told = told_of_runs((struct made_run){.n_lanes = 1}, (struct made_run){0});
	ck_assert_uint_eq(told.n, 1);
	check_cause(&told.cause[0], "lanes", "all", "4 lanes instead of 1");
}
END_TEST

static int
many_kinds(unsigned task)
{
	return (int)(task < TASKS ? task % KINDS : KINDS + task % 9);
}

START_TEST(seven_are_told)
{
	struct made_run more = {.n_tasks = TASKS + 60, .kind = many_kinds};
	struct told told = told_of_runs((struct made_run){.kind = many_kinds}, more);
	ck_assert_uint_eq(told.n, 7);
	ck_assert_str_eq(told.cause[6].cause, "more work");
}
END_TEST

static struct schedule *
one_task(int64_t ns)
{
	const struct made_task task = {NULL, 0, 0, 0, ns, SCHEDULE_NO_TIME};
	return made_schedule(&task, 1, NULL, 0, 1, 1);
}

START_TEST(one_item)
{
	struct told told = told_and_freed(one_task(MS), one_task(MS));
	ck_assert_str_eq(told.cause[0].cause, "same");
	told = told_and_freed(one_task(MS), one_task(3 * MS));
	ck_assert_str_eq(told.cause[0].cause, "unexplained");
	ck_assert_double_eq(told.cause[0].makespan, 2e6);
	ck_assert_msg(strstr(told.note, "B is 2.00 ms slower than A (3.00 ms, 1.00 ms)") != NULL,
	              "%s", told.note);
	told = told_and_freed(one_task(0), one_task(0));
	ck_assert_str_eq(told.cause[0].cause, "same");
	told = told_and_freed(one_task(1), one_task(INT64_MAX / 2));
	ck_assert_uint_eq(told.n, 1);
}
END_TEST

/* Not a bit of noise: what changed is clear all the same, and what did not is none. */
START_TEST(all_equal)
{
	struct made_run still = {.noise = -1}, changed = {.noise = -1, .factor = twice};
	struct told told = told_of_runs(still, changed);
	ck_assert_str_eq(told.cause[0].cause, "slower");
	ck_assert_str_eq(told.cause[0].slice, "all");
	ck_assert(strstr(told.cause[0].sentence, "runs 2.00 x"));
	told = told_of_runs(still, still);
	ck_assert_str_eq(told.cause[0].cause, "same");
}
END_TEST

/* Times of centuries are answered for, too. */
START_TEST(huge_times)
{
	struct schedule *runs[2];
	for (unsigned r = 0; r < 2; r++) {
		struct made_run made = {.seed = 5 + r, .factor = r ? kind_on_lane : NULL};
		runs[r] = run_of(made);
		int64_t by = INT64_MAX / 2 / (runs[r]->end_ns + MS);
		for (size_t i = 0; i < runs[r]->n_items; i++) {
			struct schedule_item *item = &runs[r]->items[i];
			struct schedule_task *task = &runs[r]->tasks[item->task];
			item->start_ns = task->started_ns = item->start_ns * by;
			item->end_ns = task->finished_ns = item->end_ns * by;
			task->planned_ns *= by;
			task->enqueued_ns *= by;
		}
		runs[r]->end_ns *= by;
		runs[r]->start_ns *= by;
	}
	struct told told = told_and_freed(runs[0], runs[1]);
	ck_assert_uint_ge(told.n, 1);
	for (size_t i = 0; i < told.n; i++) {
		ck_assert(told.cause[i].low <= told.cause[i].makespan &&
		          told.cause[i].makespan <= told.cause[i].high);
	}
}
END_TEST

/* Lanes stood still for a second, which no task shows. */
START_TEST(a_gap_is_unexplained)
{
	struct made_run pause = {.seed = 6, .pause_ns = 1000 * MS};
	struct schedule *a = run_of((struct made_run){.seed = 5}), *b = run_of(pause);
	for (size_t i = 0; i < TASKS; i++) { /* of which no planned time tells */
		a->tasks[i].planned_ns = a->tasks[i].enqueued_ns = SCHEDULE_NO_TIME;
		b->tasks[i].planned_ns = b->tasks[i].enqueued_ns = SCHEDULE_NO_TIME;
	}
	struct told told = told_and_freed(a, b);
	ck_assert_uint_eq(told.n, 1);
	ck_assert_str_eq(told.cause[0].cause, "unexplained");
	ck_assert(strstr(told.cause[0].sentence,
	                 "nothing that both runs did differs by more than noise"));
	ck_assert_double_gt(told.cause[0].makespan, 0.9e9);
}
END_TEST

/* Of tasks as noisy as these nothing is clear, but twice as long is not the same. */
START_TEST(twice_is_not_the_same)
{
	struct made_run noisy = {.n_tasks = 12, .noise = 1.2};
	struct schedule *a = run_of((struct made_run){.seed = 7, .n_tasks = 12, .noise = 1.2});
	for (noisy.seed = 8; noisy.seed < 40; noisy.seed++) {
		struct schedule *b = run_of(noisy);
		struct told told = told_of(a, b);
		double share = fabs((double)(b->end_ns - a->end_ns)) /
		               (double)(b->end_ns > a->end_ns ? b->end_ns : a->end_ns);
		ck_assert(share < 0.3 || strcmp(told.cause[0].cause, "same") != 0);
		arena_free(b->arena);
	}
	arena_free(a->arena);
}
END_TEST

START_TEST(cancelled)
{
	struct schedule *a = run_of((struct made_run){.seed = 5});
	struct schedule *b = run_of((struct made_run){.seed = 6, .factor = host});
	struct cancel cancel = {0};
	struct err err = ERR_INIT;
	struct explain_run runs[2] = {{.name = "A", .schedule = a}, {.name = "B", .schedule = b}};
	struct explain explain = {
	    .a = &runs[0], .b = &runs[1], .n_a = 1, .n_b = 1, .cancel = &cancel};
	cancel_request(&cancel);
	ck_assert_ptr_null(explain_causes.compute(&explain, NULL, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	matching_free(runs[0].matching);
	arena_free(a->arena);
	arena_free(b->arena);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_causes_made");
	TCase *tcase = tcase_create("made");
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, the_controller);
	tcase_add_test(tcase, communication);
	tcase_add_test(tcase, start_up);
	tcase_add_loop_test(tcase, slices, 0, 5);
	tcase_add_test(tcase, renamed);
	tcase_add_test(tcase, renamed_by_times);
	tcase_add_test(tcase, split);
	tcase_add_test(tcase, more_and_less_work);
	tcase_add_test(tcase, heaped);
	tcase_add_loop_test(tcase, a_clock, 0, 2);
	tcase_add_test(tcase, a_slow_way_is_no_clock);
	tcase_add_test(tcase, interference);
	tcase_add_test(tcase, waiting_is_no_cause);
	tcase_add_test(tcase, fewer_lanes_of_spans);
	tcase_add_test(tcase, elsewhere_is_no_work);
	tcase_add_test(tcase, more_than_can_be_matched);
	tcase_add_test(tcase, more_work_than_can_be_matched);
	tcase_add_test(tcase, nothing_at_all);
	tcase_add_test(tcase, nothing_in_common);
	tcase_add_test(tcase, one_lane_is_no_heap);
	tcase_add_test(tcase, seven_are_told);
	tcase_add_test(tcase, one_item);
	tcase_add_test(tcase, all_equal);
	tcase_add_test(tcase, huge_times);
	tcase_add_test(tcase, a_gap_is_unexplained);
	tcase_add_test(tcase, twice_is_not_the_same);
	tcase_add_test(tcase, cancelled);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
