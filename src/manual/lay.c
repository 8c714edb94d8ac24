/* A word is gathered from its pieces ("(" + bold "run" + ")" + ","), each with its own mark, and
 * goes to the line, or to the next one, as a whole. */
#include "config.h"
#include "manual/lay.h"

#include "util/utf8.h"

static void
end_line(struct lay *lay)
{
	if (lay->wants_gap && lay->out->len > 0) {
		strbuf_add_char(lay->out, '\n');
	}
	lay->wants_gap = false;
	while (lay->line.len > 0 && lay->line.data[lay->line.len - 1] == ' ') {
		lay->line.len--; /* a tag without a text */
	}
	for (size_t i = 0; i < lay->line.len; i++) {
		char c = lay->line.data[i];
		strbuf_add_char(lay->out, c == LAY_BLANK[0] ? ' ' : c);
	}
	strbuf_add_char(lay->out, '\n');
	strbuf_clear(&lay->line);
	lay->line_columns = 0;
}

static void
pad_to(struct lay *lay, size_t column)
{
	for (; lay->line_columns < column; lay->line_columns++) {
		strbuf_add_char(&lay->line, ' ');
	}
}

static void
end_word(struct lay *lay)
{
	bool begins = lay->line_columns <= lay->indent;

	if (lay->word_columns == 0) {
		return;
	}
	if (!begins && lay->line_columns + 1 + lay->word_columns > lay->width) {
		end_line(lay);
		pad_to(lay, lay->indent + lay->hang);
	} else {
		pad_to(lay, begins ? lay->indent : lay->line_columns + 1);
	}
	strbuf_add_slice(&lay->line, strbuf_slice(&lay->word));
	lay->line_columns += lay->word_columns;
	strbuf_clear(&lay->word);
	lay->word_columns = 0;
}

static void
add_piece(struct lay *lay, struct slice piece)
{
	if (piece.len == 0) {
		return;
	}
	if (lay->mark) {
		strbuf_add_char(&lay->word, (char)lay->mark);
	}
	strbuf_add_slice(&lay->word, piece);
	lay->word_columns += utf8_columns(piece);
	if (lay->mark) {
		strbuf_add_char(&lay->word, MANUAL_PLAIN);
	}
}

void
lay_text(struct lay *lay, struct slice text)
{
	if (!lay->joins) {
		end_word(lay);
	}
	lay->joins = false;
	while (text.len > 0) {
		const char *blank = memchr(text.ptr, ' ', text.len);
		size_t n = blank ? (size_t)(blank - text.ptr) : text.len;

		add_piece(lay, (struct slice){text.ptr, n});
		if (blank) {
			end_word(lay);
		}
		text = slice_from(text, n + (blank != NULL));
	}
}

void
lay_join(struct lay *lay, const char *text)
{
	lay->joins = true;
	lay_text(lay, slice_of(text));
}

void
lay_verbatim(struct lay *lay, struct slice text)
{
	end_word(lay);
	if (text.len > 0) {
		pad_to(lay, lay->indent);
		strbuf_add_slice(&lay->line, text);
		lay->line_columns += utf8_columns(text);
	}
	end_line(lay);
}

void
lay_break(struct lay *lay)
{
	end_word(lay);
	if (lay->line_columns > 0) {
		end_line(lay);
	}
	lay->joins = false;
}

void
lay_gap(struct lay *lay)
{
	lay_break(lay);
	lay->wants_gap = true;
}

void
lay_tab(struct lay *lay, size_t column)
{
	end_word(lay);
	lay->indent = column;
	if (lay->line_columns >= column) {
		lay_break(lay);
	} else if (lay->line_columns > 0) {
		pad_to(lay, column);
	}
}
