/*
 * What can be learnt from a recorded run. Counts of instances say when some came; the terminations,
 * where a trace has them, say better than the counts when some went, since both can happen between
 * two counts. A rise is an addition, and one of more than ten instances a big one, which is drawn
 * uniformly; all else is normal.
 *
 * A trace to replay is made of the counts as they stand, row by row, so that a loss and a gain at
 * one time stay two changes. Where the run names its instances (a lane with spans for each), those
 * are what comes and goes.
 */
#include "config.h"
#include "simulate/preemption_source.h"

#include <math.h>
#include <stdlib.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define MS INT64_C(1000000) /* ns */
#define CHANGES_LIMIT ((size_t)50 << 20)
#define NAMES_LIMIT 20 /* of pools in a message */

/* A statement with ?1 bound, stepped to its first row. 1 a row, 0 none, -1. */
static int
first_row(struct store *store, const char *sql, struct slice text, struct stmt **stmt,
          struct err *err)
{
	*stmt = store_prepare(store, sql, err);
	if (!*stmt) {
		return -1;
	}
	if (stmt_parameters(*stmt) > 0) {
		stmt_bind_text(*stmt, 1, text);
	}
	return stmt_step(*stmt, err);
}

/* The pool that has counts, by name if there are several; new. */
static char *
find_pool(struct store *store, const char *wanted, struct err *err)
{
	struct stmt *stmt;
	struct strbuf names = {0};
	char *pool = NULL;
	size_t n = 0;
	int more = first_row(store,
	                     "SELECT coalesce(pool, '') FROM capacities GROUP BY pool "
	                     "ORDER BY min(id)",
	                     slice_of(""), &stmt, err);

	for (; more == 1; more = stmt_step(stmt, err), n++) {
		struct slice name = stmt_text(stmt, 0);
		if (n < NAMES_LIMIT) {
			strbuf_printf(&names, "%s%.*s", n ? ", " : "", (int)name.len, name.ptr);
		}
		if (wanted ? slice_is(name, wanted) : n == 0) {
			free(pool);
			pool = xstrndup(name.len ? name.ptr : "", name.len);
		}
	}
	stmt_free(stmt);
	if (more == 0 && n == 0) {
		err_set(err, ERR_USAGE, "%s: no capacity over time in this run", store_path(store));
	} else if (more == 0 && (!pool || (!wanted && n > 1))) {
		if (n > NAMES_LIMIT) {
			strbuf_printf(&names, " and %zu more", n - NAMES_LIMIT);
		}
		err_set(err, ERR_USAGE, "%s: which pool? --pool, one of %s", store_path(store),
		        names.data);
		more = -1;
	}
	if (more < 0) {
		free(pool);
		pool = NULL;
	}
	strbuf_free(&names);
	return pool;
}

/* ---- chances and sizes ---- */

/* Sets a number unless the run has none. */
static void
take_real(struct stmt *stmt, int column, double otherwise, double *value)
{
	bool is_number = stmt_type(stmt, column) != VALUE_NULL;
	*value = is_number ? stmt_real(stmt, column) : otherwise;
}

static int
additions_like(struct store *store, struct slice pool, struct preemption_params *params,
               double *minutes, struct err *err)
{
	struct stmt *stmt;
	int more = first_row(
	    store,
	    "WITH state AS (SELECT time, nodes FROM capacities WHERE id IN (SELECT max(id) "
	    "  FROM capacities WHERE coalesce(pool, '') = ?1 GROUP BY time)),"
	    " change AS (SELECT time, nodes - lag(nodes) OVER (ORDER BY time) AS d FROM state)"
	    " SELECT (max(time) - min(time)) / 6e10, total(d > 0), total(d > 10),"
	    " avg(CASE WHEN d BETWEEN 1 AND 10 THEN d END),"
	    " stddev(CASE WHEN d BETWEEN 1 AND 10 THEN d END), max(d) FROM change",
	    pool, &stmt, err);

	if (more == 1) {
		double n = stmt_real(stmt, 1), n_big = stmt_real(stmt, 2);
		*minutes = stmt_real(stmt, 0);
		params->p_add = *minutes > 0 ? n / *minutes : 0;
		params->p_big = n > 0 ? n_big / n : 0;
		take_real(stmt, 3, 1, &params->add_mean);
		take_real(stmt, 4, 0, &params->add_std);
		int64_t largest = stmt_integer(stmt, 5);
		params->big_hi = MOST(largest, params->big_hi);
	}
	stmt_free(stmt);
	return more < 0 ? -1 : 0;
}

