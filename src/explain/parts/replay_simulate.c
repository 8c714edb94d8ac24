/*
 * One replay: each unit starts when all that holds it back is over, in the order of
 * replay_order.c. What holds it back is described in replay_observe.c; here the pieces are put
 * together again, each from the run that the set of factors names.
 *
 * The placement decides which transfers there are, the transfers only how long they take: a
 * transfer that the other run did not need takes there what such transfers (early or late, within
 * a host or between hosts) took on average, and where it had none of the kind, what it took in the
 * run that needed it.
 *
 * Replays with equal task set and placement share an order and run one after another on one
 * thread; the four orders run side by side. A factor in which the runs do not differ is not
 * replayed twice.
 */
#include "config.h"
#include "explain/parts/replay_model.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

struct pass {
	const struct replay *replay;
	const struct replay_order *order;
	unsigned tasks, durations, transfers, dispatch, placement;
};

static int64_t
later(int64_t a, int64_t b)
{
	return MOST(a, b);
}

/* How long a transfer takes that is needed as placed, with the other run's times if it needed
 * it. */
static int64_t
transfer_time(const struct pass *pass, bool is_late, int64_t as_placed, bool is_far,
              int64_t in_other)
{
	if (pass->transfers == pass->placement) {
		return as_placed;
	}
	if (in_other != REPLAY_NO_TRANSFER) {
		return in_other;
	}
	int64_t typical = pass->replay->run[pass->transfers].typical_ns[is_late][is_far];
	return typical != REPLAY_NO_TRANSFER ? typical : as_placed;
}

static int64_t
start_of(const struct pass *pass, uint32_t u, const int64_t *ends)
{
	const struct replay *replay = pass->replay;
	const struct replay_unit *unit = &replay->units[u];
	unsigned p = pass->placement, t = pass->transfers;
	uint32_t before = pass->order->previous[u];
	int64_t floor = replay->floor_ns, bound = floor;
	int64_t ready = before == SCHEDULE_NONE ? floor : later(floor, ends[before]);
	for (size_t e = replay->first_edge[u]; e < replay->first_edge[u + 1]; e++) {
		const struct replay_edge *edge = &replay->edges[e];
		int64_t end = ends[edge->from];
		if (edge->kind[p] == REPLAY_ABSENT || end == SCHEDULE_NO_TIME) {
			continue;
		}
		if (edge->kind[p] == REPLAY_EARLY) {
			int64_t other =
			    edge->kind[t] == REPLAY_EARLY ? edge->delay_ns[t] : REPLAY_NO_TRANSFER;
			bound =
			    later(bound, time_add(end, transfer_time(pass, false, edge->delay_ns[p],
			                                             edge->is_far[p], other)));
		} else if (edge->kind[p] == REPLAY_TRIGGER) {
			bound = later(bound, time_add(end, edge->delay_ns[p]));
			continue;
		}
		ready = later(ready, end);
	}
	bound = later(bound, ready);
	if (unit->transfer_ns[p] != REPLAY_NO_TRANSFER) {
		int64_t wait = transfer_time(pass, true, unit->transfer_ns[p], unit->is_far[p],
		                             unit->transfer_ns[t]);
		bound = later(bound, time_add(ready, wait));
	}
	bound = later(bound, unit->release_ns[pass->tasks]);
	return time_add(bound, unit->dispatch_ns[pass->dispatch]);
}

/* ends: scratch, by unit. */
static int64_t
run_pass(const struct pass *pass, int64_t *ends)
{
	int64_t last = 0;
	for (size_t u = 0; u < pass->replay->n_units; u++) {
		ends[u] = SCHEDULE_NO_TIME;
	}
	for (size_t k = 0; k < pass->order->n; k++) {
		uint32_t u = pass->order->units[k];
		ends[u] = time_add(start_of(pass, u, ends),
		                   pass->replay->units[u].duration_ns[pass->durations]);
		last = later(last, ends[u]);
	}
	return last;
}

struct job {
	const struct replay *replay;
	const unsigned *sets;
	size_t n;
	int64_t *makespans_ns;
	const struct cancel *cancel;
};

static unsigned
side(unsigned set, enum replay_factor factor)
{
	return set >> factor & 1;
}

/* All sets whose task set and placement are those that the number of the group says. */
static int
run_group(void *user, size_t group, unsigned thread, struct err *err)
{
	(void)thread;
	const struct job *job = user;
	struct replay_order order;
	unsigned tasks = group & 1, placement = group >> 1 & 1;
	int64_t *ends = NULL;
	for (size_t i = 0; i < job->n && !cancel_requested(job->cancel); i++) {
		unsigned set = job->sets[i];
		if (side(set, REPLAY_TASKS) != tasks || side(set, REPLAY_PLACEMENT) != placement) {
			continue;
		}
		if (!ends) {
			ends = xcalloc(job->replay->n_units, sizeof *ends);
			replay_order_make(job->replay, tasks, placement, &order);
		}
		struct pass pass = {.replay = job->replay,
		                    .order = &order,
		                    .tasks = tasks,
		                    .durations = side(set, REPLAY_DURATIONS),
		                    .transfers = side(set, REPLAY_TRANSFERS),
		                    .dispatch = side(set, REPLAY_DISPATCH),
		                    .placement = placement};
		job->makespans_ns[i] = run_pass(&pass, ends);
	}
	if (ends) {
		replay_order_fini(&order);
	}
	free(ends);
	return cancel_requested(job->cancel) ? err_set(err, ERR_CANCELLED, "cancelled") : 0;
}

