/*
 * The spans of a window, all lanes in one page, so that the blocks are read once whatever the
 * number of lines. They come in order of id; each line's are sorted by start, parents before
 * children, which is also the order to paint them in.
 */
#include "config.h"

#include "query/timeline/timeline_building.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/order.h"

static int
compare_spans(const void *left, const void *right)
{
	const struct timeline_span *a = left, *b = right;

	ORDER_BY(a->start_ns, b->start_ns);
	ORDER_BY(b->duration_ns, a->duration_ns);
	ORDER_BY(a->depth, b->depth);
	return ORDER(a->id, b->id);
}

/* One page of what lies in the window; n + 1 > limit: too many. -1 on error. */
static int64_t
read_page(struct building *building, const char *more, int64_t limit, struct span_row **rows,
          struct err *err)
{
	struct strbuf filter = {0};
	struct page_request page = {
	    .kind = BLOCK_SPAN, .limit = limit + 1, .cancel = building->cancel};
	int64_t n = 0;

	*rows = NULL;
	if (building_lane_filter(building, &filter)) {
		strbuf_printf(&filter, " AND start < %" PRId64 " AND end >= %" PRId64 "%s",
		              building->end_ns, building->start_ns, more);
		building_add_filter(building, &filter);
		page.filter = filter.data;
		n = page_run(building->dataset, &page, rows, NULL, err);
	}
	strbuf_free(&filter);
	return n;
}

static bool
lies_in(const struct building *building, const struct span_row *row)
{
	int64_t start = building->start_ns;

	return row->lane < building->dataset->n_lanes && row->start_ns < building->end_ns &&
	       (row->start_ns >= start || time_add(row->start_ns, row->duration_ns) > start);
}

uint32_t
building_rank_of(const struct building *building, const struct span_row *row)
{
	const struct colours *colours = building->colours;

	switch (colours->mode) {
	case COLOUR_CATEGORY:
		return colours_rank(colours, row->category);
	case COLOUR_CLASS:
		return colours_rank_of_path(colours, building->dataset, row->path);
	case COLOUR_STATUS:
		return STATUS_OK;
	default:
		return colours_rank(colours, row->name);
	}
}

/* Spans that failed, by a second page of those that match. */
static int
mark_failed(struct building *building, struct timeline_span *spans, size_t n, int64_t limit,
            struct err *err)
{
	struct span_row *rows;
	int64_t failed = read_page(building, " AND " STATUS_FILTER, limit, &rows, err);
	int64_t k = 0;

	for (size_t i = 0; i < n && failed > 0; i++) { /* both in order of id */
		while (k < failed && rows[k].id < spans[i].id) {
			k++;
		}
		if (k < failed && rows[k].id == spans[i].id) {
			spans[i].rank = STATUS_FAILED;
		}
	}
	free(rows);
	return failed < 0 ? -1 : 0;
}

/* The union of a line's spans as cells, coloured by those that lie innermost: later ones hide
 * earlier ones. */
static void
make_cells(struct building *building, struct timeline_track *track, bool nested)
{
	struct timeline_span *open[64];
	size_t depth = 0;
	int64_t at = INT64_MIN;

	track->cells = building_cells(building);
	if (!nested) { /* one depth: nothing overlaps */
		for (size_t i = 0; i < track->n_spans; i++) {
			const struct timeline_span *span = &track->spans[i];
			building_add_to_cells(building, track->cells, span->start_ns,
			                      span->duration_ns, span->rank, 1);
		}
		building_settle_cells(building, track->cells);
		return;
	}
	for (size_t i = 0; i <= track->n_spans; i++) {
		struct timeline_span *span =
		    i < track->n_spans ? (struct timeline_span *)&track->spans[i] : NULL;
		int64_t until = span ? span->start_ns : INT64_MAX;

		while (depth > 0) { /* what is open shows up to here, or to its end */
			struct timeline_span *top = open[depth - 1];
			int64_t end = time_add(top->start_ns, top->duration_ns);
			int64_t to = LEAST(end, until);

			if (to > at) {
				building_add_to_cells(building, track->cells, at, to - at,
				                      top->rank, 0);
				at = to;
			}
			if (end > until) {
				break;
			}
			depth--;
		}
		if (span) {
			building_add_to_cells(building, track->cells, span->start_ns, 0, span->rank,
			                      1);
			at = MOST(span->start_ns, at);
			if (depth == 64) {
				depth--;
			}
			open[depth++] = span;
		}
	}
	building_settle_cells(building, track->cells);
}

