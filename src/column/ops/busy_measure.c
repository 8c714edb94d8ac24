/*
 * From the unions of a window's cells to busy and hidden time of groups.
 *
 * A thread's span is hidden where another thread of its process computes. Of each process it is
 * known where at least one thread computes and where at least two do; so for a thread that computes
 * itself, that is where two do, and where one does that is not this one. What several threads and
 * processes of a group have hidden is united as their busy time is.
 *
 * Work is shared out by group and by slices of the window: times of slices add up, whoever measured
 * them. Slices are so many that the lists of one stay in the processor's cache.
 */
#include "config.h"
#include "column/ops/busy_private.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define SLICE_INTERVALS 4096 /* of a group in a slice, where they are spread evenly */
#define SLICES_MAX 65536

/* What hides, of one process. */
struct hiding {
	struct intervals one, two; /* where at least so many threads compute */
};

struct measurement {
	const struct busy_measuring *measuring;
	struct intervals *computing; /* by thread; owned */
	struct hiding *hiding;       /* by process */
	uint32_t *members, *firsts;  /* threads that compute, by process */
	size_t n_slices;
	_Atomic int64_t *busy_ns, *hidden_ns; /* by group */
};

/* A new list of what two have, or of what one of them has, or of what the first has and the second
 * has not. */
typedef size_t (*combination)(const struct interval *a, size_t n_a, const struct interval *b,
                              size_t n_b, struct interval *out);

static struct intervals
combine(combination how, struct intervals a, struct intervals b)
{
	struct intervals out = {.all = xmalloc((a.n + b.n) * sizeof(struct interval))};

	out.n = how(a.all, a.n, b.all, b.n, out.all);
	return out;
}

/* As combine, and a is freed. */
static struct intervals
combine_into(combination how, struct intervals a, struct intervals b)
{
	struct intervals out = combine(how, a, b);

	free(a.all);
	return out;
}

/* Part of a list between two instants: copied, its ends cut. */
static struct intervals
slice_of_list(struct intervals list, int64_t from, int64_t to)
{
	struct interval whole = {from, to};

	return combine(intervals_intersect, (struct intervals){&whole, 1},
	               intervals_within(list, from, to));
}

static void
collect_computing(struct measurement *measurement)
{
	const struct busy_measuring *measuring = measurement->measuring;
	const struct busy_side *beside = measuring->beside;

	for (uint32_t cell = 0; cell < beside->table.n_groups; cell++) {
		uint32_t lane = measuring->beside_lane_of_cell[cell];
		if (lane != UINT32_MAX && beside->unions[cell].n > 0) {
			struct intervals *of =
			    &measurement->computing[measuring->lanes->threads[lane]];
			*of = combine_into(intervals_merge, *of, beside->unions[cell]);
		}
	}
}

static void
list_members(struct measurement *measurement)
{
	const struct busy_lanes *lanes = measurement->measuring->lanes;
	uint32_t *firsts = xcalloc((size_t)lanes->n_processes + 2, sizeof *firsts);

	for (uint32_t t = 0; t < lanes->n_threads; t++) {
		firsts[lanes->process_of_thread[t] + 2] += measurement->computing[t].n > 0;
	}
	for (uint32_t p = 2; p < lanes->n_processes + 2; p++) {
		firsts[p] += firsts[p - 1];
	}
	MEM_NEW(measurement->members, (size_t)lanes->n_threads + 1);
	for (uint32_t t = 0; t < lanes->n_threads; t++) {
		if (measurement->computing[t].n > 0) {
			measurement->members[firsts[lanes->process_of_thread[t] + 1]++] = t;
		}
	}
	measurement->firsts = firsts;
}

static struct hiding
hide(const struct measurement *measurement, uint32_t first, uint32_t n)
{
	if (n == 1) {
		struct intervals only = measurement->computing[measurement->members[first]];
		return (struct hiding){.one = combine(intervals_merge, only, (struct intervals){0}),
		                       .two = {0}};
	}
	struct hiding a = hide(measurement, first, n / 2);
	struct hiding b = hide(measurement, first + n / 2, n - n / 2);
	struct intervals both = combine(intervals_intersect, a.one, b.one);
	struct hiding joined = {.one = combine_into(intervals_merge, a.one, b.one)};
	joined.two =
	    combine_into(intervals_merge, combine_into(intervals_merge, a.two, b.two), both);
	free(b.one.all);
	free(b.two.all);
	free(both.all);
	return joined;
}

static int
hide_process(void *user, size_t item, unsigned thread, struct err *err)
{
	struct measurement *measurement = user;
	uint32_t first = measurement->firsts[item], end = measurement->firsts[item + 1];

	(void)thread;
	(void)err;
	if (end > first) {
		measurement->hiding[item] = hide(measurement, first, end - first);
	}
	return 0;
}

/* What two lists have in common: a new one. The first may be of few intervals, the second of
 * many. */
static struct intervals
common(struct intervals few, struct intervals many)
{
	struct intervals near = intervals_near(many, few);
	struct intervals both = combine(intervals_intersect, few, near);

	free(near.all);
	return both;
}

/* What of a thread's busy time is hidden. */
static struct intervals
hidden_of(const struct measurement *measurement, uint32_t thread, struct intervals busy)
{
	uint32_t process = measurement->measuring->lanes->process_of_thread[thread];
	const struct hiding *hiding = &measurement->hiding[process];
	struct intervals own = common(busy, measurement->computing[thread]);
	struct intervals hidden = common(busy, hiding->one);

	if (own.n > 0 && hidden.n > 0) {
		struct intervals two = common(busy, hiding->two);
		hidden = combine_into(intervals_without, hidden, own);
		hidden = combine_into(intervals_merge, hidden, two);
		free(two.all);
	}
	free(own.all);
	return hidden;
}

