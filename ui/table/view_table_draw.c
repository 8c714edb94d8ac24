/* The table on the screen: the grid, and a line below it of what was asked and
 * filtered. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "ui/base/facts.h"
#include "ui/table/view_table.h"
#include "util/utf8.h"

static bool
same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool
is_answered(const struct table_view *table, size_t i)
{
	return same_text(table->asked[i], table->answered[i]);
}

/* Parameters and what they were when the rows were asked for; those asked
 * since, with a mark. */
static void
add_parameters(const struct table_view *table, struct strbuf *out)
{
	for (size_t i = 0; i < table->source->n_params; i++) {
		const struct query_param *param = &table->source->params[i];
		const char *asked = table->asked[i];
		const char *value = asked ? asked : param->default_text;

		strbuf_printf(
		    out, "%s%s=%s%s", i ? "  " : "parameters  ", param->name, value ? value : "?",
		    is_answered(table, i) || !table->model.result ? "" : " (not answered)");
	}
}

/* The first note, where it is read before the parameters that it is an answer to. */
static void
add_first_note(const struct table_view *table, struct strbuf *out)
{
	const struct result *result = table->model.result;
	bool is_first = table->source->notes_first && result && result->n_notes > 0;

	for (size_t i = 0; i < table->source->n_params; i++) {
		is_first = is_first && is_answered(table, i);
	}
	if (is_first) {
		strbuf_printf(out, "%s   ", result->notes[0]);
	}
}

/* Which run is which: "A f1 (base)  B f4". Returns where it ends. */
static int
draw_sides(const struct table_source *source, struct canvas *canvas, int y, int width)
{
	int x = 2;

	for (int side = 0; side < 2; side++) {
		x += canvas_puts(canvas, x, y, STYLE_KEY, side ? "B " : "A ");
		x += canvas_text_cut(canvas, x, y, width / 5, STYLE_MUTED,
		                     slice_of(source->runs.name[side]));
		x += canvas_puts(canvas, x, y, STYLE_MUTED, side ? "   " : " (base)  ");
	}
	return x;
}

static void
draw_notes(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct table_view *table = view->state;
	const struct result *result = table->model.result;
	size_t column = grid_selected(&table->grid);
	const char *about =
	    result && column < result->n_columns ? result->columns[column].about : NULL;
	struct strbuf line = {0};
	int x = 2, y = area.y + area.height - 1;

	filter_stack_show(&table->model.wish.filters, &line);
	if (line.len == 0 && result &&
	    result->out_of_scope) { /* the figures are not what they seem */
		strbuf_add_text(&line, result->out_of_scope);
	}
	if (line.len == 0) {
		add_first_note(table, &line);
		add_parameters(table, &line);
	}
	if (view->sets & IN_DIFF && table->source->runs.name[1]) {
		x = draw_sides(table->source, canvas, y, area.width);
	}
	if (line.len == 0 && result && result->n_notes > 0) {
		strbuf_add_text(&line, result->notes[0]);
	}
	if (line.len > 0) {
		x += canvas_text_cut(canvas, x, y, area.width - 1 - x, STYLE_MUTED,
		                     strbuf_slice(&line)) +
		     3;
	}
	if (about && x + 20 <= area.width) {
		strbuf_clear(&line);
		strbuf_printf(&line, "%s: %s", result->columns[column].name, about);
		canvas_text_right(canvas, x, y, area.width - x - 1, STYLE_MUTED,
		                  utf8_clip(strbuf_slice(&line), (size_t)(area.width - x - 1)));
	}
	strbuf_free(&line);
}

/* The parameters that were given, which nothing matches; false: there are none. */
static bool
add_given(const struct table_view *table, struct strbuf *out)
{
	for (size_t i = 0; i < table->source->n_params; i++) {
		if (table->answered[i]) {
			strbuf_printf(out, "%s  %s=%s", out->len == 0 ? "nothing matches" : "",
			              table->source->params[i].name, table->answered[i]);
		}
	}
	strbuf_add_text(out, out->len > 0 ? "   (p sets another value)" : "");
	return out->len > 0;
}

