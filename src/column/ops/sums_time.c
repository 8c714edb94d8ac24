/*
 * Dividing durations among the buckets of time(WIDTH).
 *
 * A span's duration was added to its start's bucket as a whole. Here, what lies beyond that bucket
 * is taken off and given to the others: the last one directly; of those between, which are covered
 * wholly, only the first and the end are noted (+1, -1), so that a span over a million buckets
 * costs no more than one over three. A sweep over the notes makes the groups in the end.
 *
 * Where only buckets from one to another are asked for (sums_parts.c), spans that begin before them
 * and reach into them count in the bucket before, and what lies behind is given to no one.
 */
#include "config.h"
#include "column/ops/sums_private.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

void
sums_bound_time(struct sums_plan *plan, const struct value_bounds *bounds)
{
	struct coder *coder = plan->coders.coders[plan->coders.time];
	int64_t width = coder_width(coder).by;
	unsigned i = 0;

	while ((int)plan->coders.places[i].coder != plan->coders.time) {
		i++;
	}
	if (bounds[i].has_to) {
		int64_t to = bounds[i].to.integer;
		plan->time_to = bounds[i].is_through ? time_add(to, width) : to;
	}
	if (bounds[i].has_from) {
		int64_t from = bounds[i].from.integer;
		plan->time_from = bounds[i].is_after ? time_add(from, width) : from;
		row_column_bind(ROW_DURATION, &plan->fields, &plan->duration_slots);
		coder_carry(coder, plan->time_from);
	}
}

void
sums_keep_reaching(struct sums_thread *thread, struct block_view *view)
{
	const struct sums_plan *plan = thread->plan;
	int64_t scratch[CHUNK_ROWS];
	uint32_t n = 0;

	if (plan->time_from == INT64_MIN) {
		return;
	}
	struct row_integers starts = row_column_read(ROW_START, &plan->start_slots, view, scratch);
	struct row_integers durations =
	    row_column_read(ROW_DURATION, &plan->duration_slots, view, thread->scratch);
	if (starts.n_present < view->n || durations.n_present < view->n) {
		return; /* damaged: every span has both */
	}
	for (uint32_t i = 0; i < thread->n_rows; i++) {
		uint16_t row = thread->rows ? thread->rows[i] : (uint16_t)i;
		int64_t start = starts.values[row], end = time_add(start, durations.values[row]);
		dataset_clip(plan->dataset, &start, &end);
		thread->row_buffer[n] = row;
		n += start >= plan->time_from || end > plan->time_from;
	}
	thread->rows = thread->row_buffer;
	thread->n_rows = n;
}

void
sums_drop_before(struct sums *sums)
{
	const struct sums_plan *plan = &sums->plan;
	size_t n = 0;

	if (plan->time_from == INT64_MIN) {
		return;
	}
	for (size_t i = 0; i < sums->n_ordered; i++) {
		const uint32_t *codes = group_table_codes(&sums->table, sums->order[i]);
		struct scan_value bucket = coder_value(plan->coders.coders[plan->coders.time], 0,
		                                       codes[plan->coders.time]);
		sums->order[n] = sums->order[i];
		n += bucket.integer >= plan->time_from;
	}
	sums->n_ordered = n;
}

static uint32_t
cover_group(struct cover *cover, const uint32_t *tuple)
{
	uint32_t n = cover->table.n_groups;
	uint32_t group = group_table_add(&cover->table, tuple);
	if (group == n) {
		MEM_GROW(cover->steps, cover->capacity, (size_t)n + 1);
		cover->steps[n] = 0;
	}
	return group;
}

static int
note_step(struct sums_thread *thread, uint32_t *tuple, int64_t bucket, int64_t step,
          struct err *err)
{
	const struct sums_plan *plan = thread->plan;
	struct cover *cover = &thread->cover;
	if (coder_bucket(thread->coder_states[plan->coders.time], bucket, &tuple[plan->coders.time],
	                 err)) {
		return -1;
	}
	if (cover->table.n_groups / 2 > plan->group_limit) {
		return err_set(err, ERR_LIMIT,
		               "more than %" PRIu32 " groups: take wider buckets of time",
		               plan->group_limit);
	}
	sums_prepare_table(plan, &cover->table);
	uint32_t group = cover_group(cover, tuple); /* which may move the steps */
	cover->steps[group] += step;
	return 0;
}