static int64_t
length_of_all(struct intervals *lists, size_t n)
{
	struct intervals all = intervals_merge_all(lists, n);
	int64_t length = intervals_length(all.all, all.n);

	free(all.all);
	return length;
}

static uint32_t
thread_of_cell(const struct busy_measuring *measuring, uint32_t i)
{
	uint32_t lane = measuring->lane_of_cell[measuring->order[i]];

	return lane == UINT32_MAX ? UINT32_MAX : measuring->lanes->threads[lane];
}

static int64_t
slice_begin(const struct measurement *measurement, size_t slice)
{
	const struct busy_measuring *measuring = measurement->measuring;
	unsigned __int128 width = (uint64_t)measuring->end_ns - (uint64_t)measuring->first_ns;

	return (int64_t)((uint64_t)measuring->first_ns +
	                 (uint64_t)(width * slice / measurement->n_slices));
}

static int
measure_item(void *user, size_t item, unsigned worker, struct err *err)
{
	const struct measurement *measurement = user;
	const struct busy_measuring *measuring = measurement->measuring;
	size_t group = item / measurement->n_slices, slice = item % measurement->n_slices;
	int64_t from = slice_begin(measurement, slice), to = slice_begin(measurement, slice + 1);
	struct busy_cells cells = measuring->cells[group];
	struct intervals *busy = xcalloc((size_t)(cells.end - cells.first) + 1, sizeof *busy);
	struct intervals *hidden = xcalloc((size_t)(cells.end - cells.first) + 1, sizeof *hidden);
	size_t n_busy = 0, n_hidden = 0;

	(void)worker;
	(void)err;
	for (uint32_t i = cells.first, end; i < cells.end; i = end) {
		uint32_t thread = thread_of_cell(measuring, i);
		struct intervals of_thread = {0};
		for (end = i; end < cells.end && thread_of_cell(measuring, end) == thread; end++) {
			struct intervals part =
			    slice_of_list(measuring->side->unions[measuring->order[end]], from, to);
			if (of_thread.n == 0) {
				free(of_thread.all);
				of_thread = part;
			} else {
				of_thread = combine_into(intervals_merge, of_thread, part);
				free(part.all);
			}
		}
		if (of_thread.n > 0 && measuring->beside && thread != UINT32_MAX) {
			hidden[n_hidden++] = hidden_of(measurement, thread, of_thread);
		}
		busy[n_busy++] = of_thread;
	}
	atomic_fetch_add_explicit(&measurement->busy_ns[group], length_of_all(busy, n_busy),
	                          memory_order_relaxed);
	atomic_fetch_add_explicit(&measurement->hidden_ns[group], length_of_all(hidden, n_hidden),
	                          memory_order_relaxed);
	free(busy);
	free(hidden);
	return 0;
}

static int
prepare_hiding(struct measurement *measurement, struct err *err)
{
	const struct busy_measuring *measuring = measurement->measuring;
	const struct busy_lanes *lanes = measuring->lanes;

	MEM_NEW(measurement->computing, (size_t)lanes->n_threads + 1);
	MEM_NEW(measurement->hiding, (size_t)lanes->n_processes + 1);
	if (!measuring->beside || measuring->side->table.n_groups == 0) {
		return 0;
	}
	collect_computing(measurement);
	list_members(measurement);
	return workers_run(measuring->n_threads, lanes->n_processes, hide_process, measurement,
	                   measuring->cancel, err);
}

static void
measurement_fini(struct measurement *measurement)
{
	const struct busy_lanes *lanes = measurement->measuring->lanes;

	for (uint32_t t = 0; t < lanes->n_threads; t++) {
		free(measurement->computing[t].all);
	}
	for (uint32_t p = 0; p < lanes->n_processes; p++) {
		free(measurement->hiding[p].one.all);
		free(measurement->hiding[p].two.all);
	}
	free(measurement->computing);
	free(measurement->hiding);
	free(measurement->members);
	free(measurement->firsts);
	free((void *)measurement->busy_ns);
	free((void *)measurement->hidden_ns);
}

static size_t
choose_slices(const struct busy_measuring *measuring)
{
	size_t n = 0;

	for (uint32_t cell = 0; cell < measuring->side->table.n_groups; cell++) {
		n += measuring->side->unions[cell].n;
	}
	n /= SLICE_INTERVALS * (measuring->n_groups + 1);
	return n < 1 ? 1 : LEAST(SLICES_MAX, n);
}

int
busy_measure(const struct busy_measuring *measuring, struct err *err)
{
	struct measurement measurement = {.measuring = measuring,
	                                  .n_slices = choose_slices(measuring)};

	MEM_NEW(measurement.busy_ns, measuring->n_groups + 1);
	MEM_NEW(measurement.hidden_ns, measuring->n_groups + 1);
	int status = prepare_hiding(&measurement, err);
	if (status == 0) {
		status =
		    workers_run(measuring->n_threads, measuring->n_groups * measurement.n_slices,
		                measure_item, &measurement, measuring->cancel, err);
	}
	for (size_t g = 0; g < measuring->n_groups && status == 0; g++) {
		struct busy_group *group = &measuring->groups[g];
		time_raise(&group->busy_ns, measurement.busy_ns[g]);
		time_raise(&group->hidden_ns, measurement.hidden_ns[g]);
	}
	measurement_fini(&measurement);
	return status;
}
