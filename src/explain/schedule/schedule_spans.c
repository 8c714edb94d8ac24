/*
 * Spans -> a schedule. On each lane only the innermost span counts at any instant: a parent's time
 * without its children stays with the parent, cut into stretches. Spans that overlap without
 * nesting: the one that began last counts, until it ends; of equal times the deeper one.
 *
 * The rows come in the order of the file. How many a lane holds is known from the run's totals, so
 * that each goes to its lane's place at once; most files are in order of time within a lane, and
 * then nothing is left to sort.
 */
#include "config.h"

#include "explain/schedule/schedule_private.h"

#include <stdlib.h>

#include "column/scan/scan.h"
#include "column/encode/span_sort.h"
#include "explain/schedule/matching.h"
#include "util/budget.h"
#include "util/intervals.h"
#include "util/order.h"

/* In a category: the span's end was not recorded. */
#define IS_UNFINISHED (UINT32_C(1) << 31)

/* What a span of each of two runs takes while the second is read, cut into two stretches. */
#define SPAN_BYTES (4 * sizeof(struct schedule_item) + sizeof(struct sort_span))

/* Lanes stand from the last to the first: the first is swept first, and what is done is given back
 * from the end. */
struct raw_spans {
	struct sort_span *rows; /* category: the kind; row: the depth */
	size_t *first, *n;      /* by run lane */
	size_t total;
};

static void
raw_fini(struct raw_spans *raw)
{
	free(raw->rows);
	free(raw->first);
	free(raw->n);
}

static void
add_summed(struct schedule_summed *summed, struct stmt *stmt)
{
	time_raise(&summed->records, stmt_integer(stmt, 1));
	time_raise(&summed->calls, stmt_integer(stmt, 2));
	time_raise(&summed->calls_ns, stmt_integer(stmt, 3));
}

/* Rows of each lane that works, and what the others stand for that hold records of many calls, from
 * the totals. */
static int
count_rows(struct schedule_reading *reading, struct raw_spans *raw, struct err *err)
{
	struct stmt *stmt = store_prepare(
	    reading->store,
	    "SELECT lane, sum(rows), sum(n), sum(dur_sum) FROM span_total GROUP BY lane", err);
	uint32_t n_lanes = reading->dataset->n_lanes;
	int more = 1;

	MEM_NEW(raw->first, n_lanes);
	MEM_NEW(raw->n, n_lanes);
	while (more > 0 && (more = stmt_step(stmt, err)) > 0) {
		int64_t lane = stmt_integer(stmt, 0), rows = stmt_integer(stmt, 1);

		if (lane < 0 || lane >= n_lanes || rows < 0 ||
		    rows > store_run(reading->store)->n_spans) {
			more = err_set(err, ERR_FORMAT, "run file is damaged: totals of spans");
		} else if (lane_kind_is_work(reading->dataset->lanes[lane].kind)) {
			raw->n[lane] += (size_t)rows;
		} else if (rows > 0 && reading->dataset->lanes[lane].kind == LANE_AGGREGATE) {
			add_summed(&reading->schedule->summed, stmt);
		}
	}
	stmt_free(stmt);
	for (uint32_t l = n_lanes; l-- > 0;) {
		raw->first[l] = raw->total;
		raw->total += raw->n[l];
	}
	if (more == 0 && raw->total > SCHEDULE_ITEMS_LIMIT) {
		return err_set(err, ERR_LIMIT, "%zu spans: more than explain can hold (%u)",
		               raw->total, SCHEDULE_ITEMS_LIMIT);
	}
	if (more == 0 && raw->total > budget_share(SPAN_BYTES, SIZE_MAX)) {
		char budget[BUDGET_TEXT_BYTES];
		return err_set(
		    err, ERR_LIMIT,
		    "%zu spans are more than memory should hold (it may use %s): give more with "
		    "--memory SIZE, or explain a part of the time or of the lanes (--scope)",
		    raw->total, budget_print(budget));
	}
	return more;
}

/* Distinct names beyond which categories are the better kinds: nobody reads a table of
 * thousands. */
#define NAMES_LIMIT 4096

static int
choose_kinds(struct schedule_reading *reading, bool *by_name, struct err *err)
{
	struct stmt *stmt =
	    store_prepare(reading->store, "SELECT count(DISTINCT name) FROM span_total", err);
	int more = stmt ? stmt_step(stmt, err) : -1;

	if (more > 0) {
		*by_name = stmt_integer(stmt, 0) <= NAMES_LIMIT;
	}
	stmt_free(stmt);
	return more > 0 ? 0 : -1;
}

