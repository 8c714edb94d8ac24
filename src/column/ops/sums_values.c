/*
 * Sums by one number of which there may be as many values as rows: sizes in bytes, say. A table of
 * a million groups is in nobody's cache, so that each row waits for the memory several times: for
 * the number's code, the group, each sum, and once more when threads agree. Here every thread lists
 * its rows and sorts the list by digits; then the lists are merged, and a group is a run of equal
 * numbers, in the order in which groups are shown.
 *
 * Lists take memory by the row, not by the group. How many rows have such a number stands in the
 * blocks' metadata: where these may be too many, rows are grouped as by any other dimension.
 */
#include "config.h"
#include "column/ops/sums_private.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"
#include "util/radix.h"
#include "util/workers.h"

#define ROW_BYTES 120 /* of the lists, and as much of the groups if no two rows are alike */
#define AHEAD 16
#define MANY_VALUES 17 /* bits: numbers of fewer are in a table that is near */

/* Rows of one thread that have a number; those that have none are group 0 of the thread's. */
struct value_rows {
	struct sums_thread *thread;
	size_t n, capacity;
	int64_t *numbers, *measures[MEASURE_VALUE];
	uint8_t *has; /* bits by measure */
	struct radix_item *items, *sorted, *end;
};

struct values_scan {
	struct sums *sums;
	struct value_rows *lists;
	unsigned n_threads;
};

/* How many rows have a number; false: in most blocks these are few. */
static bool
count_rows(const struct sums_plan *plan, uint32_t field, uint64_t *n)
{
	uint64_t n_many = 0;

	*n = 0;
	for (size_t i = 0; i < plan->dataset->n_blocks[plan->kind]; i++) {
		const struct block_info *block = &plan->dataset->blocks[plan->kind][i];
		const struct column_info *info = block_column(block, field), *numbers = info;
		if (info && info->flags & COLUMN_COPY) {
			numbers = block_column(block, info->same_as);
		}
		if (info && numbers) {
			bool is_many =
			    !(numbers->flags & COLUMN_TABLE) && numbers->width >= MANY_VALUES;
			*n += info->n_present;
			n_many += is_many ? info->n_present : 0;
		}
	}
	return n_many > *n / 2;
}

bool
sums_values_fit(const struct sums_plan *plan)
{
	uint32_t field;
	uint64_t n;
	bool is_plain = plan->kind == BLOCK_SPAN && plan->coders.n == 1 &&
	                plan->dimensions.n == 1 && !plan->is_bounded && !plan->has_times &&
	                !plan->has_calls && !plan->has_unfinished && !plan->is_cut;

	for (int m = 0; m < MEASURES; m++) {
		is_plain &= !plan->is_counted[m];
	}
	return is_plain && coder_is_number(plan->coders.coders[0], &field) &&
	       count_rows(plan, field, &n) && n <= plan->group_limit &&
	       n * ROW_BYTES <= plan->room_bytes;
}

static void
grow_rows(struct value_rows *list, const struct sums_plan *plan, size_t n)
{
	if (n <= list->capacity) {
		return;
	}
	list->capacity = MOST(n, 2 * list->capacity);
	list->numbers = xrealloc_array(list->numbers, list->capacity, sizeof *list->numbers);
	list->has = xrealloc_array(list->has, list->capacity, sizeof *list->has);
	for (int m = 0; m < MEASURE_VALUE; m++) {
		if (plan->parts[m]) {
			list->measures[m] = xrealloc_array(list->measures[m], list->capacity,
			                                   sizeof **list->measures);
		}
	}
}

static inline bool
row_is_present(const struct row_integers *column, uint32_t n_rows, uint32_t row)
{
	return column->n_present == n_rows ||
	       (column->n_present > 0 && (column->presence[row / 64] >> row % 64 & 1));
}

