/* A timeline as lanescope timeline prints it: what is chosen, read a piece at a time, and written.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CMD_TIMELINE_WRITE_H
#define LANESCOPE_CLI_CMD_TIMELINE_WRITE_H

#include "cli/colours.h"
#include "cli/open.h"
#include "cli/output.h"
#include "query/timeline/timeline_pair.h"
#include "ui/base/timescale.h"
#include "ui/timeline/timeline_text.h"

struct drawing {
	const struct run_set *runs; /* one, or A and B */
	struct timeline *timeline;
	struct colours *colours[2];
	struct pair_axis axis;       /* of two */
	struct timeline_line *lines; /* all of them */
	size_t n_lines;
	struct timeline_window *window, *minimap;
	struct timeline_window *hits;        /* what is marked in the window; NULL: nothing is */
	struct strbuf marked, marked_filter; /* what, and how many in all; the filter */
	bool is_empty;                       /* no window had anything to show */
	struct timescale scale;
	int width;
	bool is_picture; /* not rows of cells, whose sums are exact */
	bool is_svg, is_ascii, has_alike;
	enum colour_when colour_when;
	size_t left_out; /* lines that --height leaves out */
	const struct cancel *cancel;
};

/* What n lines show from start_ns on, of spans of the filter (NULL: all). New; NULL on error. */
struct timeline_window *drawing_window(const struct drawing *drawing,
                                       const struct timeline_line *lines, size_t n_lines,
                                       int64_t start_ns, int64_t cell_ns, const char *filter,
                                       struct err *err);
/* All lines, as text, as SVG or as rows of their cells. */
int drawing_write(struct drawing *drawing, const struct output_choice *choice, struct err *err);
/* The same of a picture, into a file that is open. */
int drawing_write_picture(struct drawing *drawing, const struct timeline_paper *paper, FILE *file,
                          struct err *err);
void drawing_fini(struct drawing *drawing);

#endif
