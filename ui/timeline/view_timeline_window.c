/*
 * Which window is shown: what the view was opened for in its surroundings, a fit to what is
 * selected or to where things happen, and the way back through the windows before.
 */
#include "config.h"

#include "ui/timeline/view_timeline.h"

#include "util/format.h"
#include "util/intervals.h"
#include "util/order.h"

/* ---- back ---- */

void
timeline_keep_window(struct timeline_view *state, const struct timescale *before)
{
	int n = state->n_back;

	if (timescale_same_window(before, &state->scale) ||
	    (n > 0 && timescale_same_window(before, &state->back[n - 1]))) {
		return;
	}
	if (n == WINDOWS_BACK) {
		for (int i = 1; i < n; i++) {
			state->back[i - 1] = state->back[i];
		}
		n--;
	}
	state->back[n] = *before;
	state->n_back = n + 1;
}

void
timeline_window_back(struct view *view)
{
	struct timeline_view *state = view->state;
	struct timescale *scale = &state->scale, last;

	while (state->n_back > 0 && timescale_same_window(&state->back[state->n_back - 1], scale)) {
		state->n_back--;
	}
	if (state->n_back == 0) {
		view_say(view, "there was no window before this one");
		return;
	}
	last = state->back[--state->n_back];
	if (last.columns == scale->columns) {
		*scale = last;
		state->fits = scale->cell_ns >= timescale_fit_ns(scale);
		state->n_zooms = 0;
		timeline_ask_window(view);
	} else {
		timeline_show_window(view, last.start_ns, timescale_time(&last, last.columns));
	}
	timeline_cursor_moved(view);
}

/* ---- fit ---- */

static void
timeline_show_core(struct view *view)
{
	struct timeline_view *state = view->state;

	if (timeline_core_is_whole(&state->core)) {
		timeline_show_window(view, 0, state->scale.duration_ns);
		state->fits = true;
		return;
	}
	int64_t margin = time_sub(state->core.end_ns, state->core.start_ns) / 50;

	timeline_show_window(view, MOST(time_sub(state->core.start_ns, margin), 0),
	                     LEAST(time_add(state->core.end_ns, margin), state->scale.duration_ns));
	state->fits = false;
}

static void
add_outside(struct strbuf *out, int64_t n, int64_t far_ns, const char *where)
{
	char count[FORMAT_BYTES], far[FORMAT_BYTES];

	if (n > 0) {
		strbuf_printf(out, "%s%s span%s %s %s outside", out->len > 0 ? ", " : "",
		              format_count(count, n), n == 1 ? "" : "s",
		              format_duration(far, far_ns), where);
	}
}

static void
timeline_say_outside(struct view *view)
{
	const struct timeline_view *state = view->state;
	struct strbuf text = {0};

	add_outside(&text, state->core.n_before, state->core.before_ns, "earlier");
	add_outside(&text, state->core.n_after, state->core.after_ns, "later");
	if (text.len > 0) {
		view_say(view, "%s: f shows the whole run", text.data);
	}
	strbuf_free(&text);
}

/* What f fits to: what is selected, where things happen, all of the run; each once, in turn. */
void
timeline_fit(struct view *view)
{
	struct timeline_view *state = view->state;
	struct timescale *scale = &state->scale, before = *scale;
	int64_t at = timescale_time(scale, scale->cursor), start, end, margin;
	bool is_range = state->range == RANGE_CLOSED;

	if (state->fitted == FITTED_NOT && (is_range || state->selected.id > 0)) {
		start = is_range ? state->range_start : state->selected.start_ns;
		end = is_range ? state->range_end : time_add(start, state->selected.duration_ns);
		margin = time_sub(end, start) / 10;
		timeline_show_window(view, start > margin ? start - margin : 0,
		                     time_add(end, margin));
		timescale_show(scale, start, timescale_column(scale, start));
		state->fitted = FITTED_SELECTION;
	} else if (state->fitted != FITTED_CORE && !timeline_core_is_whole(&state->core)) {
		timeline_show_core(view);
		state->fitted = FITTED_CORE;
		timeline_say_outside(view);
	} else {
		timeline_show_window(view, 0, scale->duration_ns);
		state->fits = true;
		timescale_show(scale, at, timescale_column(scale, at));
		state->fitted = FITTED_NOT;
	}
	timeline_keep_window(state, &before);
}

