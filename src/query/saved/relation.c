/* "total > 40ms", "\"a column\" ~ ^x": taken apart at the first operator, quoted names aside. */
#include "config.h"

#include "query/saved/relation.h"

#include <stdio.h>
#include <string.h>

#include "query/saved/query.h"
#include "util/ascii.h"
#include "util/order.h"
#include "util/quote.h"

static const struct {
	const char *text;
	enum relation relation;
} relations[] = {{"<>", RELATION_NOT_EQUAL},   {"!=", RELATION_NOT_EQUAL},
                 {"<=", RELATION_LESS_EQUAL},  {">=", RELATION_GREATER_EQUAL},
                 {"==", RELATION_EQUAL},       {"=", RELATION_EQUAL},
                 {"<", RELATION_LESS},         {">", RELATION_GREATER},
                 {"!~", RELATION_MATCHES_NOT}, {"~", RELATION_MATCHES}};

/* Index in relations of the operator that text begins with; SIZE_MAX if none. */
static size_t
operator_at(struct slice text)
{
	for (size_t i = 0; i < COUNT_OF(relations); i++) {

		if (slice_starts_with(text, relations[i].text)) {
			return i;
		}
	}
	return SIZE_MAX;
}

bool
relation_is_identifier(struct slice name)
{
	for (size_t i = 0; i < name.len; i++) {
		if (!is_word_char(name.ptr[i])) {
			return false;
		}
	}
	return name.len > 0;
}

bool
relation_split(struct slice text, struct relation_parts *parts)
{
	struct slice rest = text;
	size_t found = SIZE_MAX, length, n = 0;

	*parts = (struct relation_parts){.column = {text.ptr, 0}};
	bool is_quoted = text.len > 0 && text.ptr[0] != '\'' &&
	                 quote_take(text, &parts->quoted, &n) == QUOTE_TAKEN;
	if (is_quoted) {
		rest = slice_trim(slice_from(text, n), " \t");
		found = operator_at(rest);
		parts->column = parts->quoted.data ? strbuf_slice(&parts->quoted) : parts->column;
	}
	for (size_t at = 1; !is_quoted && at < text.len && found == SIZE_MAX; at++) {
		rest = slice_from(text, at);
		found = operator_at(rest);
		parts->column = slice_trim((struct slice){text.ptr, at}, " \t");
	}
	if (found == SIZE_MAX) {
		return false;
	}
	length = strlen(relations[found].text);
	parts->relation = relations[found].relation;
	parts->value = slice_trim(slice_from(rest, length), " \t");
	parts->is_meant =
	    is_quoted || (relation_is_identifier(parts->column) && rest.ptr > text.ptr &&
	                  rest.ptr[-1] == ' ' && rest.len > length && rest.ptr[length] == ' ');
	return true;
}

void
relation_parts_free(struct relation_parts *parts)
{
	strbuf_free(&parts->quoted);
}

int
relation_no_column(struct slice name, const char *const *names, size_t n, struct err *err)
{
	char typed[128];

	snprintf(typed, sizeof typed, "%.*s", (int)LEAST(name.len, 120), name.ptr);
	const char *near = query_suggest(typed, names, n);
	return err_set(err, ERR_USAGE, "filter: there is no column '%s'%s%s%s", typed,
	               near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}