/* A row's measures: bits of those that are there. */
static inline uint8_t
read_row(const struct row_integers columns[MEASURE_VALUE], uint32_t n_rows, uint32_t row,
         int64_t values[MEASURE_VALUE])
{
	uint8_t has = 0;

	for (int m = 0; m < MEASURE_VALUE; m++) {
		values[m] = columns[m].n_present ? columns[m].values[row] : 0;
		has |= (uint8_t)(row_is_present(&columns[m], n_rows, row) << m);
	}
	return has;
}

static void
add_row(const struct sums_plan *plan, struct group_totals *totals, size_t group, uint8_t has,
        const int64_t values[MEASURE_VALUE])
{
	for (int m = 0; m < MEASURE_VALUE; m++) {
		if (!(has >> m & 1)) {
			continue;
		}
		struct measure_total *total = &totals->measures[m][group];
		int64_t value = values[m];
		total->n++;
		total->sum += value;
		total->min = LEAST(value, total->min);
		total->max = MOST(value, total->max);
		if (plan->parts[m] & PART_SQUARES) {
			sums_add_squares(&total->squares,
			                 (unsigned __int128)((__int128)value * value));
		}
	}
	totals->rows[group] += !(has >> MEASURE_DURATION & 1); /* the others count with it */
}

static void
list_row(struct value_rows *list, const struct sums_plan *plan, int64_t number, uint8_t has,
         const int64_t values[MEASURE_VALUE])
{
	list->numbers[list->n] = number;
	list->has[list->n] = has;
	for (int m = 0; m < MEASURE_VALUE; m++) {
		if (plan->parts[m]) {
			list->measures[m][list->n] = values[m];
		}
	}
	list->n++;
}

static int
list_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct values_scan *scan = user;
	const struct sums_plan *plan = &scan->sums->plan;
	struct value_rows *list = &scan->lists[view->thread];
	struct sums_thread *thread = list->thread;
	enum filter_verdict verdict = filter_open(thread->filter_state, view);

	(void)slot;
	(void)err;
	while (verdict != FILTER_NONE && block_view_next(view)) {
		struct row_integers columns[MEASURE_VALUE] = {{0}}, numbers;
		int64_t values[MEASURE_VALUE];
		sums_select_rows(thread, view, verdict);
		if (thread->n_rows == 0) {
			continue;
		}
		grow_rows(list, plan, list->n + thread->n_rows);
		numbers = coder_numbers(thread->coder_states[0], view);
		for (int m = 0; m < MEASURE_VALUE; m++) {
			if (plan->parts[m]) {
				columns[m] = sums_read_measure(thread, view, (enum measure)m);
			}
		}
		for (uint32_t i = 0; i < thread->n_rows; i++) {
			uint32_t row = thread->rows ? thread->rows[i] : i;
			uint8_t has = read_row(columns, view->n, row, values);
			if (row_is_present(&numbers, view->n, row)) {
				list_row(list, plan, numbers.values[row], has, values);
			} else {
				group_totals_grow(&thread->totals, plan, 1);
				add_row(plan, &thread->totals, 0, has, values);
			}
		}
	}
	return 0;
}

static int
sort_list(void *user, size_t item, unsigned thread, struct err *err)
{
	struct value_rows *list = &((struct values_scan *)user)->lists[item];

	(void)thread;
	(void)err;
	list->items = xcalloc(list->n + 1, 2 * sizeof *list->items);
	for (size_t i = 0; i < list->n; i++) {
		list->items[i] = (struct radix_item){radix_key(list->numbers[i]), (uint32_t)i};
	}
	list->sorted = radix_sort(list->items, list->items + list->n, list->n);
	list->end = list->sorted + list->n;
	return 0;
}

/* The least number that is left; false: none is. */
static bool
find_least(const struct values_scan *scan, uint64_t *key)
{
	bool is_found = false;

	for (unsigned t = 0; t < scan->n_threads; t++) {
		const struct value_rows *list = &scan->lists[t];
		if (list->sorted < list->end && (!is_found || list->sorted->key < *key)) {
			*key = list->sorted->key;
			is_found = true;
		}
	}
	return is_found;
}

