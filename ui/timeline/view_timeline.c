/*
 * The timeline: lanes over time, folded into processes and hosts, unfolded into depths. The worker reads one window at a time; until it
 * comes, the last one stays on the screen, moved to where its times now are.
 *
 * view_timeline_lines.c lays out what is folded, _jobs.c reads, _act.c has the keys, _walk.c goes from span to span, _input.c what is typed and pointed at, _facts.c the
 * two lines at the bottom, _export.c the picture's twins; lanes_draw.c draws.
 */
#include "config.h"

#include "ui/timeline/view_timeline.h"

#include <stdio.h>
#include <stdlib.h>

#include "query/spans/span_filter.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"

#define FACTS_ROWS 2
#define FREE_FACTS_ROWS 3 /* more of them, of those that no lane needs */
#define FOLD_ROWS 200     /* more lanes begin folded */

struct lanes_scene
lanes_scene(const struct lanes_view *lanes, int width)
{
	return (struct lanes_scene){
	    .timeline = lanes->timeline,
	    .colours = lanes->colours,
	    .picture = lanes->picture,
	    .minimap = lanes->minimap,
	    .scale = &lanes->scale,
	    .lines = lanes->lines,
	    .n_lines = lanes->list.n,
	    .is_open = lanes->is_open,
	    .label = lanes_label_columns(width),
	    .group_height = lanes_group_height(lanes->timeline, lanes->scale.cell_ns),
	    .selected_span = lanes->selected.id,
	    .range_start = lanes->range_start,
	    .range_end = lanes->range == RANGE_NONE ? INT64_MIN : lanes->range_end,
	    .match = lanes->search.len > 0 ? lanes->search.data : NULL};
}

/* Where the lanes need the rows, the legend goes first. */
static bool
has_legend(struct area area)
{
	return area.height > LANES_HEAD_ROWS + 1 + FACTS_ROWS;
}

/* First row of the facts. It depends on the lines alone, not on what is told, so that it stands still while one goes from span to span. */
static int
facts_row(const struct lanes_view *lanes, struct area area)
{
	size_t n = lanes->list.n, height = lanes->list.height;
	size_t free_rows = n < height ? height - n : 0;

	free_rows -= free_rows > 1; /* one stays between lanes and legend */
	free_rows = free_rows < FREE_FACTS_ROWS ? free_rows : FREE_FACTS_ROWS;
	return area.y + area.height - FACTS_ROWS - (int)free_rows;
}

/* They may no longer be right. The cells stay as they are: their place is right, and dimming them would send them all. */
static void
dim_figures(const struct lanes_view *lanes, struct canvas *canvas, struct area area)
{
	int facts = facts_row(lanes, area);
	int x = lanes_label_columns(area.width) - LANES_SHARE_COLUMNS;

	for (int y = area.y + LANES_HEAD_ROWS; y < facts - has_legend(area); y++) {
		canvas_attribute(canvas, x, y, LANES_SHARE_COLUMNS, STYLE_DIM);
	}
	for (int y = facts; y < area.y + area.height; y++) {
		canvas_attribute(canvas, 0, y, area.width, STYLE_DIM);
	}
}

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct lanes_view *lanes = view->state;
	struct lanes_scene scene;
	int y = area.y, facts;

	if (!lanes->timeline || !lanes->colours) {
		return;
	}
	if (lanes->list.n == 0) {
		canvas_puts(canvas, 2, y + 1, STYLE_MUTED, "this run has nothing to draw");
		return;
	}
	scene = lanes_scene(lanes, area.width);
	lanes_draw_head(&scene, canvas, y);
	for (size_t i = 0; i < lanes->list.height && lanes->list.top + i < lanes->list.n; i++) {
		int line = y + LANES_HEAD_ROWS + (int)i;

		lanes_draw_line(&scene, canvas, lanes->list.top + i, line);
		if (lanes->list.top + i == lanes->list.selected) {
			canvas_puts(canvas, 0, line, STYLE_KEY, ">");
			canvas_attribute(canvas, 0, line, scene.label, STYLE_REVERSE);
			canvas_attribute(canvas, scene.label + lanes->scale.cursor, line, 1,
			                 STYLE_REVERSE);
			canvas->cursor_x = scene.label + lanes->scale.cursor;
			canvas->cursor_y = line;
		}
	}
	facts = facts_row(lanes, area);
	if (has_legend(area)) {
		lanes_draw_legend(&scene, canvas, facts - 1, canvas->width - 1);
	}
	lanes_draw_facts(lanes, canvas, facts, area.y + area.height - facts);
	if (view_is_busy(view)) {
		dim_figures(lanes, canvas, area);
	}
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct lanes_view *lanes = view->state;
	char from[FORMAT_BYTES], to[FORMAT_BYTES], all[FORMAT_BYTES];
	int64_t end;

	if (!lanes->timeline || !lanes->colours) {
		return;
	}
	end = timescale_time(&lanes->scale, lanes->scale.columns);
	end = end < lanes->scale.duration_ns ? end : lanes->scale.duration_ns;
	strbuf_printf(out, "%s%s .. ", lanes->filters.n > 0 ? "filtered   " : "",
	              format_duration(from, lanes->scale.start_ns));
	if (lanes->scale.start_ns / 5000 > end - lanes->scale.start_ns) {
		strbuf_printf(out, "+%s", format_duration(to, end - lanes->scale.start_ns));
	} else {
		strbuf_add_text(out, format_duration(to, end));
	}
	strbuf_printf(out, " of %s%s   colour %s%s", lanes->timeline->is_at_most ? "at most " : "",
	              format_duration(all, lanes->scale.duration_ns), colour_mode_name(lanes->mode),
	              lanes->mode == lanes->colours->mode ? "" : " ...");
}

