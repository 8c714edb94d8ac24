/*
 * Walking back (Yang & Miller, ICDCS 1988; Hollingsworth, IEEE TPDS 1998). Each step leads to an
 * item that starts earlier, or at the same time and stands before it, so that items without length
 * can't make it go round. What lies between the two is cut by the times that the run records of the
 * waiting task, or of the transfer that it waited for, so that the pieces' lengths sum to the
 * makespan whatever is missing.
 */
#include "config.h"

#include "explain/parts/path.h"

#include <stdlib.h>

#include "explain/schedule/path_ends.h"
#include "util/mem.h"
#include "util/order.h"

struct walk {
	const struct schedule *schedule;
	struct path *path; /* pieces from the end backwards */
	size_t capacity;
	struct lane_ends *ends;
};

static void
add_piece(struct walk *walk, enum path_class path_class, uint32_t item, int64_t start, int64_t end)
{
	if (end <= start) {
		return;
	}
	MEM_GROW(walk->path->pieces, walk->capacity, walk->path->n + 1);
	walk->path->pieces[walk->path->n++] = (struct path_piece){start, end, path_class, item};
}

/* [from, *until) is cut at `at`, if that is known: what is behind it belongs to the class. */
static void
cut(struct walk *walk, enum path_class path_class, uint32_t item, int64_t from, int64_t at,
    int64_t *until)
{
	if (at == SCHEDULE_NO_TIME || at >= *until) {
		return;
	}
	at = MOST(at, from);
	add_piece(walk, path_class, item, at, *until);
	*until = at;
}

/* What an item waited for between the end of its predecessor and its start. */
static void
add_wait(struct walk *walk, uint32_t item, int64_t from, enum path_class rest,
         uint32_t transfer_place)
{
	const struct schedule *schedule = walk->schedule;
	const struct schedule_item *waiting = &schedule->items[item];
	int64_t until = waiting->start_ns;

	if (waiting->task != SCHEDULE_NONE) {
		int64_t enqueued = schedule->tasks[waiting->task].enqueued_ns;

		/* While its data is on the way an enqueued task waits for that. */
		if (transfer_place != SCHEDULE_NONE && enqueued != SCHEDULE_NO_TIME &&
		    schedule->transfers[transfer_place].finished_ns > enqueued) {
			enqueued = schedule->transfers[transfer_place].finished_ns;
		}
		cut(walk, PATH_QUEUE, item, from, enqueued, &until);
	}
	if (transfer_place != SCHEDULE_NONE) {
		const struct schedule_transfer *transfer = &schedule->transfers[transfer_place];

		/* From when it had arrived, the task's own life tells; before, the transfer's. */
		if (waiting->task != SCHEDULE_NONE) {
			cut(walk, PATH_COMMUNICATION, item, from, transfer->finished_ns, &until);
		}
		cut(walk, PATH_TRANSFER, item, from, transfer->started_ns, &until);
		cut(walk,
		    transfer->started_ns == SCHEDULE_NO_TIME ? PATH_TRANSFER : PATH_TRANSFER_WAIT,
		    item, from, transfer->planned_ns, &until);
		rest = rest == PATH_START ? rest : PATH_PLAN;
	} else if (waiting->task != SCHEDULE_NONE) {
		int64_t planned = schedule->tasks[waiting->task].planned_ns;

		cut(walk, PATH_COMMUNICATION, item, from, planned, &until);
		rest = planned != SCHEDULE_NO_TIME && rest != PATH_START ? PATH_PLAN : rest;
	}
	add_piece(walk, rest, item, from, until);
}

static bool
is_before(const struct schedule *schedule, uint32_t a, uint32_t b)
{
	int64_t x = schedule->items[a].start_ns, y = schedule->items[b].start_ns;

	return x != y ? x < y : a < b;
}

/* One step back; SCHEDULE_NONE at the beginning. The wait is told by the transfer that arrived last
 * after the item was planned, whatever the step leads to: while data is on the way an item waits
 * for it, also where the lane was busy until lately. */
