#include "config.h"
#include "ui/chart/chart_text.h"

#include "ui/chart/chart_draw.h"
#include "ui/term/sgr.h"
#include "util/order.h"
#include "util/utf8.h"

static void
add_line(struct strbuf *out, struct slice text)
{
	strbuf_add_slice(out, text);
	strbuf_add_char(out, '\n');
}

void
chart_text(const struct chart *chart, const struct chart_paper *paper, struct strbuf *out)
{
	int rows = chart_draw_rows(chart, paper->width),
	    left = paper->height - 1 - (int)LEAST(chart->n_notes, 100);
	struct canvas *canvas = canvas_new(paper->width, rows > 0 ? rows : MOST(left, 1));

	canvas->ascii = paper->ascii;
	canvas->mono = !paper->ink;
	chart_draw(chart, canvas, (struct area){0, 0, canvas->width, canvas->height}, NULL);
	utf8_escape(out, utf8_clip(chart->title, (size_t)canvas->width));
	strbuf_add_char(out, '\n');
	for (int y = 0; y < canvas->height; y++) {
		sgr_row(out, paper->ink, canvas, y);
		strbuf_add_char(out, '\n');
	}
	for (size_t i = 0; i < chart->n_notes; i++) {
		add_line(out, slice_of(chart->notes[i]));
	}
	canvas_free(canvas);
}
