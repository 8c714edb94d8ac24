/*
 * Spans that take longer while something else goes on elsewhere: steps during an asynchronous
 * flush, kernels during communication.
 *
 * Of a time b that overlaps by the share o with the other kind, the part b o runs slower and loses
 * the share k of itself: a = b (1 - o k). So 1 - a / b is a line in o through the origin, whose
 * slope is k; it is fitted for each pair of kinds, and the one that explains most is taken.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "explain/schedule/sweep_items.h"
#include "explain/verdict/cause.h"
#include "util/mem.h"
#include "util/order.h"

#define OTHERS_MAX 6  /* kinds that others may overlap with: those with the most time */
#define OTHERS_MIN 3  /* items of such a kind */
#define ITEMS_MIN 6   /* of the slowed kind that overlap, and that do not */
#define OVERLAPS 0.05 /* share from which an item does */
#define SLOWED_MIN 0.02
#define SLOWED_MAX 0.98
#define GAIN_MIN 0.3 /* of the sum of squares that the line must explain */
#define COST 12

/* Lanes whose items may slow each other down share a number below n_lanes. */
static uint32_t *
number_domains(const struct schedule *schedule)
{
	uint32_t *number = xcalloc(schedule->n_lanes + 1, sizeof *number);
	struct intern *domains = intern_new();
	bool by_process = false;
	for (size_t l = 1; l < schedule->n_lanes; l++) {
		by_process = by_process || schedule->lanes[l].process != schedule->lanes[0].process;
	}
	for (size_t l = 0; l < schedule->n_lanes; l++) {
		const struct schedule_lane *lane = &schedule->lanes[l];
		const uint32_t domain[2] = {lane->host, by_process ? lane->process : 0};
		number[l] = intern_id(domains, (struct slice){(const char *)domain, sizeof domain});
	}
	intern_free(domains);
	return number;
}

/* From times of stretches to shares of their spans. */
static void
share_overlaps(const struct schedule *schedule, double *overlaps)
{
	double *ns = xcalloc(schedule->n_items + 1, sizeof *ns);
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		uint32_t head = schedule_head(schedule, i);
		ns[head] += (double)(item->end_ns - item->start_ns);
		overlaps[head] += head == i ? 0 : overlaps[i];
	}
	for (size_t i = 0; i < schedule->n_items; i++) {
		uint32_t head = schedule_head(schedule, i);
		double share = ns[head] > 0 ? overlaps[head] / ns[head] : 0;
		overlaps[i] = head == i ? LEAST(share, 1) : overlaps[head];
	}
	free(ns);
}

/* By item: how long items of a kind ran in its domain while it, or another stretch of its span,
 * did, over their time. */
static double *
overlaps_with(const struct schedule *schedule, const uint32_t *domain, uint32_t kind)
{
	struct item_sweep *sweep = item_sweep_new(schedule);
	struct item_event event;
	double *overlaps = xcalloc(schedule->n_items + 1, sizeof *overlaps);
	struct meter {
		int64_t time_ns, running;
		double total;
	} *meters = xcalloc(schedule->n_lanes + 1, sizeof *meters);
	while (item_sweep_next(sweep, &event)) {
		uint32_t i = event.item;
		const struct schedule_item *item = &schedule->items[i];
		struct meter *meter = &meters[domain[item->lane]];
		meter->total += (double)meter->running * (double)(event.time_ns - meter->time_ns);
		meter->time_ns = event.time_ns;
		if (item->kind == kind) {
			meter->running += event.is_start ? 1 : -1;
		} else if (event.is_start) {
			overlaps[i] = -meter->total;
		} else {
			overlaps[i] += meter->total;
		}
	}
	item_sweep_free(sweep);
	free(meters);
	share_overlaps(schedule, overlaps);
	return overlaps;
}

struct slope { /* of one kind */
	double xy, xx, yy;
	size_t n_in, n_out;
};

/* The best line over kinds, for overlaps with one other; its gain. */
static double
fit_lines(const struct comparison *comparison, const struct portion_item *items, size_t n,
          const double *overlaps, uint32_t *of, double *slowed)
{
	uint32_t n_kinds = intern_count(comparison->kinds);
	struct slope *lines = xcalloc((size_t)n_kinds + 1, sizeof *lines);
	double best = 0;
	for (size_t i = 0; i < n; i++) {
		double x = overlaps[items[i].unit], y = -expm1(-items[i].ratio);
		struct slope *line = &lines[items[i].code[PORTION_KIND]];
		line->xy += x * y;
		line->xx += x * x;
		line->yy += y * y;
		line->n_in += x >= OVERLAPS;
		line->n_out += x < OVERLAPS;
	}
	for (uint32_t k = 0; k < n_kinds; k++) {
		const struct slope *line = &lines[k];
		double slope = line->xx > 0 ? line->xy / line->xx : 0;
		double gain = line->xx > 0 ? line->xy * slope : 0;
		if (line->n_in >= ITEMS_MIN && line->n_out >= ITEMS_MIN && slope >= SLOWED_MIN &&
		    slope <= SLOWED_MAX && gain > GAIN_MIN * line->yy && gain > best) {
			best = gain;
			*of = k;
			*slowed = slope;
		}
	}
	free(lines);
	return best;
}

struct other {
	uint32_t kind;
	size_t n;
	double ns;
};

static int
compare_others(const void *a, const void *b)
{
	const struct other *x = a, *y = b;
	ORDER_BY(y->ns, x->ns);
	return ORDER(x->kind, y->kind);
}

static struct other *
list_others(const struct schedule *schedule, size_t *n)
{
	struct other *others = xcalloc(schedule->n_kinds + 1, sizeof *others);
	for (uint32_t k = 0; k < schedule->n_kinds; k++) {
		others[k].kind = k;
	}
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		others[item->kind].n++;
		others[item->kind].ns += (double)(item->end_ns - item->start_ns);
	}
	SORT(others, schedule->n_kinds, compare_others);
	*n = LEAST(schedule->n_kinds, OTHERS_MAX);
	return others;
}

double
interference_take_off(const struct comparison *comparison, struct portion_item *items, size_t n,
                      struct interference *interference)
{
	const struct schedule *b = comparison->run[1];
	size_t n_others;
	uint32_t *domain = number_domains(b);
	struct other *others = list_others(b, &n_others);
	double best = 0;
	interference->overlaps = NULL;
	for (size_t o = 0; o < n_others; o++) {
		uint32_t of = 0;
		double slowed = 0, gain = 0, *overlaps = NULL;
		if (others[o].n >= OTHERS_MIN) {
			overlaps = overlaps_with(b, domain, others[o].kind);
			gain = fit_lines(comparison, items, n, overlaps, &of, &slowed);
		}
		if (gain > best) {
			free(interference->overlaps);
			*interference = (struct interference){
			    of, comparison->kind_code[1][others[o].kind], slowed, overlaps};
			best = gain;
		} else {
			free(overlaps);
		}
	}
	for (size_t i = 0; best > 0 && i < n; i++) {
		if (items[i].code[PORTION_KIND] == interference->of) {
			double lost = interference->overlaps[items[i].unit] * interference->slowed;
			items[i].ratio += log1p(-lost);
		}
	}
	free(domain);
	free(others);
	return best > 0 ? COST : INFINITY;
}
