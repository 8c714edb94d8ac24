/*
 * Made-up schedules for the tests of explanations: put together by hand, or simulated with a known
 * cause.
 *
 * The simulator is an event loop over a random graph of tasks. Tasks run at a rate that falls with
 * the number that run on their host; inputs from other lanes are moved first. Placement is dynamic
 * (the first free lane takes the first ready task) or fixed.
 */
#ifndef LANESCOPE_TESTS_EXPLAIN_FIXTURE_H
#define LANESCOPE_TESTS_EXPLAIN_FIXTURE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "explain/schedule/matching.h"
#include "util/mem.h"
#include "util/prng.h"

#define MS INT64_C(1000000)

struct made_task {
	const char *key; /* NULL: "task N" */
	int kind;        /* "kind N" */
	unsigned lane;
	int64_t start, end, planned; /* planned SCHEDULE_NO_TIME: none */
};
struct made_edge {
	unsigned from, to;      /* tasks */
	int64_t begun, arrived; /* of a transfer; begun SCHEDULE_NO_TIME: none */
};

static inline uint32_t
made_text(struct schedule *schedule, const char *text)
{
	for (size_t i = 0; i < schedule->n_texts && schedule->n_texts < 64; i++) {
		if (slice_is(schedule->texts[i], text)) {
			return (uint32_t)i;
		}
	}
	size_t length = strlen(text);
	schedule->texts[schedule->n_texts] =
	    (struct slice){arena_strndup(schedule->arena, text, length), length};
	return (uint32_t)schedule->n_texts++;
}

struct made_order {
	unsigned lane, task;
	int64_t start, end;
};

static inline int
made_compare(const void *a, const void *b)
{
	const struct made_order *x = a, *y = b;
	if (x->lane != y->lane) {
		return x->lane < y->lane ? -1 : 1;
	}
	if (x->start != y->start) {
		return x->start < y->start ? -1 : 1;
	}
	if (x->end != y->end) {
		return x->end < y->end ? -1 : 1;
	}
	return x->task < y->task ? -1 : x->task > y->task;
}

static inline int
made_compare_edges(const void *a, const void *b)
{
	const struct schedule_edge *x = a, *y = b;
	if (x->to != y->to) {
		return x->to < y->to ? -1 : 1;
	}
	return x->from < y->from ? -1 : x->from > y->from;
}

static inline void
made_lanes(struct schedule *schedule, unsigned n_lanes, unsigned per_host)
{
	char name[32];
	schedule->n_lanes = n_lanes;
	schedule->lanes = arena_zalloc(schedule->arena, (n_lanes + 1) * sizeof *schedule->lanes);
	for (unsigned l = 0; l < n_lanes; l++) {
		snprintf(name, sizeof name, "lane %u", l);
		schedule->lanes[l].id = l;
		schedule->lanes[l].name = made_text(schedule, name);
		snprintf(name, sizeof name, "host %u", l / per_host);
		schedule->lanes[l].host = made_text(schedule, name);
	}
}

static inline void
made_items(struct schedule *schedule, const struct made_task *tasks, size_t n)
{
	struct made_order *order = xcalloc(n, sizeof *order);
	char name[32];
	for (size_t i = 0; i < n; i++) {
		order[i] =
		    (struct made_order){tasks[i].lane, (unsigned)i, tasks[i].start, tasks[i].end};
	}
	if (n > 1) {
		qsort(order, n, sizeof *order, made_compare);
	}
	for (size_t k = 0; k < n; k++) {
		const struct made_task *task = &tasks[order[k].task];
		struct schedule_lane *lane = &schedule->lanes[task->lane];
		lane->first = lane->n == 0 ? k : lane->first;
		lane->n++;
		schedule->items[k] = (struct schedule_item){
		    task->start, task->end, task->lane, (uint32_t)task->kind, order[k].task, 0};
		snprintf(name, sizeof name, "task %u", order[k].task);
		uint32_t key = made_text(schedule, task->key ? task->key : name);
		schedule->tasks[order[k].task] = (struct schedule_task){
		    order[k].task,    key,         key,      (uint32_t)k, task->planned,
		    SCHEDULE_NO_TIME, task->start, task->end};
	}
	schedule->n_items = schedule->n_tasks = n;
	free(order);
}

