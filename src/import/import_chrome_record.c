/*
 * One event of a Chrome trace -> struct chrome_record.
 *
 * The tokenizer lends its texts until the next token only, so everything goes into one buffer that
 * is reused from event to event, and values are places in it. Of equal members the last counts, as
 * in JSON. What is longer than anybody's arguments is left out, and the event says so.
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
chrome_record_fini(struct chrome_record *record)
{
	strbuf_free(&record->bytes);
	free(record->pairs);
}

static struct chrome_value
keep(struct chrome_reader *reader, enum chrome_type type, struct slice text)
{
	struct chrome_record *record = &reader->record;
	struct chrome_value value = {.type = (uint8_t)type,
	                             .is_integer = reader->json.is_integer,
	                             .at = (uint32_t)record->bytes.len};

	if (record->bytes.len + text.len > RECORD_LIMIT) {
		record->is_cut = true;
		text.len = 0;
	}
	value.len = (uint32_t)text.len;
	strbuf_add_slice(&record->bytes, text);
	return value;
}

int
chrome_read_value(struct chrome_reader *reader, enum json_token token, size_t limit,
                  struct chrome_value *value)
{
	struct json *json = &reader->json;
	struct strbuf *bytes = &reader->record.bytes;

	*value = (struct chrome_value){.type = CHROME_ABSENT};
	switch (token) {
	case JSON_STRING:
		*value = keep(reader, CHROME_STRING, json->text);
		return 0;
	case JSON_NUMBER:
		*value = keep(reader, CHROME_NUMBER, json->text);
		return 0;
	case JSON_TRUE:
	case JSON_FALSE:
	case JSON_NULL:
		value->type = token == JSON_TRUE    ? CHROME_TRUE
		              : token == JSON_FALSE ? CHROME_FALSE
		                                    : CHROME_NULL;
		return 0;
	case JSON_OBJECT_BEGIN:
	case JSON_ARRAY_BEGIN: {
		uint64_t begin = json_offset(json);
		size_t at = bytes->len;
		size_t left = at < RECORD_LIMIT ? RECORD_LIMIT - at : 0;
		int result = json_copy_value_within(json, token, LEAST(limit, left), bytes);
		if (result < 0) {
			return -1;
		}
		if (result > 0) {
			strbuf_printf(bytes, "\"%llu bytes, too long to keep\"",
			              (unsigned long long)(json_offset(json) - begin));
			reader->record.is_cut = true;
		}
		*value = (struct chrome_value){
		    .type = CHROME_NESTED, .at = (uint32_t)at, .len = (uint32_t)(bytes->len - at)};
		return 0;
	}
	default:
		return -1;
	}
}

static unsigned
field_of(struct slice key)
{
	static const char *const names[] = {
	    [CHROME_PH] = "ph",           [CHROME_NAME] = "name",
	    [CHROME_CAT] = "cat",         [CHROME_TS] = "ts",
	    [CHROME_DUR] = "dur",         [CHROME_PID] = "pid",
	    [CHROME_TID] = "tid",         [CHROME_ID] = "id",
	    [CHROME_ID2_LOCAL] = "",      [CHROME_ID2_GLOBAL] = "",
	    [CHROME_SCOPE] = "scope",     [CHROME_BIND_ID] = "bind_id",
	    [CHROME_FLOW_IN] = "flow_in", [CHROME_FLOW_OUT] = "flow_out",
	    [CHROME_BP] = "bp",           [CHROME_SF] = "sf"};

	for (unsigned i = 0; i < CHROME_FIELDS; i++) {
		if (names[i][0] && names[i][0] == (key.len ? key.ptr[0] : 0) &&
		    slice_is(key, names[i])) {
			return i;
		}
	}
	return CHROME_FIELDS;
}

/* Arguments that come again replace the first ones. */
static void
drop_args(struct chrome_record *record)
{
	size_t n = 0;

	for (size_t i = 0; i < record->n_pairs; i++) {
		const struct chrome_pair *pair = &record->pairs[i];
		if (pair->is_member && !slice_is(chrome_text(record, &pair->key), "args")) {
			record->pairs[n++] = *pair;
		}
	}
	record->n_pairs = n;
}

