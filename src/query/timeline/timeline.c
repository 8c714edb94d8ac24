/*
 * Rows are laid out once from the lanes; windows come from the tiles, so that any zoom of any run
 * reads a few chunks a row. Categories are ranked by their time in the whole run (table
 * span_total), so that a category keeps its colour whatever is on the screen.
 */
#include "config.h"

#include "query/timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/natural.h"
#include "query/timeline/timeline_private.h"
#include "util/intervals.h"

static int
ident_compare(const struct dataset *dataset, const struct ident *a, const struct ident *b)
{
	if (a->type != b->type) {
		return a->type < b->type ? -1 : 1;
	}
	if (a->type == IDENT_INTEGER) {
		return a->integer < b->integer ? -1 : a->integer > b->integer;
	}
	return a->type == IDENT_TEXT
	           ? natural_compare(dataset_text(dataset, a->text), dataset_text(dataset, b->text))
	           : 0;
}

static int
lane_compare(const void *left, const void *right)
{
	const struct lane_order *a = left, *b = right;
	const struct dataset_lane *x = &a->dataset->lanes[a->id], *y = &b->dataset->lanes[b->id];
	int order = 0;

	if (x->host != y->host) {
		order = natural_compare(dataset_text(a->dataset, x->host),
		                        dataset_text(a->dataset, y->host));
		order = order ? order : x->host < y->host ? -1 : 1;
	}
	if (!order && a->process_rank != b->process_rank) {
		order = a->process_rank < b->process_rank ? -1 : 1;
	}
	if (!order) {
		order = ident_compare(a->dataset, &x->process, &y->process);
	}
	if (!order && a->thread_rank != b->thread_rank) {
		order = a->thread_rank < b->thread_rank ? -1 : 1;
	}
	if (!order) {
		order = ident_compare(a->dataset, &x->thread, &y->thread);
	}
	if (!order) {
		order = natural_compare(dataset_text(a->dataset, x->name),
		                        dataset_text(a->dataset, y->name));
	}
	return order ? order : (a->id < b->id ? -1 : 1);
}

struct category_order {
	uint32_t code;
	int64_t self_ns;
};

static int
category_compare(const void *left, const void *right)
{
	const struct category_order *a = left, *b = right;

	if (a->self_ns != b->self_ns) {
		return a->self_ns > b->self_ns ? -1 : 1;
	}
	return a->code < b->code ? -1 : a->code > b->code;
}

static void
rank_categories(struct timeline *timeline, const int64_t *self_ns, uint32_t n_texts)
{
	struct category_order *order;
	size_t n = 0;

	for (uint32_t i = 0; i < n_texts; i++) {
		n += self_ns[i] >= 0;
	}
	order = xcalloc(n + 1, sizeof(*order));
	timeline->categories =
	    arena_alloc(timeline->arena, (n + 1) * sizeof(*timeline->categories));
	for (uint32_t i = 0; i < n_texts; i++) {
		if (self_ns[i] >= 0) {
			order[timeline->n_categories++] = (struct category_order){i, self_ns[i]};
		}
	}
	qsort(order, n, sizeof(*order), category_compare);
	for (size_t i = 0; i < n; i++) {
		timeline->categories[i] = order[i].code;
	}
	free(order);
}

/* Self time of the lanes that hold spans, others stay -1; and the categories by theirs. */
static int
read_totals(const struct dataset *dataset, struct timeline *timeline, int64_t *busy_ns,
            struct err *err)
{
	uint32_t n_texts = dataset->n_texts;
	const struct dataset_total *totals;
	int64_t *self_ns;
	size_t n;

	if (dataset->totals(dataset->user, false, &totals, &n, err) != 0) {
		return -1;
	}
	self_ns = xmalloc(((size_t)n_texts + 1) * sizeof(*self_ns));
	memset(self_ns, 0xff, (size_t)n_texts * sizeof(*self_ns)); /* -1 */
	for (size_t i = 0; i < n; i++) {
		uint32_t lane = totals[i].lane, category = totals[i].category;
		int64_t ns = totals[i].self_sum > 0 ? totals[i].self_sum : 0;

		if (lane < timeline->n_lanes) {
			busy_ns[lane] = time_add(busy_ns[lane] > 0 ? busy_ns[lane] : 0, ns);
		}
		if (category < n_texts) {
			self_ns[category] =
			    time_add(self_ns[category] > 0 ? self_ns[category] : 0, ns);
		}
	}
	rank_categories(timeline, self_ns, n_texts);
	free(self_ns);
	return 0;
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

	if (!stmt) {
		return -1;
	}
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

/* Only the texts of categories are needed once the store is closed. */
static void
texts_keep(struct timeline *timeline, const struct dataset *dataset)
{
	struct slice *texts =
	    arena_zalloc(timeline->arena, (timeline->n_categories + 1) * sizeof(*texts));

	for (size_t i = 0; i < timeline->n_categories; i++) {
		texts[i] = timeline_keep(timeline, dataset_text(dataset, timeline->categories[i]));
	}
	timeline->texts = texts;
	timeline->n_texts = (uint32_t)timeline->n_categories;
}

static int
lay(struct timeline *timeline, struct store *store, const struct dataset *dataset, unsigned parts,
    struct err *err)
{
	struct lane_order *order = xcalloc((size_t)dataset->n_lanes + 1, sizeof(*order));
	int64_t *busy_ns = xcalloc((size_t)dataset->n_lanes + 1, sizeof(*busy_ns));
	size_t n = 0;
	int rc = -1;

