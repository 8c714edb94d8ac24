/*
 * Where the level of a row of figures steps, for runs over time.
 * Used by query/saved.
 */
#ifndef LANESCOPE_UTIL_CHANGE_POINTS_H
#define LANESCOPE_UTIL_CHANGE_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#define CHANGE_CHANCE 0.01       /* a step that comes by chance more often is none */
#define CHANGE_FIGURES_LEAST 10u /* of fewer no step can be that rare: five and five are 2 of 252 */

struct change_point {
	size_t at;     /* the first figure of the new level */
	double chance; /* of the same figures in any order, how many have such a step somewhere */
};
/* Fills changes, which has room for n, in the order of the figures, none of which is NAN; returns
 * how many there are. begins[i]: figure i may be the first of a new level (those between are
 * repetitions of one measurement). The same figures give the same answer. */
size_t change_points_find(const double *figures, const bool *begins, size_t n,
                          struct change_point *changes);

#endif
