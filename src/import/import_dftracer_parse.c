/*
 * One line of a DFTracer trace -> struct dftracer_record.
 *
 * Nearly all lines are plain: ASCII, no escapes, no nesting but `args`. dftracer_parse_plain reads
 * those: one pass finds all quotes, a second walks from quote to quote. It never reports an error:
 * at anything unusual it gives up, and the JSON tokenizer reads the line again from its start, with
 * the whole grammar and the reason why a line is refused. So what is accepted is decided in one
 * place, and tests hold the two against each other.
 *
 * Values stay as they are written; numbers become integers where they are used.
 */
#include "config.h"
#include "import/import_dftracer.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "util/order.h"
#include "util/utf8.h"

void
dftracer_parser_clear(struct dftracer_parser *parser)
{
	if (parser->arena_used) {
		arena_reset(parser->arena);
		parser->arena_used = false;
	}
}

static inline void
record_begin(struct dftracer_parser *parser)
{
	struct dftracer_record *record = &parser->record;

	record->number++;
	record->n_pairs = 0;
	record->pairs = parser->pairs;
	memset(record->top, 0, sizeof record->top);
	if (!parser->keeps_texts) {
		dftracer_parser_clear(parser);
	}
}

/* False when the record has too many members. */
static inline bool
record_add(struct dftracer_parser *parser, unsigned level, uint32_t id, struct dftracer_value value)
{
	struct dftracer_record *record = &parser->record;

	if (level == 0 && id < KEY_ARGS) {
		record->top[id] = value;
		return true;
	}
	if (level == 0 && id == KEY_ARGS && value.type == DFTRACER_NULL) {
		return true;
	}
	struct dftracer_key *key = &parser->keys[id];
	if (key->seen[level] == record->number) { /* of equal keys the last counts, as in JSON */
		parser->pairs[key->pair[level]].value = value;
		return true;
	}
	if (record->n_pairs >= DFTRACER_PAIRS_LIMIT) {
		return false;
	}
	if (record->n_pairs == parser->pairs_capacity) {
		MEM_GROW(parser->pairs, parser->pairs_capacity, record->n_pairs + 1);
		record->pairs = parser->pairs;
	}
	key->seen[level] = record->number;
	key->pair[level] = (uint32_t)record->n_pairs;
	parser->pairs[record->n_pairs++] = (struct dftracer_pair){id, level, value};
	return true;
}

/* ---- plain lines ---- */

/* Bits of the 16 bytes at `at`: which are quotes, which make a line not plain (escapes, control
 * characters, not ASCII). */
static inline void
classify(const char *at, uint64_t *quotes, uint64_t *others)
{
#ifdef __SSE2__
	__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
	__m128i odd = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')),
	                           _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20))); /* signed */
	*quotes = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')));
	*others = (unsigned)_mm_movemask_epi8(odd);
#else
	*quotes = *others = 0;
	for (unsigned half = 0; half < 16; half += 8) {
		const uint64_t low = DFTRACER_EACH_BYTE(0x7f), top = DFTRACER_EACH_BYTE(0x80);
		const uint64_t gather = UINT64_C(0x0002040810204081); /* top bits to the top byte */
		uint64_t word = dftracer_load(at + half);
		uint64_t quote = word ^ DFTRACER_EACH_BYTE('"');
		uint64_t escape = word ^ DFTRACER_EACH_BYTE('\\');
		uint64_t is_quote = ~(((quote & low) + low) | quote) & top;
		uint64_t is_escape = ~(((escape & low) + low) | escape) & top;
		uint64_t is_plain = ((word & low) + DFTRACER_EACH_BYTE(0x60)) & ~word & top;
		*quotes |= (is_quote * gather >> 56) << half;
		*others |= ((is_escape | (is_plain ^ top)) * gather >> 56) << half;
	}
#endif
}

/*
 * Where the quotes of a line stand. Strings end where the next quote is, so the parser never waits
 * for the scan of one string to learn where the next begins. False: not plain, or more than it
 * holds.
 */
static inline bool
index_quotes(struct dftracer_parser *parser, struct slice line)
{
	uint16_t *out = parser->quotes;

	if (line.len > UINT16_MAX) {
		return false;
	}
	for (size_t block = 0; block < line.len; block += 64) {
		uint64_t quotes = 0, others = 0;
		size_t left = line.len - block;
		for (unsigned part = 0; part < 64 && part < left; part += 16) {
			uint64_t part_quotes, part_others;
			classify(line.ptr + block + part, &part_quotes, &part_others);
			quotes |= part_quotes << part;
			others |= part_others << part;
		}
		if (left < 64) {
			uint64_t inside = (UINT64_C(1) << left) - 1;
			quotes &= inside;
			others &= inside;
		}
		if (others || out > parser->quotes + DFTRACER_QUOTES - 64) {
			return false;
		}
		while (quotes) {
			*out++ = (uint16_t)(block + (unsigned)__builtin_ctzll(quotes));
			quotes &= quotes - 1;
		}
	}
	out[0] = out[1] = UINT16_MAX;
	return true;
}

/* Behind the digits that start at `at`; at most 8 bytes behind end are looked at. */
static inline const char *
plain_digits(const char *at, const char *end)
{
	for (; at < end; at += 8) {
		uint64_t others = dftracer_not_digits(dftracer_load(at));
		if (others) {
			at += __builtin_ctzll(others) >> 3;
			break;
		}
	}
	return LEAST(at, end);
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
	return after < end && (*after | 0x20) == 'e' ? NULL
	                                             : after; /* exponents are for the other */
}

