/* The list of runs on the screen. Columns stand from the right; the name takes what is left. */
#include "config.h"

#include <stdio.h>

#include "ui/runs.h"
#include "util/format.h"
#include "util/utf8.h"

#define NAME_AT 4 /* behind the selection's mark and A or B */

static const struct {
	const char *title;
	int width;
	int needs; /* columns of the screen; the least telling ones go first */
} columns[] = {{"format", 10, 40}, {"started", 16, 78}, {"duration", 8, 30},
               {"lanes", 6, 60},   {"records", 7, 50},  {"problems", 8, 68}};
#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))
#define LEFT_ALIGNED 2 /* that many */

static void
cell_text(const struct run_entry *run, size_t column, char out[FORMAT_BYTES])
{
	bool has_clock = slice_is(slice_of(run->info.clock), "wall");

	switch (column) {
	case 0:
		snprintf(out, FORMAT_BYTES, "%s", run->info.format);
		break;
	case 1:
		if (has_clock) {
			format_wall_time(out, run->info.start_ns);
			out[16] = '\0'; /* to the minute */
		} else {
			snprintf(out, FORMAT_BYTES, "-");
		}
		break;
	case 2:
		format_duration(out, run->info.duration_ns);
		break;
	case 3:
		format_count(out, run->info.n_lanes);
		break;
	case 4:
		format_count(out, run->info.n_records);
		break;
	default:
		if (run->info.n_problems > 0) {
			format_count(out, run->info.n_problems);
		} else {
			snprintf(out, FORMAT_BYTES, "-");
		}
	}
}

/* How much of the screen the columns take. */
static int
columns_width(int width)
{
	int sum = 0;

	for (size_t i = 0; i < N_COLUMNS; i++) {
		sum += width >= columns[i].needs ? columns[i].width + 2 : 0;
	}
	return sum;
}

static void
draw_header(struct canvas *canvas, struct area area)
{
	int x = area.width - columns_width(area.width);

	canvas_puts(canvas, NAME_AT, area.y, STYLE_HEADER, "run");
	for (size_t i = 0; i < N_COLUMNS; i++) {
		struct slice title = slice_of(columns[i].title);

		if (area.width < columns[i].needs) {
			continue;
		}
		if (i < LEFT_ALIGNED) {
			canvas_text(canvas, x, area.y, columns[i].width, STYLE_HEADER, title);
		} else {
			canvas_text_right(canvas, x, area.y, columns[i].width, STYLE_HEADER, title);
		}
		x += columns[i].width + 2;
	}
}

static void
draw_run(const struct runs_row *row, struct canvas *canvas, struct area area, int y)
{
	const struct run_entry *run = row->run;
	int x = area.width - columns_width(area.width);
	int used;

	if (run->error) {
		used = canvas_text_middle(canvas, NAME_AT, y, area.width / 3, STYLE_NORMAL,
		                          slice_of(run->path));
		canvas_text(canvas, NAME_AT + used + 2, y, area.width - NAME_AT - used - 3,
		            STYLE_ERROR, slice_of(run->error));
		return;
	}
	canvas_text_middle(canvas, NAME_AT, y, x - NAME_AT - 1, STYLE_NORMAL,
	                   slice_of(row->shows_path ? run->path : run->info.name));
	for (size_t i = 0; i < N_COLUMNS; i++) {
		char text[FORMAT_BYTES];

		if (area.width < columns[i].needs) {
			continue;
		}
		cell_text(run, i, text);
		if (i < LEFT_ALIGNED) {
			canvas_text(canvas, x, y, columns[i].width, STYLE_NORMAL, slice_of(text));
		} else {
			canvas_text_right(canvas, x, y, columns[i].width, STYLE_NORMAL,
			                  slice_of(text));
		}
		x += columns[i].width + 2;
	}
}

