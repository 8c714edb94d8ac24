/*
 * The event loop. All keys at hand are taken before the screen is drawn once, so that a slow link
 * gets one update for a burst of keys; for the same reason a result that comes at once is waited
 * for. No timer runs while nothing does.
 */
#include "config.h"

#include "ui/ui.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/app/app.h"
#include "ui/base/memory.h"
#include "ui/base/settings.h"
#include "ui/places.h"
#include "ui/term/cast.h"
#include "ui/term/term.h"
#include "util/mem.h"
#include "util/utf8.h"
#include "util/xdg.h"

static void
wake_terminal(void *user)
{
	struct terminal **term = user;

	if (*term) {
		term_wake(*term);
	}
}

static void
wake_nobody(void *user)
{
	(void)user;
}

struct start {
	struct strbuf settings_path, history_path, runs_path, tour_path;
	struct app_options options;
	struct settings settings;
};

/* Settings are read before the terminal is opened: they say how. A script keeps no history and
 * knows of no earlier one, so that it plays the same each time. */
static void
start_init(struct start *start, const struct ui_options *options)
{
	*start = (struct start){0};
	settings_init(&start->settings);
	if (xdg_path(XDG_CONFIG, "config", &start->settings_path)) {
		settings_read(&start->settings, start->settings_path.data);
	}
	if (options->classes) {
		settings_put_classes(&start->settings, options->classes);
	}
	start->settings.safe_csv = start->settings.safe_csv || options->safe_csv;
	if (!options->keys_file && xdg_path(XDG_STATE, "history", &start->history_path)) {
		start->options.history_path = start->history_path.data;
	}
	if (!options->keys_file && !options->session && !options->no_session &&
	    xdg_path(XDG_STATE, "views", &start->runs_path)) {
		start->options.runs_path = start->runs_path.data;
	}
	(void)xdg_path(XDG_STATE, "tour", &start->tour_path);
	start->options.query_dir = options->query_dir;
	start->options.settings = &start->settings;
	start->options.places = places;
}

static void
start_fini(struct start *start)
{
	settings_fini(&start->settings);
	strbuf_free(&start->settings_path);
	strbuf_free(&start->history_path);
	strbuf_free(&start->runs_path);
	strbuf_free(&start->tour_path);
}

/* NULL if the session file can't be read, or there is no thread. */
static struct app *
app_start(const struct ui_options *options, const struct start *start, void (*wake)(void *user),
          void *user, struct err *err)
{
	static const char *const here[] = {"."};
	bool is_here = options->n_paths == 0 && !options->imports;
	struct app *app = app_new(&start->options, wake, user, err);

	if (!app) {
		return NULL;
	}
	if ((options->session && memory_load(app_memory(app), options->session, err)) ||
	    app_scope_begin(app, options->scope, err)) {
		app_free(app);
		return NULL;
	}
	app_open(app, &(struct view_place){.kind = PLACE_RUNS,
	                                   .paths = is_here ? here : options->paths,
	                                   .n_paths = is_here ? 1 : options->n_paths,
	                                   .imports = options->imports});
	if (options->tour) {
		app_tour_offer(app, start->tour_path.data);
	}
	if (options->imports) {
		options->imports->start(options->imports->user, wake, user);
	}
	return app;
}

static int
app_end(struct app *app, const struct ui_options *options, struct err *err)
{
	int result = options->session ? memory_save(app_memory(app), options->session, err) : 0;

	if (options->imports) {
		options->imports->stop(options->imports->user);
	}
	app_free(app);
	return result;
}

static bool
draws_ascii(const struct ui_options *options, const struct settings *settings, bool is_unicode)
{
	return options->ascii || settings->glyphs == GLYPHS_ASCII ||
	       (settings->glyphs == GLYPHS_AUTO && !is_unicode);
}

/* False when a signal asked to end. */
static bool
take_event(struct app *app, struct terminal *term, const struct term_event *event)
{
	int width, height;

	switch (event->type) {
	case TERM_KEY:
		app_key(app, event->key);
		break;
	case TERM_MOUSE:
		app_mouse(app, &event->mouse);
		break;
	case TERM_RESIZE:
		term_size(term, &width, &height);
		app_resize(app, width, height);
		term_redraw(term); /* smaller for a moment, it has lost what stood there */
		break;
	case TERM_QUIT:
		return false;
	default:
		break;
	}
	app_collect(app);
	if (app_wants_suspend(app)) {
		term_suspend(term);
	}
	return true;
}

