/*
 * Keys. The window and the cursor move at once; what is to be seen there comes when the worker has read it. Zooming out goes back where
 * zooming in came from, so that the two undo each other to the last cell.
 */
#include "config.h"

#include <stdlib.h>

#include "ui/view_timeline.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"

static void
clear_span(struct lanes_view *lanes)
{
	lanes->selected.id = 0;
	span_detail_free(lanes->detail);
	lanes->detail = NULL;
	lanes->flow.n = 0;
	lanes->n_moves = 0;
}

static bool
same_window(const struct timescale *a, const struct timescale *b)
{
	return a->start_ns == b->start_ns && a->cell_ns == b->cell_ns && a->columns == b->columns;
}

static bool
picture_is_of(const struct lanes_view *lanes)
{
	return lanes->picture && lanes->picture->start_ns == lanes->scale.start_ns &&
	       lanes->picture->cell_ns == lanes->scale.cell_ns &&
	       lanes->picture->n_cells == (uint32_t)lanes->scale.columns;
}

void
lanes_cursor_moved(struct view *view)
{
	struct lanes_view *lanes = view->state;

	clear_span(lanes);
	lanes->is_fitted_to_selection = false;
	if (picture_is_of(lanes)) {
		lanes_ask_span(view);
	} else {
		lanes_ask_picture(view); /* the span is asked for when it comes */
	}
}

void
lanes_set_cell(struct view *view, int64_t wished_ns)
{
	struct lanes_view *lanes = view->state;

	timescale_set_cell(&lanes->scale, timeline_snap(lanes->timeline, wished_ns));
	lanes_ask_picture(view);
}

void
lanes_show_window(struct view *view, int64_t start_ns, int64_t end_ns)
{
	struct lanes_view *lanes = view->state;
	int64_t length = end_ns > start_ns ? time_sub(end_ns, start_ns) : 1;
	int64_t cell = length / lanes->scale.columns + (length % lanes->scale.columns != 0);
	int64_t fit = timescale_fit_ns(&lanes->scale);

	lanes->fits = cell >= fit;
	lanes->n_zooms = 0;
	lanes->scale.cell_ns = timeline_snap(lanes->timeline, cell > fit ? fit
	                                                      : cell > 0 ? cell
	                                                                 : 1);
	timescale_show(&lanes->scale, start_ns, 0);
	lanes_ask_picture(view);
}

static void
zoom_in(struct view *view)
{
	struct lanes_view *lanes = view->state;
	struct timescale before = lanes->scale;
	int64_t cell = before.cell_ns;

	for (int64_t wished = cell / 2; wished > 0 && lanes->scale.cell_ns >= cell; wished /= 2) {
		lanes->scale = before;
		lanes_set_cell(view, wished);
	}
	if (lanes->scale.cell_ns >= cell) {
		app_say(view->app, false, "one nanosecond a cell: there is no more to see");
		return;
	}
	if (lanes->n_zooms > 0 && !same_window(&before, &lanes->zoomed)) {
		lanes->n_zooms = 0;
	}
	if (lanes->n_zooms < ZOOMS) {
		lanes->zooms[lanes->n_zooms++] = before;
	}
	lanes->zoomed = lanes->scale;
	lanes->fits = false;
}

static void
zoom_out(struct view *view)
{
	struct lanes_view *lanes = view->state;
	int64_t cell = lanes->scale.cell_ns, fit = timescale_fit_ns(&lanes->scale);

	if (lanes->n_zooms > 0 && same_window(&lanes->scale, &lanes->zoomed) &&
	    lanes->scale.cursor == lanes->zoomed.cursor) {
		lanes->scale = lanes->zooms[--lanes->n_zooms];
		lanes->zoomed = lanes->scale;
		lanes->fits = lanes->scale.cell_ns >= fit;
		lanes_ask_picture(view);
		return;
	}
	lanes->n_zooms = 0;
	lanes->fits = cell >= fit / 2;
	lanes_set_cell(view, lanes->fits ? fit : cell * 2);
}

