/*
 * One pass over the blocks decides both filters. Values of the key become dense codes, so a partner is found by index: of each code the first
 * start and the latest end. A lane's spans come nearly in order from the blocks, and sorting them is quick; what was before each is a running
 * maximum then.
 */
#include "config.h"
#include "column/ops/pairs.h"

#include <stdlib.h>

#include "column/scan/coder.h"
#include "column/scan/filter.h"
#include "column/scan/rowcolumn.h"
#include "util/intervals.h"
#include "util/mem.h"

enum { SPANS, PARTNERS, SIDES };

/* Partners of one value of the key. */
struct partners {
	int64_t start_ns, end_ns;
	uint32_t n;
};

struct partner {
	int64_t start_ns, end_ns;
	uint32_t code;
};

struct pairs_thread {
	struct filter_state *states[SIDES];
	struct coder_state *coder;
	struct pair *pairs;
	struct partner *partners;
	size_t n_pairs, pair_capacity, n_partners, partner_capacity;
};

struct pairing {
	struct dimension_list list;
	struct arena *arena;
	struct block_fields fields;
	struct coder_set coders;
	struct filter *filters[SIDES];
	struct row_slots start_slots, end_slots;
	uint32_t lane_slot, name_slot;
	struct pairs_thread *threads;
	unsigned n_threads;
	_Atomic size_t counts[SIDES];
};

/* ---- the pass ---- */

struct chunk {
	struct row_integers starts, ends;
	struct row_codes lanes, names;
	uint32_t codes[CHUNK_ROWS];
};

static void
add_pair(struct pairs_thread *thread, const struct block_view *view, const struct chunk *chunk,
         uint32_t row, uint32_t code)
{
	const struct row_codes *names = &chunk->names;
	bool has_name = names->n_present == view->n ||
	                (names->n_present > 0 && names->presence[row / 64] >> (row & 63) & 1);
	int64_t start_ns = chunk->starts.values[row];

	MEM_GROW(thread->pairs, thread->pair_capacity, thread->n_pairs + 1);
	thread->pairs[thread->n_pairs++] =
	    (struct pair){.id = (int64_t)((uint64_t)view->info->first_id + view->row + row),
	                  .start_ns = start_ns,
	                  .duration_ns = time_sub(chunk->ends.values[row], start_ns),
	                  .lane = chunk->lanes.map[chunk->lanes.values[row]],
	                  .name = has_name ? names->map[names->values[row]] : TEXT_NONE,
	                  .code = code};
}

static void
add_partner(struct pairs_thread *thread, const struct chunk *chunk, uint32_t row, uint32_t code)
{
	MEM_GROW(thread->partners, thread->partner_capacity, thread->n_partners + 1);
	thread->partners[thread->n_partners++] =
	    (struct partner){chunk->starts.values[row], chunk->ends.values[row], code};
}

/* The rows of a chunk that either side takes, as their numbers. */
static uint32_t
rows_of(uint64_t matches[SIDES][CHUNK_WORDS], uint16_t rows[CHUNK_ROWS])
{
	uint32_t n = 0;
	for (uint32_t w = 0; w < CHUNK_WORDS; w++) {
		for (uint64_t left = matches[SPANS][w] | matches[PARTNERS][w]; left;
		     left &= left - 1) {
			rows[n++] = (uint16_t)(w * 64 + (uint32_t)__builtin_ctzll(left));
		}
	}
	return n;
}

static bool
has_bit(const uint64_t *matches, uint32_t row)
{
	return matches[row / 64] >> (row & 63) & 1;
}

static int
scan_chunk(struct pairing *pairing, struct pairs_thread *thread, struct block_view *view,
           struct err *err)
{
	int64_t start_scratch[CHUNK_ROWS], end_scratch[CHUNK_ROWS];
	uint64_t matches[SIDES][CHUNK_WORDS];
	uint16_t rows[CHUNK_ROWS];
	struct chunk chunk;