	for (uint32_t i = 0; i < dataset->n_lanes; i++) {
		busy_ns[i] = -1;
	}
	if (read_totals(dataset, timeline, busy_ns, err) != 0 ||
	    read_ranks(store, order, dataset->n_lanes, err) != 0) {
		goto out;
	}
	for (uint32_t i = 0; i < dataset->n_lanes; i++) {
		if (busy_ns[i] >= 0 && lane_kind_has_tiles(dataset->lanes[i].kind)) {
			order[n++] = (struct lane_order){dataset, i, order[i].process_rank,
			                                 order[i].thread_rank}; /* n <= i */
			timeline->n_work += lane_kind_is_work(dataset->lanes[i].kind);
			timeline->n_dense += dataset->lanes[i].kind == LANE_AGGREGATE;
		}
	}
	qsort(order, n, sizeof(*order), lane_compare);
	timeline_lay_rows(timeline, store, order, n, busy_ns, parts);
	texts_keep(timeline, dataset);
	rc = parts & TIMELINE_VALUES ? timeline_add_values(timeline, store, err) : 0;
out:
	free(busy_ns);
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
	int state = stmt ? stmt_step(stmt, err) : -1;

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

	if (!dataset || store_tiles(store, &tiles, err) != 0) {
		return NULL;
	}
	timeline = xcalloc(1, sizeof(*timeline));
	atomic_init(&timeline->references, 1);
	timeline->arena = arena_new();
	timeline->duration_ns = store_run(store)->duration_ns;
	timeline->has_tasks = store_run(store)->n_tasks > 0;
	timeline->tile_base_ns = tiles.base_ns;
	timeline->n_lanes = dataset->n_lanes;
	if (timeline_read_at_most(store, &timeline->is_at_most, err) != 0 ||
	    lay(timeline, store, dataset, parts, err) != 0 ||
	    (parts & TIMELINE_PEAKS && timeline_read_peaks(store, timeline, err) != 0)) {
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
		arena_free(timeline->arena);
		free(timeline);
	}
}

size_t
timeline_category_rank(const struct timeline *timeline, uint32_t code)
{
	size_t i = 0;

	while (i < timeline->n_categories && timeline->categories[i] != code) {
		i++;
	}
	return i;
}

struct slice
timeline_category(const struct timeline *timeline, uint32_t code)
{
	size_t rank = timeline_category_rank(timeline, code);

	return rank < timeline->n_texts ? timeline->texts[rank] : (struct slice){"", 0};
}

int64_t
timeline_snap(const struct timeline *timeline, int64_t wished_ns)
{
	struct tile_reader reader = {.base_ns = timeline->tile_base_ns};

	return tile_snap(&reader, wished_ns);
}

struct timeline_window *
timeline_read(struct store *store, const struct timeline *timeline, size_t first_row, size_t n_rows,
              int64_t start_ns, int64_t cell_ns, uint32_t n_cells, const struct cancel *cancel,
              struct err *err)
{
	struct timeline_window *window;
	struct tile_request *requests;
	struct tile_reader reader;
	size_t n_requests = 0;

	if (store_tiles(store, &reader, err) != 0) {
		return NULL;
	}
	reader.cancel = cancel;
	if (first_row > timeline->n_rows) {
		first_row = timeline->n_rows;
	}
	if (n_rows > timeline->n_rows - first_row) {
		n_rows = timeline->n_rows - first_row;
	}
	window = xcalloc(1, sizeof(*window));
	*window = (struct timeline_window){arena_new(), start_ns, cell_ns, first_row,
	                                   n_rows,      n_cells,  NULL};
	window->cells =
	    arena_zalloc(window->arena, (n_rows * n_cells + 1) * sizeof(*window->cells));
	requests = xcalloc(n_rows + 1, sizeof(*requests));
	for (size_t i = 0; i < n_rows; i++) {
		const struct timeline_row *row = &timeline->rows[first_row + i];

		if (row->type != TIMELINE_LANE && row->type != TIMELINE_HOST) {
			continue;
		}
		requests[n_requests++] = (struct tile_request){
		    row->is_host ? TILE_GROUP : TILE_LANE, row->id, row->members,
		    row->n_members + row->n_dense, window->cells + i * n_cells};
	}
	if (tile_read_many(&reader, requests, n_requests,
	                   (struct tile_axis){start_ns, cell_ns, n_cells}, window->arena,
	                   err) != 0) {
		timeline_window_free(window);
		window = NULL;
	}
	free(requests);
	return window;
}

void
timeline_window_free(struct timeline_window *window)
{
	if (window) {
		arena_free(window->arena);
		free(window);
	}
}
