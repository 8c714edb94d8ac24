/* Lists of labels in little room.
 * Used by cli, ui/term, ui/timeline. */
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

/* The same for one label at a time, in as many columns as each has. */
struct label_list;
struct label_list *label_list_new(const struct slice *labels, size_t n); /* texts are copied */
void label_list_free(struct label_list *labels);                         /* takes NULL */
/* Appends a label of the list in at most `columns`: its begin where that tells it from the others,
 * else shortened as above. Of a text that is not in the list, its begin; so for labels NULL. */
void label_list_add_short(const struct label_list *labels, struct slice label, size_t columns,
                          const char *mark, struct strbuf *out);

#endif
