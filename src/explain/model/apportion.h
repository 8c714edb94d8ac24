/* Shares in whole ns that add up: the method of largest remainders (Hamilton).
 * Used by explain/parts. */
#ifndef LANESCOPE_EXPLAIN_MODEL_APPORTION_H
#define LANESCOPE_EXPLAIN_MODEL_APPORTION_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 wide_int;
__extension__ typedef unsigned __int128 wide_uint;

/* out[i]: amounts[i] / divisor, rounded down or up so that they sum to total; those with the
 * largest remainders are rounded up, the earlier of equal ones first. total must lie within n of
 * the sum of the quotients, as it does where the amounts sum to total * divisor; what is beyond
 * that stays missing. divisor > 0. */
void apportion(const wide_int *amounts, size_t n, wide_int divisor, int64_t total, int64_t *out);
/* The same for reals that sum to nearly total. */
void apportion_reals(const long double *amounts, size_t n, int64_t total, int64_t *out);

#endif
