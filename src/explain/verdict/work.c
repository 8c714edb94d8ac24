/*
 * Causes in what only one of the runs did: kinds that are called otherwise, kinds that were split,
 * more or less work; and in where it ran: lanes, and how work lies on them.
 *
 * A kind is the same under another name where the hashes of its tasks are, or else, where one run
 * alone has it and the other another with as many items whose times are alike.
 */
#include "config.h"
#include "explain/verdict/cause.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/model/statistics.h"
#include "util/ascii.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define HASH_MIN 8       /* digits */
#define SAME_TIMES 0.05  /* times of two kinds may be those of one: chance by ranks */
#define SPLIT_SHARE 0.15 /* the time of a kind that was split, in all */
#define WORK_SHARE 1000  /* so small a part of all time is no work to be told of */
#define NAMES_TRIED 200  /* pairs of kinds: where all kinds are others, none is renamed */
#define KINDS_SPLIT 4
#define HEAP_SHARE 0.8               /* of a kind's time on one lane: it is heaped there */
#define HEAP_MORE 0.4                /* than in the other run */
#define HEAP_CELLS ((size_t)4 << 20) /* kinds times lanes: more are not looked at */
#define HEAP_ITEMS 12                /* fewer may all lie on one lane by chance */
#define EVEN_ITEMS 20                /* fewer say nothing of how a run places its work */
#define EVEN_SHARE 0.15              /* of the makespan: placement that costs less is none */

struct kind_work { /* of a kind, in one run: items without a match */
	size_t n[2], n_all[2];
	int64_t ns[2], all_ns[2];
	bool is_told;
};

static struct kind_work *
sum_work(const struct comparison *comparison)
{
	struct kind_work *work = xcalloc(intern_count(comparison->kinds) + 1, sizeof *work);
	for (unsigned r = 0; r < 2; r++) {
		const struct schedule *schedule = comparison->run[r];
		const uint32_t *match =
		    r ? comparison->matching->a_of_b : comparison->matching->b_of_a;
		for (size_t i = 0; i < schedule->n_items; i++) {
			const struct schedule_item *item = &schedule->items[i];
			struct kind_work *of = &work[comparison->kind_code[r][item->kind]];
			int64_t ns = MOST(item->end_ns - item->start_ns, 0);
			uint32_t kind = comparison->kind_code[r][item->kind];
			bool is_head = schedule_head(schedule, i) == i;
			size_t n = comparison->together ? comparison->together[kind] : is_head;
			of->n_all[r] += n;
			time_raise(&of->all_ns[r], ns);
			if (!matching_has(match, schedule, i)) {
				of->n[r] += n;
				time_raise(&of->ns[r], ns);
			}
		}
	}
	return work;
}

/* Hex digits at the end of a text, if there are enough. */
static struct slice
hash_of(struct slice text)
{
	size_t n = 0;
	while (n < text.len && hex_value(text.ptr[text.len - 1 - n]) >= 0) {
		n++;
	}
	return n >= HASH_MIN ? (struct slice){text.ptr + text.len - n, n} : slice_of("");
}

static bool
is_alone(const struct kind_work *work, unsigned run)
{
	return work->n_all[run] > 0 && work->n_all[!run] == 0;
}

static int64_t
time_of(const struct kind_work *work, unsigned run)
{
	return work->all_ns[run];
}

/* How many hashes of kind a's items in A are those of kind b's in B. */
static size_t
count_common(const struct comparison *comparison, uint32_t a, uint32_t b)
{
	struct intern *hashes = intern_new();
	size_t n = 0;
	for (unsigned r = 0; r < 2; r++) {
		const struct schedule *schedule = comparison->run[r];
		for (size_t i = 0; i < schedule->n_items; i++) {
			if (comparison->kind_code[r][schedule->items[i].kind] != (r ? b : a) ||
			    schedule_head(schedule, i) != i) {
				continue;
			}
			struct slice hash = hash_of(matching_key(schedule, (uint32_t)i));
			if (hash.len && r == 0) {
				intern_id(hashes, hash);
			} else if (hash.len) {
				n += intern_find(hashes, hash) != INTERN_NONE;
			}
		}
	}
	intern_free(hashes);
	return n;
}

