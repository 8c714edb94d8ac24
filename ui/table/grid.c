/*
 * Columns are measured by the texts of the first rows, of some of the others, and of the least and
 * the largest numbers: enough to judge, whatever the result's size. What the user does to columns
 * is kept by their names.
 */
#include "config.h"

#include "ui/table/grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/saved/list.h"
#include "query/saved/kind.h"
#include "ui/table/grid_private.h"
#include "util/mem.h"
#include "util/utf8.h"

#define MEASURED_ROWS 2000

void
grid_fini(struct grid *grid)
{
	for (size_t i = 0; i < grid->n; i++) {
		free(grid->columns[i].name);
		free(grid->columns[i].title);
	}
	free(grid->columns);
	*grid = (struct grid){0};
}

size_t
grid_next_shown(const struct grid *grid, size_t i)
{
	while (i < grid->n && (grid->columns[i].is_hidden || grid->columns[i].is_folded)) {
		i++;
	}
	return i;
}

bool
grid_step(const struct grid *grid, size_t *i)
{
	*i = grid_next_shown(grid, *i + 1);
	return *i < grid->n;
}

/* The nearest shown column before i; n if there is none. */
static size_t
previous_shown(const struct grid *grid, size_t i)
{
	while (i-- > 0) {
		if (!grid->columns[i].is_hidden && !grid->columns[i].is_folded) {
			return i;
		}
	}
	return grid->n;
}

void
grid_settle(struct grid *grid)
{
	size_t next = grid_next_shown(grid, grid->selected);

	if (next == grid->n) {
		next = previous_shown(grid, grid->n);
	}
	grid->selected = next < grid->n ? next : 0;
}

static size_t
find(const struct grid *grid, struct slice name)
{
	size_t i = 0;

	while (i < grid->n && !slice_is(name, grid->columns[i].name)) {
		i++;
	}
	return i;
}

struct slice
grid_text(const struct value *value, enum column_kind kind, bool is_signed,
          char buffer[GRID_TEXT_BYTES])
{
	bool is_more = is_signed && ((value->type == VALUE_INTEGER && value->integer > 0) ||
	                             (value->type == VALUE_REAL && value->real > 0));
	struct slice text = value_show(value, kind, buffer + 1);

	if (is_more && text.ptr == buffer + 1) {
		buffer[0] = '+';
		text = (struct slice){buffer, text.len + 1};
	}
	return text;
}

static bool
is_signed(const struct result *result, size_t column)
{
	enum column_difference difference = result_difference(result, column);

	return difference == DIFFERENCE_DELTA || difference == DIFFERENCE_REL;
}

/* "total_rel" says not of what it is a part. */
static char *
title_of(const struct result *result, size_t column)
{
	const char *name = result->columns[column].name, *end = strrchr(name, '_');
	struct strbuf title = {0};

	if (result_difference(result, column) != DIFFERENCE_REL || !end) {
		column_title(&result->columns[column], &title);
	} else {
		strbuf_printf(&title, "%.*s %% of A", (int)(end - name), name);
	}
	return strbuf_take(&title);
}

static int
text_columns(const struct result *result, size_t row, size_t column)
{
	char buffer[GRID_TEXT_BYTES];

	return canvas_columns(grid_text(result_value(result, row, column),
	                                result_kind(result, row, column), is_signed(result, column),
	                                buffer),
	                      CANVAS_SIDE_LIMIT);
}

/* Longest text of the rows; one that has no more bytes than another has columns is not looked
 * at. */
static int
widest(const struct result *result, size_t column, size_t first, size_t end, size_t step, int width)
{
	for (size_t row = first; row < result->n_rows && row < end; row += step) {
		const struct value *value = result_value(result, row, column);
		bool is_text = value->type == VALUE_TEXT || value->type == VALUE_BLOB;

		if (!is_text || value->text.len > (size_t)width) {
			int columns = text_columns(result, row, column);

			width = columns > width ? columns : width;
		}
	}
	return width;
}

/* All numbers: the longest ones are mostly the least and the largest. */
static void
measure_numbers(struct grid_column *column, const struct result *result)
{
	size_t least = SIZE_MAX, most = SIZE_MAX, n = 0;
	double low = 0, high = 0;

	for (size_t row = 0; row < result->n_rows; row++) {
		double number = value_number(result_value(result, row, column->source));

		n += isfinite(number) != 0;
		if (isfinite(number) && (least == SIZE_MAX || number < low)) {
			least = row;
			low = number;
		}
		if (isfinite(number) && (most == SIZE_MAX || number > high)) {
			most = row;
			high = number;
		}
	}
	if (least != SIZE_MAX) {
		column->natural =
		    widest(result, column->source, least, least + 1, 1, column->natural);
		column->natural =
		    widest(result, column->source, most, most + 1, 1, column->natural);
	}
	/* Where every row has a bar as long as all others, none tells anything. */
	bool are_alike = n > 1 && n == result->n_rows && low == high;
	column->largest = are_alike ? 0 : fabs(low) > fabs(high) ? fabs(low) : fabs(high);
}

