/* Drawn a screen at a time, since a canvas has a limit and a run may have more lanes. */
#include "config.h"

#include "ui/timeline/timeline_text.h"

#define SLAB 500

void
lanes_text(const struct lanes_scene *scene, int width, bool ascii, struct strbuf *out)
{
	size_t done = 0;

	do {
		size_t n = scene->n_lines - done < SLAB ? scene->n_lines - done : SLAB;
		int head = done == 0 ? LANES_HEAD_ROWS : 0;
		bool is_last = done + n == scene->n_lines;
		int height = head + (int)n + is_last;
		struct canvas *canvas = canvas_new(width, height > 0 ? height : 1);

		canvas->ascii = ascii;
		if (head) {
			lanes_draw_head(scene, canvas, 0);
		}
		for (size_t i = 0; i < n; i++) {
			lanes_draw_line(scene, canvas, done + i, head + (int)i);
		}
		if (is_last) {
			lanes_draw_legend(scene, canvas, height - 1, canvas->width - 1);
		}
		for (int y = 0; y < height; y++) {
			canvas_row(canvas, y, out);
			strbuf_add_char(out, '\n');
		}
		canvas_free(canvas);
		done += n;
	} while (done < scene->n_lines);
}
