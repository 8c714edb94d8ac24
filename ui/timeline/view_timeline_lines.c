/* Which rows are lines on the screen: what is folded, and the depths of an unfolded lane. */
#include "config.h"

#include <stdlib.h>

#include "ui/timeline/view_timeline.h"
#include "util/mem.h"

#define DEPTHS_SHOWN 64

const struct timeline_line *
timeline_selected_line(const struct timeline_view *state)
{
	return state->list.selected < state->list.n ? &state->lines[state->list.selected] : NULL;
}

const struct timeline_row *
timeline_selected_row(const struct timeline_view *state)
{
	const struct timeline_line *line = timeline_selected_line(state);

	return line ? &state->timeline->rows[line->row] : NULL;
}

static int
depths_of(const struct timeline_view *state, const struct timeline_row *row)
{
	int depths = state->depths[row->id] + 1;

	return depths > DEPTHS_SHOWN ? DEPTHS_SHOWN : depths > 0 ? depths : 1;
}

/* When a group or a lane is unfolded again, what was selected in it is so again. */
static void
note_folded(struct timeline_view *state, struct timeline_line kept)
{
	const struct timeline_line *line = timeline_selected_line(state);

	state->folded = kept;
	state->folded_into = SIZE_MAX;
	if (line && (line->row == kept.row
	                 ? line->depth < kept.depth
	                 : line->row < kept.row &&
	                       kept.row - line->row <= state->timeline->rows[line->row].n_below)) {
		state->folded_into = line->row;
	}
}

/* Adds the lines of a row. */
static void
add_lines(struct timeline_view *state, size_t i, size_t *capacity, size_t *n)
{
	const struct timeline_row *row = &state->timeline->rows[i];
	int depths = row->type == TIMELINE_LANE && state->is_open[i] ? depths_of(state, row) : 0;

	for (int depth = depths > 0 ? 0 : -1; depth < (depths > 0 ? depths : 0); depth++) {
		MEM_GROW(state->lines, *capacity, *n + 1);
		state->lines[(*n)++] = (struct timeline_line){i, depth};
	}
}

/* The line of a row and depth, or what stands in its place. */
static size_t
line_for(const struct timeline_view *state, size_t n, struct timeline_line kept)
{
	size_t selected = 0;

	for (size_t i = 0; i < n; i++) {
		const struct timeline_line *line = &state->lines[i];
		bool is_before = state->sort == LANES_IN_ORDER && line->row < kept.row;

		if (is_before ||
		    (line->row == kept.row && (line->depth <= kept.depth || line->depth <= 0))) {
			selected = i;
		}
	}
	return selected;
}

void
timeline_lay_labels(struct view *view)
{
	struct timeline_view *state = view->state;

	if (state->labels_width == view->area.width && state->labels_of == state->timeline) {
		return;
	}
	arena_free(state->label_arena);
	state->label_arena = arena_new();
	state->labels = timeline_labels(state->timeline, view->area.width, state->label_arena);
	state->labels_width = view->area.width;
	state->labels_of = state->timeline;
}

void
timeline_lay_lines(struct view *view)
{
	struct timeline_view *state = view->state;
	const struct timeline *timeline = state->timeline;
	size_t *order = xcalloc(timeline->n_rows + 1, sizeof *order);
	struct timeline_line kept = {0, -1};
	size_t capacity = 0, n = 0, n_rows = timeline->n_rows;

	if (timeline_selected_line(state)) {
		kept = *timeline_selected_line(state);
		kept = kept.row == state->folded_into ? state->folded : kept;
	}
	timeline_lay_labels(view);
	timeline_hide_rows(state);
	free(state->lines);
	state->lines = NULL;
	if (state->sort != LANES_IN_ORDER) {
		n_rows = timeline_row_order(state, order);
	}
	for (size_t i = 0; i < n_rows; i++) {
		size_t at = state->sort != LANES_IN_ORDER ? order[i] : i;

		if (timeline->rows[at].type == TIMELINE_SUM && !state->shows_sums) {
			continue;
		}
		if (!state->is_hidden[at]) {
			add_lines(state, at, &capacity, &n);
		}
		if (state->sort == LANES_IN_ORDER && !state->is_open[at]) {
			i += timeline->rows[at].n_below;
		}
	}
	free(order);
	state->list.n = n;
	state->list.selected = line_for(state, n, kept);
	note_folded(state, kept);
	timeline_lay_area(view);
}

