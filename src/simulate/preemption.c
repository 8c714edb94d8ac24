/*
 * The cluster, tick by tick: instances are taken away, become ready, are added; then the job gets
 * as many whole pipelines as there are ready instances for, if it lost one of its own or a new
 * pipeline is complete. The order of these steps, and of the random draws within them, is part of
 * the contract.
 *
 * Instances stand in one array by ascending id: new ones have the highest. That order is what
 * promotion (lowest standby first), demotion (highest active first) and the choice of victims need.
 */
#include "config.h"
#include "simulate/preemption.h"

#include <stdlib.h>

#include "simulate/preemption_job.h"
#include "simulate/preemption_random.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define NOWHERE (-1)

struct instance {
	int64_t id, node, ready_ms;
	enum instance_state state;
};

struct cluster {
	const struct preemption_params *params;
	const struct preemption_observer *observer;
	struct preemption_result *result;
	struct training_job job;
	struct prng prng;
	int64_t now_ms, next_id;
	struct instance *instances;
	size_t n, capacity, n_by_state[INSTANCE_GONE];
	int64_t *ids; /* scratch: as many as instances */
	size_t ids_capacity;
	bool lost; /* an active instance, in this tick */
	const struct preemption_change *changes, *changes_end;
	int64_t *places;      /* by node: its instance's id, NOWHERE, or pending(its added_nodes) */
	int64_t *added_nodes; /* scratch: those that this tick adds, NOWHERE if cancelled */
	size_t n_added_nodes, added_nodes_capacity;
};

static void
set_state(struct cluster *cluster, struct instance *instance, enum instance_state state)
{
	cluster->n_by_state[instance->state]--;
	if (state != INSTANCE_GONE) {
		cluster->n_by_state[state]++;
	}
	instance->state = state;
	if (cluster->observer->instance) {
		cluster->observer->instance(cluster->observer->user, cluster->now_ms, instance->id,
		                            state);
	}
}

static int64_t *
room_for_ids(struct cluster *cluster, size_t n)
{
	MEM_GROW(cluster->ids, cluster->ids_capacity, n);
	return cluster->ids;
}

static void
tell(struct cluster *cluster, const char *what, const char *name, int64_t n, const int64_t *ids,
     size_t n_ids)
{
	if (cluster->observer->decision) {
		cluster->observer->decision(cluster->observer->user, cluster->now_ms, what, name, n,
		                            ids, n_ids);
	}
}

static void
add_instance(struct cluster *cluster, int64_t node, enum instance_state state)
{
	MEM_GROW(cluster->instances, cluster->capacity, cluster->n + 1);
	struct instance *instance = &cluster->instances[cluster->n++];
	*instance = (struct instance){.id = cluster->next_id++,
	                              .node = node,
	                              .ready_ms = cluster->now_ms + cluster->params->prep_ms,
	                              .state = INSTANCE_BOOTING};
	cluster->n_by_state[INSTANCE_BOOTING]++;
	set_state(cluster, instance, state);
}

/* Instances that are gone leave the array. */
static void
sweep_gone(struct cluster *cluster)
{
	size_t kept = 0;

	for (size_t i = 0; i < cluster->n; i++) {
		if (cluster->instances[i].state != INSTANCE_GONE) {
			cluster->instances[kept++] = cluster->instances[i];
		}
	}
	cluster->n = kept;
}

static void
remove_instance(struct cluster *cluster, struct instance *instance)
{
	bool active = instance->state == INSTANCE_ACTIVE;

	cluster->result->preempted++;
	cluster->result->preempted_active += active;
	cluster->lost |= active;
	if (instance->node != NOWHERE) {
		cluster->places[instance->node] = NOWHERE;
	}
	set_state(cluster, instance, INSTANCE_GONE);
}

static int
compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return ORDER(x, y);
}

static struct instance *
find_instance(struct cluster *cluster, int64_t id)
{
	size_t low = 0, high = cluster->n;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		*(cluster->instances[middle].id <= id ? &low : &high) = middle;
	}
	return &cluster->instances[low];
}

