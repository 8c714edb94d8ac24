/* A flag that long work polls. Set from a signal handler or another thread.
 * Used by most rooms. */
#ifndef LANESCOPE_UTIL_CANCEL_H
#define LANESCOPE_UTIL_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>

struct cancel {
	atomic_bool requested;
};

static inline bool
cancel_requested(const struct cancel *cancel)
{
	return cancel &&
	       atomic_load_explicit(&((struct cancel *)cancel)->requested, memory_order_relaxed);
}

static inline void
cancel_request(struct cancel *cancel)
{
	atomic_store_explicit(&cancel->requested, true, memory_order_relaxed);
}

#endif