void
timeline_select_lane(struct view *view, int64_t lane, int depth)
{
	struct timeline_view *state = view->state;
	bool hidden = false;
	size_t row = 0;

	while (row < state->timeline->n_rows && (state->timeline->rows[row].type != TIMELINE_LANE ||
	                                         state->timeline->rows[row].id != lane)) {
		row++;
	}
	if (row == state->timeline->n_rows) {
		return;
	}
	if (state->is_hidden[row]) { /* one goes there: it is shown */
		state->hits.shows_others = true;
		timeline_hits_fini(&state->active);
		hidden = true;
	}
	for (size_t i = 0; i < row; i++) {
		if (row <= i + state->timeline->rows[i].n_below && !state->is_open[i]) {
			timeline_set_open(state, i, hidden = true);
		}
	}
	if (hidden) {
		timeline_lay_lines(view);
	}
	for (size_t i = 0; i < state->list.n; i++) {
		const struct timeline_line *line = &state->lines[i];

		if (line->row == row && (line->depth <= 0 || line->depth <= depth)) {
			state->list.selected = i;
		}
	}
	list_settle(&state->list);
}

/* The lane of a row's counterpart in the other run, which opens with it; -1: none. */
static int64_t
lane_beside(const struct timeline *timeline, size_t row)
{
	size_t other = timeline_counterpart(timeline, row);

	return other == SIZE_MAX ? -1 : (int64_t)timeline->rows[other].id;
}

/* Asks how deep a lane is (-1: all are), if that is not known yet. Until it is, its first depth is
 * shown. */
static void
ask_depths(struct view *view, int64_t lane)
{
	struct timeline_view *state = view->state;
	struct timeline_job *job;

	for (size_t i = 0; i < state->timeline->n_rows; i++) {
		const struct timeline_row *row = &state->timeline->rows[i];

		if (row->type != TIMELINE_LANE || (lane >= 0 && row->id != lane) ||
		    state->depths[row->id] != DEPTHS_UNKNOWN) {
			continue;
		}
		job = timeline_job_new(view, JOB_DEPTHS);
		job->lane = lane;
		job->lane_beside = lane_beside(state->timeline, lane >= 0 ? i : SIZE_MAX);
		view_submit(view, &job->job);
		return;
	}
}

void
timeline_take_depths(struct view *view, struct timeline_job *job)
{
	struct timeline_view *state = view->state;
	size_t n = state->list.n;

	for (uint32_t i = 0; i < state->timeline->n_lanes; i++) {
		if (job->lane < 0 || job->lane == i || job->lane_beside == i) {
			state->depths[i] = job->depths[i];
		}
	}
	timeline_lay_lines(view);
	if (state->list.n != n) {
		timeline_ask_window(view);
	}
}

/* Lanes that wait have no nesting, only overlap. */
static bool
has_nesting(const struct timeline_view *state, const struct timeline_row *row)
{
	return row->type == TIMELINE_LANE && lane_kind_is_work(row->kind) &&
	       depths_of(state, row) > 1;
}

void
timeline_unfold_if_room(struct timeline_view *state)
{
	const struct timeline *timeline = state->timeline;
	size_t n = 0, room = state->list.height * (size_t)state->line_rows;

	for (size_t i = 0; i < timeline->n_rows && n <= room; i++) {
		const struct timeline_row *row = &timeline->rows[i];

		n += has_nesting(state, row) ? (size_t)depths_of(state, row)
		                             : row->type != TIMELINE_SUM;
	}
	for (size_t i = 0; i < timeline->n_rows && n <= room; i++) {
		state->is_open[i] = timeline_row_is_group(&timeline->rows[i]) ||
		                    has_nesting(state, &timeline->rows[i]);
	}
}

void
timeline_fold(struct view *view)
{
	struct timeline_view *state = view->state;
	const struct timeline_line *line = timeline_selected_line(state);
	const struct timeline_row *row = timeline_selected_row(state);

	if (!row || (!timeline_row_is_group(row) && row->type != TIMELINE_LANE)) {
		return;
	}
	timeline_set_open(state, line->row, !state->is_open[line->row]);
	if (row->type == TIMELINE_LANE && state->is_open[line->row]) {
		ask_depths(view, row->id);
	}
	timeline_lay_lines(view);
	timeline_ask_window(view);
}

/* All groups shut; then all open; then all lanes open as well. */
void
timeline_fold_all(struct view *view)
{
	struct timeline_view *state = view->state;
	bool all_open = true, any_lane = false;

	for (size_t i = 0; i < state->timeline->n_rows; i++) {
		const struct timeline_row *row = &state->timeline->rows[i];

		all_open = all_open && (!timeline_row_is_group(row) || state->is_open[i]);
		any_lane = any_lane || (row->type == TIMELINE_LANE && state->is_open[i]);
	}
	for (size_t i = 0; i < state->timeline->n_rows; i++) {
		const struct timeline_row *row = &state->timeline->rows[i];

		state->is_open[i] = timeline_row_is_group(row)
		                        ? !all_open || !any_lane
		                        : row->type == TIMELINE_LANE && all_open && !any_lane;
	}
	if (all_open && !any_lane) {
		ask_depths(view, -1);
	}
	timeline_lay_lines(view);
	timeline_ask_window(view);
}
