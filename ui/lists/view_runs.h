/* Inside of the list of runs: its rows, and how they are found and drawn (view_runs_find.c,
 * view_runs_table.c, view_runs_draw.c).
 * Used by its room alone. */
#ifndef LANESCOPE_UI_LISTS_VIEW_RUNS_H
#define LANESCOPE_UI_LISTS_VIEW_RUNS_H

#include "query/saved/run_list.h"
#include "ui/base/list.h"
#include "ui/app/imports.h"
#include "ui/table/table_model.h"
#include "ui/app/view.h"

#define NO_IMPORT SIZE_MAX

/* A run file, a path that can't be read (error), or an import that is no run yet. */
struct runs_row {
	const struct run_entry *run; /* NULL: an import */
	size_t import;               /* NO_IMPORT: not from an import of this session */
	bool shows_path;             /* its name alone would not tell it from another */
};

#define RUNS_COLUMNS 6 /* on the screen, behind the name */
/* How wide they are over all rows: in short, and saying what the runs are. */
struct runs_column_widths {
	int narrow, wide;
	bool is_blank; /* no row has anything there */
	bool is_same;  /* all runs, of several, have the same */
};

struct runs {
	char **paths;
	size_t n_paths;
	struct runs_found *found; /* NULL until the first look */
	const struct ui_imports *imports;
	struct ui_import *states; /* of the imports, as last read */
	size_t n_done;            /* imports that were done when the runs were looked for last */
	struct runs_row *rows;    /* all, as they were found */
	size_t n_rows;
	struct table_model model; /* the same, and which of them are shown in which order */
	struct list list;         /* of those shown */
	struct runs_column_widths widths[RUNS_COLUMNS];
	int longest_name; /* in columns */
	int tags_width;   /* of the longest line of tags; 0: there are none */
	char *bar;        /* name of the column that has bars; NULL: none */
	bool is_asked;
	bool is_marked; /* A and B were chosen */
	bool is_opened; /* opened: the only run there is, without being asked */
};

/* What is at the paths and what the imports have made; on the worker. */
struct runs_found {
	struct arena *arena;
	struct run_list **lists;
	size_t n_lists;
	struct run_entry *entries;
	size_t *imports; /* of the entries */
	size_t n;
};
struct runs_found *runs_find(char *const *paths, size_t n_paths, char *const *made, size_t n_made);
void runs_found_free(struct runs_found *found); /* takes NULL */

/* view_runs_table.c. The model follows from the rows; filters and order stay. */
void runs_fill(struct runs *runs);
const struct runs_row *runs_row(const struct runs *runs, size_t shown); /* NULL beyond the last */
void runs_sort(struct view *view, bool forward); /* the next order, or the one before */
bool runs_unfilter(struct view *view);           /* drops the last; false if there is none */
void runs_filter(struct view *view, struct slice text);
bool runs_row_has(const struct view *view, size_t shown, struct slice text);
void runs_prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final);
enum command_outcome runs_command(struct view *view, struct slice name, struct slice arguments,
                                  struct err *err);
void runs_complete(const struct view *view, enum prompt_kind kind, struct completion *completion);

/* view_runs_bar.c. Which column has bars: the next one of numbers; the one that is called so (none:
 * no bars). */
void runs_bar_next(struct view *view);
int runs_bar_choose(struct view *view, struct slice name, struct err *err);
struct runs_bar {
	size_t column; /* SIZE_MAX: none */
	int width;     /* of the figures */
	int columns;   /* of figure, bar and what keeps them apart from others */
	double most;
};
struct runs_bar runs_bar_measure(const struct runs *runs);
void runs_bar_title(const struct runs *runs, const struct runs_bar *bar, struct canvas *canvas,
                    int x, int y);
void runs_bar_draw(const struct runs *runs, const struct runs_bar *bar, struct canvas *canvas,
                   int x, int y, size_t shown);

/* Which run or import is selected, whatever the rows are. */
struct runs_place {
	char *path; /* malloc'd; NULL: of no run */
	size_t import;
};
struct runs_place runs_place_of_selected(const struct runs *runs);
/* Other rows are shown, or in another order; the selection goes to the place (taken), if that is
 * shown. */
void runs_show(struct view *view, struct runs_place place);

/* The rows that the list has. */
void runs_lay(struct view *view);
void runs_measure(struct runs *runs); /* its rows: once, not with each frame */
void runs_draw(const struct view *view, struct canvas *canvas, struct area area);
void runs_draw_row(const struct view *view, struct canvas *canvas, size_t i, int y,
                   const void *how);

#endif
