/*
 * Part area: lanes x makespan = busy + idle. Divided by the number of lanes, each kind's time and
 * each cause of idleness is its part of the makespan.
 *
 * Why a kind's part differs is split three ways, without an order among them, by the Shapley value
 * of count x mean x 1/lanes (three factors: x changes by dx, times (yA zA + yB zB)/3 + (yA zB + yB
 * zA)/6; cf. LMDI, Ang 2005). A kind that ran in one run only has no mean in the other, which gets
 * the same, so that all its part is due to the count.
 */
#include "config.h"
#include "explain/parts/parts.h"

#include <stdlib.h>

#include "explain/model/apportion.h"
#include "explain/parts/idle.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/order.h"

struct area_parts {
	wide_int *busy; /* by kind of both runs: sum of durations */
	int64_t *count;
	wide_int idle[IDLE_CAUSES],
	    doubled; /* doubled: several at a time on a lane count as often in busy */
	size_t n_lanes;
	int64_t *parts; /* kinds, causes, doubled: ns of the makespan */
};

struct areas {
	struct intern *kinds; /* of both runs */
	size_t n;
	struct area_parts of[2];
};

static void
areas_free(struct areas *areas)
{
	for (int r = 0; r < 2; r++) {
		free(areas->of[r].busy);
		free(areas->of[r].count);
		free(areas->of[r].parts);
	}
	intern_free(areas->kinds);
}

static void
learn_kinds(struct areas *areas, const struct schedule *schedule)
{
	for (size_t k = 0; k < schedule->n_kinds; k++) {
		(void)intern_id(areas->kinds, schedule->kinds[k]);
	}
	areas->n = intern_count(areas->kinds);
}

static int
measure(struct areas *areas, int r, const struct schedule *schedule, const struct cancel *cancel,
        struct err *err)
{
	struct area_parts *area = &areas->of[r];
	size_t n = areas->n;
	uint32_t *kinds =
	    xcalloc(schedule->n_kinds, sizeof *kinds); /* its kinds among both runs' */
	wide_int *amounts, whole;

	MEM_NEW(area->busy, n);
	MEM_NEW(area->count, n);
	MEM_NEW(area->parts, n + IDLE_CAUSES + 1);
	area->n_lanes = schedule->n_lanes;
	for (size_t k = 0; k < schedule->n_kinds; k++) {
		kinds[k] = intern_find(areas->kinds, schedule->kinds[k]);
	}
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		uint32_t kind = kinds[item->kind];

		area->busy[kind] += (wide_int)item->end_ns - item->start_ns;
		area->count[kind]++;
	}
	free(kinds);
	if (idle_measure(schedule, cancel, area->idle, err)) {
		return -1;
	}
	if (area->n_lanes == 0) {
		return 0;
	}
	whole = ((wide_int)schedule->end_ns - schedule->start_ns) * (wide_int)area->n_lanes;
	MEM_NEW(amounts, n + IDLE_CAUSES + 1);
	area->doubled = whole;
	for (size_t k = 0; k < n; k++) {
		amounts[k] = area->busy[k];
		area->doubled -= area->busy[k];
	}
	for (int c = 0; c < IDLE_CAUSES; c++) {
		amounts[n + (size_t)c] = area->idle[c];
		area->doubled -= area->idle[c];
	}
	amounts[n + IDLE_CAUSES] = area->doubled;
	apportion(amounts, n + IDLE_CAUSES + 1, (wide_int)area->n_lanes, explain_ran_ns(schedule),
	          area->parts);
	free(amounts);
	return 0;
}

static int
measure_both(struct explain *explain, struct areas *areas, struct err *err)
{
	const struct schedule *a, *b;

	*areas = (struct areas){.kinds = intern_new()};
	if (explain_schedules(explain, &a, &b, err)) {
		return -1;
	}
	learn_kinds(areas, a);
	learn_kinds(areas, b);
	return measure(areas, 0, a, explain->cancel, err) ||
	               measure(areas, 1, b, explain->cancel, err)
	           ? -1
	           : 0;
}

/* ---- divided ---- */

/* One run's idle time on its way into cells. */
struct idling {
	struct cells *cells;
	int run;
	const struct schedule *schedule;
	uint32_t *groups;  /* by lane, then cause */
	uint32_t *doubled; /* by lane */
};

static void
take_idle(void *user, uint32_t lane, enum idle_cause cause, int64_t window, wide_int ns)
{
	const struct idling *idling = user;

	cells_add(idling->cells, idling->run, idling->groups[lane * IDLE_CAUSES + cause], window,
	          ns);
	cells_add(idling->cells, idling->run, idling->doubled[lane], window, -ns);
}

