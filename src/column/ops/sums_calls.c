/*
 * Records that stand for many calls, in sums.
 *
 * What such a record tells (how many calls, their sum, the shortest and the longest, their bytes)
 * is exact and adds up with that of other calls; how they are distributed it does not tell. So
 * these rows are taken out of each chunk before its values are added: their sums are kept beside
 * those of the other rows, and a group that has any shows neither sums of squares nor quantiles. Of
 * self times not even the extremes are known, as calls within calls are not told apart: their sum
 * is that of the durations, and so at most.
 */
#include "config.h"
#include "column/ops/sums_private.h"

#include "util/intervals.h"
#include "util/order.h"

void
sums_calls_fold(const struct calls_total *calls, enum measure measure, struct measure_total *into)
{
	const struct calls_measure *more = &calls->measures[measure];
	__int128 n = into->n + more->n;

	into->n = n > INT64_MAX ? INT64_MAX : (int64_t)n;
	into->sum += more->sum;
	into->min = LEAST(more->min, into->min);
	into->max = MOST(more->max, into->max);
}

/* A column of the current chunk. */
static int64_t
value_or(struct block_view *view, uint32_t slot, uint32_t row, int64_t none)
{
	const struct chunk_column *column = block_view_column(view, slot);

	if (!column->info || column->info->type != COLUMN_INTEGER || column->n_present == 0 ||
	    !(column->presence[row / 64] >> row % 64 & 1)) {
		return none;
	}
	return column->values[row];
}

static void
add_measure(struct calls_measure *into, int64_t calls, int64_t sum, int64_t min, int64_t max,
            int64_t none)
{
	into->n += calls;
	into->sum += sum;
	into->has_unknown |= min == none || max == none;
	if (min != none && max != none) {
		calls_measure_widen(into, min, max);
	}
}

static int
add_row(struct sums_thread *thread, struct block_view *view, uint32_t row, int64_t calls,
        struct err *err)
{
	const struct calls_slots *slots = &thread->plan->calls_slots;
	struct calls_total *total = &thread->totals.calls[thread->groups[row]];
	int64_t duration_ns = value_or(view, slots->duration, row, 0);
	int64_t sum_ns = value_or(view, slots->sum, row, duration_ns);
	int64_t size = value_or(view, slots->size, row, SIZE_NONE);
	int64_t start_ns = value_or(view, thread->plan->start_slots.field, row, 0);
	int64_t end_ns = time_add(start_ns, duration_ns);

	if (thread->plan->is_cut) {
		sum_ns = sums_inside_share(thread->plan, start_ns, end_ns, sum_ns);
		dataset_clip(thread->plan->dataset, &start_ns, &end_ns);
	}
	total->rows++;
	total->calls += calls;
	add_measure(&total->measures[MEASURE_DURATION], calls, sum_ns,
	            value_or(view, slots->min, row, TIME_NONE),
	            value_or(view, slots->max, row, TIME_NONE), TIME_NONE);
	add_measure(&total->measures[MEASURE_SELF], calls, sum_ns, TIME_NONE, TIME_NONE, TIME_NONE);
	if (size != SIZE_NONE) {
		add_measure(&total->measures[MEASURE_SIZE], calls, size,
		            value_or(view, slots->size_min, row, SIZE_NONE),
		            value_or(view, slots->size_max, row, SIZE_NONE), SIZE_NONE);
	}
	if (thread->plan->coders.time >= 0) {
		total->measures[MEASURE_DURATION].sum -= sum_ns;
		return sums_divide_evenly(thread, row, start_ns, end_ns, sum_ns, DIVIDED_CALLS,
		                          err);
	}
	return 0;
}

/* The chunk's matching rows without those whose bit is set. */
static void
drop_rows(struct sums_thread *thread, const struct chunk_column *calls)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < thread->n_rows; i++) {
		uint16_t row = thread->rows ? thread->rows[i] : (uint16_t)i;
		thread->row_buffer[n] = row;
		n += !(calls->presence[row / 64] >> row % 64 & 1);
	}
	thread->rows = thread->row_buffer;
	thread->n_rows = n;
}

int
sums_take_calls(struct sums_thread *thread, struct block_view *view, bool is_added, struct err *err)
{
	const struct chunk_column *calls = block_view_column(view, thread->plan->calls_slots.calls);

	if (!calls->info || calls->info->type != COLUMN_INTEGER || calls->n_present == 0) {
		return 0;
	}
	for (uint32_t i = 0; is_added && i < thread->n_rows; i++) {
		uint32_t row = thread->rows ? thread->rows[i] : i;
		if (calls->presence[row / 64] >> row % 64 & 1 &&
		    add_row(thread, view, row, calls->values[row], err)) {
			return -1;
		}
	}
	drop_rows(thread, calls);
	return 0;
}

void
sums_calls_bind(struct calls_slots *slots, struct block_fields *fields)
{
	*slots = (struct calls_slots){
	    .calls = block_fields_add(fields, FIELD_CALLS),
	    .duration = block_fields_add(fields, FIELD_DURATION),
	    .size = block_fields_add(fields, FIELD_SIZE),
	    .sum = block_fields_add(fields, FIELD_CALL_SUM),
	    .min = block_fields_add(fields, FIELD_CALL_MIN),
	    .max = block_fields_add(fields, FIELD_CALL_MAX),
	    .size_min = block_fields_add(fields, FIELD_SIZE_MIN),
	    .size_max = block_fields_add(fields, FIELD_SIZE_MAX),
	};
}
