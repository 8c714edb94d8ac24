/*
 * Classes of paths: what kind of place a file lies in ("pfs", "ssd", "shm"), by patterns over its
 * path.
 *
 * The user names classes in a text, NAME=PATTERN|PATTERN...:NAME=PATTERN..., the first pattern that
 * matches decides. What none of them matches is guessed by the table of path_classes.c, and what
 * that does not know is "other"; so every path has a class.
 * Used by cli, explain/parts, store, ui/base.
 */
#ifndef LANESCOPE_COLUMN_SCAN_PATH_CLASSES_H
#define LANESCOPE_COLUMN_SCAN_PATH_CLASSES_H

#include "util/err.h"
#include "util/slice.h"

#define PATH_CLASSES_MAX 64
#define PATH_CLASS_PATTERNS_MAX 512
#define PATH_CLASS_NAME_MAX 32

struct path_classes; /* never changes: any number of threads */

/* text NULL or blank: only what is guessed. ERR_USAGE names the part of the text that is wrong. */
struct path_classes *path_classes_new(const char *text, struct err *err);
/* The same, with another's patterns behind the text's instead of the guesses. */
struct path_classes *path_classes_extend(const struct path_classes *base, const char *text,
                                         struct err *err);
void path_classes_free(struct path_classes *classes); /* takes NULL */

/* Which class a path is of: below path_classes_count(). */
unsigned path_classes_find(const struct path_classes *classes, struct slice path);
unsigned path_classes_count(const struct path_classes *classes);
struct slice path_classes_name(const struct path_classes *classes, unsigned index);

#endif
