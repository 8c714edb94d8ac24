/*
 * Part indicators: which of all measured figures tell two groups of runs apart.
 *
 * Every saved query that fits all runs and gives few rows is asked of each run; a figure is a
 * measure of a row with one key. Figures are ranked by the gap between the groups' means over the
 * spread within them (Cohen's d, with the pooled standard deviation), since a figure whose groups
 * overlap indicates nothing however large the gap is. With a run on each side there is no spread,
 * and figures are ranked by the gap over the larger value.
 *
 * The test is Mann and Whitney's, which asks nothing of the distributions. With three runs a side
 * the smallest p that it can give is 0.1, so below four a side nothing is tested.
 */
#include "config.h"
#include "explain/parts/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/parts/indicators.h"
#include "explain/model/statistics.h"
#include "util/format.h"
#include "util/order.h"

#define RUNS_LEAST 4
#define SAME_TO 1e-12 /* of their size: what the order of a sum may change */

enum { PARAM_QUERY, PARAM_ALPHA, PARAM_BUDGET, PARAM_ROWS, PARAM_OF };

/* What is said about one figure. */
struct verdict {
	const struct indicator *indicator;
	size_t n_a, n_b;
	double mean_a, mean_b, spread, score, relative, p, q;
};

/* Those of values[0 ... n) that are there; returns how many. */
static size_t
present(const double *values, size_t n, double *out)
{
	size_t k = 0;
	for (size_t i = 0; i < n; i++) {
		if (isfinite(values[i])) {
			out[k++] = values[i];
		}
	}
	return k;
}

static double
mean_of(const double *values, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		sum += values[i] / (double)n;
	}
	return n ? sum : NAN;
}

static double
squares_about(const double *values, size_t n, double mean)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		sum += (values[i] - mean) * (values[i] - mean);
	}
	return sum;
}

static struct verdict
judge(const struct indicator *indicator, size_t n_a, size_t n_b, double *scratch)
{
	struct verdict verdict = {.indicator = indicator, .p = NAN, .q = NAN, .score = NAN};
	double *a = scratch, *b = scratch + n_a, u;
	verdict.n_a = present(indicator->values, n_a, a);
	verdict.n_b = present(indicator->values + n_a, n_b, b);
	verdict.mean_a = mean_of(a, verdict.n_a);
	verdict.mean_b = mean_of(b, verdict.n_b);
	double gap = verdict.mean_b - verdict.mean_a;
	double larger = fmax(fabs(verdict.mean_a), fabs(verdict.mean_b));
	size_t n = verdict.n_a + verdict.n_b;
	verdict.spread = n > 2 ? sqrt((squares_about(a, verdict.n_a, verdict.mean_a) +
	                               squares_about(b, verdict.n_b, verdict.mean_b)) /
	                              (double)(n - 2))
	                       : NAN;
	verdict.relative = larger > 0 ? fabs(gap) / larger : 0;
	/* Without spread any gap is infinitely many of it. */
	verdict.score = verdict.spread > 0  ? fabs(gap) / verdict.spread
	                : n > 2 && gap != 0 ? INFINITY
	                                    : NAN;
	if (verdict.n_a >= RUNS_LEAST && verdict.n_b >= RUNS_LEAST) {
		verdict.p = statistics_rank_sum(a, verdict.n_a, b, verdict.n_b, &u);
	}
	return verdict;
}

/* To some twelve digits, so that figures which differ by their last bits rank as equal. */
static double
rounded(double value)
{
	int exponent;
	double fraction = frexp(value, &exponent);
	return isfinite(value) ? ldexp(nearbyint(ldexp(fraction, 40)), exponent - 40) : value;
}

static int
compare_verdicts(const void *left, const void *right)
{
	const struct verdict *a = left, *b = right;
	double x = isnan(a->score) ? -1 : rounded(a->score);
	double y = isnan(b->score) ? -1 : rounded(b->score);
	if (x == y) {
		x = rounded(a->relative);
		y = rounded(b->relative);
	}
	if (x == y) {
		return ORDER(a->indicator, b->indicator);
	}
	return x > y ? -1 : 1;
}

/* All figures of which both groups have some and which differ at all; *n_same counts those that do
 * not. */
static struct verdict *
judge_all(const struct indicators *indicators, size_t n_a, size_t n_b, size_t *n, size_t *n_same)
{
	struct verdict *verdicts = xcalloc(indicators->n, sizeof *verdicts);
	double *scratch = xcalloc(n_a + n_b, sizeof *scratch);
	double *p = xcalloc(indicators->n, sizeof *p);
	*n = *n_same = 0;
	for (size_t i = 0; i < indicators->n; i++) {
		struct verdict verdict = judge(&indicators->list[i], n_a, n_b, scratch);
		if (verdict.n_a == 0 || verdict.n_b == 0 || verdict.relative <= SAME_TO) {
			*n_same += verdict.n_a && verdict.n_b;
			continue;
		}
		p[*n] = verdict.p;
		verdicts[(*n)++] = verdict;
	}
	statistics_adjust(p, *n);
	for (size_t i = 0; i < *n; i++) {
		verdicts[i].q = p[i];
	}
	SORT(verdicts, *n, compare_verdicts);
	free(p);
	free(scratch);
	return verdicts;
}

