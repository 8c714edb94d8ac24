/* Files that are to be written: what they must not take the place of.
 * Used by cli, ui/app. */
#ifndef LANESCOPE_QUERY_SAVED_TARGET_H
#define LANESCOPE_QUERY_SAVED_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include "util/err.h"

/* ERR_USAGE if the file at path is a run file, one of the inputs under any name, what standard
 * input reads, or a trace that one of the inputs (those that are run files) was made of. What is
 * not there, and what is no regular file, may be written. */
int target_check(const char *path, const char *const *inputs, size_t n_inputs, struct err *err);

/* Is there something that is no regular file: a device, a pipe? */
bool target_is_special(const char *path);
/* Does the ending name a format that other programs write (parquet, xlsx, db ...), which the text
 * formats would only pretend to be? */
bool target_is_foreign(const char *path);
/* ERR_USAGE, with the advice, if the ending names a format, be it one of the text formats, that is
 * none of written (endings without their dot, NULL last). Before a `.gz` that is written the ending
 * counts that stands there. A folder, a name with / at its end and a special file have none. */
int target_check_ending(const char *path, const char *const *written, const char *advice,
                        struct err *err);

#endif
