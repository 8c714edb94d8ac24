/*
 * The pattern's text becomes a tree of regex_node.
 *
 * Everything that stands for one character is a class of code point ranges; how those become bytes
 * is decided later (regex_program.c). Nesting is limited, so that the recursion here and there is.
 */
#include "config.h"
#include "util/regex_program.h"

#include <stdlib.h>
#include <string.h>

#include "util/ascii.h"
#include "util/order.h"
#include "util/utf8.h"

#define DEPTH_MAX 100
#define POSTFIX_MAX 4 /* repetitions of one atom: a+? is legal, a+?+?+?+? is not */
#define REPEAT_MAX 1000u

struct regex_parser {
	struct slice pattern;
	size_t at;
	unsigned depth;
	uint32_t n_groups;
	struct arena *arena;
	struct regex_range *ranges; /* of the class being read */
	size_t n_ranges, ranges_cap;
	struct err *err;
};

static struct regex_node *
fail(struct regex_parser *parser, const char *reason)
{
	err_set(parser->err, ERR_QUERY, "regular expression, character %zu: %s", parser->at + 1,
	        reason);
	return NULL;
}

static bool
at_end(const struct regex_parser *parser)
{
	return parser->at >= parser->pattern.len;
}

static bool
looking_at(const struct regex_parser *parser, const char *text)
{
	size_t length = strlen(text);
	return parser->pattern.len - parser->at >= length &&
	       memcmp(parser->pattern.ptr + parser->at, text, length) == 0;
}

static uint32_t
next_code(struct regex_parser *parser)
{
	struct slice rest = {parser->pattern.ptr + parser->at, parser->pattern.len - parser->at};
	size_t length = 1;
	uint32_t code = utf8_next(rest, &length);
	parser->at += length;
	return code;
}

static struct regex_node *
node_new(struct regex_parser *parser, enum regex_node_type type)
{
	struct regex_node *node = arena_zalloc(parser->arena, sizeof(*node));
	node->type = type;
	return node;
}

static void
node_append(struct regex_node *node, struct regex_node *child)
{
	if (node->last_child) {
		node->last_child->next = child;
	} else {
		node->child = child;
	}
	node->last_child = child;
}

/* --- Classes ------------------------------------------------------------- */

static void
class_add(struct regex_parser *parser, uint32_t low, uint32_t high)
{
	MEM_GROW(parser->ranges, parser->ranges_cap, parser->n_ranges + 1);
	parser->ranges[parser->n_ranges++] = (struct regex_range){low, high};
}

static int
compare_ranges(const void *a, const void *b)
{
	const struct regex_range *x = a, *y = b;
	return ORDER(x->low, y->low);
}

/* Sorts and merges the ranges from `first` on. */
static void
class_merge(struct regex_parser *parser, size_t first)
{
	struct regex_range *ranges = parser->ranges + first;
	size_t n = parser->n_ranges - first, kept = 0;
	if (n == 0) {
		return;
	}
	qsort(ranges, n, sizeof(*ranges), compare_ranges);
	for (size_t i = 1; i < n; i++) {
		if (ranges[i].low > ranges[kept].high + 1) {
			ranges[++kept] = ranges[i];
		} else if (ranges[i].high > ranges[kept].high) {
			ranges[kept].high = ranges[i].high;
		}
	}
	parser->n_ranges = first + kept + 1;
}

/* Turns the ranges from `first` on into all other characters. */
static void
class_invert(struct regex_parser *parser, size_t first)
{
	class_merge(parser, first);
	size_t n = parser->n_ranges;
	uint32_t low = 0;
	for (size_t i = first; i < n; i++) {
		struct regex_range range = parser->ranges[i];
		if (range.low > low) {
			class_add(parser, low, range.low - 1);
		}
		low = range.high + 1;
	}
	if (low <= REGEX_CODE_MAX) {
		class_add(parser, low, REGEX_CODE_MAX);
	}
	size_t added = parser->n_ranges - n;
	if (added > 0) {
		memmove(parser->ranges + first, parser->ranges + n,
		        added * sizeof(*parser->ranges));
	}
	parser->n_ranges = first + added;
}

static struct regex_node *
class_node(struct regex_parser *parser)
{
	class_merge(parser, 0);
	struct regex_node *node = node_new(parser, NODE_CLASS);
	node->n_ranges = parser->n_ranges;
	node->ranges = arena_copy(parser->arena, parser->ranges ? parser->ranges : (void *)"",
	                          parser->n_ranges * sizeof(*node->ranges));
	parser->n_ranges = 0;
	return node;
}

/* Adds what \d, \w, ... mean; false if the letter is none of them. */
static bool
class_add_escape(struct regex_parser *parser, uint32_t letter)
{
	size_t first = parser->n_ranges;
	switch (letter | 0x20) {
	case 'd':
		class_add(parser, '0', '9');
		break;
	case 'w':
		class_add(parser, '0', '9');
		class_add(parser, 'A', 'Z');
		class_add(parser, '_', '_');
		class_add(parser, 'a', 'z');
		break;
	case 's':
		class_add(parser, '\t', '\r');
		class_add(parser, ' ', ' ');
		break;
	default:
		return false;
	}
	if (letter < 'a') {
		class_invert(parser, first);
	}
	return true;
}

