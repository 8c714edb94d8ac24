/* A set of numbers, made for stretches of them: a bit each where some of a stretch are in it, none
 * where all or no ones are.
 * Used by import, ingest. */
#ifndef LANESCOPE_UTIL_NUMBER_SET_H
#define LANESCOPE_UTIL_NUMBER_SET_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers from here on can't be in a set. */
#define NUMBER_SET_LIMIT (UINT64_C(1) << 40)

struct number_set;
struct number_set *number_set_new(void);
/* False: it is in already, or beyond the limit. */
bool number_set_add(struct number_set *set, uint64_t number);
bool number_set_has(const struct number_set *set, uint64_t number); /* set may be NULL: empty */
uint64_t number_set_count(const struct number_set *set);            /* likewise */
void number_set_free(struct number_set *set);                       /* takes NULL */

#endif
