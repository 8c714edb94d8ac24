/*
 * A merge sort of entries that carry the first key with them: 64 bits whose
 * order never contradicts the values' order, so that most comparisons touch
 * neither the result nor its texts. Only entries with equal bits look at the
 * values, unless the bits say everything (small numbers, short texts). Of texts
 * that all begin alike ("/lustre/run/...") the bits are those behind that. This
 * keeps a key press below the blink of an eye at a hundred thousand rows.
 */
#include "config.h"

#include "ui/table/table_sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

#define ROWS_A_POLL 4096
#define TEXT_BYTES 7 /* of a text that go into its bits */
#define EXACT_LIMIT (INT64_C(1) << 50)

enum { CLASS_NUMBER = 1, CLASS_TEXT = 2, CLASS_BLOB = 3 };

struct sort_entry {
	uint64_t bits;
	uint32_t row;
	bool is_exact; /* entries that are both exact and have equal bits have equal
                    values */
};

struct sort_order {
	const struct result *result;
	size_t common; /* bytes with which all texts of the first key begin */
	const struct table_sort_key *keys;
	size_t n_keys;
};

/* Bits of a double as an unsigned integer of the same order. The last two will
 * be lost: exact if they say nothing. */
static uint64_t
number_bits(double number, bool *is_exact)
{
	uint64_t bits;

	number = number == 0 ? 0 : number; /* no -0 */
	memcpy(&bits, &number, sizeof bits);
	*is_exact = bits % 4 == 0;
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static uint64_t
text_bits(struct slice text)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < TEXT_BYTES; i++) {
		bits = bits << 8 | (i < text.len ? (unsigned char)text.ptr[i] : 0);
	}
	return bits << 4 | (text.len < TEXT_BYTES ? text.len : TEXT_BYTES + 1);
}

static size_t
common_bytes(const struct result *result, size_t column, const size_t *rows, size_t n_rows)
{
	const struct value *first = NULL;
	size_t common = 0;

	for (size_t i = 0; i < n_rows && (!first || common > 0); i++) {
		const struct value *value = result_value(result, rows[i], column);
		size_t same = 0;

		if (value->type != VALUE_TEXT && value->type != VALUE_BLOB) {
			continue;
		}
		if (!first) {
			first = value;
			common = value->text.len;
		}
		while (same < common && same < value->text.len &&
		       value->text.ptr[same] == first->text.ptr[same]) {
			same++;
		}
		common = same;
	}
	return common;
}

/* What only one run has differs by all of it; as a part of the other's nothing, it is beyond all
 * others. */
static struct value
one_sided(const struct result *result, size_t row, size_t column)
{
	const struct value *sides = result_value(result, row, column - 2);
	struct value side = sides[sides[0].type == VALUE_NULL];

	return side.type == VALUE_NULL || result_difference(result, column) == DIFFERENCE_DELTA
	           ? side
	           : value_real(INFINITY);
}

/* What a key sorts by. Both runs' values stand before a difference. */
static struct value
key_value(const struct sort_order *order, size_t key, size_t row)
{
	size_t column = order->keys[key].column;
	struct value value = *result_value(order->result, row, column);
	enum sort_by by = order->keys[key].by;

	if (by != SORT_BY_VALUE && value.type == VALUE_NULL && column >= 2 &&
	    result_difference(order->result, column) != DIFFERENCE_NONE) {
		value = one_sided(order->result, row, column);
	}
	if (by == SORT_BY_FACTOR && value.type == VALUE_INTEGER) {
		value = value_real((double)value.integer);
	}
	if (by != SORT_BY_VALUE && value.type == VALUE_REAL) {
		value.real = fabs(value.real);
		value.real = by == SORT_BY_FACTOR && value.real < 1 ? 1 / value.real : value.real;
	} else if (by == SORT_BY_SIZE && value.type == VALUE_INTEGER && value.integer < 0) {
		value.integer = value.integer == INT64_MIN ? INT64_MAX : -value.integer;
	}
	return value;
}

