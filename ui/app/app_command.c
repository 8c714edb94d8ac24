/*
 * The line typed at ":". A word without arguments that names an action does what its key does; the
 * view on top knows commands of its own (range, sort, ...); the table below holds those that mean
 * the same everywhere. Tab completes all three.
 */
#include "config.h"

#include "ui/app/app_private.h"

#include <stdlib.h>
#include <string.h>

#include "manual/manual.h"
#include "ui/base/texts.h"
#include "util/mem.h"

struct app_command {
	const char *name;
	const char *arguments; /* as the help shows them */
	const char *help;
	int (*run)(struct app *app, struct slice arguments, struct err *err);
	void (*complete)(const struct app *app, struct completion *completion);
};

static int
needs_run(struct app *app, struct err *err)
{
	return app->top->run_path ? 0 : err_set(err, ERR_USAGE, "open a run first");
}

static int
run_query_command(struct app *app, struct slice arguments, struct err *err)
{
	char *name = text_new(arguments);
	const struct saved_query *query = query_library_find(app->library, name, err);

	free(name);
	if (!query || needs_run(app, err)) {
		return -1;
	}
	view_open(app->top, PLACE_QUERY, .query = query);
	return 0;
}

static void
complete_queries(const struct app *app, struct completion *completion)
{
	for (size_t i = 0; i < query_library_count(app->library); i++) {
		completion_add_text(completion, query_library_get(app->library, i)->name);
	}
}

static int
run_sql_command(struct app *app, struct slice arguments, struct err *err)
{
	if (needs_run(app, err)) {
		return -1;
	}
	if (arguments.len == 0) {
		app_sql_open(app, "");
	} else {
		app_sql_ask(app, arguments);
	}
	return 0;
}

static void
show_settings(struct app *app)
{
	struct strbuf text = {0};

	settings_write(&app->settings, &text);
	app_open_text(app, "Settings", strbuf_slice(&text));
	strbuf_free(&text);
}

static int
run_set(struct app *app, struct slice arguments, struct err *err)
{
	struct slice name = slice_take_word(&arguments);

	if (arguments.len > 0 && *arguments.ptr == '=') {
		(void)slice_take_word(&arguments);
	}
	if (name.len == 0) {
		show_settings(app);
		return 0;
	}
	if (arguments.len == 0) {
		return err_set(err, ERR_USAGE,
		               "set: write set NAME VALUE, as in the settings file; set alone "
		               "lists them");
	}
	if (settings_set(&app->settings, name, arguments, err)) {
		return -1;
	}
	if (slice_is(name, "mouse")) {
		app->has_mouse = app->settings.mouse;
	} else if (slice_is(name, "glyphs")) {
		app->canvas->ascii = app->settings.glyphs == GLYPHS_ASCII;
	} else if (slice_is(name, "classes")) {
		jobs_set_classes(app->jobs, app->settings.classes);
	}
	app->wants_redraw = true;
	return 0;
}

static void
complete_settings(const struct app *app, struct completion *completion)
{
	(void)app;
	for (size_t i = 0; settings_name(i); i++) {
		completion_add_text(completion, settings_name(i));
	}
	for (const struct key_binding *binding = key_bindings(); binding->name; binding++) {
		completion_add_joined(completion, "key.", binding->name);
	}
}

/* "map x mark-here": the same as "set key.mark-row x". */
static int
run_map(struct app *app, struct slice arguments, struct err *err)
{
	struct slice key = slice_take_word(&arguments);
	int code = key_from_name(key);

	(void)app;
	if (code == KEY_NONE || arguments.len == 0) {
		return err_set(err, ERR_USAGE, "map: write map KEY COMMAND (map x mark-here)");
	}
	return keys_bind(arguments, &code, 1, err);
}

static void
complete_actions(const struct app *app, struct completion *completion)
{
	(void)app;
	for (const struct key_binding *binding = key_bindings(); binding->name; binding++) {
		completion_add_text(completion, binding->name);
	}
}

static int
run_mark(struct app *app, struct slice arguments, struct err *err)
{
	int side = slice_is(arguments, "a") ? 0 : slice_is(arguments, "b") ? 1 : -1;

	if (needs_run(app, err)) {
		return -1;
	}
	if (side < 0) {
		return err_set(err, ERR_USAGE, "mark: write mark a or mark b");
	}
	app_mark(app, side, app->top->run_path, app->top->run_name);
	app_say(app, false, "%s is run %c of comparisons", app->top->run_name, side ? 'B' : 'A');
	return 0;
}

static void
complete_sides(const struct app *app, struct completion *completion)
{
	(void)app;
	completion_add_text(completion, "a");
	completion_add_text(completion, "b");
}

static int
run_tour(struct app *app, struct slice arguments, struct err *err)
{
	(void)arguments;
	(void)err;
	app_tour_begin(app);
	return 0;
}

static int
run_messages(struct app *app, struct slice arguments, struct err *err)
{
	(void)arguments;
	(void)err;
	app_open_text(app, "messages", strbuf_slice(&app->messages));
	return 0;
}

static int
run_config(struct app *app, struct slice arguments, struct err *err)
{
	struct slice problems = strbuf_slice(&app->settings.problems);

	(void)arguments;
	(void)err;
	app_open_text(app, "problems of the settings file",
	              problems.len > 0 ? problems : slice_of("none\n"));
	return 0;
}