static inline void
made_edges(struct schedule *schedule, const struct made_edge *edges, size_t n)
{
	for (size_t e = 0; e < n; e++) {
		uint32_t from = schedule->tasks[edges[e].from].item;
		uint32_t to = schedule->tasks[edges[e].to].item;
		struct schedule_edge *edge = &schedule->edges[e];
		*edge = (struct schedule_edge){from, to, EDGE_DEPENDENCY, SCHEDULE_NONE};
		if (edges[e].begun != SCHEDULE_NO_TIME) {
			edge->type = EDGE_TRANSFER;
			edge->transfer = (uint32_t)schedule->n_transfers;
			schedule->transfers[schedule->n_transfers++] =
			    (struct schedule_transfer){.name = schedule->tasks[edges[e].from].key,
			                               .lane = schedule->items[to].lane,
			                               .from = from,
			                               .mode = SCHEDULE_NONE,
			                               .planned_ns = edges[e].begun,
			                               .started_ns = SCHEDULE_NO_TIME,
			                               .loaded_ns = SCHEDULE_NO_TIME,
			                               .received_ns = SCHEDULE_NO_TIME,
			                               .finished_ns = edges[e].arrived,
			                               .size_bytes = -1};
		}
	}
	schedule->n_edges = n;
	if (n > 1) {
		qsort(schedule->edges, n, sizeof *schedule->edges, made_compare_edges);
	}
}

static inline struct schedule *
made_schedule(const struct made_task *tasks, size_t n, const struct made_edge *edges,
              size_t n_edges, unsigned n_lanes, unsigned per_host)
{
	struct arena *arena = arena_new();
	struct schedule *schedule = arena_zalloc(arena, sizeof *schedule);
	int n_kinds = 0;
	schedule->arena = arena;
	schedule->is_tasks = true;
	schedule->texts = arena_zalloc(arena, (n + 2 * n_lanes + 2) * sizeof *schedule->texts);
	schedule->items = arena_zalloc(arena, (n + 1) * sizeof *schedule->items);
	schedule->tasks = arena_zalloc(arena, (n + 1) * sizeof *schedule->tasks);
	schedule->edges = arena_zalloc(arena, (n_edges + 1) * sizeof *schedule->edges);
	schedule->transfers = arena_zalloc(arena, (n_edges + 1) * sizeof *schedule->transfers);
	made_lanes(schedule, n_lanes, per_host);
	made_items(schedule, tasks, n);
	made_edges(schedule, edges, n_edges);
	for (size_t i = 0; i < n; i++) {
		bool is_planned = tasks[i].planned != SCHEDULE_NO_TIME;
		int64_t first = is_planned ? tasks[i].planned : tasks[i].start;
		schedule->start_ns =
		    i == 0 || first < schedule->start_ns ? first : schedule->start_ns;
		schedule->end_ns =
		    i == 0 || tasks[i].end > schedule->end_ns ? tasks[i].end : schedule->end_ns;
		schedule->starts_planned = schedule->starts_planned || is_planned;
		n_kinds = tasks[i].kind + 1 > n_kinds ? tasks[i].kind + 1 : n_kinds;
	}
	schedule->kinds = arena_zalloc(arena, ((size_t)n_kinds + 1) * sizeof *schedule->kinds);
	for (int k = 0; k < n_kinds; k++) {
		const char *name = arena_printf(arena, "kind %d", k);
		schedule->kinds[schedule->n_kinds++] = slice_of(name);
	}
	return schedule;
}

/* A run to simulate. */
#define SIM_KINDS 4
#define SIM_INPUTS 3
struct sim_params {
	unsigned n_tasks, n_lanes, per_host;
	uint64_t graph_seed, noise_seed;
	double noise;             /* durations vary by this share */
	double factor[SIM_KINDS]; /* of durations by kind; 0 counts as 1 */
	double contention;        /* a task takes (number on its host) ^ this as long */
	int64_t link_ns;          /* to move an input from another lane */
	int64_t slow_link_ns;     /* to lane 0, if not 0 */
	bool is_fixed;            /* task i stands on lane i % n_lanes */
	unsigned skew;            /* fixed: this many of a hundred go to lane 0 instead */
	int64_t dispatch_ns;      /* from planned to the first moment it could start */
	bool is_linked;           /* inputs are known as edges even where nothing moved */
	unsigned edge_share;      /* of a hundred tasks, how many have inputs */
};

struct sim_task {
	int kind;
	double work;
	unsigned n_inputs, inputs[SIM_INPUTS], lane;
	bool is_placed, is_done, is_begun;
	int64_t planned, start, end;
};

struct sim {
	const struct sim_params *params;
	struct sim_task *tasks;
	int *on_lane; /* task, or -1 */
	int64_t now;
	struct made_edge *edges;
	size_t n_edges;
};

