/*
 * A run as Chrome Trace Event JSON:
 *
 *   host and process   a process; its number if the trace gave one that is free, else the next
 *   lane               a thread, in the order of the timeline. Viewers want the spans of a thread
 *                      to nest: a lane where some overlap becomes a thread for each row of depth
 *                      ("NAME", "NAME +1", ...), on which nothing overlaps. Only records that stand
 *                      for many calls share a thread as they come.
 *   span               X, ts and dur in microseconds with all three digits, never through a double
 *   event, sample      i; C, with the lane's name as id where several lanes may count the same
 *   dependency         s and f (bp: e) at the starts of two spans, or of two tasks' spans
 *   capacity           C of a process "cluster"; nodes taken away (preempted) are counted up
 *
 * Times count from the run's start, since viewers keep microseconds as doubles, which would round
 * dates; otherData.start_ns says when that was. What a span has beside its arguments stands among
 * them under "lanescope". Each thread says which lane it is in a metadata event of our own
 * (lanescope.lane), and each end of a flow which span it means (args): with these the importer
 * makes the same lanes, spans and dependencies again.
 *
 * Blocks become text on several threads and are written in order: memory is that of a few blocks'
 * text, a byte a span to find overlaps, and what tasks and lanes take.
 */
#include "config.h"
#include "export/chrome.h"

#include <inttypes.h>
#include <stdlib.h>

#include "export/chrome_private.h"
#include "util/intervals.h"
#include "util/json_text.h"

/* ---- what surrounds the events ---- */

static void
add_fact(struct strbuf *out, const char *key, const char *value)
{
	if (value) {
		strbuf_printf(out, ",\"%s\":", key);
		json_add_text(out, slice_of(value));
	}
}

static void
add_window(struct strbuf *out, const char *key, int64_t ns)
{
	if (ns != INT64_MIN && ns != INT64_MAX) {
		strbuf_printf(out, ",\"%s\":%" PRId64, key, ns);
	}
}

static void
begin(struct trace_writer *trace)
{
	const struct run_info *run = store_run(trace->store);
	struct strbuf out = {0};

	strbuf_add_text(&out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":\"" PACKAGE
	                      " " PACKAGE_VERSION "\"");
	add_fact(&out, "run", run->name);
	add_fact(&out, "format", run->format);
	add_fact(&out, "dialect", run->dialect);
	add_fact(&out, "clock", run->clock);
	strbuf_printf(&out, ",\"start_ns\":%" PRId64 ",\"duration_ns\":%" PRId64, run->start_ns,
	              run->duration_ns);
	add_window(&out, "from_ns", trace->options->from_ns);
	add_window(&out, "to_ns", trace->options->to_ns);
	strbuf_add_text(&out, "},\n\"traceEvents\":[");
	gzip_writer_put(trace->out, out.data, out.len);
	strbuf_free(&out);
}

/* ---- capacity ---- */

static void
add_nodes(const struct trace_writer *trace, struct stmt *stmt, const char *name, struct strbuf *out)
{
	strbuf_printf(out, ",\n{\"name\":\"%s\",\"ph\":\"C\",\"ts\":", name);
	trace_add_us(out, stmt_integer(stmt, 0));
	strbuf_add_text(out, ",\"pid\":");
	json_add_unsigned(out, trace->free_pid);
	if (stmt_type(stmt, 1) != VALUE_NULL) {
		strbuf_add_text(out, ",\"id\":");
		json_add_text(out, stmt_text(stmt, 1));
	}
	strbuf_add_text(out, ",\"args\":{\"nodes\":");
	json_add_integer(out, stmt_integer(stmt, 2));
	strbuf_add_text(out, "}}");
}

static int
write_nodes(struct trace_writer *trace, const char *name, const char *sql, struct err *err)
{
	struct stmt *stmt = store_prepare(trace->store, sql, err);
	struct strbuf out = {0};
	int row;

	if (!stmt) {
		return -1;
	}
	while ((row = stmt_step(stmt, err)) > 0) {
		int64_t time_ns = stmt_integer(stmt, 0);

		if (trace_in_window(trace->options, time_ns, time_ns)) {
			strbuf_clear(&out);
			add_nodes(trace, stmt, name, &out);
			trace_put(trace, &out);
			trace->written->n_samples++;
		}
	}
	strbuf_free(&out);
	stmt_free(stmt);
	return row;
}

