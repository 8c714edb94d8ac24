/*
 * Two runs over each other: for each pair of rows run A, run B and, below, where A is busier (+) or B (-). One axis and one cursor for both;
 * a thin line stands at each run's end, since the tail is often the answer.
 *
 * Each run's cells are read a good deal finer than columns are wide and then put together, so that a column holds the same stretch of the
 * axis in both, however the runs are aligned.
 */
#include "config.h"

#include <stdlib.h>

#include "ui/table_source.h"
#include "ui/view_pair.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/utf8.h"

#define LANES_SHOWN 64 /* more than these begin as hosts */
#define FINE 8         /* cells a column */
#define CELLS_LIMIT 8000

static size_t
pairs_on_screen(const struct pair_view *pair)
{
	return pair->list.height;
}

static void
ask_side(struct view *view, int side)
{
	struct pair_view *pair = view->state;
	struct side *own = &pair->sides[side];
	double from = pair_axis_time(&pair->axis, side, (double)pair->scale.start_ns);
	double to = pair_axis_time(&pair->axis, side,
	                           (double)timescale_time(&pair->scale, pair->scale.columns));
	double wished = (to - from) / pair->scale.columns / FINE;
	int64_t cell = timeline_snap(own->timeline, wished > 1 ? (int64_t)wished : 1), start, n;
	struct pair_job *job;
	size_t n_lines = 0;

	from = from < 0 ? 0 : from;
	to = to > (double)own->timeline->duration_ns ? (double)own->timeline->duration_ns : to;
	start = (int64_t)from / cell * cell;
	n = to > (double)start ? (int64_t)((to - (double)start) / (double)cell) + 2 : 1;
	job = pair_job_new(view, JOB_PICTURE_A + side, side);
	job->lines = xcalloc(pairs_on_screen(pair) + 1, sizeof(*job->lines));
	for (size_t i = 0; i < pairs_on_screen(pair) && pair->list.top + i < pair->list.n; i++) {
		size_t row = pair->rows[pair->list.top + i].row[side];

		if (row != PAIR_NONE) {
			job->lines[n_lines++] = (struct timeline_line){row, -1};
		}
	}
	job->request =
	    (struct timeline_request){.n_lines = n_lines,
	                              .start_ns = start,
	                              .cell_ns = cell,
	                              .n_cells = (uint32_t)(n < 1             ? 1
	                                                    : n > CELLS_LIMIT ? CELLS_LIMIT
	                                                                      : n)};
	app_submit(view->app, view, &job->job);
}

static void
ask_pictures(struct view *view)
{
	struct pair_view *pair = view->state;

	if (pair_is_ready(pair) && pair->list.n > 0) {
		ask_side(view, 0);
		ask_side(view, 1);
	}
}

static void
set_cell(struct view *view, int64_t cell_ns)
{
	struct pair_view *pair = view->state;
	int64_t fit = timescale_fit_ns(&pair->scale);

	pair->fits = cell_ns >= fit;
	timescale_set_cell(&pair->scale, cell_ns > fit ? fit : cell_ns > 0 ? cell_ns : 1);
	ask_pictures(view);
}

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
		set_cell(view, scale->cell_ns / 2);
		if (scale->cell_ns < before.cell_ns && pair->n_zooms < PAIR_ZOOMS) {
			pair->zooms[pair->n_zooms++] = before;
		}
	} else if (pair->n_zooms > 0) {
		*scale = pair->zooms[--pair->n_zooms];
		pair->fits = scale->cell_ns >= timescale_fit_ns(scale);
		ask_pictures(view);
	} else {
		set_cell(view, scale->cell_ns < INT64_MAX / 2 ? scale->cell_ns * 2 : INT64_MAX);
	}
	pair->zoomed = *scale;
}

static void
align(struct view *view, enum pair_alignment alignment)
{
	struct pair_view *pair = view->state;

	pair->axis.alignment = alignment;
	pair->scale.duration_ns = pair_axis_length(&pair->axis);
	timescale_pan(&pair->scale, 0);
	set_cell(view, pair->fits ? timescale_fit_ns(&pair->scale) : pair->scale.cell_ns);
}

static void
lay_rows(struct view *view)
{
	struct pair_view *pair = view->state;

	free(pair->rows);
	pair->rows = pair_match(pair->sides[0].timeline, pair->sides[1].timeline, pair->shows_lanes,
	                        &pair->list.n);
	list_settle(&pair->list);
}

static void
status(const struct view *view, struct strbuf *out)
{
	static const char *const names[] = {"from start", "scaled to one length", "at a span"};
	const struct pair_view *pair = view->state;
	char from[FORMAT_BYTES], to[FORMAT_BYTES];
	int64_t end = timescale_time(&pair->scale, pair->scale.columns);

	if (pair_is_ready(pair)) {
		end = end < pair->scale.duration_ns ? end : pair->scale.duration_ns;
		strbuf_printf(out, "%s   %s .. %s", names[pair->axis.alignment],
		              format_duration(from, pair->scale.start_ns),
		              format_duration(to, end));
	}
}

