/*
 * Conditions on columns of few values: decided once for each value of the block. Where that leaves
 * no doubt the block's rows are not looked at; else a row is a byte, and as a condition mostly
 * accepts or refuses one or two of the values, bytes are compared with these, eight at a time.
 */
#include "config.h"
#include "column/scan/filter_tree.h"

#define EACH_BYTE UINT64_C(0x0101010101010101)

/* The column's slot, if what the condition asks of a row stands in one column. */
static bool
slot_of(const struct filter_leaf *leaf, uint32_t *slot)
{
	*slot = leaf->slots.field;
	return leaf->class == ROW_CLASS_TEXT || leaf->class == ROW_CLASS_LANE ||
	       leaf->column == ROW_SIZE || leaf->column == ROW_DURATION;
}

static bool
accepts_value(struct filter_state *state, const struct filter_leaf *leaf,
              const struct dataset_source *source, int64_t value)
{
	struct row_value number = {.type = VALUE_IS_INTEGER, .integer = value};
	switch (leaf->class) {
	case ROW_CLASS_TEXT:
		return filter_leaf_accepts_text(state, leaf, source->texts[value]);
	case ROW_CLASS_LANE:
		return filter_leaf_accepts_lane(state, leaf, source->lanes[value]);
	default:
		return filter_leaf_accepts(state, leaf, &number);
	}
}

/* Lists the accepted indices or the others, whichever are fewer. */
static void
list_indices(struct filter_small *small, unsigned n_indices, unsigned n_accepted)
{
	small->lists_accepted = n_accepted <= n_indices / 2;
	unsigned n = small->lists_accepted ? n_accepted : n_indices - n_accepted;
	small->is_listed = n <= LISTED_INDICES;
	small->n_listed = 0;
	for (unsigned i = 0; small->is_listed && i < n_indices; i++) {
		if (small->accepts[i] == small->lists_accepted) {
			small->listed[small->n_listed++] = (uint8_t)i;
		}
	}
}

void
filter_leaf_open(struct filter_state *state, const struct filter_leaf *leaf,
                 struct block_view *view)
{
	struct filter_small *small = &state->smalls[leaf->index];
	struct few_values column;
	uint32_t slot;
	small->is_known = !filter_leaf_is_of_calls(leaf, view->info) && slot_of(leaf, &slot) &&
	                  block_view_values(view, slot, &column);
	if (!small->is_known) {
		return;
	}
	unsigned n_accepted = 0, n_indices = column.n_values + 1;
	for (unsigned i = 0; i < n_indices; i++) {
		small->accepts[i] =
		    i == column.n_values
			? column.has_absent && filter_leaf_accepts_null(leaf)
			: accepts_value(state, leaf, view->source, column.values[i]);
		n_accepted += small->accepts[i];
	}
	small->n_accepted = n_accepted;
	list_indices(small, n_indices, n_accepted);
	if (n_accepted == 0) {
		state->leaf_verdicts[leaf->index] = FILTER_NONE;
	} else if (n_accepted == n_indices - !column.has_absent) {
		state->leaf_verdicts[leaf->index] = FILTER_ALL;
	}
}

/* Moves the highest bit of each byte to the lowest eight bits, the first byte's lowest. */
static inline uint64_t
high_bits(uint64_t eight)
{
	return (eight >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static void
eval_listed(const struct filter_small *small, const uint8_t *indices, uint32_t n, uint64_t *out)
{
	const uint64_t below = 0x7f * EACH_BYTE;
	uint64_t wanted[LISTED_INDICES];
	for (unsigned k = 0; k < LISTED_INDICES; k++) { /* the last one again and again */
		unsigned listed = k < small->n_listed ? k : small->n_listed - 1u;
		wanted[k] = small->listed[listed] * EACH_BYTE;
	}
	for (uint32_t w = 0; w * 64 < n; w++) {
		uint64_t word = 0;
		for (uint32_t i = 0; i < 64; i += 8) {
			uint64_t eight;
			memcpy(&eight, indices + w * 64 + i, sizeof eight);
			/* A byte below 128 is 0 if adding 127 leaves its highest bit 0. */
			uint64_t none = (eight ^ wanted[0]) + below;
			none &= (eight ^ wanted[1]) + below;
			none &= (eight ^ wanted[2]) + below;
			word |= high_bits(~none & 0x80 * EACH_BYTE) << i;
		}
		out[w] = small->lists_accepted ? word : ~word;
	}
}

static void
eval_table(const struct filter_small *small, const uint8_t *indices, uint32_t n, uint64_t *out)
{
	for (uint32_t w = 0; w * 64 < n; w++) {
		uint64_t word = 0;
		for (uint32_t i = 0; i < 64; i++) {
			word |= (uint64_t)small->accepts[indices[w * 64 + i]] << i;
		}
		out[w] = word;
	}
}

bool
filter_leaf_small(struct filter_state *state, const struct filter_leaf *leaf,
                  struct block_view *view, uint64_t *out)
{
	const struct filter_small *small = &state->smalls[leaf->index];
	struct few_values column;
	if (!small->is_known || !block_view_small(view, leaf->slots.field, &column)) {
		return false;
	}
	if (small->is_listed && small->n_listed > 0) {
		eval_listed(small, column.indices, view->n, out);
	} else {
		eval_table(small, column.indices, view->n, out);
	}
	return true;
}
