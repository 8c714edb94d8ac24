/*
 * Counting values by group: first each by itself, in a hash table that is small enough for a core's
 * own cache. Beyond its limit, or where values that collide on purpose make long searches, the
 * counts are poured into bins: values below VALUE_BIN_STEPS by themselves, larger ones in that many
 * equal steps between two powers of two, as HdrHistogram has them. Bins do not tell what a value is
 * but, to two per cent, where those of a rank are, and one pass that gathers these finds it.
 * Negative values and many groups have no bins: there the counts are given up.
 */
#include "config.h"
#include "column/ops/value_counts.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/order.h"

#define FIRST_SHIFT 54 /* 1024 entries */
#define PROBES 64
#define BIN_GROUPS 256u /* 15 KB each */

/* The entry of the key, or the free one where it belongs. NULL: too many others are in the way. */
static inline struct value_count *
find_count(const struct value_counts *counts, uint32_t group, int64_t key)
{
	uint64_t hash =
	    ((uint64_t)key + group * UINT64_C(0xbf58476d1ce4e5b9)) * UINT64_C(0x9e3779b97f4a7c15);
	size_t mask = counts->n_entries - 1, at = (size_t)(hash >> counts->shift);
	for (unsigned i = 0; i < PROBES; i++, at = (at + 1) & mask) {
		struct value_count *entry = &counts->entries[at];
		if ((entry->key == key && entry->group == group) || entry->n == 0) {
			return entry;
		}
	}
	return NULL;
}

static void
abandon_counts(struct value_counts *counts)
{
	value_counts_fini(counts);
	*counts = (struct value_counts){.is_abandoned = true};
}

/* Lays the table out anew with room for twice as many, or more if keys collide. */
static bool
grow_counts(struct value_counts *counts)
{
	struct value_counts next = *counts;
	bool is_full = true;
	while (is_full && next.n_entries < 2 * VALUE_COUNTS_LIMIT) {
		next.shift--;
		next.n_entries *= 2;
		MEM_NEW(next.entries, next.n_entries);
		is_full = false;
		for (size_t i = 0; i < counts->n_entries && !is_full; i++) {
			const struct value_count *entry = &counts->entries[i];
			if (entry->n > 0) {
				struct value_count *place =
				    find_count(&next, entry->group, entry->key);
				is_full = place == NULL;
				if (place) {
					*place = *entry;
				}
			}
		}
		if (is_full) {
			free(next.entries);
		}
	}
	if (!is_full) {
		free(counts->entries);
		*counts = next;
	}
	return !is_full;
}

int64_t
value_bin_first(unsigned bin, int64_t *last)
{
	unsigned octave = bin / VALUE_BIN_STEPS;
	unsigned shift = octave > 0 ? octave - 1 : 0;
	uint64_t step = bin % VALUE_BIN_STEPS + (octave > 0 ? VALUE_BIN_STEPS : 0);
	uint64_t first = step << shift;

	*last = (int64_t)(first + (UINT64_C(1) << shift) - 1);
	return (int64_t)first;
}

static bool
add_to_bin(struct value_counts *counts, uint32_t group, int64_t key, uint32_t n)
{
	if (group >= counts->n_bin_groups) {
		uint32_t n_groups = counts->n_bin_groups ? counts->n_bin_groups : 8;
		while (n_groups <= group && n_groups < BIN_GROUPS) {
			n_groups *= 2;
		}
		if (group >= n_groups) {
			return false;
		}
		size_t had = (size_t)counts->n_bin_groups * VALUE_BINS;
		size_t has = (size_t)n_groups * VALUE_BINS;
		counts->bins = xrealloc_array(counts->bins, has, sizeof *counts->bins);
		memset(counts->bins + had, 0, (has - had) * sizeof *counts->bins);
		counts->n_bin_groups = n_groups;
	}
	if (key < 0) {
		return false;
	}
	counts->bins[(size_t)group * VALUE_BINS + value_bin((uint64_t)key)] += n;
	return true;
}

/* Entries of a table or a list. */
static bool
pour_entries(struct value_counts *into, const struct value_counts *from, size_t n,
             const uint32_t *map)
{
	for (size_t i = 0; i < n; i++) {
		const struct value_count *entry = &from->entries[i];
		uint32_t group = map ? map[entry->group] : entry->group;
		if (entry->n > 0 && !add_to_bin(into, group, entry->key, entry->n)) {
			return false;
		}
	}
	return true;
}