/* k at random of those that are there. */
static void
remove_victims(struct cluster *cluster, size_t k)
{
	int64_t *ids = room_for_ids(cluster, cluster->n);

	for (size_t i = 0; i < cluster->n; i++) {
		ids[i] = cluster->instances[i].id;
	}
	random_victims(&cluster->prng, ids, cluster->n, k);
	SORT(ids, k, compare_ids);
	tell(cluster, "preempt", NULL, (int64_t)k, ids, k);
	for (size_t i = 0; i < k; i++) {
		remove_instance(cluster, find_instance(cluster, ids[i]));
	}
	sweep_gone(cluster);
}

static void
note_added(struct cluster *cluster, int64_t first_id)
{
	size_t n = (size_t)(cluster->next_id - first_id);

	if (n == 0) {
		return;
	}
	cluster->result->add_events++;
	cluster->result->added += (int64_t)n;
	if (cluster->observer->decision) {
		int64_t *ids = room_for_ids(cluster, n);
		for (size_t i = 0; i < n; i++) {
			ids[i] = first_id + (int64_t)i;
		}
		tell(cluster, "add", NULL, (int64_t)n, ids, n);
	}
}

/* ---- by chance ---- */

static void
preempt_by_chance(struct cluster *cluster)
{
	const struct preemption_params *params = cluster->params;
	int64_t k = random_preemption(&cluster->prng, params, params->tick_ms);
	int64_t removable = (int64_t)cluster->n - params->inst_min;

	k = LEAST(k, removable);
	if (k > 0) {
		cluster->result->preempt_events++;
		remove_victims(cluster, (size_t)k);
	}
}

static void
add_by_chance(struct cluster *cluster)
{
	const struct preemption_params *params = cluster->params;
	int64_t wanted = random_addition(&cluster->prng, params, params->tick_ms);
	int64_t room = params->inst_max - (int64_t)cluster->n, first_id = cluster->next_id;
	int64_t n = wanted < room ? wanted : MOST(room, 0);

	for (int64_t i = 0; i < n; i++) {
		add_instance(cluster, -1, INSTANCE_BOOTING);
	}
	note_added(cluster, first_id);
	if (wanted > n) {
		cluster->result->add_clamped = time_add(cluster->result->add_clamped, wanted - n);
		tell(cluster, "clamp", NULL, wanted - n, NULL, 0);
	}
}

/* ---- as recorded ---- */

/* Its own inverse. */
static int64_t
pending(int64_t index)
{
	return NOWHERE - 1 - index;
}

static void
note_named(struct cluster *cluster, int64_t node)
{
	if (cluster->places[node] != NOWHERE) {
		return;
	}
	MEM_GROW(cluster->added_nodes, cluster->added_nodes_capacity, cluster->n_added_nodes + 1);
	cluster->places[node] = pending((int64_t)cluster->n_added_nodes);
	cluster->added_nodes[cluster->n_added_nodes++] = node;
}

/* One that is not there is ignored. */
static void
remove_named(struct cluster *cluster, int64_t node)
{
	int64_t place = cluster->places[node];

	cluster->places[node] = NOWHERE;
	if (place < NOWHERE) {
		cluster->added_nodes[pending(place)] = NOWHERE;
	} else if (place != NOWHERE) {
		tell(cluster, "preempt", NULL, 1, &place, 1);
		remove_instance(cluster, find_instance(cluster, place));
	}
}

/* All changes that are due: what leaves, leaves; the rest is for later in this tick. Returns how
 * many nameless ones are to be added. */
static int64_t
take_changes(struct cluster *cluster)
{
	int64_t gone = 0, more = 0, before = cluster->result->preempted;

	cluster->n_added_nodes = 0;
	for (; cluster->changes < cluster->changes_end &&
	       cluster->changes->time_ms <= cluster->now_ms;
	     cluster->changes++) {
		const struct preemption_change *change = cluster->changes;
		if (change->node >= 0 && change->delta < 0) {
			remove_named(cluster, change->node);
		} else if (change->node >= 0) {
			note_named(cluster, change->node);
		} else {
			*(change->delta < 0 ? &gone : &more) += change->delta;
		}
	}
	sweep_gone(cluster);
	size_t k = LEAST((size_t)-gone, cluster->n);
	if (k > 0) {
		remove_victims(cluster, k);
	}
	cluster->result->preempt_events += cluster->result->preempted > before;
	return more;
}

