/* A flag that long work polls. Set from a signal handler or another thread.
 * Used by most rooms. */
#ifndef LANESCOPE_UTIL_CANCEL_H
#define LANESCOPE_UTIL_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include "util/err.h"

struct cancel {
	atomic_bool requested;
};

static inline bool
cancel_requested(const struct cancel *cancel)
{
	return cancel &&
	       atomic_load_explicit(&((struct cancel *)cancel)->requested, memory_order_relaxed);
}

/* -1 with *err set if it is, else 0. */
static inline int
cancel_check(const struct cancel *cancel, struct err *err)
{
	return cancel_requested(cancel) ? err_set(err, ERR_CANCELLED, "cancelled") : 0;
}

static inline void
cancel_request(struct cancel *cancel)
{
	atomic_store_explicit(&cancel->requested, true, memory_order_relaxed);
}

#endif
