/*
 * One event of a Chrome trace as nearly all are -> struct chrome_record, without the tokenizer.
 *
 * The bytes lie in one piece with zeroes behind them, so that nothing but the scan of a string asks
 * where they end: no token goes on over a zero. Values are lent from the bytes; nested ones are
 * copied without their blanks, and take no more room than they had. Nothing is refused here: at
 * anything unusual (exponents, id2, arguments that come twice, deep nesting, damage) the event is
 * given up, and the tokenizer reads it from its start, so that what is accepted is decided in one
 * place. Tests hold the two against each other.
 */
#include "config.h"
#include "import/import_chrome.h"

#include "input/json_string.h"
#include "util/ascii.h"

#define PLAIN_DEPTH 16u /* of nested values */
#define PLAIN_NESTED ((size_t)64 << 10)

static inline const char *
skip_blanks(const char *at)
{
	if (*at > ' ') {
		return at;
	}
	while (is_blank(*at)) {
		at++;
	}
	return at;
}

/* Behind the string that begins at `at`; NULL: there is none, or not whole. */
static inline const char *
read_text(struct chrome_parser *parser, const char *at, const char *limit, struct slice *text)
{
	bool is_ascii = true;
	struct json_scan scan;

	if (*at != '"') {
		return NULL;
	}
	const char *end = json_scan_plain(at + 1, limit, &is_ascii);
	if (*end == '"' && end < limit) {
		*text = (struct slice){at + 1, (size_t)(end - at - 1)};
		return end + 1;
	}
	if (json_scan_string(at, limit, CHROME_JSON_FLAGS, &parser->nested, &scan) !=
	    JSON_SCAN_DONE) {
		return NULL;
	}
	*text = (struct slice){parser->room, scan.text.len};
	memcpy(parser->room, scan.text.ptr, scan.text.len);
	parser->room += scan.text.len;
	return scan.end;
}

static inline const char *
skip_digits(const char *at)
{
	while (is_digit(*at)) {
		at++;
	}
	return at;
}

/* Behind the number that begins at `at`, a digit or a minus; NULL: it is another, or none. */
static inline const char *
skip_number(const char *at, bool *is_integer)
{
	const char *digits = at + (*at == '-');
	const char *end = skip_digits(digits);

	if (end == digits || (*digits == '0' && end != digits + 1)) {
		return NULL;
	}
	*is_integer = *end != '.';
	if (*end == '.') {
		digits = end + 1;
		end = skip_digits(digits);
		if (end == digits) {
			return NULL;
		}
	}
	return (*end | 0x20) == 'e' ? NULL : end;
}

/* Behind the word of JSON that begins at `at`, else NULL. */
static inline const char *
skip_word(const char *at, enum chrome_type *type)
{
	switch (*at) {
	case 't':
		*type = CHROME_TRUE;
		return memcmp(at, "true", 4) == 0 ? at + 4 : NULL;
	case 'f':
		*type = CHROME_FALSE;
		return memcmp(at, "false", 5) == 0 ? at + 5 : NULL;
	case 'n':
		*type = CHROME_NULL;
		return memcmp(at, "null", 4) == 0 ? at + 4 : NULL;
	default:
		return NULL;
	}
}

/* ---- nested values ---- */

static inline char *
copy(char *out, const char *from, const char *to)
{
	memcpy(out, from, (size_t)(to - from));
	return out + (to - from);
}

static const char *copy_members(const char *at, const char *limit, char **out, unsigned depth);

static inline const char *
copy_value(const char *at, const char *limit, char **out, unsigned depth)
{
	enum chrome_type type;
	bool is_ascii = true, is_integer;
	const char *end;

	switch (*at) {
	case '[':
	case '{':
		return depth < PLAIN_DEPTH ? copy_members(at, limit, out, depth + 1) : NULL;
	case '"':
		end = json_scan_plain(at + 1, limit, &is_ascii);
		end = *end == '"' && end < limit ? end + 1 : NULL;
		break;
	default:
		end = is_digit(*at) || *at == '-' ? skip_number(at, &is_integer)
		                                  : skip_word(at, &type);
	}
	if (end) {
		*out = copy(*out, at, end);
	}
	return end;
}

/* A member's key and its colon. */
static inline const char *
copy_key(const char *at, const char *limit, char **out)
{
	at = *at == '"' ? copy_value(at, limit, out, 0) : NULL;
	if (!at || *(at = skip_blanks(at)) != ':') {
		return NULL;
	}
	*(*out)++ = ':';
	return skip_blanks(at + 1);
}

