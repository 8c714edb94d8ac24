/*
 * longest_path(node, before, weight): the path through a graph with the largest sum of weights, as
 * a JSON array of nodes from first to last. One row an edge: a node, one that must come before it
 * (NULL for none) and the node's weight (one that only stands before others weighs nothing; of
 * several weights the largest counts). Nodes are integers. NULL for no rows.
 *
 * In order of dependence (Kahn) every node's best sum is final when its turn comes, so all takes
 * about as long as sorting the nodes. Where only nodes in circles and behind these are left, the
 * smallest has its turn all the same, and what should have come before it later does not count. Of
 * equal paths the one over the smaller nodes wins; it does not begin with nodes that weigh nothing.
 */
#include "config.h"
#include "store/functions.h"

#include <stdlib.h>
#include <string.h>

#include "util/order.h"

struct edge {
	sqlite3_int64 node, before;
	double weight;
	bool has_before;
};

struct path_state {
	struct edge *edges;
	sqlite3_uint64 n, capacity;
};

/* A node of the finished graph. */
struct node {
	sqlite3_int64 id;
	double weight, best;          /* best: of what comes before it */
	sqlite3_uint64 first, n_next; /* its part of graph.next */
	sqlite3_uint64 waits_for;     /* nodes before it that had no turn so far */
	sqlite3_uint64 previous;      /* index + 1 */
	bool is_queued;
};

struct graph {
	struct node *nodes; /* by id */
	sqlite3_uint64 *next, *queue;
	sqlite3_uint64 n_nodes, n_edges;
};

static bool
add_edge(sqlite3_context *context, void *user, sqlite3_value **argv)
{
	struct path_state *state = user;
	struct number weight = {.real = 0};
	int type = sqlite3_value_type(argv[0]), type_before = sqlite3_value_type(argv[1]);

	if (type == SQLITE_NULL) {
		return true;
	}
	if (type != SQLITE_INTEGER ||
	    (type_before != SQLITE_INTEGER && type_before != SQLITE_NULL)) {
		return function_fail(context, "nodes are integers");
	}
	if (function_number(context, argv[2], &weight) < 0 ||
	    !function_grow(context, &state->edges, &state->capacity, state->n,
	                   sizeof *state->edges)) {
		return false;
	}
	state->edges[state->n++] = (struct edge){.node = sqlite3_value_int64(argv[0]),
	                                         .before = sqlite3_value_int64(argv[1]),
	                                         .weight = weight.real,
	                                         .has_before = type_before != SQLITE_NULL};
	return true;
}

static int
compare_nodes(const void *a, const void *b)
{
	const struct node *x = a, *y = b;
	return ORDER(x->id, y->id);
}

static sqlite3_uint64
index_of(const struct graph *graph, sqlite3_int64 id)
{
	struct node key = {.id = id};
	const struct node *found =
	    bsearch(&key, graph->nodes, (size_t)graph->n_nodes, sizeof key, compare_nodes);
	return (sqlite3_uint64)(found - graph->nodes);
}

static void
collect_nodes(const struct path_state *state, struct graph *graph)
{
	sqlite3_uint64 n = 0, kept = 0;

	for (sqlite3_uint64 i = 0; i < state->n; i++) {
		const struct edge *edge = &state->edges[i];
		graph->nodes[n++] = (struct node){.id = edge->node, .weight = edge->weight};
		if (edge->has_before) {
			graph->nodes[n++] = (struct node){.id = edge->before};
		}
	}
	SORT(graph->nodes, n, compare_nodes);
	for (sqlite3_uint64 i = 0; i < n; i++) {
		struct node *last = kept ? &graph->nodes[kept - 1] : NULL;
		if (!last || last->id != graph->nodes[i].id) {
			graph->nodes[kept++] = graph->nodes[i];
		} else if (graph->nodes[i].weight > last->weight) {
			last->weight = graph->nodes[i].weight;
		}
	}
	graph->n_nodes = kept;
}

