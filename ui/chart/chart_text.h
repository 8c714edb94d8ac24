/* A chart as lines of text, for `lanescope query --plot`.
 * Used by cli. */
#ifndef LANESCOPE_UI_CHART_CHART_TEXT_H
#define LANESCOPE_UI_CHART_CHART_TEXT_H

#include "chart/chart.h"
#include "ui/term/term.h"

struct chart_paper {
	int width, height; /* of all lines; bars and heat maps take as many as they need */
	bool ascii;
	const struct sgr_ink *ink; /* NULL: without colours */
};
/* Title, plot, notes; appended. */
void chart_text(const struct chart *chart, const struct chart_paper *paper, struct strbuf *out);

#endif
