/*
 * What stands for a span in the other run: how long it took there and what ran beside it, told with
 * the span's own facts; the way there; and runs aligned at both. Of small runs it is looked for
 * with each span that is selected, of others when it is asked for.
 */
#include "config.h"

#include <stdlib.h>

#include "ui/timeline/view_timeline.h"
#include "util/format.h"
#include "util/mem.h"
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
	if (wish == PARTNER_SHOW) {
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
		state->partner_of = state->selected.id;
		timeline_ask_partner(view, PARTNER_GO);
	} else if (state->partners || (state->timeline->pair->n_spans_a <= PARTNERS_SPANS &&
	                               state->n_spans_b <= PARTNERS_SPANS)) {
		timeline_ask_partner(view, PARTNER_SHOW);
	}
}

static void
go_to(struct view *view, struct timeline_job *job)
{
	struct timeline_view *state = view->state;
	struct span_row span =
	    timeline_shared_row(state->timeline, &state->axis, !job->side, job->partner.span);
	struct timeline_job *detail;

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

	state->axis.anchor_ns[job->side] = job->own_start_ns;
	state->axis.anchor_ns[!job->side] = job->partner.span.start_ns;
	timeline_align(view, ALIGN_ANCHOR);
	view_say(view, "aligned at %.*s%s: A %s, B %s", (int)name.len, name.ptr,
	         job->own_name[name.len] ? "~" : "",
	         format_position(at[0], state->axis.anchor_ns[0], apart_ns),
	         format_position(at[1], state->axis.anchor_ns[1], apart_ns));
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
		if (state->selected.id == job->span.id) {
			state->partner = job->partner;
		}
		break;
	case PARTNER_GO:
		if (is_found) {
			go_to(view, job);
		} else {
			view_say(view, "%s has no such span", state->runs.name[!job->side]);
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
		strbuf_printf(line, "  %.3g x its time in %s",
		              (double)own->duration_ns / (double)partner->span.duration_ns, other);
	} else {
		strbuf_printf(line, "  %s has it, without length", other);
	}
	if (partner->at_once[0] > 0) {
		strbuf_printf(line, "; %.2g at once on its host, there %.2g", partner->at_once[0],
		              partner->at_once[1]);
	}
}
