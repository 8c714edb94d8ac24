/*
 * That a run has problems: what was lost, cut or is doubtful is not in the figures, or in them. One sentence for an answer, and where to read
 * more. Records that stand twice count once, so they alone are not worth it.
 */
#include "config.h"
#include "query/query.h"

#include "util/format.h"

#define NAMED 4u

struct problems {
	int64_t n;
	bool is_worth_it;
};

static struct problems
count_problems(struct store *store)
{
	struct err err = ERR_INIT;
	struct problems problems = {0, false};
	struct stmt *stmt = store_prepare(
	    store,
	    "SELECT problems, problems > 0 AND EXISTS (SELECT 1 FROM problem WHERE kind <> "
	    "'duplicate') FROM run",
	    &err);

	if (stmt && stmt_step(stmt, &err) > 0) {
		problems = (struct problems){stmt_integer(stmt, 0), stmt_integer(stmt, 1) != 0};
	}
	stmt_free(stmt);
	return problems;
}

void
query_note_problems(struct result *result, struct store *const *stores, const char *const *names,
                    size_t n, const char *argument)
{
	struct strbuf list = {NULL, 0, 0};
	char count[FORMAT_BYTES];
	size_t n_with = 0;
	int64_t first = 0;
	bool differ = false;

	for (size_t i = 0; i < n; i++) {
		struct problems own = count_problems(stores[i]);
		if (own.is_worth_it && n_with < NAMED) {
			strbuf_printf(&list, "%s%s %s", n_with ? ", " : "", names[i],
			              format_count(count, own.n));
		}
		n_with += own.is_worth_it;
		first = i ? first : own.n;
		differ = differ || own.n != first;
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
