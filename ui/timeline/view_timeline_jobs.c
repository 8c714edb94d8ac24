/*
 * What the worker does for a timeline. Everything it needs is copied or counted, so that the view
 * may change its mind, or be closed, while it works. A filter that can't be understood is no
 * failure of the job: the view must know, to take it back.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "query/spans/span_list.h"
#include "ui/timeline/view_timeline.h"
#include "util/mem.h"

#define UNFOLD_SPANS 300000 /* of more it takes too long to begin with */

static void
free_job(struct view_job *job)
{
	struct timeline_job *mine = (struct timeline_job *)job;

	timeline_release(mine->timeline);
	colours_release(mine->colours);
	timeline_release(mine->new_timeline);
	colours_release(mine->new_colours);
	colours_release(mine->colours_b);
	colours_release(mine->new_colours_b);
	two_runs_free(&mine->runs);
	free(mine->own_name);
	explain_partners_release(mine->partners);
	timeline_window_free(mine->window);
	label_list_free(mine->captions);
	span_detail_free(mine->detail);
	free(mine->depths);
	free(mine->lines);
	free(mine->other_path);
	free(mine->other_name);
	free(mine->filter);
	free(mine->filter_b);
	free(mine->marked);
	free(mine->by);
	timeline_area_free(mine->area);
	free(mine->lane_name);
	timeline_hits_fini(&mine->found);
	timeline_hits_fini(&mine->in_scope);
	timeline_paint_free(mine->paint);
	paint_source_release(mine->paint_source);
}

/* ---- lanes ---- */

/* The first span that is marked, in the range and on the lane that the view was opened for. A
 * filter that can't be understood is refused with their count. */
static void
find_first_hit(struct timeline_job *mine, struct store *store)
{
	struct err ignored = ERR_INIT;
	struct strbuf filter = {0};
	struct span_walk walk = {.lane = mine->walk.lane, .depth = -1};

	strbuf_printf(&filter, "(%s)", mine->marked);
	if (mine->lane_name) {
		strbuf_add_text(&filter, " AND ");
		span_filter_add(&filter, "lane_name", slice_of(mine->lane_name));
	}
	if (mine->end_ns > mine->start_ns) {
		strbuf_printf(&filter, " AND start < %" PRId64 " AND end >= %" PRId64, mine->end_ns,
		              mine->start_ns);
	}
	walk.filter = filter.data;
	mine->is_first_hit =
	    mine->end_ns <= mine->start_ns && !mine->lane_name && !mine->runs.path[0];
	if (span_walk_next(store, &walk, &mine->span, &mine->job.cancel, &ignored) > 0) {
		mine->walk.id = mine->span.id;
	}
	strbuf_free(&filter);
}

/* The span to begin at: the one asked for, else the first that is marked. */
static int
read_first_span(struct timeline_job *mine, struct store *store, struct err *err)
{
	if (mine->walk.id <= 0 && mine->marked) {
		find_first_hit(mine, store);
	}
	if (mine->walk.id > 0) {
		mine->detail = span_detail_read(store, mine->walk.id, &mine->job.cancel, err);
		if (!mine->detail) {
			return -1;
		}
		mine->span = mine->detail->span;
	}
	return 0;
}

/* What is around the span or the instant that the view was opened for. A first hit is shown in the
 * whole run. */
static int
read_near(struct timeline_job *mine, struct store *store, bool is_of_span, struct err *err)
{
	const struct cancel *cancel = &mine->job.cancel;

	mine->has_near = is_of_span || mine->end_ns == mine->start_ns;
	if (is_of_span) {
		return timeline_near_span(store, &mine->detail->span, &mine->near, cancel, err);
	}
	return mine->has_near ? timeline_near_time(store, mine->walk.lane, mine->start_ns,
	                                           mine->end_ns, &mine->near, cancel, err)
	                      : 0;
}

enum colour_mode
timeline_begin_mode(const struct timeline *timeline, enum colour_mode wished)
{
	bool by_name = timeline->has_tasks || !timeline->has_categories;

	return wished == COLOUR_CATEGORY && by_name ? COLOUR_NAME : wished;
}

