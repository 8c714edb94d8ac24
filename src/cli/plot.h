/* --plot: an answer as a chart, for the terminal or as SVG.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_PLOT_H
#define LANESCOPE_CLI_PLOT_H

#include "chart/chart.h"
#include "cli/open.h"
#include "cli/output.h"

/* What the options say. Zero-initialise. */
struct plot_choice {
	bool is_asked, is_svg, is_ascii;
	int width, height; /* 0: as the terminal */
	struct chart_wish wish;
};

/* 1 if the option was one of these, 0 if not, -1 on error. */
int plot_take(struct plot_choice *plot, int id, const char *value, struct err *err);
/* Once all options were read: is it SVG, by the file's ending? What does not go together is an
 * error. */
int plot_settle(struct plot_choice *plot, struct output_choice *output, struct err *err);
/* As output_result, unless plot (NULL: no) asks for a chart. line: `plot:` of the query whose
 * answer it is (NULL: of none); runs: of what. */
int plot_or_print(struct result *result, const char *line, const struct plot_choice *plot,
                  const struct output_choice *output, const struct run_set *runs, struct err *err);
/* The same of one result, or of those of the runs below each other if several were asked for. */
int plot_or_print_stacked(struct result *const *results, const struct plot_choice *plot,
                          struct run_set *runs, const struct output_choice *output,
                          struct err *err);

/* Of a chart that is text within a document: `--size 72x20`. */
#define PLOT_TEXT_WIDTH 72
#define PLOT_TEXT_HEIGHT 20
/* The chart that a query's line `plot:` makes of its answer, for a document; appended. Nothing
 * where it has a single point: the table says that. */
int plot_picture(const struct result *result, const char *line, bool is_svg,
                 const struct run_set *runs, struct strbuf *picture, struct err *err);

#endif
