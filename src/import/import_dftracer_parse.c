/*
 * One line of a DFTracer trace -> struct dftracer_record.
 *
 * Nearly all lines are plain: ASCII, no escapes, no nesting but `args`. dftracer_parse_plain reads
 * those in one pass over the bytes, eight at a time within strings. It never reports an error: at
 * anything unusual it gives up, and the JSON tokenizer reads the line again from its start, with the
 * whole grammar and the reason why a line is refused. So what is accepted is decided in one place,
 * and tests hold the two against each other.
 *
 * Values stay as they are written; numbers become integers where they are used.
 */
#include "config.h"
#include "import/import_dftracer.h"

#include "util/utf8.h"

static inline void
record_begin(struct dftracer_reader *reader)
{
	struct dftracer_record *record = &reader->record;

	record->number++;
	record->n_pairs = 0;
	memset(record->top, 0, sizeof record->top);
	if (reader->arena_used) {
		arena_reset(reader->arena);
		reader->arena_used = false;
	}
}

/* False when the record has too many members. */
static inline bool
record_add(struct dftracer_reader *reader, unsigned level, uint32_t id, struct dftracer_value value)
{
	struct dftracer_record *record = &reader->record;

	if (level == 0 && id < KEY_ARGS) {
		record->top[id] = value;
		return true;
	}
	if (level == 0 && id == KEY_ARGS && value.type == DFTRACER_NULL) {
		return true;
	}
	struct dftracer_key *key = &reader->keys[id];
	if (key->seen[level] == record->number) { /* of equal keys the last counts, as in JSON */
		record->pairs[key->pair[level]].value = value;
		return true;
	}
	if (record->n_pairs >= DFTRACER_PAIRS_LIMIT) {
		return false;
	}
	if (record->n_pairs == record->pairs_capacity) {
		record->pairs = mem_grow(record->pairs, &record->pairs_capacity,
		                         record->n_pairs + 1, sizeof *record->pairs);
	}
	key->seen[level] = record->number;
	key->pair[level] = (uint32_t)record->n_pairs;
	record->pairs[record->n_pairs++] = (struct dftracer_pair){ id, level, value };
	return true;
}

const struct dftracer_value *
dftracer_argument(const struct dftracer_reader *reader, unsigned key)
{
	const struct dftracer_key *entry = &reader->keys[key];

	return entry->seen[1] == reader->record.number
	           ? &reader->record.pairs[entry->pair[1]].value
	           : NULL;
}

bool
dftracer_integer(const struct dftracer_value *value, int64_t *integer)
{
	return value && (value->type == DFTRACER_NUMBER || value->type == DFTRACER_STRING) &&
	       slice_int64((struct slice){ value->ptr, value->len }, integer);
}

/* ---- plain lines ---- */

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* From the first byte of a string's content: its closing quote, or NULL if the string is not plain
 * (an escape, a control character, not ASCII) or has no end. */
static inline const char *
plain_string(const char *at, const char *end)
{
	for (; at < end; at += 8) {
		uint64_t word;
		memcpy(&word, at, sizeof word); /* the line is padded */
		uint64_t quote = word ^ EACH_BYTE('"'), escape = word ^ EACH_BYTE('\\');
		/* A borrow spoils only bytes above the first hit. */
		uint64_t hits = ((quote - EACH_BYTE(1)) & ~quote) |
		                ((escape - EACH_BYTE(1)) & ~escape) |
		                ((word - EACH_BYTE(0x20)) & ~word) | word;
		hits &= EACH_BYTE(0x80);
		if (hits) {
			at += __builtin_ctzll(hits) >> 3;
			return at < end && *at == '"' ? at : NULL;
		}
	}
	return NULL;
}

static inline bool
is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline const char *
plain_digits(const char *at, const char *end)
{
	while (at < end && is_digit(*at)) {
		at++;
	}
	return at;
}

