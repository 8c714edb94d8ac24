/* The runs that a command line names: run files, folders of them, or traces (imported into the
 * cache on the way).
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_OPEN_H
#define LANESCOPE_CLI_OPEN_H

#include "cli/cli.h"
#include "cli/path_list.h"
#include "query/saved/run_tags.h"
#include "store/store.h"

/* Run files for the arguments, in order. Traces that stand side by side belong together (files of
 * one run), unless `apart`; every folder is on its own. n_failed: traces that give no run are said,
 * counted there and left out; NULL: they are an error. */
int find_run_files(struct cli *cli, char *const *arguments, size_t n, bool apart,
                   struct path_list *list, size_t *n_failed, struct err *err);

/* The same, but nothing is imported: run files and traces (that belong together) go to whoever
 * takes them. */
struct find_taker {
	void *user;
	void (*run)(void *user, const char *path);
	int (*traces)(void *user, const char *const *traces, unsigned n, struct err *err);
};
int find_arguments(char *const *arguments, size_t n, bool apart, const struct find_taker *taker,
                   struct err *err);

/* Of one argument, for commands that are about run files alone: a trace is an error, which `why`
 * ends. */
int find_only_runs(char *argument, const char *why, struct path_list *paths, struct err *err);

/* The runs that one of several processes answers for: each of-th from the nth on; of 0: all. */
struct run_share {
	unsigned nth, of;
	bool may_be_none; /* that none can be opened is no error then */
};
struct run_set {
	struct run_share share;
	size_t n;
	struct store **stores;
	const char **names; /* of the runs; made different where two have one name (run_names.h) */
	struct run_tags *tags; /* of each; NULL: not asked for yet */
	struct path_list paths;
	struct path_list
	    inputs;      /* the arguments and `paths`: what an answer must not be written over */
	size_t n_failed; /* arguments and files that gave no run, which was said */
	size_t n_left;   /* runs that were left out */
};
int run_set_open(struct run_set *set, struct cli *cli, char *const *arguments, size_t n, bool apart,
                 struct err *err);
/* The same for commands that answer for what there is: where there are several arguments or files,
 * those that can't be opened are told, counted in n_failed and left out. share NULL: all runs. */
int run_set_open_some(struct run_set *set, struct cli *cli, char *const *arguments, size_t n,
                      const struct run_share *share, struct err *err);
/* Were several asked for, also if all but one failed? */
bool run_set_is_many(const struct run_set *set);
/* What the runs are tagged with; what is wrong with a file of tags is said. NULL on error. */
const struct run_tags *run_set_tags(struct run_set *set, struct err *err);
void run_set_forget_tags(struct run_set *set);
/* Takes a run out that gave no answer, which was said; or, no failure, that was not meant. */
void run_set_drop(struct run_set *set, size_t i);
void run_set_leave(struct run_set *set, size_t i);
void run_set_close(struct run_set *set);

#endif
