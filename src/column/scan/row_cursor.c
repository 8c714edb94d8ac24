/*
 * Rows in the order of ids, for the virtual tables. Blocks that the bounds rule out are not
 * fetched; of the others, rows outside the bounds are passed over here, chunk by chunk, since a row
 * that SQLite has to refuse costs ten times as much. The bounds are the caller's own conditions,
 * which it checks again, so passing too little is never wrong.
 */
#include "config.h"
#include "column/scan/scan.h"

#include <stdlib.h>

#include "column/scan/filter.h"
#include "column/scan/row_read.h"
#include "util/mem.h"
#include "util/order.h"

/* The source's codes that stand for one of the run's: all lie in low ... high; none if low >
 * high. */
struct code_range {
	int64_t low, high;
};

struct row_cursor {
	const struct dataset *dataset;
	enum block_kind kind;
	struct row_bounds bounds;
	struct block_fields set;
	struct row_fields fields;
	struct block_reader *reader;
	struct block_view *view; /* NULL: no block is open */
	size_t block;            /* open, or next to look at */
	struct row_chunk chunk;
	uint64_t matches[CHUNK_WORDS]; /* of the chunk, not yet returned */
	uint32_t row;                  /* of the chunk, returned last */
	uint32_t ranges_of;            /* source of the ranges; UINT32_MAX none */
	struct code_range lane, name, category;
	struct row_args *args;
	/* The dataset's scope; NULL: all is in it. */
	struct filter *filter;
	struct filter_state *filter_state;
	struct err filter_err;          /* why there is no filter */
	uint64_t in_scope[CHUNK_WORDS]; /* of the chunk */
};

/* What is in scope is a filter without a condition of its own. */
static void
begin_scope(struct row_cursor *cursor)
{
	cursor->filter =
	    filter_compile(cursor->dataset, cursor->kind, NULL, NULL, &cursor->filter_err);
	if (cursor->filter) {
		filter_bind(cursor->filter, &cursor->set);
		cursor->filter_state = filter_state_new(cursor->filter);
	}
}

struct row_cursor *
row_cursor_new(const struct dataset *dataset, enum block_kind kind, const struct row_bounds *bounds)
{
	struct row_cursor *cursor = xcalloc(1, sizeof *cursor);
	uint64_t columns = bounds->columns;

	cursor->dataset = dataset;
	cursor->kind = kind;
	cursor->bounds = *bounds;
	cursor->ranges_of = UINT32_MAX;
	columns |= bounds->start_min > INT64_MIN || bounds->start_max < INT64_MAX
	               ? UINT64_C(1) << FIELD_START
	               : 0;
	columns |= bounds->duration_min > INT64_MIN || bounds->duration_max < INT64_MAX
	               ? UINT64_C(1) << FIELD_DURATION
	               : 0;
	columns |= bounds->lane >= 0 ? UINT64_C(1) << FIELD_LANE : 0;
	columns |= bounds->name >= 0 ? UINT64_C(1) << FIELD_NAME : 0;
	columns |= bounds->category >= 0 ? UINT64_C(1) << FIELD_CATEGORY : 0;
	row_fields_add(&cursor->fields, &cursor->set, columns);
	if (dataset_is_scoped(dataset)) {
		begin_scope(cursor);
	}
	cursor->reader = block_reader_new(dataset, kind, &cursor->set);
	size_t first = bounds->id_min > 1 ? row_block(dataset, kind, bounds->id_min) : 0;
	cursor->block = first == SIZE_MAX ? dataset->n_blocks[kind] : first;
	if (bounds->lane == -2 || bounds->name == -2 || bounds->category == -2) {
		cursor->block = dataset->n_blocks[kind];
	}
	return cursor;
}

void
row_cursor_free(struct row_cursor *cursor)
{
	if (cursor) {
		row_args_free(cursor->args);
		filter_state_free(cursor->filter_state);
		filter_free(cursor->filter);
		block_reader_free(cursor->reader);
		block_fields_free(&cursor->set);
		free(cursor);
	}
}

bool
row_cursor_holds(const struct row_cursor *cursor, int64_t id)
{
	const struct block_view *view = cursor->view;

	return view && (uint64_t)id - (uint64_t)view->info->first_id < view->info->n_rows;
}

