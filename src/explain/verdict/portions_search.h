/*
 * Inside of the search for portions, shared by the files that make it.
 * Used by its room alone.
 */
#ifndef LANESCOPE_EXPLAIN_VERDICT_PORTIONS_SEARCH_H
#define LANESCOPE_EXPLAIN_VERDICT_PORTIONS_SEARCH_H

#include "explain/verdict/portions.h"
#include "util/prng.h"

enum sort { ALL, KIND, LANE, HOST, KIND_LANE, KIND_HOST, SORTS };
extern const unsigned char portions_attributes_of[];

struct grouping {
	uint32_t *group; /* by item */
	uint32_t n_groups;
	size_t *n;        /* by group: its items */
	bool *is_coarser; /* by group: a plainer sort has a group of the same items */
	double penalty, window_penalty;
	double *weight, *before, *sum, *sum_before; /* by group: scratch */
};

struct search {
	const struct portion_item *items;
	size_t n;
	const uint32_t *n_codes;
	double *noise;    /* by kind */
	double *weight;   /* by item: 1 / noise^2 */
	double *residual; /* by item */
	double *dealt;    /* by item: scratch */
	struct grouping groupings[SORTS];
	bool windows;
	double penalties; /* of the portions found */
	struct prng prng;
	struct portions *portions;
};

/* Noise of each kind from what is left of the ratios, and the items' weights; the portions' noise
 * is that of all kinds. */
void portions_measure_noise(struct search *search);
/* Groups of the items by every sort; to be freed. */
void portions_group(struct search *search);
void portions_free_groups(struct search *search);

#endif
