/*
 * Sorting groups by their keys: each dimension's codes are ranked by value, then the groups are
 * sorted by the ranks of the last dimension, then by those of the one before ... with stable
 * counting sorts, so that time is proportional to groups and codes.
 */
#include "config.h"
#include "column/ops/sums_private.h"

#include <stdlib.h>

#include "column/scan/rowvalue.h"
#include "util/mem.h"
#include "util/order.h"

struct item {
	uint64_t key; /* orders integers among themselves, texts by their first 8 bytes */
	uint32_t code;
	const struct scan_value *value;
};

static uint64_t
text_key(struct slice text)
{
	unsigned char bytes[8] = {0};
	uint64_t key = 0;
	memcpy(bytes, text.len ? text.ptr : "", LEAST(text.len, 8));
	for (int i = 0; i < 8; i++) {
		key = key << 8 | bytes[i];
	}
	return key;
}

static int
compare_items(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;
	if (a->value->type == b->value->type) {
		ORDER_BY(a->key, b->key);
	}
	return scan_value_order(a->value, b->value);
}

/* By key alone, stable, 11 bits at a time; bits that are the same everywhere cost nothing. */
static struct item *
sort_by_key(struct item *items, struct item *other, uint32_t n)
{
	uint64_t any = 0;
	for (uint32_t i = 0; i < n; i++) {
		any |= items[i].key ^ items[0].key;
	}
	for (int shift = 0; shift < 64; shift += 11) {
		uint32_t counts[2049] = {0};
		if ((any >> shift & 2047) == 0) {
			continue;
		}
		for (uint32_t i = 0; i < n; i++) {
			counts[(items[i].key >> shift & 2047) + 1]++;
		}
		for (int i = 1; i <= 2048; i++) {
			counts[i] += counts[i - 1];
		}
		for (uint32_t i = 0; i < n; i++) {
			other[counts[items[i].key >> shift & 2047]++] = items[i];
		}
		struct item *swap = items;
		items = other;
		other = swap;
	}
	return items;
}

/* ranks[code]: how many different values are below the code's. */
static uint32_t *
rank_codes(const struct coder *coder, unsigned part, uint32_t n)
{
	uint32_t *ranks = xcalloc(n, sizeof *ranks);
	struct scan_value *values = xcalloc(n, sizeof *values);
	struct item *items = xcalloc(n, 2 * sizeof *items), *sorted = items;
	bool is_integers = true;
	for (uint32_t code = 0; code < n; code++) {
		values[code] = coder_value(coder, part, code);
		items[code] = (struct item){0, code, &values[code]};
		if (values[code].type == SCAN_INTEGER) {
			items[code].key = (uint64_t)values[code].integer ^ UINT64_C(1) << 63;
		} else {
			items[code].key =
			    values[code].type == SCAN_TEXT ? text_key(values[code].text) : 0;
			is_integers &= values[code].type == SCAN_NULL;
		}
	}
	if (is_integers) {
		sorted = sort_by_key(items, items + n, n);
	} else {
		SORT(items, n, compare_items);
	}
	uint32_t rank = 0;
	const struct item *previous = NULL;
	for (int is_value = 0; is_value < 2; is_value++) { /* NULL first */
		for (uint32_t i = 0; i < n; i++) {
			if ((sorted[i].value->type != SCAN_NULL) == is_value) {
				rank += previous && compare_items(previous, &sorted[i]) != 0;
				ranks[sorted[i].code] = rank;
				previous = &sorted[i];
			}
		}
	}
	free(items);
	free(values);
	return ranks;
}

uint32_t *
sums_sort(const struct coder_set *coders, const struct dimension_list *dimensions,
          const struct group_table *table)
{
	uint32_t n = table->n_groups;
	uint32_t *order = xcalloc(n, sizeof *order), *other = xcalloc(n, sizeof *other);
	for (uint32_t i = 0; i < n; i++) {
		order[i] = i;
	}
	for (unsigned i = dimensions->n; i-- > 0;) {
		unsigned c = coders->places[i].coder;
		uint32_t n_codes = coder_count(coders->coders[c]);
		uint32_t *ranks = rank_codes(coders->coders[c], coders->places[i].part, n_codes);
		uint32_t *starts = xcalloc((size_t)n_codes + 1, sizeof *starts);
		for (uint32_t g = 0; g < n; g++) {
			starts[ranks[group_table_codes(table, g)[c]] + 1]++;
		}
		for (uint32_t r = 0; r < n_codes; r++) {
			starts[r + 1] += starts[r];
		}
		for (uint32_t g = 0; g < n; g++) {
			other[starts[ranks[group_table_codes(table, order[g])[c]]]++] = order[g];
		}
		uint32_t *swap = order;
		order = other;
		other = swap;
		free(ranks);
		free(starts);
	}
	free(other);
	return order;
}
