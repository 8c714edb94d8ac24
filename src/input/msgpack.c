/*
 * MessagePack as its specification has it, of any encoder: all forms of all types, also longer ones
 * than needed.
 *
 * Nothing recurses. Skipping counts the values that are still to come; that count never exceeds the
 * bytes that are left, since every value takes one at least, and so is checked against them.
 * Conversion to JSON keeps a stack of open containers of fixed depth.
 */
#include "config.h"
#include "input/msgpack.h"

#include <inttypes.h>
#include <math.h>

#include "input/json.h"
#include "util/format.h"
#include "util/json_text.h"
#include "util/utf8.h"

#define ENDS "ends within a value"

void
msgpack_begin(struct msgpack *reader, struct slice bytes)
{
	/* Of no bytes the pointer may be NULL, to which nothing may be added. */
	const char *limit = bytes.len ? bytes.ptr + bytes.len : bytes.ptr;

	*reader = (struct msgpack){bytes.ptr, bytes.ptr, limit, NULL};
}

static int
fail(struct msgpack *reader, const char *error)
{
	reader->error = error;
	return -1;
}

/* A big-endian number of 1, 2, 4 or 8 bytes at `at`, which are there. */
static uint64_t
number_at(const char *at, unsigned n_bytes)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < n_bytes; i++) {
		number = number << 8 | (unsigned char)at[i];
	}
	return number;
}

/* What a first byte means: the type, how long the number behind it is, or the number itself. */
struct form {
	enum msgpack_type type;
	unsigned n_bytes;
	uint64_t number;
	bool is_signed, has_type; /* has_type: of an extension, one byte behind the number */
};

static void
short_form(unsigned char byte, struct form *form)
{
	*form = (struct form){.type = MSGPACK_INTEGER, .number = byte};
	if (byte >= 0xe0) {
		form->number = (uint64_t)(int64_t)(int8_t)byte;
	} else if (byte >= 0xa0) {
		form->type = MSGPACK_TEXT;
		form->number = byte & 0x1f;
	} else if (byte >= 0x80) {
		form->type = byte >= 0x90 ? MSGPACK_ARRAY : MSGPACK_MAP;
		form->number = byte & 0x0f;
	}
}

/* False: no first byte. */
static bool
form_of(unsigned char byte, struct form *form)
{
	static const struct form forms[32] = {
	    [0x00] = {.type = MSGPACK_NIL},
	    [0x02] = {.type = MSGPACK_BOOLEAN, .number = 0},
	    [0x03] = {.type = MSGPACK_BOOLEAN, .number = 1},
	    [0x04] = {.type = MSGPACK_BINARY, .n_bytes = 1},
	    [0x05] = {.type = MSGPACK_BINARY, .n_bytes = 2},
	    [0x06] = {.type = MSGPACK_BINARY, .n_bytes = 4},
	    [0x07] = {.type = MSGPACK_EXTENSION, .n_bytes = 1, .has_type = true},
	    [0x08] = {.type = MSGPACK_EXTENSION, .n_bytes = 2, .has_type = true},
	    [0x09] = {.type = MSGPACK_EXTENSION, .n_bytes = 4, .has_type = true},
	    [0x0a] = {.type = MSGPACK_REAL, .n_bytes = 4},
	    [0x0b] = {.type = MSGPACK_REAL, .n_bytes = 8},
	    [0x0c] = {.type = MSGPACK_INTEGER, .n_bytes = 1},
	    [0x0d] = {.type = MSGPACK_INTEGER, .n_bytes = 2},
	    [0x0e] = {.type = MSGPACK_INTEGER, .n_bytes = 4},
	    [0x0f] = {.type = MSGPACK_INTEGER, .n_bytes = 8},
	    [0x10] = {.type = MSGPACK_INTEGER, .n_bytes = 1, .is_signed = true},
	    [0x11] = {.type = MSGPACK_INTEGER, .n_bytes = 2, .is_signed = true},
	    [0x12] = {.type = MSGPACK_INTEGER, .n_bytes = 4, .is_signed = true},
	    [0x13] = {.type = MSGPACK_INTEGER, .n_bytes = 8, .is_signed = true},
	    [0x14] = {.type = MSGPACK_EXTENSION, .number = 1, .has_type = true},
	    [0x15] = {.type = MSGPACK_EXTENSION, .number = 2, .has_type = true},
	    [0x16] = {.type = MSGPACK_EXTENSION, .number = 4, .has_type = true},
	    [0x17] = {.type = MSGPACK_EXTENSION, .number = 8, .has_type = true},
	    [0x18] = {.type = MSGPACK_EXTENSION, .number = 16, .has_type = true},
	    [0x19] = {.type = MSGPACK_TEXT, .n_bytes = 1},
	    [0x1a] = {.type = MSGPACK_TEXT, .n_bytes = 2},
	    [0x1b] = {.type = MSGPACK_TEXT, .n_bytes = 4},
	    [0x1c] = {.type = MSGPACK_ARRAY, .n_bytes = 2},
	    [0x1d] = {.type = MSGPACK_ARRAY, .n_bytes = 4},
	    [0x1e] = {.type = MSGPACK_MAP, .n_bytes = 2},
	    [0x1f] = {.type = MSGPACK_MAP, .n_bytes = 4},
	};

	if (byte < 0xc0 || byte >= 0xe0) {
		short_form(byte, form);
		return true;
	}
	*form = forms[byte - 0xc0];
	return byte != 0xc1;
}