/* The character that an escape other than of a class stands for; false: there is no such escape. */
static bool
escaped_code(uint32_t letter, uint32_t *code)
{
	static const char letters[] = "tnr", values[] = "\t\n\r";
	const char *found = letter && letter < 0x80 ? strchr(letters, (int)letter) : NULL;
	*code = found ? (uint32_t)values[found - letters] : letter;
	return found || letter >= 0x80 || !is_alnum((char)letter);
}

static const struct {
	const char *name, *ranges; /* pairs of low and high */
} named_classes[] = {
    {"[:alnum:]", "09AZaz"},   {"[:alpha:]", "AZaz"},
    {"[:blank:]", "\t\t  "},   {"[:cntrl:]", "\1\37\177\177"},
    {"[:digit:]", "09"},       {"[:graph:]", "!~"},
    {"[:lower:]", "az"},       {"[:print:]", " ~"},
    {"[:punct:]", "!/:@[`{~"}, {"[:space:]", "\t\r  "},
    {"[:upper:]", "AZ"},       {"[:xdigit:]", "09AFaf"},
};

static bool
class_add_named(struct regex_parser *parser)
{
	for (size_t i = 0; i < sizeof(named_classes) / sizeof(named_classes[0]); i++) {
		if (!looking_at(parser, named_classes[i].name)) {
			continue;
		}
		for (const char *range = named_classes[i].ranges; *range; range += 2) {
			class_add(parser, (unsigned char)range[0], (unsigned char)range[1]);
		}
		if (named_classes[i].name[2] == 'c') {
			class_add(parser, 0, 0);
		}
		parser->at += strlen(named_classes[i].name);
		return true;
	}
	return false;
}

/* One end of a range in brackets. 1: *code is set, 0: a whole class was added, -1. */
static int
bracket_element(struct regex_parser *parser, uint32_t *code)
{
	if (looking_at(parser, "[:")) {
		return class_add_named(parser) ? 0 : (fail(parser, "no such [:class:]"), -1);
	}
	if (looking_at(parser, "[.") || looking_at(parser, "[=")) {
		fail(parser, "[. .] and [= =] are not supported");
		return -1;
	}
	*code = next_code(parser);
	if (*code != '\\') {
		return 1;
	}
	if (at_end(parser)) {
		fail(parser, "a backslash at the end");
		return -1;
	}
	uint32_t letter = next_code(parser);
	if (class_add_escape(parser, letter)) {
		return 0;
	}
	if (!escaped_code(letter, code)) {
		fail(parser, "no such escape");
		return -1;
	}
	return 1;
}

/* After "[". */
static struct regex_node *
parse_bracket(struct regex_parser *parser)
{
	bool is_negated = looking_at(parser, "^");
	parser->at += is_negated;
	for (bool is_first = true; is_first || !looking_at(parser, "]"); is_first = false) {
		uint32_t low = 0, high = 0;
		if (at_end(parser)) {
			return fail(parser, "'[' without ']'");
		}
		int kind = bracket_element(parser, &low);
		if (kind < 0) {
			return NULL;
		}
		bool is_range = looking_at(parser, "-") && !looking_at(parser, "-]") &&
		                parser->at + 1 < parser->pattern.len;
		if (!is_range) {
			if (kind == 1) {
				class_add(parser, low, low);
			}
			continue;
		}
		parser->at++;
		int high_kind = bracket_element(parser, &high);
		if (high_kind < 0) {
			return NULL;
		}
		if (kind == 0 || high_kind == 0 || high < low) {
			return fail(parser, "a range that is not from low to high");
		}
		class_add(parser, low, high);
	}
	parser->at++;
	if (is_negated) {
		class_invert(parser, 0);
	}
	return class_node(parser);
}

/* --- The rest ------------------------------------------------------------ */

static struct regex_node *parse_alternatives(struct regex_parser *parser);

/* After "(". */
static struct regex_node *
parse_group(struct regex_parser *parser)
{
	struct regex_node *group = NULL;
	if (looking_at(parser, "?:")) {
		parser->at += 2;
	} else if (looking_at(parser, "?")) {
		return fail(parser, "of (?...) only (?:...) is known");
	} else {
		group = node_new(parser, NODE_GROUP);
		group->group = ++parser->n_groups;
	}
	if (++parser->depth > DEPTH_MAX) {
		return fail(parser, "groups are nested too deeply");
	}
	struct regex_node *inner = parse_alternatives(parser);
	parser->depth--;
	if (!inner) {
		return NULL;
	}
	if (!looking_at(parser, ")")) {
		return fail(parser, "'(' without ')'");
	}
	parser->at++;
	if (!group) {
		return inner;
	}
	node_append(group, inner);
	return group;
}

