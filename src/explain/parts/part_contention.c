/*
 * Parts `contention` and `contention-fit`: how much of the extra run time of tasks that all runs
 * have goes along with more of them running at once.
 *
 * Where tasks get in each other's way is not known beforehand: on a lane (threads of a worker), on
 * a host (memory, caches, disk), or everywhere (a shared file system, or "hosts" that are one
 * machine). The slopes of contention_pool.c are fitted in each of the three, and the domain that
 * foretells most is taken.
 *
 * A task's time in a run is, by its slope, its mean over the runs (of the logarithm) moved along
 * the line. What the sides' means differ by so is the row of its kind, but never more than the kind
 * differs by, nor against it: beyond that the line says nothing about this difference.
 */
#include "config.h"
#include "explain/parts/contention.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "explain/parts/parts.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

struct difference { /* of a kind, or of all; sums over tasks, means over the runs of a side */
	double a_ns, b_ns, along_ns;
};

static double
side_mean(const struct explain *explain, size_t run)
{
	return 1 / (double)(run < explain->n_a ? explain->n_a : explain->n_b);
}

/* What the line says of a task's time in a run. */
static double
time_on_line(const struct contention_pool *pool, const double *at_once, size_t unit, size_t run,
             double slope)
{
	double level = 0;
	for (size_t r = 0; r < pool->n_runs; r++) {
		size_t at = r * pool->n_units + unit;
		level += log((double)pool->took_ns[at]) - slope * log(at_once[at]);
	}
	return exp(level / (double)pool->n_runs + slope * log(at_once[run * pool->n_units + unit]));
}

static bool
is_in_all(const struct contention_pool *pool, size_t unit)
{
	for (size_t r = 0; r < pool->n_runs; r++) {
		if (pool->took_ns[r * pool->n_units + unit] < 0) {
			return false;
		}
	}
	return true;
}

static double
within(double amount, double whole)
{
	return whole >= 0 ? fmin(fmax(amount, 0), whole) : fmax(fmin(amount, 0), whole);
}

/* By kind; then their sum. */
static struct difference *
find_differences(const struct contention_pool *pool, const struct explain *explain)
{
	size_t n_kinds = pool->first->n_kinds;
	struct difference *kinds = xcalloc(n_kinds + 1, sizeof *kinds);
	for (size_t u = 0; u < pool->n_units; u++) {
		size_t k = pool->first->items[u].kind;
		double slope = pool->best < 0 ? 0 : pool->fits[pool->best].kinds[k].slope;
		for (size_t r = 0; r < pool->n_runs && is_in_all(pool, u); r++) {
			double share = side_mean(explain, r);
			*(r < explain->n_a ? &kinds[k].a_ns : &kinds[k].b_ns) +=
			    share * (double)pool->took_ns[r * pool->n_units + u];
			if (pool->is_common[u] && slope > 0) {
				kinds[k].along_ns +=
				    (r < explain->n_a ? -share : share) *
				    time_on_line(pool, pool->at_once[pool->best], u, r, slope);
			}
		}
	}
	for (size_t k = 0; k < n_kinds; k++) {
		kinds[k].along_ns = within(kinds[k].along_ns, kinds[k].b_ns - kinds[k].a_ns);
		kinds[n_kinds].a_ns += kinds[k].a_ns;
		kinds[n_kinds].b_ns += kinds[k].b_ns;
		kinds[n_kinds].along_ns += kinds[k].along_ns;
	}
	return kinds;
}

/* Exact, where a side is one run. */
static int64_t
total_ns(const struct contention_pool *pool, size_t first, size_t n)
{
	double mean = 0;
	int64_t whole = 0;
	for (size_t r = first; r < first + n; r++) {
		int64_t total = 0;
		for (size_t u = 0; u < pool->n_units; u++) {
			if (is_in_all(pool, u)) {
				time_raise(&total, pool->took_ns[r * pool->n_units + u]);
			}
		}
		mean += (double)total / (double)n;
		whole = total;
	}
	return n == 1 ? whole : mean < 9.2e18 ? llround(mean) : INT64_MAX;
}

static void
add_row(struct explain_rows *rows, const char *what, struct slice kind, double extra_ns)
{
	char *text = xstrndup(kind.ptr, kind.len);
	const char *labels[] = {what, text};
	if (isfinite(extra_ns) && fabs(extra_ns) < 9e18 && fabs(extra_ns) >= 0.5) {
		explain_rows_add(rows, labels, 0, llround(extra_ns));
	}
	free(text);
}

