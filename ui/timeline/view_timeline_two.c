/*
 * What two runs add to a timeline: a side for each row, whose run the view stands in; how their
 * times are aligned, and where each of them ends. All else is as with one run, since the rows,
 * cells and spans of both are one timeline's (query/timeline/timeline_pair.h).
 */
#include "config.h"

#include <stdlib.h>

#include "ui/timeline/view_timeline.h"
#include "util/intervals.h"
#include "util/mem.h"

int
timeline_side(const struct timeline_view *state)
{
	const struct timeline_row *row = state->timeline ? timeline_selected_row(state) : NULL;

	return row ? row->side == 2 : 0;
}

int64_t
timeline_own_time(const struct timeline_view *state, int64_t at_ns)
{
	return timeline_is_of_two(state) ? pair_axis_time(&state->axis, timeline_side(state), at_ns)
	                                 : at_ns;
}

struct span_row
timeline_shared_row(const struct timeline *timeline, const struct pair_axis *axis, int side,
                    struct span_row span)
{
	int64_t end = time_add(span.start_ns, span.duration_ns);

	if (timeline->pair && span.id > 0) {
		span.id = timeline_shared_span(timeline, side, span.id);
		span.lane = timeline_shared_lane(timeline, side, span.lane);
		span.start_ns = pair_axis_point(axis, side, span.start_ns);
		span.duration_ns = time_sub(pair_axis_point(axis, side, end), span.start_ns);
	}
	return span;
}

void
timeline_stand_in_run(struct view *view)
{
	const struct timeline_view *state = view->state;
	int side = timeline_side(state);

	if (timeline_is_of_two(state) && strcmp(view->run_path, state->runs.path[side]) != 0) {
		free(view->run_path);
		free(view->run_name);
		view->run_path = xstrdup(state->runs.path[side]);
		view->run_name = xstrdup(state->runs.name[side]);
	}
}

/* Counterparts are open both or shut both. */
void
timeline_set_open(struct timeline_view *state, size_t row, bool is_open)
{
	size_t other = timeline_counterpart(state->timeline, row);

	state->is_open[row] = is_open;
	if (other != SIZE_MAX) {
		state->is_open[other] = is_open;
	}
}

/* ---- alignment ---- */

void
timeline_align(struct view *view, enum pair_alignment alignment)
{
	struct timeline_view *state = view->state;

	state->axis.alignment = alignment;
	state->n_zooms = 0; /* of an axis that is no more */
	if (state->range != RANGE_NONE) {
		state->range = RANGE_NONE;
		state->has_facts = false;
		timeline_range_changed(view);
	}
	state->scale.duration_ns = pair_axis_length(&state->axis);
	if (state->detail && state->selected.id > 0) {
		state->selected =
		    timeline_shared_row(state->timeline, &state->axis,
		                        timeline_side_of_span(state->timeline, state->selected.id),
		                        state->detail->span);
	}
	timescale_pan(&state->scale, 0);
	timeline_set_cell(view,
	                  state->fits ? timescale_fit_ns(&state->scale) : state->scale.cell_ns);
	timeline_ask_rows(view); /* the strip above */
}

void
timeline_align_next(struct view *view)
{
	struct timeline_view *state = view->state;

	if (state->axis.alignment == ALIGN_SCALED) {
		timeline_ask_partner(view, PARTNER_ALIGN);
	} else {
		timeline_align(view,
		               state->axis.alignment == ALIGN_START ? ALIGN_SCALED : ALIGN_START);
	}
}

/* ---- swapping ---- */

static void
swap_times(int64_t times[2])
{
	int64_t first = times[0];

	times[0] = times[1];
	times[1] = first;
}

/* Rows of the same runs keep what is open and where the cursor is. */
void
timeline_swap(struct view *view)
{
	struct timeline_view *state = view->state;
	bool folds_alike = state->timeline->base != NULL;

	timeline_unfold_alike(view);
	struct timeline *before = state->timeline, *after;
	const struct timeline_pair *old = before->pair;
	struct two_runs runs = two_runs_swapped(&state->runs);
	struct colours *colours = state->colours;
	const struct timeline_line *line = timeline_selected_line(state);
	int32_t *depths;
	bool *is_open;
	size_t selected = 0;

	after = timeline_of_two(old->sides[1], old->sides[0], state->n_spans_b);
	MEM_NEW(is_open, after->n_rows + 1);
	MEM_NEW(depths, (size_t)after->n_lanes + 1);
	for (size_t i = 0; i < after->n_rows; i++) {
		int side = after->rows[i].side == 1; /* that it had */
		size_t row = old->rows[side][after->pair->origins[i]];

		is_open[i] = state->is_open[row];
		selected = line && line->row == row ? i : selected;
	}
	for (uint32_t i = 0; i < after->n_lanes; i++) {
		uint32_t n = old->sides[1]->n_lanes;

		depths[i] = state->depths[i < n ? i + old->sides[0]->n_lanes : i - n];
	}
	state->n_spans_b = old->n_spans_a;
	explain_partners_release(state->partners); /* sides are theirs */
	state->partners = NULL;
	state->partner_of = 0;
	state->timeline = after;
	state->labels_of = NULL;
	timeline_paint_free(state->paint); /* its lanes are numbered as before */
	state->paint = NULL;
	timeline_hits_swap(&state->hits.found, old->sides[0]->n_lanes);
	timeline_hits_swap(&state->active, old->sides[0]->n_lanes);
	timeline_hits_swap(&state->in_scope, old->sides[0]->n_lanes);
	timeline_release(before);
	free(state->is_open);
	free(state->depths);
	state->is_open = is_open;
	state->depths = depths;
	state->colours = state->colours_b;
	state->colours_b = colours;
	state->runs = runs;
	swap_times(state->axis.duration_ns);
	swap_times(state->axis.anchor_ns);
	timeline_clear_span(state);
	timeline_window_free(state->hits.window);
	timeline_window_free(state->window);
	state->window = state->hits.window = NULL;
	for (size_t i = 0; i < state->list.n; i++) { /* until they are laid anew */
		state->lines[i] = (struct timeline_line){selected, -1};
	}
	timeline_lay_lines(view);
	app_mark_both(view->app, &runs);
	view_set_runs(view, &state->runs, "Timeline");
	timeline_align(view, state->axis.alignment);
	timeline_ask_paint(view);
	if (!state->hits.found.by_lane) { /* what is on its way counts lanes as before */
		timeline_ask_hits(view);
	}
	if (folds_alike) {
		timeline_ask_alike(view, false);
	}
}
