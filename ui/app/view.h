/*
 * Views: what fills the screen between the line of place and the line of keys. A view is one file and one constructor; the application
 * keeps a stack of them. A view never blocks: whatever reads a run file goes through app_submit and comes back in `done`.
 */
#ifndef LANESCOPE_UI_APP_VIEW_H
#define LANESCOPE_UI_APP_VIEW_H

#include <stdbool.h>
#include "query/saved/query.h"
#include "ui/term/canvas.h"
#include "ui/base/job.h"
#include "ui/base/keys.h"
#include "ui/base/search.h"

struct app;
struct view;
struct table_source;

struct area {
	int x, y, width, height;
};

enum prompt_kind {
	PROMPT_SEARCH,
	PROMPT_FILTER,
	PROMPT_PARAMETER,
	PROMPT_COMMAND, /* the application's own */
	PROMPT_SQL,     /* the application's own */
	PROMPT_EXPORT
};

/* What a prompt offers for the word at the cursor. */
struct completion {
	size_t
	    from; /* bytes of the text that stay; each word replaces what follows up to the cursor */
	char **words; /* each malloc'd; completion_free frees them */
	size_t n, capacity;
};
void completion_add(struct completion *completion, struct slice word);
/* Keeps the words that begin with prefix, sorted, each once. */
void completion_settle(struct completion *completion, struct slice prefix);
void completion_free(struct completion *completion);

struct mouse_event {
	int x, y; /* cell of the screen */
	enum {
		MOUSE_PRESS,
		MOUSE_DOUBLE,
		MOUSE_DRAG,
		MOUSE_RELEASE,
		MOUSE_WHEEL_UP,
		MOUSE_WHEEL_DOWN
	} type;
};

enum command_outcome { COMMAND_UNKNOWN, COMMAND_DONE, COMMAND_FAILED };

struct view_ops {
	unsigned sets; /* enum view_set: the view's bits, for its keys */
	/* State and area to cells; nothing else. */
	void (*draw)(const struct view *view, struct canvas *canvas, struct area area);
	/* True if the action meant something here. */
	bool (*act)(struct view *view, enum action action);
	/* There is nothing to choose yet: keys that choose wait while the answer to a job is awaited. May be NULL. */
	bool (*is_waiting)(const struct view *view);
	/* A key without a binding here ("1" .. "9"): true if it meant something. May be NULL. */
	bool (*key)(struct view *view, int key);
	/* Right half of the line of place: counts, sort, what is running. */
	void (*status)(const struct view *view, struct strbuf *out);
	/* The area changed (also before the first draw). May be NULL. */
	void (*resize)(struct view *view, struct area area);
	/* A job of this view came back without an error; the view takes what it wants of it. May be NULL. */
	void (*done)(struct view *view, struct job *job);
	/* Esc has stopped all jobs of this view. May be NULL. */
	void (*cancelled)(struct view *view);
	/* Something outside, that is no job, may have changed (ui_imports). May be NULL. */
	void (*woken)(struct view *view);
	/* The text of a prompt changed (final false: the user still types; true: Enter). May be NULL. */
	void (*prompt)(struct view *view, enum prompt_kind kind, struct slice text, bool final);
	/* Words that may stand at the cursor (a byte offset) of a prompt of this view. May be NULL. */
	void (*complete)(const struct view *view, enum prompt_kind kind, struct slice text,
	                 size_t cursor, struct completion *completion);
	/* A ":" command that is no action's name: "range", "1s 2s". err says what is wrong with it. May be NULL. */
	enum command_outcome (*command)(struct view *view, struct slice name,
	                                struct slice arguments, struct err *err);
	/* The rows that "/", n and N look through; NULL: the view searches by itself. Whether one of them holds text; or, instead, asks
	 * a worker to look for search.text from the selected row, who ends it with app_search_ended. */
	struct list *(*list)(struct view *view);
	bool (*row_has)(const struct view *view, size_t row, struct slice text);
	void (*find)(struct view *view, enum search_where where);
	/* A search has moved the list's selection. May be NULL. */
	void (*selected)(struct view *view);
	/* True if it meant something here. May be NULL. */
	bool (*mouse)(struct view *view, const struct mouse_event *event);
	/* What would be lost if the program ended now ("an import is running"); NULL: nothing. May be NULL. */
	const char *(*unfinished)(const struct view *view);
	void (*close)(struct view *view); /* frees the state */
};