static int
add_pair(struct chrome_reader *reader, struct chrome_value key, enum json_token token,
         bool is_member)
{
	struct chrome_record *record = &reader->record;
	struct chrome_pair pair = {.key = key, .is_member = is_member};

	if (chrome_read_value(reader, token, NESTED_LIMIT, &pair.value)) {
		return -1;
	}
	if (record->n_pairs == PAIRS_LIMIT) {
		record->is_cut = true;
		return 0;
	}
	MEM_GROW(record->pairs, record->pairs_capacity, record->n_pairs + 1);
	record->pairs[record->n_pairs++] = pair;
	return 0;
}

static int
read_args(struct chrome_reader *reader)
{
	struct json *json = &reader->json;

	int more;
	while ((more = json_member(json)) > 0) {
		struct chrome_value key = keep(reader, CHROME_STRING, json->text);
		if (add_pair(reader, key, json_next(json), false)) {
			return -1;
		}
	}
	return more;
}

/* id2: {"local": ...} or {"global": ...} */
static int
read_id2(struct chrome_reader *reader)
{
	struct json *json = &reader->json;

	int more;
	while ((more = json_member(json)) > 0) {
		struct chrome_value ignored;
		bool local = slice_is(json->text, "local"), global = slice_is(json->text, "global");
		struct chrome_value *value = local    ? &reader->record.fields[CHROME_ID2_LOCAL]
		                             : global ? &reader->record.fields[CHROME_ID2_GLOBAL]
		                                      : &ignored;
		if (chrome_read_value(reader, json_next(json), NESTED_LIMIT, value)) {
			return -1;
		}
	}
	return more;
}

static int
read_member(struct chrome_reader *reader)
{
	struct json *json = &reader->json;
	struct chrome_record *record = &reader->record;
	unsigned field = field_of(json->text);

	if (field < CHROME_FIELDS) {
		return chrome_read_value(reader, json_next(json), NESTED_LIMIT,
		                         &record->fields[field]);
	}
	bool is_args = slice_is(json->text, "args"), is_id2 = slice_is(json->text, "id2");
	struct chrome_value key = keep(reader, CHROME_STRING, json->text);
	enum json_token token = json_next(json);
	if (is_args && record->has_args) {
		drop_args(record);
	}
	record->has_args |= is_args;
	if (is_args && token == JSON_OBJECT_BEGIN) {
		return read_args(reader);
	}
	if (is_id2 && token == JSON_OBJECT_BEGIN) {
		record->fields[CHROME_ID2_LOCAL].type = CHROME_ABSENT;
		record->fields[CHROME_ID2_GLOBAL].type = CHROME_ABSENT;
		return read_id2(reader);
	}
	if (is_args && token == JSON_NULL) {
		return 0;
	}
	record->has_odd_args |= is_args;
	return add_pair(reader, key, token, true);
}

int
chrome_read_record(struct chrome_reader *reader)
{
	struct json *json = &reader->json;
	struct chrome_record *record = &reader->record;

	strbuf_clear(&record->bytes);
	memset(record->fields, 0, sizeof record->fields);
	record->n_pairs = 0;
	record->is_cut = record->has_args = record->has_odd_args = false;
	json_open_input(json, reader->input, CHROME_JSON_FLAGS, reader->err);
	enum json_token token = json_next(json);
	while (token != JSON_ERROR && token != JSON_OBJECT_END) {
		token = json_next(json);
		if (token == JSON_KEY && read_member(reader)) {
			token = JSON_ERROR;
		}
	}
	if (token == JSON_OBJECT_END && json_next(json) == JSON_END) {
		reader->chrome_counts.cut += record->is_cut;
		reader->chrome_counts.odd_args += record->has_odd_args;
		return 0;
	}
	return reader->err && reader->err->code != ERR_NONE ? -1 : 1;
}

static bool
comes_again(const struct chrome_record *record, size_t i)
{
	struct slice name = chrome_text(record, &record->pairs[i].key);

	for (size_t k = i + 1; k < record->n_pairs; k++) {
		const struct chrome_pair *pair = &record->pairs[k];
		if (!pair->is_member && slice_equal(chrome_text(record, &pair->key), name)) {
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
			pair->is_repeated = intern_id(names, chrome_text(record, &pair->key)) < n;
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
		if (!pair->is_member && slice_is(chrome_text(record, &pair->key), name)) {
			return &pair->value;
		}
	}
	return NULL;
}
