/*
 * The direct array holds slot = code0 + size0 * (code1 + size1 * ...). Sizes grow with the numbers
 * of codes (doubling, so that laying the array out anew stays cheap); beyond DIRECT_SLOTS the table
 * turns into a hash table with linear probing, for good. Codes of one dimension are dense, so that
 * the array is smaller than the hash table for longer.
 */
#include "config.h"
#include "column/scan/group_table.h"

#include <stdlib.h>

#include "util/intern.h"
#include "util/mem.h"

#define DIRECT_SLOTS (1u << 20)
#define DIRECT_SLOTS_OF_ONE (1u << 22)
#define FIRST_ENTRIES 1024

void
group_table_init(struct group_table *table, unsigned n_parts)
{
	*table = (struct group_table){.n_parts = n_parts, .is_direct = true};
	for (unsigned i = 0; i < n_parts; i++) {
		table->sizes[i] = 1;
	}
	MEM_NEW(table->slots, 1);
	table->codes = mem_grow(NULL, &table->codes_capacity, 1, sizeof *table->codes);
}

void
group_table_fini(struct group_table *table)
{
	free(table->codes);
	free(table->slots);
	free(table->entries);
}

static size_t
direct_slot(const struct group_table *table, const uint32_t *tuple)
{
	size_t slot = 0;
	for (unsigned i = table->n_parts; i-- > 0;) {
		slot = slot * table->sizes[i] + tuple[i];
	}
	return slot;
}

static uint64_t
key_of(const uint32_t *tuple, unsigned n)
{
	uint64_t key = 0;
	if (n <= 2) {
		return tuple[0] | (uint64_t)(n == 2 ? tuple[1] : 0) << 32;
	}
	for (unsigned i = 0; i < n; i++) {
		key = hash_mix(key ^ (tuple[i] + i));
	}
	return key;
}

/* The entry that holds the tuple, or the free one where it belongs. */
static struct group_entry *
entry_of(const struct group_table *table, const uint32_t *tuple, uint64_t key)
{
	size_t mask = table->n_entries - 1;
	for (size_t i = hash_mix(key) & mask;; i = (i + 1) & mask) {
		struct group_entry *entry = &table->entries[i];
		if (entry->group == 0 ||
		    (entry->key == key &&
		     (table->n_parts <= 2 || memcmp(group_table_codes(table, entry->group - 1),
		                                    tuple, table->n_parts * sizeof *tuple) == 0))) {
			return entry;
		}
	}
}

static void
rebuild_direct(struct group_table *table, size_t n_slots)
{
	free(table->slots);
	MEM_NEW(table->slots, n_slots);
	for (uint32_t group = 0; group < table->n_groups; group++) {
		table->slots[direct_slot(table, group_table_codes(table, group))] = group + 1;
	}
}

static void
rebuild_hashed(struct group_table *table, size_t n_entries)
{
	free(table->slots);
	free(table->entries);
	table->slots = NULL;
	table->n_entries = n_entries;
	MEM_NEW(table->entries, n_entries);
	for (uint32_t group = 0; group < table->n_groups; group++) {
		const uint32_t *tuple = group_table_codes(table, group);
		uint64_t key = key_of(tuple, table->n_parts);
		*entry_of(table, tuple, key) = (struct group_entry){key, group + 1};
	}
}

void
group_table_prepare(struct group_table *table, const uint32_t *counts)
{
	bool is_small = true;
	uint64_t product = 1, limit = table->n_parts == 1 ? DIRECT_SLOTS_OF_ONE : DIRECT_SLOTS;
	for (unsigned i = 0; i < table->n_parts; i++) {
		is_small &= counts[i] <= table->sizes[i];
	}
	if (!table->is_direct || is_small) {
		return;
	}
	for (unsigned i = 0; i < table->n_parts; i++) {
		while (table->sizes[i] < counts[i] && table->sizes[i] < limit) {
			table->sizes[i] *= 2;
		}
		table->is_direct &= table->sizes[i] >= counts[i];
		product *= table->sizes[i];
		table->is_direct &= product <= limit;
		product = table->is_direct ? product : 1;
	}
	if (table->is_direct) {
		rebuild_direct(table, (size_t)product);
		return;
	}
	size_t n_entries = FIRST_ENTRIES;
	while (n_entries < (size_t)table->n_groups * 2) {
		n_entries *= 2;
	}
	rebuild_hashed(table, n_entries);
}

