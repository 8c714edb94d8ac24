/*
 * A part, asked of more than two runs. Parts see two runs; here is what makes of many such answers
 * one.
 * Used by its room alone.
 */
#ifndef LANESCOPE_EXPLAIN_POOL_H
#define LANESCOPE_EXPLAIN_POOL_H

#include "explain/frame/frame.h"

/* The part's rows as they are, of two runs or, where it takes them itself, of all. texts: an
 * argument for each of its parameters. NULL on error. */
struct result *explain_part_rows(struct explain *explain, const struct explain_part *part,
                                 const char *const *texts, struct err *err);
/* The same of groups: means over pairs of runs with ranges, or the rows of each pair. Every run
 * counts alike; pairs are as few as that takes. Of a series: the rows of its first run with each of
 * the others. */
struct result *explain_pool(struct explain *explain, const struct explain_part *part,
                            const char *const *texts, struct err *err);
/* "f1 -> f4", or of a series the run that is compared with the first. To be freed. */
char *explain_pair_name(const struct explain *explain, const struct explain *pair);
/* Notes of all runs of the explain, and of pairs of them, that say the same become one. */
void explain_fold_notes(struct result *result, const struct explain *explain, char *const *pairs,
                        size_t n_pairs);

#endif