static uint32_t
step(struct walk *walk, uint32_t item)
{
	const struct schedule *schedule = walk->schedule;
	uint32_t best = lane_ends_before(walk->ends, schedule, item);
	uint32_t transfer = SCHEDULE_NONE;
	int64_t latest = INT64_MIN;
	int64_t planned = schedule->items[item].task == SCHEDULE_NONE
	                      ? SCHEDULE_NO_TIME
	                      : schedule->tasks[schedule->items[item].task].planned_ns;
	bool by_input = false;

	for (size_t e = schedule_first_edge_to(schedule, item);
	     e < schedule->n_edges && schedule->edges[e].to == item; e++) {
		const struct schedule_edge *edge = &schedule->edges[e];
		int64_t arrival = schedule_arrival_ns(schedule, edge);

		if (edge->transfer != SCHEDULE_NONE && arrival > planned && arrival >= latest) {
			latest = arrival;
			transfer = edge->transfer;
		}
		if (is_before(schedule, edge->from, item) &&
		    (best == SCHEDULE_NONE ||
		     schedule->items[edge->from].end_ns >= schedule->items[best].end_ns)) {
			best = edge->from;
			by_input = true;
		}
	}
	if (best == SCHEDULE_NONE) {
		add_wait(walk, item, schedule->start_ns, PATH_START, transfer);
		walk->path->by_nothing++;
	} else {
		add_wait(walk, item, schedule->items[best].end_ns,
		         by_input ? PATH_AFTER_INPUT : PATH_AFTER_LANE, transfer);
		walk->path->by_input += by_input;
		walk->path->by_lane += !by_input;
	}
	return best;
}

static void
reverse(struct path *path)
{
	for (size_t i = 0; i < path->n / 2; i++) {
		struct path_piece piece = path->pieces[i];

		path->pieces[i] = path->pieces[path->n - 1 - i];
		path->pieces[path->n - 1 - i] = piece;
	}
}

struct path *
path_find(const struct schedule *schedule, const struct cancel *cancel, struct err *err)
{
	struct walk walk = {schedule, xcalloc(1, sizeof(struct path)), 0, lane_ends_new(schedule)};
	uint32_t item = SCHEDULE_NONE;
	size_t count = 0;

	for (size_t i = 0; i < schedule->n_items; i++) {
		if (item == SCHEDULE_NONE ||
		    schedule->items[i].end_ns > schedule->items[item].end_ns) {
			item = (uint32_t)i;
		}
	}
	if (item != SCHEDULE_NONE) {
		add_piece(&walk, PATH_END, item, schedule->items[item].end_ns, schedule->end_ns);
	}
	while (item != SCHEDULE_NONE) {
		add_piece(&walk, PATH_RUN, item, schedule->items[item].start_ns,
		          schedule->items[item].end_ns);
		item = step(&walk, item);
		if (count++ % 4096 == 0 && cancel_requested(cancel)) {
			err_set(err, ERR_CANCELLED, "cancelled");
			lane_ends_free(walk.ends, schedule);
			path_free(walk.path);
			return NULL;
		}
	}
	lane_ends_free(walk.ends, schedule);
	reverse(walk.path);
	return walk.path;
}

void
path_free(struct path *path)
{
	if (path) {
		free(path->pieces);
		free(path);
	}
}

const char *
path_class_name(enum path_class path_class)
{
	static const char *const names[PATH_CLASSES] = {
	    [PATH_RUN] = "run",
	    [PATH_START] = "start-up",
	    [PATH_PLAN] = "not planned",
	    [PATH_COMMUNICATION] = "communication",
	    [PATH_QUEUE] = "queue",
	    [PATH_TRANSFER_WAIT] = "transfer waits",
	    [PATH_TRANSFER] = "transfer",
	    [PATH_AFTER_INPUT] = "after last input",
	    [PATH_AFTER_LANE] = "after lane became free",
	    [PATH_END] = "after the last end",
	};

	return names[path_class];
}