/* 1 if there were any. */
static int
preemptions_like(struct store *store, const char *sql, struct slice pool, double minutes,
                 struct preemption_params *params, struct err *err)
{
	struct stmt *stmt;
	int more = first_row(store, sql, pool, &stmt, err);
	int found = more < 0 ? -1 : more == 1 && stmt_real(stmt, 0) > 0;

	if (found == 1) {
		params->p_preempt = minutes > 0 ? stmt_real(stmt, 0) / minutes : 0;
		params->preempt_mean = stmt_real(stmt, 1);
		take_real(stmt, 2, 0, &params->preempt_std);
	}
	stmt_free(stmt);
	return found;
}

int
preemption_like(struct store *store, const char *wanted, struct preemption_params *params,
                struct err *err)
{
	static const char lost[] =
	    "SELECT count(*), avg(p.nodes), stddev(p.nodes) FROM preemption p "
	    "JOIN source s ON s.id = p.source LEFT JOIN string n ON n.id = p.pool "
	    "WHERE p.nodes > 0 AND s.dialect IS NOT 'found' AND coalesce(n.text, '') = ?1";
	static const char drops[] =
	    "WITH state AS (SELECT time, nodes FROM capacities WHERE id IN (SELECT max(id) "
	    "  FROM capacities WHERE coalesce(pool, '') = ?1 GROUP BY time)),"
	    " change AS (SELECT lag(nodes) OVER (ORDER BY time) - nodes AS d FROM state)"
	    " SELECT count(d), avg(d), stddev(d) FROM change WHERE d > 0";
	struct preemption_params like = *params;
	double minutes = 0;
	char *pool = find_pool(store, wanted, err);

	if (!pool) {
		return -1;
	}
	int found = additions_like(store, slice_of(pool), &like, &minutes, err);
	found = found ? found : preemptions_like(store, lost, slice_of(pool), minutes, &like, err);
	if (found == 0) {
		found = preemptions_like(store, drops, slice_of(pool), minutes, &like, err);
		if (found == 0) {
			like.p_preempt = 0;
		}
	}
	free(pool);
	if (found < 0) {
		return -1;
	}
	if (!(minutes > 0)) {
		return err_set(err, ERR_USAGE, "%s: its capacity covers no time",
		               store_path(store));
	}
	*params = like;
	return 0;
}

/* ---- replay ---- */

static int
check_change(const struct preemption_trace *trace, int64_t nodes, struct store *store,
             struct err *err)
{
	if (nodes < 0 || nodes > PREEMPTION_INSTANCES_LIMIT) {
		return err_set(err, ERR_LIMIT, "%s: %lld instances at once are not replayed",
		               store_path(store), (long long)nodes);
	}
	return trace->n_changes >= CHANGES_LIMIT
	           ? err_set(err, ERR_LIMIT, "%s: too many changes to replay", store_path(store))
	           : 0;
}

static int
replay_counts(struct store *store, struct slice pool, struct preemption_trace *trace,
              struct err *err)
{
	struct stmt *stmt;
	int64_t before = 0, first_ns = 0, row = 0, time_ns = 0;
	int more = first_row(store,
	                     "SELECT time, nodes FROM capacities WHERE coalesce(pool, '') = ?1 "
	                     "ORDER BY time, id",
	                     pool, &stmt, err);

