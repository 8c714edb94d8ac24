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
#include "util/radix.h"

struct item {
	uint64_t key; /* of texts their first 8 bytes */
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

/* Codes in the order of their values. */
static void
sort_codes(const struct scan_value *values, uint32_t n, uint32_t *sorted)
{
	struct item *items = xcalloc(n, sizeof *items);
	for (uint32_t code = 0; code < n; code++) {
		bool is_text = values[code].type == SCAN_TEXT;
		items[code] =
		    (struct item){is_text ? text_key(values[code].text) : 0, code, &values[code]};
	}
	SORT(items, n, compare_items);
	for (uint32_t i = 0; i < n; i++) {
		sorted[i] = items[i].code;
	}
	free(items);
}

/* The same of integers, and of missing ones somewhere among them. */
static void
sort_integers(const struct scan_value *values, uint32_t n, uint32_t *sorted)
{
	struct radix_item *items = xcalloc(n, 2 * sizeof *items);
	for (uint32_t code = 0; code < n; code++) {
		int64_t number = values[code].type == SCAN_INTEGER ? values[code].integer : 0;
		items[code] = (struct radix_item){radix_key(number), code};
	}
	const struct radix_item *in_order = radix_sort(items, items + n, n);
	for (uint32_t i = 0; i < n; i++) {
		sorted[i] = in_order[i].index;
	}
	free(items);
}

/* ranks[code]: how many different values are below the code's. */
static uint32_t *
rank_codes(const struct coder *coder, unsigned part, uint32_t n)
{
	uint32_t *ranks = xcalloc(n, sizeof *ranks), *sorted = xcalloc(n, sizeof *sorted);
	struct scan_value *values = xcalloc(n, sizeof *values);
	bool is_integers = true;
	for (uint32_t code = 0; code < n; code++) {
		values[code] = coder_value(coder, part, code);
		is_integers &= values[code].type == SCAN_INTEGER || values[code].type == SCAN_NULL;
	}
	(is_integers ? sort_integers : sort_codes)(values, n, sorted);
	uint32_t rank = 0;
	const struct scan_value *previous = NULL;
	for (int is_value = 0; is_value < 2; is_value++) { /* NULL first */
		for (uint32_t i = 0; i < n; i++) {
			const struct scan_value *value = &values[sorted[i]];
			if ((value->type != SCAN_NULL) == is_value) {
				rank += previous && scan_value_order(previous, value) != 0;
				ranks[sorted[i]] = rank;
				previous = value;
			}
		}
	}
	free(sorted);
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
