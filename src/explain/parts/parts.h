/*
 * The parts, in the order in which a reader wants them. A new part is a file part_NAME.c and a line
 * here: PART(name) is the `const struct explain_part explain_name`. Used by the parts and the table
 * in explain.c.
 * Used by explain.
 */
#ifndef LANESCOPE_EXPLAIN_PARTS_PARTS_H
#define LANESCOPE_EXPLAIN_PARTS_PARTS_H

#include "explain/frame/frame.h"

#define EXPLAIN_PARTS(PART)                                                                        \
	PART(causes)                                                                               \
	PART(stages)                                                                               \
	PART(sharing)                                                                              \
	PART(area)                                                                                 \
	PART(area_effects)                                                                         \
	PART(path)                                                                                 \
	PART(path_steps)                                                                           \
	PART(replay)                                                                               \
	PART(what_if)                                                                              \
	PART(matched)                                                                              \
	PART(matched_tasks)                                                                        \
	PART(contention)                                                                           \
	PART(contention_fit)                                                                       \
	PART(interference)                                                                         \
	PART(placement)                                                                            \
	PART(placement_lanes)                                                                      \
	PART(placement_transfers)                                                                  \
	PART(intervals)                                                                            \
	PART(io)                                                                                   \
	PART(io_calls)                                                                             \
	PART(io_bandwidth)                                                                         \
	PART(io_files)                                                                             \
	PART(io_overlap)                                                                           \
	PART(series)                                                                               \
	PART(scaling)                                                                              \
	PART(indicators)

#define EXPLAIN_PART_DECLARE(name) extern const struct explain_part explain_##name;
EXPLAIN_PARTS(EXPLAIN_PART_DECLARE)

#endif
