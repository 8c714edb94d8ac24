/* A value as JSON text again, for what is kept as it came: token by token, without blanks. */
#include "config.h"
#include "input/json.h"

#include "util/ascii.h"
#include "util/json_text.h"

/* What has to stand between the last thing written and the next value or key. */
static void
put_comma(struct strbuf *out, size_t from)
{
	char last = out->len > from ? out->data[out->len - 1] : '[';

	if (last != '[' && last != '{' && last != ':') {
		strbuf_add_char(out, ',');
	}
}

static void
put_token(const struct json *json, enum json_token token, struct strbuf *out)
{
	static const char *const fixed[] = {
	    [JSON_OBJECT_BEGIN] = "{", [JSON_OBJECT_END] = "}", [JSON_ARRAY_BEGIN] = "[",
	    [JSON_ARRAY_END] = "]",    [JSON_TRUE] = "true",    [JSON_FALSE] = "false",
	    [JSON_NULL] = "null"};

	if (token == JSON_KEY || token == JSON_STRING) {
		json_add_text_as(out, json->text, JSON_TEXT_KEPT);
		if (token == JSON_KEY) {
			strbuf_add_char(out, ':');
		}
	} else if (token == JSON_NUMBER) {
		/* The last character of NaN and Infinity is a letter. */
		bool is_finite = is_digit(json->text.ptr[json->text.len - 1]);
		strbuf_add_text(out, is_finite ? "" : "null");
		strbuf_add(out, json->text.ptr, is_finite ? json->text.len : 0);
	} else {
		strbuf_add_text(out, fixed[token]);
	}
}

int
json_copy_value_within(struct json *json, enum json_token token, size_t limit, struct strbuf *out)
{
	size_t from = out->len;
	bool is_container = token == JSON_OBJECT_BEGIN || token == JSON_ARRAY_BEGIN;
	unsigned depth = json->depth - is_container;

	put_token(json, token, out);
	while (json->depth > depth) {
		token = json_next(json);
		if (token == JSON_ERROR) {
			out->len = from;
			return -1;
		}
		if (out->len - from > limit) {
			continue;
		}
		if (token != JSON_OBJECT_END && token != JSON_ARRAY_END) {
			put_comma(out, from);
		}
		put_token(json, token, out);
	}
	if (out->len - from > limit) {
		out->len = from;
		return 1;
	}
	return 0;
}

int
json_copy_value(struct json *json, enum json_token token, struct strbuf *out)
{
	return json_copy_value_within(json, token, SIZE_MAX, out);
}
