/*
 * What stands for a span in the other run: how long it took there and what ran beside it, told with
 * the span's own facts; the way there; and runs aligned at both. Of small runs it is looked for
 * with each span that is selected, of others when it is asked for.
 *
 * Who asks for it sees both: runs are aligned at them where the partner is out of the window, and
 * lanes between them are hidden where there are too many.
 */
#include "config.h"

#include <stdlib.h>

#include "ui/timeline/view_timeline.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/utf8.h"

/* ---- on the worker ---- */

/* The span that is selected, else the innermost of the lane at the cursor, else the next one. */
static int
find_own(struct timeline_job *job, struct store *store, struct span_row *span, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct span_walk walk = {
	    .lane = job->walk.lane, .depth = -1, .start_ns = job->walk.start_ns};
	int found;

	if (!dataset) {
		return -1;
	}
	if (job->walk.id > 0) {
		return row_get(dataset, BLOCK_SPAN, job->walk.id, span, err) == 0 ? 1 : -1;
	}
	found = span_at(store, &walk, span, &job->job.cancel, err);
	return found != 0 ? found : span_walk_next(store, &walk, span, &job->job.cancel, err);
}

int
timeline_read_partner(struct timeline_job *job, struct store *const stores[2], struct err *err)
{
	const struct dataset *dataset = store_dataset(stores[job->side], err);
	int found = dataset ? find_own(job, stores[job->side], &job->span, err) : -1;

	if (found <= 0) {
		job->span.id = 0;
		return found;
	}
	struct slice name = dataset_text(dataset, job->span.name);
	job->own_name = xstrndup(name.ptr, name.len);
	job->own_start_ns = job->span.start_ns;
	if (!job->partners) {
		job->partners = explain_partners_new(stores, &job->job.cancel, err);
	}
	found = job->partners ? explain_partner_find(job->partners, stores, job->side, &job->span,
	                                             &job->partner, &job->job.cancel, err)
	                      : -1;
	job->partner.span.id = found > 0 ? job->partner.span.id : 0;
	return found < 0 ? -1 : 0;
}

/* ---- in the view ---- */

/* The lane of the selected row, or the first one below it; -1: there is none. */
static int64_t
lane_at_cursor(const struct timeline_view *state)
{
	const struct timeline_line *line = timeline_selected_line(state);

	for (size_t i = line ? line->row : SIZE_MAX; i < state->timeline->n_rows; i++) {
		if (state->timeline->rows[i].type == TIMELINE_LANE) {
			return state->timeline->rows[i].id;
		}
	}
	return -1;
}

void
timeline_ask_partner(struct view *view, enum partner_wish wish)
{
	struct timeline_view *state = view->state;
	struct timeline_job *job;

	if (state->selected.id == 0 && wish == PARTNER_GO) {
		view_say(view, "no span is selected: . and , walk to one");
		return;
	}
	if (!timeline_is_of_two(state)) {
		app_open_partner(view, state->selected.id);
		return;
	}
	job = timeline_job_new(view, wish == PARTNER_SHOW ? JOB_PARTNER_SHOWN : JOB_PARTNER);
	job->partner_wish = wish;
	job->partners = state->partners ? explain_partners_retain(state->partners) : NULL;
	job->walk.lane = lane_at_cursor(state);
	job->walk.id = state->selected.id;
	job->walk.start_ns = timescale_time(&state->scale, state->scale.cursor);
	if (wish == PARTNER_SHOW || wish == PARTNER_SHOW_BOTH) {
		state->partner_of = state->selected.id;
		state->partner.span.id = 0;
	}
	view_submit(view, &job->job);
}

void
timeline_follow_partner(struct view *view)
{
	struct timeline_view *state = view->state;

	if (!timeline_is_of_two(state) || !state->timeline || !state->detail ||
	    state->selected.id == 0 || state->partner_of == state->selected.id) {
		return;
	}
	if (state->focus.to_partner) {
		state->focus.to_partner = false;
		timeline_ask_partner(view, PARTNER_SHOW_BOTH);
	} else if (state->partners || (state->timeline->pair->n_spans_a <= PARTNERS_SPANS &&
	                               state->n_spans_b <= PARTNERS_SPANS)) {
		timeline_ask_partner(view, PARTNER_SHOW);
	}
}