void
row_cursor_seek(struct row_cursor *cursor, int64_t id)
{
	struct block_view *view = cursor->view;

	cursor->bounds.id_min = cursor->bounds.id_max = id;
	memset(cursor->matches, 0, sizeof cursor->matches);
	cursor->row = 0;
	if (row_cursor_holds(cursor, id)) {
		uint32_t row = (uint32_t)((uint64_t)id - (uint64_t)view->info->first_id);
		if (row - view->row < view->n) {
			uint32_t word = (row - view->row) / 64;
			cursor->matches[word] = UINT64_C(1) << ((row - view->row) & 63);
			cursor->matches[word] &=
			    cursor->filter ? cursor->in_scope[word] : UINT64_MAX;
		} else {
			block_view_skip_to(view, row);
		}
		return;
	}
	size_t block = row_block(cursor->dataset, cursor->kind, id);
	cursor->view = NULL;
	cursor->block = block == SIZE_MAX ? cursor->dataset->n_blocks[cursor->kind] : block;
}

static struct code_range
range_of(const uint32_t *map, uint32_t n, int64_t code)
{
	struct code_range range = {0, INT64_MAX};

	if (code < 0) {
		return range;
	}
	range = (struct code_range){INT64_MAX, -1};
	for (uint32_t i = 0; i < n; i++) {
		if (map[i] == code) {
			range.low = range.low == INT64_MAX ? i : range.low;
			range.high = i;
		}
	}
	return range;
}

static bool
range_excludes(const struct code_range *range, const struct block_info *block, uint32_t field)
{
	if (range->high == INT64_MAX) {
		return false;
	}
	const struct column_info *column = block_column(block, field);
	return !column || column->max < range->low || column->min > range->high;
}

static bool
may_hold(struct row_cursor *cursor, const struct block_info *block)
{
	const struct row_bounds *bounds = &cursor->bounds;

	if (block->start_max < bounds->start_min || block->start_min > bounds->start_max ||
	    block->end_max < bounds->end_min) {
		return false;
	}
	const struct column_info *duration = block_column(block, FIELD_DURATION);
	if (duration &&
	    (duration->max < bounds->duration_min || duration->min > bounds->duration_max)) {
		return false;
	}
	if (block->source >= cursor->dataset->n_sources) {
		return true; /* reading it says what is wrong */
	}
	if (cursor->ranges_of != block->source) {
		const struct dataset_source *source = &cursor->dataset->sources[block->source];
		cursor->lane = range_of(source->lanes, source->n_lanes, bounds->lane);
		cursor->name = range_of(source->texts, source->n_texts, bounds->name);
		cursor->category = range_of(source->texts, source->n_texts, bounds->category);
		cursor->ranges_of = block->source;
	}
	return !range_excludes(&cursor->lane, block, FIELD_LANE) &&
	       !range_excludes(&cursor->name, block, FIELD_NAME) &&
	       !range_excludes(&cursor->category, block, FIELD_CATEGORY);
}

/* Clears the bits of rows whose value lies outside min ... max. */
static void
keep_between(uint64_t *matches, const struct chunk_column *column, uint32_t n, int64_t min,
             int64_t max)
{
	if ((min == INT64_MIN && max == INT64_MAX) || !column->values) {
		return;
	}
	for (uint32_t word = 0; word < (n + 63) / 64; word++) {
		uint64_t bits = 0;
		uint32_t end = LEAST(n - word * 64, 64);
		for (uint32_t i = 0; i < end; i++) {
			int64_t value = column->values[word * 64 + i];
			bits |= (uint64_t)(value >= min && value <= max) << i;
		}
		matches[word] &= bits;
	}
}

static void
keep_code(uint64_t *matches, const struct chunk_column *column, uint32_t n, const uint32_t *map,
          int64_t code)
{
	if (code < 0) {
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		bool is_same = column->n_present > 0 && map[column->values[i]] == code;
		matches[i / 64] &= ~((uint64_t)!is_same << (i & 63));
	}
	for (uint32_t word = 0; word < (n + 63) / 64; word++) {
		matches[word] &= column->n_present > 0 ? column->presence[word] : 0;
	}
}