static bool
has_bars(const struct result_column *column)
{
	return column_kinds[column->kind].is_length || column->kind == KIND_PERCENT ||
	       ((column->kind == KIND_COUNT || column->kind == KIND_REAL) && column->is_measure);
}

static void
measure(struct grid_column *column, const struct result *result)
{
	const struct result_column *source = &result->columns[column->source];
	size_t n = column->is_wide && source->kind == KIND_TEXT ? SIZE_MAX : MEASURED_ROWS;
	size_t step = result->n_rows / MEASURED_ROWS + 1;

	column->natural = widest(result, column->source, 0, n, 1, 1);
	column->natural = widest(result, column->source, 0, SIZE_MAX, step, column->natural);
	column->is_number = column_kind_is_number(source->kind);
	column->largest = 0;
	if (column->is_number) {
		measure_numbers(column, result);
	}
	column->largest = has_bars(source) ? column->largest : 0;
}

void
grid_bring(struct grid *grid, size_t from, size_t to)
{
	struct grid_column column = grid->columns[from];

	memmove(&grid->columns[to + 1], &grid->columns[to], (from - to) * sizeof column);
	grid->columns[to] = column;
}

/* The last column stands behind the one that it follows in the result: returns its place. */
static size_t
place_behind_neighbour(struct grid *grid)
{
	size_t last = grid->n - 1, at = grid->columns[last].source == 0 ? 0 : last;

	for (size_t i = 0; i < last; i++) {
		if (grid->columns[i].source + 1 == grid->columns[last].source) {
			at = i + 1;
		}
	}
	grid_bring(grid, last, at);
	return at;
}

/* Columns of the old grid that the result has, in their order; those that it did not have
 * stand behind their neighbours in the result. */
void
grid_set(struct grid *grid, const struct result *result)
{
	struct grid next = {.columns = xcalloc(result->n_columns + 1, sizeof *next.columns),
	                    .folds = grid->folds};
	bool *is_taken = xcalloc(result->n_columns + 1, sizeof *is_taken);
	size_t selected = 0;

	for (size_t i = 0; i < grid->n + result->n_columns; i++) {
		size_t source = i < grid->n ? 0 : i - grid->n;
		struct grid_column *column = &next.columns[next.n];

		while (i < grid->n && source < result->n_columns &&
		       (is_taken[source] ||
		        !slice_is(slice_of(result->columns[source].name), grid->columns[i].name))) {
			source++;
		}
		if (source == result->n_columns || is_taken[source]) {
			continue;
		}
		is_taken[source] = true;
		if (i < grid->n) {
			column->is_hidden = grid->columns[i].is_hidden;
			column->is_wide = grid->columns[i].is_wide;
			column->is_kept = grid->columns[i].is_kept;
			selected = i == grid->selected ? next.n : selected;
		}
		column->source = source;
		column->name = xstrdup(result->columns[source].name);
		column->title = title_of(result, source);
		column->is_signed = is_signed(result, source);
		column->is_constant = grid->folds && grid_is_constant(result, source);
		measure(column, result);
		next.n++;
		if (i >= grid->n) {
			selected += place_behind_neighbour(&next) <= selected && grid->n > 0;
		}
	}
	free(is_taken);
	next.selected = selected;
	next.first = grid->first;
	grid_fini(grid);
	*grid = next;
	grid_settle(grid);
}

bool
grid_next_place(const struct grid *grid, int width, struct grid_place *place)
{
	const struct grid_column *last;
	size_t next = grid_next_shown(grid, 0);
	bool is_first = place->i == SIZE_MAX;

	if (is_first) {
		place->x = GRID_MARGIN;
	} else {
		last = &grid->columns[place->i];
		place->x += last->width + (last->bar ? last->bar + 1 : 0) + GRID_GAP;
		next = place->i == next && grid->first > next ? grid->first : place->i + 1;
		next = grid_next_shown(grid, next);
	}
	if (next >= grid->n || place->x >= width) {
		return false;
	}
	place->i = next;
	place->width = grid->columns[next].width;
	if (place->x + place->width > width - 1) {
		place->width = width - 1 - place->x;
		if (!is_first && (grid->columns[next].is_number || place->width < 8)) {
			return false;
		}
	}
	return place->width > 0;
}

