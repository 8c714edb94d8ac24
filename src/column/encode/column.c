/*
 * Encoding a column: what column_plan found best is written out, and checked on the way.
 *
 * Numbers are made and packed a thousand at a time, so that they never leave the fastest cache. A
 * value that falls outside the planned width becomes a patch; if there turn out to be more patches
 * than the full width costs, the column is written again with the full width. Arithmetic is modulo
 * 2^64 throughout: any int64 round-trips.
 */
#include "config.h"
#include "column/encode/column.h"

#include <stdlib.h>

#include "column/encode/column_bits.h"
#include "column/encode/column_encode.h"
#include "column/encode/column_plan.h"
#include "util/intern.h"
#include "util/mem.h"
#include "util/order.h"

#define CHUNK 1024u

struct encoding {
	struct column_info *info;
	struct strbuf *out;
	uint32_t n_rows;
	int digits; /* of decimals, or COLUMN_NO_DIGITS */
};

static void
add_u64(struct strbuf *out, uint64_t value, size_t bytes)
{
	strbuf_add(out, &value, bytes);
}

static uint32_t
count_present(const uint64_t *presence, uint32_t n_rows)
{
	uint32_t count = 0;

	for (uint32_t row = 0; row < n_rows; row += 64) {
		uint64_t mask = n_rows - row >= 64 ? UINT64_MAX : bits_mask(n_rows - row);
		count += (uint32_t)__builtin_popcountll(presence[row / 64] & mask);
	}
	return count;
}

static void
add_bitmap(struct strbuf *out, const uint64_t *presence, uint32_t n_rows)
{
	strbuf_add(out, presence, n_rows / 64 * 8);
	if (n_rows % 64) {
		add_u64(out, presence[n_rows / 64] & bits_mask(n_rows % 64), (n_rows % 64 + 7) / 8);
	}
}

static void
add_presence(struct encoding *encoding, const uint64_t *presence)
{
	struct column_info *info = encoding->info;

	if (info->n_present == encoding->n_rows) {
		return;
	}
	info->flags |= COLUMN_SPARSE;
	if ((uint64_t)info->n_present * 16 >= encoding->n_rows) {
		add_bitmap(encoding->out, presence, encoding->n_rows);
		return;
	}
	info->flags |= COLUMN_LIST;
	for (uint32_t word = 0; word < (encoding->n_rows + 63) / 64; word++) {
		for (uint64_t bits = presence[word]; bits != 0; bits &= bits - 1) {
			uint32_t row = word * 64 + (uint32_t)__builtin_ctzll(bits);
			if (row < encoding->n_rows) {
				add_u64(encoding->out, row, 2);
			}
		}
	}
}

static void
add_digits(struct encoding *encoding)
{
	if (encoding->digits != COLUMN_NO_DIGITS) {
		encoding->info->flags |= COLUMN_DECIMAL;
		add_u64(encoding->out, (uint64_t)encoding->digits, 1);
	}
}

static struct encoding
encoding_start(struct column_info *info, uint32_t n_rows, int digits, struct strbuf *out)
{
	info->flags = info->width = 0;
	info->same_as = 0;
	info->base = info->first = info->min = info->max = 0;
	info->scale = 1;
	info->blob_id = 0;
	return (struct encoding){info, out, n_rows, digits};
}

struct patches {
	uint16_t *positions;
	uint64_t *numbers;
	size_t n, position_capacity, number_capacity;
};

static void
patches_add(struct patches *patches, uint32_t position, uint64_t number)
{
	MEM_GROW(patches->positions, patches->position_capacity, patches->n + 1);
	MEM_GROW(patches->numbers, patches->number_capacity, patches->n + 1);
	patches->positions[patches->n] = (uint16_t)position;
	patches->numbers[patches->n++] = number;
}

static void
patches_free(struct patches *patches)
{
	free(patches->positions);
	free(patches->numbers);
}

/* Turns the n values at `values` into numbers; previous: value before them, for deltas. Returns
 * all of them ORed. */
