/*
 * Predicates: a column, an operator and its values. BETWEEN becomes two comparisons; a comparison
 * with NULL becomes FALSE, for "unknown" leaves a row out as "false" does, negated or not. What
 * can be refused is refused here, with its position, so that evaluation cannot fail.
 */
#include "config.h"
#include "column/scan/filter_parser.h"

#include <math.h>
#include <stdlib.h>

#include "util/ascii.h"
#include "util/order.h"
#include "util/utf8.h"

static int
next(struct filter_parser *parser, struct err *err)
{
	return tokenizer_next(&parser->tokenizer, err);
}

/* Rough price of a condition on one row. */
static unsigned
leaf_cost(const struct filter_leaf *leaf)
{
	static const unsigned costs[] = {[ROW_CLASS_INTEGER] = 2,
	                                 [ROW_CLASS_REAL] = 4,
	                                 [ROW_CLASS_TEXT] = 3,
	                                 [ROW_CLASS_LANE] = 1,
	                                 [ROW_CLASS_ARG] = 20};
	return costs[leaf->class] +
	       (leaf->op >= FILTER_IN && leaf->class == ROW_CLASS_INTEGER ? 20 : 0);
}

struct filter_node *
filter_node_new(struct filter_parser *parser, int type)
{
	struct filter_node *node = arena_zalloc(parser->filter->arena, sizeof *node);
	node->type = type;
	return node;
}

void
filter_node_add(struct filter_node *parent, struct filter_node *child)
{
	struct filter_node **place = &parent->child;
	while (*place && (*place)->cost <= child->cost) {
		place = &(*place)->next;
	}
	child->next = *place;
	*place = child;
	if (parent->cost < child->cost) {
		parent->cost = child->cost;
	}
}

static struct filter_node *
leaf_node(struct filter_parser *parser, const struct filter_leaf *leaf)
{
	struct filter *filter = parser->filter;
	struct filter_leaf *copy = arena_copy(filter->arena, leaf, sizeof *leaf);
	copy->index = filter->n_leaves;
	MEM_GROW(filter->leaves, parser->leaves_capacity, filter->n_leaves + 1);
	filter->leaves[filter->n_leaves++] = copy;
	struct filter_node *node = filter_node_new(parser, FILTER_LEAF);
	node->leaf = copy;
	node->cost = leaf_cost(copy);
	return node;
}

static const char *
unit_words(enum number_unit unit)
{
	switch (unit) {
	case UNIT_DURATION:
		return "a duration (250, 10ms, 1.5s)";
	case UNIT_SIZE:
		return "a size (512, 4KiB, 1.5MiB)";
	case UNIT_NONE:
		return "a number";
	default:
		return "a number (with a unit of time or size if it needs one)";
	}
}

/* What a condition's names say of the leaf's column; NULL: it is one of a block's rows. */
static const struct condition_name *
named(const struct filter_parser *parser, const struct filter_leaf *leaf)
{
	return parser->filter->names ? &parser->filter->names->all[leaf->key] : NULL;
}

static enum number_unit
unit_of(const struct filter_parser *parser, const struct filter_leaf *leaf)
{
	const struct condition_name *name = named(parser, leaf);
	return name ? name->unit : (enum number_unit)row_columns[leaf->column].unit;
}

static bool
holds_only_numbers(const struct filter_parser *parser, const struct filter_leaf *leaf)
{
	const struct condition_name *name = named(parser, leaf);
	if (name) {
		return name->is_number;
	}
	return leaf->class == ROW_CLASS_INTEGER || leaf->class == ROW_CLASS_REAL ||
	       leaf->column == ROW_LANE;
}

