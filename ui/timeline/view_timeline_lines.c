/* Which rows are lines on the screen: what is folded, and the depths of an unfolded lane. */
#include "config.h"

#include <stdlib.h>

#include "ui/timeline/view_timeline.h"
#include "util/mem.h"

#define DEPTHS_SHOWN 64

const struct timeline_line *
lanes_line(const struct lanes_view *lanes)
{
	return lanes->list.selected < lanes->list.n ? &lanes->lines[lanes->list.selected] : NULL;
}

const struct timeline_row *
lanes_row(const struct lanes_view *lanes)
{
	const struct timeline_line *line = lanes_line(lanes);

	return line ? &lanes->timeline->rows[line->row] : NULL;
}

static int
depths_of(const struct lanes_view *lanes, const struct timeline_row *row)
{
	int depths = lanes->depths[row->id] + 1;

	return depths > DEPTHS_SHOWN ? DEPTHS_SHOWN : depths > 0 ? depths : 1;
}

/* When a group or a lane is unfolded again, what was selected in it is so again. */
static void
note_folded(struct lanes_view *lanes, struct timeline_line kept)
{
	const struct timeline_line *line = lanes_line(lanes);

	lanes->folded = kept;
	lanes->folded_into = SIZE_MAX;
	if (line && (line->row == kept.row
	                 ? line->depth < kept.depth
	                 : line->row < kept.row &&
	                       kept.row - line->row <= lanes->timeline->rows[line->row].n_below)) {
		lanes->folded_into = line->row;
	}
}

void
lanes_lay_lines(struct view *view)
{
	struct lanes_view *lanes = view->state;
	struct timeline_line kept = {0, -1};
	size_t capacity = 0, n = 0, selected = 0;

	if (lanes_line(lanes)) {
		kept = *lanes_line(lanes);
		kept = kept.row == lanes->folded_into ? lanes->folded : kept;
	}
	free(lanes->lines);
	lanes->lines = NULL;
	for (size_t i = 0; i < lanes->timeline->n_rows; i++) {
		const struct timeline_row *row = &lanes->timeline->rows[i];
		int depths =
		    row->type == TIMELINE_LANE && lanes->is_open[i] ? depths_of(lanes, row) : 0;

		if (row->type == TIMELINE_SUM && !lanes->shows_sums) {
			continue;
		}
		for (int depth = depths > 0 ? 0 : -1; depth < (depths > 0 ? depths : 0); depth++) {
			MEM_GROW(lanes->lines, capacity, n + 1);
			if (i < kept.row || (i == kept.row && depth <= kept.depth) ||
			    (i == kept.row && depth <= 0)) {
				selected = n;
			}
			lanes->lines[n++] = (struct timeline_line){i, depth};
		}
		if (!lanes->is_open[i]) {
			i += row->n_below;
		}
	}
	lanes->list.n = n;
	lanes->list.selected = selected;
	note_folded(lanes, kept);
	list_settle(&lanes->list);
}

void
lanes_select_lane(struct view *view, int64_t lane, int depth)
{
	struct lanes_view *lanes = view->state;
	bool hidden = false;
	size_t row = 0;

	while (row < lanes->timeline->n_rows && (lanes->timeline->rows[row].type != TIMELINE_LANE ||
	                                         lanes->timeline->rows[row].id != lane)) {
		row++;
	}
	if (row == lanes->timeline->n_rows) {
		return;
	}
	for (size_t i = 0; i < row; i++) {
		if (row <= i + lanes->timeline->rows[i].n_below && !lanes->is_open[i]) {
			lanes->is_open[i] = hidden = true;
		}
	}
	if (hidden) {
		lanes_lay_lines(view);
	}
	for (size_t i = 0; i < lanes->list.n; i++) {
		const struct timeline_line *line = &lanes->lines[i];

		if (line->row == row && (line->depth <= 0 || line->depth <= depth)) {
			lanes->list.selected = i;
		}
	}
	list_settle(&lanes->list);
}

