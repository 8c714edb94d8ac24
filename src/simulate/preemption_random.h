/* Chance as the simulation draws it. Private to src/simulate.
 * Used by its room alone. */
#ifndef LANESCOPE_SIMULATE_PREEMPTION_RANDOM_H
#define LANESCOPE_SIMULATE_PREEMPTION_RANDOM_H

#include <stddef.h>
#include "simulate/preemption.h"
#include "util/prng.h"

double random_uniform(struct prng *prng);             /* [0, 1) */
uint64_t random_below(struct prng *prng, uint64_t n); /* 0 ... n - 1 without bias, n > 0 */
double random_normal(struct prng *prng, double mean, double deviation);
int64_t random_size(struct prng *prng, double mean, double deviation); /* at least 1 */
/* Moves k of n ids, chosen at random, to the front. */
void random_victims(struct prng *prng, int64_t *ids, size_t n, size_t k);

/* Sizes of this step's preemption and addition, 0: none; before any limit. */
int64_t random_preemption(struct prng *prng, const struct preemption_params *params,
                          int64_t step_ms);
int64_t random_addition(struct prng *prng, const struct preemption_params *params, int64_t step_ms);

#endif
