/*
 * Where in time a cause is: the stretches of what ran that it made longer or shorter, or that it
 * is. Times are those that the runs recorded, clocks as they were.
 */
#include "config.h"
#include "explain/verdict/cause.h"

#include "util/intervals.h"

struct place_search {
	const struct comparison *comparison;
	const struct cause *cause;
	const struct place_taker *taker;
};

/* As recorded. Spans that were condensed, and tasks of no recorded clock, stand as compared. */
static const struct schedule *
recorded(const struct comparison *comparison, unsigned run)
{
	const struct explain *explain = comparison->explain;
	return comparison->together ? comparison->run[run]
	                            : (run ? explain->b : explain->a)[0].schedule;
}

static void
take(const struct place_search *search, unsigned run, uint32_t lane, uint32_t item, int64_t start,
     int64_t end, int64_t more_ns)
{
	const struct place place = {run, lane, item, start, end, more_ns};
	if (start != SCHEDULE_NO_TIME && end != SCHEDULE_NO_TIME && end >= start) {
		search->taker->take(search->taker->user, &place);
	}
}

static bool
code_fits(uint32_t wanted, uint32_t code)
{
	return wanted == PORTION_ANY || wanted == code;
}

static bool
lane_fits(const struct place_search *search, uint32_t lane)
{
	const struct portion *portion = &search->cause->portion;
	return code_fits(portion->code[PORTION_LANE], search->comparison->lane_code[1][lane]) &&
	       code_fits(portion->code[PORTION_HOST], search->comparison->host_code[1][lane]);
}

static bool
time_fits(const struct place_search *search, int64_t at_ns)
{
	const struct portion *portion = &search->cause->portion;
	return at_ns >= portion->from_ns && at_ns < portion->until_ns;
}

/* Does the portion of the cause, or its model, hold an item of B? */
static bool
holds(const struct place_search *search, size_t j)
{
	const struct comparison *comparison = search->comparison;
	const struct cause *cause = search->cause;
	uint32_t head = schedule_head(comparison->run[1], j);
	const struct schedule_item *item = &comparison->run[1]->items[head];
	uint32_t kind = comparison->kind_code[1][item->kind];
	bool is_matched = comparison->matching->a_of_b[head] != MATCHING_NONE;

	switch (cause->type) {
	case CAUSE_INTERFERENCE:
		return kind == cause->kind && cause->overlaps[j] > 0;
	case CAUSE_CONTENTION:
		return is_matched && cause->slopes[kind] > 0;
	case CAUSE_PLACEMENT:
		return is_matched &&
		       comparison->lane_code[1][item->lane] !=
		           comparison->lane_code
		               [0][comparison->run[0]->items[comparison->matching->a_of_b[j]].lane];
	case CAUSE_PLAN: /* one controller's, of all */
		return is_matched && time_fits(search, item->start_ns) &&
		       code_fits(cause->portion.item, (uint32_t)j);
	case CAUSE_CLOCK:
		return lane_fits(search, item->lane);
	default:
		if (cause->portion.item != PORTION_ANY) { /* which ran elsewhere in other runs */
			return cause->portion.item == head;
		}
		return is_matched && code_fits(cause->portion.code[PORTION_KIND], kind) &&
		       lane_fits(search, item->lane) && time_fits(search, item->start_ns);
	}
}

/* The stretch of an item of B that the stage is. */
static void
take_stage(const struct place_search *search, size_t j, enum comparison_stage stage)
{
	const struct comparison *comparison = search->comparison;
	const struct schedule *b = recorded(comparison, 1);
	const struct schedule_item *item = &b->items[j];
	uint32_t i = comparison->matching->a_of_b[j];
	int64_t ns = comparison->stage_ns[1][stage][j];
	int64_t before = i == MATCHING_NONE ? STAGE_UNKNOWN : comparison->stage_ns[0][stage][i];
	int64_t more = ns == STAGE_UNKNOWN || before == STAGE_UNKNOWN ? 0 : time_sub(ns, before);
	const struct schedule_task *task =
	    item->task == SCHEDULE_NONE ? NULL : &b->tasks[item->task];

	if (stage == STAGE_RUN) {
		take(search, 1, item->lane, (uint32_t)j, item->start_ns, item->end_ns, more);
	} else if (!task || ns == STAGE_UNKNOWN) {
		return;
	} else if (stage == STAGE_PLAN && task->planned_ns != SCHEDULE_NO_TIME) {
		take(search, 1, item->lane, (uint32_t)j, time_sub(task->planned_ns, ns),
		     task->planned_ns, more);
	} else if (stage == STAGE_COMMUNICATE) {
		take(search, 1, item->lane, (uint32_t)j, task->planned_ns, task->enqueued_ns, more);
	} else if (stage == STAGE_BEGIN) {
		take(search, 1, item->lane, (uint32_t)j, time_sub(item->start_ns, ns),
		     item->start_ns, more);
	}
}