/* Asks how deep a lane is (-1: all are), if that is not known yet. Until it is, its first depth is shown. */
static void
ask_depths(struct view *view, int64_t lane)
{
	struct lanes_view *lanes = view->state;
	struct lanes_job *job;

	for (size_t i = 0; i < lanes->timeline->n_rows; i++) {
		const struct timeline_row *row = &lanes->timeline->rows[i];

		if (row->type != TIMELINE_LANE || (lane >= 0 && row->id != lane) ||
		    lanes->depths[row->id] != DEPTHS_UNKNOWN) {
			continue;
		}
		job = lanes_job_new(view, JOB_DEPTHS);
		job->lane = lane;
		view_submit(view, &job->job);
		return;
	}
}

void
lanes_take_depths(struct view *view, struct lanes_job *job)
{
	struct lanes_view *lanes = view->state;
	size_t n = lanes->list.n;

	for (uint32_t i = 0; i < lanes->timeline->n_lanes; i++) {
		if (job->lane < 0 || job->lane == i) {
			lanes->depths[i] = job->depths[i];
		}
	}
	lanes_lay_lines(view);
	if (lanes->list.n != n) {
		lanes_ask_picture(view);
	}
}

/* Lanes that wait have no nesting, only overlap. */
static bool
has_nesting(const struct lanes_view *lanes, const struct timeline_row *row)
{
	return row->type == TIMELINE_LANE && lane_kind_is_work(row->kind) &&
	       depths_of(lanes, row) > 1;
}

void
lanes_unfold_if_room(struct lanes_view *lanes)
{
	const struct timeline *timeline = lanes->timeline;
	size_t n = 0;

	for (size_t i = 0; i < timeline->n_rows && n <= lanes->list.height; i++) {
		const struct timeline_row *row = &timeline->rows[i];

		n += has_nesting(lanes, row) ? (size_t)depths_of(lanes, row)
		                             : row->type != TIMELINE_SUM;
	}
	for (size_t i = 0; i < timeline->n_rows && n <= lanes->list.height; i++) {
		lanes->is_open[i] =
		    timeline->rows[i].n_below > 0 || has_nesting(lanes, &timeline->rows[i]);
	}
}

void
lanes_fold(struct view *view)
{
	struct lanes_view *lanes = view->state;
	const struct timeline_line *line = lanes_line(lanes);
	const struct timeline_row *row = lanes_row(lanes);

	if (!row || (row->n_below == 0 && row->type != TIMELINE_LANE)) {
		return;
	}
	lanes->is_open[line->row] = !lanes->is_open[line->row];
	if (row->type == TIMELINE_LANE && lanes->is_open[line->row]) {
		ask_depths(view, row->id);
	}
	lanes_lay_lines(view);
	lanes_ask_picture(view);
}

/* All groups shut; then all open; then all lanes open as well. */
void
lanes_fold_all(struct view *view)
{
	struct lanes_view *lanes = view->state;
	bool all_open = true, any_lane = false;

	for (size_t i = 0; i < lanes->timeline->n_rows; i++) {
		const struct timeline_row *row = &lanes->timeline->rows[i];

		all_open = all_open && (row->n_below == 0 || lanes->is_open[i]);
		any_lane = any_lane || (row->type == TIMELINE_LANE && lanes->is_open[i]);
	}
	for (size_t i = 0; i < lanes->timeline->n_rows; i++) {
		const struct timeline_row *row = &lanes->timeline->rows[i];

		lanes->is_open[i] = row->n_below > 0
		                        ? !all_open || !any_lane
		                        : row->type == TIMELINE_LANE && all_open && !any_lane;
	}
	if (all_open && !any_lane) {
		ask_depths(view, -1);
	}
	lanes_lay_lines(view);
	lanes_ask_picture(view);
}
