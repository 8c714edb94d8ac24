/* Files below folders, and names made of paths. Private to src/ingest.
 * Used by its room alone. */
#ifndef LANESCOPE_INGEST_FIND_H
#define LANESCOPE_INGEST_FIND_H

#include "util/err.h"
#include "util/mem.h"
#include "util/slice.h"

struct found_file {
	const char *path;
	bool named; /* by the user, not found in a folder */
};

/* What a folder holds and nobody can look at. */
struct found_trouble {
	const char *path, *reason;
};

struct found_files {
	struct arena *arena; /* of the texts; the caller's */
	struct found_file *files;
	struct found_trouble *troubles;
	const char **hidden; /* folders that were not searched, and may hold traces */
	size_t n, capacity, n_troubles, troubles_capacity, n_hidden, hidden_capacity;
};

/* Adds a file, "-", or all files below a folder in natural order: no hidden ones and none of hidden
 * folders, no run files, no side files of indexers. What a folder holds besides files is passed
 * over; links to files are followed. -1: the path itself can't be read; what can't be below it is
 * among the troubles. */
int find_files(struct found_files *found, const char *path, struct err *err);

/* As strcmp, but runs of digits compare as numbers: "rank-9" before "rank-10". */
int compare_naturally(const char *a, const char *b);
/* The path as a text that compares (compare_naturally) in the order in which a folder is searched.
 * New text. */
char *path_order(const char *path);
/* The file's name without its folder and the endings of trace files (".pfw.gz"). */
struct slice plain_name(const char *path);

bool is_folder(const char *path);
bool is_run_file(const char *path); /* by its name */

#endif
