/* Whole rows: what a row is when some of its columns are absent, and rows by id. */
#include "config.h"
#include "column/scan/scan.h"

#include <stdlib.h>

#include "column/scan/row_read.h"

static const struct chunk_column absent_column;

void
row_fields_add(struct row_fields *fields, struct block_fields *set, uint64_t columns)
{
	if (columns & UINT64_C(1) << FIELD_COVERED) { /* self = duration - covered */
		columns |= UINT64_C(1) << FIELD_DURATION;
	}
	for (uint32_t field = 0; field < FIELD_BEFORE_ARGS; field++) {
		bool is_wanted = columns & ROW_ALL_COLUMNS & UINT64_C(1) << field;
		fields->slots[field] = is_wanted ? block_fields_add(set, field) : UINT32_MAX;
	}
}

void
row_chunk_read(const struct row_fields *fields, struct block_view *view, struct row_chunk *chunk)
{
	for (uint32_t field = 0; field < FIELD_BEFORE_ARGS; field++) {
		bool is_wanted = fields->slots[field] != UINT32_MAX;
		chunk->columns[field] =
		    is_wanted ? block_view_column(view, fields->slots[field]) : &absent_column;
	}
}

static inline bool
is_present(const struct chunk_column *column, uint32_t i)
{
	return column->n_present > 0 && column->presence[i / 64] >> (i & 63) & 1;
}

static inline int64_t
value_or(const struct row_chunk *chunk, enum field field, uint32_t i, int64_t absent)
{
	const struct chunk_column *column = chunk->columns[field];
	return is_present(column, i) ? column->values[i] : absent;
}

/* A code of the source as one of the run's. */
static inline uint32_t
code_or_none(const struct row_chunk *chunk, enum field field, uint32_t i, const uint32_t *map,
             uint32_t bound)
{
	const struct chunk_column *column = chunk->columns[field];

	if (!is_present(column, i)) {
		return TEXT_NONE;
	}
	uint32_t code = map[column->values[i]];
	return code < bound ? code : TEXT_NONE;
}

/* What a record that stands for many calls tells of them. */
static void
fill_totals(const struct row_chunk *chunk, uint32_t i, struct span_row *row)
{
	row->call_sum_ns = value_or(chunk, FIELD_CALL_SUM, i, row->duration_ns);
	row->call_min_ns = value_or(chunk, FIELD_CALL_MIN, i, TIME_NONE);
	row->call_max_ns = value_or(chunk, FIELD_CALL_MAX, i, TIME_NONE);
	row->size_min = value_or(chunk, FIELD_SIZE_MIN, i, SIZE_NONE);
	row->size_max = value_or(chunk, FIELD_SIZE_MAX, i, SIZE_NONE);
}

void
row_fill(const struct block_view *view, const struct row_chunk *chunk, uint32_t i,
         struct span_row *row)
{
	const struct dataset *dataset = view->dataset;
	const struct dataset_source *source = view->source;
	const struct chunk_column *distance = chunk->columns[FIELD_PARENT];
	int64_t bits = value_or(chunk, FIELD_VALUE, i, 0);
	int64_t covered = value_or(chunk, FIELD_COVERED, i, 0);

	row->id = (int64_t)((uint64_t)view->info->first_id + view->row + i);
	row->start_ns = value_or(chunk, FIELD_START, i, 0);
	row->duration_ns = value_or(chunk, FIELD_DURATION, i, 0);
	row->self_ns = (int64_t)((uint64_t)row->duration_ns - (uint64_t)covered);
	row->size_bytes = value_or(chunk, FIELD_SIZE, i, SIZE_NONE);
	row->calls = value_or(chunk, FIELD_CALLS, i, 1);
	row->call_sum_ns = row->duration_ns;
	row->call_min_ns = row->call_max_ns = TIME_NONE;
	row->size_min = row->size_max = SIZE_NONE;
	if (row->calls != 1) {
		fill_totals(chunk, i, row);
	}
	row->parent = is_present(distance, i)
	                  ? (int64_t)((uint64_t)row->id - (uint64_t)distance->values[i])
	                  : 0;
	row->depth = value_or(chunk, FIELD_DEPTH, i, 0);
	row->is_unfinished = value_or(chunk, FIELD_UNFINISHED, i, 0) == 1;
	row->source = view->info->source;
	row->lane = code_or_none(chunk, FIELD_LANE, i, source->lanes, dataset->n_lanes);
	row->name = code_or_none(chunk, FIELD_NAME, i, source->texts, dataset->n_texts);
	row->category = code_or_none(chunk, FIELD_CATEGORY, i, source->texts, dataset->n_texts);
	row->path = code_or_none(chunk, FIELD_PATH, i, source->texts, dataset->n_texts);
	memcpy(&row->value, &bits, sizeof row->value);
}

size_t
row_block(const struct dataset *dataset, enum block_kind kind, int64_t id)
{
	const struct block_info *blocks = dataset->blocks[kind];
	size_t low = 0, high = dataset->n_blocks[kind];

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (blocks[middle].first_id <= id) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	if (low == 0 ||
	    (uint64_t)id - (uint64_t)blocks[low - 1].first_id >= blocks[low - 1].n_rows) {
		return SIZE_MAX;
	}
	return low - 1;
}

static size_t
find_block(const struct dataset *dataset, enum block_kind kind, int64_t id, struct err *err)
{
	static const char *const names[BLOCK_KINDS] = {"span", "event", "counter sample"};
	size_t block = row_block(dataset, kind, id);

	if (block == SIZE_MAX) {
		err_set(err, ERR_USAGE, "no %s has the id %lld: ids are 1 to %lld", names[kind],
		        (long long)id, (long long)dataset->n_rows[kind]);
	}
	return block;
}

int
row_get(const struct dataset *dataset, enum block_kind kind, int64_t id, struct span_row *row,
        struct err *err)
{
	size_t block = find_block(dataset, kind, id, err);
	struct block_fields set = {0};
	struct row_fields fields;
	struct row_chunk chunk;
	int status = -1;

	if (block == SIZE_MAX) {
		return -1;
	}
	row_fields_add(&fields, &set, ROW_ALL_COLUMNS);
	struct block_reader *reader = block_reader_new(dataset, kind, &set);
	struct block_view *view = block_reader_open(reader, block, err);
	if (view) {
		uint32_t at = (uint32_t)((uint64_t)id - (uint64_t)view->info->first_id);
		block_view_skip_to(view, at);
		block_view_next(view);
		row_chunk_read(&fields, view, &chunk);
		status = block_reader_check(reader, err);
		if (status == 0) {
			row_fill(view, &chunk, at - view->row, row);
		}
	}
	block_reader_free(reader);
	block_fields_free(&set);
	return status;
}

int
row_arguments(const struct dataset *dataset, enum block_kind kind, int64_t id, struct strbuf *json,
              struct err *err)
{
	size_t block = find_block(dataset, kind, id, err);

	if (block == SIZE_MAX) {
		return -1;
	}
	uint32_t at = (uint32_t)((uint64_t)id - (uint64_t)dataset->blocks[kind][block].first_id);
	struct row_args *args = row_args_new(dataset, kind);
	int status = row_args_json(args, block, at, json, err);
	row_args_free(args);
	return status;
}
