/*
 * The search for portions.
 *
 * Items weigh by the noise of their kind. The gain of a portion is what it takes off the weighted
 * sum of squares; a prior charges for the number of portions of its sort, so that of two that hold
 * much the same the plainer is taken.
 *
 * A single item has no equals to be dealt among: it is compared with the tail of all others, whose
 * excesses over a high threshold are taken as exponential.
 */
#include "config.h"
#include "explain/verdict/portions_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/model/statistics.h"
#include "util/mem.h"
#include "util/order.h"

#define SHUFFLES 200
#define SHUFFLED_ITEMS 4000000 /* in all: long runs are shuffled less often */
#define SHUFFLES_MIN 20
#define CLEAR_GAIN 200 /* shuffles of noise come nowhere near it */
#define WINDOW_MIN 4   /* items inside of a window, and outside */
#define TAIL_SHARE 20
#define SINGLE_SHARE 0.02 /* of the chance: tails are hardly ever exponential */
#define TAIL_MIN 10
#define TAIL_RANKS 4 /* so many items may stand apart from the others at once */

static const bool has_windows[SORTS] = {[ALL] = true, [KIND] = true, [LANE] = true, [HOST] = true};

bool
portion_holds(const struct portion *portion, const struct portion_item *items, size_t i)
{
	if (portion->item != PORTION_ANY) {
		return items[portion->item].unit == items[i].unit;
	}
	for (unsigned a = 0; a < PORTION_ATTRIBUTES; a++) {
		if (portion->code[a] != PORTION_ANY && portion->code[a] != items[i].code[a]) {
			return false;
		}
	}
	return items[i].at_ns >= portion->from_ns && items[i].at_ns < portion->until_ns;
}

/* ---- the best portion ---- */

struct best {
	double gain; /* less the penalty */
	enum sort sort;
	uint32_t group;
	enum { WHOLE, FROM, UNTIL, SINGLE } window;
	size_t item; /* where the window begins or ends, or the only one */
};

static void
offer(struct best *best, double gain, enum sort sort, uint32_t group, unsigned window, size_t item)
{
	if (gain > best->gain) {
		*best = (struct best){gain, sort, group, window, item};
	}
}

static void
try_windows(const struct search *search, enum sort sort, struct grouping *grouping,
            const double *residual, size_t *seen, struct best *best)
{
	memset(grouping->before, 0, grouping->n_groups * sizeof *grouping->before);
	memset(grouping->sum_before, 0, grouping->n_groups * sizeof *grouping->sum_before);
	memset(seen, 0, grouping->n_groups * sizeof *seen);
	for (size_t i = 0; i < search->n; i++) {
		uint32_t g = grouping->group[i];
		size_t n_before = seen[g]++;
		if (n_before >= WINDOW_MIN && n_before + WINDOW_MIN <= grouping->n[g] &&
		    !grouping->is_coarser[g]) {
			double before = grouping->sum_before[g], after = grouping->sum[g] - before;
			double w = grouping->before[g], w_after = grouping->weight[g] - w;
			double penalty = grouping->window_penalty + 2 * log((double)grouping->n[g]);
			offer(best, after * after / w_after - penalty, sort, g, FROM, i);
			offer(best, before * before / w - penalty, sort, g, UNTIL, i);
		}
		grouping->before[g] += search->weight[i];
		grouping->sum_before[g] += search->weight[i] * residual[i];
	}
}

/* Of all portions of several items. */
static struct best
find_best(struct search *search, const double *residual, size_t *seen)
{
	struct best best = {.gain = -INFINITY};
	for (int sort = 0; sort < SORTS; sort++) {
		struct grouping *grouping = &search->groupings[sort];
		size_t least = sort >= KIND_LANE ? 3 : 2;
		memset(grouping->weight, 0, grouping->n_groups * sizeof *grouping->weight);
		memset(grouping->sum, 0, grouping->n_groups * sizeof *grouping->sum);
		for (size_t i = 0; i < search->n; i++) {
			uint32_t g = grouping->group[i];
			grouping->weight[g] += search->weight[i];
			grouping->sum[g] += search->weight[i] * residual[i];
		}
		for (uint32_t g = 0; g < grouping->n_groups; g++) {
			if (grouping->n[g] >= least && !grouping->is_coarser[g]) {
				double sum = grouping->sum[g];
				offer(&best, sum * sum / grouping->weight[g] - grouping->penalty,
				      (enum sort)sort, g, WHOLE, 0);
			}
		}
		if (search->windows && has_windows[sort]) {
			try_windows(search, (enum sort)sort, grouping, residual, seen, &best);
		}
	}
	return best;
}

