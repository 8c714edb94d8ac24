/* The parts that there are, and one by its name. */
#include "config.h"
#include "explain/explain.h"

#include "explain/parts/parts.h"
#include "query/saved/query_file.h"
#include "util/order.h"

#define LIST(name) &explain_##name,
const struct explain_part *const explain_parts[] = {EXPLAIN_PARTS(LIST) &
                                                    (const struct explain_part){0}};

const struct explain_part *
explain_part_find(const char *name, struct err *err)
{
	struct strbuf list = {0};
	const char *names[64];
	size_t n = 0;
	for (; explain_parts[n] && explain_parts[n]->name; n++) {
		if (strcmp(explain_parts[n]->name, name) == 0) {
			strbuf_free(&list);
			return explain_parts[n];
		}
		strbuf_printf(&list, "%s%s", n ? ", " : "", explain_parts[n]->name);
		names[n % 64] = explain_parts[n]->name;
	}
	const char *near = query_suggest(name, names, LEAST(n, 64));
	err_set(err, ERR_USAGE, "no part \"%s\"%s%s%s; there are: %s", name,
	        near ? ": did you mean \"" : "", near ? near : "", near ? "\"" : "",
	        list.data ? list.data : "none");
	strbuf_free(&list);
	return NULL;
}
