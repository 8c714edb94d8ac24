/*
 * Order statistics of values in memory. Selection: quickselect for many ranks at once, three-way
 * (values repeat a lot), with the middle of nine as pivot, and heap sort where pivots turn out bad.
 *
 * Counting: a hash table of (group, value), small enough for a core's own cache. It grows up to a
 * limit and is then given up; so it is where values that collide on purpose make long searches.
 */
#include "config.h"
#include "column/ops/quantile.h"

#include <stdlib.h>

#include "util/heap.h"
#include "util/mem.h"
#include "util/order.h"

#define FIRST_SHIFT 54 /* 1024 entries */
#define PROBES 64

double
quantile_between(double a, double b, double difference, double share)
{
	return share >= 0.5 ? b - difference * (1 - share) : a + difference * share;
}

static inline bool
is_greater(const int64_t *a, const int64_t *b)
{
	return *a > *b;
}
HEAP(values, int64_t, is_greater)

static int64_t
middle_of(int64_t a, int64_t b, int64_t c)
{
	return a < b ? (b < c ? b : MOST(c, a)) : (a < c ? a : MOST(c, b));
}

/* Quickselect for many ranks: values below, equal to and above a pivot apart, then on in the parts
 * that hold ranks. After `depth` bad pivots: heap sort. */
static void
select_between(int64_t *values, size_t n, size_t offset, const size_t *ranks, size_t n_ranks,
               unsigned depth)
{
	while (n_ranks > 0 && n > 1) {
		if (depth-- == 0) {
			values_sort(values, n);
			return;
		}
		int64_t pivot = middle_of(
		    middle_of(values[0], values[n / 8], values[n / 4]),
		    middle_of(values[n / 2 - n / 8], values[n / 2], values[n / 2 + n / 8]),
		    middle_of(values[n - 1 - n / 4], values[n - 1 - n / 8], values[n - 1]));
		size_t below = 0, i = 0, above = n;
		while (i < above) {
			int64_t value = values[i];
			if (value < pivot) {
				values[i++] = values[below];
				values[below++] = value;
			} else if (value > pivot) {
				values[i] = values[--above];
				values[above] = value;
			} else {
				i++;
			}
		}
		size_t n_low = 0, n_mid;
		while (n_low < n_ranks && ranks[n_low] - offset < below) {
			n_low++;
		}
		for (n_mid = n_low; n_mid < n_ranks && ranks[n_mid] - offset < above;) {
			n_mid++;
		}
		select_between(values, below, offset, ranks, n_low, depth);
		values += above;
		n -= above;
		offset += above;
		ranks += n_mid;
		n_ranks -= n_mid;
	}
}

void
select_ranks(int64_t *values, size_t n, const size_t *ranks, size_t n_ranks)
{
	unsigned depth = 8;
	for (size_t i = n; i > 1; i /= 2) {
		depth += 2;
	}
	select_between(values, n, 0, ranks, n_ranks, depth);
}

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
	free(counts->entries);
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

void
value_counts_add(struct value_counts *counts, uint32_t limit, const uint32_t *groups,
                 const int64_t *keys, const uint16_t *rows, uint32_t n)
{
	counts->n_values += n;
	if (counts->is_abandoned || counts->n_values > UINT32_MAX) {
		abandon_counts(counts);
		return;
	}
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
			abandon_counts(counts);
			return;
		}
	}
}

void
value_counts_collect(struct value_counts *list, const struct value_counts *table,
                     const uint32_t *map)
{
	if (list->is_abandoned || table->is_abandoned) {
		abandon_counts(list);
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
}
