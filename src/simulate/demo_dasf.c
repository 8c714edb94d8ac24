/*
 * A made-up pipeline of Dask under DASF's profiler: a seismic cube in chunks, which are read,
 * filtered and their envelope taken where they lie, and then averaged, on two hosts of two workers.
 *
 * One worker has the chunks of the cube's border, which are larger: it works longest, the others
 * wait for its last chunks, and it holds most memory, as what was filtered is kept. That is what
 * the trace is there to show. Times and sizes follow from the order in which things can happen.
 */
#include "config.h"
#include "simulate/demo_traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "input/msgpack_encoder.h"
#include "simulate/demo_files.h"
#include "util/order.h"
#include "util/prng.h"

#define MIB (INT64_C(1) << 20)
#define MS INT64_C(1000000)
#define CHUNKS 48
#define WORKERS 4
#define HOSTS 2
#define BORDER_WORKER 3 /* has the larger chunks */
#define GROUP 4         /* chunks of a partial mean */
#define GROUPS (CHUNKS / GROUP)
#define STAGES 3 /* of a chunk */
#define TASKS (CHUNKS * STAGES + GROUPS + 1)
#define FETCH_NS (3 * MS) /* what another worker has */
#define SAMPLE_NS (100 * MS)
#define BASE_S 1714000000

enum dask_function { READ, FILTER, ENVELOPE, PARTIAL, MEAN };
static const struct {
	const char *name, *hash;
	int64_t ns_per_mib;
} functions[] = {
    [READ] = {"read", "3fd41c0a7b8e4d2f9a65b1c7e0f28d34", 1100000},
    [FILTER] = {"filter", "8c26e95f40b14a7dbe03f7d1529ac6e8", 4200000},
    [ENVELOPE] = {"envelope", "e1707b3d96f24c58a4c91d8f6b02357a", 1600000},
    [PARTIAL] = {"mean-partial", "5ab9d2e84c6f4017893e7fd0b1c5a426", 150000},
    [MEAN] = {"mean", "b40c8f71d35e429a86d7e2f9031b5cad", 150000},
};

struct dask_task {
	enum dask_function function;
	int number; /* of the chunk, or the group */
	int worker;
	int64_t start_ns, end_ns, size;
	int n_inputs, inputs[GROUPS];
};

struct pipeline {
	struct prng prng;
	struct dask_task tasks[TASKS];
	int n_tasks;
	int by_end[TASKS];        /* their indices */
	int64_t free_ns[WORKERS]; /* when each is done with all so far */
};

static int64_t
chunk_bytes(int chunk)
{
	return (chunk % WORKERS == BORDER_WORKER ? 112 : 64) * MIB;
}

/* Runs a task of these inputs when they are there and its worker is free. Its index. */
static int
run(struct pipeline *pipeline, enum dask_function function, int number, int worker,
    const int *inputs, int n_inputs)
{
	struct dask_task *task = &pipeline->tasks[pipeline->n_tasks];
	int64_t at = pipeline->free_ns[worker], bytes = 0;

	*task = (struct dask_task){.function = function, .number = number, .worker = worker};
	for (int i = 0; i < n_inputs; i++) {
		const struct dask_task *input = &pipeline->tasks[inputs[i]];
		at = MOST(at, input->end_ns + (input->worker == worker ? 0 : FETCH_NS));
		bytes += input->size;
		task->inputs[task->n_inputs++] = inputs[i];
	}
	bytes = function == READ ? chunk_bytes(number) : bytes;
	task->size = function < PARTIAL ? bytes : MIB;
	task->start_ns = at + MS;
	task->end_ns = task->start_ns + bytes / MIB * functions[function].ns_per_mib / 1000 *
	                                    (950 + (int64_t)prng_below(&pipeline->prng, 101));
	pipeline->free_ns[worker] = task->end_ns;
	return pipeline->n_tasks++;
}

