/*
 * A query's table. The first column stays in sight when the others are scrolled sideways; measures of time and size get a bar in
 * proportion to the column's largest value where there is room.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/show.h"
#include "ui/list.h"
#include "ui/table_model.h"
#include "ui/table_source.h"
#include "ui/view.h"
#include "util/utf8.h"

#define BAR_COLUMNS 10
#define WIDTH_LIMIT 40
#define FIRST_WIDTH_LIMIT 60

struct column_layout {
	int width;      /* of the text */
	double largest; /* for bars; 0: no bar */
};

/* Values of the query's parameters, by their place in it; NULL: the default. */
struct parameters {
	char **texts;
	size_t n;
};

struct table {
	struct table_source *source;
	struct parameters parameters;
	struct table_model model;
	struct column_layout *columns;
	struct list list;
	size_t column, first_column; /* selected; first shown after column 0 */
	struct strbuf search;
	bool is_asked;
};

struct table_job {
	struct job job;
	struct table_source *source; /* retained: the view may be closed while the job still runs */
	struct parameters parameters; /* own copies */
	struct result *result;
};

static struct parameters
parameters_copy(const struct parameters *from, size_t n)
{
	struct parameters copy = {xcalloc(n + 1, sizeof(*copy.texts)), n};

	for (size_t i = 0; from && i < n; i++) {
		copy.texts[i] = from->texts[i] ? xstrdup(from->texts[i]) : NULL;
	}
	return copy;
}

static void
parameters_free(struct parameters *parameters)
{
	for (size_t i = 0; i < parameters->n; i++) {
		free(parameters->texts[i]);
	}
	free(parameters->texts);
}

static int
run_query(struct job *job, struct worker *worker, struct err *err)
{
	struct table_job *mine = (struct table_job *)job;

	mine->result = mine->source->ops->load(
	    mine->source, (const char *const *)mine->parameters.texts, worker, &job->cancel, err);
	return mine->result ? 0 : -1;
}

static void
free_table_job(struct job *job)
{
	struct table_job *mine = (struct table_job *)job;

	result_free(mine->result);
	parameters_free(&mine->parameters);
	table_source_release(mine->source);
	free(mine);
}

/* Runs the query, or asks for the first parameter that it can't do without. */
static void
ask_query(struct view *view)
{
	struct table *table = view->state;
	const struct table_source *query = table->source;
	struct table_job *job;

	for (size_t i = 0; i < query->n_params; i++) {
		if (!query->params[i].default_text && !table->parameters.texts[i]) {
			char text[64];

			snprintf(text, sizeof(text), "%s=", query->params[i].name);
			app_prompt(view->app, PROMPT_PARAMETER, "parameter ", text);
			return;
		}
	}
	job = xcalloc(1, sizeof(*job));
	job->job.work = run_query;
	job->job.free = free_table_job;
	job->source = table_source_retain(table->source);
	job->parameters = parameters_copy(&table->parameters, query->n_params);
	app_submit(view->app, view, &job->job);
}

/* Takes "NAME=VALUE". */
static void
set_parameter(struct view *view, struct slice text)
{
	struct table *table = view->state;
	const char *equals = memchr(text.ptr, '=', text.len);
	struct slice name = {text.ptr, equals ? (size_t)(equals - text.ptr) : text.len};

	for (size_t i = 0; equals && i < table->source->n_params; i++) {
		if (slice_is(name, table->source->params[i].name)) {
			free(table->parameters.texts[i]);
			table->parameters.texts[i] = xstrndup(equals + 1, text.len - name.len - 1);
			ask_query(view);
			return;
		}
	}
	app_say(view->app, true, "%s has no parameter '%.*s': write NAME=VALUE",
	        table->source->title, (int)name.len, name.ptr);
}

/* Names of the parameters and what they are now, as the line below the table shows them. */
static void
parameters_text(const struct table *table, struct strbuf *out)
{
	for (size_t i = 0; i < table->source->n_params; i++) {
		const char *value = table->parameters.texts[i]
		                        ? table->parameters.texts[i]
		                        : table->source->params[i].default_text;

		strbuf_printf(out, "%s%s=%s", i ? "  " : "parameters  ",
		              table->source->params[i].name, value ? value : "?");
	}
}

