/*
 * Two runs made comparable: names of both as codes, what is matched, clocks, stages of each item,
 * spans that wait for each other; and the items whose ratios are searched for portions.
 */
#include "config.h"
#include "explain/verdict/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define TOGETHER 5      /* times nearer to each other than their starts: ends that are one */
#define WAITS_MIN 8     /* items of a kind */
#define WAITS_SHARE 0.9 /* of half of them: of two that end together one comes first */

static void
intern_names(struct comparison *comparison, unsigned r)
{
	const struct schedule *schedule = comparison->run[r];
	MEM_NEW(comparison->kind_code[r], schedule->n_kinds);
	MEM_NEW(comparison->lane_code[r], schedule->n_lanes);
	MEM_NEW(comparison->host_code[r], schedule->n_lanes);
	for (size_t k = 0; k < schedule->n_kinds; k++) {
		comparison->kind_code[r][k] = intern_id(comparison->kinds, schedule->kinds[k]);
	}
	for (size_t l = 0; l < schedule->n_lanes; l++) {
		comparison->lane_code[r][l] =
		    intern_id(comparison->lanes, schedule_lane_name(schedule, l));
		comparison->host_code[r][l] =
		    intern_id(comparison->hosts, schedule_text(schedule, schedule->lanes[l].host));
	}
}

struct ended {
	int64_t end_ns, ns;
	uint32_t kind, lane;
};

static int
compare_ended(const void *a, const void *b)
{
	const struct ended *x = a, *y = b;
	ORDER_BY(x->kind, y->kind);
	ORDER_BY(x->end_ns, y->end_ns);
	return ORDER(x->lane, y->lane);
}

/* Two that began apart, on two lanes, and ended as one. */
static bool
end_together(const struct ended *x, const struct ended *y)
{
	int64_t apart = llabs((y->end_ns - y->ns) - (x->end_ns - x->ns));
	return x->lane != y->lane && (y->end_ns - x->end_ns) * TOGETHER < apart;
}

/* Kinds of which most end together on several lanes: their time is what others made them wait. */
static void
find_waits(struct comparison *comparison)
{
	const struct schedule *b = comparison->run[1];
	struct ended *ended = xcalloc(b->n_items + 1, sizeof *ended);
	MEM_NEW(comparison->is_wait, intern_count(comparison->kinds));
	for (size_t i = 0; i < b->n_items; i++) {
		const struct schedule_item *item = &b->items[i];
		ended[i] = (struct ended){item->end_ns, item->end_ns - item->start_ns, item->kind,
		                          item->lane};
	}
	SORT(ended, b->n_items, compare_ended);
	for (size_t from = 0, to; from < b->n_items; from = to) {
		size_t n_together = 0;
		for (to = from; to < b->n_items && ended[to].kind == ended[from].kind; to++) {
			n_together += to > from && end_together(&ended[to - 1], &ended[to]);
		}
		comparison->is_wait[comparison->kind_code[1][ended[from].kind]] =
		    to - from >= WAITS_MIN && n_together * 2 >= (to - from) * WAITS_SHARE;
	}
	free(ended);
}

/* Of spans all stages but RUN are not known: one array holds them. */
static int
stages_apart(const struct comparison *comparison, size_t r)
{
	return comparison->run[r]->is_tasks ? STAGES : STAGE_PLAN + 1;
}

static int
measure_run(void *user, size_t r, unsigned thread, struct err *err)
{
	struct comparison *comparison = user;
	(void)thread, (void)err;
	for (int s = 0; s < stages_apart(comparison, r); s++) {
		MEM_NEW(comparison->stage_ns[r][s], comparison->run[r]->n_items);
	}
	for (int s = stages_apart(comparison, r); s < STAGES; s++) {
		comparison->stage_ns[r][s] = comparison->stage_ns[r][STAGE_PLAN];
	}
	comparison_measure_stages(comparison->run[r], comparison->stage_ns[r]);
	if (comparison->run[r]->is_tasks) {
		const struct rerun_change placed = {RERUN_AS_WAS};
		const struct rerun_change reacts = {RERUN_AS_WAS, .reacts = true};
		struct rerun *rerun = rerun_new(comparison->replay, (unsigned)r);
		comparison->rerun[r] = rerun;
		comparison->placed_ns[r] = (double)rerun_makespan_ns(rerun, &placed);
		comparison->reacting_ns[r] = (double)rerun_makespan_ns(rerun, &reacts);
	}
	return 0;
}

static int
make_rerun(void *user, size_t r, unsigned thread, struct err *err)
{
	struct comparison *comparison = user;
	(void)thread, (void)err;
	if (!comparison->rerun[r]) {
		comparison->rerun[r] = rerun_new(comparison->replay, (unsigned)r);
	}
	return 0;
}

