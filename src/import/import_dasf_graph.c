/*
 * What the tasks of a file tell as a whole: do some depend on each other, and were most computed
 * once more after a long pause?
 *
 * The latter may be a run that was appended without a restart of the host, by which the clock would
 * tell. Where just all tasks come again the file was divided (import_dasf_parts.c), but not if it
 * is read as one all the same; and some of them may be computed again in one run too (their results
 * were lost). So it takes half of all tasks and a minute of rest to ask.
 */
#include "config.h"
#include "import/import_dasf.h"

#include <stdlib.h>

#include "util/format.h"
#include "util/order.h"

#define PAUSE_S 60.0

uint32_t
dasf_task_id(struct dasf_reader *reader, struct slice key)
{
	uint32_t id = intern_id(reader->task_keys, key);

	if (id == reader->n_tasks) {
		MEM_GROW(reader->tasks, reader->tasks_capacity, reader->n_tasks + 1);
		reader->tasks[reader->n_tasks++] = (struct dasf_task){.host = INTERN_NONE};
	}
	return id;
}

void
dasf_task_computed(struct dasf_reader *reader, uint32_t id, uint32_t host, double timestamp)
{
	struct dasf_task *task = &reader->tasks[id];

	if (task->host == INTERN_NONE) {
		*task = (struct dasf_task){.host = host, .first = timestamp, .last = timestamp};
	} else if (task->host == host) {
		task->first = LEAST(timestamp, task->first);
		task->last = MOST(timestamp, task->last);
	}
}

/* ---- computed again ---- */

struct graph_moment {
	uint32_t host;
	double time;
};

static int
compare_moments(const void *a, const void *b)
{
	const struct graph_moment *left = a, *right = b;

	ORDER_BY(left->host, right->host);
	return ORDER(left->time, right->time);
}

/* The longest time without tasks of a host. */
struct pause {
	double from, to;
	uint64_t n_before, n_again;
};

static void
find_pauses(const struct dasf_reader *reader, struct pause *pauses)
{
	struct graph_moment *moments = xcalloc(reader->n_tasks * 2 + 1, sizeof *moments);
	size_t n = 0;

	for (size_t i = 0; i < reader->n_tasks; i++) {
		const struct dasf_task *task = &reader->tasks[i];
		if (task->host != INTERN_NONE) {
			moments[n++] = (struct graph_moment){task->host, task->first};
			moments[n++] = (struct graph_moment){task->host, task->last};
		}
	}
	SORT(moments, n, compare_moments);
	for (size_t i = 1; i < n; i++) {
		struct pause *pause = &pauses[moments[i].host];
		double from = moments[i - 1].time, to = moments[i].time;
		if (moments[i - 1].host == moments[i].host && to - from > pause->to - pause->from) {
			pause->from = from;
			pause->to = to;
		}
	}
	free(moments);
	for (size_t i = 0; i < reader->n_tasks; i++) {
		const struct dasf_task *task = &reader->tasks[i];
		if (task->host != INTERN_NONE) {
			struct pause *pause = &pauses[task->host];
			pause->n_before += task->first <= pause->from;
			pause->n_again += task->first <= pause->from && task->last >= pause->to;
		}
	}
}

static int
report_again(struct dasf_reader *reader)
{
	struct pause *pauses = xcalloc(reader->facts->n_hosts + 1, sizeof *pauses);
	int stop = 0;

	find_pauses(reader, pauses);
	for (size_t i = 0; i < reader->facts->n_hosts && stop == 0; i++) {
		const struct pause *pause = &pauses[i];
		struct strbuf reason = {0};
		char length[FORMAT_BYTES];
		bool is_told = reader->facts->hosts[i].run > 1;
		if (is_told || pause->to - pause->from < PAUSE_S || pause->n_again == 0 ||
		    pause->n_again * 2 < pause->n_before) {
			continue;
		}
		dasf_add_name(&reason,
		              intern_text(reader->facts->texts, reader->facts->hosts[i].name));
		strbuf_printf(
		    &reason,
		    ": %llu of %llu tasks were computed again after a pause of %s: was "
		    "another run appended to the file? Its figures are summed with those "
		    "of the first; DASF appends to a file that exists, so give each run a "
		    "name of its own",
		    (unsigned long long)pause->n_again, (unsigned long long)pause->n_before,
		    format_duration(length, (int64_t)((pause->to - pause->from) * 1e9)));
		stop = dasf_problem(reader, PROBLEM_SUSPICIOUS, reason.data);
		strbuf_free(&reason);
	}
	free(pauses);
	return stop;
}

/* ---- circles ---- */

