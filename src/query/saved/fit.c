/*
 * How well a saved query fits a run: by the words of its header for format and dialect, and by what
 * the run has at all. A query that would find nothing to read can still be asked by name; lists
 * leave it out.
 */
#include "config.h"

#include <string.h>

#include "query/saved/query.h"
#include "query/saved/query_file.h"
#include "util/order.h"

#define LEFT_NAMED 4

/* Is the word one of those in the list? */
static bool
is_listed(const char *list, struct slice word)
{
	while (list && *list) {
		size_t n = strcspn(list, " ,");
		if (n == word.len && memcmp(list, word.ptr, n) == 0) {
			return true;
		}
		list += n;
		list += strspn(list, " ,");
	}
	return false;
}

/* The rank that one of its words gives a query: FORMAT, FORMAT/DIALECT or any. */
static enum query_rank
rank_of_word(struct slice word, bool is_first, const struct run_info *run)
{
	const char *slash = memchr(word.ptr, '/', word.len);
	struct slice format = {word.ptr, slash ? (size_t)(slash - word.ptr) : word.len};

	if (slice_is(word, "any")) {
		return QUERY_RANK_ANY;
	}
	if (!slice_is(format, run->format)) {
		return QUERY_RANK_NONE;
	}
	if (!slash) {
		return is_first ? QUERY_RANK_FORMAT : QUERY_RANK_SHARED;
	}
	word = (struct slice){slash + 1, word.len - format.len - 1};
	return is_listed(run->dialect, word) ? QUERY_RANK_DIALECT : QUERY_RANK_OTHER;
}

enum query_rank
query_rank(const struct saved_query *query, const struct run_info *run)
{
	enum query_rank best = QUERY_RANK_NONE;

	for (const char *p = query->formats; *p;) {
		size_t n = strcspn(p, " ,");
		enum query_rank rank = rank_of_word((struct slice){p, n}, p == query->formats, run);
		best = LEAST(rank, best);
		p += n;
		p += strspn(p, " ,");
	}
	return best == QUERY_RANK_NONE || query_needs_are_met(query->needs, run) ? best
	                                                                         : QUERY_RANK_EMPTY;
}

bool
query_applies(const struct saved_query *query, const struct run_info *run)
{
	return query_rank(query, run) != QUERY_RANK_NONE;
}

const char *
query_needs_read(struct store *store, const struct query_library *library, struct arena *arena,
                 struct err *err)
{
	struct strbuf needs = {0};

	for (size_t i = 0; i < query_library_count(library); i++) {
		const struct saved_query *query = query_library_get(library, i);
		if (query->needs && query_applies(query, store_run(store))) {
			strbuf_printf(&needs, "%s ", query->needs);
		}
	}
	const char *has = query_needs_ask(store, needs.len ? needs.data : "", arena, err);
	strbuf_free(&needs);
	return has;
}

void
query_leave_out(struct left_out *left, const char *run)
{
	if (left->n++ < LEFT_NAMED) {
		strbuf_printf(&left->names, "%s%s", left->n > 1 ? ", " : "", run);
	}
}

void
query_tell_left_out(const struct left_out *left, const struct saved_query *query,
                    struct strbuf *out)
{
	if (left->n > 0) {
		strbuf_printf(out, "left out, as %s is for runs of format %s: %s%s", query->name,
		              query->formats, left->names.data,
		              left->n > LEFT_NAMED ? ", ..." : "");
	}
}