static int
parse_number(struct filter_parser *parser, const struct filter_leaf *leaf, struct scan_value *value,
             struct err *err)
{
	struct tokenizer *tokenizer = &parser->tokenizer;
	bool is_negative = false, has_sign = tokenizer->token.type != TOKEN_NUMBER;
	if (has_sign) {
		is_negative = tokenizer->token.type == TOKEN_MINUS;
		if (next(parser, err)) {
			return -1;
		}
		if (tokenizer->token.type != TOKEN_NUMBER) {
			return token_expected(tokenizer, "a number", err);
		}
	}
	/* With its sign, for the smallest integer has no opposite. */
	struct slice digits = tokenizer->token.text;
	char *text = arena_alloc(parser->filter->arena, digits.len + 1);
	text[0] = '-';
	memcpy(text + 1, digits.ptr, digits.len);
	enum number_unit unit = unit_of(parser, leaf);
	if (!number_parse((struct slice){text + !is_negative, digits.len + is_negative}, unit,
	                  value)) {
		return token_error(tokenizer, &tokenizer->token, err, "%.*s is not %s",
		                   (int)LEAST(digits.len, 40), digits.ptr, unit_words(unit));
	}
	return 0;
}

/* Words that go on a condition, and so are no texts. */
static bool
is_reserved(const struct token *token)
{
	static const char *const words[] = {"AND",  "OR",     "NOT", "IN",   "BETWEEN", "LIKE",
	                                    "GLOB", "REGEXP", "IS",  "NULL", "ESCAPE"};
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (token_is(token, words[i])) {
			return true;
		}
	}
	return false;
}

/* A text that stands for a number. */
static bool
read_number(const struct filter_parser *parser, const struct filter_leaf *leaf,
            struct scan_value *value)
{
	const struct condition_names *names = parser->filter->names;
	struct slice text = value->text;
	return number_parse(text, unit_of(parser, leaf), value) ||
	       (names && names->read && names->read(names->user, leaf->key, text, value));
}

/* 4KiB, 3rd and 007 are texts where texts are asked for. */
static bool
is_text_like_number(const struct filter_parser *parser, const struct filter_leaf *leaf)
{
	const struct condition_name *name = named(parser, leaf);
	struct scan_value number;
	struct slice text = parser->tokenizer.token.text;
	bool is_padded = text.len > 1 && text.ptr[0] == '0' && is_digit(text.ptr[1]);
	return name && !name->is_number && (is_padded || !number_parse(text, UNIT_NONE, &number));
}

/* A value for a comparison with leaf's column, NULL included. as_text: it is a pattern. */
static int
parse_value(struct filter_parser *parser, const struct filter_leaf *leaf, bool as_text,
            struct scan_value *value, struct err *err)
{
	struct tokenizer *tokenizer = &parser->tokenizer;
	struct token token = tokenizer->token;
	*value = (struct scan_value){.type = SCAN_NULL};
	if (token.type == TOKEN_PARAMETER && !parser->parameters) {
		return token_error(tokenizer, &token, err, "parameters have no value here");
	} else if (token.type == TOKEN_PARAMETER) {
		*value = parser->parameters[token.parameter];
		if (value->type == SCAN_TEXT) {
			value->text = arena_slice(parser->filter->arena, value->text);
		} else if (value->type == SCAN_REAL && isnan(value->real)) {
			value->type = SCAN_NULL; /* as in SQLite */
		}
	} else if (token.type == TOKEN_TEXT) {
		*value = scan_text(token.text);
	} else if (token.type == TOKEN_NUMBER && is_text_like_number(parser, leaf)) {
		*value = scan_text(tokenizer_extend(tokenizer));
	} else if (token.type == TOKEN_NUMBER || token.type == TOKEN_PLUS ||
	           token.type == TOKEN_MINUS) {
		if (parse_number(parser, leaf, value, err)) {
			return -1;
		}
	} else if (token.type == TOKEN_WORD && !is_reserved(&token)) {
		*value = scan_text(tokenizer_extend(tokenizer));
	} else if (!token_is(&token, "NULL")) {
		return token_expected(tokenizer, "a value (number, 'text', ?1 to ?8 or NULL)", err);
	}
	if (!as_text && value->type == SCAN_TEXT && holds_only_numbers(parser, leaf) &&
	    !read_number(parser, leaf, value)) {
		const struct condition_name *name = named(parser, leaf);
		return token_error(tokenizer, &token, err,
		                   "%s is compared with a text that is not %s",
		                   name ? name->name : row_columns[leaf->column].name,
		                   unit_words(unit_of(parser, leaf)));
	}
	return next(parser, err);
}