static void
add_as_recorded(struct cluster *cluster, int64_t n)
{
	int64_t first_id = cluster->next_id;

	for (size_t i = 0; i < cluster->n_added_nodes; i++) {
		int64_t node = cluster->added_nodes[i];
		if (node != NOWHERE) {
			cluster->places[node] = cluster->next_id;
			add_instance(cluster, node, INSTANCE_BOOTING);
		}
	}
	for (int64_t i = 0; i < n; i++) {
		add_instance(cluster, -1, INSTANCE_BOOTING);
	}
	note_added(cluster, first_id);
}

/* ---- the tick ---- */

static void
finish_booting(struct cluster *cluster)
{
	for (size_t i = 0; cluster->n_by_state[INSTANCE_BOOTING] > 0 && i < cluster->n; i++) {
		struct instance *instance = &cluster->instances[i];
		if (instance->state == INSTANCE_BOOTING && instance->ready_ms <= cluster->now_ms) {
			set_state(cluster, instance, INSTANCE_STANDBY);
		}
	}
}

/* The lowest standby instances become active, or the highest active ones standby, until there are
 * `target`. */
static void
reach(struct cluster *cluster, size_t target, const char *name)
{
	size_t active = cluster->n_by_state[INSTANCE_ACTIVE], n = 0;
	bool promotes = active < target;
	size_t moves = promotes ? target - active : active - target;
	enum instance_state from = promotes ? INSTANCE_STANDBY : INSTANCE_ACTIVE;
	int64_t *ids = room_for_ids(cluster, moves + 1);

	for (size_t i = 0; n < moves && i < cluster->n; i++) {
		struct instance *instance = &cluster->instances[promotes ? i : cluster->n - 1 - i];
		if (instance->state == from) {
			set_state(cluster, instance, promotes ? INSTANCE_ACTIVE : INSTANCE_STANDBY);
			ids[n++] = instance->id;
		}
	}
	tell(cluster,
	     n == 0     ? "keep"
	     : promotes ? "promote"
	                : "demote",
	     name, (int64_t)target, ids, n);
}

static const char *
count_case(struct cluster *cluster, bool grows)
{
	struct preemption_result *result = cluster->result;
	int64_t depth = cluster->params->depth,
		rest = (int64_t)cluster->n_by_state[INSTANCE_ACTIVE] % depth;

	if (grows) {
		*(cluster->lost ? &result->case_both : &result->case_grow) += 1;
		return cluster->lost ? "both" : "grow";
	}
	if (rest == 0) {
		result->case_exact++;
		return "exact";
	}
	bool refilled = (int64_t)cluster->n_by_state[INSTANCE_STANDBY] >= depth - rest;
	*(refilled ? &result->case_1a : &result->case_1b) += 1;
	return refilled ? "1a" : "1b";
}

static void
regroup(struct cluster *cluster)
{
	size_t depth = (size_t)cluster->params->depth;
	bool grows = cluster->n_by_state[INSTANCE_STANDBY] >= depth;

	if (!cluster->lost && !grows) {
		return;
	}
	const char *name = count_case(cluster, grows);
	size_t ready = cluster->n_by_state[INSTANCE_ACTIVE] + cluster->n_by_state[INSTANCE_STANDBY];
	size_t target = ready / depth * depth;
	reach(cluster, target, name);
	job_interrupt(&cluster->job, (int64_t)target);
}

/* Adds up instance-time until the next tick. */
static void
integrate(struct cluster *cluster, int64_t ms)
{
	cluster->result->inst_ms_active += (int64_t)cluster->n_by_state[INSTANCE_ACTIVE] * ms;
	cluster->result->inst_ms_standby += (int64_t)cluster->n_by_state[INSTANCE_STANDBY] * ms;
	cluster->result->inst_ms_prep += (int64_t)cluster->n_by_state[INSTANCE_BOOTING] * ms;
}

