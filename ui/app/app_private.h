/* The application's state, shared by its files: app.c (stack, jobs, services), app_keys.c (keys,
 * prompts, commands), app_draw.c (screen).
 * Used by its room alone. */
#ifndef LANESCOPE_UI_APP_APP_PRIVATE_H
#define LANESCOPE_UI_APP_APP_PRIVATE_H

#include "ui/app/app.h"
#include "ui/base/settings.h"
#include "ui/base/history.h"
#include "ui/base/memory.h"
#include "ui/base/prompt.h"
#include "ui/base/run_memory.h"
#include "ui/base/scope_history.h"

#define PATIENCE_MS 100
#define GRACE_MS 35 /* not felt, but most results come sooner: one frame instead of two */
#define MESSAGES_LIMIT 65536
#define KEYS_AHEAD 256 /* as many as are kept for a view that has nothing to show yet */

struct app {
	struct view *top;
	struct view *(*const *places)(struct app *app, const struct view_place *place);
	struct jobs *jobs;
	struct query_library *library;
	struct query_library **old_libraries; /* views and jobs may still read them */
	size_t n_old_libraries, old_libraries_capacity;
	char *query_dir;
	struct canvas *canvas;
	struct settings settings;
	struct history *history;
	struct prompt prompt;
	struct app_mark {
		char *path, *name;
	} marked[2]; /* runs A and B */
	struct scope_history scopes;
	unsigned scope_turn; /* counts changes of the scope */
	struct memory *memory;
	struct run_memory *run_memory;
	struct strbuf copied;   /* for the terminal's clipboard */
	struct strbuf messages; /* all that was said, for the command "messages" */
	struct completion
	    words;       /* of SQL: tables and columns of the run that the prompt stands in */
	char *words_run; /* its path */
	const struct app_terminal *terminal;
	int ahead[KEYS_AHEAD];
	size_t n_ahead;
	char failure[ERR_MESSAGE_BYTES], failure_taken[ERR_MESSAGE_BYTES]; /* empty: none */
	char message[ERR_MESSAGE_BYTES];
	/* Whether to leave: the next key answers. */
	enum app_question { ASKS_NOTHING, ASKS_OF_UNFINISHED, ASKS_OF_VIEWS } question;
	bool takes_key;  /* what is opened now was asked for by a key */
	bool has_opened; /* views of runs were */
	bool message_is_error, is_running, wants_redraw, wants_suspend, has_mouse;
	int width, height;
	int tour_step;   /* from 1; 0: no tour */
	char *tour_path; /* the file that says that it was seen; NULL: none */
};

/* The view on top has nothing to choose yet. */
bool app_is_waiting(const struct app *app);
/* Now it has: what is typed into its prompt is looked for, and the keys that were kept are
 * taken. */
void app_catch_up(struct app *app);
/* Does what an action means: first asks the view on top. */
void app_act(struct app *app, enum view_action action);
/* "/", n and N in the view on top (app_search.c). */
void app_search_open(struct app *app);
/* The prompt's text changed, it was left, or accepted; false if the view searches by itself. */
bool app_search_typed(struct app *app, bool is_accepted);
void app_search_step(struct app *app, enum search_where where);
void app_search_go(struct app *app); /* a slice of a search that goes on */
/* How the search stands, for the end of the prompt's line. */
const char *app_search_note(const struct app *app, char text[32]);
/* The scope (app_scope.c): whether a line of it stands above the view; the view on top asks again
 * if its answers are of another; what keys, ":scope" and the mouse do. */
bool app_scope_is_shown(const struct app *app, const struct view *view);
void app_scope_check(struct app *app);
bool app_scope_act(struct app *app, enum view_action action);
int app_scope_command(struct app *app, struct slice arguments, struct err *err);
void app_scope_complete(const struct app *app, struct completion *completion);
void app_scope_draw(struct app *app);
bool app_scope_mouse(struct app *app, const struct mouse_event *event);
/* The tour (app_tour.c): from its first step; no more, which is remembered; an action was done in a
 * view of these sets; whether a line of it stands above the keys; that line. */
void app_tour_begin(struct app *app);
void app_tour_end(struct app *app);
void app_tour_note(struct app *app, enum view_action action, unsigned views);
bool app_tour_is_shown(const struct app *app);
void app_tour_draw(struct app *app);
/* A line typed at ":". */
void app_command(struct app *app, struct slice line);
/* Words that may stand at the cursor of a ":" line. */
void app_command_complete(const struct app *app, struct completion *completion);
/* Words of SQL at the cursor, and the job that reads them. */
void app_sql_open(struct app *app, const char *text);
/* Opens the answer of a statement that was typed. */
void app_sql_ask(struct app *app, struct slice sql);
void app_sql_words(struct app *app, struct view_job *job); /* takes the job's words */
void app_sql_complete(const struct app *app, struct completion *completion);

#endif
