/*
 * From gathered rows to a block.
 *
 * In I/O traces one column often repeats another (a read's size is what it returned, which mostly
 * is what was asked for): an integer column that agrees with another wherever it has a value is
 * stored as a reference to it. Candidates are found by their first few values and then compared in
 * full; one differing row keeps a column its own.
 */
#include "config.h"
#include "column/encode/gather.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define COPY_MIN 32u        /* values that a column must have for a copy to be worth it */
#define COPY_CANDIDATES 64u /* columns looked at */
#define COPY_TRIES 3        /* full comparisons a column */

struct encoder {
	const struct gather *gather;
	struct block *block;
	uint64_t *presence;
	size_t columns_capacity, offsets_capacity;
};

static struct column_info *
add_info(struct encoder *encoder, uint32_t field, enum column_type type, uint32_t n_present)
{
	struct block *block = encoder->block;
	struct block_info *info = &block->info;

	MEM_GROW(block->offsets, encoder->offsets_capacity, info->n_columns + 1u);
	MEM_GROW(info->columns, encoder->columns_capacity, info->n_columns + 1u);
	block->offsets[info->n_columns] = block->bytes.len;
	struct column_info *column = &info->columns[info->n_columns++];
	*column =
	    (struct column_info){.field = field, .type = (uint8_t)type, .n_present = n_present};
	return column;
}

static void
encode_dense(struct encoder *encoder, uint32_t field, enum column_type type, const int64_t *values)
{
	uint32_t n = encoder->gather->n;

	if (!values) {
		return;
	}
	struct column_info *info = add_info(encoder, field, type, n);
	if (type == COLUMN_REAL) {
		column_encode_packed_reals(info, values, NULL, n, &encoder->block->bytes);
	} else {
		column_encode_packed_integers(info, values, NULL, n, &encoder->block->bytes);
	}
}

static const uint64_t *
column_presence(struct encoder *encoder, const struct gathered_column *column)
{
	if (column->n == encoder->gather->n) {
		return NULL;
	}
	memset(encoder->presence, 0, (encoder->gather->n + 63) / 64 * sizeof *encoder->presence);
	for (uint32_t i = 0; i < column->n; i++) {
		encoder->presence[column->rows[i] / 64] |= UINT64_C(1) << (column->rows[i] & 63);
	}
	return encoder->presence;
}

static void
encode_local_texts(struct encoder *encoder, const struct gathered_column *column,
                   struct column_info *info)
{
	struct slice *texts = xrealloc_array(NULL, column->n, sizeof *texts);

	for (uint32_t i = 0; i < column->n; i++) {
		texts[i] = gathered_text(encoder->gather, column, i);
	}
	column_encode_packed_texts(info, texts, column_presence(encoder, column),
	                           encoder->gather->n, &encoder->block->bytes);
	free(texts);
}

static void
encode_gathered(struct encoder *encoder, const struct gathered_column *column,
                const struct gathered_column *same)
{
	uint32_t n_rows = encoder->gather->n;
	struct column_info *info =
	    add_info(encoder, column->field, (enum column_type)column->type, column->n);
	struct strbuf *out = &encoder->block->bytes;
	const uint64_t *presence = column_presence(encoder, column);

	if (same) {
		column_encode_copy(info, same->field, presence, n_rows, out);
		info->min = info->max = column->values[0];
		for (uint32_t i = 1; i < column->n; i++) {
			info->min = LEAST(column->values[i], info->min);
			info->max = MOST(column->values[i], info->max);
		}
	} else if (column->type == COLUMN_LOCAL_TEXT) {
		encode_local_texts(encoder, column, info);
	} else if (column->type == COLUMN_REAL) {
		column_encode_packed_reals(info, column->values, presence, n_rows, out);
	} else {
		column_encode_packed_integers(info, column->values, presence, n_rows, out);
	}
}

/* A code that says `none` (UINT32_MAX) is no value. */
static void
encode_codes(struct encoder *encoder, uint32_t field, enum column_type type, const int64_t *codes)
{
	const struct gather *gather = encoder->gather;
	struct gathered_column present = {.field = field, .type = (uint8_t)type};
	int64_t max = 0;

	for (uint32_t row = 0; row < gather->n; row++) {
		max = MOST(codes[row], max);
	}
	if (max != UINT32_MAX) {
		encode_dense(encoder, field, type, codes);
		return;
	}
	present.rows = xrealloc_array(NULL, gather->n, sizeof *present.rows);
	present.values = xrealloc_array(NULL, gather->n, sizeof *present.values);
	for (uint32_t row = 0; row < gather->n; row++) {
		present.rows[present.n] = (uint16_t)row;
		present.values[present.n] = codes[row];
		present.n += codes[row] != UINT32_MAX;
	}
	if (present.n > 0) {
		encode_gathered(encoder, &present, NULL);
	}
	free(present.rows);
	free(present.values);
}

/* Does `column` agree with `other` in its first `n` values? */
static bool
columns_agree(const struct gathered_column *column, const struct gathered_column *other, uint32_t n)
{
	uint32_t j = 0;

	for (uint32_t i = 0; i < n; i++) {
		while (j < other->n && other->rows[j] < column->rows[i]) {
			j++;
		}
		if (j == other->n || other->rows[j] != column->rows[i] ||
		    other->values[j] != column->values[i]) {
			return false;
		}
	}
	return true;
}

