/*
 * Tiles between the lanes' sweeps and the receiver: put aside as they come, on whatever thread, and
 * handed out sorted, so that the run file does not depend on threads and its table is filled in
 * order. Groups are summed from what was put aside of their lanes; where there are too many of
 * these to be known at once, what some of them are together is put aside in their place.
 */
#include "config.h"
#include "column/finish/finish_private.h"

#include <stdlib.h>
#include <string.h>

#include "column/finish/cell.h"
#include "column/finish/pyramid.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define LOG_BYTES ((size_t)256 << 10)

int
tile_log_add(struct tile_log *log, enum tile_subject subject, uint32_t id, unsigned level,
             uint64_t chunk, struct slice bytes, struct err *err)
{
	MEM_GROW(log->entries, log->capacity, log->n_entries + 1);
	log->entries[log->n_entries++] = (struct tile_entry){.subject = subject,
	                                                     .id = id,
	                                                     .level = level,
	                                                     .chunk = chunk,
	                                                     .offset = log->bytes.len,
	                                                     .n_bytes = bytes.len};
	strbuf_add_slice(&log->bytes, bytes);
	return log->bytes.len < LOG_BYTES ? 0 : tile_log_flush(log, err);
}

int
tile_log_flush(struct tile_log *log, struct err *err)
{
	struct spill_place place;

	if (log->n_placed == log->n_entries) {
		return 0;
	}
	if (spill_add(log->spill, log->bytes.data, log->bytes.len, &place, err)) {
		return -1;
	}
	while (log->n_placed < log->n_entries) {
		log->entries[log->n_placed++].place = place;
	}
	strbuf_clear(&log->bytes);
	return 0;
}

void
tile_log_fini(struct tile_log *log)
{
	strbuf_free(&log->bytes);
	free(log->entries);
}

static int
compare_entries(const void *left, const void *right)
{
	const struct tile_entry *a = left, *b = right;

	ORDER_BY(a->subject, b->subject);
	ORDER_BY(a->id, b->id);
	ORDER_BY(a->level, b->level);
	return ORDER(a->chunk, b->chunk);
}

struct tile_entry *
tile_log_take(struct tile_log *logs, size_t n_logs, size_t *n)
{
	size_t n_entries = 0;

	for (size_t i = 0; i < n_logs; i++) {
		n_entries += logs[i].n_entries;
	}
	struct tile_entry *entries = xmalloc(n_entries * sizeof *entries);
	*n = n_entries;
	n_entries = 0;
	for (size_t i = 0; i < n_logs; i++) {
		if (logs[i].n_entries > 0) {
			memcpy(entries + n_entries, logs[i].entries,
			       logs[i].n_entries * sizeof *entries);
		}
		n_entries += logs[i].n_entries;
		free(logs[i].entries);
		logs[i].entries = NULL;
		logs[i].n_entries = logs[i].n_placed = logs[i].capacity = 0;
	}
	SORT(entries, n_entries, compare_entries);
	return entries;
}

/* Bytes of an entry: in memory as they are, else read into the buffer. */
static int
entry_bytes(struct spill *spill, const struct tile_entry *entry, struct strbuf *buffer,
            struct slice *bytes, struct err *err)
{
	if (entry->place.memory) {
		*bytes = (struct slice){(const char *)entry->place.memory + entry->offset,
		                        entry->n_bytes};
		return 0;
	}
	strbuf_clear(buffer);
	buffer->data = mem_grow(buffer->data, &buffer->cap, entry->n_bytes + 1, 1);
	if (spill_read(spill, &entry->place, entry->offset, buffer->data, entry->n_bytes, err) !=
	    0) {
		return -1;
	}
	*bytes = (struct slice){buffer->data, entry->n_bytes};
	return 0;
}

/* One thread's tools for summing groups. */
struct summer {
	struct pyramid *pyramid;
	struct tile_log *log;
	uint32_t group;
	struct arena *arena;
	struct strbuf buffer;
	struct tile_cell cells[TILE_CHUNK];
	struct cell_sum sums[TILE_CHUNK];
};

struct groups {
	const struct finish_plan *plan;
	struct spill *spill;
	const struct tile_entry **entries; /* base level, by (group, chunk, lane) */
	size_t *firsts;                    /* by group, and the end */
	struct summer *summers;
};

