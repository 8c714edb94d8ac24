/*
 * How well a saved query fits a run: by the words of its header for format and dialect, and by what the run has at all. A query that would find
 * nothing to read can still be asked by name; lists leave it out.
 */
#include "config.h"

#include <stddef.h>
#include <string.h>

#include "query/query.h"
#include "query/query_file.h"

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

/* What a run has how much of, by the words of `needs:`. */
static const struct {
	const char *word;
	size_t offset;
} needs[] = {
    {"spans", offsetof(struct run_info, n_spans)},
    {"events", offsetof(struct run_info, n_events)},
    {"counters", offsetof(struct run_info, n_counters)},
    {"tasks", offsetof(struct run_info, n_tasks)},
    {"transfers", offsetof(struct run_info, n_transfers)},
};
#define N_NEEDS (sizeof(needs) / sizeof(needs[0]))

bool
query_need_is_known(struct slice word)
{
	for (size_t i = 0; i < N_NEEDS; i++) {
		if (slice_is(word, needs[i].word)) {
			return true;
		}
	}
	return false;
}

static bool
has_what_it_needs(const struct saved_query *query, const struct run_info *run)
{
	for (size_t i = 0; i < N_NEEDS; i++) {
		const void *count = (const char *)run + needs[i].offset;

		if (is_listed(query->needs, slice_of(needs[i].word)) &&
		    *(const int64_t *)count == 0) {
			return false;
		}
	}
	return true;
}

enum query_rank
query_rank(const struct saved_query *query, const struct run_info *run)
{
	enum query_rank best = QUERY_RANK_NONE;

	for (const char *p = query->formats; *p;) {
		size_t n = strcspn(p, " ,");
		enum query_rank rank = rank_of_word((struct slice){p, n}, p == query->formats, run);
		best = rank < best ? rank : best;
		p += n;
		p += strspn(p, " ,");
	}
	return best == QUERY_RANK_NONE || has_what_it_needs(query, run) ? best : QUERY_RANK_EMPTY;
}

bool
query_applies(const struct saved_query *query, const struct run_info *run)
{
	return query_rank(query, run) != QUERY_RANK_NONE;
}
