/* Whole rows: what a row is when some of its columns are absent, and rows by id. */
#include "config.h"
#include "column/scan/scan.h"

#include <stdlib.h>

#include "column/scan/row_read.h"
#include "column/scan/rowcolumn.h"
#include "util/intervals.h"
#include "util/order.h"

static const struct chunk_column absent_column;

void
row_fields_add(struct row_fields *fields, struct block_fields *set, uint64_t columns)
{
	/* self = duration - covered, and calls take the duration if they do not tell */
	if (columns & (UINT64_C(1) << FIELD_COVERED | UINT64_C(1) << FIELD_CALL_SUM)) {
		columns |= UINT64_C(1) << FIELD_DURATION;
	}
	for (uint32_t field = 0; field < FIELD_BEFORE_ARGS; field++) {
		bool is_wanted = columns & ROW_ALL_COLUMNS & UINT64_C(1) << field;
		fields->slots[field] = is_wanted ? block_fields_add(set, field) : UINT32_MAX;
	}
}

/* How a column's values become a member of a row. */
static void
add_member(const struct row_column_info *info, const struct chunk_column *from,
           const struct block_view *view, struct row_chunk *chunk)
{
	struct row_member *member = &chunk->members[chunk->n_members++];

	*member = (struct row_member){.from = from, .member = info->member};
	if (info->class == ROW_CLASS_LANE) {
		member->codes = view->source->lanes;
		member->bound = view->dataset->n_lanes;
	} else if (info->class == ROW_CLASS_TEXT) {
		member->codes = view->source->texts;
		member->bound = view->dataset->n_texts;
	}
}

/* Code or number, as wide as the member is. */
static inline void
set_member(struct span_row *row, uint32_t member, bool is_code, int64_t value)
{
	if (is_code) {
		uint32_t code = (uint32_t)value;
		memcpy((char *)row + member, &code, sizeof code);
	} else {
		memcpy((char *)row + member, &value, sizeof value);
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
	chunk->n_members = 0;
	chunk->absent = (struct span_row){0};
	for (int i = 0; i < ROW_COLUMNS; i++) {
		const struct row_column_info *info = &row_columns[i];
		if (!info->field || info->is_computed) {
			continue;
		}
		bool is_code = info->class == ROW_CLASS_TEXT || info->class == ROW_CLASS_LANE;
		set_member(&chunk->absent, info->member, is_code,
		           is_code ? TEXT_NONE : info->absent);
		if (chunk->columns[info->field]->n_present > 0) {
			add_member(info, chunk->columns[info->field], view, chunk);
		}
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

/* What a record that stands for many calls tells of them. */
static inline void
fill_totals(struct span_row *row)
{
	if (row->calls == 1) {
		row->call_min_ns = row->call_max_ns = TIME_NONE;
		row->size_min = row->size_max = SIZE_NONE;
	}
	if (row->calls == 1 || row->call_sum_ns == TIME_NONE) {
		row->call_sum_ns = row->duration_ns;
	}
}

void
row_fill(const struct block_view *view, const struct row_chunk *chunk, uint32_t i,
         struct span_row *row)
{
	const struct chunk_column *distance = chunk->columns[FIELD_PARENT];

	*row = chunk->absent;
	for (unsigned k = 0; k < chunk->n_members; k++) {
		const struct row_member *member = &chunk->members[k];
		if (!is_present(member->from, i)) {
			continue;
		}
		int64_t value = member->from->values[i];
		if (member->codes) {
			uint32_t code = member->codes[value];
			value = code < member->bound ? code : TEXT_NONE;
		}
		set_member(row, member->member, member->codes != NULL, value);
	}
	row->id = (int64_t)((uint64_t)view->info->first_id + view->row + i);
	row->source = view->info->source;
	row->self_ns =
	    (int64_t)((uint64_t)row->duration_ns - (uint64_t)value_or(chunk, FIELD_COVERED, i, 0));
	row->inside_ns = dataset_inside(view->dataset, row->start_ns, row->duration_ns);
	row->parent = is_present(distance, i)
	                  ? (int64_t)((uint64_t)row->id - (uint64_t)distance->values[i])
	                  : 0;
	fill_totals(row);
}

bool
row_column_integer(const struct span_row *row, enum row_column column, int64_t *value)
{
	const struct row_column_info *info = &row_columns[column];

	if (column == ROW_END) {
		*value = time_add(row->start_ns, row->duration_ns);
	} else if (column == ROW_SOURCE) {
		*value = row->source;
	} else {
		memcpy(value, (const char *)row + info->member, sizeof *value);
	}
	return (info->has_default || *value != info->absent) &&
	       (column != ROW_CALL_SUM || row->calls != 1);
}

struct scan_value
row_column_value(const struct dataset *dataset, const struct span_row *row, enum row_column column)
{
	const char *member = (const char *)row + row_columns[column].member;
	struct scan_value value = {.type = SCAN_NULL};
	uint32_t code;

	switch (row_columns[column].class) {
	case ROW_CLASS_INTEGER:
		value.type =
		    row_column_integer(row, column, &value.integer) ? SCAN_INTEGER : SCAN_NULL;
		return value;
	case ROW_CLASS_REAL:
		value.type = SCAN_REAL;
		memcpy(&value.real, member, sizeof value.real);
		return value;
	case ROW_CLASS_TEXT:
		memcpy(&code, member, sizeof code);
		return row_text_value(dataset, column, code);
	case ROW_CLASS_LANE:
		return row_lane_value(dataset, column, row->lane);
	default:
		return value;
	}
}

size_t
row_block(const struct dataset *dataset, enum block_kind kind, int64_t id)
{
	const struct block_info *blocks = dataset->blocks[kind];
	size_t low = 0;

	ORDER_FIND(low, dataset->n_blocks[kind], middle, blocks[middle].first_id <= id);
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
