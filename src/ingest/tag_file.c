/* Which form a file has, and the form of JSON; it is held whole, as it is small. */
#include "config.h"
#include "ingest/tag_file.h"

#include <stdlib.h>

#include "input/input.h"
#include "input/json.h"

/* The value whose key was read, as the text of a tag. */
static int
take_value(struct json *json, const char *key, struct slice *value, struct err *err)
{
	switch (json_next(json)) {
	case JSON_STRING:
	case JSON_NUMBER:
		*value = json->text;
		return 0;
	case JSON_TRUE:
		*value = slice_of("true");
		return 0;
	case JSON_FALSE:
		*value = slice_of("false");
		return 0;
	case JSON_NULL:
		*value = slice_of("");
		return 0;
	case JSON_ERROR:
		return -1;
	default:
		return err_set(err, ERR_FORMAT,
		               "tag %s: a value is a text, a number, true, false or null, no "
		               "object or array",
		               key);
	}
}

/* One document, an object; -1 without a message: json->error says why. */
static int
take_object(struct json *json, struct tag_list *list, struct err *err)
{
	struct slice value;
	int more = json_next(json) == JSON_OBJECT_BEGIN ? 1 : -1;

	while (more > 0 && (more = json_member(json)) > 0) {
		if (tag_check_key(json->text, err)) {
			return -1;
		}
		char *key = xstrndup(json->text.ptr, json->text.len);
		int rc = take_value(json, key, &value, err);
		rc = rc ? rc : tag_list_set(list, slice_of(key), value, err);
		free(key);
		if (rc) {
			return rc;
		}
	}
	return more == 0 && json_next(json) == JSON_END ? 0 : -1;
}

static int
take_json(struct tag_list *list, const char *path, struct slice document, struct err *err)
{
	struct json json = {0};
	struct tag_list read = {0};

	json_begin(&json, document, JSON_STRICT);
	int rc = take_object(&json, &read, err);
	if (rc) {
		uint64_t at = json.error ? json.error_offset : json_offset(&json);
		size_t line = 1, begin = 0;
		for (size_t i = 0; i < at; i++) {
			if (document.ptr[i] == '\n') {
				line++;
				begin = i + 1;
			}
		}
		if (json.error) {
			err_set(err, ERR_FORMAT,
			        "byte %zu: %s; tags that begin with { are one JSON object",
			        (size_t)at - begin + 1, json.error);
		}
		err_wrap(err, "%s:%zu", path, line);
	}
	rc = rc ? rc : tag_list_add(list, &read, err);
	tag_list_free(&read);
	json_fini(&json);
	return rc;
}

int
tag_file_read(struct tag_list *list, const char *path, struct err *err)
{
	static const char padding[INPUT_PADDING];
	struct strbuf text = {0};
	int rc = tag_list_load(path, &text, err);

	if (rc == 0) {
		size_t n = text.len;
		strbuf_add(&text, padding, sizeof padding);
		struct slice whole = {text.data, n}, document = slice_behind_mark(whole);
		struct slice seen = slice_trim(document, " \t\r\n");
		rc = seen.len > 0 && seen.ptr[0] == '{'
		         ? take_json(list, path, document, err)
		         : tag_list_take_lines(list, path, whole, NULL, err);
	}
	strbuf_free(&text);
	return rc;
}