struct view {
	const struct view_ops *ops;
	struct app *app;
	void *state;
	unsigned sets; /* of ops, and what the view adds to them */
	char *place;   /* "f4 > Tasks by kind"; freed by the application */
	char *run_path,
	    *run_name; /* the run that the view stands in; NULL: none. Freed by the application */
	struct area area; /* last given to resize */
	struct search search;
	bool has_answer; /* some job of it came back */
	char *failure;   /* of the last that did not; NULL: none. The application's */
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
/* The prompt whose text is being taken, as it was: there is something wrong with it, which app_say has said. */
void app_prompt_again(struct app *app);
/* A statement that was typed is refused: closes the view, which waits for its answer, and opens the prompt again where the error is. False, and
 * nothing is done, if the user has gone on to something else. */
bool app_sql_refused(struct view *view, const char *sql, const struct err *err);
void app_search_ended(struct view *view, enum search_outcome outcome); /* of `find` */
const struct query_library *app_library(const struct app *app);

/* The runs of comparisons: 0 is A, 1 is B. NULL path: none. The application keeps copies. */
void app_mark(struct app *app, int side, const char *run_path, const char *run_name);
const char *app_marked_path(const struct app *app, int side);
const char *app_marked_name(const struct app *app, int side); /* NULL if none */
/* A and B for a view that stands in run_path: the marked ones, or the one marked and this one as B. False, with a message that says what to
 * mark, if there are not two. */
bool app_pair(struct app *app, const char *run_path, const char **path_a, const char **path_b);

/* What is remembered for the session, and beyond it with --session: "table.task-times.sort" = "-total". NULL: nothing. */
void app_remember(struct app *app, const char *key, const char *value); /* value NULL: forgets */
const char *app_recall(const struct app *app, const char *key);

/* Sends text to the terminal's clipboard (OSC 52), and says so. */
void app_copy(struct app *app, struct slice text);
/* Leaves the screen to a program (argv, its terminal ours) and takes it again. Its exit status, or -1. */
int app_run_program(struct app *app, const char *const *argv, struct err *err);

/* Where a view of a run's time or spans begins. */
struct focus {
	const char *filter;       /* in the language of span_sums; NULL: none */
	int64_t span;             /* span.id to select; -1: none */
	int64_t lane;             /* lane.id to select; -1: none */
	int64_t start_ns, end_ns; /* window; end <= start: all */
	const char *lane_name;    /* lane to select by its name, if lane is -1; NULL: none */
	const char *search;       /* in names: what to mark, and where n leads; NULL: nothing */
	/* Where the cursor begins and, if the end is behind it, the range to mark; end < start: nothing. With a span: nothing. */
	int64_t mark_start_ns, mark_end_ns;
};
#define FOCUS_NONE ((struct focus){NULL, -1, -1, 0, 0, NULL, NULL, 0, -1})

/* New views. Strings are copied. */
struct view *view_new(struct app *app, const struct view_ops *ops, void *state, const char *place);
/* As view_new, in a run: place is "NAME > title". */
struct view *view_new_in_run(struct app *app, const struct view_ops *ops, void *state,
                             const char *run_path, const char *run_name, const char *title);
/* Makes a view one of two runs: place is "A | B > title", and it stands in B, which is the one that is asked about. Strings are copied. */
void view_set_pair(struct view *view, const char *name_a, const char *path_b, const char *name_b,
                   const char *title);
struct ui_imports;
/* imports: traces that are becoming runs, borrowed; NULL: none. */
struct view *view_runs_new(struct app *app, const char *const *paths, size_t n_paths,
                           const struct ui_imports *imports);
struct view *view_overview_new(struct app *app, const char *run_path, const char *run_name);
struct view *view_queries_new(struct app *app, const char *run_path, const char *run_name);
/* Takes source. The place is the run's name, if any, and the source's title. */
struct view *view_table_new(struct app *app, const char *run_path, const char *run_name,
                            struct table_source *source);
struct view *view_spans_new(struct app *app, const char *run_path, const char *run_name,
                            const struct focus *focus);
struct view *view_span_new(struct app *app, const char *run_path, const char *run_name,
                           int64_t span);
struct view *view_timeline_new(struct app *app, const char *run_path, const char *run_name,
                               const struct focus *focus);
struct view *view_pair_new(struct app *app, const char *path_a, const char *name_a,
                           const char *path_b, const char *name_b);
/* The same, at a window and lane of one side (0: A, 1: B) and ready to be aligned at its span; focus may be NULL. */
struct view *view_pair_new_at(struct app *app, const char *path_a, const char *name_a,
                              const char *path_b, const char *name_b, int side,
                              const struct focus *focus);
/* Questions that can be asked of both runs; opens tables of differences. */
struct view *view_diff_new(struct app *app, const char *path_a, const char *name_a,
                           const char *path_b, const char *name_b);
struct view *view_explain_new(struct app *app, const char *path_a, const char *name_a,
                              const char *path_b, const char *name_b);
struct view *view_text_new(struct app *app, const char *title, struct slice text);
struct view *view_help_new(struct app *app, unsigned sets);

#endif
