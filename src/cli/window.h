/* Options that choose a part of a run: a time, lanes by name.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_WINDOW_H
#define LANESCOPE_CLI_WINDOW_H

#include <stdbool.h>
#include <stdint.h>
#include "util/err.h"
#include "util/slice.h"

/* "3.2s", "10ms", "300" (ns): a time from the run's start, not below 0. option: its name, for the
 * message. */
int window_take_time(const char *option, const char *value, int64_t *ns, struct err *err);
/* Refuses a window that ends before it begins, or where it does. */
int window_check(int64_t from_ns, int64_t to_ns, struct err *err);
/* The text is part of the name; with * ? or [ it is a pattern for all of it. */
bool window_matches_lane(const char *text, struct slice name);

#endif
