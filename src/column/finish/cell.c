/*
 * Sums by category for one cell. A lane mostly shows the category it showed last, and few in all,
 * so the last entry is tried first, then a handful one after another; only beyond that an index
 * is built.
 */
#include "config.h"
#include "column/finish/cell.h"

#include <stdlib.h>
#include <string.h>

#include "util/index.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define LINEAR_ENTRIES 12u

/* The entry of a category, or n. */
static size_t
find_entry(const struct cell_sum *sum, uint32_t category)
{
	uint32_t found;

	if (sum->by_category.n == 0) {
		size_t i = 0;
		while (i < sum->n && sum->entries[i].category != category) {
			i++;
		}
		return i;
	}
	INDEX_FIND(found, &sum->by_category, hash_mix(category),
	           sum->entries[found].category == category);
	return found == INDEX_NONE ? sum->n : found;
}

static void
append_entry(struct cell_sum *sum, uint32_t category)
{
	MEM_GROW(sum->entries, sum->capacity, sum->n + 1);
	sum->entries[sum->n++] = (struct category_time){category, 0};
	for (size_t i = sum->by_category.n; sum->n > LINEAR_ENTRIES && i < sum->n; i++) {
		index_add(&sum->by_category, hash_mix(sum->entries[i].category), (uint32_t)i);
	}
}

void
cell_add(struct cell_sum *sum, uint32_t category, int64_t ns)
{
	if (sum->last >= sum->n || sum->entries[sum->last].category != category) {
		sum->last = find_entry(sum, category);
		if (sum->last == sum->n) {
			append_entry(sum, category);
		}
	}
	struct category_time *entry = &sum->entries[sum->last];
	time_raise(&entry->ns, ns);
	time_raise(&sum->busy_ns, ns);
}

void
cell_add_cell(struct cell_sum *sum, const struct tile_cell *cell)
{
	time_raise(&sum->count, cell->count);
	time_raise(&sum->density_ns, cell->density_ns);
	for (uint32_t i = 0; i < cell->n_categories; i++) {
		cell_add(sum, cell->categories[i].category, cell->categories[i].ns);
	}
}

/* Of an amount that is spread evenly over a length, what lies before a point of it. */
static int64_t
amount_before(int64_t amount, int64_t point, int64_t length)
{
	return (int64_t)((__int128)amount * point / length);
}

static int64_t
amount_between(int64_t amount, int64_t from, int64_t to, int64_t length)
{
	return amount_before(amount, to, length) - amount_before(amount, from, length);
}

/* Categories are stacked: what is rounded off one is given to the next, so that all of them are
 * together never longer than the part. */
void
cell_add_part(struct cell_sum *sum, const struct tile_cell *cell, int64_t from, int64_t to,
              int64_t length)
{
	int64_t stacked_ns = 0;

	time_raise(&sum->count, amount_between(cell->count, from, to, length));
	time_raise(&sum->density_ns, amount_between(cell->density_ns, from, to, length));
	for (uint32_t i = 0; i < cell->n_categories; i++) {
		int64_t before_ns = amount_between(stacked_ns, from, to, length), part_ns;

		stacked_ns = time_add(stacked_ns, cell->categories[i].ns);
		part_ns = amount_between(stacked_ns, from, to, length) - before_ns;
		if (part_ns > 0) {
			cell_add(sum, cell->categories[i].category, part_ns);
		}
	}
}

static int
compare_entries(const void *left, const void *right)
{
	const struct category_time *a = left, *b = right;

	ORDER_BY(b->ns, a->ns);
	return ORDER(a->category, b->category);
}

static void
sort_entries(struct category_time *entries, size_t n)
{
	if (n > LINEAR_ENTRIES) {
		SORT(entries, n, compare_entries);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		struct category_time entry = entries[i];
		size_t k = i;
		for (; k > 0 && compare_entries(&entry, &entries[k - 1]) < 0; k--) {
			entries[k] = entries[k - 1];
		}
		entries[k] = entry;
	}
}

/* Keeps the largest; the rest counts as of no category. */
static void
limit_entries(struct cell_sum *sum)
{
	size_t kept = TILE_CATEGORIES - 1, other = kept;

	for (size_t i = 0; i < kept; i++) {
		other = sum->entries[i].category == TEXT_NONE ? i : other;
	}
	if (other == kept) {
		sum->entries[kept] = (struct category_time){TEXT_NONE, sum->entries[kept].ns};
	} else {
		time_raise(&sum->entries[other].ns, sum->entries[kept].ns);
	}
	for (size_t i = kept + 1; i < sum->n; i++) {
		time_raise(&sum->entries[other].ns, sum->entries[i].ns);
	}
	sum->n = other == kept ? TILE_CATEGORIES : kept;
	sort_entries(sum->entries, sum->n);
}

struct tile_cell
cell_finish(struct cell_sum *sum)
{
	sort_entries(sum->entries, sum->n);
	if (sum->n > TILE_CATEGORIES) {
		limit_entries(sum);
	}
	return (struct tile_cell){.busy_ns = sum->busy_ns,
	                          .count = sum->count,
	                          .density_ns = sum->density_ns,
	                          .n_categories = (uint32_t)sum->n,
	                          .categories = sum->entries};
}

struct tile_cell
cell_take(struct cell_sum *sum, struct arena *arena)
{
	struct tile_cell cell = cell_finish(sum);

	cell.categories =
	    cell.n_categories == 0
		? NULL
		: arena_copy(arena, cell.categories, cell.n_categories * sizeof *cell.categories);
	cell_reset(sum);
	return cell;
}

void
cell_reset(struct cell_sum *sum)
{
	sum->busy_ns = 0;
	sum->count = 0;
	sum->density_ns = 0;
	sum->n = 0;
	sum->last = 0;
	index_free(&sum->by_category);
}

void
cell_fini(struct cell_sum *sum)
{
	free(sum->entries);
	index_free(&sum->by_category);
	*sum = (struct cell_sum){0};
}
