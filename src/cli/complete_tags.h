/* What may be typed of tags: their names, and the values that runs have.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_COMPLETE_TAGS_H
#define LANESCOPE_CLI_COMPLETE_TAGS_H

#include <stddef.h>
#include "util/slice.h"

/* The tags of the runs that the arguments name, those of the current folder if they name none. An
 * argument that is no run, as the name of a query, is passed over. */
void complete_tag_names(const char *const *arguments, size_t n,
                        void (*take)(void *user, struct slice name), void *user);
/* The values of one of them, each once. */
void complete_tag_values(const char *const *arguments, size_t n, struct slice name,
                         void (*take)(void *user, struct slice value), void *user);

#endif