/* ---- both on the screen ---- */

static bool
is_in_window(const struct timescale *scale, int64_t at_ns)
{
	int column = timescale_column(scale, at_ns);

	return column >= 0 && column < scale->columns;
}

/* Of spans that begin at one point, the longer one's length: both are there from their begins to
 * their ends. */
static void
show_lengths(struct view *view, int64_t at_ns, int64_t length_ns)
{
	struct timeline_view *state = view->state;
	struct timescale *scale = &state->scale;

	if (!is_in_window(scale, at_ns) || !is_in_window(scale, time_add(at_ns, length_ns))) {
		int64_t around = length_ns / 2 + 1;

		if (length_ns > scale->cell_ns * (scale->columns * 3 / 4)) {
			timeline_show_window(view, MOST(time_sub(at_ns, around), 0),
			                     time_add(at_ns, time_add(length_ns, around)));
		}
		timescale_show(scale, at_ns, scale->columns / 4);
		timeline_ask_window(view);
	}
	scale->cursor = timescale_column(scale, at_ns);
}

/* The line of a lane's row; SIZE_MAX: it has none. */
static size_t
line_of(const struct timeline_view *state, int64_t lane)
{
	for (size_t i = 0; i < state->list.n; i++) {
		const struct timeline_row *row = &state->timeline->rows[state->lines[i].row];

		if (row->type == TIMELINE_LANE && row->id == lane) {
			return i;
		}
	}
	return SIZE_MAX;
}

/* Hides all lanes but these and their counterparts, until I shows them again. */
static void
hide_others(struct view *view, int64_t lane, int64_t other)
{
	struct timeline_view *state = view->state;

	timeline_hits_fini(&state->active);
	state->active.by_lane =
	    xcalloc((size_t)state->timeline->n_lanes + 1, sizeof *state->active.by_lane);
	state->active.by_lane[lane] = state->active.by_lane[other] = 1;
	state->active.n = 2;
	state->active.n_ids = state->timeline->n_lanes;
	timeline_lay_lines(view);
	view_say(view, "lanes without these two are hidden: I shows them again");
}

/* The lane stays selected. */
static void
show_lanes(struct view *view, const struct span_row *own, const struct span_row *other)
{
	struct timeline_view *state = view->state;
	struct list *list = &state->list;
	size_t line;

	timeline_select_lane(view, other->lane, (int)other->depth);
	timeline_select_lane(view, own->lane, (int)own->depth);
	line = line_of(state, other->lane);
	if (line != SIZE_MAX && list->height > 1 &&
	    MOST(line, list->selected) - LEAST(line, list->selected) >= list->height) {
		hide_others(view, own->lane, other->lane);
		line = line_of(state, other->lane);
	}
	if (line < list->top) {
		list->top = line;
	} else if (line != SIZE_MAX && line >= list->top + list->height) {
		list->top = line - list->height + 1;
	}
	list_settle(list);
	timeline_ask_window(view);
}

/* Runs stand with the span and its partner over each other. */
static void
align_at(struct view *view, const struct timeline_job *job)
{
	struct timeline_view *state = view->state;

	state->axis.anchor_ns[job->side] = job->own_start_ns;
	state->axis.anchor_ns[!job->side] = job->partner.span.start_ns;
	timeline_align(view, ALIGN_ANCHOR);
}

static void
show_both(struct view *view, const struct timeline_job *job)
{
	struct timeline_view *state = view->state;
	struct timescale before = state->scale;
	const struct span_row *partner = &job->partner.span;
	struct span_row other =
	    timeline_shared_row(state->timeline, &state->axis, !job->side, *partner);

	if (state->selected.id != job->span.id) { /* another one since */
		return;
	}
	if (!is_in_window(&state->scale, state->selected.start_ns) ||
	    !is_in_window(&state->scale, other.start_ns)) {
		align_at(view, job);
		show_lengths(view, state->selected.start_ns,
		             MOST(state->selected.duration_ns, partner->duration_ns));
	}
	show_lanes(view, &state->selected, &other);
	timeline_keep_window(state, &before);
}

