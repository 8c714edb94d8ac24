/*
 * Evaluating on a chunk: every node turns a bitmap of rows that still matter into the bitmap of
 * those that match. AND hands on what is left, OR what is missing, so that columns that no row
 * needs are never decoded and costly conditions see few rows.
 *
 * Before a block's first chunk each leaf is pruned by the block's metadata, then by the values of
 * its column where these are few (filter_small.c); leaves that all rows meet, or none, cost nothing
 * more.
 */
#include "config.h"
#include "column/scan/filter_tree.h"

#include <stdlib.h>

#include "column/encode/column_bits.h"
#include "util/mem.h"
#include "util/order.h"

static bool
is_empty(const uint64_t *rows, uint32_t n_words)
{
	uint64_t any = 0;
	for (uint32_t w = 0; w < n_words; w++) {
		any |= rows[w];
	}
	return any == 0;
}

/* Rows of a chunk with some of them missing: which are present. */
static uint64_t
present_word(const uint64_t *presence, uint32_t n_present, uint32_t n, uint32_t word)
{
	return n_present == n ? UINT64_MAX : n_present == 0 ? 0 : presence[word];
}

static uint32_t
word_rows(uint32_t n, uint32_t word)
{
	uint32_t left = n - word * 64;
	return LEAST(left, 64);
}

static void
eval_range(const struct filter_range *range, const struct row_integers *integers, uint32_t n,
           uint64_t *out)
{
	const uint64_t lo = (uint64_t)range->lo, span = range->span;
	for (uint32_t w = 0; w * 64 < n; w++) {
		const int64_t *values = integers->values + w * 64;
		uint32_t rows = word_rows(n, w);
		uint64_t word = 0;
		for (uint32_t i = 0; i < rows; i++) {
			word |= (uint64_t)((uint64_t)values[i] - lo <= span) << i;
		}
		out[w] = (range->is_outside ? ~word : word) &
		         present_word(integers->presence, integers->n_present, n, w);
	}
}

/* IS NULL and IS NOT NULL of what is there. */
static void
eval_present(const struct filter_leaf *leaf, const struct row_integers *integers, uint32_t n,
             uint64_t *out)
{
	for (uint32_t w = 0; w * 64 < n; w++) {
		out[w] = leaf->is_negated
		             ? present_word(integers->presence, integers->n_present, n, w)
		             : 0;
	}
}

/* Conditions on numbers that are no ranges: IN, LIKE, reals ... row by row. */
static void
eval_values(struct filter_state *state, const struct filter_leaf *leaf,
            const struct row_integers *integers, int value_type, const uint64_t *active, uint32_t n,
            uint64_t *out)
{
	struct row_value value = {.type = value_type};
	for (uint32_t w = 0; w * 64 < n; w++) {
		uint64_t left =
		    active[w] & present_word(integers->presence, integers->n_present, n, w);
		out[w] = 0;
		for (; left; left &= left - 1) {
			uint32_t i = (uint32_t)__builtin_ctzll(left);
			value.integer = integers->values[w * 64 + i];
			if (value_type == VALUE_IS_REAL) {
				memcpy(&value.real, &value.integer, sizeof value.real);
			}
			out[w] |= (uint64_t)filter_leaf_accepts(state, leaf, &value) << i;
		}
	}
}

static void
eval_integers(struct filter_state *state, const struct filter_leaf *leaf,
              const struct row_integers *integers, int value_type, const uint64_t *active,
              uint32_t n, uint64_t *out)
{
	bool is_by_range = leaf->has_range &&
	                   (value_type == VALUE_IS_INTEGER || value_type == VALUE_IS_INTEGER_TEXT);
	if (integers->n_present == 0) {
		memset(out, 0, CHUNK_WORDS * sizeof *out);
	} else if (leaf->op == FILTER_IS_NULL && value_type != VALUE_IS_REAL) {
		eval_present(leaf, integers, n, out);
	} else if (is_by_range) {
		eval_range(&leaf->range, integers, n, out);
	} else {
		eval_values(state, leaf, integers, value_type, active, n, out);
	}
}

