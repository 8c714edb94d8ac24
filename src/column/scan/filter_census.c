/*
 * A census: which of the rows that a filter takes are more than they say, and what it had to leave
 * out. Only blocks that have such rows are looked at, so that it costs next to nothing in runs with
 * few of them, whatever the scan beside it does.
 */
#include "config.h"
#include "column/scan/filter_tree.h"

#include "util/intervals.h"

struct counting {
	struct filter_state *state;
	uint32_t calls_slot, unfinished_slot, duration_slot;
	bool asks_of_calls;
	struct scan_census *census;
};

static bool
is_counted(void *user, const struct block_info *block)
{
	struct counting *counting = user;
	return (block_column(block, FIELD_CALLS) || block_column(block, FIELD_UNFINISHED)) &&
	       filter_prune(counting->state, block) != FILTER_NONE;
}

static const struct chunk_column *
integers(struct block_view *view, uint32_t slot)
{
	const struct chunk_column *column = block_view_column(view, slot);
	bool is_there =
	    column->info && column->info->type == COLUMN_INTEGER && column->n_present > 0;
	return is_there ? column : NULL;
}

static void
count_calls(const struct chunk_column *calls, uint32_t n, const uint64_t *rows, int64_t *n_records,
            int64_t *n_calls)
{
	for (uint32_t w = 0; calls && w * 64 < n; w++) {
		for (uint64_t left = rows[w] & calls->presence[w]; left; left &= left - 1) {
			uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(left);
			++*n_records;
			time_raise(n_calls, calls->values[i]);
		}
	}
}

static void
count_unfinished(struct counting *counting, struct block_view *view, const uint64_t *rows)
{
	const struct chunk_column *unfinished = integers(view, counting->unfinished_slot);
	const struct chunk_column *duration = integers(view, counting->duration_slot);
	struct scan_census *census = counting->census;
	for (uint32_t w = 0; unfinished && w * 64 < view->n; w++) {
		for (uint64_t left = rows[w] & unfinished->presence[w]; left; left &= left - 1) {
			uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(left);
			bool is_unfinished = unfinished->values[i] == 1;
			census->unfinished += is_unfinished;
			time_raise(&census->unfinished_ns,
			           is_unfinished && duration ? duration->values[i] : 0);
		}
	}
}

static int
count_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct counting *counting = user;
	struct scan_census *census = counting->census;
	uint64_t rows[CHUNK_WORDS], possible[CHUNK_WORDS];
	(void)slot;
	(void)err;
	while (block_view_next(view)) {
		const struct chunk_column *calls = integers(view, counting->calls_slot);
		filter_chunk(counting->state, view, rows);
		count_calls(calls, view->n, rows, &census->records, &census->calls);
		count_unfinished(counting, view, rows);
		if (!calls || !counting->asks_of_calls) {
			continue;
		}
		counting->state->takes_undecided = true;
		filter_chunk(counting->state, view, possible);
		counting->state->takes_undecided = false;
		for (uint32_t w = 0; w < CHUNK_WORDS; w++) {
			possible[w] &= ~rows[w];
		}
		count_calls(calls, view->n, possible, &census->left_out_records,
		            &census->left_out_calls);
	}
	return 0;
}

static bool
has_counted(const struct dataset *dataset)
{
	for (size_t i = 0; i < dataset->n_blocks[BLOCK_SPAN]; i++) {
		const struct block_info *block = &dataset->blocks[BLOCK_SPAN][i];
		if (block_column(block, FIELD_CALLS) || block_column(block, FIELD_UNFINISHED)) {
			return true;
		}
	}
	return false;
}

static bool
asks_of_calls(const struct filter *filter)
{
	bool asks = false;
	for (uint32_t i = 0; i < filter->n_leaves; i++) {
		asks |= filter->leaves[i]->is_of_calls;
	}
	return asks;
}

int
scan_census_take(const struct dataset *dataset, const char *text,
                 const struct scan_value parameters[SCAN_PARAMETERS], const struct cancel *cancel,
                 struct scan_census *census, struct err *err)
{
	*census = (struct scan_census){0};
	if (!has_counted(dataset)) {
		return 0;
	}
	struct filter *filter = filter_compile(dataset, BLOCK_SPAN, text, parameters, err);
	if (!filter) {
		return -1;
	}
	struct block_fields fields = {0};
	filter_bind(filter, &fields);
	struct counting counting = {
	    .state = filter_state_new(filter),
	    .calls_slot = block_fields_add(&fields, FIELD_CALLS),
	    .unfinished_slot = block_fields_add(&fields, FIELD_UNFINISHED),
	    .duration_slot = block_fields_add(&fields, FIELD_DURATION),
	    .asks_of_calls = asks_of_calls(filter),
	    .census = census,
	};
	struct block_loop loop = {.dataset = dataset,
	                          .kind = BLOCK_SPAN,
	                          .fields = &fields,
	                          .end = SIZE_MAX,
	                          .n_threads = 1,
	                          .user = &counting,
	                          .wanted = is_counted,
	                          .scan = count_block,
	                          .cancel = cancel};
	int result = block_loop_run(&loop, err) < 0 ? -1 : 0;
	filter_state_free(counting.state);
	filter_free(filter);
	block_fields_free(&fields);
	return result;
}
