/*
 * Keys. The window and the cursor move at once; what is to be seen there comes when the worker has
 * read it. Zooming out goes back where zooming in came from, so that the two undo each other to the
 * last cell.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "query/spans/span_list.h"
#include "ui/timeline/view_timeline.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

bool
timeline_window_is_current(const struct timeline_view *state)
{
	return state->window && state->window->start_ns == state->scale.start_ns &&
	       state->window->cell_ns == state->scale.cell_ns &&
	       state->window->n_cells == (uint32_t)state->scale.columns;
}

void
timeline_cursor_moved(struct view *view)
{
	struct timeline_view *state = view->state;

	timeline_clear_span(state);
	state->fitted = FITTED_NOT;
	if (timeline_window_is_current(state)) {
		timeline_ask_span(view);
	} else {
		timeline_ask_window(view); /* the span is asked for when it comes */
	}
}

void
timeline_set_cell(struct view *view, int64_t wished_ns)
{
	struct timeline_view *state = view->state;

	timescale_set_cell(&state->scale, wished_ns);
	timeline_ask_window(view);
}

void
timeline_show_window(struct view *view, int64_t start_ns, int64_t end_ns)
{
	struct timeline_view *state = view->state;
	struct timescale *scale = &state->scale;
	int64_t cell = timescale_cell_for(scale, start_ns, end_ns);
	int64_t fit = timescale_fit_ns(scale);

	state->fits = cell >= fit;
	state->n_zooms = 0;
	scale->cell_ns = state->fits ? fit : cell;
	timescale_show(scale, start_ns, 0);
	timeline_ask_window(view);
}

static void
zoom_in(struct view *view)
{
	struct timeline_view *state = view->state;
	struct timescale before = state->scale;
	int64_t cell = before.cell_ns;

	for (int64_t wished = cell / 2; wished > 0 && state->scale.cell_ns >= cell; wished /= 2) {
		state->scale = before;
		timeline_set_cell(view, wished);
	}
	if (state->scale.cell_ns >= cell) {
		view_say(view, "one nanosecond a cell: there is no more to see");
		return;
	}
	if (state->n_zooms > 0 && !timescale_same_window(&before, &state->zoomed)) {
		state->n_zooms = 0;
	}
	if (state->n_zooms < ZOOMS) {
		state->zooms[state->n_zooms++] = before;
	}
	state->zoomed = state->scale;
	state->fits = false;
	timeline_keep_window(state, &before);
}

static void
zoom_out(struct view *view)
{
	struct timeline_view *state = view->state;
	struct timescale *scale = &state->scale;
	int64_t cell = scale->cell_ns, fit = timescale_fit_ns(scale);
	struct timescale before = *scale;

	if (state->n_zooms > 0 && timescale_same_window(scale, &state->zoomed) &&
	    scale->cursor == state->zoomed.cursor) {
		*scale = state->zooms[--state->n_zooms];
		state->zoomed = *scale;
		state->fits = scale->cell_ns >= fit;
		timeline_ask_window(view);
		timeline_keep_window(state, &before);
		return;
	}
	state->n_zooms = 0;
	state->fits = cell >= fit / 2;
	timeline_set_cell(view, state->fits ? fit : cell * 2);
	timeline_keep_window(state, &before);
}

static bool
act_time(struct view *view, enum view_action action)
{
	struct timeline_view *state = view->state;
	struct timescale *scale = &state->scale;
	int quarter = scale->columns / 4 > 0 ? scale->columns / 4 : 1;

	switch (action) {
	case ACTION_PAN_LEFT:
		state->has_panned = timescale_pan_or_move(scale, -quarter);
		break;
	case ACTION_PAN_RIGHT:
		state->has_panned = timescale_pan_or_move(scale, quarter);
		break;
	case ACTION_NEXT_CELL:
		timescale_move(scale, 1);
		break;
	case ACTION_PREVIOUS_CELL:
		timescale_move(scale, -1);
		break;
	case ACTION_FIRST:
		timescale_pan(scale, INT64_MIN / 2);
		scale->cursor = 0;
		break;
	case ACTION_LAST:
		timescale_pan(scale, INT64_MAX / 2);
		scale->cursor = timescale_column(scale, scale->duration_ns);
		timescale_move(scale, 0);
		break;
	default:
		return false;
	}
	timeline_cursor_moved(view);
	return true;
}

