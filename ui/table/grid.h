/*
 * The columns of a table on the screen: which, in which order, how wide, with
 * bars; and drawing a result in them. The first column stays in sight when the
 * others are scrolled sideways.
 * Used by ui/lists.
 */
#ifndef LANESCOPE_UI_TABLE_GRID_H
#define LANESCOPE_UI_TABLE_GRID_H

#include "ui/term/canvas.h"
#include "ui/base/list.h"
#include "ui/table/table_model.h"
#include "ui/app/view.h"

struct grid_column {
	char *name;     /* own copy: it outlives the result */
	char *title;    /* what is shown for it */
	size_t source;  /* column of the result */
	int natural;    /* columns that its longest text takes */
	int full;       /* the same, or its title */
	int ample;      /* as wide as it would be with room for all */
	int width;      /* as laid out */
	int bar;        /* columns of the bar behind it; 0: none */
	double largest; /* magnitude that fills a bar; 0: no bars */
	bool is_hidden, is_wide, is_number;
	bool is_constant, is_folded; /* one value in all rows; it stands above the titles */
	bool is_kept;                /* not to be folded: the user wants to see it */
	bool is_signed;              /* a difference: what is more has a "+" */
};

struct grid {
	struct grid_column *columns; /* in the order shown, the hidden ones among them */
	size_t n;
	size_t selected; /* index in columns; a shown one, unless all are hidden */
	size_t first;    /* index of the first that is shown behind the one that stays */
	bool folds;      /* constant columns, where there is no room for all; set once */
};

void grid_fini(struct grid *grid);
/* A new result: columns named as before keep their place, and whether they are
 * hidden or widened. Lay it out afterwards. */
void grid_set(struct grid *grid, const struct result *result);
/* Widths and bars for a screen that is `width` columns wide. Call when model,
 * width or columns changed. */
void grid_lay(struct grid *grid, const struct table_model *model, int width);
/* Moves to, moves, hides, shows and widens columns. False if the action is none
 * of these; lay out afterwards. */
bool grid_act(struct grid *grid, const struct table_model *model, enum view_action action);
/* Hides or shows the column of this name; false if there is none. */
bool grid_hide(struct grid *grid, struct slice name, bool is_hidden);
/* Rows that folded columns take above the titles: 0 or 1. As grid_lay left it. */
int grid_folded_rows(const struct grid *grid);
/* Column of the result that is selected; SIZE_MAX if none is shown. */
size_t grid_selected(const struct grid *grid);
/* Columns of the result in the order shown, the folded ones among them; room for all. Returns how
 * many. */
size_t grid_shown(const struct grid *grid, size_t *columns);
/* To the view's clipboard: the cell of the selected column as it is shown; of a row all shown
 * cells, between tabs. row may be none of the result, which may be NULL. */
void grid_copy(struct view *view, const struct grid *grid, const struct result *result, size_t row,
               bool is_row);

/* "kind,-mean,total+,unit=": order, "-" hidden, "+" as wide as the longest text, "=" never folded;
 * odd bytes of names as %XX. What is unknown is passed over. */
void grid_write(const struct grid *grid, struct strbuf *out);
void grid_read(struct grid *grid, const char *text);

/* Whether a shown cell of the row holds the text. */
bool grid_row_matches(const struct grid *grid, const struct table_model *model, size_t shown_row,
                      struct slice text);

/* Folded columns and header in the area's first lines, rows below it, and totals in the line after
 * list->height rows if rows are marked. Puts the cursor on the selected cell.
 * search: what is highlighted. */
void grid_draw(const struct grid *grid, const struct table_model *model, const struct list *list,
               struct slice search, struct canvas *canvas, struct area area);
/* Whether the columns stand below each other: of one row. */
bool grid_is_upright(const struct grid *grid, const struct table_model *model);
/* Moves between them; false if the action does not move. */
bool grid_act_upright(struct grid *grid, const struct table_model *model, enum view_action action);
void grid_draw_upright(const struct grid *grid, const struct table_model *model,
                       struct slice search, struct canvas *canvas, struct area area);
/* Index of the column on this row of an area of so many; SIZE_MAX if there is none. */
size_t grid_upright_at(const struct grid *grid, int row, int height);
/* Index of the column on the screen at x; SIZE_MAX if there is none. */
size_t grid_at(const struct grid *grid, int x, int width);

#endif