static double *
times_of(const struct comparison *comparison, unsigned r, uint32_t kind, size_t *n)
{
	const struct schedule *schedule = comparison->run[r];
	double *times = xcalloc(schedule->n_items + 1, sizeof *times);
	size_t *place = xcalloc(schedule->n_items + 1, sizeof *place); /* by first stretch */
	*n = 0;
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		uint32_t head = schedule_head(schedule, i);
		if (comparison->kind_code[r][item->kind] == kind) {
			place[i] = head == i ? (*n)++ : place[head];
			times[place[i]] += (double)(item->end_ns - item->start_ns);
		}
	}
	free(place);
	return times;
}

static bool
have_like_times(const struct comparison *comparison, uint32_t a, uint32_t b)
{
	size_t n_a, n_b;
	double *times_a = times_of(comparison, 0, a, &n_a);
	double *times_b = times_of(comparison, 1, b, &n_b), u;
	bool is_like = statistics_rank_sum(times_a, n_a, times_b, n_b, &u) > SAME_TIMES;
	free(times_a);
	free(times_b);
	return is_like;
}

static struct cause *
tell_kinds(struct causes *causes, enum cause_type type, uint32_t kind, const uint32_t *kinds,
           size_t n_kinds, struct kind_work *work)
{
	struct cause *cause = causes_add(causes, type);
	int64_t delta = -time_of(&work[kind], 0);
	cause->kind = kind;
	cause->n_kinds = n_kinds;
	cause->n_a = work[kind].n_all[0];
	for (size_t k = 0; k < n_kinds; k++) {
		cause->kinds[k] = kinds[k];
		cause->n_b += work[kinds[k]].n_all[1];
		delta += time_of(&work[kinds[k]], 1);
		work[kinds[k]].is_told = true;
	}
	work[kind].is_told = true;
	cause->chance = 0;
	cause->lane_time = (struct amount){true, delta, delta, delta};
	return cause;
}

static void
find_renamed(struct causes *causes, const struct comparison *comparison, struct kind_work *work)
{
	uint32_t n = intern_count(comparison->kinds);
	size_t n_tried = 0;
	for (uint32_t a = 0; a < n; a++) {
		for (uint32_t b = 0; b < n && is_alone(&work[a], 0) && !work[a].is_told; b++) {
			if (!is_alone(&work[b], 1) || work[b].is_told ||
			    !comparison_kind_differs(comparison, a, -1) ||
			    !comparison_kind_differs(comparison, b, 1) ||
			    work[a].n_all[0] != work[b].n_all[1]) {
				continue;
			}
			if (++n_tried > NAMES_TRIED) {
				return;
			}
			size_t common = count_common(comparison, a, b);
			bool by_hash = common * 10 >= work[a].n_all[0] * 9;
			if (by_hash || (common == 0 && work[a].n_all[0] > 2 &&
			                have_like_times(comparison, a, b))) {
				tell_kinds(causes, CAUSE_RENAMED, a, &b, 1, work);
			}
		}
	}
}

