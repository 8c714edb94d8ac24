/* What is typed at a table: searches, filters, parameters, commands, and the
 * words that Tab offers for them. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/list.h"
#include "ui/table/frequency.h"
#include "ui/app/save.h"
#include "ui/table/save_query.h"
#include "ui/table/view_table.h"
#include "ui/base/texts.h"
#include "util/mem.h"

void
table_prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final)
{
	struct err err = ERR_INIT;
	char *copy;

	if (!final || text.len == 0) {
		return;
	}
	copy = text_new(text); /* what follows may open the next prompt */
	text = (struct slice){copy, text.len};
	if (kind == PROMPT_PARAMETER && table_set_parameter(view, text, &err)) {
		view_fail(view, err.message);
		app_prompt_again(view->app);
	} else if (kind == PROMPT_FILTER && !table_add_filter(view, text)) {
		app_prompt_again(view->app);
	} else if (kind == PROMPT_EXPORT) {
		table_save(view, text);
	} else if ((kind == PROMPT_GROUP || kind == PROMPT_PIVOT) &&
	           table_group(view, kind, text, &err)) {
		view_fail(view, err.message);
		app_prompt_again(view->app);
	}
	free(copy);
}

/* ---- commands ---- */

static int
command_sort(struct view *view, struct slice arguments, struct err *err)
{
	return table_model_sort_typed(&((struct table_view *)view->state)->model, arguments, err);
}

static int
command_filter(struct view *view, struct slice arguments, struct err *err)
{
	return table_model_filter(&((struct table_view *)view->state)->model, arguments, err);
}

static int
find_column(struct view *view, struct slice name, struct err *err)
{
	struct table_view *table = view->state;
	char *text = text_new(name);
	int column = result_column_find(table->model.result, text, err);

	free(text);
	return column;
}

/* Of a column that may be there, but not in the grid. */
static int
no_column(struct view *view, struct slice name, struct err *err)
{
	return find_column(view, name, err) < 0 ? -1 : 0;
}

static int
command_hide(struct view *view, struct slice arguments, struct err *err)
{
	struct table_view *table = view->state;

	return grid_hide(&table->grid, arguments, true) ? 0 : no_column(view, arguments, err);
}

static int
command_show(struct view *view, struct slice arguments, struct err *err)
{
	struct table_view *table = view->state;

	if (arguments.len == 0) {
		(void)grid_act(&table->grid, &table->model, ACTION_COLUMNS_SHOW);
	} else if (!grid_hide(&table->grid, arguments, false)) {
		return no_column(view, arguments, err);
	}
	return 0;
}

static int
command_export(struct view *view, struct slice arguments, struct err *err)
{
	(void)err;
	table_save(view, arguments);
	return 0;
}

static int
command_frequency(struct view *view, struct slice arguments, struct err *err)
{
	int column = find_column(view, arguments, err);

	if (column >= 0) {
		table_open_frequency(view, (size_t)column);
	}
	return column < 0 ? -1 : 0;
}

static int
command_group(struct view *view, struct slice arguments, struct err *err)
{
	return table_group(view, PROMPT_GROUP, arguments, err);
}

static int
command_pivot(struct view *view, struct slice arguments, struct err *err)
{
	return table_group(view, PROMPT_PIVOT, arguments, err);
}

static int
command_save(struct view *view, struct slice arguments, struct err *err)
{
	struct table_view *table = view->state;

	return save_query(view, table->source, table->answered, table->model.result, arguments,
	                  err);
}

enum words { WORDS_NONE, WORDS_COLUMNS, WORDS_GROUPS, WORDS_PARAMETERS, WORDS_FILES };

static const struct {
	const char *name;
	bool needs_arguments;
	enum words words;
	int (*run)(struct view *view, struct slice arguments, struct err *err);
} commands[] = {
    {"sort", false, WORDS_COLUMNS, command_sort},
    {"filter", true, WORDS_COLUMNS, command_filter},
    {"hide", true, WORDS_COLUMNS, command_hide},
    {"show", false, WORDS_COLUMNS, command_show},
    {"param", true, WORDS_PARAMETERS, table_set_parameter},
    {"export", true, WORDS_FILES, command_export},
    {"frequency", true, WORDS_COLUMNS, command_frequency},
    {"group", true, WORDS_GROUPS, command_group},
    {"pivot", true, WORDS_GROUPS, command_pivot},
    {"save", true, WORDS_NONE, command_save},
};
#define N_COMMANDS COUNT_OF(commands)

