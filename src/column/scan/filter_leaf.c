/*
 * One condition on one value, and what can be known without looking at values.
 *
 * Conditions on texts and lanes are decided once for each code, when it is first met, and
 * remembered in a byte. The bytes are shared by all threads without locks: two threads may decide
 * the same code twice, but they decide alike.
 */
#include "config.h"
#include "column/scan/filter_tree.h"

#include <math.h>
#include "util/order.h"

/* To prune a block decide at most so many codes, or one for so many of its rows: much less than
 * looking at these. */
#define PRUNE_CODES 256
#define ROWS_A_CODE 8

static bool
list_has(const struct filter_leaf *leaf, const struct row_value *value)
{
	size_t low = 0;

	ORDER_FIND(low, leaf->n_list, middle, row_value_compare(value, &leaf->list[middle]) > 0);
	return low < leaf->n_list && row_value_compare(value, &leaf->list[low]) == 0;
}

/* A text that is an integer is found as either; the list is sorted for one kind at a time. */
static bool
list_has_any(const struct filter_leaf *leaf, const struct row_value *value)
{
	if (value->type != VALUE_IS_INTEGER_TEXT && value->type != VALUE_IS_UNSIGNED) {
		return list_has(leaf, value);
	}
	char digits[ROW_VALUE_DIGITS];
	struct row_value text = {.type = VALUE_IS_TEXT, .text = row_value_text(value, digits)};
	struct row_value number = {.type = VALUE_IS_INTEGER, .integer = value->integer};
	if (value->type == VALUE_IS_UNSIGNED) {
		number = (struct row_value){.type = VALUE_IS_REAL,
		                            .real = (double)(uint64_t)value->integer};
	}
	return list_has(leaf, &text) || list_has(leaf, &number);
}

static struct regex *
leaf_regex(struct filter_state *state, const struct filter_leaf *leaf)
{
	struct regex **regex = &state->regexes[leaf->index];
	if (!*regex) {
		struct err err = ERR_INIT;
		*regex = regex_compile(leaf->value.text,
		                       &err); /* succeeded when the filter was compiled */
	}
	return *regex;
}

static bool
matches_pattern(struct filter_state *state, const struct filter_leaf *leaf,
                const struct row_value *value)
{
	char digits[ROW_VALUE_DIGITS];
	struct slice text = row_value_text(value, digits);
	if (leaf->op == FILTER_LIKE) {
		return text_like(text, leaf->value.text, leaf->escape);
	}
	if (leaf->op == FILTER_GLOB) {
		return text_glob(text, leaf->value.text);
	}
	struct regex *regex = leaf_regex(state, leaf);
	return regex && regex_matches(regex, text);
}

bool
filter_leaf_accepts_null(const struct filter_leaf *leaf)
{
	if (leaf->op == FILTER_IN) {
		return leaf->is_negated && leaf->n_list == 0 &&
		       !leaf->list_has_null; /* NOT IN () */
	}
	return leaf->op == FILTER_IS_NULL && !leaf->is_negated;
}

bool
filter_leaf_accepts(struct filter_state *state, const struct filter_leaf *leaf,
                    const struct row_value *value)
{
	if (value->type == VALUE_IS_NULL || (value->type == VALUE_IS_REAL && isnan(value->real))) {
		return filter_leaf_accepts_null(leaf);
	}
	switch (leaf->op) {
	case FILTER_IN:
		if (list_has_any(leaf, value)) {
			return !leaf->is_negated;
		}
		return leaf->is_negated && !leaf->list_has_null;
	case FILTER_LIKE:
	case FILTER_GLOB:
	case FILTER_REGEXP:
		return matches_pattern(state, leaf, value) != leaf->is_negated;
	case FILTER_IS_NULL:
		return leaf->is_negated;
	default:
		break;
	}
	int order = row_value_compare(value, &leaf->value);
	switch (leaf->op) {
	case FILTER_EQUAL:
		return order == 0;
	case FILTER_UNEQUAL:
		return order != 0;
	case FILTER_LESS:
		return order < 0;
	case FILTER_LESS_EQUAL:
		return order <= 0;
	case FILTER_GREATER:
		return order > 0;
	default:
		return order >= 0;
	}
}

static bool
accepts_scan_value(struct filter_state *state, const struct filter_leaf *leaf,
                   const struct scan_value *value)
{
	struct row_value row = {.type = value->type == SCAN_TEXT      ? VALUE_IS_TEXT
	                                : value->type == SCAN_INTEGER ? VALUE_IS_INTEGER
	                                                              : VALUE_IS_NULL,
	                        .integer = value->integer,
	                        .text = value->text};
	return filter_leaf_accepts(state, leaf, &row);
}

