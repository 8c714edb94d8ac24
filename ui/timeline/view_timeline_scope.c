/* What of the run is in scope: its range, which f shows, and its lanes; the others have no line. */
#include "config.h"

#include "ui/timeline/view_timeline.h"

#include "util/mem.h"
#include "util/order.h"

/* Where things happen in either run. */
static int
read_core_of_two(struct timeline_job *job, const struct timeline_pair *pair,
                 struct store *const stores[2], struct err *err)
{
	struct timeline_core *core = &job->core, more;

	if (timeline_core_read(stores[0], pair->sides[0], core, &job->job.cancel, err) ||
	    timeline_core_read(stores[1], pair->sides[1], &more, &job->job.cancel, err)) {
		return -1;
	}
	core->n_before = core->n_before && more.n_before ? core->n_before + more.n_before : 0;
	core->n_after = core->n_after && more.n_after ? core->n_after + more.n_after : 0;
	core->is_range = core->is_range || more.is_range;
	core->start_ns = LEAST(core->start_ns, more.start_ns);
	core->end_ns = MOST(core->end_ns, more.end_ns);
	return 0;
}

/* Of a run's lanes 1 each that is in scope. */
static void
take_lanes(struct timeline_hits *in_scope, const struct store *store,
           const struct timeline *timeline)
{
	const bool *lanes = store_lanes(store);

	in_scope->n_ids = timeline->n_lanes;
	in_scope->by_lane = xcalloc((size_t)timeline->n_lanes + 1, sizeof *in_scope->by_lane);
	for (uint32_t i = 0; i < timeline->n_lanes; i++) {
		in_scope->by_lane[i] = !lanes || lanes[i];
		in_scope->n += in_scope->by_lane[i];
	}
}

int
timeline_read_scope(struct timeline_job *job, const struct timeline *timeline,
                    struct store *const stores[2], struct err *err)
{
	struct timeline_hits other = {0};

	if (!timeline->pair) {
		take_lanes(&job->in_scope, stores[0], timeline);
		return timeline_core_read(stores[0], timeline, &job->core, &job->job.cancel, err);
	}
	take_lanes(&job->in_scope, stores[0], timeline->pair->sides[0]);
	take_lanes(&other, stores[1], timeline->pair->sides[1]);
	timeline_hits_append(&job->in_scope, &other);
	return read_core_of_two(job, timeline->pair, stores, err);
}

void
timeline_take_scope(struct view *view, struct timeline_job *job)
{
	struct timeline_view *state = view->state;

	state->core = job->core;
	timeline_hits_fini(&state->in_scope);
	state->in_scope = job->in_scope;
	job->in_scope = (struct timeline_hits){0};
	timeline_lay_lines(view);
}

void
timeline_ask_scope(struct view *view)
{
	view_submit(view, &timeline_job_new(view, JOB_SCOPE)->job);
}
