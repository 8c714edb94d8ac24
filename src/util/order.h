/*
 * What comparison functions say again and again: x before y, behind it, or neither. For numbers,
 * enums and addresses; from most to least by the operands the other way round. Operands are read
 * more than once.
 *
 * Used by: all that sorts.
 * Used by most rooms.
 */
#ifndef LANESCOPE_UTIL_ORDER_H
#define LANESCOPE_UTIL_ORDER_H

#include <stdint.h>

/* -1, 0 or 1: how x stands to y. */
#define ORDER(x, y) (((x) > (y)) - ((x) < (y)))

/* In a function that compares: decides by x and y where they differ. */
#define ORDER_BY(x, y)                                                                             \
	do {                                                                                       \
		if ((x) != (y)) {                                                                  \
			return (x) < (y) ? -1 : 1;                                                 \
		}                                                                                  \
	} while (0)

/* The smaller, the larger of two: y where they are equal. */
#define LEAST(x, y) ((x) < (y) ? (x) : (y))
#define MOST(x, y) ((x) > (y) ? (x) : (y))

/* Sorts n elements with a function for qsort; an array of none may be NULL. */
#define SORT(array, n, compare)                                                                    \
	do {                                                                                       \
		if ((n) > 1) {                                                                     \
			qsort((array), (n), sizeof *(array), compare);                             \
		}                                                                                  \
	} while (0)

/* Raises low to the first in [low, end) for which `before`, said of `middle`, is false, or to end.
 * What it is true for comes first. */
#define ORDER_FIND(low, end, middle, before)                                                       \
	for (__typeof__(low) behind_ = (end), middle; (low) < behind_;) {                          \
		middle = (low) + (behind_ - (low)) / 2;                                            \
		if (before) {                                                                      \
			(low) = middle + 1;                                                        \
		} else {                                                                           \
			behind_ = middle;                                                          \
		}                                                                                  \
	}

/* For SORT of int64_t, the least first. */
static inline int
order_int64(const void *a, const void *b)
{
	const int64_t *x = (const int64_t *)a, *y = (const int64_t *)b;
	return ORDER(*x, *y);
}

/* ORDER of an integer and a real, exact: a double's integral part fits int64 where it matters. */
static inline int
order_integer_real(int64_t integer, double real)
{
	if (real < -0x1p63) {
		return 1;
	}
	if (real >= 0x1p63) {
		return -1;
	}
	int64_t whole = (int64_t)real; /* towards zero */
	ORDER_BY(integer, whole);
	double fraction = real - (double)whole;
	return ORDER(0, fraction);
}

#endif