static inline double
sim_uniform(struct prng *prng)
{
	return (double)(prng_next(prng) >> 11) / 9007199254740992.0;
}

static inline void
sim_graph(struct sim *sim)
{
	static const double work_ms[SIM_KINDS] = {20, 40, 80, 160};
	const struct sim_params *params = sim->params;
	struct prng graph = {params->graph_seed}, noise = {params->noise_seed};
	for (unsigned i = 0; i < params->n_tasks; i++) {
		struct sim_task *task = &sim->tasks[i];
		task->kind = (int)prng_below(&graph, SIM_KINDS);
		double factor = params->factor[task->kind] > 0 ? params->factor[task->kind] : 1;
		double vary = 1 + params->noise * (2 * sim_uniform(&noise) - 1);
		double base = work_ms[task->kind] * (0.8 + 0.4 * sim_uniform(&graph));
		task->work = floor(base * factor * vary * (double)MS) + 1;
		bool has_inputs = prng_below(&graph, 100) < params->edge_share && i > 0;
		uint64_t n = prng_below(&graph, SIM_INPUTS) + 1;
		for (unsigned k = 0; k < n && has_inputs; k++) {
			unsigned input = (unsigned)prng_below(&graph, i);
			bool is_new = true;
			for (unsigned j = 0; j < task->n_inputs; j++) {
				is_new = is_new && task->inputs[j] != input;
			}
			if (is_new) {
				task->inputs[task->n_inputs++] = input;
			}
		}
		bool is_skewed = prng_below(&graph, 100) < params->skew;
		task->lane = is_skewed ? 0 : i % params->n_lanes;
	}
}

static inline bool
sim_is_ready(const struct sim *sim, const struct sim_task *task)
{
	for (unsigned k = 0; k < task->n_inputs; k++) {
		if (!sim->tasks[task->inputs[k]].is_done) {
			return false;
		}
	}
	return true;
}

static inline void
sim_place(struct sim *sim, unsigned i, unsigned lane)
{
	const struct sim_params *params = sim->params;
	struct sim_task *task = &sim->tasks[i];
	int64_t link = lane == 0 && params->slow_link_ns ? params->slow_link_ns : params->link_ns;
	task->lane = lane;
	task->is_placed = true;
	task->planned = sim->now;
	task->start = sim->now + params->dispatch_ns;
	sim->on_lane[lane] = (int)i;
	for (unsigned k = 0; k < task->n_inputs; k++) {
		bool is_moved = sim->tasks[task->inputs[k]].lane != lane && link > 0;
		if (is_moved) {
			task->start = sim->now + link + params->dispatch_ns;
		}
		if (is_moved || params->is_linked) {
			sim->edges[sim->n_edges++] = (struct made_edge){
			    task->inputs[k], i, is_moved ? sim->now : SCHEDULE_NO_TIME,
			    is_moved ? sim->now + link : SCHEDULE_NO_TIME};
		}
	}
}

/* Puts ready tasks on free lanes; the first that is ready, of those that may go there. */
static inline void
sim_schedule(struct sim *sim)
{
	const struct sim_params *params = sim->params;
	for (unsigned lane = 0; lane < params->n_lanes; lane++) {
		for (unsigned i = 0; i < params->n_tasks && sim->on_lane[lane] < 0; i++) {
			struct sim_task *task = &sim->tasks[i];
			if (task->is_placed || (params->is_fixed && task->lane != lane)) {
				continue;
			}
			if (sim_is_ready(sim, task)) {
				sim_place(sim, i, lane);
			}
		}
	}
}

static inline double
sim_rate(const struct sim *sim, unsigned lane)
{
	unsigned per_host = sim->params->per_host, first = lane / per_host * per_host, n = 0;
	for (unsigned l = first; l < first + per_host && l < sim->params->n_lanes; l++) {
		n += sim->on_lane[l] >= 0 && sim->tasks[sim->on_lane[l]].start <= sim->now;
	}
	return pow(n, -sim->params->contention);
}

