/*
 * Recursive descent, with NOT pushed down while parsing: a condition is parsed knowing whether it
 * stands under an odd number of NOTs, in which case AND becomes OR and each comparison its opposite
 * (right in three-valued logic, too). Depth is limited by FILTER_DEPTH, everything else by the
 * length of the text, which the tokenizer limits, and by FILTER_CONDITIONS.
 */
#include "config.h"
#include "column/scan/filter_parser.h"

static struct filter_node *parse_condition(struct filter_parser *parser, bool is_negated,
                                           struct err *err);

static struct filter_node *
parse_negation(struct filter_parser *parser, bool is_negated, struct err *err)
{
	struct token *token = &parser->tokenizer.token;
	while (token_is(token, "NOT")) {
		is_negated = !is_negated;
		if (tokenizer_next(&parser->tokenizer, err)) {
			return NULL;
		}
	}
	if (token->type != TOKEN_OPEN) {
		return filter_parse_predicate(parser, is_negated, err);
	}
	if (parser->depth >= FILTER_DEPTH) {
		err_set(err, ERR_LIMIT, "filter, character %zu: parentheses nested deeper than %u",
		        token->position + 1, FILTER_DEPTH);
		return NULL;
	}
	parser->depth++;
	struct filter_node *node = tokenizer_next(&parser->tokenizer, err)
	                               ? NULL
	                               : parse_condition(parser, is_negated, err);
	parser->depth--;
	if (node && token->type != TOKEN_CLOSE) {
		token_expected(&parser->tokenizer, "AND, OR or )", err);
		return NULL;
	}
	return !node || tokenizer_next(&parser->tokenizer, err) ? NULL : node;
}

/* One or more operands joined by a word. */
static struct filter_node *
parse_joined(struct filter_parser *parser, const char *word, bool is_negated,
             struct filter_node *(*operand)(struct filter_parser *parser, bool is_negated,
                                            struct err *err),
             struct err *err)
{
	bool is_and = (word[0] == 'A') != is_negated;
	struct filter_node *joined = NULL, *node = operand(parser, is_negated, err);
	while (node && token_is(&parser->tokenizer.token, word)) {
		if (!joined) {
			joined = filter_node_new(parser, is_and ? FILTER_AND : FILTER_OR);
			filter_node_add(joined, node);
		}
		node = tokenizer_next(&parser->tokenizer, err) ? NULL
		                                               : operand(parser, is_negated, err);
		if (node) {
			filter_node_add(joined, node);
		}
	}
	return node && joined ? joined : node;
}

static struct filter_node *
parse_conjunction(struct filter_parser *parser, bool is_negated, struct err *err)
{
	return parse_joined(parser, "AND", is_negated, parse_negation, err);
}

static struct filter_node *
parse_condition(struct filter_parser *parser, bool is_negated, struct err *err)
{
	return parse_joined(parser, "OR", is_negated, parse_conjunction, err);
}

int
filter_parse(struct filter *filter, struct slice text, const struct scan_value *parameters,
             struct err *err)
{
	struct filter_parser parser = {.filter = filter, .parameters = parameters};
	if (tokenizer_init(&parser.tokenizer, "filter", text, filter->arena, err)) {
		return -1;
	}
	if (parser.tokenizer.token.type == TOKEN_END) {
		return 0;
	}
	struct filter_node *root = parse_condition(&parser, false, err);
	if (!root) {
		return -1;
	}
	if (parser.tokenizer.token.type != TOKEN_END) {
		return token_expected(&parser.tokenizer, "AND, OR or the end", err);
	}
	filter->root = root;
	return 0;
}
