/*
 * Exact quantiles with linear interpolation between order statistics.
 *
 * Most measures have few different values: durations are whole microseconds, sizes are blocks.
 * These are counted in the pass that makes the sums (value_counts), and the quantiles follow
 * without another one. Where a thread meets too many different ones, they are counted in bins, and
 * quantiles take passes of their own:
 *
 * Each group begins as one task, or as one for each bin that holds a wanted rank: which values are
 * at these ranks, given that n values lie in lo ... hi? A pass over the blocks works on many tasks
 * at once: tasks with few values have them gathered, and are solved by selection; tasks with many
 * have them counted in BINS bins of lo ... hi; every bin that holds a wanted rank becomes a task
 * for the next pass. A pass gathers and counts in bounded memory, the other tasks wait for the next
 * one. A task narrows by BINS each time, so it takes part in six passes at most; typical questions
 * take one.
 */
#include "config.h"
#include "column/ops/quantile.h"

#include <math.h>
#include <stdlib.h>

#include "column/ops/sums_private.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define BINS 4096u
#define RANKS (2 * QUANTILES) /* two neighbours each */
#define SOLVE_TASKS 256       /* tasks that a thread solves at a time */

static const double shares[QUANTILES] = {0.25, 0.5, 0.75, 0.9, 0.95, 0.99};

struct rank_task {
	uint32_t group;
	enum { TASK_WAITS, TASK_GATHERS, TASK_COUNTS } state;
	uint64_t n, below;       /* values in lo ... hi; values of the group below lo */
	int64_t lo, hi;          /* keys */
	unsigned n_ranks, shift; /* bins: (key - lo) >> shift */
	uint64_t ranks[RANKS];   /* in the whole group, ascending */
	size_t first;            /* its first bin, or the place of its first value */
};

struct task_list {
	struct rank_task *tasks; /* by group, then lo */
	size_t n, capacity;
};

/* What one thread finds in a pass. */
struct finder {
	struct sums_thread *thread;
	uint64_t *bins;
	struct found_value {
		int64_t key;
		size_t task;
	} * values;
	size_t n_values, capacity;
};

struct quantile_search {
	struct sums *sums;
	enum measure measure;
	struct task_list tasks;
	size_t *first_tasks; /* by group: its tasks are first_tasks[g] ... first_tasks[g + 1] - 1 */
	size_t n_gathered, n_bins;
	struct finder *finders;
	unsigned n_threads;
	int64_t *keys;  /* the gathered ones, by task */
	int64_t *found; /* by group and quantile: the two neighbours */
	/* Bits by group and bin: it may hold a rank. NULL: no values were counted in bins. */
	uint64_t (*wanted)[VALUE_BINS / 64];
};

static int64_t
key_of(const struct quantile_search *search, int64_t value)
{
	double real;
	if (search->measure != MEASURE_VALUE) {
		return value;
	}
	memcpy(&real, &value, sizeof real);
	return real_key(real);
}

/* The two positions that a quantile lies between, as numpy finds them; returns how far between. */
static double
positions_of(unsigned quantile, uint64_t n, uint64_t positions[2])
{
	double position = shares[quantile] * (double)(n - 1), whole = floor(position);
	positions[0] = (uint64_t)whole < n ? (uint64_t)whole : n - 1;
	positions[1] = positions[0] + 1 < n ? positions[0] + 1 : n - 1;
	return position - whole;
}

static uint64_t
group_n(const struct quantile_search *search, uint32_t group)
{
	const struct sums *sums = search->sums;
	return (uint64_t)(search->measure == MEASURE_VALUE
	                      ? sums->values[group].n
	                      : sums->totals.measures[search->measure][group].n);
}

static struct rank_task *
task_add(struct task_list *list)
{
	MEM_GROW(list->tasks, list->capacity, list->n + 1);
	struct rank_task *task = &list->tasks[list->n++];
	*task = (struct rank_task){0};
	return task;
}