static void
run_all(struct pipeline *pipeline)
{
	int ends[CHUNKS], partial[GROUPS];

	for (int i = 0; i < CHUNKS; i++) {
		int of = run(pipeline, READ, i, i % WORKERS, NULL, 0);
		of = run(pipeline, FILTER, i, i % WORKERS, &of, 1);
		ends[i] = run(pipeline, ENVELOPE, i, i % WORKERS, &of, 1);
	}
	for (int i = 0; i < GROUPS; i++) {
		partial[i] =
		    run(pipeline, PARTIAL, i, i % WORKERS, &ends[(size_t)i * GROUP], GROUP);
	}
	run(pipeline, MEAN, 0, 0, partial, GROUPS);
	for (int i = 0; i < pipeline->n_tasks; i++) {
		int at = i;
		for (; at > 0 &&
		       pipeline->tasks[pipeline->by_end[at - 1]].end_ns > pipeline->tasks[i].end_ns;
		     at--) {
			pipeline->by_end[at] = pipeline->by_end[at - 1];
		}
		pipeline->by_end[at] = i;
	}
}

/* ---- records ---- */

static void
pack_key(struct strbuf *out, const struct dask_task *task)
{
	struct strbuf key = {0};

	strbuf_printf(&key, "('%s-%s', %d, 0)", functions[task->function].name,
	              functions[task->function].hash, task->number);
	pack_slice(out, strbuf_slice(&key));
	strbuf_free(&key);
}

/* A host counts its time from when it was started. */
static double
host_seconds(int host, int64_t ns)
{
	return (double)(host == 0 ? 5123 : 91877) + (double)(ns / 1000) / 1e6;
}

static void
pack_head(struct strbuf *record, const char *name, int host, int64_t at_ns)
{
	pack_text(record, "name");
	pack_text(record, name);
	pack_text(record, "timestamp");
	pack_real(record, host_seconds(host, at_ns));
}

/* worker: -1: the host's. */
static void
pack_place(struct strbuf *record, const char *phase, int host, int worker)
{
	char name[40];

	pack_text(record, "phase");
	pack_text(record, phase);
	if (*phase == 'I') {
		pack_text(record, "scope");
		pack_text(record, "g");
	}
	snprintf(name, sizeof name, "h%d", host);
	pack_text(record, "process_id");
	pack_text(record, name);
	pack_text(record, "thread_id");
	if (worker < 0) {
		pack_nil(record);
	} else {
		snprintf(name, sizeof name, "worker-h%d-%d", host, worker % HOSTS);
		pack_text(record, name);
	}
	pack_text(record, "args");
}

/* Takes the record. */
static void
write_record(FILE *file, struct strbuf *record)
{
	struct strbuf length = {0};

	pack_bytes(&length, record->len, 8);
	fwrite(length.data, 1, length.len, file);
	fwrite(record->data, 1, record->len, file);
	strbuf_free(&length);
	strbuf_free(record);
}

static int
host_of(const struct dask_task *task)
{
	return task->worker / (WORKERS / HOSTS);
}

static bool
is_input(const struct dask_task *task, int index)
{
	for (int i = 0; i < task->n_inputs; i++) {
		if (task->inputs[i] == index) {
			return true;
		}
	}
	return false;
}

static void
write_compute(FILE *file, const struct pipeline *pipeline, int index)
{
	const struct dask_task *task = &pipeline->tasks[index];
	struct strbuf record = {0};
	unsigned n_dependents = 0;

	pack_map(&record, 7);
	pack_head(&record, "Compute", host_of(task), task->end_ns);
	pack_text(&record, "duration");
	pack_real(&record, (double)((task->end_ns - task->start_ns) / 1000) / 1e6);
	pack_place(&record, "X", host_of(task), task->worker);
	pack_map(&record, 6);
	pack_text(&record, "key");
	pack_key(&record, task);
	pack_text(&record, "name");
	pack_text(&record, functions[task->function].name);
	pack_text(&record, "state");
	pack_text(&record, "memory");
	pack_text(&record, "size");
	pack_integer(&record, task->size);
	pack_text(&record, "dependencies");
	pack_array(&record, (unsigned)task->n_inputs);
	for (int i = 0; i < task->n_inputs; i++) {
		pack_key(&record, &pipeline->tasks[task->inputs[i]]);
	}
	for (int i = 0; i < pipeline->n_tasks; i++) {
		n_dependents += is_input(&pipeline->tasks[i], index);
	}
	pack_text(&record, "dependents");
	pack_array(&record, n_dependents);
	for (int i = 0; i < pipeline->n_tasks; i++) {
		if (is_input(&pipeline->tasks[i], index)) {
			pack_key(&record, &pipeline->tasks[i]);
		}
	}
	write_record(file, &record);
}