/* Why there are no rows, and what to do. */
static void
draw_none(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct table_view *table = view->state;
	bool is_scoped = app_scope(view->app)->n > 0;
	struct strbuf why = {0};

	if (table->model.wish.filters.n > 0) {
		filter_stack_miss(&table->model.wish.filters, is_scoped, &why);
	} else if (is_scoped) {
		strbuf_add_text(&why, "nothing in scope (- drops its last word)");
	} else if (!add_given(table, &why)) {
		strbuf_add_text(&why, table->source->empty ? table->source->empty : "no rows");
	}
	canvas_wrapped(canvas, 2, area.y + 2, area.width - 3, area.height - 3, STYLE_MUTED,
	               strbuf_slice(&why));
	strbuf_free(&why);
}

static void
draw_empty(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct table_view *table = view->state;

	if (table->failure.code != ERR_NONE) {
		int rows = canvas_wrapped(canvas, 2, area.y + 1, area.width - 3, area.height - 4,
		                          STYLE_ERROR, slice_of(table->failure.message));

		canvas_puts(canvas, 2, area.y + rows + 2, STYLE_MUTED,
		            !table->source->sql && table->source->n_params == 0 ? "R asks again"
		            : !table->source->sql ? "p sets a parameter, R asks again"
		            : table->source->n_params == 0
		                ? "E edits the query, R asks again"
		                : "E edits the query, p sets a parameter, R asks again");
	} else if (table->model.result && table->model.n_rows == 0) {
		draw_none(view, canvas, area);
	}
}

/* The first text of the selected row that its column cuts, whole, where nothing but the row itself
 * is to be seen (the reason of a problem), if there is room below the rows. */
static void
draw_whole(const struct table_view *table, struct canvas *canvas, struct area area)
{
	const struct table_model *model = &table->model;
	const struct saved_query *query = table->source->query;
	int y =
	    area.y + grid_folded_rows(&table->grid) + 2 + (int)(table->list.n - table->list.top);
	int end = area.y + area.height - 1 - table_model_has_totals(model);

	if (!query || !query->drill.view || strcmp(query->drill.view, "row") != 0 ||
	    table->list.n - table->list.top >= table->list.height) {
		return;
	}
	for (size_t i = 0; i < table->grid.n && y < end; i++) {
		const struct grid_column *column = &table->grid.columns[i];
		const struct value *value =
		    result_value(model->result, model->rows[table->list.selected], column->source);

		if (value->type == VALUE_TEXT && !column->is_hidden && !column->is_folded &&
		    canvas_columns(value->text, CANVAS_SIDE_LIMIT) > column->width) {
			(void)canvas_wrapped(canvas, 2, y, area.width - 4, end - y, STYLE_NORMAL,
			                     value->text);
			return;
		}
	}
}

void
table_draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct table_view *table = view->state;

	if (grid_is_upright(&table->grid, &table->model)) {
		grid_draw_upright(
		    &table->grid, &table->model, strbuf_slice(&view->search.text), canvas,
		    (struct area){area.x, area.y, area.width, area.height - 1}); /* notes */
	} else if (table->model.result) {
		grid_draw(&table->grid, &table->model, &table->list,
		          strbuf_slice(&view->search.text), canvas, area);
	}
	if (!table->model.result || table->model.n_rows == 0) {
		draw_empty(view, canvas, area);
	} else if (!grid_is_upright(&table->grid, &table->model)) {
		draw_whole(table, canvas, area);
	}
	draw_notes(view, canvas, area);
	if (view_is_late(view)) {
		canvas_dim(canvas, area);
	}
}

void
table_status(const struct view *view, struct strbuf *out)
{
	const struct table_view *table = view->state;
	const struct table_model *model = &table->model;

	if (!model->result) {
		return;
	}
	if (model->n_rows > 0) {
		strbuf_add_text(out, "row ");
		facts_add_exact(out, (int64_t)table->list.selected + 1);
		strbuf_add_text(out, "   ");
	}
	facts_add_exact(out, (int64_t)model->n_rows);
	if (model->wish.filters.n) {
		strbuf_add_text(out, " of ");
		facts_add_exact(out, (int64_t)model->result->n_rows);
	}
	strbuf_add_text(out, (model->wish.filters.n ? model->result->n_rows : model->n_rows) == 1
	                         ? " row"
	                         : " rows");
	if (model->n_marked > 0) {
		strbuf_printf(out, "   %zu marked", model->n_marked);
	}
	if (model->wish.n_keys > 0) {
		strbuf_add_text(out, "   sort ");
		table_model_sort_text(model, out);
	}
}
