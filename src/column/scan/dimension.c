/*
 * dimension { ',' dimension }, where a dimension is a column's name, arg.KEY, start(WIDTH),
 * time(WIDTH) or pattern(REGEX [, REPLACEMENT]).
 */
#include "config.h"
#include "column/scan/dimension.h"

#include "column/scan/token.h"
#include "util/regex.h"

#define PATTERN_BYTES 10000u

struct parser {
	struct tokenizer tokenizer;
	const struct dataset *dataset;
	enum block_kind kind;
	const struct scan_value *parameters;
	struct arena *arena;
};

static int
next(struct parser *parser, struct err *err)
{
	return tokenizer_next(&parser->tokenizer, err);
}

static int
expect(struct parser *parser, enum token_type type, const char *what, struct err *err)
{
	if (parser->tokenizer.token.type != type) {
		return token_expected(&parser->tokenizer, what, err);
	}
	return next(parser, err);
}

static int
refuse_name(struct parser *parser, struct err *err)
{
	struct strbuf expected = {0};
	const char *separator = "a dimension (";
	for (int i = 0; i < ROW_COLUMNS; i++) {
		if (row_columns[i].by && *row_columns[i].by &&
		    row_column_in((enum row_column)i, parser->kind)) {
			strbuf_printf(&expected, "%s%s", separator, row_columns[i].by);
			separator = ", ";
		}
	}
	strbuf_add_char(&expected, ')');
	token_expected(&parser->tokenizer, expected.data, err);
	strbuf_free(&expected);
	return -1;
}

/* A text, or a parameter that is one, copied. */
static int
parse_text(struct parser *parser, const char *what, struct slice *text, struct err *err)
{
	const struct token *token = &parser->tokenizer.token;
	struct slice value = token->text;
	if (token->type == TOKEN_PARAMETER &&
	    parser->parameters[token->parameter].type == SCAN_TEXT) {
		value = parser->parameters[token->parameter].text;
	} else if (token->type != TOKEN_TEXT) {
		return token_expected(&parser->tokenizer, what, err);
	}
	if (value.len > PATTERN_BYTES) {
		return err_set(err, ERR_LIMIT, "by: a pattern longer than %u bytes", PATTERN_BYTES);
	}
	*text = arena_slice(parser->arena, value);
	return next(parser, err);
}

/* (WIDTH) */
static int
parse_width(struct parser *parser, int64_t *width_ns, struct err *err)
{
	const struct token *token = &parser->tokenizer.token;
	const char *what = "a width (10ms, 1s, or a parameter)";
	struct scan_value value = {.type = SCAN_NULL};
	if (expect(parser, TOKEN_OPEN, "( and the width of the buckets", err) < 0) {
		return -1;
	}
	struct slice text = token->text;
	bool is_text = token->type == TOKEN_NUMBER || token->type == TOKEN_TEXT;
	if (token->type == TOKEN_PARAMETER) {
		value = parser->parameters[token->parameter];
		is_text = value.type == SCAN_TEXT;
		text = value.text;
	}
	if (is_text && !number_parse(text, UNIT_DURATION, &value)) {
		return token_expected(&parser->tokenizer, what, err);
	}
	if (value.type == SCAN_REAL && value.real >= 1 && value.real < 9e18) {
		value = (struct scan_value){.type = SCAN_INTEGER, .integer = (int64_t)value.real};
	}
	if (value.type != SCAN_INTEGER) {
		return token_expected(&parser->tokenizer, what, err);
	}
	if (value.integer <= 0) {
		return token_error(&parser->tokenizer, token, err, "the width must be above 0");
	}
	*width_ns = value.integer;
	return next(parser, err) ? -1 : expect(parser, TOKEN_CLOSE, ") after the width", err);
}

