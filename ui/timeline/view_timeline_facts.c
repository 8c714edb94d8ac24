/*
 * What stands at the bottom: the span under the cursor, else its cell; below, in one row or as many
 * as are free, the filters and what else is known of it, or of the range. Facts are told apart by
 * two blanks, and rows end there.
 */
#include "config.h"

#include <inttypes.h>

#include "query/timeline/timeline_alike.h"
#include "ui/timeline/view_timeline.h"
#include "util/format.h"
#include "util/utf8.h"

static void
add_text(struct strbuf *line, const char *before, struct slice text)
{
	if (text.len > 0) {
		strbuf_printf(line, "  %s%.*s", before, (int)(text.len < 4096 ? text.len : 4096),
		              text.ptr);
	}
}

/* Long names would push everything else off the screen. */
static void
add_name(struct strbuf *line, struct slice name, int columns)
{
	struct slice shown = utf8_clip(name, columns > 10 ? (size_t)columns : 10);

	strbuf_add_slice(line, shown);
	if (shown.len < name.len) {
		strbuf_add_text(line, "~");
	}
}

/* What a record says of the calls that it stands for. */
static void
add_calls(const struct span_row *span, struct strbuf *line)
{
	char calls[FORMAT_BYTES], sum[FORMAT_BYTES], density[FORMAT_BYTES];

	strbuf_printf(line, "  %s calls, sum %s", format_count(calls, span->calls),
	              format_duration(sum, span->call_sum_ns));
	if (span->duration_ns > 0) {
		strbuf_printf(
		    line, ", density %s",
		    format_percent(density, (double)span->call_sum_ns / (double)span->duration_ns));
	}
}

/* Why the selected row is odd among its likes. */
static void
add_odd(const struct timeline_view *state, struct strbuf *more)
{
	const struct timeline_odd *odd = timeline_selected_row(state)->odd;
	char n[FORMAT_BYTES];

	if (odd) {
		strbuf_printf(more, "  odd beside %s alike: ", format_count(n, odd->n_alike));
		timeline_odd_say(odd, more);
	}
}

static void
add_span(const struct timeline_view *state, struct strbuf *line, struct strbuf *more, int width)
{
	const struct span_detail *detail = state->detail;
	const struct span_row *span = &detail->span;
	char start[FORMAT_BYTES], duration[FORMAT_BYTES], self[FORMAT_BYTES];

	add_name(line, detail->name, width / 2 - 8);
	strbuf_add_text(line, "  ");
	add_name(line, detail->lane, width / 4 - 2);
	strbuf_printf(line, "  at %s  %s %s",
	              format_position(start, span->start_ns, timescale_apart_ns(&state->scale)),
	              span->calls > 1 ? "interval" : "lasts",
	              format_duration(duration, span->duration_ns));
	if (span->calls > 1) {
		add_calls(span, line);
	} else if (span->self_ns != span->duration_ns) {
		strbuf_printf(line, "  self %s", format_duration(self, span->self_ns));
	}
	if (span->depth > 0) {
		strbuf_printf(line, "  depth %" PRId64, span->depth);
	}
	add_odd(state, more);
	timeline_add_partner(state, more);
	if (detail->n_inputs > 0 || detail->n_outputs > 0) {
		strbuf_printf(more, "  inputs %" PRId64 "  outputs %" PRId64, detail->n_inputs,
		              detail->n_outputs);
	}
	add_text(more, "", detail->task);
	add_text(more, "category ", detail->category);
	add_text(more, "", detail->path);
	if (span->size_bytes != SIZE_NONE) {
		strbuf_printf(more, "  %s", format_size(self, span->size_bytes));
	}
	add_text(more, "", detail->arguments);
}

static void
add_cell(const struct timeline_view *state, struct strbuf *line, struct strbuf *more, int width)
{
	const struct timeline_row *row = timeline_selected_row(state);
	const struct timeline_window *window = state->window;
	size_t at = window ? timeline_window_line(window, *timeline_selected_line(state)) : 0;
	int64_t time = timescale_time(&state->scale, state->scale.cursor);
	int64_t own_time = timeline_own_time(state, time);
	const struct tile_cell *cell;
	char text[FORMAT_BYTES];

	add_name(line, row->name, width / 3);
	add_odd(state, more);
	strbuf_printf(
	    line, "  at %s",
	    format_position(text, own_time > 0 ? own_time : 0, timescale_apart_ns(&state->scale)));
	strbuf_printf(line, "  %s a cell", format_duration(text, state->scale.cell_ns));
	if (!window || at >= window->n_lines) {
		return;
	}
	if (window->tracks[at].values) {
		int64_t i = (time - window->start_ns) / window->cell_ns;
		const struct timeline_value *value;

		if (time < window->start_ns || i >= window->n_cells) {
			return;
		}
		value = &window->tracks[at].values[i];
		if (value->is_known && value->low < value->high) {
			strbuf_printf(line, "  %.6g .. %.6g", value->low, value->high);
		} else if (value->is_known) {
			strbuf_printf(line, "  %.6g", value->high);
		}
		strbuf_printf(more, "  in the run %.6g .. %.6g",
		              row->type == TIMELINE_SUM ? 0 : row->low, window->tracks[at].high);
		return;
	}
	cell = timeline_window_cell(window, at, time);
	if (!cell) {
		return;
	}
	if (cell->density_ns > 0) {
		char sum[FORMAT_BYTES];
		strbuf_printf(line, "  calls' sum %s", format_duration(sum, cell->density_ns));
		if (row->type == TIMELINE_LANE) {
			strbuf_printf(line, ", density %s",
			              format_percent(text, (double)cell->density_ns /
			                                       (double)window->cell_ns));
		}
	}
	const char *about = window->tracks[at].is_about ? "about " : "";
	strbuf_printf(
	    line, "  busy %s%s",
	    row->kind == LANE_AGGREGATE && row->type == TIMELINE_LANE ? "at most " : about,
	    format_percent(text, timeline_share(&window->tracks[at], cell, window->cell_ns)));
	strbuf_printf(line, "  starts %s%s", about, format_count(text, cell->count));
	for (uint32_t i = 0; i < cell->n_categories && i < 4 && row->type == TIMELINE_LANE; i++) {
		uint32_t rank = cell->categories[i].category;

		add_text(more, "",
		         rank < state->colours->n ? state->colours->labels[rank]
		                                  : slice_of("other"));
		strbuf_printf(more, " %s", format_duration(text, cell->categories[i].ns));
	}
}

