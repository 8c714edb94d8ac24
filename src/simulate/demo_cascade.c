/*
 * A made-up run of cascade: a controller hands a graph of 135 tasks (retrieve, concat, mean,
 * threshold, efi, sot) to workers, one task at a time each, and logs what a real run of October
 * 2024 logs.
 *
 * The graph is the same in all runs, so that two of them can be compared task by task. Tasks that
 * run on one host at a time slow each other down, the long ones most: beside three others each
 * takes up to 2.3 times as long as alone (what that run's own figures came to), so the sum of task
 * times grows while the run gets shorter. A task advances at the speed that its neighbours leave
 * it, from one start or end on its host to the next.
 */
#include "config.h"
#include "simulate/demo_traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/gzip_writer.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/prng.h"
#include "util/slice.h"

#define MS INT64_C(1000000)
#define TASKS_MAX 160
#define INPUTS_MAX 16
#define HOSTS_MAX 64u
#define WORKERS_MAX 256u
#define START_NS INT64_C(16274000000000)

enum kind { RETRIEVE, CONCAT, MEAN, THRESHOLD, SOT, EFI };
static const struct {
	const char *name;
	int64_t run_ns;
	int contention_pct; /* longer by, beside three others */
} kinds[] = {
    [RETRIEVE] = {"retrieve", 62 * MS, 8}, [CONCAT] = {"concat", 60 * MS, 5},
    [MEAN] = {"mean", 70 * MS, 25},        [THRESHOLD] = {"threshold", 75 * MS, 30},
    [SOT] = {"sot", 460 * MS, 132},        [EFI] = {"efi", 1030 * MS, 118},
};

struct sim_task {
	char name[96];
	enum kind kind;
	int inputs[INPUTS_MAX];
	int n_inputs, waiting;
	int64_t start_ns, left_ns; /* when planned: run time that is left, if it were alone */
	bool is_ready, is_planned;
	unsigned worker;
};

struct demo_record {
	int64_t at, order; /* order: when the line reached the log */
	size_t sequence;
	char *text;
};

struct sim {
	struct prng prng;
	unsigned n_hosts, per_host, n_workers;
	bool multi;
	double slow_factor;
	struct sim_task tasks[TASKS_MAX];
	int n_tasks;
	int64_t clock_ns;    /* up to which tasks have advanced */
	int64_t *free_ns;    /* by worker */
	int *running;        /* by worker: task or -1 */
	int64_t *here_ns;    /* by worker and task: when its data is there; INT64_MAX not */
	int64_t *on_host_ns; /* by host and task */
	struct demo_record *records;
	size_t n_records, capacity;
};

/* ---- the graph ---- */

static int
add_task(struct sim *sim, enum kind kind, const char *label, const int *inputs, int n_inputs)
{
	struct sim_task *task = &sim->tasks[sim->n_tasks];
	uint64_t hash = UINT64_C(0xcbf29ce484222325) + (uint64_t)sim->n_tasks;

	for (const char *c = label; *c; c++) {
		hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	}
	task->kind = kind;
	task->n_inputs = task->waiting = n_inputs;
	task->is_ready = n_inputs == 0;
	for (int i = 0; i < n_inputs; i++) {
		task->inputs[i] = inputs[i];
		hash = (hash ^ (uint64_t)inputs[i]) * UINT64_C(0x100000001b3);
	}
	struct prng digits = {hash};
	uint64_t words[4];
	for (int i = 0; i < 4; i++) {
		words[i] = prng_next(&digits);
	}
	snprintf(task->name, sizeof task->name,
	         "%s:%016" PRIx64 "%016" PRIx64 "%016" PRIx64 "%016" PRIx64, label, words[0],
	         words[1], words[2], words[3]);
	return sim->n_tasks++;
}

static int
add_plain(struct sim *sim, enum kind kind, const int *inputs, int n_inputs)
{
	return add_task(sim, kind, kinds[kind].name, inputs, n_inputs);
}