/* The factors in which the runs differ at all; taking another from B changes nothing. */
static unsigned
differing_factors(const struct replay *replay)
{
	unsigned factors = 1u << REPLAY_DURATIONS | 1u << REPLAY_DISPATCH | 1u << REPLAY_PLACEMENT;
	for (size_t u = 0; u < replay->n_units; u++) {
		const struct replay_unit *unit = &replay->units[u];
		bool is_pair = unit->item[0] != SCHEDULE_NONE && unit->item[1] != SCHEDULE_NONE;
		if (!is_pair || unit->release_ns[0] != unit->release_ns[1]) {
			factors |= 1u << REPLAY_TASKS;
		}
		if (unit->transfer_ns[0] != unit->transfer_ns[1]) {
			factors |= 1u << REPLAY_TRANSFERS;
		}
	}
	for (size_t e = 0; e < replay->n_edges; e++) {
		const struct replay_edge *edge = &replay->edges[e];
		if (edge->kind[0] == REPLAY_EARLY || edge->kind[1] == REPLAY_EARLY) {
			factors |= 1u << REPLAY_TRANSFERS;
		}
	}
	return factors;
}

int
replay_run(struct replay *replay, const unsigned *sets, size_t n, int64_t *makespans_ns,
           const struct cancel *cancel, struct err *err)
{
	unsigned distinct[REPLAY_SETS], factors = differing_factors(replay);
	unsigned n_threads = workers_count(), index_of[REPLAY_SETS];
	int64_t results[REPLAY_SETS];
	size_t n_distinct = 0;
	memset(index_of, 0xff, sizeof index_of);
	for (size_t i = 0; i < n; i++) {
		unsigned set = sets[i] & factors;
		if (index_of[set] == UINT_MAX) {
			index_of[set] = (unsigned)n_distinct;
			distinct[n_distinct++] = set;
		}
	}
	struct job job = {replay, distinct, n_distinct, results, cancel};
	if (workers_run(LEAST(n_threads, 4), 4, run_group, &job, cancel, err)) {
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		makespans_ns[i] = results[index_of[sets[i] & factors]];
	}
	return 0;
}

const char *
replay_factor_name(enum replay_factor factor)
{
	static const char *const names[] = {"task set", "durations", "transfer times",
	                                    "dispatch delays", "placement and order"};
	return names[factor];
}

/* Numerators of a mean over orders share the denominator n!; whole ns are handed out by the largest
 * remainder, so that the means sum to the whole. */
static void
divide_exactly(const __int128 *numerators, unsigned n, int64_t denominator, int64_t total,
               struct replay_effect *effects)
{
	int64_t remainders[REPLAY_FACTORS], sum = 0;
	for (unsigned i = 0; i < n; i++) {
		__int128 whole = numerators[i] / denominator, rest = numerators[i] % denominator;
		if (rest < 0) {
			whole--;
			rest += denominator;
		}
		effects[i].mean = (int64_t)whole;
		remainders[i] = (int64_t)rest;
		sum += effects[i].mean;
	}
	for (int64_t left = total - sum; left > 0; left--) {
		unsigned most = 0;
		for (unsigned i = 1; i < n; i++) {
			most = remainders[i] > remainders[most] ? i : most;
		}
		effects[most].mean++;
		remainders[most] = -1;
	}
}

void
replay_shapley(const int64_t *value, unsigned n, struct replay_effect *effects)
{
	static const int64_t factorial[] = {1, 1, 2, 6, 24, 120};
	__int128 numerators[REPLAY_FACTORS] = {0};
	for (unsigned i = 0; i < n; i++) {
		effects[i] = (struct replay_effect){0, INT64_MAX, INT64_MIN};
		for (unsigned set = 0; set < 1u << n; set++) {
			if (set >> i & 1) {
				continue;
			}
			unsigned before = (unsigned)__builtin_popcount(set);
			int64_t step = value[set | 1u << i] - value[set];
			numerators[i] +=
			    (__int128)step * factorial[before] * factorial[n - before - 1];
			effects[i].low = LEAST(step, effects[i].low);
			effects[i].high = MOST(step, effects[i].high);
		}
	}
	if (n > 0) {
		divide_exactly(numerators, n, factorial[n], value[(1u << n) - 1] - value[0],
		               effects);
	}
}