static uint64_t
values_to_numbers(const int64_t *values, uint32_t n, const struct column_plan *plan,
                  uint64_t previous, uint64_t base, uint64_t *numbers)
{
	struct exact_divisor divisor = exact_divisor_of(plan->scale);
	uint64_t all = 0;

	if (plan->is_delta) {
		for (uint32_t i = 0; i < n; i++) {
			all |= numbers[i] =
			    exact_divide(&divisor, (uint64_t)values[i] - previous - base);
			previous = (uint64_t)values[i];
		}
	} else if (plan->scale == 1) {
		for (uint32_t i = 0; i < n; i++) {
			all |= numbers[i] = (uint64_t)values[i] - base;
		}
	} else {
		for (uint32_t i = 0; i < n; i++) {
			all |= numbers[i] = exact_divide(&divisor, (uint64_t)values[i] - base);
		}
	}
	return all;
}

/* Takes numbers that are too wide out. */
static void
take_patches(struct patches *patches, uint64_t *numbers, uint32_t n, uint64_t mask, uint32_t first)
{
	for (uint32_t i = 0; i < n; i++) {
		if (numbers[i] > mask) {
			patches_add(patches, first + i, numbers[i]);
			numbers[i] = 0;
		}
	}
}

/* Numbers of one width and base with at most max_patches patches; false (and nothing added) if
 * there are more. */
static bool
add_numbers(struct encoding *encoding, const int64_t *values, uint32_t n,
            const struct column_plan *plan, uint64_t base, unsigned width, uint32_t max_patches)
{
	struct strbuf *out = encoding->out;
	size_t start = out->len;
	struct patches patches = {0};
	uint64_t numbers[CHUNK], mask = bits_mask(width);
	uint64_t previous = (uint64_t)values[0] - base;

	encoding->info->first = plan->is_delta ? (int64_t)previous : encoding->info->first;
	for (uint32_t at = 0; at < n; at += CHUNK) {
		uint32_t some = LEAST(n - at, CHUNK);
		uint64_t all = values_to_numbers(values + at, some, plan, previous, base, numbers);
		previous = (uint64_t)values[at + some - 1];
		if (all > mask) {
			take_patches(&patches, numbers, some, mask, at);
		}
		if (patches.n > max_patches) {
			out->len = start;
			patches_free(&patches);
			return false;
		}
		bits_pack(numbers, some, width, out);
	}
	encoding->info->base = (int64_t)base;
	encoding->info->scale = (int64_t)plan->scale;
	encoding->info->width = (uint8_t)width;
	if (patches.n > 0) {
		encoding->info->flags |= COLUMN_PATCH;
		add_u64(out, patches.n, 4);
		strbuf_add(out, patches.positions, patches.n * 2);
		strbuf_add(out, patches.numbers, patches.n * 8);
	}
	patches_free(&patches);
	return true;
}

static void
add_planned(struct encoding *encoding, const int64_t *values, uint32_t n,
            const struct column_plan *plan)
{
	if (plan->is_delta) {
		encoding->info->flags |= COLUMN_DELTA;
	}
	add_digits(encoding);
	double saved_bits = ((double)plan->full_width - plan->width) * n;
	uint32_t max_patches = (uint32_t)(saved_bits / PATCH_BITS);
	if (!add_numbers(encoding, values, n, plan, plan->base, plan->width, max_patches)) {
		add_numbers(encoding, values, n, plan, plan->full_base, plan->full_width, 0);
	}
}

/* Distinct values in order of first appearance, and the index of each value. */
struct table {
	uint64_t keys[TABLE_LIMIT * 2];
	uint16_t slots[TABLE_LIMIT * 2]; /* index + 1; 0 free */
	uint64_t entries[TABLE_LIMIT];
	uint32_t n;
};

static uint32_t
table_find(struct table *table, uint64_t value, uint32_t limit)
{
	uint32_t slot = (uint32_t)(hash_mix(value) & (TABLE_LIMIT * 2 - 1));

	while (table->slots[slot] != 0) {
		if (table->keys[slot] == value) {
			return table->slots[slot] - 1u;
		}
		slot = (slot + 1) & (TABLE_LIMIT * 2 - 1);
	}
	if (table->n == limit) {
		return UINT32_MAX;
	}
	table->keys[slot] = value;
	table->entries[table->n++] = value;
	table->slots[slot] = (uint16_t)table->n;
	return table->n - 1;
}

