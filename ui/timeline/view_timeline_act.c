/*
 * Keys. The window and the cursor move at once; what is to be seen there comes when the worker has read it. Zooming out goes back where
 * zooming in came from, so that the two undo each other to the last cell.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ui/timeline/view_timeline.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"

bool
lanes_picture_is_current(const struct lanes_view *lanes)
{
	return lanes->picture && lanes->picture->start_ns == lanes->scale.start_ns &&
	       lanes->picture->cell_ns == lanes->scale.cell_ns &&
	       lanes->picture->n_cells == (uint32_t)lanes->scale.columns;
}

void
lanes_cursor_moved(struct view *view)
{
	struct lanes_view *lanes = view->state;

	lanes_clear_span(lanes);
	lanes->is_fitted_to_selection = false;
	if (lanes_picture_is_current(lanes)) {
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
	if (lanes->n_zooms > 0 && !timescale_same_window(&before, &lanes->zoomed)) {
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

	if (lanes->n_zooms > 0 && timescale_same_window(&lanes->scale, &lanes->zoomed) &&
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
		lanes->has_panned = timescale_pan_or_move(&lanes->scale, -quarter);
		break;
	case ACTION_PAN_RIGHT:
		lanes->has_panned = timescale_pan_or_move(&lanes->scale, quarter);
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

/* ---- ranges ---- */

void
lanes_ask_range(struct view *view)
{
	struct lanes_view *lanes = view->state;
	struct lanes_job *job;

	if (!lanes_row(lanes)) {
		return;
	}
	job = lanes_job_new(view, JOB_RANGE);
	job->row = lanes_line(lanes)->row;
	job->start_ns = lanes->range_start;
	job->end_ns = lanes->range_end;
	view_submit(view, &job->job);
}

static void
mark_range(struct view *view)
{
	struct lanes_view *lanes = view->state;
	int64_t from = timescale_time(&lanes->scale, lanes->scale.cursor);
	int64_t to = timescale_time(&lanes->scale, lanes->scale.cursor + 1);

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
	lanes_ask_range(view);
}

void
lanes_filters_changed(struct view *view)
{
	lanes_clear_span(view->state);
	lanes_ask_picture(view);
	lanes_ask_passing(view);
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
	} else if (filter_stack_drop(&lanes->filters)) {
		lanes_filters_changed(view);
	} else {
		return false;
	}
	return true;
}

static void
open_pair(struct view *view)
{
	struct lanes_view *lanes = view->state;
	const struct timeline_row *row = lanes_row(lanes);
	struct focus focus = FOCUS_NONE;
	struct place place = {.kind = PLACE_PAIR, .focus = &focus};

	if (!app_pair(view, &place.runs)) {
		return;
	}
	focus.lane = row && row->type == TIMELINE_LANE ? (int64_t)row->id : -1;
	focus.span = lanes->selected.id;
	if (!lanes->fits) {
		focus.start_ns = lanes->scale.start_ns;
		focus.end_ns = timescale_time(&lanes->scale, lanes->scale.columns);
	}
	place.side = strcmp(place.runs.path[1], view->run_path) == 0;
	view_open(view, place);
}

static bool
act_view(struct view *view, enum action action)
{
	struct lanes_view *lanes = view->state;
	const struct timeline_row *row = lanes_row(lanes);
	struct focus focus = FOCUS_NONE;
	char *filter;

	switch (action) {
	case ACTION_OPEN:
		if (row && row->n_below > 0) {
			lanes_fold(view);
		} else if (lanes->selected.id > 0) {
			view_open(view,
			          (struct place){.kind = PLACE_SPAN, .span = lanes->selected.id});
		} else {
			zoom_in(view);
		}
		return true;
	case ACTION_SPANS:
		filter = filter_stack_all(&lanes->filters);
		focus.filter = filter;
		focus.lane = row && row->type == TIMELINE_LANE ? (int64_t)row->id : -1;
		if (!lanes->fits) {
			focus.start_ns = lanes->scale.start_ns;
			focus.end_ns = timescale_time(&lanes->scale, lanes->scale.columns);
		}
		view_open(view, (struct place){.kind = PLACE_SPANS, .focus = &focus});
		free(filter);
		return true;
	case ACTION_EXPORT:
		app_prompt(view->app, PROMPT_EXPORT,
		           "write to (.txt .svg picture; .csv .tsv .json .jsonl .md cells): ",
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
		lanes_walk(view, action == ACTION_PREVIOUS_SPAN);
		break;
	case ACTION_NEXT_FLOW:
	case ACTION_PREVIOUS_FLOW:
		lanes_walk_flow(view, action == ACTION_NEXT_FLOW);
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
		if (filter_stack_drop(&lanes->filters)) {
			lanes_filters_changed(view);
		} else {
			app_say(view->app, false, "no filter stands (& adds one)");
		}
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
			lanes_clear_span(lanes);
			lanes_ask_span(view);
		}
		return true;
	}
	return act_picture(view, action) || act_view(view, action);
}
