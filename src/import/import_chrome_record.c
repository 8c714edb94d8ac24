/*
 * One event of a Chrome trace -> struct chrome_record.
 *
 * The tokenizer lends its texts until the next token only, so they are copied. Of equal members the
 * last counts, as in JSON. What is longer than anybody's arguments is left out, and the event says
 * so.
 */
#include "config.h"
#include "import/import_chrome.h"

#include <stdlib.h>

#include "util/order.h"

#define PAIRS_LIMIT 2048u
#define PAIRS_COMPARED 16u /* with each other; more are looked up */
#define NESTED_LIMIT ((size_t)1 << 20)
#define RECORD_LIMIT ((size_t)256 << 20) /* bytes kept of one event */

void
chrome_parser_clear(struct chrome_parser *parser)
{
	arena_reset(parser->texts);
	parser->n_pairs = 0;
	parser->kept_bytes = 0;
}

void
chrome_parser_fini(struct chrome_parser *parser)
{
	json_fini(&parser->json);
	arena_free(parser->texts);
	strbuf_free(&parser->nested);
	free(parser->pairs);
}

static struct chrome_value
keep(struct chrome_parser *parser, enum chrome_type type, struct slice text)
{
	bool is_number = type == CHROME_NUMBER;

	if (parser->kept_bytes + text.len > RECORD_LIMIT) {
		parser->record->is_cut = true;
		text.len = 0;
	}
	parser->kept_bytes += text.len;
	return (struct chrome_value){.text = arena_slice(parser->texts, text).ptr,
	                             .len = (uint32_t)text.len,
	                             .type = (uint8_t)type,
	                             .is_integer = is_number && parser->json.is_integer};
}

static int
keep_nested(struct chrome_parser *parser, enum json_token token, size_t limit,
            struct chrome_value *value)
{
	struct json *json = &parser->json;
	uint64_t begin = json_offset(json);
	size_t left = RECORD_LIMIT - LEAST(RECORD_LIMIT, parser->kept_bytes);

	strbuf_clear(&parser->nested);
	int result = json_copy_value_within(json, token, LEAST(limit, left), &parser->nested);
	if (result < 0) {
		return -1;
	}
	if (result > 0) {
		strbuf_printf(&parser->nested, "\"%llu bytes, too long to keep\"",
		              (unsigned long long)(json_offset(json) - begin));
		parser->record->is_cut = true;
	}
	*value = keep(parser, CHROME_NESTED, strbuf_slice(&parser->nested));
	return 0;
}

int
chrome_read_value(struct chrome_parser *parser, enum json_token token, size_t limit,
                  struct chrome_value *value)
{
	*value = (struct chrome_value){.type = CHROME_ABSENT};
	switch (token) {
	case JSON_STRING:
		*value = keep(parser, CHROME_STRING, parser->json.text);
		return 0;
	case JSON_NUMBER:
		*value = keep(parser, CHROME_NUMBER, parser->json.text);
		return 0;
	case JSON_TRUE:
	case JSON_FALSE:
	case JSON_NULL:
		value->type = token == JSON_TRUE    ? CHROME_TRUE
		              : token == JSON_FALSE ? CHROME_FALSE
		                                    : CHROME_NULL;
		return 0;
	case JSON_OBJECT_BEGIN:
	case JSON_ARRAY_BEGIN:
		return keep_nested(parser, token, limit, value);
	default:
		return -1;
	}
}

/* Names have no more than eight bytes, so a name is a number, and a multiplication was found that
 * leads each of them to a place of its own. */
#define MEMBER_MULTIPLIER UINT64_C(0xd860fc396d77571d)
#define MEMBER_SHIFT 60

unsigned
chrome_member_of(uint64_t first_bytes, size_t length)
{
	static const struct {
		char name[8];
		unsigned member;
	} names[16] = {[0] = {"bind_id", CHROME_BIND_ID},
	               [1] = {"ph", CHROME_PH},
	               [2] = {"dur", CHROME_DUR},
	               [3] = {"flow_in", CHROME_FLOW_IN},
	               [4] = {"bp", CHROME_BP},
	               [5] = {"tid", CHROME_TID},
	               [6] = {"scope", CHROME_SCOPE},
	               [7] = {"args", CHROME_ARGS},
	               [8] = {"flow_out", CHROME_FLOW_OUT},
	               [9] = {"ts", CHROME_TS},
	               [10] = {"id", CHROME_ID},
	               [11] = {"cat", CHROME_CAT},
	               [12] = {"name", CHROME_NAME},
	               [13] = {"sf", CHROME_SF},
	               [14] = {"id2", CHROME_ID2},
	               [15] = {"pid", CHROME_PID}};
	uint64_t name;

	if (length == 0 || length > sizeof name) {
		return CHROME_OTHER;
	}
	first_bytes &= UINT64_MAX >> 8 * (sizeof name - length);
	size_t place = first_bytes * MEMBER_MULTIPLIER >> MEMBER_SHIFT;
	memcpy(&name, names[place].name, sizeof name);
	return first_bytes == name ? names[place].member : CHROME_OTHER;
}

/* Arguments that come again replace the first ones. */
static void
drop_args(struct chrome_parser *parser)
{
	struct chrome_record *record = parser->record;
	struct chrome_pair *pairs = chrome_pairs(parser, record);
	size_t n = 0;

	for (size_t i = 0; i < record->n_pairs; i++) {
		if (pairs[i].is_member && !slice_is(chrome_text(&pairs[i].key), "args")) {
			pairs[n++] = pairs[i];
		}
	}
	record->n_pairs = n;
	parser->n_pairs = record->first_pair + n;
}

