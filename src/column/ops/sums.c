/*
 * Grouped sums: plan, scan on all threads, merge, sort, and what the caller then reads.
 *
 * Every thread adds to tables of its own (sums_scan.c, sums_add.c); they are merged in the end, so
 * that scanning takes no locks. Counters' doubles are added up within a block by the thread that
 * scans it and from there on by the calling thread in the order of blocks, so that the result is
 * the same to the last bit whatever the number of threads.
 */
#include "config.h"
#include "column/ops/sums_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

#define GATHER_LIMIT (4u << 20)
#define GROUP_BYTES 160    /* of tables and keys, roughly; measures come on top */
#define QUANTILE_BYTES 400 /* of a group's quantiles while they are searched */

/* Sums of doubles of one block, on their way from the thread that made them to the calling thread.
 */
struct value_slot {
	uint32_t n;
	uint32_t *tuples;
	struct value_total *totals;
	size_t tuples_capacity, totals_capacity;
};

struct scan {
	struct sums *sums;
	struct sums_thread **threads;
	unsigned n_threads, n_slots;
	_Atomic uint64_t n_groups;
	struct value_slot *slots;
	struct group_table value_table; /* of all blocks, in order */
	struct value_total *values;
	size_t values_capacity;
};

/* Any span whose end was not recorded? */
static bool
has_unfinished(const struct dataset *dataset)
{
	for (size_t i = 0; i < dataset->n_blocks[BLOCK_SPAN]; i++) {
		if (block_column(&dataset->blocks[BLOCK_SPAN][i], FIELD_UNFINISHED)) {
			return true;
		}
	}
	return false;
}

static void
plan_measures(struct sums_plan *plan, const struct sums_request *request)
{
	bool is_counter = plan->kind == BLOCK_COUNTER, is_span = plan->kind == BLOCK_SPAN;
	if (plan->coders.time >= 0 && plan->kind != BLOCK_SPAN) {
		plan->coders.time = -1; /* nothing to divide: time(W) is start(W) */
	}
	for (int m = 0; m < MEASURES; m++) {
		bool exists = m == MEASURE_VALUE ? is_counter : is_span;
		unsigned unread = request->unread[m];
		unsigned parts = (unread & SUMS_NO_SUM ? 0 : PART_SUM) |
		                 (unread & SUMS_NO_RANGE ? 0 : PART_RANGE) |
		                 (unread & SUMS_NO_SQUARES ? 0 : PART_SQUARES);
		if (m == MEASURE_DURATION && plan->coders.time >= 0) {
			parts |= PART_SUM; /* it makes groups of its own, read or not */
		}
		if (request->quantiles[m]) {
			parts |=
			    PART_SUM | PART_RANGE; /* how many values there are, and their bounds */
		}
		plan->parts[m] = exists ? parts : 0;
		plan->is_counted[m] = exists && request->quantiles[m];
		if (plan->parts[m]) {
			static const enum row_column columns[MEASURES] = {ROW_DURATION, ROW_SELF,
			                                                  ROW_SIZE, ROW_VALUE};
			row_column_bind(columns[m], &plan->fields, &plan->measure_slots[m]);
			plan->group_bytes += sizeof(struct measure_total);
		}
	}
	plan->has_times = !request->unread_times;
	if (plan->has_times || plan->coders.time >= 0) {
		row_column_bind(ROW_START, &plan->fields, &plan->start_slots);
	}
	plan->is_cut = is_span && plan->dataset->scope.has_range;
	if (plan->is_cut) {
		row_column_bind(ROW_START, &plan->fields, &plan->start_slots);
		row_column_bind(ROW_DURATION, &plan->fields, &plan->duration_slots);
	}
	if (plan->has_times && is_span) {
		row_column_bind(ROW_END, &plan->fields, &plan->end_slots);
	}
	plan->has_calls = is_span && dataset_has_calls(plan->dataset);
	if (plan->has_calls) {
		sums_calls_bind(&plan->calls_slots, &plan->fields);
		plan->group_bytes += sizeof(struct calls_total);
	}
	plan->has_unfinished =
	    is_span && !request->unread_unfinished && has_unfinished(plan->dataset);
	if (plan->has_unfinished) {
		row_column_bind(ROW_UNFINISHED, &plan->fields, &plan->unfinished_slots);
		row_column_bind(ROW_DURATION, &plan->fields, &plan->duration_slots);
	}
}