/* ---- chance ---- */

/* Standard scores dealt anew, with signs by chance, and as noisy as the items they come to. */
static void
deal(struct search *search)
{
	for (size_t i = 0; i < search->n; i++) {
		search->dealt[i] = search->residual[i] * sqrt(search->weight[i]);
	}
	for (size_t i = search->n; i > 1; i--) {
		size_t j = (size_t)prng_below(&search->prng, i);
		double other = search->dealt[j];
		search->dealt[j] = search->dealt[i - 1];
		search->dealt[i - 1] = other;
	}
	uint64_t signs = 0;
	for (size_t i = 0; i < search->n; i++) {
		signs = i % 64 == 0 ? prng_next(&search->prng) : signs >> 1;
		search->dealt[i] *= (signs & 1 ? 1 : -1) / sqrt(search->weight[i]);
	}
}

/* How often noise gives so large a gain: the largest gains of shuffles follow Gumbel's law. */
static int
chance_of(struct search *search, double gain, size_t *seen, double *chance,
          const struct cancel *cancel, struct err *err)
{
	size_t n = SHUFFLED_ITEMS / (search->n + 1), n_larger = 0;
	double sum = 0, squares = 0;
	if (gain > CLEAR_GAIN) { /* whatever the tails */
		*chance = exp(-gain / 2);
		return 0;
	}
	n = n < SHUFFLES_MIN ? SHUFFLES_MIN : n > SHUFFLES ? SHUFFLES : n;
	for (size_t s = 0; s < n; s++) {
		if (cancel_requested(cancel)) {
			return err_set(err, ERR_CANCELLED, "cancelled");
		}
		deal(search);
		double largest = find_best(search, search->dealt, seen).gain;
		sum += largest;
		squares += largest * largest;
		n_larger += largest >= gain;
	}
	double mean = sum / (double)n;
	double spread = sqrt(MOST(squares / (double)n - mean * mean, 1e-12));
	double scale = spread * 0.7797, place = mean - 0.5772 * scale;
	double of_law = -expm1(-exp(-(gain - place) / scale));
	double counted = (double)n_larger / (double)n;
	*chance = MOST(of_law, counted);
	return 0;
}

struct score {
	double size;
	size_t item;
};

static int
compare_scores(const void *a, const void *b)
{
	const struct score *x = a, *y = b;
	ORDER_BY(y->size, x->size);
	return ORDER(x->item, y->item);
}

/* Standard scores of units, by an item of each. */
static size_t
score_units(const struct search *search, struct score *scores)
{
	uint32_t last = 0;
	size_t n = 0;
	for (size_t i = 0; i < search->n; i++) {
		last = MOST(search->items[i].unit, last);
	}
	struct mean {
		double sum, weight;
	} *means = xcalloc((size_t)last + 1, sizeof *means);
	for (size_t i = 0; i < search->n; i++) {
		struct mean *mean = &means[search->items[i].unit];
		mean->sum += search->weight[i] * search->residual[i];
		mean->weight += search->weight[i];
	}
	for (size_t i = 0; i < search->n; i++) {
		struct mean *mean = &means[search->items[i].unit];
		if (mean->weight > 0) {
			scores[n++] = (struct score){fabs(mean->sum) / sqrt(mean->weight), i};
			mean->weight = 0;
		}
	}
	free(means);
	return n;
}

