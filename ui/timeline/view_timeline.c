/*
 * The timeline: lanes over time, folded into processes and hosts, unfolded into depths. The worker
 * reads one window at a time; until it comes, the last one stays on the screen, moved to where its
 * times now are.
 *
 * view_timeline_lines.c lays out what is folded, _jobs.c reads, _act.c has the keys, _walk.c goes
 * from span to span (_walk_jobs.c reads which), _input.c what is typed and pointed at, _facts.c
 * the two lines at the bottom, _paint.c what a table paints on the lanes, _alike.c folds what is
 * alike, _export.c the window's twins; timeline_draw.c draws.
 */
#include "config.h"

#include "ui/timeline/view_timeline.h"

#include <stdio.h>
#include <stdlib.h>

#include "query/spans/span_filter.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/utf8.h"

#define FACTS_ROWS 2
#define TALL_ROWS 36      /* from so many on lanes grow into what they leave free */
#define FREE_FACTS_ROWS 3 /* more of them, of those that no lane needs */
#define FOLD_ROWS 200     /* more lanes begin folded */

struct timeline_drawing
timeline_drawing(const struct timeline_view *state, int width)
{
	return (struct timeline_drawing){
	    .timeline = state->timeline,
	    .colours = state->colours,
	    .window = state->window,
	    .minimap = state->minimap,
	    .scale = &state->scale,
	    .lines = state->lines,
	    .n_lines = state->list.n,
	    .is_open = state->is_open,
	    .labels = state->labels_of == state->timeline ? state->labels : NULL,
	    .captions = state->captions,
	    .label = timeline_label_columns(width),
	    .group_height = timeline_group_height(state->timeline, state->scale.cell_ns),
	    .selected_span = state->selected.id,
	    .partner_span = timeline_is_of_two(state) ? timeline_partner_span(state) : 0,
	    .range_start = state->range_start,
	    .range_end = state->range == RANGE_NONE ? INT64_MIN : state->range_end,
	    .hits = timeline_marks(state) ? state->hits.window : NULL,
	    .paint = state->paint,
	    .axis = timeline_is_of_two(state) ? &state->axis : NULL,
	    .names = state->runs.name,
	    .is_flat = state->sort != LANES_IN_ORDER,
	    .line_rows = state->line_rows};
}

/* Where the lanes need the rows, the legend goes first. */
static bool
has_legend(const struct timeline *timeline, struct area area)
{
	return area.height > timeline_head_rows(timeline) + 1 + FACTS_ROWS;
}

/* Rows below the lanes that are always there. */
static int
foot_rows(const struct timeline_view *state, struct area area)
{
	return FACTS_ROWS + has_legend(state->timeline, area) + (state->hits.filter != NULL) +
	       (state->paint_source != NULL);
}

/* First row of the facts. It depends on the lines alone, not on what is told, so that it stands
 * still while one goes from span to span. */
static int
facts_row(const struct timeline_view *state, struct area area)
{
	size_t n = state->list.n * (size_t)state->line_rows;
	size_t height = state->list.height * (size_t)state->line_rows;
	size_t free_rows = n < height && state->pane_rows == 0 ? height - n : 0;

	free_rows -= free_rows > 1; /* one stays between lanes and legend */
	free_rows = free_rows < FREE_FACTS_ROWS ? free_rows : FREE_FACTS_ROWS;
	return area.y + area.height - FACTS_ROWS - (int)free_rows;
}

/* They may no longer be right. The cells stay as they are: their place is right, and dimming them
 * would send them all. */
