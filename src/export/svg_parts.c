#include "config.h"
#include "export/svg_parts.h"

#include "query/timeline/timeline_colour.h"
#include "util/order.h"
#include "util/utf8.h"

/* Told apart by most eyes, on white and dark ground alike. */
static const char *const palette[COLOUR_SLOTS] = {"#4c9aa8", "#d0a24c", "#7aa860", "#a87ab4",
                                                  "#c47878", "#5a80b8", "#8f8f2f", "#d08040",
                                                  "#6aaac8", "#c8a078", "#8fc08f", "#8c5a78"};

const char *
svg_colour(unsigned slot)
{
	return slot < COLOUR_SLOTS ? palette[slot] : SVG_OTHER;
}

static void
put_text(FILE *file, struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		switch (c) {
		case '<':
			fputs("&lt;", file);
			break;
		case '>':
			fputs("&gt;", file);
			break;
		case '&':
			fputs("&amp;", file);
			break;
		case '"':
			fputs("&quot;", file);
			break;
		default:
			fputc(c, file);
		}
	}
}

void
svg_put_foreign(FILE *file, struct slice text)
{
	struct strbuf escaped = {0};

	utf8_escape(&escaped, text);
	put_text(file, strbuf_slice(&escaped));
	strbuf_free(&escaped);
}

size_t
svg_name_columns(struct slice name, size_t most)
{
	size_t columns = utf8_columns(name);

	return LEAST(columns, most);
}

void
svg_put_name(FILE *file, struct slice name, size_t most)
{
	size_t columns = utf8_columns(name), tail = most / 3;

	if (columns <= most) {
		svg_put_foreign(file, name);
		return;
	}
	svg_put_foreign(file, utf8_clip(name, most > tail ? most - tail - 1 : 0));
	fputs("\xe2\x80\xa6", file);
	svg_put_foreign(file, slice_from(name, utf8_clip(name, columns - tail).len));
}

struct slice
svg_take_line(struct slice *rest, size_t most)
{
	struct slice line = utf8_clip(*rest, MOST(most, 2));

	if (line.len < rest->len) {
		size_t n = line.len;

		while (n > 0 && rest->ptr[n] != ' ') {
			n--;
		}
		line.len = n > 0 ? n : line.len;
	}
	*rest = slice_from(*rest, line.len);
	*rest = slice_from(*rest, rest->len > 0 && rest->ptr[0] == ' ');
	return line;
}
