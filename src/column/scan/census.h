/*
 * Which of the spans that a filter takes are more than they say, and what it leaves out: of a
 * record that stands for many calls, conditions on duration, self and size hold if they hold for
 * every call that it can stand for; what can't be decided is left out.
 * Used by explain/parts, query/saved, store.
 */
#ifndef LANESCOPE_COLUMN_SCAN_CENSUS_H
#define LANESCOPE_COLUMN_SCAN_CENSUS_H

#include <stdint.h>

struct scan_census {
	int64_t records, calls; /* that stand for many calls, and are taken */
	int64_t left_out_records, left_out_calls;
	int64_t unfinished, unfinished_ns; /* taken, and how long */
};

#endif
