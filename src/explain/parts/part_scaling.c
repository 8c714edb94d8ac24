/*
 * Part `scaling`: what became of the lanes that runs were given, as the POP project takes it apart
 * (Rosas, Gimenez and Labarta, Supercomputing Frontiers and Innovations 1(2), 2014). Factors are
 * multiplied, so that the smallest is where most was lost:
 *
 *   useful time of the reference / (lanes x makespan)          global efficiency
 *     = computation scaling x parallel efficiency
 *   computation scaling = useful time of the reference / useful time
 *   parallel efficiency = load balance x communication efficiency
 *     load balance = mean / largest useful time of a lane
 *     communication efficiency = largest useful time / makespan
 *       = serialisation x transfer, the second of which is the makespan were transfers to take no
 *         time, by a rerun on the same lanes in the same order, over the makespan
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "explain/parts/parts.h"
#include "explain/parts/rerun.h"
#include "query/saved/run_tags.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

struct scale {
	const struct explain_run *run;
	size_t place;  /* as given */
	double amount; /* of what the runs have more or less: lanes, or a tag */
	double lanes, items, makespan_ns, useful_ns, most_ns;
	double ideal_ns; /* makespan without transfers; NAN: none are known */
};

/* ---- one run ---- */

/* Time that a lane's items cover. */
static int64_t
useful_time(const struct schedule *schedule, const struct schedule_lane *lane)
{
	int64_t sum = 0, until = INT64_MIN;
	for (size_t i = lane->first; i < lane->first + lane->n; i++) {
		const struct schedule_item *item = &schedule->items[i];
		int64_t from = MOST(item->start_ns, until);
		if (item->end_ns > from) {
			sum += item->end_ns - from;
			until = item->end_ns;
		}
	}
	return sum;
}

static int
find_ideal(struct scale *scale, const struct schedule *schedule, const struct cancel *cancel,
           struct err *err)
{
	scale->ideal_ns = NAN;
	if (schedule->n_transfers == 0) {
		return 0;
	}
	struct matching *matching = matching_itself(schedule);
	struct replay *replay = replay_new(schedule, schedule, matching, cancel, err);
	int rc = -1;
	if (replay) {
		struct rerun *rerun = rerun_new(replay, 0);
		struct rerun_change change = {.transfers = 0, .delays = 1};
		double ideal = (double)rerun_makespan_ns(rerun, &change);
		bool is_known = replay_rules(replay, 0)->n_transfers > 0;
		scale->ideal_ns = is_known ? LEAST(ideal, scale->makespan_ns) : NAN;
		rerun_free(rerun);
		rc = 0;
	}
	replay_free(replay);
	matching_free(matching);
	return rc;
}

/* The number that a tag of the run says. */
static int
read_tag(const struct explain_run *run, const char *key, double *number, struct err *err)
{
	struct run_tags tags = {0};
	int rc = run_tags_read(run->store, &tags, err);
	const struct run_tag *tag = rc == 0 ? run_tags_find(&tags, key) : NULL;
	if (rc == 0 && (!tag || !slice_double(slice_of(tag->value), number))) {
		rc = err_set(err, ERR_USAGE, "%s: tag %s %s", run->name, key,
		             tag ? "is not a number" : "is not there");
	}
	run_tags_free(&tags);
	return rc;
}

static int
measure(struct explain *explain, struct explain_run *run, const char *tag, struct scale *scale,
        struct err *err)
{
	const struct schedule *schedule = explain_schedule(explain, run, err);
	if (!schedule) {
		return -1;
	}
	scale->run = run;
	scale->lanes = scale->amount = (double)schedule->n_lanes;
	scale->items = (double)schedule->n_items;
	scale->makespan_ns = (double)explain_ran_ns(schedule);
	for (size_t l = 0; l < schedule->n_lanes; l++) {
		double useful = (double)useful_time(schedule, &schedule->lanes[l]);
		scale->useful_ns += useful;
		scale->most_ns = MOST(useful, scale->most_ns);
	}
	if (tag[0] && read_tag(run, tag, &scale->amount, err)) {
		return -1;
	}
	return find_ideal(scale, schedule, explain->cancel, err);
}

/* ---- all of them ---- */

static int
compare_scales(const void *a, const void *b)
{
	const struct scale *x = a, *y = b;
	ORDER_BY(x->amount, y->amount);
	return ORDER(x->place, y->place);
}

enum scaling_factor { LOAD_BALANCE, SERIALISATION, TRANSFER, COMMUNICATION, COMPUTATION, FACTORS };
static const char *const factor_names[FACTORS] = {"load balance", "serialisation", "transfers",
                                                  "communication", "computation scaling"};

static void
find_factors(const struct scale *scale, const struct scale *reference, double factors[FACTORS])
{
	factors[LOAD_BALANCE] = scale->useful_ns / scale->lanes / scale->most_ns;
	factors[COMMUNICATION] = scale->most_ns / scale->makespan_ns;
	factors[SERIALISATION] = scale->most_ns / scale->ideal_ns;
	factors[TRANSFER] = scale->ideal_ns / scale->makespan_ns;
	factors[COMPUTATION] = reference->useful_ns / scale->useful_ns;
}

