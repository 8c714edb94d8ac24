/*
 * A lane's gaps are cut by sets of intervals, one cause after the other; what a cause takes is gone
 * for the next ones, so that each instant of a gap is counted once. The last question, whether
 * anything is ready anywhere, is asked of one set for the whole run; it is answered from sums of
 * its lengths up to each interval, since every lane asks it.
 */
#include "config.h"

#include "explain/parts/idle.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

struct idle_set {
	struct interval *list;
	size_t n, capacity;
};

static void
set_add(struct idle_set *set, int64_t start, int64_t end)
{
	if (end <= start) {
		return;
	}
	MEM_GROW(set->list, set->capacity, set->n + 1);
	set->list[set->n++] = (struct interval){start, end};
}

static void
set_settle(struct idle_set *set)
{
	set->n = intervals_union(set->list, set->n);
}

/* Takes b out of a, both settled; what both hold goes behind what is in taken. */
static void
set_take(struct idle_set *a, const struct idle_set *b, struct idle_set *taken)
{
	size_t most = a->n + b->n;
	struct interval *left = xcalloc(most, sizeof *left);

	MEM_GROW(taken->list, taken->capacity, taken->n + most + 1);
	taken->n += intervals_intersect(a->list, a->n, b->list, b->n, taken->list + taken->n);
	most = intervals_without(a->list, a->n, b->list, b->n, left);
	free(a->list);
	*a = (struct idle_set){left, most, most};
}

/* Length of a set up to each of its intervals. */
struct idle_measuring {
	const struct idle_set *set;
	int64_t *before;
};

static int64_t
length_until(const struct idle_measuring *measure, int64_t time)
{
	const struct interval *list = measure->set->list, *last;
	size_t n = 0;

	ORDER_FIND(n, measure->set->n, middle, list[middle].start < time);
	if (n == 0) {
		return 0;
	}
	last = &list[n - 1];
	return time_add(measure->before[n - 1], time_sub(LEAST(time, last->end), last->start));
}

/* [start, end) of a lane in stretches: those in which a task is ready anywhere are for the cause
 * `ready`. */
static void
tell_pieces(const struct idle_taker *taker, uint32_t lane, int64_t start, int64_t end,
            enum idle_cause cause, const struct idle_set *anywhere, enum idle_cause ready)
{
	size_t i = 0;

	ORDER_FIND(i, anywhere->n, middle, anywhere->list[middle].end <= start);
	for (; i < anywhere->n && anywhere->list[i].start < end; i++) {
		int64_t from = MOST(anywhere->list[i].start, start);
		int64_t until = LEAST(anywhere->list[i].end, end);

		if (start < from) {
			taker->piece(taker->user, lane, cause, start, from);
		}
		taker->piece(taker->user, lane, ready, from, until);
		start = until;
	}
	if (start < end) {
		taker->piece(taker->user, lane, cause, start, end);
	}
}

/* [start, end) of a lane, cut at the ends of windows; that during which a task is ready anywhere,
 * if `anywhere` is asked for, is for the cause `ready`, the rest for `cause`. */
static void
tell(const struct idle_taker *taker, uint32_t lane, int64_t start, int64_t end,
     enum idle_cause cause, const struct idle_measuring *anywhere, enum idle_cause ready)
{
	static const struct idle_set nothing;

	if (taker->piece) {
		tell_pieces(taker, lane, start, end, cause, anywhere ? anywhere->set : &nothing,
		            ready);
		return;
	}
	while (start < end) {
		int64_t window = taker->division ? division_window(taker->division, start) : 0;
		int64_t until =
		    taker->division ? division_window_end(taker->division, window) : end;
		int64_t ready_ns = 0;

		until = LEAST(end, until);
		if (anywhere) {
			ready_ns =
			    time_sub(length_until(anywhere, until), length_until(anywhere, start));
			taker->take(taker->user, lane, ready, window, ready_ns);
		}
		taker->take(taker->user, lane, cause, window, (wide_int)until - start - ready_ns);
		start = until;
	}
}

struct ready_times {
	int64_t *of_item; /* SCHEDULE_NO_TIME: not known */
	bool any;
};

