/*
 * Lines of values: counters and capacity hold what they had until the next sample; the run's sums
 * are averages over the cell (lanes that work, tasks that wait, transfers under way).
 */
#include "config.h"

#include "query/timeline/timeline_building.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "util/order.h"

#define SAMPLES 20000

/* A sample: from its time on the value holds. Samples come in order of time. */
static void
put_sample(struct building *building, struct timeline_track *track, int64_t time_ns, double value)
{
	int64_t at = time_sub(time_ns, building->start_ns);
	size_t i = at < 0 ? 0 : (size_t)(at / building->cell_ns);
	struct timeline_value *cell = &track->values[i];

	if (i >= building->n_cells) {
		return;
	}
	if (!cell->is_known || at < 0) {
		*cell = (struct timeline_value){true, value, value};
	}
	cell->low = LEAST(value, cell->low);
	cell->high = MOST(value, cell->high);
}

/* Fills what lies between samples. last: the value at the end of each cell that has samples. */
static void
hold(struct building *building, struct timeline_track *track, const double *last)
{
	bool is_known = false;
	double value = 0;

	for (uint32_t i = 0; i < building->n_cells; i++) {
		struct timeline_value *cell = &track->values[i];

		if (cell->is_known) {
			value = last[i];
			is_known = true;
		} else if (is_known) {
			*cell = (struct timeline_value){true, value, value};
		}
	}
}

/* ---- counters ---- */

static void
note_last(struct building *building, double *last, int64_t time_ns, double value)
{
	int64_t at = time_sub(time_ns, building->start_ns);
	size_t i = at < 0 ? 0 : (size_t)(at / building->cell_ns);

	if (i < building->n_cells) {
		last[i] = value;
	}
}

/* Samples of a counter between two times, as many as count; or the last of them. */
static int64_t
counter_page(struct building *building, const struct timeline_row *row, int64_t from_ns,
             int64_t to_ns, bool is_last, struct span_row **rows, struct err *err)
{
	struct strbuf filter = {0};
	struct page_request page = {.kind = BLOCK_COUNTER,
	                            .order = is_last ? "-start" : "start",
	                            .limit = is_last ? 1 : SAMPLES + 1,
	                            .cancel = building->cancel};

	strbuf_printf(&filter,
	              "lane = %u AND name = ?1 AND start >= %" PRId64 " AND start < %" PRId64,
	              row->id, from_ns, to_ns);
	page.filter = filter.data;
	page.parameters[0] = scan_text(row->counter);
	int64_t n = page_run(building->dataset, &page, rows, NULL, err);
	strbuf_free(&filter);
	return n;
}

/* Too many samples to hold each: the lowest and highest of each cell. */
static int
add_counter_sums(struct building *building, const struct timeline_row *row,
                 struct timeline_track *track, double *last, struct err *err)
{
	struct strbuf filter = {0}, by = {0};
	struct sums_request request = {.kind = BLOCK_COUNTER, .cancel = building->cancel};

	strbuf_printf(&filter,
	              "lane = %u AND name = ?1 AND start >= %" PRId64 " AND start < %" PRId64,
	              row->id, building->start_ns, building->end_ns);
	strbuf_printf(&by, "start(%" PRId64 ")", building->cell_ns);
	request.by = by.data;
	request.filter = filter.data;
	request.parameters[0] = scan_text(row->counter);
	struct sums *sums = sums_run(building->dataset, &request, err);
	for (size_t i = 0; sums && i < sums_count(sums); i++) {
		struct scan_value time = sums_key(sums, i, ROW_BUCKET);
		const struct measure_sums *value = &sums_group(sums, i)->measure[MEASURE_VALUE];

		if (time.type == SCAN_INTEGER && value->n > 0) {
			put_sample(building, track, time.integer, value->real_min);
			put_sample(building, track, time.integer, value->real_max);
			note_last(building, last, time.integer, value->real_sum / (double)value->n);
		}
	}
	sums_free(sums);
	strbuf_free(&filter);
	strbuf_free(&by);
	return sums ? 0 : -1;
}

static int
add_counter(struct building *building, const struct timeline_row *row, struct timeline_track *track,
            double *last, struct err *err)
{
	struct span_row *rows = NULL;
	int64_t start_ns = building->start_ns;
	int64_t n = start_ns > 0 ? counter_page(building, row, 0, start_ns, true, &rows, err) : 0;

	if (n > 0) {
		put_sample(building, track, rows[0].start_ns, rows[0].value);
		note_last(building, last, rows[0].start_ns, rows[0].value);
	}
	free(rows);
	rows = NULL;
	if (n < 0 ||
	    (n = counter_page(building, row, start_ns, building->end_ns, false, &rows, err)) < 0) {
		return -1;
	}
	if (n > SAMPLES) {
		free(rows);
		return add_counter_sums(building, row, track, last, err);
	}
	for (int64_t i = 0; i < n; i++) {
		put_sample(building, track, rows[i].start_ns, rows[i].value);
		note_last(building, last, rows[i].start_ns, rows[i].value);
	}
	free(rows);
	return 0;
}

/* ---- capacity ---- */

static int
add_capacity(struct building *building, const struct timeline_row *row,
             struct timeline_track *track, double *last, struct err *err)
{
	struct stmt *stmt = store_prepare(
	    building->store,
	    "SELECT time, nodes FROM capacity WHERE pool IS ?1 AND time < ?2 AND time >= "
	    "(SELECT coalesce(max(time), 0) FROM capacity WHERE pool IS ?1 AND time <= ?3)"
	    " ORDER BY time, id",
	    err);
	int state;
	if (row->text == TEXT_NONE) {
		stmt_bind_null(stmt, 1);
	} else {
		stmt_bind_integer(stmt, 1, row->text);
	}
	stmt_bind_integer(stmt, 2, building->end_ns);
	stmt_bind_integer(stmt, 3, building->start_ns);
	while ((state = stmt_step(stmt, err)) > 0) {
		put_sample(building, track, stmt_integer(stmt, 0), (double)stmt_integer(stmt, 1));
		note_last(building, last, stmt_integer(stmt, 0), (double)stmt_integer(stmt, 1));
	}
	stmt_free(stmt);
	return state;
}

