/* What the worker does for two runs. What is asked of one of them is asked in its own numbers and
 * times. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "ui/timeline/view_timeline.h"
#include "util/mem.h"
#include "util/order.h"

/* From the axis and lanes of both to those of one run. */
static int
enter_walk(const struct timeline_job *job, struct span_walk *walk, struct store *store,
           struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct span_row span;

	walk->lane = timeline_own_lane(job->timeline, walk->lane);
	walk->start_ns = pair_axis_time(&job->axis, job->side, walk->start_ns);
	if (walk->id > 0) { /* a point of the axis may be a little off */
		walk->id = timeline_own_span(job->timeline, walk->id);
		if (!dataset || row_get(dataset, BLOCK_SPAN, walk->id, &span, err)) {
			return -1;
		}
		walk->start_ns = span.start_ns;
	}
	return 0;
}

int
timeline_job_enter(struct timeline_job *job, struct store *store, struct err *err)
{
	if (enter_walk(job, &job->walk, store, err) ||
	    enter_walk(job, &job->begin.walk, store, err)) {
		return -1;
	}
	job->row = job->timeline->pair->origins[job->row];
	job->start_ns = pair_axis_time(&job->axis, job->side, job->start_ns);
	job->end_ns = pair_axis_time(&job->axis, job->side, job->end_ns);
	return 0;
}

void
timeline_job_leave(struct timeline_job *job)
{
	job->span = timeline_shared_row(job->timeline ? job->timeline : job->new_timeline,
	                                &job->axis, job->side, job->span);
}

int32_t *
timeline_depths_of_two(struct timeline_job *job, const struct timeline *timeline,
                       struct store *const stores[2], struct err *err)
{
	int32_t *depths = xcalloc((size_t)timeline->n_lanes + 1, sizeof *depths), *next = depths;

	for (int side = 0; side < 2; side++) {
		const struct timeline *own = timeline->pair->sides[side];
		bool is_first = job->lane < 0 || timeline_side_of_lane(timeline, job->lane) == side;
		bool is_asked = is_first || job->lane_beside >= 0;
		int64_t lane = timeline_own_lane(timeline, is_first ? job->lane : job->lane_beside);
		int32_t *one = is_asked
		                   ? timeline_depths(stores[side], own, lane, &job->job.cancel, err)
		                   : NULL;

		if (is_asked && !one) {
			free(depths);
			return NULL;
		}
		for (uint32_t i = 0; i < own->n_lanes; i++) {
			*next++ = one ? one[i] : -1;
		}
		free(one);
	}
	return depths;
}

int
timeline_read_two(struct timeline_job *job, struct store *const stores[2], struct err *err)
{
	struct colours *colours[2] = {NULL, NULL};
	struct timeline *sides[2] = {NULL, NULL};

	sides[0] = timeline_new_with(stores[0], TIMELINE_PARTS, err);
	sides[1] = sides[0] ? timeline_new_with(stores[1], TIMELINE_PARTS, err) : NULL;
	if (sides[1]) {
		job->new_timeline =
		    timeline_of_two(sides[0], sides[1], store_run(stores[0])->n_spans);
		job->n_spans_b = store_run(stores[1])->n_spans;
		for (int side = 0; side < 2; side++) {
			job->axis.duration_ns[side] = sides[side]->duration_ns;
		}
	}
	timeline_release(sides[0]);
	timeline_release(sides[1]);
	if (!job->new_timeline) {
		return -1;
	}
	job->mode = timeline_begin_mode(job->new_timeline, job->mode);
	if (colours_new_shared(stores, job->runs.name, 2, job->mode, colours, err)) {
		return -1;
	}
	job->new_colours = colours[0];
	job->new_colours_b = colours[1];
	return 0;
}

/* ---- searching ---- */

