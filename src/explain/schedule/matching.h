/*
 * Which task of A is which of B. One rule holds for a whole pair of runs, so that what only one of
 * them ran stays unmatched instead of being paired with a leftover of the other.
 * Used by explain, explain/frame, explain/parts, explain/verdict.
 */
#ifndef LANESCOPE_EXPLAIN_SCHEDULE_MATCHING_H
#define LANESCOPE_EXPLAIN_SCHEDULE_MATCHING_H

#include "explain/schedule/matching_text.h"
#include "explain/schedule/schedule.h"
#include "query/saved/query.h"
#include "util/slice.h"

#define MATCHING_NONE UINT32_MAX
#define MATCHING_ITEMS_LIMIT ((size_t)2 << 20) /* a run */
/* That, or what the memory budget has room for: matching, and all that explain makes of two runs'
 * items, takes some 350 bytes an item. */
size_t matching_items_limit(void);
struct matching {
	const char *rule;          /* "key", "name and occurrence", ... */
	uint32_t *b_of_a, *a_of_b; /* MATCHING_NONE: in one run only */
	size_t n_a, n_b, n_pairs;
	/* of A and B that bear a text which stood in their run before: paired in order */
	size_t n_repeated;
};
/* Items of two schedules: tasks by key, else by name, else by name without UUIDs and hashes; spans
 * by lane, by what called them and by name, else by lane and name, else by name, and of two spans
 * the k-th stretch with the k-th. The first rule that pairs at least half of the smaller run, else
 * the one that pairs most. NULL: cancelled, or too many items. */
struct matching *matching_new(const struct schedule *a, const struct schedule *b,
                              const struct cancel *cancel, struct err *err);
/* Every item with itself. */
struct matching *matching_itself(const struct schedule *schedule);
/* Files by path, else by basename, else by basename with its numbers and hashes replaced. */
struct matching *matching_new_files(const struct slice *a, size_t n_a, const struct slice *b,
                                    size_t n_b);
void matching_free(struct matching *matching); /* takes NULL */

/* Does the other run have the item, or the span that it is a stretch of? Of two spans one may be
 * cut into more stretches, which are without a match then. other: of the schedule's items. */
static inline bool
matching_has(const uint32_t *other, const struct schedule *schedule, size_t item)
{
	return other[schedule_head(schedule, item)] != MATCHING_NONE;
}

/* "matched by key: 135 of 135 in f1, 135 of 140 in f4" and, where so, how many repeat. */
void matching_note(const struct matching *matching, const char *what, const char *name_a,
                   const char *name_b, struct result *result);

/* Text of an item: its task's key or name, or the kind of a span. */
struct slice matching_key(const struct schedule *schedule, uint32_t item);

#endif
