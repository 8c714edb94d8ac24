/*
 * Part `what-if`: what would have been, had one thing in a run been faster, or had it had more
 * lanes. What takes much time in all may save nothing where other work hides it; a rerun shows
 * that, sums do not.
 *
 * Schedules jump where times change a little, so a single rerun says as much about chance as about
 * the change. Each is made with several seeds of durations that vary, as they would the next time,
 * and the middle of what the change saves ranks the rows.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "explain/parts/parts.h"
#include "explain/parts/rerun.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/quantile.h"

#define ROWS_MAX 100 /* of a thing */
#define RERUNS 31
#define RERUN_ITEMS 10000000 /* in all reruns */
#define MISSED 0.06          /* of the makespan: the model is told to be poor */
#define JITTER 0.05          /* of durations; of noise a single run says nothing */

enum thing {
	THING_KIND,
	THING_LANE,
	THING_HOST,
	THING_TRANSFERS,
	THING_DELAYS,
	THING_LANES,
	THINGS
};
static const char *const thing_names[THINGS] = {"kind",      "lane",   "host",
                                                "transfers", "delays", "lanes"};

struct what_if_row {
	enum thing thing;
	uint32_t code;  /* the kind, the lane, the text of the host */
	size_t n_lanes; /* instead of as many as there were */
	int64_t n, total_ns;
	double saved[RERUNS], middle; /* ns */
};

struct what_if {
	struct explain *explain;
	const struct schedule *schedule;
	struct replay *replay;
	struct rerun *rerun;
	bool reacts;
	double left;                                 /* of a time, were it faster */
	int64_t *duration_ns, *dispatch_ns, base_ns; /* by unit; as it was */
	double *speed;                               /* by slot */
	struct what_if_row *rows;
	size_t n_rows, capacity, n_reruns;
};

static struct what_if_row *
add_row(struct what_if *what_if, enum thing thing)
{
	MEM_GROW(what_if->rows, what_if->capacity, what_if->n_rows + 1);
	struct what_if_row *row = &what_if->rows[what_if->n_rows++];
	*row = (struct what_if_row){.thing = thing};
	return row;
}

static uint32_t
code_of(const struct what_if *what_if, enum thing thing, const struct schedule_item *item)
{
	return thing == THING_KIND   ? item->kind
	       : thing == THING_LANE ? item->lane
	                             : what_if->schedule->lanes[item->lane].host;
}

static int
compare_totals(const void *a, const void *b)
{
	const struct what_if_row *x = a, *y = b;
	ORDER_BY(y->total_ns, x->total_ns);
	return ORDER(x->code, y->code);
}

/* A row for each kind, lane or host, those with the most time; of what there is one of, none. */
static void
add_sums(struct what_if *what_if, enum thing thing, size_t n_codes, bool even_one)
{
	const struct schedule *schedule = what_if->schedule;
	struct what_if_row *sums = xcalloc(n_codes + 1, sizeof *sums);
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		uint32_t code = code_of(what_if, thing, item);
		if (code < n_codes) { /* a lane may have no host */
			sums[code].total_ns =
			    time_add(sums[code].total_ns, item->end_ns - item->start_ns);
			sums[code].n++;
		}
	}
	for (size_t c = 0; c < n_codes; c++) {
		sums[c].thing = thing;
		sums[c].code = (uint32_t)c;
	}
	SORT(sums, n_codes, compare_totals);
	for (size_t c = 0; c < LEAST(n_codes, ROWS_MAX) && sums[c].n > 0; c++) {
		if (even_one || sums[1].n > 0) {
			*add_row(what_if, thing) = sums[c];
		}
	}
	free(sums);
}

static void
add_transfers(struct what_if *what_if)
{
	const struct schedule *schedule = what_if->schedule;
	struct what_if_row *row = add_row(what_if, THING_TRANSFERS);
	for (size_t t = 0; t < schedule->n_transfers; t++) {
		const struct schedule_transfer *transfer = &schedule->transfers[t];
		if (transfer->planned_ns != SCHEDULE_NO_TIME &&
		    transfer->finished_ns != SCHEDULE_NO_TIME) {
			int64_t ns = time_sub(transfer->finished_ns, transfer->planned_ns);
			row->total_ns = time_add(row->total_ns, ns);
			row->n++;
		}
	}
	what_if->n_rows -= row->n == 0;
}

