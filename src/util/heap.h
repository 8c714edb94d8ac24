/*
 * Binary heaps in arrays of any type. HEAP(name, type, above) defines, for items of `type` of
 * which the one at the root is above all others by `bool above(type const *a, type const *b)`:
 *
 *   name_rise(items, at)     makes [0, at] a heap, given that [0, at) is one: adds items[at]
 *   name_sink(items, n, at)  makes [at, n) one, given that it is but for items[at]: after the root
 *                            was replaced
 *   name_pop(items, n)       takes the root out of a heap of n: it is given back, and stands
 *                            behind the others, at n - 1
 *   name_sort(items, n)      sorts any items, those that are above others last
 *
 * All are inline, as is what compares: as fast as written by hand.
 * Used by column/finish, column/ops, explain/parts, explain/schedule, ingest, query/saved, store.
 */
#ifndef LANESCOPE_UTIL_HEAP_H
#define LANESCOPE_UTIL_HEAP_H

#include <stddef.h>

#define HEAP(name, type, above)                                                                    \
	__attribute__((unused)) static inline void name##_rise(type *items, size_t at)             \
	{                                                                                          \
		type item = items[at];                                                             \
                                                                                                   \
		for (; at > 0 && above(&item, &items[(at - 1) / 2]); at = (at - 1) / 2) {          \
			items[at] = items[(at - 1) / 2];                                           \
		}                                                                                  \
		items[at] = item;                                                                  \
	}                                                                                          \
                                                                                                   \
	__attribute__((unused)) static inline void name##_sink(type *items, size_t n, size_t at)   \
	{                                                                                          \
		type item = items[at];                                                             \
                                                                                                   \
		for (size_t child; (child = 2 * at + 1) < n; at = child) {                         \
			child += child + 1 < n && above(&items[child + 1], &items[child]);         \
			if (!above(&items[child], &item)) {                                        \
				break;                                                             \
			}                                                                          \
			items[at] = items[child];                                                  \
		}                                                                                  \
		items[at] = item;                                                                  \
	}                                                                                          \
                                                                                                   \
	__attribute__((unused)) static inline type name##_pop(type *items, size_t n)               \
	{                                                                                          \
		type root = items[0];                                                              \
                                                                                                   \
		items[0] = items[n - 1];                                                           \
		items[n - 1] = root;                                                               \
		if (n > 1) {                                                                       \
			name##_sink(items, n - 1, 0);                                              \
		}                                                                                  \
		return root;                                                                       \
	}                                                                                          \
                                                                                                   \
	__attribute__((unused)) static inline void name##_sort(type *items, size_t n)              \
	{                                                                                          \
		for (size_t i = n / 2; i-- > 0;) {                                                 \
			name##_sink(items, n, i);                                                  \
		}                                                                                  \
		for (; n > 1; n--) {                                                               \
			name##_pop(items, n);                                                      \
		}                                                                                  \
	}

#endif