/* The item that stands apart from all others, and how often noise has such a one. */
static double
find_single(const struct search *search, struct best *single)
{
	struct score *scores = xcalloc(search->n + 1, sizeof *scores);
	size_t n = score_units(search, scores), tail = MOST(n / TAIL_SHARE, TAIL_MIN);
	double chance = 1;
	if (n < tail + TAIL_RANKS + 1) {
		free(scores);
		return chance;
	}
	SORT(scores, n, compare_scores);
	for (size_t rank = 0; rank < TAIL_RANKS; rank++) {
		double excess = 0;
		for (size_t k = rank + 1; k <= rank + tail; k++) {
			excess += scores[k].size - scores[rank + tail].size;
		}
		double scale = MOST(excess / (double)tail, 0.3);
		double apart = scores[rank].size - scores[rank + 1].size;
		double here = exp(-apart / scale * (double)(rank + 1)) * (rank + 1);
		chance = LEAST(here, chance);
	}
	single->gain = scores[0].size * scores[0].size - 2 * log((double)n);
	single->item = scores[0].item;
	free(scores);
	return chance;
}

/* ---- fitting ---- */

static struct portion
portion_of(const struct search *search, const struct best *best)
{
	struct portion portion = {.from_ns = INT64_MIN, .until_ns = INT64_MAX, .item = PORTION_ANY};
	const struct grouping *grouping = &search->groupings[best->sort];
	size_t of_group = 0;
	while (grouping->group[of_group] != best->group) {
		of_group++;
	}
	for (unsigned a = 0; a < PORTION_ATTRIBUTES; a++) {
		portion.code[a] = portions_attributes_of[best->sort] >> a & 1
		                      ? search->items[of_group].code[a]
		                      : PORTION_ANY;
	}
	if (best->window == SINGLE) {
		portion.item = (uint32_t)best->item;
		memcpy(portion.code, search->items[best->item].code, sizeof portion.code);
	} else if (best->window == FROM) {
		portion.from_ns = search->items[best->item].at_ns;
	} else if (best->window == UNTIL) {
		portion.until_ns = search->items[best->item].at_ns;
	}
	return portion;
}

/* Solves a x = b for several b at once (the last columns of a), in place. False: singular. */
static bool
eliminate(double a[PORTIONS_MAX][2 * PORTIONS_MAX + 1], size_t n, size_t width)
{
	for (size_t k = 0; k < n; k++) {
		size_t pivot = k;
		for (size_t i = k + 1; i < n; i++) {
			pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
		}
		if (fabs(a[pivot][k]) < 1e-9) {
			return false;
		}
		for (size_t j = 0; j < width; j++) {
			double other = a[k][j];
			a[k][j] = a[pivot][j];
			a[pivot][j] = other;
		}
		for (size_t i = 0; i < n; i++) {
			double by = i == k ? 0 : a[i][k] / a[k][k];
			for (size_t j = k; by != 0 && j < width; j++) {
				a[i][j] -= by * a[k][j];
			}
		}
	}
	for (size_t i = 0; i < n; i++) {
		for (size_t j = n; j < width; j++) {
			a[i][j] /= a[i][i];
		}
	}
	return true;
}

/* Effects of all portions together, by weighted least squares; and what they leave. */
static bool
fit(struct search *search)
{
	double a[PORTIONS_MAX][2 * PORTIONS_MAX + 1] = {{0}}; /* normal equations | unit | right */
	struct portion *found = search->portions->found;
	size_t n = search->portions->n;
	for (size_t p = 0; p < n; p++) {
		found[p].n = 0;
		a[p][n + p] = 1;
	}
	for (size_t i = 0; i < search->n; i++) {
		size_t in[PORTIONS_MAX], n_in = 0;
		for (size_t p = 0; p < n; p++) {
			if (portion_holds(&found[p], search->items, i)) {
				in[n_in++] = p;
				found[p].n++;
			}
		}
		for (size_t x = 0; x < n_in; x++) {
			a[in[x]][2 * n] += search->weight[i] * search->items[i].ratio;
			for (size_t y = 0; y < n_in; y++) {
				a[in[x]][in[y]] += search->weight[i];
			}
		}
	}
	if (!eliminate(a, n, 2 * n + 1)) {
		return false;
	}
	for (size_t p = 0; p < n; p++) {
		found[p].effect = a[p][2 * n];
		found[p].error = sqrt(MOST(a[p][n + p], 0));
	}
	for (size_t i = 0; i < search->n; i++) {
		search->residual[i] = search->items[i].ratio;
		for (size_t p = 0; p < n; p++) {
			if (portion_holds(&found[p], search->items, i)) {
				search->residual[i] -= found[p].effect;
			}
		}
	}
	return true;
}

