/*
 * Widths for a screen. Numbers are never cut, since half a number is a wrong one. Where the column
 * that sorts would not be seen, long titles of numbers give way to it, then texts; what room is
 * left goes to one bar, to cut texts, then to further bars.
 */
#include "config.h"

#include "ui/table/grid_private.h"
#include "util/utf8.h"

#define FIRST_LIMIT 60 /* widths of texts, however large the screen: more only by widening */
#define OTHER_LIMIT 40
#define FIRST_LEAST 16 /* that the first column keeps where there is little room */
#define TEXT_LEAST 10
#define TITLE_LEAST 12
#define BAR_COLUMNS 10
#define BAR_LEAST 6
#define BARS 3

/* The title's columns with its arrow, and the arrow's number where several
 * columns sort. */
static int
title_columns(const struct grid_column *column, const struct table_model *model)
{
	int columns = (int)utf8_columns(slice_of(column->title)) + 1;

	for (size_t i = 0; i < model->wish.n_keys; i++) {
		columns += model->wish.n_keys > 1 && model->wish.keys[i].column == column->source;
	}
	return columns < CANVAS_SIDE_LIMIT ? columns : CANVAS_SIDE_LIMIT;
}

/* How wide a column would be with room for all; returns what all take. */
static int
lay_amply(struct grid *grid, const struct table_model *model, int width)
{
	size_t fixed = grid_next_shown(grid, 0);
	int used = GRID_MARGIN;

	for (size_t i = SIZE_MAX; grid_step(grid, &i);) {
		struct grid_column *column = &grid->columns[i];
		int share = i == fixed ? width * 2 / 5 : width / 4;
		int limit = i == fixed ? FIRST_LIMIT : OTHER_LIMIT, title;

		title = title_columns(column, model);
		share = share < 12 ? 12 : share;
		limit = share < limit ? share : limit;
		column->full = title > column->natural ? title : column->natural;
		column->bar = 0;
		column->width = column->full;
		if (!column->is_number && !column->is_wide && column->width > limit) {
			column->width = title < limit ? limit : title;
		}
		if (i == fixed && grid->selected != i && column->width > width / 2) {
			column->width = width / 2; /* it stays, so the others need room, too */
		}
		column->ample = column->width;
		used += column->width + GRID_GAP;
	}
	return used - GRID_GAP;
}

/* The least width that leaves a column of use. */
static int
least_width(const struct grid_column *column, bool is_first, int width)
{
	int least = column->is_number ? TITLE_LEAST : is_first ? width * 3 / 10 : width / 8;
	int floor = column->is_number ? column->natural : is_first ? FIRST_LEAST : TEXT_LEAST;

	least = least > floor ? least : floor;
	return column->is_wide || least > column->width ? column->width : least;
}

/* Takes `over` columns of the screen from what can spare them: titles of numbers, other texts, the
 * first column. */
static void
squeeze(struct grid *grid, int over, int width)
{
	size_t fixed = grid_next_shown(grid, 0);

	for (int pass = 0; pass < 3; pass++) {
		for (size_t i = SIZE_MAX; over > 0 && grid_step(grid, &i);) {
			struct grid_column *column = &grid->columns[i];
			int turn = i == fixed ? 2 : column->is_number ? 0 : 1;
			int spare = column->width - least_width(column, i == fixed, width);

			spare = turn != pass ? 0 : spare < over ? spare : over;
			column->width -= spare;
			over -= spare;
		}
	}
}

/* What the column that did not fit after all leaves blank, to those before it. */
static void
give_back(struct grid *grid, int width)
{
	struct grid_place place = {SIZE_MAX, 0, 0};
	size_t last = 0, first = grid->first;
	int end = 0;

	grid->first = 0; /* as they stand before they are scrolled */
	while (grid_next_place(grid, width, &place)) {
		const struct grid_column *column = &grid->columns[place.i];

		end = place.x + place.width + (column->bar ? column->bar + 1 : 0);
		last = place.i;
	}
	grid->first = first;
	for (size_t i = SIZE_MAX; grid_step(grid, &i) && i <= last;) {
		struct grid_column *column = &grid->columns[i];
		int more = column->ample - column->width, room = width - 1 - end;

		more = more < room ? more : room;
		more = more > 0 ? more : 0;
		column->width += more;
		end += more;
	}
}