static void
add_rank(struct rank_task *task, uint64_t rank)
{
	unsigned at = task->n_ranks;
	while (at > 0 && task->ranks[at - 1] > rank) {
		at--;
	}
	if (at > 0 && task->ranks[at - 1] == rank) {
		return;
	}
	memmove(task->ranks + at + 1, task->ranks + at, (task->n_ranks - at) * sizeof *task->ranks);
	task->ranks[at] = rank;
	task->n_ranks++;
}

/* One task for each group that has values. */
static void
begin_tasks(struct quantile_search *search)
{
	const struct sums *sums = search->sums;
	for (uint32_t group = 0; group < sums->table.n_groups; group++) {
		uint64_t n = group_n(search, group), positions[2];
		if (n == 0) {
			continue;
		}
		struct rank_task *task = task_add(&search->tasks);
		task->group = group;
		task->n = n;
		if (search->measure == MEASURE_VALUE) {
			task->lo = real_key(sums->values[group].min);
			task->hi = real_key(sums->values[group].max);
		} else {
			task->lo = sums->totals.measures[search->measure][group].min;
			task->hi = sums->totals.measures[search->measure][group].max;
		}
		for (unsigned q = 0; q < QUANTILES; q++) {
			if (sums->quantiles[search->measure] >> q & 1) {
				positions_of(q, n, positions);
				add_rank(task, positions[0]);
				add_rank(task, positions[1]);
			}
		}
	}
}

static void
note_found(struct quantile_search *search, uint32_t group, uint64_t rank, int64_t key)
{
	uint64_t n = group_n(search, group), positions[2];
	int64_t *found = search->found + (size_t)group * RANKS;
	for (unsigned q = 0; q < QUANTILES; q++) {
		positions_of(q, n, positions);
		for (int i = 0; i < 2; i++) {
			if (positions[i] == rank) { /* others' are being found, too */
				found[2 * q + (unsigned)i] = key;
			}
		}
	}
}

static unsigned
shift_of(int64_t lo, int64_t hi)
{
	uint64_t span = (uint64_t)hi - (uint64_t)lo;
	unsigned shift = 0;
	while (span >> shift >= BINS) {
		shift++;
	}
	return shift;
}

/* Drops tasks whose values are all alike, and chooses what the next pass does. */
static void
plan_pass(struct quantile_search *search)
{
	struct task_list *list = &search->tasks;
	size_t kept = 0, gather_limit = search->sums->plan.gather_limit;
	size_t bins_limit = gather_limit / search->n_threads; /* each has bins of its own */
	search->n_gathered = search->n_bins = 0;
	for (size_t i = 0; i < list->n; i++) {
		struct rank_task task = list->tasks[i];
		if (task.lo == task.hi) {
			for (unsigned r = 0; r < task.n_ranks; r++) {
				note_found(search, task.group, task.ranks[r], task.lo);
			}
			continue;
		}
		task.state = TASK_WAITS;
		if (task.n <= gather_limit - search->n_gathered) {
			task.state = TASK_GATHERS;
			task.first = search->n_gathered;
			search->n_gathered += task.n;
		} else if (task.n > gather_limit &&
		           (search->n_bins == 0 || search->n_bins + BINS <= bins_limit)) {
			task.state = TASK_COUNTS;
			task.shift = shift_of(task.lo, task.hi);
			task.first = search->n_bins;
			search->n_bins += BINS;
		}
		list->tasks[kept++] = task;
	}
	list->n = kept;
	uint32_t n_groups = search->sums->table.n_groups;
	for (size_t group = 0, i = 0; group <= n_groups; group++) {
		while (i < kept && list->tasks[i].group < group) {
			i++;
		}
		search->first_tasks[group] = i;
	}
}

