/* Parts sharing and area: against counts of every ns, on random schedules, and where a schedule is
 * hardly one. */
#include "config.h"
#include "explain/model/apportion.h"
#include "explain/parts/idle.h"
#include "explain/parts/parts.h"

#include "unit.h"

#include "random_schedule.h"

static const char *const unfolded[] = {"0%", "kind", "0ns"};
#define ROUNDS 400 /* of each loop test's seeds */

/* ---- largest remainders ---- */

START_TEST(apportion_gives_all)
{
	struct prng prng = {17};
	for (int round = 0; round < 20000; round++) {
		wide_int amounts[6], sum = 0;
		int64_t out[6], total = 0, divisor = random_between(&prng, 1, 9);
		size_t n = 1 + prng_below(&prng, 6);
		for (size_t i = 0; i < n; i++) {
			amounts[i] = random_between(&prng, -50, 50);
			sum += amounts[i];
		}
		amounts[0] += (divisor - sum % divisor) % divisor; /* the whole is whole */
		sum += (divisor - sum % divisor) % divisor;
		apportion(amounts, n, divisor, (int64_t)(sum / divisor), out);
		for (size_t i = 0; i < n; i++) {
			wide_int off = (wide_int)out[i] * divisor - amounts[i];
			ck_assert(off < divisor && off > -divisor);
			total += out[i];
		}
		ck_assert_int_eq(total, (int64_t)(sum / divisor));
	}
}
END_TEST

START_TEST(apportion_rounds_up_the_largest_remainders)
{
	const wide_int amounts[] = {10, 11, 12, 3}; /* / 4: 2.5 2.75 3 0.75 */
	int64_t out[4];
	apportion(amounts, 4, 4, 9, out);
	ck_assert_int_eq(out[0], 2);
	ck_assert_int_eq(out[1], 3);
	ck_assert_int_eq(out[2], 3);
	ck_assert_int_eq(out[3], 1);
	const long double reals[] = {-0.5L, 1.25L, 0.25L};
	apportion_reals(reals, 3, 1, out);
	ck_assert_int_eq(out[0], 0);
	ck_assert_int_eq(out[1], 1);
	ck_assert_int_eq(out[2], 0);
}
END_TEST

/* ---- sharing ---- */

#define PARTS 360360 /* every number up to 15 divides it */

/* Shares in 1/PARTS ns; the last one is that of nothing. */
static void
count_shares(const struct schedule *schedule, int64_t *parts)
{
	for (int64_t t = schedule->start_ns; t < schedule->end_ns; t++) {
		int64_t n = 0;
		for (size_t i = 0; i < schedule->n_items; i++) {
			n += schedule->items[i].start_ns <= t && schedule->items[i].end_ns > t;
		}
		for (size_t i = 0; i < schedule->n_items && n > 0; i++) {
			if (schedule->items[i].start_ns <= t && schedule->items[i].end_ns > t) {
				parts[schedule->items[i].kind] += PARTS / n;
			}
		}
		parts[schedule->n_kinds] += n ? 0 : PARTS;
	}
}

static void
check_shares(const struct result *result, const struct schedule *schedule, const char *column)
{
	int64_t parts[8] = {0};
	count_shares(schedule, parts);
	for (size_t k = 0; k <= schedule->n_kinds; k++) {
		const char *kind =
		    k < schedule->n_kinds ? schedule->kinds[k].ptr : "(nothing running)";
		int64_t off = row_value(result, kind, NULL, column) * PARTS - parts[k];
		ck_assert_msg(off < PARTS && off > -PARTS, "%s: off by %g ns", kind,
		              (double)off / PARTS);
	}
}

START_TEST(sharing_is_every_instant_divided)
{
	struct prng prng = {(uint64_t)_i + 1};
	for (int round = 0; round < ROUNDS; round++) {
		struct schedule *a = random_schedule(&prng), *b = random_schedule(&prng);
		struct result *result = made_explain(&explain_sharing, a, b, unfolded);
		check_sums(result, a, b);
		check_shares(result, a, "A");
		check_shares(result, b, "B");
		result_free(result);
		arena_free(a->arena);
		arena_free(b->arena);
	}
}
END_TEST

