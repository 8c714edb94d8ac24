/* A text is a relation if what stands before its first operator names a column;
 * anything else is a pattern. */
#include "config.h"

#include "ui/table/table_filter.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/relation.h"
#include "query/saved/kind.h"
#include "util/quote.h"
#include "ui/base/texts.h"
#include "util/regex.h"

struct table_filter {
	const struct result *result;
	size_t column; /* SIZE_MAX: any */
	enum relation relation;
	bool is_null;        /* the missing value is asked for */
	struct value number; /* what numbers are compared with; NULL: as all else with
                          the text */
	struct value value;  /* the text */
	char *text;          /* its bytes */
	struct regex *pattern;
	bool no_numbers; /* the shown text of a number never matches the pattern */
};

/* If text begins with a text in quotes: that one; *rest is what follows. */
static bool
take_quoted(struct slice text, struct strbuf *unquoted, struct slice *rest)
{
	size_t n;

	if (quote_take(text, unquoted, &n) != QUOTE_TAKEN) {
		return false;
	}
	*rest = slice_from(text, n);
	return true;
}

static int
no_such_column(const struct result *result, struct slice name, struct err *err)
{
	const char **names = xcalloc(result->n_columns + 1, sizeof *names);

	for (size_t i = 0; i < result->n_columns; i++) {
		names[i] = result->columns[i].name;
	}
	(void)relation_no_column(name, names, result->n_columns, err);
	free(names);
	return -1;
}

/* Splits "total > 40ms": 1 if it is one, 0 if it is a pattern, -1 if it looks
 * like one of an unknown column. */
static int
split(struct table_filter *filter, struct slice text, struct slice *value, struct err *err)
{
	struct relation_parts parts;
	int rc = 0;

	if (relation_split(text, &parts)) {
		filter->column = (size_t)column_find(filter->result->columns,
		                                     filter->result->n_columns, parts.column);
		filter->relation = parts.relation;
		*value = parts.value;
		rc = filter->column != SIZE_MAX ? 1 : 0;
		if (rc == 0 && parts.is_meant) {
			rc = no_such_column(filter->result, parts.column, err);
		}
	}
	relation_parts_free(&parts);
	return rc;
}

static bool
is_null_word(struct slice text)
{
	return slice_is(text, "NULL") || slice_is(text, "null");
}

/* Plain numbers first: a mean of 1234.5 ns must be found again to the last
 * digit. */
static bool
parse_number(enum column_kind kind, struct slice text, struct value *number)
{
	int64_t integer;
	double real;

	if (slice_int64(text, &integer)) {
		*number = value_integer(integer);
		return true;
	}
	if (slice_double(text, &real)) {
		*number = value_real(real);
		return true;
	}
	return kind != KIND_TEXT && query_parse_value(kind, text, number);
}

/* What a relation compares with. */
static int
set_value(struct table_filter *filter, struct slice text, struct err *err)
{
	const struct result_column *column = &filter->result->columns[filter->column];
	struct strbuf unquoted = {0};
	struct slice rest;
	bool is_quoted = take_quoted(text, &unquoted, &rest) && rest.len == 0;

	filter->text =
	    is_quoted ? xstrndup(unquoted.len ? unquoted.data : "", unquoted.len) : text_new(text);
	text = (struct slice){filter->text, is_quoted ? unquoted.len : text.len};
	strbuf_free(&unquoted);
	filter->value = (struct value){.type = VALUE_TEXT, .text = text};
	if (is_quoted) {
		return 0;
	}
	if (is_null_word(text) && filter->relation <= RELATION_NOT_EQUAL) {
		filter->is_null = true;
	} else if (!parse_number(column->kind, text, &filter->number) &&
	           column_kind_is_number(column->kind)) {
		return err_set(err, ERR_USAGE, "filter: '%.*s' is no value for column %s: write %s",
		               (int)text.len, text.ptr, column->name,
		               column_kinds[column->kind].examples);
	}
	return 0;
}

bool
value_shows_in_numbers(char c)
{
	/* The letters of all units, in either case; what is not ASCII may be a blank of its own. */
	return (unsigned char)c >= 0x80 ||
	       strchr("0123456789.+-%:>/ abdefghikmnpstuABDEFGHIKMNPSTU", c) != NULL;
}

/* Whether the pattern demands a character that stands in no shown number, which saves most of the
 * work on wide results. Only plain sequences are understood: whatever may make a character optional
 * says no. */
