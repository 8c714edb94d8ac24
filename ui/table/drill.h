/*
 * From a row to what stands behind it: the spans, the place in the timeline,
 * another saved query. By a header line such as "drill: span name=task
 * category='task'", else by columns that are named as those of spans (name,
 * lane_name, start, duration, id ...).
 * Used by its room alone.
 */
#ifndef LANESCOPE_UI_TABLE_DRILL_H
#define LANESCOPE_UI_TABLE_DRILL_H

#include "ui/app/view.h"

/* What a row's table is the answer to. */
struct drill {
	const struct query_drill *header; /* NULL or without a view: none */
	const char *spans;                /* of the saved query: bindings, or NULL */
	const struct query_param *params; /* for bindings with :name */
	char *const *texts;               /* their values, NULL: the default */
	size_t n_params;
};

/* Opens what is behind the row, above the view, in the run of `in`. False if
 * nothing is; what is wrong is said. */
bool drill_open(struct view *view, const struct view_place *in, const struct drill *drill,
                const struct result *result, size_t row);
/* The row's place; free it in any case. False: the row says nothing of a place. */
bool drill_focus(const struct drill *drill, const struct result *result, size_t row,
                 struct focus *focus);

/* What the header's bindings make of the parameters of its target: a text each, NULL for its
 * default; texts_free frees them. */
char **drill_texts(const struct drill *drill, const struct query_param *params, size_t n_params,
                   const struct result *result, size_t row);

void drill_focus_free(struct focus *focus);

/* Whether the header leads to another saved query, which its view names. */
bool drill_leads_to_query(const struct query_drill *header);
/* Whether all that the header's bindings name is there: columns, parameters of
 * query, columns of spans. For tests of saved queries. */
int drill_check(const struct query_drill *header, const struct query_param *params, size_t n_params,
                const struct result_column *columns, size_t n_columns,
                const struct saved_query *target, struct err *err);

#endif
