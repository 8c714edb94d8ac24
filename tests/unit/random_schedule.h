/*
 * Small random schedules with everything that a schedule may have: items that overlap or take no
 * time, missing times, inputs, transfers. Times are so few that references can go through them one
 * by one.
 */
#ifndef LANESCOPE_TESTS_RANDOM_SCHEDULE_H
#define LANESCOPE_TESTS_RANDOM_SCHEDULE_H

#include "explain_fixture.h"

#define RANDOM_ITEMS 14u
#define RANDOM_TIMES 40

static inline int64_t
random_between(struct prng *prng, int64_t low, int64_t high)
{
	return low + (int64_t)prng_below(prng, (uint64_t)(high - low) + 1);
}

static inline bool
random_chance(struct prng *prng, unsigned percent)
{
	return prng_below(prng, 100) < percent;
}

static inline void
random_tasks(struct prng *prng, struct made_task *tasks, unsigned n, unsigned n_lanes)
{
	bool overlaps = random_chance(prng, 30);
	int64_t free_at[RANDOM_ITEMS] = {0};
	unsigned planned = (unsigned)prng_below(prng, 3) * 50;

	for (unsigned i = 0; i < n; i++) {
		unsigned lane = i < n_lanes ? i : (unsigned)prng_below(prng, n_lanes);
		int64_t start = random_between(prng, 0, RANDOM_TIMES / 2);
		start = overlaps ? start : free_at[lane] + random_between(prng, 0, 6);
		int64_t end = start + (random_chance(prng, 20) ? 0 : random_between(prng, 0, 9));
		free_at[lane] = end;
		tasks[i] = (struct made_task){
		    NULL,
		    (int)prng_below(prng, 3),
		    lane,
		    start,
		    end,
		    random_chance(prng, planned) ? start - random_between(prng, 0, 8) : SCHEDULE_NO_TIME};
	}
}

/* Inputs that had ended, some of them moved. */
static inline size_t
random_edges(struct prng *prng, const struct made_task *tasks, unsigned n, struct made_edge *edges)
{
	unsigned share = (unsigned)prng_below(prng, 4) * 15;
	size_t n_edges = 0;

	for (unsigned from = 0; from < n; from++) {
		for (unsigned to = 0; to < n; to++) {
			if (from == to || tasks[from].end > tasks[to].start ||
			    !random_chance(prng, share)) {
				continue;
			}
			struct made_edge *edge = &edges[n_edges++];
			*edge = (struct made_edge){from, to, SCHEDULE_NO_TIME, SCHEDULE_NO_TIME};
			if (random_chance(prng, 50)) {
				edge->begun =
				    random_between(prng, tasks[from].end, tasks[to].start);
				edge->arrived = random_between(prng, edge->begun, tasks[to].start);
			}
		}
	}
	return n_edges;
}

static inline struct schedule *
random_schedule(struct prng *prng)
{
	struct made_task tasks[RANDOM_ITEMS];
	struct made_edge edges[RANDOM_ITEMS * RANDOM_ITEMS];
	unsigned n = (unsigned)prng_below(prng, RANDOM_ITEMS + 1);
	unsigned n_lanes = n == 0 ? 0 : 1 + (unsigned)prng_below(prng, n < 4 ? n : 4);
	unsigned enqueued = (unsigned)prng_below(prng, 3) * 50;

	random_tasks(prng, tasks, n, n_lanes);
	size_t n_edges = random_edges(prng, tasks, n, edges);
	struct schedule *schedule = made_schedule(tasks, n, edges, n_edges, n_lanes, 2);
	for (size_t t = 0; t < schedule->n_tasks; t++) {
		struct schedule_task *task = &schedule->tasks[t];
		int64_t first =
		    task->planned_ns != SCHEDULE_NO_TIME ? task->planned_ns : schedule->start_ns;
		if (random_chance(prng, enqueued) && first <= task->started_ns) {
			task->enqueued_ns = random_between(prng, first, task->started_ns);
		}
	}
	for (size_t t = 0; t < schedule->n_transfers; t++) {
		struct schedule_transfer *transfer = &schedule->transfers[t];
		if (random_chance(prng, 60)) {
			transfer->started_ns =
			    random_between(prng, transfer->planned_ns, transfer->finished_ns);
		}
		if (random_chance(prng, 10)) {
			transfer->planned_ns = SCHEDULE_NO_TIME;
		}
	}
	return schedule;
}

static inline int64_t
makespan_of(const struct schedule *schedule)
{
	return schedule->end_ns - schedule->start_ns;
}

/* Value of a row that must be there, or 0. */
static inline int64_t
row_value(const struct result *result, const char *first, const char *second, const char *column)
{
	double value = made_number(result, made_row(result, first, second), column);
	return isnan(value) ? 0 : (int64_t)value;
}

/* The rows without "residual" and "sum" add up to the makespans, the residual is 0, and the sum
 * says so. */
static inline void
check_sums(const struct result *result, const struct schedule *a, const struct schedule *b)
{
	int64_t sum[3] = {0};
	static const char *const columns[3] = {"A", "B", "delta"};
	size_t residual = made_row(result, "residual", NULL);

	ck_assert_uint_ne(residual, SIZE_MAX);
	for (int c = 0; c < 3; c++) {
		for (size_t r = 0; r < residual; r++) {
			sum[c] += (int64_t)made_number(result, r, columns[c]);
		}
		ck_assert_int_eq((int64_t)made_number(result, residual, columns[c]), 0);
	}
	ck_assert_int_eq(sum[0], makespan_of(a));
	ck_assert_int_eq(sum[1], makespan_of(b));
	ck_assert_int_eq(sum[2], makespan_of(b) - makespan_of(a));
	for (int c = 0; c < 3; c++) {
		ck_assert_int_eq(row_value(result, "sum", NULL, columns[c]), sum[c]);
	}
}

#endif