static int
find_bucket(struct sums_thread *thread, uint32_t *tuple, int64_t bucket, uint32_t *group,
            struct err *err)
{
	uint32_t time = (uint32_t)thread->plan->coders.time;
	return coder_bucket(thread->coder_states[time], bucket, &tuple[time], err) ||
	               sums_thread_group(thread, tuple, group, err)
	           ? -1
	           : 0;
}

static int
add_to_bucket(struct sums_thread *thread, uint32_t *tuple, int64_t bucket, __int128 ns,
              struct err *err)
{
	uint32_t group;
	if (find_bucket(thread, tuple, bucket, &group, err)) {
		return -1;
	}
	thread->totals.measures[MEASURE_DURATION][group].sum += ns;
	return 0;
}

static struct divisor
width_of(const struct sums_plan *plan)
{
	return coder_width(plan->coders.coders[plan->coders.time]);
}

/* A span that ends behind its start's bucket, which ends at bucket_end. */
static int
divide_span(struct sums_thread *thread, uint32_t row, int64_t bucket_end, int64_t end,
            struct divisor width, struct err *err)
{
	uint32_t tuple[SCAN_DIMENSIONS];
	int64_t until = LEAST(end, thread->plan->time_to);
	int64_t first = divide_floor(width, bucket_end), last = divide_floor(width, until - 1);
	for (unsigned c = 0; c < thread->plan->coders.n; c++) {
		tuple[c] = thread->codes[c][row];
	}
	thread->totals.measures[MEASURE_DURATION][thread->groups[row]].sum -=
	    (__int128)end - bucket_end;
	if (until <= bucket_end) {
		return 0;
	}
	if (add_to_bucket(thread, tuple, last, (__int128)until - (__int128)last * width.by, err)) {
		return -1;
	}
	if (first < last) {
		return note_step(thread, tuple, first, 1, err)
		           ? -1
		           : note_step(thread, tuple, last, -1, err);
	}
	return 0;
}

/* What of the sum lies before `at`. */
static __int128
share_before(int64_t start_ns, int64_t end_ns, int64_t sum_ns, int64_t at_ns)
{
	return (__int128)sum_ns * ((__int128)at_ns - start_ns) / ((__int128)end_ns - start_ns);
}

int64_t
sums_inside_share(const struct sums_plan *plan, int64_t start_ns, int64_t end_ns, int64_t sum_ns)
{
	int64_t from_ns = start_ns, to_ns = end_ns;

	dataset_clip(plan->dataset, &from_ns, &to_ns);
	return end_ns <= start_ns ? sum_ns
	                          : (int64_t)(share_before(start_ns, end_ns, sum_ns, to_ns) -
	                                      share_before(start_ns, end_ns, sum_ns, from_ns));
}

static int
add_part(struct sums_thread *thread, uint32_t *tuple, int64_t bucket, __int128 ns,
         enum divided what, struct err *err)
{
	uint32_t group;
	if (what == DIVIDED_CALLS) {
		return add_to_bucket(thread, tuple, bucket, ns, err);
	}
	if (find_bucket(thread, tuple, bucket, &group, err)) {
		return -1;
	}
	thread->totals.unfinished[group].sum += ns;
	return 0;
}

int
sums_divide_evenly(struct sums_thread *thread, uint32_t row, int64_t start_ns, int64_t end_ns,
                   int64_t sum_ns, enum divided what, struct err *err)
{
	const struct sums_plan *plan = thread->plan;
	const struct divisor width = width_of(plan);
	int64_t bucket = divide_floor(width, start_ns);
	uint32_t tuple[SCAN_DIMENSIONS];
	__int128 given = 0;
	for (unsigned c = 0; c < plan->coders.n; c++) {
		tuple[c] = thread->codes[c][row];
	}
	if (end_ns <= start_ns) {
		return add_part(thread, tuple, bucket, sum_ns, what, err);
	}
	if (start_ns < plan->time_from) {
		bucket = divide_floor(width, plan->time_from);
		given = share_before(start_ns, end_ns, sum_ns, plan->time_from);
	}
	for (;; bucket++) {
		__int128 bucket_end = ((__int128)bucket + 1) * width.by;
		int64_t at = bucket_end < end_ns ? (int64_t)bucket_end : end_ns;
		__int128 share = share_before(start_ns, end_ns, sum_ns, at);
		if ((bucket & 0xfff) == 0 && cancel_check(plan->cancel, err)) {
			return -1;
		}
		if (add_part(thread, tuple, bucket, share - given, what, err)) {
			return -1;
		}
		if (at == end_ns || bucket_end >= plan->time_to) {
			return 0;
		}
		given = share;
	}
}

