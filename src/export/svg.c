/*
 * Spans become rectangles where they are known, cells elsewhere, as high as the lane was busy.
 * Names stand inside where they fit and in the titles always.
 */
#include "config.h"

#include "export/svg.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "export/svg_parts.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/order.h"
#include "util/utf8.h"

#define LABEL_WIDTH 170
#define ROW_HEIGHT 18
#define CELL_WIDTH 8
#define HEAD_HEIGHT 44

#define DIMMED "#dcdcdc"

struct svg {
	FILE *file;
	const struct timeline_window *window, *hits;
	const struct timeline *timeline;
	const struct colours *colours;
	double width; /* of the cells */
};

static const char *
colour_of(const struct svg *svg, uint32_t rank)
{
	if (rank >= svg->colours->n) {
		return SVG_OTHER;
	}
	if (svg->colours->mode == COLOUR_STATUS) {
		return rank == STATUS_FAILED ? "#d04040" : svg_colour(0);
	}
	if (svg->colours->mode == COLOUR_SLOWDOWN) {
		static const char *const classes[] = {SVG_OTHER, "#7aa860", "#d0a24c", "#d04040",
		                                      "#a87ab4"};
		return classes[rank];
	}
	return svg_colour(svg->colours->slots[rank]);
}

static double
x_of(const struct svg *svg, int64_t at_ns)
{
	double cells =
	    (double)time_sub(at_ns, svg->window->start_ns) / (double)svg->window->cell_ns;
	double x = cells * CELL_WIDTH;

	return LABEL_WIDTH + (x < 0 ? 0 : LEAST(svg->width, x));
}

/* Marked spans have an edge below, as on a terminal: neither needs a colour to be seen. */
static void
put_edge(const struct svg *svg, double x, double width, double y)
{
	fprintf(svg->file,
	        "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"1.5\" fill=\"#000\"/>", x,
	        y + ROW_HEIGHT - 2, width);
}

/* is_hit: NULL where nothing is marked. */
static void
put_span(const struct svg *svg, const struct timeline_span *span, const bool *is_hit, double y)
{
	double x = x_of(svg, span->start_ns);
	double width = x_of(svg, time_add(span->start_ns, span->duration_ns)) - x;
	double shown = MOST(0.6, width);
	char start[FORMAT_BYTES], duration[FORMAT_BYTES];

	fprintf(svg->file, "<g><title>");
	svg_put_foreign(svg->file, span->name);
	fprintf(svg->file,
	        " at %s, %s%s</title><rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" "
	        "fill=\"%s\"%s/>",
	        format_position(start, span->start_ns, svg->window->cell_ns / 10),
	        format_duration(duration, span->duration_ns),
	        span->is_unfinished ? ", unfinished" : "", x, y + 1, shown, ROW_HEIGHT - 3,
	        is_hit && !*is_hit ? DIMMED : colour_of(svg, span->rank),
	        span->is_unfinished ? " stroke=\"#d04040\" stroke-dasharray=\"3 2\"" : "");
	if (is_hit && *is_hit) {
		put_edge(svg, x, shown, y);
	}
	if (width > 3 * SVG_LETTER_WIDTH) {
		struct slice clipped = utf8_clip(span->name, (size_t)(width / SVG_LETTER_WIDTH));

		fprintf(svg->file, "<text x=\"%.2f\" y=\"%.1f\" class=\"%s\">", x + 2,
		        y + ROW_HEIGHT - 6, is_hit && !*is_hit ? "mark" : "in");
		svg_put_foreign(svg->file, clipped);
		fputs("</text>", svg->file);
	}
	fputs("</g>\n", svg->file);
}

/* Of a lane's cell: its colour, of marked spans theirs. */
static const char *
cell_colour(const struct svg *svg, size_t hit_line, uint32_t i, const struct tile_cell *cell)
{
	int64_t at = time_add(svg->window->start_ns, (int64_t)i * svg->window->cell_ns);

	if (svg->hits) {
		cell = timeline_window_cell(svg->hits, hit_line, at);
		if (!cell || (cell->busy_ns <= 0 && cell->count == 0 && cell->density_ns <= 0)) {
			return DIMMED;
		}
	}
	return cell->n_categories > 0 ? colour_of(svg, cell->categories[0].category)
	                              : svg_colour(0);
}

static void
put_cell(const struct svg *svg, uint32_t i, double share, const char *colour, const char *title,
         double y)
{
	double height = LEAST(1, share);

	height = height * (ROW_HEIGHT - 3);
	height = MOST(0.8, height);
	fprintf(svg->file,
	        "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" "
	        "fill=\"%s\"><title>%s</title></rect>\n",
	        LABEL_WIDTH + (int)i * CELL_WIDTH, y + ROW_HEIGHT - 2 - height, CELL_WIDTH, height,
	        colour, title);
}

/* As high as the row, the fuller the denser. */
static void
put_density(const struct svg *svg, size_t hit_line, const struct tile_cell *cell, uint32_t i,
            double y)
{
	double share = (double)cell->density_ns / (double)svg->window->cell_ns;

	if (cell->density_ns > 0 || cell->busy_ns > 0) {
		fprintf(svg->file,
		        "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"%s\" "
		        "fill-opacity=\"%.2f\"><title>density %.1f %%</title></rect>\n",
		        LABEL_WIDTH + (int)i * CELL_WIDTH, y + 1, CELL_WIDTH, ROW_HEIGHT - 3,
		        cell_colour(svg, hit_line, i, cell), 0.1 + 0.8 * (LEAST(share, 1)),
		        share * 100);
	}
}

