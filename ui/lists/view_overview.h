/* Inside of the overview's view: state and layout, shared by view_overview.c and
 * view_overview_draw.c.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_LISTS_VIEW_OVERVIEW_H
#define LANESCOPE_UI_LISTS_VIEW_OVERVIEW_H

#include "query/overview.h"
#include "ui/base/list.h"
#include "ui/app/view.h"

/* What can be selected: one pane has the cursor, Tab goes on to the next. */
enum overview_pane { PANE_LANES, PANE_NAMES, PANE_QUESTIONS, PANES };

#define EARLY_KEYS 8

struct overview_view {
	struct overview *overview;           /* NULL until it was read */
	const struct query_library *library; /* that the questions are of */
	const struct saved_query **questions;
	struct list lists[PANES];
	enum overview_pane pane;
	bool has_chosen;       /* the pane, or a row by the mouse */
	int early[EARLY_KEYS]; /* keys (below 0: actions) that came before the overview did */
	size_t n_early;
};

/* Where a pane's rows stand; height 0: there is no room for it, or nothing in it. */
struct area overview_pane_area(const struct overview_view *mine, struct area area,
                               enum overview_pane pane);
/* What a row of a pane is called. */
struct slice overview_row_text(const struct overview_view *mine, enum overview_pane pane,
                               size_t row);

void overview_draw(const struct view *view, struct canvas *canvas, struct area area);

#endif