static void
find_items(const struct place_search *search, enum comparison_stage stage)
{
	for (size_t j = 0; j < search->comparison->run[1]->n_items; j++) {
		if (holds(search, j)) {
			take_stage(search, j, stage);
		}
	}
}

static bool
is_of_work(const struct cause *cause, unsigned run, uint32_t kind)
{
	bool is_new = cause->type == CAUSE_RENAMED || cause->type == CAUSE_SPLIT;
	if (!is_new || run == 0) {
		return kind == cause->kind;
	}
	for (size_t k = 0; k < cause->n_kinds; k++) {
		if (kind == cause->kinds[k]) {
			return true;
		}
	}
	return false;
}

/* Work that the run alone has, by kind. */
static void
find_work(const struct place_search *search, unsigned run)
{
	const struct comparison *comparison = search->comparison;
	const struct matching *matching = comparison->matching;
	const struct schedule *schedule = recorded(comparison, run);
	const uint32_t *other = run ? matching->a_of_b : matching->b_of_a;

	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		uint32_t kind = comparison->kind_code[run][item->kind];
		int64_t ns = time_sub(item->end_ns, item->start_ns);
		if (!matching_has(other, schedule, i) && is_of_work(search->cause, run, kind)) {
			take(search, run, item->lane, (uint32_t)i, item->start_ns, item->end_ns,
			     run ? ns : -ns);
		}
	}
}

/* Lanes of the run that has more, as long as it ran. */
static void
find_lanes(const struct place_search *search)
{
	const struct comparison *comparison = search->comparison;
	unsigned run = search->cause->n_b > search->cause->n_a;
	const struct schedule *schedule = recorded(comparison, run);

	for (uint32_t lane = 0; lane < schedule->n_lanes; lane++) {
		bool is_in_both = false;
		for (size_t k = 0; k < comparison->run[!run]->n_lanes && !is_in_both; k++) {
			is_in_both =
			    comparison->lane_code[!run][k] == comparison->lane_code[run][lane];
		}
		if (!is_in_both) {
			take(search, run, lane, SCHEDULE_NONE, schedule->start_ns, schedule->end_ns,
			     0);
		}
	}
}

static void
find_transfers(const struct place_search *search)
{
	const struct schedule *b = recorded(search->comparison, 1);
	const char *mode = search->cause->item_name;

	for (size_t t = 0; t < b->n_transfers; t++) {
		const struct schedule_transfer *transfer = &b->transfers[t];
		int64_t start = transfer->started_ns != SCHEDULE_NO_TIME ? transfer->started_ns
		                                                         : transfer->planned_ns;
		int64_t end = transfer->finished_ns != SCHEDULE_NO_TIME ? transfer->finished_ns
		                                                        : transfer->received_ns;
		if (transfer->lane == SCHEDULE_NONE || !lane_fits(search, transfer->lane) ||
		    !time_fits(search, transfer->planned_ns) ||
		    (mode && !slice_equal(schedule_text(b, transfer->mode), slice_of(mode)))) {
			continue;
		}
		take(search, 1, transfer->lane, transfer->from, start, end, 0);
	}
}

void
causes_places(const struct comparison *comparison, const struct cause *cause,
              const struct place_taker *taker)
{
	const struct place_search search = {comparison, cause, taker};

	switch (cause->type) {
	case CAUSE_DURATION:
	case CAUSE_CONTENTION:
	case CAUSE_INTERFERENCE:
	case CAUSE_PLACEMENT:
	case CAUSE_CLOCK:
		find_items(&search, STAGE_RUN);
		break;
	case CAUSE_PLAN:
		find_items(&search, STAGE_PLAN);
		break;
	case CAUSE_COMMUNICATION:
		find_items(&search, STAGE_COMMUNICATE);
		break;
	case CAUSE_BEGIN:
		find_items(&search, STAGE_BEGIN);
		break;
	case CAUSE_MORE_WORK:
		find_work(&search, 1);
		break;
	case CAUSE_LESS_WORK:
		find_work(&search, 0);
		break;
	case CAUSE_RENAMED:
	case CAUSE_SPLIT:
		find_work(&search, 0);
		find_work(&search, 1);
		break;
	case CAUSE_LANES:
		find_lanes(&search);
		break;
	case CAUSE_TRANSFERS:
		find_transfers(&search);
		break;
	case CAUSE_SAME:
	case CAUSE_OTHER_WORK:
	case CAUSE_UNEXPLAINED:
		break;
	}
}
