/*
 * Groups: tuples of codes <-> dense numbers in order of appearance. Looked up through a plain array
 * while the product of the numbers of codes is small, by hashing from there on.
 * Used by column/ops.
 */
#ifndef LANESCOPE_COLUMN_SCAN_GROUP_TABLE_H
#define LANESCOPE_COLUMN_SCAN_GROUP_TABLE_H

#include "column/scan/scan.h"

#define GROUP_NONE UINT32_MAX

struct group_table {
	unsigned n_parts; /* codes in a tuple */
	uint32_t n_groups;
	uint32_t *codes; /* n_parts a group */
	size_t codes_capacity;
	bool is_direct;
	uint32_t sizes[SCAN_DIMENSIONS]; /* direct: codes of part i are below sizes[i] */
	uint32_t *slots;                 /* direct: group + 1, 0: free */
	struct group_entry {
		uint64_t key;   /* the tuple itself if it has at most two codes, else its hash */
		uint32_t group; /* + 1, 0: free */
	} * entries;            /* hashed */
	size_t n_entries;       /* a power of two */
};

void group_table_init(struct group_table *table, unsigned n_parts);
void group_table_fini(struct group_table *table);
/* Makes room for codes below counts[i]. Before codes that may be new are looked up. */
void group_table_prepare(struct group_table *table, const uint32_t *counts);
/* groups[row] for rows[0 ... n-1] (NULL: 0 ... n-1) of tuples codes[part][row]; new tuples are
 * added. */
void group_table_rows(struct group_table *table, const uint32_t *const *codes, const uint16_t *rows,
                      uint32_t n, uint32_t *groups);
/* One tuple: added if new. */
uint32_t group_table_add(struct group_table *table, const uint32_t *tuple);
/* GROUP_NONE if it is not there. Does not change the table: any number of threads. */
uint32_t group_table_find(const struct group_table *table, const uint32_t *tuple);
static inline const uint32_t *
group_table_codes(const struct group_table *table, uint32_t group)
{
	return table->codes + (size_t)group * table->n_parts;
}

#endif
