/* Inside of reading columns: what column_read.c and column_indices.c share.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_ENCODE_COLUMN_STREAM_H
#define LANESCOPE_COLUMN_ENCODE_COLUMN_STREAM_H

#include "column/encode/column.h"
#include "column/encode/column_bits.h"

static inline uint64_t
column_table_entry(const struct column_stream *stream, uint64_t index)
{
	index = index < stream->n_table ? index : 0;
	return load_u64(stream->table + index * stream->entry_bytes) &
	       bits_mask(stream->entry_bytes * 8);
}

/* Presence of the next n rows; returns how many of them have a number. */
uint32_t column_stream_presence(const struct column_stream *stream, uint32_t n, uint64_t *presence);
/* How many of the next n rows have a number. */
uint32_t column_stream_count(const struct column_stream *stream, uint32_t n);

#endif
