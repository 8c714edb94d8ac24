/* What the worker does for two runs: each side's lanes and cells, and the span to align them at. */
#include "config.h"

#include <stdlib.h>

#include "ui/view_pair.h"
#include "util/mem.h"

static int
read_anchor(struct pair_job *mine, struct worker *worker, struct store *store, struct err *err)
{
	struct span_row span, other_span;
	struct span_detail *detail;
	struct strbuf filter = {0};
	struct span_walk walk = {.lane = -1, .depth = -1};
	struct store *other;
	int found = span_at(store, (uint32_t)mine->lane, -1, mine->at_ns, NULL, &span,
	                    &mine->job.cancel, err);

	if (found <= 0) {
		return found;
	}
	detail = span_detail_read(store, span.id, &mine->job.cancel, err);
	other = detail ? worker_store(worker, mine->other_path, &mine->job.cancel, err) : NULL;
	if (!other) {
		span_detail_free(detail);
		return -1;
	}
	mine->anchor_name = xstrndup(detail->name.ptr, detail->name.len);
	span_detail_free(detail);
	strbuf_add_text(&filter, "name = '");
	for (const char *c = mine->anchor_name; *c; c++) {
		strbuf_add(&filter, *c == '\'' ? "''" : c, *c == '\'' ? 2 : 1);
	}
	strbuf_add_char(&filter, '\'');
	walk.filter = filter.data;
	found = span_walk_next(other, &walk, &other_span, &mine->job.cancel, err);
	strbuf_free(&filter);
	if (found > 0) {
		mine->is_found = true;
		mine->anchor_ns[mine->side] = span.start_ns;
		mine->anchor_ns[!mine->side] = other_span.start_ns;
	}
	return found < 0 ? -1 : 0;
}

static int
work(struct job *job, struct worker *worker, struct err *err)
{
	struct pair_job *mine = (struct pair_job *)job;
	struct store *store = worker_store(worker, mine->path, &job->cancel, err);

	if (!store) {
		return -1;
	}
	switch (job->kind) {
	case JOB_SIDE_A:
	case JOB_SIDE_B:
		mine->new_timeline = timeline_new_with(store, TIMELINE_SUMS, err);
		mine->new_colours =
		    mine->new_timeline ? colours_new(store, NULL, COLOUR_CATEGORY, err) : NULL;
		return mine->new_colours ? 0 : -1;
	case JOB_ANCHOR:
		return read_anchor(mine, worker, store, err);
	default:
		mine->request.lines = mine->lines;
		mine->request.colours = mine->colours;
		mine->request.span_limit = 1; /* cells are all that is drawn */
		mine->picture =
		    timeline_picture_read(store, mine->timeline, &mine->request, &job->cancel, err);
		return mine->picture ? 0 : -1;
	}
}

static void
free_job(struct job *job)
{
	struct pair_job *mine = (struct pair_job *)job;

	timeline_release(mine->timeline);
	timeline_release(mine->new_timeline);
	colours_release(mine->colours);
	colours_release(mine->new_colours);
	timeline_picture_free(mine->picture);
	free(mine->anchor_name);
	free(mine->lines);
	free(mine->path);
	free(mine->other_path);
	free(mine);
}

struct pair_job *
pair_job_new(struct view *view, int kind, int side)
{
	struct pair_view *pair = view->state;
	struct pair_job *job = xcalloc(1, sizeof(*job));
	struct side *own = &pair->sides[side];

	job->job.kind = kind;
	job->job.work = work;
	job->job.free = free_job;
	job->side = side;
	job->path = xstrdup(own->path);
	job->other_path = xstrdup(pair->sides[!side].path);
	job->timeline = own->timeline ? timeline_retain(own->timeline) : NULL;
	job->colours = own->colours ? colours_retain(own->colours) : NULL;
	return job;
}
