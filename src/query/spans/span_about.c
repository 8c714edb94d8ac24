/*
 * In two parts, so that the first screen does not wait: what one row and the small tables hold, and
 * what needs a scan over the spans (its children, and how long others of its name took).
 */
#include "config.h"

#include "query/spans/span_about.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "query/spans/span_arguments.h"
#include "query/spans/span_walk.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define ARGUMENTS_LIMIT 1000
#define VALUE_BYTES 4096 /* of an argument */

static struct slice
keep_code(struct arena *arena, const struct dataset *dataset, uint32_t code)
{
	return arena_slice(arena, dataset_text(dataset, code));
}

static struct slice
keep_ident(struct arena *arena, const struct dataset *dataset, const struct ident *ident)
{
	char number[24];

	if (ident->type == IDENT_TEXT) {
		return keep_code(arena, dataset, ident->text);
	}
	snprintf(number, sizeof number, "%" PRId64, ident->integer);
	return arena_slice(arena, slice_of(ident->type == IDENT_INTEGER ? number : ""));
}

static struct span_line
line_of(struct arena *arena, const struct dataset *dataset, const struct span_row *row)
{
	return (struct span_line){
	    .id = row->id,
	    .start_ns = row->start_ns,
	    .duration_ns = row->duration_ns,
	    .name = keep_code(arena, dataset, row->name),
	    .lane = row->lane < dataset->n_lanes
	                ? keep_code(arena, dataset, dataset->lanes[row->lane].name)
	                : slice_of("")};
}

static void
fill_texts(struct span_about *about, const struct dataset *dataset)
{
	const struct span_row *span = &about->span;

	about->name = keep_code(about->arena, dataset, span->name);
	about->category = keep_code(about->arena, dataset, span->category);
	about->path = keep_code(about->arena, dataset, span->path);
	for (int i = 0; i < ROW_COLUMNS; i++) {
		struct scan_value *value = &about->plain[i];

		if (row_columns[i].is_plain) {
			*value = row_column_value(dataset, span, (enum row_column)i);
			value->text = arena_slice(about->arena, value->text);
		}
	}
	if (span->lane < dataset->n_lanes) {
		const struct lane *lane = &dataset->lanes[span->lane];

		about->lane = keep_code(about->arena, dataset, lane->name);
		about->host = keep_code(about->arena, dataset, lane->host);
		about->process = keep_ident(about->arena, dataset, &lane->process);
		about->thread = keep_ident(about->arena, dataset, &lane->thread);
		about->kind = slice_of(lane_kind_name(lane->kind));
	}
}

static int
read_source(struct span_about *about, struct store *store, struct err *err)
{
	struct stmt *stmt = store_prepare(store, "SELECT path FROM sources WHERE id = ?", err);
	stmt_bind_integer(stmt, 1, about->span.source);
	int row = stmt_step(stmt, err);
	if (row > 0) {
		about->source = arena_slice(about->arena, stmt_text(stmt, 0));
	}
	stmt_free(stmt);
	return row < 0 ? -1 : 0;
}

static int
read_arguments(struct span_about *about, const struct dataset *dataset, struct err *err)
{
	struct strbuf json = {0}, key = {0}, value = {0};
	struct span_fact *facts = xcalloc(ARGUMENTS_LIMIT, sizeof *facts);
	int rc = row_arguments(dataset, BLOCK_SPAN, about->span.id, &json, err);

	struct slice rest = strbuf_slice(&json);
	while (rc == 0 && about->n_arguments < ARGUMENTS_LIMIT &&
	       span_arguments_next(&rest, &key, &value)) {
		value.len = LEAST(VALUE_BYTES, value.len);
		facts[about->n_arguments++] =
		    (struct span_fact){arena_slice(about->arena, strbuf_slice(&key)),
		                       arena_slice(about->arena, strbuf_slice(&value))};
	}
	about->arguments =
	    arena_copy(about->arena, facts, (about->n_arguments + 1) * sizeof *facts);
	free(facts);
	strbuf_free(&json);
	strbuf_free(&key);
	strbuf_free(&value);
	return rc;
}

