/* Runs by their names alone: where they are looked for.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_RESOLVE_H
#define LANESCOPE_CLI_RESOLVE_H

#include <stdbool.h>

#include "util/err.h"
#include "util/slice.h"

/* The run that a name on the command line stands for. What has a "/" is a path and nothing else.
 * Looked at in order: NAME and NAME.lanes in the current folder, in the folders of $LANESCOPE_PATH,
 * in the demo's, in the cache. The first place wins; others that have the name, too, are appended
 * to *others (", " between them; may be NULL). A folder of the name in the current one comes last
 * if there is nothing in it. 1 found (path), 0 not, -1 if the cache has several (err lists
 * them). */
int resolve_name(const char *name, struct strbuf *path, struct strbuf *others, struct err *err);
/* The names under which runs are found that are not in the current folder, each once, in order. */
void resolve_each(void (*take)(void *user, const char *name), void *user);
/* Has a folder nothing in it, but for what is hidden? */
bool resolve_is_empty_folder(const char *name);

#endif
