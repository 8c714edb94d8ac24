/* Rows are read once; then stretches are put in order by lane and time, so that a window asks of
 * its lanes alone. */
#include "config.h"

#include "query/timeline/timeline_paint.h"

#include <stdlib.h>
#include <string.h>

#include "query/timeline/timeline_colour.h"
#include "query/timeline/timeline_pair.h"
#include "util/cancel.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define OTHERS "others"

/* While rows are read. */
struct paint_reading {
	struct timeline_paint *paint;
	const struct timeline *timeline;
	const struct result *result;
	const char *const *names;
	int run_column, class_column;
	struct intern *lane_names[2]; /* of a side's lanes */
	uint32_t *lanes[2];           /* by those: a lane of the timeline */
	struct intern *classes;
	uint32_t *class_of; /* by stretch */
	struct slice title;
};

/* ---- rows ---- */

static int
class_column(const struct result *result)
{
	static const char *const names[] = {"class", "cause", "category", "name", "kind"};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		int column = column_find(result->columns, result->n_columns, slice_of(names[i]));

		if (column >= 0 && result->columns[column].kind == KIND_TEXT) {
			return column;
		}
	}
	return -1;
}

static struct slice
text_at(const struct paint_reading *reading, size_t row, int column)
{
	const struct value *value =
	    column >= 0 ? result_value(reading->result, row, (size_t)column) : NULL;

	return value && value->type == VALUE_TEXT ? value->text : (struct slice){"", 0};
}

/* The side that a row belongs to; -1: to neither run. */
static int
side_of(const struct paint_reading *reading, size_t row)
{
	int last = reading->timeline->pair ? 1 : 0;
	struct slice run = text_at(reading, row, reading->run_column);

	if (run.len > 0 && last > 0 && strcmp(reading->names[0], reading->names[1]) == 0) {
		return -1; /* which of them it is can't be told */
	}
	for (int side = last; run.len > 0 && side >= 0; side--) {
		if (slice_is(run, reading->names[side])) {
			return side;
		}
	}
	return run.len > 0 ? -1 : last;
}

static void
name_lanes(struct paint_reading *reading)
{
	const struct timeline *timeline = reading->timeline;

	for (int side = 0; side < 2; side++) {
		reading->lane_names[side] = intern_new();
		reading->lanes[side] = xcalloc(timeline->n_rows + 1, sizeof *reading->lanes[side]);
	}
	for (size_t i = 0; i < timeline->n_rows; i++) {
		const struct timeline_row *row = &timeline->rows[i];
		int side = row->side == 2;
		uint32_t id, n = intern_count(reading->lane_names[side]);

		if (row->type == TIMELINE_LANE) {
			id = intern_id(reading->lane_names[side], row->name);
			reading->lanes[side][id] = id == n ? row->id : reading->lanes[side][id];
		}
	}
}

/* LANE_NONE: the row names none that there is. */
static uint32_t
lane_of(const struct paint_reading *reading, int side, const struct row_place *place)
{
	const struct timeline *timeline = reading->timeline;
	uint32_t id;

	if (place->lane >= 0) {
		int64_t lane = timeline_shared_lane(timeline, side, place->lane);

		return lane < timeline->n_lanes ? (uint32_t)lane : LANE_NONE;
	}
	id = place->lane_name ? intern_find(reading->lane_names[side], slice_of(place->lane_name))
	                      : INTERN_NONE;
	return id == INTERN_NONE ? LANE_NONE : reading->lanes[side][id];
}

static void
read_row(struct paint_reading *reading, const struct drill *drill, size_t row)
{
	struct timeline_paint *paint = reading->paint;
	struct slice class = text_at(reading, row, reading->class_column);
	int side = side_of(reading, row);
	struct row_place place;
	uint32_t lane;

	row_place_read(drill, reading->result, row, &place);
	lane = side >= 0 && place.has_start ? lane_of(reading, side, &place) : LANE_NONE;
	if (lane != LANE_NONE) {
		int64_t length_ns = place.length_ns > 0 ? place.length_ns : 0;

		reading->class_of[paint->n] =
		    intern_id(reading->classes, class.len > 0 ? class : reading->title);
		paint->stretches[paint->n++] =
		    (struct paint_stretch){.start_ns = place.start_ns,
		                           .end_ns = time_add(place.start_ns, length_ns),
		                           .lane = lane,
		                           .row = (uint32_t)row,
		                           .side = (uint8_t)side};
	}
	row_place_free(&place);
}

/* ---- classes ---- */

struct class_sum {
	uint32_t id;
	int64_t n, sum_ns;
};

static int
compare_classes(const void *left, const void *right)
{
	const struct class_sum *a = left, *b = right;

	ORDER_BY(b->sum_ns, a->sum_ns);
	ORDER_BY(b->n, a->n);
	return ORDER(a->id, b->id);
}

static void
add_class(struct timeline_paint *paint, struct slice name, const struct class_sum *sum,
          bool is_taken[256])
{
	struct paint_class *class = &paint->classes[paint->n_classes++];

	*class = (struct paint_class){xstrndup(name.ptr, name.len), colour_mark(name, is_taken),
	                              sum->n, sum->sum_ns};
	is_taken[(unsigned char)class->mark] = true;
}