static int
read_parents(struct span_about *about, const struct dataset *dataset, struct err *err)
{
	int64_t id = about->span.parent;

	about->parents.lines =
	    arena_zalloc(about->arena, ABOUT_PARENTS * sizeof *about->parents.lines);
	while (id > 0 && about->parents.n < ABOUT_PARENTS) { /* a damaged file may hold a ring */
		struct span_row row;

		if (row_get(dataset, BLOCK_SPAN, id, &row, err)) {
			return -1;
		}
		about->parents.lines[about->parents.n++] = line_of(about->arena, dataset, &row);
		id = row.parent;
	}
	about->parents.n_all = (int64_t)about->parents.n;
	return 0;
}

static int
read_flows(struct span_about *about, struct store *store, const struct dataset *dataset,
           bool forward, struct span_lines *flows, const struct cancel *cancel, struct err *err)
{
	int64_t ids[FLOWS_LIMIT];
	int64_t n = span_flows(store, about->span.id, forward, ids, cancel, err);

	if (n < 0) {
		return -1;
	}
	flows->lines = arena_zalloc(about->arena, ((size_t)n + 1) * sizeof *flows->lines);
	for (int64_t i = 0; i < n; i++) {
		struct span_row row;

		if (row_get(dataset, BLOCK_SPAN, ids[i], &row, err)) {
			return -1;
		}
		flows->lines[flows->n++] = line_of(about->arena, dataset, &row);
	}
	flows->n_all = n;
	return 0;
}

/* The life of the task whose span it is: tasks bear their key as the span's name. */
static int
read_stages(struct span_about *about, struct store *store, struct err *err)
{
	static const char *const names[] = {"planned",  "enqueued",  "started",  "loaded",
	                                    "computed", "published", "finished", "completed"};
	struct stmt *stmt = store_prepare(store,
	                                  "SELECT planned, enqueued, started, loaded, computed, "
	                                  "published, finished, completed FROM task "
	                                  "WHERE key = ?1 AND (lane = ?2 OR lane IS NULL) "
	                                  "ORDER BY started = ?3 DESC, id LIMIT 1",
	                                  err);
	stmt_bind_integer(stmt, 1, about->span.name);
	stmt_bind_integer(stmt, 2, about->span.lane);
	stmt_bind_integer(stmt, 3, about->span.start_ns);
	int row = stmt_step(stmt, err);
	for (int i = 0; row > 0 && i < 8; i++) {
		if (stmt_type(stmt, i) == VALUE_INTEGER) {
			struct span_stage *stage = &about->stages[about->n_stages];

			stage->name = names[i];
			stage->at_ns = stmt_integer(stmt, i);
			stage->since_ns =
			    about->n_stages > 0 ? time_sub(stage->at_ns, stage[-1].at_ns) : -1;
			about->n_stages++;
		}
	}
	stmt_free(stmt);
	return row < 0 ? -1 : 0;
}

struct span_about *
span_about_read(struct store *store, int64_t id, const struct cancel *cancel, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct span_about *about;

	if (!dataset) {
		return NULL;
	}
	MEM_NEW(about, 1);
	about->arena = arena_new();
	if (row_get(dataset, BLOCK_SPAN, id, &about->span, err)) {
		goto fail;
	}
	fill_texts(about, dataset);
	if (read_source(about, store, err) || read_arguments(about, dataset, err) ||
	    read_parents(about, dataset, err) ||
	    read_flows(about, store, dataset, false, &about->inputs, cancel, err) ||
	    read_flows(about, store, dataset, true, &about->outputs, cancel, err)) {
		goto fail;
	}
	if (store_run(store)->n_tasks > 0 && about->span.name != TEXT_NONE &&
	    !slice_is(about->category, "transfer") && read_stages(about, store, err)) {
		goto fail;
	}
	return about;
fail:
	span_about_free(about);
	return NULL;
}

void
span_about_free(struct span_about *about)
{
	if (about) {
		arena_free(about->arena);
		free(about);
	}
}

/* ---- what needs a scan ---- */

static int
read_children(struct span_peers *peers, const struct dataset *dataset, int64_t id,
              const struct cancel *cancel, struct err *err)
{
	char filter[40];
	struct page_request request = {.kind = BLOCK_SPAN,
	                               .filter = filter,
	                               .order = "-duration",
	                               .limit = ABOUT_CHILDREN,
	                               .cancel = cancel};
	struct span_row *rows = NULL;

	snprintf(filter, sizeof filter, "parent = %" PRId64, id);
	int64_t n = page_run(dataset, &request, &rows, &peers->children.n_all, err);
	peers->children.lines =
	    arena_zalloc(peers->arena, (ABOUT_CHILDREN + 1) * sizeof *peers->children.lines);
	for (int64_t i = 0; i < n; i++) {
		peers->children.lines[peers->children.n++] =
		    line_of(peers->arena, dataset, &rows[i]);
	}
	free(rows);
	return n < 0 ? -1 : 0;
}

