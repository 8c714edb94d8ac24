/*
 * Nesting on its way back from lanes to blocks.
 *
 * Lanes are swept in any order and each touches many blocks, so results are gathered, sorted by
 * block when the buffer is full, packed and spilled, and at the end each block's parts are put
 * together: within a block results are written to their rows, no further sorting is needed. Only
 * spans that have something to tell (a depth, a parent, covered time) come this way.
 */
#include "config.h"
#include "column/finish/finish_private.h"

#include <stdlib.h>
#include <string.h>

#include "column/encode/pack.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define LOG_RESULTS 65536u
#define COLUMNS 3u
#define PRESENCE_WORDS (BLOCK_ROWS / 64)

/* Results of one block in one spilled piece. */
struct result_part {
	uint32_t block, n;
	uint32_t offset, n_bytes;
	struct spill_place place;
};

struct result_log {
	struct spill *spill;
	struct span_nesting *results;
	uint32_t *blocks; /* scratch of the flush */
	unsigned char *bytes;
	struct order order;
	size_t n;
	struct result_part *parts;
	size_t n_parts, capacity;
};

struct result_log *
result_log_new(struct spill *spill)
{
	struct result_log *log = xcalloc(1, sizeof *log);

	log->spill = spill;
	return log;
}

static void
log_release_buffers(struct result_log *log)
{
	free(log->results);
	free(log->blocks);
	free(log->bytes);
	order_free(&log->order);
	log->results = NULL;
	log->blocks = NULL;
	log->bytes = NULL;
	log->order = (struct order){0};
}

void
result_log_free(struct result_log *log)
{
	if (log) {
		log_release_buffers(log);
		free(log->parts);
		free(log);
	}
}

int
result_log_add(struct result_log *log, const struct span_nesting *result, struct err *err)
{
	if (!log->results) {
		log->results = xmalloc(LOG_RESULTS * sizeof *log->results);
		log->blocks = xmalloc(LOG_RESULTS * sizeof *log->blocks);
		log->bytes = xmalloc((size_t)LOG_RESULTS * PACK_BYTES_MAX + 8);
	}
	log->results[log->n++] = *result;
	return log->n < LOG_RESULTS ? 0 : result_log_flush(log, err);
}

static size_t
pack_results(const struct result_log *log, size_t first, size_t end, unsigned char *out)
{
	unsigned char *at = out;
	int64_t row = -1;

	for (size_t i = first; i < end; i++) {
		const struct span_nesting *result = &log->results[log->order.rows[i]];
		uint64_t values[4] = {pack_zigzag(result->row - row - 1), result->depth,
		                      pack_zigzag(result->distance), (uint64_t)result->covered_ns};
		at += pack_put(at, values);
		row = result->row;
	}
	return (size_t)(at - out);
}

int
result_log_flush(struct result_log *log, struct err *err)
{
	size_t n_bytes = 0, first_part = log->n_parts;
	struct spill_place place;

	if (log->n == 0) {
		return 0;
	}
	for (size_t i = 0; i < log->n; i++) {
		log->blocks[i] = log->results[i].block;
	}
	order_by(&log->order, log->blocks, log->n);
	for (size_t i = 0, end; i < log->n; i = end) {
		uint32_t block = log->blocks[log->order.rows[i]];
		for (end = i + 1; end < log->n && log->blocks[log->order.rows[end]] == block;) {
			end++;
		}
		size_t length = pack_results(log, i, end, log->bytes + n_bytes);
		MEM_GROW(log->parts, log->capacity, log->n_parts + 1);
		log->parts[log->n_parts++] = (struct result_part){.block = block,
		                                                  .n = (uint32_t)(end - i),
		                                                  .offset = (uint32_t)n_bytes,
		                                                  .n_bytes = (uint32_t)length};
		n_bytes += length;
	}
	if (spill_add(log->spill, log->bytes, n_bytes, &place, err)) {
		return -1;
	}
	for (size_t i = first_part; i < log->n_parts; i++) {
		log->parts[i].place = place;
	}
	log->n = 0;
	return 0;
}

