/* The best one-to-one assignment of rows to columns.
 * Used by explain/parts. */
#ifndef LANESCOPE_EXPLAIN_MODEL_ASSIGNMENT_H
#define LANESCOPE_EXPLAIN_MODEL_ASSIGNMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ASSIGNMENT_NONE UINT32_MAX
#define ASSIGNMENT_EXACT_MAX 256 /* rows and columns */

struct assignment_cell { /* what is not given weighs 0 */
	uint32_t row, column;
	int64_t weight; /* above 0 */
};
/* Fills column_of_row (ASSIGNMENT_NONE: none) so that the weights of the cells chosen sum to the
 * most; returns the sum. *is_exact is false where there are too many rows or columns and the
 * heaviest cells were taken in turn. Each cell stands once; sorts cells. */
int64_t assignment_best(struct assignment_cell *cells, size_t n, size_t n_rows, size_t n_columns,
                        uint32_t *column_of_row, bool *is_exact);

#endif