/* To the range or the span that is selected; again: to the whole run. */
static void
fit(struct view *view)
{
	struct lanes_view *lanes = view->state;
	int64_t start = 0, end = lanes->scale.duration_ns, margin;

	if (!lanes->is_fitted_to_selection && lanes->range == RANGE_CLOSED) {
		start = lanes->range_start;
		end = lanes->range_end;
	} else if (!lanes->is_fitted_to_selection && lanes->selected.id > 0) {
		start = lanes->selected.start_ns;
		end = time_add(start, lanes->selected.duration_ns);
	} else {
		int64_t at = timescale_time(&lanes->scale, lanes->scale.cursor);

		lanes->is_fitted_to_selection = false;
		lanes_show_window(view, 0, lanes->scale.duration_ns);
		lanes->fits = true;
		timescale_show(&lanes->scale, at, timescale_column(&lanes->scale, at));
		return;
	}
	margin = time_sub(end, start) / 10;
	lanes_show_window(view, start > margin ? start - margin : 0, time_add(end, margin));
	timescale_show(&lanes->scale, start, timescale_column(&lanes->scale, start));
	lanes->is_fitted_to_selection = true;
}

static bool
act_time(struct view *view, enum action action)
{
	struct lanes_view *lanes = view->state;
	int quarter = lanes->scale.columns / 4 > 0 ? lanes->scale.columns / 4 : 1;

	switch (action) {
	case ACTION_PAN_LEFT:
		timescale_pan(&lanes->scale, -quarter);
		break;
	case ACTION_PAN_RIGHT:
		timescale_pan(&lanes->scale, quarter);
		break;
	case ACTION_NEXT_CELL:
		timescale_move(&lanes->scale, 1);
		break;
	case ACTION_PREVIOUS_CELL:
		timescale_move(&lanes->scale, -1);
		break;
	case ACTION_FIRST:
		timescale_pan(&lanes->scale, INT64_MIN / 2);
		lanes->scale.cursor = 0;
		break;
	case ACTION_LAST:
		timescale_pan(&lanes->scale, INT64_MAX / 2);
		lanes->scale.cursor = timescale_column(&lanes->scale, lanes->scale.duration_ns);
		timescale_move(&lanes->scale, 0);
		break;
	default:
		return false;
	}
	lanes_cursor_moved(view);
	return true;
}

/* ---- spans ---- */

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
	if (column < 0 || column >= lanes->scale.columns ||
	    (centred && !same_window(&lanes->scale, &before))) {
		timescale_show(&lanes->scale, span->start_ns, lanes->scale.columns / 2);
	} else {
		lanes->scale.cursor = column;
	}
	if (!same_window(&lanes->scale, &before) || lanes->list.top != top) {
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

	if (!app_is_busy(view->app, view)) {
		lanes->n_moves = 0; /* they were stopped */
	}
	if (lanes->n_moves == MOVES_LIMIT) {
		return;
	}
	lanes->moves[lanes->n_moves++] = move;
	job = lanes_job_new(view, JOB_SPAN);
	job->wish = WISH_MOVE;
	job->name = lanes->search.len > 0 ? xstrdup(lanes->search.data) : NULL;
	memcpy(job->moves, lanes->moves, sizeof(job->moves));
	job->n_moves = lanes->n_moves;
	job->flow = lanes->flow;
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
	app_submit(view->app, view, &job->job);
}

static void
walk(struct view *view, bool is_backward)
{
	struct lanes_view *lanes = view->state;
	const struct timeline_row *row = lanes_row(lanes);

	if (!row || row->type != TIMELINE_LANE) {
		app_say(view->app, false, "no lane is selected");
		return;
	}
	add_move(view, is_backward ? MOVE_PREVIOUS : MOVE_NEXT);
}

