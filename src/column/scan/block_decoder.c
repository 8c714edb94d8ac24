/*
 * One block on one thread: its columns' bytes, fetched in one go, and what is decoded of them.
 *
 * A column is decoded chunk by chunk when somebody asks for it; chunks that nobody asked for are
 * skipped, which costs nothing for most columns. Codes are checked here, once for everybody: a code
 * that its source's dictionary does not have becomes 0 and the block is reported as damaged when
 * its scan is over, so that scans need no error path for single values.
 */
#include "config.h"
#include "column/scan/block_decoder.h"

#include <stdlib.h>

#include "column/encode/column_bits.h"
#include "util/mem.h"
#include "util/order.h"

#define FETCH_LIMIT ((size_t)1 << 30) /* bytes of one block */
#define COLUMN_LIMIT (2u << 20)       /* of a column without texts: no block's can be larger */
#define NOT_FETCHED SIZE_MAX

uint32_t
block_fields_add(struct block_fields *set, uint32_t field)
{
	for (size_t i = 0; i < set->n; i++) {
		if (set->fields[i] == field) {
			return (uint32_t)i;
		}
	}
	MEM_GROW(set->fields, set->capacity, set->n + 1);
	set->fields[set->n] = field;
	return (uint32_t)set->n++;
}

void
block_fields_free(struct block_fields *set)
{
	free(set->fields);
	*set = (struct block_fields){0};
}

/* A place for each column that slot order needs: its own bytes, then those of the column it
 * copies. */
static const struct column_info *
slot_info(const struct block_info *info, const struct block_fields *fields, size_t place)
{
	const struct column_info *column = block_column(info, fields->fields[place % fields->n]);

	if (place < fields->n || !column) {
		return column;
	}
	return column->flags & COLUMN_COPY ? block_column(info, column->same_as) : NULL;
}

/* The wanted slot that holds the same column, or `place`. */
static size_t
same_place(const struct block_fields *fields, const struct column_info *column, size_t place)
{
	for (size_t i = 0; i < fields->n && place >= fields->n; i++) {
		if (fields->fields[i] == column->field) {
			return i;
		}
	}
	return place;
}

int
block_bytes_begin(struct block_bytes *bytes, const struct block_fields *fields,
                  const struct block_info *info, size_t index, struct err *err)
{
	size_t total = 8;

	if (bytes->n_slots != fields->n || !bytes->offsets) {
		bytes->offsets =
		    xrealloc_array(bytes->offsets, 2 * fields->n + 1, sizeof *bytes->offsets);
		bytes->is_fetched =
		    xrealloc_array(bytes->is_fetched, 2 * fields->n + 1, sizeof *bytes->is_fetched);
		bytes->n_slots = fields->n;
	}
	for (size_t i = 0; i < 2 * fields->n; i++) {
		const struct column_info *column = slot_info(info, fields, i);
		bytes->offsets[i] = NOT_FETCHED;
		bytes->is_fetched[i] = false;
		if (!column || column->blob_bytes == 0) {
			continue;
		}
		if (column->type != COLUMN_LOCAL_TEXT && column->blob_bytes > COLUMN_LIMIT) {
			return err_set(err, ERR_FORMAT, "block %zu: column %u: bad description",
			               index, (unsigned)column->field);
		}
		size_t place = same_place(fields, column, i);
		bytes->offsets[i] = place == i ? total - 8 : bytes->offsets[place];
		total += place == i ? column->blob_bytes : 0;
		if (total > FETCH_LIMIT) {
			return err_set(err, ERR_LIMIT,
			               "block %zu: its columns take more than 1 GiB", index);
		}
	}
	if (total > bytes->capacity) {
		free(bytes->bytes);
		bytes->capacity = 0;
		bytes->bytes = mem_try(total + total / 4, 1, SIZE_MAX);
		if (!bytes->bytes) {
			return err_set(err, ERR_LIMIT,
			               "no memory for the %zu bytes of a block's columns", total);
		}
		bytes->capacity = total + total / 4;
	}
	memset(bytes->bytes + total - 8, 0, 8);
	bytes->info = info;
	bytes->index = index;
	return 0;
}

static int
fetch_place(struct block_bytes *bytes, const struct dataset *dataset,
            const struct block_fields *fields, size_t place, struct err *err)
{
	const struct column_info *column = slot_info(bytes->info, fields, place);
	if (bytes->offsets[place] == NOT_FETCHED) {
		return 0;
	}
	place = same_place(fields, column, place);
	if (bytes->is_fetched[place]) {
		return 0;
	}
	bytes->is_fetched[place] = true;
	return dataset->fetch(dataset->user, column->blob_id, bytes->bytes + bytes->offsets[place],
	                      column->blob_bytes, err);
}

