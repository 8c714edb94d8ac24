/*
 * Cells of a window out of the blocks: one pass gathers what lies in the window on any of the lanes
 * wanted, then each lane is sorted and swept as the finishing pass does it (span_sort.c, sweep.c),
 * so the cells are those that tiles would hold: equal times nest by their depths, which that pass
 * gave them by their begins. Spans that began before the window count while they last; what ended
 * before it can be neither seen nor hide anything.
 */
#include "config.h"
#include "column/finish/tile_window.h"

#include <stdlib.h>
#include <string.h>

#include "column/scan/blockloop.h"
#include "column/finish/cell.h"
#include "column/finish/density.h"
#include "column/encode/span_sort.h"
#include "column/finish/sweep.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define PRUNE_LANES 4096u /* lane codes of a block looked at one by one */

struct window_span {
	int64_t start_ns, duration_ns;
	uint32_t lane, category, depth;
	int64_t sum_ns; /* what the calls took; the duration, if it is one */
};
struct window_spans {
	struct window_span *spans;
	size_t n, capacity;
};

enum { SLOT_START, SLOT_DURATION, SLOT_LANE, SLOT_CATEGORY, SLOT_DEPTH, SLOT_SUM };

struct window_scan {
	const struct tile_reader *reader;
	int64_t start_ns, end_ns, cell_ns;
	uint32_t n_cells;
	bool *is_wanted;            /* by run lane */
	struct window_spans *slots; /* of the loop */
	struct window_spans all;    /* in order of id */
	size_t *firsts;             /* by run lane, and the end: in sorted */
	struct sort_span *sorted;
	struct cell_sum *sums; /* n_cells, of the request at hand */
};

int64_t
tile_cell_start(int64_t start_ns, int64_t cell_ns, uint64_t i)
{
	__int128 at = (__int128)start_ns + (__int128)cell_ns * (__int128)i;

	return at > INT64_MAX ? INT64_MAX : (int64_t)at;
}

static bool
tile_block_wanted(const struct dataset *dataset, const struct block_info *block, int64_t start_ns,
                  int64_t end_ns, const bool *is_wanted)
{
	const struct dataset_source *source = &dataset->sources[block->source];
	const struct column_info *lane = block_column(block, FIELD_LANE);

	if (block->start_min >= end_ns || block->end_max < start_ns || !lane) {
		return false;
	}
	if (lane->min < 0 || lane->max >= source->n_lanes || lane->max - lane->min >= PRUNE_LANES) {
		return true;
	}
	for (int64_t code = lane->min; code <= lane->max; code++) {
		uint32_t run_lane = source->lanes[code];
		if (run_lane < dataset->n_lanes && is_wanted[run_lane]) {
			return true;
		}
	}
	return false;
}

static bool
wanted(void *user, const struct block_info *block)
{
	const struct window_scan *window = user;

	return tile_block_wanted(window->reader->dataset, block, window->start_ns, window->end_ns,
	                         window->is_wanted);
}

static inline bool
is_present(const struct chunk_column *column, uint32_t i)
{
	return column->presence[i / 64] >> (i % 64) & 1;
}

static void
keep_span(const struct window_scan *window, struct block_view *view, struct window_spans *out,
          uint32_t i, int64_t start_ns, int64_t duration_ns, uint32_t lane)
{
	const struct chunk_column *categories = block_view_column(view, SLOT_CATEGORY);
	const struct chunk_column *depths = block_view_column(view, SLOT_DEPTH);
	uint32_t category = TEXT_NONE, depth = 0;

	if (depths->n_present > 0 && is_present(depths, i)) {
		depth = (uint32_t)depths->values[i];
	}
	if (categories->n_present > 0 && is_present(categories, i)) {
		category = view->source->texts[categories->values[i]];
		category = category < window->reader->dataset->n_texts ? category : TEXT_NONE;
	}
	const struct chunk_column *sums = block_view_column(view, SLOT_SUM);
	int64_t sum_ns = duration_ns;
	if (sums->n_present > 0 && is_present(sums, i)) {
		sum_ns = MOST(sums->values[i], 0);
	}
	MEM_GROW(out->spans, out->capacity, out->n + 1);
	out->spans[out->n++] =
	    (struct window_span){start_ns, duration_ns, lane, category, depth, sum_ns};
}

