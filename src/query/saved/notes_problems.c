/*
 * That a run has problems: what was lost, cut, left out as a copy or is doubtful is not in the
 * figures, or in them. One sentence for an answer, and where to read more.
 */
#include "config.h"
#include "query/saved/query.h"

#include "util/format.h"

#define NAMED 4u

void
query_note_problems(struct result *result, struct store *const *stores, const char *const *names,
                    size_t n, const char *argument)
{
	struct strbuf list = {0};
	char count[FORMAT_BYTES];
	size_t n_with = 0;
	int64_t first = 0;
	bool differ = false;

	for (size_t i = 0; i < n; i++) {
		int64_t own = store_run(stores[i])->n_problems;
		if (own > 0 && n_with < NAMED) {
			strbuf_printf(&list, "%s%s %s", n_with ? ", " : "", names[i],
			              format_count(count, own));
		}
		n_with += own > 0;
		first = i ? first : own;
		differ = differ || own != first;
	}
	if (n_with > 0 && n == 1) {
		result_add_note(result, "%s has %s problem%s: lanescope info %s", names[0],
		                format_count(count, first), first == 1 ? "" : "s", argument);
	} else if (n_with > 0 && !differ) {
		result_add_note(result, "%zu of %zu runs have problems (%s%s): lanescope info RUN",
		                n_with, n, list.data, n_with > NAMED ? ", ..." : "");
	}
	strbuf_free(&list);
}
