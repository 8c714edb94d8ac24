/*
 * Points of flows whose span is known -> dependencies: the points of one flow, by time, are linked,
 * each from the last one that begins or passes it on; an end that no begin precedes from the first
 * after it. They are kept to the end, since files need not be in order.
 */
#include "config.h"
#include "import/import_chrome.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

struct chrome_links {
	struct chrome_link_point *points;
	size_t n, capacity;
};

struct chrome_links *
chrome_links_new(void)
{
	return xcalloc(1, sizeof(struct chrome_links));
}

void
chrome_links_free(struct chrome_links *links)
{
	if (links) {
		free(links->points);
		free(links);
	}
}

void
chrome_links_add(struct chrome_links *links, const struct chrome_link_point *point)
{
	MEM_GROW(links->points, links->capacity, links->n + 1);
	links->points[links->n++] = *point;
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

static uint32_t
flow_of(const struct chrome_link_point *point)
{
	return point->flow;
}

int
chrome_links_give(struct chrome_reader *reader, size_t n_flows,
                  text_code (*name_of)(const struct chrome_reader *reader, uint32_t flow),
                  struct chrome_links *links)
{
	const struct chrome_ordering ordering = {n_flows, sizeof *links->points,
	                                         offsetof(struct chrome_link_point, time_ns),
	                                         compare_points};
	void **points = chrome_order(links->points, links->n, &ordering);
	int stop = 0;

	for (size_t i = 0, end; i < links->n && stop == 0; i = end) {
		uint32_t flow = flow_of(points[i]);
		for (end = i; end < links->n && flow_of(points[end]) == flow;) {
			end++;
		}
		stop = link_flow(reader, name_of(reader, flow), points + i, end - i);
	}
	free(points);
	return stop;
}
