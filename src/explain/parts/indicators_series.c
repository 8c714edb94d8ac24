/*
 * Which figures tell slow runs of a series from fast ones.
 *
 * A series has no groups, so figures are correlated with the runs' times. Slow is a run whose tasks
 * take longer, where all runs have the same ones: a makespan depends on the number of workers too.
 * A figure that is a time is part of that or follows from it, so the one that is named is none. Why
 * it goes along a correlation can't say; what it can be held against is the model of part
 * contention over the same runs, whose figures (how many ran at once on a lane, a host, anywhere)
 * stand among the others.
 */
#include "config.h"
#include "explain/parts/indicators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/model/statistics.h"
#include "explain/parts/contention.h"
#include "util/format.h"
#include "util/mem.h"
#include "util/order.h"

struct correlated {
	struct indicator indicator;
	double correlation, rank, p, q;
	size_t place; /* in the order asked */
};

struct indicator_series {
	const struct explain *explain;
	struct contention_pool *pool; /* NULL: runs too large to match */
	size_t n_runs, slowest, fastest;
	double *tasks_ns, *makespans_ns, *slow_ns; /* by run; slow: one of the two */
	struct correlated *rankings;
	size_t n, n_asked;
};

static const char *
name_of(const struct indicator_series *series, size_t run)
{
	return explain_run_at(series->explain, run)->name;
}

/* Figures that a run lacks, or that are the same in all, rank nothing. */
static void
add_ranking(struct indicator_series *series, const struct indicator *indicator)
{
	for (size_t r = 0; r < series->n_runs; r++) {
		if (!isfinite(indicator->values[r])) {
			return;
		}
	}
	series->n_asked++;
	const double *values = indicator->values, *slow = series->slow_ns;
	double correlation = statistics_correlation(values, slow, series->n_runs);
	if (isfinite(correlation)) {
		series->rankings[series->n++] = (struct correlated){
		    .indicator = *indicator,
		    .place = series->n_asked,
		    .correlation = correlation,
		    .rank = statistics_spearman(values, slow, series->n_runs),
		    .p = statistics_correlation_chance(values, slow, series->n_runs)};
	}
}

/* Times are part of what is slow, or follow from it. */
static bool
is_time(const struct indicator *indicator)
{
	return indicator->kind == KIND_DURATION || indicator->kind == KIND_TIME;
}

static int
compare_rankings(const void *left, const void *right)
{
	const struct correlated *a = left, *b = right;
	/* What differs by rounding is equal. */
	ORDER_BY(round(fabs(b->correlation) * 1e9), round(fabs(a->correlation) * 1e9));
	return ORDER(a->place, b->place);
}

static void
rank_all(struct indicator_series *series, const struct indicators *indicators)
{
	MEM_NEW(series->rankings, indicators->n + DOMAINS + 1);
	for (size_t i = 0; i < indicators->n; i++) {
		add_ranking(series, &indicators->list[i]);
	}
	for (int d = 0; d < DOMAINS && series->pool; d++) {
		struct indicator at_once = {.query = "contention",
		                            .key =
		                                contention_domain_name((enum contention_domain)d),
		                            .measure = "at_once",
		                            .kind = KIND_REAL,
		                            .values = series->pool->fits[d].at_once};
		add_ranking(series, &at_once);
	}
	double *p = xcalloc(series->n + 1, sizeof *p);
	for (size_t i = 0; i < series->n; i++) {
		p[i] = series->rankings[i].p;
	}
	statistics_adjust(p, series->n);
	for (size_t i = 0; i < series->n; i++) {
		series->rankings[i].q = p[i];
	}
	SORT(series->rankings, series->n, compare_rankings);
	free(p);
}

/* What the runs took, and which of it is called slow. */
static int
measure_runs(struct indicator_series *series, struct explain *explain, const char *of,
             struct err *err)
{
	struct err why = ERR_INIT;
	MEM_NEW(series->tasks_ns, series->n_runs);
	MEM_NEW(series->makespans_ns, series->n_runs);
	series->pool = contention_pool_new(explain, &why);
	if (!series->pool && why.code != ERR_LIMIT) {
		*err = why;
		return -1;
	}
	const struct contention_pool *pool = series->pool;
	bool has_tasks = pool && pool->n_common > pool->n_zero;
	for (size_t r = 0; r < series->n_runs; r++) {
		const struct schedule *schedule =
		    explain_schedule(explain, explain_run_at(explain, r), err);
		if (!schedule) {
			return -1;
		}
		series->makespans_ns[r] = (double)explain_makespan_ns(schedule);
		for (size_t u = 0; has_tasks && u < pool->n_units; u++) {
			bool counts = pool->is_common[u];
			series->tasks_ns[r] +=
			    counts ? (double)pool->took_ns[r * pool->n_units + u] : 0;
		}
	}
	bool by_tasks = has_tasks && (strcmp(of, "tasks") == 0 ||
	                              (strcmp(of, "auto") == 0 && pool->first->is_tasks));
	if (strcmp(of, "tasks") == 0 && !has_tasks) {
		return err_set(err, ERR_USAGE, "-p of=tasks: no task takes time in all runs");
	}
	series->slow_ns = by_tasks ? series->tasks_ns : series->makespans_ns;
	for (size_t r = 1; r < series->n_runs; r++) {
		series->slowest =
		    series->slow_ns[r] > series->slow_ns[series->slowest] ? r : series->slowest;
		series->fastest =
		    series->slow_ns[r] < series->slow_ns[series->fastest] ? r : series->fastest;
	}
	return 0;
}

