/* Runs made by hand, of tasks that a controller plans and of spans, each with what it shall differ
 * by. */
#ifndef LANESCOPE_TESTS_MADE_RUN_H
#define LANESCOPE_TESTS_MADE_RUN_H

#include "explain_fixture.h"

#define TASKS 120u
#define KINDS 4

/* A controller plans one task after another for the lane that is free first. */
struct made_run {
	uint64_t seed;
	unsigned n_tasks, n_lanes, per_host; /* 0: TASKS, 4, 2 */
	int64_t plan_ns, communicate_ns, begin_ns;
	unsigned far_host; /* communicates as long as far_ns, if that is not 0 */
	int64_t far_ns;
	double (*factor)(unsigned task, unsigned lane); /* of durations; or NULL */
	int (*kind)(unsigned task);                     /* or NULL */
	const char *(*key)(unsigned task);              /* or NULL */
	unsigned heaped;                                /* this kind goes to lane 0; 0: none */
	int64_t pause_ns;                               /* in the middle, of all lanes */
	double noise;                                   /* 0: a twentieth; below 0: none */
};

static inline double
vary(struct prng *prng, double by)
{
	double sum = -6;
	for (int i = 0; i < 12; i++) {
		sum += sim_uniform(prng);
	}
	return exp(by * sum);
}

static inline int64_t
times(int64_t ns, double by)
{
	return (int64_t)((double)ns * by);
}

static inline struct schedule *
run_of(struct made_run run)
{
	static struct made_task tasks[TASKS * 2];
	int64_t enqueued[TASKS * 2], free_at[8] = {0}, planned_last = 0;
	struct prng prng = {run.seed + 1};
	unsigned n = run.n_tasks ? run.n_tasks : TASKS, n_lanes = run.n_lanes ? run.n_lanes : 4;
	double noise = run.noise > 0 ? run.noise : run.noise < 0 ? 0 : 0.05;
	for (unsigned i = 0; i < n; i++) {
		int kind = run.kind ? run.kind(i) : (int)(i * 7 / 3 % KINDS);
		unsigned lane = 0;
		for (unsigned l = 1; l < n_lanes && !(run.heaped && kind == (int)run.heaped); l++) {
			lane = free_at[l] < free_at[lane] ? l : lane;
		}
		bool is_far = run.far_ns && lane / 2 == run.far_host;
		int64_t from = free_at[lane] > planned_last ? free_at[lane] : planned_last;
		int64_t planned = from + times(run.plan_ns ? run.plan_ns : MS, vary(&prng, 0.1));
		planned += i == n / 2 ? run.pause_ns : 0;
		int64_t sent = is_far ? run.far_ns : run.communicate_ns ? run.communicate_ns : MS;
		enqueued[i] = planned + times(sent, vary(&prng, 0.1));
		int64_t start =
		    enqueued[i] + times(run.begin_ns ? run.begin_ns : MS, vary(&prng, 0.1));
		double factor = run.factor ? run.factor(i, lane) : 1;
		double base = (20 + 15 * kind + i % 5) * (double)MS;
		int64_t end = start + (int64_t)(base * factor * vary(&prng, noise));
		tasks[i] = (struct made_task){
		    run.key ? run.key(i) : NULL, kind, lane, start, end, planned};
		free_at[lane] = end;
		planned_last = planned;
	}
	struct schedule *schedule =
	    made_schedule(tasks, n, NULL, 0, n_lanes, run.per_host ? run.per_host : 2);
	for (unsigned i = 0; i < n; i++) {
		schedule->tasks[i].enqueued_ns = enqueued[i];
	}
	return schedule;
}