struct graph_pair {
	uint32_t from, to;
};

static struct graph_pair
pair_at(const struct dasf_reader *reader, uint32_t link)
{
	struct graph_pair pair;

	memcpy(&pair, intern_text(reader->links, link).ptr, sizeof pair);
	return pair;
}

struct dasf_graph {
	uint32_t *first, *next; /* the tasks behind task i: next[first[i] ... first[i + 1]] */
	uint32_t *waits_for, *queue;
	uint32_t n_done;
};

static void
link_tasks(const struct dasf_reader *reader, struct dasf_graph *graph)
{
	uint32_t n_links = intern_count(reader->links);

	for (uint32_t i = 0; i < n_links; i++) {
		struct graph_pair pair = pair_at(reader, i);
		graph->first[pair.from + 1]++;
		graph->waits_for[pair.to]++;
	}
	for (size_t i = 0; i < reader->n_tasks; i++) {
		graph->first[i + 1] += graph->first[i];
	}
	for (uint32_t i = 0; i < n_links; i++) {
		struct graph_pair pair = pair_at(reader, i);
		graph->next[graph->first[pair.from]++] = pair.to;
	}
	/* each first has moved to the next one's */
	memmove(graph->first + 1, graph->first, reader->n_tasks * sizeof *graph->first);
	graph->first[0] = 0;
}

/* In order of dependence: those in a circle, or behind one, have no turn. */
static void
take_turns(const struct dasf_reader *reader, struct dasf_graph *graph)
{
	for (uint32_t i = 0; i < reader->n_tasks; i++) {
		if (graph->waits_for[i] == 0) {
			graph->queue[graph->n_done++] = i;
		}
	}
	for (uint32_t at = 0; at < graph->n_done; at++) {
		uint32_t task = graph->queue[at];
		for (uint32_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
			if (--graph->waits_for[graph->next[i]] == 0) {
				graph->queue[graph->n_done++] = graph->next[i];
			}
		}
	}
}

/* Two tasks next to each other in a circle; the queue is not needed any more. */
static struct graph_pair
find_circle(const struct dasf_reader *reader, struct dasf_graph *graph)
{
	uint32_t *before = graph->queue, at = 0;
	uint32_t n_links = intern_count(reader->links);

	memset(before, 0xff, reader->n_tasks * sizeof *before);
	for (uint32_t i = 0; i < n_links; i++) {
		struct graph_pair pair = pair_at(reader, i);
		if (graph->waits_for[pair.from] && graph->waits_for[pair.to]) {
			before[pair.to] = pair.from;
		}
	}
	while (graph->waits_for[at] == 0) {
		at++;
	}
	while (graph->waits_for[at] != INTERN_NONE) { /* backwards until one comes again */
		graph->waits_for[at] = INTERN_NONE;
		at = before[at];
	}
	return (struct graph_pair){before[at], at};
}

static int
report_circle(struct dasf_reader *reader, struct graph_pair pair, uint64_t n)
{
	struct strbuf reason = {0};

	strbuf_add_text(&reason, "task ");
	dasf_add_name(&reason, intern_text(reader->task_keys, pair.to));
	if (pair.from == pair.to) {
		strbuf_add_text(&reason, " depends on itself");
	} else {
		strbuf_add_text(&reason, " depends on ");
		dasf_add_name(&reason, intern_text(reader->task_keys, pair.from));
		strbuf_add_text(&reason, ", and that on it, directly or by others");
	}
	strbuf_printf(
	    &reason,
	    ": %llu tasks are in circles or behind one, and the critical path passes over "
	    "a dependency of each circle",
	    (unsigned long long)n);
	int stop = dasf_problem(reader, PROBLEM_INVALID, reason.data);
	strbuf_free(&reason);
	return stop;
}

int
dasf_graph_report(struct dasf_reader *reader)
{
	size_t n = reader->n_tasks;
	struct dasf_graph graph = {
	    .first = xcalloc(n + 2, sizeof *graph.first),
	    .next = xcalloc((size_t)intern_count(reader->links) + 1, sizeof *graph.next),
	    .waits_for = xcalloc(n + 1, sizeof *graph.waits_for),
	    .queue = xcalloc(n + 1, sizeof *graph.queue)};
	int stop = report_again(reader);

	link_tasks(reader, &graph);
	take_turns(reader, &graph);
	if (stop == 0 && graph.n_done < n) {
		uint64_t n_left = n - graph.n_done;
		stop = report_circle(reader, find_circle(reader, &graph), n_left);
	}
	free(graph.first);
	free(graph.next);
	free(graph.waits_for);
	free(graph.queue);
	return stop;
}