static void
add_range(const struct timeline_view *state, struct strbuf *more)
{
	const struct range_facts *facts = &state->facts;
	char length[FORMAT_BYTES], busy[FORMAT_BYTES], n[FORMAT_BYTES], low[FORMAT_BYTES];
	char mean[FORMAT_BYTES], high[FORMAT_BYTES];

	strbuf_printf(more, "  range %s",
	              format_duration(length, state->range_end - state->range_start));
	if (!state->has_facts) {
		return;
	}
	bool is_summed = facts->n_calls > facts->n;

	strbuf_printf(more, "  busy %s%s%s  spans %s", is_summed ? "at most " : "",
	              facts->is_about ? "about " : "", format_duration(busy, facts->busy_ns),
	              format_count(n, facts->n));
	if (is_summed) {
		strbuf_printf(more, " of %s calls", format_count(n, facts->n_calls));
	}
	if (facts->n > 0 && facts->has_no_range) {
		strbuf_printf(more, ": mean %s", format_duration(mean, (int64_t)facts->mean_ns));
	} else if (facts->n > 0) {
		strbuf_printf(more, ": %s .. %s, mean %s", format_duration(low, facts->min_ns),
		              format_duration(high, facts->max_ns),
		              format_duration(mean, (int64_t)facts->mean_ns));
	}
}

/* How much of the text one row takes: to the last gap that fits, else as much as fits. */
static size_t
row_bytes(struct slice text, int columns)
{
	struct slice fits = utf8_clip(text, (size_t)columns);

	if (fits.len == text.len) {
		return text.len;
	}
	for (size_t n = fits.len; n > 0; n--) {
		if (text.ptr[n] == ' ' && text.ptr[n - 1] == ' ') {
			return n - 1;
		}
	}
	return fits.len;
}

/* In as many rows as it needs of those there are; returns how many. */
static int
draw_wrapped(struct canvas *canvas, int y, int rows, cell_style style, struct slice text)
{
	int columns = canvas->width - 2, row = 0;

	for (; row < rows && columns > 0 && text.len > 0; row++) {
		size_t n = row == rows - 1 ? text.len : row_bytes(text, columns);

		canvas_text_cut(canvas, 1, y + row, columns, style, (struct slice){text.ptr, n});
		while (n < text.len && text.ptr[n] == ' ') {
			n++;
		}
		text = slice_from(text, n);
	}
	return row;
}

void
timeline_draw_facts(const struct timeline_view *state, struct canvas *canvas, int y, int rows)
{
	struct strbuf line = {0}, more = {0};
	int used;

	if (!timeline_selected_row(state)) {
		return;
	}
	if (timeline_is_of_two(state)) {
		strbuf_printf(&line, "%s %s  ", timeline_side(state) ? "B" : "A",
		              state->runs.name[timeline_side(state)]);
	}
	if (state->detail && state->selected.id > 0 &&
	    timeline_selected_row(state)->type == TIMELINE_LANE) {
		add_span(state, &line, &more, canvas->width);
	} else {
		add_cell(state, &line, &more, canvas->width);
	}
	if (state->range != RANGE_NONE) {
		strbuf_clear(&more);
		add_range(state, &more);
	} else if (state->filters.n > 0) {
		struct strbuf all = {0};

		strbuf_add_text(&all, "  ");
		filter_stack_show(&state->filters, &all);
		strbuf_add(&all, more.data, more.len);
		strbuf_free(&more);
		more = all;
	}
	used = draw_wrapped(canvas, y, rows - 1, STYLE_NORMAL, strbuf_slice(&line));
	if (more.len > 2) {
		(void)draw_wrapped(canvas, y + used, rows - used, STYLE_MUTED,
		                   slice_from(strbuf_slice(&more), 2));
	}
	strbuf_free(&line);
	strbuf_free(&more);
}
