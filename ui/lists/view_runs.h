/* Inside of the list of runs: its rows, and how they are found and drawn (view_runs_find.c,
 * view_runs_draw.c).
 * Used by its room alone. */
#ifndef LANESCOPE_UI_LISTS_VIEW_RUNS_H
#define LANESCOPE_UI_LISTS_VIEW_RUNS_H

#include "query/saved/run_list.h"
#include "ui/base/list.h"
#include "ui/app/imports.h"
#include "ui/app/view.h"

#define NO_IMPORT SIZE_MAX

/* A run file, a path that can't be read (error), or an import that is no run yet. */
struct runs_row {
	const struct run_entry *run; /* NULL: an import */
	size_t import;               /* NO_IMPORT: not from an import of this session */
	bool shows_path;             /* its name alone would not tell it from another */
};

/* In the order of the columns; what is largest, but names, formats and dates, comes first. */
enum runs_order {
	RUNS_AS_FOUND,
	RUNS_BY_NAME,
	RUNS_BY_FORMAT,
	RUNS_BY_START,
	RUNS_BY_DURATION,
	RUNS_BY_LANES,
	RUNS_BY_RECORDS,
	RUNS_BY_PROBLEMS,
	RUNS_ORDERS
};
extern const char *const runs_order_names[RUNS_ORDERS];

struct runs {
	char **paths;
	size_t n_paths;
	struct runs_found *found; /* NULL until the first look */
	const struct ui_imports *imports;
	struct ui_import *states; /* of the imports, as last read */
	size_t n_done;            /* imports that were done when the runs were looked for last */
	struct runs_row *rows;
	struct list list;
	enum runs_order order;
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

void runs_put_in_order(struct runs *runs); /* its rows, as they were found before */

void runs_draw(const struct view *view, struct canvas *canvas, struct area area);
void runs_draw_row(const struct view *view, struct canvas *canvas, size_t i, int y,
                   const void *how);

#endif
