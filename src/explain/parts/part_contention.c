/*
 * Parts `contention` and `contention-fit`: how much of the extra run time of matched tasks goes
 * along with more of them running at once.
 *
 * Where tasks get in each other's way is not known beforehand: on a lane (threads of a worker), on
 * a host (memory, caches, disk), or everywhere (a shared file system, or "hosts" that are one
 * machine). The lines of contention_fit.c are fitted for each of the three, and the domain whose
 * lines leave least is taken.
 *
 * What a line says is split exactly: the extra time of a pair is its duration in A times
 * (e^general * ratio^slope - 1), shared between the two terms by the midpoint rule; what the pair
 * really took more or less is the residual.
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

/* Squares left are as good as the least: by a ratio, and by a share of all there were. */
#define NEARLY 1.2
#define EXPLAINED 0.01

struct study {
	const struct schedule *a, *b;
	const struct matching *matching; /* the explain's */
	struct contention_pair *pairs;
	size_t n, n_zero;
	struct contention_model models[DOMAINS];
	enum contention_domain best;
};

static bool
has_slope(const struct contention_model *model, size_t n_kinds)
{
	for (size_t k = 0; k < n_kinds; k++) {
		if (model->kinds[k].shape >= CONTENTION_SLOPE) {
			return true;
		}
	}
	return false;
}

static int
least_squares(const struct study *study, bool with_slope)
{
	int best = -1;
	for (int d = 0; d < DOMAINS; d++) {
		const struct contention_model *model = &study->models[d];
		/* A wider domain must be better, not equal but for rounding. */
		if ((!with_slope || has_slope(model, study->a->n_kinds)) &&
		    (best < 0 || model->squares < study->models[best].squares * (1 - 1e-6))) {
			best = d;
		}
	}
	return best;
}

/* The domain whose lines leave least. One where concurrency did not change explains a slowdown
 * that is alike for all as general, just as well as one where it rose for all explains it by that:
 * then the latter is taken. */
static enum contention_domain
choose_domain(const struct study *study)
{
	int best = least_squares(study, false), sloped = least_squares(study, true);
	if (sloped >= 0) {
		double enough = study->models[best].squares * NEARLY +
		                study->models[best].all_squares * EXPLAINED;
		best = study->models[sloped].squares <= enough ? sloped : best;
	}
	return (enum contention_domain)best;
}

static int
study_open(struct study *study, struct explain *explain, struct err *err)
{
	*study = (struct study){0};
	study->a = explain_schedule(explain, explain->a, err);
	study->b = study->a ? explain_schedule(explain, explain->b, err) : NULL;
	study->matching = study->b ? explain_matching(explain, err) : NULL;
	if (!study->matching) {
		return -1;
	}
	study->pairs =
	    contention_pairs(study->a, study->b, study->matching, &study->n, &study->n_zero);
	for (int d = 0; d < DOMAINS; d++) {
		contention_model_fit(study->pairs, study->n, study->a->n_kinds,
		                     (enum contention_domain)d, &study->models[d]);
	}
	study->best = choose_domain(study);
	return 0;
}

static void
study_close(struct study *study)
{
	if (study->matching) {
		for (int d = 0; d < DOMAINS; d++) {
			contention_model_fini(&study->models[d]);
		}
	}
	free(study->pairs);
}

struct split { /* of the extra time of a kind's pairs, as fitted */
	double general, slope;
};

