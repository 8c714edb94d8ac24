/*
 * Everything here comes from small tables: span_total (a row for each lane, category and name),
 * tiles, task, capacity, trial. So it is there at once, however many spans the run has. Self times
 * are added up, so that nested spans do not count twice.
 *
 * Nor do nodes count twice: of a group's metrics, the total holds the others; and of what records a
 * pool's losses (terminations, removals, drops that were found in the count) one kind is taken, as
 * saved query preemption-summary does.
 */
#include "config.h"

#include "query/overview_private.h"

#include <math.h>
#include <stdlib.h>

#include "query/saved/run_list.h"
#include "query/saved/run_tags.h"
#include "query/spans/span_list.h"
#include "query/timeline/timeline.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

static struct slice
keep(struct overview_reading *reading, struct slice text)
{
	return arena_slice(reading->overview->arena, text);
}

/* Runs a statement; row gets each of its rows. */
static int
each_row(struct overview_reading *reading, const char *sql,
         void (*row)(struct overview_reading *reading, struct stmt *stmt), struct err *err)
{
	struct stmt *stmt = store_prepare(reading->store, sql, err);
	struct store_view range = store_view(reading->store);
	int state;

	if (stmt && stmt_parameters(stmt) == 2) {
		stmt_bind_integer(stmt, 1, range.start_ns);
		stmt_bind_integer(stmt, 2, range.end_ns);
	}
	while ((state = stmt_step(stmt, err)) > 0) {
		row(reading, stmt);
	}
	stmt_free(stmt);
	return state;
}

/* ---- facts ---- */

static void
take_facts(struct overview_reading *reading, struct stmt *stmt)
{
	struct overview *overview = reading->overview;

	overview->n_hosts = stmt_integer(stmt, 0);
	overview->n_trials = stmt_integer(stmt, 1);
	overview->n_samples = stmt_integer(stmt, 2);
	overview->n_preempted = stmt_integer(stmt, 3);
	reading->has_task_spans = stmt_integer(stmt, 4) != 0;
	overview->unfinished_ns = stmt_integer(stmt, 5);
}

/* What the scope leaves of it. */
static void
take_counts(struct overview_reading *reading, struct stmt *stmt)
{
	struct run_info *inside = &reading->overview->inside;
	int64_t *const counts[] = {&inside->duration_ns, &inside->n_lanes, &inside->n_tasks,
	                           &inside->n_transfers, &inside->n_spans, &inside->n_events,
	                           &inside->n_counters};

	*inside = reading->overview->info;

	for (int i = 0; i < (int)COUNT_OF(counts); i++) {
		*counts[i] = stmt_integer(stmt, i);
	}
}

/* What people say goes before what the traces say. */
static int
read_tags(struct overview_reading *reading, struct err *err)
{
	struct overview *overview = reading->overview;
	struct run_tags tags = {0};
	int rc = run_tags_read(reading->store, &tags, err);

	overview->tags = arena_zalloc(overview->arena, (tags.n + 1) * sizeof *overview->tags);
	for (size_t i = 0; rc == 0 && i < 2 * tags.n; i++) {
		const struct run_tag *tag = &tags.all[i % tags.n];
		if ((i < tags.n) == (tag->origin != TAG_OF_TRACE)) {
			overview->tags[overview->n_tags++] = (struct overview_tag){
			    keep(reading, slice_of(tag->key)), keep(reading, slice_of(tag->value))};
		}
	}
	run_tags_free(&tags);
	return rc;
}

static void
take_problem(struct overview_reading *reading, struct stmt *stmt)
{
	struct overview *overview = reading->overview;

	overview->problems[overview->n_problems++] = keep(reading, stmt_text(stmt, 0));
}

/* Nodes lost by each pool (x.pool, x.n): by terminations, else removals, else drops found. */
#define LOSSES                                                                                     \
	"(SELECT pool, n, min(kind) FROM (SELECT coalesce(p.pool, -1) AS pool, sum(p.nodes) AS "   \
	"n, "                                                                                      \
	"CASE s.dialect WHEN 'terminate' THEN 1 WHEN 'found' THEN 3 ELSE 2 END AS kind FROM "      \
	"preemption p JOIN source s ON s.id = p.source WHERE p.nodes > 0 GROUP BY 1, 3) GROUP BY " \
	"pool) x"