/* Thirds of a ns, over and over: what divisions leave over is not lost. */
START_TEST(sharing_loses_nothing_over_many_instants)
{
	enum { N = 30000, LANES = 7 };
	struct made_task *tasks = xcalloc(N, sizeof *tasks);
	for (unsigned i = 0; i < N; i++) {
		tasks[i] = (struct made_task){"t",
		                              (int)(i % 3),
		                              i % LANES,
		                              i / LANES * 11 + i % LANES,
		                              i / LANES * 11 + 11 + i % LANES * (i % 5 != 0),
		                              SCHEDULE_NO_TIME};
	}
	struct schedule *a = made_schedule(tasks, N, NULL, 0, LANES, 1);
	struct result *result = made_explain(&explain_sharing, a, a, unfolded);
	check_sums(result, a, a);
	result_free(result);
	arena_free(a->arena);
	free(tasks);
}
END_TEST

/* ---- area ---- */

static int64_t
ready_time(const struct schedule *schedule, size_t item)
{
	const struct schedule_task *task = &schedule->tasks[schedule->items[item].task];
	int64_t ready = task->planned_ns;
	for (size_t e = 0; e < schedule->n_edges; e++) {
		const struct schedule_edge *edge = &schedule->edges[e];
		if (edge->to != item) {
			continue;
		}
		int64_t arrived = schedule->items[edge->from].end_ns;
		if (edge->transfer != SCHEDULE_NONE &&
		    schedule->transfers[edge->transfer].finished_ns > arrived) {
			arrived = schedule->transfers[edge->transfer].finished_ns;
		}
		ready = arrived > ready ? arrived : ready;
	}
	ready = ready == SCHEDULE_NO_TIME ? task->enqueued_ns : ready;
	return ready;
}

struct instant { /* what holds for a lane at a time */
	bool busy, after_first, before_last, awaits, moves, stalls, is_ready, others_ready;
};

static struct instant
look_at(const struct schedule *schedule, uint32_t lane, int64_t t)
{
	struct instant now = {0};
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		const struct schedule_task *task = &schedule->tasks[item->task];
		int64_t ready = ready_time(schedule, i);
		bool waits = ready != SCHEDULE_NO_TIME && ready <= t && t < item->start_ns;
		if (item->lane != lane) {
			now.others_ready |= waits;
			continue;
		}
		now.is_ready |= waits;
		now.busy |= item->start_ns <= t && t < item->end_ns;
		now.after_first |= item->start_ns <= t;
		now.before_last |= t < item->end_ns;
		int64_t until =
		    task->enqueued_ns != SCHEDULE_NO_TIME ? task->enqueued_ns : item->start_ns;
		now.awaits |=
		    task->planned_ns != SCHEDULE_NO_TIME && task->planned_ns <= t && t < until;
	}
	for (size_t e = 0; e < schedule->n_edges; e++) {
		const struct schedule_edge *edge = &schedule->edges[e];
		if (edge->transfer != SCHEDULE_NONE && schedule->items[edge->to].lane == lane) {
			const struct schedule_transfer *transfer =
			    &schedule->transfers[edge->transfer];
			int64_t planned =
			    schedule->tasks[schedule->items[edge->to].task].planned_ns;
			now.stalls |= transfer->planned_ns != SCHEDULE_NO_TIME &&
			              transfer->planned_ns <= t && planned <= t &&
			              t < transfer->finished_ns;
		}
	}
	for (size_t m = 0; m < schedule->n_transfers; m++) {
		const struct schedule_transfer *transfer = &schedule->transfers[m];
		now.moves |= transfer->lane == lane && transfer->planned_ns != SCHEDULE_NO_TIME &&
		             transfer->planned_ns <= t && t < transfer->finished_ns;
	}
	return now;
}

static void
count_idle(const struct schedule *schedule, int64_t ns[IDLE_CAUSES])
{
	bool says = false;
	for (size_t i = 0; i < schedule->n_items; i++) {
		says = says || ready_time(schedule, i) != SCHEDULE_NO_TIME;
	}
	for (uint32_t lane = 0; lane < schedule->n_lanes; lane++) {
		for (int64_t t = schedule->start_ns; t < schedule->end_ns; t++) {
			struct instant now = look_at(schedule, lane, t);
			enum idle_cause cause = !now.after_first   ? IDLE_RAMP
			                        : !now.before_last ? IDLE_TAIL
			                        : now.stalls || (now.awaits && now.moves)
			                            ? IDLE_TRANSFER
			                        : now.is_ready     ? IDLE_DISPATCH
			                        : now.others_ready ? IDLE_IMBALANCE
			                        : says             ? IDLE_STARVED
			                                           : IDLE_UNKNOWN;
			ns[cause] += !now.busy;
		}
	}
}

