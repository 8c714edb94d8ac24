/*
 * Spans are gone to by moves: along a lane, to what a search finds, to what a span leads to or
 * comes from. The worker takes all moves since the last span that came, so that keys typed faster
 * than it answers are not lost.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ui/timeline/view_timeline.h"
#include "util/format.h"
#include "util/mem.h"

void
timeline_stop_moves(struct timeline_view *state)
{
	state->n_moves = 0;
	state->asked.wish = WISH_NONE;
}

void
timeline_clear_span(struct timeline_view *state)
{
	state->n_cleared++;
	state->selected.id = 0;
	span_detail_free(state->detail);
	state->detail = NULL;
	state->flow.n = 0;
	state->number.n = 0;
	timeline_stop_moves(state);
}

void
timeline_show_at(struct view *view, int64_t lane, int depth, int64_t time_ns, bool centred)
{
	struct timeline_view *state = view->state;
	struct timescale *scale = &state->scale;
	size_t top = state->list.top;
	int column = timescale_column(scale, time_ns);
	struct timescale before = *scale;

	timeline_select_lane(view, lane, depth);
	if (state->has_panned && (column < 0 || column >= scale->columns)) {
		scale->cursor = before.cursor;
	} else if (column < 0 || column >= scale->columns ||
	           (centred && !timescale_same_window(scale, &before))) {
		timescale_show(scale, time_ns, scale->columns / 2);
	} else {
		scale->cursor = column;
	}
	timeline_keep_window(state, &before);
	if (!timescale_same_window(scale, &before) || state->list.top != top) {
		timeline_ask_window(view);
	}
}

void
timeline_go_to(struct view *view, const struct span_row *span, bool centred)
{
	struct timeline_view *state = view->state;

	state->selected = *span;
	state->fitted = FITTED_NOT;
	timeline_show_at(view, span->lane, span->depth < INT32_MAX ? (int)span->depth : INT32_MAX,
	                 span->start_ns, centred);
}

/* A cell that stands for many spans is entered by its first or its last one. */
static int64_t
walk_begin(const struct timescale *scale, bool is_backward)
{
	int next = scale->cursor + 1;

	if (!is_backward) {
		return timescale_time(scale, scale->cursor);
	}
	return timescale_time(scale, next) + (next == scale->columns);
}

/* Keys may come faster than spans: a job replaces the one before it and takes over its moves. */
static void
add_move(struct view *view, enum span_move move)
{
	struct timeline_view *state = view->state;
	const struct timeline_row *row = timeline_selected_row(state);
	struct timeline_job *job;

	if (!view_is_busy(view)) {
		timeline_stop_moves(state); /* they failed */
	}
	if (state->n_moves == MOVES_LIMIT) {
		return;
	}
	state->moves[state->n_moves++] = move;
	state->has_panned = state->focus_number = false;
	job = timeline_job_new(view, JOB_SPAN);
	job->wish = WISH_MOVE;
	memcpy(job->moves, state->moves, sizeof job->moves);
	job->n_moves = state->n_moves;
	job->flow = state->flow;
	job->number = state->number;
	if (row && row->type == TIMELINE_LANE) {
		job->walk.lane = row->id;
		job->walk.depth = timeline_selected_line(state)->depth;
	}
	if (state->selected.id > 0) {
		job->walk.start_ns = state->selected.start_ns;
		job->walk.id = state->selected.id;
	} else {
		job->begin = state->asked;
		job->walk.start_ns = walk_begin(&state->scale, job->moves[0] == MOVE_PREVIOUS);
	}
	view_submit(view, &job->job);
}

/* Selects the first lane from the selected row on: of a group its first one, which is unfolded. */
static bool
select_lane(struct view *view)
{
	struct timeline_view *state = view->state;
	const struct timeline_line *line = timeline_selected_line(state);
	const struct timeline *timeline = state->timeline;
	size_t row = line ? line->row : timeline->n_rows;
	size_t n_lines = state->list.n, top = state->list.top;

	while (row < timeline->n_rows && timeline->rows[row].type != TIMELINE_LANE) {
		row++;
	}
	if (row == timeline->n_rows) {
		return false;
	}
	if (row != line->row) {
		timeline_clear_span(state);
		timeline_select_lane(view, timeline->rows[row].id, 0);
		if (state->list.n != n_lines || state->list.top != top) {
			timeline_ask_window(view);
		}
	}
	return true;
}

void
timeline_walk(struct view *view, bool is_backward)
{
	if (!select_lane(view)) {
		view_say(view, "no lane follows: . and , walk along one");
		return;
	}
	add_move(view, is_backward ? MOVE_PREVIOUS : MOVE_NEXT);
}

