/*
 * What a part of explain is, and what all parts share: the two groups of runs, their schedules, and
 * rows that add up. Used by the parts, the table of parts above them, the explorer and the command
 * line.
 * Used by cli, explain, explain/parts, explain/verdict, ui/lists.
 */
#ifndef LANESCOPE_EXPLAIN_FRAME_FRAME_H
#define LANESCOPE_EXPLAIN_FRAME_FRAME_H

#include "explain/schedule/matching.h"
#include "query/saved/query.h"

struct explain_run {
	struct store *store; /* borrowed */
	const char *name;
	/* read by explain_schedule on first use; freed by explain_free */
	struct schedule *schedule;
	/* Of a run of a: with the run of b that it was last asked about, made by explain_matching;
	 * freed by explain_free. */
	struct matching *matching;
	const struct store *matching_with;
};

/* One question: two groups of runs; or a series, whose first run is a, the others, in order, b. A
 * part sees two runs of them at a time, unless it takes all (explain_part.runs). */
struct explain {
	struct explain_run *a, *b;
	size_t n_a, n_b;
	bool is_series;
	/* These are two runs of a question about more: columns are called a and b. */
	bool is_of_many;
	/* Of groups: what the rows of one pair show is not yet an answer, and not to be noted. */
	bool is_pooled;
	int64_t longest_ns;          /* duration of the longest of all runs; 0: not known */
	const struct cancel *cancel; /* polled; may be NULL */
	/* The first failure that an answer went on without; shared with its pairs. NULL: nobody
	 * asks. */
	struct err *lost;
};
/* Whether something failed, rather than did not apply or was too large (ERR_USAGE, ERR_LIMIT). */
bool explain_is_failure(const struct err *why);
/* Keeps it, if it is the first: the answer goes on without what failed, but is not whole. */
void explain_lose(const struct explain *explain, const struct err *why);
/* Of one of the explain's runs. NULL on error (cancelled, too much for memory, damaged file). */
const struct schedule *explain_schedule(struct explain *explain, struct explain_run *run,
                                        struct err *err);
/* Frees what was read of a run where all runs of the explain are too much to be kept. */
void explain_release(const struct explain *explain, struct explain_run *run);
/* What stands above the amounts of a (0) or b (1): the run's name, or of several "a", "b". */
const char *explain_head(const struct explain *explain, int side);
/* Of the first run of either side. -1 on error. */
int explain_schedules(struct explain *explain, const struct schedule **a, const struct schedule **b,
                      struct err *err);
/* The runs of a, then those of b. */
struct explain_run *explain_run_at(const struct explain *explain, size_t i);
/* From the first start (planned time) to the last end, with the intervals of records of many calls:
 * at most that. */
int64_t explain_makespan_ns(const struct schedule *schedule);
/* What stands before it: "at most ", or nothing. */
const char *explain_bound(const struct schedule *schedule);
/* Without these: what items lie in. */
int64_t explain_ran_ns(const struct schedule *schedule);
/* Which item of the first run of a is which of the first of b. NULL on error; kept, as several
 * parts ask for it. */
const struct matching *explain_matching(struct explain *explain, struct err *err);

/* Of records of many calls, where a run has a schedule: how many calls no row is of; or none of the
 * parts named. */
void explain_note_summed(struct result *result, const struct explain *explain, const char *parts);

