/*
 * Figures are taken by their ranks, so that neither an outlier nor the form of the noise matters.
 * A part of the row is tested for its greatest step: the difference of the mean rank before and
 * behind a place, over its standard deviation (Hawkins and Deng, A nonparametric change-point
 * control chart, 2010); where it has none, for a level that comes and goes, which would cancel out
 * there: the same of a stretch and all around it (Olshen and others, Circular binary segmentation,
 * 2004). Its chance is that of the same figures in random orders, which needs no model of the
 * noise; drawing ends as soon as too many have such a step (Besag and Clifford, Sequential Monte
 * Carlo p-values, 1991). What has a step is divided there, and its parts are tested by themselves.
 * Ranks say that there is a step, but not which of two levels a figure between them is nearer to:
 * at last each step goes to where figures are least off the medians of the levels beside it.
 */
#include "config.h"
#include "util/change_points.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"
#include "util/prng.h"

#define ORDERS 1999
#define RARE ((size_t)(CHANGE_CHANCE * (ORDERS + 1))) /* so many of them at most */
#define STRETCH_PLACES 128

struct ranked_figure {
	double figure;
	size_t place;
};

static int
compare_ranked(const void *a, const void *b)
{
	const struct ranked_figure *x = a, *y = b;
	return ORDER(x->figure, y->figure);
}

/* Of equal figures each has the middle of their ranks. The mean of all is 0. */
static void
find_ranks(const double *figures, size_t n, struct ranked_figure *sorted, double *ranks)
{
	for (size_t i = 0; i < n; i++) {
		sorted[i] = (struct ranked_figure){figures[i], i};
	}
	SORT(sorted, n, compare_ranked);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && sorted[end].figure == sorted[i].figure;) {
			end++;
		}
		for (size_t k = i; k < end; k++) {
			ranks[sorted[k].place] = (double)(i + end) / 2 - (double)n / 2;
		}
	}
}

/* From at to before end is off all around it; at 0: nothing is. */
struct step {
	size_t at, end;
	double size;
};

/* sums[i]: of the ranks before i, of all 0. */
static void
weigh(const double *sums, size_t n, size_t at, size_t end, struct step *step)
{
	double off = sums[end] - sums[at], within = (double)(end - at);
	double size = off * off / (within * ((double)n - within));

	if (size > step->size) {
		*step = (struct step){at, end, size};
	}
}

static void
add_up(const double *ranks, size_t n, double *sums)
{
	sums[0] = 0;
	for (size_t i = 0; i < n; i++) {
		sums[i + 1] = sums[i] + ranks[i];
	}
}

static struct step
greatest_step(const double *sums, const bool *begins, size_t n)
{
	struct step step = {0, 0, 0};

	for (size_t i = 1; i < n; i++) {
		if (begins[i]) {
			weigh(sums, n, i, n, &step);
		}
	}
	return step;
}

/* Of many figures not every stretch: those between places of a grid. */
static struct step
greatest_stretch(const double *sums, const bool *begins, size_t n)
{
	struct step step = {0, 0, 0};
	size_t grid = n / STRETCH_PLACES + 1;

	for (size_t i = grid; i < n; i += grid) {
		for (size_t k = i + grid; begins[i] && k < n; k += grid) {
			if (begins[k]) {
				weigh(sums, n, i, k, &step);
			}
		}
	}
	return step;
}

static void
shuffle(double *ranks, size_t n, struct prng *prng)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = (size_t)prng_below(prng, i);
		double rank = ranks[i - 1];
		ranks[i - 1] = ranks[k];
		ranks[k] = rank;
	}
}

struct change_search {
	const double *figures;
	const bool *begins;
	struct ranked_figure *sorted;
	double *ranks, *sums;
	struct change_point *found;
	size_t n_found;
};

typedef struct step look(const double *sums, const bool *begins, size_t n);

/* How many of ORDERS random orders have what the figures have, plus one; 0: too many. */
static size_t
test(const struct change_search *search, const bool *begins, size_t n, look *how, struct step *step)
{
	size_t as_great = 1;
	struct prng prng = {n};

	add_up(search->ranks, n, search->sums);
	*step = how(search->sums, begins, n);
	for (size_t i = 0; step->at && i < ORDERS && as_great <= RARE; i++) {
		shuffle(search->ranks, n, &prng);
		add_up(search->ranks, n, search->sums);
		as_great += how(search->sums, begins, n).size >= step->size * (1 - 1e-12);
	}
	return step->at && as_great <= RARE ? as_great : 0;
}

/* Finds the steps in [from, end); those in the parts that it makes are found later. */
static bool
test_part(struct change_search *search, size_t from, size_t end)
{
	static look *const looks[] = {greatest_step, greatest_stretch};
	size_t n = end - from, as_great = 0;
	struct step step = {0, 0, 0};

	if (n < CHANGE_FIGURES_LEAST) {
		return false;
	}
	for (size_t i = 0; i < COUNT_OF(looks) && !as_great; i++) {
		find_ranks(search->figures + from, n, search->sorted, search->ranks);
		as_great = test(search, search->begins + from, n, looks[i], &step);
	}
	double chance = (double)as_great / (ORDERS + 1);
	if (as_great && step.end < n) {
		search->found[search->n_found++] = (struct change_point){from + step.end, chance};
	}
	if (as_great) {
		search->found[search->n_found++] = (struct change_point){from + step.at, chance};
	}
	return as_great > 0;
}

static double
median(struct change_search *search, size_t from, size_t end)
{
	size_t n = end - from;

	for (size_t i = 0; i < n; i++) {
		search->sorted[i] = (struct ranked_figure){search->figures[from + i], i};
	}
	SORT(search->sorted, n, compare_ranked);
	return (search->sorted[(n - 1) / 2].figure + search->sorted[n / 2].figure) / 2;
}

/* Where the levels of [from, at) and [at, end) part. Infinite ones stay where they are. */
static size_t
part(struct change_search *search, size_t from, size_t at, size_t end)
{
	double before = median(search, from, at), behind = median(search, at, end);
	double off = 0, least = INFINITY; /* than if all were of the level behind */
	size_t found = at;

	for (size_t i = from; i + 1 < end; i++) {
		off += fabs(search->figures[i] - before) - fabs(search->figures[i] - behind);
		if (off < least && search->begins[i + 1]) {
			least = off;
			found = i + 1;
		}
	}
	return found;
}

size_t
change_points_find(const double *figures, const bool *begins, size_t n,
                   struct change_point *changes)
{
	struct change_search search = {.figures = figures, .begins = begins};
	size_t from = 0, n_changes = 0;

	MEM_NEW(search.sorted, n + 1);
	MEM_NEW(search.ranks, n + 1);
	MEM_NEW(search.sums, n + 1);
	MEM_NEW(search.found, n + 1); /* those behind the part that is looked at, from the right */
	while (from < n) {
		size_t waiting = search.n_found;
		if (test_part(&search, from, waiting ? search.found[waiting - 1].at : n)) {
			continue;
		}
		from = waiting ? search.found[waiting - 1].at : n;
		if (waiting) {
			changes[n_changes++] = search.found[--search.n_found];
		}
	}
	for (size_t i = 0; i < n_changes; i++) {
		changes[i].at = part(&search, i ? changes[i - 1].at : 0, changes[i].at,
		                     i + 1 < n_changes ? changes[i + 1].at : n);
	}
	free(search.sorted);
	free(search.ranks);
	free(search.sums);
	free(search.found);
	return n_changes;
}
