/* The keys of two runs: time, alignment, and where they lead. */
#include "config.h"

#include <stdlib.h>

#include "ui/timeline/view_pair.h"
#include "util/mem.h"

/* As in the timeline of one run, zooming out goes back where zooming in came from. */
static void
zoom(struct view *view, bool in)
{
	struct pair_view *pair = view->state;
	struct timescale *scale = &pair->scale, before = *scale;
	bool is_back =
	    timescale_same_window(scale, &pair->zoomed) && scale->cursor == pair->zoomed.cursor;

	pair->n_zooms = is_back ? pair->n_zooms : 0;
	if (in) {
		pair_set_cell(view, scale->cell_ns / 2);
		if (scale->cell_ns < before.cell_ns && pair->n_zooms < PAIR_ZOOMS) {
			pair->zooms[pair->n_zooms++] = before;
		}
	} else if (pair->n_zooms > 0) {
		*scale = pair->zooms[--pair->n_zooms];
		pair->fits = scale->cell_ns >= timescale_fit_ns(scale);
		pair_ask_windows(view);
	} else {
		pair_set_cell(view,
		              scale->cell_ns < INT64_MAX / 2 ? scale->cell_ns * 2 : INT64_MAX);
	}
	pair->zoomed = *scale;
}

static void
swap(struct view *view)
{
	struct pair_view *pair = view->state;
	struct pair_side side = pair->sides[0];
	int64_t duration = pair->axis.duration_ns[0], anchor = pair->axis.anchor_ns[0];

	pair->sides[0] = pair->sides[1];
	pair->sides[1] = side;
	pair->axis.duration_ns[0] = pair->axis.duration_ns[1];
	pair->axis.duration_ns[1] = duration;
	pair->axis.anchor_ns[0] = pair->axis.anchor_ns[1];
	pair->axis.anchor_ns[1] = anchor;
	pair->focus_side = !pair->focus_side;
	app_mark(view->app, 0, pair->sides[0].path, pair->sides[0].name);
	app_mark(view->app, 1, pair->sides[1].path, pair->sides[1].name);
	pair_lay_rows(view);
	pair_ask_windows(view); /* replaces what is still being read for the other side */
	pair_set_place(view);
}

/* The row that is selected, or the first below it that is a lane; PAIR_NONE if there is none. side
 * gets a run that has it. */
static size_t
lane_at_cursor(const struct pair_view *pair, int *side)
{
	for (size_t i = pair->list.selected; i < pair->list.n; i++) {
		for (*side = 0; *side < 2; (*side)++) {
			size_t row = pair->rows[i].row[*side];

			if (row != PAIR_NONE &&
			    pair->sides[*side].timeline->rows[row].type == TIMELINE_LANE) {
				return row;
			}
		}
	}
	return PAIR_NONE;
}

/* The span that was selected where the view was opened, else the one at the cursor. */
static void
ask_anchor(struct view *view)
{
	struct pair_view *pair = view->state;
	int side;
	size_t row = lane_at_cursor(pair, &side);
	struct pair_job *job;

	if (pair->anchor > 0) {
		job = pair_job_new(view, JOB_ANCHOR, pair->focus_side);
		job->anchor = pair->anchor;
		view_submit(view, &job->job);
		return;
	}
	if (row == PAIR_NONE) {
		view_say(view, "no lane is shown to align at: o shows lanes");
		pair_align(view, ALIGN_START);
		return;
	}
	job = pair_job_new(view, JOB_ANCHOR, side);
	job->lane = pair->sides[side].timeline->rows[row].id;
	job->from_ns = (int64_t)pair_axis_time(
	    &pair->axis, side, (double)timescale_time(&pair->scale, pair->scale.cursor));
	job->to_ns = (int64_t)pair_axis_time(
	    &pair->axis, side, (double)timescale_time(&pair->scale, pair->scale.cursor + 1));
	view_submit(view, &job->job);
}

/* The run's own timeline, at what is to be seen. */
static void
open_timeline(struct view *view)
{
	struct pair_view *pair = view->state;
	const struct pair_rows *rows = &pair->rows[pair->list.selected];
	int side = rows->row[0] == PAIR_NONE;
	const struct pair_side *own = &pair->sides[side];
	struct focus focus = FOCUS_NONE;
	double from = pair_axis_time(&pair->axis, side, (double)pair->scale.start_ns);
	double to = pair_axis_time(&pair->axis, side,
	                           (double)timescale_time(&pair->scale, pair->scale.columns));

	focus.start_ns = from > 0 ? (int64_t)from : 0;
	focus.end_ns = (int64_t)to;
	if (own->timeline->rows[rows->row[side]].type == TIMELINE_LANE) {
		focus.lane = own->timeline->rows[rows->row[side]].id;
	}
	app_open(view->app, &(struct view_place){.kind = PLACE_TIMELINE,
	                                         .run_path = own->path,
	                                         .run_name = own->name,
	                                         .focus = &focus});
}

