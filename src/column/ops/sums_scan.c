/*
 * From chunks of rows to rows with groups: filter, codes, group table. What all passes over the
 * blocks do first.
 */
#include "config.h"
#include "column/ops/sums_private.h"

#include <stdlib.h>

#include "util/mem.h"

struct block_loop
sums_plan_loop(const struct sums_plan *plan, void *user, block_scan *scan)
{
	return (struct block_loop){.dataset = plan->dataset,
	                           .kind = plan->kind,
	                           .fields = &plan->fields,
	                           .end = SIZE_MAX,
	                           .user = user,
	                           .n_filters = 1,
	                           .n_sift = plan->n_sift,
	                           .scan = scan,
	                           .cancel = plan->cancel};
}

struct sums_thread *
sums_thread_new(const struct sums_plan *plan, _Atomic uint64_t *n_groups)
{
	struct sums_thread *thread = xcalloc(1, sizeof *thread);
	thread->plan = plan;
	thread->n_groups = n_groups;
	thread->filter_state = filter_state_new(plan->filter);
	for (unsigned c = 0; c < plan->coders.n; c++) {
		thread->coder_states[c] = coder_state_new(plan->coders.coders[c]);
		MEM_NEW(thread->codes[c], CHUNK_ROWS);
	}
	group_table_init(&thread->table, plan->coders.n);
	group_table_init(&thread->cover.table, plan->coders.n);
	return thread;
}

void
sums_thread_free(struct sums_thread *thread)
{
	if (thread) {
		filter_state_free(thread->filter_state);
		for (unsigned c = 0; c < SCAN_DIMENSIONS; c++) {
			coder_state_free(thread->coder_states[c]);
			free(thread->codes[c]);
		}
		group_table_fini(&thread->table);
		group_totals_fini(&thread->totals);
		group_table_fini(&thread->cover.table);
		free(thread->cover.steps);
		free(thread->values);
		for (int m = 0; m < MEASURES; m++) {
			value_counts_fini(&thread->counts[m]);
		}
		free(thread);
	}
}

static uint32_t
list_rows(const uint64_t *bits, uint32_t n_words, uint16_t *rows)
{
	uint32_t n = 0;
	for (uint32_t w = 0; w < n_words; w++) {
		for (uint64_t left = bits[w]; left; left &= left - 1) {
			rows[n++] = (uint16_t)(w * 64 + (uint32_t)__builtin_ctzll(left));
		}
	}
	return n;
}

void
sums_select_rows(struct sums_thread *thread, struct block_view *view, enum filter_verdict verdict)
{
	uint64_t matches[CHUNK_WORDS];
	thread->rows = NULL;
	thread->n_rows = view->n;
	if (verdict == FILTER_ALL) {
		return;
	}
	uint32_t n = filter_chunk(thread->filter_state, view, matches);
	if (n < view->n) {
		thread->rows = thread->row_buffer;
		thread->n_rows = n ? list_rows(matches, CHUNK_WORDS, thread->row_buffer) : 0;
	}
}

/* No table to grow: looks every row up in the groups that are there. */
static void
find_rows(struct sums_thread *thread, const struct group_table *known)
{
	uint32_t tuple[SCAN_DIMENSIONS];
	for (uint32_t i = 0; i < thread->n_rows; i++) {
		uint32_t row = thread->rows ? thread->rows[i] : i;
		for (unsigned c = 0; c < known->n_parts; c++) {
			tuple[c] = thread->codes[c][row];
		}
		thread->groups[row] = group_table_find(known, tuple);
	}
}

/* Less rows: without those that the bounds of a dimension leave out. */
static void
keep_inside(struct sums_thread *thread, const uint32_t *codes)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < thread->n_rows; i++) {
		uint16_t row = thread->rows ? thread->rows[i] : (uint16_t)i;
		thread->row_buffer[n] = row;
		n += codes[row] != CODER_OUTSIDE;
	}
	thread->rows = thread->row_buffer;
	thread->n_rows = n;
}

