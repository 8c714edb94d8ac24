/*
 * Two passes: which spans are cut, then what their children, which are anywhere in the range, cover
 * of them. Whatever else the scope leaves out covers its parent all the same. Children that overlap
 * each other count twice, so self times are kept within what they can be.
 */
#include "config.h"
#include "column/ops/cut_spans.h"

#include <stdlib.h>

#include "column/ops/span_scan.h"
#include "util/intern.h"
#include "util/mem.h"
#include "util/order.h"

struct id_list {
	int64_t *ids;
	size_t n, capacity;
};

struct span_cutting {
	struct cut_spans *cut;
	struct dataset dataset; /* in the range, whatever else the scope says */
	struct id_list *lists;  /* by thread */
	uint32_t parent_slot;
};

static uint32_t
find(const struct cut_spans *cut, int64_t id)
{
	uint32_t place = INDEX_NONE;

	if (id >= cut->first_id && id <= cut->last_id) {
		INDEX_FIND(place, &cut->places, hash_mix((uint64_t)id), cut->ids[place] == id);
	}
	return place;
}

static int
take_cut(void *user, const struct span_chunk *chunk, unsigned slot, struct err *err)
{
	const struct span_cutting *cutting = user;
	const struct dataset_scope *scope = &cutting->dataset.scope;
	struct id_list *list = &cutting->lists[chunk->view->thread];

	(void)slot;
	(void)err;
	for (uint32_t i = 0; i < chunk->n && dataset_cuts(&cutting->dataset, chunk->view->info);
	     i++) {
		uint32_t row = chunk->rows[i];
		if (chunk->starts.values[row] < scope->start_ns ||
		    chunk->ends.values[row] > scope->end_ns) {
			MEM_GROW(list->ids, list->capacity, list->n + 1);
			list->ids[list->n++] = span_chunk_id(chunk, row);
		}
	}
	return 0;
}

static int
take_children(void *user, const struct span_chunk *chunk, unsigned slot, struct err *err)
{
	const struct span_cutting *cutting = user;
	const struct chunk_column *parents = block_view_column(chunk->view, cutting->parent_slot);

	(void)slot;
	(void)err;
	if (!parents->info || parents->info->type != COLUMN_INTEGER || parents->n_present == 0) {
		return 0;
	}
	for (uint32_t i = 0; i < chunk->n; i++) {
		uint32_t row = chunk->rows[i], place = INDEX_NONE;
		if (parents->presence[row / 64] >> (row & 63) & 1) {
			uint64_t id = (uint64_t)span_chunk_id(chunk, row);
			place = find(cutting->cut, (int64_t)(id - (uint64_t)parents->values[row]));
		}
		if (place != INDEX_NONE) {
			int64_t start = chunk->starts.values[row], end = chunk->ends.values[row];
			dataset_clip(&cutting->dataset, &start, &end);
			atomic_fetch_add_explicit(&cutting->cut->covered_ns[place], end - start,
			                          memory_order_relaxed);
		}
	}
	return 0;
}

static int
scan(struct span_cutting *cutting,
     int (*take)(void *user, const struct span_chunk *chunk, unsigned slot, struct err *err),
     const struct cancel *cancel, struct err *err)
{
	const struct span_set all = {NULL, NULL};
	struct span_scan scan;
	int rc = span_scan_init(&scan, &cutting->dataset, &all, 1, NULL, err);

	if (rc == 0) {
		cutting->parent_slot = block_fields_add(&scan.fields, FIELD_PARENT);
		if (!cutting->lists) {
			MEM_NEW(cutting->lists, scan.n_threads);
		}
		scan.loop.user = cutting;
		scan.loop.cancel = cancel;
		scan.take = take;
		rc = span_scan_run(&scan, err);
	}
	span_scan_fini(&scan);
	return rc;
}

/* All threads' lists as one. */
static void
join(struct span_cutting *cutting, unsigned n_threads)
{
	struct cut_spans *cut = cutting->cut;
	size_t capacity = 0;

	cut->first_id = INT64_MAX;
	cut->last_id = INT64_MIN;
	for (unsigned t = 0; t < n_threads; t++) {
		const struct id_list *list = &cutting->lists[t];
		for (size_t i = 0; i < list->n; i++) {
			MEM_GROW(cut->ids, capacity, cut->n + 1);
			index_add(&cut->places, hash_mix((uint64_t)list->ids[i]), (uint32_t)cut->n);
			cut->ids[cut->n++] = list->ids[i];
			cut->first_id = LEAST(list->ids[i], cut->first_id);
			cut->last_id = MOST(list->ids[i], cut->last_id);
		}
	}
	cut->covered_ns = xcalloc(cut->n, sizeof *cut->covered_ns);
}

int
cut_spans_find(struct cut_spans *cut, const struct dataset *dataset, const struct cancel *cancel,
               struct err *err)
{
	struct span_cutting cutting = {.cut = cut, .dataset = *dataset};
	const struct block_loop loop = {.dataset = dataset};
	unsigned n_threads = block_loop_threads(&loop);

	cutting.dataset.scope.filter = NULL;
	int rc = scan(&cutting, take_cut, cancel, err);
	if (rc == 0) {
		join(&cutting, n_threads);
		rc = cut->n > 0 ? scan(&cutting, take_children, cancel, err) : 0;
	}
	for (unsigned t = 0; cutting.lists && t < n_threads; t++) {
		free(cutting.lists[t].ids);
	}
	free(cutting.lists);
	return rc;
}

int64_t
cut_spans_self(const struct cut_spans *cut, int64_t id, int64_t inside_ns, int64_t self_ns)
{
	uint32_t place = find(cut, id);
	int64_t covered = place == INDEX_NONE
	                      ? 0
	                      : atomic_load_explicit(&cut->covered_ns[place], memory_order_relaxed);
	int64_t most = LEAST(inside_ns, self_ns);

	return covered >= inside_ns ? LEAST(0, most) : LEAST(inside_ns - covered, most);
}

void
cut_spans_free(struct cut_spans *cut)
{
	index_free(&cut->places);
	free(cut->ids);
	free((void *)cut->covered_ns);
}
