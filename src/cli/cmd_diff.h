/* How a difference of two answers is laid out for people.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CMD_DIFF_H
#define LANESCOPE_CLI_CMD_DIFF_H

#include "query/saved/query.h"

#define DIFF_COLUMNS_FOR_PEOPLE "a, b, delta, rel"

/* --measure, before the difference is made: only these columns are compared, first the first. */
int diff_choose_measures(struct result *result, const char *list, struct err *err);
/* Worst first: by the first measure's delta. */
int diff_sort(struct result *diff, struct err *err);
/* Keeps the keys and the columns of the list: names, or a, b, delta, ratio, rel of each measure. */
int diff_choose_columns(struct result *diff, const char *list, struct err *err);

#endif