/* (REGEX [, REPLACEMENT]) */
static int
parse_pattern(struct parser *parser, struct dimension_spec *spec, struct err *err)
{
	if (expect(parser, TOKEN_OPEN, "( and a pattern", err) < 0) {
		return -1;
	}
	size_t position = parser->tokenizer.token.position;
	if (parse_text(parser, "a pattern ('[0-9]+', or a parameter that is a text)",
	               &spec->pattern, err)) {
		return -1;
	}
	struct regex *regex = regex_compile(spec->pattern, err);
	if (!regex) {
		return err_wrap(err, "by, character %zu", position + 1);
	}
	regex_free(regex);
	if (parser->tokenizer.token.type == TOKEN_COMMA &&
	    (next(parser, err) ||
	     parse_text(parser, "a replacement (a text)", &spec->replacement, err))) {
		return -1;
	}
	return expect(parser, TOKEN_CLOSE, ", or ) after the pattern", err);
}

static int
parse_argument(struct parser *parser, struct dimension_list *list, struct dimension_spec *spec,
               struct err *err)
{
	unsigned n_args = 0;
	for (unsigned i = 0; i < list->n; i++) {
		n_args += list->specs[i].column == ROW_ARG;
	}
	if (ROW_ARG1 + n_args > ROW_ARG4) {
		return token_error(&parser->tokenizer, &parser->tokenizer.token, err,
		                   "more than 4 arguments");
	}
	spec->dimension = (enum row_column)(ROW_ARG1 + n_args);
	spec->column = ROW_ARG;
	spec->key = dataset_key(parser->dataset, parser->tokenizer.token.text);
	return next(parser, err);
}

static int
parse_dimension(struct parser *parser, struct dimension_list *list, struct dimension_spec *spec,
                struct err *err)
{
	struct token token = parser->tokenizer.token;
	int found = 0;
	*spec = (struct dimension_spec){0};
	if (token.type == TOKEN_ARGUMENT) {
		return parse_argument(parser, list, spec, err);
	}
	while (token.type == TOKEN_WORD && found < ROW_ARG &&
	       !(row_columns[found].by &&
	         row_column_is((enum row_column)found, token.text, parser->kind))) {
		found++;
	}
	if (token.type != TOKEN_WORD || found == ROW_ARG) {
		return refuse_name(parser, err);
	}
	spec->dimension = (enum row_column)found;
	spec->column =
	    row_columns[found].of ? (enum row_column)row_columns[found].of : spec->dimension;
	for (unsigned i = 0; i < list->n; i++) {
		if (list->specs[i].dimension == spec->dimension) {
			return token_error(&parser->tokenizer, &token, err, "%s stands there twice",
			                   row_columns[found].name);
		}
	}
	if (next(parser, err)) {
		return -1;
	}
	if (found == ROW_PATTERN) {
		return parse_pattern(parser, spec, err);
	}
	return spec->column == ROW_START ? parse_width(parser, &spec->width_ns, err) : 0;
}

int
dimension_parse(const struct dataset *dataset, enum block_kind kind, const char *by,
                const struct scan_value *parameters, struct arena *arena,
                struct dimension_list *list, struct err *err)
{
	struct parser parser = {
	    .dataset = dataset, .kind = kind, .parameters = parameters, .arena = arena};
	struct token *token = &parser.tokenizer.token;
	list->n = 0;
	if (tokenizer_init(&parser.tokenizer, "by", slice_of(by ? by : ""), arena, err)) {
		return -1;
	}
	while (token->type != TOKEN_END) {
		if (list->n == SCAN_DIMENSIONS) {
			return token_error(&parser.tokenizer, token, err, "more than %d dimensions",
			                   SCAN_DIMENSIONS);
		}
		struct dimension_spec spec;
		if (parse_dimension(&parser, list, &spec, err)) {
			return -1;
		}
		list->specs[list->n++] = spec;
		if (token->type == TOKEN_END) {
			break;
		}
		if (expect(&parser, TOKEN_COMMA, ", or the end", err)) {
			return -1;
		}
		if (token->type == TOKEN_END) {
			return refuse_name(&parser, err);
		}
	}
	return 0;
}
