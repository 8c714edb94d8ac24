/*
 * What is marked: the spans of one filter, which a row of a table has led here with or a search has
 * made. They are drawn in full, the others dimmed, in a window of their own; lanes without any are
 * folded away; n and N go from one to the next, in order of time across all lanes.
 */
#include "config.h"

#include "ui/timeline/view_timeline.h"

#include <stdlib.h>
#include <string.h>

#include "query/spans/span_filter.h"
#include "util/format.h"
#include "util/mem.h"
#include "util/utf8.h"

void
timeline_mark(struct view *view, char *filter)
{
	struct timeline_view *state = view->state;
	bool was_known = state->hits.found.by_lane;

	free(state->hits.filter);
	state->hits.filter = filter;
	timeline_window_free(state->hits.window);
	state->hits.window = NULL;
	timeline_hits_fini(&state->hits.found);
	state->hits.shows_others = false;
	state->number.n = 0;
	if (!filter) {
		strbuf_clear(&state->search);
	}
	if (!state->timeline) {
		return;
	}
	if (was_known) {
		timeline_lay_lines(view);
	}
	timeline_lay_area(view);
	timeline_ask_window(view);
	timeline_ask_hits(view);
}

void
timeline_mark_names(struct view *view, const char *text)
{
	struct strbuf filter = {0};

	span_filter_add_name(&filter, text);
	timeline_mark(view, strbuf_take(&filter));
}

char *
timeline_all_conditions(const struct timeline_view *state)
{
	char *all = filter_stack_all(&state->filters);
	struct strbuf both = {0};

	if (!state->hits.filter || !all) {
		free(state->hits.filter ? all : NULL);
		return state->hits.filter ? xstrdup(state->hits.filter) : all;
	}
	strbuf_printf(&both, "(%s) AND (%s)", all, state->hits.filter);
	free(all);
	return strbuf_take(&both);
}

void
timeline_ask_hits(struct view *view)
{
	struct timeline_view *state = view->state;

	if (state->timeline && state->hits.filter) {
		view_submit(view, &timeline_job_new(view, JOB_HITS)->job);
	}
}

void
timeline_take_hits(struct view *view, struct timeline_job *job)
{
	struct timeline_view *state = view->state;

	if (job->refused.code != ERR_NONE) {
		view_fail(view, job->refused.message);
		timeline_mark(view, NULL);
		return;
	}
	timeline_hits_fini(&state->hits.found);
	state->hits.found = job->found;
	job->found = (struct timeline_hits){0};
	if (state->focus_number && state->hits.found.n > 0) {
		state->number = (struct span_number){1, state->hits.found.n};
	}
	state->focus_number = false;
	timeline_lay_lines(view);
	timeline_ask_window(view);
}

bool
timeline_marks(const struct timeline_view *state)
{
	return state->hits.filter && (!state->hits.found.by_lane || state->hits.found.n > 0);
}

/* Lanes that are folded away since they hold none. */
static size_t
folded_lanes(const struct timeline_view *state)
{
	size_t n = 0;

	for (size_t i = 0; i < state->timeline->n_rows; i++) {
		n += timeline_row_is_lane(&state->timeline->rows[i]) && state->is_hidden[i];
	}
	return n;
}

/* What is marked: a name as it was typed, else the filter. */
static void
add_condition(const struct timeline_view *state, struct strbuf *line)
{
	if (state->search.len > 0) {
		strbuf_printf(line, "'%s' in the name", state->search.data);
	} else {
		strbuf_add_text(line, state->hits.filter);
	}
}

char *
timeline_marked_text(const struct timeline_view *state)
{
	struct strbuf text = {0};

	if (state->hits.found.by_lane) {
		timeline_hits_say(&state->hits.found, timeline_is_of_two(state), &text);
		strbuf_add_text(&text, ": ");
	}
	add_condition(state, &text);
	return strbuf_take(&text);
}

void
timeline_draw_marked(const struct timeline_view *state, struct canvas *canvas, int y)
{
	const struct timeline_hits *found = &state->hits.found;
	char n[FORMAT_BYTES], nth[FORMAT_BYTES];
	struct strbuf line = {0}, what = {0}, tail = {0};
	size_t folded = folded_lanes(state);
	int x = 1, room;

	add_condition(state, &what);
	if (found->by_lane) {
		strbuf_add_char(&line, ' ');
		timeline_hits_say(found, timeline_is_of_two(state), &line);
	}
	if (found->by_lane && state->number.n > 0) {
		strbuf_printf(&line, ", here %s", format_count(nth, state->number.nth));
	}
	strbuf_add_text(&line, ": ");
	if (found->by_lane && found->n == 0) {
		strbuf_add_text(&tail, "   Esc drops it");
	} else if (folded > 0) {
		strbuf_printf(&tail, "   I opens %s lane%s without",
		              format_count(n, (int64_t)folded), folded == 1 ? "" : "s");
	} else {
		strbuf_add_text(&tail, "   n N go on");
	}
	x += canvas_puts(canvas, x, y, STYLE_MATCH, "marked");
	x += canvas_text(canvas, x, y, canvas->width - x, STYLE_NORMAL, strbuf_slice(&line));
	room = canvas->width - 1 - x - (int)utf8_columns(strbuf_slice(&tail));
	x += canvas_text_cut(canvas, x, y, room > 8 ? room : 8, STYLE_NORMAL, strbuf_slice(&what));
	canvas_text(canvas, x, y, canvas->width - x, STYLE_MUTED, strbuf_slice(&tail));
	strbuf_free(&line);
	strbuf_free(&what);
	strbuf_free(&tail);
}
