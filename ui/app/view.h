/*
 * Views: what fills the screen between the line of place and the line of keys. A view is one file
 * and one constructor; the application keeps a stack of them. A view never blocks: whatever reads a
 * run file goes through app_submit and comes back in `done`.
 * Used by ui, ui/chart, ui/lists, ui/table, ui/timeline.
 */
#ifndef LANESCOPE_UI_APP_VIEW_H
#define LANESCOPE_UI_APP_VIEW_H

#include <stdbool.h>
#include "query/saved/query.h"
#include "ui/app/place.h"
#include "ui/base/job.h"
#include "ui/base/keys.h"
#include "ui/base/prompt.h"
#include "ui/base/search.h"
#include "ui/term/canvas.h"
#include "ui/term/mouse.h"

struct app;
struct view;

enum command_outcome { COMMAND_UNKNOWN, COMMAND_DONE, COMMAND_FAILED };

struct view_ops {
	unsigned sets; /* enum view_set: the view's bits, for its keys */
	/* State and area to cells; nothing else. NULL: view_list_draw. */
	void (*draw)(const struct view *view, struct canvas *canvas, struct area area);
	/* A row of its list, at y of the screen; how is what view_list_draw was given. */
	void (*row)(const struct view *view, struct canvas *canvas, size_t i, int y,
	            const void *how);
	bool is_text; /* scrolls at the first key, and no mark stands before the selected row */
	/* Of its list: lines of the area above it, below it, and what is said of the selected row
	 * where there is room (view_about_rows). */
	int head, foot, about;
	int wheel_rows; /* that the wheel moves by; 0: 1 */
	/* True if the action meant something here; moving in the list is done by the application.
	 * May be NULL. */
	bool (*act)(struct view *view, enum view_action action);
	/* There is nothing to choose yet: keys that choose wait while the answer to a job is
	 * awaited. May be NULL. */
	bool (*is_waiting)(const struct view *view);
	/* A key without a binding here ("1" .. "9"): true if it meant something. May be NULL. */
	bool (*key)(struct view *view, int key);
	/* Right half of the line of place: counts, sort, what is running. May be NULL. */
	void (*status)(const struct view *view, struct strbuf *out);
	/* The area changed (also before the first draw). NULL: view_list_lay. */
	void (*resize)(struct view *view);
	/* A job of this view came back without an error; the view takes what it wants of it. May be
	 * NULL. */
	void (*done)(struct view *view, struct view_job *job);
	/* Esc has stopped all jobs of this view. May be NULL. */
	void (*cancelled)(struct view *view);
	/* Something outside, that is no job, may have changed (ui_imports). May be NULL. */
	void (*woken)(struct view *view);
	/* The text of a prompt changed (final false: the user still types; true: Enter). May be
	 * NULL. */
	void (*prompt)(struct view *view, enum prompt_kind kind, struct slice text, bool final);
	/* Words that may stand at the cursor of a prompt of this view. May be NULL. */
	void (*complete)(const struct view *view, enum prompt_kind kind,
	                 struct completion *completion);
	/* A ":" command that is no action's name: "range", "1s 2s". err says what is wrong with it.
	 * May be NULL. */
	enum command_outcome (*command)(struct view *view, struct slice name,
	                                struct slice arguments, struct err *err);
	/* Adds a filter to its list, as if it was typed: where a row of a table that counts the
	 * list's rows leads. May be NULL. */
	void (*filter)(struct view *view, struct slice text);
	/* What "/", n and N look for in the list, if the view has one: whether a row holds text;
	 * or, instead, asks a worker to look for search.text from the selected row, who ends it
	 * with app_search_ended. */
	bool (*row_has)(const struct view *view, size_t row, struct slice text);
	void (*find)(struct view *view, enum search_where where);
	/* The list's selection has moved, by a search or else. May be NULL. */
	void (*moved)(struct view *view, bool by_search);
	/* NULL: view_list_mouse. */
	void (*mouse)(struct view *view, const struct mouse_event *event);
	/* What would be lost if the program ended now ("an import is running"); NULL: nothing. May
	 * be NULL. */
	const char *(*unfinished)(const struct view *view);
	void (*close)(struct view *view); /* frees the state */
};

struct view {
	const struct view_ops *ops;
	struct app *app;
	void *state;
	unsigned sets; /* of ops, and what the view adds to them */
	char *title;   /* "f4 > Tasks by kind"; freed by the application */
	char *run_path,
	    *run_name; /* the run that the view stands in; NULL: none. Freed by the application */
	struct area area;  /* of the screen */
	struct list *list; /* in the state; NULL: keys, mouse and search are the view's own */
	struct list_search search;
	unsigned scope_turn; /* whose answers it has; the application's */
	bool has_answer;     /* some job of it came back */
	char *failure;       /* of the last that did not; NULL: none. The application's */
	struct view *below;
};

