/*
 * One pass over the blocks gathers the others, lane by lane, as merged lists of intervals; these
 * must be held. A second pass goes by the spans in question and keeps but sums, of integers (shares
 * in 2^-30), so that the order of threads does not matter, and a sample: those whose id's hash is
 * lowest. At each shift only the sample is asked, and as a sample varies more than all, ranges are
 * rather too wide.
 */
#include "config.h"
#include "column/ops/interference_private.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"
#include "util/prng.h"

#define INTERVAL_BYTES ((size_t)2 << 30)
#define SAMPLE 25000u
#define GROUPS_MAX 65536u
#define NAMED_MIN 4 /* spans of a lane and name, on average, for names to be told apart */

/* ---- the others ---- */

static bool
is_single(const struct interfering *interfering, uint32_t lane)
{
	return lane < interfering->dataset->n_lanes &&
	       interfering->dataset->lanes[lane].kind != LANE_AGGREGATE;
}

static int
take_others(void *user, const struct span_chunk *chunk, unsigned slot, struct err *err)
{
	struct interfering *interfering = user;
	struct interval_lists *lists = &interfering->threads[chunk->view->thread].others;
	struct row_codes lanes;
	(void)slot;
	if (!span_chunk_lanes(chunk, interfering->lane_slot, &lanes)) {
		return 0;
	}
	for (uint32_t i = 0; i < chunk->n; i++) {
		uint32_t row = chunk->rows[i], lane = lanes.map[lanes.values[row]];
		int64_t start = chunk->starts.values[row], end = chunk->ends.values[row];
		dataset_clip(interfering->dataset, &start, &end);
		if (is_single(interfering, lane) && end > start &&
		    !interval_list_add(&lists->lists[lane], &interfering->budget, start, end)) {
			return err_set(
			    err, ERR_LIMIT,
			    "too many separate spans: filter more, or take a part of the "
			    "run");
		}
	}
	return 0;
}

static void
number_domains(struct interfering *interfering)
{
	const struct dataset *dataset = interfering->dataset;
	struct intern *domains = intern_new();
	MEM_NEW(interfering->domain, dataset->n_lanes + 1);
	for (uint32_t l = 0; l < dataset->n_lanes; l++) {
		const struct lane *lane = &dataset->lanes[l];
		int64_t key[4] = {0};
		if (interfering->request->within != INTERFERENCE_RUN) {
			key[0] = lane->host;
		}
		if (interfering->request->within == INTERFERENCE_PROCESS) {
			key[1] = (int64_t)lane->process.type;
			key[2] = lane->process.type == IDENT_INTEGER ? lane->process.integer
			                                             : (int64_t)lane->process.text;
		}
		interfering->domain[l] =
		    intern_id(domains, (struct slice){(const char *)key, sizeof key});
	}
	interfering->n_domains = intern_count(domains);
	intern_free(domains);
}

/* The lanes' lists, and by domain what they cover. */
static void
join_others(struct interfering *interfering)
{
	uint32_t n_lanes = interfering->dataset->n_lanes;
	struct interval_lists *threads = xcalloc(interfering->n_threads, sizeof *threads);
	struct intervals *lists = xcalloc((size_t)n_lanes + 1, sizeof *lists);
	struct intervals *of_domain = xcalloc((size_t)n_lanes + 1, sizeof *of_domain);
	uint32_t *lanes = xcalloc((size_t)n_lanes + 1, sizeof *lanes);
	struct interval_cells cells;
	for (unsigned t = 0; t < interfering->n_threads; t++) {
		threads[t] = interfering->threads[t].others;
		interfering->threads[t].others = (struct interval_lists){0};
	}
	interval_cells_init(&cells, threads, interfering->n_threads, n_lanes);
	for (uint32_t l = 0; l < n_lanes; l++) {
		lists[l] = interval_cells_take(&cells, l, (struct intervals){NULL, 0}, NULL);
		interfering->has_others[l] = lists[l].n > 0;
		interfering->found->n_others += (int64_t)lists[l].n;
	}
	MEM_NEW(interfering->beside, interfering->n_domains + 1);
	for (uint32_t d = 0; d < interfering->n_domains; d++) {
		size_t n = 0;
		for (uint32_t l = 0; l < n_lanes; l++) {
			if (interfering->domain[l] == d && lists[l].n) {
				of_domain[n] = lists[l];
				lanes[n++] = l;
			}
		}
		beside_init(&interfering->beside[d], of_domain, lanes, n);
		for (size_t i = 0; i < n; i++) {
			free(of_domain[i].all);
		}
	}
	interval_cells_fini(&cells);
	interval_lists_drop(threads, interfering->n_threads);
	free(threads);
	free(lists);
	free(of_domain);
	free(lanes);
}

/* ---- the spans in question ---- */

static int
compare_hashes(const void *left, const void *right)
{
	const struct sampled *a = left, *b = right;
	ORDER_BY(a->hash, b->hash);
	return ORDER(a->start_ns, b->start_ns);
}

