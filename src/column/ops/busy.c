/*
 * Busy time by group, in bounded memory and on all cores.
 *
 * Spans are divided into cells: the dimensions asked for, and the lane besides, for it is threads
 * that hide each other. The cells are groups of sums as those of span_sums are, found by the same
 * code, and so plain sums come with them. Each cell keeps its spans as a list of intervals, merged
 * as they come (busy_collect.c); what hides is collected in the same way, by lane. From the cells'
 * unions follow those of groups, and what is hidden of them (busy_measure.c). Levels of groups, as
 * those of hosts and of the processes of hosts, are made of the same cells: one reading does for
 * all.
 *
 * If the intervals do not fit into memory, the run is read again, window by window in time: a
 * window takes the spans that start in it, cuts them at its end and carries on what goes further. A
 * window that turns out too full is halved. Cells and sums are those of the first reading.
 */
#include "config.h"
#include "column/ops/busy_private.h"

#include <stdlib.h>

#include "column/ops/span_scan.h"
#include "column/scan/rowvalue.h"
#include "util/mem.h"
#include "util/order.h"

#define MEMORY_BYTES ((size_t)512 << 20)

struct busy {
	struct busy_side sides[2]; /* what is busy, what hides */
	bool has_beside;
	unsigned n_levels;
	unsigned level_dimensions[SCAN_DIMENSIONS + 1]; /* by level: how many of the dimensions */
	struct busy_lanes lanes;
	uint32_t *lane_of_cell[2];
	uint32_t *order; /* the first side's cells: by group, then by thread */
	size_t n_order;
	struct busy_cells *cells;
	struct busy_group *groups;
	size_t n_groups;
	struct interval_budget budget;
	int64_t end_ns; /* of the run */
	const struct busy_request *request;
};

/* --- Plans --------------------------------------------------------------- */

/* Takes the next level's dimensions off the text: up to a ';' that is in no quotes and no
 * brackets. */
static struct slice
take_level(const char **rest)
{
	struct slice level = {*rest, 0};
	int depth = 0;
	char quote = 0;

	for (; **rest && (quote || depth > 0 || **rest != ';'); ++*rest, level.len++) {
		if (quote) {
			quote = **rest == quote ? 0 : quote;
		} else if (**rest == '\'' || **rest == '"') {
			quote = **rest;
		} else {
			depth += (**rest == '(') - (**rest == ')');
		}
	}
	return slice_trim(level, " \t\n");
}

/* All levels' dimensions in one list, and how many each level has. */
static int
parse_levels(struct busy *busy, const struct dataset *dataset, struct arena *arena,
             struct strbuf *by, struct dimension_list *list, struct err *err)
{
	const char *rest = busy->request->by ? busy->request->by : "";
	bool is_last;

	do {
		struct slice level = take_level(&rest);
		is_last = *rest == 0;
		rest += !is_last;
		if (level.len > 0) {
			strbuf_add_text(by, by->len ? "," : "");
			strbuf_add(by, level.ptr, level.len);
		}
		if (busy->n_levels > SCAN_DIMENSIONS) {
			return err_set(err, ERR_QUERY, "by: more than %d levels",
			               SCAN_DIMENSIONS + 1);
		}
		if (dimension_parse(dataset, BLOCK_SPAN, by->data ? by->data : "",
		                    busy->request->parameters, arena, list, err) < 0) {
			return -1;
		}
		busy->level_dimensions[busy->n_levels++] = list->n;
	} while (!is_last);
	return 0;
}