static int
read_one(struct timeline_job *mine, struct store *store, struct err *err)
{
	mine->new_timeline = timeline_new_with(store, TIMELINE_PARTS, err);
	if (!mine->new_timeline) {
		return -1;
	}
	mine->mode = timeline_begin_mode(mine->new_timeline, mine->mode);
	mine->new_colours = colours_new(store, NULL, NULL, mine->mode, err);
	return mine->new_colours ? 0 : -1;
}

static int
read_depths(struct timeline_job *mine, const struct timeline *timeline,
            struct store *const stores[2], struct err *err)
{
	mine->depths = timeline->pair ? timeline_depths_of_two(mine, timeline, stores, err)
	                              : timeline_depths(stores[0], timeline, mine->lane,
	                                                &mine->job.cancel, err);
	return mine->depths ? 0 : -1;
}

static int
read_lanes(struct timeline_job *mine, struct store *const stores[2], struct err *err)
{
	int64_t n_spans = 0;

	if (stores[1] ? timeline_read_two(mine, stores, err) : read_one(mine, stores[0], err)) {
		return -1;
	}
	bool is_of_span = mine->walk.id > 0;
	if (timeline_read_scope(mine, mine->new_timeline, stores, err) ||
	    read_first_span(mine, stores[mine->side], err) ||
	    read_near(mine, stores[mine->side], is_of_span, err)) {
		return -1;
	}
	if (stores[1]) {
		timeline_job_leave(mine);
	}
	for (int side = 0; side < 2 && stores[side]; side++) {
		n_spans += store_run(stores[side])->n_spans;
	}
	mine->lane = -1;
	return n_spans > UNFOLD_SPANS ? 0 : read_depths(mine, mine->new_timeline, stores, err);
}

static int
read_colours_of_one(struct timeline_job *mine, struct job_worker *worker, struct store *store,
                    struct err *err)
{
	bool compares = mine->mode == COLOUR_SLOWDOWN;
	struct store *other =
	    compares ? worker_store(worker, mine->other_path, &mine->job.cancel, err) : NULL;

	if (other || !compares) {
		mine->new_colours = colours_new(store, other, mine->other_name, mine->mode, err);
	}
	return mine->new_colours ? 0 : -1;
}

static int
read_colours(struct timeline_job *mine, struct job_worker *worker, struct store *const stores[2],
             struct err *err)
{
	struct colours *colours[2];

	if (stores[1]) {
		if (colours_new_shared(stores, mine->runs.name, 2, mine->mode, colours, err)) {
			return -1;
		}
		mine->new_colours = colours[0];
		mine->new_colours_b = colours[1];
		return 0;
	}
	return read_colours_of_one(mine, worker, stores[0], err);
}

/* ---- windows ---- */

int
timeline_refuse(struct timeline_job *mine, struct err *err)
{
	if (err->code == ERR_QUERY && (mine->filter || mine->marked || mine->by)) {
		mine->refused = *err;
		*err = (struct err)ERR_INIT;
		return 0;
	}
	return -1;
}

static int
read_window(struct timeline_job *mine, struct store *const stores[2], const char *filter,
            struct err *err)
{
	const struct pair_source two = {.stores = {stores[0], stores[1]},
	                                .timeline = mine->timeline,
	                                .colours = {mine->colours, mine->colours_b},
	                                .axis = mine->axis};
	struct timeline_request request = {.lines = mine->lines,
	                                   .n_lines = mine->n_lines,
	                                   .start_ns = mine->scale.start_ns,
	                                   .cell_ns = mine->scale.cell_ns,
	                                   .n_cells = (uint32_t)mine->scale.columns,
	                                   .filter = filter,
	                                   .colours = mine->colours,
	                                   .is_picture = true};

	mine->window = stores[1] ? timeline_pair_window_read(&two, &request, &mine->job.cancel, err)
	                         : timeline_window_read(stores[0], mine->timeline, &request,
	                                                &mine->job.cancel, err);
	if (mine->window && mine->job.kind == JOB_WINDOW) {
		mine->captions = timeline_captions(mine->timeline, mine->colours, mine->window);
	}
	return mine->window ? 0 : timeline_refuse(mine, err);
}