static void
set_number(struct msgpack_value *value, const struct form *form)
{
	uint64_t number = form->number;

	if (value->type == MSGPACK_REAL && form->n_bytes == 4) {
		uint32_t bits = (uint32_t)number;
		float real;
		memcpy(&real, &bits, sizeof real);
		value->real = (double)real;
	} else if (value->type == MSGPACK_REAL) {
		memcpy(&value->real, &number, sizeof number);
	} else if (value->type == MSGPACK_INTEGER) {
		if (form->is_signed && form->n_bytes < 8) {
			uint64_t sign = UINT64_C(1) << (form->n_bytes * 8 - 1);
			number = (number ^ sign) - sign;
		}
		bool is_signed = form->is_signed || form->n_bytes == 0;
		value->integer = (int64_t)number;
		value->count = number;
		value->type = is_signed || number <= INT64_MAX ? MSGPACK_INTEGER : MSGPACK_UNSIGNED;
	} else {
		value->integer = (int64_t)number;
		value->count = number;
	}
}

/* Most texts are ASCII, and eight bytes of it are seen at once. */
static bool
is_ascii(struct slice text)
{
	uint64_t word, all = 0;
	size_t i = 0;

	for (; i + sizeof word <= text.len; i += sizeof word) {
		memcpy(&word, text.ptr + i, sizeof word);
		all |= word;
	}
	for (; i < text.len; i++) {
		all |= (unsigned char)text.ptr[i];
	}
	return (all & UINT64_C(0x8080808080808080)) == 0;
}

/* The bytes of a text, of bytes or of an extension, from `at` on. */
static int
take_bytes(struct msgpack *reader, const char *at, const struct form *form,
           struct msgpack_value *value)
{
	uint64_t left = (uint64_t)(reader->limit - at), length = value->count;

	if (form->has_type) {
		if (left == 0) {
			return fail(reader, ENDS);
		}
		value->integer = (signed char)*at++;
		left--;
	}
	if (length > left) {
		return fail(reader, ENDS);
	}
	value->text = (struct slice){at, (size_t)length};
	if (value->type == MSGPACK_TEXT && !is_ascii(value->text) && !utf8_valid(value->text)) {
		return fail(reader, "a text that is not UTF-8");
	}
	reader->cursor = at + length;
	return 0;
}

int
msgpack_next(struct msgpack *reader, struct msgpack_value *value)
{
	struct form form;

	if (reader->cursor == reader->limit) {
		return fail(reader, ENDS);
	}
	if (!form_of((unsigned char)*reader->cursor, &form)) {
		return fail(reader, "a byte that begins no value");
	}
	const char *at = reader->cursor + 1;
	if ((size_t)(reader->limit - at) < form.n_bytes) {
		return fail(reader, ENDS);
	}
	if (form.n_bytes) {
		form.number = number_at(at, form.n_bytes);
		at += form.n_bytes;
	}
	*value = (struct msgpack_value){.type = form.type};
	set_number(value, &form);
	switch (form.type) {
	case MSGPACK_TEXT:
	case MSGPACK_BINARY:
	case MSGPACK_EXTENSION:
		return take_bytes(reader, at, &form, value);
	case MSGPACK_ARRAY:
	case MSGPACK_MAP:
		if (value->count >
		    (uint64_t)(reader->limit - at) / (form.type == MSGPACK_MAP ? 2 : 1)) {
			return fail(reader, "more elements than there are bytes");
		}
		break;
	default:
		break;
	}
	reader->cursor = at;
	return 0;
}

