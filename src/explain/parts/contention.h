/*
 * How many ran at once while a task did, and what that says about its duration from run to run.
 * Used by explain, explain/verdict.
 */
#ifndef LANESCOPE_EXPLAIN_PARTS_CONTENTION_H
#define LANESCOPE_EXPLAIN_PARTS_CONTENTION_H

#include "explain/frame/frame.h"

enum contention_domain { DOMAIN_LANE, DOMAIN_HOST, DOMAIN_ALL, DOMAINS };
const char *contention_domain_name(enum contention_domain domain); /* "lane", "host", "all lanes" */

/* Mean number of items that run in the same lane, host or anywhere, itself included, over the time
 * of each item; 1 for those that take no time. An array by item for each domain, for the caller to
 * free. */
void contention_concurrency(const struct schedule *schedule, double *concurrency[DOMAINS]);
/* The same over the first took_ns[i] of item i (NULL: all of it); its end is the latest. */
void contention_concurrency_first(const struct schedule *schedule, const int64_t *took_ns,
                                  double *concurrency[DOMAINS]);

#define CONTENTION_SPREAD_MIN 0.05 /* of log(concurrency) within tasks: less can't carry a slope */
/*
 * log(duration) of a task = its own effect + slope of its kind * log(concurrency), over all runs:
 * no run has an effect of its own, so what a run is slower by must stand in its concurrency.
 * Slopes are never below 0.
 */
struct contention_line {
	size_t n;     /* durations of tasks that several runs have */
	double slope; /* 1: twice as many at once, twice as long */
	/* The same with the concurrency of a task's beginning, over the time that it took at least
	 * in any run: its own length can't change that, as it does where a long task ends alone. */
	double early_slope;
	double spread; /* standard deviation of log(concurrency) within tasks */
	double r2;     /* of the variation within tasks; NAN: there is none */
};
struct contention_fit { /* in one domain */
	struct contention_line all, *kinds;
	double predicted; /* R2 of runs that slopes of the others foretell; NAN for fewer than 3 */
	double early_r2;  /* with the early slopes */
	double chance;    /* share of the orders of runs that fit as well; NAN: not counted */
	double *at_once;  /* by run: mean concurrency of the tasks that all have */
	double least, most; /* of these */
	unsigned n_levels;  /* of these that clearly differ; 1: it does not vary */
};
struct contention_pool {
	const struct schedule *first;             /* units and kinds are its items and kinds */
	size_t n_runs, n_units, n_common, n_zero; /* in all runs; of them, without time somewhere */
	int64_t *took_ns;                         /* by run and unit; -1: it has none */
	double *at_once[DOMAINS], *early[DOMAINS]; /* likewise */
	bool *is_common;                           /* by unit: in all runs, and takes time there */
	struct contention_fit fits[DOMAINS];
	int best; /* the domain; -1: concurrency varies in none, or no duration grows with it */
};
/* Fills the fit of a domain from the rest. */
void contention_fit_domain(struct contention_pool *pool, enum contention_domain domain);
/* All runs of the explain, matched with the first. NULL on error. */
struct contention_pool *contention_pool_new(struct explain *explain, struct err *err);
void contention_pool_free(struct contention_pool *pool); /* takes NULL */
/* What the model says of all runs, in a sentence. In the result's arena. */
const char *contention_sentence(const struct contention_pool *pool, struct result *result);

#endif
