/* A chart in a file: as SVG, as text, or the rows that it was made of, by the name's ending.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_CHART_CHART_SAVE_H
#define LANESCOPE_UI_CHART_CHART_SAVE_H

#include "ui/app/save.h"
#include "ui/chart/chart_draw.h"

#define CHART_VIEW_MOST 1000u /* bars: they scroll */

/* text: of the prompt. chart NULL: there is none yet. Says what became of it. */
void chart_save(struct view *view, struct result_hold *hold, const struct chart *chart,
                struct slice text);

#endif