static inline void
shift_host(struct schedule *schedule, unsigned first_lane, int64_t by)
{
	for (size_t i = 0; i < schedule->n_items; i++) {
		struct schedule_item *item = &schedule->items[i];
		if (item->lane >= first_lane) {
			struct schedule_task *task = &schedule->tasks[item->task];
			item->start_ns += by;
			item->end_ns += by;
			task->enqueued_ns += by;
			task->started_ns += by;
			task->finished_ns += by;
			schedule->end_ns =
			    item->end_ns > schedule->end_ns ? item->end_ns : schedule->end_ns;
		}
	}
}

enum { STEP, FLUSH, BARRIER };

/* Steps on lane 0 that a flush on lane 1 slows while it runs. */
static inline struct schedule *
steps(uint64_t seed, double slow)
{
	struct made_task tasks[TASKS * 2];
	struct prng prng = {seed};
	unsigned n = 0;
	int64_t now = 0, flush_end = 0;
	for (unsigned i = 0; i < TASKS; i++) {
		double own = 50e6 * vary(&prng, 0.02);
		double room = flush_end > now ? (double)(flush_end - now) / (1 + slow) : 0;
		int64_t end = now + (int64_t)(own + (room < own ? room : own) * slow);
		tasks[n++] = (struct made_task){NULL, STEP, 0, now, end, SCHEDULE_NO_TIME};
		now = end;
		if (i % 6 == 5) {
			flush_end = now + times(130 * MS, vary(&prng, 0.1));
			tasks[n++] =
			    (struct made_task){NULL, FLUSH, 1, now, flush_end, SCHEDULE_NO_TIME};
		}
	}
	return made_schedule(tasks, n, NULL, 0, 2, 2);
}

static inline void
as_spans(struct schedule *schedule)
{
	schedule->is_tasks = false;
	schedule->n_tasks = 0;
	for (size_t i = 0; i < schedule->n_items; i++) {
		schedule->items[i].task = SCHEDULE_NONE;
	}
}

/* Lane 1 computes for longer, so that lane 0 waits for it at each barrier: that is no cause. */
static inline struct schedule *
barriers(uint64_t seed, double slow)
{
	struct made_task tasks[TASKS];
	struct prng prng = {seed};
	int64_t now = 0;
	for (unsigned i = 0; i < TASKS; i += 4) {
		int64_t end[2], both;
		for (unsigned l = 0; l < 2; l++) {
			end[l] = now + (int64_t)(50e6 * vary(&prng, 0.03) * (l ? slow : 1));
		}
		both = (end[0] > end[1] ? end[0] : end[1]) + 100;
		for (unsigned l = 0; l < 2; l++) {
			tasks[i + 2 * l] =
			    (struct made_task){NULL, STEP, l, now, end[l], SCHEDULE_NO_TIME};
			tasks[i + 2 * l + 1] =
			    (struct made_task){NULL, BARRIER, l, end[l], both, SCHEDULE_NO_TIME};
		}
		now = both;
	}
	struct schedule *schedule = made_schedule(tasks, TASKS, NULL, 0, 2, 1);
	as_spans(schedule);
	return schedule;
}

/* Spans of one kind, each on the lane that is free first; a share goes to lane 1 anyway. */
static inline struct schedule *
dealt_spans(uint64_t seed, unsigned n, unsigned skew, unsigned n_lanes)
{
	struct made_task tasks[TASKS * 2];
	struct prng prng = {seed};
	int64_t free_at[8] = {0};
	for (unsigned i = 0; i < n; i++) {
		unsigned lane = prng_below(&prng, 100) < skew;
		for (unsigned l = 0; l < n_lanes && !skew; l++) {
			lane = free_at[l] < free_at[lane] ? l : lane;
		}
		int64_t start = free_at[lane];
		free_at[lane] += (int64_t)(50e6 * vary(&prng, 0.03));
		tasks[i] =
		    (struct made_task){NULL, STEP, lane, start, free_at[lane], SCHEDULE_NO_TIME};
	}
	struct schedule *schedule = made_schedule(tasks, n, NULL, 0, n_lanes, n_lanes);
	as_spans(schedule);
	return schedule;
}

#endif