/* ---- the first one ---- */

void
timeline_begin_window(struct view *view, const struct timeline_job *job)
{
	struct timeline_view *state = view->state;
	const struct focus *focus = &state->focus;
	int64_t from = focus->start_ns, to = focus->end_ns;

	timeline_show_core(view);
	state->fitted = timeline_core_is_whole(&state->core) ? FITTED_NOT : FITTED_CORE;
	if (job->has_near && (to <= from || !(timeline_is_of_two(state) || focus->keeps_window))) {
		timeline_surround(&job->near, &from, &to);
	} else if (focus->mark_end_ns > focus->mark_start_ns) { /* half as much on both sides */
		int64_t margin = time_sub(focus->mark_end_ns, focus->mark_start_ns) / 2;

		from = MOST(time_sub(focus->mark_start_ns, margin), 0);
		to = time_add(focus->mark_end_ns, margin);
	}
	if (to > from) {
		timeline_show_window(view, from, to);
		state->fitted = FITTED_NOT;
	} else {
		timeline_say_outside(view);
	}
	state->n_back = 0;
}

/* ---- nothing in it ---- */

/* Of any run. */
static bool
is_busy(const struct timeline_window *strips, int64_t cell)
{
	for (size_t line = 0; line < strips->n_lines; line++) {
		const struct timeline_value *values = strips->tracks[line].values;

		if (values && values[cell].is_known && values[cell].high > 0) {
			return true;
		}
	}
	return false;
}

/* The nearest time at which any lane was busy, from a time on or before it; -1: none is. */
static int64_t
nearest_busy(const struct timeline_view *state, int64_t at_ns, bool is_before)
{
	const struct timeline_window *strip = state->minimap;
	int64_t first = strip && strip->cell_ns > 0 ? at_ns / strip->cell_ns : 0;

	for (int64_t i = first + !is_before; strip && i >= 0 && i < strip->n_cells;
	     i += is_before ? -1 : 1) {
		if (is_busy(strip, i)) {
			return is_before ? time_add(strip->start_ns, (i + 1) * strip->cell_ns)
			                 : time_add(strip->start_ns, i * strip->cell_ns);
		}
	}
	return -1;
}

bool
timeline_tell_empty(const struct timeline_view *state, struct strbuf *out)
{
	char text[FORMAT_BYTES];
	int64_t start = state->scale.start_ns, before, after;

	if (!timeline_window_is_current(state) || !timeline_window_is_empty(state->window)) {
		return false;
	}
	if (state->filters.n > 0) {
		strbuf_add_text(out, "no span that passes the filter is here: \\ drops it");
		return true;
	}
	before = nearest_busy(state, start, true);
	after = nearest_busy(state, timescale_time(&state->scale, state->scale.columns), false);
	before = before >= 0 ? MOST(time_sub(start, before), 0) : -1;
	after = after >= 0 ? MOST(time_sub(after, start), 0) : -1;
	if (state->window->is_filtered && before < 0 && after < 0) {
		strbuf_add_text(out, "nothing of the run is in scope (- drops a word)");
		return true;
	}
	strbuf_add_text(out,
	                state->window->is_filtered ? "nothing in scope is here" : "nothing here");
	if (before >= 0) {
		strbuf_printf(out, "; busy %s before", format_duration(text, before));
	}
	if (after >= 0) {
		strbuf_printf(out, "%s %s after", before >= 0 ? "," : "; busy",
		              format_duration(text, after));
	}
	strbuf_add_text(out, state->n_back > 0 ? " (b goes back)" : " (f shows all)");
	return true;
}