/* An object or array, without its blanks. */
static const char *
copy_members(const char *at, const char *limit, char **out, unsigned depth)
{
	bool is_object = *at == '{';
	char close = is_object ? '}' : ']';

	*(*out)++ = *at;
	at = skip_blanks(at + 1);
	if (*at != close) {
		for (;;) {
			at = is_object ? copy_key(at, limit, out) : at;
			at = at ? copy_value(at, limit, out, depth) : NULL;
			if (!at) {
				return NULL;
			}
			at = skip_blanks(at);
			if (*at != ',') {
				break;
			}
			*(*out)++ = ',';
			at = skip_blanks(at + 1);
		}
		if (*at != close) {
			return NULL;
		}
	}
	*(*out)++ = close;
	return at + 1;
}

/* ---- the event ---- */

static inline const char *
read_value(struct chrome_parser *parser, const char *at, const char *limit,
           struct chrome_value *value)
{
	enum chrome_type type = CHROME_NUMBER;
	struct slice text = {at, 0};
	bool is_integer = false;
	const char *end;

	if (*at == '"') {
		type = CHROME_STRING;
		end = read_text(parser, at, limit, &text);
	} else if (is_digit(*at) || *at == '-') {
		end = skip_number(at, &is_integer);
		text.len = end ? (size_t)(end - at) : 0;
	} else if (*at == '{' || *at == '[') {
		type = CHROME_NESTED;
		text.ptr = parser->room;
		end = copy_members(at, limit, &parser->room, 1);
		text.len = (size_t)(parser->room - text.ptr);
		end = text.len > PLAIN_NESTED ? NULL : end;
	} else {
		end = skip_word(at, &type);
	}
	*value = (struct chrome_value){.text = text.ptr,
	                               .len = (uint32_t)text.len,
	                               .type = (uint8_t)type,
	                               .is_integer = is_integer};
	return end;
}

static inline const char *
add_pair(struct chrome_parser *parser, struct slice key, const char *at, const char *limit,
         bool is_member)
{
	struct chrome_pair pair = {
	    .key = {.text = key.ptr, .len = (uint32_t)key.len, .type = CHROME_STRING},
	    .is_member = is_member};

	pair.key.repeat = chrome_repeat_of(&parser->repeats, key.ptr, key.len);
	at = read_value(parser, at, limit, &pair.value);
	return at && chrome_add_pair(parser, &pair) ? at : NULL;
}

static const char *read_members(struct chrome_parser *parser, const char *at, const char *limit,
                                bool are_args);

/* Do its texts come again and again? */
static inline bool
is_repeated(unsigned member)
{
	return member == CHROME_NAME || member == CHROME_CAT || member == CHROME_PID ||
	       member == CHROME_TID;
}

/* A member of the event itself. */
static inline const char *
read_member(struct chrome_parser *parser, struct slice key, const char *at, const char *limit)
{
	struct chrome_record *record = parser->record;
	uint64_t first_bytes;
	memcpy(&first_bytes, key.ptr, sizeof first_bytes); /* more bytes follow, if it is shorter */
	unsigned member = chrome_member_of(first_bytes, key.len);

	if (member < CHROME_FIELDS) {
		struct chrome_value *value = &record->fields[member];
		at = read_value(parser, at, limit, value);
		if (at && is_repeated(member) && chrome_is_word(value)) {
			value->repeat = chrome_repeat_of(&parser->repeats, value->text, value->len);
		}
		return at;
	}
	if (member == CHROME_ARGS) {
		bool is_first = !record->has_args;
		record->has_args = true;
		return is_first && *at == '{' ? read_members(parser, at, limit, true) : NULL;
	}
	return member == CHROME_ID2 ? NULL : add_pair(parser, key, at, limit, true);
}

/* Those of the object whose { stands at `at`. */
static const char *
read_members(struct chrome_parser *parser, const char *at, const char *limit, bool are_args)
{
	struct slice key;

	at = skip_blanks(at + 1);
	while (*at != '}') {
		at = read_text(parser, at, limit, &key);
		if (!at || *(at = skip_blanks(at)) != ':') {
			return NULL;
		}
		at = skip_blanks(at + 1);
		at = are_args ? add_pair(parser, key, at, limit, false)
		              : read_member(parser, key, at, limit);
		if (!at) {
			return NULL;
		}
		at = skip_blanks(at);
		if (*at == ',') { /* one before the } is passed over */
			at = skip_blanks(at + 1);
		} else if (*at != '}') {
			return NULL;
		}
	}
	return at + 1;
}

const char *
chrome_parse_plain(struct chrome_parser *parser, const char *at, const char *limit,
                   struct chrome_record *record)
{
	chrome_record_begin(parser, record);
	const char *end = read_members(parser, at, limit, false);
	if (!end) {
		parser->n_pairs = record->first_pair;
		return NULL;
	}
	chrome_record_end(record);
	return end;
}
