/*
 * Rows are laid out once from the lanes; windows come from the tiles, so that any zoom of any run
 * reads a few chunks a row.
 */
#include "config.h"

#include "query/timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/natural.h"
#include "query/timeline/timeline_pair.h"
#include "query/timeline/timeline_private.h"
#include "util/intervals.h"
#include "util/order.h"

static int
ident_compare(const struct dataset *dataset, const struct ident *a, const struct ident *b)
{
	ORDER_BY(a->type, b->type);
	if (a->type == IDENT_INTEGER) {
		return ORDER(a->integer, b->integer);
	}
	return a->type == IDENT_TEXT
	           ? natural_compare(dataset_text(dataset, a->text), dataset_text(dataset, b->text))
	           : 0;
}

static int
lane_compare(const void *left, const void *right)
{
	const struct lane_order *a = left, *b = right;
	const struct lane *x = &a->dataset->lanes[a->id], *y = &b->dataset->lanes[b->id];
	int order;

	if (x->host != y->host) {
		order = natural_compare(dataset_text(a->dataset, x->host),
		                        dataset_text(a->dataset, y->host));
		return order ? order : ORDER(x->host, y->host);
	}
	ORDER_BY(a->process_rank, b->process_rank);
	if ((order = ident_compare(a->dataset, &x->process, &y->process))) {
		return order;
	}
	ORDER_BY(a->thread_rank, b->thread_rank);
	order = ident_compare(a->dataset, &x->thread, &y->thread);
	if (!order) {
		order = natural_compare(dataset_text(a->dataset, x->name),
		                        dataset_text(a->dataset, y->name));
	}
	return order ? order : ORDER(a->id, b->id);
}

struct use_reading {
	const struct dataset *dataset;
	struct timeline *timeline;
	struct lane_use *uses;
	uint32_t first_category; /* TEXT_NONE: none yet */
};

static void
add_use(void *user, const struct dataset_total *total)
{
	struct use_reading *reading = user;

	if (total->lane < reading->timeline->n_lanes) {
		struct lane_use *use = &reading->uses[total->lane];

		use->busy_ns = time_add(MOST(use->busy_ns, 0), MOST(total->self_sum, 0));
		use->first_ns = LEAST(use->first_ns, total->start_min);
		use->last_ns = MOST(use->last_ns, total->end_max);
	}
	if (total->category < reading->dataset->n_texts) {
		if (reading->first_category == TEXT_NONE) {
			reading->first_category = total->category;
		}
		reading->timeline->has_categories |= total->category != reading->first_category;
	}
}

/* What the lanes hold, busy -1: nothing; and whether their spans differ in category. */
static int
read_totals(const struct dataset *dataset, struct timeline *timeline, struct lane_use *uses,
            struct err *err)
{
	struct use_reading reading = {dataset, timeline, uses, TEXT_NONE};

	return dataset_each_total(dataset, add_use, &reading, err);
}

/* Where the trace wishes to see its processes and threads. by_lane: all lanes. */
static int
read_ranks(struct store *store, struct lane_order *by_lane, size_t n_lanes, struct err *err)
{
	struct stmt *stmt = store_prepare(
	    store,
	    "WITH wishes AS (SELECT scope, key, CAST(value AS INTEGER) AS rank FROM tags"
	    " WHERE key IN ('process_sort_index', 'thread_sort_index'))"
	    " SELECT l.id, coalesce(p.rank, 0), coalesce(t.rank, 0) FROM lane l"
	    " LEFT JOIN wishes p ON p.key = 'process_sort_index' AND p.scope = 'process ' || "
	    "l.process"
	    " LEFT JOIN wishes t ON t.key = 'thread_sort_index' AND t.scope = 'thread ' || "
	    "l.process || ' ' || l.thread"
	    " WHERE EXISTS (SELECT 1 FROM wishes) AND (p.rank IS NOT NULL OR t.rank IS NOT NULL)",
	    err);
	int row;
	while ((row = stmt_step(stmt, err)) > 0) {
		int64_t lane = stmt_integer(stmt, 0);
		if (lane >= 0 && (size_t)lane < n_lanes) {
			by_lane[lane].process_rank = stmt_integer(stmt, 1);
			by_lane[lane].thread_rank = stmt_integer(stmt, 2);
		}
	}
	stmt_free(stmt);
	return row;
}

