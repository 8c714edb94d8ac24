/* A bar of a measure in the list of runs: any column of numbers, tags as well. Bars begin at 0 and
 * are as long as the largest of the runs that are shown lets them. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "ui/base/texts.h"
#include "ui/lists/view_runs.h"
#include "util/mem.h"
#include "util/utf8.h"

#define BAR_COLUMNS 8

static const struct value *
cell(const struct runs *runs, size_t shown, size_t column)
{
	return result_value(runs->model.result, runs->model.rows[shown], column);
}

/* Numbers above 0 that tell runs apart and are amounts: a date is none. */
static bool
can_be_bar(const struct runs *runs, size_t column)
{
	const struct result *list = runs->model.result;
	enum column_kind kind = list->columns[column].kind;
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < list->n_rows; i++) {
		double value = value_number(result_value(list, i, column));

		least = fmin(least, isnan(value) ? 0 : value);
		most = fmax(most, value);
	}
	return least < most && column_kind_is_number(kind) && kind != KIND_CLOCK &&
	       kind != KIND_TIME;
}

/* SIZE_MAX: none. */
static size_t
bar_column(const struct runs *runs)
{
	const struct result *list = runs->model.result;
	int found = runs->bar && list
	                ? column_find(list->columns, list->n_columns, slice_of(runs->bar))
	                : -1;

	return found >= 0 && can_be_bar(runs, (size_t)found) ? (size_t)found : SIZE_MAX;
}

static void
set_bar(struct runs *runs, size_t column)
{
	free(runs->bar);
	runs->bar = column == SIZE_MAX ? NULL : xstrdup(runs->model.result->columns[column].name);
}

void
runs_bar_next(struct view *view)
{
	struct runs *runs = view->state;
	size_t n = runs->model.result ? runs->model.result->n_columns : 0;
	size_t now = bar_column(runs), at = now == SIZE_MAX ? RUN_DURATION : now + 1;

	while (at < n && !can_be_bar(runs, at)) {
		at++;
	}
	set_bar(runs, at < n ? at : SIZE_MAX);
	view_say(view, at < n ? "bars: %s" : "no bars", at < n ? runs->bar : "");
}

int
runs_bar_choose(struct view *view, struct slice name, struct err *err)
{
	struct runs *runs = view->state;
	char *text = text_new(name);
	int column = name.len > 0 ? result_column_find(runs->model.result, text, err) : -1;
	bool is_wrong = name.len > 0 && (column < 0 || !can_be_bar(runs, (size_t)column));

	if (!is_wrong) {
		set_bar(runs, column < 0 ? SIZE_MAX : (size_t)column);
	} else if (column >= 0) {
		err_set(err, ERR_USAGE, "%s: is no amount in which the runs differ", text);
	}
	free(text);
	return is_wrong ? -1 : 0;
}

static void
add_title(const struct runs *runs, size_t column, bool is_ascii, struct strbuf *title)
{
	strbuf_add_text(title, runs->model.result->columns[column].name);
	table_model_sort_mark(&runs->model, column, is_ascii, title);
}

struct runs_bar
runs_bar_measure(const struct runs *runs)
{
	struct runs_bar bar = {.column = bar_column(runs)};
	struct strbuf title = {0};

	if (bar.column == SIZE_MAX) {
		return bar;
	}
	add_title(runs, bar.column, true, &title);
	bar.width = (int)utf8_columns(strbuf_slice(&title));
	for (size_t i = 0; i < runs->model.n_rows; i++) {
		const struct value *value = cell(runs, i, bar.column);
		char buffer[FORMAT_BYTES];
		struct slice text =
		    value_show(value, runs->model.result->columns[bar.column].kind, buffer);
		double number = value_number(value);

		bar.width =
		    (int)utf8_columns(text) > bar.width ? (int)utf8_columns(text) : bar.width;
		bar.most = number > bar.most ? number : bar.most;
	}
	bar.columns = bar.width + 1 + BAR_COLUMNS + 2;
	strbuf_free(&title);
	return bar;
}

void
runs_bar_draw(const struct runs *runs, const struct runs_bar *bar, struct canvas *canvas, int x,
              int y, size_t shown)
{
	const struct value *value = cell(runs, shown, bar->column);
	double number = value_number(value);
	char buffer[FORMAT_BYTES];

	canvas_text_right(canvas, x, y, bar->width, STYLE_NORMAL,
	                  value_show(value, runs->model.result->columns[bar->column].kind, buffer));
	if (number > 0) {
		canvas_bar(canvas, x + bar->width + 1, y, BAR_COLUMNS,
		           (int64_t)(number / bar->most * BAR_COLUMNS * 8), STYLE_BAR);
	}
}

void
runs_bar_title(const struct runs *runs, const struct runs_bar *bar, struct canvas *canvas, int x,
               int y)
{
	struct strbuf title = {0};

	add_title(runs, bar->column, canvas->ascii, &title);
	canvas_text_right(canvas, x, y, bar->width, STYLE_HEADER, strbuf_slice(&title));
	strbuf_free(&title);
}