static struct sort_entry
entry_of(const struct sort_order *order, size_t row)
{
	const struct value own = key_value(order, 0, row), *value = &own;
	struct sort_entry entry = {0, (uint32_t)row, true};
	uint64_t class = CLASS_NUMBER, bits = 0;
	struct slice text;

	switch (value->type) {
	case VALUE_INTEGER:
		bits = number_bits((double)value->integer, &entry.is_exact);
		entry.is_exact = value->integer > -EXACT_LIMIT && value->integer < EXACT_LIMIT;
		break;
	case VALUE_REAL:
		bits = number_bits(value->real, &entry.is_exact);
		break;
	case VALUE_TEXT:
	case VALUE_BLOB:
		class = value->type == VALUE_TEXT ? CLASS_TEXT : CLASS_BLOB;
		text = slice_from(value->text, order->common);
		bits = text_bits(text) << 2;
		entry.is_exact = text.len < TEXT_BYTES;
		break;
	default:
		entry.bits = UINT64_MAX;
		return entry;
	}
	entry.bits = class << 62 | bits >> 2;
	if (order->keys[0].is_descending) {
		entry.bits = ~entry.bits;
	}
	return entry;
}

static int
compare_by(const struct sort_order *order, size_t key, size_t a, size_t b)
{
	struct value left = key_value(order, key, a), right = key_value(order, key, b);

	if (left.type == VALUE_NULL || right.type == VALUE_NULL) {
		return (left.type == VALUE_NULL) - (right.type == VALUE_NULL);
	}
	int sign = value_compare(&left, &right);
	return order->keys[key].is_descending ? -sign : sign;
}

static bool
comes_later(const struct sort_order *order, const struct sort_entry *a, const struct sort_entry *b)
{
	if (a->bits != b->bits) {
		return a->bits > b->bits;
	}
	for (size_t key = a->is_exact && b->is_exact; key < order->n_keys; key++) {
		int sign = compare_by(order, key, a->row, b->row);

		if (sign != 0) {
			return sign > 0;
		}
	}
	return false;
}

static void
merge(const struct sort_order *order, const struct sort_entry *from, struct sort_entry *to,
      size_t half, size_t n)
{
	size_t a = 0, b = half;

	for (size_t i = 0; i < n; i++) {
		bool take_b = a == half || (b < n && comes_later(order, &from[a], &from[b]));

		to[i] = take_b ? from[b++] : from[a++];
	}
}

/* Merges runs of `width` entries in pairs; false if it was cancelled. */
static bool
merge_runs(const struct sort_order *order, const struct sort_entry *from, struct sort_entry *to,
           size_t width, size_t n_rows, const struct cancel *cancel)
{
	for (size_t i = 0; i < n_rows; i += 2 * width) {
		size_t n = n_rows - i < 2 * width ? n_rows - i : 2 * width;

		if (i % ROWS_A_POLL == 0 && cancel_requested(cancel)) {
			return false;
		}
		merge(order, from + i, to + i, n < width ? n : width, n);
	}
	return true;
}

bool
table_sort(const struct result *result, const struct table_sort_key *keys, size_t n_keys,
           size_t *rows, size_t n_rows, const struct cancel *cancel)
{
	struct sort_order order = {result, 0, keys, n_keys};
	struct sort_entry *from, *to;
	bool is_done = true;

	if (n_keys == 0 || n_rows < 2) {
		return true;
	}
	order.common = common_bytes(result, keys[0].column, rows, n_rows);
	from = xrealloc_array(NULL, n_rows, sizeof *from);
	to = xrealloc_array(NULL, n_rows, sizeof *to);
	for (size_t i = 0; i < n_rows; i++) {
		from[i] = entry_of(&order, rows[i]);
	}
	for (size_t width = 1; width < n_rows && is_done; width *= 2) {
		struct sort_entry *swap = from;

		is_done = merge_runs(&order, from, to, width, n_rows, cancel);
		from = to;
		to = swap;
	}
	for (size_t i = 0; i < n_rows; i++) {
		rows[i] = is_done ? from[i].row : rows[i];
	}
	free(from);
	free(to);
	return is_done;
}