/* What views with a list share. The list's height follows from the area. */
void view_list_lay(struct view *view);
/* Rows at the area's end for what is said of the selected row; 0: no room. */
int view_about_rows(const struct view *view);
bool view_list_act(struct view *view, enum view_action action);
/* The wheel moves, a press selects, a double click opens. */
void view_list_mouse(struct view *view, const struct mouse_event *event);
/* Draws each row that is on the screen by the view's `row`, and shows which is selected. how is
 * handed through. */
void view_list_draw(const struct view *view, struct canvas *canvas, const void *how);

/* What a view may ask of the application. */
void app_open(struct app *app, const struct view_place *place); /* shown from now on */
void app_open_text(struct app *app, const char *title, struct slice text);
/* The same; in the run of the view, if the place names none. view_open(view, PLACE_SPAN, .span =
 * id). */
void view_open_place(const struct view *view, struct view_place place);
#define view_open(view, ...) view_open_place(view, (struct view_place){.kind = __VA_ARGS__})
void app_pop(struct app *app); /* closes the top view; the last one ends the program */
void view_submit(struct view *view, struct view_job *job); /* takes job; the view is its owner */
/* Something of it waits or runs, or its answer has not been taken yet. */
bool view_is_busy(const struct view *view);
bool view_is_late(const struct view *view); /* and for so long that what is shown is dimmed */
void app_say(struct app *app, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of a view's; what went wrong. */
#define view_say(view, ...) app_say((view)->app, false, __VA_ARGS__)
void view_fail(const struct view *view, const char *message);
void app_prompt(struct app *app, enum prompt_kind kind, const char *label,
                const char *text); /* text: what stands there already */
/* The prompt whose text is being taken, as it was: there is something wrong with it, which app_say
 * has said. */
void app_prompt_again(struct app *app);
/* A statement that was typed is refused: closes the view, which waits for its answer, and opens the
 * prompt again where the error is. False, and nothing is done, if the user has gone on to something
 * else. */
bool app_sql_refused(struct view *view, const char *sql, const struct err *err);
void app_search_ended(struct view *view, enum search_outcome outcome); /* of `find` */
const struct query_library *app_library(const struct app *app);
/* Reads the saved queries again: app_library is another one then, and what was got of the old stays
 * as it was. */
void app_reload_library(struct app *app);

/* The runs of comparisons: 0 is A, 1 is B. NULL path: none. The application keeps copies. */
void app_mark(struct app *app, int side, const char *run_path, const char *run_name);
void app_mark_both(struct app *app, const struct two_runs *runs);
void app_swap_marks(struct app *app);
const char *app_marked_path(const struct app *app, int side);
const char *app_marked_name(const struct app *app, int side); /* NULL if none */
/* A and B for a view: the marked ones, or the one marked and the view's as B. False, with a message
 * that says what to mark, if there are not two. The texts are lent. */
bool app_pair(const struct view *view, struct two_runs *runs);
/* Opens the timelines of A and B at what stands in the other one for a span of the view's run. */
void app_open_partner(struct view *view, int64_t span);

/* The scope of all views, for both runs; n 0: the whole run. Adding a word to it makes views ask
 * again: a range, a condition of the filter language, a lane by its lane_name. */
const struct scope *app_scope(const struct app *app);
void app_scope_add_range(struct app *app, int64_t start_ns, int64_t end_ns);
void app_scope_add_condition(struct app *app, const char *condition);
void app_scope_add_lane(struct app *app, struct slice lane_name);
/* What a focus names: its condition, or else its lane and its window or the range that it marks.
 * False: it names nothing. */
bool app_scope_add_focus(struct app *app, const struct focus *focus);
/* That a column of spans is what a cell says. False, with a message: it is no column of spans, or
 * can't be compared. */
bool app_scope_add_cell(struct app *app, const char *column, const struct value *value);

/* What is remembered until the end, and beyond it of the view's run (run_memory.h) or with
 * --session: "table.task-times.sort" = "-total". What the run has goes before what was last wanted
 * elsewhere. NULL: nothing. */
void view_remember(const struct view *view, const char *key,
                   const char *value); /* value NULL: forgets */
const char *view_recall(const struct view *view, const char *key);
/* A run was found at this path; its identity is what it is remembered by. */
void app_know_run(struct app *app, const char *path, const char *identity);

/* Sends text to the terminal's clipboard (OSC 52), and says so. */
void app_copy(struct app *app, struct slice text);
/* Leaves the screen to a program (argv, its terminal ours) and takes it again. Its exit status, or
 * -1. */
int app_run_program(struct app *app, const char *const *argv, struct err *err);

/* A view of this place, in its run if it has one: "NAME > title" stands on the line of place.
 * Strings are copied. */
struct view *view_new(struct app *app, const struct view_ops *ops, void *state,
                      const struct view_place *place, const char *title);
/* Columns of the line of place for what the view's `status` says. */
int view_status_columns(const struct view *view);
/* Makes a view one of two runs: "A | B > title" stands on the line of place, and it stands in B,
 * which is the one that is asked about. Strings are copied. */
void view_set_runs(struct view *view, const struct two_runs *runs, const char *title);

#endif