static void
dim_figures(const struct timeline_view *state, struct canvas *canvas, struct area area)
{
	int facts = facts_row(state, area), y = area.y + timeline_head_rows(state->timeline);
	int x = timeline_label_columns(area.width) - TIMELINE_SHARE_COLUMNS;

	canvas_dim(canvas, (struct area){x, y, TIMELINE_SHARE_COLUMNS,
	                                 facts - foot_rows(state, area) + FACTS_ROWS - y});
	canvas_dim(canvas, (struct area){0, facts, area.width, area.y + area.height - facts});
}

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct timeline_view *state = view->state;
	const struct list *list = &state->list;
	struct timeline_drawing drawing;
	struct strbuf why = {0};
	int y = area.y, facts;

	if (!state->timeline) {
		return;
	}
	if (list->n == 0) {
		canvas_puts(canvas, 2, y + 1, STYLE_MUTED,
		            state->colours_b ? "these runs have nothing to draw"
		                             : "this run has nothing to draw");
		return;
	}
	drawing = timeline_drawing(state, area.width);
	timeline_draw_head(&drawing, canvas, y);
	for (size_t i = 0; i < list->height && list->top + i < list->n; i++) {
		int line = y + timeline_head_rows(state->timeline) + (int)i * state->line_rows;

		timeline_draw_line(&drawing, canvas, list->top + i, line);
		timeline_draw_end(&drawing, canvas, list->top + i, line);
		if (list->top + i == list->selected) {
			canvas_select(canvas, 0, line, drawing.label, ">");
			canvas_select(canvas, drawing.label + state->scale.cursor, line, 1, "");
		}
	}
	if (timeline_tell_empty(state, &why)) {
		canvas_text_cut(canvas, drawing.label, y + timeline_head_rows(state->timeline),
		                area.width - drawing.label, STYLE_MUTED, strbuf_slice(&why));
	}
	strbuf_free(&why);
	facts = facts_row(state, area);
	if (state->pane_rows > 0) {
		timeline_draw_pane(state, canvas, timeline_pane_y(state, area));
	}
	if (has_legend(state->timeline, area)) {
		timeline_draw_legend(&drawing, canvas, facts - 1, canvas->width - 1);
	}
	if (state->hits.filter) {
		timeline_draw_marked(state, canvas, facts - 1 - has_legend(state->timeline, area));
	}
	if (state->paint_source) {
		timeline_draw_painted(state, canvas,
		                      facts - 1 - has_legend(state->timeline, area) -
		                          (state->hits.filter != NULL));
	}
	timeline_draw_facts(state, canvas, facts, area.y + area.height - facts);
	if (view_is_late(view)) {
		dim_figures(state, canvas, area);
	}
}

/* What the line of place says: all of it; in few words; without how long all is; without what other
 * rows of the screen tell. */
enum wordiness { STATUS_LONG, STATUS_SHORT, STATUS_SHORTER, STATUS_LEAST };

static void
add_flags(const struct timeline_view *state, enum wordiness wordiness, struct strbuf *out)
{
	static const char *const alignments[2][PAIR_ALIGNMENTS] = {
	    {"from start", "scaled to one length", "at a span"},
	    {"from start", "scaled", "at a span"}};
	bool is_short = wordiness != STATUS_LONG;
	const char *gap = is_short ? "  " : "   ";

	if (state->sort != LANES_IN_ORDER) {
		strbuf_printf(out, "%s %s%s", is_short ? "by" : "lanes by",
		              lane_order_name(state->sort), gap);
	}
	if (state->filters.n > 0) {
		strbuf_printf(out, "filtered%s", gap);
	}
	if (state->active.by_lane) {
		strbuf_printf(out, "lanes hidden%s", gap);
	}
	if (state->timeline->base && state->sort == LANES_IN_ORDER) {
		strbuf_printf(out, "alike folded%s", gap);
	}
	if (timeline_is_of_two(state)) {
		strbuf_printf(out, "%s%s", alignments[is_short][state->axis.alignment], gap);
	}
}

static void
add_status(const struct timeline_view *state, enum wordiness wordiness, struct strbuf *out)
{
	const struct colours *colours = state->colours;
	const char *whole = state->timeline->is_at_most ? "at most " : "";
	bool is_there = state->mode == colours->mode;

	if (wordiness < STATUS_LEAST) {
		add_flags(state, wordiness, out);
	}
	timescale_say(&state->scale, wordiness < STATUS_SHORTER ? whole : NULL, out);
	strbuf_printf(out, "%s%s%s", wordiness == STATUS_LONG ? "   colour " : "  ",
	              colour_mode_name(state->mode), is_there ? "" : " ...");
	if (is_there && colours->reference && !timeline_is_of_two(state)) {
		strbuf_printf(out, " against %s", colours->reference);
	}
}

/* In as many words as fit beside the view's title. */
static void
status(const struct view *view, struct strbuf *out)
{
	const struct timeline_view *state = view->state;
	int room = view_status_columns(view) - (int)utf8_columns(strbuf_slice(out));
	struct strbuf text = {0};

	for (int i = STATUS_LONG; i <= STATUS_LEAST && state->timeline; i++) {
		strbuf_clear(&text);
		add_status(state, (enum wordiness)i, &text);
		if ((int)utf8_columns(strbuf_slice(&text)) <= room) {
			break;
		}
	}
	strbuf_add_slice(out, strbuf_slice(&text));
	strbuf_free(&text);
}

