/* The list of runs as a result, which is filtered, put in order and counted in groups by what does
 * so with tables (table_model.h, frequency.h). The rows stand in it as they were found; what is no
 * run yet, or can't be read, has but a name or a path. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/list.h"
#include "query/saved/tag_columns.h"
#include "ui/base/texts.h"
#include "ui/lists/view_runs.h"
#include "ui/table/frequency.h"
#include "util/mem.h"

#define RUN_FOLDER RUN_COLUMNS /* the column behind those of run_list.h; tags stand behind it */

/* What [ and ] go through, after the order in which they were found: what is largest, but names,
 * formats and dates, comes first. */
static const struct {
	size_t column;
	bool is_descending;
} orders[] = {{RUN_NAME, false}, {RUN_FORMAT, false}, {RUN_STARTED, false}, {RUN_DURATION, true},
              {RUN_LANES, true}, {RUN_RECORDS, true}, {RUN_PROBLEMS, true}};

static struct value
folder_of(struct result *result, const char *path)
{
	const char *end = strrchr(path, '/');

	return end ? value_text(result, (struct slice){path, end > path ? (size_t)(end - path) : 1})
	           : value_word(result, ".");
}

/* The tags that people gave the runs. An import has none yet. */
static void
find_tags(const struct runs *runs, const struct result_column *beside, struct tag_columns *tags)
{
	struct run_tags *all = xcalloc(runs->n_rows + 1, sizeof *all);

	for (size_t i = 0; i < runs->n_rows; i++) {
		const struct run_entry *run = runs->rows[i].run;
		all[i] = run ? run->tags : (struct run_tags){0};
	}
	tag_columns_add(tags, all, runs->n_rows, false, beside, RUN_FOLDER + 1);
	free(all);
}

static struct result *
new_list(const struct runs *runs, struct tag_columns *tags)
{
	struct result_column beside[RUN_FOLDER + 1], *columns;

	memcpy(beside, run_columns, sizeof run_columns);
	beside[RUN_FOLDER] = (struct result_column){.name = "folder", .kind = KIND_TEXT};
	find_tags(runs, beside, tags);
	columns = xcalloc(RUN_FOLDER + 1 + tags->n, sizeof *columns);
	memcpy(columns, beside, sizeof beside);
	if (tags->n > 0) {
		memcpy(columns + RUN_FOLDER + 1, tags->columns, tags->n * sizeof *columns);
	}
	struct result *list = result_new("Runs", columns, RUN_FOLDER + 1 + tags->n);
	free(columns);
	return list;
}

void
runs_fill(struct runs *runs)
{
	struct tag_columns tags = {0};
	struct result *result = new_list(runs, &tags);

	for (size_t i = 0; i < runs->n_rows; i++) {
		const struct runs_row *row = &runs->rows[i];
		const struct ui_import *import = row->run ? NULL : &runs->states[row->import];
		struct value *values =
		    row->run ? run_list_add_row(result, row->run) : result_add_row(result);

		if (row->run) {
			values[RUN_FOLDER] = folder_of(result, row->run->path);
			tag_columns_values(&tags, 0, tags.n, &row->run->tags, result,
			                   values + RUN_FOLDER + 1);
		} else {
			values[RUN_NAME] = value_word(result, import->name);
		}
		if (import && *import->format) {
			values[RUN_FORMAT] = value_word(result, import->format);
		}
	}
	tag_columns_free(&tags);
	table_model_set(&runs->model, result);
}

const struct runs_row *
runs_row(const struct runs *runs, size_t shown)
{
	return shown < runs->model.n_rows ? &runs->rows[runs->model.rows[shown]] : NULL;
}

static void
next_order(struct runs *runs, bool forward)
{
	const struct table_wish *wish = &runs->model.wish;
	size_t at = 0, n = COUNT_OF(orders);

	while (at < n && (wish->n_keys == 0 || orders[at].column != wish->keys[0].column)) {
		at++;
	}
	at = (at + (forward ? 1 : n)) % (n + 1);
	if (at == n) {
		(void)table_model_sort_by(&runs->model, "", &(struct err)ERR_INIT); /* as found */
	} else {
		table_model_sort(&runs->model, orders[at].column, orders[at].is_descending);
	}
}

