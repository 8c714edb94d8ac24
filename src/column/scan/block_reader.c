#include "config.h"
#include "column/scan/blockloop.h"

#include <stdlib.h>

#include "column/scan/block_decoder.h"
#include "util/mem.h"

struct block_reader {
	const struct dataset *dataset;
	enum block_kind kind;
	const struct block_fields *fields;
	struct block_bytes bytes;
	struct block_decoder decoder;
};

struct block_reader *
block_reader_new(const struct dataset *dataset, enum block_kind kind,
                 const struct block_fields *fields)
{
	struct block_reader *reader = xcalloc(1, sizeof *reader);

	reader->dataset = dataset;
	reader->kind = kind;
	reader->fields = fields;
	block_decoder_init(&reader->decoder, dataset, fields, 0);
	return reader;
}

void
block_reader_free(struct block_reader *reader)
{
	if (reader) {
		dataset_fetched(reader->dataset);
		block_decoder_fini(&reader->decoder);
		block_bytes_free(&reader->bytes);
		free(reader);
	}
}

struct block_view *
block_reader_open(struct block_reader *reader, size_t index, struct err *err)
{
	const struct block_info *info = &reader->dataset->blocks[reader->kind][index];

	size_t n_slots = reader->fields->n;

	if (block_bytes_begin(&reader->bytes, reader->fields, info, index, err) ||
	    block_bytes_fetch(&reader->bytes, reader->dataset, reader->fields, n_slots, err) < 0 ||
	    block_decoder_open(&reader->decoder, reader->fields, &reader->bytes, n_slots, err) <
	        0) {
		return NULL;
	}
	return &reader->decoder.view;
}

int
block_reader_check(const struct block_reader *reader, struct err *err)
{
	return block_decoder_check(&reader->decoder, err);
}
