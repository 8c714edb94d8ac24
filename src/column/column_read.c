/*
 * Reading a column.
 *
 * A run file may be hostile, and reads are the innermost loop of every scan, so everything is checked once, at the
 * start: that the parts of the blob lie where their sizes say and fill it exactly, that the bitmap has as many bits as there are
 * numbers, that patches and row numbers ascend within bounds. From then on only table indexes need care (they are clipped), and
 * arithmetic is unsigned, so that no base, scale or number can overflow.
 *
 * Every read goes the same way: unpack numbers into the caller's array, put patches in, turn numbers into values in place, and
 * spread them to the rows that are present, from the end, which needs no second array.
 */
#include "config.h"
#include "column/column.h"

#include "column/column_bits.h"

/* What is left of the blob while its parts are taken off. */
struct cursor {
	const unsigned char *bytes;
	size_t left;
};

static const unsigned char *
cursor_take(struct cursor *cursor, uint64_t bytes)
{
	if (bytes > cursor->left) {
		return NULL;
	}
	const unsigned char *taken = cursor->bytes;
	cursor->bytes += bytes;
	cursor->left -= bytes;
	return taken;
}

static bool
ascends_below(const unsigned char *numbers, uint32_t n, uint32_t bound)
{
	int64_t previous = -1;

	for (uint32_t i = 0; i < n; i++) {
		uint16_t number = load_u16(numbers + 2 * (size_t)i);
		if (number <= previous || number >= bound) {
			return false;
		}
		previous = number;
	}
	return true;
}

static uint64_t
bitmap_word(const unsigned char *bitmap, uint32_t row, uint32_t n_rows)
{
	uint64_t word = load_u64(bitmap + row / 8);
	uint32_t left = n_rows - row;
	return left >= 64 ? word : word & bits_mask(left);
}

static uint32_t
bitmap_count(const unsigned char *bitmap, uint32_t row, uint32_t end)
{
	uint32_t count = 0;

	for (; row < end; row += 64) {
		count += (uint32_t)__builtin_popcountll(bitmap_word(bitmap, row, end));
	}
	return count;
}

static bool
flags_valid(const struct column_info *info)
{
	unsigned flags = info->flags;
	unsigned presence = flags & (COLUMN_SPARSE | COLUMN_LIST);

	if (info->type > COLUMN_LOCAL_TEXT || !bits_width_valid(info->width)) {
		return false;
	}
	if (presence == COLUMN_LIST || (presence && flags & COLUMN_FILL)) {
		return false;
	}
	if (flags & COLUMN_TABLE && flags & (COLUMN_DELTA | COLUMN_PATCH)) {
		return false;
	}
	if (flags & COLUMN_DECIMAL && info->type != COLUMN_REAL) {
		return false;
	}
	if (flags & COLUMN_COPY) {
		return flags == (COLUMN_COPY | presence) && info->type == COLUMN_INTEGER && info->width == 0;
	}
	return info->type != COLUMN_LOCAL_TEXT || flags == presence;
}

static bool
take_presence(struct column_stream *stream, struct cursor *cursor)
{
	const struct column_info *info = stream->info;

	stream->n_numbers = info->n_present;
	if (info->flags & COLUMN_LIST) {
		stream->list = cursor_take(cursor, 2 * (uint64_t)info->n_present);
		return stream->list && ascends_below(stream->list, info->n_present, stream->n_rows);
	}
	if (!(info->flags & (COLUMN_SPARSE | COLUMN_FILL))) {
		return info->n_present == stream->n_rows;
	}
	stream->bitmap = cursor_take(cursor, (stream->n_rows + 7) / 8);
	if (!stream->bitmap) {
		return false;
	}
	stream->n_numbers = bitmap_count(stream->bitmap, 0, stream->n_rows);
	if (info->flags & COLUMN_SPARSE) {
		return stream->n_numbers == info->n_present;
	}
	const unsigned char *fill = cursor_take(cursor, 8);
	stream->fill = fill ? load_u64(fill) : 0;
	return fill && info->n_present == stream->n_rows;
}

static bool
take_table(struct column_stream *stream, struct cursor *cursor)
{
	if (stream->info->flags & COLUMN_TABLE) {
		const unsigned char *head = cursor_take(cursor, 3);
		if (!head || head[2] < 1 || head[2] > 8) {
			return false;
		}
		stream->n_table = load_u16(head) + 1u;
		stream->entry_bytes = head[2];
		stream->table = cursor_take(cursor, (uint64_t)stream->n_table * stream->entry_bytes);
		if (!stream->table) {
			return false;
		}
	}
	if (stream->info->flags & COLUMN_DECIMAL) {
		const unsigned char *digits = cursor_take(cursor, 1);
		if (!digits || *digits > 15) {
			return false;
		}
		stream->digits = *digits;
	}
	return true;
}