static void
build_graph(struct sim *sim)
{
	int grid[2][21], clim[2], root, steps[20], windows[20], pairs[8], ensembles[2], means[4];
	char label[48];

	for (int member = 0; member < 2; member++) {
		for (int step = 0; step < 21; step++) {
			snprintf(label, sizeof label, "retrieve(%d, %d)", member, step);
			grid[member][step] = add_task(sim, RETRIEVE, label, NULL, 0);
		}
	}
	clim[0] = add_task(sim, RETRIEVE, "retrieve(0,)", NULL, 0);
	clim[1] = add_task(sim, RETRIEVE, "retrieve(1,)", NULL, 0);
	root = add_task(sim, RETRIEVE, "retrieve", NULL, 0);
	for (int i = 0; i < 20; i++) {
		steps[i] = add_plain(sim, MEAN, (int[]){grid[0][i], grid[1][i]}, 2);
	}
	for (int i = 0; i < 20; i++) {
		const int *row = grid[i / 10];
		windows[i] =
		    add_plain(sim, CONCAT, (int[]){row[i % 10 * 2], row[i % 10 * 2 + 1]}, 2);
	}
	for (int i = 0; i < 8; i++) {
		pairs[i] = add_plain(sim, CONCAT, (int[]){windows[i], windows[i + 10]}, 2);
	}
	for (int k = 0; k < 2; k++) {
		int inputs[11];
		for (int i = 0; i < 10; i++) {
			inputs[i] = windows[k + 2 * i];
		}
		inputs[10] = clim[k];
		ensembles[k] = add_plain(sim, CONCAT, inputs, 11);
	}
	for (int i = 0; i < 4; i++) {
		means[i] = add_plain(sim, MEAN, (int[]){pairs[i], root}, 2);
	}
	for (int i = 0; i < 24; i++) {
		add_plain(sim, THRESHOLD, (int[]){steps[i % 20], means[i % 4]}, 2);
	}
	for (int i = 0; i < 4; i++) {
		add_plain(sim, EFI, (int[]){ensembles[i % 2], means[i]}, 2);
	}
	for (int i = 0; i < 8; i++) {
		add_plain(sim, SOT, (int[]){ensembles[i % 2], means[i % 4], clim[i % 2]}, 3);
	}
}

/* ---- rows ---- */

static int64_t
between(struct sim *sim, int64_t from_ns, int64_t to_ns)
{
	return from_ns + (int64_t)prng_below(&sim->prng, (uint64_t)(to_ns - from_ns));
}

/* Mostly about `mean`, seldom much more. */
static int64_t
skewed(struct sim *sim, int64_t mean_ns)
{
	int64_t draw = between(sim, 0, mean_ns + 1) + between(sim, 0, mean_ns + 1);

	return prng_below(&sim->prng, 20) == 0 ? draw * 6 : draw;
}

static void
add_record(struct sim *sim, int64_t at, struct strbuf *text)
{
	strbuf_printf(text, "\"at\": %" PRId64 "}\n", at);
	MEM_GROW(sim->records, sim->capacity, sim->n_records + 1);
	/* Processes flush by themselves: the log is nearly, not strictly, in order. */
	struct demo_record *record = &sim->records[sim->n_records];
	*record = (struct demo_record){at, at + between(sim, 0, 40000), sim->n_records,
	                               strbuf_take(text)};
	sim->n_records++;
}

static void
controller_row(struct sim *sim, int64_t at, const char *what, int task, const char *action,
               unsigned worker)
{
	struct strbuf text = {0};
	unsigned host = worker / sim->per_host, slot = worker % sim->per_host;

	if (sim->multi) {
		strbuf_printf(&text,
		              "{\"%s\": \"%s\", \"action\": \"%s\", \"worker\": \"h%u:worker%u\", "
		              "\"host\": \"controller\", ",
		              what, sim->tasks[task].name, action, host, slot);
	} else { /* the label was set first in this process and stays first when overridden */
		strbuf_printf(&text,
		              "{\"host\": \"controller\", \"%s\": \"%s\", \"action\": \"%s\", "
		              "\"worker\": \"worker%u\", ",
		              what, sim->tasks[task].name, action, slot);
	}
	add_record(sim, at, &text);
}