/* Whether its result is in memory: what was filtered stays, all else goes when it was used. */
static bool
is_held(const struct pipeline *pipeline, int index, int64_t at_ns)
{
	const struct dask_task *task = &pipeline->tasks[index];

	if (task->end_ns > at_ns) {
		return false;
	}
	for (int i = 0; task->function != FILTER && i < pipeline->n_tasks; i++) {
		if (pipeline->tasks[i].end_ns <= at_ns && is_input(&pipeline->tasks[i], index)) {
			return false;
		}
	}
	return true;
}

/* Bytes and results that these workers hold. */
static int64_t
held(const struct pipeline *pipeline, int from_worker, int to_worker, int64_t at_ns, int *n)
{
	int64_t bytes = 0;

	*n = 0;
	for (int i = 0; i < pipeline->n_tasks; i++) {
		const struct dask_task *task = &pipeline->tasks[i];
		if (task->worker >= from_worker && task->worker < to_worker &&
		    is_held(pipeline, i, at_ns)) {
			bytes += task->size;
			++*n;
		}
	}
	return bytes;
}

static void
write_memory(FILE *file, const struct pipeline *pipeline, const struct dask_task *task)
{
	struct strbuf record = {0};
	int n;
	int64_t bytes = held(pipeline, task->worker, task->worker + 1, task->end_ns, &n);

	pack_map(&record, 7);
	pack_head(&record, "Managed Memory", host_of(task), task->end_ns);
	pack_place(&record, "I", host_of(task), task->worker);
	pack_map(&record, 4);
	pack_text(&record, "key");
	pack_key(&record, task);
	pack_text(&record, "state");
	pack_text(&record, "memory");
	pack_text(&record, "size");
	pack_integer(&record, bytes);
	pack_text(&record, "tasks");
	pack_integer(&record, n);
	write_record(file, &record);
}

static void
write_sample(FILE *file, const struct pipeline *pipeline, int host, int64_t at_ns)
{
	struct strbuf record = {0};
	int n, from = host * (WORKERS / HOSTS), busy = 0;

	for (int i = 0; i < pipeline->n_tasks; i++) {
		const struct dask_task *task = &pipeline->tasks[i];
		busy += host_of(task) == host && task->start_ns <= at_ns && task->end_ns > at_ns;
	}
	pack_map(&record, 7);
	pack_head(&record, "Resource Usage", host, at_ns);
	pack_place(&record, "I", host, -1);
	pack_map(&record, 4);
	pack_text(&record, "cpu");
	pack_real(&record, 100.0 * busy + 2.5);
	pack_text(&record, "memory");
	pack_integer(&record, 420 * MIB + held(pipeline, from, from + WORKERS / HOSTS, at_ns, &n));
	pack_text(&record, "time");
	pack_real(&record, (double)BASE_S + (double)(at_ns / 1000) / 1e6);
	pack_text(&record, "num_fds");
	pack_integer(&record, 64 + n);
	write_record(file, &record);
}

/* ---- files ---- */

static int
write_trace(const struct pipeline *pipeline, const char *folder, int host, struct err *err)
{
	FILE *file = demo_open(err, "%s/cube-TracePlugin-h%d.msgpack", folder, host);

	for (int i = 0; file && i < pipeline->n_tasks; i++) {
		int index = pipeline->by_end[i];
		if (host_of(&pipeline->tasks[index]) == host) {
			write_compute(file, pipeline, index);
			write_memory(file, pipeline, &pipeline->tasks[index]);
		}
	}
	return demo_close(file, folder, err);
}

static int
write_samples(const struct pipeline *pipeline, const char *folder, int host, struct err *err)
{
	int64_t end_ns = pipeline->tasks[pipeline->n_tasks - 1].end_ns;
	FILE *file = demo_open(err, "%s/cube-ResourceMonitor-h%d.msgpack", folder, host);

	for (int64_t at = 0; file && at <= end_ns; at += SAMPLE_NS) {
		write_sample(file, pipeline, host, at);
	}
	return demo_close(file, folder, err);
}

int
demo_write_dasf(const char *folder, uint64_t seed, struct err *err)
{
	struct pipeline pipeline = {.prng = {seed}};

	run_all(&pipeline);
	for (int host = 0; host < HOSTS; host++) {
		if (write_trace(&pipeline, folder, host, err) ||
		    write_samples(&pipeline, folder, host, err)) {
			return -1;
		}
	}
	return 0;
}