/* A walk of one side's run, as it stands in the other's: at one point A is before B. */
static struct span_walk
walk_beside(const struct timeline_job *job, const struct span_walk *walk, int side)
{
	int64_t point = pair_axis_point(&job->axis, job->side, walk->start_ns);
	struct span_walk beside = *walk;
	bool is_passed;

	if (side == job->side) {
		return beside;
	}
	beside.start_ns = pair_axis_time(&job->axis, side, point);
	is_passed = side < job->side || pair_axis_point(&job->axis, side, beside.start_ns) < point;
	beside.id = walk->id > 0 && is_passed ? INT64_MAX : 0;
	return beside;
}

/* The one of both runs that comes first, of where a walk of each stands; 0: neither has one. */
static int
find_nearer(struct timeline_job *job, struct store *const stores[2],
            const struct span_walk walks[2], int *side, struct err *err)
{
	int64_t best = 0;
	int found = 0;

	for (int i = 0; i < 2; i++) {
		bool is_backward = walks[i].is_backward;
		struct span_row span;
		int one = span_walk_next(stores[i], &walks[i], &span, &job->job.cancel, err);
		int64_t point = one > 0 ? pair_axis_point(&job->axis, i, span.start_ns) : 0;

		if (one < 0) {
			return -1;
		}
		if (one > 0 && (!found || (is_backward ? point >= best : point < best))) {
			found = 1;
			best = point;
			job->span = span;
			*side = i;
		}
	}
	return found;
}

/* The number of the span that was found among those of both runs. */
static int
count_found(struct timeline_job *job, struct store *const stores[2], const struct span_walk *walk,
            struct err *err)
{
	struct span_walk here = *walk;

	here.start_ns = job->span.start_ns;
	here.id = job->span.id;
	job->number = (struct span_number){0, 0};
	for (int side = 0; side < 2; side++) {
		struct span_walk until = walk_beside(job, &here, side);
		struct span_number one;

		if (span_count_until(stores[side], &until, &one, &job->job.cancel, err)) {
			return -1;
		}
		job->number.n += one.n;
		job->number.nth += one.nth;
	}
	return 0;
}

int
timeline_search_two(struct timeline_job *job, struct store *const stores[2],
                    const struct span_walk *walk, struct err *err)
{
	struct span_walk walks[2] = {walk_beside(job, walk, 0), walk_beside(job, walk, 1)};
	int found = find_nearer(job, stores, walks, &job->side, err);

	for (int side = 0; side < 2 && found == 0; side++) {
		walks[side].start_ns = walk->is_backward ? INT64_MAX : 0;
		walks[side].id = walk->is_backward ? INT64_MAX : 0;
	}
	if (found == 0) {
		found = find_nearer(job, stores, walks, &job->side, err);
	}
	if (found == 1 && job->number.n > 0) {
		span_number_step(&job->number, walk->is_backward);
	} else if (found == 1 && count_found(job, stores, walk, err)) {
		return -1;
	}
	return found;
}

int
timeline_area_of_two(struct timeline_job *job, struct store *const stores[2], struct err *err)
{
	struct timeline_area *areas[2] = {NULL, NULL};

	for (int side = 0; side < 2; side++) {
		struct area_request request = {pair_axis_time(&job->axis, side, job->start_ns),
		                               pair_axis_time(&job->axis, side, job->end_ns),
		                               job->by, side ? job->filter_b : job->filter};

		areas[side] = timeline_area_read(stores[side], &request, &job->job.cancel, err);
		if (!areas[side]) {
			timeline_area_free(areas[0]);
			return -1;
		}
	}
	timeline_area_join(areas[0], areas[1]);
	job->area = areas[0];
	return 0;
}

char *
timeline_window_filter(const struct timeline_job *job, int side)
{
	int64_t start = job->scale.start_ns;
	int64_t end = timescale_time(&job->scale, job->scale.columns);
	struct strbuf filter = {0};

	if (job->runs.path[0]) {
		start = pair_axis_time(&job->axis, side, start);
		end = pair_axis_time(&job->axis, side, end);
	}
	strbuf_printf(&filter, "start < %" PRId64 " AND end >= %" PRId64, end, start);
	if (job->filter) {
		strbuf_printf(&filter, " AND (%s)", job->filter);
	}
	return strbuf_take(&filter);
}
