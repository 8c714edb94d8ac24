/*
 * The event loop. All keys at hand are taken before the screen is drawn once, so that a slow link gets one update for a burst of keys; for the
 * same reason a result that comes at once is waited for. No timer runs while nothing does.
 */
#include "config.h"

#include "ui/ui.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/app.h"
#include "ui/term.h"
#include "util/mem.h"

static void
wake_terminal(void *user)
{
	struct term **term = user;

	if (*term) {
		term_wake(*term);
	}
}

static void
wake_nobody(void *user)
{
	(void)user;
}

static struct app *
app_start(const struct ui_options *options, bool ascii, void (*wake)(void *user), void *user)
{
	static const char *const here[] = {"."};
	struct app *app = app_new(options->query_dir, ascii, wake, user);

	if (options->n_paths > 0) {
		app_push(app, view_runs_new(app, options->paths, options->n_paths));
	} else {
		app_push(app, view_runs_new(app, here, 1));
	}
	return app;
}

/* False when a signal asked to end. */
static bool
take_event(struct app *app, struct term *term, const struct term_event *event)
{
	int width, height;

	switch (event->type) {
	case TERM_KEY:
		app_key(app, event->key);
		break;
	case TERM_RESIZE:
		term_size(term, &width, &height);
		app_resize(app, width, height);
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

static int
run_terminal(const struct ui_options *options, struct err *err)
{
	struct term *term = term_open(err);
	struct app_terminal terminal = {term, run_program};
	struct strbuf copied = {0};
	struct app *app;
	int width, height;
	bool go_on = true;

	if (!term) {
		return -1;
	}
	app = app_start(options, options->ascii || !term_unicode(term), wake_terminal, &term);
	app_set_terminal(app, &terminal);
	term_size(term, &width, &height);
	app_resize(app, width, height);
	while (go_on && app_is_running(app)) {
		struct term_event event;
		int timeout;

		if (app_wants_redraw(app)) {
			term_redraw(term);
		}
		if (app_takes_copy(app, &copied)) {
			term_copy(term, strbuf_slice(&copied));
		}
		term_show(term, app_draw(app));
		timeout = (int)app_patience_ms(app);
		do {
			term_wait(term, timeout, &event);
			go_on = take_event(app, term, &event);
			timeout = (int)app_grace_ms(app);
		} while (go_on && app_is_running(app) && event.type != TERM_NOTHING);
	}
	app_free(app);
	term_close(term);
	strbuf_free(&copied);
	return 0;
}

/* Plays one word of a script. */
static int
play_word(struct app *app, struct slice word, const char *path, unsigned line, struct err *err)
{
	bool is_text = word.len >= 2 && word.ptr[0] == '\'' && word.ptr[word.len - 1] == '\'';
	int key = is_text ? KEY_NONE : key_from_name(word);

	if (!is_text && key == KEY_NONE) {
		return err_set(err, ERR_USAGE,
		               "%s:%u: '%.*s' is no key: use names (Enter, Esc, Down, ^L), single "
		               "characters or 'text'",
		               path, line, (int)word.len, word.ptr);
	}
	for (size_t i = 1; is_text && i + 1 < word.len && app_is_running(app); i++) {
		app_wait(app);
		app_key(app, (unsigned char)word.ptr[i]);
	}
	if (!is_text) {
		app_wait(app);
		app_key(app, key);
	}
	return 0;
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
run_script(const struct ui_options *options, struct err *err)
{
	FILE *file = fopen(options->keys_file, "r");
	struct app *app;
	struct strbuf screen = {0};
	const struct canvas *canvas;
	char *text = NULL;
	size_t capacity = 0;
	int result = 0;

	if (!file) {
		return err_set_errno(err, errno, "%s", options->keys_file);
	}
	app = app_start(options, options->ascii, wake_nobody, NULL);
	app_resize(app, options->width > 0 ? options->width : 80,
	           options->height > 0 ? options->height : 24);
	for (unsigned line = 1;
	     result == 0 && app_is_running(app) && getline(&text, &capacity, file) >= 0; line++) {
		char *cursor = text;
		struct slice word;

		while (result == 0 && app_is_running(app) && (word = word_take(&cursor)).len > 0) {
			result = play_word(app, word, options->keys_file, line, err);
		}
	}
	app_wait(app);
	canvas = app_draw(app);
	for (int y = 0; y < canvas->height && result == 0; y++) {
		canvas_row(canvas, y, &screen);
		strbuf_add_char(&screen, '\n');
	}
	if (result == 0 &&
	    (fwrite(screen.data, 1, screen.len, stdout) != screen.len || fflush(stdout) != 0)) {
		result = err_set_errno(err, errno, "standard output");
	}
	strbuf_free(&screen);
	free(text);
	fclose(file);
	app_free(app);
	return result;
}

int
ui_run(const struct ui_options *options, struct err *err)
{
	return options->keys_file ? run_script(options, err) : run_terminal(options, err);
}