/* `by` with the lane behind its dimensions, if it is none of them. */
static int
make_by(struct busy *busy, const struct dataset *dataset, struct strbuf *by, struct err *err)
{
	struct arena *arena = arena_new();
	struct dimension_list list = {.n = 0};
	bool has_lane = false, has_time = false;
	int status = parse_levels(busy, dataset, arena, by, &list, err);

	for (unsigned i = 0; i < list.n && status == 0; i++) {
		has_lane |= list.specs[i].dimension == ROW_LANE;
		has_time |= list.specs[i].dimension == ROW_TIME;
	}
	arena_free(arena);
	if (status == 0 && has_time) {
		status = err_set(err, ERR_QUERY,
		                 "by: busy time goes by start(WIDTH), not by time(WIDTH)");
	}
	if (status == 0 && !has_lane && list.n == SCAN_DIMENSIONS) {
		status =
		    err_set(err, ERR_QUERY, "by: more than %d dimensions", SCAN_DIMENSIONS - 1);
	}
	if (status == 0 && !has_lane) {
		strbuf_add_text(by, list.n > 0 ? ",lane" : "lane");
	}
	return status;
}

static int
side_init(struct busy *busy, struct busy_side *side, const struct dataset *dataset, const char *by,
          const char *filter, struct err *err)
{
	struct sums_request request = {
	    .kind = BLOCK_SPAN,
	    .by = by,
	    .filter = filter,
	    .unread = {[MEASURE_DURATION] = SUMS_NO_RANGE | SUMS_NO_SQUARES,
	               [MEASURE_SELF] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES,
	               [MEASURE_SIZE] = SUMS_NO_RANGE | SUMS_NO_SQUARES},
	    .unread_times = true,
	    .unread_unfinished = true,
	    .cancel = busy->request->cancel};

	memcpy(request.parameters, busy->request->parameters, sizeof request.parameters);
	side->has_plan = true;
	if (sums_plan_init(&side->plan, dataset, &request, err)) {
		return -1;
	}
	row_column_bind(ROW_START, &side->plan.fields, &side->start_slots);
	row_column_bind(ROW_END, &side->plan.fields, &side->end_slots);
	struct block_loop loop = {.dataset = dataset};
	side->n_threads = block_loop_threads(&loop);
	MEM_NEW(side->lists, side->n_threads);
	side->sums = xcalloc(side->n_threads, sizeof(struct sums_thread *));
	for (unsigned t = 0; t < side->n_threads; t++) {
		side->sums[t] = sums_thread_new(&side->plan, &side->n_groups);
	}
	side->budget = &busy->budget;
	side->first_ns = INT64_MIN;
	side->last_ns = INT64_MAX;
	return 0;
}

static void
side_fini(struct busy_side *side)
{
	if (!side->has_plan) {
		return;
	}
	busy_drop(side);
	for (unsigned t = 0; t < side->n_threads; t++) {
		sums_thread_free(side->sums[t]);
	}
	free(side->sums);
	free(side->lists);
	free(side->carry);
	if (side->is_known) {
		group_table_fini(&side->table);
		group_totals_fini(&side->totals);
	}
	sums_plan_fini(&side->plan);
}

/* --- Groups -------------------------------------------------------------- */

static struct scan_value
cell_value(const struct busy_side *side, uint32_t cell, unsigned dimension)
{
	const struct coder_set *coders = &side->plan.coders;
	unsigned coder = coders->places[dimension].coder, part = coders->places[dimension].part;

	return coder_value(coders->coders[coder], part,
	                   group_table_codes(&side->table, cell)[coder]);
}

static uint32_t *
find_lanes(const struct busy_side *side)
{
	const struct dimension_list *list = &side->plan.dimensions;
	uint32_t *lanes = xcalloc((size_t)side->table.n_groups + 1, sizeof *lanes);
	unsigned dimension = 0;

	while (list->specs[dimension].dimension != ROW_LANE) {
		dimension++;
	}
	for (uint32_t cell = 0; cell < side->table.n_groups; cell++) {
		struct scan_value value = cell_value(side, cell, dimension);
		lanes[cell] = value.type == SCAN_INTEGER && value.integer >= 0 &&
		                      value.integer < side->plan.dataset->n_lanes
		                  ? (uint32_t)value.integer
		                  : UINT32_MAX;
	}
	return lanes;
}

