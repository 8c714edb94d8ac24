/*
 * The list is split by the tokenizer of the filter language, so that an argument's key is written
 * as in filters. Sums put records that stand for many calls where no value is when they group by
 * duration, self time or size, since no call's is known; so do the conditions.
 */
#include "config.h"

#include "query/spans/span_by.h"

#include <inttypes.h>
#include <stdlib.h>

#include "column/scan/token.h"
#include "query/spans/span_filter.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/quote.h"

#define ARGUMENTS_MOST (ROW_ARG4 - ROW_ARG1 + 1)

static bool
is_grouped_by(enum row_column column)
{
	const struct row_column_info *info = &row_columns[column];

	return row_column_in(column, BLOCK_SPAN) && info->by && *info->by && !info->of;
}

const char *
span_by_name(size_t i)
{
	for (int column = 0; column < ROW_COLUMNS; column++) {
		if (is_grouped_by((enum row_column)column) && i-- == 0) {
			return row_columns[column].name;
		}
	}
	return NULL;
}

static int
refuse(const struct tokenizer *tokenizer, struct err *err)
{
	struct strbuf expected = {0};
	const char *name;

	strbuf_add_text(&expected, "a column (");
	for (size_t i = 0; (name = span_by_name(i)); i++) {
		strbuf_printf(&expected, "%s, ", name);
	}
	strbuf_add_text(&expected, "start(WIDTH), arg.KEY)");
	token_expected(tokenizer, expected.data, err);
	strbuf_free(&expected);
	return -1;
}

/* "(10ms)" behind start. */
static int
read_width(struct tokenizer *tokenizer, struct span_by_column *column, struct err *err)
{
	struct token *token = &tokenizer->token;
	struct strbuf name = {0};
	int64_t width_ns;

	if (token->type != TOKEN_OPEN || tokenizer_next(tokenizer, err)) {
		return err->code ? -1 : token_expected(tokenizer, "( and a width (10ms, 1s)", err);
	}
	if (token->type != TOKEN_NUMBER || !parse_duration(token->text, &width_ns) ||
	    width_ns <= 0) {
		return token_expected(tokenizer, "a width (10ms, 1s)", err);
	}
	strbuf_printf(&name, "start(%.*s)", (int)token->source.len, token->source.ptr);
	column->dimension = ROW_BUCKET;
	column->width_ns = width_ns;
	column->name = strbuf_take(&name);
	if (tokenizer_next(tokenizer, err)) {
		return -1;
	}
	return token->type == TOKEN_CLOSE ? tokenizer_next(tokenizer, err)
	                                  : token_expected(tokenizer, ") after the width", err);
}

static int
read_argument(struct tokenizer *tokenizer, struct span_by *by, struct span_by_column *column,
              struct err *err)
{
	struct strbuf name = {0};
	unsigned n = 0;

	for (unsigned i = 0; i < by->n; i++) {
		n += by->columns[i].dimension >= ROW_ARG1 && by->columns[i].dimension <= ROW_ARG4;
	}
	if (n == ARGUMENTS_MOST) {
		return token_error(tokenizer, &tokenizer->token, err, "more than %d arguments",
		                   ARGUMENTS_MOST);
	}
	strbuf_add_text(&name, "arg.");
	span_filter_write_key(&name, tokenizer->token.text);
	column->dimension = (enum row_column)(ROW_ARG1 + n);
	column->name = strbuf_take(&name);
	return tokenizer_next(tokenizer, err);
}

static int
read_column(struct tokenizer *tokenizer, struct span_by *by, struct span_by_column *column,
            struct err *err)
{
	const struct token token = tokenizer->token;
	int found = 0;

	if (token.type == TOKEN_ARGUMENT) {
		return read_argument(tokenizer, by, column, err);
	}
	if (token_is(&token, "start")) {
		return tokenizer_next(tokenizer, err) ? -1 : read_width(tokenizer, column, err);
	}
	while (found < ROW_COLUMNS &&
	       !(is_grouped_by((enum row_column)found) && token.type == TOKEN_WORD &&
	         row_column_is((enum row_column)found, token.text, BLOCK_SPAN))) {
		found++;
	}
	if (found == ROW_COLUMNS) {
		return refuse(tokenizer, err);
	}
	column->dimension = (enum row_column)found;
	column->name = xstrdup(row_columns[found].name);
	return tokenizer_next(tokenizer, err);
}

