/* Classes of paths on the command line: --class, and the setting `classes`, which comes behind
 * it.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CLASSES_H
#define LANESCOPE_CLI_CLASSES_H

#include "cli/cli.h"
#include "util/slice.h"

/* One --class, for a command's options; several add up, the first that matches decides.
 * ERR_USAGE. */
int classes_take(struct strbuf *text, const char *value, struct err *err);
/* What all --class said goes to the program; *text is empty then. */
void classes_set(struct cli *cli, struct strbuf *text);
/* What the settings say, behind what --class said; appended. Wrong settings are told on stderr and
 * left out. */
void classes_text(const struct cli *cli, struct strbuf *text);
/* Those of this call of the program, made when first asked for; lent until its end. */
const struct path_classes *classes_get(struct cli *cli);
void classes_release(struct cli *cli);

#endif