	for (int side = 0; side < SIDES; side++) {
		uint32_t n = filter_chunk(thread->states[side], view, matches[side]);
		if (atomic_fetch_add_explicit(&pairing->counts[side], n, memory_order_relaxed) + n >
		    PAIRS_LIMIT) {
			return err_set(err, ERR_LIMIT,
			               "more than %u spans: filter more, or take a part of the run",
			               PAIRS_LIMIT);
		}
	}
	uint32_t n = rows_of(matches, rows);
	if (n == 0) {
		return 0;
	}
	chunk.starts = row_column_read(ROW_START, &pairing->start_slots, view, start_scratch);
	chunk.ends = row_column_read(ROW_END, &pairing->end_slots, view, end_scratch);
	chunk.lanes = row_codes_read(pairing->lane_slot, true, view);
	chunk.names = row_codes_read(pairing->name_slot, false, view);
	if (chunk.starts.n_present < view->n || chunk.ends.n_present < view->n ||
	    chunk.lanes.n_present < view->n) {
		return 0; /* damaged: every row has its times and its lane */
	}
	if (coder_run(thread->coder, view, rows, n, chunk.codes, err) < 0) {
		return -1;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (has_bit(matches[SPANS], rows[i])) {
			add_pair(thread, view, &chunk, rows[i], chunk.codes[rows[i]]);
		}
		if (has_bit(matches[PARTNERS], rows[i])) {
			add_partner(thread, &chunk, rows[i], chunk.codes[rows[i]]);
		}
	}
	return 0;
}

static int
scan_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct pairing *pairing = user;
	(void)slot;
	while (block_view_next(view)) {
		if (scan_chunk(pairing, &pairing->threads[view->thread], view, err) < 0) {
			return -1;
		}
	}
	return 0;
}

static bool
block_wanted(void *user, const struct block_info *block)
{
	const struct pairs_thread *thread = &((struct pairing *)user)->threads[0];
	return filter_prune(thread->states[SPANS], block) != FILTER_NONE ||
	       filter_prune(thread->states[PARTNERS], block) != FILTER_NONE;
}

/* ---- what the pass found ---- */