	for (; more == 1; more = stmt_step(stmt, err), row++) {
		int64_t nodes = stmt_integer(stmt, 1);
		time_ns = stmt_integer(stmt, 0);
		if (check_change(trace, nodes, store, err)) {
			more = -1;
			break;
		}
		if (row == 0) {
			first_ns = time_ns;
			trace->initial = nodes;
		} else if (nodes != before) {
			preemption_trace_add(
			    trace, (struct preemption_change){time_sub(time_ns, first_ns) / MS,
			                                      nodes - before, -1});
		}
		before = nodes;
	}
	trace->end_ms = time_sub(time_ns, first_ns) / MS;
	stmt_free(stmt);
	return more;
}

/* Starts and ends of named instances; at one time those that end come first. 1 if there are any. */
static int
replay_names(struct store *store, struct preemption_trace *trace, struct err *err)
{
	const struct run_info *run = store_run(store);
	int64_t offset_ns = strcmp(run->clock, "relative") == 0 ? run->start_ns : 0;
	struct stmt *stmt;
	int more = first_row(store,
	                     "WITH life AS (SELECT s.start, s.finish, s.lane FROM span s "
	                     "  JOIN lane l ON l.id = s.lane WHERE l.kind = 'instance')"
	                     " SELECT start AS time, 1 AS delta, lane FROM life UNION ALL"
	                     " SELECT finish, -1, lane FROM life ORDER BY time, delta, lane",
	                     slice_of(""), &stmt, err);

	for (; more == 1; more = stmt_step(stmt, err)) {
		struct preemption_change change = {time_add(stmt_integer(stmt, 0), offset_ns) / MS,
		                                   stmt_integer(stmt, 1), stmt_integer(stmt, 2)};
		if (check_change(trace, 0, store, err)) {
			more = -1;
			break;
		}
		preemption_trace_add(trace, change);
		trace->end_ms = change.time_ms;
	}
	trace->n_nodes = (size_t)run->n_lanes;
	stmt_free(stmt);
	return more < 0 ? -1 : trace->n_changes > 0;
}

/* Length of the trace where the run knows it: it may go on after the last change. */
static int
find_length(struct store *store, struct slice pool, int64_t *length_ms, struct err *err)
{
	struct stmt *stmt;
	int more = first_row(store, "SELECT value FROM tags WHERE key = 'length_ms' AND scope = ?1",
	                     pool, &stmt, err);

	if (more == 1 && (!slice_int64(stmt_text(stmt, 0), length_ms) || *length_ms < 0)) {
		*length_ms = -1;
	}
	stmt_free(stmt);
	return more < 0 ? -1 : 0;
}

int
preemption_replay(struct store *store, const char *wanted, struct preemption_trace *trace,
                  struct err *err)
{
	struct preemption_trace found = {0};
	const struct run_info *run = store_run(store);
	bool simulated = run->dialect && strcmp(run->dialect, "simulated") == 0;
	int64_t length_ms = -1, first_ms = 0;
	char *pool = find_pool(store, wanted, err);
	int named = !pool ? -1 : simulated ? 0 : replay_names(store, &found, err);

	if (named < 0 || find_length(store, slice_of(pool), &length_ms, err) ||
	    (named == 0 && replay_counts(store, slice_of(pool), &found, err))) {
		goto fail;
	}
	first_ms = named && found.n_changes ? found.changes[0].time_ms : 0;
	found.end_ms = length_ms >= 0 ? time_add(length_ms, first_ms) : found.end_ms;
	if (found.end_ms < 1 || found.end_ms > PREEMPTION_MS_LIMIT || first_ms < 0) {
		err_set(err, ERR_USAGE, "%s: its capacity covers no time (or more than 34 years)",
		        store_path(store));
		goto fail;
	}
	free(pool);
	*trace = found;
	return 0;
fail:
	free(pool);
	preemption_trace_free(&found);
	return -1;
}

/* ---- profile ---- */

/* All values of a sample array, NULL if there is none; of the lowest rank where there are
 * several. */
