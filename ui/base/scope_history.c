/* An array of scopes; the first goes when there are too many. */
#include "config.h"

#include "ui/base/scope_history.h"

#include <string.h>

const struct scope *
scope_history_now(const struct scope_history *history)
{
	return &history->scopes[history->at];
}

bool
scope_history_set(struct scope_history *history, const struct scope *scope)
{
	struct scope added = {0};

	if (scope_equal(scope, scope_history_now(history))) {
		return false;
	}
	scope_copy(&added, scope);
	for (size_t i = history->at + 1; i < history->n; i++) {
		scope_free(&history->scopes[i]);
	}
	if (history->at + 1 == SCOPES_KEPT) {
		scope_free(&history->scopes[0]);
		memmove(&history->scopes[0], &history->scopes[1],
		        history->at * sizeof history->scopes[0]);
		history->at--;
	}
	history->scopes[++history->at] = added;
	history->n = history->at + 1;
	return true;
}

bool
scope_history_step(struct scope_history *history, int step)
{
	if (step < 0 ? history->at == 0 : history->at + 1 >= history->n) {
		return false;
	}
	history->at += step < 0 ? (size_t)-1 : 1;
	return true;
}

void
scope_history_free(struct scope_history *history)
{
	for (size_t i = 0; i < SCOPES_KEPT; i++) {
		scope_free(&history->scopes[i]);
	}
	history->n = history->at = 0;
}
