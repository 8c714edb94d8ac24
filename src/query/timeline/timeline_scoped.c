/*
 * Sums by lane and time. Spans that are long against the window would fall into very many buckets
 * outside of it: they are few, and read one by one. A lane at a time is put together from both, so
 * that it is in no cell busier than the cell is long.
 */
#include "config.h"

#include "query/timeline/timeline_scoped.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/slice.h"

#define GROUP_LIMIT (4u << 20)

struct lane_sums {
	const struct scoped_busy *asked;
	int64_t end_ns, from_ns, until_ns; /* of the axis; what of it is in the scope's range */
	uint32_t lane;
	int64_t *busy_ns, *count; /* the lane's, by cell */
};

static struct strbuf
filter_of(const struct lane_sums *lane, const char *comparison)
{
	const struct scoped_busy *asked = lane->asked;
	struct strbuf filter = {0};

	strbuf_printf(&filter,
	              "start < %" PRId64 " AND end >= %" PRId64 " AND record_duration %s %" PRId64,
	              lane->end_ns, asked->axis.start_ns, comparison,
	              time_sub(lane->end_ns, asked->axis.start_ns));
	if (asked->is_outermost) {
		strbuf_add_text(&filter, " AND depth = 0");
	}
	if (asked->filter && *asked->filter) {
		strbuf_printf(&filter, " AND (%s)", asked->filter);
	}
	return filter;
}

static uint32_t
line_of(const struct scoped_busy *asked, int map, uint32_t lane)
{
	return asked->lines[map] ? asked->lines[map][lane] : SCOPED_NO_LINE;
}

static bool
is_asked(const struct scoped_busy *asked, int64_t lane)
{
	int map = 0;

	if (lane < 0 || lane >= asked->dataset->n_lanes) {
		return false;
	}
	while (map < SCOPED_MAPS && line_of(asked, map, (uint32_t)lane) == SCOPED_NO_LINE) {
		map++;
	}
	return map < SCOPED_MAPS;
}

/* What was put together of a lane goes to its lines. */
static void
give_lane(struct lane_sums *lane)
{
	const struct scoped_busy *asked = lane->asked;
	uint32_t n = asked->axis.n_cells;

	for (int k = 0; k < SCOPED_MAPS; k++) {
		uint32_t line = line_of(asked, k, lane->lane);

		for (uint32_t i = 0; i < n && line != SCOPED_NO_LINE; i++) {
			struct tile_cell *cell = &asked->cells[line][i];

			time_raise(&cell->busy_ns, LEAST(lane->busy_ns[i], asked->axis.cell_ns));
			cell->count += lane->count[i];
		}
	}
	memset(lane->busy_ns, 0, n * sizeof *lane->busy_ns);
	memset(lane->count, 0, n * sizeof *lane->count);
}

static void
come_to_lane(struct lane_sums *lane, uint32_t id)
{
	if (lane->lane != id && lane->lane != SCOPED_NO_LINE) {
		give_lane(lane);
	}
	lane->lane = id;
}

static void
add_long_span(struct lane_sums *lane, const struct span_row *span)
{
	int64_t window = lane->asked->axis.start_ns, width = lane->asked->axis.cell_ns;
	int64_t from = MOST(span->start_ns, lane->from_ns);
	int64_t end = LEAST(time_add(span->start_ns, span->duration_ns), lane->until_ns);

	for (int64_t i = (from - window) / width; from < end; i++) {
		int64_t to = LEAST(time_add(window, (i + 1) * width), end);

		lane->busy_ns[i] += to - from;
		lane->count[i] += from == span->start_ns;
		from = to;
	}
}

static void
add_group(struct lane_sums *lane, int64_t bucket_ns, const struct group_sums *group)
{
	int64_t at = time_sub(bucket_ns, lane->asked->axis.start_ns) / lane->asked->axis.cell_ns;

	if (bucket_ns >= lane->asked->axis.start_ns && at < lane->asked->axis.n_cells) {
		time_raise(&lane->busy_ns[at], group->measure[MEASURE_DURATION].sum);
		lane->count[at] += group->rows;
	}
}

/* Both come in order of their lanes. */
static void
merge(struct lane_sums *lane, struct sums *sums, const struct span_row *spans, int64_t n_spans)
{
	int64_t k = 0;

	for (size_t i = 0; i <= sums_count(sums); i++) {
		bool is_end = i == sums_count(sums);
		struct scan_value id = {.type = SCAN_NULL}, time = {.type = SCAN_NULL};

		if (!is_end) {
			id = sums_key(sums, i, ROW_LANE);
			time = sums_key(sums, i, ROW_TIME);
		}
		for (; k < n_spans && (is_end || spans[k].lane <= id.integer); k++) {
			if (is_asked(lane->asked, spans[k].lane)) {
				come_to_lane(lane, spans[k].lane);
				add_long_span(lane, &spans[k]);
			}
		}
		if (!is_end && id.type == SCAN_INTEGER && time.type == SCAN_INTEGER &&
		    is_asked(lane->asked, id.integer)) {
			come_to_lane(lane, (uint32_t)id.integer);
			add_group(lane, time.integer, sums_group(sums, i));
		}
	}
	if (lane->lane != SCOPED_NO_LINE) {
		give_lane(lane);
	}
}

int
timeline_scoped_busy(const struct scoped_busy *asked, struct err *err)
{
	struct tile_axis axis = asked->axis;
	struct lane_sums lane = {.asked = asked, .lane = SCOPED_NO_LINE};
	struct span_row *spans = NULL;

	lane.end_ns = axis.cell_ns > (INT64_MAX - axis.start_ns) / (axis.n_cells + 1)
	                  ? INT64_MAX
	                  : axis.start_ns + axis.cell_ns * axis.n_cells;
	lane.from_ns = axis.start_ns;
	lane.until_ns = lane.end_ns;
	dataset_clip(asked->dataset, &lane.from_ns, &lane.until_ns);

	struct strbuf shorter = filter_of(&lane, "<"), longer = filter_of(&lane, ">="), by = {0};
	struct page_request page = {.kind = BLOCK_SPAN,
	                            .filter = longer.data,
	                            .order = "lane",
	                            .limit = LONG_SPANS,
	                            .cancel = asked->cancel};
	struct sums_request request = {
	    .kind = BLOCK_SPAN,
	    .filter = shorter.data,
	    .unread = {[MEASURE_SIZE] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES},
	    .unread_unfinished = true,
	    .group_limit = GROUP_LIMIT,
	    .cancel = asked->cancel};
	struct sums *sums = NULL;
	int64_t n_spans = page_run(asked->dataset, &page, &spans, NULL, err);

	strbuf_printf(&by, "lane,time(%" PRId64 ")", axis.cell_ns);
	request.by = by.data;
	sums = n_spans < 0 ? NULL : sums_run(asked->dataset, &request, err);
	if (sums) {
		lane.busy_ns = xcalloc(2 * ((size_t)axis.n_cells + 1), sizeof *lane.busy_ns);
		lane.count = lane.busy_ns + axis.n_cells + 1;
		merge(&lane, sums, spans, n_spans);
		free(lane.busy_ns);
	}
	int rc = sums ? 0 : -1;
	sums_free(sums);
	free(spans);
	strbuf_free(&shorter);
	strbuf_free(&longer);
	strbuf_free(&by);
	return rc;
}