static void
host_row(struct sim *sim, int64_t at, const char *what, int task, const char *action,
         unsigned worker, const char *mode)
{
	struct strbuf text = {0};

	if (sim->multi) {
		strbuf_printf(&text, "{\"host\": \"h%u\", ", worker / sim->per_host);
	} else {
		strbuf_add_text(&text, "{\"host\": \"fiab\", ");
	}
	strbuf_printf(&text, "\"%s\": \"%s\", \"action\": \"%s\", \"worker\": \"worker%u\", ", what,
	              sim->tasks[task].name, action, worker % sim->per_host);
	if (mode) {
		strbuf_printf(&text, "\"mode\": \"%s\", ", mode);
	}
	add_record(sim, at, &text);
}

/* ---- the run ---- */

static int64_t *
here(struct sim *sim, unsigned worker, int task)
{
	return &sim->here_ns[(size_t)worker * TASKS_MAX + (size_t)task];
}

static int64_t *
on_host(struct sim *sim, unsigned worker, int task)
{
	return &sim->on_host_ns[(size_t)(worker / sim->per_host) * TASKS_MAX + (size_t)task];
}

/* Brings a data set to a worker; returns when it is there. */
static int64_t
transmit(struct sim *sim, int64_t now, int task, unsigned worker)
{
	int64_t *host_ns = on_host(sim, worker, task);
	int64_t finished;

	controller_row(sim, now, "dataset", task, "transmitPlanned", worker);
	if (*host_ns != INT64_MAX && (sim->n_hosts == 1 || prng_below(&sim->prng, 10) > 2)) {
		finished = now + (sim->multi ? skewed(sim, 6 * MS) : between(sim, MS / 20, MS / 7));
		host_row(sim, finished, "dataset", task, "transmitFinished", worker, "local");
		return finished;
	}
	const char *mode = *host_ns != INT64_MAX ? "redundant" : "remote";
	int64_t started = now + MS / 2 + skewed(sim, 2 * MS);
	int64_t loaded = started + MS / 4 + skewed(sim, MS / 3);
	finished = loaded + 8 * MS + skewed(sim, 50 * MS);
	host_row(sim, started, "dataset", task, "transmitStarted", worker, "remote");
	host_row(sim, loaded, "dataset", task, "transmitLoaded", worker, "remote");
	host_row(sim, finished, "dataset", task, "transmitFinished", worker, mode);
	*host_ns = *host_ns == INT64_MAX ? finished : *host_ns;
	return finished;
}

/* Of the ready tasks the one with most inputs at this worker, and what is not a retrieve first. */
static int
choose_task(struct sim *sim, unsigned worker)
{
	int best = -1, best_score = -1;

	for (int i = 0; i < sim->n_tasks; i++) {
		const struct sim_task *task = &sim->tasks[i];
		if (!task->is_ready || task->is_planned) {
			continue;
		}
		int score = task->kind != RETRIEVE;
		for (int k = 0; k < task->n_inputs; k++) {
			score += 2 * (*here(sim, worker, task->inputs[k]) != INT64_MAX);
		}
		if (score > best_score) {
			best = i;
			best_score = score;
		}
	}
	return best;
}

/* Alone on its host. */
static int64_t
run_time(struct sim *sim, enum kind kind)
{
	int64_t run = kinds[kind].run_ns / 1000 * between(sim, 930, 1100);

	return (int64_t)((double)run * sim->slow_factor);
}

