/* What the runs of one command are called, so that no two share a name.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_RUN_NAMES_H
#define LANESCOPE_CLI_RUN_NAMES_H

#include "store/store.h"

/* names[i] (new text) of stores[i]: the run's name; where several have it, with as many folders
 * before it as tell them apart, those of a cached run's trace; where nothing does, "NAME#2". */
void run_names(struct store *const *stores, size_t n, const char **names);

#endif
