/*
 * Items of a search for portions by their groups, and how noisy they are.
 *
 * The noise of a kind is the shortest interval that holds half of its ratios (the shorth), which a
 * change of fewer than half of them leaves alone, drawn to that of all kinds where a kind has few
 * items.
 */
#include "config.h"
#include "explain/verdict/portions_search.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"
#include "util/quantile.h"

#define SHORTH_OF_NORMAL 1.349 /* length of the shortest half, in standard deviations */
#define NOISE_OF_ALL 8         /* as many items does the noise of all kinds count in one */
#define NOISE_MIN 1e-4         /* clocks and rounding */

const unsigned char portions_attributes_of[SORTS] = {
    [KIND] = 1 << PORTION_KIND,
    [LANE] = 1 << PORTION_LANE,
    [HOST] = 1 << PORTION_HOST,
    [KIND_LANE] = 1 << PORTION_KIND | 1 << PORTION_LANE,
    [KIND_HOST] = 1 << PORTION_KIND | 1 << PORTION_HOST,
};

/* ---- noise ---- */

/* Standard deviation as the shortest half of sorted values gives it; corrected for few. */
static double
shorth_noise(const double *sorted, size_t n)
{
	size_t half = n / 2 + 1;
	double shortest = INFINITY;
	for (size_t i = 0; n >= 3 && i + half <= n; i++) {
		shortest = LEAST(sorted[i + half - 1] - sorted[i], shortest);
	}
	return n < 3 ? NAN : shortest / SHORTH_OF_NORMAL * (1 + 4 / (double)n);
}

void
portions_measure_noise(struct search *search)
{
	uint32_t n_kinds = search->n_codes[PORTION_KIND];
	double *values = xcalloc(search->n, sizeof *values);
	double *around = xcalloc(search->n, sizeof *around);
	size_t *first = xcalloc((size_t)n_kinds + 2, sizeof *first), n_around = 0;
	for (size_t i = 0; i < search->n; i++) {
		first[search->items[i].code[PORTION_KIND] + 2]++;
	}
	for (uint32_t k = 0; k < n_kinds; k++) {
		first[k + 2] += first[k + 1];
	}
	for (size_t i = 0; i < search->n; i++) {
		values[first[search->items[i].code[PORTION_KIND] + 1]++] = search->residual[i];
	}
	for (uint32_t k = 0; k < n_kinds; k++) {
		double *of_kind = values + first[k];
		size_t n = first[k + 1] - first[k];
		quantile_sort(of_kind, n);
		search->noise[k] = shorth_noise(of_kind, n);
		double middle = quantile_sorted(of_kind, n, 0.5);
		for (size_t i = 0; n >= 3 && i < n; i++) {
			around[n_around++] = of_kind[i] - middle;
		}
	}
	quantile_sort(around, n_around);
	double of_all = n_around >= 3 ? shorth_noise(around, n_around) : 0.02;
	of_all = MOST(of_all, NOISE_MIN);
	for (uint32_t k = 0; k < n_kinds; k++) {
		double n = (double)(first[k + 1] - first[k]), own = search->noise[k];
		if (isnan(own)) {
			n = own = 0;
		}
		search->noise[k] =
		    sqrt((n * own * own + NOISE_OF_ALL * of_all * of_all) / (n + NOISE_OF_ALL));
	}
	for (size_t i = 0; i < search->n; i++) {
		double noise = search->noise[search->items[i].code[PORTION_KIND]];
		search->weight[i] = 1 / (noise * noise);
	}
	search->portions->noise = of_all;
	free(values);
	free(around);
	free(first);
}

/* ---- groups ---- */

struct crossed {
	uint64_t codes;
	size_t item;
};

static int
compare_crossed(const void *a, const void *b)
{
	const struct crossed *x = a, *y = b;
	ORDER_BY(x->codes, y->codes);
	return ORDER(x->item, y->item);
}

static void
cross(const struct search *search, enum sort sort, struct grouping *grouping)
{
	unsigned other = sort == KIND_LANE ? PORTION_LANE : PORTION_HOST;
	struct crossed *crossed = xcalloc(search->n, sizeof *crossed);
	for (size_t i = 0; i < search->n; i++) {
		const uint32_t *code = search->items[i].code;
		crossed[i] = (struct crossed){(uint64_t)code[PORTION_KIND] << 32 | code[other], i};
	}
	SORT(crossed, search->n, compare_crossed);
	for (size_t i = 0; i < search->n; i++) {
		grouping->n_groups += i == 0 || crossed[i].codes != crossed[i - 1].codes;
		grouping->group[crossed[i].item] = grouping->n_groups - 1;
	}
	free(crossed);
}

static void
group_items(const struct search *search, enum sort sort, struct grouping *grouping)
{
	MEM_NEW(grouping->group, search->n);
	if (sort >= KIND_LANE) {
		cross(search, sort, grouping);
	} else {
		unsigned attribute = (unsigned)sort - KIND;
		grouping->n_groups = sort == ALL ? 1 : search->n_codes[attribute];
		for (size_t i = 0; sort != ALL && i < search->n; i++) {
			grouping->group[i] = search->items[i].code[attribute];
		}
	}
	size_t n_groups = grouping->n_groups;
	MEM_NEW(grouping->n, n_groups);
	MEM_NEW(grouping->is_coarser, n_groups);
	MEM_NEW(grouping->weight, n_groups);
	MEM_NEW(grouping->before, n_groups);
	MEM_NEW(grouping->sum, n_groups);
	MEM_NEW(grouping->sum_before, n_groups);
	double used = 0;
	for (size_t i = 0; i < search->n; i++) {
		used += grouping->n[grouping->group[i]]++ == 0;
	}
	grouping->penalty = 2 * log(MOST(used, 1)) + (sort >= KIND_LANE ? 4 : 0);
	grouping->window_penalty = grouping->penalty + 4;
}

void
portions_group(struct search *search)
{
	for (int sort = 0; sort < SORTS; sort++) {
		group_items(search, (enum sort)sort, &search->groupings[sort]);
		struct grouping *own = &search->groupings[sort];
		for (size_t i = 0; i < search->n; i++) {
			for (int plainer = 0; plainer < sort; plainer++) {
				const struct grouping *other = &search->groupings[plainer];
				bool within = plainer == ALL ||
				              (portions_attributes_of[plainer] &
				               ~portions_attributes_of[sort]) == 0 ||
				              (plainer == LANE && sort == HOST);
				if (within && other->n[other->group[i]] == own->n[own->group[i]]) {
					own->is_coarser[own->group[i]] = true;
				}
			}
		}
	}
}

void
portions_free_groups(struct search *search)
{
	for (int sort = 0; sort < SORTS; sort++) {
		struct grouping *grouping = &search->groupings[sort];
		free(grouping->group);
		free(grouping->n);
		free(grouping->is_coarser);
		free(grouping->weight);
		free(grouping->before);
		free(grouping->sum);
		free(grouping->sum_before);
	}
}
