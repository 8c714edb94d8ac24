/*
 * Points of flows whose span is known -> dependencies: the points of one flow, by time, are linked,
 * each from the last one that begins or passes it on; an end that no begin precedes from the first
 * after it. They are kept to the end, since files need not be in order: in chunks, which go to a
 * file beyond a share of the memory budget, and are sorted a range of flows at a time.
 */
#include "config.h"
#include "import/import_chrome.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"
#include "util/workspace.h"

#define CHUNK_POINTS ((size_t)1 << 16)
#define RANGE_POINTS ((size_t)1 << 18) /* sorted at once, or those of one flow */

struct chunk {
	struct chrome_link_point *points;
	size_t n;
	uint32_t first_flow, last_flow;
};

struct chrome_links {
	struct workspace *workspace;
	struct chunk *chunks;
	size_t n, capacity;
};

struct chrome_links *
chrome_links_new(void)
{
	struct chrome_links *links = xcalloc(1, sizeof *links);

	links->workspace = workspace_new();
	return links;
}

void
chrome_links_free(struct chrome_links *links)
{
	if (links) {
		workspace_free(links->workspace);
		free(links->chunks);
		free(links);
	}
}

void
chrome_links_add(struct chrome_links *links, const struct chrome_link_point *point)
{
	if (links->n == 0 || links->chunks[links->n - 1].n == CHUNK_POINTS) {
		MEM_GROW(links->chunks, links->capacity, links->n + 1);
		links->chunks[links->n++] =
		    (struct chunk){workspace_array(links->workspace, CHUNK_POINTS, sizeof *point),
		                   0, UINT32_MAX, 0};
	}
	struct chunk *chunk = &links->chunks[links->n - 1];
	chunk->points[chunk->n++] = *point;
	chunk->first_flow = LEAST(chunk->first_flow, point->flow);
	chunk->last_flow = MOST(chunk->last_flow, point->flow);
}

/* Of one flow and time. */
static int
compare_points(const void *a, const void *b)
{
	const struct chrome_link_point *x = a, *y = b;

	ORDER_BY(x->phase, y->phase);
	return ORDER(x->number, y->number);
}

static int
link_points(struct chrome_reader *reader, text_code name, const struct chrome_link_point *from,
            const struct chrome_link_point *to)
{
	struct dependency dependency = {.type = DEPENDENCY_SPAN,
	                                .from_key = TEXT_NONE,
	                                .to_key = TEXT_NONE,
	                                .from_span = from->span,
	                                .to_span = to->span,
	                                .name = name};

	return from->span == to->span ? 0 : sink_dependency(reader->sink, &dependency);
}

/* The points of one flow, sorted. */
static int
link_flow(struct chrome_reader *reader, text_code name, void *const *points, size_t n)
{
	const struct chrome_link_point *source = NULL, *first = NULL;
	int stop = 0;

	for (size_t i = 0; i < n && !first; i++) {
		const struct chrome_link_point *point = points[i];
		first = point->phase < 2 ? point : NULL;
	}
	for (size_t i = 0; i < n && stop == 0; i++) {
		const struct chrome_link_point *point = points[i];
		if (point->phase > 0 && source) {
			stop = link_points(reader, name, source, point);
		} else if (point->phase == 2 && first) {
			stop = link_points(reader, name, first, point);
		}
		source = point->phase < 2 ? point : source;
	}
	return stop;
}

/* Points of some flows, which count from the first of these. */
struct range {
	uint32_t first, end;
	struct chrome_link_point *points;
	size_t n, capacity;
};

static void
gather(const struct chrome_links *links, struct range *range)
{
	range->n = 0;
	for (size_t i = 0; i < links->n; i++) {
		const struct chunk *chunk = &links->chunks[i];
		if (chunk->last_flow < range->first || chunk->first_flow >= range->end) {
			continue;
		}
		for (size_t k = 0; k < chunk->n; k++) {
			const struct chrome_link_point *point = &chunk->points[k];
			if (point->flow >= range->first && point->flow < range->end) {
				MEM_GROW(range->points, range->capacity, range->n + 1);
				range->points[range->n] = *point;
				range->points[range->n++].flow -= range->first;
			}
		}
	}
}

static uint32_t
flow_of(const struct chrome_link_point *point)
{
	return point->flow;
}

static int
link_range(struct chrome_reader *reader,
           text_code (*name_of)(const struct chrome_reader *reader, uint32_t flow),
           const struct range *range)
{
	const struct chrome_ordering ordering = {range->end - range->first, sizeof *range->points,
	                                         offsetof(struct chrome_link_point, time_ns),
	                                         compare_points};
	void **points = chrome_order(range->points, range->n, &ordering);
	int stop = 0;

	for (size_t i = 0, end; i < range->n && stop == 0; i = end) {
		uint32_t flow = flow_of(points[i]);
		for (end = i; end < range->n && flow_of(points[end]) == flow;) {
			end++;
		}
		stop = link_flow(reader, name_of(reader, range->first + flow), points + i, end - i);
	}
	free(points);
	return stop;
}

/* How many points each flow has; new. */
static uint32_t *
count_points(const struct chrome_links *links, size_t n_flows)
{
	uint32_t *counts = xcalloc(n_flows, sizeof *counts);

	for (size_t i = 0; i < links->n; i++) {
		for (size_t k = 0; k < links->chunks[i].n; k++) {
			counts[links->chunks[i].points[k].flow]++;
		}
	}
	return counts;
}

int
chrome_links_give(struct chrome_reader *reader, size_t n_flows,
                  text_code (*name_of)(const struct chrome_reader *reader, uint32_t flow),
                  struct chrome_links *links)
{
	uint32_t *counts = count_points(links, n_flows);
	struct range range = {0};
	int stop = 0;

	for (; range.end < n_flows && stop == 0; range.first = range.end) {
		for (size_t n = counts[range.end++];
		     range.end < n_flows && n + counts[range.end] <= RANGE_POINTS; range.end++) {
			n += counts[range.end];
		}
		gather(links, &range);
		stop = link_range(reader, name_of, &range);
	}
	free(range.points);
	free(counts);
	return stop;
}
