/*
 * Few spans are looked at: of a span its neighbours; of a run, where its tiles show a gap that is
 * much longer than the rest, its first and last ones in order of time.
 */
#include "config.h"

#include "query/timeline/timeline_near.h"

#include <stdlib.h>

#include "query/spans/span_walk.h"
#include "util/intervals.h"
#include "util/order.h"

#define MOST_LENGTHS 100
#define LEAST_LENGTHS 9
#define CORE_CELLS 256u
#define CORE_GAP 9 /* a gap so many times as long as the rest */
#define CORE_OUTSIDE 1000

/* ---- around a span ---- */

static int64_t
times(int64_t ns, int64_t n)
{
	return ns > INT64_MAX / 4 / n ? INT64_MAX / 4 : ns * n;
}

/* Both ends moved outwards so that the stretch is that long, as far as the run goes. */
static void
widen(int64_t *from, int64_t *to, int64_t length)
{
	int64_t more = length - time_sub(*to, *from);

	if (more > 0) {
		*from = time_sub(*from, more / 2);
		*to = time_add(*to, more - more / 2);
	}
}

void
timeline_surround(const struct surroundings *around, int64_t *from_ns, int64_t *to_ns)
{
	int64_t start = around->start_ns, end = MOST(around->end_ns, around->start_ns);
	int64_t length = time_sub(end, start), most = times(length, MOST_LENGTHS);
	int64_t parent = time_sub(around->parent_end_ns, around->parent_start_ns);
	int64_t from = around->before_ns >= 0 ? LEAST(around->before_ns, start) : start;
	int64_t to = around->after_ns >= 0 ? MOST(around->after_ns, end) : end;

	if (parent > 0 && (parent <= most || (length == 0 && from == start && to == end))) {
		from = time_sub(around->parent_start_ns, parent / 20);
		to = time_add(around->parent_end_ns, parent / 20);
	} else if (length > 0) {
		widen(&from, &to, times(length, LEAST_LENGTHS));
		if (time_sub(to, from) > most) {
			from = start;
			to = end;
			widen(&from, &to, most);
		}
	} else if (from == start && to == end) {
		widen(&from, &to, around->duration_ns / 50 + 1);
	} else {
		int64_t margin = time_sub(to, from) / 10 + 1;

		from = time_sub(from, margin);
		to = time_add(to, margin);
	}
	*from_ns = from > 0 ? from : 0;
	*to_ns = MOST(LEAST(to, around->duration_ns), time_add(*from_ns, 1));
}

static int
find_neighbours(struct store *store, struct span_walk walk, int64_t end_ns,
                struct surroundings *around, const struct cancel *cancel, struct err *err)
{
	struct span_row span;
	int found;

	walk.is_backward = true;
	found = span_walk_next(store, &walk, &span, cancel, err);
	around->before_ns = found > 0 ? span.start_ns : -1;
	if (found < 0) {
		return -1;
	}
	walk.is_backward = false;
	walk.id = walk.id > 0 ? walk.id : INT64_MAX;
	if (end_ns > walk.start_ns) { /* what begins inside is no neighbour */
		walk.start_ns = end_ns;
		walk.id = 0;
	}
	found = span_walk_next(store, &walk, &span, cancel, err);
	around->after_ns = found > 0 ? time_add(span.start_ns, MOST(span.duration_ns, 0)) : -1;
	return found < 0 ? -1 : 0;
}

int
timeline_near_span(struct store *store, const struct span_row *span, struct surroundings *around,
                   const struct cancel *cancel, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct span_row parent;
	int64_t end = time_add(span->start_ns, MOST(span->duration_ns, 0));

	*around = (struct surroundings){.start_ns = span->start_ns,
	                                .end_ns = end,
	                                .parent_end_ns = -1,
	                                .duration_ns = store_run(store)->duration_ns};
	if (!dataset) {
		return -1;
	}
	if (span->parent > 0) {
		if (row_get(dataset, BLOCK_SPAN, span->parent, &parent, err)) {
			return -1;
		}
		around->parent_start_ns = parent.start_ns;
		around->parent_end_ns = time_add(parent.start_ns, MOST(parent.duration_ns, 0));
	}
	return find_neighbours(store,
	                       (struct span_walk){.lane = span->lane,
	                                          .depth = (int)LEAST(span->depth, INT32_MAX),
	                                          .start_ns = span->start_ns,
	                                          .id = span->id},
	                       end, around, cancel, err);
}

int
timeline_near_time(struct store *store, int64_t lane, int64_t start_ns, int64_t end_ns,
                   struct surroundings *around, const struct cancel *cancel, struct err *err)
{
	*around = (struct surroundings){.start_ns = start_ns,
	                                .end_ns = end_ns,
	                                .parent_end_ns = -1,
	                                .before_ns = -1,
	                                .after_ns = -1,
	                                .duration_ns = store_run(store)->duration_ns};
	return find_neighbours(store,
	                       (struct span_walk){.lane = lane, .depth = -1, .start_ns = start_ns},
	                       end_ns, around, cancel, err);
}

