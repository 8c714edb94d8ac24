/* Each filter is kept by itself, so that the last can be dropped and all can be read. */
#include "config.h"

#include "ui/base/filter_stack.h"

#include <stdlib.h>

#include "query/spans/span_filter.h"
#include "util/mem.h"

void
filter_stack_take(struct filter_stack *stack, char *filter)
{
	stack->filters = xrealloc_array(stack->filters, stack->n + 1, sizeof *stack->filters);
	stack->filters[stack->n++] = filter;
}

void
filter_stack_push(struct filter_stack *stack, const char *filter)
{
	if (filter && *filter) {
		filter_stack_take(stack, xstrdup(filter));
	}
}

int
filter_stack_type(struct filter_stack *stack, struct slice text, struct err *err)
{
	char *filter = span_filter_write(text, err);

	if (!filter) {
		return -1;
	}
	filter_stack_take(stack, filter);
	return 0;
}

bool
filter_stack_drop(struct filter_stack *stack)
{
	if (stack->n == 0) {
		return false;
	}
	free(stack->filters[--stack->n]);
	return true;
}

void
filter_stack_fini(struct filter_stack *stack)
{
	while (filter_stack_drop(stack)) {
	}
	free(stack->filters);
}

char *
filter_stack_all(const struct filter_stack *stack)
{
	struct strbuf text = {0};

	for (size_t i = 0; i < stack->n; i++) {
		strbuf_add_text(&text, i ? " AND (" : stack->n > 1 ? "(" : "");
		strbuf_add_text(&text, stack->filters[i]);
		strbuf_add_text(&text, stack->n > 1 ? ")" : "");
	}
	return stack->n > 0 ? strbuf_take(&text) : NULL;
}

static void
show_behind(const struct filter_stack *stack, const char *word, struct strbuf *out)
{
	for (size_t i = 0; i < stack->n; i++) {
		strbuf_printf(out, "%s%s", i ? "  &  " : word, stack->filters[i]);
	}
}

void
filter_stack_show(const struct filter_stack *stack, struct strbuf *out)
{
	show_behind(stack, "filter  ", out);
}

void
filter_stack_miss(const struct filter_stack *stack, bool is_scoped, struct strbuf *out)
{
	show_behind(stack, "nothing matches  ", out);
	strbuf_printf(out, "   (\\ drops the %sfilter%s)", stack->n > 1 ? "last " : "",
	              is_scoped ? ", - the scope's last word" : "");
}