static int
scan(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	const struct window_scan *window = user;
	struct window_spans *out = &window->slots[slot];
	uint32_t n_lanes = window->reader->dataset->n_lanes;

	(void)err;
	out->n = 0;
	while (block_view_next(view)) {
		const struct chunk_column *starts = block_view_column(view, SLOT_START);
		const struct chunk_column *durations = block_view_column(view, SLOT_DURATION);
		for (uint32_t i = 0; i < view->n; i++) {
			int64_t start_ns = starts->values[i];
			int64_t duration_ns = MOST(durations->values[i], 0);
			if (start_ns >= window->end_ns ||
			    (start_ns < window->start_ns &&
			     time_add(start_ns, duration_ns) <= window->start_ns)) {
				continue;
			}
			const struct chunk_column *lanes = block_view_column(view, SLOT_LANE);
			if (lanes->n_present == 0 || !is_present(lanes, i)) {
				continue;
			}
			uint32_t lane = view->source->lanes[lanes->values[i]];
			if (lane < n_lanes && window->is_wanted[lane]) {
				keep_span(window, view, out, i, start_ns, duration_ns, lane);
			}
		}
	}
	return 0;
}

static int
merge(void *user, const struct block_info *block, unsigned slot, struct err *err)
{
	struct window_scan *window = user;
	const struct window_spans *from = &window->slots[slot];
	struct window_spans *all = &window->all;

	(void)block;
	if (from->n == 0) {
		return 0;
	}
	if (all->n + from->n > TILE_WINDOW_SPANS) {
		return err_set(err, ERR_LIMIT,
		               "more than %u spans in this window of time: choose a smaller or a "
		               "much larger one, or fewer lanes",
		               TILE_WINDOW_SPANS);
	}
	MEM_GROW(all->spans, all->capacity, all->n + from->n);
	memcpy(all->spans + all->n, from->spans, from->n * sizeof *all->spans);
	all->n += from->n;
	return 0;
}

static int
gather(struct window_scan *window, struct err *err)
{
	struct block_fields fields = {0};
	struct block_loop loop = {.dataset = window->reader->dataset,
	                          .kind = BLOCK_SPAN,
	                          .fields = &fields,
	                          .end = SIZE_MAX,
	                          .user = window,
	                          .wanted = wanted,
	                          .scan = scan,
	                          .merge = merge,
	                          .cancel = window->reader->cancel};
	unsigned n_slots = block_loop_slots(&loop);

	block_fields_add(&fields, FIELD_START); /* SLOT_START and so on: in this order */
	block_fields_add(&fields, FIELD_DURATION);
	block_fields_add(&fields, FIELD_LANE);
	block_fields_add(&fields, FIELD_CATEGORY);
	block_fields_add(&fields, FIELD_DEPTH);
	block_fields_add(&fields, FIELD_CALL_SUM);
	MEM_NEW(window->slots, n_slots);
	int status = block_loop_run(&loop, err);
	for (unsigned i = 0; i < n_slots; i++) {
		free(window->slots[i].spans);
	}
	free(window->slots);
	block_fields_free(&fields);
	return status;
}

static bool
is_dense(const struct window_scan *window, uint32_t lane)
{
	return window->reader->dataset->lanes[lane].kind == LANE_AGGREGATE;
}

/* Distributes the spans over lanes (keeping the order of ids) and sorts each lane. */
static void
sort_lanes(struct window_scan *window)
{
	uint32_t n_lanes = window->reader->dataset->n_lanes;
	const struct window_spans *all = &window->all;
	size_t *firsts = xcalloc((size_t)n_lanes + 1, sizeof *firsts), longest = 0;

	for (size_t i = 0; i < all->n; i++) {
		firsts[all->spans[i].lane]++;
	}
	for (uint32_t lane = 0; lane < n_lanes; lane++) {
		longest = MOST(firsts[lane], longest);
		firsts[lane + 1] += firsts[lane];
	}
	window->sorted = xmalloc(all->n * sizeof *window->sorted);
	for (size_t i = all->n; i-- > 0;) {
		const struct window_span *span = &all->spans[i];
		/* Lanes of densities do not nest; theirs leads back to the span's sum. */
		uint32_t row = is_dense(window, span->lane) ? (uint32_t)i : span->depth;
		window->sorted[--firsts[span->lane]] =
		    (struct sort_span){span->start_ns, span->duration_ns, row, span->category};
	}
	window->firsts = firsts;

	struct sort_span *scratch = xmalloc((longest / 2 + 1) * sizeof *scratch);
	for (uint32_t lane = 0; lane < n_lanes; lane++) {
		sort_spans(window->sorted + firsts[lane], firsts[lane + 1] - firsts[lane], scratch);
	}
	free(scratch);
}

static int
add_stretch(void *user, int64_t start_ns, int64_t end_ns, uint32_t category, struct err *err)
{
	const struct window_scan *window = user;

	(void)err;
	start_ns = MOST(start_ns, window->start_ns);
	end_ns = LEAST(end_ns, window->end_ns);
	while (start_ns < end_ns) {
		uint64_t i =
		    ((uint64_t)start_ns - (uint64_t)window->start_ns) / (uint64_t)window->cell_ns;
		int64_t cut = tile_cell_start(window->start_ns, window->cell_ns, i + 1);
		cut = LEAST(cut, end_ns);
		cell_add(&window->sums[i], category, cut - start_ns);
		start_ns = cut;
	}
	return 0;
}