/* ---- where things happen ---- */

/* Is there a stretch of nearly half of the run in which no lane is busy? */
static int
has_gap(struct store *store, const struct timeline *timeline, const struct cancel *cancel,
        struct err *err)
{
	int64_t busy_ns[CORE_CELLS];
	int64_t wished = timeline->duration_ns / CORE_CELLS + 1;
	struct tile_axis axis = {0, timeline_snap(timeline, wished), CORE_CELLS, TILE_BLUR};
	int64_t used = timeline->duration_ns / axis.cell_ns + 1;
	int64_t empty = 0, most = 0;

	if (timeline_busy(store, timeline, axis, busy_ns, cancel, err)) {
		return -1;
	}
	for (int64_t i = 0; i < used && i < CORE_CELLS; i++) {
		empty = busy_ns[i] > 0 ? 0 : empty + 1;
		most = MOST(most, empty);
	}
	return most * 5 >= used * 2;
}

/* The largest gap behind the first of n spans in order of start, or before the last ones in order
 * of end: how many stand beyond it, and its ends. */
struct edge_gap {
	int64_t beyond, near_ns, far_ns;
};

static struct edge_gap
widest_gap(const struct span_row *rows, int64_t n, bool is_at_end)
{
	struct edge_gap widest = {0, 0, 0};
	int64_t edge = is_at_end ? INT64_MAX : INT64_MIN;

	for (int64_t i = 0; i + 1 < n; i++) {
		int64_t end = time_add(rows[i].start_ns, MOST(rows[i].duration_ns, 0));
		int64_t next =
		    is_at_end ? time_add(rows[i + 1].start_ns, MOST(rows[i + 1].duration_ns, 0))
			      : rows[i + 1].start_ns;

		edge = is_at_end ? LEAST(edge, rows[i].start_ns) : MOST(edge, end);
		if ((is_at_end ? time_sub(edge, next) : time_sub(next, edge)) >
		    time_sub(MOST(widest.near_ns, widest.far_ns),
		             LEAST(widest.near_ns, widest.far_ns))) {
			widest = (struct edge_gap){i + 1, next, edge};
		}
	}
	return widest;
}

static int
read_gap(struct store *store, bool is_at_end, struct edge_gap *gap, const struct cancel *cancel,
         struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	int64_t outside = LEAST(store_run(store)->n_spans / 1000 + 1, CORE_OUTSIDE);
	struct page_request page = {.kind = BLOCK_SPAN,
	                            .order = is_at_end ? "-end" : "start",
	                            .limit = outside + 1,
	                            .cancel = cancel};
	struct span_row *rows = NULL;
	int64_t n = dataset ? page_run(dataset, &page, &rows, NULL, err) : -1;

	if (n >= 0) {
		*gap = widest_gap(rows, n, is_at_end);
	}
	free(rows);
	return n < 0 ? -1 : 0;
}

static bool
is_far(const struct edge_gap *gap, int64_t core_ns)
{
	int64_t width = gap->near_ns > gap->far_ns ? time_sub(gap->near_ns, gap->far_ns)
	                                           : time_sub(gap->far_ns, gap->near_ns);

	return gap->beyond > 0 && width / CORE_GAP > MOST(core_ns, 1);
}

int
timeline_core_read(struct store *store, const struct timeline *timeline, struct timeline_core *core,
                   const struct cancel *cancel, struct err *err)
{
	struct edge_gap before = {0}, after = {0};
	struct store_view view = store_view(store);
	int gaps;

	*core = (struct timeline_core){.end_ns = timeline->duration_ns};
	if (view.start_ns > 0 || view.end_ns < timeline->duration_ns) {
		*core = (struct timeline_core){view.start_ns, view.end_ns, .is_range = true};
		return 0;
	}
	if (store_run(store)->n_spans < 4 || timeline->duration_ns <= 0) {
		return 0;
	}
	gaps = has_gap(store, timeline, cancel, err);
	if (gaps <= 0) {
		return gaps;
	}
	if (read_gap(store, false, &before, cancel, err) ||
	    read_gap(store, true, &after, cancel, err)) {
		return -1;
	}
	int64_t both = time_sub(after.near_ns, before.near_ns);
	bool cuts_both = both > 0 && is_far(&before, both) && is_far(&after, both);
	if (cuts_both || is_far(&before, time_sub(timeline->duration_ns, before.near_ns))) {
		core->start_ns = before.near_ns;
		core->n_before = before.beyond;
		core->before_ns = time_sub(before.near_ns, before.far_ns);
	}
	if (cuts_both || is_far(&after, after.near_ns)) {
		core->end_ns = after.near_ns;
		core->n_after = after.beyond;
		core->after_ns = time_sub(after.far_ns, after.near_ns);
	}
	return 0;
}

bool
timeline_core_is_whole(const struct timeline_core *core)
{
	return core->n_before == 0 && core->n_after == 0 && !core->is_range;
}
