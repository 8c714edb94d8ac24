/*
 * Functions of text: regular expressions and parts of paths.
 *
 * A compiled pattern is kept as auxiliary data of its argument: for a constant or a parameter it is
 * compiled once a statement. SQLite may drop such data the moment it is handed over, so that comes
 * last.
 */
#include "config.h"
#include "store/functions.h"

#include "column/pathname.h"
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
		struct strbuf out = {NULL, 0, 0};
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

const struct sql_function functions_text[] = {
    {"regexp", 2, call_regexp, NULL, NULL, NULL},
    {"regexp_replace", 3, call_regexp_replace, NULL, NULL, NULL},
    {"basename", 1, call_basename, NULL, NULL, NULL},
    {"dirname", 1, call_dirname, NULL, NULL, NULL},
    {NULL, 0, NULL, NULL, NULL, NULL},
};
