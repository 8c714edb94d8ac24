/*
 * Concurrency of items, from the cumulative number running.
 *
 * G(t) = integral of the number running up to t, known at each start and end; then the mean number
 * that ran during an item is (G(end) - G(start)) / (end - start), whatever its length, in constant
 * time. Each lane or host has a meter of its own, advanced by its events. G wraps like any
 * unsigned number; the difference is right all the same.
 */
#include "config.h"
#include "explain/parts/contention.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

struct item_moment {
	int64_t time_ns;
	uint32_t item;
	enum { AT_START, AT_END, AT_LOOK } what; /* look: until where concurrency is asked */
};

static int
compare_times(const void *a, const void *b)
{
	const struct item_moment *x = a, *y = b;
	ORDER_BY(x->time_ns, y->time_ns);
	ORDER_BY(x->item, y->item);
	return ORDER(x->what, y->what);
}

const char *
contention_domain_name(enum contention_domain domain)
{
	static const char *const names[] = {"lane", "host", "all lanes"};
	return names[domain];
}

/* Number of a lane's domain, below n_lanes: lanes of one host share the number of the first. */
static uint32_t *
number_domains(const struct schedule *schedule, enum contention_domain domain)
{
	uint32_t *number = xcalloc(schedule->n_lanes, sizeof *number);
	uint32_t *first = xcalloc(schedule->n_texts + 1, sizeof *first);
	memset(first, 0xff, (schedule->n_texts + 1) * sizeof *first);
	for (size_t l = 0; l < schedule->n_lanes; l++) {
		uint32_t host = schedule->lanes[l].host;
		uint32_t *slot = &first[LEAST(host, schedule->n_texts)];
		if (*slot == UINT32_MAX) {
			*slot = (uint32_t)l;
		}
		number[l] = domain == DOMAIN_LANE ? (uint32_t)l : domain == DOMAIN_HOST ? *slot : 0;
	}
	free(first);
	return number;
}

/* Three for each item, fewer where it is looked at until its end. */
static struct item_moment *
sort_times(const struct schedule *schedule, const int64_t *took_ns, size_t *n)
{
	struct item_moment *moments = xcalloc(schedule->n_items + 1, 3 * sizeof *moments);
	*n = 0;
	for (uint32_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		int64_t end = item->end_ns;
		moments[(*n)++] = (struct item_moment){item->start_ns, i, AT_START};
		moments[(*n)++] = (struct item_moment){end, i, AT_END};
		if (took_ns) {
			moments[(*n)++] = (struct item_moment){
			    item->start_ns + LEAST(took_ns[i], end - item->start_ns), i, AT_LOOK};
		}
	}
	SORT(moments, *n, compare_times);
	return moments;
}

struct meter { /* of one domain */
	int64_t time_ns;
	uint64_t running, total;
};

/* Runs the moments through the meters of one domain. */
static void
measure(const struct schedule *schedule, const struct item_moment *moments, size_t n,
        const int64_t *took_ns, enum contention_domain domain, double *concurrency)
{
	uint32_t *number = number_domains(schedule, domain);
	struct meter *meters = xcalloc(schedule->n_lanes, sizeof *meters);
	uint64_t *at_start = xcalloc(schedule->n_items, sizeof *at_start);
	for (size_t m = 0; m < n; m++) {
		uint32_t i = moments[m].item;
		const struct schedule_item *item = &schedule->items[i];
		struct meter *meter = &meters[number[item->lane]];
		meter->total +=
		    meter->running * ((uint64_t)moments[m].time_ns - (uint64_t)meter->time_ns);
		meter->time_ns = moments[m].time_ns;
		if (item->end_ns <= item->start_ns) {
			concurrency[i] = 1;
			continue;
		}
		if (moments[m].what == AT_START) {
			at_start[i] = meter->total;
			meter->running++;
		}
		if (moments[m].what == (took_ns ? AT_LOOK : AT_END)) {
			double ran = (double)(meter->total - at_start[i]);
			double took = (double)(moments[m].time_ns - item->start_ns);
			concurrency[i] = took > 0 ? fmax(1, ran / took) : 1;
		}
		meter->running -= moments[m].what == AT_END;
	}
	free(number);
	free(meters);
	free(at_start);
}

void
contention_concurrency_first(const struct schedule *schedule, const int64_t *took_ns,
                             double *concurrency[DOMAINS])
{
	size_t n;
	struct item_moment *moments = sort_times(schedule, took_ns, &n);
	for (int d = 0; d < DOMAINS; d++) {
		concurrency[d] = xcalloc(schedule->n_items, sizeof *concurrency[d]);
		measure(schedule, moments, n, took_ns, (enum contention_domain)d, concurrency[d]);
	}
	free(moments);
}

void
contention_concurrency(const struct schedule *schedule, double *concurrency[DOMAINS])
{
	contention_concurrency_first(schedule, NULL, concurrency);
}
