/*
 * Shapley values of up to five factors, exact in whole ns.
 */
#include "config.h"
#include "explain/model/shapley.h"

#include "util/order.h"

/* Numerators of a mean over orders share the denominator n!; whole ns are handed out by the largest
 * remainder, so that the means sum to the whole. */
static void
divide_exactly(const __int128 *numerators, unsigned n, int64_t denominator, int64_t total,
               struct shapley_effect *effects)
{
	int64_t remainders[SHAPLEY_FACTORS], sum = 0;
	for (unsigned i = 0; i < n; i++) {
		__int128 whole = numerators[i] / denominator, rest = numerators[i] % denominator;
		if (rest < 0) {
			whole--;
			rest += denominator;
		}
		effects[i].mean = (int64_t)whole;
		remainders[i] = (int64_t)rest;
		sum += effects[i].mean;
	}
	for (int64_t left = total - sum; left > 0; left--) {
		unsigned most = 0;
		for (unsigned i = 1; i < n; i++) {
			most = remainders[i] > remainders[most] ? i : most;
		}
		effects[most].mean++;
		remainders[most] = -1;
	}
}

void
shapley_effects(const int64_t *value, unsigned n, struct shapley_effect *effects)
{
	static const int64_t factorial[] = {1, 1, 2, 6, 24, 120};
	__int128 numerators[SHAPLEY_FACTORS] = {0};
	for (unsigned i = 0; i < n; i++) {
		effects[i] = (struct shapley_effect){0, INT64_MAX, INT64_MIN};
		for (unsigned set = 0; set < 1u << n; set++) {
			if (set >> i & 1) {
				continue;
			}
			unsigned before = (unsigned)__builtin_popcount(set);
			int64_t step = value[set | 1u << i] - value[set];
			numerators[i] +=
			    (__int128)step * factorial[before] * factorial[n - before - 1];
			effects[i].low = LEAST(step, effects[i].low);
			effects[i].high = MOST(step, effects[i].high);
		}
	}
	if (n > 0) {
		divide_exactly(numerators, n, factorial[n], value[(1u << n) - 1] - value[0],
		               effects);
	}
}
