/*
 * One pass over a lane's spans in order (start, -duration, order, id): who contains whom, and which
 * category is innermost at each instant. finish.h defines parent, depth and covered. Innermost at
 * an instant is the span that comes last in that order among those that are going on (so of two
 * that overlap the one that started later).
 * Used by its room alone.
 */
#ifndef LANESCOPE_COLUMN_FINISH_SWEEP_H
#define LANESCOPE_COLUMN_FINISH_SWEEP_H

#include <stdbool.h>
#include <stdint.h>
#include "model/model.h"
#include "util/err.h"

#define SWEEP_NESTING_MAX (1u << 20)
#define SWEEP_TIES_MAX 1024u /* candidates for the parent of a span without length, see finish.h */

struct sweep_span {
	int64_t start_ns, duration_ns;
	uint32_t category;
	uint64_t id;
	uint64_t tag; /* the caller's, handed back */
	struct span_order order;
};
struct sweep_nesting {
	uint64_t tag;
	uint32_t depth;
	int64_t distance; /* id - parent's id, 0: no parent */
	int64_t covered_ns;
};
struct sweep_hooks {
	void *user;
	/* [start, end) shows this category; in order of time, without overlap, only where anything
	 * is going on. */
	int (*visible)(void *user, int64_t start_ns, int64_t end_ns, uint32_t category,
	               struct err *err);
	/* Every span once, when nothing can come to lie in it any more. NULL: nesting is not
	 * wanted. */
	int (*nesting)(void *user, const struct sweep_nesting *nesting, struct err *err);
};

struct sweep;
struct sweep *sweep_new(const struct sweep_hooks *hooks); /* hooks are copied */
/* The next span of the lane. What is visible until its start has been told when this returns. */
int sweep_add(struct sweep *sweep, const struct sweep_span *span, struct err *err);
/* After the lane's last span; ready for the next lane then. */
int sweep_end(struct sweep *sweep, struct err *err);
void sweep_free(struct sweep *sweep); /* takes NULL */

#endif
