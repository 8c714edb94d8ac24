/* ":save NAME": what a table asks, kept as a saved query of the user's.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_TABLE_SAVE_QUERY_H
#define LANESCOPE_UI_TABLE_SAVE_QUERY_H

#include "ui/table/table_source.h"

/* words: "[!]NAME [TITLE]"; "!" writes over a query of that name. texts: of the source's
 * parameters, as they are asked now, which become the defaults. result (may be NULL): its answer,
 * whose columns' kinds are kept where there is no header. */
int save_query(struct view *view, const struct table_source *source, char *const *texts,
               const struct result *result, struct slice words, struct err *err);

#endif