static bool
same_group(const struct busy *busy, unsigned level, uint32_t a, uint32_t b)
{
	const struct busy_side *side = &busy->sides[0];
	const uint32_t *codes_a = group_table_codes(&side->table, a);
	const uint32_t *codes_b = group_table_codes(&side->table, b);

	for (unsigned d = 0; d < busy->level_dimensions[level]; d++) {
		unsigned coder = side->plan.coders.places[d].coder;
		if (codes_a[coder] == codes_b[coder]) {
			continue;
		}
		struct scan_value of_a = cell_value(side, a, d), of_b = cell_value(side, b, d);
		if (of_a.type == SCAN_NULL || of_b.type == SCAN_NULL) {
			if (of_a.type != of_b.type) {
				return false;
			}
		} else if (scan_value_compare(&of_a, &of_b) != 0) {
			return false;
		}
	}
	return true;
}

/* How many threads and processes there are. */
static void
count_threads(const struct busy *busy, const struct busy_cells *cells, struct busy_group *group,
              uint32_t *last_of_process, uint32_t nth)
{
	uint32_t last_thread = UINT32_MAX;

	for (uint32_t i = cells->first; i < cells->end; i++) {
		uint32_t lane = busy->lane_of_cell[0][busy->order[i]];
		if (lane == UINT32_MAX) {
			continue;
		}
		group->threads += busy->lanes.threads[lane] != last_thread;
		last_thread = busy->lanes.threads[lane];
		group->processes += last_of_process[busy->lanes.processes[lane]] != nth + 1;
		last_of_process[busy->lanes.processes[lane]] = nth + 1;
	}
}

/* Where a cell stands among its group's. */
static uint64_t
place_by_thread(const struct busy *busy, uint32_t cell)
{
	uint32_t lane = busy->lane_of_cell[0][cell];
	uint64_t thread = lane == UINT32_MAX ? UINT32_MAX : busy->lanes.threads[lane];

	return thread << 32 | cell;
}

static int
compare_places(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return ORDER(*a, *b);
}

/* Most groups are in this order already, or of few cells. */
static void
order_by_thread(struct busy *busy, const struct busy_cells *cells, uint64_t *places)
{
	uint32_t *order = busy->order + cells->first, n = cells->end - cells->first;
	bool is_sorted = true;

	for (uint32_t i = 0; i < n; i++) {
		places[i] = place_by_thread(busy, order[i]);
		is_sorted = is_sorted && (i == 0 || places[i - 1] <= places[i]);
	}
	if (is_sorted) {
		return;
	}
	SORT(places, n, compare_places);
	for (uint32_t i = 0; i < n; i++) {
		order[i] = (uint32_t)places[i];
	}
}

/* Cells that have a level's dimensions in common are a group of it. Each level has an order of its
 * own, for cells stand by thread in it. */
static void
group_cells(struct busy *busy, unsigned level, const uint32_t *order, uint32_t n)
{
	uint32_t first = level * n;
	size_t before = busy->n_groups;

	memcpy(busy->order + first, order, n * sizeof *order);
	for (uint32_t i = 0; i < n; i++) {
		if (i == 0 || !same_group(busy, level, order[i - 1], order[i])) {
			busy->cells[busy->n_groups++] =
			    (struct busy_cells){.first = first + i, .level = level};
		}
		busy->cells[busy->n_groups - 1].end = first + i + 1;
	}
	if (busy->n_groups == before && busy->level_dimensions[level] == 0) {
		/* the one group is there even if nothing matches */
		busy->cells[busy->n_groups++] = (struct busy_cells){.level = level};
	}
}