static uint32_t
append_group(struct group_table *table, const uint32_t *tuple)
{
	unsigned n_parts = table->n_parts;
	uint32_t group = table->n_groups++;
	if (n_parts > 0) {
		MEM_GROW(table->codes, table->codes_capacity, ((size_t)group + 1) * n_parts);
		memcpy(table->codes + (size_t)group * n_parts, tuple, n_parts * sizeof *tuple);
	}
	return group;
}

static uint32_t
add_hashed(struct group_table *table, const uint32_t *tuple)
{
	uint64_t key = key_of(tuple, table->n_parts);
	struct group_entry *entry = entry_of(table, tuple, key);
	if (entry->group) {
		return entry->group - 1;
	}
	uint32_t group = append_group(table, tuple);
	*entry = (struct group_entry){key, group + 1};
	if ((size_t)table->n_groups * 2 > table->n_entries) {
		rebuild_hashed(table, table->n_entries * 2);
	}
	return group;
}

uint32_t
group_table_add(struct group_table *table, const uint32_t *tuple)
{
	if (!table->is_direct) {
		return add_hashed(table, tuple);
	}
	uint32_t *slot = &table->slots[direct_slot(table, tuple)];
	if (!*slot) {
		*slot = append_group(table, tuple) + 1;
	}
	return *slot - 1;
}

uint32_t
group_table_find(const struct group_table *table, const uint32_t *tuple)
{
	uint32_t known;
	if (!table->is_direct) {
		known = entry_of(table, tuple, key_of(tuple, table->n_parts))->group;
		return known ? known - 1 : GROUP_NONE;
	}
	for (unsigned i = 0; i < table->n_parts; i++) {
		if (tuple[i] >= table->sizes[i]) {
			return GROUP_NONE;
		}
	}
	known = table->slots[direct_slot(table, tuple)];
	return known ? known - 1 : GROUP_NONE;
}

static void
gather_tuple(const uint32_t *const *codes, unsigned n_parts, uint32_t row, uint32_t *tuple)
{
	for (unsigned i = 0; i < n_parts; i++) {
		tuple[i] = codes[i][row];
	}
}

/* One or two parts, direct: what most queries come down to. */
static void
direct_rows(struct group_table *table, const uint32_t *const *codes, const uint16_t *rows,
            uint32_t n, uint32_t *groups)
{
	const uint32_t *first = codes[0], *second = table->n_parts > 1 ? codes[1] : NULL;
	const size_t size = table->sizes[0];
	uint32_t tuple[2];
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows ? rows[i] : i;
		size_t slot = first[row] + (second ? size * second[row] : 0);
		uint32_t known = table->slots[slot];
		if (!known) {
			gather_tuple(codes, table->n_parts, row, tuple);
			known = table->slots[slot] = append_group(table, tuple) + 1;
		}
		groups[row] = known - 1;
	}
}

void
group_table_rows(struct group_table *table, const uint32_t *const *codes, const uint16_t *rows,
                 uint32_t n, uint32_t *groups)
{
	uint32_t tuple[SCAN_DIMENSIONS];
	if (table->is_direct && (table->n_parts == 1 || table->n_parts == 2)) {
		direct_rows(table, codes, rows, n, groups);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows ? rows[i] : i;
		gather_tuple(codes, table->n_parts, row, tuple);
		groups[row] = group_table_add(table, tuple);
	}
}