static void
find_value(struct quantile_search *search, struct finder *finder, uint32_t group, int64_t key)
{
	if (search->wanted) { /* few bins are, but each may have a task */
		unsigned bin = value_bin((uint64_t)key);
		if (!(search->wanted[group][bin / 64] >> bin % 64 & 1)) {
			return;
		}
	}
	for (size_t i = search->first_tasks[group]; i < search->first_tasks[group + 1]; i++) {
		const struct rank_task *task = &search->tasks.tasks[i];
		if (key < task->lo || key > task->hi) {
			continue;
		}
		if (task->state == TASK_COUNTS) {
			finder->bins[task->first +
			             (((uint64_t)key - (uint64_t)task->lo) >> task->shift)]++;
		} else if (task->state == TASK_GATHERS && finder->n_values < search->n_gathered) {
			if (finder->n_values == finder->capacity) {
				MEM_GROW(finder->values, finder->capacity, finder->n_values + 1);
			}
			finder->values[finder->n_values++] = (struct found_value){key, i};
		}
		return;
	}
}

static int
pass_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct quantile_search *search = user;
	struct finder *finder = &search->finders[view->thread];
	struct sums_thread *thread = finder->thread;
	enum filter_verdict verdict = filter_open(thread->filter_state, view);
	(void)slot;
	while (verdict != FILTER_NONE && block_view_next(view)) {
		const uint16_t *rows;
		uint32_t n = 0;
		if (sums_thread_rows(thread, view, verdict, &search->sums->table, err)) {
			return -1;
		}
		if (thread->plan->has_calls && sums_take_calls(thread, view, false, err)) {
			return -1;
		}
		if (thread->n_rows == 0) {
			continue;
		}
		struct row_integers integers =
		    sums_thread_measure(thread, view, search->measure, &rows, &n);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t row = rows ? rows[i] : i, group = thread->groups[row];
			int64_t key = key_of(search, integers.values[row]);
			if (group != GROUP_NONE) {
				find_value(search, finder, group, key);
			}
		}
	}
	return 0;
}

static int
solve_tasks(void *user, size_t item, unsigned thread, struct err *err)
{
	struct quantile_search *search = user;
	size_t end = LEAST((item + 1) * SOLVE_TASKS, search->tasks.n);
	(void)thread;
	(void)err;
	for (size_t i = item * SOLVE_TASKS; i < end; i++) {
		const struct rank_task *task = &search->tasks.tasks[i];
		size_t ranks[RANKS];
		if (task->state != TASK_GATHERS) {
			continue;
		}
		for (unsigned r = 0; r < task->n_ranks; r++) {
			ranks[r] = (size_t)(task->ranks[r] - task->below);
		}
		select_ranks(search->keys + task->first, task->n, ranks, task->n_ranks);
		for (unsigned r = 0; r < task->n_ranks; r++) {
			note_found(search, task->group, task->ranks[r],
			           search->keys[task->first + ranks[r]]);
		}
	}
	return 0;
}

/* Brings the gathered values together by task. False: there are not as many as there were. */
static bool
sort_gathered(struct quantile_search *search)
{
	size_t *fills = xcalloc(search->tasks.n, sizeof *fills), n = 0;
	bool is_complete = true;
	search->keys = xrealloc_array(search->keys, search->n_gathered, sizeof *search->keys);
	for (unsigned t = 0; t < search->n_threads; t++) {
		struct finder *finder = &search->finders[t];
		for (size_t i = 0; i < finder->n_values && is_complete; i++) {
			const struct rank_task *task = &search->tasks.tasks[finder->values[i].task];
			is_complete = fills[finder->values[i].task] < task->n;
			if (is_complete) {
				search->keys[task->first + fills[finder->values[i].task]++] =
				    finder->values[i].key;
			}
		}
		n += finder->n_values;
		finder->n_values = 0;
	}
	free(fills);
	return is_complete && n == search->n_gathered;
}

/* Of a task's values so many lie in first ... last, more than `below` others: a task of its own if
 * any of its ranks does. */
static void
split_off(const struct rank_task *task, struct task_list *out, uint64_t n, uint64_t below,
          int64_t first, int64_t last)
{
	struct rank_task part = {.group = task->group, .n = n, .below = below};

	for (unsigned r = 0; r < task->n_ranks; r++) {
		if (task->ranks[r] >= below && task->ranks[r] < below + n) {
			part.ranks[part.n_ranks++] = task->ranks[r];
		}
	}
	if (part.n_ranks > 0) {
		part.lo = MOST(first, task->lo);
		part.hi = LEAST(last, task->hi);
		*task_add(out) = part;
	}
}

