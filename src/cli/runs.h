/* The table of run files that `runs` and `demo` print.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_RUNS_H
#define LANESCOPE_CLI_RUNS_H

#include "cli/output.h"

/* Paths as run_list_new takes them. identities: a column of them. */
int runs_print(const char *const *paths, size_t n_paths, bool identities,
               const struct output_choice *choice, struct err *err);

#endif