static struct ready_times
find_ready(const struct schedule *schedule)
{
	struct ready_times ready = {xcalloc(schedule->n_items, sizeof *ready.of_item), false};

	for (size_t i = 0; i < schedule->n_items; i++) {
		uint32_t task = schedule->items[i].task;

		ready.of_item[i] =
		    task == SCHEDULE_NONE ? SCHEDULE_NO_TIME : schedule->tasks[task].planned_ns;
	}
	for (size_t e = 0; e < schedule->n_edges; e++) {
		int64_t arrival = schedule_arrival_ns(schedule, &schedule->edges[e]);
		int64_t *time = &ready.of_item[schedule->edges[e].to];

		*time = MOST(arrival, *time); /* SCHEDULE_NO_TIME is the least of all */
	}
	for (size_t i = 0; i < schedule->n_items; i++) {
		uint32_t task = schedule->items[i].task;

		if (ready.of_item[i] == SCHEDULE_NO_TIME && task != SCHEDULE_NONE) {
			ready.of_item[i] = schedule->tasks[task].enqueued_ns;
		}
		ready.any = ready.any || ready.of_item[i] != SCHEDULE_NO_TIME;
	}
	return ready;
}

/* What concerns one lane. */
struct lane_sets {
	struct idle_set gaps, waiting, transfers, ready;
	struct idle_set stalled; /* a task's own transfer is under way */
};

static void
lane_sets_fini(struct lane_sets *sets)
{
	free(sets->gaps.list);
	free(sets->waiting.list);
	free(sets->transfers.list);
	free(sets->ready.list);
	free(sets->stalled.list);
}

/* Edges stand in order of their targets, as items do. */
static void
add_stalls(const struct schedule *schedule, const struct schedule_lane *lane,
           struct idle_set *stalled)
{
	for (size_t e = schedule_first_edge_to(schedule, (uint32_t)lane->first);
	     e < schedule->n_edges && schedule->edges[e].to < lane->first + lane->n; e++) {
		const struct schedule_edge *edge = &schedule->edges[e];
		uint32_t task = schedule->items[edge->to].task;
		int64_t from;

		if (edge->transfer == SCHEDULE_NONE || task == SCHEDULE_NONE) {
			continue;
		}
		from = schedule->transfers[edge->transfer].planned_ns;
		if (from != SCHEDULE_NO_TIME) {
			from = MOST(schedule->tasks[task].planned_ns, from);
			set_add(stalled, from, schedule_arrival_ns(schedule, edge));
		}
	}
}

static void
fill_lane(const struct schedule *schedule, size_t l, const struct ready_times *ready,
          struct lane_sets *sets, const struct idle_taker *taker)
{
	const struct schedule_lane *lane = &schedule->lanes[l];
	int64_t until = schedule->items[lane->first].start_ns;

	tell(taker, (uint32_t)l, schedule->start_ns, until, IDLE_RAMP, NULL, IDLE_RAMP);
	for (size_t i = lane->first; i < lane->first + lane->n; i++) {
		const struct schedule_item *item = &schedule->items[i];
		const struct schedule_task *task =
		    item->task == SCHEDULE_NONE ? NULL : &schedule->tasks[item->task];

		set_add(&sets->gaps, until, item->start_ns);
		until = MOST(item->end_ns, until);
		if (task && task->planned_ns != SCHEDULE_NO_TIME) {
			set_add(&sets->waiting, task->planned_ns,
			        task->enqueued_ns != SCHEDULE_NO_TIME ? task->enqueued_ns
			                                              : item->start_ns);
		}
		if (ready->of_item[i] != SCHEDULE_NO_TIME) {
			set_add(&sets->ready, ready->of_item[i], item->start_ns);
		}
	}
	tell(taker, (uint32_t)l, until, schedule->end_ns, IDLE_TAIL, NULL, IDLE_TAIL);
	add_stalls(schedule, lane, &sets->stalled);
	set_settle(&sets->gaps);
	set_settle(&sets->waiting);
	set_settle(&sets->ready);
}

/* Transfers in order of their lane; firsts[l] .. firsts[l + 1] are those of lane l. */
static uint32_t *
order_transfers(const struct schedule *schedule, size_t *firsts)
{
	uint32_t *order = xcalloc(schedule->n_transfers, sizeof *order);

	for (size_t t = 0; t < schedule->n_transfers; t++) {
		if (schedule->transfers[t].lane != SCHEDULE_NONE) {
			firsts[schedule->transfers[t].lane + 2]++;
		}
	}
	for (size_t l = 0; l < schedule->n_lanes; l++) {
		firsts[l + 2] += firsts[l + 1];
	}
	for (size_t t = 0; t < schedule->n_transfers; t++) {
		if (schedule->transfers[t].lane != SCHEDULE_NONE) {
			order[firsts[schedule->transfers[t].lane + 1]++] = (uint32_t)t;
		}
	}
	return order;
}

