/* Drawn a screen at a time, since a canvas has a limit and a run may have more lanes. */
#include "config.h"

#include "ui/timeline/timeline_text.h"

#define SLAB 500

void
timeline_text(const struct timeline_drawing *drawing, unsigned parts,
              const struct timeline_paper *paper, struct strbuf *out)
{
	size_t done = 0;

	do {
		size_t n = drawing->n_lines - done < SLAB ? drawing->n_lines - done : SLAB;
		int head = done == 0 && !(parts & TEXT_GOES_ON)
		               ? timeline_head_rows(drawing->timeline)
		               : 0;
		bool is_last = done + n == drawing->n_lines;
		bool has_legend = is_last && !(parts & TEXT_HAS_MORE);
		int height = head + (int)n + has_legend;
		struct canvas *canvas = canvas_new(paper->width, height > 0 ? height : 1);

		canvas->ascii = paper->ascii;
		canvas->mono = !paper->ink;
		if (head) {
			timeline_draw_head(drawing, canvas, 0);
		}
		for (size_t i = 0; i < n; i++) {
			timeline_draw_line(drawing, canvas, done + i, head + (int)i);
			timeline_draw_end(drawing, canvas, done + i, head + (int)i);
		}
		if (has_legend) {
			timeline_draw_legend(drawing, canvas, height - 1, canvas->width - 1);
		}
		for (int y = 0; y < height; y++) {
			sgr_row(out, paper->ink, canvas, y);
			strbuf_add_char(out, '\n');
		}
		canvas_free(canvas);
		done += n;
	} while (done < drawing->n_lines);
}
