/*
 * Sums without a scan. The import keeps sums of all spans by lane, category and name; whoever
 * groups and filters by nothing else gets the same figures from these few rows as from the blocks.
 *
 * The same to the last digit, or not at all: the range and the squares of self times are not kept,
 * so those who read them scan, and so does a run with records that stand for many calls; and the
 * totals must be of as many rows as there are. Sums that do not fit a run file make it have none.
 */
#include "config.h"
#include "column/ops/sums_private.h"
#include "util/order.h"

static bool
plan_fits_totals(const struct sums_plan *plan)
{
	if (plan->kind != BLOCK_SPAN || !plan->dataset->totals || plan->has_calls) {
		return false;
	}
	for (int m = 0; m < MEASURES; m++) {
		unsigned unkept = m == MEASURE_SELF ? PART_RANGE | PART_SQUARES : 0;
		if (plan->is_counted[m] || plan->parts[m] & unkept) {
			return false;
		}
	}
	return coder_set_fits_totals(&plan->coders) && filter_fits_totals(plan->filter);
}

/* Are they of all rows, and none of them only near? */
static bool
totals_hold(const struct dataset *dataset, const struct dataset_total *totals, size_t n)
{
	uint64_t rows = 0;
	for (size_t i = 0; i < n; i++) {
		rows += (uint64_t)totals[i].rows;
		if (totals[i].rows < 0 || !totals[i].is_exact) {
			return false;
		}
	}
	return rows == (uint64_t)dataset->n_rows[BLOCK_SPAN];
}

static void
add_to_measure(struct measure_total *into, int64_t n, int64_t sum, int64_t min, int64_t max,
               unsigned __int128 squares)
{
	if (n > 0) {
		into->n += n;
		into->sum += sum;
		sums_add_squares(&into->squares, squares);
		into->min = LEAST(min, into->min);
		into->max = MOST(max, into->max);
	}
}

static void
add_total(struct group_totals *into, uint32_t group, const struct dataset_total *total)
{
	struct measure_total *duration = into->measures[MEASURE_DURATION],
			     *self = into->measures[MEASURE_SELF],
			     *size = into->measures[MEASURE_SIZE];
	if (duration) {
		add_to_measure(&duration[group], total->rows, total->duration_sum,
		               total->duration_min, total->duration_max, total->duration_squares);
	} else {
		into->rows[group] += total->rows;
	}
	if (self) {
		add_to_measure(&self[group], total->rows, total->self_sum, 0, 0, 0);
	}
	if (size) {
		add_to_measure(&size[group], total->size_n, total->size_sum, total->size_min,
		               total->size_max, total->size_squares);
	}
	if (into->unfinished) {
		into->unfinished[group].n += total->unfinished;
		into->unfinished[group].sum += total->unfinished_sum;
	}
	if (into->times) {
		struct group_times *times = &into->times[group];
		times->start_min = LEAST(total->start_min, times->start_min);
		times->end_max = MOST(total->end_max, times->end_max);
	}
}

int
sums_add_totals(struct sums_thread *thread, struct err *err)
{
	const struct sums_plan *plan = thread->plan;
	const struct dataset *dataset = plan->dataset;
	const struct dataset_total *totals;
	size_t n;
	if (!plan_fits_totals(plan)) {
		return 0;
	}
	if (dataset->totals(dataset->user, true, &totals, &n, err) < 0) {
		return -1;
	}
	if (!totals_hold(dataset, totals, n)) {
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t tuple[SCAN_DIMENSIONS], group = 0;
		bool is_inside = true;
		if (i % CHUNK_ROWS == 0 && cancel_check(plan->cancel, err)) {
			return -1;
		}
		if (!filter_accepts_total(thread->filter_state, &totals[i])) {
			continue;
		}
		for (unsigned c = 0; c < plan->coders.n; c++) {
			if (coder_total(thread->coder_states[c], &totals[i], &tuple[c], err)) {
				return -1;
			}
			is_inside &= tuple[c] != CODER_OUTSIDE;
		}
		if (!is_inside) {
			continue;
		}
		if (plan->coders.n > 0 && sums_thread_group(thread, tuple, &group, err)) {
			return -1;
		}
		add_total(&thread->totals, group, &totals[i]);
	}
	return 1;
}
