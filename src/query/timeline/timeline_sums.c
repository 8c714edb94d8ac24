/*
 * Cells by a scan, where there are too many spans to show them one by one and tiles don't know
 * enough. Sums by (lane, depth, what the colour stands for, time); busy is the sum of durations cut
 * at the cell's width, the colour that of most self time, since of nested spans the outermost would
 * always win.
 *
 * Names count as their label's first: a run may have more names than spans that a cell can show,
 * each in every cell that it reaches.
 *
 * Spans that are long against the window would fall into very many buckets of time outside of it:
 * they are few, and read one by one.
 */
#include "config.h"

#include "query/timeline/timeline_building.h"
#include "query/timeline/timeline_scoped.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define GROUP_LIMIT (2u << 20)
#define LABELS_TOLD 1024 /* of names, those with most time; the others have no colour */

struct summing {
	struct building *building;
	bool by_depth;
	int64_t long_ns;   /* spans of this length and more are read one by one */
	uint32_t *aliases; /* of names, by text code */
};

/* By text code, the first name of the same colour; new. */
static uint32_t *
alias_names(const struct colours *colours, uint32_t n_texts)
{
	uint32_t *aliases = xmalloc(((size_t)n_texts + 1) * sizeof *aliases);
	uint32_t first[LABELS_TOLD];

	memset(first, 0xff, sizeof first); /* TEXT_NONE */
	for (uint32_t code = 0; code < n_texts; code++) {
		uint32_t rank = colours_rank(colours, code);

		if (rank < LABELS_TOLD && first[rank] == TEXT_NONE) {
			first[rank] = code;
		}
		aliases[code] = rank < LABELS_TOLD ? first[rank] : TEXT_NONE;
	}
	return aliases;
}

static void
add_window(const struct summing *summing, struct strbuf *filter, const char *comparison)
{
	const struct building *building = summing->building;

	strbuf_printf(filter,
	              " AND start < %" PRId64 " AND end >= %" PRId64
	              " AND record_duration %s %" PRId64,
	              building->end_ns, building->start_ns, comparison, summing->long_ns);
	building_add_filter(building, filter);
}

/* The line that shows a lane's spans of a depth; n_lines: none. */
static size_t
line_of(const struct building *building, uint32_t lane, int depth)
{
	size_t line =
	    lane < building->dataset->n_lanes ? building->line_of_lane[lane] : building->n_lines;

	while (line < building->n_lines && building_row(building, line)->id == lane &&
	       building_row(building, line)->type == TIMELINE_LANE) {
		if (building->lines[line].depth == depth) {
			return line;
		}
		line++;
	}
	return building->n_lines;
}

/* Time of a colour in a cell; the colour by self time. Calls that failed are among the others,
 * whose colour they leave. */
static void
add_group(struct building *building, struct timeline_track *track, int64_t bucket_ns, uint32_t rank,
          const struct group_sums *group)
{
	int64_t ns = group->measure[MEASURE_DURATION].sum, self = group->measure[MEASURE_SELF].sum;
	int64_t at = time_sub(bucket_ns, building->start_ns);
	int64_t width = building->cell_ns;
	bool is_failed = building->colours->mode == COLOUR_STATUS && rank == STATUS_FAILED;

	if (at < 0 || at / width >= building->n_cells) {
		return;
	}
	struct tile_cell *cell = &track->cells[at / width];
	int64_t own = track->is_dense ? ns : self > 0 && self < width ? self : width;
	building_add_rank(building, cell, rank, own);
	if (is_failed) {
		building_add_rank(building, cell, STATUS_OK, -own);
		return;
	}
	cell->count += group->rows;
	if (track->is_dense) {
		time_raise(&cell->density_ns, ns); /* the sum is that of the calls */
		cell->busy_ns = width;             /* of their intervals only this is known */
		return;
	}
	time_raise(&cell->busy_ns, ns);
	cell->busy_ns = LEAST(width, cell->busy_ns);
}

