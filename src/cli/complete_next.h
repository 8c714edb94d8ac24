/* What may stand next on a command line, for the shells' completions.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_COMPLETE_NEXT_H
#define LANESCOPE_CLI_COMPLETE_NEXT_H

#include "cli/cli.h"

/* Prints what the last of the words (those behind the program's name; it may be empty) may become,
 * a line each: the word, a tab, what it is. First, where files may stand there, a line ":files" or
 * ":folders". */
void complete_next(const struct cli *cli, char *const *words, size_t n);

#endif