START_TEST(idle_by_the_first_cause_that_holds)
{
	struct prng prng = {(uint64_t)_i + 100};
	int64_t met[IDLE_CAUSES] = {0};
	for (int round = 0; round < ROUNDS; round++) {
		struct schedule *schedule = random_schedule(&prng);
		wide_int ns[IDLE_CAUSES];
		int64_t counted[IDLE_CAUSES] = {0};
		struct err err = ERR_INIT;
		ck_assert_int_eq(idle_measure(schedule, NULL, ns, &err), 0);
		count_idle(schedule, counted);
		for (int c = 0; c < IDLE_CAUSES; c++) {
			ck_assert_msg((int64_t)ns[c] == counted[c], "round %d: %s %lld, not %lld",
			              round, idle_cause_name((enum idle_cause)c), (long long)ns[c],
			              (long long)counted[c]);
			met[c] += counted[c];
		}
		arena_free(schedule->arena);
	}
	for (int c = 0; c < IDLE_CAUSES; c++) {
		ck_assert_int_gt(met[c], 0); /* the test tries every cause */
	}
}
END_TEST

/* Sum of the rows of one kind in a part. */
static int64_t
sum_rows(const struct result *result, const char *first, const char *column)
{
	int64_t sum = 0;
	for (size_t r = 0; r < result->n_rows; r++) {
		if (slice_is(result_value(result, r, 0)->text, first)) {
			sum += (int64_t)made_number(result, r, column);
		}
	}
	return sum;
}

START_TEST(area_adds_up)
{
	struct prng prng = {(uint64_t)_i + 200};
	for (int round = 0; round < ROUNDS; round++) {
		struct schedule *a = random_schedule(&prng), *b = random_schedule(&prng);
		struct result *area = made_explain(&explain_area, a, b, unfolded);
		struct result *effects = made_explain(&explain_area_effects, a, b, unfolded);
		check_sums(area, a, b);
		check_sums(effects, a, b);
		for (int k = 0; k < 3; k++) {
			char kind[32];
			snprintf(kind, sizeof kind, "kind %d", k);
			ck_assert_int_eq(sum_rows(effects, kind, "delta"),
			                 row_value(area, "busy", kind, "delta"));
		}
		result_free(area);
		result_free(effects);
		arena_free(a->arena);
		arena_free(b->arena);
	}
}
END_TEST

/* However rows are divided they are the makespan, and what is divided further is the same. */
START_TEST(every_division_adds_up)
{
	static const char *const divisions[] = {
	    "lane", "host", "time", "kind,lane", "time,kind", "host,time", "kind,lane,host,time"};
	static const struct explain_part *const parts[] = {&explain_sharing, &explain_area};
	struct prng prng = {(uint64_t)_i + 300};
	for (int round = 0; round < ROUNDS / 4; round++) {
		struct schedule *a = random_schedule(&prng), *b = random_schedule(&prng);
		for (size_t i = 0; i < 2 * sizeof divisions / sizeof *divisions; i++) {
			const char *by = divisions[i / 2];
			const char *const arguments[] = {"0%", by, i % 3 ? "0ns" : "3ns"};
			struct result *whole = made_explain(parts[i % 2], a, b, unfolded);
			struct result *result = made_explain(parts[i % 2], a, b, arguments);
			int64_t rows = (int64_t)result->n_rows;
			check_sums(result, a, b);
			ck_assert_int_eq(row_value(result, "residual", NULL, "A"), 0);
			ck_assert_int_eq(row_value(result, "residual", NULL, "B"), 0);
			if (i % 2) { /* ns are rounded row by row */
				int64_t off =
				    sum_rows(result, "busy", "B") - sum_rows(whole, "busy", "B");
				ck_assert_int_le(off < 0 ? -off : off, rows);
			}
			result_free(result);
			result_free(whole);
		}
		arena_free(a->arena);
		arena_free(b->arena);
	}
}
END_TEST

