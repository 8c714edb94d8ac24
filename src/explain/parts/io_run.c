/*
 * A run for the I/O parts: its blocks, and which process each lane belongs to.
 *
 * Process ids differ between runs of one program, ranks do not. Where a trace tells ranks they name
 * the processes; else processes are counted in the order of their ids, by host, which for ranks
 * started one after another comes to the same.
 */
#include "config.h"
#include "explain/parts/io.h"

#include <stdlib.h>
#include <string.h>

#include "column/scan/scan.h"
#include "util/format.h"

static void
add_process(struct io_run *run, size_t *capacity, struct stmt *stmt)
{
	struct strbuf name = {0};
	if (stmt_type(stmt, 1) == VALUE_TEXT) {
		struct slice rank = stmt_text(stmt, 1);
		strbuf_printf(&name, "rank %.*s", (int)rank.len, rank.ptr);
	} else {
		strbuf_printf(&name, "process %zu", run->n_processes);
	}
	run->processes =
	    mem_grow(run->processes, capacity, run->n_processes + 1, sizeof *run->processes);
	run->processes[run->n_processes++] = strbuf_take(&name);
}

/* Lanes come process by process, thread by thread. */
static int
read_processes(struct io_run *run, struct store *store, struct err *err)
{
	static const char sql[] =
	    "SELECT l.id, (SELECT t.value FROM tags t WHERE t.key = 'rank' AND t.scope = 'process "
	    "' "
	    "|| l.process LIMIT 1), coalesce(h.text, '') AS host, row_number() OVER w "
	    "FROM lane l LEFT JOIN string h ON h.id = l.host WINDOW w AS (PARTITION BY "
	    "coalesce(h.text, ''), l.process ORDER BY l.thread, l.id) ORDER BY host, l.process, "
	    "l.thread, l.id";
	struct stmt *stmt = store_prepare(store, sql, err);
	size_t capacity = 0;
	int more = 1;
	while (more > 0 && (more = stmt_step(stmt, err)) > 0) {
		int64_t lane = stmt_integer(stmt, 0), nth = stmt_integer(stmt, 3);
		if (nth == 1) {
			add_process(run, &capacity, stmt);
		}
		if (lane >= 0 && lane < run->dataset->n_lanes) {
			run->process_of_lane[lane] = (uint32_t)run->n_processes - 1;
			run->thread_of_lane[lane] = (uint32_t)nth - 1;
		}
	}
	stmt_free(stmt);
	return more;
}

static void
close_run(struct io_run *run)
{
	for (size_t i = 0; i < run->n_processes; i++) {
		free(run->processes[i]);
	}
	free(run->processes);
	free(run->process_of_lane);
	free(run->thread_of_lane);
	*run = (struct io_run){.dataset = NULL};
}

static int
open_run(struct io_run *run, const struct explain *explain, struct explain_run *of, struct err *err)
{
	*run = (struct io_run){.cancel = explain->cancel};
	run->dataset = store_dataset(of->store, err);
	if (!run->dataset) {
		return -1;
	}
	MEM_NEW(run->process_of_lane, run->dataset->n_lanes);
	MEM_NEW(run->thread_of_lane, run->dataset->n_lanes);
	store_set_cancel(of->store, explain->cancel);
	int rc = read_processes(run, of->store, err);
	store_set_cancel(of->store, NULL);
	if (rc) {
		close_run(run);
	}
	return rc;
}

#define POSIX "category = \"POSIX\""
#define CHECKPOINTS POSIX " AND path LIKE \"%checkpoint%\""

/* Whether a run has spans that match. -1 on error. */
static int
has_spans(const struct io_run *run, const char *filter, struct err *err)
{
	struct sums_request request = {.kind = BLOCK_SPAN, .filter = filter, .cancel = run->cancel};
	struct sums *sums = sums_run(run->dataset, &request, err);
	int has = sums ? sums_group(sums, 0)->rows > 0 : -1;
	sums_free(sums);
	return has;
}