/* Gives cut texts what room there is, up to a width. */
static int
widen_texts(struct grid *grid, int most, int spare)
{
	for (size_t i = SIZE_MAX; spare > 0 && grid_step(grid, &i);) {
		struct grid_column *column = &grid->columns[i];
		int more = (column->full < most ? column->full : most) - column->width;

		more = more < spare ? more : spare;
		more = more > 0 ? more : 0; /* none if they are as long as they can be */
		column->width += more;
		spare -= more;
	}
	return spare;
}

/* The column that a bar tells most about: the first that sorts, then durations
 * and sizes, measures before others (a difference before what it is the difference
 * of), then shares; counts only where they sort. */
static size_t
next_bar(const struct grid *grid, const struct table_model *model)
{
	for (int pass = 0; pass < 4; pass++) {
		for (size_t i = SIZE_MAX; grid_step(grid, &i);) {
			const struct grid_column *column = &grid->columns[i];
			const struct result_column *source =
			    &model->result->columns[column->source];
			enum column_kind kind = source->kind;
			bool is_length = column_kinds[kind].is_length;
			bool fits = pass == 0 ? model->wish.n_keys > 0 &&
			                            model->wish.keys[0].column == column->source
			            : pass == 1 ? is_length && source->is_measure
			            : pass == 2 ? is_length
			                        : kind == KIND_PERCENT;

			if (fits && column->bar == 0 && column->largest > 0) {
				return i;
			}
		}
	}
	return grid->n;
}

static void
lay_bars(struct grid *grid, const struct table_model *model, int spare, int width)
{
	size_t i;

	for (int n = 0; n < BARS && (i = next_bar(grid, model)) < grid->n; n++) {
		bool sorts =
		    model->wish.n_keys > 0 && model->wish.keys[0].column == grid->columns[i].source;
		int bar = spare - 1 < BAR_COLUMNS ? spare - 1 : BAR_COLUMNS;

		if (bar < BAR_LEAST && n == 0 && sorts && width >= 60) {
			bar = BAR_LEAST; /* worth more than a column at the far right */
		}
		if (bar < BAR_LEAST) {
			break;
		}
		grid->columns[i].bar = bar;
		spare -= bar + 1;
	}
}

/* Scrolls sideways until the selected column is in sight. */
static void
scroll(struct grid *grid, int width)
{
	size_t fixed = grid_next_shown(grid, 0);
	struct grid_place place;

	if (grid->first > grid->selected || grid->first <= fixed) {
		grid->first =
		    grid->selected > fixed && grid->first > fixed ? grid->selected : fixed + 1;
	}
	for (; grid->first < grid->selected; grid->first++) {
		place = (struct grid_place){SIZE_MAX, 0, 0};
		while (grid_next_place(grid, width, &place)) {
			bool is_whole = place.width == grid->columns[place.i].width;

			if (place.i == grid->selected && is_whole) {
				return;
			}
		}
	}
}

/* How far the column that sorts, and a bar behind it, stand out of the screen: what a table is
 * sorted by should be seen. */
static int
out_of_sight(const struct grid *grid, const struct table_model *model, int width)
{
	int end = GRID_MARGIN;

	for (size_t i = SIZE_MAX; model->wish.n_keys > 0 && grid_step(grid, &i);) {
		const struct grid_column *column = &grid->columns[i];

		end += column->width;
		if (column->source == model->wish.keys[0].column) {
			end += column->largest > 0 ? BAR_LEAST + 1 : 0;
			return end > width - 1 ? end - (width - 1) : 0;
		}
		end += GRID_GAP;
	}
	return 0;
}

void
grid_lay(struct grid *grid, const struct table_model *model, int width)
{
	int spare, kept;

	grid_unfold(grid);
	spare = width - lay_amply(grid, model, width) - 1;
	if (spare < 0) {
		grid_fold(grid, model);
		spare = width - lay_amply(grid, model, width) - 1;
	}
	grid_settle(grid);
	kept = next_bar(grid, model) < grid->n ? BAR_COLUMNS + 1 : 0;
	if (spare < 0) {
		squeeze(grid, out_of_sight(grid, model, width), width);
	} else {
		spare = widen_texts(grid, FIRST_LIMIT, spare);
		if (spare > kept) { /* more than that only behind a bar */
			spare = kept + widen_texts(grid, CANVAS_SIDE_LIMIT, spare - kept);
		}
	}
	lay_bars(grid, model, spare, width);
	if (spare < 0) {
		give_back(grid, width);
	}
	scroll(grid, width);
}
