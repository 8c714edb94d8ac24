/* Choosing how to store the integers of a column.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_ENCODE_COLUMN_PLAN_H
#define LANESCOPE_COLUMN_ENCODE_COLUMN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* Exact division by one divisor, by multiplication. */
struct exact_divisor {
	uint64_t inverse, limit;
	unsigned shift;
};
struct exact_divisor exact_divisor_of(uint64_t divisor); /* divisor > 0 */
/* value / divisor if it divides evenly, else a number above limit. */
static inline uint64_t
exact_divide(const struct exact_divisor *divisor, uint64_t value)
{
	uint64_t product = value * divisor->inverse;
	unsigned shift = divisor->shift;
	return product >> shift | product << (-shift & 63);
}

/* value[i] (or value[i] - value[i-1]) = base + scale * n[i]; n above 2^width - 1 are patches. */
struct column_plan {
	bool is_delta, is_table, has_fill;
	uint64_t base, scale;
	uint64_t fill;       /* has_fill: the frequent value */
	unsigned width;      /* of most numbers */
	unsigned full_width; /* without patches; its base is full_base */
	uint64_t full_base;
	double bits;         /* estimated, a value */
	int64_t min, max;    /* of all values */
	uint32_t n_distinct; /* is_table: at least so many */
};

#define PATCH_BITS 80.0
#define TABLE_LIMIT 4096u

/* n > 0 */
void column_plan_make(struct column_plan *plan, const int64_t *values, uint32_t n);

#endif
