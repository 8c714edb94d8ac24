/*
 * One pass over the blocks decides both filters. Values of the key become dense codes, so a partner
 * is found by index: of each code the first start and the latest end. What a thread finds is kept
 * block by block; put together in order of the blocks, and lane by lane, spans mostly stand in
 * order, and a lane is sorted only where they do not. What was before each is a running maximum
 * then.
 *
 * What limits: the codes of a million values, which are looked up in tables larger than the caches,
 * and SQLite, which reads the rows.
 */
#include "config.h"
#include "column/ops/pairs.h"

#include <stdlib.h>

#include "column/ops/span_scan.h"
#include "column/scan/coder.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

enum { SPANS, PARTNERS };

/* Partners of one value of the key. */
struct partners {
	int64_t start_ns, end_ns;
	uint32_t n;
};

struct partner {
	int64_t start_ns, end_ns;
	uint32_t code;
};

/* A span that is wanted. */
struct found {
	int64_t id, start_ns, duration_ns;
	uint32_t lane, name, code;
};

/* What a thread found in a block: found[first] ... found[end - 1] of its own. */
struct pair_piece {
	size_t block, first, end;
	unsigned thread;
};

struct pairs_thread {
	struct coder_state *coder;
	struct found *found;
	struct partner *partners;
	struct pair_piece *pieces;
	size_t n_found, found_capacity, n_partners, partner_capacity, n_pieces, piece_capacity;
};

struct pairing {
	struct dimension_list list;
	struct arena *arena;
	struct coder_set coders;
	struct span_scan scan;
	uint32_t lane_slot, name_slot;
	struct pairs_thread *threads;
	_Atomic size_t counts[SPAN_SETS];
};

/* ---- the pass ---- */

static void
add_found(struct pairs_thread *thread, const struct block_view *view, struct found found)
{
	if (thread->n_pieces == 0 || thread->pieces[thread->n_pieces - 1].block != view->index) {
		MEM_GROW(thread->pieces, thread->piece_capacity, thread->n_pieces + 1);
		thread->pieces[thread->n_pieces++] = (struct pair_piece){
		    .block = view->index, .first = thread->n_found, .thread = view->thread};
	}
	MEM_GROW(thread->found, thread->found_capacity, thread->n_found + 1);
	thread->found[thread->n_found++] = found;
	thread->pieces[thread->n_pieces - 1].end = thread->n_found;
}

static void
add_partner(struct pairs_thread *thread, struct partner partner)
{
	MEM_GROW(thread->partners, thread->partner_capacity, thread->n_partners + 1);
	thread->partners[thread->n_partners++] = partner;
}

static int
take_chunk(void *user, const struct span_chunk *chunk, unsigned slot, struct err *err)
{
	struct pairing *pairing = user;
	struct pairs_thread *thread = &pairing->threads[chunk->view->thread];
	uint32_t codes[CHUNK_ROWS];
	struct row_codes lanes;

	(void)slot;
	for (unsigned set = 0; set < SPAN_SETS; set++) {
		uint32_t n = chunk->n_matches[set];
		if (atomic_fetch_add_explicit(&pairing->counts[set], n, memory_order_relaxed) + n >
		    PAIRS_LIMIT) {
			return err_set(err, ERR_LIMIT,
			               "more than %u spans: filter more, or take a part of the run",
			               PAIRS_LIMIT);
		}
	}
	if (!span_chunk_lanes(chunk, pairing->lane_slot, &lanes)) {
		return 0;
	}
	if (coder_run(thread->coder, chunk->view, chunk->rows, chunk->n, codes, err)) {
		return -1;
	}
	for (uint32_t i = 0; i < chunk->n; i++) {
		uint32_t row = chunk->rows[i];
		int64_t start_ns = chunk->starts.values[row], end_ns = chunk->ends.values[row];
		if (span_chunk_has(chunk, SPANS, row)) {
			add_found(
			    thread, chunk->view,
			    (struct found){.id = span_chunk_id(chunk, row),
			                   .start_ns = start_ns,
			                   .duration_ns = time_sub(end_ns, start_ns),
			                   .lane = lanes.map[lanes.values[row]],
			                   .name = span_chunk_name(chunk, pairing->name_slot, row),
			                   .code = codes[row]});
		}
		if (span_chunk_has(chunk, PARTNERS, row)) {
			add_partner(thread, (struct partner){start_ns, end_ns, codes[row]});
		}
	}
	return 0;
}

