#include "config.h"

#include "util/quote.h"

#include <string.h>

#include "util/ascii.h"
#include "util/utf8.h"

static const char letters[] = "nrt0\\'\"", meanings[] = "\n\r\t\0\\'\"";

/* Control characters can't be read, NULs end texts elsewhere, and what is no UTF-8 gets lost in
 * files and terminals. */
bool
quote_escapes(struct slice text)
{
	for (size_t length; text.len > 0; text.ptr += length, text.len -= length) {
		uint32_t c = utf8_next(text, &length);

		if (c < 0x20 || c == 0x7f || (c == 0xfffd && length == 1)) {
			return true;
		}
	}
	return false;
}

static void
add_plain(struct strbuf *out, struct slice text, char quote)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == quote) {
			strbuf_add_char(out, quote);
		}
		strbuf_add_char(out, text.ptr[i]);
	}
}

static void
add_escaped(struct strbuf *out, struct slice text, char quote)
{
	for (size_t length; text.len > 0; text.ptr += length, text.len -= length) {
		uint32_t c = utf8_next(text, &length);
		const char *at = c < 0x80 ? memchr(meanings, (int)c, sizeof(meanings) - 1) : NULL;
		bool is_other_quote = (c == '\'' || c == '"') && c != (unsigned char)quote;

		if (at && !is_other_quote) {
			strbuf_add_char(out, '\\');
			strbuf_add_char(out, letters[at - meanings]);
		} else if (c < 0x20 || c == 0x7f || (c == 0xfffd && length == 1)) {
			strbuf_printf(out, "\\x%02x", (unsigned char)text.ptr[0]);
		} else {
			strbuf_add(out, text.ptr, length);
		}
	}
}

void
quote_add(struct strbuf *out, struct slice text, char quote)
{
	bool is_escaped = quote_escapes(text);

	strbuf_add_text(out, is_escaped ? "e" : "");
	strbuf_add_char(out, quote);
	(is_escaped ? add_escaped : add_plain)(out, text, quote);
	strbuf_add_char(out, quote);
}

/* What stands behind a backslash; returns how many bytes, 0 if it means nothing. */
static size_t
take_escape(struct slice text, struct strbuf *out)
{
	const char *at = text.len > 0 ? memchr(letters, text.ptr[0], sizeof(letters) - 1) : NULL;

	if (at) {
		strbuf_add_char(out, meanings[at - letters]);
		return 1;
	}
	if (text.len >= 3 && text.ptr[0] == 'x' && hex_value(text.ptr[1]) >= 0 &&
	    hex_value(text.ptr[2]) >= 0) {
		strbuf_add_char(out, (char)(hex_value(text.ptr[1]) * 16 + hex_value(text.ptr[2])));
		return 3;
	}
	return 0;
}

enum quote_outcome
quote_take(struct slice text, struct strbuf *out, size_t *n)
{
	bool is_escaped = text.len > 1 && (text.ptr[0] == 'e' || text.ptr[0] == 'E');
	size_t i = is_escaped, length;
	char quote = text.len > i ? text.ptr[i] : '\0';

	if (quote != '\'' && quote != '"') {
		return QUOTE_NONE;
	}
	for (i++; i < text.len; i++) {
		if (text.ptr[i] == quote) {
			if (i + 1 >= text.len || text.ptr[i + 1] != quote) {
				*n = i + 1;
				return QUOTE_TAKEN;
			}
			i++;
		} else if (is_escaped && text.ptr[i] == '\\') {
			length =
			    take_escape((struct slice){text.ptr + i + 1, text.len - i - 1}, out);
			if (length == 0) {
				*n = i;
				return QUOTE_ESCAPE;
			}
			i += length;
			continue;
		}
		strbuf_add_char(out, text.ptr[i]);
	}
	return QUOTE_OPEN;
}