/* ---- ranges ---- */

void
timeline_ask_range(struct view *view)
{
	struct timeline_view *state = view->state;
	struct timeline_job *job;

	if (!timeline_selected_row(state)) {
		return;
	}
	job = timeline_job_new(view, JOB_RANGE);
	job->row = timeline_selected_line(state)->row;
	job->start_ns = state->range_start;
	job->end_ns = state->range_end;
	view_submit(view, &job->job);
}

static void
mark_range(struct view *view)
{
	struct timeline_view *state = view->state;
	const struct timescale *scale = &state->scale;
	int64_t from = timescale_time(scale, scale->cursor);
	int64_t to = timescale_time(scale, scale->cursor + 1);

	state->has_facts = false;
	if (state->range != RANGE_OPEN) {
		state->range = RANGE_OPEN;
		state->range_start = from;
		state->range_end = to;
		timeline_range_changed(view);
		view_say(view, "range begins here: m again ends it, Esc drops it");
		return;
	}
	state->range = RANGE_CLOSED;
	if (to > state->range_end) {
		state->range_end = to;
	}
	if (from < state->range_start) {
		state->range_start = from;
	}
	if (state->range_end > scale->duration_ns && state->range_start < scale->duration_ns) {
		state->range_end = scale->duration_ns;
	}
	timeline_ask_range(view);
	timeline_range_changed(view);
}

void
timeline_filters_changed(struct view *view)
{
	timeline_clear_span(view->state);
	timeline_ask_window(view);
	timeline_ask_passing(view);
	timeline_ask_hits(view);
	timeline_ask_area(view);
}

/* Esc: what was last put on the window goes first. */
static bool
cancel(struct view *view)
{
	struct timeline_view *state = view->state;

	if (state->range != RANGE_NONE) {
		state->range = RANGE_NONE;
		state->has_facts = false;
		timeline_range_changed(view);
	} else if (state->hits.filter) {
		timeline_mark(view, NULL);
	} else if (state->paint_source) {
		timeline_drop_paint(view);
	} else if (filter_stack_drop(&state->filters)) {
		timeline_filters_changed(view);
	} else {
		return false;
	}
	return true;
}

/* The selected lane, and the window unless it is all of the run. */
static struct focus
focus_here(const struct timeline_view *state)
{
	const struct timeline_row *row = timeline_selected_row(state);
	struct focus focus = FOCUS_NONE;

	focus.lane =
	    row && row->type == TIMELINE_LANE ? timeline_own_lane(state->timeline, row->id) : -1;
	if (!state->fits) {
		int64_t start = timeline_own_time(state, state->scale.start_ns);

		focus.start_ns = start > 0 ? start : 0;
		focus.end_ns =
		    timeline_own_time(state, timescale_time(&state->scale, state->scale.columns));
	}
	return focus;
}

/* Of two runs the selected row's alone, at the same place. */
static void
open_one(struct view *view)
{
	struct timeline_view *state = view->state;
	const struct timescale *scale = &state->scale;
	int64_t start = timeline_own_time(state, scale->start_ns);
	struct focus focus = focus_here(state);

	focus.span = timeline_own_span(state->timeline, state->selected.id);
	focus.start_ns = MOST(start, 0);
	focus.end_ns = timeline_own_time(state, timescale_time(scale, scale->columns));
	focus.keeps_window = true;
	view_open(view, PLACE_TIMELINE, .focus = &focus);
	view_say(view, "%s alone: | shows both", view->run_name);
}