/* Of a span the part in the scope's range is shown. */
static void
cut_span(const struct dataset *dataset, struct timeline_span *span)
{
	int64_t end_ns = time_add(span->start_ns, span->duration_ns);

	dataset_clip(dataset, &span->start_ns, &end_ns);
	span->duration_ns = time_sub(end_ns, span->start_ns);
}

static void
take_line(struct building *building, size_t line, const struct timeline_span *all, size_t n)
{
	const struct timeline_row *row = building_row(building, line);
	struct timeline_track *track = &building->tracks[line];
	int depth = building->lines[line].depth;
	struct timeline_span *spans;
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		k += all[i].lane == row->id && (depth < 0 || all[i].depth == (uint32_t)depth);
	}
	spans = arena_alloc(building->arena, (k + 1) * sizeof *spans);
	k = 0;
	for (size_t i = 0; i < n; i++) {
		if (all[i].lane == row->id && (depth < 0 || all[i].depth == (uint32_t)depth)) {
			spans[k] = all[i];
			if (!track->is_dense) { /* else their density is cut */
				cut_span(building->dataset, &spans[k]);
			}
			k++;
		}
	}
	SORT(spans, k, compare_spans);
	track->spans = spans;
	track->n_spans = k;
	track->has_spans = true;
	if (building->window->is_filtered || depth >= 0 ||
	    building->colours->mode != COLOUR_CATEGORY) {
		const struct tile_cell *tiles = track->cells;
		if (track->is_dense) {
			building_dense_cells(building, track);
		} else {
			make_cells(building, track, depth < 0);
		}
		for (uint32_t i = 0;
		     track->is_dense && !building->window->is_filtered && i < building->n_cells;
		     i++) { /* rounded once, whatever the colours */
			track->cells[i].density_ns = tiles[i].density_ns;
		}
	}
	if (track->is_dense) { /* an interval is no call: it is not drawn as one */
		track->spans = NULL;
		track->n_spans = 0;
		track->has_spans = false;
	}
}

static int
compare_lanes(const void *left, const void *right)
{
	const struct timeline_span *a = left, *b = right;

	ORDER_BY(a->lane, b->lane);
	return ORDER(a->id, b->id);
}

/* Spans sorted by lane: where a lane's begin, and how many there are. */
static size_t
find_lane(const struct timeline_span *spans, size_t n, uint32_t lane, size_t *count)
{
	size_t low = 0;

	ORDER_FIND(low, n, middle, spans[middle].lane < lane);
	for (*count = 0; low + *count < n && spans[low + *count].lane == lane;) {
		++*count;
	}
	return low;
}

int
building_add_spans(struct building *building, struct err *err)
{
	int64_t limit =
	    building->request->span_limit ? (int64_t)building->request->span_limit : WINDOW_SPANS;
	struct span_row *rows;
	int64_t n = read_page(building, "", limit, &rows, err);
	struct timeline_span *spans;
	size_t kept = 0;
	int rc = 0;

	if (n < 0 || n > limit) {
		free(rows);
		return n < 0 ? -1 : 0;
	}
	MEM_NEW(spans, (size_t)n + 1);
	for (int64_t i = 0; i < n; i++) {
		const struct span_row *row = &rows[i];
		struct slice name = dataset_text(building->dataset, row->name);

		if (lies_in(building, row)) {
			spans[kept++] = (struct timeline_span){
			    row->id,
			    row->start_ns,
			    MOST(row->duration_ns, 0),
			    row->depth >= 0 && row->depth < UINT32_MAX ? (uint32_t)row->depth : 0,
			    row->lane,
			    building_rank_of(building, row),
			    arena_slice(building->arena, name),
			    row->unfinished == 1,
			    row->call_sum_ns};
		}
	}
	free(rows);
	if (building->colours->mode == COLOUR_STATUS) {
		rc = mark_failed(building, spans, kept, limit, err);
	}
	SORT(spans, kept, compare_lanes);
	for (size_t i = 0; i < building->n_lines && rc == 0; i++) {
		const struct timeline_row *row = building_row(building, i);
		size_t count, first;

		if (row->type == TIMELINE_LANE) {
			first = find_lane(spans, kept, row->id, &count);
			take_line(building, i, spans + first, count);
		}
	}
	free(spans);
	return rc == 0 ? 1 : -1;
}