static int
read_rows(struct schedule_reading *reading, struct raw_spans *raw, struct schedule_flows *flows,
          struct err *err)
{
	struct row_bounds bounds = {.id_min = INT64_MIN,
	                            .id_max = INT64_MAX,
	                            .start_min = INT64_MIN,
	                            .start_max = INT64_MAX,
	                            .end_min = INT64_MIN,
	                            .duration_min = INT64_MIN,
	                            .duration_max = INT64_MAX,
	                            .lane = -1,
	                            .name = -1,
	                            .category = -1,
	                            .columns = 1u << FIELD_START | 1u << FIELD_DURATION |
	                                       1u << FIELD_LANE | 1u << FIELD_NAME |
	                                       1u << FIELD_CATEGORY | 1u << FIELD_DEPTH |
	                                       1u << FIELD_UNFINISHED};
	struct row_cursor *cursor = row_cursor_new(reading->dataset, BLOCK_SPAN, &bounds);
	uint32_t *kinds = xcalloc(reading->dataset->n_texts, sizeof *kinds);
	size_t *filled = xcalloc(reading->dataset->n_lanes, sizeof *filled);
	struct span_row row;
	bool by_name = true;
	size_t count = 0;
	int more = choose_kinds(reading, &by_name, err) == 0 ? 1 : -1;

	while (more > 0 && (more = row_cursor_next(cursor, &row, err)) > 0) {
		uint32_t code = by_name || row.category == TEXT_NONE ? row.name : row.category;

		if (schedule_poll(reading, count++, err)) {
			more = -1;
			break;
		}
		if (row.lane >= reading->dataset->n_lanes || filled[row.lane] >= raw->n[row.lane]) {
			continue; /* of a lane that does not work */
		}
		if (code < reading->dataset->n_texts && kinds[code] == 0) {
			kinds[code] = intern_id(reading->kinds, reading->dataset->texts[code]) + 1;
		}
		raw->rows[raw->first[row.lane] + filled[row.lane]++] =
		    (struct sort_span){row.start_ns, row.duration_ns, (uint32_t)row.depth,
		                       code < reading->dataset->n_texts
		                           ? kinds[code] - 1
		                           : intern_id(reading->kinds, slice_of("(no name)"))};
		if (row.unfinished) {
			raw->rows[raw->first[row.lane] + filled[row.lane] - 1].category |=
			    IS_UNFINISHED;
			reading->schedule->unfinished++;
		}
		schedule_flows_meet(flows, row.id, row.lane, row.start_ns,
		                    time_add(row.start_ns, row.duration_ns));
	}
	for (uint32_t l = 0; l < reading->dataset->n_lanes; l++) {
		raw->n[l] = filled[l];
	}
	row_cursor_free(cursor);
	free(filled);
	free(kinds);
	return more;
}

struct open_span {
	const struct sort_span *span;
	uint32_t call; /* index into calls */
};

/* Items of one lane as they come out, in order of time, and the calls that they are stretches of
 * (NULL: not kept). */
struct stretches {
	struct schedule_item *items;
	size_t n, capacity;
	struct schedule_call *calls;
	size_t n_calls;
	struct open_span *open; /* innermost last */
	size_t n_open, open_capacity;
	const struct sort_span *last; /* whose stretch came out last */
	int64_t until_ns;             /* what is before has been said */
	int64_t unfinished_ns;        /* of items of unfinished spans */
};

static int64_t
end_of(const struct sort_span *span)
{
	return time_add(span->start_ns, span->duration_ns);
}

static void
emit(struct stretches *out, uint32_t lane, const struct open_span *open, int64_t end_ns)
{
	const struct sort_span *span = open->span;

	if (end_ns <= out->until_ns) {
		return;
	}
	if (span->category & IS_UNFINISHED) {
		time_raise(&out->unfinished_ns, time_sub(end_ns, out->until_ns));
	}
	if (out->last == span && out->items[out->n - 1].end_ns == out->until_ns) {
		out->items[out->n - 1].end_ns = end_ns; /* only a span without length lay between */
	} else {
		if (out->n == out->capacity) {
			out->capacity = out->capacity ? out->capacity + out->capacity / 4 : 1024;
			out->items = xrealloc_array(out->items, out->capacity, sizeof *out->items);
		}
		if (out->calls && out->calls[open->call].head == SCHEDULE_NONE) {
			out->calls[open->call].head = (uint32_t)out->n;
		}
		out->items[out->n++] = (struct schedule_item){
		    out->until_ns, end_ns,    lane, span->category & ~IS_UNFINISHED,
		    SCHEDULE_NONE, open->call};
	}
	out->last = span;
	out->until_ns = end_ns;
}

