/* The application: stack of views, prompt, message line, jobs. Driven by ui.c (terminal) or
 * script.c (keys from a file).
 * Used by ui, ui/lists. */
#ifndef LANESCOPE_UI_APP_APP_H
#define LANESCOPE_UI_APP_APP_H

#include "ui/app/view.h"

struct app;
struct scope;
struct settings;
struct memory;

/* What only the terminal can do. */
struct app_terminal {
	void *user;
	/* Gives the terminal to a program and takes it again: its exit status, or -1. */
	int (*run)(void *user, const char *const *argv, struct err *err);
};
/* wake(user) may be called from another thread when app_collect has something to do. */
struct app_options {
	/* The table of places: a view's maker by enum place_kind. */
	struct view *(*const *places)(struct app *app, const struct view_place *place);
	const char *query_dir;           /* further saved queries; may be NULL */
	bool ascii;                      /* glyphs to begin with */
	bool mono;                       /* without colours */
	const struct settings *settings; /* copied; what is wrong in their file is said at once */
	const char *history_path;        /* NULL: the history of prompts is not kept */
	const char *runs_path; /* folder of what is remembered of runs; NULL: only until the end */
};
struct app *app_new(const struct app_options *options, void (*wake)(void *user), void *user,
                    struct err *err);
void app_free(struct app *app); /* takes NULL */

/* The scope to begin with; the whole run or NULL: the one that is remembered. */
int app_scope_begin(struct app *app, const struct scope *scope, struct err *err);
/* Begins the tour, unless the file says that the user has seen it; NULL: nobody remembers. */
void app_tour_offer(struct app *app, const char *path);
void app_resize(struct app *app, int width, int height);
void app_key(struct app *app, int key);
void app_mouse(struct app *app, const struct mouse_event *event);
bool app_has_mouse(const struct app *app); /* the user lets us take it */
const struct settings *app_settings(const struct app *app);
struct memory *app_memory(struct app *app);
/* Takes in what the worker finished. True if the screen may have changed. */
bool app_collect(struct app *app);
/* Until nothing runs any more, collecting, or the program is asked to end. */
void app_wait(struct app *app);
/* The first message of an error since the last call; NULL: none. Lent until the next call. */
const char *app_take_failure(struct app *app);
bool app_is_running(const struct app *app); /* false once the user has left */
/* Some view has waited long enough that the screen should say so; ms until that is so, -1 if
 * nothing runs. */
long app_patience_ms(const struct app *app);
/* How long drawing should wait for the result of what was just asked; 0: not at all. */
long app_grace_ms(const struct app *app);
bool app_wants_redraw(struct app *app);  /* ^L since the last call */
bool app_wants_suspend(struct app *app); /* ^Z since the last call */
/* Text for the clipboard since the last call; false if none. */
bool app_takes_copy(struct app *app, struct strbuf *text);
void app_set_terminal(struct app *app,
                      const struct app_terminal *terminal); /* NULL: there is none */
const struct canvas *app_draw(struct app *app);             /* lent until the next call */

/* The i-th command of ":" that is no action, with its arguments and what it does; NULL beyond the
 * last. */
const char *app_command_name(size_t i, const char **arguments, const char **help);

#endif