/* The sentence, with what it says of the difference between the sides. Terms that make more than
 * the whole, and are then taken back by others, explain nothing: those are refused. */
static void
note_sentence(const struct contention_pool *pool, const struct difference *all, bool is_refused,
              struct result *result)
{
	char along[FORMAT_BYTES], delta[FORMAT_BYTES], share[FORMAT_BYTES];
	double whole = all->b_ns - all->a_ns;
	const char *sentence = contention_sentence(pool, result);
	format_duration(along, llround(all->along_ns));
	format_duration(delta, llround(whole));
	if (is_refused) {
		result_add_note(
		    result,
		    "%s. Of the difference of %s in %zu tasks it would make %s, more than "
		    "the whole: what goes along with it can't be told",
		    sentence, delta, pool->n_common, along);
	} else if (fabs(all->along_ns) >= 0.5) {
		result_add_note(
		    result, "%s. %s of the difference of %s in %zu tasks go along with that (%s)",
		    sentence, along, delta, pool->n_common,
		    format_percent(share, all->along_ns / whole));
	} else {
		result_add_note(result, "%s", sentence);
	}
}

static const char *
r2_text(struct arena *arena, double r2)
{
	return isnan(r2) ? "-" : arena_printf(arena, "%.2f", r2);
}

static void
note_domains(const struct contention_pool *pool, struct result *result)
{
	struct arena *arena = result->arena;
	const struct contention_fit *fits = pool->fits;
	const char *texts[DOMAINS];
	for (int d = 0; d < DOMAINS; d++) {
		texts[d] = arena_printf(
		    arena, "%s %s, %s, %s", contention_domain_name((enum contention_domain)d),
		    r2_text(arena, fits[d].all.r2), r2_text(arena, fits[d].predicted),
		    r2_text(arena, fits[d].early_r2));
	}
	result_add_note(
	    result,
	    "variation of tasks from run to run that concurrency explains (R2; of runs left "
	    "out; by the concurrency of beginnings): %s; %s; %s",
	    texts[0], texts[1], texts[2]);
}

static void
note_tasks(const struct contention_pool *pool, const struct explain *explain, struct result *result)
{
	const struct explain_run *a = &explain->a[0], *b = &explain->b[0];
	const char *what = pool->first->is_tasks ? "tasks" : "spans";
	if (pool->n_runs == 2) {
		matching_note(a->matching, what, a->name, b->name, result);
	} else {
		result_add_note(result, "%zu %s are in all %zu runs, of %zu in %s", pool->n_common,
		                what, pool->n_runs, pool->n_units, a->name);
	}
	if (pool->n_zero) {
		result_add_note(result,
		                "%zu of them took no time in one run and count as something else",
		                pool->n_zero);
	}
}

static struct result *
compute_contention(struct explain *explain, const char *const *arguments, struct err *err)
{
	static const char *const label_names[] = {"goes_along_with", "kind"};
	const char *const base[] = {"as in A", ""};
	(void)arguments;
	struct contention_pool *pool = contention_pool_new(explain, err);
	if (!pool) {
		return NULL;
	}
	char along[64];
	snprintf(along, sizeof along, "concurrency (%s)",
	         contention_domain_name((enum contention_domain)MOST(pool->best, 0)));
	struct explain_rows *rows = explain_rows_new(label_names, 2);
	struct difference *kinds = find_differences(pool, explain);
	size_t n_kinds = pool->first->n_kinds;
	int64_t a_ns = total_ns(pool, 0, explain->n_a);
	int64_t b_ns = total_ns(pool, explain->n_a, explain->n_b);
	bool is_refused = fabs(kinds[n_kinds].along_ns) >= 0.5 &&
	                  fabs(within(kinds[n_kinds].along_ns, (double)(b_ns - a_ns))) <
	                      fabs(kinds[n_kinds].along_ns) * (1 - 1e-9);
	explain_rows_add(rows, base, a_ns, a_ns);
	for (size_t k = 0; k < n_kinds; k++) {
		double whole = kinds[k].b_ns - kinds[k].a_ns;
		double with = is_refused ? 0 : kinds[k].along_ns;
		add_row(rows, along, pool->first->kinds[k], with);
		add_row(rows, "something else", pool->first->kinds[k], whole - with);
	}
	struct result *result = explain_rows_finish(
	    rows, explain, "Extra run time of matched tasks and how many ran at once", a_ns, b_ns,
	    0);
	note_sentence(pool, &kinds[n_kinds], is_refused, result);
	note_domains(pool, result);
	note_tasks(pool, explain, result);
	free(kinds);
	contention_pool_free(pool);
	return result;
}

