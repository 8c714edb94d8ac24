/*
 * Tasks and transfers are no spans, but most have one: on their lane, from when they started, under
 * their name. What is recorded of them goes where people look in a viewer, to the span's arguments.
 */
#include "config.h"
#include "export/chrome_private.h"

#include <stdlib.h>

#include "util/json_text.h"
#include "util/order.h"

static const char task_sql[] =
    "SELECT id, lane, name, size, key, kind, worker, coalesce(started, planned, enqueued), "
    "planned, enqueued, started, loaded, computed, published, finished, completed FROM task "
    "WHERE lane IS NOT NULL";
static const char *const task_stages[TRACE_STAGES] = {
    "planned", "enqueued", "started", "loaded", "computed", "published", "finished", "completed"};
static const char *const task_texts[] = {"key", "kind", "worker"};
static const char transfer_sql[] =
    "SELECT id, lane, name, size, origin, target, mode, coalesce(planned, started, loaded), "
    "planned, started, loaded, received, unloaded, finished, completed, NULL FROM transfer "
    "WHERE lane IS NOT NULL";
static const char *const transfer_stages[TRACE_STAGES] = {
    "planned", "started", "loaded", "received", "unloaded", "finished", "completed", NULL};
static const char *const transfer_texts[] = {"origin", "target", "mode"};

static int64_t
integer_or(struct stmt *stmt, int column, int64_t absent)
{
	return stmt_type(stmt, column) == VALUE_INTEGER ? stmt_integer(stmt, column) : absent;
}

static uint32_t
code_at(struct stmt *stmt, int column)
{
	int64_t code = integer_or(stmt, column, TEXT_NONE);

	return code >= 0 && code < TEXT_NONE ? (uint32_t)code : TEXT_NONE;
}

static int
compare(const void *left, const void *right)
{
	const struct trace_record *a = left, *b = right;

	ORDER_BY(a->lane, b->lane);
	ORDER_BY(a->start_ns, b->start_ns);
	ORDER_BY(a->name, b->name);
	return ORDER(a->id, b->id);
}

static int
load(struct store *store, const char *sql, struct trace_records *records, struct err *err)
{
	struct stmt *stmt = store_prepare(store, sql, err);
	int row = -1;

	while (stmt && (row = stmt_step(stmt, err)) > 0) {
		MEM_GROW(records->records, records->capacity, records->n + 1);
		struct trace_record *record = &records->records[records->n++];

		*record = (struct trace_record){.id = stmt_integer(stmt, 0),
		                                .lane = code_at(stmt, 1),
		                                .name = code_at(stmt, 2),
		                                .size_bytes = integer_or(stmt, 3, SIZE_NONE),
		                                .start_ns = integer_or(stmt, 7, TIME_NONE)};
		for (int i = 0; i < 3; i++) {
			record->texts[i] = code_at(stmt, 4 + i);
		}
		for (int i = 0; i < TRACE_STAGES; i++) {
			record->stages[i] = integer_or(stmt, 8 + i, TIME_NONE);
		}
	}
	stmt_free(stmt);
	SORT(records->records, records->n, compare);
	return row;
}

int
trace_load_records(struct trace_writer *trace, struct err *err)
{
	return load(trace->store, task_sql, &trace->tasks, err) ||
	               load(trace->store, transfer_sql, &trace->transfers, err)
	           ? -1
	           : 0;
}

void
trace_free_records(struct trace_writer *trace)
{
	free(trace->tasks.records);
	free(trace->transfers.records);
	free(trace->task_ends.ends);
}

const struct trace_record *
trace_find_record(const struct trace_records *records, const struct span_row *span)
{
	struct trace_record wanted = {
	    .lane = span->lane, .name = span->name, .start_ns = span->start_ns, .id = INT64_MIN};
	size_t low = 0;

	ORDER_FIND(low, records->n, middle, compare(&records->records[middle], &wanted) < 0);
	const struct trace_record *found = low < records->n ? &records->records[low] : NULL;

	return found && found->lane == span->lane && found->name == span->name &&
	               found->start_ns == span->start_ns
	           ? found
	           : NULL;
}

static void
add_record(const struct trace_writer *trace, const struct trace_record *record,
           const char *const *texts, const char *const *stages, struct strbuf *out)
{
	char separator = '{';

	for (int i = 0; i < 3; i++) {
		if (record->texts[i] != TEXT_NONE) {
			strbuf_printf(out, "%c\"%s\":", separator, texts[i]);
			json_add_text(out, dataset_text(trace->dataset, record->texts[i]));
			separator = ',';
		}
	}
	for (int i = 0; i < TRACE_STAGES && stages[i]; i++) {
		if (record->stages[i] != TIME_NONE) {
			strbuf_printf(out, "%c\"%s_us\":", separator, stages[i]);
			trace_add_us(out, record->stages[i]);
			separator = ',';
		}
	}
	if (record->size_bytes != SIZE_NONE) {
		strbuf_printf(out, "%c\"size\":", separator);
		json_add_integer(out, record->size_bytes);
		separator = ',';
	}
	strbuf_add_text(out, separator == '{' ? "{}" : "}");
}

void
trace_add_task(const struct trace_writer *trace, const struct trace_record *task,
               struct strbuf *out)
{
	add_record(trace, task, task_texts, task_stages, out);
}

void
trace_add_transfer(const struct trace_writer *trace, const struct trace_record *transfer,
                   struct strbuf *out)
{
	add_record(trace, transfer, transfer_texts, transfer_stages, out);
}
