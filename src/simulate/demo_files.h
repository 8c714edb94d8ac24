/* Files of made-up traces.
 * Used by cli. */
#ifndef LANESCOPE_SIMULATE_DEMO_FILES_H
#define LANESCOPE_SIMULATE_DEMO_FILES_H

#include <stdio.h>
#include "util/err.h"

/* A new file of that path, to be closed by demo_close; NULL: it can't be written. */
FILE *demo_open(struct err *err, const char *path, ...) __attribute__((format(printf, 2, 3)));
/* path is what is told of, where it could not be written whole. Takes NULL, which is a failure that
 * demo_open has told. */
int demo_close(FILE *file, const char *path, struct err *err);

#endif