int
msgpack_skip(struct msgpack *reader)
{
	struct msgpack_value value;

	for (uint64_t to_come = 1; to_come > 0; to_come--) {
		if (msgpack_next(reader, &value)) {
			return -1;
		}
		if (value.type == MSGPACK_ARRAY || value.type == MSGPACK_MAP) {
			to_come += value.type == MSGPACK_MAP ? value.count * 2 : value.count;
		}
		if (to_come - 1 > msgpack_left(reader)) {
			return fail(reader, "more elements than there are bytes");
		}
	}
	return 0;
}

/* ---- JSON ---- */

static void
put_hex(struct strbuf *out, struct slice bytes)
{
	static const char digits[] = "0123456789abcdef";

	strbuf_add_char(out, '"');
	for (size_t i = 0; i < bytes.len; i++) {
		unsigned char byte = (unsigned char)bytes.ptr[i];
		strbuf_add_char(out, digits[byte >> 4]);
		strbuf_add_char(out, digits[byte & 15]);
	}
	strbuf_add_char(out, '"');
}

static void
put_scalar(struct strbuf *out, const struct msgpack_value *value)
{
	char real[FORMAT_BYTES];

	switch (value->type) {
	case MSGPACK_BOOLEAN:
		strbuf_add_text(out, value->integer ? "true" : "false");
		break;
	case MSGPACK_INTEGER:
		strbuf_printf(out, "%" PRId64, value->integer);
		break;
	case MSGPACK_UNSIGNED:
		strbuf_printf(out, "%" PRIu64, value->count);
		break;
	case MSGPACK_REAL:
		strbuf_add_text(out,
		                isfinite(value->real) ? format_real(real, value->real) : "null");
		break;
	case MSGPACK_TEXT:
		json_add_text_as(out, value->text, JSON_TEXT_KEPT);
		break;
	case MSGPACK_BINARY:
	case MSGPACK_EXTENSION:
		put_hex(out, value->text);
		break;
	default:
		strbuf_add_text(out, "null");
	}
}

/* A container that is being written. */
struct open {
	uint64_t left; /* of a map: keys and values */
	bool is_map, is_first;
};

/* A map's key, in quotes whatever it is. */
static int
put_key(struct msgpack *reader, struct strbuf *out, const struct msgpack_value *key)
{
	bool quoted = key->type == MSGPACK_TEXT || key->type == MSGPACK_BINARY ||
	              key->type == MSGPACK_EXTENSION;

	if (key->type == MSGPACK_ARRAY || key->type == MSGPACK_MAP) {
		return fail(reader, "a key that is an array or a map");
	}
	strbuf_add_text(out, quoted ? "" : "\"");
	put_scalar(out, key);
	strbuf_add_text(out, quoted ? ":" : "\":");
	return 0;
}

/* Closes what is complete; true when everything is. */
static bool
close_complete(struct strbuf *out, const struct open *stack, unsigned *depth)
{
	while (*depth > 0 && stack[*depth - 1].left == 0) {
		strbuf_add_char(out, stack[--*depth].is_map ? '}' : ']');
	}
	return *depth == 0;
}

int
msgpack_copy_json(struct msgpack *reader, struct strbuf *out)
{
	struct open stack[MSGPACK_DEPTH_LIMIT];
	struct msgpack_value value;
	unsigned depth = 0;

	do {
		if (msgpack_next(reader, &value)) {
			return -1;
		}
		struct open *top = depth ? &stack[depth - 1] : NULL;
		bool is_key = top && top->is_map && top->left % 2 == 0;
		if (top) {
			if (!top->is_first && (is_key || !top->is_map)) {
				strbuf_add_char(out, ',');
			}
			top->is_first = false;
			top->left--;
		}
		if (is_key) {
			if (put_key(reader, out, &value)) {
				return -1;
			}
			continue;
		}
		if (value.type != MSGPACK_ARRAY && value.type != MSGPACK_MAP) {
			put_scalar(out, &value);
			continue;
		}
		if (depth == MSGPACK_DEPTH_LIMIT) {
			return fail(reader, "nested too deeply");
		}
		bool is_map = value.type == MSGPACK_MAP;
		stack[depth++] =
		    (struct open){is_map ? value.count * 2 : value.count, is_map, true};
		strbuf_add_char(out, is_map ? '{' : '[');
	} while (!close_complete(out, stack, &depth));
	return 0;
}