static void
open_pair(struct view *view)
{
	struct timeline_view *state = view->state;
	struct focus focus = focus_here(state);
	struct view_place place = {.kind = PLACE_PAIR, .focus = &focus};

	if (!app_pair(view, &place.runs)) {
		return;
	}
	focus.span = state->selected.id;
	place.side = strcmp(place.runs.path[1], view->run_path) == 0;
	view_open_place(view, place);
}

/* The range that is marked, else the spans that are, else the selected lane or group. */
static void
add_to_scope(struct view *view)
{
	struct timeline_view *state = view->state;
	const struct timeline_row *row = timeline_selected_row(state);
	struct strbuf condition = {0};

	if (state->range != RANGE_NONE) {
		state->range = RANGE_NONE;
		state->has_facts = false;
		app_scope_add_range(view->app, timeline_own_time(state, state->range_start),
		                    timeline_own_time(state, state->range_end));
	} else if (state->hits.filter) {
		app_scope_add_condition(view->app, state->hits.filter);
	} else if (row && row->type == TIMELINE_LANE) {
		app_scope_add_lane(view->app, row->name);
	} else if (row && (row->type == TIMELINE_HOST || row->type == TIMELINE_PROCESS)) {
		span_filter_add(&condition, row->type == TIMELINE_HOST ? "host" : "process",
		                row->name);
		app_scope_add_condition(view->app, condition.data);
	} else {
		view_say(view, "neither a range (m marks one) nor a lane is selected");
	}
	strbuf_free(&condition);
}

static bool
act_view(struct view *view, enum view_action action)
{
	struct timeline_view *state = view->state;
	const struct timeline_row *row = timeline_selected_row(state);
	struct focus focus = focus_here(state);
	char *filter;

	switch (action) {
	case ACTION_OPEN:
		if (row && timeline_row_is_group(row)) {
			timeline_fold(view);
		} else if (timeline_open_painted(view)) {
			break;
		} else if (state->selected.id > 0) {
			view_open(view, PLACE_SPAN,
			          .span = timeline_own_span(state->timeline, state->selected.id));
		} else {
			zoom_in(view);
		}
		break;
	case ACTION_SPANS:
		filter = timeline_all_conditions(state);
		focus.filter = filter;
		view_open(view, PLACE_SPANS, .focus = &focus);
		free(filter);
		break;
	case ACTION_EXPORT:
		app_prompt(view->app, PROMPT_EXPORT,
		           "write to (.txt .svg picture; .csv .tsv .json .jsonl .md cells): ",
		           "timeline.txt");
		break;
	case ACTION_COPY:
		if (state->detail) {
			app_copy(view->app, state->detail->name);
		}
		break;
	case ACTION_TABLE:
		timeline_open_table(view);
		break;
	case ACTION_PAIR:
		if (timeline_is_of_two(state)) {
			open_one(view);
		} else {
			open_pair(view);
		}
		break;
	case ACTION_SCOPE_ADD:
		add_to_scope(view);
		break;
	case ACTION_RELOAD:
		if (!state->timeline) { /* its first answer was stopped */
			timeline_ask_rows(view);
			break;
		}
		timeline_ask_scope(view);
		timeline_ask_window(view);
		timeline_ask_hits(view);
		timeline_ask_paint(view);
		break;
	case ACTION_PARTNER:
		timeline_ask_partner(view, PARTNER_GO);
		break;
	case ACTION_ALIGN:
		timeline_align_next(view);
		break;
	case ACTION_SWAP:
		timeline_swap(view);
		break;
	default:
		return false;
	}
	return true;
}

/* By slowdown, and back to what it was. */
static void
colour_slowdown(struct view *view)
{
	struct timeline_view *state = view->state;

	if (state->mode == COLOUR_SLOWDOWN) {
		state->mode = timeline_begin_mode(state->timeline, state->mode_before);
	} else {
		state->mode_before = state->mode;
		state->mode = COLOUR_SLOWDOWN;
	}
	timeline_ask_colours(view);
}

