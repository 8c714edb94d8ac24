/* Figures of a list of spans: as the program counts them, and as a CSV of the list holds them. */
#ifndef LANESCOPE_TESTS_INVARIANT_WRITTEN_H
#define LANESCOPE_TESTS_INVARIANT_WRITTEN_H

#include "query/spans/span_list.h"

/* Durations are the parts in the scope's range. */
struct totals {
	double count, rows, duration, whole, self, size;
	/* exported: some records stand for many calls. Of them a list tells no self time, and no
	 * part of their calls' time */
	bool has_many;
};

struct totals totals_of_figures(const struct span_figures *figures);
int totals_of_export(const struct span_list *list, const struct span_figures *figures,
                     struct totals *totals, struct err *err);
/* How many rows a CSV of it has. */
double rows_of_export(const struct result *result);

#endif
