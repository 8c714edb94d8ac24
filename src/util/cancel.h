/* A flag that long work polls. Set from a signal handler or another thread. When the program is
 * asked to end, each is set, and none (NULL), too.
 * Used by most rooms. */
#ifndef LANESCOPE_UTIL_CANCEL_H
#define LANESCOPE_UTIL_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include "util/err.h"

struct cancel {
	atomic_bool requested;
};

extern atomic_bool cancel_all_requested; /* for cancel_requested alone */

static inline bool
cancel_requested(const struct cancel *cancel)
{
	return atomic_load_explicit(&cancel_all_requested, memory_order_relaxed) ||
	       (cancel &&
	        atomic_load_explicit(&((struct cancel *)cancel)->requested, memory_order_relaxed));
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

static inline void
cancel_all(void)
{
	atomic_store_explicit(&cancel_all_requested, true, memory_order_relaxed);
}

#endif