/* Kinds of B that together take the time of a kind of A, with as many items each. */
static void
find_split(struct causes *causes, const struct comparison *comparison, struct kind_work *work)
{
	uint32_t n = intern_count(comparison->kinds);
	for (uint32_t a = 0; a < n; a++) {
		uint32_t kinds[KINDS_SPLIT];
		size_t n_kinds = 0;
		int64_t ns = 0;
		if (!is_alone(&work[a], 0) || work[a].is_told) {
			continue;
		}
		for (uint32_t b = 0; b < n && n_kinds < KINDS_SPLIT; b++) {
			if (is_alone(&work[b], 1) && !work[b].is_told &&
			    work[b].n_all[1] == work[a].n_all[0]) {
				kinds[n_kinds++] = b;
				ns += time_of(&work[b], 1);
			}
		}
		double share = (double)ns / (double)MOST(time_of(&work[a], 0), 1);
		if (n_kinds >= 2 && fabs(share - 1) < SPLIT_SHARE) {
			tell_kinds(causes, CAUSE_SPLIT, a, kinds, n_kinds, work);
		}
	}
}

/* Of a kind's items without a match that run r has, as many as the other has less: others only ran
 * elsewhere. */
static void
add_work(struct causes *causes, const struct kind_work *work, uint32_t kind, unsigned r,
         int64_t least_ns)
{
	double share = 1 - (double)work->n[!r] / (double)work->n[r];
	int64_t ns = time_of_real((double)work->ns[r] * share);
	if (ns < least_ns) {
		return;
	}
	struct cause *cause = causes_add(causes, r ? CAUSE_MORE_WORK : CAUSE_LESS_WORK);
	ns = r ? ns : -ns;
	cause->kind = kind;
	cause->share = share;
	cause->n_a = r ? 0 : work->n[0] - work->n[1];
	cause->n_b = r ? work->n[1] - work->n[0] : 0;
	cause->chance = 0;
	cause->lane_time = (struct amount){true, ns, ns, ns};
}

static void
find_more(struct causes *causes, const struct comparison *comparison, const struct kind_work *work)
{
	int64_t least = comparison_total_ns(comparison, 1, STAGE_RUN) / WORK_SHARE;
	for (uint32_t k = 0; k < intern_count(comparison->kinds); k++) {
		for (unsigned r = 0; r < 2; r++) {
			if (!work[k].is_told && work[k].n[r] > work[k].n[!r] &&
			    comparison_kind_differs(comparison, k, r ? 1 : -1)) {
				add_work(causes, &work[k], k, r, least);
			}
		}
	}
}

void
causes_find_work(struct causes *causes, const struct comparison *comparison)
{
	struct kind_work *work = sum_work(comparison);
	find_renamed(causes, comparison, work);
	find_split(causes, comparison, work);
	find_more(causes, comparison, work);
	free(work);
}

/* What a run would gain if its work went to any lane that is free. */
static double
unevenness(const struct comparison *comparison, unsigned r)
{
	double placed = comparison->placed_ns[r];
	return placed > 0 ? (placed - comparison->reacting_ns[r]) / placed : 0;
}

/* Time of each kind on each lane of a side, kind by kind, over all its runs; *n: its items by kind
 * in one of them. */
static double *
time_on_lanes(const struct comparison *comparison, unsigned r, size_t **n)
{
	size_t n_kinds = intern_count(comparison->kinds), n_lanes = intern_count(comparison->lanes);
	const struct schedule *schedule = comparison->run[r];
	const struct comparison_group *group = &comparison->group[r];
	double *times = xcalloc(n_kinds * n_lanes + 1, sizeof *times);
	*n = xcalloc(n_kinds + 1, sizeof **n);
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		uint32_t kind = comparison->kind_code[r][item->kind];
		double *of_kind = times + kind * n_lanes;
		(*n)[kind]++;
		if (!group->lane) {
			of_kind[comparison->lane_code[r][item->lane]] +=
			    (double)(item->end_ns - item->start_ns);
		}
		for (size_t k = 0; group->lane && k < group->n; k++) {
			size_t at = k * schedule->n_items + i;
			double log_ns = group->log_ns[STAGE_RUN][at];
			if (!isnan(log_ns) && group->lane[at] != INTERN_NONE) {
				of_kind[group->lane[at]] += exp(log_ns);
			}
		}
	}
	return times;
}

static double
sum_of(const double *values, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		sum += values[i];
	}
	return MOST(sum, 1);
}