/* The end of a number that starts at `at` (a digit or a minus), or NULL if it is none. */
static inline const char *
plain_number(const char *at, const char *end, bool *is_integer)
{
	const char *digits = at + (*at == '-');
	const char *after = plain_digits(digits, end);

	if (after == digits || (*digits == '0' && after != digits + 1)) {
		return NULL;
	}
	*is_integer = true;
	if (after < end && *after == '.') {
		*is_integer = false;
		digits = after + 1;
		after = plain_digits(digits, end);
		if (after == digits) {
			return NULL;
		}
	}
	return after < end && (*after | 0x20) == 'e' ? NULL : after; /* exponents are for the other */
}

/* The end of a plain value, or NULL. */
static inline const char *
plain_value(const char *at, const char *end, struct dftracer_value *value)
{
	const char *after;

	value->is_integer = false;
	switch (*at) {
	case '"':
		value->type = DFTRACER_STRING;
		after = plain_string(++at, end);
		break;
	case '-': case '0': case '1': case '2': case '3': case '4':
	case '5': case '6': case '7': case '8': case '9':
		value->type = DFTRACER_NUMBER;
		after = plain_number(at, end, &value->is_integer);
		break;
	case 't':
		value->type = DFTRACER_TRUE;
		after = end - at >= 4 && memcmp(at, "true", 4) == 0 ? at + 4 : NULL;
		break;
	case 'f':
		value->type = DFTRACER_FALSE;
		after = end - at >= 5 && memcmp(at, "false", 5) == 0 ? at + 5 : NULL;
		break;
	case 'n':
		value->type = DFTRACER_NULL;
		after = end - at >= 4 && memcmp(at, "null", 4) == 0 ? at + 4 : NULL;
		break;
	default:
		return NULL;
	}
	if (!after) {
		return NULL;
	}
	value->ptr = at;
	value->len = (uint32_t)(after - at);
	return after + (value->type == DFTRACER_STRING);
}

static inline const char *
skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t')) {
		at++;
	}
	return at;
}

bool
dftracer_parse_plain(struct dftracer_reader *reader, struct slice line)
{
	const char *at = line.ptr, *end = line.ptr + line.len;
	unsigned level = 0;

	record_begin(reader);
	if (line.len < 2 || line.len >= UINT32_MAX || *at != '{') {
		return false;
	}
	for (at++;;) {
		at = skip_blanks(at, end);
		if (at >= end || *at != '"') {
			return false;
		}
		const char *key = ++at;
		at = plain_string(at, end);
		if (!at) {
			return false;
		}
		uint32_t id = dftracer_key_find(reader, key, (size_t)(at - key));
		at = skip_blanks(at + 1, end);
		if (at >= end || *at != ':') {
			return false;
		}
		at = skip_blanks(at + 1, end);
		if (at >= end) {
			return false;
		}
		if (*at == '{' && level == 0 && id == KEY_ARGS) {
			level = 1;
			at = skip_blanks(at + 1, end);
			if (at >= end || *at != '}') {
				continue;
			}
		} else {
			struct dftracer_value value;
			at = plain_value(at, end, &value);
			if (!at || !record_add(reader, level, id, value)) {
				return false;
			}
			at = skip_blanks(at, end);
		}
		while (at < end && *at == '}') {
			at = skip_blanks(at + 1, end);
			if (level == 0) {
				return at == end;
			}
			level = 0;
		}
		if (at >= end || *at++ != ',') {
			return false;
		}
	}
}

/* ---- all lines ---- */

/* A lasting copy with padding behind it; in lenient reading bytes that are not UTF-8 become a visible
 * \xNN, so that what is stored is text. */
