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
 * cache. Lists of groups are put into piles of the worker's, which it uses again and again: of what
 * they take by themselves a fifth was the C library's search for memory of their sizes.
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
#define FETCHED 16u

/* Lists of intervals, one behind another. */
struct pile {
	struct interval *all;
	size_t n, capacity;
	size_t *ends; /* of the lists */
	size_t n_lists, ends_capacity;
};

/* What a worker makes lists in: of the groups of each level that one of the level above is made of,
 * and, behind the deepest, of a group's cells. */
struct measuring_level {
	struct pile busy, hidden;
	struct intervals *parts;
	size_t parts_capacity;
};
struct measuring_worker {
	struct measuring_level levels[SCAN_DIMENSIONS + 2];
	struct pile scratch[2];
};

struct measurement {
	const struct busy_measuring *measuring;
	struct measuring_worker *workers;
	struct intervals *computing; /* by thread; owned */
	struct beside *hiding;       /* by process: where its threads, by number, compute */
	uint32_t *members, *firsts;  /* threads that compute, by process */
	size_t n_slices, n_firsts;   /* groups of the first level, which stand first */
	/* by group: the first of its own on the next level, which end where the next one's begin */
	size_t *children;
	_Atomic int64_t *busy_ns, *hidden_ns; /* by group */
};

/* A new list of both; a is freed. */
static struct intervals
merge_into(struct intervals a, struct intervals b)
{
	struct intervals out = {.all = xmalloc((a.n + b.n) * sizeof(struct interval))};

	out.n = intervals_merge(a.all, a.n, b.all, b.n, out.all);
	free(a.all);
	return out;
}

/* Room for n intervals behind its last list. */
static struct interval *
pile_room(struct pile *pile, size_t n)
{
	MEM_GROW(pile->all, pile->capacity, pile->n + n + 1);
	return pile->all + pile->n;
}

/* What was put there, n intervals, is a list. */
static void
pile_end_list(struct pile *pile, size_t n)
{
	MEM_GROW(pile->ends, pile->ends_capacity, pile->n_lists + 1);
	pile->n += n;
	pile->ends[pile->n_lists++] = pile->n;
}

static struct intervals
pile_list(const struct pile *pile, size_t i)
{
	size_t first = i > 0 ? pile->ends[i - 1] : 0;

	return (struct intervals){pile->all + first, pile->ends[i] - first};
}

static void
pile_clear(struct pile *pile)
{
	pile->n = pile->n_lists = 0;
}

static void
pile_free(struct pile *pile)
{
	free(pile->all);
	free(pile->ends);
}

