/* Traces imported into the cache while the explorer is open.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_BACKGROUND_H
#define LANESCOPE_CLI_BACKGROUND_H

#include "cli/cli.h"
#include "ui/ui.h"

struct background;
struct background *background_new(struct cli *cli);
/* Plans the import of each run that the traces hold; those that the cache has already go to add. -1
 * on error. */
int background_add(struct background *background, const char *const *traces, unsigned n_traces,
                   void (*add)(void *user, const char *run_path), void *user, struct err *err);
/* NULL if there is nothing to import. Lent. */
const struct ui_imports *background_imports(struct background *background);
void background_free(struct background *background); /* stops what runs; takes NULL */

#endif