/* ---- the run's sums ---- */

/* Waiting tasks and transfers under way: durations on the lanes that say so. */
static int
sum_waiting(struct building *building, int64_t *transfer, int64_t *queue, struct err *err)
{
	struct strbuf filter = {0}, by = {0};
	struct sums_request request = {.kind = BLOCK_SPAN, .cancel = building->cancel};

	strbuf_printf(&filter,
	              "kind = 'waiting' AND start < %" PRId64 " AND end >= %" PRId64
	              " AND (name = 'queue' OR category = 'transfer')",
	              building->end_ns, building->start_ns);
	strbuf_printf(&by, "category,time(%" PRId64 ")", building->cell_ns);
	request.filter = filter.data;
	request.by = by.data;
	struct sums *sums = sums_run(building->dataset, &request, err);
	for (size_t i = 0; sums && i < sums_count(sums); i++) {
		struct scan_value category = sums_key(sums, i, ROW_CATEGORY);
		struct scan_value time = sums_key(sums, i, ROW_TIME);
		int64_t at = time_sub(time.integer, building->start_ns);
		int64_t *into = category.type == SCAN_TEXT && slice_is(category.text, "transfer")
		                    ? transfer
		                    : queue;

		if (at >= 0 && at / building->cell_ns < building->n_cells) {
			into[at / building->cell_ns] +=
			    sums_group(sums, i)->measure[MEASURE_DURATION].sum;
		}
	}
	sums_free(sums);
	strbuf_free(&filter);
	strbuf_free(&by);
	return sums ? 0 : -1;
}

/* Lanes in scope that can be busy or idle. */
static uint32_t
count_work(const struct building *building)
{
	const bool *lanes = store_lanes(building->store);
	uint32_t n = 0;

	if (!lanes) {
		return building->timeline->n_work;
	}
	for (uint32_t i = 0; i < building->dataset->n_lanes; i++) {
		n += lanes[i] && lane_kind_is_work(building->dataset->lanes[i].kind);
	}
	return n;
}

static void
put_sums(struct building *building, struct timeline_track *track, enum timeline_sum which,
         const int64_t *ns)
{
	int64_t width = building->cell_ns;
	double all = count_work(building);

	track->high = which <= SUM_IDLE ? all : 1;
	for (uint32_t i = 0; i < building->n_cells; i++) {
		int64_t at = time_add(building->start_ns, (int64_t)i * width);
		int64_t start = MOST(at, building->from_ns);
		int64_t end = LEAST(time_add(at, width), building->until_ns);
		double value;

		end = LEAST(end, building->timeline->duration_ns);
		if (end <= start) {
			continue;
		}
		value = (double)ns[i] / (double)(end - start);
		value = which == SUM_IDLE ? all - value : value;
		value = MOST(0, value);
		track->values[i] = (struct timeline_value){true, value, value};
		track->high = MOST(value, track->high);
	}
}

static int
building_add_run_sums(struct building *building, struct err *err)
{
	size_t n = (size_t)building->n_cells + 1;
	int64_t *work = xcalloc(3 * n, sizeof *work), *transfer = work + n, *queue = transfer + n;
	bool waits = false;

	for (size_t i = 0; i < building->n_lines; i++) {
		const struct timeline_row *row = building_row(building, i);
		waits = waits || (row->type == TIMELINE_SUM && row->id >= SUM_TRANSFER);
	}
	int rc = timeline_busy(
	    building->store, building->timeline,
	    (struct tile_axis){building->start_ns, building->cell_ns, building->n_cells,
	                       building->request->is_picture ? TILE_BLUR : TILE_SPLIT},
	    work, building->cancel, err);
	if (rc == 0 && waits) {
		rc = sum_waiting(building, transfer, queue, err);
	}
	for (size_t i = 0; i < building->n_lines && rc == 0; i++) {
		const struct timeline_row *row = building_row(building, i);

		if (row->type == TIMELINE_SUM) {
			put_sums(building, &building->tracks[i], (enum timeline_sum)row->id,
			         row->id <= SUM_IDLE       ? work
			         : row->id == SUM_TRANSFER ? transfer
			                                   : queue);
		}
	}
	free(work);
	return rc;
}

int
building_add_values(struct building *building, struct err *err)
{
	double *last = xcalloc((size_t)building->n_cells + 1, sizeof *last);
	bool sums = false;
	int rc = 0;

	for (size_t i = 0; i < building->n_lines && rc == 0; i++) {
		const struct timeline_row *row = building_row(building, i);
		struct timeline_track *track = &building->tracks[i];

		if (row->type != TIMELINE_COUNTER && row->type != TIMELINE_CAPACITY &&
		    row->type != TIMELINE_SUM) {
			continue;
		}
		track->values = arena_zalloc(building->arena, ((size_t)building->n_cells + 1) *
		                                                  sizeof *track->values);
		track->low = LEAST(row->low, 0);
		track->high = row->high;
		if (row->type == TIMELINE_SUM) {
			sums = true;
			continue;
		}
		rc = row->type == TIMELINE_COUNTER ? add_counter(building, row, track, last, err)
		                                   : add_capacity(building, row, track, last, err);
		if (rc == 0) {
			hold(building, track, last);
		}
	}
	free(last);
	return rc == 0 && sums ? building_add_run_sums(building, err) : rc;
}
