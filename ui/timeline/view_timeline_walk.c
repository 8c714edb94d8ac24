/*
 * Spans are gone to by moves: along a lane, to what a search finds, to what a span leads to or comes from. The worker takes all moves since
 * the last span that came, so that keys typed faster than it answers are not lost.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ui/timeline/view_timeline.h"
#include "util/format.h"
#include "util/mem.h"

void
lanes_clear_span(struct lanes_view *lanes)
{
	lanes->selected.id = 0;
	span_detail_free(lanes->detail);
	lanes->detail = NULL;
	lanes->flow.n = 0;
	lanes->number.n = 0;
	lanes->n_moves = 0;
}

void
lanes_go_to(struct view *view, const struct span_row *span, bool centred)
{
	struct lanes_view *lanes = view->state;
	size_t top = lanes->list.top;
	int column = timescale_column(&lanes->scale, span->start_ns);
	struct timescale before = lanes->scale;

	lanes->selected = *span;
	lanes->is_fitted_to_selection = false;
	lanes_select_lane(view, span->lane, span->depth < INT32_MAX ? (int)span->depth : INT32_MAX);
	if (lanes->has_panned && (column < 0 || column >= lanes->scale.columns)) {
		lanes->scale.cursor = before.cursor;
	} else if (column < 0 || column >= lanes->scale.columns ||
	           (centred && !timescale_same_window(&lanes->scale, &before))) {
		timescale_show(&lanes->scale, span->start_ns, lanes->scale.columns / 2);
	} else {
		lanes->scale.cursor = column;
	}
	if (!timescale_same_window(&lanes->scale, &before) || lanes->list.top != top) {
		lanes_ask_picture(view);
	}
}

/* Keys may come faster than spans: a job replaces the one before it and takes over its moves. */
static void
add_move(struct view *view, enum span_move move)
{
	struct lanes_view *lanes = view->state;
	const struct timeline_row *row = lanes_row(lanes);
	struct lanes_job *job;

	if (!view_is_busy(view)) {
		lanes->n_moves = 0; /* they were stopped */
	}
	if (lanes->n_moves == MOVES_LIMIT) {
		return;
	}
	lanes->moves[lanes->n_moves++] = move;
	lanes->has_panned = false;
	job = lanes_job_new(view, JOB_SPAN);
	job->wish = WISH_MOVE;
	job->name = lanes->search.len > 0 ? xstrdup(lanes->search.data) : NULL;
	memcpy(job->moves, lanes->moves, sizeof(job->moves));
	job->n_moves = lanes->n_moves;
	job->flow = lanes->flow;
	job->number = lanes->number;
	if (row && row->type == TIMELINE_LANE) {
		job->walk.lane = row->id;
		job->walk.depth = lanes_line(lanes)->depth;
	}
	if (lanes->selected.id > 0) {
		job->walk.start_ns = lanes->selected.start_ns;
		job->walk.id = lanes->selected.id;
	} else {
		job->walk.start_ns = timescale_time(&lanes->scale, lanes->scale.cursor);
	}
	view_submit(view, &job->job);
}

/* Selects the first lane from the selected row on: of a group its first one, which is unfolded. */
static bool
select_lane(struct view *view)
{
	struct lanes_view *lanes = view->state;
	const struct timeline_line *line = lanes_line(lanes);
	const struct timeline *timeline = lanes->timeline;
	size_t row = line ? line->row : timeline->n_rows;
	size_t n_lines = lanes->list.n, top = lanes->list.top;

	while (row < timeline->n_rows && timeline->rows[row].type != TIMELINE_LANE) {
		row++;
	}
	if (row == timeline->n_rows) {
		return false;
	}
	if (row != line->row) {
		lanes_clear_span(lanes);
		lanes_select_lane(view, timeline->rows[row].id, 0);
		if (lanes->list.n != n_lines || lanes->list.top != top) {
			lanes_ask_picture(view);
		}
	}
	return true;
}

void
lanes_walk(struct view *view, bool is_backward)
{
	if (!select_lane(view)) {
		app_say(view->app, false, "no lane follows: . and , walk along one");
		return;
	}
	add_move(view, is_backward ? MOVE_PREVIOUS : MOVE_NEXT);
}