static void
add_delays(struct what_if *what_if)
{
	struct what_if_row *row = add_row(what_if, THING_DELAYS);
	rerun_observed(what_if->rerun, what_if->duration_ns, what_if->dispatch_ns);
	for (size_t u = 0; u < rerun_units(what_if->rerun); u++) {
		row->total_ns = time_add(row->total_ns, what_if->dispatch_ns[u]);
		row->n += what_if->dispatch_ns[u] > 0;
	}
	what_if->n_rows -= row->n == 0;
}

/* With some more, with some fewer; only where a scheduler would use them. */
static void
add_lanes(struct what_if *what_if, int64_t change)
{
	size_t n = what_if->schedule->n_lanes;
	if (what_if->reacts && change > 0) {
		add_row(what_if, THING_LANES)->n_lanes = n + (size_t)change;
		if ((size_t)change < n) {
			add_row(what_if, THING_LANES)->n_lanes = n - (size_t)change;
		}
	}
}

/* What a row says, in arrays of the model. */
static struct rerun_change
change_of(struct what_if *what_if, const struct what_if_row *row)
{
	struct rerun_change change = {RERUN_AS_WAS, .reacts = what_if->reacts,
	                              .waits = what_if->rerun};
	const struct schedule *schedule = what_if->schedule;
	struct rerun *rerun = what_if->rerun;
	if (row->thing == THING_KIND) {
		rerun_observed(rerun, what_if->duration_ns, what_if->dispatch_ns);
		for (uint32_t i = 0; i < schedule->n_items; i++) {
			int64_t *ns = &what_if->duration_ns[rerun_unit_of(rerun, i)];
			bool is_it = schedule->items[i].kind == row->code;
			*ns = is_it ? time_of_real((double)*ns * what_if->left) : *ns;
		}
		change.duration_ns = what_if->duration_ns;
	} else if (row->thing == THING_LANE || row->thing == THING_HOST) {
		for (size_t s = 0; s < rerun_slots(rerun); s++) {
			uint32_t lane = rerun_lane_of(rerun, s);
			bool is_it = row->code ==
			             (row->thing == THING_LANE ? lane : schedule->lanes[lane].host);
			what_if->speed[s] = is_it ? what_if->left : 1;
		}
		change.speed = what_if->speed;
	} else if (row->thing == THING_TRANSFERS) {
		change.transfers = what_if->left;
	} else if (row->thing == THING_DELAYS) {
		change.delays = what_if->left;
	} else {
		change.n_slots =
		    (rerun_slots(rerun) * row->n_lanes + schedule->n_lanes / 2) / schedule->n_lanes;
	}
	return change;
}

static double
makespan(struct what_if *what_if, struct rerun_change change, size_t seed)
{
	change.jitter = seed == 0 ? 0 : JITTER;
	change.seed = seed;
	return (double)rerun_makespan_ns(what_if->rerun, &change);
}

static int
compare_saved(const void *a, const void *b)
{
	const struct what_if_row *x = a, *y = b;
	ORDER_BY(y->middle, x->middle);
	ORDER_BY(x->thing, y->thing);
	return ORDER(x->code, y->code);
}

static int
rerun_rows(struct what_if *what_if, struct err *err)
{
	struct rerun_change as_was = {RERUN_AS_WAS, .reacts = what_if->reacts,
	                              .waits = what_if->rerun};
	size_t budget = RERUN_ITEMS / (what_if->schedule->n_items + 1) / (what_if->n_rows + 1);
	double base[RERUNS];
	size_t n = what_if->n_reruns = budget < 1 ? 1 : LEAST(budget, RERUNS);
	for (size_t s = 0; s < n; s++) {
		base[s] = makespan(what_if, as_was, s);
	}
	what_if->base_ns = time_of_real(base[0]);
	for (size_t r = 0; r < what_if->n_rows; r++) {
		struct what_if_row *row = &what_if->rows[r];
		struct rerun_change change = change_of(what_if, row);
		for (size_t s = 0; s < n && !cancel_requested(what_if->explain->cancel); s++) {
			row->saved[s] = base[s] - makespan(what_if, change, s);
		}
		quantile_sort(row->saved, n);
		row->middle = quantile_sorted(row->saved, n, 0.5);
	}
	SORT(what_if->rows, what_if->n_rows, compare_saved);
	return cancel_requested(what_if->explain->cancel) ? err_set(err, ERR_CANCELLED, "cancelled")
	                                                  : 0;
}

/* ---- what is asked, and the answer ---- */

enum { ASK_RUN, ASK_WHAT, ASK_KIND, ASK_FASTER, ASK_LANES };

