/* How often values occur in groups, for quantiles: each by itself, or by bins.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_OPS_VALUE_COUNTS_H
#define LANESCOPE_COLUMN_OPS_VALUE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bins of values from 0 on: steps between two powers of two, and as many values by themselves. */
#define VALUE_BIN_BITS 6u
#define VALUE_BIN_STEPS (1u << VALUE_BIN_BITS)
#define VALUE_BINS ((64 - VALUE_BIN_BITS) * VALUE_BIN_STEPS)
static inline unsigned
value_bin(uint64_t value)
{
	if (value < VALUE_BIN_STEPS) {
		return (unsigned)value;
	}
	unsigned exponent = 63 - (unsigned)__builtin_clzll(value);
	unsigned step = (unsigned)(value >> (exponent - VALUE_BIN_BITS)) % VALUE_BIN_STEPS;
	return (exponent - VALUE_BIN_BITS + 1) * VALUE_BIN_STEPS + step;
}
/* The least value of a bin, and the largest. */
int64_t value_bin_first(unsigned bin, int64_t *last);

/* How often values occur in groups: each by itself as long as few different ones do, by bins from
 * there on. Zero-initialise. */
struct value_counts {
	struct value_count {
		int64_t key;
		uint32_t group, n; /* n 0: free */
	} * entries;               /* a hash table, or a list once collected */
	size_t n_entries, n_used;
	unsigned shift;
	uint32_t *bins; /* VALUE_BINS a group, instead of entries; NULL: not (yet) */
	uint32_t n_bin_groups;
	uint64_t n_values;
	bool is_abandoned; /* neither does: the counts are gone, adding does nothing */
};
#define VALUE_COUNTS_LIMIT (1u << 15)
/* Counts keys[row] of groups[row] for n rows (NULL: 0 ... n - 1); at most `limit`
 * (VALUE_COUNTS_LIMIT or less) different ones by themselves. */
void value_counts_add(struct value_counts *counts, uint32_t limit, const uint32_t *groups,
                      const int64_t *keys, const uint16_t *rows, uint32_t n);
/* Appends the table's entries to the list, with groups renamed (map NULL: as they are). If either
 * has bins, so has the list; if one is abandoned, so is the list. */
void value_counts_collect(struct value_counts *list, const struct value_counts *table,
                          const uint32_t *map);
/* Sorts a list by group, then key; a key may stand there more than once. */
void value_counts_sort(struct value_counts *list);
void value_counts_fini(struct value_counts *counts);

#endif