/* Ends all spans that end by then. */
static void
close_until(struct stretches *out, uint32_t lane, int64_t time_ns)
{
	while (out->n_open > 0 && end_of(out->open[out->n_open - 1].span) <= time_ns) {
		const struct open_span *open = &out->open[--out->n_open];

		emit(out, lane, open, end_of(open->span));
	}
	if (out->n_open > 0) {
		emit(out, lane, &out->open[out->n_open - 1], time_ns);
	}
}

#define CALLERS_TRIED 64 /* of more that overlap without nesting it takes too long */

/* The innermost call that holds a span as a whole: of spans that overlap without nesting none calls
 * the other. */
static uint32_t
caller_of(const struct stretches *out, const struct sort_span *span)
{
	size_t least = out->n_open > CALLERS_TRIED ? out->n_open - CALLERS_TRIED : 0;

	for (size_t o = out->n_open; o-- > least;) {
		if (end_of(out->open[o].span) >= end_of(span)) {
			return out->open[o].call;
		}
	}
	return SCHEDULE_NONE;
}

static void
open_span(struct stretches *out, uint32_t lane, const struct sort_span *span)
{
	struct open_span open = {span, 0};

	if (out->calls) {
		open.call = (uint32_t)out->n_calls++;
		out->calls[open.call] = (struct schedule_call){
		    caller_of(out, span), span->category & ~IS_UNFINISHED, lane, SCHEDULE_NONE};
	}
	MEM_GROW(out->open, out->open_capacity, out->n_open + 1);
	out->open[out->n_open++] = open;
}

static void
sweep_lane(struct stretches *out, uint32_t lane, struct sort_span *rows, size_t n,
           struct sort_span *scratch)
{
	sort_spans(rows, n, scratch);
	out->n_open = 0;
	out->last = NULL;
	out->until_ns = INT64_MIN;
	for (size_t i = 0; i < n; i++) {
		close_until(out, lane, rows[i].start_ns);
		if (rows[i].duration_ns <= 0) {
			continue; /* takes no time */
		}
		out->until_ns = rows[i].start_ns;
		open_span(out, lane, &rows[i]);
	}
	close_until(out, lane, INT64_MAX);
}

#define GIVE_BACK_ROWS 65536u

/* Leaves raw->rows empty. */
static int
sweep_all(struct schedule_reading *reading, struct raw_spans *raw, struct stretches *out,
          struct err *err)
{
	struct sort_span *scratch;
	size_t longest = 0, held = raw->total;
	int result = 0;

	for (uint32_t l = 0; l < reading->dataset->n_lanes; l++) {
		longest = MOST(raw->n[l], longest);
	}
	MEM_NEW(scratch, longest / 2 + 1);
	for (uint32_t l = 0; l < reading->dataset->n_lanes && result == 0; l++) {
		result = schedule_poll(reading, 0, err);
		if (result == 0) {
			sweep_lane(out, l, raw->rows + raw->first[l], raw->n[l], scratch);
		}
		if (held - raw->first[l] >= GIVE_BACK_ROWS) {
			held = raw->first[l];
			raw->rows = xrealloc_array(raw->rows, held + 1, sizeof *raw->rows);
		}
	}
	free(scratch);
	free(raw->rows);
	raw->rows = NULL;
	if (result == 0 && out->n >= SCHEDULE_NONE) {
		result = err_set(err, ERR_LIMIT, "more stretches of spans than explain can hold");
	}
	return result;
}

int
schedule_read_spans(struct schedule_reading *reading, struct err *err)
{
	struct raw_spans raw = {0};
	struct stretches out = {0};
	struct schedule_flows *flows = schedule_flows_read(reading, err);
	int result = -1;

	if (!flows || count_rows(reading, &raw, err)) {
		goto out;
	}
	MEM_NEW(raw.rows, raw.total);
	if (raw.total <= matching_items_limit()) {
		MEM_NEW(out.calls, raw.total + 1);
	}
	if (read_rows(reading, &raw, flows, err) || sweep_all(reading, &raw, &out, err)) {
		goto out;
	}
	reading->schedule->items =
	    xrealloc_array(out.items, out.n + 1, sizeof *reading->schedule->items);
	reading->schedule->n_items = out.n;
	reading->schedule->unfinished_ns = out.unfinished_ns;
	out.items = NULL;
	reading->schedule->calls = out.calls;
	reading->schedule->n_calls = out.n_calls;
	out.calls = NULL;
	schedule_settle_lanes(reading);
	schedule_flows_settle(reading, flows);
	result = 0;
out:
	schedule_flows_free(flows);
	free(out.items);
	free(out.calls);
	free(out.open);
	raw_fini(&raw);
	return result;
}