/* `column op value`, already negated where it must be. */
static struct filter_node *
comparison_node(struct filter_parser *parser, struct filter_leaf *leaf, enum filter_op op,
                const struct scan_value *value)
{
	if (value->type == SCAN_NULL) {
		return filter_node_new(parser, FILTER_FALSE);
	}
	leaf->op = op;
	leaf->value = *value;
	filter_leaf_set_range(leaf);
	return leaf_node(parser, leaf);
}

static struct filter_node *
parse_comparison(struct filter_parser *parser, struct filter_leaf *leaf, bool is_negated,
                 struct err *err)
{
	static const enum filter_op opposites[] = {
	    [FILTER_EQUAL] = FILTER_UNEQUAL,      [FILTER_UNEQUAL] = FILTER_EQUAL,
	    [FILTER_LESS] = FILTER_GREATER_EQUAL, [FILTER_LESS_EQUAL] = FILTER_GREATER,
	    [FILTER_GREATER] = FILTER_LESS_EQUAL, [FILTER_GREATER_EQUAL] = FILTER_LESS};
	enum filter_op op = (enum filter_op)(parser->tokenizer.token.type - TOKEN_EQUAL);
	struct scan_value value;
	if (next(parser, err) || parse_value(parser, leaf, false, &value, err)) {
		return NULL;
	}
	return comparison_node(parser, leaf, is_negated ? opposites[op] : op, &value);
}

static struct filter_node *
parse_between(struct filter_parser *parser, struct filter_leaf *leaf, bool is_negated,
              struct err *err)
{
	struct scan_value low, high;
	if (next(parser, err) || parse_value(parser, leaf, false, &low, err)) {
		return NULL;
	}
	if (!token_is(&parser->tokenizer.token, "AND")) {
		token_expected(&parser->tokenizer, "AND and the upper bound of BETWEEN", err);
		return NULL;
	}
	if (next(parser, err) || parse_value(parser, leaf, false, &high, err)) {
		return NULL;
	}
	struct filter_leaf upper = *leaf;
	struct filter_node *node = filter_node_new(parser, is_negated ? FILTER_OR : FILTER_AND);
	filter_node_add(
	    node,
	    comparison_node(parser, leaf, is_negated ? FILTER_LESS : FILTER_GREATER_EQUAL, &low));
	filter_node_add(node,
	                comparison_node(parser, &upper,
	                                is_negated ? FILTER_GREATER : FILTER_LESS_EQUAL, &high));
	return node;
}

static int
compare_values(const void *a, const void *b)
{
	return scan_value_compare(a, b);
}

static struct filter_node *
parse_in(struct filter_parser *parser, struct filter_leaf *leaf, bool is_negated, struct err *err)
{
	struct scan_value *list = NULL, value;
	size_t n = 0, capacity = 0;
	struct tokenizer *tokenizer = &parser->tokenizer;
	struct filter_node *node = NULL;
	leaf->op = FILTER_IN;
	leaf->is_negated = is_negated;
	if (next(parser, err)) {
		return NULL;
	}
	if (tokenizer->token.type != TOKEN_OPEN) {
		token_expected(tokenizer, "( after IN", err);
		return NULL;
	}
	if (next(parser, err)) {
		return NULL;
	}
	for (bool is_first = true; !is_first || tokenizer->token.type != TOKEN_CLOSE;
	     is_first = false) {
		if (parse_value(parser, leaf, false, &value, err)) {
			goto out;
		}
		if (value.type == SCAN_NULL) {
			leaf->list_has_null = true;
		} else {
			MEM_GROW(list, capacity, n + 1);
			list[n++] = value;
		}
		if (tokenizer->token.type == TOKEN_CLOSE) {
			break;
		}
		if (tokenizer->token.type != TOKEN_COMMA) {
			token_expected(tokenizer, ", or ) in the list of IN", err);
			goto out;
		}
		if (next(parser, err)) {
			goto out;
		}
	}
	if (next(parser, err)) {
		goto out;
	}
	if (n > 0) {
		SORT(list, n, compare_values);
		leaf->list = arena_copy(parser->filter->arena, list, n * sizeof *list);
	}
	leaf->n_list = n;
	node = leaf_node(parser, leaf);
out:
	free(list);
	return node;
}

