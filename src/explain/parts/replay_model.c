/*
 * Two runs made into one model.
 *
 * A unit is a matched pair of items, or an item of one run. Edges of both runs are mapped to units
 * and merged: an input that only one trace shows (in the other the data was already there, so that
 * nothing moved) binds the task in both, unless the other run contradicts it by starting the task
 * before the input had ended. So the two runs share one task graph, and each keeps its own delays
 * along it.
 *
 * What is in one run only has that run's values on both sides: swapping durations then changes
 * nothing for it, and its whole effect counts for the task set.
 */
#include "config.h"
#include "explain/parts/replay_model.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

static void
make_units(struct replay *replay, const struct matching *matching)
{
	struct replay_run *a = &replay->run[0], *b = &replay->run[1];
	size_t n_a = a->schedule->n_items, n_b = b->schedule->n_items, n_alone = 0;
	for (size_t j = 0; j < n_b; j++) {
		n_alone += matching->a_of_b[j] == MATCHING_NONE;
	}
	a->unit = xcalloc(n_a, sizeof *a->unit);
	b->unit = xcalloc(n_b, sizeof *b->unit);
	replay->units = xcalloc(n_a + n_alone, sizeof *replay->units);
	for (size_t i = 0; i < n_a; i++) {
		a->unit[i] = (uint32_t)i;
		replay->units[i].item[0] = (uint32_t)i;
		replay->units[i].item[1] = matching->b_of_a[i];
	}
	replay->n_units = n_a;
	for (size_t j = 0; j < n_b; j++) {
		b->unit[j] = matching->a_of_b[j];
		if (b->unit[j] == MATCHING_NONE) {
			b->unit[j] = (uint32_t)replay->n_units;
			replay->units[replay->n_units].item[0] = SCHEDULE_NONE;
			replay->units[replay->n_units++].item[1] = (uint32_t)j;
		}
	}
	for (size_t u = 0; u < replay->n_units; u++) {
		for (unsigned r = 0; r < 2; r++) {
			const struct schedule_item *item = replay_item(replay, r, (uint32_t)u);
			if (!item) {
				continue;
			}
			if (item->end_ns > item->start_ns) {
				replay->units[u].duration_ns[r] = item->end_ns - item->start_ns;
			}
			int64_t start = replay_start(replay, r, (uint32_t)u);
			replay->floor_ns = LEAST(start, replay->floor_ns);
		}
	}
}

static int
compare_edges(const void *a, const void *b)
{
	const struct replay_edge *x = a, *y = b;
	ORDER_BY(x->to, y->to);
	return ORDER(x->from, y->from);
}

/* Deals edges to their targets, then sorts each target's few: far cheaper than sorting them all.
 * Sets first_edge. */
static void
sort_edges(struct replay *replay)
{
	size_t n = replay->n_units;
	struct replay_edge *sorted = xcalloc(replay->n_edges, sizeof *sorted);
	size_t *first = xcalloc(n + 2, sizeof *first);
	size_t *next = first + 1; /* shifted by one, so that filling it leaves the starts */
	for (size_t e = 0; e < replay->n_edges; e++) {
		next[replay->edges[e].to + 1]++;
	}
	for (size_t u = 0; u < n; u++) {
		next[u + 1] += next[u];
	}
	for (size_t e = 0; e < replay->n_edges; e++) {
		sorted[next[replay->edges[e].to]++] = replay->edges[e];
	}
	for (size_t u = 0; u < n; u++) {
		if (first[u + 1] - first[u] > 1) {
			qsort(sorted + first[u], first[u + 1] - first[u], sizeof *sorted,
			      compare_edges);
		}
	}
	free(replay->edges);
	free(replay->first_edge);
	replay->edges = sorted;
	replay->first_edge = first;
}

void
replay_index_edges(struct replay *replay)
{
	size_t n = replay->n_units;
	sort_edges(replay);
	free(replay->first_out);
	free(replay->out);
	replay->first_out = xcalloc(n + 2, sizeof *replay->first_out);
	replay->out = xcalloc(replay->n_edges, sizeof *replay->out);
	size_t *next =
	    replay->first_out + 1; /* shifted by one, so that filling it leaves the starts */
	for (size_t e = 0; e < replay->n_edges; e++) {
		next[replay->edges[e].from + 1]++;
	}
	for (size_t u = 0; u < n; u++) {
		next[u + 1] += next[u];
	}
	for (size_t e = 0; e < replay->n_edges; e++) {
		replay->out[next[replay->edges[e].from]++] = (uint32_t)e;
	}
}

static int64_t
first_known(int64_t time, int64_t otherwise)
{
	return time == SCHEDULE_NO_TIME ? otherwise : time;
}

static void
add_edges(struct replay *replay, unsigned r)
{
	const struct replay_run *run = &replay->run[r];
	const struct schedule *schedule = run->schedule;
	for (size_t e = 0; e < schedule->n_edges; e++) {
		const struct schedule_edge *given = &schedule->edges[e];
		if (!replay_runs_before(schedule, given->from, given->to)) {
			continue;
		}
		struct replay_edge *edge = &replay->edges[replay->n_edges++];
		*edge = (struct replay_edge){.from = run->unit[given->from],
		                             .to = run->unit[given->to]};
		edge->kind[r] = REPLAY_PLAIN;
		if (given->transfer == SCHEDULE_NONE) {
			continue;
		}
		const struct schedule_transfer *transfer = &schedule->transfers[given->transfer];
		int64_t begun = first_known(transfer->planned_ns, transfer->started_ns);
		int64_t arrived = first_known(transfer->finished_ns, transfer->received_ns);
		if (begun != SCHEDULE_NO_TIME && arrived != SCHEDULE_NO_TIME) {
			edge->kind[r] = REPLAY_LATE;
			edge->begun_ns[r] = begun - schedule->start_ns;
			edge->arrived_ns[r] = arrived - schedule->start_ns;
		}
	}
}