static struct split *
split_kinds(const struct study *study)
{
	struct split *splits = xcalloc(study->a->n_kinds, sizeof *splits);
	const struct contention_model *model = &study->models[study->best];
	for (size_t i = 0; i < study->n; i++) {
		const struct contention_pair *pair = &study->pairs[i];
		const struct contention_line *line = &model->kinds[pair->kind];
		double general = exp(line->general);
		double slope =
		    pow(pair->concurrency_b[study->best] / pair->concurrency_a[study->best],
		        line->slope);
		splits[pair->kind].general += (double)pair->a_ns * (general - 1) * (1 + slope) / 2;
		splits[pair->kind].slope += (double)pair->a_ns * (slope - 1) * (1 + general) / 2;
	}
	return splits;
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

static void
note_sentence(const struct study *study, const struct explain *explain, double along,
              double unclear, int64_t extra_ns, struct result *result)
{
	const struct contention_model *model = &study->models[study->best];
	const char *where = study->best == DOMAIN_LANE   ? "in the same lane"
	                    : study->best == DOMAIN_HOST ? "on the same host"
	                                                 : "in the whole run";
	char extra[FORMAT_BYTES], part[FORMAT_BYTES], share[FORMAT_BYTES] = "";
	bool is_unclear = fabs(unclear) > fabs(along);
	double fitted = is_unclear ? unclear : along;
	format_duration(extra, extra_ns);
	format_duration(part, llround(fitted));
	if (extra_ns != 0) {
		format_percent(share, fitted / (double)extra_ns);
	}
	if (fabs(fitted) < 0.5) {
		result_add_note(result,
		                "weak: the difference of %s in %zu matched pairs does not go along "
		                "with how many run at "
		                "once (%.3g on average in %s, %.3g in %s, %s)",
		                extra, study->n, model->mean_a, explain->a->name, model->mean_b,
		                explain->b->name, where);
	} else if (is_unclear) {
		result_add_note(
		    result,
		    "weak: %s (%s) of the difference of %s go along with %.3g instead of %.3g at "
		    "once %s, but that changed alike for all, so a slower machine would look the "
		    "same",
		    part, share, extra, model->mean_b, model->mean_a, where);
	} else {
		result_add_note(
		    result,
		    "%s%s (%s) of the difference of %s in %zu matched pairs go along with %.3g "
		    "instead of "
		    "%.3g at once %s (R2 %.2f); this says where time went, not what caused "
		    "it",
		    model->is_weak ? "weak: " : "", part, share, extra, study->n, model->mean_b,
		    model->mean_a, where, model->r2);
	}
}

static void
note_domains(const struct study *study, struct result *result)
{
	result_add_note(
	    result,
	    "variation within kinds that concurrency explains (R2): %s %.2f, %s %.2f, %s %.2f",
	    contention_domain_name(DOMAIN_LANE), study->models[DOMAIN_LANE].r2,
	    contention_domain_name(DOMAIN_HOST), study->models[DOMAIN_HOST].r2,
	    contention_domain_name(DOMAIN_ALL), study->models[DOMAIN_ALL].r2);
	if (study->n_zero > 0) {
		result_add_note(result, "%zu pairs took no time in one run and are in the residual",
		                study->n_zero);
	}
}

/* Times of all matched pairs, those that took no time too. */
static void
sum_pairs(const struct study *study, int64_t *a_ns, int64_t *b_ns)
{
	*a_ns = *b_ns = 0;
	for (size_t i = 0; i < study->a->n_items; i++) {
		uint32_t j = study->matching->b_of_a[i];
		if (j != MATCHING_NONE) {
			const struct schedule_item *a = &study->a->items[i],
						   *b = &study->b->items[j];
			time_raise(a_ns, a->end_ns - a->start_ns);
			time_raise(b_ns, b->end_ns - b->start_ns);
		}
	}
}

static struct result *
make_result(const struct study *study, const struct explain *explain)
{
	static const char *const label_names[] = {"goes_along_with", "kind"};
	const char *const base[] = {"as in A", ""};
	const struct contention_model *model = &study->models[study->best];
	char along[64];
	snprintf(along, sizeof along, "concurrency (%s)", contention_domain_name(study->best));
	struct explain_rows *rows = explain_rows_new(label_names, 2);
	struct split *splits = split_kinds(study);
	double sum_along = 0, sum_unclear = 0;
	int64_t a_ns, b_ns;
	sum_pairs(study, &a_ns, &b_ns);
	explain_rows_add(rows, base, a_ns, a_ns);
	for (size_t k = 0; k < study->a->n_kinds; k++) {
		bool is_unclear = model->kinds[k].shape == CONTENTION_UNCLEAR;
		*(is_unclear ? &sum_unclear : &sum_along) += splits[k].slope;
		add_row(rows, along, study->a->kinds[k], splits[k].slope);
		add_row(rows, "slower at any concurrency", study->a->kinds[k], splits[k].general);
	}
	free(splits);
	struct result *result = explain_rows_finish(
	    rows, explain, "Extra run time of matched tasks and how many ran at once", a_ns, b_ns,
	    0);
	matching_note(study->matching, study->a->is_tasks && study->b->is_tasks ? "tasks" : "spans",
	              explain->a->name, explain->b->name, result);
	note_domains(study, result);
	note_sentence(study, explain, sum_along, sum_unclear, b_ns - a_ns, result);
	return result;
}

static struct result *
compute_contention(struct explain *explain, const char *const *arguments, struct err *err)
{
	(void)arguments;
	struct study study;
	struct result *result = NULL;
	if (study_open(&study, explain, err) == 0) {
		result = make_result(&study, explain);
	}
	study_close(&study);
	return result;
}

static const struct result_column fit_columns[] = {
    COLUMN_KEY("kind", "kind of task; (all) is one line through all"),
    COLUMN_KEY("domain", "where tasks that run at once are counted"),
    COLUMN("n", KIND_COUNT, "matched pairs that take time"),
    COLUMN("model", KIND_TEXT, "terms that the data ask for"),
    COLUMN_MEASURE("slope", KIND_REAL, "1: twice as many at once, twice as long"),
    COLUMN_MEASURE("general", KIND_REAL, "ratio of durations where concurrency is the same"),
    COLUMN_MEASURE("r2", KIND_REAL, "share of the variation that the line explains",
                   .better = BETTER_HIGHER),
    COLUMN("spread", KIND_REAL, "standard deviation of log(concurrency b / a)"),
};
enum { KIND, DOMAIN, N, MODEL, SLOPE, GENERAL, R2, SPREAD, FIT_COLUMNS };

static void
add_fit(struct result *result, struct slice kind, int domain, const struct contention_line *line)
{
	static const char *const shapes[] = {"none", "general", "concurrency", "both", "unclear"};
	struct value *row = result_add_row(result);
	row[KIND] = value_text(result, kind);
	row[DOMAIN] =
	    value_text(result, slice_of(contention_domain_name((enum contention_domain)domain)));
	row[N] = value_integer((int64_t)line->n);
	row[MODEL] = value_word(result, shapes[line->shape]);
	row[SLOPE] = value_real(line->slope);
	row[GENERAL] = value_real(exp(line->general));
	if (line->squares_around_mean > 0) {
		row[R2] = value_real(fmax(0, 1 - line->squares / line->squares_around_mean));
	}
	row[SPREAD] = value_real(line->spread);
}

static struct result *
compute_contention_fit(struct explain *explain, const char *const *arguments, struct err *err)
{
	(void)arguments;
	struct study study;
	struct result *result = NULL;
	if (study_open(&study, explain, err) == 0) {
		result =
		    result_new("Duration against concurrency, by kind", fit_columns, FIT_COLUMNS);
		for (int d = 0; d < DOMAINS; d++) {
			add_fit(result, slice_of("(all)"), d, &study.models[d].pooled);
		}
		for (size_t k = 0; k < study.a->n_kinds; k++) {
			for (int d = 0; d < DOMAINS && study.models[d].kinds[k].n > 0; d++) {
				add_fit(result, study.a->kinds[k], d, &study.models[d].kinds[k]);
			}
		}
		note_domains(&study, result);
	}
	study_close(&study);
	return result;
}

#define ABOUT_FIT                                                                                  \
	"Concurrency of a task is the mean number of tasks that ran in its lane, on its host or "  \
	"anywhere while it did. The log ratio of the durations of a pair is fitted by the log "    \
	"ratio "                                                                                   \
	"of its concurrency, by kind, with the terms that the data ask for: a slope, and a "       \
	"general "                                                                                 \
	"term for what is slower at any concurrency. "

const struct explain_part explain_contention = {
    .name = "contention",
    .title = "Extra run time of matched tasks and how many ran at once",
    .about =
	ABOUT_FIT "The domain (lane, host, all lanes) whose lines leave least is taken. The extra "
		  "run time of matched tasks is split into what "
		  "the slope says, what the general term says, and the residual. Where concurrency "
		  "hardly varies, or changed alike for all, the result is called weak: "
		  "a slower machine would look the same. Within one run durations say little about "
		  "contention, as a busy run is "
		  "always busy, so only pairs between runs are used. Accounting, not a cause.",
    .adds_up = true,
    .needs = "spans",
    .drill = {"matched-tasks", "kind=kind"},
    .spans = "category='task' arg.kind=kind",
    .compute = compute_contention,
};

const struct explain_part explain_contention_fit = {
    .name = "contention-fit",
    .title = "Duration against concurrency, by kind",
    .about = ABOUT_FIT "A row a kind and domain, and for all kinds together.",
    .needs = "spans",
    .compute = compute_contention_fit,
};