/* Widths from the first rows' texts: enough to judge, whatever the result's size. */
#define MEASURED_ROWS 2000

static void
lay_columns(struct table *table)
{
	const struct result *result = table->model.result;

	free(table->columns);
	table->columns = xcalloc(result->n_columns + 1, sizeof(*table->columns));
	for (size_t c = 0; c < result->n_columns; c++) {
		struct column_layout *layout = &table->columns[c];
		enum column_kind kind = result->columns[c].kind;
		int limit = c == 0 ? FIRST_WIDTH_LIMIT : WIDTH_LIMIT;
		bool wants_bar =
		    (kind == KIND_DURATION || kind == KIND_SIZE) && result->columns[c].is_measure;

		layout->width = (int)utf8_columns(slice_of(result->columns[c].name)) +
		                1; /* room for the arrow */
		for (size_t r = 0; r < result->n_rows; r++) {
			const struct value *value = result_value(result, r, c);
			double number = value->type == VALUE_INTEGER ? (double)value->integer
			                : value->type == VALUE_REAL  ? value->real
			                                             : 0;

			if (r < MEASURED_ROWS) {
				char buffer[FORMAT_BYTES];
				int width = (int)utf8_columns(
				    value_show(value, result_kind(result, r, c), buffer));

				layout->width = width > layout->width ? width : layout->width;
			}
			layout->largest =
			    wants_bar && number > layout->largest ? number : layout->largest;
		}
		layout->width = layout->width > limit ? limit : layout->width;
	}
}

/* Whether bars fit beside all columns of the screen. */
static bool
bars_fit(const struct table *table, int width)
{
	int used = 2, bars = 0;

	for (size_t c = 0; c < table->model.result->n_columns; c++) {
		used += table->columns[c].width + 2;
		bars += table->columns[c].largest > 0;
	}
	return bars > 0 && used + BAR_COLUMNS + 1 <= width;
}

/* The column that gets the bars: the one sorted by, else the first that can. */
static size_t
bar_column(const struct table *table, int width)
{
	size_t n = table->model.result->n_columns, sort = table->model.sort_column;

	if (!bars_fit(table, width)) {
		return n;
	}
	if (sort < n && table->columns[sort].largest > 0) {
		return sort;
	}
	for (size_t c = 0; c < n; c++) {
		if (table->columns[c].largest > 0) {
			return c;
		}
	}
	return n;
}

static void
draw_value(const struct table *table, struct canvas *canvas, int x, int y, int width, size_t row,
           size_t c)
{
	const struct result *result = table->model.result;
	const struct value *value = result_value(result, row, c);
	enum column_kind kind = result_kind(result, row, c);
	char buffer[FORMAT_BYTES];
	struct slice text = value_show(value, kind, buffer);
	cell_style style = STYLE_NORMAL;

	if (value->type == VALUE_NULL) {
		style = STYLE_MUTED;
		text = slice_of("-");
	}
	if (column_kind_is_number(kind)) {
		canvas_text_right(canvas, x, y, width, style, text);
	} else {
		canvas_text_middle(canvas, x, y, width, style, text);
	}
}

static void
draw_header_cell(const struct table *table, struct canvas *canvas, int x, int y, int width,
                 size_t c)
{
	const struct result_column *column = &table->model.result->columns[c];
	struct strbuf title = {0};
	cell_style style = c == table->column ? STYLE_HEADER | STYLE_REVERSE : STYLE_HEADER;
	const char *down = canvas->ascii ? "v" : "▾", *up = canvas->ascii ? "^" : "▴";

	strbuf_add_text(&title, column->name);
	if (c == table->model.sort_column) {
		strbuf_add_text(&title, table->model.is_descending ? down : up);
	}
	if (column_kind_is_number(column->kind)) {
		canvas_text_right(canvas, x, y, width, style, strbuf_slice(&title));
	} else {
		canvas_text(canvas, x, y, width, style, strbuf_slice(&title));
	}
	strbuf_free(&title);
}