static int
group_chunk(void *user, unsigned level, uint64_t chunk, struct slice bytes, struct err *err)
{
	struct summer *summer = user;

	return tile_log_add(summer->log, TILE_GROUP, summer->group, level, chunk, bytes, err);
}

/* What a group's cell sums of a lane whose records stand for many calls. */
static struct tile_cell
density_alone(const struct tile_cell *cell)
{
	return (struct tile_cell){.density_ns = cell->density_ns};
}

static bool
is_of_dense_lane(const struct finish_plan *plan, const struct tile_entry *entry)
{
	return entry->subject == TILE_LANE && plan->is_dense && plan->is_dense[entry->id];
}

/* Adds up entries [first, end), all of one chunk. */
static int
sum_chunk(const struct groups *groups, struct summer *summer, size_t first, size_t end,
          struct err *err)
{

	for (size_t i = first; i < end; i++) {
		struct slice bytes;
		arena_reset(summer->arena);
		if (entry_bytes(groups->spill, groups->entries[i], &summer->buffer, &bytes, err) !=
		    0) {
			return -1;
		}
		if (tile_decode(bytes, summer->cells, summer->arena, err)) {
			return spill_damaged(err);
		}
		bool is_dense = is_of_dense_lane(groups->plan, groups->entries[i]);
		for (uint32_t k = 0; k < TILE_CHUNK; k++) {
			if (is_dense) {
				summer->cells[k] = density_alone(&summer->cells[k]);
			}
			cell_add_cell(&summer->sums[k], &summer->cells[k]);
		}
	}
	return 0;
}

/* Gives the summed cells of a chunk to the pyramid. */
static int
raise_chunk(struct summer *summer, uint64_t chunk, struct err *err)
{
	for (uint32_t k = 0; k < TILE_CHUNK; k++) {
		struct tile_cell cell = cell_finish(&summer->sums[k]);
		if (!cell_is_empty(&cell) &&
		    pyramid_add_cell(summer->pyramid, chunk * TILE_CHUNK + k, &cell, err)) {
			return -1;
		}
		cell_reset(&summer->sums[k]);
	}
	return 0;
}

/* Puts them aside as they are. */
static int
keep_chunk(struct summer *summer, uint64_t chunk, struct err *err)
{
	strbuf_clear(&summer->buffer);
	for (uint32_t k = 0; k < TILE_CHUNK; k++) {
		summer->cells[k] = cell_finish(&summer->sums[k]);
	}
	tile_encode(summer->cells, TILE_CHUNK, &summer->buffer);
	for (uint32_t k = 0; k < TILE_CHUNK; k++) {
		cell_reset(&summer->sums[k]);
	}
	return group_chunk(summer, 0, chunk, strbuf_slice(&summer->buffer), err);
}

static int
sum_group(void *user, size_t item, unsigned thread, struct err *err)
{
	const struct groups *groups = user;
	struct summer *summer = &groups->summers[thread];
	size_t end = groups->firsts[item + 1];

	summer->group = (uint32_t)item;
	if (summer->pyramid) {
		pyramid_begin(summer->pyramid, summer);
	}
	for (size_t first = groups->firsts[item], next; first < end; first = next) {
		for (next = first + 1;
		     next < end && groups->entries[next]->chunk == groups->entries[first]->chunk;) {
			next++;
		}
		uint64_t chunk = groups->entries[first]->chunk;
		if (cancel_check(groups->plan->cancel, err) ||
		    sum_chunk(groups, summer, first, next, err) ||
		    (summer->pyramid ? raise_chunk(summer, chunk, err)
		                     : keep_chunk(summer, chunk, err))) {
			return -1;
		}
	}
	return summer->pyramid ? pyramid_end(summer->pyramid, err) : 0;
}

static int
compare_chunks(const void *left, const void *right)
{
	const struct tile_entry *a = *(const struct tile_entry *const *)left;
	const struct tile_entry *b = *(const struct tile_entry *const *)right;

	ORDER_BY(a->chunk, b->chunk);
	return ORDER(a->id, b->id);
}

