/* Small deterministic random numbers (splitmix64), for generators, tests and simulations.
 * Used by column/ops, explain/parts, explain/verdict, simulate, store. */
#ifndef LANESCOPE_UTIL_PRNG_H
#define LANESCOPE_UTIL_PRNG_H

#include <stdint.h>

struct prng {
	uint64_t state;
};
static inline uint64_t
prng_next(struct prng *prng)
{
	uint64_t z = (prng->state += UINT64_C(0x9e3779b97f4a7c15));
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}
/* 0 .. bound-1, bound > 0; the bias below 2^-32 does not matter here. */
static inline uint64_t
prng_below(struct prng *prng, uint64_t bound)
{
	return (uint64_t)(((unsigned __int128)prng_next(prng) * bound) >> 64);
}

#endif