/* By code; codes that stand for NULL have none. */
static struct partners *
partners_by_code(const struct pairing *pairing)
{
	const struct coder *coder = pairing->coders.coders[0];
	uint32_t n_codes = coder_count(coder);
	struct partners *partners = xcalloc((size_t)n_codes + 1, sizeof *partners);

	for (unsigned t = 0; t < pairing->n_threads; t++) {
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

	if (a->lane != b->lane) {
		return a->lane < b->lane ? -1 : 1;
	}
	if (a->start_ns != b->start_ns) {
		return a->start_ns < b->start_ns ? -1 : 1;
	}
	if (a->partner_start_ns != b->partner_start_ns) {
		return a->partner_start_ns < b->partner_start_ns ? -1 : 1;
	}
	return (a->id > b->id) - (a->id < b->id);
}

/* All threads' pairs, with their partners, in order. */
static struct pair *
join_threads(struct pairing *pairing, size_t *n)
{
	struct partners *partners = partners_by_code(pairing);
	struct pair *pairs;

	*n = 0;
	for (unsigned t = 0; t < pairing->n_threads; t++) {
		*n += pairing->threads[t].n_pairs;
	}
	pairs = xmalloc((*n + 1) * sizeof *pairs);
	*n = 0;
	for (unsigned t = 0; t < pairing->n_threads; t++) {
		struct pairs_thread *thread = &pairing->threads[t];
		for (size_t i = 0; i < thread->n_pairs; i++) {
			struct pair *pair = &pairs[(*n)++];
			*pair = thread->pairs[i];
			pair->n_partners = partners[pair->code].n;
			pair->partner_start_ns = partners[pair->code].start_ns;
			pair->partner_end_ns = partners[pair->code].end_ns;
		}
		free(thread->pairs);
		thread->pairs = NULL;
	}
	free(partners);
	qsort(pairs, *n, sizeof *pairs, compare_pairs);
	return pairs;
}

static void
find_before(struct pair *pairs, size_t n)
{
	int64_t until = INT64_MIN;

	for (size_t i = 0; i < n; i++) {
		if (i == 0 || pairs[i].lane != pairs[i - 1].lane) {
			until = INT64_MIN;
		}
		pairs[i].before_ns = until;
		int64_t end_ns = time_add(pairs[i].start_ns, pairs[i].duration_ns);
		until = end_ns > until ? end_ns : until;
	}
}

/* ---- all of it ---- */

static int
pairing_init(struct pairing *pairing, const struct dataset *dataset,
             const struct pairs_request *request, struct err *err)
{
	const char *texts[SIDES] = {request->spans, request->partners};

	pairing->arena = arena_new();
	if (dimension_parse(dataset, BLOCK_SPAN, request->key, request->parameters, pairing->arena,
	                    &pairing->list, err)) {
		return -1;
	}
	if (pairing->list.n != 1 || pairing->list.specs[0].dimension == ROW_TIME) {
		return err_set(err, ERR_QUERY, "key: one dimension, as arg.correlation");
	}
	for (int side = 0; side < SIDES; side++) {
		pairing->filters[side] =
		    filter_compile(dataset, BLOCK_SPAN, texts[side], request->parameters, err);
		if (!pairing->filters[side]) {
			return err_wrap(err, side == SPANS ? "spans" : "partners");
		}
		filter_bind(pairing->filters[side], &pairing->fields);
	}
	row_column_bind(ROW_START, &pairing->fields, &pairing->start_slots);
	row_column_bind(ROW_END, &pairing->fields, &pairing->end_slots);
	pairing->lane_slot = block_fields_add(&pairing->fields, FIELD_LANE);
	pairing->name_slot = block_fields_add(&pairing->fields, FIELD_NAME);
	coder_set_init(&pairing->coders, dataset, BLOCK_SPAN, &pairing->list, 2 * PAIRS_LIMIT,
	               &pairing->fields);
	return 0;
}

static void
make_threads(struct pairing *pairing, unsigned n_threads)
{
	pairing->n_threads = n_threads;
	pairing->threads = xcalloc(n_threads, sizeof *pairing->threads);
	for (unsigned t = 0; t < n_threads; t++) {
		struct pairs_thread *thread = &pairing->threads[t];
		thread->states[SPANS] = filter_state_new(pairing->filters[SPANS]);
		thread->states[PARTNERS] = filter_state_new(pairing->filters[PARTNERS]);
		thread->coder = coder_state_new(pairing->coders.coders[0]);
	}
}

static void
pairing_fini(struct pairing *pairing)
{
	for (unsigned t = 0; t < pairing->n_threads; t++) {
		struct pairs_thread *thread = &pairing->threads[t];
		filter_state_free(thread->states[SPANS]);
		filter_state_free(thread->states[PARTNERS]);
		coder_state_free(thread->coder);
		free(thread->pairs);
		free(thread->partners);
	}
	free(pairing->threads);
	coder_set_free(&pairing->coders);
	filter_free(pairing->filters[SPANS]);
	filter_free(pairing->filters[PARTNERS]);
	block_fields_free(&pairing->fields);
	arena_free(pairing->arena);
}

int64_t
pairs_run(const struct dataset *dataset, const struct pairs_request *request, struct pair **pairs,
          struct err *err)
{
	struct pairing pairing = {.arena = NULL};
	struct block_loop loop = {.dataset = dataset,
	                          .kind = BLOCK_SPAN,
	                          .fields = &pairing.fields,
	                          .end = SIZE_MAX,
	                          .user = &pairing,
	                          .wanted = block_wanted,
	                          .scan = scan_block,
	                          .cancel = request->cancel};
	int64_t result = -1;
	size_t n;

	if (pairing_init(&pairing, dataset, request, err) < 0) {
		goto out;
	}
	make_threads(&pairing, block_loop_threads(&loop));
	if (block_loop_run(&loop, err) != 0) {
		goto out;
	}
	*pairs = join_threads(&pairing, &n);
	find_before(*pairs, n);
	result = (int64_t)n;
out:
	pairing_fini(&pairing);
	return result;
}