static bool
is_constant(const struct gathered_column *column)
{
	for (uint32_t i = 1; i < column->n; i++) {
		if (column->values[i] != column->values[0]) {
			return false;
		}
	}
	return true;
}

static int
compare_columns(const void *left, const void *right)
{
	const struct gathered_column *const *a = left, *const *b = right;
	return ((*a)->field > (*b)->field) - ((*a)->field < (*b)->field);
}

/* Longer columns first: a copy never has more values than its source. */
static int
compare_lengths(const void *left, const void *right)
{
	const struct gathered_column *const *a = left, *const *b = right;

	ORDER_BY((*b)->n, (*a)->n);
	return compare_columns(left, right);
}

/* same[i]: what columns[i] is a copy of, or NULL; by the columns' place in the gather. */
static void
find_copies(const struct gather *gather, const struct gathered_column **same)
{
	const struct gathered_column *candidates[COPY_CANDIDATES];
	size_t n = 0;

	for (size_t i = 0; i < gather->n_columns && n < COPY_CANDIDATES; i++) {
		const struct gathered_column *column = &gather->columns[i];
		if (column->type == COLUMN_INTEGER && column->n >= COPY_MIN &&
		    !is_constant(column)) {
			candidates[n++] = column;
		}
	}
	SORT(candidates, n, compare_lengths);
	for (size_t i = 1; i < n; i++) {
		const struct gathered_column *column = candidates[i];
		int tries = 0;
		for (size_t j = 0; j < i && tries < COPY_TRIES; j++) {
			const struct gathered_column *source = candidates[j];
			if (same[source - gather->columns] ||
			    !columns_agree(column, source, COPY_MIN)) {
				continue;
			}
			tries++;
			if (columns_agree(column, source, column->n)) {
				same[column - gather->columns] = source;
				break;
			}
		}
	}
}

static void
encode_columns(struct encoder *encoder)
{
	const struct gather *gather = encoder->gather;
	const struct gathered_column **sorted =
	    xrealloc_array(NULL, gather->n_columns + 1, sizeof *sorted);
	const struct gathered_column **same = xcalloc(gather->n_columns + 1, sizeof *same);

	for (size_t i = 0; i < gather->n_columns; i++) {
		sorted[i] = &gather->columns[i];
	}
	SORT(sorted, gather->n_columns, compare_columns);
	find_copies(gather, same);
	bool is_value_done = !gather->value;
	for (size_t i = 0; i < gather->n_columns; i++) {
		if (!is_value_done && sorted[i]->field > FIELD_VALUE) {
			encode_dense(encoder, FIELD_VALUE, COLUMN_REAL, gather->value);
			is_value_done = true;
		}
		if (sorted[i]->n > 0) {
			encode_gathered(encoder, sorted[i], same[sorted[i] - gather->columns]);
		}
	}
	if (!is_value_done) {
		encode_dense(encoder, FIELD_VALUE, COLUMN_REAL, gather->value);
	}
	free(sorted);
	free(same);
}

static void
set_times(struct block_info *info, const struct gather *gather)
{
	info->start_min = info->start_max = gather->start[0];
	info->end_max = INT64_MIN;
	for (uint32_t row = 0; row < gather->n; row++) {
		int64_t start = gather->start[row];
		int64_t end = gather->duration ? time_add(start, gather->duration[row]) : start;
		info->start_min = LEAST(start, info->start_min);
		info->start_max = MOST(start, info->start_max);
		info->end_max = MOST(end, info->end_max);
	}
}

static void
set_ordinals(struct block *block, const struct gather *gather)
{
	block->first_ordinal = gather->ordinals[0];
	if (gather->ordinals[gather->n - 1] - gather->ordinals[0] != gather->n - 1) {
		block->ordinals = xrealloc_array(NULL, gather->n, sizeof *block->ordinals);
		memcpy(block->ordinals, gather->ordinals, gather->n * sizeof *block->ordinals);
	}
	if (gather->orders) {
		block->orders = xrealloc_array(NULL, gather->n, sizeof *block->orders);
		memcpy(block->orders, gather->orders, gather->n * sizeof *block->orders);
	}
}

struct block *
gather_encode(const struct gather *gather, enum block_kind kind, uint32_t source)
{
	struct block *block = xcalloc(1, sizeof *block);
	struct encoder encoder = {.gather = gather, .block = block};

	MEM_NEW(encoder.presence, (gather->n + 63) / 64);
	block->info.kind = kind;
	block->info.source = source;
	block->info.n_rows = gather->n;
	block->is_open = gather->is_open;
	set_times(&block->info, gather);
	set_ordinals(block, gather);
	encode_dense(&encoder, FIELD_START, COLUMN_INTEGER, gather->start);
	if (!gather->is_open) {
		encode_dense(&encoder, FIELD_DURATION, COLUMN_INTEGER, gather->duration);
	}
	encode_codes(&encoder, FIELD_LANE, COLUMN_INTEGER, gather->lane);
	encode_codes(&encoder, FIELD_NAME, COLUMN_TEXT, gather->name);
	encode_columns(&encoder);
	strbuf_add(&block->bytes, "\0\0\0\0\0\0\0", 8);
	free(encoder.presence);
	return block;
}

void
block_free(struct block *block)
{
	if (block) {
		free(block->info.columns);
		free(block->offsets);
		free(block->ordinals);
		free(block->orders);
		strbuf_free(&block->bytes);
		free(block);
	}
}
