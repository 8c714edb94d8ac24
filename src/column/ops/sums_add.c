/*
 * The innermost loops: adding a chunk's values to their groups, one measure after the other, each
 * loop made for exactly the parts wanted.
 *
 * Everything is exact (128-bit integers), so that the order of rows, blocks and threads does not
 * matter, but for the doubles of counters: those are summed within a block only, and sums.c adds
 * the blocks' sums in the order of the blocks.
 */
#include "config.h"
#include "column/ops/quantile.h"
#include "column/ops/sums_private.h"

#include <math.h>

#include "util/intervals.h"
#include "util/order.h"

/* The loops that the compiler makes a copy of for each combination of constants. */
static inline __attribute__((always_inline)) void
add_loop(struct measure_total *totals, const uint32_t *groups, const int64_t *values,
         const uint16_t *rows, uint32_t n, bool has_range, bool has_squares)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows ? rows[i] : i;
		int64_t value = values[row];
		struct measure_total *total = &totals[groups[row]];
		total->n++;
		total->sum += value;
		if (has_range && value < total->min) {
			total->min = value;
		}
		if (has_range && value > total->max) {
			total->max = value;
		}
		if (has_squares) {
			sums_add_squares(&total->squares,
			                 (unsigned __int128)((__int128)value * value));
		}
	}
}

/* Returns the bits that any of the values has; negative ones have all the upper ones. If they are
 * too many for narrow totals, what these hold is meaningless. Every other row is added to totals
 * that stand `apart` from the first ones, so that rows of one group that follow each other do not
 * wait for the sum of the one before. */
static inline __attribute__((always_inline)) uint64_t
pack_loop(struct packed_total *packed, uint32_t apart, const uint32_t *groups,
          const int64_t *values, const uint16_t *rows, uint32_t n, bool has_range, bool has_squares)
{
	uint64_t bits = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows ? rows[i] : i;
		int64_t value = values[row];
		bits |= (uint64_t)value;
		struct packed_total *total = &packed[groups[row] + (i & 1) * apart];
		total->n_and_sum += (uint64_t)value + PACKED_ONE;
		if (has_range && value < total->min) {
			total->min = value;
		}
		if (has_range && value > total->max) {
			total->max = value;
		}
		if (has_squares) {
			total->squares += (unsigned __int128)(uint64_t)value * (uint64_t)value;
		}
	}
	return bits;
}

static void
unpack_totals(struct measure_total *totals, const struct packed_total *packed, uint32_t n_groups,
              bool has_range)
{
	for (uint32_t group = 0; group < n_groups; group++) {
		struct measure_total *total = &totals[group];
		const struct packed_total *more = &packed[group];
		total->n += (int64_t)(more->n_and_sum / PACKED_ONE);
		total->sum += (int64_t)(more->n_and_sum % PACKED_ONE);
		sums_add_squares(&total->squares, more->squares);
		if (has_range) {
			total->min = LEAST(more->min, total->min);
			total->max = MOST(more->max, total->max);
		}
	}
}

/* Few groups: the chunk is added to narrow totals first. False: its values are not small, nothing
 * was added. */
static bool
add_packed(struct sums_thread *thread, struct measure_total *totals, unsigned parts,
           const int64_t *values, const uint16_t *rows, uint32_t n)
{
	struct packed_total *packed = thread->packed;
	const uint32_t *groups = thread->groups;
	uint32_t n_groups = thread->table.n_groups, apart = n_groups <= n / 8 ? n_groups : 0;
	bool has_range = parts & (PART_RANGE | PART_SQUARES);
	uint64_t bits;
	for (uint32_t group = 0; group < n_groups; group++) {
		/* From the bounds so far, so that few values change them. */
		packed[group] = packed[group + apart] =
		    (struct packed_total){.min = totals[group].min, .max = totals[group].max};
	}
	if (parts & PART_SQUARES) {
		bits = pack_loop(packed, apart, groups, values, rows, n, true, true);
	} else if (parts & PART_RANGE) {
		bits = pack_loop(packed, apart, groups, values, rows, n, true, false);
	} else if (rows) {
		bits = pack_loop(packed, apart, groups, values, rows, n, false, false);
	} else {
		bits = pack_loop(packed, apart, groups, values, NULL, n, false, false);
	}
	if (bits >= PACKED_VALUE) {
		return false;
	}
	unpack_totals(totals, packed, n_groups, has_range);
	if (apart) {
		unpack_totals(totals, packed + apart, n_groups, has_range);
	}
	return true;
}