void
timeline_lay_area(struct view *view)
{
	struct timeline_view *state = view->state;
	int rows =
	    view->area.height - timeline_head_rows(state->timeline) - foot_rows(state, view->area);

	state->pane_rows = timeline_pane_rows(state, rows);
	rows -= state->pane_rows;
	state->line_rows =
	    view->area.height >= TALL_ROWS ? timeline_line_rows(state->list.n, rows) : 1;
	rows /= state->line_rows;
	state->list.height = rows > 0 ? (size_t)rows : 1;
	list_settle(&state->list);
	state->pane.list.height = state->pane_rows > TIMELINE_PANE_HEAD
	                              ? (size_t)(state->pane_rows - TIMELINE_PANE_HEAD)
	                              : 1;
	list_settle(&state->pane.list);
}

static void
resize(struct view *view)
{
	struct timeline_view *state = view->state;
	int64_t at = timescale_time(&state->scale, state->scale.cursor);

	timeline_lay_area(view);
	state->n_zooms = 0;
	timescale_resize(&state->scale, timeline_cell_columns(view->area.width));
	if (!state->timeline) {
		return;
	}
	timeline_lay_labels(view);
	if (state->fits) {
		timeline_set_cell(view, timescale_fit_ns(&state->scale));
	} else if (timescale_column(&state->scale, at) != state->scale.cursor) {
		timescale_show(&state->scale, at, state->scale.cursor);
	}
	timeline_ask_window(view);
	timeline_ask_rows(view);
}

/* ---- what comes back ---- */

/* The first lane that is not folded away, so that walking begins there; -1: none. */
static int64_t
first_lane(const struct timeline_view *state)
{
	for (size_t i = 0; i < state->list.n; i++) {
		const struct timeline_row *row = &state->timeline->rows[state->lines[i].row];

		if (row->type == TIMELINE_LANE) {
			return row->id;
		}
	}
	return -1;
}

/* The window and the span that the view was opened for, or those it had last. */
static void
begin(struct view *view, struct timeline_job *job)
{
	struct timeline_view *state = view->state;
	const struct focus *focus = &state->focus;

	timeline_begin_window(view, job);
	if (job->detail) {
		state->detail = job->detail;
		job->detail = NULL;
		state->has_panned = timeline_is_of_two(state) && focus->end_ns > focus->start_ns;
		timeline_go_to(view, &job->span, false);
	} else {
		timeline_select_lane(
		    view,
		    focus->lane >= 0
			? timeline_shared_lane(state->timeline, state->focus_side, focus->lane)
			: first_lane(state),
		    0);
	}
	for (size_t i = 0; focus->lane_name && !state->detail && i < state->timeline->n_rows; i++) {
		const struct timeline_row *row = &state->timeline->rows[i];

		if (row->type == TIMELINE_LANE && slice_is(row->name, focus->lane_name) &&
		    (row->side == 0 || row->side == state->focus_side + 1)) {
			timeline_select_lane(view, row->id, 0);
			break;
		}
	}
}

/* The stretch of time that the view was opened for, where that is no span: marked, with the cursor
 * at its start. */
static void
begin_at_mark(struct view *view)
{
	struct timeline_view *state = view->state;
	int64_t start = state->focus.mark_start_ns, end = state->focus.mark_end_ns;
	int column = timescale_column(&state->scale, start);

	if (end < start || state->focus.span > 0) {
		return;
	}
	if (!state->detail && column >= 0 && column < state->scale.columns) {
		state->scale.cursor = column;
	}
	if (end > start) {
		state->range = RANGE_CLOSED;
		state->range_start = start;
		state->range_end = end;
		timeline_ask_range(view);
		timeline_range_changed(view);
	}
}