static int
take_density(void *user, uint64_t index, int64_t density_ns, struct err *err)
{
	const struct window_scan *window = user;
	struct cell_sum *sum = &window->sums[index];

	(void)err;
	time_raise(&sum->density_ns, density_ns);
	return 0;
}

/* A lane of records that stand for many calls. */
static int
add_density(const struct window_scan *window, uint32_t lane, struct err *err)
{
	struct density *density = density_new(window->cell_ns, window->n_cells, take_density);
	int status = 0;

	density_begin(density, (void *)(uintptr_t)window);
	for (size_t i = window->firsts[lane]; i < window->firsts[lane + 1] && status == 0; i++) {
		const struct sort_span *span = &window->sorted[i];
		status = density_add(density, time_sub(span->start_ns, window->start_ns),
		                     span->duration_ns, window->all.spans[span->row].sum_ns, err);
	}
	if (status == 0) {
		status = density_end(density, err);
	}
	density_free(density);
	return status;
}

static int
sweep_lane(const struct window_scan *window, struct sweep *sweep, uint32_t lane, struct err *err)
{
	for (size_t i = window->firsts[lane]; i < window->firsts[lane + 1]; i++) {
		const struct sort_span *span = &window->sorted[i];
		struct sweep_span next = {.start_ns = span->start_ns,
		                          .duration_ns = span->duration_ns,
		                          .category = span->category};
		if (sweep_add(sweep, &next, err)) {
			return -1;
		}
		if (span->start_ns >= window->start_ns) {
			window
			    ->sums[((uint64_t)span->start_ns - (uint64_t)window->start_ns) /
			           (uint64_t)window->cell_ns]
			    .count++;
		}
	}
	return sweep_end(sweep, err);
}

static int
make_cells(struct window_scan *window, const struct tile_request *request, struct sweep *sweep,
           struct arena *arena, struct err *err)
{
	const uint32_t *lanes = request->subject == TILE_LANE ? &request->id : request->members;
	uint32_t n = request->subject == TILE_LANE ? 1 : request->n_members;

	for (uint32_t i = 0; i < n; i++) {
		bool dense = is_dense(window, lanes[i]);
		if ((dense && add_density(window, lanes[i], err)) ||
		    ((!dense || request->subject == TILE_LANE) &&
		     sweep_lane(window, sweep, lanes[i], err))) {
			return -1;
		}
	}
	for (uint32_t i = 0; i < window->n_cells; i++) {
		request->cells[i] = cell_take(&window->sums[i], arena);
	}
	return 0;
}

/* Marks the lanes of a request. */
static int
mark_lanes(const struct window_scan *window, const struct tile_request *request, struct err *err)
{
	const struct dataset *dataset = window->reader->dataset;
	const uint32_t *lanes = request->subject == TILE_LANE ? &request->id : request->members;
	uint32_t n = request->subject == TILE_LANE ? 1 : request->n_members;

	for (uint32_t i = 0; i < n; i++) {
		if (lanes[i] >= dataset->n_lanes) {
			return err_set(err, ERR_INTERNAL, "no lane %u", lanes[i]);
		}
		window->is_wanted[lanes[i]] = lane_kind_has_tiles(dataset->lanes[lanes[i]].kind);
	}
	return 0;
}

int
tile_read_blocks(const struct tile_reader *reader, const struct tile_request *requests,
                 size_t n_requests, struct tile_axis axis, struct arena *arena, struct err *err)
{
	struct window_scan window = {.reader = reader,
	                             .start_ns = axis.start_ns,
	                             .end_ns =
	                                 tile_cell_start(axis.start_ns, axis.cell_ns, axis.n_cells),
	                             .cell_ns = axis.cell_ns,
	                             .n_cells = axis.n_cells};
	struct sweep_hooks hooks = {&window, add_stretch, NULL};
	struct sweep *sweep = sweep_new(&hooks);
	int status = 0;

	MEM_NEW(window.is_wanted, reader->dataset->n_lanes);
	for (size_t i = 0; i < n_requests && status == 0; i++) {
		status = mark_lanes(&window, &requests[i], err);
	}
	if (status == 0) {
		status = gather(&window, err);
	}
	if (status == 0) {
		sort_lanes(&window);
		MEM_NEW(window.sums, axis.n_cells);
		for (size_t i = 0; i < n_requests && status == 0; i++) {
			status = make_cells(&window, &requests[i], sweep, arena, err);
		}
		for (uint32_t i = 0; i < axis.n_cells; i++) {
			cell_fini(&window.sums[i]);
		}
	}
	sweep_free(sweep);
	free(window.sums);
	free(window.sorted);
	free(window.firsts);
	free(window.all.spans);
	free(window.is_wanted);
	return status;
}
