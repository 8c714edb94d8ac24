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

unsigned
chrome_field_of(struct slice key)
{
	static const struct {
		char name[8];
		unsigned field;
	} names[9][6] = {[2] = {{"ph", CHROME_PH},
	                        {"ts", CHROME_TS},
	                        {"id", CHROME_ID},
	                        {"bp", CHROME_BP},
	                        {"sf", CHROME_SF}},
	                 [3] = {{"pid", CHROME_PID},
	                        {"tid", CHROME_TID},
	                        {"dur", CHROME_DUR},
	                        {"cat", CHROME_CAT}},
	                 [4] = {{"name", CHROME_NAME}},
	                 [5] = {{"scope", CHROME_SCOPE}},
	                 [7] = {{"bind_id", CHROME_BIND_ID}, {"flow_in", CHROME_FLOW_IN}},
	                 [8] = {{"flow_out", CHROME_FLOW_OUT}}};
	uint64_t word = 0, name;

	if (key.len == 0 || key.len > sizeof word) {
		return CHROME_FIELDS;
	}
	memcpy(&word, key.ptr, key.len);
	for (unsigned i = 0; names[key.len][i].name[0]; i++) {
		memcpy(&name, names[key.len][i].name, sizeof name);
		if (word == name) {
			return names[key.len][i].field;
		}
	}
	return CHROME_FIELDS;
}

/* Arguments that come again replace the first ones. */
static void
drop_args(struct chrome_parser *parser)
{
	struct chrome_record *record = parser->record;
	struct chrome_pair *pairs = parser->pairs + record->first_pair;
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
	unsigned field = chrome_field_of(json->text);

	if (field < CHROME_FIELDS) {
		return chrome_read_value(parser, json_next(json), NESTED_LIMIT,
		                         &record->fields[field]);
	}
	bool is_args = slice_is(json->text, "args"), is_id2 = slice_is(json->text, "id2");
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
