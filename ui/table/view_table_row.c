/* On from the selected row: what is behind it, where it lies in time, its text.
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "query/saved/kind.h"
#include "ui/app/save.h"
#include "ui/base/result_copy.h"
#include "ui/table/view_table.h"
#include "util/utf8.h"

static struct drill
drill_of(const struct table_view *table)
{
	return table_source_drill(table->source, table->answered);
}

static size_t
selected_row(const struct table_view *table)
{
	return table->list.selected < table->model.n_rows ? table->model.rows[table->list.selected]
	                                                  : SIZE_MAX;
}

static bool
open_row(struct view *view, const struct view_place *in)
{
	struct table_view *table = view->state;
	struct table_source *source = table_source_retain(table->source);
	struct drill drill = drill_of(table);
	size_t row = selected_row(table);
	bool is_open = false;

	if (row != SIZE_MAX && source->ops->cell) {
		struct view_place next = *in;
		struct focus focus;

		(void)table_focus(table, &focus);
		next.kind = PLACE_SPANS;
		next.focus = &focus;
		app_open(view->app, &next);
		drill_focus_free(&focus);
		is_open = true;
	} else if (row != SIZE_MAX) { /* `open` may close the view */
		is_open = (source->ops->open &&
		           source->ops->open(source, view, in, table->model.result, row)) ||
		          drill_open(view, in, &drill, table->model.result, row);
	}
	table_source_release(source);
	return is_open;
}

bool
table_focus(const struct table_view *table, struct focus *focus)
{
	struct drill drill = drill_of(table);
	size_t row = selected_row(table);

	*focus = FOCUS_NONE;
	if (row == SIZE_MAX) {
		return false;
	}
	if (table->source->ops->cell) {
		table->source->ops->cell(table->source, table->model.result, row,
		                         grid_selected(&table->grid), focus);
		return true;
	}
	if (table->source->ops->focus) {
		return table->source->ops->focus(table->source, table->model.result, row, focus);
	}
	return drill_focus(&drill, table->model.result, row, focus);
}

/* Breaks a long text at blanks; what follows the first line is indented. */
static void
add_wrapped(struct strbuf *out, struct slice text, size_t indent, size_t columns)
{
	while (text.len > 0) {
		struct slice line = utf8_clip(text, columns);
		size_t n = line.len > 0 ? line.len : 1;

		while (n < text.len && n > 0 && text.ptr[n] != ' ') {
			n--;
		}
		n = n > 0 ? n : line.len > 0 ? line.len : 1;
		strbuf_add(out, text.ptr, n);
		for (; n < text.len && text.ptr[n] == ' '; n++) {
		}
		text = slice_from(text, n);
		if (text.len > 0) {
			strbuf_printf(out, "\n%*s", (int)indent, "");
		}
	}
}

/* All that the row says, each column whole, where nothing else stands behind it. */
static void
show_row(struct view *view)
{
	const struct table_view *table = view->state;
	const struct result *result = table->model.result;
	size_t row = selected_row(table), widest = 0;
	struct strbuf text = {0}, title = {0};

	for (size_t c = 0; c < result->n_columns; c++) {
		size_t columns = utf8_columns(slice_of(result->columns[c].name));

		widest = columns > widest ? columns : widest;
	}
	widest += 2;
	for (size_t c = 0; c < result->n_columns && row != SIZE_MAX; c++) {
		const char *name = result->columns[c].name;
		int pad = (int)(widest - utf8_columns(slice_of(name)));
		size_t room = view->area.width > (int)widest + 20
		                  ? (size_t)view->area.width - widest - 3
		                  : 20;
		char buffer[FORMAT_BYTES];

		strbuf_printf(&text, "%s%*s", name, pad, "");
		add_wrapped(
		    &text,
		    value_show(result_value(result, row, c), result_kind(result, row, c), buffer),
		    widest, room);
		strbuf_add_text(&text, "\n");
	}
	if (text.len > 0) {
		strbuf_printf(&title, "%s > row", view->title);
		app_open_text(view->app, title.data, strbuf_slice(&text));
	}
	strbuf_free(&title);
	strbuf_free(&text);
}

static void
say_no_spans(const struct view *view)
{
	const struct table_view *table = view->state;
	struct drill drill = drill_of(table);
	size_t row = selected_row(table);
	char *why = row != SIZE_MAX && !table->source->ops->focus
	                ? drill_why_not(&drill, table->model.result, row)
	                : NULL;

	view_fail(view, why               ? why
	                : row != SIZE_MAX ? "the row stands for no spans"
	                                  : "no row is selected");
	free(why);
}