/* "20" or "20%": of every 100 ns, 80 are left. */
static int
parse_faster(const char *text, double *left, struct err *err)
{
	struct slice number = slice_of(text);
	double percent;
	if (number.len > 0 && number.ptr[number.len - 1] == '%') {
		number.len--;
	}
	if (!slice_double(number, &percent) || !(percent > 0 && percent <= 100)) {
		return err_set(err, ERR_USAGE,
		               "faster '%s': give a percentage above 0 and up to 100, such as 20",
		               text);
	}
	*left = 1 - percent / 100;
	return 0;
}

/* All rows but those of other things than what, or of other kinds than that. */
static int
choose_rows(struct what_if *what_if, const char *const *arguments, struct err *err)
{
	const char *what = arguments[ASK_WHAT], *kind = arguments[ASK_KIND];
	size_t n = 0;
	what = kind[0] ? thing_names[THING_KIND] : what;
	for (size_t r = 0; r < what_if->n_rows; r++) {
		const struct what_if_row *row = &what_if->rows[r];
		if ((!what[0] || strcmp(what, thing_names[row->thing]) == 0) &&
		    (!kind[0] || slice_is(what_if->schedule->kinds[row->code], kind))) {
			what_if->rows[n++] = *row;
		}
	}
	what_if->n_rows = n;
	return n > 0     ? 0
	       : kind[0] ? err_set(err, ERR_USAGE, "kind '%s': the run has none of that name", kind)
	                 : err_set(err, ERR_USAGE,
	                           "what '%s': the run has nothing to change there; it is one of "
	                           "kind, lane, host, transfers, delays and lanes",
	                           what);
}

static int
make_rows(struct what_if *what_if, const char *const *arguments, struct err *err)
{
	const struct schedule *schedule = what_if->schedule;
	if (parse_faster(arguments[ASK_FASTER], &what_if->left, err)) {
		return -1;
	}
	add_sums(what_if, THING_KIND, schedule->n_kinds, true);
	add_sums(what_if, THING_LANE, schedule->n_lanes, false);
	add_sums(what_if, THING_HOST, schedule->n_texts, false);
	add_transfers(what_if);
	add_delays(what_if);
	add_lanes(what_if, explain_integer(KIND_COUNT, arguments[ASK_LANES]));
	return choose_rows(what_if, arguments, err);
}

static const struct result_column columns[] = {
    COLUMN_KEY("what", "what would change: a kind of task, a lane, a host, transfers, the delays "
                       "before a start, how many lanes there are"),
    COLUMN_KEY("name", "of the kind, lane or host; how many lanes"),
    COLUMN("n", KIND_COUNT, "how many ran there"),
    COLUMN("total", KIND_DURATION, "time in them"),
    COLUMN_MEASURE("predicted", KIND_DURATION, "makespan, were they faster"),
    COLUMN_MEASURE("saved", KIND_DURATION, "of the makespan", .better = BETTER_HIGHER),
    COLUMN("saved_low", KIND_DURATION, "nine of ten reruns save more than this and"),
    COLUMN("saved_high", KIND_DURATION, "less than this"),
    COLUMN_MEASURE("saved_share", KIND_PERCENT, "of the makespan", .better = BETTER_HIGHER),
};

static struct value
name_of(struct result *result, const struct what_if *what_if, const struct what_if_row *row)
{
	const struct schedule *schedule = what_if->schedule;
	char text[64];
	switch (row->thing) {
	case THING_KIND:
		return value_text(result, schedule->kinds[row->code]);
	case THING_LANE:
		return value_text(result, schedule_lane_name(schedule, row->code));
	case THING_HOST:
		return value_text(result, schedule_text(schedule, row->code));
	case THING_LANES:
		snprintf(text, sizeof text, "%zu instead of %zu", row->n_lanes, schedule->n_lanes);
		return value_word(result, text);
	default:
		return value_word(result, "all");
	}
}

static struct result *
make_result(const struct what_if *what_if)
{
	int64_t makespan_ns = explain_ran_ns(what_if->schedule);
	struct result *result =
	    result_new("Makespan, were one thing faster", columns, COUNT_OF(columns));
	for (size_t r = 0; r < what_if->n_rows; r++) {
		const struct what_if_row *row = &what_if->rows[r];
		int64_t saved = llround(row->middle);
		double low = quantile_sorted(row->saved, what_if->n_reruns, 0.05);
		double high = quantile_sorted(row->saved, what_if->n_reruns, 0.95);
		RESULT_ADD(
		    result, value_word(result, thing_names[row->thing]),
		    name_of(result, what_if, row),
		    row->n > 0 ? value_integer(row->n) : (struct value){0},
		    row->n > 0 ? value_integer(row->total_ns) : (struct value){0},
		    value_integer(time_sub(makespan_ns, saved)), value_integer(saved),
		    value_integer(llround(low)), value_integer(llround(high)),
		    value_finite(makespan_ns > 0 ? (double)saved / (double)makespan_ns : NAN));
	}
	return result;
}