/* What one thread needs to put a block's columns together. */
struct builder {
	int64_t *values[COLUMNS];
	uint64_t *presence[COLUMNS];
	struct strbuf buffer;
};

/* A block's columns, waiting for their turn. */
struct columns {
	struct column_info infos[COLUMNS];
	size_t offsets[COLUMNS];
	uint32_t n;
	struct strbuf bytes;
};

struct delivery {
	const struct finish *finish;
	struct result_part *parts; /* of all logs, by block */
	size_t *firsts;            /* by block, and the end */
	size_t first_block;        /* of this round */
	struct builder *builders;  /* by thread */
	struct columns *columns;   /* by block of the round */
};

static void
set_value(struct builder *builder, unsigned column, uint32_t row, int64_t value)
{
	if (value != 0) {
		builder->values[column][row] = value;
		builder->presence[column][row / 64] |= UINT64_C(1) << (row % 64);
	}
}

/* Writes one part's results to their rows. */
static int
unpack_part(struct spill *spill, const struct result_part *part, uint32_t n_rows,
            struct builder *builder, struct err *err)
{
	const unsigned char *at = part->place.memory;
	uint32_t row = UINT32_MAX;

	if (at) {
		at += part->offset;
	} else {
		builder->buffer.data = mem_grow(builder->buffer.data, &builder->buffer.cap,
		                                part->n_bytes + PACK_READ_MAX, 1);
		if (spill_read(spill, &part->place, part->offset, builder->buffer.data,
		               part->n_bytes, err)) {
			return -1;
		}
		at = (const unsigned char *)builder->buffer.data;
		memset(builder->buffer.data + part->n_bytes, 0, PACK_READ_MAX);
	}
	const unsigned char *end = at + part->n_bytes;
	for (uint32_t i = 0; i < part->n; i++) {
		uint64_t values[4];
		if (at < end) {
			at += pack_get(at, values);
			row += (uint32_t)pack_unzigzag(values[0]) + 1;
		}
		if (at > end || row >= n_rows) {
			return spill_damaged(err);
		}
		set_value(builder, 0, row, (int64_t)values[1]);
		set_value(builder, 1, row, pack_unzigzag(values[2]));
		set_value(builder, 2, row, (int64_t)values[3]);
	}
	return 0;
}

static bool
any_present(const uint64_t *presence)
{
	for (uint32_t i = 0; i < PRESENCE_WORDS; i++) {
		if (presence[i] != 0) {
			return true;
		}
	}
	return false;
}

static void
encode_columns(const struct builder *builder, uint32_t n_rows, struct columns *columns)
{
	static const uint32_t fields[COLUMNS] = {FIELD_DEPTH, FIELD_PARENT, FIELD_COVERED};

	for (unsigned i = 0; i < COLUMNS; i++) {
		if (!any_present(builder->presence[i])) {
			continue;
		}
		struct column_info *info = &columns->infos[columns->n];
		*info = (struct column_info){.field = fields[i], .type = COLUMN_INTEGER};
		columns->offsets[columns->n++] = columns->bytes.len;
		column_encode_integers(info, builder->values[i], builder->presence[i], n_rows,
		                       &columns->bytes);
	}
}