static struct regex_node *
parse_escape(struct regex_parser *parser)
{
	if (at_end(parser)) {
		return fail(parser, "a backslash at the end");
	}
	uint32_t letter = next_code(parser), code;
	if (!class_add_escape(parser, letter)) {
		if (!escaped_code(letter, &code)) {
			return fail(parser, "no such escape");
		}
		class_add(parser, code, code);
	}
	return class_node(parser);
}

static struct regex_node *
parse_atom(struct regex_parser *parser)
{
	uint32_t code = next_code(parser);
	switch (code) {
	case '(':
		return parse_group(parser);
	case '[':
		return parse_bracket(parser);
	case '\\':
		return parse_escape(parser);
	case '^':
		return node_new(parser, NODE_BEGIN);
	case '$':
		return node_new(parser, NODE_END);
	case '*':
	case '+':
	case '?':
		parser->at--;
		return fail(parser, "nothing to repeat");
	case '.':
		class_add(parser, 0, REGEX_CODE_MAX);
		return class_node(parser);
	default:
		class_add(parser, code, code);
		return class_node(parser);
	}
}

static bool
parse_number(struct regex_parser *parser, uint32_t *number)
{
	size_t first = parser->at;
	*number = 0;
	for (; !at_end(parser); parser->at++) {
		unsigned digit = (unsigned char)parser->pattern.ptr[parser->at] - (unsigned)'0';
		if (digit > 9) {
			break;
		}
		*number = *number > REPEAT_MAX ? *number : *number * 10 + digit;
	}
	return parser->at > first;
}

/* "{m}", "{m,}", "{,n}" or "{m,n}" at `at`; 0: it is something else, and `at` is as before; -1. */
static int
parse_bounds(struct regex_parser *parser, uint32_t *min, uint32_t *max)
{
	size_t first = parser->at++;
	bool has_min = parse_number(parser, min), has_max = has_min;
	*max = *min;
	if (looking_at(parser, ",")) {
		parser->at++;
		has_max = parse_number(parser, max);
		*max = has_max ? *max : UINT32_MAX;
	}
	if ((!has_min && !has_max) || !looking_at(parser, "}")) {
		parser->at = first;
		return 0;
	}
	if (*min > REPEAT_MAX || (has_max && *max > REPEAT_MAX) || *min > *max) {
		fail(parser, "repetition counts go from 0 to 1000, the smaller first");
		return -1;
	}
	parser->at++;
	return 1;
}

/* 1: a repetition was read, 0: there is none, -1. */
static int
parse_repetition(struct regex_parser *parser, uint32_t *min, uint32_t *max)
{
	if (at_end(parser)) {
		return 0;
	}
	char c = parser->pattern.ptr[parser->at];
	if (c == '{') {
		return parse_bounds(parser, min, max);
	}
	if (c != '*' && c != '+' && c != '?') {
		return 0;
	}
	parser->at++;
	*min = c == '+';
	*max = c == '?' ? 1 : UINT32_MAX;
	return 1;
}

static struct regex_node *
parse_piece(struct regex_parser *parser)
{
	struct regex_node *node = parse_atom(parser);
	for (unsigned n = 0; node; n++) {
		uint32_t min = 0, max = 0;
		int found = parse_repetition(parser, &min, &max);
		if (found <= 0) {
			return found < 0 ? NULL : node;
		}
		if (n == POSTFIX_MAX) {
			return fail(parser, "repetitions are nested too deeply");
		}
		struct regex_node *repeat = node_new(parser, NODE_REPEAT);
		repeat->min = min;
		repeat->max = max;
		node_append(repeat, node);
		node = repeat;
	}
	return NULL;
}

static struct regex_node *
parse_alternatives(struct regex_parser *parser)
{
	struct regex_node *alternatives = node_new(parser, NODE_ALT);
	struct regex_node *branch = node_new(parser, NODE_CAT);
	node_append(alternatives, branch);
	while (!at_end(parser) && !looking_at(parser, ")")) {
		if (looking_at(parser, "|")) {
			parser->at++;
			branch = node_new(parser, NODE_CAT);
			node_append(alternatives, branch);
			continue;
		}
		struct regex_node *piece = parse_piece(parser);
		if (!piece) {
			return NULL;
		}
		node_append(branch, piece);
	}
	return alternatives;
}

struct regex_node *
regex_parse(struct slice pattern, struct arena *arena, struct err *err)
{
	struct regex_parser parser = {.pattern = pattern, .arena = arena, .err = err};
	if (pattern.len > REGEX_PATTERN_BYTES) {
		err_set(err, ERR_LIMIT, "regular expression: longer than %u bytes",
		        REGEX_PATTERN_BYTES);
		return NULL;
	}
	if (!utf8_valid(pattern)) {
		err_set(err, ERR_QUERY, "regular expression: not valid UTF-8");
		return NULL;
	}
	struct regex_node *tree = parse_alternatives(&parser);
	if (tree && !at_end(&parser)) {
		tree = fail(&parser, "')' without '('");
	}
	free(parser.ranges);
	return tree;
}