static void
learn_lanes(struct idling *idling)
{
	const struct schedule *schedule = idling->schedule;

	MEM_NEW(idling->groups, schedule->n_lanes * IDLE_CAUSES);
	MEM_NEW(idling->doubled, schedule->n_lanes);
	for (uint32_t l = 0; l < schedule->n_lanes; l++) {
		for (int c = 0; c < IDLE_CAUSES; c++) {
			struct slice cause = slice_of(idle_cause_name((enum idle_cause)c));

			idling->groups[l * IDLE_CAUSES + (uint32_t)c] =
			    cells_group(idling->cells, "idle", cause, schedule, l, false);
		}
		idling->doubled[l] =
		    cells_group(idling->cells, "counted twice", slice_of(""), schedule, l, false);
	}
}

/* What is neither idle nor busy is less than nothing: several at a time on a lane. */
static int
measure_cells(struct idling *idling, const uint32_t *groups, const struct part_division *division,
              const struct cancel *cancel, struct err *err)
{
	const struct schedule *schedule = idling->schedule;
	const struct idle_taker taker = {idling, take_idle, division, NULL};

	for (uint32_t l = 0; l < schedule->n_lanes; l++) {
		const struct schedule_lane *lane = &schedule->lanes[l];

		cells_add_time(idling->cells, idling->run, idling->doubled[l], schedule->start_ns,
		               schedule->end_ns, 1);
		for (size_t i = lane->first; i < lane->first + lane->n; i++) {
			const struct schedule_item *item = &schedule->items[i];

			cells_add_time(idling->cells, idling->run, groups[i], item->start_ns,
			               item->end_ns, 1);
			cells_add_time(idling->cells, idling->run, idling->doubled[l],
			               item->start_ns, item->end_ns, -1);
		}
	}
	if (idle_take(schedule, cancel, &taker, err)) {
		return -1;
	}
	cells_settle(idling->cells, idling->run, (wide_int)MOST(schedule->n_lanes, 1),
	             schedule->n_lanes ? explain_ran_ns(schedule) : 0);
	return 0;
}

static struct result *
compute_area(struct explain *explain, const char *const *arguments, struct err *err)
{
	const struct schedule *of[2];
	struct part_division division;
	struct idling idling[2] = {{0}};
	uint32_t *groups[2];
	struct result *result = NULL;
	int rc;

	if (explain_schedules(explain, &of[0], &of[1], err) ||
	    division_parse(&division, &explain_area, explain, arguments + 1, of[0], of[1], err)) {
		return NULL;
	}
	struct cells *cells = cells_new(&division, "lanes were");

	for (int run = 0; run < 2; run++) {
		groups[run] = cells_groups_of_items(cells, "busy", of[run]);
	}
	for (int run = 0; run < 2; run++) {
		idling[run] = (struct idling){.cells = cells, .run = run, .schedule = of[run]};
		learn_lanes(&idling[run]);
	}
	rc = cells_check(cells, &explain_area, err);
	for (int run = 0; run < 2 && rc == 0; run++) {
		rc = measure_cells(&idling[run], groups[run], &division, explain->cancel, err);
	}
	if (rc == 0) {
		result = explain_rows_makespan(cells_rows(cells), explain, explain_area.title,
		                               explain_share(arguments[0]));
		result_add_note(result, "lanes: %zu in %s, %zu in %s; a row is lane time / lanes",
		                of[0]->n_lanes, explain->a->name, of[1]->n_lanes, explain->b->name);
	}
	for (int run = 0; run < 2; run++) {
		free(groups[run]);
		free(idling[run].groups);
		free(idling[run].doubled);
	}
	cells_free(cells);
	return result;
}

/* ---- effects ---- */

enum { BY_COUNT, BY_MEAN, BY_LANES, EFFECTS };

