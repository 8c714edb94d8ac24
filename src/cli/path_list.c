#include "config.h"
#include "cli/path_list.h"

#include <stdlib.h>

#include "util/mem.h"

void
path_list_add(void *user, const char *path)
{
	struct path_list *list = user;
	MEM_GROW(list->paths, list->capacity, list->n + 1);
	list->paths[list->n++] = xstrdup(path);
}

void
path_list_free(struct path_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->paths[i]);
	}
	free(list->paths);
	*list = (struct path_list){0};
}
