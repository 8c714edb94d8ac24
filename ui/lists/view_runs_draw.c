/* The list of runs on the screen. Columns stand from the right; the name takes what is left. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "ui/base/facts.h"
#include "ui/lists/view_runs.h"
#include "util/format.h"
#include "util/mem.h"
#include "util/utf8.h"

#define NAME_AT 4 /* behind the selection's mark and A or B */

static const struct {
	const char *title;
	enum run_column of;
	int width;     /* at most; formats and counts of lanes mostly take less */
	unsigned rank; /* the higher, the sooner it goes where names need the room */
} columns[] = {{"format", RUN_FORMAT, 10, 2},    {"started", RUN_STARTED, 22, 5},
               {"duration", RUN_DURATION, 8, 1}, {"lanes", RUN_LANES, 6, 6},
               {"records", RUN_RECORDS, 7, 3},   {"problems", RUN_PROBLEMS, 8, 4}};
#define N_COLUMNS COUNT_OF(columns)
_Static_assert(N_COLUMNS == RUNS_COLUMNS, "each column has widths");
#define LEFT_ALIGNED 2 /* that many */
enum { FORMAT, STARTED };
#define WIDE_WIDTH 26 /* of a format with its dialect, of lanes with their hosts */
#define RUN_CELL_BYTES 96

static void
cell_text(const struct run_entry *run, enum run_column column, bool is_wide,
          char out[RUN_CELL_BYTES])
{
	const struct run_info *info = &run->info;
	struct strbuf lanes = {0};

	snprintf(out, RUN_CELL_BYTES, "-");
	switch (column) {
	case RUN_FORMAT:
		snprintf(out, RUN_CELL_BYTES, "%s%s%s", info->format,
		         is_wide && *info->dialect ? " " : "", is_wide ? info->dialect : "");
		break;
	case RUN_STARTED:
		if (info->has_date) {
			format_wall_time(out, info->date_ns, WALL_MINUTE);
		}
		break;
	case RUN_DURATION:
		if (info->duration_ns > 0) {
			format_duration(out, info->duration_ns);
		}
		break;
	case RUN_LANES:
		if (is_wide && run->lanes.n > 0) {
			lane_words_add(&run->lanes, &lanes);
			snprintf(out, RUN_CELL_BYTES, "%s", lanes.data + strlen(", "));
			strbuf_free(&lanes);
		} else {
			format_count(out, run->lanes.n);
		}
		break;
	case RUN_RECORDS:
		format_count(out, info->n_records);
		break;
	default:
		if (info->n_problems > 0) {
			format_count(out, info->n_problems);
		}
	}
}

#define MAX_GAP 16    /* between the longest name and its figures */
#define NAME_LEAST 14 /* of a long name, before a column goes */
#define DATE_COLUMNS 10
#define TAGS_LEAST 8 /* of columns */
#define TAGS_MOST 30 /* that other columns give way to */

/* Columns of a rank above `rank`, or without a width, are left out. */
struct runs_layout {
	unsigned rank;
	bool is_wide; /* says of what dialect a run is, and how many lanes of what it has where */
	int at;       /* where the first begins */
	int widths[N_COLUMNS];
	struct runs_bar bar;
};

/* What stands in a row's column; "-": nothing. */
static void
row_text(const struct runs *runs, const struct runs_row *row, size_t column, bool is_wide,
         char out[RUN_CELL_BYTES])
{
	snprintf(out, RUN_CELL_BYTES, "-");
	if (row->run && !row->run->error) {
		cell_text(row->run, columns[column].of, is_wide, out);
	} else if (!row->run && column == FORMAT) {
		snprintf(out, RUN_CELL_BYTES, "%s", runs->states[row->import].format);
	}
}

static bool
is_sorted_by(const struct runs *runs, size_t column)
{
	const struct table_wish *wish = &runs->model.wish;
	bool is = false;

	for (size_t i = 0; i < wish->n_keys; i++) {
		is = is || wish->keys[i].column == columns[column].of;
	}
	return is;
}

/* How wide a column is where there is room for all; `is_wide`: also for what the runs are. */
static int
natural_width(const struct runs *runs, size_t column, bool is_wide)
{
	const struct runs_column_widths *widths = &runs->widths[column];

	return (is_wide ? widths->wide : widths->narrow) + is_sorted_by(runs, column);
}

