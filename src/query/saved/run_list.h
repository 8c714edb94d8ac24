/* The run files in folders: what is here.
 * Used by cli, query, ui/lists. */
#ifndef LANESCOPE_QUERY_SAVED_RUN_LIST_H
#define LANESCOPE_QUERY_SAVED_RUN_LIST_H

#include "query/saved/lane_words.h"
#include "query/saved/run_tags.h"
#include "util/pack.h"

struct run_entry {
	const char *path;
	bool is_named;        /* by that path, not found in a folder */
	bool is_known;        /* all that follows */
	const char *error;    /* why it can't be opened; NULL if it can */
	struct run_info info; /* texts live as long as the list */
	struct lane_words lanes;
	struct run_tags tags;
	int64_t file_bytes;
};

struct run_list {
	struct arena *arena;   /* of the paths, and of what other processes read */
	struct arena **arenas; /* of what is read here, one a thread */
	unsigned n_arenas;
	/* files given in their order, those of a folder by name, numbers in numeric order */
	struct run_entry *entries;
	size_t n;
};

/* Paths are run files or folders (searched for *.lanes, two levels deep); a missing path is an
 * error, a file that is no run file an entry with its error. */
struct run_list *run_list_new(const char *const *paths, size_t n_paths, struct err *err);
/* The same of which nothing is known but the paths: no run is opened. */
struct run_list *run_list_find(const char *const *paths, size_t n_paths, struct err *err);
/* Keeps every step-th of them, from `first` on. */
void run_list_keep(struct run_list *list, size_t first, size_t step);
/* Opens those that are not known. Once. */
int run_list_read(struct run_list *list, struct err *err);
/* What is known of every step-th, from `first` on, to bytes and back: for another process, that
 * found the same paths. What is not read, as the paths differ or the bytes are damaged, is not
 * known. */
void run_list_pack(struct pack *pack, struct run_list *list, size_t first, size_t step);
void run_list_free(struct run_list *list); /* takes NULL */

/* The list as a result: its columns, which others may follow, or without the last; and a new row's
 * values of those that it has, of an entry that can't be opened the path alone. */
enum run_column {
	RUN_NAME,
	RUN_FORMAT,
	RUN_DIALECT,
	RUN_STARTED,
	RUN_DURATION,
	RUN_LANES,
	RUN_LANE_KIND,
	RUN_HOSTS,
	RUN_RECORDS,
	RUN_PROBLEMS,
	RUN_BYTES,
	RUN_PATH,
	RUN_IDENTITY,
	RUN_COLUMNS
};
extern const struct result_column run_columns[RUN_COLUMNS];
struct value *run_list_add_row(struct result *result, const struct run_entry *entry);

/* Copies the texts of a run's facts into the arena; none is NULL then. */
void run_info_keep(struct run_info *info, struct arena *arena);

#endif