enum command_outcome
table_command(struct view *view, struct slice name, struct slice arguments, struct err *err)
{
	struct table_view *table = view->state;

	arguments = slice_trim(arguments, " \t");
	for (size_t i = 0; i < N_COMMANDS; i++) {
		if (!slice_is(name, commands[i].name)) {
			continue;
		}
		if (commands[i].needs_arguments && arguments.len == 0) {
			err_set(err, ERR_USAGE, "%s: write what after it (Tab helps)",
			        commands[i].name);
			return COMMAND_FAILED;
		}
		if (!table->model.result && commands[i].run != table_set_parameter) {
			err_set(err, ERR_USAGE, "%s: there is no answer yet", commands[i].name);
			return COMMAND_FAILED;
		}
		bool leaves =
		    commands[i].run == command_frequency || commands[i].words == WORDS_GROUPS;

		if (commands[i].run(view, arguments, err)) {
			return COMMAND_FAILED;
		}
		if (!leaves) {
			table_changed(view);
		}
		return COMMAND_DONE;
	}
	for (size_t i = 0; i < table->source->n_params; i++) { /* "threshold 5%" */
		struct strbuf text = {0};

		if (!slice_is(name, table->source->params[i].name)) {
			continue;
		}
		strbuf_printf(&text, "%s=", table->source->params[i].name);
		strbuf_add_slice(&text, arguments);
		int rc = table_set_parameter(view, strbuf_slice(&text), err);

		strbuf_free(&text);
		return rc == 0 ? COMMAND_DONE : COMMAND_FAILED;
	}
	return COMMAND_UNKNOWN;
}

/* ---- completion ---- */

static void
add_parameter(const struct query_param *param, struct slice value, struct completion *completion)
{
	struct strbuf word = {0};

	strbuf_printf(&word, "%s=%.*s", param->name, (int)value.len, value.ptr);
	completion_add(completion, strbuf_slice(&word));
	strbuf_free(&word);
}

/* "worker=%": the parameter with the value that stands, to be changed; or with each text that it
 * allows. */
static void
add_parameters(const struct table_view *table, struct completion *completion)
{
	for (size_t i = 0; i < table->source->n_params; i++) {
		const struct query_param *param = &table->source->params[i];
		const char *value = table->asked[i] ? table->asked[i] : param->default_text;
		bool is_choice = param->kind == KIND_TEXT && param->allowed;
		struct slice rest = slice_of(is_choice ? param->allowed : ""), item;

		while (list_next(&rest, &item)) {
			add_parameter(param, item, completion);
		}
		if (!is_choice) {
			add_parameter(param, slice_of(value ? value : ""), completion);
		}
	}
}

static void
complete_command(const struct view *view, struct completion *completion)
{
	const struct table_view *table = view->state;
	const char *blank = memchr(completion->typed.ptr, ' ', completion->typed.len);
	struct slice name = completion->typed;
	enum words words = WORDS_NONE;

	if (!blank) {
		for (size_t i = 0; i < N_COMMANDS; i++) {
			completion_add_text(completion, commands[i].name);
		}
		return;
	}
	name.len = (size_t)(blank - name.ptr);
	for (size_t i = 0; i < N_COMMANDS; i++) {
		if (slice_is(name, commands[i].name)) {
			words = commands[i].words;
		}
	}
	if (words == WORDS_FILES) {
		save_complete(completion);
		return;
	}
	completion_begin(completion, " ,");
	if (words == WORDS_GROUPS) {
		table_complete_group(view, completion);
	} else if (words == WORDS_PARAMETERS) {
		add_parameters(table, completion);
	} else if (words == WORDS_COLUMNS) {
		struct slice word = slice_from(completion->typed, completion->from);

		table_model_complete(
		    &table->model,
		    slice_is(name, "sort") && slice_starts_with(word, "-") ? "-" : "", completion);
	}
}

void
table_complete(const struct view *view, enum prompt_kind kind, struct completion *completion)
{
	const struct table_view *table = view->state;

	switch (kind) {
	case PROMPT_COMMAND:
		complete_command(view, completion);
		return;
	case PROMPT_FILTER:
		completion_begin(completion, " ");
		if (completion->from == 0) {
			table_model_complete(&table->model, "", completion);
		}
		break;
	case PROMPT_PARAMETER:
		add_parameters(table, completion);
		break;
	case PROMPT_EXPORT:
		save_complete(completion);
		return;
	case PROMPT_GROUP:
	case PROMPT_PIVOT:
		completion_begin(completion, " ,");
		table_complete_group(view, completion);
		break;
	default:
		return;
	}
	completion_settle(completion);
}
