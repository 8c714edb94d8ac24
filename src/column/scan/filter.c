/* Making and freeing filters: parser, tables of verdicts, slots, and what each thread needs. */
#include "config.h"
#include "column/scan/filter.h"

#include <stdlib.h>

#include "column/scan/filter_tree.h"

/* Tables of verdicts, zeroed (unknown) and so untouched until a code is met. The last entry stands
 * for missing values. */
static int
make_verdicts(struct filter *filter, struct err *err)
{
	const struct dataset *dataset = filter->dataset;
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < filter->n_leaves; i++) {
		struct filter_leaf *leaf = filter->leaves[i];
		uint8_t null_verdict = filter_leaf_accepts_null(leaf) ? VERDICT_YES : VERDICT_NO;
		bool has_lanes = leaf->class == ROW_CLASS_LANE;
		bool has_texts = leaf->class == ROW_CLASS_TEXT ||
		                 (leaf->class == ROW_CLASS_ARG && leaf->key != UINT32_MAX);
		bytes += has_lanes ? dataset->n_lanes : has_texts ? dataset->n_texts : 0;
		if (bytes > FILTER_VERDICT_BYTES) {
			return err_set(
			    err, ERR_LIMIT,
			    "filter: too many conditions on texts for a run with %u texts",
			    dataset->n_texts);
		}
		if (has_lanes) {
			leaf->lane_verdicts = xcalloc((size_t)dataset->n_lanes + 1, 1);
			atomic_store_explicit(&leaf->lane_verdicts[dataset->n_lanes], null_verdict,
			                      memory_order_relaxed);
		} else if (has_texts) {
			leaf->text_verdicts = xcalloc((size_t)dataset->n_texts + 1, 1);
			atomic_store_explicit(&leaf->text_verdicts[dataset->n_texts], null_verdict,
			                      memory_order_relaxed);
		}
	}
	return 0;
}

static void
find_leaves_of_calls(struct filter *filter)
{
	for (uint32_t i = 0; filter->kind == BLOCK_SPAN && i < filter->n_leaves; i++) {
		enum row_column column = filter->leaves[i]->column;
		filter->leaves[i]->is_of_calls = row_columns[column].is_of_calls &&
		                                 !filter->leaves[i]->is_of_record &&
		                                 dataset_has_calls(filter->dataset);
	}
}

struct filter *
filter_compile(const struct dataset *dataset, enum block_kind kind, const char *text,
               const struct scan_value parameters[SCAN_PARAMETERS], struct err *err)
{
	struct filter *filter = xcalloc(1, sizeof *filter);
	filter->dataset = dataset;
	filter->kind = kind;
	filter->arena = arena_new();
	if (filter_parse(filter, slice_of(text ? text : ""), parameters, err) ||
	    make_verdicts(filter, err)) {
		filter_free(filter);
		return NULL;
	}
	find_leaves_of_calls(filter);
	return filter;
}

void
filter_free(struct filter *filter)
{
	if (filter) {
		for (uint32_t i = 0; i < filter->n_leaves; i++) {
			free((void *)filter->leaves[i]->text_verdicts);
			free((void *)filter->leaves[i]->lane_verdicts);
		}
		free(filter->leaves);
		arena_free(filter->arena);
		free(filter);
	}
}

int
filter_check(const char *text, struct err *err)
{
	static const struct dataset nothing;
	struct filter *filter = filter_compile(&nothing, BLOCK_SPAN, text, NULL, err);

	filter_free(filter);
	return filter ? 0 : -1;
}

/* Can one look at the column tell of a whole block? Paths are too many. */
static bool
is_sifting(const struct filter_leaf *leaf)
{
	return leaf->class == ROW_CLASS_LANE || leaf->column == ROW_SIZE ||
	       (leaf->class == ROW_CLASS_TEXT && row_columns[leaf->column].field != FIELD_PATH);
}

size_t
filter_bind(struct filter *filter, struct block_fields *fields)
{
	for (uint32_t i = 0; i < filter->n_leaves; i++) {
		struct filter_leaf *leaf = filter->leaves[i];
		if (is_sifting(leaf)) {
			row_column_bind(leaf->column, fields, &leaf->slots);
		}
	}
	size_t n_sift = fields->n;
	for (uint32_t i = 0; i < filter->n_leaves; i++) {
		struct filter_leaf *leaf = filter->leaves[i];
		if (leaf->class != ROW_CLASS_ARG) {
			row_column_bind(leaf->column, fields, &leaf->slots);
		} else if (leaf->key != UINT32_MAX) {
			row_arg_bind(leaf->key, fields, &leaf->arg_slots);
		}
		if (leaf->is_of_calls) {
			filter_leaf_bind_calls(leaf, fields);
		}
	}
	return n_sift;
}

struct filter_state *
filter_state_new(const struct filter *filter)
{
	struct filter_state *state = xcalloc(1, sizeof *state);
	state->filter = filter;
	MEM_NEW(state->regexes, filter->n_leaves);
	MEM_NEW(state->caches, filter->n_leaves);
	MEM_NEW(state->smalls, filter->n_leaves);
	MEM_NEW(state->leaf_verdicts, filter->n_leaves);
	return state;
}

void
filter_state_free(struct filter_state *state)
{
	if (state) {
		for (uint32_t i = 0; i < state->filter->n_leaves; i++) {
			regex_free(state->regexes[i]);
			free(state->caches[i].verdicts);
		}
		free(state->regexes);
		free(state->caches);
		free(state->smalls);
		free(state->leaf_verdicts);
		free(state);
	}
}