static int
write_cluster(struct trace_writer *trace, struct err *err)
{
	struct strbuf out = {0};

	strbuf_printf(&out,
	              ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%" PRIu32
	              ",\"args\":{\"name\":\"cluster\"}}",
	              trace->free_pid);
	trace_put(trace, &out);
	strbuf_free(&out);
	return write_nodes(trace, "capacity",
	                   "SELECT time, pool, nodes FROM capacities ORDER BY time, id", err) ||
	               write_nodes(
			   trace, "preempted",
			   "SELECT time, pool, sum(nodes) OVER (PARTITION BY pool ORDER "
			   "BY time, id) FROM preemptions WHERE nodes > 0 ORDER BY time, id",
			   err)
	           ? -1
	           : 0;
}

/* ---- all ---- */

/* How many rows a table has, or -1. */
static int64_t
count_rows(struct store *store, const char *sql, struct err *err)
{
	struct stmt *stmt = store_prepare(store, sql, err);
	int64_t n = stmt && stmt_step(stmt, err) > 0 ? stmt_integer(stmt, 0) : -1;

	stmt_free(stmt);
	return n;
}

static int
check_times(struct store *store, int64_t n_nodes, struct err *err)
{
	const struct run_info *run = store_run(store);
	int64_t n_trials;

	if (run->n_spans > 0 || run->n_events > 0 || run->n_counters > 0 || n_nodes > 0) {
		return 0;
	}
	n_trials = count_rows(store, "SELECT count(*) FROM trials", err);
	if (n_trials < 0) {
		return -1;
	}
	return err_set(err, ERR_USAGE,
	               "%s: nothing in it has a time, so a Chrome trace of it would be empty: it "
	               "holds %" PRId64 " trials, %" PRId64 " tasks and no spans, events or "
	               "counters; lanescope export --to csv writes them as tables",
	               run->name, n_trials, run->n_tasks);
}

static int
write_events(struct trace_writer *trace, bool has_nodes, struct err *err)
{
	uint32_t *n_rows = trace_rows_of_lanes(trace, err);
	int rc = n_rows ? trace_write_lanes(trace, n_rows, err) : -1;

	free(n_rows);
	for (int kind = 0; rc == 0 && kind < BLOCK_KINDS; kind++) {
		rc = trace_write_rows(trace, (enum block_kind)kind, err);
	}
	if (rc == 0 && has_nodes && !trace->options->wants_lane) {
		rc = write_cluster(trace, err);
	}
	return rc;
}

int
chrome_export(struct store *store, const struct chrome_options *options, struct gzip_writer *out,
              struct chrome_written *written, struct err *err)
{
	struct trace_writer trace = {.store = store,
	                             .options = options,
	                             .out = out,
	                             .written = written,
	                             .own_key = UINT32_MAX};
	int64_t n_nodes = count_rows(store,
	                             "SELECT (SELECT count(*) FROM capacity) + (SELECT count(*) "
	                             "FROM preemption)",
	                             err);
	int rc = -1;

	*written = (struct chrome_written){0};
	trace.dataset = n_nodes < 0 ? NULL : store_dataset(store, err);
	if (!trace.dataset || check_times(store, n_nodes, err)) {
		return -1;
	}
	trace.arena = arena_new();
	for (uint32_t key = 0; key < trace.dataset->n_keys; key++) {
		trace.own_key = slice_is(trace.dataset->keys[key], TRACE_OWN) ? key : trace.own_key;
	}
	for (int i = 0; i < ROW_COLUMNS; i++) {
		trace.own[trace.n_own] = (enum row_column)i;
		trace.n_own += row_columns[i].is_in_trace;
	}
	if (trace_choose_lanes(&trace, err) == 0 && trace_load_records(&trace, err) == 0 &&
	    trace_load_task_ends(&trace, err) == 0) {
		begin(&trace);
		rc = write_events(&trace, n_nodes > 0, err);
		gzip_writer_put(out, "\n]}\n", 4);
	}
	trace_free_records(&trace);
	arena_free(trace.arena);
	return rc;
}
