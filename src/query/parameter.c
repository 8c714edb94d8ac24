/*
 * Parameters: where they stand in a statement, and what their texts mean. A parameter's kind
 * decides how its text is read, so that "-p window=30s" and "-p minimum=4MiB" need no conversion by
 * hand; what comes out is bound, never pasted into SQL.
 */
#include "config.h"
#include "query/query_file.h"

#include <ctype.h>
#include <math.h>

#include "util/format.h"

static bool
is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t
skip_quoted(struct slice sql, size_t i, char end, unsigned *line)
{
	for (i++; i < sql.len && sql.ptr[i] != end; i++) {
		*line += sql.ptr[i] == '\n';
	}
	return i + 1; /* a doubled quote is simply two strings in a row */
}

static size_t
skip_comment(struct slice sql, size_t i, unsigned *line)
{
	if (sql.ptr[i] == '-') {
		while (i < sql.len && sql.ptr[i] != '\n') {
			i++;
		}
		return i;
	}
	for (i += 2; i + 1 < sql.len && !(sql.ptr[i] == '*' && sql.ptr[i + 1] == '/'); i++) {
		*line += sql.ptr[i] == '\n';
	}
	return i + 2;
}

struct slice
query_next_parameter(struct slice sql, size_t *position, unsigned *line)
{
	size_t i = *position;
	while (i < sql.len) {
		char c = sql.ptr[i], next = i + 1 < sql.len ? sql.ptr[i + 1] : 0;
		if (c == '\'' || c == '"' || c == '`') {
			i = skip_quoted(sql, i, c, line);
		} else if (c == '[') {
			i = skip_quoted(sql, i, ']', line);
		} else if ((c == '-' && next == '-') || (c == '/' && next == '*')) {
			i = skip_comment(sql, i, line);
		} else if (c == ':' && is_name(next)) {
			size_t start = ++i;
			while (i < sql.len && is_name(sql.ptr[i])) {
				i++;
			}
			*position = i;
			return (struct slice){sql.ptr + start, i - start};
		} else {
			*line += c == '\n';
			i++;
		}
	}
	*position = sql.len;
	return (struct slice){"", 0};
}

static bool
parse_percent(struct slice text, double *share)
{
	bool percent = text.len && text.ptr[text.len - 1] == '%';
	text.len -= percent;
	while (percent && text.len && text.ptr[text.len - 1] == ' ') {
		text.len--;
	}
	if (!slice_double(text, share) || !isfinite(*share)) {
		return false;
	}
	*share = percent ? *share / 100 : *share;
	return true;
}

bool
query_parse_value(enum column_kind kind, struct slice text, struct value *value)
{
	int64_t integer = 0;
	double real = 0;
	bool ok = false;
	switch (kind) {
	case KIND_TEXT:
		*value = (struct value){.type = VALUE_TEXT, .text = text};
		return true;
	case KIND_INTEGER:
	case KIND_COUNT:
		ok = slice_int64(text, &integer);
		break;
	case KIND_DURATION:
	case KIND_TIME:
	case KIND_CLOCK:
		ok = parse_duration(text, &integer);
		break;
	case KIND_SIZE:
		ok = parse_size(text, &integer);
		break;
	case KIND_REAL:
		ok = slice_double(text, &real) && isfinite(real);
		break;
	case KIND_PERCENT:
		ok = parse_percent(text, &real);
		break;
	}
	bool is_real = kind == KIND_REAL || kind == KIND_PERCENT;
	if (ok) {
		*value = is_real ? value_real(real) : value_integer(integer);
	}
	return ok;
}

const char *
query_value_examples(enum column_kind kind)
{
	switch (kind) {
	case KIND_DURATION:
	case KIND_TIME:
	case KIND_CLOCK:
		return "a duration like 30s, 20ms, 1m30s, or nanoseconds";
	case KIND_SIZE:
		return "a size like 64KiB, 4 MB, 1G, or bytes";
	case KIND_PERCENT:
		return "a share like 50% or 0.5";
	case KIND_REAL:
		return "a number like 0.25";
	case KIND_INTEGER:
	case KIND_COUNT:
		return "an integer";
	case KIND_TEXT:
		break;
	}
	return "a text";
}
