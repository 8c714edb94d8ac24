/* A chart as a picture that any browser shows and that reads in print: no script, nothing from
 * elsewhere, texts escaped, a title (tool tip) for each point; series differ by their marks and
 * dashes as well as by colour.
 * Used by cli, ui/chart. */
#ifndef LANESCOPE_EXPORT_CHART_SVG_H
#define LANESCOPE_EXPORT_CHART_SVG_H

#include <stdio.h>
#include "chart/chart.h"

int export_chart_svg(const struct chart *chart, FILE *file, struct err *err);

#endif