/* The kind whose time lies on one lane in B, and did not in A. */
static void
find_heap(const struct comparison *comparison, struct portion *portion)
{
	size_t n_kinds = intern_count(comparison->kinds), n_lanes = intern_count(comparison->lanes);
	size_t *n[2];
	double *times[2], most = 0;
	if (n_kinds * n_lanes > HEAP_CELLS || replay_slots(comparison->replay, 1) < 2) {
		return;
	}
	times[0] = time_on_lanes(comparison, 0, &n[0]);
	times[1] = time_on_lanes(comparison, 1, &n[1]);
	for (size_t k = 0; k < n_kinds; k++) {
		const double *a = times[0] + k * n_lanes, *b = times[1] + k * n_lanes;
		double all_a = sum_of(a, n_lanes), all_b = sum_of(b, n_lanes);
		for (size_t l = 0; n[1][k] >= HEAP_ITEMS && l < n_lanes; l++) {
			double share = b[l] / all_b;
			if (share > HEAP_SHARE && share - a[l] / all_a > HEAP_MORE &&
			    all_b > most) {
				most = all_b;
				portion->code[PORTION_KIND] = (uint32_t)k;
				portion->code[PORTION_LANE] = (uint32_t)l;
			}
		}
	}
	for (unsigned r = 0; r < 2; r++) {
		free(times[r]);
		free(n[r]);
	}
}

void
causes_find_placement(struct causes *causes, const struct comparison *comparison)
{
	struct portion heap = portion_all();
	if (!comparison->run[0]->is_tasks || !comparison->run[1]->is_tasks) {
		return;
	}
	double uneven_a = unevenness(comparison, 0), uneven_b = unevenness(comparison, 1);
	find_heap(comparison, &heap);
	bool is_heap = heap.code[PORTION_KIND] != PORTION_ANY;
	double jump = (double)comparison_jump_ns(comparison) /
	              (double)MOST(explain_makespan_ns(comparison->run[1]), 1);
	double even = MOST(jump, EVEN_SHARE);
	bool is_uneven = fabs(uneven_b - uneven_a) > even && MOST(uneven_a, uneven_b) > even;
	bool is_enough = comparison->matching->n_pairs >= EVEN_ITEMS;
	if (is_heap ||
	    (is_uneven && is_enough && causes->n == 0)) { /* other causes make lanes uneven, too */
		struct cause *cause = causes_add(causes, CAUSE_PLACEMENT);
		cause->portion = heap;
		cause->chance = 0;
		cause->lane_time = (struct amount){true, 0, 0, 0};
	}
}

/* Spans do not say who dealt them: lanes are a cause where other lanes did as much in all. */
static bool
did_as_much(const struct comparison *comparison, size_t n_a, size_t n_b)
{
	double a = (double)comparison_total_ns(comparison, 0, STAGE_RUN);
	double b = (double)comparison_total_ns(comparison, 1, STAGE_RUN);
	double lanes = fabs(log((double)n_b / (double)n_a));
	return n_a > 0 && n_b > 0 && a > 0 && b > 0 && fabs(log(b / a)) < lanes / 2;
}

void
causes_find_lanes(struct causes *causes, const struct comparison *comparison)
{
	size_t n_a = replay_slots(comparison->replay, 0), n_b = replay_slots(comparison->replay, 1);
	bool are_tasks = comparison->run[0]->is_tasks && comparison->run[1]->is_tasks;
	if (n_a == n_b || comparison->together || !comparison_lanes_differ(comparison) ||
	    !(are_tasks || did_as_much(comparison, n_a, n_b))) {
		return;
	}
	struct cause *cause = causes_add(causes, CAUSE_LANES);
	cause->n_a = n_a;
	cause->n_b = n_b;
	cause->chance = 0;
	cause->lane_time = (struct amount){true, 0, 0, 0};
}