static int
widest(int width, const char *text)
{
	int needed = (int)utf8_columns(slice_of(text));

	return needed > width ? needed : width;
}

static void
measure_column(const struct runs *runs, size_t column, struct runs_column_widths *widths)
{
	int narrow = (int)strlen(columns[column].title), wide = narrow;
	int most = columns[column].width, most_wide = most;

	char first[RUN_CELL_BYTES] = "";
	widths->is_blank = true;
	widths->is_same = runs->n_rows > 1;
	for (size_t i = 0; i < runs->n_rows; i++) {
		char text[RUN_CELL_BYTES];

		row_text(runs, &runs->rows[i], column, false, text);
		narrow = widest(narrow, text);
		widths->is_blank = widths->is_blank && strcmp(text, "-") == 0;
		row_text(runs, &runs->rows[i], column, true, text);
		wide = widest(wide, text);
		if (i == 0) {
			memcpy(first, text, sizeof first);
		}
		widths->is_same = widths->is_same && strcmp(text, first) == 0;
	}
	if (columns[column].of == RUN_FORMAT || columns[column].of == RUN_LANES) {
		most_wide = WIDE_WIDTH;
	}
	widths->narrow = narrow < most ? narrow : most;
	widths->wide = wide < most_wide ? wide : most_wide;
}

/* What people say of the run. */
static void
add_tags(const struct run_entry *run, struct strbuf *line)
{
	for (size_t i = 0; i < run->tags.n; i++) {
		const struct run_tag *tag = &run->tags.all[i];

		if (tag->origin != TAG_OF_TRACE) {
			strbuf_printf(line, "%s%s %s", line->len ? "  " : "", tag->key, tag->value);
		}
	}
}

static int
measure_tags(const struct runs *runs)
{
	struct strbuf line = {0};
	int width = 0;

	for (size_t i = 0; i < runs->n_rows; i++) {
		if (runs->rows[i].run) {
			strbuf_clear(&line);
			add_tags(runs->rows[i].run, &line);
			width = line.len ? widest(width, line.data) : width;
		}
	}
	strbuf_free(&line);
	return width;
}

void
runs_measure(struct runs *runs)
{
	int longest = 8;

	runs->tags_width = measure_tags(runs);

	for (size_t i = 0; i < runs->n_rows; i++) {
		const struct runs_row *row = &runs->rows[i];

		longest = widest(longest, !row->run         ? runs->states[row->import].name
		                          : row->run->error ? ""
		                          : row->shows_path ? row->run->path
		                                            : row->run->info.name);
	}
	runs->longest_name = longest;
	for (size_t i = 0; i < N_COLUMNS; i++) {
		measure_column(runs, i, &runs->widths[i]);
	}
}

static bool
is_shown(const struct runs_layout *layout, size_t column)
{
	return columns[column].rank <= layout->rank && layout->widths[column] > 0;
}

static int
first_at(const struct runs_layout *layout, int width)
{
	for (size_t i = 0; i < N_COLUMNS; i++) {
		width -= is_shown(layout, i) ? layout->widths[i] + 2 : 0;
	}
	return width;
}

/* Whether all fits with the names whole, if need be without the time of day. */
static bool
all_fits(struct runs_layout *layout, int width, int longest)
{
	layout->at = first_at(layout, width);
	if (layout->at < NAME_AT + longest + 2 && layout->widths[STARTED] > DATE_COLUMNS) {
		layout->widths[STARTED] = DATE_COLUMNS;
		layout->at = first_at(layout, width);
	}
	return layout->at >= NAME_AT + longest + 2;
}

#define ALL_RANKS N_COLUMNS
/* Of all columns but blank ones (without_blank) and those above a rank that are the same for all
 * runs, if names and all fit. What has bars stands with these; what the rows are sorted by
 * stays. */