/* "61 %  4.1 M/s  2 s left" */
static void
add_progress(const struct ui_import *import, struct strbuf *out)
{
	char text[FORMAT_BYTES];

	if (import->progress >= 0) {
		strbuf_printf(out, "%3.0f %%", import->progress * 100);
	} else {
		strbuf_printf(out, "%s records", format_count(text, import->records));
	}
	if (import->records_per_second >= 0) {
		strbuf_printf(out, "  %s/s", format_count(text, import->records_per_second));
	}
	if (import->seconds_left >= 0) {
		strbuf_printf(out, "  %lld s left", (long long)import->seconds_left);
	}
}

#define STATE_COLUMNS 11
#define BAR_LIMIT 24

static void
draw_import(const struct ui_import *import, struct canvas *canvas, struct area area, int y)
{
	static const char *const words[] = {"waiting", "importing", "finishing",
	                                    "opening", "failed",    "stopped"};
	int x = area.width - columns_width(area.width);
	struct strbuf text = {0};
	int room, bar;

	canvas_text_middle(canvas, NAME_AT, y, x - NAME_AT - 1, STYLE_NORMAL,
	                   slice_of(import->name));
	canvas_text(canvas, x, y, columns[0].width, STYLE_NORMAL, slice_of(import->format));
	x += columns[0].width + 2;
	canvas_puts(canvas, x, y, import->state == IMPORT_FAILED ? STYLE_ERROR : STYLE_MUTED,
	            words[import->state]);
	x += STATE_COLUMNS;
	room = area.width - x - 1;
	if (import->state == IMPORT_FAILED) {
		canvas_text(canvas, x, y, room, STYLE_ERROR, slice_of(import->err.message));
	} else if (import->state == IMPORT_STOPPED) {
		canvas_text(canvas, x, y, room, STYLE_MUTED, slice_of("R begins again"));
	} else if (import->state == IMPORT_READING) {
		add_progress(import, &text);
		bar = room - (int)utf8_columns(strbuf_slice(&text)) - 2;
		bar = bar > BAR_LIMIT ? BAR_LIMIT : bar;
		if (import->progress >= 0 && bar > 3) {
			canvas_bar(canvas, x, y, bar, (int64_t)(import->progress * bar * 8),
			           STYLE_BAR);
			x += bar + 1;
			room -= bar + 1;
		}
		canvas_text(canvas, x, y, room, STYLE_NORMAL, strbuf_slice(&text));
	}
	strbuf_free(&text);
}

static void
draw_mark(const struct view *view, const char *path, struct canvas *canvas, int y)
{
	for (int side = 0; side < 2; side++) {
		const char *marked = app_marked_path(view->app, side);

		if (marked && strcmp(marked, path) == 0) {
			canvas_puts(canvas, 2, y, (side == 0 ? STYLE_A : STYLE_B) | STYLE_BOLD,
			            side == 0 ? "A" : "B");
		}
	}
}

void
runs_draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct runs *runs = view->state;

	draw_header(canvas, area);
	if (runs->found && runs->list.n == 0) {
		canvas_puts(canvas, NAME_AT, area.y + 2, STYLE_NORMAL,
		            "No run files (*.lanes) here. Make one:  lanescope import TRACE...");
		canvas_puts(canvas, NAME_AT, area.y + 3, STYLE_NORMAL,
		            "or look at examples:  lanescope demo");
	}
	for (int i = 0; i + 1 < area.height && runs->list.top + (size_t)i < runs->list.n; i++) {
		size_t at = runs->list.top + (size_t)i;
		const struct runs_row *row = &runs->rows[at];
		int y = area.y + 1 + i;

		if (row->run) {
			draw_run(row, canvas, area, y);
			draw_mark(view, row->run->path, canvas, y);
		} else {
			draw_import(&runs->states[row->import], canvas, area, y);
		}
		if (at == runs->list.selected) {
			canvas_puts(canvas, 0, y, STYLE_KEY, ">");
			canvas_attribute(canvas, 0, y, area.width, STYLE_REVERSE);
			canvas->cursor_x = 0;
			canvas->cursor_y = y;
		}
	}
}
