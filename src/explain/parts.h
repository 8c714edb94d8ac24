/* The parts, one `struct explain_part` each, for the table in parts.c. */
#ifndef LANESCOPE_EXPLAIN_PARTS_H
#define LANESCOPE_EXPLAIN_PARTS_H

#include "explain/explain.h"

extern const struct explain_part explain_sharing, explain_area, explain_area_effects, explain_path,
    explain_path_steps;
extern const struct explain_part explain_replay, explain_what_if;
extern const struct explain_part explain_stages;
extern const struct explain_part explain_matched, explain_matched_tasks;
extern const struct explain_part explain_contention, explain_contention_fit;
extern const struct explain_part explain_placement, explain_placement_lanes,
    explain_placement_transfers;
extern const struct explain_part explain_io, explain_io_calls, explain_io_bandwidth,
    explain_io_files, explain_io_overlap;
extern const struct explain_part explain_indicators;

#endif