static void
take_lanes(struct view *view, struct timeline_job *job)
{
	struct timeline_view *state = view->state;

	state->timeline = job->new_timeline;
	state->labels_of = NULL;
	job->new_timeline = NULL;
	state->colours = job->new_colours;
	state->colours_b = job->new_colours_b;
	job->new_colours = job->new_colours_b = NULL;
	state->mode = job->mode;
	state->focus_number = job->is_first_hit && job->detail;
	state->is_open = xcalloc(state->timeline->n_rows + 1, sizeof *state->is_open);
	for (size_t i = 0; i < state->timeline->n_rows; i++) {
		state->is_open[i] = timeline_row_is_group(&state->timeline->rows[i]) &&
		                    state->timeline->n_rows <= FOLD_ROWS;
	}
	state->depths = xmalloc(((size_t)state->timeline->n_lanes + 1) * sizeof *state->depths);
	for (uint32_t i = 0; i < state->timeline->n_lanes; i++) {
		state->depths[i] = job->depths ? job->depths[i] : DEPTHS_UNKNOWN;
	}
	if (job->depths) {
		timeline_unfold_if_room(state);
	}
	state->scale.duration_ns = state->timeline->duration_ns;
	state->axis = job->axis;
	state->n_spans_b = job->n_spans_b;
	timeline_take_scope(view, job);
	begin(view, job);
	begin_at_mark(view);
	timeline_ask_window(view);
	timeline_ask_passing(view);
	timeline_ask_hits(view);
	timeline_ask_paint(view);
	timeline_ask_rows(view);
}

/* A window without spans says nothing of why. */
static void
take_passing(struct view *view, const struct timeline_job *job)
{
	const struct timeline_view *state = view->state;
	char all[FORMAT_BYTES];
	bool names_kind = false;

	if (job->n_passing > 0 || state->filters.n == 0) {
		return;
	}
	for (size_t i = 0; i < state->filters.n; i++) {
		names_kind = names_kind || span_filter_names(state->filters.filters[i], "kind");
	}
	view_say(view, "none of the %s spans passes (\\ drops the filter)%s",
	         format_count(all, job->n_all),
	         names_kind ? ": kind is the lane's, arg.kind the span's" : "");
}

static void
take_window(struct view *view, struct timeline_job *job)
{
	struct timeline_view *state = view->state;

	if (job->refused.code != ERR_NONE) {
		view_fail(view, job->refused.message);
		if (filter_stack_drop(&state->filters)) {
			timeline_filters_changed(view);
		}
		return;
	}
	timeline_window_free(state->window);
	state->window = job->window;
	job->window = NULL;
	label_list_free(state->captions);
	state->captions = job->captions;
	job->captions = NULL;
	if (state->selected.id == 0 && state->n_moves == 0) {
		timeline_ask_span(view);
	}
}

static void
done(struct view *view, struct view_job *job)
{
	struct timeline_view *state = view->state;
	struct timeline_job *mine = (struct timeline_job *)job;

	switch (job->kind) {
	case JOB_ROWS:
		take_lanes(view, mine);
		break;
	case JOB_DEPTHS:
		timeline_take_depths(view, mine);
		break;
	case JOB_SCOPE:
		timeline_take_scope(view, mine);
		timeline_ask_window(view);
		if (state->timeline->base) {
			timeline_ask_alike(view, false);
		}
		break;
	case JOB_WINDOW:
		take_window(view, mine);
		break;
	case JOB_MINIMAP:
		timeline_window_free(state->minimap);
		state->minimap = mine->window;
		mine->window = NULL;
		break;
	case JOB_SPAN:
		timeline_take_span(view, mine);
		break;
	case JOB_PASSING:
		take_passing(view, mine);
		break;
	case JOB_HITS:
		timeline_take_hits(view, mine);
		break;
	case JOB_HITS_WINDOW:
		if (mine->refused.code == ERR_NONE) { /* else their count says so */
			timeline_window_free(state->hits.window);
			state->hits.window = mine->window;
			mine->window = NULL;
		}
		break;
	case JOB_PAINT:
		timeline_take_paint(view, mine);
		break;
	case JOB_AREA:
		timeline_take_area(view, mine);
		break;
	case JOB_ALIKE:
		timeline_take_alike(view, mine);
		break;
	case JOB_IDLE:
		timeline_take_active(view, mine);
		break;
	case JOB_PARTNER:
	case JOB_PARTNER_SHOWN:
		timeline_take_partner(view, mine);
		break;
	case JOB_RANGE:
		state->facts = mine->facts;
		state->has_facts = true;
		break;
	default: /* ranks of the old colours mean nothing in the new ones */
		colours_release(state->colours);
		colours_release(state->colours_b);
		state->colours = mine->new_colours;
		state->colours_b = mine->new_colours_b;
		mine->new_colours = mine->new_colours_b = NULL;
		timeline_window_free(state->window);
		timeline_window_free(state->hits.window);
		state->window = state->hits.window = NULL;
		view_remember(view, "timeline.colour", colour_mode_name(state->colours->mode));
		timeline_ask_window(view);
	}
	timeline_stand_in_run(view);
	timeline_follow_partner(view);
}

