/* Sorting by unsigned keys, digit by digit: stable, in time proportional to the items, and digits
 * that are the same everywhere cost nothing.
 * Used by column/ops, query/saved, store. */
#ifndef LANESCOPE_UTIL_RADIX_H
#define LANESCOPE_UTIL_RADIX_H

#include <stddef.h>
#include <stdint.h>

struct radix_item {
	uint64_t key;
	uint32_t index; /* the caller's */
};
/* `other` has room for as many; the sorted ones are in either, as returned. */
struct radix_item *radix_sort(struct radix_item *items, struct radix_item *other, size_t n);

/* The order of signed numbers. */
static inline uint64_t
radix_key(int64_t number)
{
	return (uint64_t)number ^ UINT64_C(1) << 63;
}

/* Back again. */
static inline int64_t
radix_number(uint64_t key)
{
	return (int64_t)(key ^ UINT64_C(1) << 63);
}

#endif