/* Plans one task; returns the controller's time after it. */
static int64_t
plan_task(struct sim *sim, int64_t now, int index, unsigned worker)
{
	struct sim_task *task = &sim->tasks[index];
	int64_t available = now;

	for (int i = 0; i < task->n_inputs; i++) {
		int64_t *there = here(sim, worker, task->inputs[i]);
		if (*there == INT64_MAX) {
			*there = transmit(sim, now, task->inputs[i], worker);
			now +=
			    sim->multi ? MS / 3 + skewed(sim, MS) : between(sim, MS / 50, MS / 20);
		}
		available = MOST(*there, available);
	}
	controller_row(sim, now, "task", index, "taskPlanned", worker);
	int64_t enqueued =
	    now + (sim->multi ? MS * 6 / 10 + skewed(sim, 8 * MS) : between(sim, MS / 16, MS / 8));
	host_row(sim, enqueued, "task", index, "taskEnqueued", worker, NULL);
	int64_t started = MOST(enqueued, available);
	started = MOST(started, sim->free_ns[worker]);
	started += between(sim, 9 * MS, 14 * MS);
	host_row(sim, started, "task", index, "taskStarted", worker, NULL);
	task->is_planned = true;
	task->start_ns = started;
	task->left_ns = run_time(sim, task->kind);
	task->worker = worker;
	sim->running[worker] = index;
	return now + between(sim, MS / 33, MS / 20);
}

static bool
is_running(const struct sim *sim, unsigned worker)
{
	int task = sim->running[worker];

	return task >= 0 && sim->tasks[task].start_ns <= sim->clock_ns;
}

/* How long the worker's task takes now, in percent of what it would take alone. */
static int64_t
slowness(const struct sim *sim, unsigned worker)
{
	unsigned first = worker / sim->per_host * sim->per_host;
	int64_t others = 0;

	for (unsigned i = first; i < first + sim->per_host; i++) {
		others += i != worker && is_running(sim, i);
	}
	return 100 + kinds[sim->tasks[sim->running[worker]].kind].contention_pct * others / 3;
}

/* When the worker's task starts, or ends if nothing on its host changes before. */
static int64_t
next_change(const struct sim *sim, unsigned worker)
{
	const struct sim_task *task = &sim->tasks[sim->running[worker]];

	return is_running(sim, worker)
	           ? sim->clock_ns + (task->left_ns * slowness(sim, worker) + 99) / 100
	           : task->start_ns;
}

static void
advance_to(struct sim *sim, int64_t at)
{
	for (unsigned worker = 0; worker < sim->n_workers; worker++) {
		if (is_running(sim, worker)) {
			sim->tasks[sim->running[worker]].left_ns -=
			    (at - sim->clock_ns) * 100 / slowness(sim, worker);
		}
	}
	sim->clock_ns = at;
}

/* Lets tasks run until the first of them ends, not after `until`: that one's worker, or -1. */
static int
run_on(struct sim *sim, int64_t until)
{
	for (;;) {
		int64_t soonest = INT64_MAX;
		unsigned changing = 0;
		for (unsigned worker = 0; worker < sim->n_workers; worker++) {
			int64_t at =
			    sim->running[worker] < 0 ? INT64_MAX : next_change(sim, worker);
			changing = at < soonest ? worker : changing;
			soonest = LEAST(at, soonest);
		}
		if (soonest == INT64_MAX || soonest > until) {
			return -1;
		}
		bool ends = is_running(sim, changing);
		advance_to(sim, soonest);
		if (ends) {
			return (int)changing;
		}
	}
}

static void
finish_task(struct sim *sim, unsigned worker)
{
	int index = sim->running[worker];

	host_row(sim, sim->clock_ns, "task", index, "taskFinished", worker, NULL);
	sim->running[worker] = -1;
	sim->free_ns[worker] = sim->clock_ns;
	*here(sim, worker, index) = sim->clock_ns;
	*on_host(sim, worker, index) = sim->clock_ns;
	for (int i = 0; i < sim->n_tasks; i++) {
		struct sim_task *task = &sim->tasks[i];
		for (int k = 0; k < task->n_inputs; k++) {
			task->waiting -= task->inputs[k] == index;
		}
		task->is_ready = task->waiting == 0;
	}
}

