/*
 * From the unions of a window's cells to busy and hidden time of groups.
 *
 * A thread's span is hidden where another thread of its process computes. Each process has one
 * list of stretches, which tell which thread computes there if only one does; so what of a span is
 * hidden is found by one look into it. What several threads and processes of a group have hidden is
 * united as their busy time is. So is what the groups of the next level have: only the deepest
 * one's are made of cells.
 *
 * What limits, of 1.2 million spans in 300 000 cells: nothing by itself. Cells and their lists lie
 * all over the memory, so that reading, uniting, measuring and summing them wait for it alike.
 *
 * Work is shared out by group of the first level and by slices of the window: times of slices add
 * up, whoever measured them. Slices are so many that the lists of one stay in the processor's
 * cache.
 */
#include "config.h"
#include "column/ops/beside.h"
#include "column/ops/busy_private.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define SLICE_INTERVALS 8192 /* of a group in a slice, where they are spread evenly */
#define SLICES_MAX 65536
#define FEW_PARTS 16
#define FETCHED 16u

struct measurement {
	const struct busy_measuring *measuring;
	struct intervals *computing; /* by thread; owned */
	struct beside *hiding;       /* by process: where its threads, by number, compute */
	uint32_t *members, *firsts;  /* threads that compute, by process */
	size_t n_slices, n_firsts;   /* groups of the first level, which stand first */
	/* by group: the first of its own on the next level, which end where the next one's begin */
	size_t *children;
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

static int
hide_process(void *user, size_t item, unsigned thread, struct err *err)
{
	struct measurement *measurement = user;
	uint32_t first = measurement->firsts[item], end = measurement->firsts[item + 1];

	(void)thread;
	(void)err;
	struct intervals *lists = xcalloc((size_t)(end - first) + 1, sizeof *lists);
	for (uint32_t i = first; i < end; i++) {
		lists[i - first] = measurement->computing[measurement->members[i]];
	}
	beside_init(&measurement->hiding[item], lists, measurement->members + first, end - first);
	free(lists);
	return 0;
}

/* The spans of a cell lie all over the run: where the next ones are looked up is fetched at once. */
static void
fetch_stretches(const struct beside *hiding, const struct interval *spans, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		beside_prefetch_place(hiding, spans[i].start);
	}
	for (size_t i = 0; i < n; i++) {
		beside_prefetch(hiding, spans[i].start);
	}
}

/* What of a thread's busy time is hidden. */
static struct intervals
hidden_of(const struct measurement *measurement, uint32_t thread, struct intervals busy)
{
	uint32_t process = measurement->measuring->lanes->process_of_thread[thread];
	const struct beside *hiding = &measurement->hiding[process];
	struct intervals hidden = {NULL, 0};
	size_t capacity = 0, first = 0;

	for (size_t i = 0; i < busy.n; i++) {
		struct interval span = busy.all[i];
		if (i % FETCHED == 0) {
			fetch_stretches(hiding, busy.all + i, LEAST(FETCHED, busy.n - i));
		}
		first = i == 0 ? beside_find(hiding, span.start)
		               : beside_find_from(hiding, first, span.start);
		for (size_t at = first; at < hiding->n && hiding->all[at].start_ns < span.end;
		     at++) {
			int64_t start = MOST(hiding->all[at].start_ns, span.start);
			int64_t end = LEAST(hiding->all[at].end_ns, span.end);
			if (hiding->all[at].lane == thread) {
				continue;
			}
			if (hidden.n > 0 && hidden.all[hidden.n - 1].end == start) {
				hidden.all[hidden.n - 1].end = end;
				continue;
			}
			MEM_GROW(hidden.all, capacity, hidden.n + 1);
			hidden.all[hidden.n++] = (struct interval){start, end};
		}
	}
	return hidden;
}

static int64_t
slice_begin(const struct measurement *measurement, size_t slice)
{
	const struct busy_measuring *measuring = measurement->measuring;
	unsigned __int128 width = (uint64_t)measuring->end_ns - (uint64_t)measuring->first_ns;

	return (int64_t)((uint64_t)measuring->first_ns +
	                 (uint64_t)(width * slice / measurement->n_slices));
}

/* Lists of a group in a slice; the caller's. */
struct busy_lists {
	struct intervals busy, hidden;
};

