/* Inside of drawing charts.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_CHART_CHART_PRIVATE_H
#define LANESCOPE_UI_CHART_CHART_PRIVATE_H

#include "ui/chart/chart_draw.h"

cell_style chart_series_style(const struct chart *chart, size_t series);
/* Lines, scatters, histograms and CDFs with both axes. */
void chart_draw_plane(const struct chart *chart, struct canvas *canvas, struct area area,
                      const struct chart_cursor *cursor);

#endif