int
block_bytes_fetch(struct block_bytes *bytes, const struct dataset *dataset,
                  const struct block_fields *fields, size_t n_slots, struct err *err)
{
	for (size_t slot = 0; slot < n_slots; slot++) {
		if (fetch_place(bytes, dataset, fields, slot, err) < 0 ||
		    fetch_place(bytes, dataset, fields, fields->n + slot, err) < 0) {
			return -1;
		}
	}
	return 0;
}

void
block_bytes_free(struct block_bytes *bytes)
{
	free(bytes->bytes);
	free(bytes->offsets);
	free(bytes->is_fetched);
}

void
block_decoder_init(struct block_decoder *decoder, const struct dataset *dataset,
                   const struct block_fields *fields, unsigned thread)
{
	*decoder = (struct block_decoder){.n_columns = fields->n};
	MEM_NEW(decoder->columns, fields->n + 1);
	decoder->view.dataset = dataset;
	decoder->view.thread = thread;
	decoder->view.decoder = decoder;
}

void
block_decoder_fini(struct block_decoder *decoder)
{
	for (size_t i = 0; i < decoder->n_columns; i++) {
		free(decoder->columns[i].values);
		free(decoder->columns[i].small);
	}
	free(decoder->columns);
}

static bool
type_fits(uint32_t field, unsigned type)
{
	if (field < FIELD_ARG) {
		enum column_type wanted = COLUMN_INTEGER;
		for (int i = 0; i < ROW_COLUMNS; i++) {
			if (row_columns[i].field == field) {
				wanted = row_columns[i].class == ROW_CLASS_TEXT   ? COLUMN_TEXT
				         : row_columns[i].class == ROW_CLASS_REAL ? COLUMN_REAL
				                                                  : COLUMN_INTEGER;
			}
		}
		return type == wanted;
	}
	switch ((field - FIELD_ARG) % ARG_TYPES) {
	case ARG_TEXT:
	case ARG_JSON:
		return type == COLUMN_TEXT || type == COLUMN_LOCAL_TEXT;
	case ARG_REAL:
		return type == COLUMN_REAL;
	default:
		return type == COLUMN_INTEGER;
	}
}

static int
open_column(struct block_decoder *decoder, size_t slot, const struct block_fields *fields,
            const struct block_bytes *bytes, struct err *err)
{
	struct decoder_column *column = &decoder->columns[slot];
	const struct column_info *info = slot_info(bytes->info, fields, slot);
	const size_t *offsets = bytes->offsets;
	size_t copy = fields->n + slot;

	column->chunk_row = UINT32_MAX;
	column->next_row = 0;
	column->small_state = SMALL_UNKNOWN;
	column->chunk.info = info;
	if (!info) {
		return 0;
	}
	if (!type_fits(info->field, info->type)) {
		return err_set(err, ERR_FORMAT, "column %u: has the wrong type %u",
		               (unsigned)info->field, (unsigned)info->type);
	}
	column->bound = info->type == COLUMN_TEXT   ? decoder->view.source->n_texts
	                : info->field == FIELD_LANE ? decoder->view.source->n_lanes
	                                            : UINT32_MAX;
	if (!column->values) {
		column->values = xrealloc_array(NULL, CHUNK_ROWS, sizeof *column->values);
	}
	return column_reader_init(
	    &column->reader, info,
	    offsets[slot] == NOT_FETCHED ? NULL : bytes->bytes + offsets[slot],
	    slot_info(bytes->info, fields, copy),
	    offsets[copy] == NOT_FETCHED ? NULL : bytes->bytes + offsets[copy], bytes->info->n_rows,
	    err);
}

int
block_decoder_open(struct block_decoder *decoder, const struct block_fields *fields,
                   const struct block_bytes *bytes, size_t n_slots, struct err *err)
{
	struct block_view *view = &decoder->view;
	const struct block_info *info = bytes->info;

	if (info->n_rows > BLOCK_ROWS || info->source >= view->dataset->n_sources) {
		return err_set(err, ERR_FORMAT, "block %zu: bad description", bytes->index);
	}
	view->info = info;
	view->index = bytes->index;
	view->source = &view->dataset->sources[info->source];
	view->row = view->n = 0;
	decoder->is_damaged = false;
	for (size_t slot = 0; slot < n_slots; slot++) {
		if (open_column(decoder, slot, fields, bytes, err)) {
			return err_wrap(err, "block %zu", bytes->index);
		}
	}
	for (size_t slot = n_slots; slot < fields->n; slot++) {
		decoder->columns[slot].chunk.info = slot_info(info, fields, slot);
		decoder->columns[slot].small_state = SMALL_NO;
	}
	return 0;
}