/* Decides the codes of some rows of a word, met for the first time. */
static uint64_t
decide_word(struct filter_state *state, const struct filter_leaf *leaf, bool is_lane,
            const uint32_t *map, const int64_t *values, uint64_t rows)
{
	uint64_t bits = 0;
	for (; rows; rows &= rows - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(rows), code = map[values[i]];
		bool is_yes = is_lane ? filter_leaf_accepts_lane(state, leaf, code)
		                      : filter_leaf_accepts_text(state, leaf, code);
		bits |= (uint64_t)is_yes << i;
	}
	return bits;
}

/* Verdicts by the source's codes, so that a row costs one look-up: made when the first block of a
 * source comes, filled as codes are met. */
static uint8_t *
source_verdicts(struct filter_state *state, const struct filter_leaf *leaf, bool is_lane,
                const struct block_view *view)
{
	struct filter_cache *cache = &state->caches[leaf->index];
	size_t n = is_lane ? view->source->n_lanes : view->source->n_texts;
	if (cache->source != view->source) {
		if (n > cache->capacity) {
			free(cache->verdicts);
			cache->verdicts = xcalloc(n, 1);
			cache->capacity = n;
		} else {
			memset(cache->verdicts, 0, n);
		}
		cache->source = view->source;
	}
	return cache->verdicts;
}