static void
resize(struct view *view)
{
	struct lanes_view *lanes = view->state;
	int rows = view->area.height - LANES_HEAD_ROWS - FACTS_ROWS - has_legend(view->area);
	int64_t at = timescale_time(&lanes->scale, lanes->scale.cursor);

	lanes->list.height = rows > 0 ? (size_t)rows : 1;
	list_settle(&lanes->list);
	lanes->n_zooms = 0;
	timescale_resize(&lanes->scale, lanes_cell_columns(view->area.width));
	if (!lanes->timeline || !lanes->colours) {
		return;
	}
	if (lanes->fits) {
		lanes_set_cell(view, timescale_fit_ns(&lanes->scale));
	} else if (timescale_column(&lanes->scale, at) != lanes->scale.cursor) {
		timescale_show(&lanes->scale, at, lanes->scale.cursor);
	}
	lanes_ask_picture(view);
	lanes_ask_lanes(view);
}

/* ---- what comes back ---- */

/* The first lane that is not folded away, so that walking begins there; -1: none. */
static int64_t
first_lane(const struct lanes_view *lanes)
{
	for (size_t i = 0; i < lanes->list.n; i++) {
		const struct timeline_row *row = &lanes->timeline->rows[lanes->lines[i].row];

		if (row->type == TIMELINE_LANE) {
			return row->id;
		}
	}
	return -1;
}

/* The window and the span that the view was opened for, or those it had last. */
static void
begin(struct view *view, struct lanes_job *job)
{
	struct lanes_view *lanes = view->state;
	bool has_window = lanes->focus.end_ns > lanes->focus.start_ns;

	lanes_show_window(view, 0, lanes->scale.duration_ns);
	lanes->fits = true;
	if (has_window) {
		lanes_show_window(view, lanes->focus.start_ns, lanes->focus.end_ns);
	}
	if (job->detail) {
		const struct span_row *span = &job->detail->span;

		if (!has_window && lanes->focus.span > 0) {
			int64_t margin = span->duration_ns < INT64_MAX / 8 ? span->duration_ns * 4
			                                                   : span->duration_ns;
			lanes_show_window(view,
			                  span->start_ns > margin ? span->start_ns - margin : 0,
			                  time_add(time_add(span->start_ns, span->duration_ns),
			                           margin > 0 ? margin : 1000));
		}
		lanes->detail = job->detail;
		job->detail = NULL;
		lanes_go_to(view, &lanes->detail->span, false);
	} else {
		lanes_select_lane(
		    view, lanes->focus.lane >= 0 ? lanes->focus.lane : first_lane(lanes), 0);
	}
	for (size_t i = 0; lanes->focus.lane_name && !lanes->detail && i < lanes->timeline->n_rows;
	     i++) {
		const struct timeline_row *row = &lanes->timeline->rows[i];

		if (row->type == TIMELINE_LANE && slice_is(row->name, lanes->focus.lane_name)) {
			lanes_select_lane(view, row->id, 0);
			break;
		}
	}
}

