/*
 * Dependencies -> flows. Those between spans are read twice, in the order of their sources and in
 * that of their targets, in step with the blocks of spans, so that only those of a few blocks are
 * in memory. Those between tasks are kept, as tasks are.
 *
 * A flow points at a time, and a viewer takes the innermost span there: where a child begins with
 * its parent that is the child. For those who can read it, the arguments say which span is meant.
 */
#include "config.h"
#include "export/chrome_private.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/json_text.h"
#include "util/order.h"

/* ---- events ---- */

static void
add_flow(const struct trace_writer *trace, const struct trace_flow_end *end,
         const struct span_row *span, struct strbuf *out)
{
	const struct trace_lane *lane = &trace->lanes[span->lane];
	struct slice name = dataset_text(trace->dataset, end->name);

	strbuf_add_text(out, ",\n{\"name\":");
	json_add_text(out, name.len > 0 ? name : slice_of("dependency"));
	strbuf_add_text(out, ",\"cat\":\"dependency\",\"ph\":\"");
	strbuf_add_text(out, end->is_target ? "f\",\"bp\":\"e\",\"id\":" : "s\",\"id\":");
	json_add_integer(out, end->id);
	strbuf_add_text(out, ",\"ts\":");
	trace_add_us(out, span->start_ns);
	trace_add_place(out, lane->pid, trace_tid(lane, span->depth));
	strbuf_add_text(out, ",\"args\":{\"dur\":");
	trace_add_us(out, span->duration_ns);
	strbuf_add_text(out, ",\"name\":");
	json_add_text(out, dataset_text(trace->dataset, span->name));
	strbuf_add_text(out, "}}");
}

/* The first that is not before the subject. */
static size_t
ends_find(const struct trace_ends *ends, int64_t subject)
{
	size_t low = 0;

	ORDER_FIND(low, ends->n, middle, ends->ends[middle].subject < subject);
	return low;
}

size_t
trace_add_flows(const struct trace_writer *trace, const struct trace_ends *ends, int64_t subject,
                const struct span_row *span, struct strbuf *out)
{
	size_t n = 0;

	for (size_t i = ends->n > 0 ? ends_find(ends, subject) : 0;
	     i < ends->n && ends->ends[i].subject == subject; i++) {
		add_flow(trace, &ends->ends[i], span, out);
		n += ends->ends[i].is_target;
	}
	return n;
}

static void
ends_add(struct trace_ends *ends, int64_t subject, struct stmt *stmt, bool is_target)
{
	int64_t name = stmt_type(stmt, 2) == VALUE_NULL ? -1 : stmt_integer(stmt, 2);

	MEM_GROW(ends->ends, ends->capacity, ends->n + 1);
	ends->ends[ends->n++] = (struct trace_flow_end){
	    .subject = subject,
	    .id = stmt_integer(stmt, 1),
	    .name = name >= 0 && name < TEXT_NONE ? (uint32_t)name : TEXT_NONE,
	    .is_target = is_target};
}

static int
compare_ends(const void *left, const void *right)
{
	const struct trace_flow_end *a = left, *b = right;

	ORDER_BY(a->subject, b->subject);
	ORDER_BY(a->id, b->id);
	return a->is_target - b->is_target;
}

static void
ends_sort(struct trace_ends *ends)
{
	SORT(ends->ends, ends->n, compare_ends);
}

/* ---- between spans ---- */

struct trace_flows {
	const struct dataset *dataset;
	struct stmt *sides[2]; /* by source, by target; each at its next row, NULL: no more */
	struct trace_ends **blocks;
};

static int
step(struct trace_flows *flows, int side, struct err *err)
{
	int row = stmt_step(flows->sides[side], err);

	if (row <= 0) {
		stmt_free(flows->sides[side]);
		flows->sides[side] = NULL;
	}
	return row < 0 ? -1 : 0;
}

struct trace_flows *
trace_flows_new(struct trace_writer *trace, struct err *err)
{
	static const char *const sql[] = {
	    "SELECT from_id, id, name FROM dependency WHERE type = 'span' ORDER BY from_id",
	    "SELECT to_id, id, name FROM dependency WHERE type = 'span' ORDER BY to_id"};
	struct trace_flows *flows = xcalloc(1, sizeof *flows);

	flows->dataset = trace->dataset;
	flows->blocks =
	    xcalloc(flows->dataset->n_blocks[BLOCK_SPAN] + 1, sizeof(struct trace_ends *));
	for (int side = 0; side < 2; side++) {
		flows->sides[side] = store_prepare(trace->store, sql[side], err);
		if (!flows->sides[side] || step(flows, side, err)) {
			trace_flows_free(flows);
			return NULL;
		}
	}
	return flows;
}

int
trace_flows_read(struct trace_flows *flows, size_t block, struct err *err)
{
	const struct block_info *info = &flows->dataset->blocks[BLOCK_SPAN][block];
	struct trace_ends *ends = xcalloc(1, sizeof *ends);
	int rc = 0;

	for (int side = 0; side < 2; side++) {
		while (rc == 0 && flows->sides[side]) {
			int64_t span = stmt_integer(flows->sides[side], 0);

			if (span >= info->first_id &&
			    (uint64_t)span - (uint64_t)info->first_id >= info->n_rows) {
				break;
			}
			if (span >= info->first_id) {
				ends_add(ends, span, flows->sides[side], side == 1);
			}
			rc = step(flows, side, err);
		}
	}
	ends_sort(ends);
	flows->blocks[block] = ends;
	return rc;
}

const struct trace_ends *
trace_flows_of(const struct trace_flows *flows, size_t block)
{
	return flows->blocks[block];
}

void
trace_flows_drop(struct trace_flows *flows, size_t block)
{
	if (flows->blocks[block]) {
		free(flows->blocks[block]->ends);
		free(flows->blocks[block]);
		flows->blocks[block] = NULL;
	}
}

void
trace_flows_free(struct trace_flows *flows)
{
	if (flows) {
		for (size_t i = 0; i < flows->dataset->n_blocks[BLOCK_SPAN]; i++) {
			trace_flows_drop(flows, i);
		}
		stmt_free(flows->sides[0]);
		stmt_free(flows->sides[1]);
		free(flows->blocks);
		free(flows);
	}
}

/* ---- between tasks ---- */

int
trace_load_task_ends(struct trace_writer *trace, struct err *err)
{
	static const char *const sql[] = {
	    "SELECT from_id, id, name FROM dependency WHERE type = 'task'",
	    "SELECT to_id, id, name FROM dependency WHERE type = 'task'"};

	for (int side = 0; side < 2; side++) {
		struct stmt *stmt = store_prepare(trace->store, sql[side], err);
		int row = -1;

		while (stmt && (row = stmt_step(stmt, err)) > 0) {
			ends_add(&trace->task_ends, stmt_integer(stmt, 0), stmt, side == 1);
		}
		stmt_free(stmt);
		if (row < 0) {
			return -1;
		}
	}
	ends_sort(&trace->task_ends);
	return 0;
}