/* Those of the lowest hashes; what a thread drops is not among them, whatever the others have. */
static void
cut_sample(const struct interfering *interfering, struct sampled *sample, size_t *n)
{
	SORT(sample, *n, compare_hashes);
	*n = LEAST(*n, interfering->sample_limit);
}

static void
sample_span(const struct interfering *interfering, struct interfering_thread *thread,
            struct sampled span)
{
	if (span.hash >= thread->hash_end) {
		return;
	}
	MEM_GROW(thread->sample, thread->sample_capacity, thread->n_sample + 1);
	thread->sample[thread->n_sample++] = span;
	if (thread->n_sample >= 2 * (size_t)interfering->sample_limit) {
		cut_sample(interfering, thread->sample, &thread->n_sample);
		thread->hash_end = thread->sample[thread->n_sample - 1].hash;
	}
}

static struct beside_group *
find_group(struct interfering_thread *thread, uint32_t lane, uint32_t name)
{
	struct beside_group *last = thread->n_groups ? &thread->groups[thread->last] : NULL;
	if (last && last->lane == lane && last->name == name) {
		return last;
	}
	if (thread->n_groups >= GROUPS_MAX) {
		name = TEXT_NONE;
	}
	const uint32_t key[2] = {lane, name};
	thread->last = intern_id(thread->numbers, (struct slice){(const char *)key, sizeof key});
	if (thread->last == thread->n_groups) {
		MEM_GROW(thread->groups, thread->group_capacity, thread->n_groups + 1);
		thread->groups[thread->n_groups++] =
		    (struct beside_group){.lane = lane, .name = name};
	}
	return &thread->groups[thread->last];
}

static int
take_spans(void *user, const struct span_chunk *chunk, unsigned slot, struct err *err)
{
	struct interfering *interfering = user;
	struct interfering_thread *thread = &interfering->threads[chunk->view->thread];
	struct row_codes lanes;
	(void)slot;
	(void)err;
	if (!span_chunk_lanes(chunk, interfering->lane_slot, &lanes)) {
		return 0;
	}
	for (uint32_t i = 0; i < chunk->n; i++) {
		uint32_t row = chunk->rows[i], lane = lanes.map[lanes.values[row]];
		int64_t start = chunk->starts.values[row], end = chunk->ends.values[row];
		dataset_clip(interfering->dataset, &start, &end);
		if (!is_single(interfering, lane) || end <= start) {
			continue;
		}
		uint32_t domain = interfering->domain[lane];
		struct beside_group *group =
		    find_group(thread, lane, span_chunk_name(chunk, interfering->name_slot, row));
		interference_add(&group->sums, end - start,
		                 beside_covered(&interfering->beside[domain], lane,
		                                interfering->has_others[lane], start, end));
		struct prng prng = {interfering->request->seed ^
		                    (uint64_t)span_chunk_id(chunk, row)};
		sample_span(interfering, thread,
		            (struct sampled){prng_next(&prng), start, end - start,
		                             (uint32_t)(group - thread->groups), lane});
		thread->first_ns = LEAST(start, thread->first_ns);
		thread->end_ns = MOST(end, thread->end_ns);
	}
	return 0;
}

static int
compare_groups(const void *left, const void *right)
{
	const struct beside_group *a = left, *b = right;
	ORDER_BY(a->lane, b->lane);
	return ORDER(a->name, b->name);
}

/* Makes one of groups in order that are the same. */
static size_t
merge_groups(struct beside_group *groups, size_t n)
{
	size_t n_merged = 0;
	for (size_t g = 0; g < n; g++) {
		if (n_merged && compare_groups(&groups[n_merged - 1], &groups[g]) == 0) {
			interference_add_sums(&groups[n_merged - 1].sums, &groups[g].sums);
		} else {
			groups[n_merged++] = groups[g];
		}
	}
	return n_merged;
}

/* Names that hardly stand twice ("step 17") are no kinds: then those of a lane are one. */
static void
join_groups(struct interfering *interfering)
{
	size_t n = 0, total = 0;
	int64_t n_spans = 0;
	for (unsigned t = 0; t < interfering->n_threads; t++) {
		total += interfering->threads[t].n_groups;
	}
	struct beside_group *all = xcalloc(total + 1, sizeof *all);
	for (unsigned t = 0; t < interfering->n_threads; t++) {
		const struct interfering_thread *thread = &interfering->threads[t];
		for (size_t g = 0; g < thread->n_groups; g++) {
			n_spans += thread->groups[g].sums.n;
			all[n++] = thread->groups[g];
		}
	}
	SORT(all, n, compare_groups);
	n = merge_groups(all, n);
	interfering->are_names_rare = n >= GROUPS_MAX || n_spans < NAMED_MIN * (int64_t)n;
	for (size_t g = 0; g < n && interfering->are_names_rare; g++) {
		all[g].name = TEXT_NONE;
	}
	interfering->groups = all;
	interfering->n_groups = merge_groups(all, n);
}

static int
compare_places(const void *left, const void *right)
{
	const struct sampled *a = left, *b = right;
	ORDER_BY(a->lane, b->lane);
	ORDER_BY(a->start_ns, b->start_ns);
	return ORDER(a->hash, b->hash);
}