/* The stretch of time that the view was opened for, where that is no span: marked, with the cursor at its start. */
static void
begin_at_mark(struct view *view)
{
	struct lanes_view *lanes = view->state;
	int64_t start = lanes->focus.mark_start_ns, end = lanes->focus.mark_end_ns;
	int column = timescale_column(&lanes->scale, start);

	if (end < start || lanes->detail) {
		return;
	}
	if (column >= 0 && column < lanes->scale.columns) {
		lanes->scale.cursor = column;
	}
	if (end > start) {
		lanes->range = RANGE_CLOSED;
		lanes->range_start = start;
		lanes->range_end = end;
		lanes_ask_range(view);
	}
}

bool
lanes_begins_at_filter(const struct lanes_view *lanes)
{
	const struct focus *focus = &lanes->focus;

	return lanes->filters.n > 0 && focus->span <= 0 && focus->lane < 0 &&
	       focus->end_ns <= focus->start_ns;
}

static void
take_lanes(struct view *view, struct lanes_job *job)
{
	struct lanes_view *lanes = view->state;

	lanes->timeline = job->new_timeline;
	job->new_timeline = NULL;
	lanes->colours = job->new_colours;
	job->new_colours = NULL;
	lanes->mode = job->mode;
	lanes->is_open = xcalloc(lanes->timeline->n_rows + 1, sizeof(*lanes->is_open));
	for (size_t i = 0; i < lanes->timeline->n_rows; i++) {
		lanes->is_open[i] =
		    lanes->timeline->rows[i].n_below > 0 && lanes->timeline->n_rows <= FOLD_ROWS;
	}
	lanes->depths = xmalloc(((size_t)lanes->timeline->n_lanes + 1) * sizeof(*lanes->depths));
	for (uint32_t i = 0; i < lanes->timeline->n_lanes; i++) {
		lanes->depths[i] = job->depths ? job->depths[i] : DEPTHS_UNKNOWN;
	}
	if (job->depths) {
		lanes_unfold_if_room(lanes);
	}
	lanes->scale.duration_ns = lanes->timeline->duration_ns;
	lanes_lay_lines(view);
	begin(view, job);
	begin_at_mark(view);
	lanes_ask_picture(view);
	lanes_ask_passing(view);
	lanes_ask_lanes(view);
}

/* A picture without spans says nothing of why. */
static void
take_passing(struct view *view, const struct lanes_job *job)
{
	const struct lanes_view *lanes = view->state;
	char all[FORMAT_BYTES];
	bool names_kind = false;

	if (job->n_passing > 0 || lanes->filters.n == 0) {
		return;
	}
	for (size_t i = 0; i < lanes->filters.n; i++) {
		names_kind = names_kind || span_filter_names(lanes->filters.filters[i], "kind");
	}
	app_say(view->app, false, "none of the %s spans passes (\\ drops the filter)%s",
	        format_count(all, job->n_all),
	        names_kind ? ": kind is the lane's, arg.kind the span's" : "");
}

static void
take_picture(struct view *view, struct lanes_job *job)
{
	struct lanes_view *lanes = view->state;

	if (job->refused.code != ERR_NONE) {
		app_say(view->app, true, "%s", job->refused.message);
		if (filter_stack_drop(&lanes->filters)) {
			lanes_filters_changed(view);
		}
		return;
	}
	timeline_picture_free(lanes->picture);
	lanes->picture = job->picture;
	job->picture = NULL;
	if (lanes->selected.id == 0 && lanes->n_moves == 0) {
		lanes_ask_span(view);
	}
}