int
sums_plan_init(struct sums_plan *plan, const struct dataset *dataset,
               const struct sums_request *request, struct err *err)
{
	*plan = (struct sums_plan){.dataset = dataset,
	                           .kind = request->kind,
	                           .cancel = request->cancel,
	                           .arena = arena_new()};
	plan->group_limit = request->group_limit ? request->group_limit : SCAN_GROUP_LIMIT;
	plan->gather_limit = request->gather_limit ? request->gather_limit : GATHER_LIMIT;
	plan->count_limit = request->count_limit && request->count_limit < VALUE_COUNTS_LIMIT
	                        ? request->count_limit
	                        : VALUE_COUNTS_LIMIT;
	plan->group_bytes = GROUP_BYTES;
	if (dimension_parse(dataset, plan->kind, request->by, request->parameters, plan->arena,
	                    &plan->dimensions, err) < 0) {
		return -1;
	}
	plan->filter =
	    filter_compile(dataset, plan->kind, request->filter, request->parameters, err);
	if (!plan->filter) {
		return -1;
	}
	plan->n_sift = filter_bind(plan->filter, &plan->fields);
	coder_set_init(&plan->coders, dataset, plan->kind, &plan->dimensions, plan->group_limit,
	               &plan->fields);
	coder_set_alias_names(&plan->coders, request->name_aliases);
	plan_measures(plan, request);
	return plan->is_cut && plan->parts[MEASURE_SELF]
	           ? cut_spans_find(&plan->cut_spans, dataset, request->cancel, err)
	           : 0;
}

void
sums_plan_fini(struct sums_plan *plan)
{
	coder_set_free(&plan->coders);
	filter_free(plan->filter);
	cut_spans_free(&plan->cut_spans);
	block_fields_free(&plan->fields);
	arena_free(plan->arena);
}

/* Leaves the block's sums of doubles for scan_merge. */
static void
leave_values(struct scan *scan, struct sums_thread *thread, unsigned slot)
{
	struct value_slot *out = &scan->slots[slot];
	unsigned n_parts = thread->table.n_parts;
	out->n = 0;
	for (uint32_t group = 0; group < thread->table.n_groups; group++) {
		if (thread->values[group].n == 0) {
			continue;
		}
		MEM_GROW(out->totals, out->totals_capacity, (size_t)out->n + 1);
		out->totals[out->n] = thread->values[group];
		if (n_parts > 0) {
			MEM_GROW(out->tuples, out->tuples_capacity, ((size_t)out->n + 1) * n_parts);
			memcpy(out->tuples + (size_t)out->n * n_parts,
			       group_table_codes(&thread->table, group),
			       n_parts * sizeof *out->tuples);
		}
		out->n++;
		thread->values[group] = (struct value_total){0};
	}
}

static void
grow_values(struct value_total **values, size_t *capacity, size_t n)
{
	size_t before = *capacity;
	*values = mem_grow(*values, capacity, n, sizeof **values);
	if (*capacity > before) {
		memset(*values + before, 0, (*capacity - before) * sizeof **values);
	}
}

static int
scan_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct scan *scan = user;
	struct sums_thread *thread = scan->threads[view->thread];
	bool has_values = thread->plan->parts[MEASURE_VALUE] != 0;
	enum filter_verdict verdict = filter_open(thread->filter_state, view);
	while (verdict != FILTER_NONE && block_view_next(view)) {
		if (sums_thread_rows(thread, view, verdict, NULL, err)) {
			return -1;
		}
		if (thread->n_rows == 0) {
			continue;
		}
		if (sums_add_chunk(thread, view, err)) {
			return -1;
		}
		if (has_values) {
			grow_values(&thread->values, &thread->values_capacity,
			            thread->table.n_groups);
			sums_add_values(thread, view);
		}
	}
	if (has_values) {
		leave_values(scan, thread, slot);
	}
	return 0;
}

