/* Lists of runs as tables that can be chosen from by what runs are tagged with.
 * Used by cli. */
#ifndef LANESCOPE_QUERY_SAVED_RUN_TABLE_H
#define LANESCOPE_QUERY_SAVED_RUN_TABLE_H

#include "query/saved/run_list.h"

/* A row for each entry that can be opened: `run`, what people say of the runs, the other columns of
 * run_list.h; then, behind *n_plain columns, what only their traces say. */
struct result *run_table_new(const struct run_list *list, size_t *n_plain);
/* Without what only their traces say. */
void run_table_keep_plain(struct result *table, size_t n_plain);

#endif
