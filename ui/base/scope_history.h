/*
 * The scopes that the explorer has had, one of which stands: back and forth, as in a browser. A new
 * one behind an older drops those that came after it.
 * Used by ui/app.
 */
#ifndef LANESCOPE_UI_BASE_SCOPE_HISTORY_H
#define LANESCOPE_UI_BASE_SCOPE_HISTORY_H

#include "column/scan/scope.h"

#define SCOPES_KEPT 64

/* Zero-initialise: the whole run stands, and nothing was before. */
struct scope_history {
	struct scope scopes[SCOPES_KEPT];
	size_t n, at; /* n 0: as if the whole run were there alone */
};

const struct scope *scope_history_now(const struct scope_history *history);
/* The scope is copied. False if it is the one that stands. */
bool scope_history_set(struct scope_history *history, const struct scope *scope);
/* By a step back (-1) or forth (1). False if there is none. */
bool scope_history_step(struct scope_history *history, int step);
void scope_history_free(struct scope_history *history);

#endif
