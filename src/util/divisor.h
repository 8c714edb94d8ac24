/*
 * Dividing many numbers by the same one: a multiplication by its reciprocal, which is rounded down,
 * gives the quotient or one less, and the rest tells which. A division takes many times as long.
 * Used by column/ops, column/scan.
 */
#ifndef LANESCOPE_UTIL_DIVISOR_H
#define LANESCOPE_UTIL_DIVISOR_H

#include <stdint.h>

struct divisor {
	int64_t by; /* above 0 */
	uint64_t reciprocal;
};

static inline struct divisor
divisor_of(int64_t by)
{
	return (struct divisor){by, UINT64_MAX / (uint64_t)by};
}

/* Rounded down, also below 0. */
static inline int64_t
divide_floor(struct divisor divisor, int64_t value)
{
	uint64_t sign = value < 0 ? UINT64_MAX : 0; /* -1 - value is divided, where value is not */
	uint64_t number = (uint64_t)value ^ sign, by = (uint64_t)divisor.by;
	uint64_t quotient = (uint64_t)((unsigned __int128)number * divisor.reciprocal >> 64);
	quotient += number - quotient * by >= by;
	return (int64_t)(quotient ^ sign);
}

#endif