static void
read_chunk(struct row_cursor *cursor)
{
	const struct row_bounds *bounds = &cursor->bounds;
	struct block_view *view = cursor->view;
	const struct chunk_column *const *columns = cursor->chunk.columns;
	uint64_t first = (uint64_t)view->info->first_id + view->row;

	row_chunk_read(&cursor->fields, view, &cursor->chunk);
	memset(cursor->matches, 0, sizeof cursor->matches);
	for (uint32_t i = 0; i < view->n; i++) {
		int64_t id = (int64_t)(first + i);
		bool is_within = id >= bounds->id_min && id <= bounds->id_max;
		cursor->matches[i / 64] |= (uint64_t)is_within << (i & 63);
	}
	keep_between(cursor->matches, columns[FIELD_START], view->n, bounds->start_min,
	             bounds->start_max);
	keep_between(cursor->matches, columns[FIELD_DURATION], view->n, bounds->duration_min,
	             bounds->duration_max);
	keep_code(cursor->matches, columns[FIELD_LANE], view->n, view->source->lanes, bounds->lane);
	keep_code(cursor->matches, columns[FIELD_NAME], view->n, view->source->texts, bounds->name);
	keep_code(cursor->matches, columns[FIELD_CATEGORY], view->n, view->source->texts,
	          bounds->category);
	if (cursor->filter) {
		filter_chunk(cursor->filter_state, view, cursor->in_scope);
		for (uint32_t word = 0; word < CHUNK_WORDS; word++) {
			cursor->matches[word] &= cursor->in_scope[word];
		}
	}
}

/* Opens the next block that may hold a row: 1, 0 if there is none, -1. */
static int
open_next(struct row_cursor *cursor, struct err *err)
{
	size_t n_blocks = cursor->dataset->n_blocks[cursor->kind];

	for (; cursor->block < n_blocks; cursor->block++) {
		const struct block_info *block =
		    &cursor->dataset->blocks[cursor->kind][cursor->block];
		if (block->first_id > cursor->bounds.id_max) {
			return 0;
		}
		if (!may_hold(cursor, block) ||
		    (cursor->filter && filter_prune(cursor->filter_state, block) == FILTER_NONE)) {
			continue;
		}
		cursor->view = block_reader_open(cursor->reader, cursor->block, err);
		if (!cursor->view) {
			return -1;
		}
		if (cursor->bounds.id_min > block->first_id) {
			block_view_skip_to(cursor->view,
			                   (uint32_t)((uint64_t)cursor->bounds.id_min -
			                              (uint64_t)block->first_id));
		}
		return 1;
	}
	return 0;
}

static bool
take_match(struct row_cursor *cursor)
{
	for (uint32_t word = cursor->row / 64; word < CHUNK_WORDS; word++) {
		uint64_t bits = cursor->matches[word];
		if (bits) {
			cursor->matches[word] = bits & (bits - 1);
			cursor->row = word * 64 + (uint32_t)__builtin_ctzll(bits);
			return true;
		}
	}
	return false;
}

/* Does the open chunk reach the last id that is wanted? */
static bool
is_last_chunk(const struct row_cursor *cursor)
{
	const struct block_view *view = cursor->view;
	int64_t last;

	return view->n > 0 &&
	       !__builtin_add_overflow(view->info->first_id, view->row + view->n - 1, &last) &&
	       last >= cursor->bounds.id_max;
}

int
row_cursor_next(struct row_cursor *cursor, struct span_row *row, struct err *err)
{
	if (cursor->filter_err.code) {
		*err = cursor->filter_err;
		return -1;
	}
	while (!cursor->view || !take_match(cursor)) {
		if (cursor->view && block_reader_check(cursor->reader, err)) {
			return -1;
		}
		if (cursor->view && is_last_chunk(cursor)) {
			return 0;
		}
		if (cursor->view && block_view_next(cursor->view)) {
			cursor->row = 0;
			read_chunk(cursor);
			continue;
		}
		cursor->block += cursor->view != NULL;
		cursor->view = NULL;
		int status = open_next(cursor, err);
		if (status <= 0) {
			return status;
		}
	}
	row_fill(cursor->view, &cursor->chunk, cursor->row, row);
	return 1;
}

int
row_cursor_arguments(struct row_cursor *cursor, struct strbuf *json, struct err *err)
{
	if (!cursor->args) {
		cursor->args = row_args_new(cursor->dataset, cursor->kind);
	}
	return row_args_json(cursor->args, cursor->block, cursor->view->row + cursor->row, json,
	                     err);
}