/* Draws one line of the table: row SIZE_MAX is the header. */
static void
draw_line(const struct table *table, struct canvas *canvas, struct area area, int y,
          size_t shown_row)
{
	const struct result *result = table->model.result;
	size_t with_bar = bar_column(table, area.width);
	int x = 2;

	for (size_t c = 0; c < result->n_columns && x < area.width; c++) {
		int width = table->columns[c].width;

		if (c > 0 && c < table->first_column) {
			continue;
		}
		if (shown_row == SIZE_MAX) {
			draw_header_cell(table, canvas, x, y, width, c);
		} else {
			draw_value(table, canvas, x, y, width, table->model.rows[shown_row], c);
		}
		x += width + 2;
		if (c == with_bar) {
			if (shown_row != SIZE_MAX) {
				const struct value *value =
				    result_value(result, table->model.rows[shown_row], c);
				double number = value->type == VALUE_INTEGER
				                    ? (double)value->integer
				                : value->type == VALUE_REAL ? value->real
				                                            : 0;

				canvas_bar(
				    canvas, x - 1, y, BAR_COLUMNS,
				    (int64_t)(number / table->columns[c].largest * BAR_COLUMNS * 8),
				    STYLE_BAR);
			}
			x += BAR_COLUMNS + 1;
		}
	}
}

static void
draw_notes(const struct table *table, struct canvas *canvas, struct area area)
{
	const struct table_model *model = &table->model;
	struct strbuf line = {0};

	for (size_t i = 0; i < model->n_filters; i++) {
		strbuf_printf(&line, "%s%s", i ? "  &  " : "filter  ", model->filters[i]);
	}
	if (line.len == 0) {
		parameters_text(table, &line);
	}
	if (line.len == 0 && model->result && model->result->n_notes > 0) {
		strbuf_add_text(&line, model->result->notes[0]);
	}
	if (line.len > 0) {
		canvas_text(canvas, 2, area.y + area.height - 1, area.width - 3, STYLE_MUTED,
		            strbuf_slice(&line));
	}
	strbuf_free(&line);
}

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct table *table = view->state;

	if (!table->model.result) {
		draw_notes(table, canvas, area);
		return;
	}
	draw_line(table, canvas, area, area.y, SIZE_MAX);
	if (table->model.n_rows == 0) {
		canvas_puts(canvas, 2, area.y + 2, STYLE_MUTED,
		            table->model.n_filters ? "no row passes the filter (\\ drops it)"
		                                   : "no rows");
	}
	for (size_t i = 0; i < table->list.height && table->list.top + i < table->model.n_rows;
	     i++) {
		size_t row = table->list.top + i;
		int y = area.y + 1 + (int)i;

		draw_line(table, canvas, area, y, row);
		if (row == table->list.selected) {
			canvas_puts(canvas, 0, y, STYLE_KEY, ">");
			canvas_attribute(canvas, 0, y, area.width, STYLE_REVERSE);
			canvas->cursor_x = 0;
			canvas->cursor_y = y;
		}
	}
	draw_notes(table, canvas, area);
	if (app_is_busy(view->app, view)) {
		for (int y = area.y; y < area.y + area.height; y++) {
			canvas_attribute(canvas, 0, y, area.width, STYLE_DIM);
		}
	}
}

/* Scrolls sideways until the selected column is in sight. */
static void
settle_column(struct table *table, int width)
{
	if (!table->model.result || table->model.result->n_columns == 0) {
		return;
	}
	if (table->column >= table->model.result->n_columns) {
		table->column = table->model.result->n_columns - 1;
	}
	if (table->first_column > table->column && table->column > 0) {
		table->first_column = table->column;
	}
	table->first_column += table->first_column == 0;
	while (table->first_column < table->column) {
		int used = 2 + table->columns[0].width + 2;

		for (size_t c = table->first_column; c <= table->column; c++) {
			used += table->columns[c].width + 2;
		}
		if (used <= width) {
			break;
		}
		table->first_column++;
	}
}

static bool
matches(const void *user, size_t row)
{
	const struct table *table = user;

	return table->search.len > 0 &&
	       table_model_matches(&table->model, row, strbuf_slice(&table->search));
}

static void
rows_changed(struct table *table)
{
	table->list.n = table->model.n_rows;
	list_settle(&table->list);
}