/* Turns a counted task into one for each bin that holds ranks. */
static void
split_task(struct quantile_search *search, const struct rank_task *task, struct task_list *out)
{
	const uint64_t *bins = search->finders[0].bins + task->first;
	uint64_t below = task->below, width = UINT64_C(1) << task->shift;
	uint64_t first = (uint64_t)task->lo;

	for (uint32_t bin = 0; bin < BINS; below += bins[bin], bin++, first += width) {
		uint64_t left = (uint64_t)task->hi - first;
		split_off(task, out, bins[bin], below, (int64_t)first,
		          (int64_t)(first + LEAST(left, width - 1)));
		if (left < width) {
			break;
		}
	}
}

/* The same by the bins of the pass that made the sums. */
static void
split_counted(struct quantile_search *search, const struct value_counts *counts)
{
	struct task_list parts = {0};

	for (size_t i = 0; i < search->tasks.n; i++) {
		const struct rank_task *task = &search->tasks.tasks[i];
		uint64_t below = 0;
		for (unsigned bin = 0; bin < VALUE_BINS && task->group < counts->n_bin_groups;
		     bin++) {
			uint32_t n = counts->bins[(size_t)task->group * VALUE_BINS + bin];
			int64_t last, first = value_bin_first(bin, &last);
			split_off(task, &parts, n, below, first, last);
			below += n;
		}
	}
	free(search->tasks.tasks);
	search->tasks = parts;
	MEM_NEW(search->wanted, search->sums->table.n_groups);
	for (size_t i = 0; i < parts.n; i++) {
		unsigned bin = value_bin((uint64_t)parts.tasks[i].lo);
		search->wanted[parts.tasks[i].group][bin / 64] |= UINT64_C(1) << bin % 64;
	}
}

/* After a pass: solves what was gathered, splits what was counted, keeps the rest. */
static int
finish_pass(struct quantile_search *search, struct err *err)
{
	struct task_list next = {0};
	if (!sort_gathered(search)) {
		return err_set(err, ERR_CHANGED,
		               "the run has changed while it was read: reopen it");
	}
	size_t n_items = (search->tasks.n + SOLVE_TASKS - 1) / SOLVE_TASKS;
	if (search->n_gathered > 0 && workers_run(search->n_threads, n_items, solve_tasks, search,
	                                          search->sums->plan.cancel, err) < 0) {
		return -1;
	}
	for (unsigned t = 1; t < search->n_threads; t++) {
		for (size_t i = 0; i < search->n_bins; i++) {
			search->finders[0].bins[i] += search->finders[t].bins[i];
		}
	}
	for (size_t i = 0; i < search->tasks.n; i++) {
		const struct rank_task *task = &search->tasks.tasks[i];
		if (task->state == TASK_COUNTS) {
			split_task(search, task, &next);
		} else if (task->state == TASK_WAITS) {
			*task_add(&next) = *task;
		}
	}
	free(search->tasks.tasks);
	search->tasks = next;
	return 0;
}

static int
run_pass(struct quantile_search *search, struct block_loop *loop, struct err *err)
{
	for (unsigned t = 0; t < search->n_threads; t++) {
		struct finder *finder = &search->finders[t];
		free(finder->bins);
		MEM_NEW(finder->bins, search->n_bins);
	}
	return block_loop_run(loop, err) != 0 ? -1 : finish_pass(search, err);
}

static double
value_of_key(const struct quantile_search *search, int64_t key)
{
	double real;
	if (search->measure != MEASURE_VALUE) {
		return (double)key;
	}
	key = real_to_key(key); /* its own inverse */
	memcpy(&real, &key, sizeof real);
	return real;
}

