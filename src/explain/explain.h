/*
 * Why B took longer than A. A part is one table: rows that add up to what the part names (the
 * difference of the makespans, of the task times, ...), exactly, in ns. All parts are accounting:
 * they say where time went, not what caused it; only `causes`, `replay` and `what-if` ask what
 * would have been.
 *
 * Makespan everywhere: from the first planned time of a task (the first start, where nothing is
 * planned or the run has no tasks) to the last end. Records that stand for many calls count with
 * the intervals that they report: where one of these begins or ends it, it is at most that.
 * Used by cli, ui/lists, ui/table.
 */
#ifndef LANESCOPE_EXPLAIN_EXPLAIN_H
#define LANESCOPE_EXPLAIN_EXPLAIN_H

#include "explain/frame/frame.h"

/* Names are copied, stores borrowed. */
struct explain *explain_new(struct store *const *a, const char *const *names_a, size_t n_a,
                            struct store *const *b, const char *const *names_b, size_t n_b,
                            const struct cancel *cancel);
/* The same of a series: the first run is a, the others, in their order, are b. */
struct explain *explain_new_series(struct store *const *runs, const char *const *names, size_t n,
                                   const struct cancel *cancel);
void explain_free(struct explain *explain); /* takes NULL */
/* Two runs of a question about more, at a time: every run of a group at least once, or the first of
 * a series with each of the others. The pair is lent. -1: visit said so. */
struct explain_deal {
	size_t a, b;                        /* places of the runs in their groups */
	int64_t weight, weight_a, weight_b; /* the pair's; sums over all pairs of either run */
};
typedef int explain_visitor(void *user, struct explain *pair, const struct explain_deal *deal,
                            struct err *err);
int explain_each_pair(struct explain *explain, explain_visitor *visit, void *user, struct err *err);
/* A table of each pair, stacked: under `pair`, or of a series under `run`, the one that is compared
 * with the first. NULL: error. */
typedef struct result *explain_table_maker(void *user, struct explain *pair, struct err *err);
struct result *explain_stack(struct explain *explain, explain_table_maker *make, void *user,
                             struct err *err);
/* In the order in which a reader wants them; the last has no name. */
extern const struct explain_part *const explain_parts[];
const struct explain_part *explain_part_find(const char *name, struct err *err); /* lists them */
/* 0 if the part applies to these runs; else -1 and why it does not (ERR_USAGE). */
int explain_part_check(const struct explain *explain, const struct explain_part *part,
                       struct err *err);
/* Does it apply and have something to say of these runs? Lists of parts leave out the others. */
bool explain_part_is_listed(const struct explain *explain, const struct explain_part *part);
/* Does the part take these runs at once, or two at a time? */
bool explain_part_takes_runs(const struct explain *explain, const struct explain_part *part);
bool explain_part_takes(const struct explain_part *part, const char *parameter);
/* Runs a part. ERR_USAGE for unknown or malformed arguments, or if the part does not apply (and
 * why). Parts of one explain may not run at the same time. */
struct result *explain_compute(struct explain *explain, const struct explain_part *part,
                               const struct query_argument *arguments, size_t n_arguments,
                               struct err *err);
/* The same without the notes that hold for every part: which run is a, the makespans (where a part
 * has read the schedules), what differs between the runs. explain_note adds them. */
struct result *explain_compute_rows(struct explain *explain, const struct explain_part *part,
                                    const struct query_argument *arguments, size_t n_arguments,
                                    struct err *err);
void explain_note(struct result *result, const struct explain *explain);
/* Rows alone, without what is to say of records of many calls: explain_note_summed says that. */
struct result *explain_compute_table(struct explain *explain, const struct explain_part *part,
                                     const struct query_argument *arguments, size_t n_arguments,
                                     struct err *err);
/* The makespans, and the rows of all parts that add up and apply, under a leading column `part`.
 * limit: at most so many rows of a part, the others become one; 0: all, nothing folded. */
struct result *explain_summary(struct explain *explain, size_t limit, struct err *err);

#endif