/* Columns whose kind is not the figure's own are marked as keys: result_kind leaves those alone. */
static const struct result_column columns[] = {
    COLUMN_KEY("query", NULL),
    COLUMN_KEY("key", NULL),
    COLUMN_KEY("measure", NULL),
    COLUMN("mean_a", KIND_REAL, NULL),
    COLUMN("mean_b", KIND_REAL, NULL),
    COLUMN_MEASURE("delta", KIND_REAL, NULL),
    COLUMN("spread", KIND_REAL, "pooled standard deviation within the groups"),
    COLUMN("gap", KIND_REAL, "delta over spread; missing where nothing varies within the groups",
           .is_key = true),
    COLUMN("p", KIND_REAL, "Mann-Whitney U, two-sided", .is_key = true),
    COLUMN("q", KIND_REAL, "p adjusted for the number of rows (Benjamini and Hochberg)",
           .is_key = true),
    COLUMN_KEY("verdict", "~: not significant"),
};

static void
add_row(struct result *result, const struct verdict *verdict, double alpha)
{
	const struct indicator *indicator = verdict->indicator;
	const char *word = isnan(verdict->p) ? "too few runs" : verdict->p < alpha ? "" : "~";
	RESULT_ADD(result, value_word(result, indicator->query), value_word(result, indicator->key),
	           value_word(result, indicator->measure), value_finite(verdict->mean_a),
	           value_finite(verdict->mean_b), value_finite(verdict->mean_b - verdict->mean_a),
	           value_finite(verdict->spread), value_finite(verdict->score),
	           value_finite(verdict->p), value_finite(verdict->q), value_word(result, word));
}

static void
add_notes(struct result *result, const struct explain *explain, const struct indicators *indicators,
          size_t n_same, double alpha)
{
	char share[FORMAT_BYTES];
	for (unsigned side = 0; side < 2; side++) {
		const struct explain_run *runs = side ? explain->b : explain->a;
		size_t n = side ? explain->n_b : explain->n_a;
		struct strbuf names = {0};
		for (size_t i = 0; i < n; i++) {
			strbuf_printf(&names, "%s%s", i ? ", " : "", runs[i].name);
		}
		result_add_note(result, "group %s: %s", side ? "b" : "a", names.data);
		strbuf_free(&names);
	}
	if (explain->n_a < RUNS_LEAST || explain->n_b < RUNS_LEAST) {
		result_add_note(result, "too few runs to test: %zu and %zu, at least %d a side",
		                explain->n_a, explain->n_b, RUNS_LEAST);
	} else {
		result_add_note(result, "~: p is not below %s", format_percent(share, alpha));
	}
	result_add_note(result,
	                "%zu figures of %zu queries; %zu have the same mean in both groups "
	                "and are left out",
	                indicators->n, indicators->n_queries, n_same);
	for (size_t i = 0; i < indicators->n_left_out; i++) {
		result_add_note(result, "%s", indicators->left_out[i]);
	}
}

static struct result *
compare_groups(const struct explain *explain, const struct indicators *indicators, double alpha)
{
	size_t n, n_same;
	struct verdict *verdicts = judge_all(indicators, explain->n_a, explain->n_b, &n, &n_same);
	struct result *result = result_new("Indicators", columns, COUNT_OF(columns));
	enum column_kind *kinds = arena_alloc(result->arena, (n + 1) * sizeof *kinds);
	for (size_t i = 0; i < n; i++) {
		add_row(result, &verdicts[i], alpha);
		kinds[i] = verdicts[i].indicator->kind;
	}
	result->row_kinds = kinds;
	add_notes(result, explain, indicators, n_same, alpha);
	free(verdicts);
	return result;
}

static struct result *
compute(struct explain *explain, const char *const *arguments, struct err *err)
{
	double alpha = explain_share(arguments[PARAM_ALPHA]);
	struct indicators_request request = {
	    .query = arguments[PARAM_QUERY],
	    .budget_ns = explain_integer(KIND_DURATION, arguments[PARAM_BUDGET]),
	    .rows_limit = explain_integer(KIND_COUNT, arguments[PARAM_ROWS]),
	};
	struct indicators *indicators = indicators_collect(explain, &request, err);
	if (!indicators) {
		return NULL;
	}
	struct result *result =
	    explain->is_series
		? indicators_series(explain, indicators, arguments[PARAM_OF], alpha, err)
		: compare_groups(explain, indicators, alpha);
	indicators_free(indicators);
	return result;
}

static const struct query_param params[] = {
    {"query", "*", "only saved queries of these names, a GLOB pattern", KIND_TEXT, NULL},
    {"alpha", "5%", "what is significant", KIND_PERCENT, NULL},
    {"budget", "2s", "a query that takes longer on a run is left out", KIND_DURATION, NULL},
    {"rows", "64", "a query that gives more rows for a run is left out", KIND_COUNT, NULL},
    {"of", "auto",
     "of a series: what is slow, time of the tasks that all runs have or makespan; auto: of tasks, "
     "where there are some",
     KIND_TEXT, "auto, tasks, makespan"},
};

const struct explain_part explain_indicators = {
    .name = "indicators",
    .runs = EXPLAIN_RUNS_ALL,
    .title = "Figures that tell the groups apart",
    .summed = EXPLAIN_SUMMED_BUSY,
    .about =
	"Every measure of every saved query that fits all runs and gives few rows, ranked by the "
	"gap between the means of "
	"the groups over the pooled standard deviation within them (Cohen's d; with a run on each "
	"side by the gap over the "
	"larger value). p is that of the Mann-Whitney U test (1947), exact up to 20 runs a side; "
	"q is p adjusted for the number of "
	"rows (Benjamini and Hochberg 1995); ~ stands where p is not below alpha, \"too few runs\" "
	"with fewer than four a side. "
	"Of a series of runs (three or more without groups): figures by their correlation with the "
	"runs' times (p by all orders of up to 7 runs), how many ran at once among them; the first "
	"note names the best that is no time itself and what the model of part contention says. "
	"Many figures measure the same thing, and a figure that tells the groups apart need not "
	"be why they differ.",
    .needs = "",
    EXPLAIN_PARAMS(params),
    .compute = compute,
};