/* The end of a plain value that is no string, or NULL. */
static inline const char *
plain_value(const char *at, const char *end, struct dftracer_value *value)
{
	const char *after;

	value->is_integer = false;
	switch (*at) {
	case '-':
	case '0':
	case '1':
	case '2':
	case '3':
	case '4':
	case '5':
	case '6':
	case '7':
	case '8':
	case '9':
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
	value->ptr = at;
	value->len = after ? (uint32_t)(after - at) : 0;
	return after;
}

/* Tabs count as not plain. The byte at `end` is readable. */
static inline const char *
skip_blanks(const char *at, const char *end)
{
	if (*at == ' ') {
		while (at < end && *at == ' ') {
			at++;
		}
	}
	return at;
}

bool
dftracer_parse_plain(struct dftracer_parser *parser, struct slice line)
{
	const char *at = line.ptr, *end = line.ptr + line.len;
	const uint16_t *quote = parser->quotes;
	unsigned level = 0;

	record_begin(parser);
	if (line.len < 2 || *at != '{' || !index_quotes(parser, line)) {
		return false;
	}
	for (at++;; quote += 2) {
		at = skip_blanks(at, end);
		const char *key = line.ptr + quote[0] + 1, *key_end = line.ptr + quote[1];
		if (at >= end || at + 1 != key || key_end >= end) {
			return false;
		}
		uint32_t id = dftracer_key_find(parser, key, (size_t)(key_end - key));
		at = skip_blanks(key_end + 1, end);
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
			if (*at == '"') {
				quote += 2;
				value.ptr = line.ptr + quote[0] + 1;
				value.len = (uint32_t)(quote[1] - quote[0] - 1);
				value.type = DFTRACER_STRING;
				value.is_integer = false;
				at = line.ptr + quote[1] + 1;
				if (at > end) {
					return false;
				}
			} else {
				at = plain_value(at, end, &value);
			}
			if (!at || !record_add(parser, level, id, value)) {
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

/* A lasting copy with padding behind it; in lenient reading bytes that are not UTF-8 become a
 * visible \xNN, so that what is stored is text. */
static struct slice
keep_text(struct dftracer_parser *parser, struct slice text)
{
	static const char hex[] = "0123456789abcdef";
	bool valid = !parser->lenient || utf8_valid(text);
	char *copy = arena_alloc(parser->arena, text.len * (valid ? 1 : 4) + INPUT_PADDING);
	size_t len = 0;

	parser->arena_used = true;
	if (valid) {
		memcpy(copy, text.ptr, text.len);
		len = text.len;
	}
	while (!valid && text.len) {
		size_t used;
		bool bad = utf8_next(text, &used) == 0xfffd && used == 1;
		if (bad) {
			unsigned char byte = (unsigned char)text.ptr[0];
			memcpy(copy + len, (char[]){'\\', 'x', hex[byte >> 4], hex[byte & 15]}, 4);
			len += 4;
		} else {
			memcpy(copy + len, text.ptr, used);
			len += used;
		}
		text = slice_from(text, used);
	}
	memset(copy + len, 0, INPUT_PADDING);
	return (struct slice){copy, len};
}

static const char *
json_value(struct dftracer_parser *parser, enum json_token token, struct dftracer_value *value)
{
	struct json *json = &parser->json;
	struct slice text = json->text;

	*value = (struct dftracer_value){.type = DFTRACER_ABSENT};
	switch (token) {
	case JSON_STRING:
		text = keep_text(parser, text);
		value->type = DFTRACER_STRING;
		break;
	case JSON_NUMBER:
		text = keep_text(parser, text);
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
		struct strbuf out = {0};
		if (json_copy_value(json, token, &out)) {
			strbuf_free(&out);
			return json->error;
		}
		text = keep_text(parser, strbuf_slice(&out));
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
json_members(struct dftracer_parser *parser)
{
	struct json *json = &parser->json;
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
		struct slice key = keep_text(parser, json->text);
		uint32_t id = dftracer_key_find(parser, key.ptr, key.len);
		token = json_next(json);
		if (token == JSON_OBJECT_BEGIN && level == 0 && id == KEY_ARGS) {
			level = 1;
			continue;
		}
		struct dftracer_value value;
		const char *why = json_value(parser, token, &value);
		if (why) {
			return why;
		}
		if (!record_add(parser, level, id, value)) {
			json->error_offset = 0;
			return "more members in one record than are read";
		}
	}
}

const char *
dftracer_parse_json(struct dftracer_parser *parser, struct slice line, uint64_t *column)
{
	struct json *json = &parser->json;
	unsigned flags = parser->lenient
	                     ? JSON_CONTROL_CHARACTERS | JSON_TRAILING_COMMAS | JSON_INVALID_UTF8
	                     : JSON_STRICT;

	record_begin(parser);
	json_begin(json, line, flags);
	enum json_token token = json_next(json);
	const char *why = NULL;
	if (token == JSON_OBJECT_BEGIN) {
		why = json_members(parser);
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
dftracer_parse(struct dftracer_parser *parser, struct slice line, uint64_t *column)
{
	return dftracer_parse_plain(parser, line) ? NULL
	                                          : dftracer_parse_json(parser, line, column);
}

struct dftracer_parser *
dftracer_parser_new(bool lenient)
{
	struct dftracer_parser *parser = xcalloc(1, sizeof *parser);

	parser->arena = arena_new();
	parser->lenient = lenient;
	dftracer_keys_init(parser);
	return parser;
}

void
dftracer_parser_free(struct dftracer_parser *parser)
{
	if (parser) {
		json_fini(&parser->json);
		arena_free(parser->arena);
		intern_free(parser->key_names);
		free(parser->keys);
		free(parser->pairs);
		free(parser);
	}
}
