/*
 * What the parts about matched things compare: tasks, files or spans of two runs, with what they
 * took.
 * Used by its room alone.
 */
#ifndef LANESCOPE_EXPLAIN_PARTS_MATCHED_H
#define LANESCOPE_EXPLAIN_PARTS_MATCHED_H

#include "explain/frame/frame.h"
#include "explain/schedule/matching.h"

struct matched_thing {
	struct slice key, lane; /* lane is empty for files */
	uint32_t kind;          /* index into struct matched's kinds */
	int64_t duration_ns;    /* run time; of a file, the time of all spans on it */
	bool is_rest;           /* of a span that another thing stands for */
};
struct matched_run {
	struct matched_thing *things;
	size_t n;
	size_t n_unfinished; /* tasks without a run time, left out */
};
struct matched {
	struct arena *arena;
	const char *what; /* "tasks", "files" or "spans" */
	struct matched_run run[2];
	struct slice *kinds;
	size_t n_kinds;
	const struct matching *matching; /* files, or the explain's */
	struct matching *files;          /* NULL for items */
};
/* Tasks where both runs have some, else files where spans of both have paths, else spans. */
struct matched *matched_new(struct explain *explain, struct err *err);
void matched_free(struct matched *matched); /* takes NULL */
/* How they were matched, and what was left out. */
void matched_note(const struct matched *matched, const struct explain *explain,
                  struct result *result);

#endif
