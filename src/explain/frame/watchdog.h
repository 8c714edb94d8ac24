/* A cancel flag of its own for work that has a time budget: set when the time is over, or when an
 * outer flag is.
 * Used by explain/parts. */
#ifndef LANESCOPE_EXPLAIN_FRAME_WATCHDOG_H
#define LANESCOPE_EXPLAIN_FRAME_WATCHDOG_H

#include <stdint.h>
#include "util/cancel.h"
#include "util/err.h"

struct watchdog;
struct watchdog *watchdog_new(const struct cancel *outer, struct err *err);
/* Begins a piece of work: the flag is clear again. budget_ns 0: it is set at once. */
const struct cancel *watchdog_arm(struct watchdog *watchdog, int64_t budget_ns);
/* Ends it; true if the time was over before. */
bool watchdog_disarm(struct watchdog *watchdog);
void watchdog_free(struct watchdog *watchdog); /* takes NULL */

#endif