static void
add_measure(struct sums_thread *thread, enum measure measure, const int64_t *values,
            const uint16_t *rows, uint32_t n)
{
	struct measure_total *totals = thread->totals.measures[measure];
	unsigned parts = thread->plan->parts[measure];
	if (thread->table.n_groups <= n / 4 && add_packed(thread, totals, parts, values, rows, n)) {
		return;
	}
	if (parts & PART_SQUARES) {
		add_loop(totals, thread->groups, values, rows, n, true, true);
	} else if (parts & PART_RANGE) {
		add_loop(totals, thread->groups, values, rows, n, true, false);
	} else {
		add_loop(totals, thread->groups, values, rows, n, false, false);
	}
}

#define FEW_COUNTS 256
#define COUNTS_BESIDE 4 /* as pack_loop's totals: neighbours do not wait for each other */

static void
count_all_rows(const struct sums_thread *thread, int64_t *rows)
{
	uint32_t counts[FEW_COUNTS][COUNTS_BESIDE], n_groups = thread->table.n_groups;
	bool is_few = n_groups <= FEW_COUNTS && n_groups <= thread->n_rows / COUNTS_BESIDE;

	for (uint32_t i = 0; !is_few && i < thread->n_rows; i++) {
		rows[thread->groups[thread->rows ? thread->rows[i] : i]]++;
	}
	if (!is_few) {
		return;
	}
	memset(counts, 0, n_groups * sizeof *counts);
	for (uint32_t i = 0; i < thread->n_rows; i++) {
		counts[thread->groups[thread->rows ? thread->rows[i] : i]][i % COUNTS_BESIDE]++;
	}
	for (uint32_t group = 0; group < n_groups; group++) {
		for (int i = 0; i < COUNTS_BESIDE; i++) {
			rows[group] += counts[group][i];
		}
	}
}

/* Rows are counted with their durations; here, those that have none. */
static void
count_rows(struct sums_thread *thread, const uint16_t *counted, uint32_t n_counted)
{
	int64_t *rows = thread->totals.rows;
	if (n_counted == thread->n_rows) {
		return;
	}
	count_all_rows(thread, rows);
	for (uint32_t i = 0; i < n_counted; i++) {
		rows[thread->groups[counted ? counted[i] : i]]--;
	}
}

static void
add_times(struct sums_thread *thread, struct block_view *view)
{
	const struct sums_plan *plan = thread->plan;
	struct row_integers starts =
	    row_column_read(ROW_START, &plan->start_slots, view, thread->scratch);
	struct row_integers ends = starts;
	int64_t end_scratch[CHUNK_ROWS];
	if (plan->kind == BLOCK_SPAN) {
		ends = row_column_read(ROW_END, &plan->end_slots, view, end_scratch);
	}
	if (starts.n_present < view->n || ends.n_present < view->n) {
		return; /* every row has its times, but for damaged blocks */
	}
	for (uint32_t i = 0; i < thread->n_rows; i++) {
		uint32_t row = thread->rows ? thread->rows[i] : i;
		struct group_times *times = &thread->totals.times[thread->groups[row]];
		int64_t start = starts.values[row], end = ends.values[row];
		if (start < times->start_min) {
			times->start_min = start;
		}
		times->end_max = MOST(end, times->end_max); /* it often is: no branch */
	}
}

