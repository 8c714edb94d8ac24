/*
 * Sums by one number of which there may be as many values as rows: sizes in bytes, say. A table of
 * a million groups is in nobody's cache, so that each row waits for the memory several times: for
 * the number's code, the group, each sum, and once more when threads agree. Here all threads list
 * the rows, block by block, and count how many lie between some thousand numbers; by that the lists
 * are parted into ranges of numbers, as large as is near to a core, and each range is sorted. A
 * group is a run of equal numbers, in the order in which groups are shown, and adds up its rows
 * when it is looked at: most have few.
 *
 * This takes memory by the row, not by the group. How many rows have such a number stands in the
 * blocks' metadata: where these may be too many, rows are grouped as by any other dimension.
 */
#include "config.h"
#include "column/ops/sums_private.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"
#include "util/radix.h"
#include "util/workers.h"

#define ROW_BYTES 120  /* twice a row's columns, the start of its group, and what sorts groups */
#define MANY_VALUES 17 /* bits: numbers of fewer are in a table that is near */
#define BINS (2 * VALUE_BINS) /* of negative numbers, and of others */
#define RANGES_LEAST 16       /* for threads to share */
#define RANGES_MOST 512
#define RANGE_ROWS 16384 /* near to a core while they are sorted */

struct values_scan {
	struct sums *sums;
	struct sums_thread **threads;
	uint32_t (*bins)[BINS]; /* a thread: how many of its rows lie in each */
	unsigned n_threads;
	size_t n_lists;
	struct value_rows *lists; /* a block's */
	uint16_t ranges[BINS];    /* of the bins */
	unsigned n_ranges;
	size_t starts[RANGES_MOST + 1];   /* of the ranges among all rows */
	_Atomic size_t next[RANGES_MOST]; /* where the next row of a range is put */
	size_t groups[RANGES_MOST + 1];   /* of each range; then how many come before it */
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
	       count_rows(plan, field, &n) && (!plan->is_limited || n <= plan->group_limit) &&
	       n < UINT32_MAX && n * ROW_BYTES <= plan->room_bytes;
}

/* A measure that is the number itself needs no room of its own. */
static bool
is_apart(const struct sums_plan *plan, int measure)
{
	static const enum row_column columns[MEASURE_VALUE] = {ROW_DURATION, ROW_SELF, ROW_SIZE};

	return plan->parts[measure] && plan->dimensions.specs[0].dimension != columns[measure];
}

/* Room for n rows, or only for the first n of them. */
static void
resize_rows(struct value_rows *rows, const struct sums_plan *plan, size_t n)
{
	rows->numbers = xrealloc_array(rows->numbers, n, sizeof *rows->numbers);
	rows->has = xrealloc_array(rows->has, n, sizeof *rows->has);
	for (int m = 0; m < MEASURE_VALUE; m++) {
		if (is_apart(plan, m)) {
			rows->measures[m] =
			    xrealloc_array(rows->measures[m], n, sizeof **rows->measures);
		}
	}
}

