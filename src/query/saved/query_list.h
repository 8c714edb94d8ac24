/* The saved queries that fit a run, in the order in which they tell most.
 * Used by cli, ui/lists. */
#ifndef LANESCOPE_QUERY_SAVED_QUERY_LIST_H
#define LANESCOPE_QUERY_SAVED_QUERY_LIST_H

#include "query/saved/query.h"

/* New: the queries that fit each of the runs (one or more) and have something to read in one of
 * them, *n of them. Those that fit best come first (query_rank); of equal ones summaries, then by
 * name, and last what asks for a parameter. */
const struct saved_query **query_list_fitting(const struct query_library *library,
                                              const struct run_info *const *runs, size_t n_runs,
                                              size_t *n);
/* Whether it is made for certain formats, as opposed to any. */
bool query_list_is_special(const struct saved_query *query);

#endif
