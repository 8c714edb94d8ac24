/*
 * A gate for scripts: is a figure of runs B worse than that of runs A by more than a share of it?
 * Figures are makespans, or measures of a saved query, row by row or in sum.
 *
 * With several runs a side a test decides (explain/model/limit_test.h): of gates over runs that did
 * not get worse by more than the limit at most 1 % fail, whatever the noise; figures of one gate
 * share that. Too few runs can't decide, whatever their figures: the gate says how many it takes.
 * One run a side tells nothing of noise: figures are compared as they are, but for makespans, of
 * which the part that noise of single items makes is known and left out.
 * Used by cli.
 */
#ifndef LANESCOPE_EXPLAIN_GATE_H
#define LANESCOPE_EXPLAIN_GATE_H

#include "explain/frame/frame.h"

enum gate_verdict { GATE_PASSED, GATE_CROSSED, GATE_UNDECIDED, GATE_NOT_COMPARABLE };

/* Can figures of these runs be compared at all? If not, appends "gate: not comparable: trace files
 * base 16, scr 8". */
bool gate_compares(struct store *const *stores, const char *const *names, size_t n,
                   struct strbuf *line);

struct gate;
/* limit: 0.05 is 5 %. n: runs of A, then of B; names: theirs, borrowed, as are the stores. */
struct gate *gate_new(double limit, struct store *const *stores, const char *const *names,
                      size_t n_a, size_t n_b);
void gate_free(struct gate *gate); /* takes NULL */
/* The makespans of the runs. */
int gate_add_makespans(struct gate *gate, struct explain *explain, struct err *err);
/* Measures of a query's answers, of all runs; those of the list, or NULL: that which the query is
 * asked for. Rows are matched by key (NULL: the query's); or is_total: their sums. ERR_USAGE where
 * neither more nor less of a measure is worse, or it has no sum. */
int gate_add_results(struct gate *gate, struct result *const *results, const char *key,
                     const char *measures, bool is_total, struct err *err);
/* Once all figures are there. Appends one line, "gate: makespan 17.8 s of f1, ...: over the allowed
 * 5.0 %". */
enum gate_verdict gate_judge(struct gate *gate, struct strbuf *line);

#endif
