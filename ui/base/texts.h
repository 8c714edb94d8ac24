/* Lists of texts: values of parameters, paths.
 * Used by ui/lists, ui/table. */
#ifndef LANESCOPE_UI_BASE_TEXTS_H
#define LANESCOPE_UI_BASE_TEXTS_H

#include <stddef.h>

/* Own copies of n texts, each of which may be NULL (a parameter's default); texts NULL: n of
 * these. */
char **texts_copy(const char *const *texts, size_t n);
void texts_free(char **texts, size_t n); /* takes NULL */

#endif