static void
tell_all(const struct idle_taker *taker, uint32_t lane, const struct idle_set *set,
         enum idle_cause cause)
{
	for (size_t i = 0; i < set->n; i++) {
		tell(taker, lane, set->list[i].start, set->list[i].end, cause, NULL, cause);
	}
}

static void
measure_lane(struct lane_sets *sets, const struct idle_measuring *anywhere, bool says_ready,
             uint32_t lane, const struct idle_taker *taker)
{
	struct idle_set *gaps = &sets->gaps, taken = {0};

	/* A task that is not yet enqueued waits for any transfer; one that is, for its own. */
	set_take(&sets->waiting, &sets->transfers, &sets->stalled);
	set_settle(&sets->stalled);
	set_take(gaps, &sets->stalled, &taken);
	tell_all(taker, lane, &taken, IDLE_TRANSFER);
	taken.n = 0;
	set_take(gaps, &sets->ready, &taken);
	tell_all(taker, lane, &taken, IDLE_DISPATCH);
	for (size_t i = 0; i < gaps->n; i++) {
		tell(taker, lane, gaps->list[i].start, gaps->list[i].end,
		     says_ready ? IDLE_STARVED : IDLE_UNKNOWN, anywhere, IDLE_IMBALANCE);
	}
	free(taken.list);
}

static void
learn_anywhere(const struct schedule *schedule, const struct ready_times *ready,
               struct idle_set *set, struct idle_measuring *measure)
{
	int64_t sum = 0;

	for (size_t i = 0; i < schedule->n_items; i++) {
		if (ready->of_item[i] != SCHEDULE_NO_TIME) {
			set_add(set, ready->of_item[i], schedule->items[i].start_ns);
		}
	}
	set_settle(set);
	*measure = (struct idle_measuring){set, xcalloc(set->n, sizeof *measure->before)};
	for (size_t i = 0; i < set->n; i++) {
		measure->before[i] = sum;
		time_raise(&sum, time_sub(set->list[i].end, set->list[i].start));
	}
}

int
idle_take(const struct schedule *schedule, const struct cancel *cancel,
          const struct idle_taker *taker, struct err *err)
{
	struct ready_times ready = find_ready(schedule);
	size_t *firsts = xcalloc(schedule->n_lanes + 2, sizeof *firsts);
	uint32_t *order = order_transfers(schedule, firsts);
	struct idle_set anywhere = {0};
	struct idle_measuring measure;
	int result = 0;

	learn_anywhere(schedule, &ready, &anywhere, &measure);
	for (size_t l = 0; l < schedule->n_lanes && result == 0; l++) {
		struct lane_sets sets = {0};

		if ((result = cancel_check(cancel, err))) {
			break;
		}
		fill_lane(schedule, l, &ready, &sets, taker);
		for (size_t t = firsts[l]; t < firsts[l + 1]; t++) {
			const struct schedule_transfer *transfer = &schedule->transfers[order[t]];

			if (transfer->planned_ns != SCHEDULE_NO_TIME &&
			    transfer->finished_ns != SCHEDULE_NO_TIME) {
				set_add(&sets.transfers, transfer->planned_ns,
				        transfer->finished_ns);
			}
		}
		set_settle(&sets.transfers);
		measure_lane(&sets, &measure, ready.any, (uint32_t)l, taker);
		lane_sets_fini(&sets);
	}
	free(measure.before);
	free(anywhere.list);
	free(ready.of_item);
	free(order);
	free(firsts);
	return result;
}

static void
add_to_cause(void *user, uint32_t lane, enum idle_cause cause, int64_t window, wide_int ns)
{
	wide_int *sums = user;

	(void)lane;
	(void)window;
	sums[cause] += ns;
}

int
idle_measure(const struct schedule *schedule, const struct cancel *cancel, wide_int ns[IDLE_CAUSES],
             struct err *err)
{
	const struct idle_taker taker = {ns, add_to_cause, NULL, NULL};

	for (int c = 0; c < IDLE_CAUSES; c++) {
		ns[c] = 0;
	}
	return idle_take(schedule, cancel, &taker, err);
}

const char *
idle_cause_name(enum idle_cause cause)
{
	static const char *const names[IDLE_CAUSES] = {
	    [IDLE_RAMP] = "ramp",           [IDLE_TAIL] = "tail",
	    [IDLE_TRANSFER] = "transfer",   [IDLE_DISPATCH] = "dispatch",
	    [IDLE_IMBALANCE] = "imbalance", [IDLE_STARVED] = "starved",
	    [IDLE_UNKNOWN] = "unknown",
	};

	return names[cause];
}
