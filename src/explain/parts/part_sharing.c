/*
 * Part sharing: at each instant the time is divided among the items running then, so that the
 * shares of all, and the time in which nothing ran, add up to the makespan (Criticality Stacks: Du
 * Bois et al., ISCA 2013).
 *
 * One sweep over all starts and ends: F(t) is the integral of 1/n up to t; an item's share is F at
 * its end less F at its start. F is kept in units of 2^-32 ns in 128 bits; what a division leaves
 * over goes into the next one, so that the shares' sum is exact and the last step, whole ns by
 * largest remainders, is, too.
 */
#include "config.h"
#include "explain/parts/parts.h"

#include <stdlib.h>

#include "explain/parts/division.h"
#include "explain/schedule/sweep_items.h"
#include "util/mem.h"

#define UNITS_SHIFT 32 /* units a ns */

/* A run while it is swept: f, the integral of 1/n, in units. */
struct sharing {
	struct cells *cells;
	const struct part_division *division;
	int run;
	uint32_t nothing;  /* the group of the time in which nothing ran */
	size_t *n_running; /* by group, if by time */
	size_t n_all;
	wide_int f, left_over;
	int64_t at_ns;
};

static void
add_nothing(struct sharing *sharing, wide_int units)
{
	int64_t window = division_window(sharing->division, sharing->at_ns);

	cells_add(sharing->cells, sharing->run, sharing->nothing, window, units);
}

static void
advance(struct sharing *sharing, int64_t to_ns)
{
	wide_int units = ((wide_int)to_ns - sharing->at_ns) * ((wide_int)1 << UNITS_SHIFT);

	if (sharing->n_all > 0) {
		units += sharing->left_over;
		sharing->f += units / (wide_int)sharing->n_all;
		sharing->left_over = units % (wide_int)sharing->n_all;
	} else {
		add_nothing(sharing, units);
	}
	sharing->at_ns = to_ns;
}

/* Where a window ends, what runs on has its share up to there in this one. */
static void
advance_windows(struct sharing *sharing, int64_t to_ns)
{
	for (;;) {
		int64_t window = division_window(sharing->division, sharing->at_ns);
		int64_t end = division_window_end(sharing->division, window);

		if (to_ns < end || window == sharing->division->n_windows - 1) {
			advance(sharing, to_ns);
			return;
		}
		advance(sharing, end);
		for (uint32_t g = 0; g < cells_n_groups(sharing->cells); g++) {
			wide_int units = sharing->f * (wide_int)sharing->n_running[g];

			cells_add(sharing->cells, sharing->run, g, window, units);
			cells_add(sharing->cells, sharing->run, g, window + 1, -units);
		}
	}
}

static int
share(struct sharing *sharing, const struct schedule *schedule, const uint32_t *groups,
      const struct cancel *cancel, struct err *err)
{
	struct item_sweep *sweep = item_sweep_new(schedule);
	struct item_event event;
	size_t count = 0;
	int result = 0;

	sharing->at_ns = schedule->start_ns;
	MEM_NEW(sharing->n_running, cells_n_groups(sharing->cells));
	while (result == 0 && item_sweep_next(sweep, &event)) {
		uint32_t group = groups[event.item];

		advance_windows(sharing, event.time_ns);
		cells_add(sharing->cells, sharing->run, group,
		          division_window(sharing->division, event.time_ns),
		          event.is_start ? -sharing->f : sharing->f);
		sharing->n_all = event.is_start ? sharing->n_all + 1 : sharing->n_all - 1;
		sharing->n_running[group] += event.is_start ? 1 : (size_t)-1;
		if (count++ % 65536 == 0) {
			result = cancel_check(cancel, err);
		}
	}
	item_sweep_free(sweep);
	if (result == 0) {
		advance_windows(sharing, schedule->end_ns);
		add_nothing(sharing, sharing->left_over);
		cells_settle(sharing->cells, sharing->run, (wide_int)1 << UNITS_SHIFT,
		             explain_ran_ns(schedule));
	}
	free(sharing->n_running);
	return result;
}

static struct result *
compute_sharing(struct explain *explain, const char *const *arguments, struct err *err)
{
	const struct schedule *of[2];
	struct part_division division;
	uint32_t *groups[2];
	struct result *result = NULL;
	int rc;

	if (explain_schedules(explain, &of[0], &of[1], err) ||
	    division_parse(&division, &explain_sharing, explain, arguments + 1, of[0], of[1],
	                   err)) {
		return NULL;
	}
	struct cells *cells = cells_new(&division, NULL);
	uint32_t nothing =
	    cells_group(cells, NULL, slice_of("(nothing running)"), of[0], SCHEDULE_NONE, true);

	for (int run = 0; run < 2; run++) {
		groups[run] = cells_groups_of_items(cells, NULL, of[run]);
	}
	rc = cells_check(cells, &explain_sharing, err);
	for (int run = 0; run < 2 && rc == 0; run++) {
		struct sharing sharing = {
		    .cells = cells, .division = &division, .run = run, .nothing = nothing};

		rc = share(&sharing, of[run], groups[run], explain->cancel, err);
	}
	if (rc == 0) {
		result = explain_rows_makespan(cells_rows(cells), explain, explain_sharing.title,
		                               explain_share(arguments[0]));
	}
	free(groups[0]);
	free(groups[1]);
	cells_free(cells);
	return result;
}

static const struct query_param params[] = {EXPLAIN_FOLD, DIVISION_PARAMS};

const struct explain_part explain_sharing = {
    .name = "sharing",
    .title = "Makespan shared among what ran",
    .about =
	"Each instant is divided among the tasks (or innermost spans, one a lane) that run then; a "
	"kind's row is the "
	"sum of its shares, and the time in which nothing ran has a row of its own, so that the "
	"rows are the makespan "
	"(criticality stacks, Du Bois et al., ISCA 2013). Needs no dependencies. A kind that runs "
	"alone weighs more than "
	"one that runs beside others; it does not say that the run would be shorter without it. "
	"by divides by lane, host and window of time as well.",
    .adds_up = true,
    .needs = "spans",
    EXPLAIN_PARAMS(params),
    .drill = {"matched-tasks", "kind=kind"},
    .spans = "category='task' arg.kind=kind",
    .compute = compute_sharing,
};
