/*
 * The timeline's window: which time stands in which column. No cells, no curses.
 *
 * Columns are cell_ns wide, so that panning moves whole cells. A run that is all there in fewer
 * cells than columns (it lasts a few nanoseconds a column, which no whole width divides) is
 * stretched over all of them: its columns differ by a nanosecond.
 * Used by cli, ui/timeline.
 */
#ifndef LANESCOPE_UI_BASE_TIMESCALE_H
#define LANESCOPE_UI_BASE_TIMESCALE_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

struct timescale {
	int64_t duration_ns; /* of the run */
	int64_t start_ns;    /* of column 0: a multiple of cell_ns, 0 <= start < duration */
	int64_t cell_ns;     /* > 0: time per column */
	int columns;
	int cursor; /* column, 0 .. columns - 1 */
};

/* A wished width of cells (ns) for showing the whole run. */
int64_t timescale_fit_ns(const struct timescale *scale);
/* Takes a new width of cells, keeping the time at the cursor in place as well as whole cells
 * allow. */
void timescale_set_cell(struct timescale *scale, int64_t cell_ns);
/* Width of cells with which a stretch of time fills the window, both ends in it. */
int64_t timescale_cell_for(const struct timescale *scale, int64_t start_ns, int64_t end_ns);
/* Cells that the window shows of the run, at most its columns. */
int timescale_cells(const struct timescale *scale);
void timescale_resize(struct timescale *scale, int columns);
/* Moves the window by a number of cells, inside the run. */
void timescale_pan(struct timescale *scale, int64_t cells);
/* The same; where the window ends with the run, the cursor moves by a cell instead. False: it
 * did. */
bool timescale_pan_or_move(struct timescale *scale, int64_t cells);
/* Moves the cursor, panning at the edges. */
void timescale_move(struct timescale *scale, int64_t cells);
/* First time of a column; that of the next is where it ends. */
int64_t timescale_time(const struct timescale *scale, int column);
/* Column that a time stands in: -1 before the window, `columns` after it. The run's end is in the
 * last column that shows the run. */
int timescale_column(const struct timescale *scale, int64_t at_ns);
/* As close as times of this zoom have to be told apart: a tenth of a cell, so that one more digit
 * is known of them than of the columns. For format_position. */
int64_t timescale_apart_ns(const struct timescale *scale);
/* Adds which part of the run the window is, "1.25 s .. 2.5 s of 3.13 s"; where it reaches the run's
 * end, the end and the whole are one text. whole: a word before the whole, "at most ", "", or
 * NULL: without it. */
void timescale_say(const struct timescale *scale, const char *whole, struct strbuf *out);
/* Pans so that a time stands in a column, as well as whole cells and the run's ends allow, and puts
 * the cursor there. */
void timescale_show(struct timescale *scale, int64_t at_ns, int column);
/* The same stretch of time in as many columns; cursors may differ. */
bool timescale_same_window(const struct timescale *a, const struct timescale *b);
/* Distance of ruler marks: 1, 2 or 5 x 10^k ns, from half a minute on what divides minutes, hours
 * and days; at least `columns` columns wide. */
int64_t timescale_ruler_ns(const struct timescale *scale, int columns);

#endif
