/*
 * Lanes that are alike in one row: another timeline in the place of the one that is shown, which it
 * keeps as its base. What is open, selected and known of lanes goes over from one to the other;
 * windows do not, since their lines are rows by number. The scope says over what lanes are
 * compared, so a change of it asks again.
 */
#include "config.h"

#include <stdlib.h>

#include "query/timeline/timeline_alike.h"
#include "ui/timeline/view_timeline.h"
#include "util/format.h"
#include "util/mem.h"

static struct timeline *
base_of(const struct timeline_view *state)
{
	return state->timeline->base ? state->timeline->base : state->timeline;
}

/* A row as one of the base; SIZE_MAX: it is none there. */
static size_t
base_row(const struct timeline *timeline, size_t row)
{
	return timeline->base ? timeline->base_rows[row] : row;
}

/* The first that a row of several stands for. */
static size_t
first_below(const struct timeline *timeline, size_t row)
{
	while (base_row(timeline, row) == SIZE_MAX) {
		row++;
	}
	return base_row(timeline, row);
}

/* Groups that hold an odd row are opened: that is what one wants to see. */
static void
open_odd(const struct timeline_view *state)
{
	const struct timeline *timeline = state->timeline;
	size_t *n_odd = xcalloc(timeline->n_rows + 1, sizeof *n_odd); /* before each row */

	for (size_t i = 0; i < timeline->n_rows; i++) {
		n_odd[i + 1] = n_odd[i] + (timeline->rows[i].odd != NULL);
	}
	for (size_t i = 0; i < timeline->n_rows; i++) {
		size_t end = i + 1 + timeline->rows[i].n_below;

		state->is_open[i] = state->is_open[i] || n_odd[end] > n_odd[i + 1];
	}
	free(n_odd);
}

/* Takes `after`, whose base is the same. */
static void
show(struct view *view, struct timeline *after, bool opens_odd)
{
	struct timeline_view *state = view->state;
	struct timeline *before = state->timeline;
	size_t n_base = base_of(state)->n_rows, kept = SIZE_MAX, selected = 0;
	const struct timeline_line *line = timeline_selected_line(state);
	bool *was_open = xcalloc(n_base + 1, sizeof *was_open), *is_open;
	int depth = line ? line->depth : -1;

	for (size_t i = 0; i < before->n_rows; i++) {
		size_t row = base_row(before, i);

		if (row != SIZE_MAX) {
			was_open[row] = state->is_open[i];
			kept = line && line->row == i ? row : kept;
		} else if (line && line->row == i) {
			kept = first_below(before, i);
		}
	}
	MEM_NEW(is_open, after->n_rows + 1);
	for (size_t i = 0; i < after->n_rows; i++) {
		size_t row = base_row(after, i);

		is_open[i] = row != SIZE_MAX && was_open[row];
		selected = row == kept && row != SIZE_MAX ? i : selected;
	}
	free(was_open);
	free(state->is_open);
	state->is_open = is_open;
	state->timeline = after;
	if (opens_odd) {
		open_odd(state);
	}
	state->labels_of = NULL;
	state->folded_into = SIZE_MAX;
	timeline_release(before);
	timeline_window_free(state->window);
	timeline_window_free(state->hits.window);
	timeline_window_free(state->minimap);
	state->window = state->hits.window = state->minimap = NULL;
	for (size_t i = 0; i < state->list.n; i++) { /* until they are laid anew */
		state->lines[i] = (struct timeline_line){selected, depth};
	}
	timeline_lay_lines(view);
	timeline_ask_window(view);
	timeline_ask_rows(view); /* the strip above */
}

void
timeline_unfold_alike(struct view *view)
{
	struct timeline_view *state = view->state;

	if (state->timeline->base) {
		show(view, timeline_retain(state->timeline->base), false);
	}
}

void
timeline_ask_alike(struct view *view, bool is_asked)
{
	struct timeline_view *state = view->state;
	struct timeline_job *job = timeline_job_new(view, JOB_ALIKE);

	timeline_release(job->timeline);
	job->timeline = timeline_retain(base_of(state));
	job->is_asked = is_asked;
	view_submit(view, &job->job);
}

void
timeline_fold_alike(struct view *view)
{
	struct timeline_view *state = view->state;

	if (state->timeline->base) {
		timeline_unfold_alike(view);
		view_say(view, "all lanes, each in its row");
		return;
	}
	timeline_ask_alike(view, true);
}

int
timeline_read_alike(struct timeline_job *job, struct store *const stores[2], struct err *err)
{
	job->new_timeline = timeline_alike_read(stores, job->timeline, &job->job.cancel, err);
	return job->new_timeline ? 0 : -1;
}

/* What is folded, and what is not. */
static void
tell(struct view *view)
{
	const struct timeline_view *state = view->state;
	const struct timeline *timeline = state->timeline;
	char folded[FORMAT_BYTES], rows[FORMAT_BYTES], odd[FORMAT_BYTES];
	size_t n_folded = 0, n_rows = 0, n_odd = 0, end = 0;

	for (size_t i = 0; i < timeline->n_rows; i++) {
		const struct timeline_row *row = &timeline->rows[i];

		n_odd += row->odd != NULL;
		if (row->type == TIMELINE_ALIKE && i >= end) { /* else they are counted */
			n_folded += row->n_members;
			n_rows++;
			end = i + row->n_below;
		}
	}
	view_say(view, "%s lane%s folded into %s row%s, %s odd stay: U unfolds",
	         format_count(folded, (int64_t)n_folded), n_folded == 1 ? "" : "s",
	         format_count(rows, (int64_t)n_rows), n_rows == 1 ? "" : "s",
	         format_count(odd, (int64_t)n_odd));
}

void
timeline_take_alike(struct view *view, struct timeline_job *job)
{
	struct timeline_view *state = view->state;
	struct timeline *after = job->new_timeline;

	if (after->base != base_of(state)) {
		return; /* of rows that are no more */
	}
	if (after->n_alike == 0) {
		timeline_unfold_alike(view);
		view_say(view, "nothing folds: of no group more than half are alike (lanes-alike "
		               "says what is compared)");
		return;
	}
	job->new_timeline = NULL;
	if (job->is_asked) {
		state->sort = LANES_IN_ORDER; /* in another there are no groups */
	}
	show(view, after, job->is_asked);
	if (job->is_asked) {
		tell(view);
	}
}