/* The group whose sum an entry is part of; n_groups: none. */
static uint32_t
entry_group(const struct finish_plan *plan, const struct tile_entry *entry)
{
	uint32_t group = entry->subject == TILE_GROUP ? entry->id
	                 : entry->level == 0          ? plan->group[entry->id]
	                                              : TEXT_NONE;

	return LEAST(group, plan->n_groups);
}

/* Sorts the base entries by group (a counting sort), then by chunk. */
static void
arrange(struct groups *groups, const struct tile_entry *entries, size_t n)
{
	const struct finish_plan *plan = groups->plan;
	size_t n_groups = plan->n_groups;

	groups->entries = xmalloc(n * sizeof(const struct tile_entry *));
	MEM_NEW(groups->firsts, n_groups + 2);
	for (size_t i = 0; i < n; i++) {
		groups->firsts[entry_group(plan, &entries[i]) + 1]++;
	}
	for (size_t g = 0; g <= n_groups; g++) {
		groups->firsts[g + 1] += groups->firsts[g];
	}
	for (size_t i = n; i-- > 0;) {
		groups->entries[--groups->firsts[entry_group(plan, &entries[i]) + 1]] = &entries[i];
	}
	/* Each first has moved one place up. */
	for (size_t g = 0; g < n_groups + 1; g++) {
		groups->firsts[g] = groups->firsts[g + 1];
	}
	for (size_t g = 0; g < n_groups; g++) {
		SORT(groups->entries + groups->firsts[g], groups->firsts[g + 1] - groups->firsts[g],
		     compare_chunks);
	}
}

/* With a pyramid on each sum, or at the base level alone. */
static int
sum_groups(const struct tile_grouping *grouping, const struct tile_entry *entries, size_t n,
           bool has_pyramid, struct err *err)
{
	const struct finish_plan *plan = grouping->plan;
	struct tile_log *logs = grouping->logs;
	unsigned n_threads = grouping->n_threads;
	struct groups groups = {.plan = plan, .spill = grouping->spill};

	if (!plan->group || plan->n_groups == 0 || n == 0) {
		return 0;
	}
	arrange(&groups, entries, n);
	MEM_NEW(groups.summers, n_threads);
	for (unsigned t = 0; t < n_threads; t++) {
		groups.summers[t].pyramid =
		    has_pyramid ? pyramid_new(grouping->base_ns, plan->duration_ns, group_chunk)
				: NULL;
		groups.summers[t].arena = arena_new();
		groups.summers[t].log = &logs[t];
	}
	int status = workers_run(n_threads, plan->n_groups, sum_group, &groups, plan->cancel, err);
	for (unsigned t = 0; t < n_threads; t++) {
		if (status == 0) {
			status = tile_log_flush(&logs[t], err);
		}
		pyramid_free(groups.summers[t].pyramid);
		arena_free(groups.summers[t].arena);
		strbuf_free(&groups.summers[t].buffer);
		for (uint32_t k = 0; k < TILE_CHUNK; k++) {
			cell_fini(&groups.summers[t].sums[k]);
		}
	}
	free(groups.summers);
	free(groups.entries);
	free(groups.firsts);
	return status;
}

int
tile_part_groups(const struct tile_grouping *grouping, const struct tile_entry *lanes, size_t n,
                 struct err *err)
{
	return sum_groups(grouping, lanes, n, false, err);
}

int
tile_groups(const struct tile_grouping *grouping, const struct tile_entry *entries, size_t n,
            struct err *err)
{
	return sum_groups(grouping, entries, n, true, err);
}

int
tile_deliver(struct spill *spill, const struct tile_entry *entries, size_t n,
             const struct finish_receiver *receiver, struct err *err)
{
	struct strbuf buffer = {0};
	int status = 0;

	for (size_t i = 0; i < n && status == 0; i++) {
		struct tile_chunk chunk = {entries[i].subject,
		                           entries[i].id,
		                           entries[i].level,
		                           entries[i].chunk,
		                           {NULL, 0}};
		status = entry_bytes(spill, &entries[i], &buffer, &chunk.bytes, err);
		if (status == 0 && receiver->tile(receiver->user, &chunk)) {
			status = -1;
		}
	}
	strbuf_free(&buffer);
	return status;
}
