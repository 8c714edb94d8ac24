/*
 * A host whose clock is ahead in B, but not in A, shows it twice: its tasks seem to be enqueued
 * later after the controller planned them, and the controller seems to plan sooner after their
 * lane became free, by the same time. A slow network or a fast controller does only one of these.
 */
#include "config.h"
#include "explain/verdict/cause.h"

#include <stdlib.h>
#include <string.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define TASKS_MIN 5
#define SHIFT_MIN_NS 1000000
#define AGREE 0.25 /* the two shifts differ by less than this share */
#define CLEAR 4    /* times what the delay usually varies by */

struct delays {                      /* of a host's tasks; in order */
	int64_t *enqueued, *planned; /* after the planned time; after the end before on the lane */
	size_t n_enqueued, n_planned;
};

static int64_t
quantile(const int64_t *times, size_t n, size_t of, size_t in)
{
	return times[n * of / in];
}

static struct delays
delays_of(const struct comparison *comparison, unsigned r, uint32_t host)
{
	const struct schedule *schedule = comparison->run[r];
	struct delays delays = {xcalloc(schedule->n_items + 1, sizeof(int64_t)),
	                        xcalloc(schedule->n_items + 1, sizeof(int64_t)), 0, 0};
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		if (item->task == SCHEDULE_NONE ||
		    (host != INTERN_NONE && comparison->host_code[r][item->lane] != host)) {
			continue;
		}
		const struct schedule_task *task = &schedule->tasks[item->task];
		if (task->planned_ns == SCHEDULE_NO_TIME) {
			continue;
		}
		if (task->enqueued_ns != SCHEDULE_NO_TIME) {
			delays.enqueued[delays.n_enqueued++] =
			    time_sub(task->enqueued_ns, task->planned_ns);
		}
		if (i > schedule->lanes[item->lane].first) {
			delays.planned[delays.n_planned++] =
			    time_sub(task->planned_ns, schedule->items[i - 1].end_ns);
		}
	}
	SORT(delays.enqueued, delays.n_enqueued, order_int64);
	SORT(delays.planned, delays.n_planned, order_int64);
	return delays;
}

static void
delays_free(struct delays *delays)
{
	free(delays->enqueued);
	free(delays->planned);
}

/* How far a host's clock is ahead in B, given the delays of all hosts in A; 0 where it is not, or
 * cannot be told. */
static int64_t
shift_of(const struct comparison *comparison, struct delays a, uint32_t host)
{
	struct delays b = delays_of(comparison, 1, host);
	int64_t shift = 0;
	if (a.n_enqueued >= TASKS_MIN && b.n_enqueued >= TASKS_MIN && a.n_planned >= TASKS_MIN &&
	    b.n_planned >= TASKS_MIN) {
		int64_t ahead = quantile(b.enqueued, b.n_enqueued, 1, 2) -
		                quantile(a.enqueued, a.n_enqueued, 1, 2);
		int64_t early =
		    quantile(a.planned, a.n_planned, 1, 4) - quantile(b.planned, b.n_planned, 1, 4);
		int64_t usual = quantile(a.enqueued, a.n_enqueued, 3, 4) -
		                quantile(a.enqueued, a.n_enqueued, 1, 4);
		int64_t least = MOST(SHIFT_MIN_NS, CLEAR * usual);
		if (llabs(ahead) >= least && (ahead > 0) == (early > 0) &&
		    (double)llabs(ahead - early) < AGREE * (double)llabs(ahead)) {
			shift = ahead;
		}
	}
	delays_free(&b);
	return shift;
}

static void
set_back(int64_t *time_ns, int64_t shift)
{
	if (*time_ns != SCHEDULE_NO_TIME) {
		*time_ns = time_sub(*time_ns, shift);
	}
}

/* B as its clocks would show it were they right. */
static struct schedule *
correct(const struct comparison *comparison, struct arena *arena)
{
	const struct schedule *b = comparison->run[1];
	struct schedule *right = arena_copy(arena, b, sizeof *b);
	right->items = arena_copy(arena, b->items, b->n_items * sizeof *b->items);
	right->tasks = arena_copy(arena, b->tasks, b->n_tasks * sizeof *b->tasks);
	right->transfers = arena_copy(arena, b->transfers, b->n_transfers * sizeof *b->transfers);
	right->end_ns = INT64_MIN;
	for (size_t i = 0; i < right->n_items; i++) {
		struct schedule_item *item = &right->items[i];
		int64_t shift = comparison->clock_ns[comparison->host_code[1][item->lane]];
		set_back(&item->start_ns, shift);
		set_back(&item->end_ns, shift);
		right->end_ns = MOST(item->end_ns, right->end_ns);
		if (item->task != SCHEDULE_NONE) {
			set_back(&right->tasks[item->task].enqueued_ns, shift);
			set_back(&right->tasks[item->task].started_ns, shift);
			set_back(&right->tasks[item->task].finished_ns, shift);
		}
	}
	for (size_t t = 0; t < right->n_transfers; t++) {
		struct schedule_transfer *transfer = &right->transfers[t];
		if (transfer->lane != SCHEDULE_NONE) {
			int64_t shift =
			    comparison->clock_ns[comparison->host_code[1][transfer->lane]];
			set_back(&transfer->received_ns, shift);
			set_back(&transfer->finished_ns, shift);
		}
		if (transfer->from != SCHEDULE_NONE) { /* sent by the source's host */
			uint32_t lane = right->items[transfer->from].lane;
			int64_t shift = comparison->clock_ns[comparison->host_code[1][lane]];
			set_back(&transfer->started_ns, shift);
			set_back(&transfer->loaded_ns, shift);
		}
	}
	return right;
}

const struct schedule *
clocks_corrected(struct comparison *comparison, struct arena *arena)
{
	bool is_shifted = false;
	if (!comparison->run[0]->is_tasks || !comparison->run[1]->is_tasks) {
		return comparison->run[1];
	}
	struct delays a = delays_of(comparison, 0, INTERN_NONE);
	for (uint32_t host = 0; host < intern_count(comparison->hosts); host++) {
		comparison->clock_ns[host] = shift_of(comparison, a, host);
		is_shifted = is_shifted || comparison->clock_ns[host] != 0;
	}
	delays_free(&a);
	return is_shifted ? correct(comparison, arena) : comparison->run[1];
}

void
causes_find_clocks(struct causes *causes, const struct comparison *comparison)
{
	int64_t seems = time_sub(explain_makespan_ns(comparison->explain->b[0].schedule),
	                         explain_makespan_ns(comparison->run[1]));
	for (uint32_t host = 0; host < intern_count(comparison->hosts); host++) {
		if (comparison->clock_ns[host] == 0) {
			continue;
		}
		struct cause *cause = causes_add(causes, CAUSE_CLOCK);
		cause->portion.code[PORTION_HOST] = host;
		cause->chance = 0;
		cause->lane_time = (struct amount){true, 0, 0, 0};
		cause->makespan = (struct amount){true, seems, LEAST(seems, 0), MOST(seems, 0)};
	}
}