static struct slice
keep_text(struct dftracer_reader *reader, struct slice text)
{
	static const char hex[] = "0123456789abcdef";
	bool valid = !reader->lenient || utf8_valid(text);
	char *copy = arena_alloc(reader->arena, text.len * (valid ? 1 : 4) + INPUT_PADDING);
	size_t len = 0;

	reader->arena_used = true;
	if (valid) {
		memcpy(copy, text.ptr, text.len);
		len = text.len;
	}
	while (!valid && text.len) {
		size_t used;
		bool bad = utf8_next(text, &used) == 0xfffd && used == 1;
		if (bad) {
			unsigned char byte = (unsigned char)text.ptr[0];
			memcpy(copy + len, (char[]){ '\\', 'x', hex[byte >> 4], hex[byte & 15] }, 4);
			len += 4;
		} else {
			memcpy(copy + len, text.ptr, used);
			len += used;
		}
		text.ptr += used;
		text.len -= used;
	}
	memset(copy + len, 0, INPUT_PADDING);
	return (struct slice){ copy, len };
}

static const char *
json_value(struct dftracer_reader *reader, enum json_token token, struct dftracer_value *value)
{
	struct json *json = &reader->json;
	struct slice text = json->text;

	*value = (struct dftracer_value){ .type = DFTRACER_ABSENT };
	switch (token) {
	case JSON_STRING:
		text = keep_text(reader, text);
		value->type = DFTRACER_STRING;
		break;
	case JSON_NUMBER:
		text = keep_text(reader, text);
		value->type = DFTRACER_NUMBER;
		value->is_integer = json->is_integer;
		break;
	case JSON_TRUE:
		value->type = DFTRACER_TRUE;
		return NULL;
	case JSON_FALSE:
		value->type = DFTRACER_FALSE;
		return NULL;
	case JSON_NULL:
		value->type = DFTRACER_NULL;
		return NULL;
	case JSON_OBJECT_BEGIN:
	case JSON_ARRAY_BEGIN: {
		struct strbuf out = { 0 };
		if (json_copy(json, token, &out) != 0) {
			strbuf_free(&out);
			return json->error;
		}
		text = keep_text(reader, strbuf_slice(&out));
		strbuf_free(&out);
		value->type = DFTRACER_NESTED;
		break;
	}
	default:
		return json->error;
	}
	value->ptr = text.ptr;
	value->len = (uint32_t)text.len;
	return NULL;
}

/* The members of an object whose { was read, at level 0 with those of `args` too. */
static const char *
json_members(struct dftracer_reader *reader)
{
	struct json *json = &reader->json;
	unsigned level = 0;

	for (;;) {
		enum json_token token = json_next(json);
		if (token == JSON_OBJECT_END) {
			if (level == 0) {
				return NULL;
			}
			level = 0;
			continue;
		}
		if (token != JSON_KEY) {
			return json->error;
		}
		struct slice key = keep_text(reader, json->text);
		uint32_t id = dftracer_key_find(reader, key.ptr, key.len);
		token = json_next(json);
		if (token == JSON_OBJECT_BEGIN && level == 0 && id == KEY_ARGS) {
			level = 1;
			continue;
		}
		struct dftracer_value value;
		const char *why = json_value(reader, token, &value);
		if (why) {
			return why;
		}
		if (!record_add(reader, level, id, value)) {
			json->error_offset = 0;
			return "more members in one record than are read";
		}
	}
}

const char *
dftracer_parse_json(struct dftracer_reader *reader, struct slice line, uint64_t *column)
{
	struct json *json = &reader->json;
	unsigned flags = reader->lenient ? JSON_CONTROL_CHARACTERS | JSON_TRAILING_COMMAS |
	                                       JSON_INVALID_UTF8
	                                 : JSON_STRICT;

	record_begin(reader);
	json_begin(json, line, flags);
	enum json_token token = json_next(json);
	const char *why = NULL;
	if (token == JSON_OBJECT_BEGIN) {
		why = json_members(reader);
		if (!why && json_next(json) != JSON_END) {
			why = json->error;
		}
	} else {
		why = token == JSON_ERROR ? json->error : "not an object";
	}
	*column = json->error_offset + 1;
	return why;
}

const char *
dftracer_parse(struct dftracer_reader *reader, struct slice line, uint64_t *column)
{
	return dftracer_parse_plain(reader, line) ? NULL
	                                          : dftracer_parse_json(reader, line, column);
}