static void
merge_value(struct value_total *total, const struct value_total *more)
{
	if (total->n == 0) {
		*total = *more;
		return;
	}
	total->n += more->n;
	total->sum += more->sum;
	deviations_merge(&total->deviations, &more->deviations);
	total->min = LEAST(more->min, total->min);
	total->max = MOST(more->max, total->max);
}

static int
scan_merge(void *user, const struct block_info *block, unsigned slot, struct err *err)
{
	struct scan *scan = user;
	struct value_slot *in = &scan->slots[slot];
	struct group_table *table = &scan->value_table;
	(void)block;
	(void)err;
	for (uint32_t i = 0; i < in->n; i++) {
		const uint32_t *tuple =
		    table->n_parts ? in->tuples + (size_t)i * table->n_parts : NULL;
		sums_prepare_tuple(table, tuple);
		uint32_t group = group_table_add(table, tuple);
		grow_values(&scan->values, &scan->values_capacity, table->n_groups);
		merge_value(&scan->values[group], &in->totals[i]);
	}
	in->n = 0;
	return 0;
}

static void
collect_counts(struct sums *sums, const struct sums_thread *thread, const uint32_t *map)
{
	for (int m = 0; m < MEASURES; m++) {
		value_counts_collect(&sums->counts[m], &thread->counts[m], map);
	}
}

int
sums_thread_merge(struct sums_thread *first, const struct sums_thread *thread, uint32_t *map,
                  struct err *err)
{
	int result = 0;
	for (uint32_t i = 0; i < thread->table.n_groups && result == 0; i++) {
		result =
		    sums_thread_group(first, group_table_codes(&thread->table, i), &map[i], err);
		if (result == 0) {
			group_totals_merge(&first->totals, map[i], &thread->totals, i);
		}
	}
	return result;
}

/* Adds the thread's groups and counts to the first one's. */
static int
merge_thread(struct sums *sums, struct sums_thread *first, const struct sums_thread *thread,
             struct err *err)
{
	uint32_t *map = xcalloc(thread->table.n_groups, sizeof *map);
	int result = sums_thread_merge(first, thread, map, err);
	if (result == 0) {
		collect_counts(sums, thread, map);
	}
	free(map);
	return result;
}

/* Adds all threads' groups to the first one's and gives them to the result. */
static int
merge_threads(struct scan *scan, struct err *err)
{
	struct sums *sums = scan->sums;
	struct sums_thread *first = scan->threads[0];
	collect_counts(sums, first, NULL);
	atomic_store_explicit(&scan->n_groups, first->table.n_groups, memory_order_relaxed);
	for (unsigned t = 1; t < scan->n_threads; t++) {
		struct sums_thread *thread = scan->threads[t];
		if (merge_thread(sums, first, thread, err)) {
			return -1;
		}
		cover_merge(&first->cover, &thread->cover);
		sums_thread_free(thread);
		scan->threads[t] = NULL;
	}
	if (sums_cover_finish(first, err) < 0) {
		return -1;
	}
	sums->table = first->table;
	sums->totals = first->totals;
	group_table_init(&first->table, 0);
	first->totals = (struct group_totals){0};
	if (sums->plan.parts[MEASURE_VALUE]) {
		MEM_NEW(sums->values, sums->table.n_groups);
		for (uint32_t i = 0; i < scan->value_table.n_groups; i++) {
			sums->values[group_table_find(&sums->table,
			                              group_table_codes(&scan->value_table, i))] =
			    scan->values[i];
		}
	}
	return 0;
}

