/* Inside of the filter's parser: what its two files share.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_SCAN_FILTER_PARSER_H
#define LANESCOPE_COLUMN_SCAN_FILTER_PARSER_H

#include "column/scan/filter_tree.h"

struct filter_parser {
	struct tokenizer tokenizer;
	struct filter *filter;
	const struct scan_value *parameters;
	unsigned depth, n_conditions;
	size_t leaves_capacity;
};

struct filter_node *filter_node_new(struct filter_parser *parser, int type);
/* Adds a child behind those that cost no more. */
void filter_node_add(struct filter_node *parent, struct filter_node *child);
/* A condition on one column, of which the opposite is wanted if is_negated. NULL on error. */
struct filter_node *filter_parse_predicate(struct filter_parser *parser, bool is_negated,
                                           struct err *err);

#endif
