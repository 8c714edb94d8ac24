/*
 * From a row to what stands behind it: the spans, the place in the timeline, another saved query,
 * as the header of its query says; of a row without one, the span or the instant that columns
 * called id, start and duration name.
 * Used by its room alone.
 */
#ifndef LANESCOPE_UI_TABLE_DRILL_H
#define LANESCOPE_UI_TABLE_DRILL_H

#include "query/saved/row_place.h"
#include "ui/app/view.h"

/* Opens what is behind the row, above the view, in the run of `in`. False if
 * nothing is; what is wrong is said. */
bool drill_open(struct view *view, const struct view_place *in, const struct drill *drill,
                const struct result *result, size_t row);
/* The row's place; free it in any case. False: the row says nothing of a place. */
bool drill_focus(const struct drill *drill, const struct result *result, size_t row,
                 struct focus *focus);
void drill_focus_free(struct focus *focus);
/* Why the row stands for no spans: new; NULL: it stands for some. */
char *drill_why_not(const struct drill *drill, const struct result *result, size_t row);

#endif
