/* The temporary file beside a run file's place, in which an import writes. */
#ifndef LANESCOPE_STORE_TEMPFILE_H
#define LANESCOPE_STORE_TEMPFILE_H

#include <stdbool.h>
#include "util/err.h"

/* Makes an empty file .NAME.HOST-PID-RANDOM.tmp in the folder of path, and removes what earlier
 * imports to the same path left behind: files of this host's dead processes, and any untouched for
 * a day. New text (free()), NULL on error. */
char *tempfile_new(const char *path, struct err *err);
/* Flushes it to the disk, gives it its name, flushes the folder. */
int tempfile_rename(const char *temporary, const char *path, struct err *err);

/* Whether a file of tempfile_new's in the folder may still be some process's: one that runs here, or of another host and touched within a day. */
bool tempfile_in_use(const char *folder);

#endif
