/*
 * Reading a column that column_open.c has checked. Every read goes the same way: unpack numbers
 * into the caller's array, put patches in, turn numbers into values in place, and spread them to
 * the rows that are present, from the end, which needs no second array. Arithmetic is unsigned: no
 * base, scale or number can overflow.
 */
#include "config.h"
#include "column/encode/column.h"

#include "column/encode/column_stream.h"
#include "util/order.h"

#define SMALL_TABLE 64

/* Small tables are laid out first, with their values: then a number costs one look-up. */
static void
table_to_values(const struct column_stream *stream, uint64_t *values, uint32_t n)
{
	uint64_t base = (uint64_t)stream->info->base, scale = (uint64_t)stream->info->scale;
	uint64_t entries[SMALL_TABLE], mask = SMALL_TABLE - 1;

	if (stream->info->width > 6 || n < SMALL_TABLE) {
		for (uint32_t i = 0; i < n; i++) {
			values[i] = base + scale * column_table_entry(stream, values[i]);
		}
		return;
	}
	for (uint64_t i = 0; i < SMALL_TABLE; i++) {
		entries[i] = base + scale * column_table_entry(stream, i);
	}
	for (uint32_t i = 0; i < n; i++) {
		values[i] = entries[values[i] & mask];
	}
}

static const double powers_of_ten[16] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                         1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

static inline uint64_t
decimal_bits(const struct column_stream *stream, uint64_t value)
{
	double real = (double)(int64_t)value / powers_of_ten[stream->digits];
	uint64_t bits;
	memcpy(&bits, &real, sizeof bits);
	return bits;
}

/* Eight at a time, which compilers turn into vector instructions without being asked. */
static void
add_to_all(uint64_t *values, uint32_t n, uint64_t base)
{
	uint32_t i = 0;

	for (; i + 8 <= n; i += 8) {
		for (uint32_t j = 0; j < 8; j++) {
			values[i + j] += base;
		}
	}
	for (; i < n; i++) {
		values[i] += base;
	}
}

static void
numbers_to_values(struct column_stream *stream, uint64_t *values, uint32_t n)
{
	const struct column_info *info = stream->info;
	uint64_t base = (uint64_t)info->base, scale = (uint64_t)info->scale;

	if (info->flags & COLUMN_TABLE) {
		table_to_values(stream, values, n);
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
		add_to_all(values, n, base);
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
			const unsigned char *numbers =
			    stream->patches + 2 * (size_t)stream->n_patches;
			values[position - stream->number] =
			    load_u64(numbers + 8 * (size_t)stream->patch);
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
		uint32_t some = LEAST(n, 512);
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

uint32_t
column_stream_presence(const struct column_stream *stream, uint32_t n, uint64_t *presence)
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
		count += bits_count(word);
	}
	return count;
}

static void
fill_all(uint64_t *values, uint32_t n, uint64_t fill)
{
	uint32_t i = 0;

	for (; i + 8 <= n; i += 8) { /* as add_to_all */
		for (uint32_t j = 0; j < 8; j++) {
			values[i + j] = fill;
		}
	}
	for (; i < n; i++) {
		values[i] = fill;
	}
}

/* Moves values[0 ... count-1] to the rows whose bit is set; the others get `fill`. The values of a
 * word's rows stand before these, or are some of them: they are put aside. */
static void
spread(uint64_t *values, uint32_t count, const uint64_t *presence, uint32_t n, uint64_t fill)
{
	uint64_t aside[64];

	if (count == n) {
		return;
	}
	for (uint32_t word = (n + 63) / 64; word-- > 0;) {
		uint64_t *rows = values + word * 64;
		uint32_t n_rows = LEAST(n - word * 64, 64), n_aside = bits_count(presence[word]);
		count -= n_aside;
		memcpy(aside, values + count, n_aside * sizeof *aside);
		fill_all(rows, n_rows, fill);
		const uint64_t *next = aside;
		for (uint64_t bits = presence[word]; bits; bits &= bits - 1) {
			rows[__builtin_ctzll(bits)] = *next++;
		}
	}
}

static void
stream_read(struct column_stream *stream, uint32_t n, uint64_t *values, uint64_t *presence)
{
	const struct column_info *info = stream->info;
	uint32_t count = column_stream_presence(stream, n, presence);

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

uint32_t
column_stream_count(const struct column_stream *stream, uint32_t n)
{
	uint32_t count = 0;

	if (!stream->list) {
		return stream->bitmap ? bitmap_count(stream->bitmap, stream->row, stream->row + n)
		                      : n;
	}
	while (stream->number + count < stream->n_numbers &&
	       load_u16(stream->list + 2 * (size_t)(stream->number + count)) < stream->row + n) {
		count++;
	}
	return count;
}

static void
stream_skip(struct column_stream *stream, uint32_t n)
{
	stream_pass(stream, column_stream_count(stream, n));
	stream->row += n;
}

void
column_read(struct column_reader *reader, uint32_t n, int64_t *values, uint64_t *presence)
{
	if (!(reader->own.info->flags & COLUMN_COPY)) {
		stream_read(&reader->own, n, (uint64_t *)values, presence);
		return;
	}
	uint64_t of_source[COLUMN_READ_ROWS / 64];
	stream_read(&reader->source, n, (uint64_t *)values, of_source);
	reader->own.number += column_stream_presence(&reader->own, n, presence);
	reader->own.row += n;
	for (uint32_t word = 0; word < (n + 63) / 64; word++) {
		for (uint64_t gone = of_source[word] & ~presence[word]; gone; gone &= gone - 1) {
			values[word * 64 + (uint32_t)__builtin_ctzll(gone)] = 0;
		}
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
		uint32_t low = 0;
		ORDER_FIND(low, stream->n_numbers, middle,
		           load_u16(stream->list + 2 * (size_t)middle) < row);
		*rank = low;
		return low < stream->n_numbers && load_u16(stream->list + 2 * (size_t)low) == row;
	}
	*rank = stream->bitmap ? bitmap_count(stream->bitmap, 0, row) : row;
	return !stream->bitmap || stream->bitmap[row / 8] >> (row & 7) & 1;
}

bool
column_text(const struct column_reader *reader, uint32_t row, struct slice *text)
{
	const struct column_stream *stream = &reader->own;
	uint32_t rank;

	*text = slice_of("");
	if (stream->info->type != COLUMN_LOCAL_TEXT || row >= stream->n_rows ||
	    !stream_rank(stream, row, &rank)) {
		return false;
	}
	uint64_t step = (uint64_t)stream->info->base;
	unsigned width = stream->info->width;
	uint64_t start = rank * step + bits_get(stream->numbers, rank, width);
	uint64_t end = (rank + 1) * step + bits_get(stream->numbers, rank + 1, width);
	if (start <= end && end <= stream->text_bytes) {
		*text = (struct slice){(const char *)stream->texts + start, end - start};
	}
	return true;
}