static void
go_to(struct view *view, struct timeline_job *job)
{
	struct timeline_view *state = view->state;
	struct timeline_job *detail;
	struct span_row span;

	show_both(view, job);
	span = timeline_shared_row(state->timeline, &state->axis, !job->side, job->partner.span);
	timeline_clear_span(state);
	state->has_panned = false;
	timeline_go_to(view, &span, false);
	detail = timeline_job_new(view, JOB_SPAN);
	detail->wish = WISH_ID;
	detail->walk.lane = span.lane;
	detail->walk.id = span.id;
	view_submit(view, &detail->job);
}

static void
align(struct view *view, const struct timeline_job *job)
{
	struct timeline_view *state = view->state;
	struct slice name = utf8_clip(slice_of(job->own_name), 40);
	int64_t apart_ns = timescale_apart_ns(&state->scale);
	char at[2][FORMAT_BYTES];

	align_at(view, job);
	view_say(view, "aligned at %.*s%s: A %s, B %s", (int)name.len, name.ptr,
	         job->own_name[name.len] ? "~" : "",
	         format_position(at[0], state->axis.anchor_ns[0], apart_ns),
	         format_position(at[1], state->axis.anchor_ns[1], apart_ns));
}

static void
say_alone(struct view *view, const struct timeline_job *job)
{
	const struct timeline_view *state = view->state;

	view_say(view, "%s has no such span", state->runs.name[!job->side]);
}

void
timeline_take_partner(struct view *view, struct timeline_job *job)
{
	struct timeline_view *state = view->state;
	bool is_found = job->partner.span.id > 0;

	if (!state->partners && job->partners) {
		state->partners = explain_partners_retain(job->partners);
	}
	switch (job->partner_wish) {
	case PARTNER_SHOW:
	case PARTNER_SHOW_BOTH:
		if (state->selected.id == job->span.id) {
			state->partner = job->partner;
		}
		if (job->partner_wish == PARTNER_SHOW_BOTH && is_found) {
			show_both(view, job);
		} else if (job->partner_wish == PARTNER_SHOW_BOTH) {
			say_alone(view, job);
		}
		break;
	case PARTNER_GO:
		if (is_found) {
			go_to(view, job);
		} else {
			say_alone(view, job);
		}
		break;
	default:
		if (is_found) {
			align(view, job);
			break;
		}
		view_say(view, "%s%s: aligned from start",
		         job->own_name ? "only one run has " : "no span begins from here on",
		         job->own_name ? job->own_name : "");
		timeline_align(view, ALIGN_START);
	}
}

int64_t
timeline_partner_span(const struct timeline_view *state)
{
	bool is_known = state->selected.id > 0 && state->partner_of == state->selected.id &&
	                state->partner.span.id > 0;

	return is_known ? timeline_shared_span(state->timeline, !timeline_side(state),
	                                       state->partner.span.id)
	                : 0;
}

/* "2.27 x its time", "113 000 x its time", "1/113 000 of its time". */
static void
add_times(struct strbuf *line, int64_t own_ns, int64_t its_ns)
{
	double ratio = (double)own_ns / (double)its_ns;
	char count[FORMAT_BYTES];

	if (ratio >= 1000) {
		strbuf_printf(line, "%s x its time", format_count(count, own_ns / its_ns));
	} else if (ratio > 0 && ratio < 0.001) {
		strbuf_printf(line, "1/%s of its time", format_count(count, its_ns / own_ns));
	} else {
		strbuf_printf(line, "%.3g x its time", ratio);
	}
}

void
timeline_add_partner(const struct timeline_view *state, struct strbuf *line)
{
	const struct explain_partner *partner = &state->partner;
	const struct span_row *own = &state->detail->span;
	const char *other;

	if (!timeline_is_of_two(state) || state->partner_of != state->selected.id ||
	    partner->span.id == 0) {
		return;
	}
	other = state->runs.name[!timeline_side(state)];
	if (partner->span.duration_ns > 0) {
		strbuf_add_text(line, "  ");
		add_times(line, own->duration_ns, partner->span.duration_ns);
		strbuf_printf(line, " in %s", other);
	} else {
		strbuf_printf(line, "  %s has it, without length", other);
	}
	if (partner->at_once[0] > 0) {
		strbuf_printf(line, "; %.2g at once on its host, there %.2g", partner->at_once[0],
		              partner->at_once[1]);
	}
}
