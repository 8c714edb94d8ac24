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

#include "query/overview.h"

#include <math.h>
#include <stdlib.h>

#include "query/saved/run_list.h"
#include "query/spans/span_list.h"
#include "query/timeline/timeline.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

struct overview_reading {
	struct overview *overview;
	struct store *store;
	const struct cancel *cancel;
	const struct dataset_lane *lanes; /* of the run; once they are needed */
	bool has_task_spans; /* spans of tasks bear keys as names: they are shown by kind */
};

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
	int state;
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

static void
take_tag(struct overview_reading *reading, struct stmt *stmt)
{
	struct overview *overview = reading->overview;

	overview->tags[overview->n_tags++] = (struct overview_tag){
	    keep(reading, stmt_text(stmt, 0)), keep(reading, stmt_text(stmt, 1))};
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

	overview->tags = arena_zalloc(overview->arena, OVERVIEW_TAGS * sizeof *overview->tags);
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
	    timeline_read_at_most(reading->store, &overview->is_at_most, err) ||
	    each_row(reading,
	             "SELECT k.text, substr(v.text, 1, 200) FROM tag t JOIN string k ON k.id = "
	             "t.key JOIN string v ON v.id = t.value WHERE t.scope IS NULL ORDER BY t.id "
	             "LIMIT 64",
	             take_tag, err)) {
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

/* Spans of tasks and transfers are named by the task's key: the tasks' kinds tell more. */
static const char names_by_kind[] =
    "WITH task_category AS (SELECT id FROM string WHERE text = 'task'), transfer_category AS "
    "(SELECT id FROM string WHERE text = 'transfer'), parts AS ("
    "SELECT k.text AS name, count(*) AS n, coalesce(sum(t.finished - t.started), 0) AS ns, "
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

static void
count_spans(struct overview_reading *reading, int64_t *counts, uint32_t n, struct err *err)
{
	struct stmt *stmt =
	    store_prepare(reading->store, "SELECT lane, sum(n) FROM span_total GROUP BY lane", err);

	while (stmt && stmt_step(stmt, err) > 0) {
		int64_t lane = stmt_integer(stmt, 0);

		if (lane >= 0 && lane < (int64_t)n) {
			counts[lane] = stmt_integer(stmt, 1);
		}
	}
	stmt_free(stmt);
}

/* The rows whose busy time makes up the run's: hosts, and lanes that stand on none. */
static size_t
choose_rows(const struct timeline *timeline, bool lanes_only, const struct timeline_row **rows,
            size_t limit)
{
	size_t n = 0;

	for (size_t i = 0; i < timeline->n_rows && n < limit; i++) {
		const struct timeline_row *row = &timeline->rows[i];
		bool is_free_lane = row->type == TIMELINE_LANE && row->level == 0;

		if (lanes_only ? row->type == TIMELINE_LANE && lane_kind_is_work(row->kind)
		               : row->type == TIMELINE_HOST ||
		                     (is_free_lane && lane_kind_is_work(row->kind))) {
			rows[n++] = row;
		}
	}
	return n;
}

/* Cells of rows: n_cells for each. */
static struct tile_cell *
read_cells(struct overview_reading *reading, const struct timeline_row *const *rows, size_t n,
           int64_t cell_ns, uint32_t n_cells, struct arena *arena, struct err *err)
{
	struct tile_request *requests = xcalloc(n + 1, sizeof *requests);
	struct tile_cell *cells = arena_zalloc(arena, (n * n_cells + 1) * sizeof *cells);
	struct tile_reader tiles;
	int rc = store_tiles(reading->store, &tiles, err);

	for (size_t i = 0; i < n; i++) {
		requests[i] = (struct tile_request){rows[i]->is_host ? TILE_GROUP : TILE_LANE,
		                                    rows[i]->id, rows[i]->members,
		                                    rows[i]->n_members, cells + i * n_cells};
	}
	if (rc == 0) {
		tiles.cancel = reading->cancel;
		rc = tile_read_many(&tiles, requests, n,
		                    (struct tile_axis){0, cell_ns, n_cells, false}, arena, err);
	}
	free(requests);
	return rc == 0 ? cells : NULL;
}

static void
add_lane(struct overview_reading *reading, const struct timeline_row *row, int64_t busy_ns,
         const int64_t *counts)
{
	struct overview *overview = reading->overview;
	struct overview_lane *lane = &overview->lanes[overview->n_lanes++];
	int64_t n = row->is_host ? row->n_members : 1;
	const struct dataset_lane *all = reading->lanes;

	*lane = (struct overview_lane){.name = keep(reading, row->name),
	                               .is_host = row->is_host,
	                               .lane = row->is_host ? -1 : (int64_t)row->id,
	                               .busy_ns = busy_ns,
	                               .count = row->is_host ? 0 : counts[row->id],
	                               .n_lanes = n,
	                               .lanes_are = lane_word(
	                                   n > 0 && row->is_host ? all[row->members[0]].kind
	                                                         : row->kind)};
	for (uint32_t i = 0; row->is_host && i < row->n_members; i++) {
		lane->count += counts[row->members[i]];
		if (all[row->members[i]].kind != all[row->members[0]].kind) {
			lane->lanes_are = "lane";
		}
	}
	lane->share = n > 0 ? (double)busy_ns / (double)n / (double)overview->info.duration_ns : 0;
}

static int
read_lanes(struct overview_reading *reading, const struct timeline *timeline, struct arena *arena,
           struct err *err)
{
	struct overview *overview = reading->overview;
	const struct timeline_row **rows = xcalloc(OVERVIEW_LANES + 1, sizeof *rows);
	int64_t *counts = xcalloc((size_t)timeline->n_lanes + 1, sizeof *counts);
	int64_t cell_ns = timeline_snap(timeline, overview->info.duration_ns / 8 + 1);
	uint32_t n_cells = (uint32_t)((overview->info.duration_ns - 1) / cell_ns + 1);
	size_t n = choose_rows(timeline, overview->n_hosts <= 1, rows, OVERVIEW_LANES);
	struct tile_cell *cells = read_cells(reading, rows, n, cell_ns, n_cells, arena, err);
	const struct dataset *dataset = store_dataset(reading->store, err);

	if (!dataset || !cells) {
		free(counts);
		free(rows);
		return -1;
	}
	reading->lanes = dataset->lanes;
	count_spans(reading, counts, timeline->n_lanes, err);
	overview->lanes = arena_zalloc(overview->arena, (n + 1) * sizeof *overview->lanes);
	for (size_t i = 0; i < n; i++) {
		int64_t busy_ns = 0;

		for (uint32_t k = 0; k < n_cells; k++) {
			time_raise(&busy_ns, cells[i * n_cells + k].busy_ns);
		}
		add_lane(reading, rows[i], busy_ns, counts);
	}
	overview->n_all_lanes = overview->n_hosts <= 1 ? timeline->n_work : overview->n_hosts;
	free(counts);
	free(rows);
	return 0;
}

static int
read_minimap(struct overview_reading *reading, const struct timeline *timeline, struct err *err)
{
	struct overview *overview = reading->overview;
	int64_t duration_ns = overview->info.duration_ns;
	int64_t cell_ns = timeline_snap(timeline, (duration_ns - 1) / OVERVIEW_CELLS + 1);
	uint32_t n_cells = (uint32_t)((duration_ns - 1) / cell_ns + 1);
	int64_t *busy_ns = xcalloc((size_t)n_cells + 1, sizeof *busy_ns);
	int rc =
	    timeline_busy(reading->store, timeline, (struct tile_axis){0, cell_ns, n_cells, false},
	                  busy_ns, reading->cancel, err);
	double all_ns = 0;

	overview->cells = arena_zalloc(overview->arena, (n_cells + 1) * sizeof(double));
	overview->n_cells = n_cells;
	for (uint32_t k = 0; k < n_cells; k++) {
		int64_t left_ns = duration_ns - (int64_t)k * cell_ns;
		double whole_ns = (double)LEAST(left_ns, cell_ns) * (double)timeline->n_work;

		all_ns += (double)busy_ns[k];
		overview->cells[k] = whole_ns > 0 ? fmin((double)busy_ns[k] / whole_ns, 1) : 0;
	}
	overview->mean_share = all_ns / (double)duration_ns / (double)timeline->n_work;
	overview->minimap_title = "busy";
	free(busy_ns);
	return rc;
}

static int
read_busy(struct overview_reading *reading, struct err *err)
{
	struct timeline *timeline = timeline_new(reading->store, err);
	struct arena *arena = arena_new();
	int rc = timeline ? 0 : -1;

	if (timeline && timeline->n_work > 0) {
		rc = read_minimap(reading, timeline, err);
		rc = rc ? rc : read_lanes(reading, timeline, arena, err);
	}
	arena_free(arena);
	timeline_release(timeline);
	return rc;
}

struct overview *
overview_read(struct store *store, const struct cancel *cancel, struct err *err)
{
	struct overview *overview = xcalloc(1, sizeof *overview);
	struct overview_reading reading = {
	    .overview = overview, .store = store, .cancel = cancel};

	overview->arena = arena_new();
	overview->info = *store_run(store);
	run_info_keep(&overview->info, overview->arena, "");
	int rc = read_facts(&reading, err);
	if (rc == 0 && overview->info.duration_ns > 0) {
		rc = read_capacity(&reading, err);
	}
	if (rc == 0 && overview->info.duration_ns > 0 && !overview->minimap_title) {
		rc = read_busy(&reading, err);
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