int
comparison_make_reruns(struct comparison *comparison, struct err *err)
{
	return workers_run(LEAST(workers_count(), 2), 2, make_rerun, comparison,
	                   comparison->explain->cancel, err);
}

/* What is too much to be matched one by one is condensed before. */
static const struct matching *
match(struct comparison *comparison, struct err *err)
{
	struct explain *explain = comparison->explain;
	if (comparison_condense(comparison)) {
		comparison->own_matching =
		    matching_new(comparison->run[0], comparison->run[1], explain->cancel, err);
		comparison->matching = comparison->own_matching;
	} else {
		comparison->matching = explain_matching(explain, err);
	}
	return comparison->matching;
}

struct comparison *
comparison_new(struct explain *explain, struct err *err)
{
	struct comparison *comparison = xcalloc(1, sizeof *comparison);
	comparison->explain = explain;
	comparison->group[0].n = comparison->group[1].n = 1;
	comparison->makespans.per_figure = 2;
	comparison->kinds = intern_new();
	comparison->lanes = intern_new();
	comparison->hosts = intern_new();
	comparison->arena = arena_new();
	if (explain_schedules(explain, &comparison->run[0], &comparison->run[1], err)) {
		comparison_free(comparison);
		return NULL;
	}
	intern_names(comparison, 0);
	intern_names(comparison, 1);
	if (!match(comparison, err)) {
		comparison_free(comparison);
		return NULL;
	}
	MEM_NEW(comparison->clock_ns, intern_count(comparison->hosts));
	comparison->run[1] = clocks_corrected(comparison, comparison->arena);
	comparison->replay = replay_new(comparison->run[0], comparison->run[1],
	                                comparison->matching, explain->cancel, err);
	if (!comparison->replay) {
		comparison_free(comparison);
		return NULL;
	}
	find_waits(comparison);
	if (workers_run(LEAST(workers_count(), 2), 2, measure_run, comparison, explain->cancel,
	                err)) {
		comparison_free(comparison);
		return NULL;
	}
	return comparison;
}

void
comparison_free(struct comparison *comparison)
{
	if (!comparison) {
		return;
	}
	for (unsigned r = 0; r < 2; r++) {
		rerun_free(comparison->rerun[r]);
		free(comparison->kind_code[r]);
		free(comparison->lane_code[r]);
		free(comparison->host_code[r]);
		for (int s = 0; comparison->run[r] && s < stages_apart(comparison, r); s++) {
			free(comparison->stage_ns[r][s]);
		}
	}
	comparison_free_groups(comparison);
	replay_free(comparison->replay);
	matching_free(comparison->own_matching);
	free(comparison->together);
	intern_free(comparison->kinds);
	intern_free(comparison->lanes);
	intern_free(comparison->hosts);
	free(comparison->clock_ns);
	free(comparison->is_wait);
	arena_free(comparison->arena);
	free(comparison);
}

struct portion_item *
comparison_items(const struct comparison *comparison, enum comparison_stage stage, int64_t floor_ns,
                 size_t *n)
{
	const struct schedule *b = comparison->run[1];
	if (comparison_is_spread(comparison)) {
		return comparison_spread_items(comparison, stage, floor_ns, n);
	}
	struct portion_item *items = xcalloc(b->n_items + 1, sizeof *items);
	*n = 0;
	for (size_t j = 0; j < b->n_items; j++) {
		uint32_t i = comparison->matching->a_of_b[j];
		int64_t a_ns =
		    i == MATCHING_NONE ? STAGE_UNKNOWN : comparison->stage_ns[0][stage][i];
		int64_t b_ns = comparison->stage_ns[1][stage][j];
		if (a_ns == STAGE_UNKNOWN || b_ns == STAGE_UNKNOWN ||
		    (a_ns < floor_ns && b_ns < floor_ns)) {
			continue;
		}
		const struct schedule_item *item = &b->items[j];
		if (!b->is_tasks && comparison->is_wait[comparison->kind_code[1][item->kind]]) {
			continue;
		}
		items[(*n)++] = (struct portion_item){
		    .ratio = log((double)MOST(b_ns, floor_ns) / (double)MOST(a_ns, floor_ns)),
		    .at_ns = item->start_ns,
		    .unit = (uint32_t)j,
		    .ns = (double)b_ns,
		    .code = {comparison->kind_code[1][item->kind],
		             comparison->lane_code[1][item->lane],
		             comparison->host_code[1][item->lane]},
		};
	}
	return items;
}