static void
put_cells(const struct svg *svg, struct timeline_line line, const struct timeline_track *track,
          double y)
{
	const struct timeline_row *row = &svg->timeline->rows[line.row];
	size_t hit_line = svg->hits ? timeline_window_line(svg->hits, line) : 0;

	for (uint32_t i = 0; i < svg->window->n_cells; i++) {
		char title[2 * FORMAT_BYTES], count[FORMAT_BYTES];

		if (track->values && track->values[i].is_known) {
			double range = track->high - track->low;

			snprintf(title, sizeof(title), "%.6g .. %.6g", track->values[i].low,
			         track->values[i].high);
			put_cell(svg, i,
			         range > 0 ? (track->values[i].high - track->low) / range : 0,
			         svg_colour(0), title, y);
		} else if (track->is_dense) {
			put_density(svg, hit_line, &track->cells[i], i, y);
		} else if (track->cells &&
		           (track->cells[i].busy_ns > 0 || track->cells[i].count > 0)) {
			const struct tile_cell *cell = &track->cells[i];
			double share = timeline_share(track, cell, svg->window->cell_ns);

			snprintf(title, sizeof(title), "busy %.1f %%, starts %s", share * 100,
			         format_count(count, cell->count));
			put_cell(svg, i, share,
			         row->type == TIMELINE_LANE ? cell_colour(svg, hit_line, i, cell)
			                                    : svg_colour(0),
			         title, y);
		}
	}
}

static void
put_ruler(const struct svg *svg, double bottom)
{
	int64_t step = 1, end = time_add(svg->window->start_ns,
	                                 (int64_t)svg->window->n_cells * svg->window->cell_ns);
	int64_t wanted = svg->window->cell_ns * 12;

	for (int i = 0; step < wanted && step < INT64_MAX / 10; i++) {
		step = i % 3 == 1 ? step / 2 * 5 : step * 2;
	}
	for (int64_t mark = (svg->window->start_ns + step - 1) / step * step; mark < end;
	     mark += step) {
		char text[FORMAT_BYTES];

		fprintf(svg->file,
		        "<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%.1f\" class=\"rule\"/>"
		        "<text x=\"%.2f\" y=\"%d\" class=\"mark\">%s</text>\n",
		        x_of(svg, mark), HEAD_HEIGHT - 12, x_of(svg, mark), bottom,
		        x_of(svg, mark) + 2, HEAD_HEIGHT - 6, format_position(text, mark, step));
	}
}

static void
put_legend(const struct svg *svg, double y)
{
	double x = 8;

	for (uint32_t i = 0;
	     i < svg->colours->n && i < COLOUR_SLOTS && x < LABEL_WIDTH + svg->width - 60; i++) {
		struct slice label = utf8_clip(svg->colours->labels[i], 30);

		fprintf(svg->file,
		        "<rect x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"%s\"/><text "
		        "x=\"%.1f\" y=\"%.1f\">",
		        x, y - 9, colour_of(svg, i), x + 14, y);
		svg_put_foreign(svg->file, label);
		fputs("</text>\n", svg->file);
		x += 30 + (double)utf8_columns(label) * SVG_LETTER_WIDTH;
	}
}

int
export_svg(const struct svg_picture *picture, FILE *file, struct err *err)
{
	const struct timeline_window *window = picture->window;
	const struct timeline *timeline = picture->timeline;
	struct svg svg = {file,     window,           picture->hits,
	                  timeline, picture->colours, window->n_cells * (double)CELL_WIDTH};
	double bottom = HEAD_HEIGHT + (double)window->n_lines * ROW_HEIGHT;
	double width = LABEL_WIDTH + svg.width + 10, height = bottom + 30;

	fprintf(file,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
	        "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"11\">\n"
	        "<style>.in{font-size:10px;fill:#fff}.mark{fill:#666;font-size:10px}"
	        ".rule{stroke:#ccc;stroke-width:1}</style>\n"
	        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<text x=\"8\" y=\"16\">",
	        width, height, width, height);
	if (timeline->pair) {
		fputs("A ", file);
	}
	svg_put_foreign(file, slice_of(picture->run_names[0]));
	if (timeline->pair) {
		fputs(", B ", file);
		svg_put_foreign(file, slice_of(picture->run_names[1]));
	}
	if (picture->hits) {
		fputs(", marked ", file);
		svg_put_foreign(file, slice_of(picture->marked));
	}
	fputs("</text>\n", file);
	put_ruler(&svg, bottom);
	for (size_t i = 0; i < window->n_lines; i++) {
		const struct timeline_row *row = &timeline->rows[window->lines[i].row];
		const struct timeline_track *track = &window->tracks[i];
		bool *is_hit = timeline_window_hits(window, i, picture->hits);
		double y = HEAD_HEIGHT + (double)i * ROW_HEIGHT;

		if (window->lines[i].depth <= 0) {
			fprintf(file, "<text x=\"%u\" y=\"%.1f\">", 8 + 10 * row->level,
			        y + ROW_HEIGHT - 5);
			if (row->side > 0) {
				fputs(row->side == 1 ? "A " : "B ", file);
			}
			svg_put_foreign(file, utf8_clip(row->name, 26 - 2 * row->level));
			fputs("</text>\n", file);
		}
		for (size_t k = 0; k < track->n_spans; k++) {
			put_span(&svg, &track->spans[k], is_hit ? &is_hit[k] : NULL, y);
		}
		if (!track->has_spans) {
			put_cells(&svg, window->lines[i], track, y);
		}
		free(is_hit);
	}
	put_legend(&svg, bottom + 20);
	fputs("</svg>\n", file);
	return fflush(file) != 0 || ferror(file) ? err_set_errno(err, errno, "picture") : 0;
}