int
sums_thread_rows(struct sums_thread *thread, struct block_view *view, enum filter_verdict verdict,
                 const struct group_table *known, struct err *err)
{
	const struct coder_set *coders = &thread->plan->coders;
	sums_select_rows(thread, view, verdict);
	if (thread->n_rows == 0) {
		return 0;
	}
	if (coders->n > 0 && !thread->plan->is_bounded) {
		int status = sums_small_groups(thread, view, known, err);
		if (status != 0) {
			return status < 0 ? -1 : 0;
		}
	}
	for (unsigned c = 0; c < coders->n; c++) {
		if (coder_run(thread->coder_states[c], view, thread->rows, thread->n_rows,
		              thread->codes[c], err)) {
			return -1;
		}
		if (coder_is_bounded(coders->coders[c])) {
			keep_inside(thread, thread->codes[c]);
			if ((int)c == coders->time) {
				sums_keep_reaching(thread, view);
			}
			if (thread->n_rows == 0) {
				return 0;
			}
		}
	}
	if (coders->n == 0) {
		memset(thread->groups, 0,
		       sizeof thread->groups); /* the one group, made by the plan */
		return 0;
	}
	if (known) {
		find_rows(thread, known);
		return 0;
	}
	return sums_thread_group_rows(thread, err);
}

/* Those of the matching rows whose bit is set. */
static uint32_t
list_present(struct sums_thread *thread, const uint64_t *presence)
{
	uint16_t *out = thread->present_buffer;
	uint32_t n = 0;
	if (!thread->rows) {
		return list_rows(presence, (thread->n_rows + 63) / 64, out);
	}
	for (uint32_t i = 0; i < thread->n_rows; i++) {
		uint16_t row = thread->rows[i];
		out[n] = row;
		n += presence[row / 64] >> row % 64 & 1;
	}
	return n;
}

/* Of a column of few values: looked up for the matching rows only. */
static struct row_integers
read_small(struct sums_thread *thread, const struct few_values *small, const uint16_t **rows,
           uint32_t *n)
{
	const int64_t *values = small->values;
	*rows = thread->rows;
	*n = thread->n_rows;
	if (!thread->rows && !small->has_absent) {
		for (uint32_t row = 0; row < thread->n_rows; row++) {
			thread->scratch[row] = values[small->indices[row]];
		}
		return (struct row_integers){.values = thread->scratch};
	}
	uint32_t n_present = 0;
	for (uint32_t i = 0; i < thread->n_rows; i++) {
		uint16_t row = thread->rows ? thread->rows[i] : (uint16_t)i;
		unsigned index = small->indices[row];
		thread->scratch[row] = values[index];
		thread->present_buffer[n_present] = row;
		n_present += index < small->n_values;
	}
	*rows = thread->present_buffer;
	*n = n_present;
	return (struct row_integers){.values = thread->scratch};
}

struct row_integers
sums_read_measure(struct sums_thread *thread, struct block_view *view, enum measure measure)
{
	static const enum row_column columns[MEASURES] = {[MEASURE_DURATION] = ROW_DURATION,
	                                                  [MEASURE_SELF] = ROW_SELF,
	                                                  [MEASURE_SIZE] = ROW_SIZE,
	                                                  [MEASURE_VALUE] = ROW_VALUE};
	return row_column_read(columns[measure], &thread->plan->measure_slots[measure], view,
	                       thread->scratch);
}

struct row_integers
sums_thread_measure(struct sums_thread *thread, struct block_view *view, enum measure measure,
                    const uint16_t **rows, uint32_t *n)
{
	const struct row_slots *slots = &thread->plan->measure_slots[measure];
	struct few_values small;
	if (measure == MEASURE_SIZE && block_view_small(view, slots->field, &small)) {
		return read_small(thread, &small, rows, n);
	}
	struct row_integers integers = sums_read_measure(thread, view, measure);
	if (integers.n_present == view->n) {
		*rows = thread->rows;
		*n = thread->n_rows;
	} else {
		*rows = thread->present_buffer;
		*n = integers.n_present ? list_present(thread, integers.presence) : 0;
	}
	return integers;
}
