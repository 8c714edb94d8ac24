/*
 * A result of one row has no use for columns beside each other: each stands on a line of its own,
 * with its value and what it means. Which line is the first on the screen follows from which is
 * selected.
 */
#include "config.h"

#include "query/saved/kind.h"
#include "ui/table/grid_private.h"
#include "util/utf8.h"

#define TITLE_LIMIT 28
#define ABOUT_LEAST 16 /* less says nothing */

bool
grid_is_upright(const struct grid *grid, const struct table_model *model)
{
	return grid->folds && model->result && model->result->n_rows == 1 && model->n_rows == 1;
}

/* Of the shown columns the place of the one at i. */
static size_t
line_of(const struct grid *grid, size_t index)
{
	size_t line = 0;

	for (size_t i = SIZE_MAX; grid_step(grid, &i) && i < index;) {
		line++;
	}
	return line;
}

static size_t
first_line(const struct grid *grid, int height)
{
	size_t selected = line_of(grid, grid->selected), room = height > 1 ? (size_t)height : 1;

	return selected < room ? 0 : selected - room + 1;
}

size_t
grid_upright_at(const struct grid *grid, int row, int height)
{
	size_t line = first_line(grid, height) + (size_t)(row < 0 ? 0 : row);

	for (size_t i = SIZE_MAX; row >= 0 && row < height && grid_step(grid, &i);) {
		if (line-- == 0) {
			return i;
		}
	}
	return SIZE_MAX;
}

bool
grid_act_upright(struct grid *grid, const struct table_model *model, enum view_action action)
{
	bool is_up = action == ACTION_UP || action == ACTION_FIRST || action == ACTION_PAGE_UP;
	bool is_step = action == ACTION_UP || action == ACTION_DOWN;
	size_t before;

	if (!is_up && action != ACTION_DOWN && action != ACTION_LAST &&
	    action != ACTION_PAGE_DOWN) {
		return false;
	}
	do {
		before = grid->selected;
		(void)grid_act(grid, model, is_up ? ACTION_LEFT : ACTION_RIGHT);
	} while (!is_step && grid->selected != before);
	return true;
}

/* Columns of the screen that titles and values take, as far as they may. */
static void
measure(const struct grid *grid, int width, int *titles, int *values)
{
	*titles = *values = 1;
	for (size_t i = SIZE_MAX; grid_step(grid, &i);) {
		int title = canvas_columns(slice_of(grid->columns[i].title), TITLE_LIMIT);

		*titles = title > *titles ? title : *titles;
		*values = grid->columns[i].natural > *values ? grid->columns[i].natural : *values;
	}
	if (GRID_MARGIN + *titles + *values + 2 * GRID_GAP + ABOUT_LEAST > width) {
		int room = width - GRID_MARGIN - *titles - GRID_GAP - 1;

		*values = *values > room ? room : *values;
	}
}

void
grid_draw_upright(const struct grid *grid, const struct table_model *model, struct slice search,
                  struct canvas *canvas, struct area area)
{
	size_t line = 0, first = first_line(grid, area.height);
	int titles, values;

	measure(grid, area.width, &titles, &values);
	for (size_t i = SIZE_MAX; grid_step(grid, &i); line++) {
		const struct grid_column *column = &grid->columns[i];
		const struct result_column *source = &model->result->columns[column->source];
		const struct value *value =
		    result_value(model->result, model->rows[0], column->source);
		int y = area.y + (int)(line - first), x = GRID_MARGIN;
		int about = x + titles + values + 2 * GRID_GAP;
		char buffer[GRID_TEXT_BYTES];
		struct slice text =
		    grid_text(value, result_kind(model->result, model->rows[0], column->source),
		              column->is_signed, buffer);

		if (line < first || y >= area.y + area.height) {
			continue;
		}
		canvas_text_cut(canvas, x, y, titles, STYLE_HEADER, slice_of(column->title));
		x += titles + GRID_GAP;
		if (value->type == VALUE_NULL) {
			canvas_puts(canvas, x, y, STYLE_MUTED, "-");
		} else {
			canvas_text_middle(canvas, x, y, values, STYLE_NORMAL, text);
		}
		if (search.len > 0 && table_model_cell_matches(model, 0, column->source, search)) {
			canvas_restyle(canvas, x, y, values, STYLE_MATCH);
		}
		if (source->about && about + ABOUT_LEAST < area.width) {
			canvas_text_cut(canvas, about, y, area.width - about - 1, STYLE_MUTED,
			                slice_of(source->about));
		}
		if (i == grid->selected) {
			canvas_select(canvas, 0, y, area.width, ">");
		}
	}
}
