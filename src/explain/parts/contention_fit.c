/*
 * How durations follow concurrency: log ratio of durations against log ratio of concurrency, by
 * kind.
 *
 * A line needs variation, and one pair of runs often has little: if in B everything runs beside
 * three others, all points lie at one place, and contention looks just like a slower machine. So a
 * line takes only the terms that the data ask for (|t| above T_MIN): a slope, if durations follow
 * concurrency from task to task; a general term, if they changed even where concurrency did not.
 * Where neither can be shown and yet durations changed, a rise of concurrency that is alike for
 * all stands for either: a slope through the origin (no more running, no slower), called unclear.
 *
 * Kinds differ in their slopes, and also in how many ran at once, so points of different kinds on
 * one line would show slopes that no kind has. What holds for all kinds is therefore asked of
 * their lines together: the slopes and general terms of the kinds, averaged with the weight of
 * their certainty. Kinds that can show nothing by themselves take the terms from there.
 */
#include "config.h"
#include "explain/parts/contention.h"

#include <math.h>
#include <stdlib.h>

#include "explain/model/statistics.h"
#include "util/mem.h"

#define T_MIN 2.6       /* about one in a hundred by chance */
#define SPREAD_MIN 0.05 /* of log ratios of concurrency: less cannot carry a slope */
#define SHIFT_MIN 0.1   /* of their mean: less cannot slow anything */
#define KIND_MIN 12     /* pairs for a kind to differ from the others */
#define LINE_MIN 4      /* pairs for any line */
#define VARIANCE_MIN 1e-12
#define R2_WEAK 0.25

static double
squares_left(const double *x, const double *y, size_t n, double general, double slope)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		double left = y[i] - general - slope * x[i];
		sum += left * left;
	}
	return sum;
}

static double
mean_of(const double *values, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		sum += values[i];
	}
	return n > 0 ? sum / (double)n : 0;
}

/* A term and how sure it is; weight 0: nothing is known. */
struct term {
	double value, weight; /* 1 / variance */
};

static bool
is_shown(struct term term)
{
	return term.weight > 0 && fabs(term.value) * sqrt(term.weight) > T_MIN;
}

struct terms {
	struct term slope, general;
	struct term change; /* of durations, whatever it goes along with */
	double shift;       /* mean log ratio of concurrency */
};

static struct terms
find_terms(const double *x, const double *y, size_t n)
{
	struct terms terms = {.shift = mean_of(x, n)};
	if (n < LINE_MIN) {
		return terms;
	}
	double count = (double)n, mean = mean_of(y, n);
	double around = squares_left(x, y, n, mean, 0) / (count - 1);
	terms.change = (struct term){mean, count / fmax(around, VARIANCE_MIN)};
	struct statistics_line line = statistics_fit(x, y, n);
	double xx = line.spread_x * line.spread_x * count;
	if (line.spread_x >= SPREAD_MIN) {
		double left = squares_left(x, y, n, line.intercept, line.slope);
		double variance = fmax(left / (count - 2), VARIANCE_MIN);
		terms.slope = (struct term){line.slope, xx / variance};
		terms.general = (struct term){
		    line.intercept, 1 / (variance * (1 / count + terms.shift * terms.shift / xx))};
	}
	return terms;
}

static enum contention_shape
choose_shape(const struct terms *terms)
{
	bool has_slope = is_shown(terms->slope), has_general = is_shown(terms->general);
	if (has_slope || has_general) {
		return has_slope && has_general ? CONTENTION_BOTH
		       : has_slope              ? CONTENTION_SLOPE
		                                : CONTENTION_GENERAL;
	}
	if (!is_shown(terms->change)) {
		return CONTENTION_NONE;
	}
	return fabs(terms->shift) >= SHIFT_MIN ? CONTENTION_UNCLEAR : CONTENTION_GENERAL;
}

/* The line of a shape through these points; slope: to be taken where the points have none to
 * offer. */
static struct contention_line
draw_line(const double *x, const double *y, size_t n, enum contention_shape shape, double slope)
{
	struct contention_line line = {.n = n, .shape = shape};
	struct statistics_line all = statistics_fit(x, y, n);
	double mean_x = mean_of(x, n), mean_y = mean_of(y, n);
	bool has_own = n >= KIND_MIN && all.spread_x >= SPREAD_MIN;
	line.spread = all.spread_x;
	line.squares_around_mean = squares_left(x, y, n, mean_y, 0);
	if (shape == CONTENTION_BOTH) {
		line.slope = has_own ? all.slope : slope;
		line.general = mean_y - line.slope * mean_x;
	} else if (shape == CONTENTION_GENERAL) {
		line.general = mean_y;
	} else if (shape == CONTENTION_SLOPE || shape == CONTENTION_UNCLEAR) {
		bool can = n >= LINE_MIN && (has_own || fabs(mean_x) >= SHIFT_MIN);
		line.slope = can ? statistics_fit_origin(x, y, n).slope : slope;
	}
	line.squares = squares_left(x, y, n, line.general, line.slope);
	return line;
}