static void
scan_begin(struct scan *scan, struct sums *sums, const struct block_loop *loop)
{
	scan->sums = sums;
	scan->n_threads = block_loop_threads(loop);
	scan->n_slots = block_loop_slots(loop);
	MEM_NEW(scan->threads, scan->n_threads);
	MEM_NEW(scan->slots, scan->n_slots);
	group_table_init(&scan->value_table, sums->plan.coders.n);
	for (unsigned t = 0; t < scan->n_threads; t++) {
		scan->threads[t] = sums_thread_new(&sums->plan, &scan->n_groups);
	}
	if (sums->plan.coders.n == 0) { /* the one group is there even if nothing matches */
		for (unsigned t = 0; t < scan->n_threads; t++) {
			group_table_add(&scan->threads[t]->table, NULL);
			group_totals_grow(&scan->threads[t]->totals, &sums->plan, 1);
		}
	}
}

static void
scan_end(struct scan *scan)
{
	for (unsigned t = 0; t < scan->n_threads; t++) {
		sums_thread_free(scan->threads[t]);
	}
	for (unsigned s = 0; s < scan->n_slots; s++) {
		free(scan->slots[s].tuples);
		free(scan->slots[s].totals);
	}
	group_table_fini(&scan->value_table);
	free(scan->values);
	free(scan->threads);
	free(scan->slots);
}

static int
run_scan(struct sums *sums, struct err *err)
{
	struct scan scan = {0};
	struct block_loop loop = sums_plan_loop(&sums->plan, &scan, scan_block);

	loop.merge = sums->plan.parts[MEASURE_VALUE] ? scan_merge : NULL;
	scan_begin(&scan, sums, &loop);
	loop.filters = &scan.threads[0]->filter_state;
	int result = sums_add_totals(scan.threads[0], err);
	if (result == 0) {
		result = block_loop_run(&loop, err);
	}
	if (result >= 0) {
		result = merge_threads(&scan, err);
	}
	scan_end(&scan);
	return result;
}

struct sums *
sums_run(const struct dataset *dataset, const struct sums_request *request, struct err *err)
{
	struct sums *sums = xcalloc(1, sizeof *sums);
	for (int m = 0; m < MEASURES; m++) {
		sums->quantiles[m] = request->quantiles[m];
	}
	group_table_init(&sums->table, 0);
	if (sums_plan_init(&sums->plan, dataset, request, err)) {
		goto fail;
	}
	group_table_fini(&sums->table);
	if (run_scan(sums, err) < 0) {
		group_table_init(&sums->table, 0);
		goto fail;
	}
	if (sums_quantiles(sums, err)) {
		goto fail;
	}
	sums->order = sums_sort(&sums->plan.coders, &sums->plan.dimensions, &sums->table);
	return sums;
fail:
	sums_free(sums);
	return NULL;
}

size_t
sums_count(const struct sums *sums)
{
	return sums->table.n_groups;
}

/* Where a dimension stands in `by`; -1: it does not. */
static int
place_of(const struct sums *sums, enum row_column dimension)
{
	for (unsigned i = 0; i < sums->plan.dimensions.n; i++) {
		if (sums->plan.dimensions.specs[i].dimension == dimension) {
			return (int)i;
		}
	}
	return -1;
}

bool
sums_has(const struct sums *sums, enum row_column dimension)
{
	return place_of(sums, dimension) >= 0;
}

struct scan_value
sums_key(const struct sums *sums, size_t group, enum row_column dimension)
{
	int i = place_of(sums, dimension);
	if (i < 0) {
		return (struct scan_value){.type = SCAN_NULL};
	}
	unsigned coder = sums->plan.coders.places[i].coder, part = sums->plan.coders.places[i].part;
	uint32_t code = group_table_codes(&sums->table, sums->order[group])[coder];
	return coder_value(sums->plan.coders.coders[coder], part, code);
}

/* False: it leaves 64 bits, *out is the nearest that does not. */
static bool
fit(__int128 value, int64_t *out)
{
	*out = value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
	return *out == value;
}

static void
show_sum(__int128 sum, struct measure_sums *out)
{
	out->sum_leaves = !fit(sum, &out->sum);
	out->real_sum = out->sum_leaves ? (double)sum : 0;
}

static void
show_integers(const struct sums *sums, const struct measure_total *total, enum measure measure,
              struct measure_sums *out)
{
	unsigned parts = sums->plan.parts[measure];
	bool is_divided = measure == MEASURE_DURATION && sums->plan.coders.time >= 0;

