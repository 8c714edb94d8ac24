/*
 * Grouped sums: plan, scan on all threads, merge, sort.
 *
 * Every thread adds to tables of its own (sums_scan.c, sums_add.c); they are merged in the end, so
 * that scanning takes no locks. Counters' doubles are added up within a block by the thread that
 * scans it and from there on by the calling thread in the order of blocks, so that the result is
 * the same to the last bit whatever the number of threads.
 */
#include "config.h"
#include "column/ops/sums_private.h"

#include <stdlib.h>

#include "util/budget.h"
#include "util/mem.h"
#include "util/order.h"

#define GATHER_LIMIT (4u << 20)
#define ROOM_SHARES 2      /* groups of all threads: half of what the dictionary leaves */
#define ROOM_LEAST 16      /* that share of the budget, whatever it takes */
#define GROUP_BYTES 160    /* of tables and keys, roughly; measures come on top */
#define VALUES_AHEAD 65536 /* values that get codes before their groups are counted */
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
	_Atomic size_t furthest; /* block opened */
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
		plan->group_bytes += plan->is_counted[m] ? QUANTILE_BYTES : 0;
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

/* What the run's texts and the coders' tables take whatever is asked. */
static uint64_t
dictionary_bytes(const struct sums_plan *plan)
{
	const struct dataset *dataset = plan->dataset;
	struct block_loop loop = {.dataset = dataset};
	uint64_t bytes = dataset->n_texts * (uint64_t)sizeof *dataset->texts;

	for (uint32_t i = 0; i < dataset->n_sources; i++) {
		bytes += dataset->sources[i].n_texts * (uint64_t)sizeof(uint32_t);
	}
	for (unsigned c = 0; c < plan->coders.n; c++) {
		bytes += coder_table_bytes(plan->coders.coders[c], block_loop_threads(&loop));
	}
	return bytes;
}

static uint64_t
group_room(const struct sums_plan *plan)
{
	uint64_t budget = (uint64_t)budget_bytes(), taken = dictionary_bytes(plan);

	return MOST(budget - LEAST(taken, budget), budget / ROOM_LEAST * ROOM_SHARES) / ROOM_SHARES;
}

int
sums_plan_init(struct sums_plan *plan, const struct dataset *dataset,
               const struct sums_request *request, struct err *err)
{
	*plan = (struct sums_plan){.dataset = dataset,
	                           .kind = request->kind,
	                           .cancel = request->cancel,
	                           .time_from = INT64_MIN,
	                           .time_to = INT64_MAX,
	                           .arena = arena_new()};
	plan->group_limit = request->group_limit ? request->group_limit : SCAN_GROUP_LIMIT;
	plan->is_limited = request->group_limit > 0;
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
	coder_set_init(&plan->coders, dataset, plan->kind, &plan->dimensions,
	               LEAST(plan->group_limit, UINT32_MAX - VALUES_AHEAD) + VALUES_AHEAD,
	               &plan->fields);
	plan->room_bytes = group_room(plan);
	coder_set_alias_names(&plan->coders, request->name_aliases);
	if (request->bounds) {
		coder_set_bound(&plan->coders, request->bounds);
		plan->is_bounded = true;
	}
	plan_measures(plan, request);
	if (plan->is_bounded && plan->coders.time >= 0) {
		sums_bound_time(plan, request->bounds);
	}
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

/* Has the block no span in the buckets that are asked for? */
static bool
is_apart(const struct sums_plan *plan, const struct block_info *info)
{
	return (plan->time_to < INT64_MAX && info->start_min >= plan->time_to) ||
	       info->end_max < plan->time_from;
}

static int
scan_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct scan *scan = user;
	struct sums_thread *thread = scan->threads[view->thread];
	bool has_values = thread->plan->parts[MEASURE_VALUE] != 0;
	enum filter_verdict verdict = is_apart(thread->plan, view->info)
	                                  ? FILTER_NONE
	                                  : filter_open(thread->filter_state, view);
	atomic_store_explicit(&scan->furthest, view->index, memory_order_relaxed);
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

static void
add_to_sample(const struct sums_plan *plan, const uint32_t *codes, struct sums_sample *sample)
{
	struct scan_value *keys = &sample->keys[sample->n++ * sample->n_dimensions];

	for (unsigned i = 0; i < sample->n_dimensions; i++) {
		unsigned c = plan->coders.places[i].coder;
		keys[i] =
		    coder_value(plan->coders.coders[c], plan->coders.places[i].part, codes[c]);
		if (keys[i].type == SCAN_TEXT) {
			keys[i].text = arena_slice(sample->arena, keys[i].text);
		}
	}
}

#define SAMPLE_GROUPS 8192

/* Of each thread's groups some, at equal distances. */
static void
take_sample(const struct scan *scan, struct sums_sample *sample)
{
	const struct sums_plan *plan = &scan->sums->plan;
	size_t n_all = 0, step;

	for (unsigned t = 0; t < scan->n_threads; t++) {
		n_all += scan->threads[t] ? scan->threads[t]->table.n_groups : 0;
	}
	step = n_all / SAMPLE_GROUPS + 1;
	*sample = (struct sums_sample){.arena = arena_new(),
	                               .n_dimensions = plan->dimensions.n,
	                               .time = -1,
	                               .part = ((double)scan->furthest + 1) /
	                                       (double)(plan->dataset->n_blocks[plan->kind] + 1)};
	sample->keys = arena_alloc(sample->arena, (n_all / step + scan->n_threads) *
	                                              plan->dimensions.n * sizeof *sample->keys);
	for (unsigned t = 0; t < scan->n_threads; t++) {
		const struct sums_thread *thread = scan->threads[t];
		for (size_t group = 0; thread && group < thread->table.n_groups; group += step) {
			add_to_sample(plan, group_table_codes(&thread->table, (uint32_t)group),
			              sample);
		}
	}
	for (unsigned i = 0; i < plan->dimensions.n; i++) {
		if ((int)plan->coders.places[i].coder == plan->coders.time) {
			sample->time = (int)i;
		}
	}
}

static int
run_scan(struct sums *sums, struct sums_sample *sample, struct err *err)
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
	if (result < 0 && sample && err->code == ERR_LIMIT) {
		take_sample(&scan, sample);
	}
	scan_end(&scan);
	return result;
}

struct sums *
sums_run_sampled(const struct dataset *dataset, const struct sums_request *request,
                 struct sums_sample *sample, struct err *err)
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
	if (sums_values_fit(&sums->plan)) {
		if (sums_values_run(sums, err) < 0) {
			goto fail;
		}
		return sums;
	}
	if (run_scan(sums, sample, err) < 0) {
		group_table_init(&sums->table, 0);
		goto fail;
	}
	if (sums_quantiles(sums, err)) {
		goto fail;
	}
	sums->order = sums_sort(&sums->plan.coders, &sums->plan.dimensions, &sums->table);
	sums->n_ordered = sums->table.n_groups;
	sums_drop_before(sums);
	return sums;
fail:
	sums_free(sums);
	return NULL;
}

struct sums *
sums_run(const struct dataset *dataset, const struct sums_request *request, struct err *err)
{
	return sums_run_sampled(dataset, request, NULL, err);
}

void
sums_free(struct sums *sums)
{
	if (sums) {
		group_table_fini(&sums->table);
		group_totals_fini(&sums->totals);
		free(sums->values);
		free(sums->order);
		sums_values_free(sums);
		for (int m = 0; m < MEASURES; m++) {
			free(sums->quantile_values[m]);
			value_counts_fini(&sums->counts[m]);
		}
		sums_plan_fini(&sums->plan);
		free(sums);
	}
}
