/* Filters, one on top of the other: on spans, as the list of spans and the timeline have them, or
 * on the rows of a table.
 * Used by ui/lists, ui/table, ui/timeline. */
#ifndef LANESCOPE_UI_BASE_FILTER_STACK_H
#define LANESCOPE_UI_BASE_FILTER_STACK_H

#include "util/err.h"
#include "util/slice.h"

struct filter_stack {
	char **filters; /* of the filter language, or a table's */
	size_t n;
};

/* One that is in the language already. NULL or empty: none. */
void filter_stack_push(struct filter_stack *stack, const char *filter);
void filter_stack_take(struct filter_stack *stack, char *filter); /* takes filter */
/* One that was typed (query/spans/span_filter.h). -1: it is wrong, and the others stand as
 * before. */
int filter_stack_type(struct filter_stack *stack, struct slice text, struct err *err);
bool filter_stack_drop(struct filter_stack *stack); /* the last; false if there is none */
void filter_stack_fini(struct filter_stack *stack);

/* All in one, new; NULL if there is none. */
char *filter_stack_all(const struct filter_stack *stack);
/* "filter  a  &  b"; nothing if there is none. */
void filter_stack_show(const struct filter_stack *stack, struct strbuf *out);

/* What is said where nothing passes them, in a scope or not: "nothing matches  a   (\ drops the
 * filter)". */
void filter_stack_miss(const struct filter_stack *stack, bool is_scoped, struct strbuf *out);

#endif