static bool
take_patches(struct column_stream *stream, struct cursor *cursor)
{
	if (!(stream->info->flags & COLUMN_PATCH)) {
		return true;
	}
	const unsigned char *count = cursor_take(cursor, 4);
	if (!count || load_u32(count) > stream->n_numbers) {
		return false;
	}
	stream->n_patches = load_u32(count);
	stream->patches = cursor_take(cursor, 10 * (uint64_t)stream->n_patches);
	return stream->patches && ascends_below(stream->patches, stream->n_patches, stream->n_numbers);
}

static bool
take_texts(struct column_stream *stream, struct cursor *cursor)
{
	if (stream->info->type != COLUMN_LOCAL_TEXT) {
		return true;
	}
	const unsigned char *length = cursor_take(cursor, 4);
	if (!length) {
		return false;
	}
	stream->text_bytes = load_u32(length);
	stream->texts = cursor_take(cursor, stream->text_bytes);
	return stream->texts != NULL;
}

static int
stream_init(struct column_stream *stream, const struct column_info *info, const void *blob, uint32_t n_rows,
	    struct err *err)
{
	static const unsigned char nothing[8];
	struct cursor cursor = { blob ? blob : nothing, blob ? info->blob_bytes : 0 };

	memset(stream, 0, sizeof *stream);
	stream->info = info;
	stream->n_rows = n_rows;
	stream->previous = (uint64_t)info->first;
	if (n_rows > BLOCK_ROWS || info->n_present > n_rows || !flags_valid(info)) {
		return err_set(err, ERR_FORMAT, "column %u: bad description", (unsigned)info->field);
	}
	bool ok = take_presence(stream, &cursor) && take_table(stream, &cursor);
	if (ok && !(info->flags & COLUMN_COPY)) {
		uint64_t count = (uint64_t)stream->n_numbers + (info->type == COLUMN_LOCAL_TEXT);
		stream->numbers = cursor_take(&cursor, bits_bytes(count, info->width));
		ok = stream->numbers != NULL;
	}
	if (!ok || !take_patches(stream, &cursor) || !take_texts(stream, &cursor) || cursor.left != 0) {
		return err_set(err, ERR_FORMAT, "column %u: its %lu bytes do not fit its description", (unsigned)info->field,
			       (unsigned long)info->blob_bytes);
	}
	return 0;
}

int
column_reader_init(struct column_reader *reader, const struct column_info *info, const void *blob,
		   const struct column_info *source_info, const void *source_blob, uint32_t n_rows, struct err *err)
{
	if (stream_init(&reader->own, info, blob, n_rows, err) < 0) {
		return -1;
	}
	if (!(info->flags & COLUMN_COPY)) {
		return 0;
	}
	if (!source_info || source_info->flags & COLUMN_COPY || source_info->type != COLUMN_INTEGER) {
		return err_set(err, ERR_FORMAT, "column %u: a copy of what is no column of integers", (unsigned)info->field);
	}
	return stream_init(&reader->source, source_info, source_blob, n_rows, err);
}

static inline uint64_t
table_entry(const struct column_stream *stream, uint64_t index)
{
	index = index < stream->n_table ? index : 0;
	return load_u64(stream->table + index * stream->entry_bytes) & bits_mask(stream->entry_bytes * 8);
}

static const double powers_of_ten[16] = { 1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
	                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };

static inline uint64_t
decimal_bits(const struct column_stream *stream, uint64_t value)
{
	double real = (double)(int64_t)value / powers_of_ten[stream->digits];
	uint64_t bits;
	memcpy(&bits, &real, sizeof bits);
	return bits;
}

static void
numbers_to_values(struct column_stream *stream, uint64_t *values, uint32_t n)
{
	const struct column_info *info = stream->info;
	uint64_t base = (uint64_t)info->base, scale = (uint64_t)info->scale;

	if (info->flags & COLUMN_TABLE) {
		for (uint32_t i = 0; i < n; i++) {
			values[i] = base + scale * table_entry(stream, values[i]);
		}
	} else if (info->flags & COLUMN_DELTA) {
		uint64_t value = stream->previous;
		for (uint32_t i = 0; i < n; i++) {
			value += base + scale * values[i];
			values[i] = value;
		}
		stream->previous = value;
	} else if (scale != 1) {
		for (uint32_t i = 0; i < n; i++) {
			values[i] = base + scale * values[i];
		}
	} else if (base != 0) {
		for (uint32_t i = 0; i < n; i++) {
			values[i] += base;
		}
	}
	if (info->flags & COLUMN_DECIMAL) {
		for (uint32_t i = 0; i < n; i++) {
			values[i] = decimal_bits(stream, values[i]);
		}
	}
}

