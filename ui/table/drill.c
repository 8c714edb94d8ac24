/*
 * Where a row leads is said by the header of its query (query/saved/row_place.h); here it becomes
 * the place that is opened. What the header does not say is told, rather than guessed from names
 * of columns: a guess shows other spans than the row counted.
 */
#include "config.h"

#include "ui/table/drill.h"

#include <stdlib.h>
#include <string.h>

#include "ui/base/texts.h"
#include "util/intervals.h"
#include "util/mem.h"

/* A window around [start, end] in which it can be seen in its surroundings. */
static void
set_window(struct focus *focus, const struct result *result, int64_t start_ns, int64_t length_ns)
{
	int64_t margin_ns = length_ns / 2;
	int column = column_find(result->columns, result->n_columns, slice_of("start"));

	if (length_ns <= 0) { /* an instant: a part of what the table spans */
		for (size_t i = 0; column >= 0 && i < result->n_rows; i++) {
			const struct value *value = result_value(result, i, (size_t)column);
			int64_t far_ns = value->type == VALUE_INTEGER ? value->integer / 50 : 0;

			margin_ns = far_ns > margin_ns ? far_ns : margin_ns;
		}
		margin_ns = margin_ns > 0 ? margin_ns : 1000000;
	}
	if (__builtin_sub_overflow(start_ns, margin_ns, &focus->start_ns) ||
	    __builtin_add_overflow(start_ns, length_ns, &focus->end_ns) ||
	    __builtin_add_overflow(focus->end_ns, margin_ns, &focus->end_ns)) {
		focus->start_ns = focus->end_ns = 0;
		return;
	}
	focus->start_ns = focus->start_ns < 0 ? 0 : focus->start_ns;
}

bool
drill_focus(const struct drill *drill, const struct result *result, size_t row, struct focus *focus)
{
	struct row_place place;

	row_place_read(drill, result, row, &place);
	*focus = FOCUS_NONE;
	focus->span = place.span;
	focus->lane = place.lane;
	if (place.has_start) {
		set_window(focus, result, place.start_ns, place.length_ns);
		focus->mark_start_ns = place.start_ns;
		focus->mark_end_ns =
		    time_add(place.start_ns, place.length_ns > 0 ? place.length_ns : 0);
	}
	focus->filter = place.filter;
	focus->lane_name = place.lane_name;
	place.filter = place.lane_name = NULL;
	row_place_free(&place);
	return focus->filter || focus->lane_name || focus->mark_end_ns >= focus->mark_start_ns ||
	       focus->span >= 0 || focus->lane >= 0;
}

void
drill_focus_free(struct focus *focus)
{
	free((char *)focus->filter);
	free((char *)focus->lane_name);
	*focus = FOCUS_NONE;
}

char *
drill_why_not(const struct drill *drill, const struct result *result, size_t row)
{
	struct row_place place;
	char *why;

	row_place_read(drill, result, row, &place);
	why = place.why_not;
	place.why_not = NULL;
	row_place_free(&place);
	return why;
}

/* ---- opening ---- */

static bool
open_query(struct view *view, const struct view_place *in, const struct drill *drill,
           const struct result *result, size_t row)
{
	struct err err = ERR_INIT;
	struct view_place next = *in;
	char **texts;

	next.kind = PLACE_QUERY;
	next.query = query_library_find(app_library(view->app), drill->header->view, &err);
	if (!next.query) {
		view_fail(view, err.message);
		return true;
	}
	texts = drill_texts(drill, next.query->params, next.query->n_params, result, row);
	next.texts = texts;
	app_open(view->app, &next);
	texts_free(texts, next.query->n_params);
	return true;
}

/* False: the row is no place, which is said if there is a reason. */
static bool
open_place(struct view *view, const struct view_place *in, enum drill_target target,
           const struct drill *drill, const struct result *result, size_t row)
{
	struct view_place next = *in;
	struct focus focus;
	bool is_place = drill_focus(drill, result, row, &focus);

	next.kind = target == DRILL_SPANS                        ? PLACE_SPANS
	            : target == DRILL_NOWHERE && focus.span >= 0 ? PLACE_SPAN
	                                                         : PLACE_TIMELINE;
	is_place = target == DRILL_SPANS ? focus.filter != NULL : is_place;
	next.focus = &focus;
	next.span = focus.span;
	if (is_place) {
		app_open(view->app, &next);
	}
	drill_focus_free(&focus);
	return is_place;
}

bool
drill_open(struct view *view, const struct view_place *in, const struct drill *drill,
           const struct result *result, size_t row)
{
	enum drill_target target = drill_target(drill->header);

	if (!in->run_path || target == DRILL_ROW) {
		return false;
	}
	if (target == DRILL_QUERY) {
		return open_query(view, in, drill, result, row);
	}
	if (open_place(view, in, target, drill, result, row)) {
		return true;
	}
	if (target == DRILL_SPANS) {
		char *why = drill_why_not(drill, result, row);

		view_fail(view, why);
		free(why);
	}
	return target == DRILL_SPANS;
}