static int
parse_escape(struct filter_parser *parser, struct filter_leaf *leaf, bool *is_null, struct err *err)
{
	struct scan_value value;
	if (next(parser, err)) {
		return -1;
	}
	struct token token = parser->tokenizer.token;
	if (parse_value(parser, leaf, true, &value, err)) {
		return -1;
	}
	if (value.type == SCAN_NULL) {
		*is_null = true;
		return 0;
	}
	size_t length = 0;
	if (value.type == SCAN_TEXT && value.text.len > 0) {
		leaf->escape = utf8_next(value.text, &length);
	}
	if (length == 0 || length != value.text.len) {
		return token_error(&parser->tokenizer, &token, err,
		                   "ESCAPE takes a text of one character");
	}
	return 0;
}

/* Does a pattern match whatever is there? Saved queries ask so where nothing was chosen. */
static bool
matches_any(const struct filter_leaf *leaf, enum filter_op op, struct slice pattern)
{
	size_t n = 0;

	while (n < pattern.len && pattern.ptr[n] == (op == FILTER_LIKE ? '%' : '*')) {
		n++;
	}
	return n > 0 && n == pattern.len &&
	       (op == FILTER_GLOB || (op == FILTER_LIKE && leaf->escape == 0));
}

/* LIKE, GLOB, REGEXP. */
static struct filter_node *
parse_match(struct filter_parser *parser, struct filter_leaf *leaf, enum filter_op op,
            bool is_negated, struct err *err)
{
	char digits[ROW_VALUE_DIGITS];
	struct scan_value value;
	bool is_null = false;
	if (next(parser, err)) {
		return NULL;
	}
	struct token token = parser->tokenizer.token;
	if (parse_value(parser, leaf, true, &value, err)) {
		return NULL;
	}
	if (op == FILTER_LIKE && token_is(&parser->tokenizer.token, "ESCAPE") &&
	    parse_escape(parser, leaf, &is_null, err)) {
		return NULL;
	}
	if (value.type == SCAN_NULL || is_null) {
		return filter_node_new(parser, FILTER_FALSE);
	}
	if (value.type != SCAN_TEXT) {
		struct row_value number = {.type = value.type == SCAN_REAL ? VALUE_IS_REAL
		                                                           : VALUE_IS_INTEGER,
		                           .integer = value.integer,
		                           .real = value.real};
		struct slice text = row_value_text(&number, digits);
		value.text = arena_slice(parser->filter->arena, text);
	}
	if (value.text.len > FILTER_PATTERN_BYTES) {
		err_set(err, ERR_LIMIT, "filter: a pattern longer than %u bytes",
		        FILTER_PATTERN_BYTES);
		return NULL;
	}
	if (op == FILTER_REGEXP) {
		struct regex *regex = regex_compile(value.text, err);
		if (!regex) {
			err_wrap(err, "filter, character %zu", token.position + 1);
			return NULL;
		}
		regex_free(regex);
	}
	leaf->op = op;
	leaf->is_negated = is_negated;
	leaf->value = scan_text(value.text);
	if (!is_negated && matches_any(leaf, op, value.text)) {
		leaf->op = FILTER_IS_NULL; /* is not, and no value need be looked at */
		leaf->is_negated = true;
	}
	return leaf_node(parser, leaf);
}

static struct filter_node *
parse_is_null(struct filter_parser *parser, struct filter_leaf *leaf, bool is_negated,
              struct err *err)
{
	if (next(parser, err)) {
		return NULL;
	}
	if (token_is(&parser->tokenizer.token, "NOT")) {
		is_negated = !is_negated;
		if (next(parser, err)) {
			return NULL;
		}
	}
	if (!token_is(&parser->tokenizer.token, "NULL")) {
		token_expected(&parser->tokenizer, "NULL or NOT NULL after IS", err);
		return NULL;
	}
	if (next(parser, err)) {
		return NULL;
	}
	leaf->op = FILTER_IS_NULL;
	leaf->is_negated = is_negated;
	return leaf_node(parser, leaf);
}

/* record_duration, record_self or record_size: what the row has, not what one of its calls has. */
static bool
find_record_column(struct slice name, enum block_kind kind, struct filter_leaf *leaf)
{
	static const char prefix[] = "record_";
	const size_t n = sizeof prefix - 1;

	leaf->is_of_record = name.len > n &&
	                     slice_is_anycase((struct slice){name.ptr, n}, prefix) &&
	                     row_column_find(slice_from(name, n), kind, &leaf->column) &&
	                     row_columns[leaf->column].is_of_calls;
	return leaf->is_of_record;
}

