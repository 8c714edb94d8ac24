/*
 * Lanes over time, drawn into a canvas: minimap, ruler, a line a lane, legend. Knows no view and no
 * terminal: the explorer and `lanescope timeline` draw the same.
 *
 * Many spans a cell: its height says how busy the lane was. Few: each span is drawn from where it
 * begins to where it ends, its name inside if there is room; a shaded cell hides more than one.
 * Records that stand for many calls are shaded by their density, never bars.
 *
 * Without colours (canvas.mono, canvas.ascii) letters tell what colours would: of a cell that was
 * mostly busy a large one. What sums up lanes has no colour: it is grey.
 * Used by cli.
 */
#ifndef LANESCOPE_UI_TIMELINE_TIMELINE_DRAW_H
#define LANESCOPE_UI_TIMELINE_TIMELINE_DRAW_H

#include "query/timeline/pair_axis.h"
#include "query/timeline/timeline_paint.h"
#include "query/timeline/timeline_window.h"
#include "ui/term/canvas.h"
#include "ui/base/timescale.h"
#include "util/labels.h"

/* What is drawn, all borrowed. */
struct timeline_drawing {
	const struct timeline *timeline;
	const struct colours *colours;
	const struct timeline_window *window;  /* may be of older times; NULL: none yet */
	const struct timeline_window *minimap; /* a line a run over all of it; NULL: none yet */
	const struct timescale *scale;
	const struct timeline_line *lines;
	size_t n_lines;
	const bool *is_open;        /* by row: unfolded; NULL: all are */
	const struct slice *labels; /* by row, of timeline_labels; NULL: names, cut in the middle */
	const struct label_list
	    *captions; /* what its spans are called, of timeline_captions; NULL: names
	                                * are cut at their ends */
	int label;     /* columns before the cells: names and shares */
	/* a full cell of a host or process: busy for 1/group_height of its lanes; 0: 1 */
	int group_height;
	int64_t selected_span;          /* id; 0: none */
	int64_t partner_span;           /* what stands for it in the other run; 0: none */
	int64_t range_start, range_end; /* marked; end <= start: nothing */
	/* The same lines and cells under a condition: what is in it stands out, all else is dimmed.
	 * NULL: there is none */
	const struct timeline_window *hits;
	/* Stretches that stand on the lanes, all else is dimmed; NULL: none do. */
	const struct timeline_paint *paint;
	const struct pair_axis *axis; /* of a timeline of two runs */
	const char *const *names;     /* theirs, A's and B's */
	bool is_flat;  /* lanes stand in an order of their own, without hosts and processes */
	int line_rows; /* rows that a line takes: 1 to TIMELINE_LINE_ROWS; 0: 1 */
};
#define TIMELINE_LINE_ROWS 3
#define TIMELINE_SHARE_COLUMNS                                                                     \
	7 /* between name and cells: before them, so that panning moves whole lines */
#define TIMELINE_SIDE_COLUMNS 2 /* of two runs: which one a row is of, before what it is called */
/* Rows above the lanes: a minimap of each run, ruler, marks. NULL: a timeline that is to come. */
int timeline_head_rows(const struct timeline *timeline);

/* Columns before the cells in a width, and for them. */
int timeline_label_columns(int width);
int timeline_cell_columns(int width);

/* Column of a row's mark of folding, of two runs behind TIMELINE_SIDE_COLUMNS; its label follows.
 */
static inline int
timeline_label_indent(unsigned level)
{
	return level > 4 ? 5 : 1 + (int)level;
}
/* Labels of all rows in a width, shortened among those below the same row; in the arena. */
struct slice *timeline_labels(const struct timeline *timeline, int width, struct arena *arena);

/* What stands inside a span. *mark: a letter before it that tells its colour, '\0' if none has to.
 */
struct slice timeline_caption(const struct timeline *timeline, const struct colours *colours,
                              const struct timeline_span *span, char *mark);
/* Those of a window's spans, so that in few columns each shows what tells it from the others. New:
 * for label_list_free. */
struct label_list *timeline_captions(const struct timeline *timeline, const struct colours *colours,
                                     const struct timeline_window *window);

/* The group_height for a width of cells: a power of two, whatever is in view. Of a host's hundred
 * lanes a few are busy at a time. */
int timeline_group_height(const struct timeline *timeline, int64_t cell_ns);

void timeline_draw_head(const struct timeline_drawing *drawing, struct canvas *canvas, int y);
/* Of two runs: where a line's run ends. */
void timeline_draw_end(const struct timeline_drawing *drawing, struct canvas *canvas, size_t line,
                       int y);
/* In the drawing's line_rows rows. */
void timeline_draw_line(const struct timeline_drawing *drawing, struct canvas *canvas, size_t line,
                        int y);
/* The stretches of a line's lane, or of the lanes of a group that is folded. */
void timeline_draw_paint(const struct timeline_drawing *drawing, struct canvas *canvas, size_t line,
                         int y);
/* What the classes of stretches are drawn as, and how many there are, from column x up to end;
 * returns the columns used. */
int timeline_draw_paint_legend(const struct timeline_drawing *drawing, struct canvas *canvas, int x,
                               int y, int end);
/* The stretch that a column of a line shows; NULL: none. */
const struct paint_stretch *timeline_stretch_at(const struct timeline_drawing *drawing, size_t line,
                                                int column);

/* Rows a line can take where n of them have `rows` rows: more where there is room for all. */
int timeline_line_rows(size_t n, int rows);
/* What the colours and glyphs stand for, from column 1 up to end. */
void timeline_draw_legend(const struct timeline_drawing *drawing, struct canvas *canvas, int y,
                          int end);

void timeline_draw_cells(const struct timeline_drawing *drawing, struct canvas *canvas, size_t line,
                         int y);
cell_style timeline_style(const struct colours *colours, uint32_t rank);

#endif
