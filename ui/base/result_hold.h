/* A result that the screen and the worker look at: freed when the last of them lets it go. Nobody
 * changes it.
 * Used by ui/app, ui/chart, ui/table. */
#ifndef LANESCOPE_UI_BASE_RESULT_HOLD_H
#define LANESCOPE_UI_BASE_RESULT_HOLD_H

#include <stdatomic.h>
#include "query/saved/query.h"

struct result_hold {
	const struct result *result;
	atomic_uint references;
};

struct result_hold *result_hold_new(struct result *result); /* takes result */
struct result_hold *result_hold_retain(struct result_hold *hold);
void result_hold_release(struct result_hold *hold); /* takes NULL */

#endif
