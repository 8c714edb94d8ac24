/*
 * Virtual tables: how SQL sees column blocks.
 *
 *     span, event, counter                          every row           vtab_rows.c, vtab_row.c
 *     span_sums(by, filter, p1 ...), event_, counter_   a row a group    vtab_sums.c
 *     span_page(filter, order, offset, n, p1 ...), ...  a page of rows   vtab_page.c
 *     span_busy(by, filter, beside, p1 ...)         busy and hidden time  vtab_busy.c
 *     span_overlap(window, a, b, p1 ...)            unions of intervals  vtab_overlap.c
 *     span_interference(a, b, within, shifts, p1 ...)  durations beside  vtab_interference.c
 *     span_pairs(key, spans, partners, p1 ...)      joined by a value    vtab_pairs.c
 *     span_pair_sums(by, least, key, ...)           sums of these        vtab_pair_sums.c
 *     span_gaps(filter, least, n, p1 ...), span_idle    gaps of lanes    vtab_gaps.c
 *     span_gaps_within(within, filter, least, n, ...)   of several as one
 *     span_flows                                    flows by their ends  vtab_flows.c
 *     span_alike                                    who is odd           vtab_alike.c
 *     range_start(), range_end()                    functions: of the scope, of the run
 *     makespan                                      from when to when    vtab_makespan.c
 *     arguments of all these, and what the last ones are made by vtab_arguments.c, vtab_listed.c
 *     capacity_state                                states of pools      vtab_capacity.c
 *     capacity_sums(big, each), preemption_sums(big)    sums of pools    vtab_pools.c
 *     task_sums(lanes)                              tasks by worker      vtab_tasks.c
 *     task_levels(window, worker)                   tasks over time      vtab_task_levels.c
 *     sample_value                                  values of samples    vtab_samples.c
 *     sample_sums(sample, skip, p)                  figures of one       vtab_sample_sums.c
 *
 * All are eponymous-only: they exist on every connection that registers them, and none can be
 * created, so a run file needs no schema entries for them and stays an ordinary database. The
 * price: SQLite resolves their names without regard to the schema's, so that
 * `attached.span_sums(...)` of an ATTACHed run would silently read the run of the main database.
 * One connection, one run: runs are compared by one query each.
 *
 * The tables keep pointers to one vtab_run, which counts them: the extension may be loaded twice on
 * a connection while statements of the first time still run, and the source must outlive the last
 * of them.
 *
 * A scan may take seconds inside of one xFilter. It is stopped by the reader's cancel flag, or by
 * interrupting the connection: with each column that the dataset fetches a statement of that
 * connection runs, which notices. Either way the statement ends with SQLITE_INTERRUPT.
 */
#include "config.h"
#include "store/vtab.h"

#include <stdlib.h>

#include "store/functions.h"
#include "util/mem.h"

static const struct vtab_type types[] = {
    {"span", BLOCK_SPAN, &vtab_rows, NULL},
    {"event", BLOCK_EVENT, &vtab_rows, NULL},
    {"counter", BLOCK_COUNTER, &vtab_rows, NULL},
    {"span_sums", BLOCK_SPAN, &vtab_sums, NULL},
    {"event_sums", BLOCK_EVENT, &vtab_sums, NULL},
    {"counter_sums", BLOCK_COUNTER, &vtab_sums, NULL},
    {"span_page", BLOCK_SPAN, &vtab_page, NULL},
    {"event_page", BLOCK_EVENT, &vtab_page, NULL},
    {"counter_page", BLOCK_COUNTER, &vtab_page, NULL},
    {"span_busy", BLOCK_SPAN, &vtab_busy, NULL},
    {"span_overlap", BLOCK_SPAN, &vtab_listed, &vtab_overlap_listed},
    {"span_interference", BLOCK_SPAN, &vtab_listed, &vtab_interference_listed},
    {"span_pairs", BLOCK_SPAN, &vtab_listed, &vtab_pairs_listed},
    {"span_pair_sums", BLOCK_SPAN, &vtab_listed, &vtab_pair_sums_listed},
    {"span_gaps", BLOCK_SPAN, &vtab_listed, &vtab_gaps_listed},
    {"span_gaps_within", BLOCK_SPAN, &vtab_listed, &vtab_gaps_within_listed},
    {"span_idle", BLOCK_SPAN, &vtab_listed, &vtab_idle_listed},
    {"span_flows", BLOCK_SPAN, &vtab_listed, &vtab_flows_listed},
    {"span_alike", BLOCK_SPAN, &vtab_listed, &vtab_alike_listed},
    {"makespan", BLOCK_SPAN, &vtab_listed, &vtab_makespan_listed},               /* of no kind */
    {"capacity_state", BLOCK_SPAN, &vtab_capacity, NULL},                        /* of no kind */
    {"capacity_sums", BLOCK_SPAN, &vtab_listed, &vtab_capacity_sums_listed},     /* of no kind */
    {"task_levels", BLOCK_SPAN, &vtab_listed, &vtab_task_levels_listed},         /* of no kind */
    {"task_sums", BLOCK_SPAN, &vtab_listed, &vtab_task_sums_listed},             /* of no kind */
    {"preemption_sums", BLOCK_SPAN, &vtab_listed, &vtab_preemption_sums_listed}, /* of no kind */
    {"sample_sums", BLOCK_SPAN, &vtab_listed, &vtab_sample_sums_listed},         /* of no kind */
    {"sample_value", BLOCK_SPAN, &vtab_samples, NULL},                           /* of no kind */
};

