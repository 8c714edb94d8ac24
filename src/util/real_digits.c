/*
 * Digits are those of the value rounded to 15, 16 or 17 digits, the first that read back: so does
 * what lies nearer to it than half of what is between two doubles.
 *
 * Values that traces have are done exactly, with integers. From 1e-10 on and below 1e15 a mantissa
 * times 5^k has at most 116 bits, and 2^-shift of that is the value times 10^k, 17 digits before
 * the point. The others are printed, and read again.
 */
#include "config.h"
#include "util/real_digits.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "util/ascii.h"
#include "util/slice.h"

#define MANTISSA_BITS 53

/* A value times 10^k. */
struct scaled {
	uint64_t mantissa, five; /* five: 5^k, twice half of what is between two doubles */
	int shift;
	uint64_t whole, rest; /* before the point; behind it, in units of 2^-shift */
};

static uint64_t
power_of_five(int k)
{
	uint64_t power = 1;

	for (; k > 0; k--) {
		power *= 5;
	}
	return power;
}

static void
scale(struct scaled *scaled, uint64_t five, int shift)
{
	unsigned __int128 product = (unsigned __int128)scaled->mantissa * five;

	scaled->five = five;
	scaled->shift = shift;
	scaled->whole = (uint64_t)(product >> shift);
	scaled->rest = (uint64_t)product & ((UINT64_C(1) << shift) - 1);
}

/* Rounds to multiples of unit, of two equally near ones to the even one; does that read back? */
static bool
round_scaled(const struct scaled *scaled, uint64_t unit, uint64_t *rounded)
{
	unsigned __int128 step = (unsigned __int128)unit << scaled->shift,
			  off = (unsigned __int128)(scaled->whole % unit) << scaled->shift |
	                        scaled->rest;

	*rounded = scaled->whole / unit;
	if (off * 2 > step || (off * 2 == step && *rounded % 2 == 1)) {
		++*rounded;
		return (step - off) * 2 < scaled->five;
	}
	/* below a power of two doubles are twice as dense */
	bool is_dense = scaled->mantissa == UINT64_C(1) << (MANTISSA_BITS - 1);
	return off * (is_dense ? 4 : 2) < scaled->five;
}

static int
exact_digits(double value, char digits[REAL_DIGITS], int *exponent10)
{
	int exponent2, n = 15;
	uint64_t rounded, end = 1000000000000000; /* 10^n */

	double fraction = frexp(value, &exponent2);
	struct scaled scaled = {.mantissa = (uint64_t)ldexp(fraction, MANTISSA_BITS)};
	int first = ((exponent2 - 1) * 1233) >> 12; /* the power of the first digit, or one less */
	scale(&scaled, power_of_five(16 - first), MANTISSA_BITS - exponent2 - (16 - first));
	if (scaled.whole >= 100 * end) {
		first++;
		scale(&scaled, scaled.five / 5, scaled.shift + 1);
	}
	for (uint64_t unit = 100; !round_scaled(&scaled, unit, &rounded) && unit > 1; unit /= 10) {
		n++;
		end *= 10;
	}
	*exponent10 = first + (rounded == end); /* 9.99 ... was rounded to 10 */
	n += rounded == end;
	for (; rounded % 10 == 0; rounded /= 10) {
		n--;
	}
	for (int i = n - 1; i >= 0; i--, rounded /= 10) {
		digits[i] = (char)('0' + rounded % 10);
	}
	return n;
}

static int
printed_digits(double value, char digits[REAL_DIGITS], int *exponent10)
{
	char text[40];
	int first = value < 2.3e-308 ? 0 : 14; /* 15 digits always do for shorter normal numbers */

	for (int precision = first; precision < REAL_DIGITS; precision++) {
		double back;
		snprintf(text, sizeof text, "%.*e", precision, value);
		char *mark = strchr(text, 'e');
		int n = 0;
		for (const char *p = text; p < mark; p++) {
			if (is_digit(*p)) {
				digits[n++] = *p;
			} /* else the locale's decimal point */
		}
		sscanf(mark + 1, "%d", exponent10);
		snprintf(text, sizeof text, "%.*se%d", n, digits, *exponent10 - n + 1);
		if (slice_double(slice_of(text), &back) && back == value) {
			while (n > 1 && digits[n - 1] == '0') {
				n--;
			}
			return n;
		}
	}
	return REAL_DIGITS; /* %.16e always reads back */
}

int
real_digits(double value, char digits[REAL_DIGITS], int *exponent10)
{
	return value >= 1e-10 && value < 1e15 ? exact_digits(value, digits, exponent10)
	                                      : printed_digits(value, digits, exponent10);
}