/* One of the names that a condition is on; those that are no words stand in quotes. */
static int
parse_name(struct filter_parser *parser, struct filter_leaf *leaf, struct err *err)
{
	const struct condition_names *names = parser->filter->names;
	struct token *token = &parser->tokenizer.token;
	size_t i = token->type == TOKEN_WORD || token->type == TOKEN_TEXT
	               ? name_find(token->text, names->all, names->n, sizeof *names->all)
	               : names->n;
	if (i == names->n) {
		struct strbuf expected = {0};
		strbuf_add_text(&expected, "a column (");
		for (i = 0; i < names->n; i++) {
			strbuf_printf(&expected, "%s%s", i ? ", " : "", names->all[i].name);
		}
		strbuf_add_char(&expected, ')');
		token_expected(&parser->tokenizer, expected.data, err);
		strbuf_free(&expected);
		return -1;
	}
	leaf->key = (uint32_t)i;
	leaf->class = ROW_CLASS_ARG;
	return next(parser, err);
}

static int
parse_column(struct filter_parser *parser, struct filter_leaf *leaf, struct err *err)
{
	struct token *token = &parser->tokenizer.token;
	*leaf = (struct filter_leaf){.column = ROW_ARG, .key = UINT32_MAX};
	if (parser->filter->names) {
		return parse_name(parser, leaf, err);
	}
	if (token->type == TOKEN_ARGUMENT) {
		leaf->key = dataset_key(parser->filter->dataset, token->text);
	} else if (token->type != TOKEN_WORD ||
	           (!row_column_find(token->text, parser->filter->kind, &leaf->column) &&
	            !find_record_column(token->text, parser->filter->kind, leaf))) {
		struct strbuf expected = {0};
		strbuf_add_text(&expected,
		                token->type == TOKEN_WORD ? "a column (" : "NOT, ( or a column (");
		row_column_list(parser->filter->kind, &expected);
		strbuf_add_char(&expected, ')');
		token_expected(&parser->tokenizer, expected.data, err);
		strbuf_free(&expected);
		return -1;
	}
	leaf->class = (enum row_class)row_columns[leaf->column].class;
	return next(parser, err);
}

struct filter_node *
filter_parse_predicate(struct filter_parser *parser, bool is_negated, struct err *err)
{
	struct filter_leaf leaf;
	struct token *token = &parser->tokenizer.token;
	if (parser->n_conditions++ == FILTER_CONDITIONS) {
		err_set(err, ERR_LIMIT, "filter: more than %u conditions (IN takes long lists)",
		        FILTER_CONDITIONS);
		return NULL;
	}
	if (parse_column(parser, &leaf, err)) {
		return NULL;
	}
	if (token->type >= TOKEN_EQUAL && token->type <= TOKEN_GREATER_EQUAL) {
		return parse_comparison(parser, &leaf, is_negated, err);
	}
	if (token_is(token, "IS")) {
		return parse_is_null(parser, &leaf, is_negated, err);
	}
	bool has_not = token_is(token, "NOT");
	if (has_not && next(parser, err)) {
		return NULL;
	}
	is_negated ^= has_not;
	if (token_is(token, "IN")) {
		return parse_in(parser, &leaf, is_negated, err);
	}
	if (token_is(token, "BETWEEN")) {
		return parse_between(parser, &leaf, is_negated, err);
	}
	static const char *const words[] = {"LIKE", "GLOB", "REGEXP"};
	for (int i = 0; i < 3; i++) {
		if (token_is(token, words[i])) {
			return parse_match(parser, &leaf, (enum filter_op)(FILTER_LIKE + i),
			                   is_negated, err);
		}
	}
	token_expected(
	    &parser->tokenizer,
	    has_not ? "IN, BETWEEN, LIKE, GLOB or REGEXP after NOT"
		    : "= <> < <= > >= [NOT] IN, BETWEEN, LIKE, GLOB, REGEXP or IS [NOT] NULL",
	    err);
	return NULL;
}
