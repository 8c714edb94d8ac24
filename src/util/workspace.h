/*
 * Arrays to work in: memory as long as a share of the budget lasts, then a file without a name,
 * mapped. For what sorts or matches rows that may be very many.
 * Used by import, query/saved, store.
 */
#ifndef LANESCOPE_UTIL_WORKSPACE_H
#define LANESCOPE_UTIL_WORKSPACE_H

#include <stddef.h>

struct workspace;
struct workspace *workspace_new(void);
/* n zeroed elements; they stay until all are freed. Never NULL. */
void *workspace_array(struct workspace *workspace, size_t n, size_t element_size);
void workspace_free(struct workspace *workspace); /* takes NULL */

#endif
