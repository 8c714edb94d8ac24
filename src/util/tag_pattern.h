/*
 * Tags told by where a trace lies: n{nodes}_p{ppn}_{mode} of runs/n4_p8_scr/trace.json says nodes
 * 4, ppn 8, mode scr. {NAME} stands for one character or more, * for any, neither for "/". A
 * pattern is of whole names: of a folder, of the file without its endings, or, with "/" in it, of
 * several in a row; of several that it fits, the last.
 * Used by ingest.
 */
#ifndef LANESCOPE_UTIL_TAG_PATTERN_H
#define LANESCOPE_UTIL_TAG_PATTERN_H

#include <stdbool.h>
#include "util/tag_list.h"

/* ERR_USAGE with the place, if it is no pattern. */
int tag_pattern_check(const char *pattern, struct err *err);
/* Adds what the path says; false: the pattern, which was checked, does not fit it. */
bool tag_pattern_read(const char *pattern, struct slice path, struct tag_list *tags);

#endif
