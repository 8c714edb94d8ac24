/*
 * Fuchsia's own recording beside the events: {"type": "fuchsia", "events": [{"ph": "p", "pid": 7,
 * "name": "netstack"}, ...]}. Of it the names of processes ("p") and threads ("t") are used, where
 * the events do not name them; its other records (what ran on which processor) are passed over.
 */
#include "config.h"
#include "import/import_chrome.h"

#include <string.h>

#define SYSTEM_NAME_BYTES 4096u

static const struct {
	const char *key;
	enum chrome_field field;
} members[] = {{"ph", CHROME_PH}, {"pid", CHROME_PID}, {"tid", CHROME_TID}, {"name", CHROME_NAME}};

static void
keep_member(struct chrome_reader *reader, struct slice text, enum json_token token, size_t member)
{
	struct chrome_record *record = reader->record;

	record->fields[members[member].field] = (struct chrome_value){
	    .type = token == JSON_NUMBER ? CHROME_NUMBER : CHROME_STRING,
	    .is_integer = token == JSON_NUMBER && reader->parser.json.is_integer,
	    .text = arena_slice(reader->parser.texts, text).ptr,
	    .len = (uint32_t)text.len,
	};
}

/* The object that was begun, into the reader's record. False: it is no JSON. */
static bool
read_members(struct chrome_reader *reader)
{
	struct json *json = &reader->parser.json;
	const size_t n = COUNT_OF(members);

	chrome_parser_clear(&reader->parser);
	reader->record = &reader->own_record;
	chrome_record_begin(&reader->parser, reader->record);
	int more;
	while ((more = json_member(json)) > 0) {
		size_t member = 0;
		while (member < n && !slice_is(json->text, members[member].key)) {
			member++;
		}
		enum json_token token = json_next(json);
		bool is_word = token == JSON_STRING || token == JSON_NUMBER;
		if (member < n && is_word && json->text.len <= SYSTEM_NAME_BYTES) {
			keep_member(reader, json->text, token, member);
		} else if (json_skip(json) == JSON_ERROR) {
			return false;
		}
	}
	return more == 0;
}

static void
take_name(struct chrome_reader *reader)
{
	const struct chrome_value *fields = reader->record->fields;
	struct slice kind = chrome_text(&fields[CHROME_PH]);
	struct slice name = chrome_text(&fields[CHROME_NAME]);

	if (name.len == 0 || fields[CHROME_PID].len == 0) {
		return;
	}
	if (slice_is(kind, "p")) {
		uint32_t process = chrome_process_of(reader, &fields[CHROME_PID]);
		if (reader->processes[process].name == INTERN_NONE) {
			chrome_name_process(reader, process, intern_id(reader->words, name));
		}
	} else if (slice_is(kind, "t") && fields[CHROME_TID].len > 0) {
		uint32_t thread = chrome_thread_of(reader); /* which may move the others */
		uint32_t *place = &reader->threads[thread].name;
		*place = *place == INTERN_NONE ? intern_id(reader->words, name) : *place;
	}
}

static bool
read_events(struct chrome_reader *reader)
{
	struct json *json = &reader->parser.json;

	for (;;) {
		enum json_token token = json_next(json);
		if (token == JSON_OBJECT_BEGIN) {
			if (!read_members(reader)) {
				return false;
			}
			take_name(reader);
		} else if (token == JSON_ARRAY_END) {
			return true;
		} else if (json_skip(json) == JSON_ERROR) {
			return false;
		}
	}
}

bool
chrome_system_names(struct chrome_reader *reader)
{
	struct json *json = &reader->parser.json;

	int more;
	while ((more = json_member(json)) > 0) {
		bool is_events = slice_is(json->text, "events");
		if (json_next(json) == JSON_ARRAY_BEGIN && is_events
		        ? !read_events(reader)
		        : json_skip(json) == JSON_ERROR) {
			return false;
		}
	}
	return more == 0;
}