static bool
lay_columns(const struct runs *runs, int width, bool without_blank, unsigned same_up_to,
            struct runs_layout *layout)
{
	layout->rank = N_COLUMNS;
	for (size_t i = 0; i < N_COLUMNS; i++) {
		const struct runs_column_widths *widths = &runs->widths[i];
		bool is_same = widths->is_same && columns[i].rank > same_up_to;
		bool is_unsaid = (without_blank && widths->is_blank) ||
		                 (is_same && !is_sorted_by(runs, i)) ||
		                 columns[i].of == layout->bar.column;

		layout->widths[i] = is_unsaid ? 0 : natural_width(runs, i, layout->is_wide);
	}
	return all_fits(layout, width, runs->longest_name);
}

/* What the runs are, before columns that say nothing of any run; with tags and a bar beside them
 * before columns that say the same of all runs, too. */
static bool
lay_whole(const struct runs *runs, int width, struct runs_layout *layout)
{
	int tags = runs->tags_width < TAGS_MOST ? runs->tags_width : TAGS_MOST;
	int beside = layout->bar.columns + (tags > 0 ? tags + 1 : 0);

	width -= beside;
	layout->is_wide = true;
	if (lay_columns(runs, width, false, ALL_RANKS, layout) ||
	    lay_columns(runs, width, true, ALL_RANKS, layout)) {
		return true;
	}
	layout->is_wide = false;
	for (unsigned rank = ALL_RANKS; beside > 0 && rank-- > 0;) {
		if (lay_columns(runs, width, true, rank, layout)) {
			return true;
		}
	}
	return false;
}

/* Figures too far from the names would be lost to the eye. */
static struct runs_layout
settled(struct runs_layout layout, int longest)
{
	if (layout.at > NAME_AT + longest + MAX_GAP) {
		layout.at = NAME_AT + longest + MAX_GAP;
	}
	return layout;
}

static struct runs_layout
layout_of(const struct runs *runs, int width)
{
	struct runs_layout layout = {.bar = runs_bar_measure(runs)};
	int longest = runs->longest_name;

	if (lay_whole(runs, width, &layout)) {
		return settled(layout, longest);
	}
	width -= layout.bar.columns;
	(void)lay_columns(runs, width, false, ALL_RANKS, &layout);
	layout.widths[STARTED] = natural_width(runs, STARTED, false);
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
	return settled(layout, longest);
}

static void
draw_cell(struct canvas *canvas, size_t column, int x, int y, int width, cell_style style,
          const char *text)
{
	if (column < LEFT_ALIGNED) {
		canvas_text_cut(canvas, x, y, width, style, slice_of(text));
	} else {
		canvas_text_right(canvas, x, y, width, style, slice_of(text));
	}
}

/* Where the columns leave room. */
static void
draw_tags(const struct run_entry *run, struct canvas *canvas, int x, int y, int width)
{
	struct strbuf line = {0};

	add_tags(run, &line);
	if (width >= TAGS_LEAST && line.len > 0) {
		canvas_text_cut(canvas, x, y, width, STYLE_MUTED, strbuf_slice(&line));
	}
	strbuf_free(&line);
}

static void
draw_cells(const struct runs *runs, size_t shown, const struct runs_layout *layout,
           struct canvas *canvas, int y, int width)
{
	const struct run_entry *run = runs_row(runs, shown)->run;
	int x = layout->at;

	for (size_t i = 0; i < N_COLUMNS; i++) {
		char text[RUN_CELL_BYTES];

		if (is_shown(layout, i)) {
			cell_text(run, columns[i].of, layout->is_wide, text);
			if (i == STARTED && layout->widths[i] < 16) {
				text[DATE_COLUMNS] = '\0'; /* the day alone, whole */
			}
			draw_cell(canvas, i, x, y, layout->widths[i], STYLE_NORMAL, text);
			x += layout->widths[i] + 2;
		}
	}
	if (layout->bar.column != SIZE_MAX) {
		runs_bar_draw(runs, &layout->bar, canvas, x, y, shown);
		x += layout->bar.columns;
	}
	draw_tags(run, canvas, x, y, width - x - 1);
}