static double *
interpolate(const struct quantile_search *search)
{
	uint32_t n_groups = search->sums->table.n_groups;
	double *values = xcalloc(n_groups, QUANTILES * sizeof *values);
	for (uint32_t group = 0; group < n_groups; group++) {
		uint64_t n = group_n(search, group), positions[2];
		for (unsigned q = 0; q < QUANTILES; q++) {
			double *value = &values[(size_t)group * QUANTILES + q];
			const int64_t *found = search->found + (size_t)group * RANKS + 2 * q;
			*value = NAN;
			if (n > 0 && (search->sums->quantiles[search->measure] >> q & 1)) {
				double share = positions_of(q, n, positions);
				double a = value_of_key(search, found[0]),
				       b = value_of_key(search, found[1]);
				double difference = search->measure == MEASURE_VALUE
				                        ? b - a
				                        : (double)((__int128)found[1] - found[0]);
				*value = found[0] == found[1]
				             ? a
				             : quantile_between(a, b, difference, share);
			}
		}
	}
	return values;
}

/* The values were counted in the pass that made the sums: what is at the ranks follows. */
static void
solve_counted(struct quantile_search *search, struct value_counts *counts)
{
	size_t at = 0;
	value_counts_sort(counts);
	for (size_t i = 0; i < search->tasks.n; i++) {
		const struct rank_task *task = &search->tasks.tasks[i];
		uint64_t below = 0;
		unsigned r = 0;
		while (at < counts->n_used && counts->entries[at].group < task->group) {
			at++;
		}
		for (; at < counts->n_used && counts->entries[at].group == task->group; at++) {
			int64_t key = counts->entries[at].key;
			if (key < task->lo || key > task->hi) {
				continue; /* NaN */
			}
			below += counts->entries[at].n;
			while (r < task->n_ranks && task->ranks[r] < below) {
				note_found(search, task->group, task->ranks[r++], key);
			}
		}
	}
}

static int
run_passes(struct quantile_search *search, struct err *err)
{
	const struct sums_plan *plan = &search->sums->plan;
	_Atomic uint64_t n_groups = 0;
	struct block_loop loop = sums_plan_loop(plan, search, pass_block);
	int result = 0;
	search->n_threads = block_loop_threads(&loop);
	MEM_NEW(search->finders, search->n_threads);
	MEM_NEW(search->first_tasks, (size_t)search->sums->table.n_groups + 1);
	for (unsigned t = 0; t < search->n_threads; t++) {
		search->finders[t].thread = sums_thread_new(plan, &n_groups);
	}
	loop.filters = &search->finders[0].thread->filter_state;
	for (plan_pass(search); search->tasks.n > 0 && result == 0; plan_pass(search)) {
		result = run_pass(search, &loop, err);
	}
	for (unsigned t = 0; t < search->n_threads; t++) {
		sums_thread_free(search->finders[t].thread);
		free(search->finders[t].bins);
		free(search->finders[t].values);
	}
	free(search->finders);
	free(search->first_tasks);
	free(search->keys);
	return result;
}

static int
search_measure(struct sums *sums, enum measure measure, struct err *err)
{
	struct quantile_search search = {.sums = sums, .measure = measure};
	int result = 0;
	search.found = xcalloc(sums->table.n_groups, RANKS * sizeof *search.found);
	begin_tasks(&search);
	if (sums->counts[measure].bins) {
		split_counted(&search, &sums->counts[measure]);
	}
	if (sums->counts[measure].bins || sums->counts[measure].is_abandoned) {
		result = run_passes(&search, err);
	} else {
		solve_counted(&search, &sums->counts[measure]);
	}
	if (result == 0) {
		sums->quantile_values[measure] = interpolate(&search);
	}
	free(search.found);
	free(search.wanted);
	free(search.tasks.tasks);
	return result;
}

int
sums_quantiles(struct sums *sums, struct err *err)
{
	for (int m = 0; m < MEASURES; m++) {
		if (sums->quantiles[m] && sums->plan.parts[m] &&
		    search_measure(sums, (enum measure)m, err) < 0) {
			return -1;
		}
	}
	return 0;
}