/* The split of one kind's difference, in ns; adds up to delta. */
static void
split(const struct areas *areas, size_t k, int64_t delta, int64_t effects[EFFECTS])
{
	const struct area_parts *a = &areas->of[0], *b = &areas->of[1];
	long double n[2] = {(long double)a->count[k], (long double)b->count[k]};
	long double w[2] = {a->n_lanes ? 1.0L / (long double)a->n_lanes : 0,
	                    b->n_lanes ? 1.0L / (long double)b->n_lanes : 0};
	long double m[2] = {n[0] > 0 ? (long double)a->busy[k] / n[0] : 0,
	                    n[1] > 0 ? (long double)b->busy[k] / n[1] : 0};
	long double shares[EFFECTS];

	m[0] = n[0] > 0 ? m[0] : m[1];
	m[1] = n[1] > 0 ? m[1] : m[0];
	w[0] = a->n_lanes ? w[0] : w[1];
	w[1] = b->n_lanes ? w[1] : w[0];
	shares[BY_COUNT] =
	    (n[1] - n[0]) * ((m[0] * w[0] + m[1] * w[1]) / 3 + (m[0] * w[1] + m[1] * w[0]) / 6);
	shares[BY_MEAN] =
	    (m[1] - m[0]) * ((n[0] * w[0] + n[1] * w[1]) / 3 + (n[0] * w[1] + n[1] * w[0]) / 6);
	shares[BY_LANES] =
	    (w[1] - w[0]) * ((n[0] * m[0] + n[1] * m[1]) / 3 + (n[0] * m[1] + n[1] * m[0]) / 6);
	apportion_reals(shares, EFFECTS, delta, effects);
}

static struct result *
compute_effects(struct explain *explain, const char *const *arguments, struct err *err)
{
	static const char *const names[EFFECTS] = {"count", "mean duration", "number of lanes"};
	static const char *const labels[] = {"kind", "by"};
	struct areas areas;
	struct explain_rows *rows;
	struct result *result = NULL;
	int64_t idle[2], unchanged = 0;

	if (measure_both(explain, &areas, err) == 0) {
		idle[0] = explain_ran_ns(explain->a->schedule);
		idle[1] = explain_ran_ns(explain->b->schedule);
		rows = explain_rows_new(labels, 2);
		for (size_t k = 0; k < areas.n; k++) {
			int64_t a = areas.of[0].parts[k], b = areas.of[1].parts[k];
			int64_t effects[EFFECTS];
			const char *row[] = {intern_text(areas.kinds, (uint32_t)k).ptr, ""};

			idle[0] = time_sub(idle[0], a);
			idle[1] = time_sub(idle[1], b);
			time_raise(&unchanged, a);
			split(&areas, k, time_sub(b, a), effects);
			for (int e = 0; e < EFFECTS; e++) {
				row[1] = names[e];
				if (effects[e] != 0) {
					explain_rows_add(rows, row, 0, effects[e]);
				}
			}
		}
		explain_rows_add(rows, (const char *const[]){"(busy as before)", ""}, unchanged,
		                 unchanged);
		explain_rows_add(rows, (const char *const[]){"(idle)", ""}, idle[0], idle[1]);
		result = explain_rows_makespan(rows, explain, explain_area_effects.title,
		                               explain_share(arguments[0]));
	}
	areas_free(&areas);
	return result;
}

static const struct query_param area_params[] = {EXPLAIN_FOLD, DIVISION_PARAMS};

const struct explain_part explain_area = {
    .name = "area",
    .painted = "idle",
    .title = "Busy and idle lanes",
    .about = "Lanes x makespan is busy time plus idle time; divided by the number of lanes each "
	     "row is its part of the "
	     "makespan. Idle lanes by the first cause that holds at an instant: ramp (before the "
	     "lane's first item), tail (after "
	     "its last), transfer (a planned task of the lane waits for one), dispatch (a task of "
	     "the lane is ready and has not "
	     "started), imbalance (one of another lane is), starved (none is ready anywhere), "
	     "unknown (the run does not say). Where "
	     "a lane ran several at a time, what counts more than once has a row of its own. by "
	     "divides by lane, host and window of time as well; without kind it tells neither "
	     "kinds nor causes apart.",
    .adds_up = true,
    .needs = "spans",
    EXPLAIN_PARAMS(area_params),
    .drill = {"matched-tasks", "kind=with"},
    .spans = "category='task' arg.kind=with",
    .compute = compute_area,
};

static const struct query_param params[] = {EXPLAIN_FOLD};

const struct explain_part explain_area_effects = {
    .name = "area-effects",
    .title = "Busy lanes by count, mean duration and number of lanes",
    .about =
	"Each kind's busy time in the makespan, as in part area, and how much of its change "
	"comes from another count, another "
	"mean duration, another number of lanes: the Shapley value of the three factors, "
	"which favours no order (cf. LMDI, Ang "
	"2005). Rows of one kind add up to its change; (busy as before) is what was busy in A.",
    .adds_up = true,
    .needs = "spans",
    EXPLAIN_PARAMS(params),
    .compute = compute_effects,
};