static bool
table_fill(struct table *table, const int64_t *values, uint32_t n, uint32_t limit,
           uint16_t *indexes)
{
	uint32_t index = 0;

	table->n = 0;
	memset(table->slots, 0, sizeof table->slots);
	for (uint32_t i = 0; i < n; i++) {
		if (i == 0 || values[i] != values[i - 1]) {
			index = table_find(table, (uint64_t)values[i], limit);
			if (index == UINT32_MAX) {
				return false;
			}
		}
		indexes[i] = (uint16_t)index;
	}
	return true;
}

static void
write_table(struct encoding *encoding, const struct table *table, const uint16_t *indexes,
            uint32_t n, const struct column_plan *plan, unsigned entry_bytes)
{
	struct exact_divisor divisor = exact_divisor_of(plan->scale);
	uint64_t numbers[CHUNK];
	unsigned width = bits_width(table->n - 1);

	encoding->info->flags |= COLUMN_TABLE;
	encoding->info->base = plan->min;
	encoding->info->scale = (int64_t)plan->scale;
	encoding->info->width = (uint8_t)width;
	add_u64(encoding->out, table->n - 1, 2);
	add_u64(encoding->out, entry_bytes, 1);
	for (uint32_t i = 0; i < table->n; i++) {
		add_u64(encoding->out,
		        exact_divide(&divisor, table->entries[i] - (uint64_t)plan->min),
		        entry_bytes);
	}
	add_digits(encoding);
	for (uint32_t at = 0; at < n; at += CHUNK) {
		uint32_t some = LEAST(n - at, CHUNK);
		for (uint32_t i = 0; i < some; i++) {
			numbers[i] = indexes[at + i];
		}
		bits_pack(numbers, some, width, encoding->out);
	}
}

/* Writes the column as a table of its distinct values if that is smaller. */
static bool
add_table(struct encoding *encoding, const int64_t *values, uint32_t n,
          const struct column_plan *plan)
{
	if (!plan->is_table) {
		return false;
	}
	struct table *table = xmalloc(sizeof *table);
	uint16_t *indexes = xrealloc_array(NULL, n, sizeof *indexes);
	unsigned most_bits = plan->bits > 13 ? 12 : (unsigned)plan->bits;
	uint32_t limit = 1u << most_bits;
	bool is_smaller = table_fill(table, values, n, LEAST(limit, TABLE_LIMIT), indexes);

	if (is_smaller) {
		uint64_t top = ((uint64_t)plan->max - (uint64_t)plan->min) / plan->scale;
		unsigned entry_bytes = (bits_width(top) + 7) / 8;
		double bits = bits_width(table->n - 1) + (24 + 8.0 * entry_bytes * table->n) / n;
		is_smaller = bits < plan->bits;
		if (is_smaller) {
			write_table(encoding, table, indexes, n, plan, entry_bytes);
		}
	}
	free(indexes);
	free(table);
	return is_smaller;
}

/* Takes a very frequent value out by a bitmap, if what is left gets enough smaller. */
static bool
add_filled(struct encoding *encoding, const int64_t *values, uint32_t n,
           const struct column_plan *plan)
{
	if (!plan->has_fill || n != encoding->n_rows || plan->bits < 4) {
		return false;
	}
	int64_t fill = (int64_t)plan->fill;
	uint64_t *presence = xcalloc((n + 63) / 64, sizeof *presence);
	int64_t *rest = xrealloc_array(NULL, (size_t)n + 1, sizeof *rest);
	uint32_t n_rest = 0;
	for (uint32_t i = 0; i < n; i++) {
		bool is_other = values[i] != fill;
		rest[n_rest] = values[i];
		n_rest += is_other;
		presence[i / 64] |= (uint64_t)is_other << (i & 63);
	}
	struct column_plan rest_plan;
	bool is_smaller = n_rest > 0;
	if (is_smaller) {
		column_plan_make(&rest_plan, rest, n_rest);
		is_smaller = 1 + rest_plan.bits * n_rest / n + 80.0 / n < plan->bits * 0.9;
	}
	if (is_smaller) {
		encoding->info->flags |= COLUMN_FILL;
		encoding->info->first = fill;
		add_bitmap(encoding->out, presence, n);
		size_t offset_at = encoding->out->len;
		add_u64(encoding->out, 0, 8);
		add_planned(encoding, rest, n_rest, &rest_plan);
		/* Differences start from `first`: only now it is known how far the frequent
		 * value lies from it. */
		uint64_t offset = (uint64_t)fill - (uint64_t)encoding->info->first;
		memcpy(encoding->out->data + offset_at, &offset, 8);
	}
	free(rest);
	free(presence);
	return is_smaller;
}