/* Each counts in its start's group; a dimension of time divides its duration. */
static int
add_unfinished(struct sums_thread *thread, struct block_view *view, struct err *err)
{
	const struct sums_plan *plan = thread->plan;
	const struct chunk_column *marks = block_view_column(view, plan->unfinished_slots.field);
	if (!marks->info || marks->info->type != COLUMN_INTEGER || marks->n_present == 0) {
		return 0;
	}
	const struct chunk_column *durations = block_view_column(view, plan->duration_slots.field);
	bool has_durations = durations->info && durations->info->type == COLUMN_INTEGER &&
	                     durations->n_present == view->n;
	bool is_divided = plan->coders.time >= 0;
	struct row_integers starts = {0};
	if (is_divided || plan->is_cut) {
		starts = row_column_read(ROW_START, &plan->start_slots, view, thread->scratch);
		has_durations = has_durations && starts.n_present == view->n;
	}
	for (uint32_t i = 0; i < thread->n_rows; i++) {
		uint32_t row = thread->rows ? thread->rows[i] : i;
		if (!(marks->presence[row / 64] >> row % 64 & 1) || marks->values[row] != 1) {
			continue;
		}
		int64_t duration = has_durations ? durations->values[row] : 0;
		int64_t start = starts.values ? starts.values[row] : 0, end = 0;
		if (has_durations && starts.values) {
			end = time_add(start, duration);
			dataset_clip(plan->dataset, &start, &end);
			duration = time_sub(end, start);
		}
		struct unfinished_total *total = &thread->totals.unfinished[thread->groups[row]];
		total->n++;
		if (!is_divided) {
			total->sum += duration;
		} else if (has_durations && sums_divide_evenly(thread, row, start, end, duration,
		                                               DIVIDED_UNFINISHED, err) < 0) {
			return -1;
		}
	}
	return 0;
}

int
sums_add_chunk(struct sums_thread *thread, struct block_view *view, struct err *err)
{
	const struct sums_plan *plan = thread->plan;
	const uint16_t *rows = NULL;
	uint32_t n = 0;
	if (plan->has_unfinished && add_unfinished(thread, view, err)) {
		return -1;
	}
	if (plan->has_times) {
		add_times(thread, view);
	}
	if (plan->has_calls && sums_take_calls(thread, view, true, err)) {
		return -1;
	}
	if (!plan->parts[MEASURE_DURATION]) {
		count_rows(thread, NULL, 0);
	}
	if (plan->is_cut && (plan->parts[MEASURE_DURATION] || plan->parts[MEASURE_SELF])) {
		sums_add_outside(thread, view);
	}
	for (int m = 0; m < MEASURE_VALUE; m++) {
		if (!plan->parts[m]) {
			continue;
		}
		struct row_integers integers =
		    sums_thread_measure(thread, view, (enum measure)m, &rows, &n);
		if (n > 0) {
			add_measure(thread, (enum measure)m, integers.values, rows, n);
		}
		if (n > 0 && plan->is_counted[m]) {
			value_counts_add(&thread->counts[m], plan->count_limit, thread->groups,
			                 integers.values, rows, n);
		}
		if (m == MEASURE_DURATION) {
			count_rows(thread, rows, n);
			if (plan->coders.time >= 0 &&
			    sums_divide_time(thread, view, &integers, rows, n, err)) {
				return -1;
			}
		}
	}
	return 0;
}

static void
value_total_add(struct value_total *total, double value, bool has_squares)
{
	if (total->n == 0 || value < total->min) {
		total->min = value;
	}
	if (total->n == 0 || value > total->max) {
		total->max = value;
	}
	total->n++;
	total->sum += value;
	if (has_squares) {
		deviations_add(&total->deviations, value);
	}
}

void
sums_add_values(struct sums_thread *thread, struct block_view *view)
{
	const uint16_t *rows;
	uint32_t n;
	int64_t keys[CHUNK_ROWS];
	bool has_squares = thread->plan->parts[MEASURE_VALUE] & PART_SQUARES;
	struct row_integers integers = sums_thread_measure(thread, view, MEASURE_VALUE, &rows, &n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows ? rows[i] : i;
		double value;
		memcpy(&value, &integers.values[row], sizeof value);
		keys[row] = real_key(value);
		if (!isnan(value)) {
			value_total_add(&thread->values[thread->groups[row]], value, has_squares);
		}
	}
	if (thread->plan->is_counted[MEASURE_VALUE]) {
		value_counts_add(&thread->counts[MEASURE_VALUE], thread->plan->count_limit,
		                 thread->groups, keys, rows, n);
	}
}