	out->n = total->n;
	show_sum(total->sum, out);
	if (total->n > 0 && (parts & (PART_RANGE | PART_SQUARES))) {
		out->min = total->min;
		out->max = total->max;
	}
	out->squares = parts & PART_SQUARES ? total->squares : 0;
	out->squares_leave = out->squares == SQUARES_LEAVE;
	if ((parts & PART_SQUARES) && !is_divided && !out->squares_leave) {
		out->deviation = deviation_of_sums((uint64_t)total->n, total->sum, total->squares);
	}
}

static void
show_reals(const struct value_total *total, struct measure_sums *out)
{
	out->n = total->n;
	out->real_sum = total->sum;
	out->real_min = total->min;
	out->real_max = total->max;
	out->real_squares = total->deviations.squares;
	out->deviation = deviations_get(&total->deviations);
}

static void
show_measure(const struct sums *sums, uint32_t group, enum measure measure,
             struct measure_sums *out)
{
	const struct measure_total *totals = sums->totals.measures[measure];
	const struct calls_total *calls = sums->totals.calls ? &sums->totals.calls[group] : NULL;
	out->deviation = NAN;
	if (totals) {
		struct measure_total total = totals[group];
		if (calls) {
			sums_calls_fold(calls, measure, &total);
		}
		show_integers(sums, &total, measure, out);
		if (sums->totals.outside && measure <= MEASURE_SELF) {
			const struct outside_total *all = &sums->totals.outside[group];
			__int128 outside = measure == MEASURE_SELF ? all->self : all->duration;

			show_sum(total.sum - outside, out);
			out->sum_leaves |= !fit(outside, &out->outside);
		}
	}
	if (measure == MEASURE_VALUE && sums->values) {
		show_reals(&sums->values[group], out);
	}
	for (int q = 0; q < QUANTILES; q++) {
		const double *values = sums->quantile_values[measure];
		out->quantile[q] = values ? values[(size_t)group * QUANTILES + (size_t)q] : NAN;
	}
	if (calls && measure < MEASURE_VALUE && calls->measures[measure].n > 0) {
		out->has_no_distribution = true;
		out->has_no_range = calls->measures[measure].has_unknown;
		out->squares = 0;
		out->squares_leave = false;
		out->deviation = NAN;
		for (int q = 0; q < QUANTILES; q++) {
			out->quantile[q] = NAN;
		}
	}
}

const struct group_sums *
sums_group(struct sums *sums, size_t index)
{
	uint32_t group = sums->order[index];
	struct group_sums *out = &sums->shown;
	*out = (struct group_sums){.rows = group_totals_rows(&sums->totals, group)};
	const struct calls_total *calls = sums->totals.calls ? &sums->totals.calls[group] : NULL;
	__int128 n = (__int128)out->rows + (calls ? calls->calls - calls->rows : 0);
	out->n_leaves = !fit(n, &out->n);
	if (calls) {
		fit(calls->calls, &out->summed); /* at most n */
	}
	if (sums->totals.times &&
	    sums->totals.times[group].start_min <= sums->totals.times[group].end_max) {
		out->start_min = sums->totals.times[group].start_min;
		out->end_max = sums->totals.times[group].end_max;
		dataset_clip(sums->plan.dataset, &out->start_min, &out->end_max);
	}
	if (sums->totals.unfinished) {
		out->unfinished = sums->totals.unfinished[group].n;
		out->unfinished_leaves =
		    !fit(sums->totals.unfinished[group].sum, &out->unfinished_ns);
	}
	for (int m = 0; m < MEASURES; m++) {
		show_measure(sums, group, (enum measure)m, &out->measure[m]);
	}
	return out;
}

void
sums_free(struct sums *sums)
{
	if (sums) {
		group_table_fini(&sums->table);
		group_totals_fini(&sums->totals);
		free(sums->values);
		free(sums->order);
		for (int m = 0; m < MEASURES; m++) {
			free(sums->quantile_values[m]);
			value_counts_fini(&sums->counts[m]);
		}
		sums_plan_fini(&sums->plan);
		free(sums);
	}
}