/* Spans that are marked, or (JOB_IDLE) that lie in the window, of each lane. */
static int
read_hits(struct timeline_job *mine, struct store *const stores[2], struct err *err)
{
	for (int side = 0; side < 2 && stores[side]; side++) {
		struct timeline_hits one;
		char *filter = mine->job.kind == JOB_IDLE ? timeline_window_filter(mine, side)
		                                          : xstrdup(mine->marked);
		int rc = timeline_hits_read(stores[side], filter, &one, &mine->job.cancel, err);

		free(filter);
		if (rc != 0) {
			return mine->job.kind == JOB_HITS ? timeline_refuse(mine, err) : -1;
		}
		timeline_hits_append(&mine->found, &one);
	}
	return 0;
}

static int
count_passing(struct timeline_job *mine, struct store *const stores[2], struct err *err)
{
	struct span_figures figures;

	for (int side = 0; side < 2 && stores[side]; side++) {
		struct span_list list = {.filter = mine->filter,
		                         .dataset = store_dataset(stores[side], err),
		                         .cancel = &mine->job.cancel};

		if (!list.dataset || span_list_figures(&list, &figures, err)) {
			return -1;
		}
		mine->n_all += store_run(stores[side])->n_spans;
		mine->n_passing += figures.n;
	}
	return 0;
}

static int
read_area(struct timeline_job *mine, struct store *const stores[2], struct err *err)
{
	struct area_request request = {mine->start_ns, mine->end_ns, mine->by, mine->filter};

	if (stores[1]) {
		return timeline_area_of_two(mine, stores, err) ? timeline_refuse(mine, err) : 0;
	}
	mine->area = timeline_area_read(stores[0], &request, &mine->job.cancel, err);
	return mine->area ? 0 : timeline_refuse(mine, err);
}

/* What is asked of one run. */
static int
work_on(struct timeline_job *mine, struct store *const stores[2], struct err *err)
{
	struct store *store = stores[mine->side];
	const struct timeline *timeline =
	    stores[1] ? mine->timeline->pair->sides[mine->side] : mine->timeline;
	int rc;

	if (stores[1] && timeline_job_enter(mine, store, err)) {
		return -1;
	}
	switch (mine->job.kind) {
	case JOB_SPAN:
		rc = timeline_read_span(mine, stores, err);
		break;
	case JOB_PARTNER:
	case JOB_PARTNER_SHOWN:
		rc = timeline_read_partner(mine, stores, err);
		break;
	default:
		rc = timeline_range(store, timeline,
		                    &(struct range_request){mine->row, mine->start_ns, mine->end_ns,
		                                            mine->scale.cell_ns, mine->filter},
		                    &mine->facts, &mine->job.cancel, err);
	}
	if (stores[1]) {
		timeline_job_leave(mine);
	}
	return rc;
}

static int
work(struct view_job *job, struct job_worker *worker, struct err *err)
{
	struct timeline_job *mine = (struct timeline_job *)job;
	struct store *stores[2] = {NULL, NULL};

	if (mine->runs.path[0]) {
		if (worker_stores(worker, &mine->runs, &job->cancel, stores, err)) {
			return -1;
		}
	} else if (!(stores[0] = job_store(job, worker, err))) {
		return -1;
	}
	switch (job->kind) {
	case JOB_ROWS:
		return read_lanes(mine, stores, err);
	case JOB_DEPTHS:
		return read_depths(mine, mine->timeline, stores, err);
	case JOB_SCOPE:
		return timeline_read_scope(mine, mine->timeline, stores, err);
	case JOB_ALIKE:
		return timeline_read_alike(mine, stores, err);
	case JOB_PAINT:
		return timeline_read_paint(mine, worker, err);
	case JOB_COLOURS:
		return read_colours(mine, worker, stores, err);
	case JOB_PASSING:
		return count_passing(mine, stores, err);
	case JOB_SPAN:
	case JOB_RANGE:
	case JOB_PARTNER:
	case JOB_PARTNER_SHOWN:
		return work_on(mine, stores, err);
	case JOB_AREA:
		return read_area(mine, stores, err);
	case JOB_HITS:
	case JOB_IDLE:
		return read_hits(mine, stores, err);
	case JOB_HITS_WINDOW:
		return read_window(mine, stores, mine->marked, err);
	default:
		return read_window(mine, stores, mine->filter, err);
	}
}