size_t
grid_selected(const struct grid *grid)
{
	return grid_next_shown(grid, grid->selected) == grid->selected && grid->n > 0
	           ? grid->columns[grid->selected].source
	           : SIZE_MAX;
}

size_t
grid_shown(const struct grid *grid, size_t *columns)
{
	size_t n = 0;

	for (size_t i = 0; i < grid->n; i++) {
		if (!grid->columns[i].is_hidden) {
			columns[n++] = grid->columns[i].source;
		}
	}
	return n;
}

bool
grid_hide(struct grid *grid, struct slice name, bool is_hidden)
{
	size_t i = find(grid, name);

	if (i == grid->n) {
		return false;
	}
	grid->columns[i].is_hidden = is_hidden;
	grid->columns[i].is_kept = !is_hidden && grid->folds;
	grid_settle(grid);
	return true;
}

/* Swaps the selected column with its neighbour on the screen. */
static void
move(struct grid *grid, size_t to)
{
	struct grid_column column = grid->columns[grid->selected];

	if (to < grid->n) {
		grid->columns[grid->selected] = grid->columns[to];
		grid->columns[to] = column;
		grid->selected = to;
	}
}

/* Or, where all are shown, lets those be folded again that were unfolded. */
static void
show_all(struct grid *grid)
{
	bool shows = false;

	for (size_t i = 0; i < grid->n; i++) {
		shows = shows || grid->columns[i].is_hidden || grid->columns[i].is_folded;
	}
	for (size_t i = 0; i < grid->n; i++) {
		grid->columns[i].is_hidden = false;
		grid->columns[i].is_kept = shows && grid->folds;
	}
}

bool
grid_act(struct grid *grid, const struct table_model *model, enum view_action action)
{
	size_t left = previous_shown(grid, grid->selected);
	size_t right = grid_next_shown(grid, grid->selected + 1);
	struct grid_column *column;

	if (grid_selected(grid) == SIZE_MAX && action != ACTION_COLUMNS_SHOW) {
		return false;
	}
	column = &grid->columns[grid->selected];
	switch (action) {
	case ACTION_LEFT:
		grid->selected = left < grid->n ? left : grid->selected;
		break;
	case ACTION_RIGHT:
		grid->selected = right < grid->n ? right : grid->selected;
		break;
	case ACTION_COLUMN_LEFT:
		move(grid, left);
		break;
	case ACTION_COLUMN_RIGHT:
		move(grid, right);
		break;
	case ACTION_COLUMN_HIDE:
		if (left < grid->n || right < grid->n) { /* one must stay */
			column->is_hidden = true;
			grid_settle(grid);
		}
		break;
	case ACTION_COLUMNS_SHOW:
		show_all(grid);
		break;
	case ACTION_WHOLE_TEXT:
		column->is_wide = !column->is_wide;
		measure(column, model->result);
		break;
	default:
		return false;
	}
	return true;
}

bool
grid_row_matches(const struct grid *grid, const struct table_model *model, size_t shown_row,
                 struct slice text)
{
	for (size_t i = SIZE_MAX; grid_step(grid, &i);) {
		if (table_model_cell_matches(model, shown_row, grid->columns[i].source, text)) {
			return true;
		}
	}
	return false;
}

size_t
grid_at(const struct grid *grid, int x, int width)
{
	struct grid_place place = {SIZE_MAX, 0, 0};
	size_t found = SIZE_MAX;

	while (grid_next_place(grid, width, &place) && place.x <= x) {
		found = place.i;
	}
	return found;
}

void
grid_copy(struct view *view, const struct grid *grid, const struct result *result, size_t row,
          bool is_row)
{
	size_t *columns = xcalloc(grid->n + 1, sizeof *columns);
	size_t n = is_row ? grid_shown(grid, columns) : 1;
	struct strbuf text = {0};

	if (!is_row) {
		columns[0] = grid_selected(grid);
	}
	for (size_t i = 0; i < n && result && row < result->n_rows && columns[i] != SIZE_MAX; i++) {
		char buffer[FORMAT_BYTES];

		strbuf_add_text(&text, i ? "\t" : "");
		strbuf_add_slice(&text, value_show(result_value(result, row, columns[i]),
		                                   result_kind(result, row, columns[i]), buffer));
	}
	if (text.len > 0) {
		app_copy(view->app, strbuf_slice(&text));
	} else {
		view_say(view, "nothing to copy: the cell is empty");
	}
	strbuf_free(&text);
	free(columns);
}