/* A condition "column = ?N", or that it is missing. */
static void
add_same(struct strbuf *filter, struct sums_request *request, const struct dataset *dataset,
         const char *column, uint32_t code, int parameter)
{
	if (code >= dataset->n_texts) {
		strbuf_printf(filter, "%s%s IS NULL", filter->len > 0 ? " AND " : "", column);
		return;
	}
	strbuf_printf(filter, "%s%s = ?%d", filter->len > 0 ? " AND " : "", column, parameter);
	request->parameters[parameter - 1] = scan_text(dataset->texts[code]);
}

/* A task's span bears the task's key as its name, which no other has: what it compares with is its
 * kind. */
static int
read_kind(struct span_peers *peers, struct store *store, const struct dataset *dataset,
          const struct span_row *span, struct err *err)
{
	struct strbuf json = {0}, key = {0}, value = {0};
	bool is_task = store_run(store)->n_tasks > 0 && span->category < dataset->n_texts &&
	               slice_is(dataset->texts[span->category], "task");
	int rc = is_task ? row_arguments(dataset, BLOCK_SPAN, span->id, &json, err) : 0;

	struct slice rest = strbuf_slice(&json);
	while (rc == 0 && is_task && span_arguments_next(&rest, &key, &value)) {
		if (slice_is(strbuf_slice(&key), "kind")) {
			peers->kind = arena_slice(peers->arena, strbuf_slice(&value));
		}
	}
	strbuf_free(&json);
	strbuf_free(&key);
	strbuf_free(&value);
	return rc;
}

static int
read_peers(struct span_peers *peers, const struct dataset *dataset, const struct span_row *span,
           const struct cancel *cancel, struct err *err)
{
	struct sums_request request = {.kind = BLOCK_SPAN, .cancel = cancel, .unread_times = true};
	struct strbuf filter = {0};
	int rc = -1;

	if (peers->kind.len > 0) {
		strbuf_add_text(&filter, "arg.kind = ?1");
		request.parameters[0] = scan_text(peers->kind);
	} else {
		add_same(&filter, &request, dataset, "name", span->name, 1);
	}
	add_same(&filter, &request, dataset, "category", span->category, 2);
	request.filter = filter.data;
	request.quantiles[MEASURE_DURATION] = QUANTILE_50 | QUANTILE_95;
	struct sums *sums = sums_run(dataset, &request, err);
	if (sums) {
		const struct group_sums *all = sums_group(sums, 0);
		const struct measure_sums *durations = &all->measure[MEASURE_DURATION];

		peers->n_summed = all->summed;
		peers->n = all->summed > 0 ? all->n : all->rows;
		peers->min_ns = durations->min;
		peers->max_ns = durations->max;
		peers->mean_ns = measure_mean(durations);
		peers->median_ns = durations->quantile[1];
		peers->p95_ns = durations->quantile[4];
		sums_free(sums);
		request.quantiles[MEASURE_DURATION] = 0;
		strbuf_printf(&filter, " AND duration > %" PRId64, span->duration_ns);
		request.filter = filter.data;
		sums = sums_run(dataset, &request, err);
	}
	if (sums) {
		peers->n_longer = sums_group(sums, 0)->rows;
		rc = 0;
	}
	sums_free(sums);
	strbuf_free(&filter);
	return rc;
}

struct span_peers *
span_peers_read(struct store *store, int64_t id, const struct cancel *cancel, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct span_peers *peers;
	struct span_row span;

	if (!dataset || row_get(dataset, BLOCK_SPAN, id, &span, err)) {
		return NULL;
	}
	MEM_NEW(peers, 1);
	peers->arena = arena_new();
	if (read_kind(peers, store, dataset, &span, err) ||
	    read_children(peers, dataset, id, cancel, err) ||
	    read_peers(peers, dataset, &span, cancel, err)) {
		span_peers_free(peers);
		return NULL;
	}
	return peers;
}

void
span_peers_free(struct span_peers *peers)
{
	if (peers) {
		arena_free(peers->arena);
		free(peers);
	}
}
