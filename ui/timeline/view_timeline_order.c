/*
 * Which rows there are to be lines, and in which order: as the trace has them, in a tree of hosts
 * and processes, or the lanes alone, sorted. Rows beside a lane (its queue, its transfers) go where
 * the lane goes. Lanes that hold nothing of what is looked for are hidden on request, and those
 * without a span that is marked.
 */
#include "config.h"

#include "ui/timeline/view_timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "query/saved/natural.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

static const char *const orders[LANE_ORDERS] = {"order", "name", "busy", "first", "last"};

const char *
lane_order_name(enum lane_sort sort)
{
	return orders[sort];
}

bool
lane_order_find(struct slice name, enum lane_sort *sort)
{
	for (int i = 0; i < LANE_ORDERS; i++) {
		if (slice_is(name, orders[i])) {
			*sort = (enum lane_sort)i;
			return true;
		}
	}
	return false;
}

/* ---- hidden ---- */

/* Does the count of a row's lane, or of any lane that belongs to it or stands for it in the other
 * run, say that there is nothing? */
static bool
holds_none(const struct timeline *timeline, size_t i, const int64_t *by_lane)
{
	const struct timeline_row *row = &timeline->rows[i];
	size_t other = timeline_counterpart(timeline, i);
	size_t first = other < i ? other : i, last = other != SIZE_MAX && other > i ? other : i;
	size_t end = last + timeline->rows[last].n_below;

	if (row->type != TIMELINE_LANE && !timeline_row_sums_lanes(row)) {
		return false;
	}
	while (row->type == TIMELINE_LANE && !row->is_beside && end + 1 < timeline->n_rows &&
	       timeline->rows[end + 1].is_beside) {
		end++;
	}
	for (size_t k = first; k <= end; k++) {
		if (timeline->rows[k].type == TIMELINE_LANE && by_lane[timeline->rows[k].id] != 0) {
			return false;
		}
	}
	return true;
}

/* The same; if no lane holds any, none is without. */
static bool
holds_none_of(const struct timeline *timeline, size_t i, const struct timeline_hits *hits)
{
	return hits->by_lane && hits->n > 0 && holds_none(timeline, i, hits->by_lane);
}

static bool
any_row_holds(const struct timeline *timeline, const int64_t *by_lane)
{
	for (size_t i = 0; i < timeline->n_rows; i++) {
		if (timeline->rows[i].type == TIMELINE_LANE && by_lane[timeline->rows[i].id] != 0) {
			return true;
		}
	}
	return false;
}

void
timeline_hide_rows(struct timeline_view *state)
{
	const struct timeline *timeline = state->timeline;
	const struct timeline_hits *found = &state->hits.found;
	/* Those on lanes that have no row fold nothing away: nothing would be left. */
	bool by_hits = found->by_lane && found->n > 0 && !state->hits.shows_others &&
	               any_row_holds(timeline, found->by_lane);

	const struct timeline_paint *paint = state->paint;
	bool by_paint = paint && state->hides_unpainted && any_row_holds(timeline, paint->by_lane);

	free(state->is_hidden);
	state->is_hidden = xcalloc(timeline->n_rows + 1, sizeof *state->is_hidden);
	for (size_t i = 0; i < timeline->n_rows; i++) {
		bool is_without = (by_hits || by_paint) &&
		                  (!by_hits || holds_none(timeline, i, found->by_lane)) &&
		                  (!by_paint || holds_none(timeline, i, paint->by_lane));

		state->is_hidden[i] = is_without || holds_none_of(timeline, i, &state->active) ||
		                      holds_none_of(timeline, i, &state->in_scope);
	}
}

/* ---- sorted ---- */

/* A lane with its counterpart and the rows beside them. */
struct lane_unit {
	const struct timeline_row *row;
	size_t at, n;
	enum lane_sort sort;
};

