/* A result in the columns of a grid: titles, rows, bars, totals. Only what is
 * on the screen is looked at. */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "query/saved/kind.h"
#include "ui/table/grid_private.h"
#include "ui/term/short_rows.h"
#include "util/order.h"
#include "util/utf8.h"

static void
draw_title(const struct grid *grid, const struct table_model *model, struct canvas *canvas,
           const struct grid_place *place, int y)
{
	const struct grid_column *column = &grid->columns[place->i];
	struct strbuf arrow = {0};
	struct slice name = slice_of(column->title);
	int x = place->x, columns, room, used;
	cell_style style = STYLE_HEADER | (place->i == grid->selected ? STYLE_REVERSE : 0);

	table_model_sort_mark(model, column->source, canvas->ascii, &arrow);
	columns = (int)utf8_columns(strbuf_slice(&arrow));
	room = place->width > columns ? place->width - columns : 0;
	used = canvas_columns(name, room + 1);
	x += column->is_number && used < room ? room - used : 0;
	x += canvas_text_cut(canvas, x, y, room, style, name);
	canvas_text(canvas, x, y, columns, style, strbuf_slice(&arrow));
	strbuf_free(&arrow);
}

/* short_text: what a text is shown as; without bytes: as it is. */
static void
draw_value(struct canvas *canvas, const struct grid_column *column, const struct grid_place *place,
           int y, cell_style style, const struct value *value, enum column_kind kind,
           struct slice short_text)
{
	char buffer[GRID_TEXT_BYTES];
	struct slice text = grid_text(value, kind, column->is_signed, buffer);

	if (value->type == VALUE_NULL) {
		style = STYLE_MUTED;
		text = slice_of("-");
	}
	/* Part of a number would be another one. */
	if (column->is_number && utf8_columns(text) > (size_t)place->width) {
		text = slice_of(canvas->ascii ? "~" : "…");
	}
	if (column->is_number) {
		canvas_text_right(canvas, place->x, y, place->width, style, text);
	} else {
		canvas_text_middle(canvas, place->x, y, place->width, style,
		                   short_text.len > 0 ? short_text : text);
	}
}

/* ---- rows ---- */

/* A column of texts, for short_rows. */
struct text_column {
	const struct table_model *model;
	size_t source;
};

static struct slice
text_of_row(const void *of, size_t shown_row)
{
	const struct text_column *column = of;
	const struct value *value =
	    result_value(column->model->result, column->model->rows[shown_row], column->source);

	return value->type == VALUE_TEXT ? value->text : (struct slice){0};
}

/* By index in the grid's columns: texts of the rows on the screen, NULL where all fit. */
static struct slice **
shorten_columns(const struct grid *grid, const struct table_model *model, const struct list *list,
                struct canvas *canvas, int width, struct arena *arena)
{
	struct slice **texts = arena_zalloc(arena, (grid->n + 1) * sizeof *texts);
	size_t n = model->n_rows > list->top ? model->n_rows - list->top : 0;
	struct grid_place place = {SIZE_MAX, 0, 0};

	while (grid_next_place(grid, width, &place)) {
		const struct grid_column *column = &grid->columns[place.i];
		struct text_column of = {model, column->source};

		if (!column->is_number) {
			texts[place.i] =
			    short_rows(list->top, LEAST(n, list->height), model->n_rows,
			               text_of_row, &of, place.width, canvas->ascii, arena);
		}
	}
	return texts;
}

static void
draw_bar(struct canvas *canvas, const struct grid_column *column, const struct grid_place *place,
         int y, const struct value *value)
{
	double number = value_number(value);

	if (column->bar > 0 && isfinite(number)) {
		canvas_bar(canvas, place->x + column->width + 1, y, column->bar,
		           (int64_t)(fabs(number) / column->largest * column->bar * 8 + 0.5),
		           STYLE_BAR);
	}
}

static void
draw_row(const struct grid *grid, const struct table_model *model, struct slice search,
         struct canvas *canvas, struct area area, int y, size_t shown_row, size_t on_screen,
         struct slice *const *texts)
{
	const struct result *result = model->result;
	size_t row = model->rows[shown_row];
	struct grid_place place = {SIZE_MAX, 0, 0};