/* Two windows of 50 ns: one task runs alone, then two, then nothing does. */
START_TEST(windows_cut_what_runs_on)
{
	static const struct made_task tasks[] = {{NULL, 0, 0, 0, 60, SCHEDULE_NO_TIME},
	                                         {NULL, 1, 1, 40, 80, SCHEDULE_NO_TIME},
	                                         {NULL, 1, 0, 90, 100, SCHEDULE_NO_TIME}};
	static const char *const arguments[] = {"0%", "kind,time", "50ns"};
	static const struct {
		const char *kind, *window;
		int64_t ns;
	} wanted[] = {{"kind 0", "0 ns to 50 ns", 45},
	              {"kind 1", "0 ns to 50 ns", 5},
	              {"kind 0", "50 ns to 100 ns", 5},
	              {"kind 1", "50 ns to 100 ns", 35},
	              {"(nothing running)", "50 ns to 100 ns", 10}};
	struct schedule *a = made_schedule(tasks, 3, NULL, 0, 2, 1);
	struct result *result = made_explain(&explain_sharing, a, a, arguments);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		ck_assert_int_eq(row_value(result, wanted[i].kind, wanted[i].window, "A"),
		                 wanted[i].ns);
	}
	ck_assert_uint_eq(result->n_rows, 7);
	result_free(result);
	result = made_explain(&explain_area, a, a, arguments);
	ck_assert_int_eq(row_value(result, "busy", "kind 0", "A"), 25);
	ck_assert_int_eq(sum_rows(result, "idle", "A"), 45);
	result_free(result);
	arena_free(a->arena);
}
END_TEST

START_TEST(divisions_are_checked)
{
	static const struct {
		const char *by, *window, *message;
	} wrong[] = {
	    {"worker", "0ns", "part sharing: by=worker: not a list of kind, lane, host, time"},
	    {"kind,kind", "0ns", "part sharing: by=kind,kind: not a list"},
	    {"", "0ns", "part sharing: by=: not a list"},
	    {"time", "1ns", "part sharing: window=1ns: more than 1000 windows"}};
	static const struct made_task tasks[] = {{NULL, 0, 0, 0, 1001, SCHEDULE_NO_TIME}};
	struct schedule *a = made_schedule(tasks, 1, NULL, 0, 1, 1);
	struct explain_run runs[2] = {{.name = "A", .schedule = a}, {.name = "B", .schedule = a}};
	struct explain explain = {.a = &runs[0], .b = &runs[1], .n_a = 1, .n_b = 1};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const char *const arguments[] = {"0%", wrong[i].by, wrong[i].window};
		struct err err = ERR_INIT;
		ck_assert_ptr_null(explain_sharing.compute(&explain, arguments, &err));
		ck_assert_msg(strncmp(err.message, wrong[i].message, strlen(wrong[i].message)) == 0,
		              "%s", err.message);
	}
	arena_free(a->arena);
}
END_TEST

/* Each factor alone: twice as many, twice as long, half the lanes. */
START_TEST(effects_name_the_factor)
{
	static const struct made_task one[] = {{NULL, 0, 0, 0, 100, SCHEDULE_NO_TIME},
	                                       {NULL, 0, 1, 0, 100, SCHEDULE_NO_TIME}};
	static const struct made_task many[] = {{NULL, 0, 0, 0, 100, SCHEDULE_NO_TIME},
	                                        {NULL, 0, 1, 0, 100, SCHEDULE_NO_TIME},
	                                        {NULL, 0, 0, 100, 200, SCHEDULE_NO_TIME},
	                                        {NULL, 0, 1, 100, 200, SCHEDULE_NO_TIME}};
	static const struct made_task longer[] = {{NULL, 0, 0, 0, 200, SCHEDULE_NO_TIME},
	                                          {NULL, 0, 1, 0, 200, SCHEDULE_NO_TIME}};
	static const struct made_task narrow[] = {{NULL, 0, 0, 0, 100, SCHEDULE_NO_TIME},
	                                          {NULL, 0, 0, 100, 200, SCHEDULE_NO_TIME}};
	static const char *const names[] = {"count", "mean duration", "number of lanes"};
	struct schedule *a = made_schedule(one, 2, NULL, 0, 2, 1);
	struct schedule *b[] = {made_schedule(many, 4, NULL, 0, 2, 1),
	                        made_schedule(longer, 2, NULL, 0, 2, 1),
	                        made_schedule(narrow, 2, NULL, 0, 1, 1)};
	for (int k = 0; k < 3; k++) {
		struct result *result = made_explain(&explain_area_effects, a, b[k], unfolded);
		for (int e = 0; e < 3; e++) {
			ck_assert_int_eq(row_value(result, "kind 0", names[e], "delta"),
			                 e == k ? 100 : 0);
		}
		check_sums(result, a, b[k]);
		result_free(result);
		arena_free(b[k]->arena);
	}
	arena_free(a->arena);
}
END_TEST

