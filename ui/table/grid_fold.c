/*
 * Columns that say the same in every row stand in a line above the titles instead of among them,
 * where the screen is too narrow for all: what a table is about should not stand to the right of
 * what it does not tell. Measures, what is sorted by, and what the user asked for stay.
 */
#include "config.h"

#include "ui/table/grid_private.h"
#include "util/mem.h"

bool
grid_is_constant(const struct result *result, size_t column)
{
	const struct value *first = result->n_rows > 1 ? result_value(result, 0, column) : NULL;

	if (!first || result->columns[column].is_measure ||
	    result_difference(result, column) != DIFFERENCE_NONE || result->row_kinds) {
		return false;
	}
	for (size_t row = 1; row < result->n_rows; row++) {
		if (value_compare(first, result_value(result, row, column)) != 0) {
			return false;
		}
	}
	return true;
}

static bool
sorts(const struct table_model *model, size_t column)
{
	for (size_t i = 0; i < model->wish.n_keys; i++) {
		if (model->wish.keys[i].column == column) {
			return true;
		}
	}
	return false;
}

void
grid_unfold(struct grid *grid)
{
	for (size_t i = 0; i < grid->n; i++) {
		grid->columns[i].is_folded = false;
	}
}

void
grid_fold(struct grid *grid, const struct table_model *model)
{
	size_t shown = 0;

	for (size_t i = SIZE_MAX; grid_step(grid, &i);) {
		shown++;
	}
	for (size_t i = SIZE_MAX; shown > 1 && grid_step(grid, &i);) {
		struct grid_column *column = &grid->columns[i];

		if (column->is_constant && !column->is_kept && !sorts(model, column->source)) {
			column->is_folded = true;
			shown--;
		}
	}
}

int
grid_folded_rows(const struct grid *grid)
{
	for (size_t i = 0; i < grid->n; i++) {
		if (grid->columns[i].is_folded) {
			return 1;
		}
	}
	return 0;
}

/* Those that hold nothing come last, together. */
void
grid_draw_folded(const struct grid *grid, const struct result *result, struct canvas *canvas,
                 struct area area)
{
	int x = GRID_MARGIN, end = area.x + area.width - 1;
	bool any_empty = false;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < grid->n; i++) {
			const struct grid_column *column = &grid->columns[i];
			const struct value *value;
			char buffer[GRID_TEXT_BYTES];

			if (!column->is_folded || x >= end) {
				continue;
			}
			value = result_value(result, 0, column->source);
			if ((value->type == VALUE_NULL) != (pass == 1)) {
				continue;
			}
			if (pass == 1) {
				x += canvas_text_cut(canvas, x, area.y, end - x, STYLE_MUTED,
				                     slice_of(any_empty ? ", " : "empty: "));
				any_empty = true;
			}
			x += canvas_text_cut(canvas, x, area.y, end - x,
			                     pass == 1 ? STYLE_MUTED : STYLE_HEADER,
			                     slice_of(column->title));
			if (pass == 0) {
				x += 1 +
				     canvas_text_cut(
					 canvas, x + 1, area.y, end - x - 1, STYLE_NORMAL,
					 grid_text(value, result_kind(result, 0, column->source),
				                   column->is_signed, buffer)) +
				     GRID_GAP + 1;
			}
		}
	}
}