static int
add_sums(const struct summing *summing, enum row_column key, const char *more, uint32_t fixed_rank,
         struct err *err)
{
	struct building *building = summing->building;
	struct strbuf filter = {0}, by = {0};
	struct sums_request request = {
	    .kind = BLOCK_SPAN,
	    .unread = {[MEASURE_SIZE] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES},
	    .group_limit = GROUP_LIMIT,
	    .cancel = building->cancel};

	building_lane_filter(building, &filter);
	add_window(summing, &filter, "<");
	strbuf_add_text(&filter, more);
	strbuf_printf(&by, "lane,%s%stime(%" PRId64 ")", summing->by_depth ? "depth," : "",
	              key == ROW_TIME         ? ""
	              : key == ROW_CATEGORY   ? "category,"
	              : key == ROW_PATH_CLASS ? "class,"
	                                      : "name,",
	              building->cell_ns);
	request.filter = filter.data;
	request.by = by.data;
	request.name_aliases = summing->aliases;
	request.unread_unfinished = true;
	struct sums *sums = sums_run(building->dataset, &request, err);
	for (size_t i = 0; sums && i < sums_count(sums); i++) {
		struct scan_value lane = sums_key(sums, i, ROW_LANE);
		struct scan_value time = sums_key(sums, i, ROW_TIME);
		struct scan_value depth = {.type = SCAN_NULL};
		uint32_t rank = fixed_rank;
		size_t lines[2] = {building->n_lines, building->n_lines};

		if (key != ROW_TIME) {
			struct scan_value text = sums_key(sums, i, key);
			rank = text.type == SCAN_TEXT
			           ? colours_rank_of_text(building->colours, text.text)
			           : COLOUR_NONE;
		}
		if (summing->by_depth) {
			depth = sums_key(sums, i, ROW_DEPTH);
		}
		if (lane.type != SCAN_INTEGER || lane.integer < 0 ||
		    lane.integer >= building->dataset->n_lanes || time.type != SCAN_INTEGER) {
			continue;
		}
		lines[0] = line_of(building, (uint32_t)lane.integer, -1);
		if (depth.type == SCAN_INTEGER && depth.integer >= 0 && depth.integer < INT32_MAX) {
			lines[1] = line_of(building, (uint32_t)lane.integer, (int)depth.integer);
		}
		for (int k = 0; k < 2; k++) {
			if (lines[k] < building->n_lines) {
				add_group(building, &building->tracks[lines[k]], time.integer, rank,
				          sums_group(sums, i));
			}
		}
	}
	sums_free(sums);
	strbuf_free(&filter);
	strbuf_free(&by);
	return sums ? 0 : -1;
}

static void
add_long_span(struct building *building, struct timeline_track *track, const struct span_row *row,
              uint32_t rank)
{
	if (!track->is_dense) {
		building_add_to_cells(building, track->cells, row->start_ns, row->duration_ns, rank,
		                      1);
		return;
	}
	building_add_density(building, track->cells, row->start_ns, row->duration_ns,
	                     row->call_sum_ns, rank);
	building_add_dense_busy(building, track->cells, row->start_ns,
	                        time_add(row->start_ns, row->duration_ns));
}

static int
add_long_spans(const struct summing *summing, struct err *err)
{
	struct building *building = summing->building;
	struct strbuf filter = {0};
	struct page_request page = {
	    .kind = BLOCK_SPAN, .limit = LONG_SPANS, .cancel = building->cancel};
	struct span_row *rows = NULL, *failed = NULL;
	int64_t n_failed = 0;

	building_lane_filter(building, &filter);
	add_window(summing, &filter, ">=");
	page.filter = filter.data;
	int64_t n = page_run(building->dataset, &page, &rows, NULL, err);
	if (n > 0 && building->colours->mode == COLOUR_STATUS) {
		strbuf_add_text(&filter, " AND " STATUS_FILTER);
		page.filter = filter.data;
		n_failed = page_run(building->dataset, &page, &failed, NULL, err);
	}
	for (int64_t i = 0, f = 0; i < n && n_failed >= 0; i++) { /* both in order of id */
		bool is_failed = f < n_failed && failed[f].id == rows[i].id;
		uint32_t rank = is_failed ? STATUS_FAILED : building_rank_of(building, &rows[i]);
		size_t lines[2] = {line_of(building, rows[i].lane, -1),
		                   line_of(building, rows[i].lane,
		                           rows[i].depth < INT32_MAX ? (int)rows[i].depth : -1)};

		for (int k = 0; k < 2; k++) {
			if (lines[k] < building->n_lines && (k == 0 || lines[1] != lines[0])) {
				add_long_span(building, &building->tracks[lines[k]], &rows[i],
				              rank);
			}
		}
		f += is_failed;
	}
	free(rows);
	free(failed);
	strbuf_free(&filter);
	return n < 0 || n_failed < 0 ? -1 : 0;
}

