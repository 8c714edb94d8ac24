/*
 * Recursive descent, with NOT pushed down while parsing: a condition is parsed knowing whether it
 * stands under an odd number of NOTs, in which case AND becomes OR and each comparison its opposite
 * (right in three-valued logic, too). Depth is limited by FILTER_DEPTH, everything else by the
 * length of the text, which the tokenizer limits, and by FILTER_CONDITIONS.
 */
#include "config.h"
#include "column/scan/filter_parser.h"

#include <inttypes.h>
#include <stdlib.h>

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

/* *root NULL: the text is blank. */
static int
parse_text(struct filter_parser *parser, const char *what, struct slice text,
           struct filter_node **root, struct err *err)
{
	*root = NULL;
	if (tokenizer_init(&parser->tokenizer, what, text, parser->filter->arena, err)) {
		return -1;
	}
	if (parser->tokenizer.token.type == TOKEN_END) {
		return 0;
	}
	*root = parse_condition(parser, false, err);
	if (!*root) {
		return -1;
	}
	return parser->tokenizer.token.type == TOKEN_END
	           ? 0
	           : token_expected(&parser->tokenizer, "AND, OR or the end", err);
}

/* Rows of a kind that lacks what a condition asks for do not pass it. */
static bool
kind_has_columns(enum block_kind kind, const char *text)
{
	static const struct dataset nothing;
	struct filter tried = {.dataset = &nothing, .kind = kind};
	struct filter_parser parser = {.filter = &tried};
	struct filter_node *root;
	struct err err = ERR_INIT;

	if (kind == BLOCK_SPAN) {
		return true;
	}
	tried.arena = arena_new();
	bool has = parse_text(&parser, "scope", slice_of(text), &root, &err) == 0;
	arena_free(tried.arena);
	free(tried.leaves);
	return has;
}

/* The dataset's scope as a condition on rows of the filter's kind. */
static void
write_scope(const struct filter *filter, struct strbuf *out)
{
	const struct dataset_scope *scope = &filter->dataset->scope;
	bool is_span = filter->kind == BLOCK_SPAN;

	if ((scope->filter && !kind_has_columns(filter->kind, scope->filter)) ||
	    (scope->has_range && scope->start_ns >= scope->end_ns)) {
		strbuf_add_text(out, "id < 0");
		return;
	}
	if (scope->has_range && scope->end_ns < INT64_MAX) {
		strbuf_printf(out, "start < %" PRId64 " AND ", scope->end_ns);
	}
	if (scope->has_range) {
		strbuf_printf(out, is_span ? "(end > %" PRId64 " OR " : "(", scope->start_ns);
		strbuf_printf(out, "start >= %" PRId64 ")", scope->start_ns);
	}
	if (scope->filter) {
		strbuf_printf(out, "%s(%s)", out->len > 0 ? " AND " : "", scope->filter);
	}
}

static struct filter_node *
both(struct filter_parser *parser, struct filter_node *a, struct filter_node *b)
{
	if (!a || !b) {
		return a ? a : b;
	}
	struct filter_node *joined = filter_node_new(parser, FILTER_AND);
	filter_node_add(joined, a);
	filter_node_add(joined, b);
	return joined;
}

int
filter_parse(struct filter *filter, struct slice text, const struct scan_value *parameters,
             struct err *err)
{
	struct filter_parser parser = {.filter = filter, .parameters = parameters};
	struct filter_node *asked, *in_scope;
	struct strbuf scope = {0};

	if (parse_text(&parser, "filter", text, &asked, err)) {
		return -1;
	}
	write_scope(filter, &scope);
	parser.parameters = NULL;
	int rc = parse_text(&parser, "scope", strbuf_slice(&scope), &in_scope, err);
	strbuf_free(&scope);
	filter->root = rc == 0 ? both(&parser, asked, in_scope) : NULL;
	return rc;
}