static int
read_facts(struct overview_reading *reading, struct err *err)
{
	struct overview *overview = reading->overview;

	if (each_row(reading,
	             "SELECT (SELECT count(DISTINCT host) FROM lane), (SELECT count(*) FROM "
	             "trial), (SELECT coalesce(sum(n), 0) FROM sample), (SELECT "
	             "coalesce(sum(x.n), 0) FROM " LOSSES
	             "), EXISTS (SELECT 1 FROM task) AND EXISTS (SELECT 1 FROM span_total WHERE "
	             "category = (SELECT id FROM "
	             "string WHERE text = 'task')), (SELECT coalesce(sum(unfinished_sum), 0) FROM "
	             "work_total)",
	             take_facts, err) ||
	    lane_words_read(reading->store, &overview->lanes_are, err) ||
	    each_row(
		reading,
		"SELECT duration_ns, lanes, tasks, transfers, spans, events, counters FROM run",
		take_counts, err) ||
	    timeline_read_at_most(reading->store, &overview->is_at_most, err) ||
	    read_tags(reading, err)) {
		return -1;
	}
	return each_row(reading,
	                "SELECT reason FROM problem GROUP BY reason ORDER BY count(*) DESC, "
	                "min(id) LIMIT 8",
	                take_problem, err);
}

/* ---- what takes most ---- */

static struct overview_name *
add_name(struct overview_reading *reading, struct stmt *stmt, enum column_kind kind)
{
	struct overview *overview = reading->overview;

	if (overview->n_names == OVERVIEW_NAMES) {
		return NULL;
	}
	struct overview_name *name = &overview->names[overview->n_names++];
	*name = (struct overview_name){.name = keep(reading, stmt_text(stmt, 0)),
	                               .count = stmt_integer(stmt, 1),
	                               .value = stmt_real(stmt, 2),
	                               .kind = kind};
	return name;
}

/* Columns: name, count, ns, and which column of spans holds the name ("name", "category",
 * "arg.kind"). */
static void
take_time(struct overview_reading *reading, struct stmt *stmt)
{
	struct overview_name *name = add_name(reading, stmt, KIND_DURATION);
	struct slice column = stmt_text(stmt, 3);
	struct strbuf filter = {0};

	if (!name) {
		return;
	}
	if (stmt_type(stmt, 0) == VALUE_NULL) {
		strbuf_printf(&filter, "%.*s IS NULL", (int)column.len, column.ptr);
	} else if (slice_is(column, "arg.kind")) {
		strbuf_add_text(&filter, "category = 'task' AND ");
		span_filter_add(&filter, "arg.kind", name->name);
	} else {
		span_filter_add(&filter, slice_is(column, "category") ? "category" : "name",
		                name->name);
	}
	name->filter = keep(reading, strbuf_slice(&filter)).ptr;
	strbuf_free(&filter);
}

static void
take_pool(struct overview_reading *reading, struct stmt *stmt)
{
	(void)add_name(reading, stmt, KIND_REAL);
}

static void
take_samples(struct overview_reading *reading, struct stmt *stmt)
{
	(void)add_name(reading, stmt, KIND_COUNT);
}

static const char names_by_name[] =
    "SELECT s.text, x.n, x.ns, 'name' FROM (SELECT name, sum(n) AS n, sum(self_sum) AS ns FROM "
    "work_total GROUP BY name ORDER BY ns DESC, name LIMIT 64) x LEFT JOIN string s ON s.id = "
    "x.name ORDER BY x.ns DESC, s.text";

/* Spans of tasks and transfers are named by the task's key: the tasks' kinds tell more. ?1, ?2: the
 * range in scope. */