static void
done(struct view *view, struct job *job)
{
	struct lanes_view *lanes = view->state;
	struct lanes_job *mine = (struct lanes_job *)job;

	switch (job->kind) {
	case JOB_LANES:
		take_lanes(view, mine);
		break;
	case JOB_DEPTHS:
		lanes_take_depths(view, mine);
		break;
	case JOB_PICTURE:
		take_picture(view, mine);
		break;
	case JOB_MINIMAP:
		timeline_picture_free(lanes->minimap);
		lanes->minimap = mine->picture;
		mine->picture = NULL;
		break;
	case JOB_SPAN:
		lanes_take_span(view, mine);
		break;
	case JOB_PASSING:
		take_passing(view, mine);
		break;
	case JOB_RANGE:
		lanes->facts = mine->facts;
		lanes->has_facts = true;
		break;
	default: /* ranks of the old colours mean nothing in the new ones */
		colours_release(lanes->colours);
		lanes->colours = mine->new_colours;
		mine->new_colours = NULL;
		timeline_picture_free(lanes->picture);
		lanes->picture = NULL;
		app_remember(view->app, "timeline.colour", colour_mode_name(lanes->colours->mode));
		lanes_ask_picture(view);
	}
}

/* ---- the window is remembered for the run ---- */

static void
remember(struct view *view, bool writes)
{
	struct lanes_view *lanes = view->state;
	struct strbuf key = {0}, value = {0};
	const char *known;
	long long start, end;

	strbuf_printf(&key, "timeline.window.%s", view->run_path);
	if (writes && lanes->timeline) {
		strbuf_printf(&value, "%lld %lld", (long long)lanes->scale.start_ns,
		              (long long)timescale_time(&lanes->scale, lanes->scale.columns));
		app_remember(view->app, key.data, lanes->fits ? NULL : value.data);
	} else if (!writes && (known = app_recall(view->app, key.data)) != NULL &&
	           sscanf(known, "%lld %lld", &start, &end) == 2 && start >= 0 && end > start) {
		lanes->focus.start_ns = start;
		lanes->focus.end_ns = end;
	}
	strbuf_free(&key);
	strbuf_free(&value);
}

static void
close_view(struct view *view)
{
	struct lanes_view *lanes = view->state;

	remember(view, true);
	timeline_picture_free(lanes->picture);
	timeline_picture_free(lanes->minimap);
	timeline_release(lanes->timeline);
	colours_release(lanes->colours);
	span_detail_free(lanes->detail);
	strbuf_free(&lanes->search);
	filter_stack_fini(&lanes->filters);
	free((char *)lanes->focus.lane_name);
	free(lanes->depths);
	free(lanes->is_open);
	free(lanes->lines);
	free(lanes);
}

static const struct view_ops ops = {.sets = IN_TIMELINE,
                                    .draw = draw,
                                    .act = lanes_act,
                                    .status = status,
                                    .resize = resize,
                                    .done = done,
                                    .prompt = lanes_prompt,
                                    .complete = lanes_complete,
                                    .command = lanes_command,
                                    .mouse = lanes_mouse,
                                    .close = close_view};

struct view *
view_timeline_new(struct app *app, const struct place *place)
{
	struct lanes_view *lanes = xcalloc(1, sizeof(*lanes));
	const struct focus focus = place->focus ? *place->focus : FOCUS_NONE;
	struct view *view = view_new(app, &ops, lanes, place, "Timeline");
	const char *colour = app_recall(app, "timeline.colour");

	lanes->scale = (struct timescale){.cell_ns = 1, .columns = 1};
	lanes->list.height = 1;
	lanes->drag_from = -1;
	lanes->folded_into = SIZE_MAX;
	lanes->focus = focus;
	lanes->focus.filter = lanes->focus.search = NULL;
	lanes->focus.lane_name = focus.lane_name ? xstrdup(focus.lane_name) : NULL;
	filter_stack_push(&lanes->filters, focus.filter);
	if (focus.search) {
		strbuf_add_text(&lanes->search, focus.search);
	}
	if (colour && colour_mode_find(slice_of(colour), &lanes->mode) &&
	    lanes->mode == COLOUR_SLOWDOWN) {
		lanes->mode = COLOUR_CATEGORY;
	}
	if (lanes->focus.span <= 0 && lanes->focus.lane < 0 && lanes->filters.n == 0 &&
	    lanes->focus.end_ns <= lanes->focus.start_ns) {
		remember(view, false);
	}
	lanes_ask_lanes(view);
	return view;
}