/* The controller plans a task for each idle worker, and again when it has heard that one ended. */
static void
run(struct sim *sim)
{
	int64_t now = START_NS + between(sim, 0, 1000 * MS);

	for (int ended = 0; ended >= 0;) {
		for (unsigned worker = 0; worker < sim->n_workers; worker++) {
			int task = sim->running[worker] < 0 ? choose_task(sim, worker) : -1;
			if (task >= 0) {
				now = plan_task(sim, now, task, worker);
			}
		}
		ended = run_on(sim, INT64_MAX);
		now = MOST(sim->clock_ns, now) + between(sim, MS / 5, MS / 2);
		for (int next = ended; next >= 0; next = run_on(sim, now)) {
			finish_task(sim, (unsigned)next);
		}
	}
}

static int
compare_records(const void *a, const void *b)
{
	const struct demo_record *x = a, *y = b;

	ORDER_BY(x->order, y->order);

	return ORDER(x->sequence, y->sequence);
}

static void
sim_init(struct sim *sim, unsigned hosts, unsigned workers, uint64_t seed, double slow_factor)
{
	memset(sim, 0, sizeof *sim);
	sim->prng.state = seed * UINT64_C(0x9e3779b97f4a7c15) + hosts * 1000 + workers;
	sim->multi = hosts > 0;
	sim->n_hosts = hosts ? hosts : 1;
	sim->per_host = workers;
	sim->n_workers = sim->n_hosts * workers;
	sim->slow_factor = slow_factor;
	sim->free_ns = xcalloc(sim->n_workers, sizeof *sim->free_ns);
	sim->running = xcalloc(sim->n_workers, sizeof *sim->running);
	sim->here_ns = xcalloc((size_t)sim->n_workers * TASKS_MAX, sizeof *sim->here_ns);
	sim->on_host_ns = xcalloc((size_t)sim->n_hosts * TASKS_MAX, sizeof *sim->on_host_ns);
	for (unsigned i = 0; i < sim->n_workers; i++) {
		sim->running[i] = -1;
	}
	for (size_t i = 0; i < (size_t)sim->n_workers * TASKS_MAX; i++) {
		sim->here_ns[i] = INT64_MAX;
	}
	for (size_t i = 0; i < (size_t)sim->n_hosts * TASKS_MAX; i++) {
		sim->on_host_ns[i] = INT64_MAX;
	}
	build_graph(sim);
}

static void
sim_fini(struct sim *sim)
{
	for (size_t i = 0; i < sim->n_records; i++) {
		free(sim->records[i].text);
	}
	free(sim->records);
	free(sim->free_ns);
	free(sim->running);
	free(sim->here_ns);
	free(sim->on_host_ns);
}

int
demo_write_cascade(const char *path, unsigned hosts, unsigned workers, uint64_t seed,
                   double slow_factor, struct err *err)
{
	if (workers == 0 || workers > WORKERS_MAX || hosts > HOSTS_MAX ||
	    !(slow_factor > 0 && slow_factor <= 1000)) {
		return err_set(
		    err, ERR_USAGE,
		    "a run has 1 to %u workers on up to %u hosts and a factor up to 1000",
		    WORKERS_MAX, HOSTS_MAX);
	}
	struct gzip_writer *out = gzip_writer_open(path, 0, err);
	if (!out) {
		return -1;
	}
	struct sim *sim = xmalloc(sizeof *sim);
	sim_init(sim, hosts, workers, seed, slow_factor);
	run(sim);
	SORT(sim->records, sim->n_records, compare_records);
	for (size_t i = 0; i < sim->n_records; i++) {
		gzip_writer_put(out, sim->records[i].text, strlen(sim->records[i].text));
	}
	sim_fini(sim);
	free(sim);
	return gzip_writer_close(out, err);
}
