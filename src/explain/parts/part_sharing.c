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

#include "explain/model/apportion.h"
#include "explain/schedule/sweep_items.h"
#include "util/intern.h"

#define UNITS_SHIFT 32 /* units a ns */

struct shares {
	wide_int *of_kind; /* in units; the last one is that of nothing */
	int64_t *ns;
	size_t n; /* kinds + 1 */
};

static void
shares_free(struct shares *shares)
{
	free(shares->of_kind);
	free(shares->ns);
}

static int
shares_of(const struct schedule *schedule, const struct cancel *cancel, struct shares *shares,
          struct err *err)
{
	struct item_sweep *sweep = item_sweep_new(schedule);
	int64_t before = schedule->start_ns;
	wide_int f = 0, left_over = 0;
	size_t n_running = 0, count = 0;
	struct item_event event;
	int result = 0;

	shares->n = schedule->n_kinds + 1;
	MEM_NEW(shares->of_kind, shares->n);
	MEM_NEW(shares->ns, shares->n);
	while (result == 0 && item_sweep_next(sweep, &event)) {
		wide_int units = ((wide_int)event.time_ns - before) << UNITS_SHIFT;

		if (n_running > 0) {
			units += left_over;
			f += units / (wide_int)n_running;
			left_over = units % (wide_int)n_running;
		} else {
			shares->of_kind[schedule->n_kinds] += units;
		}
		before = event.time_ns;
		n_running = event.is_start ? n_running + 1 : n_running - 1;
		shares->of_kind[schedule->items[event.item].kind] += event.is_start ? -f : f;
		if (count++ % 65536 == 0) {
			result = cancel_check(cancel, err);
		}
	}
	item_sweep_free(sweep);
	shares->of_kind[schedule->n_kinds] +=
	    left_over + (((wide_int)schedule->end_ns - before) << UNITS_SHIFT);
	apportion(shares->of_kind, shares->n, (wide_int)1 << UNITS_SHIFT, explain_ran_ns(schedule),
	          shares->ns);
	return result;
}

static void
add_shares(struct explain_rows *rows, const struct schedule *schedule, const struct shares *shares,
           bool is_b)
{
	for (size_t k = 0; k < shares->n; k++) {
		const char *label =
		    k < schedule->n_kinds ? schedule->kinds[k].ptr : "(nothing running)";

		explain_rows_add(rows, &label, is_b ? 0 : shares->ns[k], is_b ? shares->ns[k] : 0);
	}
}

static struct result *
compute_sharing(struct explain *explain, const char *const *arguments, struct err *err)
{
	static const char *const labels[] = {"kind"};
	const struct schedule *a, *b;
	struct shares of_a = {0}, of_b = {0};
	struct explain_rows *rows;
	struct result *result = NULL;

	if (explain_schedules(explain, &a, &b, err) == 0 &&
	    shares_of(a, explain->cancel, &of_a, err) == 0 &&
	    shares_of(b, explain->cancel, &of_b, err) == 0) {
		rows = explain_rows_new(labels, 1);
		add_shares(rows, a, &of_a, false);
		add_shares(rows, b, &of_b, true);
		result = explain_rows_makespan(rows, explain, explain_sharing.title,
		                               explain_share(arguments[0]));
	}
	shares_free(&of_a);
	shares_free(&of_b);
	return result;
}

static const struct query_param params[] = {EXPLAIN_FOLD};

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
	"one that runs beside others; it does not say that the run would be shorter without it.",
    .adds_up = true,
    .needs = "spans",
    EXPLAIN_PARAMS(params),
    .drill = {"matched-tasks", "kind=kind"},
    .spans = "category='task' arg.kind=kind",
    .compute = compute_sharing,
};
