/* What stands behind a row of an answer, as the explorer's Enter opens it: its spans, or the rows
 * of another query.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_BEHIND_H
#define LANESCOPE_CLI_BEHIND_H

#include "cli/query_call.h"
#include "query/spans/span_list.h"

/* A list of spans to where the choice says; --sort was taken by the list. */
int spans_output(const struct span_list *list, const struct output_choice *choice, struct err *err);

/* Row number call->behind of the one answer, as it is sorted; --limit is of what stands behind. */
int behind_output(struct query_call *call, const struct cancel *cancel, struct err *err);

#endif