static const struct result_column fit_columns[] = {
    COLUMN_KEY("kind", "kind of task; (all) is one line through all"),
    COLUMN_KEY("domain", "where tasks that run at once are counted"),
    COLUMN("n", KIND_COUNT, "durations of tasks that several runs have"),
    COLUMN_MEASURE("slope", KIND_REAL, "1: twice as many at once, twice as long"),
    COLUMN_MEASURE(
	"early_slope", KIND_REAL,
	"the same by the concurrency of a task's beginning, which its length can't change"),
    COLUMN_MEASURE("r2", KIND_REAL, "share of the variation from run to run that it explains",
                   .better = BETTER_HIGHER),
    COLUMN("spread", KIND_REAL, "standard deviation of log(concurrency) from run to run"),
};

static void
add_fit(struct result *result, struct slice kind, int domain, const struct contention_line *line)
{
	RESULT_ADD(result, value_text(result, kind),
	           value_word(result, contention_domain_name((enum contention_domain)domain)),
	           value_integer((int64_t)line->n), value_real(line->slope),
	           value_real(line->early_slope), value_finite(line->r2), value_real(line->spread));
}

static struct result *
compute_contention_fit(struct explain *explain, const char *const *arguments, struct err *err)
{
	(void)arguments;
	struct contention_pool *pool = contention_pool_new(explain, err);
	if (!pool) {
		return NULL;
	}
	struct result *result =
	    result_new("Duration against concurrency, by kind", fit_columns, COUNT_OF(fit_columns));
	for (int d = 0; d < DOMAINS; d++) {
		add_fit(result, slice_of("(all)"), d, &pool->fits[d].all);
	}
	for (size_t k = 0; k < pool->first->n_kinds; k++) {
		for (int d = 0; d < DOMAINS && pool->fits[d].kinds[k].n > 0; d++) {
			add_fit(result, pool->first->kinds[k], d, &pool->fits[d].kinds[k]);
		}
	}
	result_add_note(result, "%s", contention_sentence(pool, result));
	note_domains(pool, result);
	note_tasks(pool, explain, result);
	contention_pool_free(pool);
	return result;
}

#define ABOUT_FIT                                                                                  \
	"Concurrency of a task is the mean number of tasks that ran in its lane, on its host or "  \
	"anywhere while it did. Over all runs given, the log of a task's duration is its own "     \
	"effect and a slope of its kind, never below 0, times the log of its concurrency; runs "   \
	"have no effects of their own. Domains are compared by how well slopes of the other runs " \
	"foretell a run. "

const struct explain_part explain_contention = {
    .name = "contention",
    .painted = "contention",
    .title = "Extra run time of matched tasks and how many ran at once",
    .about = ABOUT_FIT
    "The difference between the sides (means over their runs) is split by kind into what the slope "
    "says, at most all of it, and something else. Two runs, or any that differ in one step of "
    "concurrency, can't tell contention from a slower machine, and that is said. What would hold "
    "as "
    "well with the runs' concurrencies dealt anew among them is counted. Tasks that run long and "
    "are therefore alone at last make concurrency themselves: the fit is repeated with the "
    "concurrency of their beginnings. Accounting, not a cause.",
    .adds_up = true,
    .runs = EXPLAIN_RUNS_ALL,
    .needs = "spans",
    .drill = {"matched-tasks", "kind=kind"},
    .spans = "category='task' arg.kind=kind",
    .compute = compute_contention,
};

const struct explain_part explain_contention_fit = {
    .name = "contention-fit",
    .title = "Duration against concurrency, by kind",
    .about = ABOUT_FIT "A row a kind and domain, and for all kinds together.",
    .runs = EXPLAIN_RUNS_ALL,
    .needs = "spans",
    .compute = compute_contention_fit,
};