void
lanes_walk_flow(struct view *view, bool is_forward)
{
	struct lanes_view *lanes = view->state;

	if (lanes->selected.id == 0 && !view_is_busy(view)) {
		app_say(view->app, false, "no span is selected: . and , walk to one");
		return;
	}
	add_move(view, is_forward ? MOVE_OUTPUT : MOVE_INPUT);
}

void
lanes_search(struct view *view, bool is_backward)
{
	struct lanes_view *lanes = view->state;

	if (lanes->search.len == 0) {
		app_say(view->app, false, "nothing was searched for yet: / does");
		return;
	}
	add_move(view, is_backward ? MOVE_FOUND_PREVIOUS : MOVE_FOUND_NEXT);
}

/* No span is called so: a lane may be. */
static bool
find_lane(struct view *view)
{
	struct lanes_view *lanes = view->state;

	for (size_t k = 1; k <= lanes->timeline->n_rows; k++) {
		const struct timeline_line *line = lanes_line(lanes);
		size_t i = ((line ? line->row : 0) + k) % lanes->timeline->n_rows;
		const struct timeline_row *row = &lanes->timeline->rows[i];

		if (row->type == TIMELINE_LANE &&
		    slice_contains(row->name, strbuf_slice(&lanes->search))) {
			lanes_clear_span(lanes);
			lanes_select_lane(view, row->id, 0);
			lanes_ask_picture(view);
			return true;
		}
	}
	return false;
}

/* In an unfolded lane walking stays on its depth. */
static void
say_end(struct view *view, const char *which)
{
	const struct timeline_line *line = lanes_line(view->state);

	if (line && line->depth >= 0) {
		app_say(view->app, false,
		        "the %s span of depth %d is reached: j and k go to others", which,
		        line->depth);
	} else {
		app_say(view->app, false, "the lane's %s span is reached", which);
	}
}

static void
say_nothing_found(struct view *view, enum span_move move)
{
	struct lanes_view *lanes = view->state;

	switch (move) {
	case MOVE_NEXT:
	case MOVE_PREVIOUS:
		say_end(view, move == MOVE_NEXT ? "last" : "first");
		break;
	case MOVE_OUTPUT:
		app_say(view->app, false, "nothing depends on this span");
		break;
	case MOVE_INPUT:
		app_say(view->app, false, "this span depends on nothing");
		break;
	default:
		if (!find_lane(view)) {
			app_say(view->app, false, "no span and no lane has '%s' in its name%s",
			        lanes->search.data,
			        lanes->filters.n > 0 ? " (of those that are kept)" : "");
		}
	}
}

static void
say_found(struct view *view, const struct lanes_job *job, enum span_move move)
{
	const struct lanes_view *lanes = view->state;
	char nth[FORMAT_BYTES], n[FORMAT_BYTES];

	if (move >= MOVE_OUTPUT) {
		app_say(view->app, false, "%s %lld of %lld",
		        move == MOVE_OUTPUT ? "output" : "input", (long long)job->flow.at + 1,
		        (long long)job->flow.n);
	} else if (move >= MOVE_FOUND_NEXT) {
		app_say(view->app, false, "'%s': %s of %s", lanes->search.data,
		        format_count(nth, job->number.nth), format_count(n, job->number.n));
	}
}

void
lanes_take_span(struct view *view, struct lanes_job *job)
{
	struct lanes_view *lanes = view->state;
	enum span_move move = job->n_moves > 0 ? job->moves[job->n_moves - 1] : MOVE_NEXT;

	lanes->n_moves = 0;
	if (job->refused.code != ERR_NONE) {
		app_say(view->app, true, "%s", job->refused.message);
		return;
	}
	if (job->wish != WISH_MOVE) {
		const struct timeline_row *row = lanes_row(lanes);

		/* The cursor may have gone on to a row that has no spans. */
		if (job->span.id > 0 && row && row->type == TIMELINE_LANE) {
			span_detail_free(lanes->detail);
			lanes->detail = job->detail;
			job->detail = NULL;
			lanes->selected = job->span;
		}
		return;
	}
	if (job->span.id > 0) {
		span_detail_free(lanes->detail);
		lanes->detail = job->detail;
		job->detail = NULL;
		lanes->flow = job->flow;
		lanes->number = job->number;
		lanes_go_to(view, &job->span,
		            move == MOVE_FOUND_NEXT || move == MOVE_FOUND_PREVIOUS);
	}
	if (job->is_at_end) {
		say_nothing_found(view, move);
	} else {
		say_found(view, job, move);
	}
}