static void
walk_flow(struct view *view, bool is_forward)
{
	struct lanes_view *lanes = view->state;

	if (lanes->selected.id == 0 && !app_is_busy(view->app, view)) {
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
			clear_span(lanes);
			lanes_select_lane(view, row->id, 0);
			lanes_ask_picture(view);
			return true;
		}
	}
	return false;
}

static void
say_nothing_found(struct view *view, enum span_move move)
{
	struct lanes_view *lanes = view->state;

	switch (move) {
	case MOVE_NEXT:
		app_say(view->app, false, "the lane's last span is reached");
		break;
	case MOVE_PREVIOUS:
		app_say(view->app, false, "the lane's first span is reached");
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
			        lanes->filter ? " (of those that are kept)" : "");
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
		        format_count(nth, job->nth), format_count(n, job->n));
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
		if (job->span.id > 0) {
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
		lanes_go_to(view, &job->span,
		            move == MOVE_FOUND_NEXT || move == MOVE_FOUND_PREVIOUS);
	}
	if (job->is_at_end) {
		say_nothing_found(view, move);
	} else {
		say_found(view, job, move);
	}
}

/* ---- ranges ---- */

static void
mark_range(struct view *view)
{
	struct lanes_view *lanes = view->state;
	int64_t from = timescale_time(&lanes->scale, lanes->scale.cursor);
	int64_t to = timescale_time(&lanes->scale, lanes->scale.cursor + 1);
	struct lanes_job *job;

	lanes->has_facts = false;
	if (lanes->range != RANGE_OPEN) {
		lanes->range = RANGE_OPEN;
		lanes->range_start = from;
		lanes->range_end = to;
		app_say(view->app, false, "range begins here: m again ends it, Esc drops it");
		return;
	}
	lanes->range = RANGE_CLOSED;
	if (to > lanes->range_end) {
		lanes->range_end = to;
	}
	if (from < lanes->range_start) {
		lanes->range_start = from;
	}
	if (lanes->range_end > lanes->scale.duration_ns &&
	    lanes->range_start < lanes->scale.duration_ns) {
		lanes->range_end = lanes->scale.duration_ns;
	}
	if (!lanes_row(lanes)) {
		return;
	}
	job = lanes_job_new(view, JOB_RANGE);
	job->row = lanes_line(lanes)->row;
	job->start_ns = lanes->range_start;
	job->end_ns = lanes->range_end;
	app_submit(view->app, view, &job->job);
}

void
lanes_set_filter(struct view *view, const char *filter)
{
	struct lanes_view *lanes = view->state;
	char *copy = filter && *filter ? xstrdup(filter) : NULL;

	free(lanes->filter);
	lanes->filter = copy;
	clear_span(lanes);
	lanes_ask_picture(view);
}

/* Esc: what was last put on the picture goes first. */
static bool
cancel(struct view *view)
{
	struct lanes_view *lanes = view->state;

	if (lanes->range != RANGE_NONE) {
		lanes->range = RANGE_NONE;
		lanes->has_facts = false;
	} else if (lanes->search.len > 0) {
		strbuf_clear(&lanes->search);
	} else if (lanes->filter) {
		lanes_set_filter(view, NULL);
	} else {
		return false;
	}
	return true;
}

static void
open_pair(struct view *view)
{
	const char *a, *b;

	if (!app_pair(view->app, view->run_path, &a, &b)) {
		return;
	}
	const char *name_a = app_marked_name(view->app, 0), *name_b = app_marked_name(view->app, 1);
	app_push(view->app, view_pair_new(view->app, a, name_a ? name_a : view->run_name, b,
	                                  name_b ? name_b : view->run_name));
}

