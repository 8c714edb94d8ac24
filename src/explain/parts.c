/* The parts, in the order in which a reader wants them. A new part is one file, one line here and one in parts.h. */
#include "config.h"
#include "explain/parts.h"

const struct explain_part *const explain_parts[] = {
    &explain_stages,
    &explain_sharing,
    &explain_area,
    &explain_area_effects,
    &explain_path,
    &explain_path_steps,
    &explain_replay,
    &explain_what_if,
    &explain_matched,
    &explain_matched_tasks,
    &explain_contention,
    &explain_contention_fit,
    &explain_placement,
    &explain_placement_lanes,
    &explain_placement_transfers,
    &explain_io,
    &explain_io_calls,
    &explain_io_bandwidth,
    &explain_io_files,
    &explain_io_overlap,
    &explain_indicators,
    &(const struct explain_part){0},
};
