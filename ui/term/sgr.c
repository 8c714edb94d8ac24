#include "config.h"
#include "ui/term/sgr.h"

#include <stdlib.h>
#include <string.h>

void
sgr_add(struct strbuf *out, const struct term_look *look, cell_style style)
{
	strbuf_printf(out, "[0%s%s%s%s", look->is_bold || style & STYLE_BOLD ? ";1" : "",
	              style & STYLE_DIM ? ";2" : "", style & STYLE_UNDERLINE ? ";4" : "",
	              style & STYLE_REVERSE ? ";7" : "");
	if (look->colour >= 0) {
		strbuf_printf(out, ";38;5;%d", look->colour);
	}
	strbuf_add_char(out, 'm');
}

void
sgr_row(struct strbuf *out, const struct term_wishes *wishes, const struct canvas *canvas, int y)
{
	const struct cell *cells = canvas->cells + (size_t)y * (size_t)canvas->width;
	cell_style style = STYLE_NORMAL;
	int end = canvas->width;

	while (end > 0 && cells[end - 1].length == 1 && cells[end - 1].text[0] == ' ') {
		end--;
	}
	for (int x = 0; x <= end; x++) {
		cell_style next = x < end ? cells[x].style : STYLE_NORMAL;

		if (next != style && (x == end || cells[x].text[0] != ' ')) {
			struct term_look look = term_look_of(wishes, (next & 0xff) % STYLES);

			strbuf_add_char(out, '\x1b');
			sgr_add(out, &look, next);
			style = next;
		}
		if (x < end) {
			strbuf_add(out, cells[x].text, cells[x].length);
		}
	}
}

bool
sgr_is_known(void)
{
	const char *type = getenv("TERM"), *colour = getenv("COLORTERM");

	return (type && strstr(type, "256color")) || (colour && *colour);
}
