/*
 * Records that stand for many calls, under a filter.
 *
 * A condition on duration, self or size is about calls, and all that a record tells of its calls is
 * between which bounds they lie. So it holds for the record if it holds whatever lies within them,
 * and fails if it holds for nothing there; else it can't be decided: the record is left out, as
 * those are for which a condition is neither true nor false, and a census (filter_census.c) tells
 * how many calls that were.
 *
 * That is found by evaluating twice: with the undecided taken for false, which gives the rows that
 * match, and with them taken for true. As a tree has no NOT, more leaves that hold never make a row
 * fail; what only the second gives is undecided.
 *
 * Bounds: of a duration the shortest and the longest call; of self time 0 and the longest call, for
 * calls within calls are not told apart; of a size its extremes. Where these are not known, no
 * duration or size is below 0, and no size is above that of all calls together.
 */
#include "config.h"
#include "column/scan/filter_tree.h"

#include "util/intervals.h"
#include "util/order.h"

void
filter_leaf_bind_calls(struct filter_leaf *leaf, struct block_fields *fields)
{
	bool is_size = leaf->column == ROW_SIZE;
	leaf->calls_slots = (struct filter_calls_slots){
	    .calls = block_fields_add(fields, FIELD_CALLS),
	    .min = block_fields_add(fields, is_size ? FIELD_SIZE_MIN : FIELD_CALL_MIN),
	    .max = block_fields_add(fields, is_size ? FIELD_SIZE_MAX : FIELD_CALL_MAX),
	};
}

static bool
value_at(struct block_view *view, uint32_t slot, uint32_t row, int64_t *value)
{
	const struct chunk_column *column = block_view_column(view, slot);
	if (!column->info || column->info->type != COLUMN_INTEGER || column->n_present == 0 ||
	    !(column->presence[row / 64] >> row % 64 & 1)) {
		return false;
	}
	*value = column->values[row];
	return true;
}

/* False: no call has a value. */
static bool
bounds_at(const struct filter_leaf *leaf, struct block_view *view, uint32_t row, int64_t *min,
          int64_t *max)
{
	int64_t all = INT64_MAX;
	if (leaf->column == ROW_SIZE && !value_at(view, leaf->slots.field, row, &all)) {
		return false;
	}
	if (!value_at(view, leaf->calls_slots.min, row, min) || leaf->column == ROW_SELF) {
		*min = LEAST(all, 0);
	}
	if (!value_at(view, leaf->calls_slots.max, row, max)) {
		*max = all;
	}
	if (*min > *max) { /* damaged: nothing is known */
		*min = INT64_MIN;
		*max = INT64_MAX;
	}
	return true;
}

static bool
list_reaches(const struct filter_leaf *leaf, int64_t min, int64_t max)
{
	const struct row_value low = {.type = VALUE_IS_INTEGER, .integer = min},
			       high = {.type = VALUE_IS_INTEGER, .integer = max};
	for (size_t i = 0; i < leaf->n_list; i++) {
		if (row_value_compare(&low, &leaf->list[i]) <= 0 &&
		    row_value_compare(&high, &leaf->list[i]) >= 0) {
			return true;
		}
	}
	return false;
}

static enum filter_verdict
decide(struct filter_state *state, const struct filter_leaf *leaf, int64_t min, int64_t max)
{
	const struct row_value value = {.type = VALUE_IS_INTEGER, .integer = min};
	bool is_whole = leaf->op == FILTER_IS_NULL || min == max ||
	                (leaf->op == FILTER_IN && !list_reaches(leaf, min, max));
	if (is_whole) { /* one for all */
		return filter_leaf_accepts(state, leaf, &value) ? FILTER_ALL : FILTER_NONE;
	}
	return leaf->has_range ? filter_leaf_prune_between(leaf, min, max) : FILTER_SOME;
}

void
filter_leaf_eval_calls(struct filter_state *state, const struct filter_leaf *leaf,
                       struct block_view *view, const uint64_t *active, uint64_t *out)
{
	const struct chunk_column *calls = block_view_column(view, leaf->calls_slots.calls);
	for (uint32_t w = 0; calls->n_present > 0 && w * 64 < view->n; w++) {
		for (uint64_t left = calls->presence[w] & active[w]; left; left &= left - 1) {
			uint32_t bit = (uint32_t)__builtin_ctzll(left);
			int64_t min, max;
			enum filter_verdict verdict =
			    bounds_at(leaf, view, w * 64 + bit, &min, &max)
				? decide(state, leaf, min, max)
			    : filter_leaf_accepts_null(leaf) ? FILTER_ALL
							     : FILTER_NONE;
			bool is_taken = verdict == FILTER_ALL ||
			                (verdict == FILTER_SOME && state->takes_undecided);
			out[w] &= ~(UINT64_C(1) << bit);
			out[w] |= (uint64_t)is_taken << bit;
		}
	}
}