static void
make_groups(struct busy *busy)
{
	const struct busy_side *side = &busy->sides[0];
	uint32_t n = side->table.n_groups;
	uint32_t *last = xcalloc((size_t)busy->lanes.n_processes + 1, sizeof *last);
	uint64_t *places = xcalloc((size_t)n + 1, sizeof *places);
	uint32_t *order = sums_sort(&side->plan.coders, &side->plan.dimensions, &side->table);

	busy->lane_of_cell[0] = find_lanes(side);
	if (busy->has_beside) {
		busy->lane_of_cell[1] = find_lanes(&busy->sides[1]);
	}
	busy->n_order = (size_t)n * busy->n_levels;
	MEM_NEW(busy->order, busy->n_order + 1);
	MEM_NEW(busy->cells, ((size_t)n + 1) * busy->n_levels);
	for (unsigned level = 0; level < busy->n_levels; level++) {
		group_cells(busy, level, order, n);
	}
	free(order);
	MEM_NEW(busy->groups, busy->n_groups + 1);
	for (size_t g = 0; g < busy->n_groups; g++) {
		order_by_thread(busy, &busy->cells[g], places);
		count_threads(busy, &busy->cells[g], &busy->groups[g], last, (uint32_t)g);
		busy->groups[g].level = busy->cells[g].level;
	}
	const struct busy_grouping grouping = {side,        busy->order,    busy->n_order,
	                                       busy->cells, busy->n_groups, busy->n_levels};
	busy_sum_groups(&grouping, busy->groups);
	free(places);
	free(last);
}

/* --- Windows ------------------------------------------------------------- */

/* Both sides' intervals of a window, as busy_collect. */
static int
collect(struct busy *busy, int64_t first_ns, int64_t last_ns, struct err *err)
{
	int is_full = 0;

	atomic_store(&busy->budget.used_bytes, 0);
	for (int s = 0; s < 1 + busy->has_beside; s++) {
		struct busy_side *side = &busy->sides[s];
		side->first_ns = first_ns;
		side->last_ns = last_ns;
		int status = busy_collect(side, err);
		if (status < 0) {
			return -1;
		}
		is_full |= status;
		if (status > 0 && s == 0 && side->is_known && busy->sides[1].is_known) {
			break;
		}
	}
	return is_full;
}

static void
drop(struct busy *busy)
{
	busy_drop(&busy->sides[0]);
	if (busy->has_beside) {
		busy_drop(&busy->sides[1]);
	}
}

static int
measure(struct busy *busy, int64_t first_ns, int64_t end_ns, bool is_last, struct err *err)
{
	struct busy_measuring measuring = {.side = &busy->sides[0],
	                                   .beside = busy->has_beside ? &busy->sides[1] : NULL,
	                                   .lanes = &busy->lanes,
	                                   .lane_of_cell = busy->lane_of_cell[0],
	                                   .beside_lane_of_cell = busy->lane_of_cell[1],
	                                   .order = busy->order,
	                                   .cells = busy->cells,
	                                   .groups = busy->groups,
	                                   .n_groups = busy->n_groups,
	                                   .n_levels = busy->n_levels,
	                                   .n_threads = busy->sides[0].n_threads,
	                                   .first_ns = first_ns,
	                                   .end_ns = end_ns,
	                                   .cancel = busy->request->cancel};

	if (busy_unite(&busy->sides[0], is_last, err) ||
	    (busy->has_beside && busy_unite(&busy->sides[1], is_last, err))) {
		return -1;
	}
	int status = busy_measure(&measuring, err);
	drop(busy);
	return status;
}

static void
make_carries(struct busy *busy)
{
	for (int s = 0; s < 1 + busy->has_beside; s++) {
		struct busy_side *side = &busy->sides[s];
		MEM_NEW(side->carry, (size_t)side->table.n_groups + 1);
		for (uint32_t cell = 0; cell < side->table.n_groups; cell++) {
			side->carry[cell] = INT64_MIN;
		}
	}
}

static int
collect_window(void *user, int64_t first_ns, int64_t last_ns, struct err *err)
{
	int status = collect(user, first_ns, last_ns, err);

	if (status > 0) {
		drop(user);
	}
	return status;
}

