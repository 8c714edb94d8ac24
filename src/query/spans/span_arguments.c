/*
 * Not a JSON parser: the text was made by the store from columns, so all that is needed is where a
 * value ends. What does not look like that ends the list; nothing is read behind the text's end.
 */
#include "config.h"

#include "query/spans/span_arguments.h"

#include "util/ascii.h"
#include "util/order.h"
#include "util/utf8.h"

static void
skip_blanks(struct slice *json)
{
	while (json->len > 0 && (*json->ptr == ' ' || *json->ptr == '\n' || *json->ptr == '\t' ||
	                         *json->ptr == '\r' || *json->ptr == ',' || *json->ptr == ':' ||
	                         *json->ptr == '{')) {
		*json = slice_from(*json, 1);
	}
}

/* Four hexadecimal digits; false if they are none. */
static bool
hex4(struct slice text, uint32_t *code)
{
	*code = 0;
	for (size_t i = 0; i < 4; i++) {
		int digit = i < text.len ? hex_value(text.ptr[i]) : -1;

		if (digit < 0) {
			return false;
		}
		*code = *code * 16 + (uint32_t)digit;
	}
	return true;
}

/* The escape behind a backslash; returns the bytes it takes. */
static size_t
add_escape(struct slice text, struct strbuf *out)
{
	static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
	char utf8[4];
	uint32_t code, low;
	const char *known = strchr(from, text.ptr[0]);

	if (text.ptr[0] != 'u') {
		strbuf_add_char(out, known && *known ? to[known - from] : text.ptr[0]);
		return 1;
	}
	if (!hex4(slice_from(text, 1), &code)) {
		strbuf_add_text(out, "\\u");
		return 1;
	}
	if (code >= 0xd800 && code < 0xdc00 && text.len >= 11 && text.ptr[5] == '\\' &&
	    text.ptr[6] == 'u' && hex4(slice_from(text, 7), &low) && low >= 0xdc00 &&
	    low < 0xe000) {
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
		strbuf_add(out, utf8, utf8_encode(code, utf8));
		return 11;
	}
	strbuf_add(out, utf8, utf8_encode(code, utf8));
	return 5;
}

/* A text in quotes, without them. */
static bool
take_text(struct slice *json, struct strbuf *out)
{
	size_t i = 1;

	while (i < json->len && json->ptr[i] != '"') {
		if (json->ptr[i] == '\\' && i + 1 < json->len) {
			i += 1 +
			     add_escape((struct slice){json->ptr + i + 1, json->len - i - 1}, out);
		} else {
			strbuf_add_char(out, json->ptr[i++]);
		}
	}
	if (i >= json->len) {
		return false;
	}
	*json = (struct slice){json->ptr + i + 1, json->len - i - 1};
	return true;
}

/* Anything else, as it stands: up to the comma or bracket that ends it. */
static bool
take_raw(struct slice *json, struct strbuf *out)
{
	size_t i = 0, depth = 0;
	bool in_text = false;

	for (; i < json->len; i++) {
		char c = json->ptr[i];

		if (in_text && c == '\\') {
			i++;
		} else if (c == '"') {
			in_text = !in_text;
		} else if (!in_text && (c == '{' || c == '[')) {
			depth++;
		} else if (!in_text && depth > 0 && (c == '}' || c == ']')) {
			depth--;
		} else if (!in_text && depth == 0 && (c == ',' || c == '}')) {
			break;
		}
	}
	i = LEAST(i, json->len);
	strbuf_add(out, json->ptr, i);
	*json = slice_from(*json, i);
	return i > 0;
}

bool
span_arguments_next(struct slice *json, struct strbuf *key, struct strbuf *value)
{
	strbuf_clear(key);
	strbuf_clear(value);
	strbuf_add_text(key, ""); /* never without memory */
	strbuf_add_text(value, "");
	skip_blanks(json);
	if (json->len == 0 || *json->ptr != '"' || !take_text(json, key)) {
		return false;
	}
	while (json->len > 0 && (*json->ptr == ' ' || *json->ptr == ':')) {
		*json = slice_from(*json, 1);
	}
	if (json->len == 0) {
		return false;
	}
	return *json->ptr == '"' ? take_text(json, value) : take_raw(json, value);
}
