/*
 * Views: what fills the screen between the line of place and the line of keys. A view is one file and one constructor; the application
 * keeps a stack of them. A view never blocks: whatever reads a run file goes through app_submit and comes back in `done`.
 */
#ifndef LANESCOPE_UI_VIEW_H
#define LANESCOPE_UI_VIEW_H

#include <stdbool.h>
#include "query/query.h"
#include "ui/canvas.h"
#include "ui/job.h"
#include "ui/keys.h"

struct app;
struct view;

struct area {
	int x, y, width, height;
};

enum prompt_kind { PROMPT_SEARCH, PROMPT_FILTER, PROMPT_PARAMETER };

struct view_ops {
	enum view_set set; /* the view's bit, for its keys */
	/* State and area to cells; nothing else. */
	void (*draw)(const struct view *view, struct canvas *canvas, struct area area);
	/* True if the action meant something here. */
	bool (*act)(struct view *view, enum action action);
	/* Right half of the line of place: counts, sort, what is running. */
	void (*status)(const struct view *view, struct strbuf *out);
	/* The area changed (also before the first draw). May be NULL. */
	void (*resize)(struct view *view, struct area area);
	/* A job of this view came back without an error; the view takes what it wants of it. May be NULL. */
	void (*done)(struct view *view, struct job *job);
	/* The text of a prompt changed (final false: the user still types; true: Enter). May be NULL. */
	void (*prompt)(struct view *view, enum prompt_kind kind, struct slice text, bool final);
	void (*close)(struct view *view); /* frees the state */
};

struct view {
	const struct view_ops *ops;
	struct app *app;
	void *state;
	char *place;      /* "f4 > Tasks by kind"; freed by the application */
	struct area area; /* last given to resize */
	struct view *below;
};

/* What a view may ask of the application. */
void app_push(struct app *app, struct view *view); /* takes view: shown from now on */
void app_pop(struct app *app); /* closes the top view; the last one ends the program */
void app_submit(struct app *app, struct view *view,
                struct job *job); /* takes job; owner is set to view */
bool app_is_busy(const struct app *app, const struct view *view);
void app_say(struct app *app, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void app_prompt(struct app *app, enum prompt_kind kind, const char *label,
                const char *text); /* text: what stands there already */
const struct query_library *app_library(const struct app *app);

/* New views. Strings are copied. */
struct view *view_new(struct app *app, const struct view_ops *ops, void *state, const char *place);
struct view *view_runs_new(struct app *app, const char *const *paths, size_t n_paths);
struct view *view_queries_new(struct app *app, const char *run_path, const char *run_name);
struct view *view_table_new(struct app *app, const char *run_path, const char *run_name,
                            const struct saved_query *query);
struct view *view_timeline_new(struct app *app, const char *run_path, const char *run_name);
struct view *view_help_new(struct app *app, enum view_set set);

#endif
