/*
 * Spans whose length the run as a whole tells.
 *
 * A record that stands for many calls says when its reporting interval begins, not how long it is.
 * Such records of a process stand on a grid, whichever of its files holds them: the interval is as
 * long as the smallest distance between two of their starts and, if there is one start only, as the
 * time from there to the last end in the process. A call may outlast its interval, so no span is
 * shorter than what its record says of the longest call. (A record of one call is a call, and no
 * part of this.)
 *
 * Their blocks are written without durations, and what the finishing pass needs of them is put
 * aside; here, when all sources are read, they get both. Starts are kept once each, and of a
 * process that has very many only their distances so far and the outermost two are remembered.
 */
#include "config.h"
#include "ingest/run.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define STARTS_MAX 65536u

struct process {
	int64_t *starts; /* not all different before they are sorted */
	size_t n, capacity;
	int64_t gap_ns; /* the smallest so far; INT64_MAX: none */
	int64_t first_ns, last_end_ns;
};

struct closing {
	struct run *run;
	struct intern *ids;
	uint32_t *of_lane; /* by run lane */
	struct process *processes;
	size_t n, capacity;
	struct span_key *keys; /* of a block */
};

static int
compare_times(const void *left, const void *right)
{
	int64_t a, b;

	memcpy(&a, left, sizeof a);
	memcpy(&b, right, sizeof b);
	return ORDER(a, b);
}

/* Sorts the starts, keeps each once and finds the smallest distance. */
static void
settle_starts(struct process *process)
{
	size_t kept = 0;

	SORT(process->starts, process->n, compare_times);
	for (size_t i = 0; i < process->n; i++) {
		int64_t start = process->starts[i];
		if (kept > 0 && start == process->starts[kept - 1]) {
			continue;
		}
		if (kept > 0) {
			int64_t gap = time_sub(start, process->starts[kept - 1]);
			process->gap_ns = LEAST(gap, process->gap_ns);
		}
		process->starts[kept++] = start;
	}
	process->n = kept;
}

static void
add_start(struct process *process, int64_t start_ns)
{
	if (process->n > 0 && process->starts[process->n - 1] == start_ns) {
		return;
	}
	if (process->n == STARTS_MAX) {
		settle_starts(process);
		if (process->n > STARTS_MAX / 2) {
			process->starts[1] = process->starts[process->n - 1];
			process->n = 2;
		}
	}
	MEM_GROW(process->starts, process->capacity, process->n + 1);
	process->starts[process->n++] = start_ns;
	process->first_ns = LEAST(start_ns, process->first_ns);
}

/* What tells a lane's process from others, as bytes without padding. */
static uint32_t
process_of(struct closing *closing, const struct lane *lane)
{
	int64_t process = lane->process.type == IDENT_INTEGER ? lane->process.integer
	                  : lane->process.type == IDENT_TEXT  ? (int64_t)lane->process.text
	                                                      : 0;
	int64_t identity[3] = {lane->host, lane->process.type, process};
	uint32_t id =
	    intern_id(closing->ids, (struct slice){(const char *)identity, sizeof identity});

	if (id == closing->n) {
		MEM_GROW(closing->processes, closing->capacity, closing->n + 1);
		closing->processes[closing->n++] = (struct process){
		    .gap_ns = INT64_MAX, .first_ns = INT64_MAX, .last_end_ns = INT64_MIN};
	}
	return id;
}

static void
find_processes(struct closing *closing)
{
	const struct merge *merge = &closing->run->merge;

	closing->ids = intern_new();
	closing->of_lane = xrealloc_array(NULL, merge->lanes.n + 1, sizeof *closing->of_lane);
	for (size_t lane = 0; lane < merge->lanes.n; lane++) {
		struct lane one = lane_list_at(&merge->lanes, lane);
		closing->of_lane[lane] = process_of(closing, &one);
	}
}

static struct process *
process_at(const struct closing *closing, const struct source *source, uint32_t lane)
{
	return &closing->processes[closing->of_lane[source->lane_map[lane]]];
}

/* Calls `visit` for each block whose spans are open, its keys at hand. */
static int
each_open(struct closing *closing,
          int (*visit)(struct closing *closing, struct source *source, struct kept_block *block,
                       struct err *err),
          struct err *err)
{
	struct run *run = closing->run;

	for (uint32_t i = 0; i < run->n_sources; i++) {
		struct source *source = &run->sources[i];
		for (size_t b = 0; b < source->n_blocks[BLOCK_SPAN]; b++) {
			struct kept_block *block = &source->blocks[BLOCK_SPAN][b];
			if (!block->is_open) {
				continue;
			}
			if (cancel_requested(run->options->cancel)) {
				return err_set(err, ERR_CANCELLED, "cancelled");
			}
			if (spill_read(run->spill, &block->keys, 0, closing->keys,
			               block->info.n_rows * sizeof *closing->keys, err) ||
			    visit(closing, source, block, err)) {
				return -1;
			}
		}
	}
	return 0;
}

