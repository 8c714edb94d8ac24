/*
 * The uncommon strings: with escapes (decoded into scratch, runs of plain bytes copied whole), with
 * characters beyond ASCII (checked to be UTF-8) and with mistakes.
 */
#include "config.h"
#include "input/json_string.h"

#include "util/ascii.h"
#include "util/utf8.h"

/* Four hexadecimal digits; -1 if they are not. */
static int32_t
hex4(const char *at)
{
	int32_t value = 0;

	for (int i = 0; i < 4; i++) {
		int digit = hex_value(at[i]);
		if (digit < 0) {
			return -1;
		}
		value = value << 4 | digit;
	}
	return value;
}

/* Where an escape ends, or that it is wrong or not whole. */
struct escape {
	const char *end;
	const char *error;
	bool is_short;
};

static void
add_code(struct strbuf *out, uint32_t code)
{
	char bytes[4];
	strbuf_add(out, bytes, utf8_encode(code, bytes));
}

/* \uXXXX, or two of them for a character beyond the first 65536; at: behind the u. */
static struct escape
decode_unicode(const char *at, const char *limit, unsigned flags, struct strbuf *out)
{
	if (limit - at < 4) {
		return (struct escape){at, NULL, true};
	}
	int32_t first = hex4(at);
	if (first < 0) {
		return (struct escape){at, "\\u without four hexadecimal digits", false};
	}
	if (first < 0xd800 || first > 0xdfff) {
		add_code(out, (uint32_t)first);
		return (struct escape){at + 4, NULL, false};
	}
	if (first < 0xdc00 && limit - at < 10 &&
	    memcmp(at + 4, "\\u", limit - at < 6 ? (size_t)(limit - at - 4) : 2) == 0) {
		return (struct escape){at, NULL, true};
	}
	if (first < 0xdc00 && at[4] == '\\' && at[5] == 'u') {
		int32_t second = hex4(at + 6);
		if (second >= 0xdc00 && second <= 0xdfff) {
			add_code(out, 0x10000 + ((uint32_t)(first - 0xd800) << 10) +
			                  (uint32_t)(second - 0xdc00));
			return (struct escape){at + 10, NULL, false};
		}
	}
	if (!(flags & JSON_INVALID_UTF8)) {
		return (struct escape){at, "half of a surrogate pair", false};
	}
	add_code(out, 0xfffd);
	return (struct escape){at + 4, NULL, false};
}

/* at: behind the backslash. */
static struct escape
decode_escape(const char *at, const char *limit, unsigned flags, struct strbuf *out)
{
	static const char names[] = "\"\\/bfnrt";
	static const char values[] = "\"\\/\b\f\n\r\t";

	if (at >= limit) {
		return (struct escape){at, NULL, true};
	}
	if (*at == 'u') {
		return decode_unicode(at + 1, limit, flags, out);
	}
	const char *name = *at ? strchr(names, *at) : NULL;
	if (!name) {
		return (struct escape){at, "unknown escape", false};
	}
	strbuf_add_char(out, values[name - names]);
	return (struct escape){at + 1, NULL, false};
}

static enum json_scan_result
finish(struct slice text, const char *end, bool is_ascii, unsigned flags, struct json_scan *scan)
{
	if (!is_ascii && !(flags & JSON_INVALID_UTF8) && !utf8_valid(text)) {
		scan->end = end - 1;
		scan->error = "string is not UTF-8";
		return JSON_SCAN_ERROR;
	}
	scan->text = text;
	scan->end = end;
	return JSON_SCAN_DONE;
}

enum json_scan_result
json_scan_string_slowly(const char *quote, const char *at, bool is_ascii, const char *limit,
                        unsigned flags, struct strbuf *scratch, struct json_scan *scan)
{
	const char *run = quote + 1; /* bytes not copied yet */
	bool copied = false;

	strbuf_clear(scratch);
	for (;;) {
		if (at >= limit) {
			return JSON_SCAN_SHORT;
		}
		if (*at == '"') {
			struct slice text = {run, (size_t)(at - run)};
			if (copied) {
				strbuf_add(scratch, run, text.len);
				text = strbuf_slice(scratch);
			}
			return finish(text, at + 1, is_ascii, flags, scan);
		}
		if (*at == '\\') {
			strbuf_add(scratch, run, (size_t)(at - run));
			copied = true;
			struct escape escape = decode_escape(at + 1, limit, flags, scratch);
			if (escape.is_short) {
				return JSON_SCAN_SHORT;
			}
			if (escape.error) {
				scan->end = escape.end;
				scan->error = escape.error;
				return JSON_SCAN_ERROR;
			}
			run = at = escape.end;
		} else if (flags & JSON_CONTROL_CHARACTERS) {
			at++;
		} else {
			scan->end = at;
			scan->error = "control character in a string";
			return JSON_SCAN_ERROR;
		}
		at = json_scan_plain(at, limit, &is_ascii);
	}
}