/* ---- what the pass found ---- */

/* By code; codes that stand for NULL have none. */
static struct partners *
partners_by_code(const struct pairing *pairing)
{
	const struct coder *coder = pairing->coders.coders[0];
	uint32_t n_codes = coder_count(coder);
	struct partners *partners = xcalloc((size_t)n_codes + 1, sizeof *partners);

	for (unsigned t = 0; t < pairing->scan.n_threads; t++) {
		const struct pairs_thread *thread = &pairing->threads[t];
		for (size_t i = 0; i < thread->n_partners; i++) {
			const struct partner *found = &thread->partners[i];
			struct partners *of = &partners[found->code];
			if (of->n == 0 || found->start_ns < of->start_ns) {
				of->start_ns = found->start_ns;
			}
			if (of->n == 0 || found->end_ns > of->end_ns) {
				of->end_ns = found->end_ns;
			}
			of->n++;
		}
	}
	for (uint32_t code = 0; code < n_codes; code++) {
		if (partners[code].n > 0 &&
		    coder_value(coder, pairing->coders.places[0].part, code).type == SCAN_NULL) {
			partners[code].n = 0;
		}
	}
	return partners;
}

static int
compare_pairs(const void *left, const void *right)
{
	const struct pair *a = left, *b = right;

	ORDER_BY(a->lane, b->lane);
	ORDER_BY(a->start_ns, b->start_ns);
	ORDER_BY(a->partner_start_ns, b->partner_start_ns);
	return ORDER(a->id, b->id);
}

static int
compare_pieces(const void *left, const void *right)
{
	const struct pair_piece *a = left, *b = right;

	return ORDER(a->block, b->block);
}

/* All threads' pieces in order of their blocks. */
static struct pair_piece *
list_pieces(const struct pairing *pairing, size_t *n)
{
	struct pair_piece *pieces;

	*n = 0;
	for (unsigned t = 0; t < pairing->scan.n_threads; t++) {
		*n += pairing->threads[t].n_pieces;
	}
	pieces = xmalloc((*n + 1) * sizeof *pieces);
	*n = 0;
	for (unsigned t = 0; t < pairing->scan.n_threads; t++) {
		const struct pairs_thread *thread = &pairing->threads[t];
		for (size_t i = 0; i < thread->n_pieces; i++) {
			pieces[(*n)++] = thread->pieces[i];
		}
	}
	SORT(pieces, *n, compare_pieces);
	return pieces;
}

/* Where each lane's spans begin, and behind the last where all end. */
static size_t *
place_lanes(const struct pairing *pairing)
{
	uint32_t n_lanes = pairing->scan.loop.dataset->n_lanes;
	size_t *firsts = xcalloc((size_t)n_lanes + 2, sizeof *firsts);

	for (unsigned t = 0; t < pairing->scan.n_threads; t++) {
		const struct pairs_thread *thread = &pairing->threads[t];
		for (size_t i = 0; i < thread->n_found; i++) {
			firsts[thread->found[i].lane + 2]++;
		}
	}
	for (uint32_t lane = 1; lane < n_lanes; lane++) {
		firsts[lane + 1] += firsts[lane];
	}
	return firsts;
}

static void
sort_lane(struct pair *pairs, size_t n)
{
	size_t i = 1;

	while (i < n && compare_pairs(&pairs[i - 1], &pairs[i]) <= 0) {
		i++;
	}
	if (i < n) {
		SORT(pairs, n, compare_pairs);
	}
}

