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

#include "column/scan/pathname.h"
#include "util/intervals.h"

#define PRUNE_CODES 256 /* decide at most so many codes to prune a block */

static bool
list_has(const struct filter_leaf *leaf, const struct row_value *value)
{
	size_t low = 0, high = leaf->n_list;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = row_value_compare(value, &leaf->list[middle]);
		if (order == 0) {
			return true;
		}
		if (order < 0) {
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	return false;
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
decide_text(struct filter_state *state, const struct filter_leaf *leaf, uint32_t code)
{
	struct row_value value = {.type = VALUE_IS_TEXT,
	                          .text = state->filter->dataset->texts[code]};
	if (leaf->column == ROW_BASENAME) {
		value.text = path_basename(value.text);
	} else if (leaf->column == ROW_DIRNAME) {
		value.text = path_dirname(value.text);
	} else if (leaf->column == ROW_PATH_CLASS) {
		value.text = dataset_class_of(state->filter->dataset, value.text);
	}
	return filter_leaf_accepts(state, leaf, &value);
}

static struct row_value
text_value(const struct dataset *dataset, uint32_t code)
{
	if (code >= dataset->n_texts) {
		return (struct row_value){.type = VALUE_IS_NULL};
	}
	return (struct row_value){.type = VALUE_IS_TEXT, .text = dataset->texts[code]};
}

static struct row_value
ident_value(const struct dataset *dataset, const struct ident *ident)
{
	if (ident->type == IDENT_INTEGER) {
		return (struct row_value){.type = VALUE_IS_INTEGER, .integer = ident->integer};
	}
	return text_value(dataset, ident->type == IDENT_TEXT ? ident->text : TEXT_NONE);
}

static bool
decide_lane(struct filter_state *state, const struct filter_leaf *leaf, uint32_t code)
{
	const struct dataset *dataset = state->filter->dataset;
	const struct dataset_lane *lane = &dataset->lanes[code];
	struct row_value value;
	switch (leaf->column) {
	case ROW_LANE:
		value = (struct row_value){.type = VALUE_IS_INTEGER, .integer = code};
		break;
	case ROW_LANE_NAME:
		value = text_value(dataset, lane->name);
		break;
	case ROW_HOST:
		value = text_value(dataset, lane->host);
		break;
	case ROW_KIND:
		value = (struct row_value){.type = VALUE_IS_TEXT,
		                           .text = slice_of(lane_kind_name(lane->kind))};
		break;
	default:
		value = ident_value(dataset,
		                    leaf->column == ROW_PROCESS ? &lane->process : &lane->thread);
		break;
	}
	return filter_leaf_accepts(state, leaf, &value);
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

static enum filter_verdict
prune_codes(struct filter_state *state, const struct filter_leaf *leaf,
            const struct block_info *block, const struct column_info *info)
{
	const struct dataset_source *source = &state->filter->dataset->sources[block->source];
	bool is_lane = leaf->class == ROW_CLASS_LANE;
	uint32_t n = is_lane ? source->n_lanes : source->n_texts;
	const uint32_t *map = is_lane ? source->lanes : source->texts;
	if (info->min < 0 || info->max < info->min || info->max - info->min >= PRUNE_CODES ||
	    info->max >= n) {
		return FILTER_SOME;
	}
	bool has_missing = info->n_present < block->n_rows,
	     accepts_null = filter_leaf_accepts_null(leaf);
	bool is_any = has_missing && accepts_null, is_all = !has_missing || accepts_null;
	for (int64_t code = info->min; code <= info->max; code++) {
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
	static const uint32_t fields[ROW_COLUMNS] = {
	    [ROW_SIZE] = FIELD_SIZE,         [ROW_DURATION] = FIELD_DURATION,
	    [ROW_DEPTH] = FIELD_DEPTH,       [ROW_CALLS] = FIELD_CALLS,
	    [ROW_CALL_SUM] = FIELD_CALL_SUM, [ROW_CALL_MIN] = FIELD_CALL_MIN,
	    [ROW_CALL_MAX] = FIELD_CALL_MAX, [ROW_SIZE_MIN] = FIELD_SIZE_MIN,
	    [ROW_SIZE_MAX] = FIELD_SIZE_MAX, [ROW_UNFINISHED] = FIELD_UNFINISHED,
	    [ROW_START] = FIELD_START};
	const struct column_info *info =
	    fields[leaf->column] ? block_column(block, fields[leaf->column]) : NULL;
	int64_t missing = leaf->column == ROW_CALLS;
	bool has_default = leaf->column == ROW_DEPTH || leaf->column == ROW_CALLS;
	if (leaf->column == ROW_ID && leaf->has_range) {
		return prune_integers(leaf, block->first_id,
		                      time_add(block->first_id, (int64_t)block->n_rows - 1), false);
	}
	if (leaf->column == ROW_START && leaf->has_range) {
		return prune_integers(leaf, block->start_min, block->start_max, false);
	}
	if (leaf->column == ROW_END && leaf->has_range) {
		return prune_integers(leaf, block->start_min, block->end_max, false);
	}
	if (!fields[leaf->column]) {
		return FILTER_SOME;
	}
	if (!info && !has_default) {
		return verdict_of_null(leaf);
	}
	if (!leaf->has_range) {
		return FILTER_SOME;
	}
	if (!info) {
		return prune_integers(leaf, missing, missing, false);
	}
	int64_t min = info->min, max = info->max;
	bool has_missing = info->n_present < block->n_rows;
	if (has_default && has_missing) {
		min = min < missing ? min : missing;
		max = max > missing ? max : missing;
	}
	return prune_integers(leaf, min, max, has_missing && !has_default);
}

enum filter_verdict
filter_leaf_prune(struct filter_state *state, const struct filter_leaf *leaf,
                  const struct block_info *block)
{
	if (leaf->class == ROW_CLASS_TEXT || leaf->class == ROW_CLASS_LANE) {
		bool is_lane = leaf->class == ROW_CLASS_LANE;
		uint32_t field = is_lane                        ? FIELD_LANE
		                 : leaf->column == ROW_NAME     ? FIELD_NAME
		                 : leaf->column == ROW_CATEGORY ? FIELD_CATEGORY
		                                                : FIELD_PATH;
		const struct column_info *info = block_column(block, field);
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
