/* Decimal digits of doubles.
 * Used by its room alone. */
#ifndef LANESCOPE_UTIL_REAL_DIGITS_H
#define LANESCOPE_UTIL_REAL_DIGITS_H

#define REAL_DIGITS 17 /* at most */

/* Decimal digits of the shortest number that reads back as value (finite, > 0), and the power of
 * ten of the first one. How many; the last one is no 0. */
int real_digits(double value, char digits[REAL_DIGITS], int *exponent10);

#endif