/* ---- the window is remembered for the run ---- */

static void
remember(struct view *view, bool writes)
{
	struct timeline_view *state = view->state;
	struct strbuf key = {0}, value = {0};
	const char *known;
	long long start, end;

	if (timeline_is_of_two(state)) {
		return; /* an axis of its own */
	}
	strbuf_printf(&key, "timeline.window.%s", view->run_path);
	if (writes && state->timeline) {
		strbuf_printf(&value, "%lld %lld", (long long)state->scale.start_ns,
		              (long long)timescale_time(&state->scale, state->scale.columns));
		view_remember(view, key.data, state->fits ? NULL : value.data);
	} else if (!writes && (known = view_recall(view, key.data)) != NULL &&
	           sscanf(known, "%lld %lld", &start, &end) == 2 && start >= 0 && end > start) {
		state->focus.start_ns = start;
		state->focus.end_ns = end;
	}
	strbuf_free(&key);
	strbuf_free(&value);
}

static void
close_view(struct view *view)
{
	struct timeline_view *state = view->state;

	remember(view, true);
	timeline_window_free(state->window);
	label_list_free(state->captions);
	timeline_window_free(state->minimap);
	timeline_release(state->timeline);
	colours_release(state->colours);
	colours_release(state->colours_b);
	two_runs_free(&state->runs);
	explain_partners_release(state->partners);
	span_detail_free(state->detail);
	strbuf_free(&state->search);
	timeline_pane_fini(&state->pane);
	timeline_window_free(state->hits.window);
	timeline_hits_fini(&state->hits.found);
	timeline_hits_fini(&state->active);
	timeline_hits_fini(&state->in_scope);
	timeline_paint_free(state->paint);
	paint_source_release(state->paint_source);
	free(state->hits.filter);
	free(state->is_hidden);
	filter_stack_fini(&state->filters);
	free((char *)state->focus.lane_name);
	free(state->depths);
	free(state->is_open);
	free(state->lines);
	arena_free(state->label_arena);
	free(state);
}

static void
cancelled(struct view *view)
{
	timeline_stop_moves(view->state);
}

static const struct view_ops ops = {.sets = IN_TIMELINE,
                                    .draw = draw,
                                    .act = timeline_act,
                                    .status = status,
                                    .resize = resize,
                                    .done = done,
                                    .cancelled = cancelled,
                                    .prompt = timeline_prompt,
                                    .complete = timeline_complete,
                                    .command = timeline_command,
                                    .mouse = timeline_mouse,
                                    .close = close_view};

struct view *
view_timeline_new(struct app *app, const struct view_place *place)
{
	struct timeline_view *state = xcalloc(1, sizeof *state);
	const struct focus focus = place->focus ? *place->focus : FOCUS_NONE;
	struct view *view = view_new(app, &ops, state, place, "Timeline");
	bool is_of_two = place->kind == PLACE_PAIR;
	const char *colour = view_recall(view, "timeline.colour");

	state->scale = (struct timescale){.cell_ns = 1, .columns = 1};
	state->list.height = 1;
	state->line_rows = 1;
	state->drag_from = -1;
	state->pane.sort = is_of_two ? AREA_DELTA : AREA_INSIDE;
	state->folded_into = SIZE_MAX;
	state->paint_source = place->paint;
	state->focus = focus;
	state->focus.filter = NULL;
	if (is_of_two) {
		state->runs = two_runs_copy(&place->runs);
		state->focus_side = place->side;
		view_set_runs(view, &state->runs, "Timeline");
		view->sets |= IN_PAIR;
	}
	state->focus.lane_name = focus.lane_name ? xstrdup(focus.lane_name) : NULL;
	if (focus.filter && *focus.filter) {
		timeline_mark(view, xstrdup(focus.filter));
	}
	if (colour && colour_mode_find(slice_of(colour), &state->mode) &&
	    state->mode == COLOUR_SLOWDOWN) {
		state->mode = COLOUR_CATEGORY;
	}
	if (state->focus.span <= 0 && state->focus.lane < 0 && !state->hits.filter &&
	    state->focus.end_ns <= state->focus.start_ns) {
		remember(view, false);
	}
	timeline_ask_rows(view);
	return view;
}