int
sums_divide_time(struct sums_thread *thread, struct block_view *view,
                 const struct row_integers *durations, const uint16_t *rows, uint32_t n,
                 struct err *err)
{
	const struct sums_plan *plan = thread->plan;
	const struct divisor width = width_of(plan);
	const uint32_t *codes = thread->codes[plan->coders.time];
	int64_t lowest, scratch[CHUNK_ROWS];
	bool is_range = coder_is_range(plan->coders.coders[plan->coders.time], &lowest);
	int64_t before_ns = plan->time_from - (plan->time_from > INT64_MIN);
	struct row_integers starts = row_column_read(ROW_START, &plan->start_slots, view, scratch);
	if (starts.n_present < view->n) {
		return 0; /* damaged: every row has a start */
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows ? rows[i] : i;
		int64_t start = starts.values[row], end = time_add(start, durations->values[row]);
		dataset_clip(plan->dataset, &start, &end);
		start = MOST(start, before_ns);
		int64_t bucket = is_range ? lowest + codes[row] - 1 : divide_floor(width, start);
		uint64_t past = (uint64_t)start - (uint64_t)bucket * (uint64_t)width.by;
		int64_t bucket_end = time_add(start, width.by - (int64_t)past);
		if (end > bucket_end && divide_span(thread, row, bucket_end, end, width, err)) {
			return -1;
		}
	}
	return 0;
}

void
cover_merge(struct cover *into, const struct cover *from)
{
	for (uint32_t group = 0; group < from->table.n_groups; group++) {
		const uint32_t *tuple = group_table_codes(&from->table, group);
		sums_prepare_tuple(&into->table, tuple);
		uint32_t target = cover_group(into, tuple);
		into->steps[target] += from->steps[group];
	}
}

struct cover_step {
	const uint32_t *tuple;
	unsigned n_parts, time;
	int64_t bucket, step;
};

static int
compare_others(const struct cover_step *a, const struct cover_step *b)
{
	for (unsigned c = 0; c < a->n_parts; c++) {
		if (c != a->time) {
			ORDER_BY(a->tuple[c], b->tuple[c]);
		}
	}
	return 0;
}

static int
compare_steps(const void *pa, const void *pb)
{
	const struct cover_step *a = pa, *b = pb;
	int order = compare_others(a, b);
	return order ? order : ORDER(a->bucket, b->bucket);
}

int
sums_cover_finish(struct sums_thread *thread, struct err *err)
{
	const struct sums_plan *plan = thread->plan;
	struct cover *cover = &thread->cover;
	uint32_t n = cover->table.n_groups, tuple[SCAN_DIMENSIONS];
	struct cover_step *steps = xcalloc(n, sizeof *steps);
	int64_t n_open = 0;
	int result = 0;
	if (n == 0) {
		goto out;
	}
	unsigned time = (unsigned)plan->coders.time;
	const struct coder *coder = plan->coders.coders[time];
	const struct divisor width = coder_width(coder);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t *codes = group_table_codes(&cover->table, i);
		int64_t start = coder_value(coder, 0, codes[time]).integer;
		steps[i] = (struct cover_step){codes, plan->coders.n, time,
		                               divide_floor(width, start), cover->steps[i]};
	}
	SORT(steps, n, compare_steps);
	for (uint32_t i = 0; i + 1 < n && result == 0; i++) {
		n_open += steps[i].step;
		if (compare_others(&steps[i], &steps[i + 1]) != 0) {
			n_open = 0; /* it is anyway: every run ends */
			continue;
		}
		memcpy(tuple, steps[i].tuple, plan->coders.n * sizeof *tuple);
		for (int64_t bucket = steps[i].bucket;
		     n_open > 0 && bucket < steps[i + 1].bucket && result == 0; bucket++) {
			result = (bucket & 0xfff) == 0 ? cancel_check(plan->cancel, err) : 0;
			if (result == 0) {
				result = add_to_bucket(thread, tuple, bucket,
				                       (__int128)n_open * width.by, err);
			}
		}
	}
out:
	free(steps);
	return result;
}