struct explain_part {
	const char *name;  /* "sharing" */
	const char *title; /* "Makespan shared among what ran" */
	const char *about; /* a paragraph: what the rows are, the method's reference, its limits */
	/* Records that stand for many calls are no part of the rows, as these are of a schedule;
	 * count as their sums; are busy all their interval. */
	enum { EXPLAIN_SUMMED_LEFT_OUT, EXPLAIN_SUMMED_SUMS, EXPLAIN_SUMMED_BUSY } summed;
	bool adds_up; /* the rows of measure `delta` sum to the sum row */
	/* Of groups: means over pairs of runs, row by row (rows are told apart by their key columns
	 * of text); rows of each pair, which a column names; the part itself takes groups; it takes
	 * groups, and a series as well. Else a series is asked two runs at a time. */
	enum { EXPLAIN_RUNS_MEAN, EXPLAIN_RUNS_EACH, EXPLAIN_RUNS_GROUPS, EXPLAIN_RUNS_ALL } runs;
	/* What every run must have, words apart by blanks: "tasks", "transfers", "spans", or else
	 * the name of a format; "" anything. */
	const char *needs;
	const struct query_param *params;
	size_t n_params;
	/* What a row leads to in the explorer, as in a saved query's header; NULL view: nothing. */
	struct query_drill drill;
	const char *spans; /* likewise; or NULL */
	/* What of part `intervals` shows its rows in time: "idle", "path"; NULL: nothing does. */
	const char *painted;
	/* Why the part says nothing about these runs; NULL: it does. The pointer may be NULL: it
	 * always does. */
	const char *(*why_not)(const struct explain *explain);
	/* Unless its parameters ask for something else, these runs have nothing that it could speak
	 * of: it is not listed, but may be asked. The pointer may be NULL: they have. */
	bool (*is_silent)(const struct explain *explain);
	/* A saved query that says it all: see explain_query_part. Else NULL, and the next. */
	const char *query;
	struct query_argument also; /* which the query takes beside params; or no name */
	/* arguments: a text for each of params, never NULL where it has a default. */
	struct result *(*compute)(struct explain *explain, const char *const *arguments,
	                          struct err *err);
};
/* Asks the part's query of the first run of each side: a row for each of its keys and measures (of
 * one kind), with both runs' figures. Notes of the query are left out. NULL on error. */
struct result *explain_query_part(struct explain *explain, const struct explain_part *part,
                                  const char *const *arguments, struct err *err);
/* What an argument says that explain_compute has let through: of kind percent; of an integer kind
 * (duration, size, count). */
double explain_share(const char *text);
int64_t explain_integer(enum column_kind kind, const char *text);

/* What stands behind a part's n labels: columns A, B and delta. A and B bear the names of the runs;
 * one that is a label's, or "part" or "delta", gets its side behind it (in the arena). */
void explain_amounts(struct result_column *columns, size_t n, struct arena *arena,
                     const struct explain *explain, enum column_kind kind);

/*
 * Rows of a part that adds up. Labels say what a row is ("run", "efi"); a and b are the amounts
 * (ns) in either run; rows with the same labels are added. explain_rows_finish sorts by |delta|,
 * folds rows whose |delta| is below `fold` of the largest (0: none), and ends with the row "sum".
 * Rows fold into "(N more)", or "(all N)", of the same other labels, the last label first; with one
 * label there is one such row. A single row is never folded. Columns: the labels, A's name, B's
 * name, delta, share (of the sum's delta). Sums are exact; what int64 can't hold becomes a real.
 */
struct explain_rows;
struct explain_rows *explain_rows_new(const char *const *label_names, size_t n_labels);
void explain_rows_add(struct explain_rows *rows, const char *const *labels, int64_t a_ns,
                      int64_t b_ns);
/* Takes rows. total_a_ns, total_b_ns: what the rows must sum to; what is missing becomes the row
 * "residual", shown even if 0. */
struct result *explain_rows_finish(struct explain_rows *rows, const struct explain *explain,
                                   const char *title, int64_t total_a_ns, int64_t total_b_ns,
                                   double fold);
/* The same where they sum to the makespans of schedules that have been read. */
struct result *explain_rows_makespan(struct explain_rows *rows, const struct explain *explain,
                                     const char *title, double fold);
void explain_rows_free(struct explain_rows *rows); /* takes NULL */
#define EXPLAIN_PARAMS(array) .params = (array), .n_params = COUNT_OF(array)
#define EXPLAIN_FOLD                                                                               \
	{                                                                                          \
		.name = "fold", .default_text = "1%",                                              \
		.about = "rows with less than this share of the largest delta become one",         \
		.kind = KIND_PERCENT                                                               \
	}
/* Keeps the first n rows of a part that adds up, and "residual" and "sum"; the others become one
 * row "(N more)". */
void explain_rows_limit(struct result *result, size_t n);

#endif