/* Portions that others made superfluous. */
static void
prune(struct search *search)
{
	struct portions *portions = search->portions;
	for (size_t p = portions->n; p-- > 0;) {
		if (fabs(portions->found[p].effect) < 3 * portions->found[p].error) {
			memmove(&portions->found[p], &portions->found[p + 1],
			        (portions->n - p - 1) * sizeof *portions->found);
			portions->n--;
			fit(search);
		}
	}
}

static double
penalty_of(const struct search *search, const struct best *best)
{
	const struct grouping *grouping = &search->groupings[best->sort];
	double n = (double)search->n;
	return best->window == SINGLE  ? 2 * log(n)
	       : best->window == WHOLE ? grouping->penalty + log(n)
	                               : grouping->window_penalty + 3 * log(n);
}

static int
compare_items(const void *a, const void *b)
{
	const struct portion_item *x = a, *y = b;
	ORDER_BY(x->at_ns, y->at_ns);
	ORDER_BY(x->unit, y->unit);
	return ORDER(x->run, y->run);
}

static int
search_all(struct search *search, double chance_max, const struct cancel *cancel, struct err *err)
{
	struct portions *portions = search->portions;
	size_t *seen = xcalloc(MOST(search->n, search->n_codes[PORTION_KIND]) +
	                           search->n_codes[PORTION_LANE] + 1,
	                       sizeof *seen);
	int rc = 0;
	while (rc == 0 && portions->n < PORTIONS_MAX) {
		struct best best = find_best(search, search->residual, seen);
		struct best single = {.gain = -INFINITY, .window = SINGLE};
		double chance = find_single(search, &single);
		if (chance <= chance_max * SINGLE_SHARE && single.gain > best.gain) {
			best = single;
		} else if (best.gain > 0) {
			rc = chance_of(search, best.gain, seen, &chance, cancel, err);
		}
		if (rc || best.gain <= 0 || chance > chance_max) {
			break;
		}
		portions->found[portions->n] = portion_of(search, &best);
		portions->found[portions->n++].chance = chance;
		search->penalties += penalty_of(search, &best);
		if (!fit(search)) {
			portions->n--;
			fit(search);
			break;
		}
		portions_measure_noise(search);
	}
	free(seen);
	return rc;
}

#define COST_CLIPPED 5 /* standard deviations: farther ones cost no more */

static double
cost_of(const struct search *search, double penalties)
{
	double cost = penalties;
	for (size_t i = 0; i < search->n; i++) {
		double score = fabs(search->residual[i]) * sqrt(search->weight[i]);
		score = LEAST(score, COST_CLIPPED);
		cost += score * score - log(search->weight[i]);
	}
	return cost;
}

int
portions_find(struct portion_item *items, size_t n, const uint32_t n_codes[PORTION_ATTRIBUTES],
              double chance_max, bool windows, struct portions *portions,
              const struct cancel *cancel, struct err *err)
{
	struct search search = {.items = items,
	                        .n = n,
	                        .n_codes = n_codes,
	                        .prng = {n * 0x9e37u + 1},
	                        .windows = windows,
	                        .portions = portions};
	*portions = (struct portions){.n = 0};
	if (n < 3) {
		return 0;
	}
	SORT(items, n, compare_items);
	MEM_NEW(search.noise, n_codes[PORTION_KIND]);
	MEM_NEW(search.weight, n);
	MEM_NEW(search.residual, n);
	MEM_NEW(search.dealt, n);
	for (size_t i = 0; i < n; i++) {
		search.residual[i] = items[i].ratio;
	}
	portions_measure_noise(&search);
	portions_group(&search);
	int rc = search_all(&search, chance_max, cancel, err);
	if (rc == 0) {
		prune(&search);
		portions->cost = cost_of(&search, search.penalties);
	}
	portions_free_groups(&search);
	free(search.noise);
	free(search.weight);
	free(search.residual);
	free(search.dealt);
	return rc;
}