/* All threads' pairs, with their partners, in order. */
static struct pair *
join_threads(struct pairing *pairing, size_t *n)
{
	uint32_t n_lanes = pairing->scan.loop.dataset->n_lanes;
	struct partners *partners = partners_by_code(pairing);
	size_t *places = place_lanes(pairing), n_pieces;
	struct pair_piece *pieces = list_pieces(pairing, &n_pieces);
	struct pair *pairs;

	*n = 0;
	for (unsigned t = 0; t < pairing->scan.n_threads; t++) {
		*n += pairing->threads[t].n_found;
	}
	pairs = xmalloc((*n + 1) * sizeof *pairs);
	for (size_t p = 0; p < n_pieces; p++) {
		const struct found *all = pairing->threads[pieces[p].thread].found;
		for (size_t i = pieces[p].first; i < pieces[p].end; i++) {
			const struct partners *of = &partners[all[i].code];
			pairs[places[all[i].lane + 1]++] =
			    (struct pair){.id = all[i].id,
			                  .start_ns = all[i].start_ns,
			                  .duration_ns = all[i].duration_ns,
			                  .partner_start_ns = of->start_ns,
			                  .partner_end_ns = of->end_ns,
			                  .n_partners = of->n,
			                  .lane = all[i].lane,
			                  .name = all[i].name};
		}
	}
	for (uint32_t lane = 0; lane < n_lanes; lane++) { /* each ends where the next begins */
		sort_lane(pairs + places[lane], places[lane + 1] - places[lane]);
	}
	free(pieces);
	free(places);
	free(partners);
	return pairs;
}

/* What was before each, and the part in the range. */
static void
finish_pairs(const struct dataset *dataset, struct pair *pairs, size_t n)
{
	int64_t until = INT64_MIN;

	for (size_t i = 0; i < n; i++) {
		if (i == 0 || pairs[i].lane != pairs[i - 1].lane) {
			until = INT64_MIN;
		}
		pairs[i].before_ns = until;
		int64_t end_ns = time_add(pairs[i].start_ns, pairs[i].duration_ns);
		until = MOST(end_ns, until);
		pairs[i].inside_ns =
		    dataset_inside(dataset, pairs[i].start_ns, pairs[i].duration_ns);
	}
}

/* ---- all of it ---- */

static int
pairing_init(struct pairing *pairing, const struct dataset *dataset,
             const struct pairs_request *request, struct err *err)
{
	const struct span_set sets[SPAN_SETS] = {{request->spans, "spans"},
	                                         {request->partners, "partners"}};
	struct span_scan *scan = &pairing->scan;

	pairing->arena = arena_new();
	if (dimension_parse(dataset, BLOCK_SPAN, request->key, request->parameters, pairing->arena,
	                    &pairing->list, err)) {
		return -1;
	}
	if (pairing->list.n != 1 || pairing->list.specs[0].dimension == ROW_TIME) {
		return err_set(err, ERR_QUERY, "key: one dimension, as arg.correlation");
	}
	if (span_scan_init(scan, dataset, sets, SPAN_SETS, request->parameters, err)) {
		return -1;
	}
	scan->loop.user = pairing;
	scan->loop.cancel = request->cancel;
	scan->take = take_chunk;
	pairing->lane_slot = block_fields_add(&scan->fields, FIELD_LANE);
	pairing->name_slot = block_fields_add(&scan->fields, FIELD_NAME);
	coder_set_init(&pairing->coders, dataset, BLOCK_SPAN, &pairing->list, 2 * PAIRS_LIMIT,
	               &scan->fields);
	MEM_NEW(pairing->threads, scan->n_threads);
	for (unsigned t = 0; t < scan->n_threads; t++) {
		pairing->threads[t].coder = coder_state_new(pairing->coders.coders[0]);
	}
	return 0;
}

static void
pairing_fini(struct pairing *pairing)
{
	for (unsigned t = 0; pairing->threads && t < pairing->scan.n_threads; t++) {
		struct pairs_thread *thread = &pairing->threads[t];
		coder_state_free(thread->coder);
		free(thread->found);
		free(thread->pieces);
		free(thread->partners);
	}
	free(pairing->threads);
	coder_set_free(&pairing->coders);
	span_scan_fini(&pairing->scan);
	arena_free(pairing->arena);
}

int64_t
pairs_run(const struct dataset *dataset, const struct pairs_request *request, struct pair **pairs,
          struct err *err)
{
	struct pairing pairing = {.arena = NULL};
	int64_t result = -1;
	size_t n;

	if (pairing_init(&pairing, dataset, request, err) == 0 &&
	    span_scan_run(&pairing.scan, err) == 0) {
		*pairs = join_threads(&pairing, &n);
		finish_pairs(dataset, *pairs, n);
		result = (int64_t)n;
	}
	pairing_fini(&pairing);
	return result;
}
