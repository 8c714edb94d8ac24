/*
 * Two runs over each other: for each pair of rows run A, run B and, below, where A is busier (+) or
 * B (-). One axis and one cursor for both; a thin line stands at each run's end, since the tail is
 * often the answer.
 *
 * Each run's cells are read a good deal finer than columns are wide and then put together, so that
 * a column holds the same stretch of the axis in both, however the runs are aligned.
 */
#include "config.h"

#include <stdlib.h>

#include "ui/timeline/view_pair.h"
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
	struct pair_side *own = &pair->sides[side];
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
	job = pair_job_new(view, JOB_WINDOW_A + side, side);
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
	view_submit(view, &job->job);
}

void
pair_ask_windows(struct view *view)
{
	struct pair_view *pair = view->state;

	if (pair_is_ready(pair) && pair->list.n > 0) {
		ask_side(view, 0);
		ask_side(view, 1);
	}
}

void
pair_set_cell(struct view *view, int64_t cell_ns)
{
	struct pair_view *pair = view->state;
	int64_t fit = timescale_fit_ns(&pair->scale);

	pair->fits = cell_ns >= fit;
	timescale_set_cell(&pair->scale, cell_ns > fit ? fit : cell_ns > 0 ? cell_ns : 1);
	pair_ask_windows(view);
}

void
pair_align(struct view *view, enum pair_alignment alignment)
{
	struct pair_view *pair = view->state;

	pair->axis.alignment = alignment;
	pair->n_zooms = 0; /* of an axis that is no more */
	pair->scale.duration_ns = pair_axis_length(&pair->axis);
	timescale_pan(&pair->scale, 0);
	pair_set_cell(view, pair->fits ? timescale_fit_ns(&pair->scale) : pair->scale.cell_ns);
}

void
pair_lay_rows(struct view *view)
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
resize(struct view *view)
{
	struct pair_view *pair = view->state;
	int rows = (view->area.height - PAIR_HEAD_ROWS - PAIR_FOOT_ROWS) / 3;

	pair->list.height = rows > 0 ? (size_t)rows : 1;
	list_settle(&pair->list);
	timescale_resize(&pair->scale, timeline_cell_columns(view->area.width));
	if (pair_is_ready(pair)) {
		pair_set_cell(view,
		              pair->fits ? timescale_fit_ns(&pair->scale) : pair->scale.cell_ns);
	}
}

void
pair_set_place(struct view *view)
{
	struct pair_view *pair = view->state;
	struct strbuf place = {0};

	strbuf_printf(&place, "%s | %s > Timeline", pair->sides[0].name, pair->sides[1].name);
	free(view->title);
	view->title = strbuf_take(&place);
}

/* To the lane and, with some room around it, to the window that were asked for. */
static void
go_to_focus(struct view *view)
{
	struct pair_view *pair = view->state;
	const struct focus *focus = &pair->focus;
	const struct timeline *timeline = pair->sides[pair->focus_side].timeline;
	struct timescale *scale = &pair->scale;
	int64_t length = time_sub(focus->end_ns, focus->start_ns), room = length / 4;

	for (size_t i = 0; i < pair->list.n && focus->lane >= 0; i++) {
		size_t row = pair->rows[i].row[pair->focus_side];

		if (row != PAIR_NONE && timeline->rows[row].type == TIMELINE_LANE &&
		    timeline->rows[row].id == focus->lane) {
			pair->list.selected = i;
			list_settle(&pair->list);
		}
	}
	if (length > 0) {
		pair_set_cell(view, time_add(length, 2 * room) / scale->columns + 1);
		timescale_show(scale, focus->start_ns > room ? focus->start_ns - room : 0, 0);
		scale->cursor = timescale_column(scale, focus->start_ns);
		timescale_move(scale, 0);
	}
	pair_ask_windows(view);
}

static void
take_side(struct view *view, struct pair_job *job)
{
	struct pair_view *pair = view->state;
	struct pair_side *side = &pair->sides[job->side];

	side->timeline = job->new_timeline;
	side->colours = job->new_colours;
	job->new_timeline = NULL;
	job->new_colours = NULL;
	pair->axis.duration_ns[job->side] = side->timeline->duration_ns;
	if (pair_is_ready(pair)) {
		pair->shows_lanes =
		    pair->focus.lane >= 0 || (pair->sides[0].timeline->n_rows <= LANES_SHOWN &&
		                              pair->sides[1].timeline->n_rows <= LANES_SHOWN);
		pair_lay_rows(view);
		pair_align(view, ALIGN_START);
		go_to_focus(view);
	}
}

static void
say_aligned(struct view *view, const struct pair_job *job)
{
	struct slice name = utf8_clip(slice_of(job->anchor_name), 40);
	char at[2][FORMAT_BYTES];

	view_say(view, "aligned at %.*s%s: A %s, B %s", (int)name.len, name.ptr,
	         job->anchor_name[name.len] ? "~" : "", format_duration(at[0], job->anchor_ns[0]),
	         format_duration(at[1], job->anchor_ns[1]));
}

static void
done(struct view *view, struct view_job *job)
{
	struct pair_view *pair = view->state;
	struct pair_job *mine = (struct pair_job *)job;

	if (mine->new_timeline) {
		take_side(view, mine);
	} else if (job->kind != JOB_ANCHOR) {
		timeline_window_free(pair->sides[mine->side].window);
		pair->sides[mine->side].window = mine->window;
		mine->window = NULL;
	} else if (mine->is_found) {
		pair->axis.anchor_ns[0] = mine->anchor_ns[0];
		pair->axis.anchor_ns[1] = mine->anchor_ns[1];
		pair_align(view, ALIGN_ANCHOR);
		say_aligned(view, mine);
	} else {
		view_say(view, "%s%s: aligned from start",
		         mine->anchor_name ? "only one run has " : "no span begins from here on",
		         mine->anchor_name ? mine->anchor_name : "");
		pair_align(view, ALIGN_START);
	}
}

static void
close_view(struct view *view)
{
	struct pair_view *pair = view->state;

	for (int i = 0; i < 2; i++) {
		timeline_window_free(pair->sides[i].window);
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
                                    .act = pair_act,
                                    .status = status,
                                    .resize = resize,
                                    .done = done,
                                    .close = close_view};

struct view *
view_pair_new(struct app *app, const struct view_place *place)
{
	struct pair_view *pair = xcalloc(1, sizeof(*pair));
	struct view *view = view_new(app, &ops, pair, &(struct view_place){.kind = PLACE_PAIR}, "");
	const struct focus *focus = place->focus;

	pair->scale = (struct timescale){.cell_ns = 1, .columns = 1};
	pair->list.height = 1;
	pair->fits = true;
	pair->focus = FOCUS_NONE;
	if (focus && focus->start_ns >= 0) {
		pair->focus.lane = focus->lane;
		pair->focus.start_ns = focus->start_ns;
		pair->focus.end_ns = focus->end_ns;
		pair->focus_side = place->side;
		pair->anchor = focus->span > 0 ? focus->span : 0;
	}
	for (int i = 0; i < 2; i++) {
		pair->sides[i].path = xstrdup(place->runs.path[i]);
		pair->sides[i].name = xstrdup(place->runs.name[i]);
	}
	pair_set_place(view);
	for (int i = 0; i < 2; i++) {
		view_submit(view, &pair_job_new(view, JOB_SIDE_A + i, i)->job);
	}
	return view;
}