void
timeline_walk_flow(struct view *view, bool is_forward)
{
	struct timeline_view *state = view->state;

	if (state->selected.id == 0 && state->n_moves == 0 && state->asked.wish == WISH_NONE) {
		view_say(view, "no span is selected: . and , walk to one");
		return;
	}
	add_move(view, is_forward ? MOVE_OUTPUT : MOVE_INPUT);
}

void
timeline_search(struct view *view, bool is_backward)
{
	struct timeline_view *state = view->state;

	if (!state->hits.filter && state->paint_source) {
		timeline_walk_paint(view, is_backward);
		return;
	}
	if (!state->hits.filter) {
		view_say(view, "no spans are marked: / marks those of a name");
		return;
	}
	add_move(view, is_backward ? MOVE_FOUND_PREVIOUS : MOVE_FOUND_NEXT);
}

/* No span is called so: a lane may be. */
static bool
find_lane(struct view *view)
{
	struct timeline_view *state = view->state;

	for (size_t k = 1; k <= state->timeline->n_rows; k++) {
		const struct timeline_line *line = timeline_selected_line(state);
		size_t i = ((line ? line->row : 0) + k) % state->timeline->n_rows;
		const struct timeline_row *row = &state->timeline->rows[i];

		if (row->type == TIMELINE_LANE &&
		    slice_contains(row->name, strbuf_slice(&state->search))) {
			timeline_clear_span(state);
			timeline_select_lane(view, row->id, 0);
			timeline_ask_window(view);
			return true;
		}
	}
	return false;
}

/* In an unfolded lane walking stays on its depth. */
static void
say_end(struct view *view, const char *which)
{
	const struct timeline_line *line = timeline_selected_line(view->state);

	if (line && line->depth >= 0) {
		view_say(view, "the %s span of depth %d is reached: j and k go to others", which,
		         line->depth);
	} else {
		view_say(view, "the lane's %s span is reached", which);
	}
}

static void
say_nothing_found(struct view *view, enum span_move move)
{
	struct timeline_view *state = view->state;

	switch (move) {
	case MOVE_NEXT:
	case MOVE_PREVIOUS:
		say_end(view, move == MOVE_NEXT ? "last" : "first");
		break;
	case MOVE_OUTPUT:
		view_say(view, "nothing depends on this span");
		break;
	case MOVE_INPUT:
		view_say(view, "this span depends on nothing");
		break;
	default:
		if (state->search.len == 0) {
			view_say(view, "nothing matches %s%s", state->hits.filter,
			         state->filters.n > 0 ? " (of the spans that are kept)" : "");
		} else if (!find_lane(view)) {
			view_say(view, "no span and no lane has '%s' in its name%s",
			         state->search.data,
			         state->filters.n > 0 ? " (of those that are kept)" : "");
		}
	}
}

static void
say_found(struct view *view, const struct timeline_job *job, enum span_move move)
{
	const struct timeline_view *state = view->state;
	char nth[FORMAT_BYTES], n[FORMAT_BYTES];

	if (move >= MOVE_OUTPUT) {
		view_say(view, "%s %lld of %lld", move == MOVE_OUTPUT ? "output" : "input",
		         (long long)job->flow.at + 1, (long long)job->flow.n);
	} else if (move >= MOVE_FOUND_NEXT) {
		view_say(view, "%s%s%s: %s of %s", state->search.len > 0 ? "'" : "",
		         state->search.len > 0 ? state->search.data : state->hits.filter,
		         state->search.len > 0 ? "'" : "", format_count(nth, job->number.nth),
		         format_count(n, job->number.n));
	}
}

static void
take_detail(struct timeline_view *state, struct timeline_job *job)
{
	span_detail_free(state->detail);
	state->detail = job->detail;
	job->detail = NULL;
}

void
timeline_take_span(struct view *view, struct timeline_job *job)
{
	struct timeline_view *state = view->state;
	enum span_move move = job->n_moves > 0 ? job->moves[job->n_moves - 1] : MOVE_NEXT;

	timeline_stop_moves(state);
	if (job->refused.code != ERR_NONE) {
		view_fail(view, job->refused.message);
		return;
	}
	if (job->wish != WISH_MOVE) {
		const struct timeline_row *row = timeline_selected_row(state);

		/* The cursor may have gone on to where no span is, so that nothing was asked. */
		if (job->span.id > 0 && row && row->type == TIMELINE_LANE &&
		    job->n_cleared == state->n_cleared) {
			take_detail(state, job);
			state->selected = job->span;
		}
		return;
	}
	if (job->span.id > 0) {
		take_detail(state, job);
		state->flow = job->flow;
		state->number = job->number;
		timeline_go_to(view, &job->span,
		               move == MOVE_FOUND_NEXT || move == MOVE_FOUND_PREVIOUS);
	}
	if (job->is_at_end) {
		say_nothing_found(view, move);
	} else {
		say_found(view, job, move);
	}
}