static int
run_help(struct app *app, struct slice arguments, struct err *err)
{
	struct manual *manual = manual_open(app->library);
	struct strbuf text = {0};
	int rc = manual_answer(manual, arguments, (size_t)app->width, &text, err);

	if (rc == 0) {
		view_open(app->top, PLACE_MANUAL, .text = arguments);
	}
	strbuf_free(&text);
	manual_close(manual);
	return rc;
}

static void
complete_topics(const struct app *app, struct completion *completion)
{
	struct manual *manual = manual_open(app->library);
	const char *word;

	for (size_t i = 0; (word = manual_word(manual, i)) != NULL; i++) {
		if (!strchr(word, ' ')) {
			completion_add_text(completion, word);
		}
	}
	manual_close(manual);
}

static const struct app_command commands[] = {
    {"query", "NAME", "open a saved query", run_query_command, complete_queries},
    {"sql", "SELECT ...", "ask in SQL", run_sql_command, NULL},
    {"scope", "WORDS", "look at a part: range 1s .. 2s; lanes w*; name = x (add, drop N, all)",
     app_scope_command, app_scope_complete},
    {"mark", "a|b", "make this run A or B of comparisons", run_mark, complete_sides},
    {"set", "NAME VALUE", "change a setting until the end; alone: list them", run_set,
     complete_settings},
    {"map", "KEY COMMAND", "give a key another meaning", run_map, complete_actions},
    {"help", "WORD", "the manual on a page, a command, a query ... (help contents)", run_help,
     complete_topics},
    {"tour", "", "a walk through the explorer, a key at a time", run_tour, NULL},
    {"messages", "", "all that was said in the last line", run_messages, NULL},
    {"config", "", "what is wrong in the settings file", run_config, NULL},
};
#define N_COMMANDS COUNT_OF(commands)

static const struct app_command *
command_find(struct slice name)
{
	for (size_t i = 0; i < N_COMMANDS; i++) {
		if (slice_is(name, commands[i].name)) {
			return &commands[i];
		}
	}
	return NULL;
}

const char *
app_command_name(size_t i, const char **arguments, const char **help)
{
	if (i >= N_COMMANDS) {
		return NULL;
	}
	*arguments = commands[i].arguments;
	*help = commands[i].help;
	return commands[i].name;
}

static int
unknown(struct slice name, struct err *err)
{
	const char *names[N_COMMANDS + 128];
	size_t n = 0;
	char *typed = text_new(name);
	const char *near;

	for (size_t i = 0; i < N_COMMANDS; i++) {
		names[n++] = commands[i].name;
	}
	for (const struct key_binding *binding = key_bindings();
	     binding->name && n < COUNT_OF(names); binding++) {
		names[n++] = binding->name;
	}
	near = query_suggest(typed, names, n);
	free(typed);
	return near ? err_set(err, ERR_USAGE, "no command '%.*s' here; is it %s?", (int)name.len,
	                      name.ptr, near)
	            : err_set(err, ERR_USAGE, "no command '%.*s' here (Tab lists them)",
	                      (int)name.len, name.ptr);
}

void
app_command(struct app *app, struct slice line)
{
	struct err err = ERR_INIT;
	struct slice name = slice_take_word(&line);
	const struct key_binding *binding = key_binding_find(name);
	const struct app_command *command = command_find(name);
	enum command_outcome outcome = COMMAND_UNKNOWN;
	struct view *view = app->top;

	if (name.len == 0) {
		return;
	}
	if (binding && line.len == 0 && binding->views & view->sets) {
		app_act(app, binding->action);
		return;
	}
	if (view->ops->command) {
		outcome = view->ops->command(view, name, line, &err);
	}
	if (outcome == COMMAND_UNKNOWN && command) {
		outcome = command->run(app, line, &err) == 0 ? COMMAND_DONE : COMMAND_FAILED;
	} else if (outcome == COMMAND_UNKNOWN) {
		outcome = COMMAND_FAILED;
		(void)(binding ? err_set(&err, ERR_USAGE,
		                         "%s: not in this view, or not with words "
		                         "behind it",
		                         binding->name)
		               : unknown(name, &err));
	}
	if (outcome == COMMAND_FAILED) {
		app_say(app, true, "%s", err.message);
	}
}

void
app_command_complete(const struct app *app, struct completion *completion)
{
	struct slice rest = completion->typed, name = slice_take_word(&rest);
	const struct app_command *command;
	const struct view *view = app->top;

	if (name.len == completion->typed.len) { /* still in the first word */
		for (const struct key_binding *binding = key_bindings(); binding->name; binding++) {
			if (binding->views & view->sets) {
				completion_add_text(completion, binding->name);
			}
		}
		for (size_t i = 0; i < N_COMMANDS; i++) {
			completion_add_text(completion, commands[i].name);
		}
		if (view->ops->complete) {
			view->ops->complete(view, PROMPT_COMMAND, completion);
		}
		completion->from = 0;
		completion_settle(completion);
		return;
	}
	completion_begin(completion, " ");
	command = command_find(name);
	if (command && command->complete) {
		command->complete(app, completion);
	} else if (view->ops->complete) {
		view->ops->complete(view, PROMPT_COMMAND, completion);
	}
	completion_settle(completion);
}
