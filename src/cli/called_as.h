/* Commands to be pasted into a shell.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CALLED_AS_H
#define LANESCOPE_CLI_CALLED_AS_H

#include "cli/cli.h"

/* Adds text so that a POSIX shell takes it as one word that means just that. */
void shell_word_add(struct strbuf *out, const char *text);
/* Adds how this program was called, as a shell has to be given it. */
void called_as_add(struct strbuf *out, const struct cli *cli);
/* Adds an option and its value, which may be NULL: then nothing. */
void shell_option_add(struct strbuf *out, const char *option, const char *value);
/* Adds --class and --scope as they were given. */
void shell_scope_add(struct strbuf *out, const struct cli *cli);
/* Adds a path as a word, below the home folder as ~/... where no quotes are needed. */
void shell_path_add(struct strbuf *out, const char *path);

#endif
