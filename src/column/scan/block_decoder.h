/* Fetching and decoding one block: for src/column/block*.c alone.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_SCAN_BLOCK_DECODER_H
#define LANESCOPE_COLUMN_SCAN_BLOCK_DECODER_H

#include "column/scan/blockloop.h"
#include "column/encode/column_indices.h"
#include "util/err.h"

/* The wanted columns' bytes of one block. */
struct block_bytes {
	const struct block_info *info;
	size_t index; /* of the block in its kind */
	unsigned char *bytes;
	size_t capacity;
	size_t *offsets;  /* by slot; and by n_slots + slot those of what it is a copy of */
	bool *is_fetched; /* likewise */
	size_t n_slots;
};
/* Room for the block's columns; then they are fetched, on the calling thread: those of the first
 * n_slots slots that were not yet. */
int block_bytes_begin(struct block_bytes *bytes, const struct block_fields *fields,
                      const struct block_info *info, size_t index, struct err *err);
int block_bytes_fetch(struct block_bytes *bytes, const struct dataset *dataset,
                      const struct block_fields *fields, size_t n_slots, struct err *err);
void block_bytes_free(struct block_bytes *bytes);

struct decoder_column {
	struct column_reader reader;
	uint32_t next_row;  /* that the reader is at */
	uint32_t chunk_row; /* of chunk; UINT32_MAX: none */
	uint32_t bound;     /* codes are below it; UINT32_MAX: no codes */
	struct chunk_column chunk;
	int64_t *values; /* CHUNK_ROWS, when first needed */
	enum { SMALL_UNKNOWN, SMALL_NO, SMALL_YES } small_state;
	struct small_reader *small; /* when first needed */
	uint64_t presence[CHUNK_WORDS];
};
/* The same column as indices of few values, read on its own. */
struct small_reader {
	struct column_indices column;
	uint8_t first_bad, n_bad;     /* values that are codes out of range */
	uint32_t next_row, chunk_row; /* as above */
	uint8_t indices[CHUNK_ROWS];
};
struct block_decoder {
	struct decoder_column *columns; /* by slot */
	size_t n_columns;
	bool is_damaged; /* a code was out of range */
	uint32_t damaged_field;
	struct block_view view;
};
void block_decoder_init(struct block_decoder *decoder, const struct dataset *dataset,
                        const struct block_fields *fields, unsigned thread);
void block_decoder_fini(struct block_decoder *decoder);
/* Makes decoder->view ready for block_view_next; of the first n_slots slots, the others can only be
 * asked whether they have few values: no. */
int block_decoder_open(struct block_decoder *decoder, const struct block_fields *fields,
                       const struct block_bytes *bytes, size_t n_slots, struct err *err);
/* Notes that a column has a code that its source does not have. */
void block_decoder_note_damage(struct block_decoder *decoder, uint32_t field);
int block_decoder_check(const struct block_decoder *decoder, struct err *err);

#endif
