/* What stands above the parts of explain, and above its causes where there are none to be had.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_LISTS_PARTS_HEADING_H
#define LANESCOPE_UI_LISTS_PARTS_HEADING_H

#include "explain/explain.h"
#include "util/mem.h"

/* Both makespans and their difference, or which run has none. In the arena, or constant. */
const char *parts_heading(struct arena *arena, struct explain *explain);

#endif