static int
run_program(void *user, const char *const *argv, struct err *err)
{
	return term_run(user, argv, err);
}

/* Until the user leaves, or a signal came before the terminal's own handlers were there. */
static void
loop(struct app *app, struct terminal *term)
{
	struct strbuf copied = {0};
	bool go_on = true;

	while (go_on && app_is_running(app) && !cancel_requested(NULL)) {
		struct term_event event;
		int timeout;

		if (app_wants_redraw(app)) {
			term_redraw(term);
		}
		if (app_takes_copy(app, &copied)) {
			term_copy(term, strbuf_slice(&copied));
		}
		term_take_mouse(term, app_has_mouse(app));
		term_show(term, app_draw(app));
		timeout = (int)app_patience_ms(app);
		do {
			term_wait(term, timeout, &event);
			go_on = take_event(app, term, &event);
			timeout = (int)app_grace_ms(app);
		} while (go_on && app_is_running(app) && event.type != TERM_NOTHING);
	}
	strbuf_free(&copied);
}

static int
run_terminal(const struct ui_options *options, struct start *start, struct err *err)
{
	struct terminal *term = term_open(&start->settings.term, err);
	struct app_terminal terminal = {term, run_program};
	struct app *app;
	int width, height, result = -1;

	if (!term) {
		return -1;
	}
	start->options.ascii = draws_ascii(options, &start->settings, term_unicode(term));
	start->options.mono = !term_colours(term);
	app = app_start(options, start, wake_terminal, &term, err);
	if (app) {
		app_set_terminal(app, &terminal);
		term_size(term, &width, &height);
		app_resize(app, width, height);
		loop(app, term);
		result = app_end(app, options, err);
		if (result == 0) {
			result = cancel_check(NULL, err);
		}
	}
	term_close(term);
	return result;
}

static int
print_screen(struct app *app, struct err *err)
{
	struct strbuf screen = {0};
	const struct canvas *canvas;
	int result = 0;

	canvas = app_draw(app);
	for (int y = 0; y < canvas->height; y++) {
		canvas_row(canvas, y, &screen);
		strbuf_add_char(&screen, '\n');
	}
	if (fwrite(screen.data, 1, screen.len, stdout) != screen.len || fflush(stdout) != 0) {
		result = err_set_errno(err, errno, "standard output");
	}
	strbuf_free(&screen);
	return result;
}

/* Words that are no keys: "screen" prints the screen as it is, "100x30" resizes it. True if it was
 * one. */
static bool
play_direction(struct app *app, struct slice word, int *result, struct err *err)
{
	int width, height, end = 0;
	char text[16];

	if (slice_is(word, "screen")) {
		*result = print_screen(app, err);
		return true;
	}
	if (word.len < 3 || word.len >= sizeof text) {
		return false;
	}
	memcpy(text, word.ptr, word.len);
	text[word.len] = '\0';
	if (sscanf(text, "%4dx%4d%n", &width, &height, &end) != 2 || end != (int)word.len ||
	    width < 1 || height < 1) {
		return false;
	}
	app_resize(app, width, height);
	return true;
}

/* How long a screen stays in a film: after a key, a letter that is typed, and at the end. */
#define KEY_MS 1200
#define LETTER_MS 90
#define END_MS 3000

struct script {
	struct app *app;
	struct cast *cast; /* NULL: none is asked for */
	const char *path;
	unsigned line;
	struct err failure; /* the first; ERR_NONE: none */
};

/* Waits for what was asked, and keeps how it failed. -1: a signal asked to end. */
static int
settle(struct script *script, struct err *err)
{
	const char *failure;

	app_wait(script->app);
	failure = app_take_failure(script->app);
	if (failure && script->failure.code == ERR_NONE) {
		err_set(&script->failure, ERR_QUERY, "%s:%u: %s", script->path, script->line,
		        failure);
	}
	return cancel_check(NULL, err);
}

static void
film(struct script *script, const char *key, int64_t ms)
{
	if (script->cast && app_is_running(script->app)) {
		cast_screen(script->cast, app_draw(script->app), key);
		cast_hold(script->cast, ms);
	}
}

static int
play_key(struct script *script, int key, bool is_letter, struct err *err)
{
	char name[16];
	const char *label = key_label(key, name);

	app_key(script->app, key);
	int result = settle(script, err);
	film(script, is_letter ? "" : label, is_letter ? LETTER_MS : KEY_MS);
	return result;
}