static bool
act_view(struct view *view, enum action action)
{
	struct lanes_view *lanes = view->state;
	const struct timeline_row *row = lanes_row(lanes);
	struct focus focus = FOCUS_NONE;

	switch (action) {
	case ACTION_OPEN:
		if (row && row->n_below > 0) {
			lanes_fold(view);
		} else if (lanes->selected.id > 0) {
			app_push(view->app, view_span_new(view->app, view->run_path, view->run_name,
			                                  lanes->selected.id));
		} else {
			zoom_in(view);
		}
		return true;
	case ACTION_SPANS:
		focus.filter = lanes->filter;
		focus.lane = row && row->type == TIMELINE_LANE ? (int64_t)row->id : -1;
		if (!lanes->fits) {
			focus.start_ns = lanes->scale.start_ns;
			focus.end_ns = timescale_time(&lanes->scale, lanes->scale.columns);
		}
		app_push(view->app,
		         view_spans_new(view->app, view->run_path, view->run_name, &focus));
		return true;
	case ACTION_EXPORT:
		app_prompt(
		    view->app, PROMPT_EXPORT,
		    "export to (.txt .svg: the picture; .csv .tsv .json .jsonl .md: its cells): ",
		    "timeline.txt");
		return true;
	case ACTION_COPY:
		if (lanes->detail) {
			app_copy(view->app, lanes->detail->name);
		}
		return true;
	case ACTION_TABLE:
		lanes_open_table(view);
		return true;
	case ACTION_PAIR:
		open_pair(view);
		return true;
	case ACTION_RELOAD:
		lanes_ask_picture(view);
		return true;
	default:
		return false;
	}
}

static bool
act_picture(struct view *view, enum action action)
{
	struct lanes_view *lanes = view->state;

	switch (action) {
	case ACTION_ZOOM_IN:
		zoom_in(view);
		break;
	case ACTION_ZOOM_OUT:
		zoom_out(view);
		break;
	case ACTION_FIT:
		fit(view);
		break;
	case ACTION_NEXT_SPAN:
	case ACTION_PREVIOUS_SPAN:
		walk(view, action == ACTION_PREVIOUS_SPAN);
		break;
	case ACTION_NEXT_FLOW:
	case ACTION_PREVIOUS_FLOW:
		walk_flow(view, action == ACTION_NEXT_FLOW);
		break;
	case ACTION_SEARCH_NEXT:
	case ACTION_SEARCH_PREVIOUS:
		lanes_search(view, action == ACTION_SEARCH_PREVIOUS);
		break;
	case ACTION_FOLD:
		lanes_fold(view);
		break;
	case ACTION_FOLD_ALL:
		lanes_fold_all(view);
		break;
	case ACTION_MARK_RANGE:
		mark_range(view);
		break;
	case ACTION_COLOUR:
		lanes->mode = (enum colour_mode)((lanes->colours->mode + 1) % COLOUR_MODES);
		if (lanes->mode == COLOUR_SLOWDOWN && !app_marked_path(view->app, 0) &&
		    !app_marked_path(view->app, 1)) {
			lanes->mode = COLOUR_CATEGORY; /* there is no run to compare with */
		}
		lanes_ask_colours(view);
		break;
	case ACTION_AGGREGATE:
		lanes->shows_sums = !lanes->shows_sums;
		lanes_lay_lines(view);
		if (lanes->shows_sums) {
			lanes->list.top = 0;
		}
		lanes_ask_picture(view);
		break;
	case ACTION_UNFILTER:
		lanes_set_filter(view, NULL);
		break;
	case ACTION_CANCEL:
		return cancel(view);
	default:
		return false;
	}
	return true;
}

bool
lanes_act(struct view *view, enum action action)
{
	struct lanes_view *lanes = view->state;
	size_t top = lanes->list.top, selected = lanes->list.selected;

	if (!lanes->timeline || lanes->list.n == 0 || !lanes->colours) {
		return false;
	}
	if (act_time(view, action)) {
		return true;
	}
	if (list_act(&lanes->list, action)) {
		if (lanes->list.top != top) {
			lanes_ask_picture(view);
		}
		if (lanes->list.selected != selected) {
			clear_span(lanes);
			lanes_ask_span(view);
		}
		return true;
	}
	return act_picture(view, action) || act_view(view, action);
}
