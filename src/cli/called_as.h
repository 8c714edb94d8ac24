/* Commands to be pasted into a shell.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CALLED_AS_H
#define LANESCOPE_CLI_CALLED_AS_H

#include "cli/cli.h"

/* Adds text so that a POSIX shell takes it as one word that means just that. */
void shell_word_add(struct strbuf *out, const char *text);
/* Adds how this program was called, as a shell has to be given it. */
void called_as_add(struct strbuf *out, const struct cli *cli);
/* Adds a path as a word, below the home folder as ~/... where no quotes are needed. */
void shell_path_add(struct strbuf *out, const char *path);

#endif