static struct busy_lists
measure_cell(const struct measurement *measurement, uint32_t cell, int64_t from, int64_t to)
{
	const struct busy_measuring *measuring = measurement->measuring;
	uint32_t lane = measuring->lane_of_cell[cell];
	struct intervals *list = &measuring->side->unions[cell];
	struct busy_lists measured = {.busy = *list};

	if (measurement->n_slices == 1 && list->n > 0 && list->all[0].start >= from &&
	    list->all[list->n - 1].end <= to) {
		*list = (struct intervals){NULL, 0}; /* nobody else needs it */
	} else {
		measured.busy = slice_of_list(*list, from, to);
	}

	if (measured.busy.n > 0 && measuring->beside && lane != UINT32_MAX) {
		measured.hidden =
		    hidden_of(measurement, measuring->lanes->threads[lane], measured.busy);
	}
	return measured;
}

static struct busy_lists
measure_group(const struct measurement *measurement, size_t group, int64_t from, int64_t to)
{
	const struct busy_measuring *measuring = measurement->measuring;
	struct busy_cells cells = measuring->cells[group];
	bool is_deepest = cells.level + 1 == measuring->n_levels;
	size_t first = is_deepest ? cells.first : measurement->children[group];
	size_t n = (is_deepest ? cells.end : measurement->children[group + 1]) - first;
	struct intervals few[2 * FEW_PARTS]; /* most groups are of few */
	struct intervals *busy = n > FEW_PARTS ? xcalloc(n, 2 * sizeof *busy) : few;
	struct intervals *hidden = busy + n;
	struct busy_lists all;

	for (size_t i = 0; i < n; i++) {
		struct busy_lists part =
		    is_deepest ? measure_cell(measurement, measuring->order[first + i], from, to)
			       : measure_group(measurement, first + i, from, to);
		busy[i] = part.busy;
		hidden[i] = part.hidden;
	}
	all.busy = intervals_merge_all(busy, n);
	all.hidden = intervals_merge_all(hidden, n);
	if (busy != few) {
		free(busy);
	}
	atomic_fetch_add_explicit(&measurement->busy_ns[group],
	                          intervals_length(all.busy.all, all.busy.n), memory_order_relaxed);
	atomic_fetch_add_explicit(&measurement->hidden_ns[group],
	                          intervals_length(all.hidden.all, all.hidden.n),
	                          memory_order_relaxed);
	return all;
}

static int
measure_item(void *user, size_t item, unsigned worker, struct err *err)
{
	const struct measurement *measurement = user;
	size_t group = item / measurement->n_slices, slice = item % measurement->n_slices;

	(void)worker;
	(void)err;
	struct busy_lists measured =
	    measure_group(measurement, group, slice_begin(measurement, slice),
	                  slice_begin(measurement, slice + 1));
	free(measured.busy.all);
	free(measured.hidden.all);
	return 0;
}

/* Groups stand level by level, and within a level in the order of their cells, of which each level
 * has all. */
static void
find_children(struct measurement *measurement)
{
	const struct busy_measuring *measuring = measurement->measuring;
	size_t n_groups = measuring->n_groups, n_cells = measuring->side->table.n_groups;
	size_t child = 0;

	MEM_NEW(measurement->children, n_groups + 1);
	for (size_t g = 0; g < n_groups; g++) {
		child = MOST(g + 1, child); /* of no cells, too, which all begin at 0 */
		while (child < n_groups &&
		       measuring->cells[child].first < measuring->cells[g].first + n_cells) {
			child++;
		}
		measurement->children[g] = child;
		measurement->n_firsts += measuring->cells[g].level == 0;
	}
	measurement->children[n_groups] = n_groups;
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
		beside_fini(&measurement->hiding[p]);
	}
	free(measurement->computing);
	free(measurement->hiding);
	free(measurement->children);
	free(measurement->members);
	free(measurement->firsts);
	free((void *)measurement->busy_ns);
	free((void *)measurement->hidden_ns);
}

static size_t
choose_slices(const struct measurement *measurement)
{
	const struct busy_measuring *measuring = measurement->measuring;
	size_t n = 0;

	for (uint32_t cell = 0; cell < measuring->side->table.n_groups; cell++) {
		n += measuring->side->unions[cell].n;
	}
	n /= SLICE_INTERVALS * (measurement->n_firsts + 1);
	return n < 1 ? 1 : LEAST(SLICES_MAX, n);
}

int
busy_measure(const struct busy_measuring *measuring, struct err *err)
{
	struct measurement measurement = {.measuring = measuring};

	find_children(&measurement);
	measurement.n_slices = choose_slices(&measurement);
	MEM_NEW(measurement.busy_ns, measuring->n_groups + 1);
	MEM_NEW(measurement.hidden_ns, measuring->n_groups + 1);
	int status = prepare_hiding(&measurement, err);
	if (status == 0) {
		status =
		    workers_run(measuring->n_threads, measurement.n_firsts * measurement.n_slices,
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