/* ---- known causes ---- */

static struct sim_params
known_run(void)
{
	return (struct sim_params){.n_tasks = 400,
	                           .n_lanes = 8,
	                           .per_host = 4,
	                           .graph_seed = 3,
	                           .noise_seed = 4,
	                           .noise = 0.05,
	                           .edge_share = 40};
}

static int64_t
busy_ns(const struct schedule *schedule, int kind)
{
	int64_t sum = 0;
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		sum += kind < 0 || item->kind == (uint32_t)kind ? item->end_ns - item->start_ns : 0;
	}
	return sum;
}

/* The largest change by an effect on busy lanes: row 0, but for "(idle)". */
static size_t
first_effect(const struct result *result)
{
	return slice_is(result_value(result, 0, 0)->text, "(idle)") ? 1 : 0;
}

START_TEST(slow_kind_is_named_first)
{
	for (int kind = 0; kind < SIM_KINDS; kind++) {
		struct sim_params params = known_run();
		struct schedule *a = sim_run(&params);
		params.factor[kind] = 1.6;
		params.noise_seed = 5;
		struct schedule *b = sim_run(&params);
		char name[32];
		snprintf(name, sizeof name, "kind %d", kind);
		double injected = 0.6 * (double)busy_ns(a, kind) / params.n_lanes;

		struct result *result = made_explain(&explain_area_effects, a, b, NULL);
		size_t first = first_effect(result);
		ck_assert(slice_is(result_value(result, first, 0)->text, name));
		ck_assert(slice_is(result_value(result, first, 1)->text, "mean duration"));
		ck_assert_double_eq_tol(made_number(result, first, "delta"), injected,
		                        injected / 10);
		result_free(result);
		result = made_explain(&explain_sharing, a, b, NULL);
		ck_assert(slice_is(result_value(result, 0, 0)->text, name));
		result_free(result);
		arena_free(a->arena);
		arena_free(b->arena);
	}
}
END_TEST

START_TEST(one_lane_fewer_is_named)
{
	struct sim_params params = known_run();
	params.noise = 0;
	params.edge_share = 0;
	struct schedule *a = sim_run(&params);
	params.n_lanes = 7;
	struct schedule *b = sim_run(&params);
	struct result *result = made_explain(&explain_area_effects, a, b, unfolded);
	double injected = (double)busy_ns(a, -1) / 7 - (double)busy_ns(a, -1) / 8, by_lanes = 0;
	for (int kind = 0; kind < SIM_KINDS; kind++) {
		char name[32];
		snprintf(name, sizeof name, "kind %d", kind);
		by_lanes += made_number(result, made_row(result, name, "number of lanes"), "delta");
	}
	ck_assert_double_eq_tol(by_lanes, injected, injected / 1000);
	ck_assert_double_eq_tol(
	    by_lanes, made_number(result, made_row(result, "sum", NULL), "delta"), injected / 10);
	result_free(result);
	arena_free(a->arena);
	arena_free(b->arena);
}
END_TEST

/* Data moves slowly to one lane: idle lanes wait for transfers, and so does the path. */
START_TEST(slow_link_is_named_first)
{
	struct sim_params params = known_run();
	params.noise = 0;
	params.is_fixed = true;
	params.edge_share = 90;
	params.link_ns = 2 * MS;
	struct schedule *a = sim_run(&params);
	params.slow_link_ns = 150 * MS;
	struct schedule *b = sim_run(&params);
	struct result *result = made_explain(&explain_path, a, b, unfolded);
	double moved = 0;
	for (size_t r = 0; r < result->n_rows; r++) {
		moved += slice_is(result_value(result, r, 0)->text, "transfer")
		             ? made_number(result, r, "delta")
		             : 0;
	}
	double delta = made_number(result, made_row(result, "sum", NULL), "delta");
	ck_assert_double_ge(moved, 0.9 * delta);
	result_free(result);
	result = made_explain(&explain_area, a, b, unfolded);
	/* The lane that waits is "transfer", the others have nothing to do meanwhile. */
	ck_assert(slice_is(result_value(result, 0, 0)->text, "idle"));
	ck_assert_double_gt(made_number(result, made_row(result, "idle", "transfer"), "delta"), 0);
	result_free(result);
	arena_free(a->arena);
	arena_free(b->arena);
}
END_TEST

