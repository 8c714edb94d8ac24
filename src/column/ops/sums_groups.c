/* Groups of a scan and their totals: what all that adds to them stands on. */
#include "config.h"
#include "column/ops/sums_private.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/budget.h"
#include "util/mem.h"
#include "util/order.h"

static void
clear_calls(struct calls_total *total)
{
	*total = (struct calls_total){0};
	for (int m = 0; m < MEASURE_VALUE; m++) {
		total->measures[m].min = INT64_MAX;
		total->measures[m].max = INT64_MIN;
	}
}

static void
merge_calls(struct calls_total *into, const struct calls_total *from)
{
	into->rows += from->rows;
	into->calls += from->calls;
	for (int m = 0; m < MEASURE_VALUE; m++) {
		struct calls_measure *to = &into->measures[m];
		const struct calls_measure *more = &from->measures[m];
		to->n += more->n;
		to->sum += more->sum;
		to->has_unknown |= more->has_unknown;
		calls_measure_widen(to, more->min, more->max);
	}
}

void
group_totals_grow(struct group_totals *totals, const struct sums_plan *plan, size_t n)
{
	if (n > totals->capacity) {
		size_t capacity = totals->capacity ? totals->capacity : 64;
		while (capacity < n) {
			capacity *= 2;
		}
		totals->rows = xrealloc_array(totals->rows, capacity, sizeof *totals->rows);
		if (plan->has_calls) {
			totals->calls =
			    xrealloc_array(totals->calls, capacity, sizeof *totals->calls);
		}
		if (plan->has_unfinished) {
			totals->unfinished = xrealloc_array(totals->unfinished, capacity,
			                                    sizeof *totals->unfinished);
		}
		if (plan->is_cut) {
			totals->outside =
			    xrealloc_array(totals->outside, capacity, sizeof *totals->outside);
		}
		if (plan->has_times) {
			totals->times =
			    xrealloc_array(totals->times, capacity, sizeof *totals->times);
		}
		for (int m = 0; m < MEASURE_VALUE; m++) {
			if (plan->parts[m]) {
				totals->measures[m] = xrealloc_array(totals->measures[m], capacity,
				                                     sizeof *totals->measures[m]);
			}
		}
		totals->capacity = capacity;
	}
	for (; totals->n < n; totals->n++) {
		totals->rows[totals->n] = 0;
		if (totals->calls) {
			clear_calls(&totals->calls[totals->n]);
		}
		if (totals->unfinished) {
			totals->unfinished[totals->n] = (struct unfinished_total){0, 0};
		}
		if (totals->outside) {
			totals->outside[totals->n] = (struct outside_total){0, 0};
		}
		if (totals->times) {
			totals->times[totals->n] = (struct group_times){INT64_MAX, INT64_MIN};
		}
		for (int m = 0; m < MEASURE_VALUE; m++) {
			if (totals->measures[m]) {
				totals->measures[m][totals->n] =
				    (struct measure_total){.min = INT64_MAX, .max = INT64_MIN};
			}
		}
	}
}

void
group_totals_fini(struct group_totals *totals)
{
	free(totals->rows);
	free(totals->calls);
	free(totals->unfinished);
	free(totals->outside);
	free(totals->times);
	for (int m = 0; m < MEASURES; m++) {
		free(totals->measures[m]);
	}
}

void
group_totals_merge(struct group_totals *a, size_t to, const struct group_totals *b, size_t from)
{
	a->rows[to] += b->rows[from];
	if (a->calls) {
		merge_calls(&a->calls[to], &b->calls[from]);
	}
	if (a->unfinished) {
		a->unfinished[to].n += b->unfinished[from].n;
		a->unfinished[to].sum += b->unfinished[from].sum;
	}
	if (a->outside) {
		a->outside[to].duration += b->outside[from].duration;
		a->outside[to].self += b->outside[from].self;
	}
	if (a->times) {
		struct group_times *times = &a->times[to], more = b->times[from];
		times->start_min = LEAST(more.start_min, times->start_min);
		times->end_max = MOST(more.end_max, times->end_max);
	}
	for (int m = 0; m < MEASURES; m++) {
		if (a->measures[m]) {
			struct measure_total *total = &a->measures[m][to],
					     more = b->measures[m][from];
			total->sum += more.sum;
			total->n += more.n;
			total->min = LEAST(more.min, total->min);
			total->max = MOST(more.max, total->max);
			sums_add_squares(&total->squares, more.squares);
		}
	}
}

int64_t
group_totals_rows(const struct group_totals *totals, size_t group)
{
	int64_t of_calls = totals->calls ? totals->calls[group].rows : 0;
	return totals->rows[group] + of_calls +
	       (totals->measures[MEASURE_DURATION] ? totals->measures[MEASURE_DURATION][group].n
	                                           : 0);
}

/* Room for the codes there are by now. */
void
sums_prepare_table(const struct sums_plan *plan, struct group_table *table)
{
	uint32_t counts[SCAN_DIMENSIONS];
	for (unsigned c = 0; c < plan->coders.n; c++) {
		counts[c] = coder_count(plan->coders.coders[c]);
	}
	group_table_prepare(table, counts);
}

/* After groups were added: their totals, if there are not too many. */
void
sums_prepare_tuple(struct group_table *table, const uint32_t *tuple)
{
	uint32_t counts[SCAN_DIMENSIONS];

	for (unsigned c = 0; c < table->n_parts; c++) {
		counts[c] = tuple[c] + 1;
	}
	group_table_prepare(table, counts);
}

static int
count_groups(struct sums_thread *thread, uint32_t before, struct err *err)
{
	const struct sums_plan *plan = thread->plan;
	uint32_t n = thread->table.n_groups;
	if (n == before) {
		return 0;
	}
	uint64_t all =
	    atomic_fetch_add_explicit(thread->n_groups, n - before, memory_order_relaxed) +
	    (n - before);
	if (n > plan->group_limit) {
		return err_set(err, ERR_LIMIT,
		               "more than %" PRIu32
		               " groups: filter more, or group by fewer or coarser dimensions",
		               plan->group_limit);
	}
	if (all * plan->group_bytes > plan->room_bytes) {
		char budget[BUDGET_TEXT_BYTES];
		return err_set(
		    err, ERR_LIMIT,
		    "more groups than memory should hold (it may use %s): give more with "
		    "--memory SIZE, filter more, or group by fewer or coarser dimensions",
		    budget_print(budget));
	}
	group_totals_grow(&thread->totals, plan, n);
	return 0;
}

int
sums_thread_group_rows(struct sums_thread *thread, struct err *err)
{
	uint32_t before = thread->table.n_groups;
	sums_prepare_table(thread->plan, &thread->table);
	group_table_rows(&thread->table, (const uint32_t *const *)thread->codes, thread->rows,
	                 thread->n_rows, thread->groups);
	return count_groups(thread, before, err);
}

int
sums_thread_group(struct sums_thread *thread, const uint32_t *tuple, uint32_t *group,
                  struct err *err)
{
	uint32_t before = thread->table.n_groups;
	sums_prepare_table(thread->plan, &thread->table);
	*group = group_table_add(&thread->table, tuple);
	return count_groups(thread, before, err);
}
