/*
 * What of spans lies outside of the scope's range. Their whole durations are added as if there were
 * none, since extremes and deviations are of these; here, what is cut away is added up beside, to
 * be taken off the sum in the end. Only blocks that reach over an end of the range have any.
 */
#include "config.h"
#include "column/ops/sums_private.h"

void
sums_add_outside(struct sums_thread *thread, struct block_view *view)
{
	const struct sums_plan *plan = thread->plan;
	int64_t scratch[CHUNK_ROWS], duration_scratch[CHUNK_ROWS], self_scratch[CHUNK_ROWS];

	if (!dataset_cuts(plan->dataset, view->info)) {
		return;
	}
	struct row_integers starts = row_column_read(ROW_START, &plan->start_slots, view, scratch);
	struct row_integers durations =
	    row_column_read(ROW_DURATION, &plan->duration_slots, view, duration_scratch);
	if (starts.n_present < view->n || durations.n_present < view->n) {
		return; /* damaged: every row has its times */
	}
	struct row_integers selves = {0};
	if (plan->parts[MEASURE_SELF]) {
		selves = row_column_read(ROW_SELF, &plan->measure_slots[MEASURE_SELF], view,
		                         self_scratch);
	}
	for (uint32_t i = 0; i < thread->n_rows; i++) {
		uint32_t row = thread->rows ? thread->rows[i] : i;
		struct outside_total *outside = &thread->totals.outside[thread->groups[row]];
		int64_t duration = durations.values[row];
		int64_t inside = dataset_inside(plan->dataset, starts.values[row], duration);
		outside->duration += duration - inside;
		if (inside < duration && selves.n_present == view->n) {
			int64_t id = (int64_t)((uint64_t)view->info->first_id + view->row + row);
			int64_t self = selves.values[row];
			outside->self += self - cut_spans_self(&plan->cut_spans, id, inside, self);
		}
	}
}
