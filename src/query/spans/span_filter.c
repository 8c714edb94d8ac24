/*
 * A filter is tried on a run without spans when it is typed, so that a mistake is known at once, by
 * its place in what was typed, and no worker is asked with it.
 */
#include "config.h"

#include "query/spans/span_filter.h"

#include <stdlib.h>
#include <string.h>

#include "column/scan/filter.h"
#include "column/scan/rowcolumn.h"
#include "column/scan/token.h"
#include "query/saved/relation.h"
#include "util/quote.h"
#include "util/regex.h"

static bool
is_column(struct slice name)
{
	enum row_column column;

	return row_column_find(name, BLOCK_SPAN, &column) ||
	       (name.len > 4 && slice_starts_with(name, "arg.") && name.ptr[4] != ' ');
}

static struct slice
skip(struct slice text, size_t n)
{
	return slice_trim(slice_from(text, n), " \t");
}

static struct slice
word_of(struct slice text)
{
	size_t n = 0;

	while (n < text.len && !strchr(" \t=<>!~(", text.ptr[n])) {
		n++;
	}
	return (struct slice){text.ptr, n};
}

/* Behind what may stand before a condition's first column. */
static struct slice
skip_openings(struct slice text)
{
	for (;;) {
		if (text.len > 0 && text.ptr[0] == '(') {
			text = skip(text, 1);
		} else if (text.len > 4 && slice_is_anycase(word_of(text), "NOT")) {
			text = skip(text, 3);
		} else {
			return text;
		}
	}
}

/* "size of it" is a pattern, "size IN (1, 2)" a condition. */
static bool
is_condition(struct slice text)
{
	static const char *const words[] = {"IN", "NOT", "BETWEEN", "LIKE", "GLOB", "REGEXP", "IS"};
	struct slice column = word_of(text), rest = skip(text, column.len), word = word_of(rest);

	if (!is_column(column) || rest.len == 0) {
		return false;
	}
	if (column.len > 4 && (column.ptr[4] == '"' || column.ptr[4] == '\'')) {
		return true; /* arg."any key" */
	}
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (slice_is_anycase(word, words[i])) {
			return true;
		}
	}
	return strchr("=<>", rest.ptr[0]) || slice_starts_with(rest, "!=");
}

/* "name ~ ^x" is no condition of the language, but one of what it has. */
static void
write_pattern(struct strbuf *out, struct slice column, bool is_negated, struct slice pattern)
{
	strbuf_printf(out, "%.*s %sREGEXP ", (int)column.len, column.ptr, is_negated ? "NOT " : "");
	quote_add(out, pattern, '\'');
}

static int
check_pattern(struct slice pattern, struct err *err)
{
	struct regex *regex = regex_compile(pattern, err);

	regex_free(regex);
	return regex ? 0 : -1;
}

static int
no_column(struct slice name, struct err *err)
{
	const char *names[ROW_COLUMNS];
	size_t n = 0;

	for (int i = 0; i < ROW_COLUMNS; i++) {
		if (row_column_is_named((enum row_column)i, BLOCK_SPAN)) {
			names[n++] = row_columns[i].name;
		}
	}
	return relation_no_column(name, names, n, err);
}

/* What is no condition: a relation that only tables have, a mistyped one, or a pattern for
 * names. */
static int
write_other(struct slice text, struct strbuf *out, struct err *err)
{
	struct relation_parts parts;
	struct strbuf unquoted = {0};
	struct slice pattern = text, column = slice_of("name");
	bool is_negated = false;
	size_t n;
	int rc = 0;

	if (relation_split(text, &parts) && parts.relation >= RELATION_MATCHES &&
	    is_column(parts.column)) {
		column = parts.column;
		pattern = parts.value;
		is_negated = parts.relation == RELATION_MATCHES_NOT;
		if (quote_take(pattern, &unquoted, &n) == QUOTE_TAKEN && n == pattern.len) {
			pattern = unquoted.data ? strbuf_slice(&unquoted) : slice_of("");
		}
	} else if (parts.is_meant) {
		rc = no_column(parts.column, err);
	}
	rc = rc == 0 ? check_pattern(pattern, err) : rc;
	if (rc == 0) {
		write_pattern(out, column, is_negated, pattern);
	}
	relation_parts_free(&parts);
	strbuf_free(&unquoted);
	return rc;
}

char *
span_filter_write(struct slice text, struct err *err)
{
	struct strbuf out = {0};
	struct slice trimmed = slice_trim(text, " \t");
	int rc;

	if (is_condition(skip_openings(trimmed))) {
		strbuf_add_slice(&out, text); /* blanks count in the place of a mistake */
		rc = filter_check(out.data, err);
		strbuf_clear(&out);
		strbuf_add_slice(&out, trimmed);
	} else {
		rc = write_other(trimmed, &out, err);
	}
	if (rc != 0) {
		strbuf_free(&out);
		return NULL;
	}
	return strbuf_take(&out);
}

bool
span_filter_names(const char *filter, const char *column)
{
	struct arena *arena = arena_new();
	struct tokenizer tokenizer;
	struct err err = ERR_INIT;
	int rc = tokenizer_init(&tokenizer, "filter", slice_of(filter), arena, &err);
	bool names = false;

	while (rc == 0 && tokenizer.token.type != TOKEN_END && !names) {
		names = token_is(&tokenizer.token, column);
		rc = tokenizer_next(&tokenizer, &err);
	}
	arena_free(arena);
	return names;
}

void
span_filter_write_key(struct strbuf *out, struct slice key)
{
	if (token_is_key(key)) {
		strbuf_add_slice(out, key);
	} else {
		quote_add(out, key, '"');
	}
}

void
span_filter_add_name(struct strbuf *out, const char *text)
{
	struct strbuf pattern = {0};

	if (strpbrk(text, "^$*[|\\")) {
		strbuf_add_text(out, "name REGEXP ");
		quote_add(out, slice_of(text), '\'');
		return;
	}
	strbuf_add_char(&pattern, '%');
	for (const char *c = text; *c; c++) {
		if (*c == '%' || *c == '_') {
			strbuf_add_char(&pattern, '\\');
		}
		strbuf_add_char(&pattern, *c);
	}
	strbuf_add_char(&pattern, '%');
	strbuf_add_text(out, "name LIKE ");
	quote_add(out, strbuf_slice(&pattern), '\'');
	if (strpbrk(text, "%_")) {
		strbuf_add_text(out, " ESCAPE '\\'");
	}
	strbuf_free(&pattern);
}
