/*
 * What is known of one span, and what it is tied to. A task's span bears the task's key as its
 * name; a transfer's span that of the task whose data it carries.
 */
#include "config.h"

#include "query/spans/span_walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "query/spans/span_arguments.h"
#include "query/spans/span_filter.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"

struct flows {
	struct store *store;
	const struct dataset *dataset;
	struct span_row span;
	int64_t *ids;
	int64_t n;
	const struct cancel *cancel;
};

static void
flow_add(struct flows *flows, int64_t id)
{
	for (int64_t i = 0; i < flows->n; i++) {
		if (flows->ids[i] == id) {
			return;
		}
	}
	if (flows->n < FLOWS_LIMIT && id != flows->span.id) {
		flows->ids[flows->n++] = id;
	}
}

/* Runs a statement of one parameter for each row. */
static int
each_row(struct flows *flows, const char *sql, int64_t parameter,
         int (*row)(struct flows *flows, struct stmt *stmt, struct err *err), struct err *err)
{
	struct stmt *stmt = store_prepare(flows->store, sql, err);
	int state;
	stmt_bind_integer(stmt, 1, parameter);
	while ((state = stmt_step(stmt, err)) > 0 && flows->n < FLOWS_LIMIT) {
		if (row(flows, stmt, err)) {
			state = -1;
			break;
		}
	}
	stmt_free(stmt);
	return state < 0 ? -1 : 0;
}

static int
take_span(struct flows *flows, struct stmt *stmt, struct err *err)
{
	(void)err;
	flow_add(flows, stmt_integer(stmt, 0));
	return 0;
}

/* Spans that match, by id. */
static int
add_matching(struct flows *flows, const char *filter, struct slice name, struct err *err)
{
	struct page_request page = {
	    .kind = BLOCK_SPAN, .filter = filter, .limit = FLOWS_LIMIT, .cancel = flows->cancel};
	struct span_row *rows = NULL;

	page.parameters[0] = scan_text(name);
	int64_t n = page_run(flows->dataset, &page, &rows, NULL, err);
	for (int64_t i = 0; i < n; i++) {
		flow_add(flows, rows[i].id);
	}
	free(rows);
	return n < 0 ? -1 : 0;
}

/* Columns: key, lane, started of a task. */
static int
take_task(struct flows *flows, struct stmt *stmt, struct err *err)
{
	char filter[128];

	if (stmt_type(stmt, 1) == VALUE_NULL || stmt_type(stmt, 2) == VALUE_NULL) {
		return 0;
	}
	snprintf(filter, sizeof filter, "lane = %" PRId64 " AND start = %" PRId64 " AND name = ?1",
	         stmt_integer(stmt, 1), stmt_integer(stmt, 2));
	return add_matching(flows, filter,
	                    dataset_text(flows->dataset, (uint32_t)stmt_integer(stmt, 0)), err);
}

static int
add_data(struct flows *flows, bool forward, struct err *err)
{
	struct slice category = dataset_text(flows->dataset, flows->span.category);
	bool is_transfer = slice_is(category, "transfer");

	if (store_run(flows->store)->n_transfers == 0 || flows->span.name == TEXT_NONE ||
	    (forward ? !slice_is(category, "task") : !is_transfer)) {
		return 0;
	}
	return add_matching(flows,
	                    forward ? "name = ?1 AND category = 'transfer'"
	                            : "name = ?1 AND category = 'task'",
	                    dataset_text(flows->dataset, flows->span.name), err);
}

int64_t
span_flows(struct store *store, int64_t id, bool forward, int64_t ids[FLOWS_LIMIT],
           const struct cancel *cancel, struct err *err)
{
	struct flows flows = {store, store_dataset(store, err), .ids = ids, .cancel = cancel};

	if (!flows.dataset || row_get(flows.dataset, BLOCK_SPAN, id, &flows.span, err) ||
	    each_row(&flows,
	             forward ? "SELECT to_id FROM dependency WHERE from_id = ? AND type = 'span' "
	                       "ORDER BY id LIMIT 256"
	                     : "SELECT from_id FROM dependency WHERE to_id = ? AND type = 'span' "
	                       "ORDER BY id LIMIT 256",
	             id, take_span, err)) {
		return -1;
	}
	if (store_run(store)->n_tasks > 0 && flows.span.name != TEXT_NONE &&
	    each_row(&flows,
	             forward ? "SELECT t.key, t.lane, t.started FROM task f JOIN dependency d ON "
	                       "d.from_id = f.id AND d.type = 'task' JOIN task t ON t.id = d.to_id "
	                       "WHERE f.key = ? ORDER BY d.id LIMIT 256"
	                     : "SELECT t.key, t.lane, t.started FROM task f JOIN dependency d ON "
	                       "d.to_id = f.id AND d.type = 'task' JOIN task t ON t.id = d.from_id "
	                       "WHERE f.key = ? ORDER BY d.id LIMIT 256",
	             flows.span.name, take_task, err)) {
		return -1;
	}
	return add_data(&flows, forward, err) == 0 ? flows.n : -1;
}