/* To the next start or end; false when nothing runs. */
static inline bool
sim_advance(struct sim *sim)
{
	double least = INFINITY;
	const unsigned n_lanes = sim->params->n_lanes;
	double *rates = xcalloc(n_lanes, sizeof *rates);
	for (unsigned lane = 0; lane < n_lanes; lane++) {
		if (sim->on_lane[lane] < 0) {
			continue;
		}
		const struct sim_task *task = &sim->tasks[sim->on_lane[lane]];
		rates[lane] = task->start <= sim->now ? sim_rate(sim, lane) : 0;
		least = fmin(least, rates[lane] > 0 ? ceil(task->work / rates[lane])
		                                    : (double)(task->start - sim->now));
	}
	for (unsigned lane = 0; lane < n_lanes && isfinite(least); lane++) {
		if (rates[lane] > 0) {
			struct sim_task *task = &sim->tasks[sim->on_lane[lane]];
			task->work -= least * rates[lane];
			if (task->work < 1e-3) {
				task->is_done = true;
				task->end = sim->now + (int64_t)least;
				sim->on_lane[lane] = -1;
			}
		}
	}
	free(rates);
	sim->now += isfinite(least) ? (int64_t)least : 0;
	return isfinite(least);
}

static inline struct schedule *
sim_run(const struct sim_params *params)
{
	unsigned n = params->n_tasks;
	struct sim sim = {.params = params,
	                  .tasks = xcalloc(n, sizeof *sim.tasks),
	                  .on_lane = xcalloc(params->n_lanes, sizeof *sim.on_lane),
	                  .edges = xcalloc(n, SIM_INPUTS * sizeof *sim.edges)};
	struct made_task *made = xcalloc(n, sizeof *made);
	memset(sim.on_lane, 0xff, params->n_lanes * sizeof *sim.on_lane);
	sim_graph(&sim);
	do {
		sim_schedule(&sim);
	} while (sim_advance(&sim));
	for (unsigned i = 0; i < n; i++) {
		const struct sim_task *task = &sim.tasks[i];
		made[i] = (struct made_task){NULL,        task->kind, task->lane,
		                             task->start, task->end,  task->planned};
	}
	struct schedule *schedule =
	    made_schedule(made, n, sim.edges, sim.n_edges, params->n_lanes, params->per_host);
	free(made);
	free(sim.tasks);
	free(sim.on_lane);
	free(sim.edges);
	return schedule;
}

/* What schedules make with a part, as explain_compute_rows does for a part with defaults: the first
 * is A, the others B. Frees none. */
static inline struct result *
made_explain_runs(const struct explain_part *part, struct schedule *const *schedules, size_t n,
                  const char *const *arguments)
{
	struct explain_run runs[8] = {{.name = "A", .schedule = schedules[0]},
	                              {.name = "B", .schedule = schedules[1]}};
	for (size_t i = 2; i < n; i++) {
		runs[i] = (struct explain_run){.name = "more", .schedule = schedules[i]};
	}
	struct explain explain = {.a = &runs[0], .b = &runs[1], .n_a = 1, .n_b = n - 1};
	struct err err = ERR_INIT;
	const char *defaults[8] = {0};
	for (size_t i = 0; i < part->n_params && i < 8; i++) {
		defaults[i] =
		    arguments && arguments[i] ? arguments[i] : part->params[i].default_text;
	}
	struct result *result = part->compute(&explain, defaults, &err);
	if (!result) {
		fprintf(stderr, "# %s: %s\n", part->name, err.message);
	}
	matching_free(runs[0].matching);
	return result;
}
static inline struct result *
made_explain(const struct explain_part *part, struct schedule *a, struct schedule *b,
             const char *const *arguments)
{
	return made_explain_runs(part, (struct schedule *const[]){a, b}, 2, arguments);
}

/* Row whose texts are these; NULL stands for any. SIZE_MAX: none. */
static inline size_t
made_row(const struct result *result, const char *first, const char *second)
{
	const char *wanted[2] = {first, second};
	for (size_t row = 0; row < result->n_rows; row++) {
		bool is_it = true;
		for (size_t c = 0; c < 2; c++) {
			const struct value *value = result_value(result, row, c);
			is_it = is_it && (!wanted[c] || (value->type == VALUE_TEXT &&
			                                 slice_is(value->text, wanted[c])));
		}
		if (is_it) {
			return row;
		}
	}
	return SIZE_MAX;
}

static inline double
made_number(const struct result *result, size_t row, const char *column)
{
	for (size_t c = 0; row < result->n_rows && c < result->n_columns; c++) {
		if (strcmp(result->columns[c].name, column) == 0) {
			const struct value *value = result_value(result, row, c);
			return value->type == VALUE_INTEGER ? (double)value->integer
			       : value->type == VALUE_REAL  ? value->real
			                                    : NAN;
		}
	}
	return NAN;
}

static inline bool
made_has_note(const struct result *result, const char *part)
{
	for (size_t i = 0; i < result->n_notes; i++) {
		if (strstr(result->notes[i], part)) {
			return true;
		}
	}
	return false;
}

#endif