static void
open_table(struct view *view)
{
	struct pair_view *pair = view->state;
	const struct result_column columns[] = {
	    {.name = "lane", .kind = KIND_TEXT, .is_key = true},
	    {.name = "lane_b", .kind = KIND_TEXT},
	    {.name = "start", .kind = KIND_TIME, .is_key = true},
	    {.name = "share_a", .kind = KIND_PERCENT},
	    {.name = "share_b", .kind = KIND_PERCENT},
	    {.name = "delta", .kind = KIND_PERCENT, .is_measure = true}};
	struct result *result = result_new("Busy shares", columns, 6);

	for (size_t i = 0; i < pair->list.height && pair->list.top + i < pair->list.n; i++) {
		for (int column = 0; column < pair->scale.columns; column++) {
			const struct pair_rows *rows = &pair->rows[pair->list.top + i];
			struct value *values;
			double shares[2];
			bool any[2];

			for (int side = 0; side < 2; side++) {
				any[side] = pair_share_at(pair, side, pair->list.top + i, column,
				                          &shares[side], NULL);
			}
			if (!any[0] && !any[1]) {
				continue;
			}
			values = result_add_row(result);
			for (int side = 0; side < 2; side++) {
				if (rows->row[side] != PAIR_NONE) {
					values[side] = value_text(
					    result,
					    pair->sides[side].timeline->rows[rows->row[side]].name);
				}
				if (any[side]) {
					values[3 + side] = value_real(shares[side]);
				}
			}
			values[2] = value_integer(timescale_time(&pair->scale, column));
			values[5] = value_real(shares[0] - shares[1]);
		}
	}
	app_open(view->app, &(struct view_place){
				.kind = PLACE_RESULT, .title = "Busy shares", .result = result});
}

static bool
act_time(struct view *view, enum view_action action)
{
	struct pair_view *pair = view->state;
	int quarter = pair->scale.columns / 4 > 0 ? pair->scale.columns / 4 : 1;
	int64_t start = pair->scale.start_ns;

	switch (action) {
	case ACTION_PAN_LEFT:
		(void)timescale_pan_or_move(&pair->scale, -quarter);
		break;
	case ACTION_PAN_RIGHT:
		(void)timescale_pan_or_move(&pair->scale, quarter);
		break;
	case ACTION_NEXT_CELL:
	case ACTION_PREVIOUS_CELL:
		timescale_move(&pair->scale, action == ACTION_NEXT_CELL ? 1 : -1);
		break;
	case ACTION_FIRST:
		timescale_pan(&pair->scale, INT64_MIN / 2);
		pair->scale.cursor = 0;
		break;
	case ACTION_LAST:
		timescale_pan(&pair->scale, INT64_MAX / 2);
		pair->scale.cursor = pair->scale.columns - 1;
		break;
	case ACTION_ZOOM_IN:
	case ACTION_ZOOM_OUT:
		zoom(view, action == ACTION_ZOOM_IN);
		return true;
	case ACTION_FIT:
		pair_set_cell(view, timescale_fit_ns(&pair->scale));
		return true;
	default:
		return false;
	}
	pair->anchor = 0;
	if (start != pair->scale.start_ns) {
		pair_ask_windows(view);
	}
	return true;
}

bool
pair_act(struct view *view, enum view_action action)
{
	struct pair_view *pair = view->state;
	size_t top = pair->list.top;

	if (!pair_is_ready(pair) || pair->list.n == 0) {
		return false;
	}
	if (act_time(view, action)) {
		return true;
	}
	if (list_act(&pair->list, action)) {
		pair->anchor = 0;
		if (pair->list.top != top) {
			pair_ask_windows(view);
		}
		return true;
	}
	switch (action) {
	case ACTION_FOLD:
	case ACTION_FOLD_ALL:
		pair->shows_lanes = !pair->shows_lanes;
		pair_lay_rows(view);
		pair_ask_windows(view);
		return true;
	case ACTION_ALIGN:
		if (pair->axis.alignment == ALIGN_SCALED) {
			ask_anchor(view);
		} else {
			pair_align(view, pair->axis.alignment == ALIGN_START ? ALIGN_SCALED
			                                                     : ALIGN_START);
		}
		return true;
	case ACTION_RELOAD:
		pair_ask_windows(view);
		return true;
	case ACTION_SWAP:
		swap(view);
		return true;
	case ACTION_OPEN:
		open_timeline(view);
		return true;
	case ACTION_TABLE:
		open_table(view);
		return true;
	default:
		return false;
	}
}