static const char names_by_kind[] =
    "WITH task_category AS (SELECT id FROM string WHERE text = 'task'), transfer_category AS "
    "(SELECT id FROM string WHERE text = 'transfer'), parts AS ("
    "SELECT k.text AS name, count(*) AS n, coalesce(sum(min(t.finished, ?2) - max("
    "t.started, ?1)), 0) AS ns, "
    "'arg.kind' AS what FROM task t JOIN string k ON k.id = t.kind WHERE t.started IS NOT NULL "
    "GROUP BY t.kind "
    "UNION ALL SELECT 'transfer', sum(n), sum(self_sum), 'category' FROM work_total WHERE category "
    "IN transfer_category HAVING count(*) > 0 "
    "UNION ALL SELECT s.text, sum(n), sum(self_sum), 'name' FROM work_total t LEFT JOIN string s "
    "ON s.id = t.name WHERE category IS NULL OR (category NOT IN task_category AND category NOT "
    "IN transfer_category) GROUP BY t.name) "
    "SELECT name, n, ns, what FROM parts ORDER BY ns DESC, name LIMIT 64";

static const char names_by_pool[] =
    "WITH states AS (SELECT pool, time, nodes, coalesce(lead(time) OVER (PARTITION BY pool ORDER "
    "BY time, id), (SELECT duration_ns FROM run)) - time AS lasts FROM capacity) "
    "SELECT s.text, coalesce(x.n, 0), m.mean FROM (SELECT pool, sum(1.0 * nodes * lasts) / "
    "max(sum(lasts), 1) AS mean FROM states GROUP BY pool) m LEFT JOIN " LOSSES " ON x.pool = "
    "coalesce(m.pool, -1) LEFT JOIN string s ON s.id = m.pool ORDER BY 3 DESC, 1 LIMIT 64";

/* Of a simulated job, one pool is all there is; its states tell more. */
static const char names_by_state[] =
    "SELECT s.text, sum(t.n), sum(t.self_sum), 'name' FROM work_total t JOIN string s ON s.id = "
    "t.name WHERE t.category IN (SELECT id FROM string WHERE text = 'job') GROUP BY t.name ORDER "
    "BY 3 DESC, 1";

static const char names_by_sample[] =
    "SELECT s.text, count(DISTINCT x.trial), sum(x.n) FROM sample x JOIN string s ON s.id = x.name "
    "GROUP BY x.name ORDER BY 3 DESC, 1 LIMIT 64";

/* Of the time, what is of spans whose end is not in the trace. */
static const char *
time_title(struct overview_reading *reading)
{
	int64_t unfinished_ns = reading->overview->unfinished_ns;
	char text[FORMAT_BYTES];

	if (unfinished_ns <= 0) {
		return "where the time goes";
	}
	reading->overview->names_brief = arena_printf(
	    reading->overview->arena, "time, unfinished %s", format_duration(text, unfinished_ns));
	return arena_printf(reading->overview->arena, "where the time goes, unfinished %s", text);
}

static int
read_names(struct overview_reading *reading, struct err *err)
{
	struct overview *overview = reading->overview;

	overview->names = arena_zalloc(overview->arena, OVERVIEW_NAMES * sizeof *overview->names);
	if (overview->info.dialect && strcmp(overview->info.dialect, "simulated") == 0) {
		overview->names_title = "what the job's time went into";
		overview->names_figure = "time";
		return each_row(reading, names_by_state, take_time, err);
	}
	if (overview->minimap_title && overview->high > 0) {
		overview->names_title = "pools";
		overview->names_figure = "nodes";
		return each_row(reading, names_by_pool, take_pool, err);
	}
	if (overview->info.n_spans > 0) {
		overview->names_title = time_title(reading);
		/* of tasks and transfers, which nest nothing, and else without what is nested */
		overview->names_figure = reading->has_task_spans ? "total" : "self";
		return each_row(reading, reading->has_task_spans ? names_by_kind : names_by_name,
		                take_time, err);
	}
	overview->names_title = overview->n_trials > 0 ? "samples" : NULL;
	overview->names_figure = "values";
	return overview->n_trials > 0 ? each_row(reading, names_by_sample, take_samples, err) : 0;
}

/* ---- over time ---- */