bool
io_lacks(const struct explain *explain, const char *condition)
{
	struct strbuf sql = {0};
	bool lacks = true;
	strbuf_printf(&sql, "SELECT 1 FROM span_totals WHERE %s LIMIT 1", condition);
	for (size_t i = 0; lacks && i < explain->n_a + explain->n_b; i++) {
		struct err why = ERR_INIT;
		struct stmt *stmt =
		    store_prepare(explain_run_at(explain, i)->store, sql.data, &why);
		lacks = stmt && stmt_step(stmt, &why) == 0;
		explain_lose(explain, &why);
		stmt_free(stmt);
	}
	strbuf_free(&sql);
	return lacks;
}

bool
io_is_silent(const struct explain *explain)
{
	return io_lacks(explain, "category = 'POSIX'");
}

/* Of records of many calls, those for which the filter can't be decided. */
static int
add_left_out(struct strbuf *note, const struct io_run *run, const char *name, const char *filter,
             struct err *err)
{
	static const struct scan_value parameters[SCAN_PARAMETERS];
	struct scan_census census;
	char calls[FORMAT_BYTES], records[FORMAT_BYTES];

	if (scan_census_take(run->dataset, filter, parameters, run->cancel, &census, err) < 0) {
		return -1;
	}
	if (census.left_out_records > 0) {
		strbuf_printf(note,
		              "; %s: %s calls in %s record%s of many calls are left out, as it is "
		              "not known whether that holds for each of them",
		              name, format_count(calls, census.left_out_calls),
		              format_count(records, census.left_out_records),
		              census.left_out_records == 1 ? "" : "s");
	}
	return 0;
}

static int
choose_filter(struct io_pair *pair, const struct explain *explain, const char *given,
              struct err *err)
{
	int a = 0, b = 0;
	struct strbuf note = {0};
	if (given[strspn(given, " \t\n")] == 0) {
		a = has_spans(&pair->runs[0], CHECKPOINTS, err);
		b = a < 0 ? -1 : has_spans(&pair->runs[1], CHECKPOINTS, err);
		if (b < 0) {
			return -1;
		}
		given = a || b ? CHECKPOINTS : POSIX;
	}
	pair->filter = xstrdup(given);
	strbuf_printf(&note, "spans with %s", given);
	for (unsigned r = 0; r < 2; r++) {
		if (add_left_out(&note, &pair->runs[r],
		                 r == 0 ? explain->a->name : explain->b->name, given, err) < 0) {
			strbuf_free(&note);
			return -1;
		}
	}
	pair->note = strbuf_take(&note);
	return 0;
}

int
io_pair_init(struct io_pair *pair, struct explain *explain, const char *filter, const char *classes,
             struct err *err)
{
	*pair = (struct io_pair){.classes = NULL};
	if (open_run(&pair->runs[0], explain, &explain->a[0], err) ||
	    open_run(&pair->runs[1], explain, &explain->b[0], err) ||
	    choose_filter(pair, explain, filter, err)) {
		io_pair_fini(pair);
		return -1;
	}
	if (classes) {
		pair->classes = path_classes_extend(pair->runs[0].dataset->classes, classes, err);
		if (!pair->classes) {
			io_pair_fini(pair);
			return err_wrap(err, "classes");
		}
	}
	return 0;
}

void
io_pair_fini(struct io_pair *pair)
{
	for (size_t i = 0; i < pair->n_rows; i++) {
		free(pair->rows[i].of[0].busy);
		free(pair->rows[i].of[1].busy);
	}
	free(pair->rows);
	intern_free(pair->labels);
	close_run(&pair->runs[0]);
	close_run(&pair->runs[1]);
	path_classes_free(pair->classes);
	free(pair->filter);
	free(pair->note);
	free(pair->a_of_b);
	matching_free(pair->files);
	*pair = (struct io_pair){.classes = NULL};
}
