/*
 * Tables of spans in groups, and of such groups turned: made from the list of spans, and again from
 * such a table, which leads back to the list.
 * Used by its room alone.
 */
#ifndef LANESCOPE_UI_LISTS_SPAN_GROUPS_SOURCE_H
#define LANESCOPE_UI_LISTS_SPAN_GROUPS_SOURCE_H

#include "ui/app/view.h"
#include "ui/base/texts.h"

/* Opens the spans that pass filter (NULL: all) in groups, by what was typed at a PROMPT_GROUP
 * ("name, host") or PROMPT_PIVOT ("name by host count"), above the view. keys: names of the run's
 * arguments as they are typed, NULL at the end; copied. -1: it is wrong. */
int span_groups_open(const struct view *view, const char *filter, enum prompt_kind kind,
                     struct slice text, char *const *keys, struct err *err);
/* Words of such texts. */
void span_groups_complete(struct completion *completion, char *const *keys);

/* The names of the run's arguments, new; a few hundred at most, for people to choose from. */
struct dataset;
char **span_keys_read(const struct dataset *dataset);
void span_keys_free(char **keys); /* takes NULL */

#endif