/* The titles, with a mark at what the rows are sorted by. */
static void
draw_titles(const struct runs *runs, const struct runs_layout *layout, struct canvas *canvas, int y)
{
	struct strbuf title = {0};
	int x = layout->at;

	strbuf_add_text(&title, "run");
	table_model_sort_mark(&runs->model, RUN_NAME, canvas->ascii, &title);
	canvas_puts(canvas, NAME_AT, y, STYLE_HEADER, title.data);
	for (size_t i = 0; i < N_COLUMNS; i++) {
		if (is_shown(layout, i)) {
			strbuf_clear(&title);
			strbuf_add_text(&title, columns[i].title);
			table_model_sort_mark(&runs->model, columns[i].of, canvas->ascii, &title);
			draw_cell(canvas, i, x, y, layout->widths[i], STYLE_HEADER, title.data);
			x += layout->widths[i] + 2;
		}
	}
	if (layout->bar.column != SIZE_MAX) {
		runs_bar_title(runs, &layout->bar, canvas, x, y);
	}
	strbuf_free(&title);
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
draw_run(const struct runs *runs, size_t shown, const struct runs_layout *layout,
         struct canvas *canvas, struct area area, int y)
{
	const struct runs_row *row = runs_row(runs, shown);
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
	draw_cells(runs, shown, layout, canvas, y, area.width);
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
	const struct runs_row *row = runs_row(runs, i);

	if (row->run) {
		draw_run(runs, i, how, canvas, view->area, y);
		draw_mark(view, row->run->path, canvas, y);
	} else {
		draw_import(&runs->states[row->import], how, canvas, view->area, y);
	}
}

/* A row for the filters, below all. */
static int
filter_rows(const struct runs *runs)
{
	return runs->model.wish.filters.n > 0;
}

void
runs_lay(struct view *view)
{
	struct runs *runs = view->state;
	size_t rows = (size_t)filter_rows(runs);

	view_list_lay(view);
	runs->list.height -= runs->list.height > rows + 1 ? rows : 0;
	list_settle(&runs->list);
}

/* What the selected run is. */
static void
draw_about(const struct view *view, struct canvas *canvas, int y)
{
	const struct runs *runs = view->state;
	const struct runs_row *row = runs_row(runs, runs->list.selected);
	struct strbuf facts = {0};
	const struct run_info *info;

	if (!row || !row->run || row->run->error) {
		return;
	}
	info = &row->run->info;
	lane_words_add(&row->run->lanes, &facts);
	facts_add_count(&facts, info->n_tasks, "task", "tasks");
	facts_add_count(&facts, info->n_transfers, "transfer", "transfers");
	facts_add_count(&facts, info->n_spans, "span", "spans");
	facts_add_count(&facts, info->n_events, "event", "events");
	facts_add_count(&facts, info->n_sources, "source", "sources");
	facts_draw(canvas, y, view->area.width, info, strbuf_slice(&facts));
	strbuf_free(&facts);
}

static void
draw_filters(const struct runs *runs, struct canvas *canvas, struct area area)
{
	struct strbuf line = {0};

	filter_stack_show(&runs->model.wish.filters, &line);
	canvas_text_cut(canvas, 2, area.y + area.height - 1, area.width - 3, STYLE_MUTED,
	                strbuf_slice(&line));
	if (runs->n_rows > 0 && runs->list.n == 0) {
		strbuf_clear(&line);
		filter_stack_miss(&runs->model.wish.filters, false, &line);
		canvas_wrapped(canvas, NAME_AT, area.y + 2, area.width - NAME_AT - 1,
		               area.height - 3, STYLE_MUTED, strbuf_slice(&line));
	}
	strbuf_free(&line);
}

void
runs_draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct runs *runs = view->state;
	struct runs_layout layout = layout_of(runs, area.width);

	draw_titles(runs, &layout, canvas, area.y);
	if (runs->found && runs->n_rows == 0) {
		canvas_puts(canvas, NAME_AT, area.y + 2, STYLE_NORMAL,
		            "No run files (*.lanes) here. Make one:  lanescope import TRACE...");
		canvas_puts(canvas, NAME_AT, area.y + 3, STYLE_NORMAL,
		            "or look at examples:  lanescope demo");
	}
	view_list_draw(view, canvas, &layout);
	if (view_about_rows(view) > 0) {
		draw_about(view, canvas, area.y + area.height - 1 - filter_rows(runs));
	}
	if (filter_rows(runs) > 0) {
		draw_filters(runs, canvas, area);
	}
}