static void
note_model(struct result *result, const struct what_if *what_if, const char *name)
{
	char ran[FORMAT_BYTES], rerun[FORMAT_BYTES];
	int64_t ns = explain_ran_ns(what_if->schedule);
	double missed = fabs((double)(what_if->base_ns - ns)) / (double)MOST(ns, 1);
	result_add_note(
	    result,
	    "run %s: makespan %s, rerun as it was %s, %s; times that change are %.6g times as long",
	    name, format_duration(ran, ns), format_duration(rerun, what_if->base_ns),
	    what_if->reacts ? "by a scheduler that gives what is ready to a free lane"
			    : "on the lanes and in the order that it had",
	    what_if->left);
	if (missed > MISSED) {
		result_add_note(result,
		                "the model misses the makespan by %.0f %%: the order of the rows "
		                "says more than what they save",
		                100 * missed);
	}
}

static struct result *
compute_for(struct what_if *what_if, const char *name, const char *const *arguments,
            struct err *err)
{
	size_t n_units = rerun_units(what_if->rerun);
	MEM_NEW(what_if->duration_ns, n_units);
	MEM_NEW(what_if->dispatch_ns, n_units);
	MEM_NEW(what_if->speed, rerun_slots(what_if->rerun));
	what_if->reacts = what_if->schedule->is_tasks;
	if (make_rows(what_if, arguments, err) || rerun_rows(what_if, err)) {
		return NULL;
	}
	struct result *result = make_result(what_if);
	note_model(result, what_if, name);
	return result;
}

static struct result *
compute_what_if(struct explain *explain, const char *const *arguments, struct err *err)
{
	bool is_a = strcmp(arguments[ASK_RUN], "a") == 0;
	if (!is_a && strcmp(arguments[ASK_RUN], "b") != 0) {
		err_set(err, ERR_USAGE, "run '%s': give a or b", arguments[ASK_RUN]);
		return NULL;
	}
	struct explain_run *run = is_a ? explain->a : explain->b;
	struct what_if what_if = {.explain = explain,
	                          .schedule = explain_schedule(explain, run, err)};
	if (!what_if.schedule) {
		return NULL;
	}
	struct matching *matching = matching_itself(what_if.schedule);
	struct result *result = NULL;
	what_if.replay =
	    replay_new(what_if.schedule, what_if.schedule, matching, explain->cancel, err);
	if (what_if.replay) {
		what_if.rerun = rerun_new(what_if.replay, 0);
		result = compute_for(&what_if, run->name, arguments, err);
	}
	rerun_free(what_if.rerun);
	replay_free(what_if.replay);
	matching_free(matching);
	free(what_if.duration_ns);
	free(what_if.dispatch_ns);
	free(what_if.speed);
	free(what_if.rows);
	return result;
}

static const struct query_param params[] = {
    {"run", "b", "the run to change: a or b", KIND_TEXT, NULL},
    {"what", "", "only kind, lane, host, transfers, delays or lanes (else all)", KIND_TEXT, NULL},
    {"kind", "", "only this kind of task", KIND_TEXT, NULL},
    {"faster", "20", "by how many percent times are shorter", KIND_REAL, NULL},
    {"lanes", "1", "how many lanes more, and fewer", KIND_COUNT, NULL},
};

const struct explain_part explain_what_if = {
    .name = "what-if",
    .title = "Makespan, were one thing faster",
    .about = "One run is run again with one thing changed: the tasks of a kind, of a lane or of a "
	     "host shorter by the given percentage, or transfers, or the delays from when a task "
	     "could start until it does, or more or fewer lanes. Rows stand in the order of what "
	     "they save. A virtual speedup in the sense of Coz (Curtsinger and Berger, SOSP 2015), "
	     "by simulation from the trace: tasks are scheduled anew, what is ready on a lane that "
	     "is free, in the order of the run; spans keep their lanes and order. Durations vary "
	     "from rerun to rerun; saved is the middle, and nine of ten lie between saved_low and "
	     "saved_high.",
    EXPLAIN_PARAMS(params),
    .needs = "spans",
    .compute = compute_what_if,
};