static bool
decide_text(struct filter_state *state, const struct filter_leaf *leaf, uint32_t code)
{
	struct scan_value value = row_text_value(state->filter->dataset, leaf->column, code);
	return accepts_scan_value(state, leaf, &value);
}

static bool
decide_lane(struct filter_state *state, const struct filter_leaf *leaf, uint32_t code)
{
	struct scan_value value = row_lane_value(state->filter->dataset, leaf->column, code);
	return accepts_scan_value(state, leaf, &value);
}

static bool
accepts_code(struct filter_state *state, const struct filter_leaf *leaf, _Atomic uint8_t *verdicts,
             uint32_t n, uint32_t code,
             bool (*decide)(struct filter_state *state, const struct filter_leaf *leaf,
                            uint32_t code))
{
	if (code >= n) {
		return filter_leaf_accepts_null(leaf);
	}
	uint8_t verdict = atomic_load_explicit(&verdicts[code], memory_order_relaxed);
	if (verdict == VERDICT_UNKNOWN) {
		verdict = decide(state, leaf, code) ? VERDICT_YES : VERDICT_NO;
		atomic_store_explicit(&verdicts[code], verdict, memory_order_relaxed);
	}
	return verdict == VERDICT_YES;
}

bool
filter_leaf_accepts_text(struct filter_state *state, const struct filter_leaf *leaf, uint32_t code)
{
	return accepts_code(state, leaf, leaf->text_verdicts, state->filter->dataset->n_texts, code,
	                    decide_text);
}

bool
filter_leaf_accepts_lane(struct filter_state *state, const struct filter_leaf *leaf, uint32_t lane)
{
	return accepts_code(state, leaf, leaf->lane_verdicts, state->filter->dataset->n_lanes, lane,
	                    decide_lane);
}

static struct filter_range
range_between(int64_t lo, int64_t hi)
{
	return (struct filter_range){lo, (uint64_t)hi - (uint64_t)lo, false};
}

static struct filter_range
range_none(void)
{
	return (struct filter_range){INT64_MIN, UINT64_MAX, true};
}

/* Integers v with `v op bound`. */
static struct filter_range
range_of(enum filter_op op, int64_t bound)
{
	switch (op) {
	case FILTER_EQUAL:
		return range_between(bound, bound);
	case FILTER_UNEQUAL:
		return (struct filter_range){bound, 0, true};
	case FILTER_LESS:
		return bound == INT64_MIN ? range_none() : range_between(INT64_MIN, bound - 1);
	case FILTER_LESS_EQUAL:
		return range_between(INT64_MIN, bound);
	case FILTER_GREATER:
		return bound == INT64_MAX ? range_none() : range_between(bound + 1, INT64_MAX);
	default:
		return range_between(bound, INT64_MAX);
	}
}

void
filter_leaf_set_range(struct filter_leaf *leaf)
{
	const double limit = 9223372036854775808.0;
	enum filter_op op = leaf->op;
	leaf->has_range = leaf->value.type != SCAN_TEXT;
	if (leaf->value.type == SCAN_INTEGER) {
		leaf->range = range_of(op, leaf->value.integer);
	} else if (leaf->value.type == SCAN_REAL) {
		double real = leaf->value.real, whole = floor(real);
		bool is_less = op == FILTER_LESS || op == FILTER_LESS_EQUAL,
		     is_beyond = real >= limit || real < -limit;
		if (is_beyond) {
			bool is_all =
			    op == FILTER_UNEQUAL || (op != FILTER_EQUAL && is_less == (real > 0));
			leaf->range = is_all ? range_between(INT64_MIN, INT64_MAX) : range_none();
		} else if (whole == real) {
			leaf->range = range_of(op, (int64_t)whole);
		} else if (op == FILTER_EQUAL || op == FILTER_UNEQUAL) {
			leaf->range =
			    op == FILTER_EQUAL ? range_none() : range_between(INT64_MIN, INT64_MAX);
		} else { /* between whole and whole + 1 */
			leaf->range =
			    range_of(is_less ? FILTER_LESS_EQUAL : FILTER_GREATER, (int64_t)whole);
		}
	}
}

/* All values are within min ... max, some rows may have none. */
static enum filter_verdict
prune_integers(const struct filter_leaf *leaf, int64_t min, int64_t max, bool has_missing)
{
	const struct filter_range *range = &leaf->range;
	bool is_min_in = (uint64_t)min - (uint64_t)range->lo <= range->span;
	bool is_max_in = (uint64_t)max - (uint64_t)range->lo <= range->span;
	int64_t hi = (int64_t)((uint64_t)range->lo + range->span);
	bool is_all_in = is_min_in && is_max_in, is_all_out = max < range->lo || min > hi;
	bool is_none = range->is_outside ? is_all_in : is_all_out,
	     is_all = range->is_outside ? is_all_out : is_all_in;
	if (min > max) {
		return FILTER_SOME; /* damaged metadata */
	}
	return is_none ? FILTER_NONE : is_all && !has_missing ? FILTER_ALL : FILTER_SOME;
}