static void
collect_computing(struct measurement *measurement)
{
	const struct busy_measuring *measuring = measurement->measuring;
	const struct busy_side *beside = measuring->beside;

	for (uint32_t cell = 0; cell < busy_table(beside)->n_groups; cell++) {
		uint32_t lane = measuring->beside_lane_of_cell[cell];
		if (lane != UINT32_MAX && beside->unions[cell].n > 0) {
			struct intervals *of =
			    &measurement->computing[measuring->lanes->threads[lane]];
			*of = merge_into(*of, beside->unions[cell]);
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

/* The spans of a cell lie all over the run: where the next ones are looked up is fetched. */
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

static struct interval
cut_between(struct interval span, int64_t from, int64_t to)
{
	return (struct interval){MOST(span.start, from), LEAST(span.end, to)};
}

/* Adds a list to the pile: what of a thread's busy time between two instants is hidden. */
static void
hide(const struct measurement *measurement, uint32_t thread, struct intervals busy, int64_t from,
     int64_t to, struct pile *pile)
{
	uint32_t process = measurement->measuring->lanes->process_of_thread[thread];
	const struct beside *hiding = &measurement->hiding[process];
	size_t first = 0, n = 0;

	for (size_t i = 0; i < busy.n; i++) {
		struct interval span = cut_between(busy.all[i], from, to);
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
			struct interval *hidden = pile_room(pile, n + 1);
			if (n > 0 && hidden[n - 1].end == start) {
				hidden[n - 1].end = end;
			} else {
				hidden[n++] = (struct interval){start, end};
			}
		}
	}
	pile_end_list(pile, n);
}

static int64_t
slice_begin(const struct measurement *measurement, size_t slice)
{
	const struct busy_measuring *measuring = measurement->measuring;
	unsigned __int128 width = (uint64_t)measuring->end_ns - (uint64_t)measuring->first_ns;

	return (int64_t)((uint64_t)measuring->first_ns +
	                 (uint64_t)(width * slice / measurement->n_slices));
}

/* Two by two, so that each is read as seldom as can be, from one half of the scratch to the other.
 * The union of n parts, which it uses up, becomes a list of the pile, cut at two instants. */
static struct intervals
unite_parts(struct intervals *parts, size_t n, struct pile scratch[2], struct pile *pile,
            int64_t from, int64_t to)
{
	size_t n_all = 0, turn = 0;

	for (size_t i = 0; i < n; i++) {
		n_all += parts[i].n;
	}
	for (; n > 2; n = (n + 1) / 2, turn = 1 - turn) {
		pile_clear(&scratch[turn]);
		struct interval *out = pile_room(&scratch[turn], n_all);
		for (size_t i = 0; i < n; i += 2) {
			struct intervals a = parts[i];
			struct intervals b = i + 1 < n ? parts[i + 1] : (struct intervals){NULL, 0};
			parts[i / 2] =
			    (struct intervals){out, intervals_merge(a.all, a.n, b.all, b.n, out)};
			out += parts[i / 2].n;
		}
	}
	struct interval *all = pile_room(pile, n_all);
	struct intervals a = n > 0 ? parts[0] : (struct intervals){NULL, 0};
	struct intervals b = n > 1 ? parts[1] : (struct intervals){NULL, 0};
	size_t n_united = intervals_merge(a.all, a.n, b.all, b.n, all);
	if (n_united > 0) { /* they are disjoint, and all reach into the slice */
		all[0].start = MOST(all[0].start, from);
		all[n_united - 1].end = LEAST(all[n_united - 1].end, to);
	}
	pile_end_list(pile, n_united);
	return (struct intervals){all, n_united};
}

/* The group's time is the union of parts; what is hidden, that of the lists of a pile. */
static void
finish_group(const struct measurement *measurement, struct measuring_worker *worker, size_t group,
             size_t n, int64_t from, int64_t to)
{
	unsigned l = measurement->measuring->cells[group].level;
	struct measuring_level *level = &worker->levels[l], *below = &worker->levels[l + 1];
	struct intervals all =
	    unite_parts(level->parts, n, worker->scratch, &level->busy, from, to);

	atomic_fetch_add_explicit(&measurement->busy_ns[group], intervals_length(all.all, all.n),
	                          memory_order_relaxed);
	for (size_t i = 0; i < below->hidden.n_lists; i++) {
		level->parts[i] = pile_list(&below->hidden, i);
	}
	all = unite_parts(level->parts, below->hidden.n_lists, worker->scratch, &level->hidden,
	                  from, to);
	atomic_fetch_add_explicit(&measurement->hidden_ns[group], intervals_length(all.all, all.n),
	                          memory_order_relaxed);
	pile_clear(&below->busy);
	pile_clear(&below->hidden);
}

static void
measure_cells(const struct measurement *measurement, struct measuring_worker *worker, size_t group,
              int64_t from, int64_t to)
{
	const struct busy_measuring *measuring = measurement->measuring;
	struct busy_cells cells = measuring->cells[group];
	struct measuring_level *level = &worker->levels[cells.level];
	size_t n = cells.end - cells.first;

	MEM_GROW(level->parts, level->parts_capacity, n + 1);
	for (size_t i = 0; i < n; i++) {
		uint32_t cell = measuring->order[cells.first + i];
		uint32_t lane = measuring->lane_of_cell[cell];
		level->parts[i] = intervals_within(measuring->side->unions[cell], from, to);
		if (level->parts[i].n > 0 && measuring->beside && lane != UINT32_MAX) {
			hide(measurement, measuring->lanes->threads[lane], level->parts[i], from,
			     to, &level[1].hidden);
		}
	}
	finish_group(measurement, worker, group, n, from, to);
}

static void
measure_group(const struct measurement *measurement, struct measuring_worker *worker, size_t group,
              int64_t from, int64_t to)
{
	const struct busy_measuring *measuring = measurement->measuring;
	unsigned l = measuring->cells[group].level;
	struct measuring_level *level = &worker->levels[l];
	size_t first = measurement->children[group], n = measurement->children[group + 1] - first;

	if (l + 1 == measuring->n_levels) {
		measure_cells(measurement, worker, group, from, to);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		measure_group(measurement, worker, first + i, from, to);
	}
	MEM_GROW(level->parts, level->parts_capacity, n + 1);
	for (size_t i = 0; i < n; i++) {
		level->parts[i] = pile_list(&level[1].busy, i);
	}
	finish_group(measurement, worker, group, n, from, to);
}

static int
measure_item(void *user, size_t item, unsigned thread, struct err *err)
{
	const struct measurement *measurement = user;
	struct measuring_worker *worker = &measurement->workers[thread];
	size_t group = item / measurement->n_slices, slice = item % measurement->n_slices;

	(void)err;
	measure_group(measurement, worker, group, slice_begin(measurement, slice),
	              slice_begin(measurement, slice + 1));
	pile_clear(&worker->levels[0].busy);
	pile_clear(&worker->levels[0].hidden);
	return 0;
}

/* Groups stand level by level, and within a level in the order of their cells, of which each level
 * has all. */
static void
find_children(struct measurement *measurement)
{
	const struct busy_measuring *measuring = measurement->measuring;
	size_t n_groups = measuring->n_groups, n_cells = busy_table(measuring->side)->n_groups;
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
	if (!measuring->beside || busy_table(measuring->side)->n_groups == 0) {
		return 0;
	}
	collect_computing(measurement);
	list_members(measurement);
	return workers_run(measuring->n_threads, lanes->n_processes, hide_process, measurement,
	                   measuring->cancel, err);
}

static void
worker_fini(struct measuring_worker *worker)
{
	for (size_t l = 0; l < COUNT_OF(worker->levels); l++) {
		pile_free(&worker->levels[l].busy);
		pile_free(&worker->levels[l].hidden);
		free(worker->levels[l].parts);
	}
	pile_free(&worker->scratch[0]);
	pile_free(&worker->scratch[1]);
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
	for (unsigned t = 0; t < measurement->measuring->n_threads; t++) {
		worker_fini(&measurement->workers[t]);
	}
	free(measurement->workers);
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

	for (uint32_t cell = 0; cell < busy_table(measuring->side)->n_groups; cell++) {
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
	MEM_NEW(measurement.workers, measuring->n_threads);
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