static void
free_rows(struct value_rows *rows)
{
	free(rows->numbers);
	free(rows->has);
	for (int m = 0; m < MEASURE_VALUE; m++) {
		free(rows->measures[m]);
	}
	*rows = (struct value_rows){0};
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

static inline void
add_value(struct measure_total *total, int64_t value, unsigned parts)
{
	total->n++;
	total->sum += value;
	total->min = LEAST(value, total->min);
	total->max = MOST(value, total->max);
	if (parts & PART_SQUARES) {
		sums_add_squares(&total->squares, (unsigned __int128)((__int128)value * value));
	}
}

/* To the group of those without a number. */
static void
add_missing(struct sums_thread *thread, uint8_t has, const int64_t values[MEASURE_VALUE])
{
	struct group_totals *totals = &thread->totals;

	group_totals_grow(totals, thread->plan, 1);
	for (int m = 0; m < MEASURE_VALUE; m++) {
		if (has >> m & 1) {
			add_value(&totals->measures[m][0], values[m], thread->plan->parts[m]);
		}
	}
	totals->rows[0] += !(has >> MEASURE_DURATION & 1); /* the others count with it */
}

/* In the order of numbers. */
static inline unsigned
bin_of(int64_t number)
{
	return number < 0 ? VALUE_BINS - 1 - value_bin(~(uint64_t)number)
	                  : VALUE_BINS + value_bin((uint64_t)number);
}

static inline void
put_row(struct value_rows *rows, size_t i, int64_t number, uint8_t has,
        const int64_t values[MEASURE_VALUE])
{
	rows->numbers[i] = number;
	rows->has[i] = has;
	for (int m = 0; m < MEASURE_VALUE; m++) {
		if (rows->measures[m]) {
			rows->measures[m][i] = values[m];
		}
	}
}

static void
list_chunk(struct values_scan *scan, struct value_rows *list, struct block_view *view)
{
	const struct sums_plan *plan = &scan->sums->plan;
	struct sums_thread *thread = scan->threads[view->thread];
	struct row_integers columns[MEASURE_VALUE] = {{0}};
	struct row_integers numbers = coder_numbers(thread->coder_states[0], view);
	uint32_t *bins = scan->bins[view->thread];
	int64_t values[MEASURE_VALUE];

	for (int m = 0; m < MEASURE_VALUE; m++) {
		if (plan->parts[m]) {
			columns[m] = sums_read_measure(thread, view, (enum measure)m);
		}
	}
	for (uint32_t i = 0; i < thread->n_rows; i++) {
		uint32_t row = thread->rows ? thread->rows[i] : i;
		uint8_t has = read_row(columns, view->n, row, values);
		if (row_is_present(&numbers, view->n, row)) {
			bins[bin_of(numbers.values[row])]++;
			put_row(list, list->n++, numbers.values[row], has, values);
		} else {
			add_missing(thread, has, values);
		}
	}
}

static int
list_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct values_scan *scan = user;
	const struct sums_plan *plan = &scan->sums->plan;
	struct value_rows *list = &scan->lists[view->index];
	struct sums_thread *thread = scan->threads[view->thread];
	enum filter_verdict verdict = filter_open(thread->filter_state, view);

	(void)slot;
	(void)err;
	while (verdict != FILTER_NONE && block_view_next(view)) {
		sums_select_rows(thread, view, verdict);
		if (thread->n_rows > 0) {
			if (!list->numbers) {
				resize_rows(list, plan, view->info->n_rows);
			}
			list_chunk(scan, list, view);
		}
	}
	if (list->numbers) {
		resize_rows(list, plan, list->n);
	}
	return 0;
}

/* Ranges of about as many rows; one number is never parted. */
static void
part_ranges(struct values_scan *scan)
{
	uint64_t n = 0, n_all = 0;

	for (size_t i = 0; i < scan->n_lists; i++) {
		n_all += scan->lists[i].n;
	}
	scan->n_ranges = (unsigned)LEAST(MOST(n_all / RANGE_ROWS, RANGES_LEAST), RANGES_MOST);
	for (unsigned bin = 0; bin < BINS; bin++) {
		uint32_t range = (uint32_t)(n * scan->n_ranges / (n_all + 1));
		scan->ranges[bin] = (uint16_t)range;
		for (unsigned t = 0; t < scan->n_threads; t++) {
			n += scan->bins[t][bin];
			scan->starts[range + 1] += scan->bins[t][bin];
		}
	}
	for (unsigned range = 0; range < scan->n_ranges; range++) {
		scan->starts[range + 1] += scan->starts[range];
		atomic_init(&scan->next[range], scan->starts[range]);
	}
}

/* Puts a list's rows into their ranges. */
static int
spread_list(void *user, size_t item, unsigned thread, struct err *err)
{
	struct values_scan *scan = user;
	struct value_rows *list = &scan->lists[item], *rows = &scan->sums->values_rows;
	size_t next[RANGES_MOST] = {0};
	int64_t values[MEASURE_VALUE] = {0};

	(void)thread;
	(void)err;
	for (size_t i = 0; i < list->n; i++) {
		next[scan->ranges[bin_of(list->numbers[i])]]++;
	}
	for (unsigned range = 0; range < scan->n_ranges; range++) {
		size_t n = next[range];
		next[range] = n ? atomic_fetch_add(&scan->next[range], n) : 0;
	}
	for (size_t i = 0; i < list->n; i++) {
		for (int m = 0; m < MEASURE_VALUE; m++) {
			values[m] = list->measures[m] ? list->measures[m][i] : 0;
		}
		put_row(rows, next[scan->ranges[bin_of(list->numbers[i])]]++, list->numbers[i],
		        list->has[i], values);
	}
	free_rows(list);
	return 0;
}