static bool
stands_twice(const struct span_by *by, const char *name)
{
	for (unsigned i = 0; i < by->n; i++) {
		if (strcmp(by->columns[i].name, name) == 0) {
			return true;
		}
	}
	return false;
}

static int
read_columns(struct tokenizer *tokenizer, struct span_by *by, struct err *err)
{
	for (;;) {
		const struct token token = tokenizer->token;
		struct span_by_column column = {.name = NULL};

		if (by->n == SCAN_DIMENSIONS) {
			return token_error(tokenizer, &token, err, "more than %d columns",
			                   SCAN_DIMENSIONS);
		}
		int rc = read_column(tokenizer, by, &column, err);

		if (rc == 0 && stands_twice(by, column.name)) {
			rc = token_error(tokenizer, &token, err, "%s stands there twice",
			                 column.name);
		}
		if (rc) {
			free(column.name);
			return -1;
		}
		by->columns[by->n++] = column;
		if (tokenizer->token.type == TOKEN_END) {
			return 0;
		}
		if (tokenizer->token.type != TOKEN_COMMA) {
			return token_expected(tokenizer, "a comma or the end", err);
		}
		if (tokenizer_next(tokenizer, err)) {
			return -1;
		}
	}
}

int
span_by_read(struct slice text, struct span_by *by, struct err *err)
{
	struct arena *arena = arena_new();
	struct tokenizer tokenizer;
	int rc = tokenizer_init(&tokenizer, "by", text, arena, err);

	*by = (struct span_by){.n = 0};
	rc = rc ? rc : read_columns(&tokenizer, by, err);
	arena_free(arena);
	if (rc) {
		span_by_free(by);
	}
	return rc;
}

void
span_by_free(struct span_by *by)
{
	while (by->n > 0) {
		free(by->columns[--by->n].name);
	}
}

void
span_by_write(const struct span_by *by, struct strbuf *out)
{
	for (unsigned i = 0; i < by->n; i++) {
		strbuf_printf(out, "%s%s", i ? ", " : "", by->columns[i].name);
	}
}

enum column_kind
span_by_kind(const struct span_by_column *column)
{
	const struct row_column_info *info = &row_columns[column->dimension];

	if (column->dimension == ROW_BUCKET) {
		return KIND_TIME;
	}
	if (info->class != ROW_CLASS_INTEGER) {
		return KIND_TEXT;
	}
	return info->unit == UNIT_DURATION ? KIND_DURATION
	       : info->unit == UNIT_SIZE   ? KIND_SIZE
	                                   : KIND_INTEGER;
}

void
span_by_and(struct strbuf *filter, const char *condition)
{
	strbuf_printf(filter, filter->len > 0 ? " AND (%s)" : "(%s)", condition);
}

/* The half-open bucket that begins there. The first has all that begins before it: where a scope
 * begins, spans that reach in are counted. */
static void
add_bucket(const struct span_by_column *column, int64_t start_ns, bool is_least,
           struct strbuf *filter)
{
	if (!is_least) {
		strbuf_printf(filter, "start >= %" PRId64 " AND ", start_ns);
	}
	strbuf_printf(filter, "start < %" PRId64, time_add(start_ns, column->width_ns));
}

bool
span_by_is_least(const struct result *result, size_t column, const struct value *value)
{
	size_t row = 0;

	while (row < result->n_rows &&
	       value_compare(value, result_value(result, row, column)) <= 0) {
		row++;
	}
	return row == result->n_rows;
}

void
span_by_condition(const struct span_by_column *column, const struct value *value, bool is_least,
                  struct strbuf *filter)
{
	bool is_of_calls = row_columns[column->dimension].is_of_calls;
	char real[FORMAT_BYTES];

	if (column->dimension == ROW_BUCKET && value->type == VALUE_INTEGER) {
		add_bucket(column, value->integer, is_least, filter);
		return;
	}
	strbuf_printf(filter, "%s ", column->dimension == ROW_BUCKET ? "start" : column->name);
	switch (value->type) {
	case VALUE_INTEGER:
		strbuf_printf(filter, "= %" PRId64, value->integer);
		break;
	case VALUE_REAL:
		strbuf_printf(filter, "= %s", format_real(real, value->real));
		break;
	case VALUE_TEXT:
		strbuf_add_text(filter, "= ");
		quote_add(filter, value->text, '\'');
		break;
	default:
		strbuf_add_text(filter, is_of_calls ? "IS NULL OR calls > 1" : "IS NULL");
		return;
	}
	strbuf_add_text(filter, is_of_calls ? " AND calls = 1" : "");
}
