/*
 * Encoding reals. Most reals in traces were written as short decimals (83.1, 0.25, 12): those are
 * whole numbers divided by a power of ten, and the division gives the recorded double back to the
 * last bit, which is checked for each value. Columns in which one value does not do so are stored
 * as IEEE bits, like integers.
 */
#include "config.h"
#include "column/encode/column.h"

#include <stdlib.h>

#include "column/encode/column_encode.h"
#include "util/mem.h"

#define MAX_DIGITS 15
#define MAX_EXACT 9007199254740992.0 /* 2^53 */

static const double powers_of_ten[MAX_DIGITS + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

static int64_t
real_bits(double value)
{
	int64_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static double
bits_real(int64_t bits)
{
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static bool
real_to_decimal(int64_t bits, int digits, int64_t *number)
{
	double scaled = bits_real(bits) * powers_of_ten[digits];

	if (!(scaled > -MAX_EXACT && scaled < MAX_EXACT)) {
		return false;
	}
	*number = (int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
	return real_bits((double)*number / powers_of_ten[digits]) == bits;
}

/* Fewest digits with which all values are whole; -1 if there are none. */
static int
reals_to_decimals(const int64_t *bits, uint32_t n, int64_t *numbers)
{
	int digits = 0;

	for (uint32_t i = 0; i < n; i++) {
		while (!real_to_decimal(bits[i], digits, &numbers[i])) {
			if (++digits > MAX_DIGITS) {
				return -1;
			}
		}
	}
	for (uint32_t i = 0; i < n; i++) { /* the first ones were tried with fewer digits */
		if (!real_to_decimal(bits[i], digits, &numbers[i])) {
			return -1;
		}
	}
	return digits;
}

static void
set_range(struct column_info *info, const int64_t *bits, uint32_t n)
{
	bool any = false;
	double min = 0, max = 0;

	for (uint32_t i = 0; i < n; i++) {
		double value = bits_real(bits[i]);
		if (value != value) {
			continue;
		}
		min = !any || value < min ? value : min;
		max = !any || value > max ? value : max;
		any = true;
	}
	info->min = real_bits(min);
	info->max = real_bits(max);
}

void
column_encode_packed_reals(struct column_info *info, const int64_t *bits, const uint64_t *presence,
                           uint32_t n_rows, struct strbuf *out)
{
	uint32_t n = info->n_present;
	size_t start = out->len;
	int64_t *numbers = xrealloc_array(NULL, (size_t)n + 1, sizeof *numbers);
	int digits = reals_to_decimals(bits, n, numbers);

	if (digits >= 0) {
		column_encode_numbers(info, numbers, presence, n_rows, digits, out);
	}
	if (digits < 0 ||
	    out->len - start > (size_t)n * 7) { /* decimals must pay for the division */
		out->len = start;
		column_encode_numbers(info, bits, presence, n_rows, COLUMN_NO_DIGITS, out);
	}
	set_range(info, bits, n);
	free(numbers);
}
