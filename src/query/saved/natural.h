/* Order of names as people expect it: bytes, but runs of digits as numbers (run2 before run10).
 * Used by query/timeline, ui/timeline. */
#ifndef LANESCOPE_QUERY_SAVED_NATURAL_H
#define LANESCOPE_QUERY_SAVED_NATURAL_H

#include "util/slice.h"

int natural_compare(struct slice a, struct slice b);

#endif