static int
lay(struct timeline *timeline, struct store *store, const struct dataset *dataset, unsigned parts,
    struct err *err)
{
	struct lane_order *order = xcalloc((size_t)dataset->n_lanes + 1, sizeof *order);
	struct lane_use *uses = xcalloc((size_t)dataset->n_lanes + 1, sizeof *uses);
	size_t n = 0;
	int rc = -1;

	for (uint32_t i = 0; i < dataset->n_lanes; i++) {
		uses[i] = (struct lane_use){-1, INT64_MAX, INT64_MIN};
	}
	if (read_totals(dataset, timeline, uses, err) ||
	    read_ranks(store, order, dataset->n_lanes, err)) {
		goto out;
	}
	for (uint32_t i = 0; i < dataset->n_lanes; i++) {
		if (uses[i].busy_ns >= 0 && lane_kind_has_tiles(dataset->lanes[i].kind)) {
			order[n++] = (struct lane_order){dataset, i, order[i].process_rank,
			                                 order[i].thread_rank}; /* n <= i */
			timeline->n_work += lane_kind_is_work(dataset->lanes[i].kind);
			timeline->n_dense += dataset->lanes[i].kind == LANE_AGGREGATE;
		}
	}
	SORT(order, n, lane_compare);
	timeline_lay_rows(timeline, store, order, n, uses, parts);
	rc = parts & TIMELINE_VALUES ? timeline_add_values(timeline, store, err) : 0;
out:
	free(uses);
	free(order);
	return rc;
}

int
timeline_read_at_most(struct store *store, bool *is_at_most, struct err *err)
{
	struct stmt *stmt =
	    store_prepare(store,
	                  "SELECT EXISTS (SELECT 1 FROM span_total WHERE summed > 0 AND finish_max "
	                  ">= (SELECT duration_ns FROM run))",
	                  err);
	int state = stmt_step(stmt, err);

	*is_at_most = state > 0 && stmt_integer(stmt, 0) != 0;
	stmt_free(stmt);
	return state < 0 ? -1 : 0;
}

struct timeline *
timeline_new_with(struct store *store, unsigned parts, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct tile_reader tiles;
	struct timeline *timeline;

	if (!dataset || store_tiles(store, &tiles, err)) {
		return NULL;
	}
	MEM_NEW(timeline, 1);
	atomic_init(&timeline->references, 1);
	timeline->arena = arena_new();
	timeline->duration_ns = store_run(store)->duration_ns;
	timeline->has_tasks = store_run(store)->n_tasks > 0;
	timeline->tile_base_ns = tiles.base_ns;
	timeline->n_lanes = dataset->n_lanes;
	if (timeline_read_at_most(store, &timeline->is_at_most, err) ||
	    lay(timeline, store, dataset, parts, err) ||
	    (parts & TIMELINE_PEAKS && timeline_read_peaks(store, timeline, err))) {
		timeline_release(timeline);
		return NULL;
	}
	return timeline;
}

struct timeline *
timeline_new(struct store *store, struct err *err)
{
	return timeline_new_with(store, 0, err);
}

struct timeline *
timeline_retain(struct timeline *timeline)
{
	atomic_fetch_add(&timeline->references, 1);
	return timeline;
}

void
timeline_release(struct timeline *timeline)
{
	if (timeline && atomic_fetch_sub(&timeline->references, 1) == 1) {
		if (timeline->pair) {
			timeline_release(timeline->pair->sides[0]);
			timeline_release(timeline->pair->sides[1]);
		}
		timeline_release(timeline->base);
		arena_free(timeline->arena);
		free(timeline);
	}
}