static void
join_sample(struct interfering *interfering)
{
	size_t total = 0;
	for (unsigned t = 0; t < interfering->n_threads; t++) {
		total += interfering->threads[t].n_sample;
	}
	MEM_NEW(interfering->sample, total + 1);
	for (unsigned t = 0; t < interfering->n_threads; t++) {
		const struct interfering_thread *thread = &interfering->threads[t];
		for (size_t i = 0; i < thread->n_sample; i++) {
			struct sampled span = thread->sample[i];
			struct beside_group group = thread->groups[span.group];
			size_t low = 0;
			group.name = interfering->are_names_rare ? TEXT_NONE : group.name;
			ORDER_FIND(low, interfering->n_groups, middle,
			           compare_groups(&interfering->groups[middle], &group) < 0);
			span.group = (uint32_t)low;
			interfering->sample[interfering->n_sample++] = span;
		}
	}
	cut_sample(interfering, interfering->sample, &interfering->n_sample);
	SORT(interfering->sample, interfering->n_sample, compare_places);
	interfering->found->n_sampled = (int64_t)interfering->n_sample;
}

/* Shifts go around from the first start to the last end of all. */
static void
find_bounds(struct interfering *interfering)
{
	int64_t first = INT64_MAX, end = INT64_MIN;
	for (unsigned t = 0; t < interfering->n_threads; t++) {
		first = LEAST(interfering->threads[t].first_ns, first);
		end = MOST(interfering->threads[t].end_ns, end);
	}
	for (uint32_t d = 0; d < interfering->n_domains; d++) {
		const struct beside *beside = &interfering->beside[d];
		if (beside->n) {
			first = LEAST(beside->all[0].start_ns, first);
			end = MOST(beside->all[beside->n - 1].end_ns, end);
		}
	}
	interfering->first_ns = first;
	interfering->length_ns = time_sub(end, first);
}

/* ---- all of it ---- */

static int
scan(struct interfering *interfering, const char *filter, const char *name,
     int (*take)(void *, const struct span_chunk *, unsigned, struct err *), struct err *err)
{
	const struct span_set set = {filter, name};
	struct span_scan *scan = &interfering->scan;
	int rc = span_scan_init(scan, interfering->dataset, &set, 1,
	                        interfering->request->parameters, err);
	if (rc == 0) {
		interfering->lane_slot = block_fields_add(&scan->fields, FIELD_LANE);
		interfering->name_slot = block_fields_add(&scan->fields, FIELD_NAME);
		scan->loop.user = interfering;
		scan->loop.cancel = interfering->request->cancel;
		scan->take = take;
		rc = span_scan_run(scan, err);
	}
	span_scan_fini(scan);
	return rc;
}

static void
open_threads(struct interfering *interfering)
{
	const struct block_loop loop = {.dataset = interfering->dataset};
	interfering->n_threads = block_loop_threads(&loop);
	MEM_NEW(interfering->threads, interfering->n_threads);
	MEM_NEW(interfering->has_others, interfering->dataset->n_lanes + 1);
	for (unsigned t = 0; t < interfering->n_threads; t++) {
		struct interfering_thread *thread = &interfering->threads[t];
		interval_lists_grow(&thread->others, interfering->dataset->n_lanes);
		thread->numbers = intern_new();
		thread->hash_end = UINT64_MAX;
		thread->first_ns = INT64_MAX;
		thread->end_ns = INT64_MIN;
	}
}

static void
interfering_fini(struct interfering *interfering)
{
	for (unsigned t = 0; t < interfering->n_threads; t++) {
		struct interfering_thread *thread = &interfering->threads[t];
		interval_lists_drop(&thread->others, 1);
		intern_free(thread->numbers);
		free(thread->groups);
		free(thread->sample);
	}
	for (uint32_t d = 0; interfering->beside && d < interfering->n_domains; d++) {
		beside_fini(&interfering->beside[d]);
	}
	free(interfering->threads);
	free(interfering->domain);
	free(interfering->has_others);
	free(interfering->beside);
	free(interfering->groups);
	free(interfering->row_of);
	free(interfering->sample);
	free(interfering->at_shift);
}

int
interference_run(const struct dataset *dataset, const struct interference_request *request,
                 struct interferences *found, struct err *err)
{
	struct interfering interfering = {.dataset = dataset,
	                                  .request = request,
	                                  .budget = {INTERVAL_BYTES, 0},
	                                  .sample_limit =
	                                      request->sample ? request->sample : SAMPLE,
	                                  .found = found};
	int rc = -1;
	*found = (struct interferences){0};
	number_domains(&interfering);
	open_threads(&interfering);
	if (scan(&interfering, request->beside, "second set", take_others, err) == 0) {
		join_others(&interfering);
		rc = scan(&interfering, request->of, "first set", take_spans, err);
	}
	if (rc == 0) {
		join_groups(&interfering);
		join_sample(&interfering);
		find_bounds(&interfering);
		interference_fill(&interfering);
		rc = interference_shift(&interfering, err);
	}
	interfering_fini(&interfering);
	if (rc) {
		free(found->rows);
	}
	return rc;
}
