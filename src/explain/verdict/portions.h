/*
 * Which portions of what two runs both did take longer or shorter: the smallest that explain most.
 *
 * A portion is all items, those of a kind, lane, host, of a kind on a lane or host, each of these
 * from or until a time, or one item. The log ratios of the items' times (b / a) are explained by as
 * few portions as it takes, each with one effect: the best is taken, the rest is searched again
 * (matching pursuit: Mallat and Zhang, IEEE TSP 1993), and all effects are fitted together. What is
 * best among so many is compared with the best that is found where the ratios are dealt anew among
 * the items with signs by chance (a max-statistic, so that a search of noise names nothing).
 * Used by its room alone.
 */
#ifndef LANESCOPE_EXPLAIN_VERDICT_PORTIONS_H
#define LANESCOPE_EXPLAIN_VERDICT_PORTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/cancel.h"
#include "util/err.h"

enum portion_attribute { PORTION_KIND, PORTION_LANE, PORTION_HOST, PORTION_ATTRIBUTES };
#define PORTION_ANY UINT32_MAX

struct portion_item {
	double ratio;  /* log of b / a */
	int64_t at_ns; /* when it began in B */
	uint32_t unit; /* whose it is; in several runs of B, items of one unit are one */
	uint32_t run;
	double ns, at_once; /* for the caller: its time in B, log ratio of how many ran at once */
	uint32_t code[PORTION_ATTRIBUTES];
};

struct portion {
	uint32_t code[PORTION_ATTRIBUTES]; /* PORTION_ANY */
	int64_t from_ns, until_ns;         /* of the starts: [from, until); INT64_MIN, INT64_MAX */
	uint32_t item;                     /* the only one, by its place; PORTION_ANY */
	size_t n;
	double effect, error; /* log ratio, and its standard error */
	double chance;        /* how often noise alone gives one as good */
};
#define PORTIONS_MAX 12

struct portions {
	struct portion found[PORTIONS_MAX]; /* in the order in which they were found */
	size_t n;
	/* standard deviation of log ratios, typical of an item, without the portions */
	double noise;
	/* Of what is left, in noise, and of the portions: of two answers about the same items the
	 * one that costs less says more (twice the negative log likelihood, penalised). */
	double cost;
};

/* Sorts items by at_ns. n_codes: codes of each attribute lie below. chance_max: a portion that
 * noise gives more often is not found. windows: from and until a time, too. -1: cancelled. */
int portions_find(struct portion_item *items, size_t n, const uint32_t n_codes[PORTION_ATTRIBUTES],
                  double chance_max, bool windows, struct portions *portions,
                  const struct cancel *cancel, struct err *err);
bool portion_holds(const struct portion *portion, const struct portion_item *items, size_t i);

#endif
