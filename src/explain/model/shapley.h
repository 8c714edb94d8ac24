/*
 * What each of some factors adds, on average over all orders of taking them.
 * Used by explain/parts.
 */
#ifndef LANESCOPE_EXPLAIN_MODEL_SHAPLEY_H
#define LANESCOPE_EXPLAIN_MODEL_SHAPLEY_H

#include <stdint.h>

#define SHAPLEY_FACTORS 5 /* at most */

struct shapley_effect {
	int64_t mean, low, high; /* least and most in any order */
};
/* value[set]: with the factors whose bits are set; 1 << n of them. Means sum to value[all] -
 * value[0] exactly. */
void shapley_effects(const int64_t *value, unsigned n, struct shapley_effect *effects);

#endif