static const struct result_column columns[] = {
    COLUMN_KEY("run", "its name"),
    COLUMN("amount", KIND_REAL, "what runs are ordered by: lanes, or the tag"),
    COLUMN("lanes", KIND_COUNT, "on which something ran"),
    COLUMN_MEASURE("makespan", KIND_DURATION, NULL),
    COLUMN_MEASURE("useful", KIND_DURATION, "time in which lanes ran something, summed"),
    COLUMN_MEASURE("speedup", KIND_REAL, "makespan of the reference / makespan",
                   .better = BETTER_HIGHER),
    COLUMN_MEASURE("global", KIND_PERCENT, "computation x parallel", .better = BETTER_HIGHER),
    COLUMN_MEASURE("computation", KIND_PERCENT, "useful time of the reference / useful time",
                   .better = BETTER_HIGHER),
    COLUMN_MEASURE("parallel", KIND_PERCENT, "load_balance x communication_efficiency",
                   .better = BETTER_HIGHER),
    COLUMN_MEASURE("load_balance", KIND_PERCENT, "mean / largest useful time of a lane",
                   .better = BETTER_HIGHER),
    COLUMN_MEASURE("communication_efficiency", KIND_PERCENT,
                   "largest useful time of a lane / makespan", .better = BETTER_HIGHER),
    COLUMN_MEASURE("serialisation", KIND_PERCENT,
                   "largest useful time / makespan without transfers", .better = BETTER_HIGHER),
    COLUMN_MEASURE("transfer", KIND_PERCENT, "makespan without transfers / makespan",
                   .better = BETTER_HIGHER),
};

static void
add_row(struct result *result, const struct scale *scale, const struct scale *reference)
{
	double f[FACTORS], parallel = scale->useful_ns / scale->lanes / scale->makespan_ns;
	find_factors(scale, reference, f);
	RESULT_ADD(result, value_word(result, scale->run->name), value_finite(scale->amount),
	           value_integer((int64_t)scale->lanes), value_integer((int64_t)scale->makespan_ns),
	           value_integer(time_of_real(scale->useful_ns)),
	           value_finite(reference->makespan_ns / scale->makespan_ns),
	           value_finite(f[COMPUTATION] * parallel), value_finite(f[COMPUTATION]),
	           value_finite(parallel), value_finite(f[LOAD_BALANCE]),
	           value_finite(f[COMMUNICATION]), value_finite(f[SERIALISATION]),
	           value_finite(f[TRANSFER]));
}

/* What the run with the most lost most to; where nothing can be told of transfers, what is lost to
 * communication stays one. */
static void
note_loss(struct result *result, const struct scale *scale, const struct scale *reference)
{
	double f[FACTORS];
	char share[FORMAT_BYTES];
	find_factors(scale, reference, f);
	bool is_split = !isnan(f[TRANSFER]);
	enum scaling_factor least = COMPUTATION;
	for (enum scaling_factor i = LOAD_BALANCE; i < FACTORS; i++) {
		bool counts = is_split ? i != COMMUNICATION : i != SERIALISATION && i != TRANSFER;
		least = counts && f[i] < f[least] ? i : least;
	}
	result_add_note(result, "reference: %s, %g lane%s", reference->run->name, reference->lanes,
	                reference->lanes == 1 ? "" : "s");
	result_add_note(
	    result, "%s: %.3g x as fast on %.3g x the lanes; the smallest factor is %s, %s",
	    scale->run->name, reference->makespan_ns / scale->makespan_ns,
	    scale->lanes / reference->lanes, factor_names[least], format_percent(share, f[least]));
	if (fabs(scale->items - reference->items) > 0) {
		result_add_note(result,
		                "%s ran %g items, %s %g: computation scaling is also that of the "
		                "work, not of its speed alone",
		                scale->run->name, scale->items, reference->run->name,
		                reference->items);
	}
}

static struct result *
compute(struct explain *explain, const char *const *arguments, struct err *err)
{
	size_t n = explain->n_a + explain->n_b;
	struct scale *scales = xcalloc(n, sizeof *scales);
	struct result *result = NULL;
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		scales[i].place = i;
		rc = measure(explain, explain_run_at(explain, i), arguments[0], &scales[i], err);
	}
	if (rc == 0) {
		SORT(scales, n, compare_scales);
		result = result_new("Scaling", columns, COUNT_OF(columns));
		for (size_t i = 0; i < n; i++) {
			add_row(result, &scales[i], &scales[0]);
		}
		note_loss(result, &scales[n - 1], &scales[0]);
	}
	free(scales);
	return result;
}

static const struct query_param params[] = {
    {"by", "", "a tag whose number orders the runs (else lanes)", KIND_TEXT, NULL},
};

const struct explain_part explain_scaling = {
    .name = "scaling",
    .title = "Scaling",
    .runs = EXPLAIN_RUNS_ALL,
    .about = "Runs on few and on many lanes, a row each, the fewest first: they are the "
	     "reference. What became of the lanes is taken apart as the POP project does it "
	     "(Rosas, Gimenez and Labarta 2014), in factors whose product is global, the useful "
	     "time of the reference over lanes x makespan: computation (useful time grows where "
	     "lanes slow each other, or do more), load_balance (of the useful time of lanes, mean "
	     "over largest) and communication_efficiency (the largest over the makespan), which "
	     "is serialisation x transfer where the run has transfers: what the makespan would be "
	     "were they to take no time comes from a rerun on the same lanes in the same order, "
	     "where POP asks a simulator of networks. Useful is all that ran on a lane, each "
	     "instant once; the saved query efficiency has a filter for it. Of runs that did "
	     "other work, computation tells that as well.",
    EXPLAIN_PARAMS(params),
    .needs = "spans",
    .compute = compute,
};
