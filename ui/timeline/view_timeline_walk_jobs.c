/* What the worker does for one span: that at the cursor, or the one that moves lead to. */
#include "config.h"

#include "ui/timeline/view_timeline.h"

/* The next of several, else the first of what the span at hand leads to or comes from. */
static int
move_flow(struct timeline_job *mine, struct store *store, bool is_forward, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct flow_walk *flow = &mine->flow;

	if (flow->n > 0 && flow->is_forward == is_forward && flow->at + 1 < flow->n) {
		flow->at++;
	} else {
		flow->is_forward = is_forward;
		flow->at = 0;
		flow->n =
		    span_flows(store, mine->walk.id, is_forward, flow->ids, &mine->job.cancel, err);
	}
	if (flow->n <= 0 || !dataset) {
		return flow->n < 0 || !dataset ? -1 : 0;
	}
	return row_get(dataset, BLOCK_SPAN, flow->ids[flow->at], &mine->span, err) == 0 ? 1 : -1;
}

/* From the span that walk stands on to the one that a move leads to, if any. */
static int
move(struct timeline_job *mine, struct store *const stores[2], enum span_move move, struct err *err)
{
	struct store *store = stores[mine->side];
	struct span_walk walk = mine->walk;

	walk.is_backward = move == MOVE_PREVIOUS || move == MOVE_FOUND_PREVIOUS;
	switch (move) {
	case MOVE_OUTPUT:
	case MOVE_INPUT:
		return move_flow(mine, store, move == MOVE_OUTPUT, err);
	case MOVE_FOUND_NEXT:
	case MOVE_FOUND_PREVIOUS:
		walk.lane = walk.depth = -1;
		walk.filter = mine->marked;
		return stores[1] ? timeline_search_two(mine, stores, &walk, err)
		                 : span_search(store, &walk, &mine->span, &mine->number,
		                               &mine->job.cancel, err);
	default:
		return span_walk_next(store, &walk, &mine->span, &mine->job.cancel, err);
	}
}

/* Moves that were typed before the span at the cursor had come go on from it. */
static int
begin_moves(struct timeline_job *mine, struct store *store, struct err *err)
{
	struct span_walk *at = &mine->begin.walk;
	const struct dataset *dataset;
	int found = 0;

	if (mine->begin.wish == WISH_ID) {
		dataset = store_dataset(store, err);
		found =
		    dataset && row_get(dataset, BLOCK_SPAN, at->id, &mine->span, err) == 0 ? 1 : -1;
	} else if (mine->begin.wish == WISH_AT) {
		at->filter = mine->filter;
		found = span_at(store, at, &mine->span, &mine->job.cancel, err);
	}
	if (found > 0) {
		mine->walk.start_ns = mine->span.start_ns;
		mine->walk.id = mine->span.id;
	}
	return found;
}

/* As far as they lead: at the end of a lane its last span stays. */
static int
take_moves(struct timeline_job *mine, struct store *const stores[2], struct err *err)
{
	struct span_row last = {0};
	int begun = begin_moves(mine, stores[mine->side], err);

	if (begun < 0) {
		return -1;
	}
	last = begun > 0 ? mine->span : last;
	for (int i = 0; i < mine->n_moves; i++) {
		int side = mine->side;
		int found = move(mine, stores, mine->moves[i], err);

		if (found < 0) {
			return -1;
		}
		mine->is_at_end = found == 0;
		if (found == 0) {
			continue;
		}
		last = mine->span;
		if (mine->walk.lane != last.lane || mine->side != side) {
			mine->walk.lane = last.lane;
			mine->walk.depth = -1;
		}
		mine->walk.start_ns = last.start_ns;
		mine->walk.id = last.id;
		if (mine->moves[i] < MOVE_OUTPUT) {
			mine->flow.n = 0;
		}
		if (mine->moves[i] != MOVE_FOUND_NEXT && mine->moves[i] != MOVE_FOUND_PREVIOUS) {
			mine->number.n = 0;
		}
	}
	mine->span = last;
	return last.id > 0;
}

static int
find_span(struct timeline_job *mine, struct store *const stores[2], int64_t *id, struct err *err)
{
	int found;

	mine->walk.filter = mine->filter;
	switch (mine->wish) {
	case WISH_ID:
		*id = mine->walk.id;
		return 1;
	case WISH_AT:
		found =
		    span_at(stores[mine->side], &mine->walk, &mine->span, &mine->job.cancel, err);
		break;
	default:
		found = take_moves(mine, stores, err);
	}
	*id = found > 0 ? mine->span.id : 0;
	return found;
}

int
timeline_read_span(struct timeline_job *mine, struct store *const stores[2], struct err *err)
{
	int64_t id = 0;
	int found = find_span(mine, stores, &id, err);

	mine->span.id = 0;
	if (found < 0) {
		return timeline_refuse(mine, err);
	}
	if (found > 0) {
		mine->detail = span_detail_read(stores[mine->side], id, &mine->job.cancel, err);
		if (!mine->detail) {
			return -1;
		}
		mine->span = mine->detail->span;
	}
	return 0;
}

/* ---- what is asked ---- */

/* The innermost span that the window shows at the cursor. */
static int64_t
span_in_window(const struct timeline_view *state, const struct timeline_line *line, bool *is_known)
{
	const struct timeline_window *window = state->window;
	size_t at = window ? timeline_window_line(window, *line) : 0;
	int64_t from = timescale_time(&state->scale, state->scale.cursor), best = 0;
	int64_t to = timescale_time(&state->scale, state->scale.cursor + 1);
	const struct timeline_track *track;

	*is_known = false;
	if (!window || at >= window->n_lines || window->start_ns != state->scale.start_ns ||
	    window->cell_ns != state->scale.cell_ns) {
		return 0;
	}
	track = &window->tracks[at];
	*is_known = track->has_spans;
	for (size_t i = 0; i < track->n_spans; i++) {
		const struct timeline_span *span = &track->spans[i];

		if (span->start_ns < to &&
		    (span->start_ns >= from || span->start_ns + span->duration_ns > from)) {
			best = span->id;
		}
	}
	return best;
}

void
timeline_ask_span(struct view *view)
{
	struct timeline_view *state = view->state;
	const struct timeline_line *line = timeline_selected_line(state);
	const struct timeline_row *row = timeline_selected_row(state);
	struct timeline_job *job;
	bool is_known;
	int64_t id;

	if (!row || row->type != TIMELINE_LANE) {
		return;
	}
	id = span_in_window(state, line, &is_known);
	if (is_known && id == 0) {
		return;
	}
	job = timeline_job_new(view, JOB_SPAN);
	job->wish = is_known ? WISH_ID : WISH_AT;
	job->walk.id = id;
	job->walk.lane = row->id;
	job->walk.depth = line->depth;
	job->walk.start_ns = timescale_time(&state->scale, state->scale.cursor);
	state->asked = (struct span_asked){job->wish, job->walk};
	view_submit(view, &job->job);
}