static void
resize(struct view *view, struct area area)
{
	struct pair_view *pair = view->state;
	int rows = (area.height - PAIR_HEAD_ROWS - PAIR_FOOT_ROWS) / 3;

	pair->list.height = rows > 0 ? (size_t)rows : 1;
	list_settle(&pair->list);
	timescale_resize(&pair->scale, lanes_cell_columns(area.width));
	if (pair_is_ready(pair)) {
		set_cell(view, pair->fits ? timescale_fit_ns(&pair->scale) : pair->scale.cell_ns);
	}
}

/* ---- keys ---- */

static void
set_place(struct view *view)
{
	struct pair_view *pair = view->state;
	struct strbuf place = {0};

	strbuf_printf(&place, "%s | %s > Timeline", pair->sides[0].name, pair->sides[1].name);
	free(view->place);
	view->place = strbuf_take(&place);
}

static void
swap(struct view *view)
{
	struct pair_view *pair = view->state;
	struct side side = pair->sides[0];
	int64_t duration = pair->axis.duration_ns[0], anchor = pair->axis.anchor_ns[0];

	pair->sides[0] = pair->sides[1];
	pair->sides[1] = side;
	pair->axis.duration_ns[0] = pair->axis.duration_ns[1];
	pair->axis.duration_ns[1] = duration;
	pair->axis.anchor_ns[0] = pair->axis.anchor_ns[1];
	pair->axis.anchor_ns[1] = anchor;
	app_mark(view->app, 0, pair->sides[0].path, pair->sides[0].name);
	app_mark(view->app, 1, pair->sides[1].path, pair->sides[1].name);
	lay_rows(view);
	ask_pictures(view); /* replaces what is still being read for the other side */
	set_place(view);
}

/* The row that is selected, or the first below it that is a lane; PAIR_NONE if there is none. side gets a run that has it. */
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

static void
ask_anchor(struct view *view)
{
	struct pair_view *pair = view->state;
	int side;
	size_t row = lane_at_cursor(pair, &side);
	struct pair_job *job;

	if (row == PAIR_NONE) {
		app_say(view->app, false, "no lane is shown to align at: o shows lanes");
		align(view, ALIGN_START);
		return;
	}
	job = pair_job_new(view, JOB_ANCHOR, side);
	job->lane = pair->sides[side].timeline->rows[row].id;
	job->from_ns = (int64_t)pair_axis_time(
	    &pair->axis, side, (double)timescale_time(&pair->scale, pair->scale.cursor));
	job->to_ns = (int64_t)pair_axis_time(
	    &pair->axis, side, (double)timescale_time(&pair->scale, pair->scale.cursor + 1));
	app_submit(view->app, view, &job->job);
}

/* The run's own timeline, at what is to be seen. */
static void
open_timeline(struct view *view)
{
	struct pair_view *pair = view->state;
	const struct pair_rows *rows = &pair->rows[pair->list.selected];
	int side = rows->row[0] == PAIR_NONE;
	const struct side *own = &pair->sides[side];
	struct focus focus = FOCUS_NONE;
	double from = pair_axis_time(&pair->axis, side, (double)pair->scale.start_ns);
	double to = pair_axis_time(&pair->axis, side,
	                           (double)timescale_time(&pair->scale, pair->scale.columns));

	focus.start_ns = from > 0 ? (int64_t)from : 0;
	focus.end_ns = (int64_t)to;
	if (own->timeline->rows[rows->row[side]].type == TIMELINE_LANE) {
		focus.lane = own->timeline->rows[rows->row[side]].id;
	}
	app_push(view->app, view_timeline_new(view->app, own->path, own->name, &focus));
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
	app_push(view->app,
	         view_table_new(view->app, NULL, NULL, table_source_result("Busy shares", result)));
}

static bool
act_time(struct view *view, enum action action)
{
	struct pair_view *pair = view->state;
	int quarter = pair->scale.columns / 4 > 0 ? pair->scale.columns / 4 : 1;
	int64_t start = pair->scale.start_ns;

	switch (action) {
	case ACTION_PAN_LEFT:
		timescale_pan(&pair->scale, -quarter);
		break;
	case ACTION_PAN_RIGHT:
		timescale_pan(&pair->scale, quarter);
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
		set_cell(view, timescale_fit_ns(&pair->scale));
		return true;
	default:
		return false;
	}
	if (start != pair->scale.start_ns) {
		ask_pictures(view);
	}
	return true;
}