static int
compare_lane_units(const void *left, const void *right)
{
	const struct lane_unit *a = left, *b = right;
	int order = 0;

	switch (a->sort) {
	case LANES_BY_NAME:
		order = natural_compare(a->row->name, b->row->name);
		break;
	case LANES_BY_BUSY:
		order = ORDER(b->row->busy_ns, a->row->busy_ns);
		break;
	case LANES_BY_FIRST:
		order = ORDER(a->row->first_ns, b->row->first_ns);
		break;
	case LANES_BY_LAST:
		order = ORDER(b->row->last_ns, a->row->last_ns);
		break;
	default:
		break;
	}
	return order ? order : ORDER(a->at, b->at);
}

size_t
timeline_row_order(const struct timeline_view *state, size_t *order)
{
	const struct timeline *timeline = state->timeline;
	struct lane_unit *units = xcalloc(timeline->n_rows + 1, sizeof *units);
	size_t n_units = 0, n = 0;

	for (size_t i = 0; i < timeline->n_rows; i++) {
		const struct timeline_row *row = &timeline->rows[i];

		if (row->type == TIMELINE_SUM) {
			order[n++] = i;
		} else if (row->type == TIMELINE_LANE && n_units > 0 &&
		           (row->is_beside || timeline->rows[i - 1].leads_pair)) {
			units[n_units - 1].n++;
		} else if (row->type == TIMELINE_LANE) {
			units[n_units++] = (struct lane_unit){row, i, 1, state->sort};
		}
	}
	SORT(units, n_units, compare_lane_units);
	for (size_t i = 0; i < n_units; i++) {
		for (size_t k = 0; k < units[i].n; k++) {
			order[n++] = units[i].at + k;
		}
	}
	for (size_t i = 0; i < timeline->n_rows; i++) {
		enum timeline_row_type type = timeline->rows[i].type;

		if (type == TIMELINE_COUNTER || type == TIMELINE_CAPACITY) {
			order[n++] = i;
		}
	}
	free(units);
	return n;
}

void
timeline_sort_lanes(struct view *view, enum lane_sort sort)
{
	struct timeline_view *state = view->state;

	state->sort = sort;
	timeline_lay_lines(view);
	state->list.selected = state->list.top = 0;
	list_settle(&state->list);
	timeline_clear_span(state);
	timeline_ask_window(view);
	view_say(view, "lanes %s%s", sort == LANES_IN_ORDER ? "in their own order" : "by ",
	         sort == LANES_IN_ORDER   ? ""
	         : sort == LANES_BY_NAME  ? "name"
	         : sort == LANES_BY_BUSY  ? "busy time, the busiest first"
	         : sort == LANES_BY_FIRST ? "first activity, the earliest first"
	                                  : "last activity, the one that ends last first");
}

/* ---- idle lanes ---- */

void
timeline_hide_idle(struct view *view)
{
	struct timeline_view *state = view->state;

	if (state->hits.found.n == 0 && state->paint) {
		state->hides_unpainted = !state->hides_unpainted;
		timeline_lay_lines(view);
		timeline_ask_window(view);
		return;
	}
	if (state->hits.found.n > 0) {
		state->hits.shows_others = !state->hits.shows_others;
		timeline_lay_lines(view);
		timeline_ask_window(view);
		return;
	}
	if (state->active.by_lane) {
		timeline_hits_fini(&state->active);
		timeline_lay_lines(view);
		timeline_ask_window(view);
		return;
	}
	view_submit(view, &timeline_job_new(view, JOB_IDLE)->job);
}

void
timeline_take_active(struct view *view, struct timeline_job *job)
{
	struct timeline_view *state = view->state;
	size_t n = 0;

	timeline_hits_fini(&state->active);
	state->active = job->found;
	job->found = (struct timeline_hits){0};
	for (size_t i = 0; i < state->timeline->n_rows; i++) {
		n += timeline_row_is_lane(&state->timeline->rows[i]) &&
		     holds_none(state->timeline, i, state->active.by_lane);
	}
	if (state->active.n == 0 || n == 0) {
		view_say(view, "%s",
		         n == 0 ? "every lane has spans in this window"
		                : "no lane has spans in this window: f shows where they are");
		timeline_hits_fini(&state->active);
		return;
	}
	timeline_lay_lines(view);
	timeline_ask_window(view);
	view_say(view, "%zu lane%s idle in this window hidden: I shows them again", n,
	         n == 1 ? "" : "s");
}
