/* The list of runs on the screen. Columns stand from the right; the name takes what is left. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "ui/lists/view_runs.h"
#include "util/format.h"
#include "util/mem.h"
#include "util/utf8.h"

#define NAME_AT 4 /* behind the selection's mark and A or B */

static const struct {
	const char *title;
	int width;     /* at most; formats and counts of lanes mostly take less */
	unsigned rank; /* the higher, the sooner it goes where names need the room */
} columns[] = {{"format", 10, 2}, {"started", 16, 5}, {"duration", 8, 1},
               {"lanes", 6, 6},   {"records", 7, 3},  {"problems", 8, 4}};
#define N_COLUMNS COUNT_OF(columns)
#define LEFT_ALIGNED 2 /* that many */
enum { FORMAT, STARTED };

static void
cell_text(const struct run_entry *run, size_t column, char out[FORMAT_BYTES])
{
	snprintf(out, FORMAT_BYTES, "-");
	switch (column) {
	case 0:
		snprintf(out, FORMAT_BYTES, "%s", run->info.format);
		break;
	case 1:
		if (run->info.has_date) {
			format_wall_time(out, run->info.date_ns);
			out[16] = '\0'; /* to the minute */
		}
		break;
	case 2:
		if (run->info.duration_ns > 0) {
			format_duration(out, run->info.duration_ns);
		}
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
		}
	}
}

#define MAX_GAP 16    /* between the longest name and its figures */
#define NAME_LEAST 14 /* of a long name, before a column goes */
#define DATE_COLUMNS 10

/* Columns of a rank above `rank` are left out. */
struct runs_layout {
	unsigned rank;
	int at; /* where the first begins */
	int widths[N_COLUMNS];
};

/* How wide a column is where there is room for all. */
static int
natural_width(const struct runs *runs, size_t column)
{
	int width = (int)strlen(columns[column].title);

	for (size_t i = 0; i < runs->list.n; i++) {
		const struct runs_row *row = &runs->rows[i];
		char text[FORMAT_BYTES] = "";
		int needed;

		if (row->run && !row->run->error) {
			cell_text(row->run, column, text);
		} else if (!row->run && column == FORMAT) {
			snprintf(text, sizeof text, "%s", runs->states[row->import].format);
		}
		needed = (int)utf8_columns(slice_of(text));
		width = needed > width ? needed : width;
	}
	return width < columns[column].width ? width : columns[column].width;
}

static int
first_at(const struct runs_layout *layout, int width)
{
	for (size_t i = 0; i < N_COLUMNS; i++) {
		width -= columns[i].rank <= layout->rank ? layout->widths[i] + 2 : 0;
	}
	return width;
}

static struct runs_layout
layout_of(const struct runs *runs, int width)
{
	struct runs_layout layout = {.rank = N_COLUMNS};
	int longest = 8;

	for (size_t i = 0; i < runs->list.n; i++) {
		const struct runs_row *row = &runs->rows[i];
		const char *name = !row->run         ? runs->states[row->import].name
		                   : row->run->error ? ""
		                   : row->shows_path ? row->run->path
		                                     : row->run->info.name;
		int columns_needed = (int)utf8_columns(slice_of(name));

		longest = columns_needed > longest ? columns_needed : longest;
	}
	for (size_t i = 0; i < N_COLUMNS; i++) {
		layout.widths[i] = natural_width(runs, i);
	}
	longest = longest > width / 3 ? width / 3 : longest;
	layout.at = first_at(&layout, width);
	if (layout.at < NAME_AT + longest + 2 && layout.widths[STARTED] > DATE_COLUMNS) {
		int full =
		    layout.widths[STARTED]; /* the day is enough, if that keeps all columns */

		layout.widths[STARTED] = DATE_COLUMNS;
		layout.at = first_at(&layout, width);
		if (layout.at < NAME_AT + (longest < NAME_LEAST ? longest : NAME_LEAST) + 2) {
			layout.widths[STARTED] = full;
		} else {
			longest = layout.at - NAME_AT - 2;
		}
	}
	while (layout.rank > 0 && (layout.at = first_at(&layout, width)) < NAME_AT + longest + 2) {
		layout.rank--;
	}
	if (layout.at > NAME_AT + longest + MAX_GAP) { /* the eye loses the row */
		layout.at = NAME_AT + longest + MAX_GAP;
	}
	return layout;
}

