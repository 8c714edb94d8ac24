/*
 * The ids of all ends are marked, a bit each, so that an end's place among all is a count of bits.
 * One pass over the blocks that hold any puts times and names there; threads write to places of
 * their own. Then each flow is a look at two places.
 *
 * What limits: those looks, as ends lie anywhere, and whoever reads the flows from their table.
 */
#include "config.h"
#include "column/ops/flows.h"

#include <stdlib.h>

#include "column/ops/span_scan.h"
#include "util/index.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

/* A span that a flow leads from or to. */
struct connected {
	int64_t start_ns, end_ns;
	uint32_t name;
	bool is_there; /* it was found */
};

/* Ids of spans, so many a page; only pages with ends are there. */
#define PAGE_IDS 65536
struct id_page {
	uint64_t marks[PAGE_IDS / 64];   /* a bit for each end */
	uint32_t n_until[PAGE_IDS / 64]; /* ends of all pages before each word of marks */
};

struct flow_scan {
	struct span_scan scan;
	uint32_t name_slot;
	uint64_t n_pages;
	struct id_page **pages;
	struct connected *ends;
};

struct flow_groups {
	struct flow_group *all;
	size_t n, capacity;
	struct index index;
};

/* ---- which spans are ends ---- */

static void
mark(struct flow_scan *flows, int64_t id)
{
	uint64_t page = (uint64_t)id / PAGE_IDS; /* of negative ids beyond all */

	if (page < flows->n_pages) {
		if (!flows->pages[page]) {
			MEM_NEW(flows->pages[page], 1);
		}
		flows->pages[page]->marks[id % PAGE_IDS / 64] |= UINT64_C(1) << (id % 64);
	}
}

/* The place of a span that is marked, else NULL. */
static struct connected *
end_of(const struct flow_scan *flows, int64_t id)
{
	uint64_t at = (uint64_t)id / PAGE_IDS, bit = UINT64_C(1) << (id & 63);
	const struct id_page *page = at < flows->n_pages ? flows->pages[at] : NULL;
	uint32_t word = (uint64_t)id % PAGE_IDS / 64;

	return page && (page->marks[word] & bit)
	           ? &flows->ends[page->n_until[word] +
	                          (uint32_t)__builtin_popcountll(page->marks[word] & (bit - 1))]
	           : NULL;
}

static void
mark_ends(struct flow_scan *flows, const struct dataset *dataset, const struct flow *all, size_t n)
{
	uint32_t n_ends = 0;

	flows->n_pages = (uint64_t)dataset->n_rows[BLOCK_SPAN] / PAGE_IDS + 1; /* ids: from 1 */
	MEM_NEW(flows->pages, flows->n_pages);
	for (size_t i = 0; i < n; i++) {
		mark(flows, all[i].from);
		mark(flows, all[i].to);
	}
	for (uint64_t p = 0; p < flows->n_pages; p++) {
		struct id_page *page = flows->pages[p];
		for (unsigned word = 0; page && word < PAGE_IDS / 64; word++) {
			page->n_until[word] = n_ends;
			n_ends += (uint32_t)__builtin_popcountll(page->marks[word]);
		}
	}
	MEM_NEW(flows->ends, (size_t)n_ends + 1);
}

/* ---- the pass ---- */

static bool
block_may_have_ends(void *user, const struct block_info *block)
{
	const struct flow_scan *flows = user;
	uint64_t last = (uint64_t)block->first_id + block->n_rows - 1;
	bool has = false;

	for (uint64_t p = (uint64_t)block->first_id / PAGE_IDS; p <= last / PAGE_IDS; p++) {
		has = has || flows->pages[p];
	}
	return has;
}

static int
take_chunk(void *user, const struct span_chunk *chunk, unsigned slot, struct err *err)
{
	struct flow_scan *flows = user;

	(void)slot;
	(void)err;
	for (uint32_t i = 0; i < chunk->n; i++) {
		uint32_t row = chunk->rows[i];
		struct connected *end = end_of(flows, span_chunk_id(chunk, row));
		if (end) {
			*end = (struct connected){.start_ns = chunk->starts.values[row],
			                          .end_ns = chunk->ends.values[row],
			                          .name =
			                              span_chunk_name(chunk, flows->name_slot, row),
			                          .is_there = true};
		}
	}
	return 0;
}

/* ---- groups ---- */

static struct flow_group *
find_group(struct flow_groups *groups, uint32_t name, uint32_t source, uint32_t target)
{
	uint64_t hash = hash_mix(((uint64_t)source << 32 | target) ^ hash_mix(name));
	uint32_t at;

	INDEX_FIND(at, &groups->index, hash,
	           groups->all[at].name == name && groups->all[at].source == source &&
	               groups->all[at].target == target);
	if (at == INDEX_NONE) {
		at = (uint32_t)groups->n;
		MEM_GROW(groups->all, groups->capacity, groups->n + 1);
		groups->all[groups->n++] = (struct flow_group){.name = name,
		                                               .source = source,
		                                               .target = target,
		                                               .wait_min_ns = INT64_MAX,
		                                               .wait_max_ns = INT64_MIN};
		index_add(&groups->index, hash, at);
	}
	return &groups->all[at];
}

static void
add_flow(const struct flow_scan *flows, const struct flow *flow, struct flow_groups *groups)
{
	const struct connected *from = end_of(flows, flow->from), *to = end_of(flows, flow->to);

	if (from && to && from->is_there && to->is_there) {
		struct flow_group *group = find_group(groups, flow->name, from->name, to->name);
		int64_t wait_ns = time_sub(to->start_ns, from->end_ns);
		group->n++;
		group->wait_sum_ns += wait_ns;
		group->wait_min_ns = LEAST(wait_ns, group->wait_min_ns);
		group->wait_max_ns = MOST(wait_ns, group->wait_max_ns);
	}
}

int64_t
flows_sum(const struct dataset *dataset, const struct flow *all, size_t n,
          const struct cancel *cancel, struct flow_group **groups, struct err *err)
{
	const struct span_set every = {NULL, NULL};
	struct flow_scan flows = {.n_pages = 0};
	struct flow_groups found = {0};
	int64_t result = -1;

	if (span_scan_init(&flows.scan, dataset, &every, 1, NULL, err) == 0) {
		mark_ends(&flows, dataset, all, n);
		flows.name_slot = block_fields_add(&flows.scan.fields, FIELD_NAME);
		flows.scan.loop.user = &flows;
		flows.scan.loop.cancel = cancel;
		flows.scan.loop.wanted = block_may_have_ends;
		flows.scan.take = take_chunk;
		result = span_scan_run(&flows.scan, err);
	}
	for (size_t i = 0; i < n && result == 0; i++) {
		add_flow(&flows, &all[i], &found);
	}
	span_scan_fini(&flows.scan);
	for (uint64_t p = 0; p < flows.n_pages; p++) {
		free(flows.pages[p]);
	}
	free(flows.pages);
	free(flows.ends);
	index_free(&found.index);
	*groups = found.all;
	return result == 0 ? (int64_t)found.n : -1;
}