static int
measure_window(void *user, int64_t first_ns, int64_t last_ns, bool is_last, struct err *err)
{
	struct busy *busy = user;

	return measure(busy, first_ns, is_last ? busy->end_ns : last_ns + 1, is_last, err);
}

static int
run(struct busy *busy, const struct dataset *dataset, struct err *err)
{
	struct strbuf by = {0};
	int64_t first_ns, last_ns;
	int status = make_by(busy, dataset, &by, err);

	if (status == 0) {
		status =
		    side_init(busy, &busy->sides[0], dataset, by.data, busy->request->filter, err);
	}
	if (status == 0 && busy->has_beside &&
	    (status = side_init(busy, &busy->sides[1], dataset, "lane", busy->request->beside,
	                        err)) < 0) {
		err_wrap(err, "beside");
	}
	strbuf_free(&by);
	bool any = span_bounds(dataset, &first_ns, &last_ns, &busy->end_ns);
	if (status == 0) {
		busy_find_threads(dataset, &busy->lanes);
		status = collect(busy, first_ns, last_ns, err);
	}
	if (status < 0) {
		return -1;
	}
	make_groups(busy);
	if (status > 0) {
		const struct interval_windows windows = {busy, collect_window, measure_window};
		drop(busy);
		make_carries(busy);
		return interval_windows_run(&windows, first_ns, last_ns,
		                            ((uint64_t)last_ns - (uint64_t)first_ns) / 2, err);
	}
	return any ? measure(busy, first_ns, busy->end_ns, true, err) : 0;
}

struct busy *
busy_run(const struct dataset *dataset, const struct busy_request *request, struct err *err)
{
	struct busy *busy = xcalloc(1, sizeof *busy);

	busy->request = request;
	busy->has_beside = request->beside != NULL;
	busy->budget.limit_bytes = request->memory_bytes ? request->memory_bytes : MEMORY_BYTES;
	if (run(busy, dataset, err) < 0) {
		busy_free(busy);
		return NULL;
	}
	busy->request = NULL; /* the caller's */
	return busy;
}

void
busy_free(struct busy *busy)
{
	if (busy) {
		side_fini(&busy->sides[0]);
		side_fini(&busy->sides[1]);
		free(busy->lanes.threads);
		free(busy->lanes.processes);
		free(busy->lanes.process_of_thread);
		free(busy->lane_of_cell[0]);
		free(busy->lane_of_cell[1]);
		free(busy->order);
		free(busy->cells);
		free(busy->groups);
		free(busy);
	}
}

/* --- Results ------------------------------------------------------------- */

size_t
busy_count(const struct busy *busy)
{
	return busy->n_groups;
}

static unsigned
place_of(const struct busy *busy, unsigned level, enum row_column dimension)
{
	unsigned i = 0;

	while (i < busy->level_dimensions[level] &&
	       busy->sides[0].plan.dimensions.specs[i].dimension != dimension) {
		i++;
	}
	return i;
}

bool
busy_has(const struct busy *busy, enum row_column dimension)
{
	unsigned last = busy->n_levels - 1;

	return place_of(busy, last, dimension) < busy->level_dimensions[last];
}

struct scan_value
busy_key(const struct busy *busy, size_t group, enum row_column dimension)
{
	const struct busy_cells *cells = &busy->cells[group];
	unsigned place = place_of(busy, cells->level, dimension);

	return place < busy->level_dimensions[cells->level]
	           ? cell_value(&busy->sides[0], busy->order[cells->first], place)
	           : (struct scan_value){.type = SCAN_NULL};
}

bool
busy_is_beside(const struct busy *busy)
{
	return busy->has_beside && busy->sides[1].table.n_groups > 0;
}

const struct busy_group *
busy_group(const struct busy *busy, size_t group)
{
	return &busy->groups[group];
}
