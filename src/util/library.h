/* What is said of a library that the program uses.
 * Used by input, store, ui/term. */
#ifndef LANESCOPE_UTIL_LIBRARY_H
#define LANESCOPE_UTIL_LIBRARY_H

#include "util/slice.h"

/* Appends "zlib 1.3.1", behind a comma if something stands there; with "(compiled for 1.2.13)"
 * where that is another one. running NULL: the library does not tell. */
void library_add(struct strbuf *out, const char *name, const char *compiled, const char *running);

#endif