/* ---- details ---- */

/* {"fd":3,"a key":"x"} -> arg.fd 3  arg."a key" x, as filters call them. */
static struct slice
plain_arguments(struct arena *arena, struct slice json)
{
	struct strbuf out = {0}, key = {0}, value = {0};

	while (span_arguments_next(&json, &key, &value)) {
		strbuf_add_text(&out, out.len > 0 ? "  arg." : "arg.");
		span_filter_write_key(&out, strbuf_slice(&key));
		strbuf_add_char(&out, ' ');
		strbuf_add(&out, value.data, value.len);
	}
	struct slice result = arena_slice(arena, strbuf_slice(&out));
	strbuf_free(&out);
	strbuf_free(&key);
	strbuf_free(&value);
	return result;
}

static void
add_stage(struct strbuf *out, struct stmt *stmt, int from, int to, const char *name)
{
	char text[FORMAT_BYTES];

	if (stmt_type(stmt, from) != VALUE_NULL && stmt_type(stmt, to) != VALUE_NULL) {
		strbuf_printf(out, "%s%s %s", out->len ? "  " : "", name,
		              format_duration(text, time_sub(stmt_integer(stmt, to),
		                                             stmt_integer(stmt, from))));
	}
}

static int
read_task(struct store *store, struct span_detail *detail, struct err *err)
{
	struct strbuf out = {0};
	struct stmt *stmt =
	    store_prepare(store,
	                  "SELECT planned, enqueued, started, finished, completed FROM "
	                  "task WHERE key = ? AND lane = ? LIMIT 1",
	                  err);
	stmt_bind_integer(stmt, 1, detail->span.name);
	stmt_bind_integer(stmt, 2, detail->span.lane);
	int state = stmt_step(stmt, err);
	if (state > 0) {
		add_stage(&out, stmt, 2, 3, "run");
		add_stage(&out, stmt, 1, 2, "queue");
		add_stage(&out, stmt, 0, 1, "comm");
		add_stage(&out, stmt, 3, 4, "report");
		detail->task = arena_slice(detail->arena, strbuf_slice(&out));
	}
	stmt_free(stmt);
	strbuf_free(&out);
	return state < 0 ? -1 : 0;
}

static struct slice
copy_text(struct span_detail *detail, const struct dataset *dataset, uint32_t code)
{
	struct slice text = dataset_text(dataset, code);

	return arena_slice(detail->arena, text);
}

struct span_detail *
span_detail_read(struct store *store, int64_t id, const struct cancel *cancel, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct span_detail *detail;
	struct strbuf json = {0};
	int64_t ids[FLOWS_LIMIT];

	if (!dataset) {
		return NULL;
	}
	MEM_NEW(detail, 1);
	detail->arena = arena_new();
	int rc = row_get(dataset, BLOCK_SPAN, id, &detail->span, err);
	if (rc == 0) {
		detail->name = copy_text(detail, dataset, detail->span.name);
		detail->category = copy_text(detail, dataset, detail->span.category);
		detail->path = copy_text(detail, dataset, detail->span.path);
		if (detail->span.lane < dataset->n_lanes) {
			const struct lane *lane = &dataset->lanes[detail->span.lane];
			detail->lane = copy_text(detail, dataset, lane->name);
			detail->host = copy_text(detail, dataset, lane->host);
		}
		rc = row_arguments(dataset, BLOCK_SPAN, id, &json, err);
	}
	if (rc == 0) {
		detail->arguments = plain_arguments(detail->arena, strbuf_slice(&json));
		rc = store_run(store)->n_tasks > 0 ? read_task(store, detail, err) : 0;
	}
	if (rc == 0) {
		detail->n_inputs = span_flows(store, id, false, ids, cancel, err);
		detail->n_outputs = span_flows(store, id, true, ids, cancel, err);
		rc = detail->n_inputs < 0 || detail->n_outputs < 0 ? -1 : 0;
	}
	strbuf_free(&json);
	if (rc != 0) {
		span_detail_free(detail);
		return NULL;
	}
	return detail;
}

void
span_detail_free(struct span_detail *detail)
{
	if (detail) {
		arena_free(detail->arena);
		free(detail);
	}
}
