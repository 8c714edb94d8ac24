/* Lists of labels in little room.
 * Used by ui/timeline. */
#ifndef LANESCOPE_UTIL_LABELS_H
#define LANESCOPE_UTIL_LABELS_H

#include "util/mem.h"
#include "util/slice.h"

/* Shortens those of n labels that take more than `columns` (> 0) by what they have in common, so
 * that what tells them apart stays: a begin that all share is left out ("~/data/a.npy"), else what
 * stands between the begin and the first difference from the most similar one
 * ("void elementwise~<add>"). `mark` (one column) stands for what is left out. Two different labels
 * never look the same, if there are columns for their number in the list. New slices, with their
 * texts in the arena. */
struct slice *labels_shorten(const struct slice *labels, size_t n, size_t columns, const char *mark,
                             struct arena *arena);

#endif
