/*
 * Text from a trace is data: anything may stand in it. Decoding never fails (a byte that starts no
 * character is one U+FFFD), and what could move the cursor or reorder a line is made visible before
 * it gets near a terminal.
 */
#include "config.h"
#include "util/utf8.h"

#define REPLACEMENT 0xfffdu
#define ASCII_HIGH_BITS UINT64_C(0x8080808080808080)

/* Length of the valid character at the start of text (not empty), 0 if there is none; *code gets
 * it. */
static size_t
decode(struct slice text, uint32_t *code)
{
	const unsigned char *p = (const unsigned char *)text.ptr;
	/* Smallest value of a character of that length: shorter forms are forbidden. */
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length;

	if (p[0] < 0x80) {
		*code = p[0];
		return 1;
	}
	if (p[0] < 0xc2 || p[0] > 0xf4) {
		return 0;
	}
	length = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	if (text.len < length) {
		return 0;
	}
	uint32_t value = p[0] & (0xffu >> (length + 1));
	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80) {
			return 0;
		}
		value = value << 6 | (p[i] & 0x3f);
	}
	if (value < smallest[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
		return 0;
	}
	*code = value;
	return length;
}

uint32_t
utf8_next(struct slice text, size_t *length)
{
	uint32_t code;
	size_t used = decode(text, &code);

	*length = used ? used : 1;
	return used ? code : REPLACEMENT;
}

size_t
utf8_encode(uint32_t code, char out[4])
{
	if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
		code = REPLACEMENT;
	}
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (size_t i = length; i-- > 1; code >>= 6) {
		out[i] = (char)(0x80 | (code & 0x3f));
	}
	out[0] = (char)((0xf00u >> length & 0xff) | code);
	return length;
}

bool
utf8_valid(struct slice text)
{
	while (text.len) {
		uint64_t eight;
		uint32_t code;
		size_t used;
		if (text.len >= sizeof eight) {
			memcpy(&eight, text.ptr, sizeof eight);
			used = eight & ASCII_HIGH_BITS ? decode(text, &code) : sizeof eight;
		} else {
			used = decode(text, &code);
		}
		if (used == 0) {
			return false;
		}
		text = slice_from(text, used);
	}
	return true;
}

/* Columns that a character takes once it was made printable. */
static size_t
printed_width(uint32_t code)
{
	int width = utf8_width(code);
	return width < 0 ? 1 : (size_t)width;
}

size_t
utf8_columns(struct slice text)
{
	size_t columns = 0;

	for (size_t used; text.len; text.ptr += used, text.len -= used) {
		columns += printed_width(utf8_next(text, &used));
	}
	return columns;
}

struct slice
utf8_clip(struct slice text, size_t columns)
{
	struct slice rest = text;

	for (size_t used; rest.len; rest.ptr += used, rest.len -= used) {
		size_t width = printed_width(utf8_next(rest, &used));
		if (width > columns) {
			break;
		}
		columns -= width;
	}
	return (struct slice){text.ptr, text.len - rest.len};
}

/* Hexadecimal digits of value, most significant first. */
static size_t
put_hex(char *out, uint32_t value, size_t digits)
{
	for (size_t i = 0; i < digits; i++) {
		out[i] = "0123456789abcdef"[value >> 4 * (digits - 1 - i) & 15];
	}
	return digits;
}

/* An invalid byte as \xff; returns how many bytes that are. */
static size_t
put_byte(char *out, char byte)
{
	out[0] = '\\';
	out[1] = 'x';
	return 2 + put_hex(out + 2, (unsigned char)byte, 2);
}

size_t
utf8_escape_next(struct slice text, char out[UTF8_ESCAPE_BYTES], size_t *used)
{
	uint32_t code = 0;
	size_t length = decode(text, &code);

	*used = length ? length : 1;
	if (length && utf8_width(code) >= 0) {
		memcpy(out, text.ptr, length);
		return length;
	}
	out[0] = '\\';
	if (length && (code == '\n' || code == '\t' || code == '\r')) {
		out[1] = code == '\n' ? 'n' : code == '\t' ? 't' : 'r';
		return 2;
	}
	if (length <= 1) {
		return put_byte(out, text.ptr[0]);
	}
	out[1] = code > 0xffff ? 'U' : 'u';
	return 2 + put_hex(out + 2, code, code > 0xffff ? 8 : 4);
}

void
utf8_escape(struct strbuf *out, struct slice text)
{
	while (text.len) {
		size_t plain = 0;
		while (plain < text.len && text.ptr[plain] >= 0x20 && text.ptr[plain] < 0x7f) {
			plain++;
		}
		if (plain) {
			strbuf_add(out, text.ptr, plain);
		} else {
			char piece[UTF8_ESCAPE_BYTES];
			strbuf_add(out, piece, utf8_escape_next(text, piece, &plain));
		}
		text = slice_from(text, plain);
	}
}

void
utf8_escape_invalid(struct strbuf *out, struct slice text)
{
	for (size_t used; text.len; text = slice_from(text, used)) {
		char piece[UTF8_ESCAPE_BYTES];
		uint32_t code;

		used = decode(text, &code);
		if (used) {
			strbuf_add(out, text.ptr, used);
		} else {
			used = 1;
			strbuf_add(out, piece, put_byte(piece, text.ptr[0]));
		}
	}
}