bool
chrome_add_pair(struct chrome_parser *parser, const struct chrome_pair *pair)
{
	struct chrome_record *record = parser->record;

	if (record->n_pairs == PAIRS_LIMIT) {
		return false;
	}
	MEM_GROW(parser->pairs, parser->pairs_capacity, parser->n_pairs + 1);
	parser->pairs[parser->n_pairs++] = *pair;
	record->n_pairs++;
	return true;
}

static int
add_pair(struct chrome_parser *parser, struct chrome_value key, enum json_token token,
         bool is_member)
{
	struct chrome_pair pair = {.key = key, .is_member = is_member};

	if (chrome_read_value(parser, token, NESTED_LIMIT, &pair.value)) {
		return -1;
	}
	parser->record->is_cut |= !chrome_add_pair(parser, &pair);
	return 0;
}

static int
read_args(struct chrome_parser *parser)
{
	struct json *json = &parser->json;

	int more;
	while ((more = json_member(json)) > 0) {
		struct chrome_value key = keep(parser, CHROME_STRING, json->text);
		if (add_pair(parser, key, json_next(json), false)) {
			return -1;
		}
	}
	return more;
}

/* id2: {"local": ...} or {"global": ...} */
static int
read_id2(struct chrome_parser *parser)
{
	struct json *json = &parser->json;
	struct chrome_record *record = parser->record;

	int more;
	while ((more = json_member(json)) > 0) {
		struct chrome_value ignored;
		bool local = slice_is(json->text, "local"), global = slice_is(json->text, "global");
		struct chrome_value *value = local    ? &record->fields[CHROME_ID2_LOCAL]
		                             : global ? &record->fields[CHROME_ID2_GLOBAL]
		                                      : &ignored;
		if (chrome_read_value(parser, json_next(json), NESTED_LIMIT, value)) {
			return -1;
		}
	}
	return more;
}

static int
read_member(struct chrome_parser *parser)
{
	struct json *json = &parser->json;
	struct chrome_record *record = parser->record;
	uint64_t first_bytes = 0;
	memcpy(&first_bytes, json->text.ptr, LEAST(json->text.len, sizeof first_bytes));
	unsigned member = chrome_member_of(first_bytes, json->text.len);
	bool is_args = member == CHROME_ARGS, is_id2 = member == CHROME_ID2;

	if (member < CHROME_FIELDS) {
		return chrome_read_value(parser, json_next(json), NESTED_LIMIT,
		                         &record->fields[member]);
	}
	struct chrome_value key = keep(parser, CHROME_STRING, json->text);
	enum json_token token = json_next(json);
	if (is_args && record->has_args) {
		drop_args(parser);
	}
	record->has_args |= is_args;
	if (is_args && token == JSON_OBJECT_BEGIN) {
		return read_args(parser);
	}
	if (is_id2 && token == JSON_OBJECT_BEGIN) {
		record->fields[CHROME_ID2_LOCAL].type = CHROME_ABSENT;
		record->fields[CHROME_ID2_GLOBAL].type = CHROME_ABSENT;
		return read_id2(parser);
	}
	if (is_args && token == JSON_NULL) {
		return 0;
	}
	record->has_odd_args |= is_args;
	return add_pair(parser, key, token, true);
}

void
chrome_record_begin(struct chrome_parser *parser, struct chrome_record *record)
{
	memset(record, 0, sizeof *record);
	record->first_pair = parser->n_pairs;
	parser->record = record;
	parser->kept_bytes = 0;
}

static bool
read_time(const struct chrome_value *value, int64_t *ns)
{
	return chrome_is_word(value) && chrome_time(chrome_text(value), ns);
}

void
chrome_record_end(struct chrome_record *record)
{
	record->has_ts = read_time(&record->fields[CHROME_TS], &record->ts_ns);
	record->has_dur = read_time(&record->fields[CHROME_DUR], &record->dur_ns);
}

bool
chrome_parse_record(struct chrome_parser *parser, struct chrome_record *record)
{
	struct json *json = &parser->json;

	chrome_record_begin(parser, record);
	enum json_token token = json_next(json);
	while (token != JSON_ERROR && token != JSON_OBJECT_END) {
		token = json_next(json);
		if (token == JSON_KEY && read_member(parser)) {
			token = JSON_ERROR;
		}
	}
	if (token == JSON_OBJECT_END && json_next(json) == JSON_END) {
		chrome_record_end(record);
		return true;
	}
	parser->n_pairs = record->first_pair;
	return false;
}

static bool
comes_again(const struct chrome_record *record, size_t i)
{
	struct slice name = chrome_text(&record->pairs[i].key);

	for (size_t k = i + 1; k < record->n_pairs; k++) {
		const struct chrome_pair *pair = &record->pairs[k];
		if (!pair->is_member && slice_equal(chrome_text(&pair->key), name)) {
			return true;
		}
	}
	return false;
}

void
chrome_mark_repeated(struct chrome_record *record)
{
	struct intern *names = record->n_pairs > PAIRS_COMPARED ? intern_new() : NULL;

	for (size_t i = record->n_pairs; i > 0; i--) {
		struct chrome_pair *pair = &record->pairs[i - 1];
		if (pair->is_member) {
			continue;
		}
		if (names) {
			uint32_t n = intern_count(names);
			pair->is_repeated = intern_id(names, chrome_text(&pair->key)) < n;
		} else {
			pair->is_repeated = comes_again(record, i - 1);
		}
	}
	intern_free(names);
}

const struct chrome_value *
chrome_argument(const struct chrome_record *record, const char *name)
{
	for (size_t i = record->n_pairs; i > 0; i--) {
		const struct chrome_pair *pair = &record->pairs[i - 1];
		if (!pair->is_member && slice_is(chrome_text(&pair->key), name)) {
			return &pair->value;
		}
	}
	return NULL;
}
