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

struct moment {
	int64_t time_ns;
	uint32_t item;
	bool is_end;
};

static int
compare_times(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;
	ORDER_BY(x->time_ns, y->time_ns);
	return ORDER(x->item, y->item);
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

static struct moment *
sort_times(const struct schedule *schedule)
{
	size_t n = schedule->n_items;
	struct moment *events = xcalloc(n, 2 * sizeof *events);
	for (size_t i = 0; i < n; i++) {
		const struct schedule_item *item = &schedule->items[i];
		events[2 * i] = (struct moment){item->start_ns, (uint32_t)i, false};
		events[2 * i + 1] = (struct moment){item->end_ns, (uint32_t)i, true};
	}
	SORT(events, 2 * n, compare_times);
	return events;
}

struct meter { /* of one domain */
	int64_t time_ns;
	uint64_t running, total;
};

/* Runs the events through the meters of one domain. */
static void
measure(const struct schedule *schedule, const struct moment *events, enum contention_domain domain,
        double *concurrency)
{
	size_t n = schedule->n_items;
	uint32_t *number = number_domains(schedule, domain);
	struct meter *meters = xcalloc(schedule->n_lanes, sizeof *meters);
	uint64_t *at_start = xcalloc(n, sizeof *at_start);
	for (size_t e = 0; e < 2 * n; e++) {
		const struct schedule_item *item = &schedule->items[events[e].item];
		struct meter *meter = &meters[number[item->lane]];
		meter->total +=
		    meter->running * ((uint64_t)events[e].time_ns - (uint64_t)meter->time_ns);
		meter->time_ns = events[e].time_ns;
		if (item->end_ns <= item->start_ns) {
			concurrency[events[e].item] = 1;
		} else if (!events[e].is_end) {
			at_start[events[e].item] = meter->total;
			meter->running++;
		} else {
			double ran = (double)(meter->total - at_start[events[e].item]);
			double took = (double)(item->end_ns - item->start_ns);
			concurrency[events[e].item] = fmax(1, ran / took);
			meter->running--;
		}
	}
	free(number);
	free(meters);
	free(at_start);
}

void
contention_concurrency(const struct schedule *schedule, double *concurrency[DOMAINS])
{
	struct moment *events = sort_times(schedule);
	for (int d = 0; d < DOMAINS; d++) {
		concurrency[d] = xcalloc(schedule->n_items, sizeof *concurrency[d]);
		measure(schedule, events, (enum contention_domain)d, concurrency[d]);
	}
	free(events);
}

struct contention_pair *
contention_pairs(const struct schedule *a, const struct schedule *b,
                 const struct matching *matching, size_t *n, size_t *n_zero)
{
	struct contention_pair *pairs = xcalloc(matching->n_pairs, sizeof *pairs);
	double *in_a[DOMAINS], *in_b[DOMAINS];
	*n = *n_zero = 0;
	contention_concurrency(a, in_a);
	contention_concurrency(b, in_b);
	for (size_t i = 0; i < a->n_items; i++) {
		uint32_t j = matching->b_of_a[i];
		if (j == MATCHING_NONE) {
			continue;
		}
		struct contention_pair pair = {.kind = a->items[i].kind,
		                               .a_ns = a->items[i].end_ns - a->items[i].start_ns,
		                               .b_ns = b->items[j].end_ns - b->items[j].start_ns};
		if (pair.a_ns <= 0 || pair.b_ns <= 0) {
			++*n_zero;
			continue;
		}
		for (int d = 0; d < DOMAINS; d++) {
			pair.concurrency_a[d] = in_a[d][i];
			pair.concurrency_b[d] = in_b[d][j];
		}
		pairs[(*n)++] = pair;
	}
	for (int d = 0; d < DOMAINS; d++) {
		free(in_a[d]);
		free(in_b[d]);
	}
	return pairs;
}