static bool
act_window(struct view *view, enum view_action action)
{
	struct timeline_view *state = view->state;

	switch (action) {
	case ACTION_ZOOM_IN:
		zoom_in(view);
		break;
	case ACTION_ZOOM_OUT:
		zoom_out(view);
		break;
	case ACTION_FIT:
		timeline_fit(view);
		break;
	case ACTION_WINDOW_BACK:
		timeline_window_back(view);
		break;
	case ACTION_NEXT_SPAN:
	case ACTION_PREVIOUS_SPAN:
		timeline_walk(view, action == ACTION_PREVIOUS_SPAN);
		break;
	case ACTION_NEXT_FLOW:
	case ACTION_PREVIOUS_FLOW:
		timeline_walk_flow(view, action == ACTION_NEXT_FLOW);
		break;
	case ACTION_SEARCH_NEXT:
	case ACTION_SEARCH_PREVIOUS:
		timeline_search(view, action == ACTION_SEARCH_PREVIOUS);
		break;
	case ACTION_FOLD:
		timeline_fold(view);
		break;
	case ACTION_FOLD_ALL:
		timeline_fold_all(view);
		break;
	case ACTION_MARK:
		mark_range(view);
		break;
	case ACTION_COLOUR:
		state->mode = (enum colour_mode)((state->colours->mode + 1) % COLOUR_MODES);
		if (state->mode == COLOUR_SLOWDOWN && !timeline_is_of_two(state) &&
		    !app_marked_path(view->app, 0) && !app_marked_path(view->app, 1)) {
			state->mode = COLOUR_CATEGORY; /* there is no run to compare with */
		}
		timeline_ask_colours(view);
		break;
	case ACTION_SLOWDOWN:
		colour_slowdown(view);
		break;
	case ACTION_AGGREGATE:
		state->shows_sums = !state->shows_sums;
		timeline_lay_lines(view);
		if (state->shows_sums) {
			state->list.top = 0;
		}
		timeline_ask_window(view);
		break;
	case ACTION_SORT_UP:
	case ACTION_SORT_DOWN:
		timeline_sort_lanes(
		    view, (enum lane_sort)(
			      (state->sort + (action == ACTION_SORT_DOWN ? 1 : LANE_ORDERS - 1)) %
			      LANE_ORDERS));
		break;
	case ACTION_ALIKE:
		timeline_fold_alike(view);
		break;
	case ACTION_IDLE:
		timeline_hide_idle(view);
		break;
	case ACTION_FILTER: /* what is marked is a good begin */
		if (!state->hits.filter) {
			return false;
		}
		app_prompt(view->app, PROMPT_FILTER,
		           "& keep (regular expression, or COLUMN OP VALUE): ", state->hits.filter);
		break;
	case ACTION_UNFILTER:
		if (filter_stack_drop(&state->filters)) {
			timeline_filters_changed(view);
		} else if (state->hits.filter) {
			timeline_mark(view, NULL);
		} else {
			view_say(view, "no filter stands (& adds one)");
		}
		break;
	case ACTION_CANCEL:
		return cancel(view);
	default:
		return false;
	}
	return true;
}

static bool
act(struct view *view, enum view_action action)
{
	struct timeline_view *state = view->state;
	size_t top = state->list.top, selected = state->list.selected;

	if (!state->timeline || state->list.n == 0) {
		return false;
	}
	if (timeline_act_pane(view, action) || act_time(view, action)) {
		return true;
	}
	if (list_act(&state->list, action)) {
		if (state->list.top != top) {
			timeline_ask_window(view);
		}
		if (state->list.selected != selected) {
			timeline_clear_span(state);
			timeline_ask_span(view);
			if (state->pane.is_of_row) {
				timeline_ask_area(view);
			}
		}
		return true;
	}
	return act_window(view, action) || act_view(view, action);
}

bool
timeline_act(struct view *view, enum view_action action)
{
	bool has_acted = act(view, action);

	timeline_stand_in_run(view);
	return has_acted;
}
