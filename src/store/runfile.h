/* Run files as files: who they are, what their header says, their URI. No SQLite is asked.
 * Used by cli, ingest, query/saved. */
#ifndef LANESCOPE_STORE_RUNFILE_H
#define LANESCOPE_STORE_RUNFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>
#include "util/cancel.h"
#include "util/err.h"

struct file_identity {
	dev_t device;
	ino_t inode;
	off_t size_bytes;
	struct timespec modified;
};

/* Reads the header of the file at path: ERR_SYSTEM if it can't be read, ERR_FORMAT if it is no run
 * file that this version reads. */
int runfile_check(const char *path, struct file_identity *identity, struct err *err);
/* The same for a file of an older version or this one, *version, whose pages may have no
 * checksums. */
int runfile_check_older(const char *path, int *version, struct file_identity *identity,
                        struct err *err);
/* ERR_CHANGED unless the file at path is still that one, unchanged. */
int runfile_is_same(const char *path, const struct file_identity *identity, struct err *err);
/* What its pages are like, each read once. */
struct runfile_pages {
	int64_t n, page_bytes;
	int64_t damaged, first; /* not as they were written, and the first of these, from 1 */
	int64_t zero;           /* of the others: nothing but zeros, as what is lost may be, too */
};
/* Reads the whole file; its header was checked. ERR_SYSTEM if it can't be read to its end. */
int runfile_verify(const char *path, struct runfile_pages *pages, const struct cancel *cancel,
                   struct err *err);
/* Does the file say of itself that it is a run file, of whatever version? */
bool runfile_is_run(const char *path);
bool runfile_is_part(const char *path); /* or a part of a run? */
/* Reads the header of a file of such a kind, in just that version: errors as runfile_check. */
int runfile_check_as(const char *path, int application_id, int version, struct err *err);
/* Whether a file with that name may be replaced by a new run: there is none, or it is a run file,
 * or it is empty. */
int runfile_may_replace(const char *path, struct err *err);
/* The same for a file of another kind, called by that word. */
int runfile_may_replace_as(const char *path, int application_id, const char *word, struct err *err);

/* What the run in that file is called: its name without ".lanes". New text. */
char *runfile_name(const char *path);

/* "file:///..." for sqlite3_open_v2, query ("immutable=1") appended. New text, caller frees. */
char *runfile_uri(const char *path, const char *query);
/* SQLite takes file names of at most 512 bytes. */
int runfile_check_name(const char *path, struct err *err);

#endif
