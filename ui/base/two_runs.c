#include "config.h"

#include "ui/base/two_runs.h"

#include <stdlib.h>

#include "util/mem.h"

struct two_runs
two_runs_copy(const struct two_runs *runs)
{
	return (struct two_runs){{xstrdup(runs->path[0]), xstrdup(runs->path[1])},
	                         {xstrdup(runs->name[0]), xstrdup(runs->name[1])}};
}

void
two_runs_free(struct two_runs *runs)
{
	for (int side = 0; side < 2; side++) {
		free((char *)runs->path[side]);
		free((char *)runs->name[side]);
	}
}

struct two_runs
two_runs_swapped(const struct two_runs *runs)
{
	return (struct two_runs){{runs->path[1], runs->path[0]}, {runs->name[1], runs->name[0]}};
}