static const char *
word_slow(const struct indicator_series *series, struct result *result)
{
	char fast[FORMAT_BYTES], slow[FORMAT_BYTES];
	return arena_printf(result->arena, "%s, %s in %s to %s in %s",
	                    series->slow_ns == series->tasks_ns ? "the time of tasks that all have"
	                                                        : "the makespan",
	                    format_duration(fast, llround(series->slow_ns[series->fastest])),
	                    name_of(series, series->fastest),
	                    format_duration(slow, llround(series->slow_ns[series->slowest])),
	                    name_of(series, series->slowest));
}

/* First the answer: the figure, best one that is no time itself, and what it is held against. */
static void
add_notes(const struct indicator_series *series, const struct indicators *indicators, double alpha,
          struct result *result)
{
	const char *reason = series->pool ? contention_sentence(series->pool, result) : "";
	size_t best = 0, n_low = 0;
	while (best < series->n && is_time(&series->rankings[best].indicator)) {
		best++;
	}
	for (size_t i = 0; i < series->n; i++) {
		n_low += series->rankings[i].p < alpha;
	}
	if (best < series->n) {
		const struct correlated *ranking = &series->rankings[best];
		const struct indicator *indicator = &ranking->indicator;
		result_add_note(
		    result,
		    "%s%s %s%s%s tells slow runs from fast best of what is no time itself "
		    "(correlation %.2f with %s; p %.2g)%s%s",
		    ranking->p < alpha ? "" : "weak: ", indicator->query, indicator->key,
		    *indicator->key ? " " : "", indicator->measure, ranking->correlation,
		    word_slow(series, result), ranking->p, *reason ? "; " : "", reason);
	} else {
		result_add_note(result, "no figure but times differs with %s%s%s",
		                word_slow(series, result), *reason ? "; " : "", reason);
	}
	result_add_note(
	    result,
	    "%zu of %zu figures have p below %.2g, where chance alone would have %.2g; that "
	    "a figure goes along need not be why",
	    n_low, series->n, alpha, alpha * (double)series->n);
	result_add_note(result,
	                "%zu figures of %zu queries; %zu are the same in all runs and left out",
	                series->n_asked, indicators->n_queries, series->n_asked - series->n);
	for (size_t i = 0; i < indicators->n_left_out; i++) {
		result_add_note(result, "%s", indicators->left_out[i]);
	}
}

static const struct result_column columns[] = {
    COLUMN_KEY("query", NULL),
    COLUMN_KEY("key", NULL),
    COLUMN_KEY("measure", NULL),
    COLUMN("fastest", KIND_REAL, "in the run that is fastest"),
    COLUMN("slowest", KIND_REAL, "in the run that is slowest"),
    COLUMN("correlation", KIND_REAL, "with what is slow", .is_key = true),
    COLUMN("rank", KIND_REAL, "correlation of ranks (Spearman)", .is_key = true),
    COLUMN("p", KIND_REAL, "share of the orders of runs with as strong a correlation",
           .is_key = true),
    COLUMN("q", KIND_REAL, "p adjusted for the number of rows (Benjamini and Hochberg)",
           .is_key = true),
    COLUMN_KEY("verdict", "~: not significant"),
};

static struct result *
make_result(const struct indicator_series *series, const struct indicators *indicators,
            double alpha)
{
	struct result *result = result_new("Indicators", columns, COUNT_OF(columns));
	enum column_kind *kinds = arena_alloc(result->arena, (series->n + 1) * sizeof *kinds);
	for (size_t i = 0; i < series->n; i++) {
		const struct correlated *ranking = &series->rankings[i];
		const struct indicator *indicator = &ranking->indicator;
		RESULT_ADD(result, value_word(result, indicator->query),
		           value_word(result, indicator->key),
		           value_word(result, indicator->measure),
		           value_finite(indicator->values[series->fastest]),
		           value_finite(indicator->values[series->slowest]),
		           value_finite(ranking->correlation), value_finite(ranking->rank),
		           value_finite(ranking->p), value_finite(ranking->q),
		           value_word(result, ranking->p < alpha ? "" : "~"));
		kinds[i] = indicator->kind;
	}
	result->row_kinds = kinds;
	add_notes(series, indicators, alpha, result);
	return result;
}

struct result *
indicators_series(struct explain *explain, const struct indicators *indicators, const char *of,
                  double alpha, struct err *err)
{
	struct indicator_series series = {.explain = explain,
	                                  .n_runs = explain->n_a + explain->n_b};
	struct result *result = NULL;
	if (measure_runs(&series, explain, of, err) == 0) {
		rank_all(&series, indicators);
		result = make_result(&series, indicators, alpha);
	}
	contention_pool_free(series.pool);
	free(series.tasks_ns);
	free(series.makespans_ns);
	free(series.rankings);
	return result;
}