/* What tiles say of a cell and a scan does not know: busy as a union, density. */
struct kept_cell {
	int64_t busy_ns, density_ns;
};

/* It stays where tiles were read. */
static void
keep_cells(struct building *building, struct kept_cell **kept, size_t line)
{
	const struct tile_cell *cells = building->tracks[line].cells;

	*kept = NULL;
	if (!cells || building->window->is_filtered ||
	    (building->lines[line].depth >= 0 && !building->tracks[line].is_dense)) {
		return;
	}
	*kept = xcalloc((size_t)building->n_cells + 1, sizeof **kept);
	for (uint32_t i = 0; i < building->n_cells; i++) {
		(*kept)[i] = (struct kept_cell){cells[i].busy_ns, cells[i].density_ns};
	}
}

static void
settle_line(struct building *building, size_t line, struct kept_cell *kept)
{
	struct tile_cell *cells = building->tracks[line].cells;

	for (uint32_t i = 0; cells && i < building->n_cells; i++) {
		if (kept) {
			cells[i].busy_ns = kept[i].busy_ns;
			cells[i].density_ns = kept[i].density_ns;
		} else if (cells[i].busy_ns > building->cell_ns) {
			cells[i].busy_ns = building->cell_ns;
		}
	}
	if (cells) {
		building_settle_cells(building, cells);
	}
	free(kept);
}

int
building_add_sums(struct building *building, struct err *err)
{
	size_t n = building->n_lines;
	enum colour_mode mode = building->colours->mode;
	struct summing summing = {.building = building,
	                          .long_ns = time_sub(building->end_ns, building->start_ns)};
	struct kept_cell **kept = xcalloc(n + 1, sizeof *kept);
	struct strbuf lanes = {0};
	int rc = 0;

	for (size_t i = 0; i < n; i++) {
		summing.by_depth = summing.by_depth || building->lines[i].depth >= 0;
		keep_cells(building, &kept[i], i);
		if (building_row(building, i)->type == TIMELINE_LANE) {
			struct tile_cell *cells = building->tracks[i].cells;
			memset(cells, 0, building->n_cells * sizeof *cells);
		}
	}
	if (building_lane_filter(building, &lanes)) {
		enum row_column key = mode == COLOUR_CATEGORY ? ROW_CATEGORY
		                      : mode == COLOUR_NAME   ? ROW_NAME
		                      : mode == COLOUR_CLASS  ? ROW_PATH_CLASS
		                                              : ROW_TIME;

		key = mode == COLOUR_SLOWDOWN ? ROW_NAME : key;
		summing.aliases = key == ROW_NAME
		                      ? alias_names(building->colours, building->dataset->n_texts)
		                      : NULL;
		rc = add_sums(&summing, key, "", STATUS_OK, err);
		if (rc == 0 && mode == COLOUR_STATUS) {
			rc =
			    add_sums(&summing, ROW_TIME, " AND " STATUS_FILTER, STATUS_FAILED, err);
		}
		rc = rc == 0 ? add_long_spans(&summing, err) : rc;
	}
	for (size_t i = 0; i < n; i++) {
		settle_line(building, i, kept[i]);
	}
	free(kept);
	free(summing.aliases);
	strbuf_free(&lanes);
	return rc;
}
