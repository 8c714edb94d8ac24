/*
 * Rows are laid out once from the lanes; windows come from the tiles, so that any zoom of any run
 * reads a few chunks a row. Categories are ranked by their time in the whole run (table
 * span_total), so that a category keeps its colour whatever is on the screen.
 */
#include "config.h"

#include "query/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "query/natural.h"

struct lane_order {
	const struct dataset *dataset;
	uint32_t id;
	int64_t process_rank, thread_rank; /* as the trace wishes, else 0 */
};

static struct slice
text_at(const struct dataset *dataset, uint32_t code)
{
	return code < dataset->n_texts ? dataset->texts[code] : (struct slice){"", 0};
}

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
	           ? natural_compare(text_at(dataset, a->text), text_at(dataset, b->text))
	           : 0;
}

static int
lane_compare(const void *left, const void *right)
{
	const struct lane_order *a = left, *b = right;
	const struct dataset_lane *x = &a->dataset->lanes[a->id], *y = &b->dataset->lanes[b->id];
	int order = natural_compare(text_at(a->dataset, x->host), text_at(a->dataset, y->host));

	if (!order && x->host != y->host) {
		order = x->host < y->host ? -1 : 1;
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
		order = natural_compare(text_at(a->dataset, x->name), text_at(a->dataset, y->name));
	}
	return order ? order : (a->id < b->id ? -1 : 1);
}

static struct slice
keep(struct timeline *timeline, struct slice text)
{
	return (struct slice){arena_strndup(timeline->arena, text.ptr, text.len), text.len};
}

/* Ids from the file, kept only if they are below the limit. */
struct taken {
	bool *marks; /* by id; or */
	uint32_t *list;
	size_t n, limit;
};

static void
take(struct taken *taken, int64_t value)
{
	if (value < 0 || (size_t)value >= taken->limit || taken->n >= taken->limit) {
		return;
	}
	if (taken->marks) {
		taken->marks[value] = true;
	} else {
		taken->list[taken->n++] = (uint32_t)value;
	}
}

/* Runs a statement that gives one id a row. */
static int
read_ids(struct store *store, const char *sql, struct taken *taken, struct err *err)
{
	struct stmt *stmt = store_prepare(store, sql, err);
	int row;

	if (!stmt) {
		return -1;
	}
	while ((row = stmt_step(stmt, err)) > 0) {
		take(taken, stmt_integer(stmt, 0));
	}
	stmt_free(stmt);
	return row;
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
	    " WHERE p.rank IS NOT NULL OR t.rank IS NOT NULL",
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

/* A row for each host that works, with its lanes below; lanes without a host stand alone. */
static void
rows_lay(struct timeline *timeline, const struct dataset *dataset, const struct lane_order *order,
         size_t n)
{
	uint32_t *members = arena_alloc(timeline->arena, (n ? n : 1) * sizeof(*members));

	timeline->rows = arena_zalloc(timeline->arena, (2 * n + 1) * sizeof(*timeline->rows));
	for (size_t i = 0; i < n; i++) {
		const struct dataset_lane *lane = &dataset->lanes[order[i].id];
		struct timeline_row *row;

		if (lane->host != TEXT_NONE &&
		    (i == 0 || dataset->lanes[order[i - 1].id].host != lane->host)) {
			row = &timeline->rows[timeline->n_rows];
			row->is_host = true;
			row->id = lane->host;
			row->members = members;
			for (size_t k = i; k < n && dataset->lanes[order[k].id].host == lane->host;
			     k++) {
				if (lane_kind_is_work(dataset->lanes[order[k].id].kind)) {
					members[row->n_members++] = order[k].id;
				}
			}
			members += row->n_members;
			if (row->n_members > 0) {
				row->name = keep(timeline, text_at(dataset, lane->host));
				timeline->n_rows++;
			}
		}
		row = &timeline->rows[timeline->n_rows++];
		*row = (struct timeline_row){.id = order[i].id,
		                             .kind = lane->kind,
		                             .name = keep(timeline, text_at(dataset, lane->name))};
	}
}

/* Only the texts of categories are needed once the store is closed. */
static void
texts_keep(struct timeline *timeline, const struct dataset *dataset)
{
	struct slice *texts =
	    arena_zalloc(timeline->arena, (timeline->n_categories + 1) * sizeof(*texts));

	for (size_t i = 0; i < timeline->n_categories; i++) {
		texts[i] = keep(timeline, text_at(dataset, timeline->categories[i]));
	}
	timeline->texts = texts;
	timeline->n_texts = (uint32_t)timeline->n_categories;
}

struct timeline *
timeline_new(struct store *store, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct tile_reader tiles;
	struct timeline *timeline = NULL;
	struct lane_order *order = NULL;
	bool *holds_spans = NULL;
	size_t n = 0;

	if (!dataset || store_tiles(store, &tiles, err) != 0) {
		return NULL;
	}
	holds_spans = xcalloc(dataset->n_lanes + 1, sizeof(*holds_spans));
	order = xcalloc(dataset->n_lanes + 1, sizeof(*order));
	timeline = xcalloc(1, sizeof(*timeline));
	atomic_init(&timeline->references, 1);
	timeline->arena = arena_new();
	timeline->duration_ns = store_run(store)->duration_ns;
	timeline->tile_base_ns = tiles.base_ns;
	timeline->categories =
	    arena_alloc(timeline->arena, (dataset->n_texts + 1) * sizeof(*timeline->categories));
	struct taken lanes = {holds_spans, NULL, 0, dataset->n_lanes};
	struct taken categories = {NULL, timeline->categories, 0, dataset->n_texts};
	if (read_ids(store, "SELECT DISTINCT lane FROM span_total", &lanes, err) != 0 ||
	    read_ids(store,
	             "SELECT category FROM span_total WHERE category IS NOT NULL GROUP BY category "
	             "ORDER BY sum(self_sum) DESC, category",
	             &categories, err) != 0 ||
	    read_ranks(store, order, dataset->n_lanes, err) != 0) {
		timeline_release(timeline);
		timeline = NULL;
		goto out;
	}
	timeline->n_categories = categories.n;
	for (uint32_t i = 0; i < dataset->n_lanes; i++) {
		if (holds_spans[i] && dataset->lanes[i].kind != LANE_AGGREGATE) {
			order[n++] = (struct lane_order){dataset, i, order[i].process_rank,
			                                 order[i].thread_rank}; /* n <= i */
		}
	}
	qsort(order, n, sizeof(*order), lane_compare);
	rows_lay(timeline, dataset, order, n);
	texts_keep(timeline, dataset);
out:
	free(order);
	free(holds_spans);
	return timeline;
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

		requests[i] = (struct tile_request){row->is_host ? TILE_GROUP : TILE_LANE, row->id,
		                                    row->members, row->n_members,
		                                    window->cells + i * n_cells};
	}
	if (tile_read_many(&reader, requests, n_rows, start_ns, cell_ns, n_cells, window->arena,
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
