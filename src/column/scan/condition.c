/* The filter's own parser and comparisons, without its passes over blocks: rows here are few. */
#include "config.h"
#include "column/scan/condition.h"

#include <stdlib.h>

#include "column/scan/filter_tree.h"
#include "util/mem.h"

struct condition {
	struct filter *filter;
	struct filter_state *state;
};

struct condition *
condition_compile(const struct condition_names *names, const char *text, struct err *err)
{
	static const struct dataset nothing;
	struct condition *condition = xcalloc(1, sizeof *condition);
	struct filter *filter = condition->filter = xcalloc(1, sizeof *filter);
	*filter = (struct filter){.dataset = &nothing, .kind = BLOCK_SPAN, .names = names};
	filter->arena = arena_new();
	if (filter_parse(filter, slice_of(text), NULL, err)) {
		condition_free(condition);
		return NULL;
	}
	condition->state = filter_state_new(filter);
	return condition;
}

static bool
holds(struct filter_state *state, const struct filter_node *node, const struct row_value *values)
{
	bool is_and = node->type == FILTER_AND;
	if (node->type == FILTER_LEAF) {
		return filter_leaf_accepts(state, node->leaf, &values[node->leaf->key]);
	}
	if (node->type == FILTER_FALSE) {
		return false;
	}
	for (const struct filter_node *child = node->child; child; child = child->next) {
		if (holds(state, child, values) != is_and) {
			return !is_and;
		}
	}
	return is_and;
}

bool
condition_holds(struct condition *condition, const struct row_value *values)
{
	const struct filter_node *root = condition->filter->root;
	return !root || holds(condition->state, root, values);
}

void
condition_free(struct condition *condition)
{
	if (condition) {
		filter_state_free(condition->state);
		filter_free(condition->filter);
		free(condition);
	}
}
