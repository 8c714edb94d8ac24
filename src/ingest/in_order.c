/*
 * With as many threads as sources nearly all blocks but the first source's would wait: their bytes
 * go to the spill, where they cost the writing and reading of what is a small part of the traces;
 * only their descriptions stay in memory.
 */
#include "config.h"
#include "ingest/in_order.h"

#include <stdlib.h>

#include "util/mem.h"

struct waiting_block {
	struct block *block; /* without its bytes */
	struct spill_place place;
	size_t bytes;
};
struct waiting_source {
	struct waiting_block *blocks;
	size_t n, capacity;
	bool is_whole;
};

static struct waiting_source *
waiting_of(struct in_order *order, uint32_t source)
{
	if (!order->sources) {
		MEM_NEW(order->sources, (size_t)order->n_sources + 1);
	}
	return &order->sources[source];
}

static int
put_aside(struct in_order *order, struct block *block, struct err *err)
{
	struct waiting_source *waiting = waiting_of(order, block->info.source);
	struct waiting_block *last;

	MEM_GROW(waiting->blocks, waiting->capacity, waiting->n + 1);
	last = &waiting->blocks[waiting->n];
	*last = (struct waiting_block){.block = block, .bytes = block->bytes.len};
	if (last->bytes &&
	    spill_add(order->spill, block->bytes.data, last->bytes, &last->place, err)) {
		block_free(block);
		return -1;
	}
	strbuf_free(&block->bytes);
	waiting->n++;
	return 0;
}

/* Those that nothing comes of. */
static void
pass_others(struct in_order *order)
{
	while (order->held && order->current < order->n_sources && !order->held[order->current]) {
		order->current++;
	}
}

int
in_order_add(struct in_order *order, struct block *block, struct err *err)
{
	pass_others(order);
	if (block->info.source != order->current) {
		return put_aside(order, block, err);
	}
	int status = order->write(order->user, block, err);
	block_free(block);
	return status;
}

static int
fetch_bytes(const struct in_order *order, struct waiting_block *waiting, struct err *err)
{
	struct strbuf *bytes = &waiting->block->bytes;

	if (!waiting->bytes) {
		return 0;
	}
	*bytes = (struct strbuf){
	    .data = xmalloc(waiting->bytes), .len = waiting->bytes, .cap = waiting->bytes};
	return spill_read(order->spill, &waiting->place, 0, bytes->data, waiting->bytes, err);
}

/* What has waited for the source whose turn it is now. */
static int
write_waiting(struct in_order *order, struct err *err)
{
	struct waiting_source *waiting = waiting_of(order, order->current);
	int status = 0;

	for (size_t i = 0; i < waiting->n; i++) {
		struct waiting_block *block = &waiting->blocks[i];
		if (status == 0 && fetch_bytes(order, block, err) == 0) {
			status = order->write(order->user, block->block, err);
		} else {
			status = -1;
		}
		block_free(block->block);
	}
	free(waiting->blocks);
	waiting->blocks = NULL;
	waiting->n = waiting->capacity = 0;
	return status;
}

int
in_order_end(struct in_order *order, uint32_t source, struct err *err)
{
	waiting_of(order, source)->is_whole = true;
	pass_others(order);
	while (order->current < order->n_sources && waiting_of(order, order->current)->is_whole) {
		order->current++;
		pass_others(order);
		if (write_waiting(order, err)) {
			return -1;
		}
	}
	return 0;
}

void
in_order_fini(struct in_order *order)
{
	for (uint32_t i = 0; order->sources && i <= order->n_sources; i++) {
		struct waiting_source *waiting = &order->sources[i];
		for (size_t k = 0; k < waiting->n; k++) {
			block_free(waiting->blocks[k].block);
		}
		free(waiting->blocks);
	}
	free(order->sources);
	order->sources = NULL;
}