int
table_side_of_row(const struct table_view *table)
{
	static const char *const columns[] = {"only_in", "run"};
	const struct result *result = table->model.result;
	const char *const *names = table->source->runs.name;
	size_t row = selected_row(table);

	for (size_t i = 0; i < COUNT_OF(columns) && result && row != SIZE_MAX; i++) {
		int column = column_find(result->columns, result->n_columns, slice_of(columns[i]));
		const struct value *run =
		    column >= 0 ? result_value(result, row, (size_t)column) : NULL;

		if (run && run->type == VALUE_TEXT && slice_is(run->text, names[0]) &&
		    strcmp(names[0], names[1]) != 0) {
			return 0;
		}
	}
	return 1;
}

struct paint_source *
table_paint(const struct table_view *table, const struct focus *focus)
{
	bool has_lane = focus->lane >= 0 || focus->lane_name;
	bool says_time = focus->mark_end_ns >= focus->mark_start_ns && has_lane && !focus->filter &&
	                 focus->span < 0;

	const struct explain_part *part = table->source->part;

	return table->model.result && (says_time || (part && part->painted))
	           ? paint_source_of_table(table->source, table->answered)
	           : NULL;
}

bool
table_go_on(struct view *view, enum view_action action)
{
	struct table_view *table = view->state;
	const struct two_runs *runs = &table->source->runs;
	struct view_place in = {.run_path = view->run_path, .run_name = view->run_name};
	struct focus focus;

	if (runs->path[0] && (action == ACTION_PARTNER || table_side_of_row(table) == 0)) {
		in.run_path = runs->path[0];
		in.run_name = runs->name[0];
	} else if (action == ACTION_PARTNER) {
		return false;
	}
	if (action != ACTION_TIMELINE && action != ACTION_SPANS) {
		if (!open_row(view, &in)) {
			show_row(view);
			if (table->source->query &&
			    drill_target(&table->source->query->drill) == DRILL_NOWHERE) {
				say_no_spans(view);
			}
		}
		return true;
	}
	if (!in.run_path) {
		view_say(view, "this table stands in no run");
		return true;
	}
	(void)table_focus(table, &focus); /* none: the whole run */
	in.kind = action == ACTION_TIMELINE ? PLACE_TIMELINE : PLACE_SPANS;
	in.focus = &focus;
	in.paint = action == ACTION_TIMELINE ? table_paint(table, &focus) : NULL;
	if (in.paint) { /* it shows where, in place of the row's spans */
		free((char *)focus.filter);
		focus.filter = NULL;
	}
	if (action == ACTION_TIMELINE || focus.filter) {
		app_open(view->app, &in);
	} else {
		say_no_spans(view);
	}
	drill_focus_free(&focus);
	return true;
}

void
table_scope(struct view *view, bool is_cell)
{
	const struct table_view *table = view->state;
	const struct result *result = table->model.result;
	size_t row = selected_row(table), column = grid_selected(&table->grid);
	struct focus focus;

	if (row == SIZE_MAX) {
		view_say(view, "no row is selected");
	} else if (is_cell) {
		(void)app_scope_add_cell(view->app, result->columns[column].name,
		                         result_value(result, row, column));
	} else {
		if (!table_focus(table, &focus) || !app_scope_add_focus(view->app, &focus)) {
			view_fail(
			    view,
			    "this row does not say which spans are its own (C adds the cell)");
		}
		drill_focus_free(&focus);
	}
}

void
table_copy(struct view *view, bool is_row)
{
	const struct table_view *table = view->state;

	grid_copy(view, &table->grid, table->model.result, selected_row(table), is_row);
}

void
table_plot(struct view *view)
{
	const struct table_view *table = view->state;
	const struct table_model *model = &table->model;
	const struct result *from = model->result;
	size_t *columns = numbers_copy(NULL, from->n_columns);
	struct result *rows =
	    result_select(from, model->rows, model->n_rows, columns, from->n_columns);

	free(columns);
	rows->n_apart = from->n_apart;
	for (size_t i = 0; i < from->n_notes; i++) {
		result_add_note(rows, "%s", from->notes[i]);
	}
	view_open(view, PLACE_CHART, .title = table->source->title, .query = table->source->query,
	          .result = rows);
}

void
table_save(struct view *view, struct slice text)
{
	const struct table_view *table = view->state;
	char *path = table->model.result ? save_path(view, text) : NULL;
	size_t *columns, n;

	if (!path) {
		return;
	}
	columns = xcalloc(table->grid.n + 1, sizeof *columns);
	n = grid_shown(&table->grid, columns);
	save_selection(view, table->model.hold, table->model.rows, table->model.n_rows, columns, n,
	               path);
	free(columns);
}