static bool
demands_text(struct slice pattern)
{
	bool demands = false;

	for (size_t i = 0; i < pattern.len; i++) {
		char c = pattern.ptr[i];

		if (c == '*' && i > 0 && pattern.ptr[i - 1] == '.') {
			continue;
		}
		if (strchr("|()[]{}\\?*", c)) {
			return false;
		}
		demands = demands || (!strchr(".^$+", c) && !value_shows_in_numbers(c));
	}
	return demands;
}

struct table_filter *
table_filter_compile(const struct result *result, struct slice text, struct err *err)
{
	struct table_filter *filter = xcalloc(1, sizeof *filter);
	struct slice value = {"", 0};
	int kind;

	text = slice_trim(text, " \t");
	filter->result = result;
	kind = split(filter, text, &value, err);
	if (kind == 0) {
		filter->column = SIZE_MAX;
		filter->relation = RELATION_MATCHES;
		value = text;
	}
	if (kind < 0) {
		goto fail;
	}
	if (filter->relation >= RELATION_MATCHES) {
		filter->no_numbers = demands_text(value);
		filter->pattern = regex_compile(value, err);
		if (!filter->pattern) {
			goto fail;
		}
	} else if (set_value(filter, value, err)) {
		goto fail;
	}
	return filter;
fail:
	table_filter_free(filter);
	return NULL;
}

void
table_filter_free(struct table_filter *filter)
{
	if (filter) {
		regex_free(filter->pattern);
		free(filter->text);
		free(filter);
	}
}

static bool
relation_holds(enum relation relation, int order)
{
	switch (relation) {
	case RELATION_EQUAL:
		return order == 0;
	case RELATION_NOT_EQUAL:
		return order != 0;
	case RELATION_LESS:
		return order < 0;
	case RELATION_LESS_EQUAL:
		return order <= 0;
	case RELATION_GREATER:
		return order > 0;
	default:
		return order >= 0;
	}
}

static bool
cell_matches(const struct table_filter *filter, size_t row, size_t column)
{
	const struct value *value = result_value(filter->result, row, column);
	char buffer[FORMAT_BYTES];

	if (filter->no_numbers && value_is_number(value)) {
		return false;
	}
	return regex_matches(filter->pattern,
	                     value_show(value, result_kind(filter->result, row, column), buffer));
}

bool
table_filter_holds(const struct table_filter *filter, size_t row)
{
	const struct value *value;
	bool is_number;

	if (filter->column == SIZE_MAX) {
		size_t i = 0;

		while (i < filter->result->n_columns && !cell_matches(filter, row, i)) {
			i++;
		}
		return i < filter->result->n_columns;
	}
	if (filter->pattern) {
		return cell_matches(filter, row, filter->column) ==
		       (filter->relation == RELATION_MATCHES);
	}
	value = result_value(filter->result, row, filter->column);
	if (value->type == VALUE_NULL || filter->is_null) {
		return filter->is_null &&
		       (value->type == VALUE_NULL) == (filter->relation == RELATION_EQUAL);
	}
	is_number = filter->number.type != VALUE_NULL && value_is_number(value);
	return relation_holds(filter->relation,
	                      value_compare(value, is_number ? &filter->number : &filter->value));
}

/* Whether a text means itself without quotes, and reads as the same text. */
static bool
is_plain(struct slice text)
{
	struct slice trimmed = slice_trim(text, " \t"), rest;
	struct strbuf unquoted = {0};
	struct value number;
	bool is_quoted = take_quoted(text, &unquoted, &rest);

	strbuf_free(&unquoted);
	return text.len > 0 && !parse_number(KIND_TEXT, text, &number) && trimmed.len == text.len &&
	       !is_quoted && !quote_escapes(text) && !is_null_word(text);
}

void
table_filter_write(struct strbuf *out, const struct result_column *column,
                   const struct value *value)
{
	struct slice name = slice_of(column->name);
	char buffer[FORMAT_BYTES];

	if (relation_is_identifier(name)) {
		strbuf_add_slice(out, name);
	} else {
		quote_add(out, name, '"');
	}
	strbuf_add_text(out, " = ");
	switch (value->type) {
	case VALUE_NULL:
		strbuf_add_text(out, "NULL");
		break;
	case VALUE_INTEGER:
		strbuf_printf(out, "%lld", (long long)value->integer);
		break;
	case VALUE_REAL:
		strbuf_add_text(out, format_real(buffer, value->real));
		break;
	default:
		if (is_plain(value->text) && column->kind == KIND_TEXT) {
			strbuf_add_slice(out, value->text);
		} else {
			quote_add(out, value->text, '"');
		}
	}
}
