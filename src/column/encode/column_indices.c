/*
 * Reading columns of few values. What is packed into a few bits is nearly what is wanted, a number
 * that stands for a value: it only has to be spread to bytes and, where rows are absent, to the
 * rows. Patches are rare and repeat; each distinct one becomes an index of its own.
 */
#include "config.h"
#include "column/encode/column_indices.h"

#include "column/encode/column_stream.h"

#define PATCH_LIMIT 4096 /* more of them are not looked through */

static int64_t
value_of_number(const struct column_stream *stream, uint64_t number)
{
	if (stream->info->flags & COLUMN_TABLE) {
		number = column_table_entry(stream, number);
	}
	return (int64_t)((uint64_t)stream->info->base + (uint64_t)stream->info->scale * number);
}

/* The patch's index among those known by now, or the next one. */
static unsigned
patch_index(const struct column_indices *small, uint64_t number)
{
	unsigned i = small->n_numbers;
	while (i < small->n_values && small->patches[i] != number) {
		i++;
	}
	return i;
}

static uint64_t
patch_number(const struct column_stream *stream, uint32_t patch)
{
	return load_u64(stream->patches + 2 * (size_t)stream->n_patches + 8 * (size_t)patch);
}

static bool
list_patches(struct column_indices *small)
{
	const struct column_stream *stream = &small->stream;
	if (stream->n_patches > PATCH_LIMIT) {
		return false;
	}
	for (uint32_t p = 0; p < stream->n_patches; p++) {
		uint64_t number = patch_number(stream, p);
		unsigned i = patch_index(small, number);
		if (i == SMALL_VALUES) {
			return false;
		}
		if (i == small->n_values) {
			small->patches[i] = number;
			small->values[small->n_values++] = value_of_number(stream, number);
		}
	}
	return true;
}

bool
column_indices_init(struct column_indices *small, const struct column_reader *reader)
{
	const struct column_info *info = reader->own.info;
	if ((info->type != COLUMN_INTEGER && info->type != COLUMN_TEXT) ||
	    info->flags & (COLUMN_DELTA | COLUMN_COPY | COLUMN_DECIMAL) ||
	    info->width > SMALL_WIDTH) {
		return false;
	}
	small->stream = reader->own;
	column_indices_rewind(small);
	small->n_numbers = (uint8_t)(1u << info->width);
	small->n_values = small->n_numbers;
	for (unsigned i = 0; i < small->n_numbers; i++) {
		small->values[i] = value_of_number(&small->stream, i);
	}
	if (!list_patches(small)) {
		return false;
	}
	small->fill = (uint8_t)small->n_values;
	if (info->flags & COLUMN_FILL) {
		if (small->n_values == SMALL_VALUES) {
			return false;
		}
		small->values[small->n_values++] =
		    (int64_t)((uint64_t)info->first + small->stream.fill);
	}
	small->absent = (uint8_t)small->n_values;
	small->values[small->absent] = 0;
	return true;
}

void
column_indices_rewind(struct column_indices *small)
{
	small->stream.row = small->stream.number = small->stream.patch = 0;
}

/* The next n numbers, patches put in. */
static void
read_numbers(struct column_indices *small, uint32_t n, uint8_t *indices)
{
	struct column_stream *stream = &small->stream;
	if (stream->info->width == 0) {
		memset(indices, 0, n);
	} else {
		bits_unpack_bytes(stream->numbers, stream->number, n, stream->info->width, indices);
	}
	for (; stream->patch < stream->n_patches; stream->patch++) {
		uint32_t position = load_u16(stream->patches + 2 * (size_t)stream->patch);
		if (position >= stream->number + n) {
			break;
		}
		if (position >= stream->number) {
			indices[position - stream->number] =
			    (uint8_t)patch_index(small, patch_number(stream, stream->patch));
		}
	}
	stream->number += n;
}

/* Moves numbers to the rows whose bit is set; the others get `fill`. */
static void
spread(const uint8_t *numbers, const uint64_t *presence, uint32_t n, uint8_t fill, uint8_t *indices)
{
	memset(indices, fill, n);
	for (uint32_t word = 0; word < (n + 63) / 64; word++) {
		uint64_t bits = presence[word];
		uint8_t *rows = indices + word * 64;
		if (bits == UINT64_MAX) {
			memcpy(rows, numbers, 64);
			numbers += 64;
			continue;
		}
		for (; bits; bits &= bits - 1) {
			rows[__builtin_ctzll(bits)] = *numbers++;
		}
	}
}

void
column_indices_read(struct column_indices *small, uint32_t n, uint8_t *indices)
{
	struct column_stream *stream = &small->stream;
	if (!stream->bitmap && !stream->list) {
		read_numbers(small, n, indices);
	} else {
		uint64_t presence[COLUMN_READ_ROWS / 64];
		uint8_t numbers[COLUMN_READ_ROWS];
		read_numbers(small, column_stream_presence(stream, n, presence), numbers);
		spread(numbers, presence, n, small->fill, indices);
	}
	stream->row += n;
}

void
column_indices_skip(struct column_indices *small, uint32_t n)
{
	small->stream.number += column_stream_count(&small->stream, n);
	small->stream.row += n;
}
