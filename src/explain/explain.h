/*
 * Why B took longer than A. A part is one table: rows that add up to what the part names (the difference of the makespans, of the task
 * times, ...), exactly, in ns. All parts are accounting: they say where time went, not what caused it; only `replay` asks what would have been.
 *
 * Makespan everywhere: from the first planned time of a task (the first start, where nothing is planned or the run has no tasks) to the
 * last end.
 */
#ifndef LANESCOPE_EXPLAIN_EXPLAIN_H
#define LANESCOPE_EXPLAIN_EXPLAIN_H

#include "explain/schedule.h"
#include "query/query.h"

struct explain_run {
	struct store *store; /* borrowed */
	const char *name;
	struct schedule
	    *schedule; /* read by explain_schedule on first use; freed by explain_free */
};

/* One question: two groups of runs. All parts but `indicators` compare the first of each. */
struct explain {
	struct explain_run *a, *b;
	size_t n_a, n_b;
	const struct cancel *cancel; /* polled; may be NULL */
};
/* Names are copied, stores borrowed. */
struct explain *explain_new(struct store *const *a, const char *const *names_a, size_t n_a,
                            struct store *const *b, const char *const *names_b, size_t n_b,
                            const struct cancel *cancel);
void explain_free(struct explain *explain); /* takes NULL */
/* Of one of the explain's runs. NULL on error (cancelled, too much for memory, damaged file). */
const struct schedule *explain_schedule(struct explain *explain, struct explain_run *run,
                                        struct err *err);

struct explain_part {
	const char *name;  /* "sharing" */
	const char *title; /* "Makespan shared among what ran" */
	const char *about; /* a paragraph: what the rows are, the method's reference, its limits */
	bool adds_up;      /* the rows of measure `delta` sum to the sum row */
	const char *needs; /* "tasks", "spans", "dependencies", "dftracer" ...; "" anything */
	const struct query_param *params;
	size_t n_params;
	/* What a row leads to in the explorer, as in a saved query's header; NULL view: nothing. */
	struct query_drill drill;
	/* Whether the part says something about these runs. NULL: always. */
	bool (*applies)(const struct explain *explain);
	/* arguments: a text for each of params, never NULL where it has a default. */
	struct result *(*compute)(struct explain *explain, const char *const *arguments,
	                          struct err *err);
};
/* In the order in which a reader wants them; the last has no name. */
extern const struct explain_part *const explain_parts[];
const struct explain_part *explain_part_find(const char *name, struct err *err); /* lists them */

/* Runs a part. ERR_USAGE for unknown or malformed arguments, or if the part does not apply (and why). */
struct result *explain_compute(struct explain *explain, const struct explain_part *part,
                               const struct query_argument *arguments, size_t n_arguments,
                               struct err *err);

/*
 * Rows of a part that adds up. Labels say what a row is ("run", "efi"); a and b are the amounts (ns) in either run; rows with the same labels are added.
 * explain_rows_finish sorts by |delta|, folds rows whose |delta| is below `fold` of the largest (0: none) into "(N more)", and ends
 * with the row "sum". Columns: the labels, A's name, B's name, delta, share (of the sum's delta).
 */
struct explain_rows;
struct explain_rows *explain_rows_new(const char *const *label_names, size_t n_labels);
void explain_rows_add(struct explain_rows *rows, const char *const *labels, int64_t a_ns,
                      int64_t b_ns);
/* Takes rows. total_a_ns, total_b_ns: what the rows must sum to; what is missing becomes the row "residual", shown even if 0. */
struct result *explain_rows_finish(struct explain_rows *rows, const struct explain *explain,
                                   const char *title, int64_t total_a_ns, int64_t total_b_ns,
                                   double fold);
void explain_rows_free(struct explain_rows *rows); /* takes NULL */

#endif