struct timeline_job *
timeline_job_new(struct view *view, int kind)
{
	struct timeline_view *state = view->state;
	struct timeline_job *job = job_new(sizeof *job, kind, work, free_job, view->run_path);

	if (state->timeline) {
		job->timeline = timeline_retain(state->timeline);
		job->colours = colours_retain(state->colours);
	}
	if (timeline_is_of_two(state)) {
		job->runs = two_runs_copy(&state->runs);
		job->axis = state->axis;
		job->side = state->timeline ? timeline_side(state) : state->focus_side;
		job->colours_b = state->colours_b ? colours_retain(state->colours_b) : NULL;
	}
	job->scale = state->scale;
	job->filter = filter_stack_all(&state->filters);
	job->marked = state->hits.filter ? timeline_all_conditions(state) : NULL;
	job->walk = job->begin.walk = (struct span_walk){.lane = -1, .depth = -1};
	job->mode = state->mode;
	job->n_cleared = state->n_cleared;
	return job;
}

static void
copy_lines(struct timeline_job *job, const struct timeline_line *lines, size_t n)
{
	job->lines = xcalloc(n + 1, sizeof *job->lines);
	memcpy(job->lines, lines, n * sizeof *job->lines);
	job->n_lines = n;
}

void
timeline_ask_window(struct view *view)
{
	struct timeline_view *state = view->state;
	size_t n = state->list.height;
	struct timeline_job *job;

	if (!state->timeline || state->list.n == 0 || view->area.width < 1) {
		return;
	}
	n = n < state->list.n - state->list.top ? n : state->list.n - state->list.top;
	for (int kind = JOB_WINDOW;; kind = JOB_HITS_WINDOW) {
		job = timeline_job_new(view, kind);
		copy_lines(job, state->lines + state->list.top, n);
		view_submit(view, &job->job);
		if (kind == JOB_HITS_WINDOW || !timeline_marks(state)) {
			break;
		}
	}
}

/* How busy a run was, over all of it. */
static void
ask_minimap(struct view *view)
{
	struct timeline_view *state = view->state;
	struct timeline_line lines[2];
	struct timeline_job *job;
	size_t n = timeline_strips(state->timeline, lines);

	if (n == 0) {
		return;
	}
	job = timeline_job_new(view, JOB_MINIMAP);
	copy_lines(job, lines, n);
	free(job->filter);
	job->filter = NULL;
	job->scale.start_ns = 0;
	job->scale.cell_ns = timescale_fit_ns(&state->scale);
	view_submit(view, &job->job);
}

void
timeline_ask_passing(struct view *view)
{
	struct timeline_view *state = view->state;

	if (state->filters.n > 0) {
		view_submit(view, &timeline_job_new(view, JOB_PASSING)->job);
	}
}

void
timeline_ask_rows(struct view *view)
{
	struct timeline_view *state = view->state;
	struct timeline_job *job;

	if (state->timeline) {
		ask_minimap(view);
		return;
	}
	job = timeline_job_new(view, JOB_ROWS);
	job->walk.id = state->focus.span;
	job->walk.lane = state->focus.lane;
	job->lane_name = state->focus.lane_name ? xstrdup(state->focus.lane_name) : NULL;
	job->start_ns = state->focus.mark_start_ns;
	job->end_ns = state->focus.mark_end_ns;
	view_submit(view, &job->job);
}

void
timeline_ask_colours(struct view *view)
{
	struct timeline_view *state = view->state;
	struct timeline_job *job = timeline_job_new(view, JOB_COLOURS);

	if (state->mode == COLOUR_SLOWDOWN && !timeline_is_of_two(state)) {
		struct two_runs runs;

		if (!app_pair(view, &runs)) {
			job_free(&job->job);
			state->mode = COLOUR_CATEGORY;
			timeline_ask_colours(view);
			return;
		}
		int other = strcmp(runs.path[0], view->run_path) == 0;
		job->other_path = xstrdup(runs.path[other]);
		job->other_name = xstrdup(runs.name[other]);
	}
	view_submit(view, &job->job);
}