/* Rows of one number stand all over the list: those that come next are fetched meanwhile. */
static inline void
fetch_ahead(const struct value_rows *list)
{
	if (list->end - list->sorted <= AHEAD) {
		return;
	}
	size_t i = list->sorted[AHEAD].index;
	__builtin_prefetch(&list->has[i]);
	for (int m = 0; m < MEASURE_VALUE; m++) {
		if (list->measures[m]) {
			__builtin_prefetch(&list->measures[m][i]);
		}
	}
}

/* Adds the least numbers' rows to a group of theirs. */
static void
merge_number(struct values_scan *scan, size_t group, uint64_t key)
{
	const struct sums_plan *plan = &scan->sums->plan;
	int64_t values[MEASURE_VALUE] = {0};

	for (unsigned t = 0; t < scan->n_threads; t++) {
		struct value_rows *list = &scan->lists[t];
		for (; list->sorted < list->end && list->sorted->key == key; list->sorted++) {
			size_t i = list->sorted->index;
			fetch_ahead(list);
			for (int m = 0; m < MEASURE_VALUE; m++) {
				values[m] = list->measures[m] ? list->measures[m][i] : 0;
			}
			add_row(plan, &scan->sums->totals, group, list->has[i], values);
		}
	}
}

/* Rows without a number are a group of their own, which comes first. */
static size_t
merge_missing(struct values_scan *scan)
{
	struct sums *sums = scan->sums;

	for (unsigned t = 0; t < scan->n_threads; t++) {
		const struct group_totals *missing = &scan->lists[t].thread->totals;
		if (missing->n > 0) {
			group_totals_grow(&sums->totals, &sums->plan, 1);
			group_totals_merge(&sums->totals, 0, missing, 0);
		}
	}
	return sums->totals.n;
}

static void
merge_lists(struct values_scan *scan)
{
	struct sums *sums = scan->sums;
	size_t n_missing = merge_missing(scan), n = n_missing, capacity = 0;
	int64_t *numbers = NULL;
	uint64_t key = 0;

	for (; find_least(scan, &key); n++) {
		MEM_GROW(numbers, capacity, n - n_missing + 1);
		numbers[n - n_missing] = radix_number(key);
		group_totals_grow(&sums->totals, &sums->plan, n + 1);
		merge_number(scan, n, key);
	}
	coder_give_numbers(sums->plan.coders.coders[0], numbers, (uint32_t)(n - n_missing),
	                   n_missing > 0);
	free(numbers);
	sums_prepare_table(&sums->plan, &sums->table);
	MEM_NEW(sums->order, n + 1);
	sums->n_ordered = n;
	for (uint32_t group = 0; group < n; group++) {
		sums->order[group] = group_table_add(&sums->table, &group);
	}
}

int
sums_values_run(struct sums *sums, struct err *err)
{
	_Atomic uint64_t n_groups = 0; /* of the threads' tables: none */
	struct values_scan scan = {.sums = sums};
	struct block_loop loop = sums_plan_loop(&sums->plan, &scan, list_block);

	scan.n_threads = block_loop_threads(&loop);
	MEM_NEW(scan.lists, scan.n_threads);
	for (unsigned t = 0; t < scan.n_threads; t++) {
		scan.lists[t].thread = sums_thread_new(&sums->plan, &n_groups);
	}
	loop.filters = &scan.lists[0].thread->filter_state;
	int status = block_loop_run(&loop, err);
	if (status == 0) {
		status = workers_run(scan.n_threads, scan.n_threads, sort_list, &scan,
		                     sums->plan.cancel, err);
	}
	group_table_init(&sums->table, 1);
	if (status == 0) {
		merge_lists(&scan);
	}
	for (unsigned t = 0; t < scan.n_threads; t++) {
		struct value_rows *list = &scan.lists[t];
		sums_thread_free(list->thread);
		free(list->numbers);
		free(list->has);
		for (int m = 0; m < MEASURE_VALUE; m++) {
			free(list->measures[m]);
		}
		free(list->items);
	}
	free(scan.lists);
	return status;
}
