/*
 * What is remembered of each run beyond the end of the explorer: a memory a run, in a folder, in a
 * file called as the run's identity, so that it follows the run wherever it is moved. Only what
 * says how things are shown (sort, columns, colours) lasts; filters and windows, which hide
 * something, do not.
 * Used by ui/app.
 */
#ifndef LANESCOPE_UI_BASE_RUN_MEMORY_H
#define LANESCOPE_UI_BASE_RUN_MEMORY_H

#include "util/err.h"

struct run_memory;
struct run_memory *run_memory_new(const char *folder); /* NULL: nothing is remembered */
void run_memory_free(struct run_memory *memory);       /* takes NULL */
/* The run at this path has this identity ("": none). */
void run_memory_know(struct run_memory *memory, const char *path, const char *identity);
/* NULL: nothing; with err set if the file can't be taken for what it is, which is passed over and
 * told once. path: of a run, NULL: none. */
const char *run_memory_get(struct run_memory *memory, const char *path, const char *key,
                           struct err *err);
void run_memory_set(struct run_memory *memory, const char *path, const char *key, const char *value,
                    struct err *err);
/* Writes what was changed, each file whole. The oldest go where there are too many, and what was
 * not needed for a year. */
void run_memory_save(const struct run_memory *memory);

#endif
