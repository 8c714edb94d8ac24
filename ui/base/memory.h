/*
 * What the explorer remembers: short texts by name, "table.task-times.sort" = "-total". Kept for
 * the session, and beyond it in a session file: lines "NAME = TEXT", with \\n, \\r and \\\\ in
 * texts.
 * Used by ui, ui/app.
 */
#ifndef LANESCOPE_UI_BASE_MEMORY_H
#define LANESCOPE_UI_BASE_MEMORY_H

#include "util/err.h"

struct memory;
struct memory *memory_new(void);
void memory_free(struct memory *memory); /* takes NULL */
void memory_set(struct memory *memory, const char *key,
                const char *value); /* copied; value NULL: forgets */
const char *memory_get(const struct memory *memory, const char *key); /* NULL if unknown */

/* Adds what the file holds; a file that is not there is an empty one. */
int memory_load(struct memory *memory, const char *path, struct err *err);
int memory_save(const struct memory *memory, const char *path, struct err *err);

#endif