/* The counts' own entries, of which there are n. */
static bool
turn_to_bins(struct value_counts *counts, size_t n)
{
	if (!pour_entries(counts, counts, n, NULL)) {
		return false;
	}
	free(counts->entries);
	counts->entries = NULL;
	counts->n_entries = counts->n_used = 0;
	return true;
}

/* The first of its kind. False: there is no room. */
static bool
insert_count(struct value_counts *counts, uint32_t limit, uint32_t group, int64_t key)
{
	struct value_count *place = find_count(counts, group, key);
	if (counts->n_used == limit) {
		return false;
	}
	while (!place || counts->n_used >= counts->n_entries / 2) {
		if (!grow_counts(counts)) {
			return false;
		}
		place = find_count(counts, group, key);
	}
	*place = (struct value_count){key, group, 1};
	counts->n_used++;
	return true;
}

/* As many rows as there is room for; the number of those that were added. */
static uint32_t
count_each(struct value_counts *counts, uint32_t limit, const uint32_t *groups, const int64_t *keys,
           const uint16_t *rows, uint32_t n)
{
	if (!counts->entries) {
		counts->shift = FIRST_SHIFT;
		counts->n_entries = (size_t)1 << (64 - FIRST_SHIFT);
		MEM_NEW(counts->entries, counts->n_entries);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows ? rows[i] : i;
		struct value_count *entry = find_count(counts, groups[row], keys[row]);
		if (entry && entry->n > 0) {
			entry->n++;
		} else if (!insert_count(counts, limit, groups[row], keys[row])) {
			return i;
		}
	}
	return n;
}

void
value_counts_add(struct value_counts *counts, uint32_t limit, const uint32_t *groups,
                 const int64_t *keys, const uint16_t *rows, uint32_t n)
{
	uint32_t i = 0;

	counts->n_values += n;
	if (counts->is_abandoned || counts->n_values > UINT32_MAX) {
		abandon_counts(counts);
		return;
	}
	if (!counts->bins) {
		i = count_each(counts, limit, groups, keys, rows, n);
	}
	if (i < n && !counts->bins && !turn_to_bins(counts, counts->n_entries)) {
		abandon_counts(counts);
		return;
	}
	for (; i < n; i++) {
		uint32_t row = rows ? rows[i] : i;
		if (!add_to_bin(counts, groups[row], keys[row], 1)) {
			abandon_counts(counts);
			return;
		}
	}
}

static bool
pour_bins(struct value_counts *into, const struct value_counts *from, const uint32_t *map)
{
	for (uint32_t group = 0; group < from->n_bin_groups; group++) {
		const uint32_t *bins = from->bins + (size_t)group * VALUE_BINS;
		for (unsigned bin = 0; bin < VALUE_BINS; bin++) {
			int64_t last, first = value_bin_first(bin, &last);
			if (bins[bin] > 0 &&
			    !add_to_bin(into, map ? map[group] : group, first, bins[bin])) {
				return false;
			}
		}
	}
	return true;
}

void
value_counts_collect(struct value_counts *list, const struct value_counts *table,
                     const uint32_t *map)
{
	list->n_values += table->n_values;
	if (list->is_abandoned || table->is_abandoned || list->n_values > UINT32_MAX) {
		abandon_counts(list);
		return;
	}
	if (list->bins || table->bins) {
		bool fits = (list->bins || turn_to_bins(list, list->n_used)) &&
		            pour_entries(list, table, table->n_entries, map) &&
		            pour_bins(list, table, map);
		if (!fits) {
			abandon_counts(list);
		}
		return;
	}
	if (table->n_used == 0) {
		return;
	}
	list->entries =
	    xrealloc_array(list->entries, list->n_used + table->n_used, sizeof *list->entries);
	for (size_t i = 0; i < table->n_entries; i++) {
		struct value_count entry = table->entries[i];
		if (entry.n > 0) {
			entry.group = map ? map[entry.group] : entry.group;
			list->entries[list->n_used++] = entry;
		}
	}
}

static int
compare_counts(const void *a, const void *b)
{
	const struct value_count *x = a, *y = b;
	ORDER_BY(x->group, y->group);
	return ORDER(x->key, y->key);
}

void
value_counts_sort(struct value_counts *list)
{
	SORT(list->entries, list->n_used, compare_counts);
}

void
value_counts_fini(struct value_counts *counts)
{
	free(counts->entries);
	free(counts->bins);
}