/* Without the metrics of a group (as CloudWatch names them) whose sum is recorded too. */
static const char states_by_pool[] =
    "WITH pools AS (SELECT s.id, s.text FROM (SELECT DISTINCT pool FROM capacity) c JOIN string s "
    "ON s.id = c.pool), totals AS (SELECT substr(text, 1, length(text) - "
    "length('TotalInstances')) AS stem FROM pools WHERE text GLOB '*GroupTotalInstances'), parts "
    "AS (SELECT stem || p.name AS text FROM totals, (SELECT 'InServiceInstances' AS name UNION ALL "
    "SELECT 'PendingInstances' UNION ALL SELECT 'StandbyInstances' UNION ALL SELECT "
    "'TerminatingInstances') p) "
    "SELECT coalesce(pool, -2), time, nodes FROM capacity WHERE pool IS NULL OR pool NOT IN "
    "(SELECT id FROM pools WHERE text IN (SELECT text FROM parts)) ORDER BY 1, time, id";

/* Nodes over time: of each pool the last number holds until the next. */
struct pool_state {
	int64_t pool, since_ns, nodes;
};

static void
add_state(struct overview *overview, const struct pool_state *state, int64_t until_ns,
          int64_t cell_ns)
{
	int64_t from_ns = MOST(0, state->since_ns);

	for (int64_t cell = from_ns / cell_ns;
	     cell < (int64_t)overview->n_cells && cell * cell_ns < until_ns; cell++) {
		int64_t start = MOST(cell * cell_ns, from_ns);
		int64_t end = LEAST((cell + 1) * cell_ns, until_ns);

		if (end > start) {
			overview->cells[cell] +=
			    (double)state->nodes * (double)(end - start) / (double)cell_ns;
		}
	}
}

static int
read_capacity(struct overview_reading *reading, struct err *err)
{
	struct overview *overview = reading->overview;
	int64_t duration_ns = overview->info.duration_ns;
	int64_t cell_ns = duration_ns / OVERVIEW_CELLS + 1;
	struct pool_state state = {-1, 0, 0};
	struct stmt *stmt = store_prepare(reading->store, states_by_pool, err);
	bool any = false;
	int row;
	overview->n_cells = (size_t)((duration_ns - 1) / cell_ns + 1);
	overview->cells = arena_zalloc(overview->arena, overview->n_cells * sizeof(double));
	while ((row = stmt_step(stmt, err)) > 0) {
		int64_t pool = stmt_integer(stmt, 0), at_ns = stmt_integer(stmt, 1);

		if (any) {
			add_state(overview, &state, pool == state.pool ? at_ns : duration_ns,
			          cell_ns);
		}
		state = (struct pool_state){pool, at_ns, stmt_integer(stmt, 2)};
		any = true;
	}
	stmt_free(stmt);
	if (row < 0 || !any) {
		overview->n_cells = 0;
		return row;
	}
	add_state(overview, &state, duration_ns, cell_ns);
	for (size_t i = 0; i < overview->n_cells; i++) {
		int64_t left_ns = duration_ns - (int64_t)i * cell_ns;

		overview->mean += overview->cells[i] * (double)cell_ns / (double)duration_ns;
		if (left_ns < cell_ns) { /* the last one is cut by the run's end */
			overview->cells[i] *= (double)cell_ns / (double)left_ns;
		}
		overview->high = fmax(overview->high, overview->cells[i]);
	}
	for (size_t i = 0; i < overview->n_cells && overview->high > 0; i++) {
		overview->cells[i] /= overview->high;
	}
	overview->mean_share = overview->high > 0 ? overview->mean / overview->high : 0;
	overview->minimap_title = overview->high > 0 ? "nodes" : NULL;
	return 0;
}

struct overview *
overview_read(struct store *store, const struct cancel *cancel, struct err *err)
{
	struct overview *overview = xcalloc(1, sizeof *overview);
	struct overview_reading reading = {.overview = overview, .store = store, .cancel = cancel};

	overview->arena = arena_new();
	overview->info = *store_run(store);
	run_info_keep(&overview->info, overview->arena);
	int rc = read_facts(&reading, err);
	if (rc == 0 && overview->info.duration_ns > 0) {
		rc = read_capacity(&reading, err);
	}
	if (rc == 0 && overview->info.duration_ns > 0 && !overview->minimap_title) {
		rc = overview_read_busy(&reading, err);
	}
	if (rc == 0) {
		rc = read_names(&reading, err);
	}
	if (rc != 0) {
		overview_free(overview);
		return NULL;
	}
	return overview;
}

void
overview_free(struct overview *overview)
{
	if (overview) {
		arena_free(overview->arena);
		free(overview);
	}
}