static int
gather_starts(struct closing *closing, struct source *source, struct kept_block *block,
              struct err *err)
{
	(void)err;
	for (uint32_t row = 0; row < block->info.n_rows; row++) {
		const struct span_key *key = &closing->keys[row];
		struct process *process = process_at(closing, source, key->lane);
		int64_t start_ns = time_add(key->start_ns, source->shift_ns);
		int64_t end_ns = time_add(start_ns, key->duration_ns);
		add_start(process, start_ns);
		process->last_end_ns = MOST(end_ns, process->last_end_ns);
	}
	return 0;
}

/* Of the spans that are not open. */
static void
note_end(void *user, uint32_t source, uint32_t lane, int64_t end_ns)
{
	struct closing *closing = user;
	const struct source *from = &closing->run->sources[source];
	struct process *process = process_at(closing, from, lane);

	end_ns = time_add(end_ns, from->shift_ns);
	process->last_end_ns = MOST(end_ns, process->last_end_ns);
}

/* The process's interval; at least 0. */
static int64_t
interval_of(const struct process *process)
{
	int64_t length_ns = process->gap_ns != INT64_MAX
	                        ? process->gap_ns
	                        : time_sub(process->last_end_ns, process->first_ns);

	return MOST(length_ns, 0);
}

/* Adds the column of durations to the block's description, and writes its bytes. */
static int
add_durations(struct run *run, struct block_info *info, const int64_t *durations_ns,
              struct err *err)
{
	struct column_info column = {
	    .field = FIELD_DURATION, .type = COLUMN_INTEGER, .n_present = info->n_rows};
	struct strbuf bytes = {0};
	int status = 0;

	column_encode_packed_integers(&column, durations_ns, NULL, info->n_rows, &bytes);
	if (column.blob_bytes > 0) {
		column.blob_id = writer_blob_id(info->source, BLOCK_SPAN, info->sequence,
		                                BLOCK_COLUMNS + FIELD_DURATION);
		status = writer_blob(run->writer, column.blob_id,
		                     (struct slice){bytes.data, column.blob_bytes}, err);
	}
	strbuf_free(&bytes);
	info->columns =
	    xrealloc_array(info->columns, (size_t)info->n_columns + 1, sizeof *info->columns);
	info->columns[info->n_columns++] = column;
	return status;
}

static int
close_block(struct closing *closing, struct source *source, struct kept_block *block,
            struct err *err)
{
	struct block_info *info = &block->info;
	int64_t *durations_ns = xrealloc_array(NULL, info->n_rows, sizeof *durations_ns);

	for (uint32_t row = 0; row < info->n_rows; row++) {
		struct span_key *key = &closing->keys[row];
		int64_t length_ns = interval_of(process_at(closing, source, key->lane));
		if (length_ns > key->duration_ns) {
			key->duration_ns = length_ns;
		}
		int64_t end_ns = time_add(key->start_ns, key->duration_ns);
		durations_ns[row] = key->duration_ns;
		info->end_max = MOST(end_ns, info->end_max);
		end_ns = time_add(end_ns, source->shift_ns);
		source->time_max = MOST(end_ns, source->time_max);
	}
	int status = add_durations(closing->run, info, durations_ns, err);
	status = status ? status
	                : finish_add(closing->run->finish, info->source, info->sequence,
	                             closing->keys, NULL, info->n_rows, err);
	free(durations_ns);
	return status;
}

static bool
has_open(const struct run *run)
{
	for (uint32_t i = 0; i < run->n_sources; i++) {
		for (size_t b = 0; b < run->sources[i].n_blocks[BLOCK_SPAN]; b++) {
			if (run->sources[i].blocks[BLOCK_SPAN][b].is_open) {
				return true;
			}
		}
	}
	return false;
}

int
run_close_spans(struct run *run, struct err *err)
{
	struct closing closing = {.run = run};

	if (!has_open(run)) {
		return 0;
	}
	closing.keys = xrealloc_array(NULL, BLOCK_ROWS, sizeof *closing.keys);
	find_processes(&closing);
	int status = each_open(&closing, gather_starts, err);
	for (size_t i = 0; i < closing.n; i++) {
		settle_starts(&closing.processes[i]);
	}
	status = status ? status : finish_ends(run->finish, note_end, &closing, err);
	status = status ? status : each_open(&closing, close_block, err);
	for (size_t i = 0; i < closing.n; i++) {
		free(closing.processes[i].starts);
	}
	free(closing.processes);
	free(closing.of_lane);
	free(closing.keys);
	intern_free(closing.ids);
	return status;
}