/* The cells of a run; NULL: the titles. */
static void
draw_cells(const struct run_entry *run, const struct runs_layout *layout, struct canvas *canvas,
           int y)
{
	cell_style style = run ? STYLE_NORMAL : STYLE_HEADER;
	int x = layout->at;

	for (size_t i = 0; i < N_COLUMNS; i++) {
		struct slice cell = slice_of(columns[i].title);
		char text[FORMAT_BYTES];

		if (columns[i].rank > layout->rank) {
			continue;
		}
		if (run) {
			cell_text(run, i, text);
			cell = slice_of(text);
		}
		if (i < LEFT_ALIGNED) {
			canvas_text(canvas, x, y, layout->widths[i], style, cell);
		} else {
			canvas_text_right(canvas, x, y, layout->widths[i], style, cell);
		}
		x += layout->widths[i] + 2;
	}
}

/* The error without the path, which stands beside it. */
static struct slice
reason_of(const struct run_entry *run)
{
	struct slice error = slice_of(run->error);
	size_t n = strlen(run->path);

	if (error.len > n + 2 && memcmp(error.ptr, run->path, n) == 0 &&
	    memcmp(error.ptr + n, ": ", 2) == 0) {
		error = (struct slice){error.ptr + n + 2, error.len - n - 2};
	}
	return error;
}

static void
draw_run(const struct runs_row *row, const struct runs_layout *layout, struct canvas *canvas,
         struct area area, int y)
{
	const struct run_entry *run = row->run;
	int x = layout->at, used;

	if (run->error) {
		used = canvas_text_middle(canvas, NAME_AT, y, area.width / 3, STYLE_NORMAL,
		                          slice_of(run->path));
		canvas_text_cut(canvas, NAME_AT + used + 2, y, area.width - NAME_AT - used - 3,
		                STYLE_ERROR, reason_of(run));
		return;
	}
	canvas_text_middle(canvas, NAME_AT, y, x - NAME_AT - 1, STYLE_NORMAL,
	                   slice_of(row->shows_path ? run->path : run->info.name));
	draw_cells(run, layout, canvas, y);
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
#define PROGRESS_COLUMNS 26

static void
draw_import(const struct ui_import *import, const struct runs_layout *layout, struct canvas *canvas,
            struct area area, int y)
{
	static const char *const words[] = {"waiting", "importing", "finishing",
	                                    "opening", "failed",    "stopped"};
	int x = layout->at;
	struct strbuf text = {0};
	int room, bar;

	canvas_text_middle(canvas, NAME_AT, y, x - NAME_AT - 1, STYLE_NORMAL,
	                   slice_of(import->name));
	canvas_text(canvas, x, y, layout->widths[FORMAT], STYLE_NORMAL, slice_of(import->format));
	x += layout->widths[FORMAT] + 2;
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
		bar = room - PROGRESS_COLUMNS - 1; /* the same whatever stands behind it */
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
runs_draw_row(const struct view *view, struct canvas *canvas, size_t i, int y, const void *how)
{
	const struct runs *runs = view->state;
	const struct runs_row *row = &runs->rows[i];

	if (row->run) {
		draw_run(row, how, canvas, view->area, y);
		draw_mark(view, row->run->path, canvas, y);
	} else {
		draw_import(&runs->states[row->import], how, canvas, view->area, y);
	}
}

void
runs_draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct runs *runs = view->state;
	struct runs_layout layout = layout_of(runs, area.width);

	canvas_puts(canvas, NAME_AT, area.y, STYLE_HEADER, "run");
	draw_cells(NULL, &layout, canvas, area.y);
	if (runs->found && runs->list.n == 0) {
		canvas_puts(canvas, NAME_AT, area.y + 2, STYLE_NORMAL,
		            "No run files (*.lanes) here. Make one:  lanescope import TRACE...");
		canvas_puts(canvas, NAME_AT, area.y + 3, STYLE_NORMAL,
		            "or look at examples:  lanescope demo");
	}
	view_list_draw(view, canvas, &layout);
}