enum filter_verdict
filter_leaf_prune_between(const struct filter_leaf *leaf, int64_t min, int64_t max)
{
	return prune_integers(leaf, min, max, false);
}

static enum filter_verdict
verdict_of_null(const struct filter_leaf *leaf)
{
	return filter_leaf_accepts_null(leaf) ? FILTER_ALL : FILTER_NONE;
}

/* IS NULL and IS NOT NULL, of a column in which each code stands for a text. */
static enum filter_verdict
prune_present(const struct filter_leaf *leaf, const struct block_info *block,
              const struct column_info *info)
{
	bool is_all = info->n_present == block->n_rows, is_none = info->n_present == 0;

	return !is_all && !is_none          ? FILTER_SOME
	       : is_all == leaf->is_negated ? FILTER_ALL
	                                    : FILTER_NONE;
}

static enum filter_verdict
prune_codes(struct filter_state *state, const struct filter_leaf *leaf,
            const struct block_info *block, const struct column_info *info)
{
	const struct dataset_source *source = &state->filter->dataset->sources[block->source];
	bool is_lane = leaf->class == ROW_CLASS_LANE;
	uint32_t n = is_lane ? source->n_lanes : source->n_texts;
	const uint32_t *map = is_lane ? source->lanes : source->texts;
	const int64_t most = MOST(PRUNE_CODES, block->n_rows / ROWS_A_CODE);
	if (info->min < 0 || info->max < info->min || info->max >= n) {
		return FILTER_SOME;
	}
	if (leaf->op == FILTER_IS_NULL && !is_lane) {
		return prune_present(leaf, block, info);
	}
	if (info->max - info->min >= most) {
		return FILTER_SOME;
	}
	bool has_missing = info->n_present < block->n_rows,
	     accepts_null = filter_leaf_accepts_null(leaf);
	bool is_any = has_missing && accepts_null, is_all = !has_missing || accepts_null;
	for (int64_t code = info->min; code <= info->max && (is_all || !is_any); code++) {
		bool is_yes = is_lane ? filter_leaf_accepts_lane(state, leaf, map[code])
		                      : filter_leaf_accepts_text(state, leaf, map[code]);
		is_any |= is_yes;
		is_all &= is_yes;
	}
	return is_all ? FILTER_ALL : is_any ? FILTER_SOME : FILTER_NONE;
}

static enum filter_verdict
prune_number_column(const struct filter_leaf *leaf, const struct block_info *block)
{
	struct row_range range = row_column_range(leaf->column, block);
	if (range.type == RANGE_EMPTY) {
		return verdict_of_null(leaf);
	}
	return range.type == RANGE_KNOWN && leaf->has_range
	           ? prune_integers(leaf, range.min, range.max, range.has_missing)
	           : FILTER_SOME;
}

bool
filter_leaf_is_of_calls(const struct filter_leaf *leaf, const struct block_info *block)
{
	const struct column_info *calls =
	    leaf->is_of_calls ? block_column(block, FIELD_CALLS) : NULL;
	return calls && calls->type == COLUMN_INTEGER;
}

enum filter_verdict
filter_leaf_prune(struct filter_state *state, const struct filter_leaf *leaf,
                  const struct block_info *block)
{
	if (leaf->class == ROW_CLASS_TEXT || leaf->class == ROW_CLASS_LANE) {
		bool is_lane = leaf->class == ROW_CLASS_LANE;
		const struct column_info *info =
		    block_column(block, row_columns[leaf->column].field);
		return info && info->type == (is_lane ? COLUMN_INTEGER : COLUMN_TEXT)
		           ? prune_codes(state, leaf, block, info)
		           : verdict_of_null(leaf);
	}
	if (filter_leaf_is_of_calls(leaf, block)) {
		return FILTER_SOME;
	}
	if (leaf->class == ROW_CLASS_INTEGER) {
		return prune_number_column(leaf, block);
	}
	if (leaf->class == ROW_CLASS_ARG) {
		bool is_absent = true;
		for (int type = 0; type < ARG_TYPES && leaf->key != UINT32_MAX; type++) {
			is_absent &=
			    !block_column(block, field_arg(leaf->key, (enum arg_type)type));
		}
		return is_absent ? verdict_of_null(leaf) : FILTER_SOME;
	}
	return FILTER_SOME;
}
