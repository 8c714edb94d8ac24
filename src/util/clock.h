/* A clock that only goes on, for how long something took.
 * Used by explain/frame, ingest, input, ui/base, ui/term. */
#ifndef LANESCOPE_UTIL_CLOCK_H
#define LANESCOPE_UTIL_CLOCK_H

#include <stdint.h>

/* Nanoseconds since an instant that no other run of the program knows. Any thread. */
int64_t clock_ns(void);

#endif