/* ---- what is hardly a schedule ---- */

static struct schedule *
odd_schedule(int which)
{
	static const struct made_task instants[] = {{NULL, 0, 0, 7, 7, SCHEDULE_NO_TIME},
	                                            {NULL, 1, 0, 7, 7, SCHEDULE_NO_TIME},
	                                            {NULL, 0, 1, 7, 7, SCHEDULE_NO_TIME}};
	static const struct made_task piled[] = {{NULL, 0, 0, 0, 100, SCHEDULE_NO_TIME},
	                                         {NULL, 1, 0, 0, 100, SCHEDULE_NO_TIME},
	                                         {NULL, 0, 0, 50, 50, 3},
	                                         {NULL, 2, 0, 20, 300, -40}};
	static const struct made_task endless[] = {{NULL, 0, 0, 0, INT64_MAX, SCHEDULE_NO_TIME},
	                                           {NULL, 1, 0, 0, INT64_MAX, SCHEDULE_NO_TIME},
	                                           {NULL, 2, 0, 5, INT64_MAX, SCHEDULE_NO_TIME}};
	return which == 0   ? made_schedule(NULL, 0, NULL, 0, 0, 1)
	       : which == 1 ? made_schedule(instants, 3, NULL, 0, 2, 1)
	       : which == 2 ? made_schedule(piled, 4, NULL, 0, 1, 1)
	                    : made_schedule(endless, 3, NULL, 0, 1, 1);
}

START_TEST(odd_schedules_add_up)
{
	static const struct explain_part *const parts[] = {&explain_sharing, &explain_area,
	                                                   &explain_area_effects, &explain_path};
	for (int i = 0; i < 16; i++) {
		struct schedule *a = odd_schedule(i / 4), *b = odd_schedule(i % 4);
		for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
			struct result *result = made_explain(parts[p], a, b, unfolded);
			ck_assert_ptr_nonnull(result);
			/* Of endless times, sums are beyond what a row can hold. */
			if (i / 4 < 3 && i % 4 < 3) {
				check_sums(result, a, b);
			}
			result_free(result);
		}
		arena_free(a->arena);
		arena_free(b->arena);
	}
}
END_TEST

START_TEST(work_is_cancelled)
{
	struct prng prng = {5};
	struct cancel cancel = {true};
	struct schedule *schedule = NULL;
	do { /* one that has something to do */
		if (schedule) {
			arena_free(schedule->arena);
		}
		schedule = random_schedule(&prng);
	} while (schedule->n_items == 0);
	struct explain_run runs[2] = {{.name = "A", .schedule = schedule},
	                              {.name = "B", .schedule = schedule}};
	struct explain explain = {
	    .a = &runs[0], .b = &runs[1], .n_a = 1, .n_b = 1, .cancel = &cancel};
	static const struct explain_part *const parts[] = {&explain_sharing, &explain_area,
	                                                   &explain_area_effects, &explain_path};
	for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
		struct err err = ERR_INIT;
		ck_assert_ptr_null(parts[p]->compute(&explain, unfolded, &err));
		ck_assert_int_eq(err.code, ERR_CANCELLED);
	}
	arena_free(schedule->arena);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_sharing");
	TCase *tcase = tcase_create("explain_sharing");
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, apportion_gives_all);
	tcase_add_test(tcase, apportion_rounds_up_the_largest_remainders);
	tcase_add_loop_test(tcase, sharing_is_every_instant_divided, 0, 5);
	tcase_add_test(tcase, sharing_loses_nothing_over_many_instants);
	tcase_add_loop_test(tcase, idle_by_the_first_cause_that_holds, 0, 5);
	tcase_add_loop_test(tcase, area_adds_up, 0, 5);
	tcase_add_loop_test(tcase, every_division_adds_up, 0, 4);
	tcase_add_test(tcase, windows_cut_what_runs_on);
	tcase_add_test(tcase, divisions_are_checked);
	tcase_add_test(tcase, effects_name_the_factor);
	tcase_add_test(tcase, slow_kind_is_named_first);
	tcase_add_test(tcase, one_lane_fewer_is_named);
	tcase_add_test(tcase, slow_link_is_named_first);
	tcase_add_test(tcase, odd_schedules_add_up);
	tcase_add_test(tcase, work_is_cancelled);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