/* "2s": the screen stays as long. True if it was such a word. */
static bool
play_pause(struct script *script, struct slice word)
{
	int64_t seconds;

	if (word.len < 2 || word.len > 4 || word.ptr[word.len - 1] != 's' ||
	    !slice_int64((struct slice){word.ptr, word.len - 1}, &seconds) || seconds < 0) {
		return false;
	}
	if (script->cast) {
		cast_hold(script->cast, seconds * 1000);
	}
	return true;
}

/* Plays one word of a script. */
static int
play_word(struct script *script, struct slice word, struct err *err)
{
	bool is_text = word.len >= 2 && word.ptr[0] == '\'' && word.ptr[word.len - 1] == '\'';
	int key = is_text ? KEY_NONE : key_from_name(word), result = 0;

	if (!is_text && play_pause(script, word)) {
		return 0;
	}
	if (!is_text && play_direction(script->app, word, &result, err)) {
		result = result ? result : settle(script, err);
		film(script, "", 0);
		return result;
	}
	if (!is_text && key == KEY_NONE) {
		return err_set(err, ERR_USAGE,
		               "%s:%u: '%.*s' is no key: use names (Enter, Esc, Down, ^L), single "
		               "characters or 'text'",
		               script->path, script->line, (int)word.len, word.ptr);
	}
	if (!is_text) {
		return play_key(script, key, false, err);
	}
	for (size_t i = 1, length; result == 0 && i + 1 < word.len && app_is_running(script->app);
	     i += length) {
		result = play_key(script, (int)utf8_next(slice_from(word, i), &length), true, err);
	}
	return result;
}

/* Takes the next word off a line: up to a blank, or from ' to '. */
static struct slice
word_take(char **cursor)
{
	char *start = *cursor + strspn(*cursor, " \t\r\n");
	char *end = start;

	if (*start == '\'' && strchr(start + 1, '\'')) {
		end = strchr(start + 1, '\'') + 1;
	} else if (*start != '#' || start[1] == ' ' || start[1] == '\n' || !start[1]) {
		end = *start == '#' ? start : start + strcspn(start, " \t\r\n");
	}
	*cursor = end;
	return (struct slice){start, (size_t)(end - start)};
}

static int
run_script(const struct ui_options *options, struct start *start, struct err *err)
{
	FILE *file = fopen(options->keys_file, "r");
	struct script script = {.path = options->keys_file};
	struct app *app;
	char *text = NULL;
	size_t capacity = 0;
	int result;

	if (!file) {
		return err_set_errno(err, errno, "%s", options->keys_file);
	}
	start->options.ascii = draws_ascii(options, &start->settings, true);
	start->options.mono = !term_wants_colours(&start->settings.term);
	if (start->settings.ask_to_leave == ASKS_AUTO) {
		start->settings.ask_to_leave = ASKS_OFF;
	}
	app = app_start(options, start, wake_nobody, NULL, err);
	if (!app) {
		fclose(file);
		return -1;
	}
	app_resize(app, options->width > 0 ? options->width : 80,
	           options->height > 0 ? options->height : 24);
	if (options->imports) { /* a script must find the same screen each time */
		options->imports->wait(options->imports->user);
		app_collect(app);
	}
	script.app = app;
	script.cast = options->cast ? cast_new(options->cast, &start->settings.term) : NULL;
	result = settle(&script, err);
	film(&script, "", KEY_MS);
	script.failure = (struct err)ERR_INIT; /* of settings, say: no key's */
	while (result == 0 && app_is_running(app) && getline(&text, &capacity, file) >= 0) {
		char *cursor = text;
		struct slice word;

		script.line++;
		while (result == 0 && app_is_running(app) && (word = word_take(&cursor)).len > 0) {
			result = play_word(&script, word, err);
		}
	}
	result = result ? result : print_screen(app, err);
	if (script.cast) {
		cast_hold(script.cast, END_MS);
	}
	if (cast_close(script.cast, result == 0, result ? &(struct err)ERR_INIT : err)) {
		result = -1;
	}
	if (result == 0 && script.failure.code != ERR_NONE) {
		*err = script.failure;
		result = -1;
	}
	free(text);
	fclose(file);
	if (app_end(app, options, result ? &(struct err)ERR_INIT : err)) {
		result = -1;
	}
	return result;
}

int
ui_run(const struct ui_options *options, struct err *err)
{
	struct start start;
	int result;

	start_init(&start, options);
	result = options->keys_file ? run_script(options, &start, err)
	                            : run_terminal(options, &start, err);
	start_fini(&start);
	return result;
}
