/* Texts: copies, lists (values of parameters, paths), files.
 * Used by ui/app, ui/chart, ui/lists, ui/table. */
#ifndef LANESCOPE_UI_BASE_TEXTS_H
#define LANESCOPE_UI_BASE_TEXTS_H

#include <stddef.h>
#include "util/err.h"
#include "util/mem.h"

/* A copy of its own. */
static inline char *
text_new(struct slice text)
{
	return xstrndup(text.ptr, text.len);
}

/* Writes a file whole, beside its place, and renames it: for its owner alone. */
int text_save(const char *path, struct slice text, struct err *err);

/* The folders above the file, for their owner alone. */
void text_make_folders(const char *path);

/* Own copies of n texts, each of which may be NULL (a parameter's default); texts NULL: n of
 * these. */
char **texts_copy(char *const *texts, size_t n);
void texts_free(char **texts, size_t n); /* takes NULL */

#endif
