/* Paths in the order they came in, each with memory of its own. Zero-initialise.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_PATH_LIST_H
#define LANESCOPE_CLI_PATH_LIST_H

#include <stddef.h>

struct path_list {
	char **paths;
	size_t n, capacity;
};
void path_list_add(void *list, const char *path); /* list: struct path_list */
void path_list_free(struct path_list *list);

#endif