/* The next n values of those that have a number. */
static void
stream_values(struct column_stream *stream, uint32_t n, uint64_t *values)
{
	bits_unpack(stream->numbers, stream->number, n, stream->info->width, values);
	while (stream->patch < stream->n_patches) {
		uint32_t position = load_u16(stream->patches + 2 * (size_t)stream->patch);
		if (position >= stream->number + n) {
			break;
		}
		if (position >= stream->number) {
			const unsigned char *numbers = stream->patches + 2 * (size_t)stream->n_patches;
			values[position - stream->number] = load_u64(numbers + 8 * (size_t)stream->patch);
		}
		stream->patch++;
	}
	numbers_to_values(stream, values, n);
	stream->number += n;
}

/* Goes over n values without wanting them. */
static void
stream_pass(struct column_stream *stream, uint32_t n)
{
	if (!(stream->info->flags & COLUMN_DELTA)) {
		stream->number += n;
		return;
	}
	uint64_t values[512];
	while (n > 0) {
		uint32_t some = n < 512 ? n : 512;
		stream_values(stream, some, values);
		n -= some;
	}
}

static uint32_t
all_present(uint64_t *presence, uint32_t n)
{
	for (uint32_t word = 0; word < n / 64; word++) {
		presence[word] = UINT64_MAX;
	}
	if (n % 64) {
		presence[n / 64] = bits_mask(n % 64);
	}
	return n;
}

/* Presence of the next n rows; returns how many of them have a number. */
static uint32_t
stream_presence(struct column_stream *stream, uint32_t n, uint64_t *presence)
{
	uint32_t count = 0;

	if (stream->list) {
		memset(presence, 0, (n + 63) / 64 * sizeof *presence);
		uint32_t i = stream->number;
		for (; i < stream->n_numbers; i++) {
			uint32_t row = load_u16(stream->list + 2 * (size_t)i) - stream->row;
			if (row >= n) {
				break;
			}
			presence[row / 64] |= UINT64_C(1) << (row & 63);
		}
		return i - stream->number;
	}
	if (!stream->bitmap) {
		return all_present(presence, n);
	}
	for (uint32_t row = 0; row < n; row += 64) {
		uint64_t word = bitmap_word(stream->bitmap, stream->row + row, stream->row + n);
		presence[row / 64] = word;
		count += (uint32_t)__builtin_popcountll(word);
	}
	return count;
}

/* Moves values[0 ... count-1] to the rows whose bit is set; the others get `fill`. */
static void
spread(uint64_t *values, uint32_t count, const uint64_t *presence, uint32_t n, uint64_t fill)
{
	if (count == n) {
		return;
	}
	if (count == 0) {
		for (uint32_t row = 0; row < n; row++) {
			values[row] = fill;
		}
		return;
	}
	for (uint32_t row = n; row-- > 0;) {
		uint64_t bit = presence[row / 64] >> (row & 63) & 1;
		uint64_t keep = -bit;
		count -= (uint32_t)bit;
		values[row] = (values[count] & keep) | (fill & ~keep);
	}
}

static void
stream_read(struct column_stream *stream, uint32_t n, uint64_t *values, uint64_t *presence)
{
	const struct column_info *info = stream->info;
	uint32_t count = stream_presence(stream, n, presence);

	if (info->type == COLUMN_LOCAL_TEXT || info->flags & COLUMN_COPY) {
		stream->number += count;
		memset(values, 0, n * sizeof *values);
	} else {
		stream_values(stream, count, values);
		bool fills = info->flags & COLUMN_FILL;
		uint64_t fill = fills ? (uint64_t)info->first + stream->fill : 0;
		if (fills && info->flags & COLUMN_DECIMAL) {
			fill = decimal_bits(stream, fill);
		}
		spread(values, count, presence, n, fill);
		if (fills) {
			all_present(presence, n);
		}
	}
	stream->row += n;
}

static void
stream_skip(struct column_stream *stream, uint32_t n)
{
	uint32_t count = n;

	if (stream->list) {
		for (count = 0; stream->number + count < stream->n_numbers; count++) {
			if (load_u16(stream->list + 2 * (size_t)(stream->number + count)) >= stream->row + n) {
				break;
			}
		}
	} else if (stream->bitmap) {
		count = bitmap_count(stream->bitmap, stream->row, stream->row + n);
	}
	stream_pass(stream, count);
	stream->row += n;
}