static int
run_ticks(struct cluster *cluster, bool replays, int64_t end_ms, struct err *err)
{
	int64_t tick_ms = cluster->params->tick_ms;

	for (int64_t t = 0; t < end_ms; t += tick_ms) {
		int64_t more = 0;
		if (job_advance(&cluster->job, t, err)) {
			return -1;
		}
		cluster->now_ms = t;
		cluster->lost = false;
		if (replays) {
			more = take_changes(cluster);
		} else {
			preempt_by_chance(cluster);
		}
		finish_booting(cluster);
		if (replays) {
			add_as_recorded(cluster, more);
		} else {
			add_by_chance(cluster);
		}
		regroup(cluster);
		integrate(cluster, LEAST(tick_ms, end_ms - t));
		if (cancel_requested(cluster->job.cancel)) {
			return err_set(err, ERR_CANCELLED, "cancelled");
		}
	}
	return job_advance(&cluster->job, end_ms, err);
}

static void
start(struct cluster *cluster, int64_t initial)
{
	int64_t depth = cluster->params->depth, active = initial / depth * depth;

	for (int64_t i = 0; i < initial; i++) {
		add_instance(cluster, -1, i < active ? INSTANCE_ACTIVE : INSTANCE_STANDBY);
	}
	job_start(&cluster->job, active);
}

static double
share(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

/* What follows from the counts. */
static void
derive(const struct preemption_params *params, struct preemption_result *result)
{
	double duration = (double)result->duration_ms, done = (double)result->iterations;
	double idle = (double)(result->inst_ms_standby + result->inst_ms_prep);
	double all = (double)result->inst_ms_active + idle;
	int64_t full_ms = params->iterations[params->n_iterations - 1].ms;

	result->useful_fraction = share((double)(result->useful_ms + result->pending_ms), duration);
	result->wasted_fraction =
	    share((double)(result->lost_ms + result->reconfig_ms + result->idle_ms), duration);
	result->rollback_fraction = share((double)result->lost_ms, duration);
	result->mean_instances = share(all, duration);
	result->mean_active = share((double)result->inst_ms_active, duration);
	result->instance_idle_fraction = share(idle, all);
	result->iterations_per_hour = share(done * 3600000, duration);
	result->samples_per_second =
	    share(done * (double)params->samples_per_iter * 1000, duration);
	result->efficiency_vs_full = share(done * (double)full_ms, duration);
}

int
preemption_run(const struct preemption_params *params, const struct preemption_trace *trace,
               const struct preemption_observer *observer, const struct cancel *cancel,
               struct preemption_result *result, struct err *err)
{
	static const struct preemption_observer nobody = {0};
	struct preemption_result out = {0};
	struct cluster cluster = {.params = params,
	                          .observer = observer ? observer : &nobody,
	                          .result = &out,
	                          .prng = {params->seed}};
	cluster.job = (struct training_job){
	    .params = params, .observer = cluster.observer, .cancel = cancel, .result = &out};

	if (preemption_params_check(params, err)) {
		return -1;
	}
	if (trace && trace->n_changes) {
		cluster.changes = trace->changes;
		cluster.changes_end = trace->changes + trace->n_changes;
		cluster.places = xrealloc_array(NULL, trace->n_nodes + 1, sizeof *cluster.places);
		for (size_t i = 0; i < trace->n_nodes; i++) {
			cluster.places[i] = NOWHERE;
		}
	}
	out.duration_ms = trace ? trace->end_ms : preemption_duration_ms(params);
	start(&cluster, trace ? trace->initial : params->initial);
	int rc = run_ticks(&cluster, trace != NULL, out.duration_ms, err);
	if (rc == 0) {
		job_finish(&cluster.job);
		out.final_active = (int64_t)cluster.n_by_state[INSTANCE_ACTIVE];
		out.final_standby = (int64_t)cluster.n_by_state[INSTANCE_STANDBY];
		out.final_prep = (int64_t)cluster.n_by_state[INSTANCE_BOOTING];
		out.rng_state = cluster.prng.state;
		derive(params, &out);
		*result = out;
	}
	free(cluster.instances);
	free(cluster.ids);
	free(cluster.added_nodes);
	free(cluster.places);
	return rc;
}