static bool
act(struct view *view, enum action action)
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
		if (pair->list.top != top) {
			ask_pictures(view);
		}
		return true;
	}
	switch (action) {
	case ACTION_FOLD:
	case ACTION_FOLD_ALL:
		pair->shows_lanes = !pair->shows_lanes;
		lay_rows(view);
		ask_pictures(view);
		return true;
	case ACTION_ALIGN:
		if (pair->axis.alignment == ALIGN_SCALED) {
			ask_anchor(view);
		} else {
			align(view,
			      pair->axis.alignment == ALIGN_START ? ALIGN_SCALED : ALIGN_START);
		}
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

/* To the lane and, with some room around it, to the window that were asked for. */
static void
go_to_focus(struct view *view)
{
	struct pair_view *pair = view->state;
	const struct focus *focus = &pair->focus;
	const struct timeline *timeline = pair->sides[1].timeline;
	struct timescale *scale = &pair->scale;
	int64_t length = time_sub(focus->end_ns, focus->start_ns), room = length / 4;

	for (size_t i = 0; i < pair->list.n && focus->lane >= 0; i++) {
		size_t row = pair->rows[i].row[1];

		if (row != PAIR_NONE && timeline->rows[row].type == TIMELINE_LANE &&
		    timeline->rows[row].id == focus->lane) {
			pair->list.selected = i;
			list_settle(&pair->list);
		}
	}
	if (length > 0) {
		set_cell(view, time_add(length, 2 * room) / scale->columns + 1);
		timescale_show(scale, focus->start_ns > room ? focus->start_ns - room : 0, 0);
		scale->cursor = timescale_column(scale, focus->start_ns);
		timescale_move(scale, 0);
	}
	ask_pictures(view);
}

static void
take_side(struct view *view, struct pair_job *job)
{
	struct pair_view *pair = view->state;
	struct side *side = &pair->sides[job->side];

	side->timeline = job->new_timeline;
	side->colours = job->new_colours;
	job->new_timeline = NULL;
	job->new_colours = NULL;
	pair->axis.duration_ns[job->side] = side->timeline->duration_ns;
	if (pair_is_ready(pair)) {
		pair->shows_lanes =
		    pair->focus.lane >= 0 || (pair->sides[0].timeline->n_rows <= LANES_SHOWN &&
		                              pair->sides[1].timeline->n_rows <= LANES_SHOWN);
		lay_rows(view);
		align(view, ALIGN_START);
		go_to_focus(view);
	}
}

static void
say_aligned(struct view *view, const struct pair_job *job)
{
	struct slice name = utf8_clip(slice_of(job->anchor_name), 40);
	char at[2][FORMAT_BYTES];

	app_say(view->app, false, "aligned at %.*s%s: A %s, B %s", (int)name.len, name.ptr,
	        job->anchor_name[name.len] ? "~" : "", format_duration(at[0], job->anchor_ns[0]),
	        format_duration(at[1], job->anchor_ns[1]));
}

static void
done(struct view *view, struct job *job)
{
	struct pair_view *pair = view->state;
	struct pair_job *mine = (struct pair_job *)job;

	if (mine->new_timeline) {
		take_side(view, mine);
	} else if (job->kind != JOB_ANCHOR) {
		timeline_picture_free(pair->sides[mine->side].picture);
		pair->sides[mine->side].picture = mine->picture;
		mine->picture = NULL;
	} else if (mine->is_found) {
		pair->axis.anchor_ns[0] = mine->anchor_ns[0];
		pair->axis.anchor_ns[1] = mine->anchor_ns[1];
		align(view, ALIGN_ANCHOR);
		say_aligned(view, mine);
	} else {
		app_say(view->app, false, "%s%s: aligned from start",
		        mine->anchor_name ? "only one run has " : "no span begins from here on",
		        mine->anchor_name ? mine->anchor_name : "");
		align(view, ALIGN_START);
	}
}

static void
close_view(struct view *view)
{
	struct pair_view *pair = view->state;

	for (int i = 0; i < 2; i++) {
		timeline_picture_free(pair->sides[i].picture);
		timeline_release(pair->sides[i].timeline);
		colours_release(pair->sides[i].colours);
		free(pair->sides[i].path);
		free(pair->sides[i].name);
	}
	free(pair->rows);
	free(pair);
}

static const struct view_ops ops = {.sets = IN_PAIR,
                                    .draw = pair_draw,
                                    .act = act,
                                    .status = status,
                                    .resize = resize,
                                    .done = done,
                                    .close = close_view};

struct view *
view_pair_new(struct app *app, const char *path_a, const char *name_a, const char *path_b,
              const char *name_b)
{
	return view_pair_new_at(app, path_a, name_a, path_b, name_b, NULL);
}

struct view *
view_pair_new_at(struct app *app, const char *path_a, const char *name_a, const char *path_b,
                 const char *name_b, const struct focus *focus)
{
	struct pair_view *pair = xcalloc(1, sizeof(*pair));
	struct view *view = view_new(app, &ops, pair, "");

	pair->scale = (struct timescale){.cell_ns = 1, .columns = 1};
	pair->list.height = 1;
	pair->fits = true;
	pair->focus = FOCUS_NONE;
	if (focus && focus->start_ns >= 0) {
		pair->focus.lane = focus->lane;
		pair->focus.start_ns = focus->start_ns;
		pair->focus.end_ns = focus->end_ns;
	}
	pair->sides[0].path = xstrdup(path_a);
	pair->sides[0].name = xstrdup(name_a);
	pair->sides[1].path = xstrdup(path_b);
	pair->sides[1].name = xstrdup(name_b);
	set_place(view);
	for (int i = 0; i < 2; i++) {
		app_submit(app, view, &pair_job_new(view, JOB_SIDE_A + i, i)->job);
	}
	return view;
}