	while (grid_next_place(grid, area.width, &place)) {
		const struct grid_column *column = &grid->columns[place.i];
		const struct value *value = result_value(result, row, column->source);

		draw_value(canvas, column, &place, y, STYLE_NORMAL, value,
		           result_kind(result, row, column->source),
		           texts[place.i] ? texts[place.i][on_screen] : (struct slice){0});
		draw_bar(canvas, column, &place, y, value);
		if (search.len > 0 &&
		    table_model_cell_matches(model, shown_row, column->source, search)) {
			canvas_restyle(canvas, place.x, y, place.width, STYLE_MATCH);
		}
	}
	if (table_model_is_marked(model, shown_row)) {
		canvas_puts(canvas, 1, y, STYLE_KEY | STYLE_BOLD, "*");
	}
}

/* The row is reversed, its cell in the selected column also bold and
 * underlined. */
static void
draw_selection(const struct grid *grid, struct canvas *canvas, struct area area, int y)
{
	struct grid_place place = {SIZE_MAX, 0, 0};

	canvas_select(canvas, 0, y, area.width, ">");
	while (grid_next_place(grid, area.width, &place)) {
		if (place.i == grid->selected) {
			canvas_attribute(canvas, place.x, y, place.width,
			                 STYLE_BOLD | STYLE_UNDERLINE);
			canvas->cursor_x = place.x;
		}
	}
}

static void
draw_header(const struct grid *grid, const struct table_model *model, struct canvas *canvas,
            struct area area)
{
	struct grid_place place = {SIZE_MAX, 0, 0};
	size_t last = 0, fixed = grid_next_shown(grid, 0);

	while (grid_next_place(grid, area.width, &place)) {
		draw_title(grid, model, canvas, &place, area.y);
		last = place.i;
	}
	if (fixed < grid->n && grid_next_shown(grid, fixed + 1) < grid->first) {
		canvas_puts(canvas, 0, area.y, STYLE_KEY, canvas->ascii ? "<" : "‹");
	}
	if (grid_next_shown(grid, last + 1) < grid->n) {
		canvas_puts(canvas, area.width - 1, area.y, STYLE_KEY, canvas->ascii ? ">" : "›");
	}
}

static void
draw_totals(const struct grid *grid, const struct table_model *model, struct canvas *canvas,
            struct area area, int y)
{
	struct grid_place place = {SIZE_MAX, 0, 0};
	bool is_first = true;

	while (grid_next_place(grid, area.width, &place)) {
		const struct grid_column *column = &grid->columns[place.i];
		struct value total = table_model_total(model, column->source);

		if (is_first && total.type == VALUE_NULL) {
			char text[64];

			snprintf(text, sizeof text, "%zu marked", model->n_marked);
			canvas_text(canvas, place.x, y, place.width, STYLE_HEADER,
			            slice_of(model->n_marked > 0 ? text : "sum"));
		} else if (total.type != VALUE_NULL) {
			draw_value(canvas, column, &place, y, STYLE_HEADER, &total,
			           model->result->columns[column->source].kind, (struct slice){0});
		}
		is_first = false;
	}
}

void
grid_draw(const struct grid *grid, const struct table_model *model, const struct list *list,
          struct slice search, struct canvas *canvas, struct area area)
{
	int folded = grid_folded_rows(grid);
	struct arena *arena = arena_new();
	struct slice **texts = shorten_columns(grid, model, list, canvas, area.width, arena);

	if (folded) {
		grid_draw_folded(grid, model->result, canvas, area);
		area.y += folded;
		area.height -= folded;
	}
	draw_header(grid, model, canvas, area);
	for (size_t i = 0; i < list->height && list->top + i < model->n_rows; i++) {
		int y = area.y + 1 + (int)i;

		if (y >= area.y + area.height) {
			break;
		}
		draw_row(grid, model, search, canvas, area, y, list->top + i, i, texts);
		if (list->top + i == list->selected) {
			draw_selection(grid, canvas, area, y);
		}
	}
	if (table_model_has_totals(model)) {
		draw_totals(grid, model, canvas, area, area.y + 1 + (int)list->height);
	}
	arena_free(arena);
}