static bool
act_column(struct view *view, enum action action)
{
	struct table *table = view->state;

	switch (action) {
	case ACTION_LEFT:
		table->column -= table->column > 0;
		break;
	case ACTION_RIGHT:
		table->column++;
		break;
	case ACTION_SORT_UP:
	case ACTION_SORT_DOWN:
		table_model_sort(&table->model, table->column, action == ACTION_SORT_DOWN);
		rows_changed(table);
		break;
	default:
		return false;
	}
	settle_column(table, view->area.width);
	return true;
}

static bool
act(struct view *view, enum action action)
{
	struct table *table = view->state;

	if (action == ACTION_PARAMETER) {
		app_prompt(view->app, PROMPT_PARAMETER, "parameter ", "");
		return true;
	}
	if (!table->model.result) {
		return false;
	}
	if (list_act(&table->list, action) || act_column(view, action)) {
		return true;
	}
	switch (action) {
	case ACTION_SEARCH_NEXT:
	case ACTION_SEARCH_PREVIOUS:
		if (!list_find(&table->list,
		               action == ACTION_SEARCH_NEXT ? SEARCH_NEXT : SEARCH_PREVIOUS,
		               matches, table)) {
			app_say(view->app, false, "not found");
		}
		return true;
	case ACTION_UNFILTER:
	case ACTION_CANCEL:
		if (table_model_unfilter(&table->model)) {
			rows_changed(table);
			return true;
		}
		return false;
	case ACTION_TIMELINE:
		app_push(view->app,
		         view_timeline_new(view->app, view->run_path, view->run_name, NULL));
		return true;
	default:
		return false;
	}
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct table *table = view->state;
	const struct table_model *model = &table->model;

	if (!model->result) {
		return;
	}
	if (model->n_filters) {
		strbuf_printf(out, "%zu of %zu rows", model->n_rows, model->result->n_rows);
	} else {
		strbuf_printf(out, "%zu row%s", model->n_rows, model->n_rows == 1 ? "" : "s");
	}
	if (model->sort_column < model->result->n_columns) {
		strbuf_printf(out, "   sort %s%s", model->is_descending ? "-" : "",
		              model->result->columns[model->sort_column].name);
	}
}

static void
resize(struct view *view, struct area area)
{
	struct table *table = view->state;

	if (!table->is_asked) { /* the view stands: its first question */
		table->is_asked = true;
		ask_query(view);
	}
	table->list.height = area.height > 2 ? (size_t)area.height - 2 : 1;
	list_settle(&table->list);
	settle_column(table, area.width);
}

static void
done(struct view *view, struct job *job)
{
	struct table *table = view->state;
	struct table_job *mine = (struct table_job *)job;

	table_model_set(&table->model, mine->result);
	mine->result = NULL;
	lay_columns(table);
	rows_changed(table);
	settle_column(table, view->area.width);
}

static void
prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final)
{
	struct table *table = view->state;
	struct err err = ERR_INIT;

	if (kind == PROMPT_PARAMETER) {
		if (final && text.len > 0) {
			set_parameter(view, text);
		}
		return;
	}
	if (!table->model.result) {
		return;
	}
	if (kind == PROMPT_FILTER) {
		if (final && text.len > 0 && table_model_filter(&table->model, text, &err) != 0) {
			app_say(view->app, true, "%s", err.message);
		}
		rows_changed(table);
	} else if (!final) {
		strbuf_clear(&table->search);
		strbuf_add(&table->search, text.ptr, text.len);
		list_find(&table->list, SEARCH_HERE, matches, table);
	}
}

static void
close_table(struct view *view)
{
	struct table *table = view->state;

	table_model_fini(&table->model);
	parameters_free(&table->parameters);
	free(table->columns);
	table_source_release(table->source);
	strbuf_free(&table->search);
	free(table);
}

static const struct view_ops ops = {
    .sets = IN_TABLE,
    .draw = draw,
    .act = act,
    .status = status,
    .resize = resize,
    .done = done,
    .prompt = prompt,
    .close = close_table,
};

struct view *
view_table_new(struct app *app, const char *run_path, const char *run_name,
               struct table_source *source)
{
	struct table *table = xcalloc(1, sizeof(*table));

	table->source = source;
	table->parameters = parameters_copy(NULL, source->n_params);
	return run_path ? view_new_in_run(app, &ops, table, run_path, run_name, source->title)
	                : view_new(app, &ops, table, source->title);
}
