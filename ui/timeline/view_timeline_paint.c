/*
 * What a table has led here with: its rows, painted on the lanes they lie on. n and N go from one
 * stretch to the next in order of time, Enter on one opens the table at its row, Esc takes all
 * away. Other lanes stay, as what ran there is often why; I hides them.
 */
#include "config.h"

#include "ui/timeline/view_timeline.h"

#include <stdlib.h>
#include <string.h>

#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/utf8.h"

void
timeline_ask_paint(struct view *view)
{
	struct timeline_view *state = view->state;
	struct timeline_job *job;

	if (state->timeline && state->paint_source) {
		job = timeline_job_new(view, JOB_PAINT);
		job->paint_source = paint_source_retain(state->paint_source);
		if (!timeline_is_of_two(state)) {
			job->own_name = xstrdup(view->run_name);
		}
		view_submit(view, &job->job);
	}
}

int
timeline_read_paint(struct timeline_job *job, struct job_worker *worker, struct err *err)
{
	const struct paint_source *source = job->paint_source;
	bool is_of_two = job->runs.path[0] != NULL;
	const char *const names[2] = {is_of_two ? job->runs.name[0] : job->own_name,
	                              is_of_two ? job->runs.name[1] : NULL};
	struct result *result = source->ops->load(source, worker, &job->job.cancel, err);
	struct drill drill = source->ops->drill(source);

	if (!result) {
		return err_wrap(err, "%s can't be painted", source->title);
	}
	job->paint = timeline_paint_new(job->timeline, names, source->title, &drill, result,
	                                &job->job.cancel);
	result_free(result);
	return job->paint ? 0 : cancel_check(&job->job.cancel, err);
}

static const struct paint_stretch *
selected_stretch(const struct view *view)
{
	const struct timeline_view *state = view->state;
	struct timeline_drawing drawing;

	if (!state->paint || state->list.n == 0) {
		return NULL;
	}
	drawing = timeline_drawing(state, view->area.width);
	return timeline_stretch_at(&drawing, state->list.selected, state->scale.cursor);
}

/* The first that begins at or behind the cursor on the selected lane, else on any. */
static void
take_first(struct view *view)
{
	const struct timeline_view *state = view->state;

	if (!selected_stretch(view) && state->focus.mark_end_ns < state->focus.mark_start_ns) {
		timeline_walk_paint(view, false);
	}
}

void
timeline_take_paint(struct view *view, struct timeline_job *job)
{
	struct timeline_view *state = view->state;

	timeline_paint_free(state->paint);
	state->paint = job->paint;
	job->paint = NULL;
	if (state->paint->n == 0) {
		view_say(view, "no row of %s lies on a lane of %s", state->paint_source->title,
		         timeline_is_of_two(state) ? "these runs" : "this run");
		timeline_drop_paint(view);
		return;
	}
	timeline_lay_lines(view);
	timeline_lay_area(view);
	timeline_ask_window(view);
	take_first(view);
}

void
timeline_drop_paint(struct view *view)
{
	struct timeline_view *state = view->state;

	timeline_paint_free(state->paint);
	paint_source_release(state->paint_source);
	state->paint = NULL;
	state->paint_source = NULL;
	state->hides_unpainted = false;
	timeline_lay_lines(view);
	timeline_lay_area(view);
	timeline_ask_window(view);
}

/* ---- from one to the next ---- */

static int64_t
start_of(const struct timeline_view *state, const struct paint_stretch *stretch)
{
	return timeline_is_of_two(state)
	           ? pair_axis_point(&state->axis, stretch->side, stretch->start_ns)
	           : stretch->start_ns;
}

/* The one that follows what is at the cursor, else the cursor's time; SIZE_MAX: none does. Of two
 * runs the order is the axis's, which by_time has for each run alone. */
static size_t
next_stretch(const struct view *view, bool is_backward)
{
	const struct timeline_view *state = view->state;
	const struct timeline_paint *paint = state->paint;
	const struct paint_stretch *here = selected_stretch(view);
	int64_t from =
	    here ? start_of(state, here) : timescale_time(&state->scale, state->scale.cursor);
	size_t at = here ? (size_t)(here - paint->stretches) : is_backward ? 0 : paint->n;
	size_t best = SIZE_MAX;
	int64_t best_start = 0;

	for (size_t i = 0; i < paint->n; i++) {
		size_t k = paint->by_time[i];
		int64_t start = start_of(state, &paint->stretches[k]);
		bool follows = is_backward
		                   ? start < from || (start == from && k < at)
		                   : start > from || (start == from && (here ? k > at : true));
		bool is_nearer =
		    best == SIZE_MAX ||
		    (is_backward ? start > best_start || (start == best_start && k > best)
		                 : start < best_start || (start == best_start && k < best));

		if (follows && is_nearer) {
			best = k;
			best_start = start;
		}
	}
	return best;
}

void
timeline_walk_paint(struct view *view, bool is_backward)
{
	struct timeline_view *state = view->state;
	const struct paint_stretch *stretch;
	size_t next;

	if (!state->paint) {
		view_say(view, "%s is still on its way", state->paint_source->title);
		return;
	}
	next = next_stretch(view, is_backward);
	if (next == SIZE_MAX) {
		view_say(view, "the %s stretch is reached", is_backward ? "first" : "last");
		return;
	}
	stretch = &state->paint->stretches[next];
	timeline_clear_span(state);
	state->has_panned = false;
	timeline_show_at(view, stretch->lane, 0, start_of(state, stretch), false);
}

bool
timeline_open_painted(struct view *view)
{
	const struct timeline_view *state = view->state;
	const struct paint_stretch *stretch = selected_stretch(view);

	if (!stretch) {
		return false;
	}
	state->paint_source->ops->open(state->paint_source, view, stretch->row);
	return true;
}

/* ---- drawing ---- */

/* "12", or "12 of 14 rows" where some rows lie on no lane. */
static void
add_count(const struct timeline_view *state, struct strbuf *line)
{
	const struct timeline_paint *paint = state->paint;
	char n[FORMAT_BYTES], all[FORMAT_BYTES];

	strbuf_printf(line, " %s", format_count(n, (int64_t)paint->n));
	if (paint->n < paint->n_rows) {
		strbuf_printf(line, " of %s rows", format_count(all, (int64_t)paint->n_rows));
	}
	strbuf_add_text(line, "  ");
}

void
timeline_draw_painted(const struct timeline_view *state, struct canvas *canvas, int y)
{
	static const char *const tail = "Enter its row, n N go on";
	struct timeline_drawing drawing = timeline_drawing(state, canvas->width);
	int x = 1 + canvas_puts(canvas, 1, y, STYLE_MATCH, "painted"), end;
	struct strbuf line = {0};

	if (!state->paint) {
		strbuf_printf(&line, " %s ...", state->paint_source->title);
		canvas_text(canvas, x, y, canvas->width - x, STYLE_MUTED, strbuf_slice(&line));
		strbuf_free(&line);
		return;
	}
	add_count(state, &line);
	x += canvas_text(canvas, x, y, canvas->width - x, STYLE_NORMAL, strbuf_slice(&line));
	strbuf_free(&line);
	end = canvas->width - 1 - (int)strlen(tail);
	x += timeline_draw_paint_legend(&drawing, canvas, x, y, canvas->width - 1);
	if (x < end) { /* what is painted is worth more */
		canvas_text(canvas, end, y, canvas->width - end, STYLE_MUTED, slice_of(tail));
	}
}
