/* The temporary file beside a file's place, in which an import or an export writes. util/litter.h
 * knows of each until it has its name.
 * Used by cli, ingest, query/saved, store, ui/app, ui/base. */
#ifndef LANESCOPE_UTIL_TEMPFILE_H
#define LANESCOPE_UTIL_TEMPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "util/err.h"

/* Makes an empty file .NAME.HOST-PID-RANDOM.tmp in the folder of path, and removes what earlier
 * imports to the same path left behind: files of this host's dead processes, and any untouched for
 * a day. New text (free()), NULL on error. */
char *tempfile_new(const char *path, struct err *err);
/* The same, open for writing, with the permissions of what is at path, else `mode`: the descriptor,
 * and its name in *made (for tempfile_end()); -1 with errno. */
int tempfile_create(const char *path, mode_t mode, char **made);
/* A folder of that kind, for files; else as tempfile_new(). */
char *tempfile_folder(const char *path, struct err *err);
/* Gives it its name, in the place of what has it, or (is_good false) removes it. Frees the text; -1
 * with errno, and it is removed. */
int tempfile_end(char *temporary, const char *path, bool is_good);
/* Its first bytes. */
int tempfile_write(const char *temporary, const void *bytes, size_t n, struct err *err);
/* Its bytes to the disk. */
int tempfile_flush(const char *temporary, struct err *err);
/* All of it at once, with the permissions of what is at path: the file holds these bytes then, or
 * is as it was (-1). */
int tempfile_replace(const char *path, const void *bytes, size_t n, struct err *err);
/* Gives it its name, and flushes the folder: 0; 1 if something is there and may not be replaced
 * (then nothing has changed); -1. */
int tempfile_place(const char *temporary, const char *path, bool may_replace, struct err *err);

/* How a name is given that nobody else has, the best first. What a file system lacks is left for
 * the next. */
enum tempfile_way {
	TEMPFILE_RENAME, /* renameat2 that refuses to replace */
	TEMPFILE_LINK,
	TEMPFILE_CHECK, /* a look, and rename: another process may come between */
	TEMPFILE_WAYS
};
/* One of them: 0, 1 as above, -1 on failure, 2 if it can't be done this way (errno says why). */
int tempfile_try(enum tempfile_way way, const char *temporary, const char *path);

/* Whether a file of tempfile_new's in the folder may still be some process's: one that runs here,
 * or of another host and touched within a day. */
bool tempfile_in_use(const char *folder);

#endif