static void
add_values(struct encoding *encoding, const int64_t *values, uint32_t n)
{
	struct column_plan plan;

	if (n == 0) {
		add_digits(encoding);
		return;
	}
	column_plan_make(&plan, values, n);
	encoding->info->min = plan.min;
	encoding->info->max = plan.max;
	if (!add_table(encoding, values, n, &plan) && !add_filled(encoding, values, n, &plan)) {
		add_planned(encoding, values, n, &plan);
	}
}

void
column_encode_presence(struct column_info *info, const uint64_t *presence, uint32_t n_rows,
                       struct strbuf *out)
{
	struct encoding encoding = encoding_start(info, n_rows, COLUMN_NO_DIGITS, out);

	add_presence(&encoding, presence);
}

void
column_encode_numbers(struct column_info *info, const int64_t *values, const uint64_t *presence,
                      uint32_t n_rows, int digits, struct strbuf *out)
{
	size_t start = out->len;
	struct encoding encoding = encoding_start(info, n_rows, digits, out);

	add_presence(&encoding, presence);
	add_values(&encoding, values, info->n_present);
	info->blob_bytes = (uint32_t)(out->len - start);
}

void
column_encode_packed_integers(struct column_info *info, const int64_t *values,
                              const uint64_t *presence, uint32_t n_rows, struct strbuf *out)
{
	column_encode_numbers(info, values, presence, n_rows, COLUMN_NO_DIGITS, out);
}

void
column_encode_copy(struct column_info *info, uint32_t same_as, const uint64_t *presence,
                   uint32_t n_rows, struct strbuf *out)
{
	size_t start = out->len;

	info->n_present = presence ? count_present(presence, n_rows) : n_rows;
	column_encode_presence(info, presence, n_rows, out);
	info->flags |= COLUMN_COPY;
	info->same_as = same_as;
	info->blob_bytes = (uint32_t)(out->len - start);
}

/* The present ones of n_rows elements, one after another; new. */
static void *
pack_present(const void *values, size_t size, const uint64_t *presence, uint32_t n_rows,
             uint32_t *n_present)
{
	char *packed = xrealloc_array(NULL, n_rows, size);
	uint32_t n = 0;

	for (uint32_t row = 0; row < n_rows; row++) {
		if (presence[row / 64] >> (row & 63) & 1) {
			memcpy(packed + size * n++, (const char *)values + size * row, size);
		}
	}
	*n_present = n;
	return packed;
}

void
column_encode_integers(struct column_info *info, const int64_t *values, const uint64_t *presence,
                       uint32_t n_rows, struct strbuf *out)
{
	info->n_present = n_rows;
	void *packed =
	    presence ? pack_present(values, sizeof *values, presence, n_rows, &info->n_present)
		     : NULL;
	column_encode_packed_integers(info, packed ? packed : values, presence, n_rows, out);
	free(packed);
}

void
column_shift(struct column_info *info, int64_t offset)
{
	uint64_t shift = (uint64_t)offset;

	if (info->n_present == 0) {
		return;
	}
	if (info->flags & (COLUMN_DELTA | COLUMN_FILL)) {
		info->first = (int64_t)((uint64_t)info->first + shift);
	}
	if (!(info->flags & COLUMN_DELTA)) {
		info->base = (int64_t)((uint64_t)info->base + shift);
	}
	info->min = (int64_t)((uint64_t)info->min + shift);
	info->max = (int64_t)((uint64_t)info->max + shift);
}