static double *
read_samples(struct store *store, const char *name, size_t *n, struct err *err)
{
	struct stmt *stmt;
	double *values = NULL;
	int more = first_row(store,
	                     "SELECT s.data FROM samples s JOIN trials t ON t.id = s.trial "
	                     "WHERE s.name = ?1 ORDER BY length(t.name), t.name, s.id LIMIT 1",
	                     slice_of(name), &stmt, err);

	*n = 0;
	if (more == 1) {
		struct slice bytes = stmt_text(stmt, 0);
		*n = bytes.len / sizeof *values;
		values = xcalloc(*n + 1, sizeof *values);
		memcpy(values, bytes.ptr, *n * sizeof *values);
	} else if (more == 0) {
		err_set(err, ERR_USAGE, "%s: not a job's profile: it has no %s", store_path(store),
		        name);
	}
	stmt_free(stmt);
	return values;
}

/* Mean in whole seconds, as milliseconds, of all values after the first `skip`. */
static int
mean_of(struct store *store, const char *name, size_t skip, int64_t *ms, struct err *err)
{
	size_t n;
	double *values = read_samples(store, name, &n, err), sum = 0;

	if (!values) {
		return -1;
	}
	for (size_t i = skip; i < n; i++) {
		sum += values[i];
	}
	double mean = n > skip ? sum / (double)(n - skip) : -1;
	free(values);
	if (!(mean >= 0 && mean < 1e9)) {
		return err_set(err, ERR_USAGE, "%s: no mean of %s", store_path(store), name);
	}
	*ms = 1000 * (int64_t)rint(mean);
	return 0;
}

struct world_time {
	int64_t world, n;
	double sum;
};

static void
add_world(struct world_time *worlds, size_t *n_worlds, int64_t world, double seconds)
{
	size_t i = 0;

	while (i < *n_worlds && worlds[i].world != world) {
		i++;
	}
	if (i == *n_worlds && i < PREEMPTION_WORLDS) {
		worlds[(*n_worlds)++] = (struct world_time){.world = world};
	}
	if (i < *n_worlds) {
		worlds[i].n++;
		worlds[i].sum += seconds;
	}
}

/* Mean time of an iteration by world size. */
static int
iterations_of(struct store *store, struct preemption_params *params, struct err *err)
{
	struct world_time worlds[PREEMPTION_WORLDS];
	size_t n_sizes, n_times, n = 0;
	double *sizes = read_samples(store, "loop_times.world_size", &n_sizes, err);
	double *times = sizes ? read_samples(store, "loop_times.train_s", &n_times, err) : NULL;
	struct strbuf list = {0};
	int rc = -1;

	for (size_t i = 0; times && i < n_sizes && i < n_times; i++) {
		if (sizes[i] >= 1 && sizes[i] <= PREEMPTION_INSTANCES_LIMIT && times[i] >= 0 &&
		    times[i] < 1e6) {
			add_world(worlds, &n, (int64_t)sizes[i], times[i]);
		}
	}
	for (size_t i = 0; i < n; i++) {
		int64_t s = (int64_t)rint(worlds[i].sum / (double)worlds[i].n);
		strbuf_printf(&list, "%lld:%llds ", (long long)worlds[i].world,
		              (long long)(s > 0 ? s : 1));
	}
	if (times) {
		rc = preemption_iterations_set(params, strbuf_slice(&list), err);
	}
	strbuf_free(&list);
	free(sizes);
	free(times);
	return rc;
}

int
preemption_profile(struct store *store, struct preemption_params *params, struct err *err)
{
	struct preemption_params measured = *params;

	/* The first reconfiguration is the start of the job. */
	if (mean_of(store, "reconfig.elapsed_s", 1, &measured.reconfig_ms, err) ||
	    mean_of(store, "async-checkpoint.elapsed_s", 0, &measured.checkpoint_ms, err) ||
	    iterations_of(store, &measured, err)) {
		return -1;
	}
	*params = measured;
	return 0;
}
