/* Eleven bits a digit: its counts fit a core's first cache. */
#include "config.h"
#include "util/radix.h"

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

static void
sort_by_digit(const struct radix_item *items, struct radix_item *other, size_t n, int shift)
{
	size_t starts[DIGITS + 1] = {0};

	for (size_t i = 0; i < n; i++) {
		starts[(items[i].key >> shift) % DIGITS + 1]++;
	}
	for (unsigned digit = 0; digit < DIGITS; digit++) {
		starts[digit + 1] += starts[digit];
	}
	for (size_t i = 0; i < n; i++) {
		other[starts[(items[i].key >> shift) % DIGITS]++] = items[i];
	}
}

struct radix_item *
radix_sort(struct radix_item *items, struct radix_item *other, size_t n)
{
	uint64_t varying = 0;

	for (size_t i = 0; i < n; i++) {
		varying |= items[i].key ^ items[0].key;
	}
	for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
		if ((varying >> shift) % DIGITS > 0) {
			sort_by_digit(items, other, n, shift);
			struct radix_item *swap = items;
			items = other;
			other = swap;
		}
	}
	return items;
}
