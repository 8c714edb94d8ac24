/* What the worker does for two runs: each side's lanes and cells, and the span to align them at. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui/timeline/view_pair.h"
#include "util/mem.h"

/* The span that is to be it, else the innermost of the lane at the cursor, else the next one. */
static int
find_anchor(struct pair_job *mine, struct store *store, struct span_row *span, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct span_walk walk = {.lane = mine->lane, .depth = -1, .start_ns = mine->from_ns};
	int64_t last = mine->to_ns > mine->from_ns ? mine->to_ns - 1 : mine->from_ns;
	int found;

	if (!dataset) {
		return -1;
	}
	if (mine->anchor > 0) {
		return row_get(dataset, BLOCK_SPAN, mine->anchor, span, err) == 0 ? 1 : -1;
	}
	found =
	    span_at(store, &(struct span_walk){.lane = mine->lane, .depth = -1, .start_ns = last},
	            span, &mine->job.cancel, err);
	return found != 0 ? found : span_walk_next(store, &walk, span, &mine->job.cancel, err);
}

/* The nth span of a name, by start. */
static int
find_nth(struct pair_job *mine, struct store *store, int64_t nth, struct span_row *span,
         struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct page_request page = {.kind = BLOCK_SPAN,
	                            .filter = "name = ?1",
	                            .order = "start,id",
	                            .offset = nth,
	                            .limit = 1,
	                            .cancel = &mine->job.cancel};
	struct span_row *rows = NULL;
	int64_t n;

	if (!dataset) {
		return -1;
	}
	page.parameters[0] =
	    (struct scan_value){.type = SCAN_TEXT, .text = slice_of(mine->anchor_name)};
	n = page_run(dataset, &page, &rows, NULL, err);
	if (n > 0) {
		*span = rows[0];
	}
	free(rows);
	return n > 0 ? 1 : (int)n;
}

/* How many spans of its name begin before a span. */
static int64_t
count_before(struct pair_job *mine, struct store *store, const struct span_row *span,
             struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct page_request page = {.kind = BLOCK_SPAN, .limit = 1, .cancel = &mine->job.cancel};
	struct span_row *rows = NULL;
	char filter[160];
	int64_t n = 0;

	snprintf(filter, sizeof(filter),
	         "name = ?1 AND start <= %" PRId64 " AND (start < %" PRId64 " OR id < %" PRId64 ")",
	         span->start_ns, span->start_ns, span->id);
	page.filter = filter;
	page.parameters[0] =
	    (struct scan_value){.type = SCAN_TEXT, .text = slice_of(mine->anchor_name)};
	if (!dataset || page_run(dataset, &page, &rows, &n, err) < 0) {
		n = -1;
	}
	free(rows);
	return n;
}

/* The span under the cursor and the other run's of that name: of several the one that is as many-th
 * there, else the first. */
static int
read_anchor(struct pair_job *mine, struct job_worker *worker, struct store *store, struct err *err)
{
	struct span_row span, other_span;
	struct span_detail *detail;
	struct store *other;
	int64_t nth;
	int found = find_anchor(mine, store, &span, err);

	if (found <= 0) {
		return found;
	}
	detail = span_detail_read(store, span.id, &mine->job.cancel, err);
	if (!detail) {
		return -1;
	}
	mine->anchor_name = xstrndup(detail->name.ptr, detail->name.len);
	span_detail_free(detail);
	nth = count_before(mine, store, &span, err);
	other = nth < 0 ? NULL : worker_store(worker, mine->other_path, &mine->job.cancel, err);
	if (!other) {
		return -1;
	}
	found = find_nth(mine, other, nth, &other_span, err);
	if (found == 0 && nth > 0) {
		found = find_nth(mine, other, 0, &other_span, err);
	}
	if (found > 0) {
		mine->is_found = true;
		mine->anchor_ns[mine->side] = span.start_ns;
		mine->anchor_ns[!mine->side] = other_span.start_ns;
	}
	return found < 0 ? -1 : 0;
}

/* Tasks are coloured by their kinds, which takes a scan for each window, everything else by
 * category. */
static int
read_side(struct pair_job *mine, struct store *store, struct err *err)
{
	mine->new_timeline = timeline_new_with(store, TIMELINE_SUMS, err);
	if (mine->new_timeline) {
		mine->new_colours =
		    colours_new(store, NULL, NULL,
		                mine->new_timeline->has_tasks ? COLOUR_NAME : COLOUR_CATEGORY, err);
	}
	return mine->new_colours ? 0 : -1;
}

static int
work(struct view_job *job, struct job_worker *worker, struct err *err)
{
	struct pair_job *mine = (struct pair_job *)job;
	struct store *store = job_store(job, worker, err);

	if (!store) {
		return -1;
	}
	switch (job->kind) {
	case JOB_SIDE_A:
	case JOB_SIDE_B:
		return read_side(mine, store, err);
	case JOB_ANCHOR:
		return read_anchor(mine, worker, store, err);
	default:
		mine->request.lines = mine->lines;
		mine->request.colours = mine->colours;
		mine->request.span_limit = 1; /* cells are all that is drawn */
		mine->window =
		    timeline_window_read(store, mine->timeline, &mine->request, &job->cancel, err);
		return mine->window ? 0 : -1;
	}
}

static void
free_job(struct view_job *job)
{
	struct pair_job *mine = (struct pair_job *)job;

	timeline_release(mine->timeline);
	timeline_release(mine->new_timeline);
	colours_release(mine->colours);
	colours_release(mine->new_colours);
	timeline_window_free(mine->window);
	free(mine->anchor_name);
	free(mine->lines);
	free(mine->other_path);
}

struct pair_job *
pair_job_new(struct view *view, int kind, int side)
{
	struct pair_view *pair = view->state;
	struct pair_side *own = &pair->sides[side];
	struct pair_job *job = job_new(sizeof(*job), kind, work, free_job, own->path);

	job->side = side;
	job->other_path = xstrdup(pair->sides[!side].path);
	job->timeline = own->timeline ? timeline_retain(own->timeline) : NULL;
	job->colours = own->colours ? colours_retain(own->colours) : NULL;
	return job;
}
