#include "config.h"
#include "ui/term/sgr.h"

#include <stdlib.h>

#include "ui/term/term_type.h"

void
sgr_add(struct strbuf *out, const struct term_look *look, cell_style style)
{
	strbuf_printf(out, "[0%s%s%s%s", look->is_bold || style & STYLE_BOLD ? ";1" : "",
	              style & STYLE_DIM ? ";2" : "", style & STYLE_UNDERLINE ? ";4" : "",
	              style & STYLE_REVERSE ? ";7" : "");
	if (look->colour >= 8) {
		strbuf_printf(out, ";38;5;%d", look->colour);
	} else if (look->colour >= 0) {
		strbuf_printf(out, ";3%d", look->colour);
	}
	strbuf_add_char(out, 'm');
}

void
sgr_row(struct strbuf *out, const struct sgr_ink *ink, const struct canvas *canvas, int y)
{
	if (!ink) {
		canvas_row(canvas, y, out);
		return;
	}
	const struct cell *cells = canvas->cells + (size_t)y * (size_t)canvas->width;
	cell_style style = STYLE_NORMAL;
	int end = canvas->width;

	while (end > 0 && cells[end - 1].length == 1 && cells[end - 1].text[0] == ' ') {
		end--;
	}
	for (int x = 0; x <= end; x++) {
		cell_style next = x < end ? cells[x].style : STYLE_NORMAL;

		if (next != style && (x == end || cells[x].text[0] != ' ')) {
			struct term_look look =
			    term_look_of(ink->wishes, (next & 0xff) % STYLES, ink->n_colours);

			strbuf_add_char(out, '\x1b');
			sgr_add(out, &look, next);
			style = next;
		}
		if (x < end) {
			strbuf_add(out, cells[x].text, cells[x].length);
		}
	}
}

int
sgr_colours(void)
{
	const char *type = getenv("TERM"), *colour = getenv("COLORTERM");

	return colour && *colour ? 256 : type && *type ? term_type_colours(type) : 0;
}