static void
add_term(struct term *sum, struct term term)
{
	double weight = sum->weight + term.weight;
	if (weight > 0) {
		sum->value = (sum->value * sum->weight + term.value * term.weight) / weight;
		sum->weight = weight;
	}
}

struct points { /* kind by kind */
	double *x, *y;
	size_t *first; /* by kind, n_kinds + 1 */
};

static struct points
collect_points(const struct contention_pair *pairs, size_t n, size_t n_kinds,
               enum contention_domain domain)
{
	struct points points = {xcalloc(n, sizeof(double)), xcalloc(n, sizeof(double)),
	                        xcalloc(n_kinds + 2, sizeof(size_t))};
	size_t *next = points.first + 1; /* shifted by one, so that filling it leaves the starts */
	for (size_t i = 0; i < n; i++) {
		next[pairs[i].kind + 1]++;
	}
	for (size_t k = 0; k < n_kinds; k++) {
		next[k + 1] += next[k];
	}
	for (size_t i = 0; i < n; i++) {
		const struct contention_pair *pair = &pairs[i];
		size_t at = next[pair->kind]++;
		points.x[at] = log(pair->concurrency_b[domain] / pair->concurrency_a[domain]);
		points.y[at] = log((double)pair->b_ns / (double)pair->a_ns);
	}
	return points;
}

static void
weigh_concurrency(const struct contention_pair *pairs, size_t n, enum contention_domain domain,
                  struct contention_model *model)
{
	double sum_a = 0, sum_b = 0, weight_a = 0, weight_b = 0;
	for (size_t i = 0; i < n; i++) {
		sum_a += pairs[i].concurrency_a[domain] * (double)pairs[i].a_ns;
		sum_b += pairs[i].concurrency_b[domain] * (double)pairs[i].b_ns;
		weight_a += (double)pairs[i].a_ns;
		weight_b += (double)pairs[i].b_ns;
	}
	model->mean_a = weight_a > 0 ? sum_a / weight_a : 0;
	model->mean_b = weight_b > 0 ? sum_b / weight_b : 0;
}

/* What the kinds say together. */
static struct terms
combine_terms(const struct points *points, size_t n_kinds, size_t n)
{
	struct terms all = {.shift = mean_of(points->x, n)};
	for (size_t k = 0; k < n_kinds; k++) {
		size_t first = points->first[k];
		struct terms terms =
		    find_terms(points->x + first, points->y + first, points->first[k + 1] - first);
		add_term(&all.slope, terms.slope);
		add_term(&all.general, terms.general);
		add_term(&all.change, terms.change);
	}
	return all;
}

/* A kind that shows a term by itself has its own shape, also one that did not change; else that
 * of all. */
static enum contention_shape
shape_of_kind(const struct terms *terms, size_t n, enum contention_shape of_all)
{
	if (n >= KIND_MIN && (is_shown(terms->slope) || is_shown(terms->general))) {
		return choose_shape(terms);
	}
	if (n >= KIND_MIN && !is_shown(terms->change)) {
		return CONTENTION_NONE;
	}
	bool is_small = fabs(terms->shift) < SHIFT_MIN;
	return is_small && of_all == CONTENTION_UNCLEAR ? CONTENTION_GENERAL : of_all;
}

void
contention_model_fit(const struct contention_pair *pairs, size_t n, size_t n_kinds,
                     enum contention_domain domain, struct contention_model *model)
{
	struct points points = collect_points(pairs, n, n_kinds, domain);
	struct terms all = combine_terms(&points, n_kinds, n);
	double around_means = 0;
	bool is_unclear = false;
	*model = (struct contention_model){.kinds = xcalloc(n_kinds, sizeof *model->kinds)};
	model->pooled = draw_line(points.x, points.y, n, choose_shape(&all), all.slope.value);
	model->all_squares = squares_left(points.x, points.y, n, 0, 0);
	for (size_t k = 0; k < n_kinds; k++) {
		size_t first = points.first[k], n_kind = points.first[k + 1] - first;
		const double *x = points.x + first, *y = points.y + first;
		if (n_kind == 0) {
			continue;
		}
		struct terms terms = find_terms(x, y, n_kind);
		enum contention_shape shape = shape_of_kind(&terms, n_kind, model->pooled.shape);
		model->kinds[k] = draw_line(x, y, n_kind, shape, all.slope.value);
		is_unclear = is_unclear || shape == CONTENTION_UNCLEAR;
		model->squares += model->kinds[k].squares;
		around_means += model->kinds[k].squares_around_mean;
	}
	model->r2 = around_means > 0 ? fmax(0, 1 - model->squares / around_means) : 0;
	model->is_weak = is_unclear || model->r2 < R2_WEAK;
	weigh_concurrency(pairs, n, domain, model);
	free(points.x);
	free(points.y);
	free(points.first);
}

void
contention_model_fini(struct contention_model *model)
{
	free(model->kinds);
}