/* The lowest bits of eight bytes, the first byte's lowest. */
static uint64_t
low_bits(uint64_t eight)
{
	return (eight & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
}

static void
eval_codes(struct filter_state *state, const struct filter_leaf *leaf, bool is_lane,
           const struct row_codes *codes, const struct block_view *view, const uint64_t *active,
           uint64_t *out)
{
	if (codes->n_present == 0) {
		memset(out, 0, CHUNK_WORDS * sizeof *out);
		return;
	}
	uint8_t *verdicts = source_verdicts(state, leaf, is_lane, view);
	for (uint32_t w = 0; w * 64 < view->n; w++) {
		uint64_t yes = 0, known = 0,
			 wanted = active[w] &
		                  present_word(codes->presence, codes->n_present, view->n, w);
		const int64_t *values = codes->values + w * 64;
		uint32_t rows = wanted ? word_rows(view->n, w) : 0;
		uint32_t i = 0;
		for (; i + 8 <= rows; i += 8) {
			uint64_t eight = 0;
			for (uint32_t j = 0; j < 8; j++) {
				eight |= (uint64_t)verdicts[values[i + j]] << 8 * j;
			}
			yes |= low_bits(eight >> 1) << i;
			known |= low_bits(eight | eight >> 1) << i;
		}
		for (; i < rows; i++) {
			uint64_t verdict = verdicts[values[i]];
			yes |= (verdict >> 1) << i;
			known |= (verdict != VERDICT_UNKNOWN) * (UINT64_C(1) << i);
		}
		uint64_t new = wanted & ~known;
		if (new) {
			uint64_t decided =
			    decide_word(state, leaf, is_lane, codes->map, values, new);
			for (uint64_t left = new; left; left &= left - 1) {
				uint32_t at = (uint32_t)__builtin_ctzll(left);
				verdicts[values[at]] = decided >> at & 1 ? VERDICT_YES : VERDICT_NO;
			}
			yes |= decided;
		}
		out[w] = yes & wanted;
	}
}

static void
eval_local_texts(struct filter_state *state, const struct filter_leaf *leaf, uint32_t slot,
                 struct block_view *view, const uint64_t *active, uint64_t *out)
{
	struct row_value value = {.type = VALUE_IS_TEXT};
	for (uint32_t w = 0; w * 64 < view->n; w++) {
		out[w] = 0;
		for (uint64_t left = active[w]; left; left &= left - 1) {
			uint32_t i = (uint32_t)__builtin_ctzll(left);
			if (block_view_text(view, slot, view->row + w * 64 + i, &value.text)) {
				out[w] |= (uint64_t)filter_leaf_accepts(state, leaf, &value) << i;
			}
		}
	}
}

static int
arg_value_type(enum arg_type type)
{
	return type == ARG_UNSIGNED       ? VALUE_IS_UNSIGNED
	       : type == ARG_REAL         ? VALUE_IS_REAL
	       : type == ARG_INTEGER_TEXT ? VALUE_IS_INTEGER_TEXT
	                                  : VALUE_IS_INTEGER;
}

/* An argument has a column for each JSON type; a row has a value in at most one. */
static void
eval_argument(struct filter_state *state, const struct filter_leaf *leaf, struct block_view *view,
              const uint64_t *active, uint64_t *out)
{
	uint64_t bits[CHUNK_WORDS], has_value[CHUNK_WORDS] = {0};
	uint32_t n = view->n;
	memset(out, 0, CHUNK_WORDS * sizeof *out);
	for (int type = 0; type < ARG_TYPES && leaf->key != UINT32_MAX; type++) {
		uint32_t slot = leaf->arg_slots.slots[type];
		const struct chunk_column *column = block_view_column(view, slot);
		enum row_arg_storage storage = row_arg_storage((enum arg_type)type, column->info);
		if (storage == ROW_ARG_NONE || column->n_present == 0 || type == ARG_NULL) {
			continue;
		}
		struct row_integers integers = {column->values, column->presence,
		                                column->n_present};
		if (storage == ROW_ARG_LOCAL) {
			eval_local_texts(state, leaf, slot, view, active, bits);
		} else if (storage == ROW_ARG_CODES) {
			struct row_codes codes = row_codes_read(slot, false, view);
			eval_codes(state, leaf, false, &codes, view, active, bits);
		} else {
			eval_integers(state, leaf, &integers, arg_value_type((enum arg_type)type),
			              active, n, bits);
		}
		for (uint32_t w = 0; w * 64 < n; w++) {
			out[w] |= bits[w] & column->presence[w];
			has_value[w] |= column->presence[w];
		}
	}
	if (filter_leaf_accepts_null(leaf)) {
		for (uint32_t w = 0; w * 64 < n; w++) {
			out[w] |= ~has_value[w];
		}
	}
}

/* Adds the rows without a value where the condition holds for them. */
static void
add_missing(const struct filter_leaf *leaf, const uint64_t *presence, uint32_t n_present,
            uint32_t n, uint64_t *out)
{
	if (n_present < n && filter_leaf_accepts_null(leaf)) {
		for (uint32_t w = 0; w * 64 < n; w++) {
			out[w] |= ~present_word(presence, n_present, n, w);
		}
	}
}

static void
eval_leaf(struct filter_state *state, const struct filter_leaf *leaf, struct block_view *view,
          const uint64_t *active, uint64_t *out)
{
	enum filter_verdict verdict = state->leaf_verdicts[leaf->index];
	if (verdict != FILTER_SOME) {
		for (uint32_t w = 0; w < CHUNK_WORDS; w++) {
			out[w] = verdict == FILTER_ALL ? active[w] : 0;
		}
		return;
	}
	if (filter_leaf_small(state, leaf, view, out)) {
		/* nothing is missing */
	} else if (leaf->class == ROW_CLASS_ARG) {
		eval_argument(state, leaf, view, active, out);
	} else if (leaf->class == ROW_CLASS_TEXT || leaf->class == ROW_CLASS_LANE) {
		bool is_lane = leaf->class == ROW_CLASS_LANE;
		struct row_codes codes = row_codes_read(leaf->slots.field, is_lane, view);
		if (leaf->op == FILTER_IS_NULL && !is_lane) {
			struct row_integers present = {codes.values, codes.presence,
			                               codes.n_present};
			eval_present(leaf, &present, view->n, out);
		} else {
			eval_codes(state, leaf, is_lane, &codes, view, active, out);
		}
		add_missing(leaf, codes.presence, codes.n_present, view->n, out);
	} else {
		struct row_integers integers =
		    row_column_read(leaf->column, &leaf->slots, view, state->scratch);
		int type = leaf->class == ROW_CLASS_REAL ? VALUE_IS_REAL : VALUE_IS_INTEGER;
		eval_integers(state, leaf, &integers, type, active, view->n, out);
		add_missing(leaf, integers.presence, integers.n_present, view->n, out);
		if (filter_leaf_is_of_calls(leaf, view->info)) {
			filter_leaf_eval_calls(state, leaf, view, active, out);
		}
	}
	for (uint32_t w = 0; w < CHUNK_WORDS; w++) {
		out[w] = w * 64 < view->n ? out[w] & active[w] : 0;
	}
}

/* Of an AND's conditions the one to begin with: on a column of few values that accepts the fewest
 * of them; NULL: any. */
static const struct filter_node *
strictest(const struct filter_state *state, const struct filter_node *node)
{
	const struct filter_node *found = NULL;
	unsigned fewest = SMALL_INDICES;
	for (const struct filter_node *child = node->child; child; child = child->next) {
		const struct filter_small *small =
		    child->type == FILTER_LEAF ? &state->smalls[child->leaf->index] : NULL;
		if (small && small->is_known && small->n_accepted < fewest &&
		    state->leaf_verdicts[child->leaf->index] == FILTER_SOME) {
			fewest = small->n_accepted;
			found = child;
		}
	}
	return found;
}

static void eval_node(struct filter_state *state, const struct filter_node *node,
                      struct block_view *view, const uint64_t *active, uint64_t *out);

static void
eval_and(struct filter_state *state, const struct filter_node *node, struct block_view *view,
         const uint64_t *active, uint64_t *out)
{
	uint64_t left[CHUNK_WORDS];
	const struct filter_node *first = strictest(state, node);
	memcpy(out, active, CHUNK_WORDS * sizeof *out);
	if (first) {
		eval_leaf(state, first->leaf, view, active, out);
	}
	for (const struct filter_node *child = node->child; child && !is_empty(out, CHUNK_WORDS);
	     child = child->next) {
		if (child != first) {
			memcpy(left, out, sizeof left);
			eval_node(state, child, view, left, out);
		}
	}
}

static void
eval_or(struct filter_state *state, const struct filter_node *node, struct block_view *view,
        const uint64_t *active, uint64_t *out)
{
	uint64_t left[CHUNK_WORDS], found[CHUNK_WORDS];
	memcpy(left, active, sizeof left);
	memset(out, 0, CHUNK_WORDS * sizeof *out);
	for (const struct filter_node *child = node->child; child && !is_empty(left, CHUNK_WORDS);
	     child = child->next) {
		eval_node(state, child, view, left, found);
		for (uint32_t w = 0; w < CHUNK_WORDS; w++) {
			out[w] |= found[w];
			left[w] &= ~found[w];
		}
	}
}

static void
eval_node(struct filter_state *state, const struct filter_node *node, struct block_view *view,
          const uint64_t *active, uint64_t *out)
{
	if (node->type == FILTER_LEAF) {
		eval_leaf(state, node->leaf, view, active, out);
	} else if (node->type == FILTER_AND) {
		eval_and(state, node, view, active, out);
	} else {
		eval_or(state, node, view, active, out);
	}
}

static void
prune_leaves(struct filter_state *state, const struct block_info *block)
{
	if (state->block != block) {
		for (uint32_t i = 0; i < state->filter->n_leaves; i++) {
			state->leaf_verdicts[i] =
			    filter_leaf_prune(state, state->filter->leaves[i], block);
		}
		state->block = block;
		state->open_block = NULL;
	}
}

static enum filter_verdict
prune_node(const struct filter_state *state, const struct filter_node *node)
{
	if (node->type == FILTER_LEAF) {
		return state->leaf_verdicts[node->leaf->index];
	}
	if (node->type == FILTER_FALSE) {
		return FILTER_NONE;
	}
	bool is_and = node->type == FILTER_AND;
	enum filter_verdict whole = is_and ? FILTER_ALL : FILTER_NONE;
	for (const struct filter_node *child = node->child; child; child = child->next) {
		enum filter_verdict verdict = prune_node(state, child);
		whole = is_and ? LEAST(verdict, whole) : MOST(verdict, whole);
	}
	return whole;
}

static bool
leaf_accepts_total(struct filter_state *state, const struct filter_leaf *leaf,
                   const struct dataset_total *total)
{
	if (leaf->class == ROW_CLASS_LANE) {
		return filter_leaf_accepts_lane(state, leaf, total->lane);
	}
	return filter_leaf_accepts_text(state, leaf,
	                                leaf->column == ROW_NAME ? total->name : total->category);
}

static bool
node_accepts_total(struct filter_state *state, const struct filter_node *node,
                   const struct dataset_total *total)
{
	if (node->type == FILTER_LEAF) {
		return leaf_accepts_total(state, node->leaf, total);
	}
	bool is_and = node->type == FILTER_AND, whole = is_and;
	for (const struct filter_node *child = node->child; child && whole == is_and;
	     child = child->next) {
		whole = node_accepts_total(state, child, total);
	}
	return whole;
}

bool
filter_accepts_total(struct filter_state *state, const struct dataset_total *total)
{
	return !state->filter->root || node_accepts_total(state, state->filter->root, total);
}

bool
filter_fits_totals(const struct filter *filter)
{
	for (uint32_t i = 0; i < filter->n_leaves; i++) {
		const struct filter_leaf *leaf = filter->leaves[i];
		if (leaf->class != ROW_CLASS_LANE && leaf->column != ROW_NAME &&
		    leaf->column != ROW_CATEGORY) {
			return false;
		}
	}
	return true;
}

bool
filter_takes_all(const struct filter *filter)
{
	return !filter->root;
}

bool
filter_is_of_lanes(const struct filter *filter)
{
	uint32_t i = 0;
	while (i < filter->n_leaves && filter->leaves[i]->class == ROW_CLASS_LANE) {
		i++;
	}
	return i == filter->n_leaves;
}

enum filter_verdict
filter_prune(struct filter_state *state, const struct block_info *block)
{
	if (!state->filter->root) {
		return FILTER_ALL;
	}
	prune_leaves(state, block);
	return prune_node(state, state->filter->root);
}

enum filter_verdict
filter_open(struct filter_state *state, struct block_view *view)
{
	if (!state->filter->root) {
		return FILTER_ALL;
	}
	prune_leaves(state, view->info);
	if (state->open_block != view->info) {
		for (uint32_t i = 0; i < state->filter->n_leaves; i++) {
			if (state->leaf_verdicts[i] == FILTER_SOME) {
				filter_leaf_open(state, state->filter->leaves[i], view);
			}
		}
		state->open_block = view->info;
	}
	return prune_node(state, state->filter->root);
}

uint32_t
filter_chunk(struct filter_state *state, struct block_view *view, uint64_t matches[CHUNK_WORDS])
{
	uint64_t all[CHUNK_WORDS];
	uint32_t n = 0;
	for (uint32_t w = 0; w < CHUNK_WORDS; w++) {
		uint32_t rows = w * 64 < view->n ? word_rows(view->n, w) : 0;
		all[w] = rows == 64 ? UINT64_MAX : (UINT64_C(1) << rows) - 1;
	}
	if (!state->filter->root) {
		memcpy(matches, all, sizeof all);
		return view->n;
	}
	filter_open(state, view);
	eval_node(state, state->filter->root, view, all, matches);
	for (uint32_t w = 0; w < CHUNK_WORDS; w++) {
		n += bits_count(matches[w]);
	}
	return n;
}
