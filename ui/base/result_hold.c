#include "config.h"

#include "ui/base/result_hold.h"

#include <stdlib.h>

#include "util/mem.h"

struct result_hold *
result_hold_new(struct result *result)
{
	struct result_hold *hold = xcalloc(1, sizeof *hold);

	hold->result = result;
	atomic_init(&hold->references, 1);
	return hold;
}

struct result_hold *
result_hold_retain(struct result_hold *hold)
{
	atomic_fetch_add(&hold->references, 1);
	return hold;
}

void
result_hold_release(struct result_hold *hold)
{
	if (hold && atomic_fetch_sub(&hold->references, 1) == 1) {
		result_free((struct result *)hold->result);
		free(hold);
	}
}