/* Brings what belongs to the rows of a range into the order of their numbers. */
static void
follow_numbers(struct value_rows *rows, size_t first, const struct radix_item *sorted, size_t n)
{
	int64_t *before = xrealloc_array(NULL, n, sizeof *before);

	for (size_t i = 0; i < n; i++) {
		rows->numbers[first + i] = radix_number(sorted[i].key);
	}
	for (int m = 0; m < MEASURE_VALUE; m++) {
		if (rows->measures[m]) {
			int64_t *values = rows->measures[m] + first;
			memcpy(before, values, n * sizeof *before);
			for (size_t i = 0; i < n; i++) {
				values[i] = before[sorted[i].index];
			}
		}
	}
	uint8_t *has = rows->has + first, *has_before = (uint8_t *)before;
	memcpy(has_before, has, n);
	for (size_t i = 0; i < n; i++) {
		has[i] = has_before[sorted[i].index];
	}
	free(before);
}

static int
sort_range(void *user, size_t range, unsigned thread, struct err *err)
{
	struct values_scan *scan = user;
	struct value_rows *rows = &scan->sums->values_rows;
	size_t first = scan->starts[range], n = scan->starts[range + 1] - first;

	(void)thread;
	(void)err;
	if (n == 0) {
		return 0;
	}
	struct radix_item *items = xrealloc_array(NULL, n, 2 * sizeof *items);
	for (size_t i = 0; i < n; i++) {
		items[i] = (struct radix_item){radix_key(rows->numbers[first + i]), (uint32_t)i};
	}
	follow_numbers(rows, first, radix_sort(items, items + n, n), n);
	free(items);
	scan->groups[range] = 1;
	for (size_t i = first + 1; i < first + n; i++) {
		scan->groups[range] += rows->numbers[i] != rows->numbers[i - 1];
	}
	return 0;
}

/* Where the groups of a range begin. */
static int
find_groups(void *user, size_t range, unsigned thread, struct err *err)
{
	struct values_scan *scan = user;
	const int64_t *numbers = scan->sums->values_rows.numbers;
	size_t first = scan->starts[range], group = scan->groups[range];

	(void)thread;
	(void)err;
	for (size_t i = first; i < scan->starts[range + 1]; i++) {
		if (i == first || numbers[i] != numbers[i - 1]) {
			scan->sums->values_starts[group++] = (uint32_t)i;
		}
	}
	return 0;
}

/* Rows without a number are a group of their own, which comes first. */
static size_t
merge_missing(struct values_scan *scan)
{
	struct sums *sums = scan->sums;

	for (unsigned t = 0; t < scan->n_threads; t++) {
		const struct group_totals *missing = &scan->threads[t]->totals;
		if (missing->n > 0) {
			group_totals_grow(&sums->totals, &sums->plan, 1);
			group_totals_merge(&sums->totals, 0, missing, 0);
		}
	}
	return sums->totals.n;
}

/* Sorted rows, groups and their order, of the lists. */
static int
make_groups(struct values_scan *scan, struct err *err)
{
	struct sums *sums = scan->sums;
	const struct cancel *cancel = sums->plan.cancel;

	part_ranges(scan);
	size_t n_rows = scan->starts[scan->n_ranges], n = 0;
	resize_rows(&sums->values_rows, &sums->plan, n_rows + 1);
	sums->values_rows.n = n_rows;
	if (workers_run(scan->n_threads, scan->n_lists, spread_list, scan, cancel, err) ||
	    workers_run(scan->n_threads, scan->n_ranges, sort_range, scan, cancel, err)) {
		return -1;
	}
	for (unsigned range = 0; range <= scan->n_ranges; range++) {
		size_t of_range = scan->groups[range];
		scan->groups[range] = n;
		n += of_range;
	}
	sums->values_starts = xrealloc_array(NULL, n + 1, sizeof *sums->values_starts);
	sums->values_starts[n] = (uint32_t)n_rows;
	if (workers_run(scan->n_threads, scan->n_ranges, find_groups, scan, cancel, err)) {
		return -1;
	}
	n += merge_missing(scan);
	sums->order = xrealloc_array(NULL, n + 1, sizeof *sums->order);
	for (size_t i = 0; i < n; i++) {
		sums->order[i] = (uint32_t)i;
	}
	sums->n_ordered = n;
	return 0;
}