bool
runs_row_has(const struct view *view, size_t shown, struct slice text)
{
	const struct runs *runs = view->state;
	static const size_t columns[] = {RUN_NAME, RUN_FORMAT, RUN_PATH};
	bool has = false;

	for (size_t i = 0; i < COUNT_OF(columns) && !has; i++) {
		has = table_model_cell_matches(&runs->model, shown, columns[i], text);
	}
	return has;
}

/* Opens how many of the shown runs have each value of a column. */
static int
group(struct view *view, struct slice by, struct err *err)
{
	struct runs *runs = view->state;
	char *name = text_new(slice_trim(by, " \t"));
	int column = result_column_find(runs->model.result, name, err);

	free(name);
	if (column < 0) {
		return -1;
	}
	app_open(view->app, /* in no run: the rows are of all */
	         &(struct view_place){.kind = PLACE_SOURCE,
	                              .source = frequency_source(&runs->model, (size_t)column)});
	return 0;
}

void
runs_sort(struct view *view, bool forward)
{
	struct runs *runs = view->state;
	struct runs_place place = runs_place_of_selected(runs);

	next_order(runs, forward);
	runs_show(view, place);
}

bool
runs_unfilter(struct view *view)
{
	struct runs *runs = view->state;
	struct runs_place place = runs_place_of_selected(runs);
	bool any = table_model_unfilter(&runs->model);

	runs_show(view, place);
	return any;
}

static int
add_filter(struct view *view, struct slice text, struct err *err)
{
	struct runs *runs = view->state;
	struct runs_place place = runs_place_of_selected(runs);
	int rc = table_model_filter(&runs->model, text, err);

	runs_show(view, place);
	return rc;
}

void
runs_filter(struct view *view, struct slice text)
{
	struct err err = ERR_INIT;

	if (add_filter(view, text, &err)) {
		view_fail(view, err.message);
	}
}

static int
sort_typed(struct view *view, struct slice order, struct err *err)
{
	struct runs *runs = view->state;
	struct runs_place place = runs_place_of_selected(runs);
	int rc = table_model_sort_typed(&runs->model, order, err);

	runs_show(view, place);
	return rc;
}

void
runs_prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final)
{
	struct err err = ERR_INIT;
	char *copy;
	int rc = 0;

	if (!final || text.len == 0) {
		return;
	}
	copy = text_new(text); /* what follows may open the next prompt */
	text.ptr = copy;
	if (kind == PROMPT_FILTER) {
		rc = add_filter(view, text, &err);
	} else if (kind == PROMPT_GROUP) {
		rc = group(view, text, &err);
	}
	if (rc != 0) {
		view_fail(view, err.message);
		app_prompt_again(view->app);
	}
	free(copy);
}

static const struct {
	const char *name;
	int (*run)(struct view *view, struct slice arguments, struct err *err);
} commands[] = {
    {"filter", add_filter}, {"sort", sort_typed}, {"group", group}, {"bars", runs_bar_choose}};

enum command_outcome
runs_command(struct view *view, struct slice name, struct slice arguments, struct err *err)
{
	for (size_t i = 0; i < COUNT_OF(commands); i++) {
		if (slice_is(name, commands[i].name)) {
			return commands[i].run(view, slice_trim(arguments, " \t"), err) == 0
			           ? COMMAND_DONE
			           : COMMAND_FAILED;
		}
	}
	return COMMAND_UNKNOWN;
}

void
runs_complete(const struct view *view, enum prompt_kind kind, struct completion *completion)
{
	const struct runs *runs = view->state;
	bool is_command = kind == PROMPT_COMMAND;

	if (is_command && !memchr(completion->typed.ptr, ' ', completion->typed.len)) {
		for (size_t i = 0; i < COUNT_OF(commands); i++) {
			completion_add_text(completion, commands[i].name);
		}
		return;
	}
	completion_begin(completion, " ,");
	if (is_command || kind == PROMPT_GROUP || completion->from == 0) {
		table_model_complete(&runs->model, "", completion);
	}
	if (!is_command) {
		completion_settle(completion);
	}
}
