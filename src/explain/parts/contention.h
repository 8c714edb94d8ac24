/*
 * How many ran at once while a task did, and what that says about its duration in the other run.
 * Used by explain/verdict.
 */
#ifndef LANESCOPE_EXPLAIN_PARTS_CONTENTION_H
#define LANESCOPE_EXPLAIN_PARTS_CONTENTION_H

#include "explain/schedule/matching.h"
#include "explain/schedule/schedule.h"

enum contention_domain { DOMAIN_LANE, DOMAIN_HOST, DOMAIN_ALL, DOMAINS };
const char *contention_domain_name(enum contention_domain domain); /* "lane", "host", "all lanes" */

/* Mean number of items that run in the same lane, host or anywhere, itself included, over the time
 * of each item; 1 for those that take no time. An array by item for each domain, for the caller to
 * free. */
void contention_concurrency(const struct schedule *schedule, double *concurrency[DOMAINS]);

struct contention_pair {
	uint32_t kind;      /* index into the kinds of A's schedule */
	int64_t a_ns, b_ns; /* durations, both above 0 */
	double concurrency_a[DOMAINS], concurrency_b[DOMAINS];
};
/* Matched items that take time in both runs; *n_zero: those that do not. Free it. */
struct contention_pair *contention_pairs(const struct schedule *a, const struct schedule *b,
                                         const struct matching *matching, size_t *n,
                                         size_t *n_zero);

/* log(b / a) = general + slope * log(concurrency b / concurrency a). */
enum contention_shape {
	CONTENTION_NONE,    /* neither is needed: general and slope are 0 */
	CONTENTION_GENERAL, /* b is slower or faster whatever the concurrency */
	CONTENTION_SLOPE,   /* concurrency alone */
	CONTENTION_BOTH,
	CONTENTION_UNCLEAR /* concurrency rose or fell alike for all: slope stands for either */
};
struct contention_line {
	size_t n;
	enum contention_shape shape;
	double general, slope;
	double spread; /* standard deviation of the log ratio of concurrency */
	double squares,
	    squares_around_mean; /* of what the line leaves, and of the log ratios of durations */
};
struct contention_model {
	struct contention_line pooled, *kinds; /* by kind of A; n 0 for kinds without pairs */
	double r2; /* share of the variation within kinds that the lines explain, 0 to 1 */
	double squares, all_squares; /* what they leave; of the log ratios of durations */
	double mean_a, mean_b;       /* concurrency, weighted by time */
	bool is_weak;
};
void contention_model_fit(const struct contention_pair *pairs, size_t n, size_t n_kinds,
                          enum contention_domain domain, struct contention_model *model);
void contention_model_fini(struct contention_model *model);

#endif
