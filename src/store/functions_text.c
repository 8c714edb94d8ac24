/*
 * Functions of text: regular expressions, parts of paths, what a lane's kind means.
 *
 * A compiled pattern is kept as auxiliary data of its argument: for a constant or a parameter it is
 * compiled once a statement. SQLite may drop such data the moment it is handed over, so that comes
 * last.
 */
#include "config.h"
#include "store/functions.h"

#include "column/scan/pathname.h"
#include "model/model.h"
#include "util/ascii.h"
#include "util/regex.h"

static struct slice
value_slice(sqlite3_value *value)
{
	const char *text = (const char *)sqlite3_value_text(value);
	return (struct slice){text ? text : "", text ? (size_t)sqlite3_value_bytes(value) : 0};
}

static void
result_slice(sqlite3_context *context, struct slice text)
{
	sqlite3_result_text64(context, text.ptr ? text.ptr : "", text.len, SQLITE_TRANSIENT,
	                      SQLITE_UTF8);
}

static bool
any_null(int argc, sqlite3_value **argv)
{
	for (int i = 0; i < argc; i++) {
		if (sqlite3_value_type(argv[i]) == SQLITE_NULL) {
			return true;
		}
	}
	return false;
}

static void
free_regex(void *regex)
{
	regex_free(regex);
}

/* The pattern of argument i; *is_new: to be handed over by keep_regex. NULL: the error is set. */
static struct regex *
get_regex(sqlite3_context *context, sqlite3_value **argv, int i, bool *is_new)
{
	struct regex *regex = sqlite3_get_auxdata(context, i);
	*is_new = !regex;
	if (!regex) {
		struct err err = ERR_INIT;
		regex = regex_compile(value_slice(argv[i]), &err);
		if (!regex) {
			function_fail(context, err.message);
		}
	}
	return regex;
}

static void
keep_regex(sqlite3_context *context, int i, struct regex *regex, bool is_new)
{
	if (is_new) {
		sqlite3_set_auxdata(context, i, regex, free_regex);
	}
}

static void
call_regexp(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	bool is_new;
	if (any_null(argc, argv)) {
		return;
	}
	struct regex *regex = get_regex(context, argv, 0, &is_new);
	if (regex) {
		sqlite3_result_int(context, regex_matches(regex, value_slice(argv[1])));
		keep_regex(context, 0, regex, is_new);
	}
}

static void
call_regexp_replace(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	bool is_new;
	if (any_null(argc, argv)) {
		return;
	}
	struct regex *regex = get_regex(context, argv, 1, &is_new);
	if (regex) {
		struct strbuf out = {0};
		(void)regex_replace(regex, value_slice(argv[0]), value_slice(argv[2]), &out);
		result_slice(context, strbuf_slice(&out));
		strbuf_free(&out);
		keep_regex(context, 1, regex, is_new);
	}
}

static void
call_basename(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	if (!any_null(argc, argv)) {
		result_slice(context, path_basename(value_slice(argv[0])));
	}
}

static void
call_dirname(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	if (!any_null(argc, argv)) {
		result_slice(context, path_dirname(value_slice(argv[0])));
	}
}

/* Bytes above 127 are of letters of other scripts. */
static bool
is_letter_like(char c)
{
	return is_letter(c) || (c & 0x80) != 0;
}

/* A word of letters alone; but eight from a to f are a hash. */
static bool
is_name_word(struct slice word)
{
	bool is_hash = word.len == 8;

	for (size_t i = 0; i < word.len; i++) {
		if (!is_letter_like(word.ptr[i])) {
			return false;
		}
		is_hash &= word.ptr[i] >= 'a' && word.ptr[i] <= 'f';
	}
	return word.len > 0 && !is_hash;
}

/* The first word of a key: what stands in a tuple's first place is taken out of its brackets and
 * quotes. */
static struct slice
first_word(struct slice key)
{
	const char *dash = memchr(key.ptr, '-', key.len);
	struct slice word = {key.ptr, dash ? (size_t)(dash - key.ptr) : key.len};

	if (word.len == 0 || is_letter_like(word.ptr[0])) {
		return word;
	}
	const char *comma = memchr(word.ptr, ',', word.len);
	word.len = comma ? (size_t)(comma - word.ptr) : word.len;
	while (word.len && strchr("_'()\"", word.ptr[0])) {
		word = slice_from(word, 1);
	}
	while (word.len && strchr("_'()\"", word.ptr[word.len - 1])) {
		word.len--;
	}
	return word;
}

static bool
is_digest(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (!strchr("0123456789abcdef", text.ptr[i]) || text.ptr[i] == '\0') {
			return false;
		}
	}
	return text.len == 32;
}

/* "<module.submodule.name object at 0x1>": name. */
static struct slice
object_name(struct slice text)
{
	while (text.len && (text.ptr[0] == '<' || text.ptr[0] == '>')) {
		text = slice_from(text, 1);
	}
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == ' ' || text.ptr[i] == '>') {
			text.len = i;
		}
	}
	for (size_t i = text.len; i > 0; i--) {
		if (text.ptr[i - 1] == '.') {
			return slice_from(text, i);
		}
	}
	return text;
}

/* The function's name in a task's key, as dask.utils.key_split has it: words of letters up to the
 * first that is none. */
static void
call_dask_name(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	struct strbuf name = {0};
	struct slice key, word;

	if (any_null(argc, argv)) {
		return;
	}
	key = value_slice(argv[0]);
	word = first_word(key);
	strbuf_add_slice(&name, word);
	for (const char *dash = memchr(key.ptr, '-', key.len); dash;) {
		const char *start = dash + 1;
		size_t left = (size_t)(key.ptr + key.len - start);
		dash = memchr(start, '-', left);
		word = (struct slice){start, dash ? (size_t)(dash - start) : left};
		if (!is_name_word(word)) {
			break;
		}
		strbuf_add_char(&name, '-');
		strbuf_add_slice(&name, word);
	}
	struct slice result = strbuf_slice(&name);
	result = result.len == 0        ? slice_of("Other")
	         : is_digest(result)    ? slice_of("data")
	         : result.ptr[0] == '<' ? object_name(result)
	                                : result;
	result_slice(context, result);
	strbuf_free(&name);
}

static void
call_lane_is_beside(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	enum lane_kind kind;

	if (any_null(argc, argv)) {
		return;
	}
	kind = lane_kind_named(value_slice(argv[0]));
	if (kind == LANE_KINDS) {
		(void)function_fail(context, "there is no such kind of lane");
		return;
	}
	sqlite3_result_int(context, lane_kind_is_beside(kind));
}

const struct sql_function functions_text[] = {
    {"regexp", 2, .call = call_regexp},
    {"regexp_replace", 3, .call = call_regexp_replace},
    {"basename", 1, .call = call_basename},
    {"dirname", 1, .call = call_dirname},
    {"dask_name", 1, .call = call_dask_name},
    {"lane_is_beside", 1, .call = call_lane_is_beside},
    {0},
};