struct range_function {
	struct vtab_run *run;
	bool is_end;
};

static void
module_free(void *data)
{
	struct vtab_module *module = data;
	vtab_run_release(module->run);
	free(module);
}

/* range_start(), range_end(): of the scope, in the run's time; without a range all of the run. */
static void
call_range(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	const struct range_function *function = sqlite3_user_data(context);
	const struct vtab_source *source = &function->run->source;
	struct err err = ERR_INIT;
	const struct dataset *dataset = source->dataset(source->user, &err);
	int64_t start_ns = 0, end_ns;

	(void)argc;
	(void)argv;
	if (!dataset) {
		(void)function_fail(context, err.message);
		return;
	}
	end_ns = dataset->duration_ns;
	dataset_clip(dataset, &start_ns, &end_ns);
	sqlite3_result_int64(context, function->is_end ? end_ns : start_ns);
}

static void
range_function_free(void *data)
{
	struct range_function *function = data;

	vtab_run_release(function->run);
	free(function);
}

static int
register_range(sqlite3 *db, struct vtab_run *run, bool is_end, struct err *err)
{
	struct range_function *function = xcalloc(1, sizeof *function);
	int result;

	*function = (struct range_function){run, is_end};
	run->references++;
	result = sqlite3_create_function_v2(
	    db, is_end ? "range_end" : "range_start", 0, SQLITE_UTF8 | FLAG_INNOCUOUS, function,
	    call_range, NULL, NULL, range_function_free); /* frees on failure, too */
	/* Statements that run keep a function from being replaced: the first one stays. */
	return result == SQLITE_OK || result == SQLITE_BUSY
	           ? 0
	           : err_set(err, ERR_INTERNAL, "function range_%s: %s", is_end ? "end" : "start",
	                     sqlite3_errmsg(db));
}

int
vtab_register(sqlite3 *db, const struct vtab_source *source, struct err *err)
{
	struct vtab_run *run = xcalloc(1, sizeof *run);
	*run = (struct vtab_run){*source, 1};
	int status = 0;
	for (size_t i = 0; i < COUNT_OF(types) && !status; i++) {
		struct vtab_module *module = xcalloc(1, sizeof *module);
		*module = (struct vtab_module){&types[i], run};
		run->references++;
		int result =
		    sqlite3_create_module_v2(db, types[i].name, &types[i].class->methods, module,
		                             module_free); /* frees on failure, too */
		/* Versions that refuse to replace a module say misuse: the first one stays. */
		if (result != SQLITE_OK && result != SQLITE_MISUSE) {
			status = err_set(err, ERR_INTERNAL, "virtual table %s: %s", types[i].name,
			                 sqlite3_errmsg(db));
		}
	}
	if (!status) {
		status = register_range(db, run, false, err) || register_range(db, run, true, err)
		             ? -1
		             : 0;
	}
	vtab_run_release(run);
	return status;
}

/* --- Run readers --------------------------------------------------------- */

static const struct dataset *
reader_dataset(void *reader, struct err *err)
{
	return run_reader_dataset(reader, err);
}

/* None is set before there is a dataset. */
static const struct dataset_scope *
reader_scope(void *user, struct err *err)
{
	struct run_reader *reader = user;

	return run_reader_info(reader, err) ? run_reader_scope(reader) : NULL;
}

static const struct cancel *
reader_cancel(void *reader)
{
	return run_reader_cancel(reader);
}

static sqlite3 *
reader_connection(void *reader)
{
	return run_reader_connection(reader);
}

static int
reader_take_census(void *reader, const char *filter,
                   const struct scan_value parameters[SCAN_PARAMETERS], bool is_beside,
                   struct err *err)
{
	const struct dataset *dataset = run_reader_dataset(reader, err);

	return dataset ? run_reader_take_census(reader, dataset, filter, parameters, is_beside, err)
	               : -1;
}

static int
reader_tiles(void *reader, struct tile_reader *tiles, struct err *err)
{
	return run_reader_tiles(reader, tiles, err);
}

static void
reader_release(void *reader)
{
	run_reader_free(reader);
}

struct vtab_source
vtab_reader_source(struct run_reader *reader, bool is_owned)
{
	return (struct vtab_source){.user = reader,
	                            .dataset = reader_dataset,
	                            .scope = reader_scope,
	                            .cancel = reader_cancel,
	                            .release = is_owned ? reader_release : NULL,
	                            .connection = reader_connection,
	                            .take_census = reader_take_census,
	                            .tiles = reader_tiles};
}

int
lanescope_register(sqlite3 *db, struct run_reader *reader, struct err *err)
{
	if (functions_register(db, err)) {
		return -1;
	}
	if (!reader) {
		return 0;
	}
	struct vtab_source source = vtab_reader_source(reader, false);
	return vtab_register(db, &source, err);
}
