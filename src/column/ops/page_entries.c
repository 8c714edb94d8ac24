/*
 * The best rows so far. Rows are gathered until there are twice as many as wanted and then cut down
 * to the best by quickselect, which costs a constant time a row however many are wanted and
 * whatever order they come in.
 */
#include "config.h"
#include "column/ops/page_order.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"
#include "util/prng.h"

static size_t
entry_bytes(const struct page_entries *entries)
{
	return sizeof(struct page_entry) + entries->n_keys * sizeof(struct sort_key);
}

struct page_entry *
page_entries_get(const struct page_entries *entries, size_t i)
{
	return (struct page_entry *)(void *)(entries->bytes + i * entry_bytes(entries));
}

struct page_entry *
page_entries_add(struct page_entries *entries)
{
	entries->bytes =
	    mem_grow(entries->bytes, &entries->capacity, entries->n + 1, entry_bytes(entries));
	struct page_entry *entry = page_entries_get(entries, entries->n++);
	entry->n_keys = entries->n_keys;
	return entry;
}

static void
entry_free(struct page_entry *entry)
{
	for (unsigned k = 0; k < entry->n_keys; k++) {
		sort_key_free(&entry->keys[k]);
	}
}

void
page_entries_clear(struct page_entries *entries, bool is_moved)
{
	for (size_t i = 0; i < entries->n && !is_moved; i++) {
		entry_free(page_entries_get(entries, i));
	}
	entries->n = 0;
}

void
page_entries_free(struct page_entries *entries)
{
	page_entries_clear(entries, false);
	free(entries->bytes);
}

int
page_entry_compare(const struct page_entry *a, const struct page_entry *b)
{
	for (unsigned k = 0; k < a->n_keys; k++) {
		int order = sort_key_compare(&a->keys[k], &b->keys[k]);
		if (order != 0) {
			return order;
		}
	}
	return ORDER(a->position, b->position);
}

static int
compare_entries(const void *left, const void *right)
{
	return page_entry_compare(left, right);
}

void
page_entries_sort(struct page_entries *entries)
{
	if (entries->n > 0) {
		qsort(entries->bytes, entries->n, entry_bytes(entries), compare_entries);
	}
}

static void
swap_entries(struct page_entries *entries, size_t i, size_t j)
{
	char scratch[sizeof(struct page_entry) + PAGE_KEYS * sizeof(struct sort_key)];
	size_t bytes = entry_bytes(entries);

	if (i != j) {
		memcpy(scratch, entries->bytes + i * bytes, bytes);
		memcpy(entries->bytes + i * bytes, entries->bytes + j * bytes, bytes);
		memcpy(entries->bytes + j * bytes, scratch, bytes);
	}
}

/* Puts a random entry of [low, high) in its place in the order; returns that place. */
static size_t
partition(struct page_entries *entries, size_t low, size_t high, struct prng *prng)
{
	size_t place = low;

	swap_entries(entries, low + (size_t)prng_below(prng, high - low), high - 1);
	const struct page_entry *pivot = page_entries_get(entries, high - 1);
	for (size_t i = low; i < high - 1; i++) {
		if (page_entry_compare(page_entries_get(entries, i), pivot) < 0) {
			swap_entries(entries, i, place++);
		}
	}
	swap_entries(entries, place, high - 1);
	return place;
}

void
page_entries_select(struct page_entries *entries, size_t limit)
{
	struct prng prng = {entries->n};
	size_t low = 0, high = entries->n;

	if (entries->n <= limit) {
		return;
	}
	while (high - low > 1) {
		size_t place = partition(entries, low, high, &prng);
		if (place == limit) {
			break;
		}
		if (place < limit) {
			low = place + 1;
		} else {
			high = place;
		}
	}
	for (size_t i = limit; i < entries->n; i++) {
		entry_free(page_entries_get(entries, i));
	}
	entries->n = limit;
}
