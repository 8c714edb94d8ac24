/*
 * What limits: memory. Stretches and their index are larger than the caches, and shifted spans lie
 * anywhere among them; so whoever looks for many tells where the next ones lie first.
 */
#include "config.h"
#include "column/ops/beside.h"

#include <stdlib.h>

#include "util/heap.h"
#include "util/mem.h"
#include "util/order.h"

#define STEPS 8 /* to what is near, before it is searched for */

struct list_edge { /* the next start or end of a list: starts are even */
	int64_t time_ns;
	size_t list, at;
};

static bool
is_sooner(const struct list_edge *a, const struct list_edge *b)
{
	return a->time_ns < b->time_ns;
}
HEAP(edges, struct list_edge, is_sooner)

static int64_t
edge_time(const struct intervals *list, size_t at)
{
	return at % 2 ? list->all[at / 2].end : list->all[at / 2].start;
}

static void
add_stretch(struct beside *beside, int64_t start_ns, int64_t end_ns, uint32_t lane)
{
	struct beside_stretch *last = beside->n ? &beside->all[beside->n - 1] : NULL;
	if (last && last->end_ns == start_ns && last->lane == lane) {
		last->end_ns = end_ns;
	} else {
		MEM_GROW(beside->all, beside->capacity, beside->n + 1);
		beside->all[beside->n++] =
		    (struct beside_stretch){start_ns, end_ns, beside->covered_ns, lane};
	}
	time_raise(&beside->covered_ns, time_sub(end_ns, start_ns));
}

/* As many places as stretches, of the same width each: where the first stretch that ends in or
 * behind it stands. */
static void
make_index(struct beside *beside)
{
	size_t at = 0;
	if (beside->n == 0) {
		return;
	}
	int64_t first_ns = beside->all[0].start_ns;
	int64_t length_ns = time_sub(beside->all[beside->n - 1].end_ns, first_ns);
	beside->width = divisor_of(LEAST(length_ns, INT64_MAX - 1) / (int64_t)beside->n + 1);
	MEM_NEW(beside->index, beside->n + 1);
	beside->index[beside->n] = (uint32_t)beside->n;
	for (size_t place = 0; place < beside->n; place++) {
		int64_t from_ns = time_add(first_ns, (int64_t)place * beside->width.by);
		while (at < beside->n && beside->all[at].end_ns <= from_ns) {
			at++;
		}
		beside->index[place] = (uint32_t)at;
	}
}

void
beside_init(struct beside *beside, const struct intervals *lists, const uint32_t *lanes, size_t n)
{
	struct list_edge *heap = xcalloc(n + 1, sizeof *heap);
	size_t n_heap = 0, running = 0, sum = 0; /* of the running lists' numbers: one's, if one */
	int64_t last_ns = 0;
	*beside = (struct beside){0};
	for (size_t l = 0; l < n; l++) {
		if (lists[l].n) {
			heap[n_heap] = (struct list_edge){lists[l].all[0].start, l, 0};
			edges_rise(heap, n_heap++);
		}
	}
	while (n_heap > 0) {
		struct list_edge *next = &heap[0];
		if (running > 0 && next->time_ns > last_ns) {
			add_stretch(beside, last_ns, next->time_ns,
			            running == 1 ? lanes[sum] : BESIDE_SEVERAL);
		}
		last_ns = next->time_ns;
		bool is_start = next->at % 2 == 0;
		running = is_start ? running + 1 : running - 1;
		sum = is_start ? sum + next->list : sum - next->list;
		if (++next->at < 2 * lists[next->list].n) {
			next->time_ns = edge_time(&lists[next->list], next->at);
			edges_sink(heap, n_heap, 0);
		} else {
			edges_pop(heap, n_heap--);
		}
	}
	free(heap);
	make_index(beside);
}

void
beside_fini(struct beside *beside)
{
	free(beside->all);
	free(beside->index);
}

/* Of a time that is not before the first stretch, of which there is one. */
static size_t
place_of(const struct beside *beside, int64_t time_ns)
{
	size_t place =
	    (size_t)divide_floor(beside->width, time_sub(time_ns, beside->all[0].start_ns));

	return LEAST(place, beside->n - 1);
}

void
beside_prefetch_place(const struct beside *beside, int64_t time_ns)
{
	if (beside->n > 0 && time_ns >= beside->all[0].start_ns) {
		__builtin_prefetch(&beside->index[place_of(beside, time_ns)]);
	}
}

void
beside_prefetch(const struct beside *beside, int64_t time_ns)
{
	if (beside->n > 0 && time_ns >= beside->all[0].start_ns) {
		size_t first = beside->index[place_of(beside, time_ns)];
		__builtin_prefetch(&beside->all[LEAST(first, beside->n - 1)]);
	}
}

/* Among those of the time's place in the index. */
size_t
beside_find(const struct beside *beside, int64_t time_ns)
{
	const struct beside_stretch *all = beside->all;
	if (beside->n == 0 || time_ns < all[0].start_ns) {
		return 0;
	}
	size_t place = place_of(beside, time_ns);
	size_t low = beside->index[place], high = beside->index[place + 1];
	ORDER_FIND(low, high, middle, all[middle].end_ns <= time_ns);
	return low;
}

size_t
beside_find_from(const struct beside *beside, size_t first, int64_t time_ns)
{
	size_t at = first, end = LEAST(beside->n, first + STEPS);

	while (at < end && beside->all[at].end_ns <= time_ns) {
		at++;
	}
	return at < end || at == beside->n ? at : beside_find(beside, time_ns);
}

static int64_t
covered_until(const struct beside *beside, size_t at, int64_t time_ns)
{
	if (at == beside->n) {
		return beside->covered_ns;
	}
	const struct beside_stretch *stretch = &beside->all[at];
	return stretch->before_ns + MOST(time_ns - stretch->start_ns, 0);
}

int64_t
beside_covered(const struct beside *beside, uint32_t lane, bool own, int64_t start_ns,
               int64_t end_ns)
{
	size_t first = beside_find(beside, start_ns);
	size_t last = beside_find_from(beside, first, MOST(end_ns, start_ns));
	int64_t covered =
	    covered_until(beside, last, end_ns) - covered_until(beside, first, start_ns);
	for (size_t i = first; own && i < beside->n && beside->all[i].start_ns < end_ns; i++) {
		const struct beside_stretch *stretch = &beside->all[i];
		if (stretch->lane == lane) {
			covered -=
			    LEAST(stretch->end_ns, end_ns) - MOST(stretch->start_ns, start_ns);
		}
	}
	return covered;
}
