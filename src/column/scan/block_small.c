/*
 * Columns of few values in an open block. They are read beside the same columns' full values, with
 * a place of their own in the bytes, so that either may be asked for in any chunk.
 *
 * Codes are checked as for full values, but once a value, not once a row: as codes ascend with the
 * numbers that stand for them, those out of range lie together, and rows that have one of them are
 * looked for only where there are any.
 */
#include "config.h"
#include "column/scan/block_decoder.h"

#include "util/mem.h"

/* Finds the values that are no codes of the source. False: they do not lie together. */
static bool
find_bad(struct small_reader *small, uint64_t bound)
{
	const struct column_indices *column = &small->column;
	unsigned first = 0, end = column->n_values;
	while (first < column->n_values && (uint64_t)column->values[first] < bound) {
		first++;
	}
	while (end > first && (uint64_t)column->values[end - 1] < bound) {
		end--;
	}
	for (unsigned i = first; i < end; i++) {
		if ((uint64_t)column->values[i] < bound) {
			return false;
		}
	}
	small->first_bad = (uint8_t)first;
	small->n_bad = (uint8_t)(end - first);
	return true;
}

static bool
make_small(struct decoder_column *column)
{
	if (!column->small) {
		MEM_NEW(column->small, 1);
	}
	struct small_reader *small = column->small;
	small->next_row = 0;
	small->chunk_row = UINT32_MAX;
	small->n_bad = 0;
	if (!column_indices_init(&small->column, &column->reader) ||
	    (column->bound != UINT32_MAX && !find_bad(small, column->bound))) {
		return false;
	}
	for (unsigned i = 0; i < small->n_bad; i++) {
		small->column.values[small->first_bad + i] = 0; /* an index that is safe */
	}
	return column->bound != 0;
}

bool
block_view_values(struct block_view *view, uint32_t slot, struct few_values *small)
{
	static const int64_t no_values[1];
	static const uint8_t no_indices[CHUNK_ROWS];
	struct decoder_column *column = &view->decoder->columns[slot];
	const struct column_info *info = column->chunk.info;
	if (!info) {
		*small = (struct few_values){
		    .values = no_values, .has_absent = true, .indices = no_indices};
		return true;
	}
	if (column->small_state == SMALL_UNKNOWN) {
		column->small_state = make_small(column) ? SMALL_YES : SMALL_NO;
	}
	if (column->small_state == SMALL_NO) {
		return false;
	}
	*small = (struct few_values){.values = column->small->column.values,
	                             .n_values = column->small->column.n_values,
	                             .has_absent = info->n_present < view->info->n_rows ||
	                                           column->small->n_bad > 0,
	                             .indices = column->small->indices};
	return true;
}

/* Rows with a code out of range count as absent, and the block as damaged. */
static void
check_indices(struct block_view *view, const struct decoder_column *column)
{
	struct small_reader *small = column->small;
	uint8_t first = small->first_bad, n = small->n_bad, bad = 0;
	for (uint32_t i = 0; i < CHUNK_ROWS; i++) {
		bad |= (uint8_t)(small->indices[i] - first) < n;
	}
	if (!bad) {
		return;
	}
	for (uint32_t i = 0; i < view->n; i++) {
		if ((uint8_t)(small->indices[i] - first) < n) {
			small->indices[i] = small->column.absent;
			block_decoder_note_damage(view->decoder, column->chunk.info->field);
		}
	}
}

bool
block_view_small(struct block_view *view, uint32_t slot, struct few_values *small)
{
	struct decoder_column *column = &view->decoder->columns[slot];
	if (!block_view_values(view, slot, small)) {
		return false;
	}
	if (!column->chunk.info || column->small->chunk_row == view->row) {
		return true;
	}
	struct small_reader *reader = column->small;
	if (reader->next_row > view->row) {
		column_indices_rewind(&reader->column);
		reader->next_row = 0;
	}
	if (reader->next_row < view->row) {
		column_indices_skip(&reader->column, view->row - reader->next_row);
	}
	column_indices_read(&reader->column, view->n, reader->indices);
	memset(reader->indices + view->n, 0, CHUNK_ROWS - view->n);
	reader->chunk_row = view->row;
	reader->next_row = view->row + view->n;
	if (reader->n_bad > 0) {
		check_indices(view, column);
	}
	return true;
}