void
column_read(struct column_reader *reader, uint32_t n, int64_t *values, uint64_t *presence)
{
	if (!(reader->own.info->flags & COLUMN_COPY)) {
		stream_read(&reader->own, n, (uint64_t *)values, presence);
		return;
	}
	stream_read(&reader->source, n, (uint64_t *)values, presence);
	reader->own.number += stream_presence(&reader->own, n, presence);
	reader->own.row += n;
	for (uint32_t row = 0; row < n; row++) {
		values[row] &= -(int64_t)(presence[row / 64] >> (row & 63) & 1);
	}
}

void
column_skip(struct column_reader *reader, uint32_t n)
{
	stream_skip(&reader->own, n);
	if (reader->own.info->flags & COLUMN_COPY) {
		stream_skip(&reader->source, n);
	}
}

static void
stream_rewind(struct column_stream *stream)
{
	stream->row = stream->number = stream->patch = 0;
	stream->previous = (uint64_t)stream->info->first;
}

void
column_rewind(struct column_reader *reader)
{
	stream_rewind(&reader->own);
	if (reader->own.info->flags & COLUMN_COPY) {
		stream_rewind(&reader->source);
	}
}

/* Which number belongs to a row: false if none does. */
static bool
stream_rank(const struct column_stream *stream, uint32_t row, uint32_t *rank)
{
	if (stream->list) {
		uint32_t low = 0, high = stream->n_numbers;
		while (low < high) {
			uint32_t middle = low + (high - low) / 2;
			if (load_u16(stream->list + 2 * (size_t)middle) < row) {
				low = middle + 1;
			} else {
				high = middle;
			}
		}
		*rank = low;
		return low < stream->n_numbers && load_u16(stream->list + 2 * (size_t)low) == row;
	}
	*rank = stream->bitmap ? bitmap_count(stream->bitmap, 0, row) : row;
	return !stream->bitmap || stream->bitmap[row / 8] >> (row & 7) & 1;
}

static uint64_t
stream_value_at(const struct column_stream *stream, uint32_t rank)
{
	struct column_stream copy = *stream;
	uint64_t value;

	if (copy.info->flags & COLUMN_DELTA) {
		if (rank < copy.number) {
			copy.number = copy.patch = 0;
			copy.previous = (uint64_t)copy.info->first;
		}
		stream_pass(&copy, rank - copy.number);
	} else {
		copy.number = rank;
		uint32_t low = 0, high = copy.n_patches;
		while (low < high) {
			uint32_t middle = low + (high - low) / 2;
			if (load_u16(copy.patches + 2 * (size_t)middle) < rank) {
				low = middle + 1;
			} else {
				high = middle;
			}
		}
		copy.patch = low;
	}
	stream_values(&copy, 1, &value);
	return value;
}

static bool
stream_value(const struct column_stream *stream, uint32_t row, int64_t *value)
{
	const struct column_info *info = stream->info;
	uint32_t rank;

	if (stream_rank(stream, row, &rank)) {
		*value = (int64_t)stream_value_at(stream, rank);
		return true;
	}
	if (info->flags & COLUMN_FILL) {
		uint64_t fill = (uint64_t)info->first + stream->fill;
		*value = (int64_t)(info->flags & COLUMN_DECIMAL ? decimal_bits(stream, fill) : fill);
		return true;
	}
	return false;
}

bool
column_value(const struct column_reader *reader, uint32_t row, int64_t *value)
{
	uint32_t rank;

	*value = 0;
	if (row >= reader->own.n_rows || reader->own.info->type == COLUMN_LOCAL_TEXT) {
		return false;
	}
	if (!(reader->own.info->flags & COLUMN_COPY)) {
		return stream_value(&reader->own, row, value);
	}
	if (!stream_rank(&reader->own, row, &rank)) {
		return false;
	}
	stream_value(&reader->source, row, value);
	return true;
}

bool
column_text(const struct column_reader *reader, uint32_t row, struct slice *text)
{
	const struct column_stream *stream = &reader->own;
	uint32_t rank;

	*text = (struct slice){ "", 0 };
	if (stream->info->type != COLUMN_LOCAL_TEXT || row >= stream->n_rows || !stream_rank(stream, row, &rank)) {
		return false;
	}
	uint64_t step = (uint64_t)stream->info->base;
	unsigned width = stream->info->width;
	uint64_t start = rank * step + bits_get(stream->numbers, rank, width);
	uint64_t end = (rank + 1) * step + bits_get(stream->numbers, rank + 1, width);
	if (start <= end && end <= stream->text_bytes) {
		*text = (struct slice){ (const char *)stream->texts + start, end - start };
	}
	return true;
}
