/* lanescope --version.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_VERSION_H
#define LANESCOPE_CLI_VERSION_H

/* On standard output: the version in a line of its own, then a line each of what it was built
 * with. */
void version_print(void);

#endif