/* Several edges of one run between the same units become one, which ends with the last of them. */
static void
merge_edge(struct replay_edge *into, const struct replay_edge *edge)
{
	for (unsigned r = 0; r < 2; r++) {
		if (edge->kind[r] == REPLAY_LATE && into->kind[r] == REPLAY_LATE) {
			if (edge->begun_ns[r] < into->begun_ns[r]) {
				into->begun_ns[r] = edge->begun_ns[r];
			}
			if (edge->arrived_ns[r] > into->arrived_ns[r]) {
				into->arrived_ns[r] = edge->arrived_ns[r];
			}
		} else if (edge->kind[r] > into->kind[r]) {
			into->kind[r] = edge->kind[r];
			into->begun_ns[r] = edge->begun_ns[r];
			into->arrived_ns[r] = edge->arrived_ns[r];
		}
	}
}

/* An input that one run shows holds in the other too, unless that contradicts it. */
static void
share_edges(struct replay *replay)
{
	for (size_t e = 0; e < replay->n_edges; e++) {
		struct replay_edge *edge = &replay->edges[e];
		for (unsigned r = 0; r < 2; r++) {
			uint32_t from = replay->units[edge->from].item[r];
			uint32_t to = replay->units[edge->to].item[r];
			if (edge->kind[r] == REPLAY_ABSENT && from != SCHEDULE_NONE &&
			    to != SCHEDULE_NONE &&
			    replay_runs_before(replay->run[r].schedule, from, to)) {
				edge->kind[r] = REPLAY_PLAIN;
			}
		}
	}
}

static void
make_edges(struct replay *replay)
{
	size_t most = replay->run[0].schedule->n_edges + replay->run[1].schedule->n_edges, n = 0;
	replay->edges = xcalloc(most, sizeof *replay->edges);
	add_edges(replay, 0);
	add_edges(replay, 1);
	sort_edges(replay);
	for (size_t e = 0; e < replay->n_edges; e++) {
		if (n > 0 && compare_edges(&replay->edges[n - 1], &replay->edges[e]) == 0) {
			merge_edge(&replay->edges[n - 1], &replay->edges[e]);
		} else {
			replay->edges[n++] = replay->edges[e];
		}
	}
	replay->n_edges = n;
	share_edges(replay);
	replay_index_edges(replay);
}

/* What is in one run only gets that run's values on both sides. */
static void
complete(struct replay *replay)
{
	for (size_t u = 0; u < replay->n_units; u++) {
		struct replay_unit *unit = &replay->units[u];
		for (unsigned r = 0; r < 2; r++) {
			if (unit->item[r] == SCHEDULE_NONE) {
				unit->duration_ns[r] = unit->duration_ns[!r];
				unit->dispatch_ns[r] = unit->dispatch_ns[!r];
				unit->transfer_ns[r] = unit->transfer_ns[!r];
				unit->release_ns[r] = unit->release_ns[!r];
			}
		}
	}
	for (size_t e = 0; e < replay->n_edges; e++) {
		struct replay_edge *edge = &replay->edges[e];
		for (unsigned r = 0; r < 2; r++) {
			bool is_here =
			    replay_item(replay, r, edge->from) && replay_item(replay, r, edge->to);
			if (!is_here && edge->kind[!r] != REPLAY_TRIGGER) {
				edge->kind[r] = edge->kind[!r];
				edge->delay_ns[r] = edge->delay_ns[!r];
			}
		}
	}
}

struct replay *
replay_new(const struct schedule *a, const struct schedule *b, const struct matching *matching,
           const struct cancel *cancel, struct err *err)
{
	struct replay *replay = xcalloc(1, sizeof *replay);
	replay->run[0].schedule = a;
	replay->run[1].schedule = b;
	make_units(replay, matching);
	replay_split_lanes(&replay->run[0]);
	replay_split_lanes(&replay->run[1]);
	make_edges(replay);
	if (!cancel_requested(cancel)) {
		replay_observe(replay);
		complete(replay);
		return replay;
	}
	replay_free(replay);
	err_set(err, ERR_CANCELLED, "cancelled");
	return NULL;
}

const struct replay_rules *
replay_rules(const struct replay *replay, unsigned run)
{
	return &replay->run[run].rules;
}

size_t
replay_slots(const struct replay *replay, unsigned run)
{
	return replay->run[run].n_slots;
}

void
replay_free(struct replay *replay)
{
	if (!replay) {
		return;
	}
	for (unsigned r = 0; r < 2; r++) {
		free(replay->run[r].unit);
		free(replay->run[r].slot);
		free(replay->run[r].previous);
	}
	free(replay->units);
	free(replay->edges);
	free(replay->first_edge);
	free(replay->first_out);
	free(replay->out);
	free(replay);
}