int
sums_values_run(struct sums *sums, struct err *err)
{
	_Atomic uint64_t n_groups = 0; /* of the threads' tables: none */
	struct values_scan *scan = xcalloc(1, sizeof *scan);
	struct block_loop loop = sums_plan_loop(&sums->plan, scan, list_block);

	scan->sums = sums;
	scan->n_threads = block_loop_threads(&loop);
	scan->n_lists = sums->plan.dataset->n_blocks[sums->plan.kind];
	MEM_NEW(scan->lists, scan->n_lists);
	MEM_NEW(scan->bins, scan->n_threads);
	MEM_NEW(scan->threads, scan->n_threads);
	for (unsigned t = 0; t < scan->n_threads; t++) {
		scan->threads[t] = sums_thread_new(&sums->plan, &n_groups);
	}
	group_table_init(&sums->table, 1);
	loop.filters = &scan->threads[0]->filter_state;
	int status = block_loop_run(&loop, err);
	status = status == 0 ? make_groups(scan, err) : status;
	for (unsigned t = 0; t < scan->n_threads; t++) {
		sums_thread_free(scan->threads[t]);
	}
	for (size_t i = 0; i < scan->n_lists; i++) {
		free_rows(&scan->lists[i]);
	}
	free(scan->lists);
	free(scan->bins);
	free(scan->threads);
	free(scan);
	return status;
}

void
sums_values_free(struct sums *sums)
{
	free_rows(&sums->values_rows);
	free(sums->values_starts);
}

/* ---- Groups ---- */

/* The group's rows; false: it is that of those without a number. */
static bool
rows_of(const struct sums *sums, size_t group, size_t *from, size_t *to)
{
	size_t n_missing = sums->totals.n;

	if (group < n_missing) {
		return false;
	}
	*from = sums->values_starts[group - n_missing];
	*to = sums->values_starts[group - n_missing + 1];
	return true;
}

struct scan_value
sums_values_key(const struct sums *sums, size_t group)
{
	size_t from, to;

	return rows_of(sums, group, &from, &to)
	           ? (struct scan_value){.type = SCAN_INTEGER,
	                                 .integer = sums->values_rows.numbers[from]}
	           : (struct scan_value){.type = SCAN_NULL};
}

int64_t
sums_values_count(const struct sums *sums, size_t group)
{
	size_t from, to;

	return rows_of(sums, group, &from, &to) ? (int64_t)(to - from)
	                                        : group_totals_rows(&sums->totals, group);
}

struct measure_total
sums_values_total(const struct sums *sums, size_t group, enum measure measure)
{
	const struct value_rows *rows = &sums->values_rows;
	struct measure_total total = {.min = INT64_MAX, .max = INT64_MIN};
	size_t from, to;

	if (!rows_of(sums, group, &from, &to)) {
		return sums->totals.measures[measure][group];
	}
	const int64_t *values = rows->measures[measure] ? rows->measures[measure] : rows->numbers;
	for (size_t i = from; i < to; i++) {
		if (rows->has[i] >> measure & 1) {
			add_value(&total, values[i], sums->plan.parts[measure]);
		}
	}
	return total;
}

void
sums_values_prefetch(const struct sums *sums, size_t group)
{
	const struct value_rows *rows = &sums->values_rows;
	size_t from, to;

	if (rows_of(sums, group, &from, &to)) {
		__builtin_prefetch(&rows->numbers[from]);
		__builtin_prefetch(&rows->has[from]);
		for (int m = 0; m < MEASURE_VALUE; m++) {
			if (rows->measures[m]) {
				__builtin_prefetch(&rows->measures[m][from]);
			}
		}
	}
}
