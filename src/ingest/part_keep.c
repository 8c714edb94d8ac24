/*
 * The blocks of a source have gone to the file when it is read; all else that is known of it
 * follows them, as bytes (pack_source.c): in a part as they are, in a run squeezed and without what
 * the run's own tables hold to the byte.
 */
#include "config.h"
#include "ingest/pack_source.h"
#include "ingest/part.h"

#include <stdlib.h>

#include "input/squeeze.h"

struct keeping {
	struct run *run;
	uint32_t source, n_pieces;
};

/* Bytes go the way of blocks, as one of a column. Takes them. */
static int
give(struct keeping *keeping, int64_t id, struct strbuf *bytes, struct err *err)
{
	struct block *block = xcalloc(1, sizeof *block);
	struct block_info *info = &block->info;

	*info = (struct block_info){.kind = PART_PIECES,
	                            .source = keeping->source,
	                            .sequence = keeping->n_pieces,
	                            .n_rows = 1,
	                            .n_columns = 1,
	                            .columns = xcalloc(1, sizeof *info->columns)};
	block->offsets = xcalloc(1, sizeof *block->offsets);
	block->bytes = *bytes;
	*bytes = (struct strbuf){0};
	info->columns[0].blob_bytes = (uint32_t)block->bytes.len;
	info->columns[0].blob_id = id;
	if (queue_put(keeping->run->queue, block)) {
		block_free(block);
		return err_set(err, ERR_CANCELLED, "cancelled");
	}
	return 0;
}

static int
give_piece(void *user, struct pack *pack, struct err *err)
{
	struct keeping *keeping = user;
	int64_t id = part_piece_id(keeping->source, keeping->n_pieces++);
	struct strbuf squeezed = {0};

	if (keeping->run->held) {
		return give(keeping, id, &pack->bytes, err);
	}
	int status = squeeze(strbuf_slice(&pack->bytes), &squeezed, err) ||
	             give(keeping, id, &squeezed, err);
	strbuf_free(&squeezed);
	strbuf_clear(&pack->bytes);
	return status ? -1 : 0;
}

/* Apart from the rest, so that sources can be compared before they are loaded, and each finds its
 * samples among those of all. */
static int
give_digest(struct keeping *keeping, struct digest_value digest, uint64_t n_samples,
            struct err *err)
{
	struct strbuf bytes = {0};

	strbuf_add(&bytes, &digest.high, sizeof digest.high);
	strbuf_add(&bytes, &digest.low, sizeof digest.low);
	strbuf_add(&bytes, &n_samples, sizeof n_samples);
	return give(keeping, part_digest_id(keeping->source), &bytes, err);
}

int
part_keep_source(struct run *run, struct source *source, struct err *err)
{
	const struct import_format *format = run_format_of(run, source->index);
	struct keeping keeping = {.run = run, .source = source->index};
	struct source_pack sp = {.pack = {.user = &keeping, .piece = give_piece},
	                         .source = source,
	                         .spill = run->spill,
	                         .values_apart = !run->held};

	source_pack(&sp, format);
	if (pack_end(&sp.pack, err)) {
		return err->code == ERR_CANCELLED ? -1 : err_wrap(err, "%s", source->path);
	}
	return give_digest(&keeping, source->digest, sp.n_samples, err);
}