static int
build_block(void *user, size_t item, unsigned thread, struct err *err)
{
	struct delivery *delivery = user;
	size_t index = delivery->first_block + item;
	struct builder *builder = &delivery->builders[thread];
	struct columns *columns = &delivery->columns[item];
	uint32_t n_rows = delivery->finish->blocks[index].n_rows;

	columns->n = 0;
	strbuf_clear(&columns->bytes);
	if (delivery->firsts[index] == delivery->firsts[index + 1]) {
		return 0;
	}
	for (unsigned i = 0; i < COLUMNS; i++) {
		if (!builder->values[i]) {
			builder->values[i] = xmalloc(BLOCK_ROWS * sizeof(int64_t));
			builder->presence[i] = xmalloc(PRESENCE_WORDS * sizeof(uint64_t));
		}
		memset(builder->values[i], 0, n_rows * sizeof(int64_t));
		memset(builder->presence[i], 0, PRESENCE_WORDS * sizeof(uint64_t));
	}
	for (size_t i = delivery->firsts[index]; i < delivery->firsts[index + 1]; i++) {
		if (unpack_part(delivery->finish->spill, &delivery->parts[i], n_rows, builder,
		                err)) {
			return -1;
		}
	}
	encode_columns(builder, n_rows, columns);
	return 0;
}

/* All logs' parts by block, by counting. */
static void
arrange(struct delivery *delivery, struct result_log *const *logs, size_t n_logs)
{
	size_t n_blocks = delivery->finish->n_blocks, n_parts = 0;
	size_t *firsts = xcalloc(n_blocks + 1, sizeof *firsts);

	for (size_t i = 0; i < n_logs; i++) {
		n_parts += logs[i]->n_parts;
		for (size_t k = 0; k < logs[i]->n_parts; k++) {
			firsts[logs[i]->parts[k].block]++;
		}
	}
	for (size_t b = 1; b <= n_blocks; b++) {
		firsts[b] += firsts[b - 1];
	}
	delivery->parts = xmalloc(n_parts * sizeof *delivery->parts);
	for (size_t i = 0; i < n_logs; i++) {
		for (size_t k = 0; k < logs[i]->n_parts; k++) {
			const struct result_part *part = &logs[i]->parts[k];
			delivery->parts[--firsts[part->block]] = *part;
		}
	}
	delivery->firsts = firsts;
}

/* Builds the blocks of a round in parallel, then hands them out in order. */
static int
deliver_round(struct delivery *delivery, const struct finish_plan *plan, unsigned n_threads,
              size_t n, const struct finish_receiver *receiver, struct err *err)
{
	if (workers_run(n_threads, n, build_block, delivery, plan->cancel, err)) {
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		const struct finish_block *block =
		    &delivery->finish->blocks[delivery->first_block + i];
		struct columns *columns = &delivery->columns[i];
		if (columns->n > 0 &&
		    receiver->columns(receiver->user, block->source, block->sequence,
		                      columns->infos, columns->offsets, columns->n,
		                      strbuf_slice(&columns->bytes))) {
			return -1;
		}
	}
	return 0;
}

int
result_deliver(const struct finish *finish, const struct finish_plan *plan,
               struct result_log *const *logs, size_t n_logs, unsigned n_threads,
               const struct finish_receiver *receiver, struct err *err)
{
	struct delivery delivery = {.finish = finish};
	size_t round = (size_t)n_threads * 8; /* enough work for a round of threads to pay */
	int status = 0;

	for (size_t i = 0; i < n_logs; i++) {
		log_release_buffers(logs[i]);
	}
	arrange(&delivery, logs, n_logs);
	MEM_NEW(delivery.builders, n_threads);
	MEM_NEW(delivery.columns, round);
	while (status == 0 && delivery.first_block < finish->n_blocks) {
		size_t n = finish->n_blocks - delivery.first_block;
		n = LEAST(n, round);
		status = deliver_round(&delivery, plan, n_threads, n, receiver, err);
		delivery.first_block += n;
	}
	for (unsigned t = 0; t < n_threads; t++) {
		for (unsigned i = 0; i < COLUMNS; i++) {
			free(delivery.builders[t].values[i]);
			free(delivery.builders[t].presence[i]);
		}
		strbuf_free(&delivery.builders[t].buffer);
	}
	for (size_t i = 0; i < round; i++) {
		strbuf_free(&delivery.columns[i].bytes);
	}
	free(delivery.builders);
	free(delivery.columns);
	free(delivery.parts);
	free(delivery.firsts);
	return status;
}