static void
choose_classes(struct paint_reading *reading)
{
	struct timeline_paint *paint = reading->paint;
	uint32_t n = intern_count(reading->classes);
	struct class_sum *sums = xcalloc((size_t)n + 1, sizeof *sums), rest = {0};
	uint8_t *chosen = xcalloc((size_t)n + 1, sizeof *chosen);
	bool is_taken[256] = {false};
	uint32_t own = n <= PAINT_CLASSES ? n : PAINT_CLASSES - 1;

	for (uint32_t i = 0; i < n; i++) {
		sums[i].id = i;
	}
	for (size_t i = 0; i < paint->n; i++) {
		struct class_sum *sum = &sums[reading->class_of[i]];

		sum->n++;
		sum->sum_ns = time_add(sum->sum_ns, time_sub(paint->stretches[i].end_ns,
		                                             paint->stretches[i].start_ns));
	}
	SORT(sums, n, compare_classes);
	for (uint32_t i = 0; i < n; i++) {
		chosen[sums[i].id] = (uint8_t)(i < own ? i : own);
		if (i < own) {
			add_class(paint, intern_text(reading->classes, sums[i].id), &sums[i],
			          is_taken);
		} else {
			rest.n += sums[i].n;
			rest.sum_ns = time_add(rest.sum_ns, sums[i].sum_ns);
		}
	}
	if (own < n) {
		add_class(paint, slice_of(OTHERS), &rest, is_taken);
	}
	for (size_t i = 0; i < paint->n; i++) {
		paint->stretches[i].class = chosen[reading->class_of[i]];
	}
	free(sums);
	free(chosen);
}

/* ---- order ---- */

static int
compare_stretches(const void *left, const void *right)
{
	const struct paint_stretch *a = left, *b = right;

	ORDER_BY(a->lane, b->lane);
	ORDER_BY(a->start_ns, b->start_ns);
	return ORDER(a->row, b->row);
}

struct by_time {
	int64_t start_ns;
	uint32_t at;
};

static int
compare_times(const void *left, const void *right)
{
	const struct by_time *a = left, *b = right;

	ORDER_BY(a->start_ns, b->start_ns);
	return ORDER(a->at, b->at);
}

static void
put_in_order(struct timeline_paint *paint)
{
	struct by_time *times = xcalloc(paint->n + 1, sizeof *times);
	size_t at = 0;

	SORT(paint->stretches, paint->n, compare_stretches);
	paint->reach = xcalloc(paint->n + 1, sizeof *paint->reach);
	paint->by_time = xcalloc(paint->n + 1, sizeof *paint->by_time);
	paint->firsts = xcalloc((size_t)paint->n_lanes + 2, sizeof *paint->firsts);
	paint->by_lane = xcalloc((size_t)paint->n_lanes + 1, sizeof *paint->by_lane);
	for (uint32_t lane = 0; lane <= paint->n_lanes; lane++) {
		paint->firsts[lane] = at;
		for (; at < paint->n && paint->stretches[at].lane == lane; at++) {
			int64_t end_ns = paint->stretches[at].end_ns;
			bool is_first = at == paint->firsts[lane];

			paint->reach[at] = is_first || end_ns > paint->reach[at - 1]
			                       ? end_ns
			                       : paint->reach[at - 1];
			paint->by_lane[lane]++;
			times[at] = (struct by_time){paint->stretches[at].start_ns, (uint32_t)at};
		}
	}
	SORT(times, paint->n, compare_times);
	for (size_t i = 0; i < paint->n; i++) {
		paint->by_time[i] = times[i].at;
	}
	free(times);
}

/* ---- all of it ---- */

static void
reading_fini(struct paint_reading *reading)
{
	for (int side = 0; side < 2; side++) {
		intern_free(reading->lane_names[side]);
		free(reading->lanes[side]);
	}
	intern_free(reading->classes);
	free(reading->class_of);
}

struct timeline_paint *
timeline_paint_new(const struct timeline *timeline, const char *const names[2], const char *title,
                   const struct drill *drill, const struct result *result,
                   const struct cancel *cancel)
{
	struct timeline_paint *paint = xcalloc(1, sizeof *paint);
	size_t n = result->n_rows < UINT32_MAX ? result->n_rows : UINT32_MAX;
	struct paint_reading reading = {
	    .paint = paint,
	    .timeline = timeline,
	    .result = result,
	    .names = names,
	    .title = slice_of(title),
	    .run_column = column_find(result->columns, result->n_columns, slice_of("run")),
	    .class_column = class_column(result),
	    .classes = intern_new(),
	    .class_of = xcalloc(n + 1, sizeof *reading.class_of)};

	paint->n_rows = n;
	paint->n_lanes = timeline->n_lanes;
	paint->stretches = xcalloc(n + 1, sizeof *paint->stretches);
	name_lanes(&reading);
	for (size_t row = 0; row < n && !cancel_requested(cancel); row++) {
		read_row(&reading, drill, row);
	}
	choose_classes(&reading);
	put_in_order(paint);
	reading_fini(&reading);
	if (cancel_requested(cancel)) {
		timeline_paint_free(paint);
		return NULL;
	}
	return paint;
}

void
timeline_paint_free(struct timeline_paint *paint)
{
	if (!paint) {
		return;
	}
	for (uint32_t i = 0; i < paint->n_classes; i++) {
		free(paint->classes[i].name);
	}
	free(paint->stretches);
	free(paint->reach);
	free(paint->by_time);
	free(paint->firsts);
	free(paint->by_lane);
	free(paint);
}

size_t
timeline_paint_from(const struct timeline_paint *paint, uint32_t lane, int64_t at_ns)
{
	size_t low = paint->firsts[lane];

	ORDER_FIND(low, paint->firsts[lane + 1], i, paint->reach[i] < at_ns)
	return low;
}
