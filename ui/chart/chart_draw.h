/* A chart in cells: blocks, or ASCII; letters where nobody sees colours.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_CHART_CHART_DRAW_H
#define LANESCOPE_UI_CHART_CHART_DRAW_H

#include "chart/chart.h"
#include "ui/term/canvas.h"

/* What is selected, and from which row on bars and heat maps are shown. */
struct chart_cursor {
	size_t series, point;
	int first_row;
};

/* Draws into the area: legend, plot, axes. cursor NULL: nothing is selected. */
void chart_draw(const struct chart *chart, struct canvas *canvas, struct area area,
                const struct chart_cursor *cursor);
/* Rows that all of it takes; 0: it fills what there is. */
int chart_draw_rows(const struct chart *chart, int width);
/* Rows of the plot in an area, and on which of them a bar or a cell of a heat map stands. */
int chart_draw_plot_rows(const struct chart *chart, struct area area);
int chart_draw_row_of(const struct chart *chart, size_t series, size_t point);
/* A point in words: "kind efi: 4.18 s (2.1 s .. 6 s), 4 rows". */
void chart_draw_words(const struct chart *chart, size_t series, size_t point, struct strbuf *out);

#endif