int
block_decoder_check(const struct block_decoder *decoder, struct err *err)
{
	if (decoder->is_damaged) {
		return err_set(err, ERR_FORMAT,
		               "block %zu: column %u: a code that its source does not have",
		               decoder->view.index, (unsigned)decoder->damaged_field);
	}
	return 0;
}

void
block_decoder_note_damage(struct block_decoder *decoder, uint32_t field)
{
	decoder->is_damaged = true;
	decoder->damaged_field = field;
}

void
block_view_skip_to(struct block_view *view, uint32_t row)
{
	view->row = row / CHUNK_ROWS * CHUNK_ROWS;
	view->n = 0;
}

bool
block_view_next(struct block_view *view)
{
	uint32_t row = view->row + view->n;

	if (row >= view->info->n_rows) {
		return false;
	}
	uint32_t left = view->info->n_rows - row;
	view->row = row;
	view->n = LEAST(left, CHUNK_ROWS);
	return true;
}

/* Is any value not below the bound, 2^32 at most? A difference has bit 63 set where the value is
 * below, if it is below 2^63. */
static bool
exceeds_bound(const int64_t *values, uint32_t n, uint64_t bound)
{
	uint64_t exceeds = 0, more = 0;
	uint32_t i = 0;

	for (; i + 2 <= n; i += 2) {
		uint64_t a = (uint64_t)values[i], b = (uint64_t)values[i + 1];
		exceeds |= a | ~(a - bound);
		more |= b | ~(b - bound);
	}
	for (; i < n; i++) {
		exceeds |= (uint64_t)values[i] | ~((uint64_t)values[i] - bound);
	}
	return (exceeds | more) >> 63;
}

static void
check_codes(struct block_decoder *decoder, struct decoder_column *column, uint32_t n)
{
	uint64_t bound = column->bound;
	if (!exceeds_bound(column->values, n, bound) ||
	    (bound == 0 && column->chunk.n_present == 0)) {
		return;
	}
	block_decoder_note_damage(decoder, column->chunk.info->field);
	for (uint32_t i = 0; i < n; i++) {
		if ((uint64_t)column->values[i] >= bound) {
			column->values[i] = 0;
			column->presence[i / 64] &= ~(UINT64_C(1) << (i & 63));
		}
	}
}

static uint32_t
count_presence(const uint64_t *presence, uint32_t n)
{
	uint32_t count = 0;

	for (uint32_t word = 0; word < (n + 63) / 64; word++) {
		count += bits_count(presence[word]);
	}
	return count;
}

static const int64_t no_values[CHUNK_ROWS];
static const uint64_t no_presence[CHUNK_WORDS];

const struct chunk_column *
block_view_column(struct block_view *view, uint32_t slot)
{
	struct block_decoder *decoder = view->decoder;
	struct decoder_column *column = &decoder->columns[slot];
	struct chunk_column *chunk = &column->chunk;

	if (column->chunk_row == view->row) {
		return chunk;
	}
	column->chunk_row = view->row;
	if (!chunk->info) {
		chunk->values = no_values;
		chunk->presence = no_presence;
		chunk->n_present = 0;
		return chunk;
	}
	if (column->next_row > view->row) {
		column_rewind(&column->reader);
		column->next_row = 0;
	}
	if (column->next_row < view->row) {
		column_skip(&column->reader, view->row - column->next_row);
	}
	memset(column->presence + (view->n + 63) / 64, 0,
	       sizeof column->presence - (view->n + 63) / 64 * 8);
	column_read(&column->reader, view->n, column->values, column->presence);
	column->next_row = view->row + view->n;
	chunk->values = column->values;
	chunk->presence = column->presence;
	chunk->n_present = count_presence(column->presence, view->n);
	if (column->bound != UINT32_MAX) {
		check_codes(decoder, column, view->n);
		chunk->n_present = count_presence(column->presence, view->n);
	}
	return chunk;
}

bool
block_view_text(struct block_view *view, uint32_t slot, uint32_t row, struct slice *text)
{
	const struct decoder_column *column = &view->decoder->columns[slot];

	*text = slice_of("");
	return column->chunk.info && column_text(&column->reader, row, text);
}