/* Every node's successors, next to each other. */
static void
link_nodes(const struct path_state *state, struct graph *graph)
{
	for (sqlite3_uint64 i = 0; i < state->n; i++) {
		if (state->edges[i].has_before) {
			graph->nodes[index_of(graph, state->edges[i].before)].n_next++;
			graph->nodes[index_of(graph, state->edges[i].node)].waits_for++;
		}
	}
	for (sqlite3_uint64 i = 0; i < graph->n_nodes; i++) {
		graph->nodes[i].first = graph->n_edges;
		graph->n_edges += graph->nodes[i].n_next;
		graph->nodes[i].n_next = 0;
	}
	for (sqlite3_uint64 i = 0; i < state->n; i++) {
		if (state->edges[i].has_before) {
			struct node *before =
			    &graph->nodes[index_of(graph, state->edges[i].before)];
			graph->next[before->first + before->n_next++] =
			    index_of(graph, state->edges[i].node);
		}
	}
}

static void
queue_node(struct graph *graph, sqlite3_uint64 index, sqlite3_uint64 *end)
{
	graph->nodes[index].is_queued = true;
	graph->queue[(*end)++] = index;
}

/* Index + 1 of the last node of the best path; 0: none had its turn. */
static sqlite3_uint64
walk(struct graph *graph)
{
	sqlite3_uint64 end = 0, best = 0, passed = 0;

	for (sqlite3_uint64 i = 0; i < graph->n_nodes; i++) {
		if (graph->nodes[i].waits_for == 0) {
			queue_node(graph, i, &end);
		}
	}
	for (sqlite3_uint64 at = 0; at < graph->n_nodes; at++) {
		while (at == end && graph->nodes[passed].is_queued) {
			passed++;
		}
		if (at == end) {
			queue_node(graph, passed, &end);
		}
		sqlite3_uint64 index = graph->queue[at];
		const struct node *node = &graph->nodes[index];
		double sum = node->best + node->weight;
		double best_sum =
		    best ? graph->nodes[best - 1].best + graph->nodes[best - 1].weight : 0;
		if (!best || sum > best_sum || (sum == best_sum && index < best - 1)) {
			best = index + 1;
		}
		for (sqlite3_uint64 i = 0; i < node->n_next; i++) {
			struct node *next = &graph->nodes[graph->next[node->first + i]];
			if (next->is_queued) {
				continue; /* it is in a circle and had its turn */
			}
			if (sum > next->best || (sum == next->best && index + 1 < next->previous)) {
				next->best = sum;
				next->previous = index + 1;
			}
			if (--next->waits_for == 0) {
				queue_node(graph, graph->next[node->first + i], &end);
			}
		}
	}
	return best;
}

static void
result_path(sqlite3_context *context, struct graph *graph, sqlite3_uint64 last)
{
	sqlite3_str *text = sqlite3_str_new(sqlite3_context_db_handle(context));
	sqlite3_uint64 n = 0;

	for (; last; last = graph->nodes[last - 1].previous) {
		graph->queue[n++] = last - 1; /* not needed any more */
	}
	sqlite3_str_appendchar(text, 1, '[');
	while (n > 0) {
		n--;
		sqlite3_str_appendf(text, "%lld%s", graph->nodes[graph->queue[n]].id, n ? "," : "");
	}
	sqlite3_str_appendchar(text, 1, ']');
	function_result(context, text);
}

static void
finish_path(sqlite3_context *context, void *user, bool has_failed)
{
	struct path_state *state = user;
	struct graph graph = {0};

	if (state->n > 0 && !has_failed) {
		sqlite3_uint64 most = state->n * 2; /* nodes */
		graph.nodes = sqlite3_malloc64(most * sizeof *graph.nodes);
		graph.next = sqlite3_malloc64(state->n * sizeof *graph.next);
		graph.queue = sqlite3_malloc64(most * sizeof *graph.queue);
		if (graph.nodes && graph.next && graph.queue) {
			collect_nodes(state, &graph);
			link_nodes(state, &graph);
			result_path(context, &graph, walk(&graph));
		} else {
			sqlite3_result_error_nomem(context);
		}
	}
	sqlite3_free(graph.nodes);
	sqlite3_free(graph.next);
	sqlite3_free(graph.queue);
	sqlite3_free(state->edges);
}

const struct sql_function functions_graph[] = {
    {"longest_path", 3, .state_bytes = sizeof(struct path_state), .add = add_edge,
     .finish = finish_path},
    {0},
};
