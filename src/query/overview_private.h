/* What the files of the overview share.
 * Used by its room alone. */
#ifndef LANESCOPE_QUERY_OVERVIEW_PRIVATE_H
#define LANESCOPE_QUERY_OVERVIEW_PRIVATE_H

#include "query/overview.h"

struct overview_reading {
	struct overview *overview;
	struct store *store;
	const struct cancel *cancel;
	bool has_task_spans; /* spans of tasks bear keys as names: they are shown by kind */
};

/* How busy the run was over time, and its hosts or lanes; nothing where no lane can be busy. */
int overview_read_busy(struct overview_reading *reading, struct err *err);

#endif
