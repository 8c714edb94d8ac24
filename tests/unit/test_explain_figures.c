/* Figures of the models that explanations stand on, for small sets of values, one by one. */
#include "config.h"

#include "unit.h"

#include "answers.h"
#include "explain/model/apportion.h"
#include "explain/model/limit_test.h"
#include "explain/model/shapley.h"
#include "explain/model/statistics.h"
#include "util/quantile.h"
#include "util/student.h"
#include "explain/verdict/portions.h"

#define VALUES_MAX 44

/* Sets of values: few, many, with ties, of both signs. */
static size_t
values_of(unsigned set, double *values)
{
	static const size_t counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 12, 20, 21, VALUES_MAX};
	struct prng prng = {set * 7 + 1};
	size_t n = counts[set % COUNT_OF(counts)];
	uint64_t distinct = set % 5 < 2 ? 5 : 1000;
	for (size_t i = 0; i < n; i++) {
		double value = (double)prng_below(&prng, distinct) + (double)set / 4;
		values[i] = set % 5 == 4 ? -value : value;
	}
	return n;
}

static void
add_figures(struct strbuf *text, const char *name, const double *figures, size_t n)
{
	strbuf_add_text(text, name);
	for (size_t i = 0; i < n; i++) {
		strbuf_printf(text, " %.6g", figures[i]);
	}
	strbuf_add_char(text, '\n');
}

START_TEST(of_one_set)
{
	struct strbuf text = {0};
	strbuf_add_text(&text, "== statistics of one set\n");
	for (unsigned set = 0; set < 24; set++) {
		double values[VALUES_MAX], out[VALUES_MAX] = {0};
		size_t n = values_of(set, values);
		add_figures(&text, "values", values, n);
		statistics_ranks(values, n, out);
		add_figures(&text, "ranks", out, n);
		quantile_sort(values, n);
		for (int q = 0; q <= 10; q++) {
			out[q] = quantile_sorted(values, n, q / 10.0);
		}
		add_figures(&text, "quantiles", out, 11);
		for (size_t i = 0; i < n; i++) {
			out[i] = i % 7 == 3 ? NAN : fabs(values[i]) / 2000;
		}
		statistics_adjust(out, n);
		add_figures(&text, "adjusted", out, n);
		bool significant[VALUES_MAX];
		for (size_t i = 0; i < n; i++) {
			out[i] = pow(10, -(double)(i * 5 % (n + 1)) / 3);
		}
		double share = (double)limit_test_share(out, n, 0.05, significant);
		add_figures(&text, "significant", &share, 1);
		for (size_t i = 0; i < n; i++) {
			strbuf_add_char(&text, significant[i] ? '1' : '0');
		}
		strbuf_add_char(&text, '\n');
	}
	check_section("statistics of one set", &text);
}
END_TEST

START_TEST(of_two_sets)
{
	struct strbuf text = {0};
	strbuf_add_text(&text, "== statistics of two sets\n");
	for (unsigned set = 0; set < 36; set++) {
		double a[VALUES_MAX], b[VALUES_MAX], out[10], u = 0;
		size_t n_a = values_of(set, a), n_b = values_of(set * 5 + 3, b);
		size_t n = n_a < n_b ? n_a : n_b;
		strbuf_printf(&text, "%zu and %zu values\n", n_a, n_b);
		out[0] = statistics_rank_sum(a, n_a, b, n_b, &u);
		out[1] = u;
		out[2] = statistics_rank_above(a, n_a, b, n_b);
		add_figures(&text, "rank sum", out, 3);
		out[0] = statistics_correlation(a, b, n);
		out[1] = statistics_spearman(a, b, n);
		out[2] = statistics_kendall(a, b, n);
		out[3] = statistics_correlation_chance(a, b, n);
		add_figures(&text, "correlation", out, 4);
		if (n_a > 0 && n_b > 0) {
			struct student_groups groups = student_groups(a, n_a, b, n_b);
			const double said[] = {groups.mean_a,
			                       groups.mean_b,
			                       groups.squares,
			                       groups.degrees,
			                       groups.per_figure,
			                       student_error(&groups, 0, 0),
			                       student_error(&groups, 50, 4)};
			add_figures(&text, "groups", said, COUNT_OF(said));
			out[0] = limit_test(a, n_a, b, n_b, 0.05, false);
			out[1] = limit_test(a, n_a, b, n_b, 0.05, true);
			out[2] = limit_test(a, n_a, b, n_b, 0.5, false);
			out[3] = limit_test_can(n_a, n_b, 0.01);
			out[4] = limit_test_can(n_a, n_b, 0.3);
			add_figures(&text, "limit", out, 5);
		}
	}
	check_section("statistics of two sets", &text);
}
END_TEST

START_TEST(of_laws)
{
	struct strbuf text = {0};
	strbuf_add_text(&text, "== laws\n");
	for (int degrees = 0; degrees < 12; degrees++) {
		double out[16];
		for (int t = 0; t < 8; t++) {
			out[t] = student_chance((t - 2) * 0.8, degrees * 1.5);
			out[t + 8] = student_quantile(0.001 + 0.13 * t, degrees * 1.5);
		}
		add_figures(&text, "student", out, 16);
		for (size_t more = 0; more < 16; more++) {
			out[more] = statistics_sign_test((size_t)degrees * 7, more * more);
		}
		add_figures(&text, "signs", out, 16);
	}
	for (int level = 1; level < 12; level++) {
		double runs[] = {(double)limit_test_runs(pow(10, -level / 2.0)),
		                 limit_of(10 - 3 * level, 0.1 * level, false),
		                 limit_of(10 - 3 * level, 0.1 * level, true)};
		add_figures(&text, "runs", runs, 3);
	}
	check_section("laws", &text);
}
END_TEST

START_TEST(of_shares)
{
	struct strbuf text = {0};
	struct prng prng = {9};
	strbuf_add_text(&text, "== shares\n");
	for (int round = 0; round < 40; round++) {
		wide_int amounts[6];
		long double reals[6];
		int64_t values[16], whole[6], of_reals[6];
		double out[15];
		size_t n = 1 + (size_t)round % 6;
		for (size_t i = 0; i < n; i++) {
			amounts[i] = (wide_int)prng_below(&prng, 100) - 40;
			reals[i] = (long double)prng_below(&prng, 4000) / 8 - 200;
		}
		int64_t total = (int64_t)prng_below(&prng, 20) - 9 * (round % 2);
		apportion(amounts, n, 1 + round % 7, total, whole);
		apportion_reals(reals, n, total * 10, of_reals);
		for (size_t i = 0; i < n; i++) {
			out[i] = (double)whole[i];
			out[n + i] = (double)of_reals[i];
		}
		add_figures(&text, "apportioned", out, 2 * n);
		struct shapley_effect effects[4];
		unsigned factors = 1 + (unsigned)round % 4;
		for (size_t set = 0; set < (size_t)1 << factors; set++) {
			values[set] = (int64_t)prng_below(&prng, 1000) - 300;
		}
		shapley_effects(values, factors, effects);
		for (size_t f = 0; f < factors; f++) {
			out[3 * f] = (double)effects[f].mean;
			out[3 * f + 1] = (double)effects[f].low;
			out[3 * f + 2] = (double)effects[f].high;
		}
		add_figures(&text, "effects", out, 3 * (size_t)factors);
	}
	check_section("shares", &text);
}
END_TEST

/* ---- portions ---- */

enum { P_KINDS = 4, P_LANES = 6, P_HOSTS = 3, ITEMS_MAX = 400 };

struct planted { /* of a portion, by how much the log ratio is more */
	uint32_t code[PORTION_ATTRIBUTES];
	int64_t from_ns, until_ns;
	double by;
};
#define P_ANY PORTION_ANY
#define EVER INT64_MIN, INT64_MAX

static const struct planted_case {
	size_t n;
	double noise;
	size_t n_planted, n_single; /* so many items stand apart, by 1 */
	struct planted planted[3];
	size_t n_runs; /* an item in each */
	bool skewed;   /* most are of one kind */
} planted_cases[] = {
    {300, 0.03, 0, 0, {{{0}, 0, 0, 0}}, 1, false},
    {300, 0.03, 1, 0, {{{P_ANY, P_ANY, P_ANY}, EVER, 0.1}}, 1, false},
    {300, 0.03, 1, 0, {{{2, P_ANY, P_ANY}, EVER, -0.3}}, 1, true},
    {300, 0.03, 1, 0, {{{P_ANY, 4, P_ANY}, EVER, 0.2}}, 2, false},
    {300, 0.03, 1, 0, {{{P_ANY, P_ANY, 1}, EVER, 0.2}}, 1, false},
    {300, 0.03, 1, 0, {{{1, 3, P_ANY}, EVER, 0.5}}, 1, false},
    {300, 0.03, 1, 0, {{{3, P_ANY, 2}, EVER, 0.4}}, 3, false},
    {300, 0.03, 1, 0, {{{P_ANY, P_ANY, P_ANY}, 150000, INT64_MAX, 0.2}}, 1, false},
    {300, 0.03, 1, 0, {{{1, P_ANY, P_ANY}, INT64_MIN, 90000, -0.2}}, 1, false},
    {300, 0.03, 1, 0, {{{P_ANY, 5, P_ANY}, 200000, INT64_MAX, 0.6}}, 2, false},
    {300, 0.03, 1, 0, {{{P_ANY, P_ANY, 0}, INT64_MIN, 80000, 0.3}}, 1, true},
    {300, 0.03, 0, 1, {{{0}, 0, 0, 0}}, 1, false},
    {300, 0.03, 0, 3, {{{0}, 0, 0, 0}}, 2, false},
    {300, 0.03, 2, 0, {{{2, P_ANY, P_ANY}, EVER, 0.3}, {{P_ANY, 4, P_ANY}, EVER, 0.2}}, 1, false},
    {300,
     0.03,
     3,
     1,
     {{{2, P_ANY, P_ANY}, EVER, 0.3}, {{P_ANY, P_ANY, 0}, EVER, -0.2}, {{1, 2, P_ANY}, EVER, 0.5}},
     1,
     false},
    {300,
     0.03,
     2,
     0,
     {{{P_ANY, P_ANY, P_ANY}, EVER, 0.3}, {{2, P_ANY, P_ANY}, EVER, -0.3}},
     1,
     true},
    {300, 0, 1, 0, {{{0, P_ANY, P_ANY}, EVER, 0.01}}, 1, false},
    {300, 0.3, 1, 0, {{{0, P_ANY, P_ANY}, EVER, 0.2}}, 1, true},
    {300, 0.05, 1, 0, {{{0, P_ANY, P_ANY}, EVER, 0.03}}, 1, false},
    {40, 0.05, 1, 0, {{{0, P_ANY, P_ANY}, EVER, 0.2}}, 1, false},
    {24, 0.05, 1, 1, {{{P_ANY, 1, P_ANY}, EVER, 0.4}}, 1, false},
    {15, 0.02, 0, 1, {{{0}, 0, 0, 0}}, 1, false},
    {14, 0.02, 1, 0, {{{P_ANY, P_ANY, P_ANY}, EVER, 0.2}}, 1, false},
    {5, 0.02, 1, 0, {{{P_ANY, P_ANY, P_ANY}, EVER, 0.5}}, 1, false},
    {3, 0.001, 1, 0, {{{P_ANY, P_ANY, P_ANY}, EVER, 0.5}}, 1, false},
    {2, 0.001, 1, 0, {{{P_ANY, P_ANY, P_ANY}, EVER, 0.5}}, 1, false},
};

static void
plant(const struct planted_case *of, uint64_t seed, struct portion_item *items)
{
	struct prng prng = {seed};
	size_t n_units = of->n / of->n_runs;
	for (size_t i = 0; i < of->n; i++) {
		uint32_t lane = (uint32_t)prng_below(&prng, P_LANES);
		uint32_t kind = (uint32_t)prng_below(&prng, P_KINDS);
		kind = of->skewed && prng_below(&prng, 10) < 6 ? 0 : kind;
		items[i] = (struct portion_item){.ratio = log(vary(&prng, of->noise)),
		                                 .at_ns = (int64_t)(i * 7 % of->n) * 1000,
		                                 .unit = (uint32_t)(i % n_units),
		                                 .run = (uint32_t)(i / n_units),
		                                 .code = {kind, lane, lane / 2}};
		items[i].ratio += i % n_units >= 100 && i % n_units < 100 + of->n_single ? 1 : 0;
		items[i].ratio += of->n < 100 && i < of->n_single ? 1 : 0;
		for (size_t p = 0; p < of->n_planted; p++) {
			const struct planted *planted = &of->planted[p];
			bool is_in = items[i].at_ns >= planted->from_ns &&
			             items[i].at_ns < planted->until_ns;
			for (int a = 0; a < PORTION_ATTRIBUTES; a++) {
				is_in = is_in && (planted->code[a] == P_ANY ||
				                  planted->code[a] == items[i].code[a]);
			}
			items[i].ratio += is_in ? planted->by : 0;
		}
	}
}

static void
add_portions(struct strbuf *text, const struct portions *portions, const struct portion_item *items)
{
	strbuf_printf(text, "noise %.6g, cost %.6g\n", portions->noise, portions->cost);
	for (size_t p = 0; p < portions->n; p++) {
		const struct portion *portion = &portions->found[p];
		strbuf_printf(text, "portion of %zu:", portion->n);
		for (int a = 0; a < PORTION_ATTRIBUTES; a++) {
			strbuf_printf(text, " %d", (int)portion->code[a]);
		}
		strbuf_printf(
		    text, " from %.6g until %.6g item %d effect %.6g error %.6g chance %.6g\n",
		    (double)portion->from_ns, (double)portion->until_ns,
		    portion->item == P_ANY ? -1 : (int)items[portion->item].unit, portion->effect,
		    portion->error, portion->chance < 1e-200 ? 0 : portion->chance);
	}
}

START_TEST(of_portions)
{
	static const uint32_t n_codes[PORTION_ATTRIBUTES] = {P_KINDS, P_LANES, P_HOSTS};
	const struct planted_case *of = &planted_cases[_i];
	struct portion_item items[ITEMS_MAX];
	struct strbuf text = {0};
	char name[40];
	snprintf(name, sizeof name, "portions %d", _i);
	strbuf_printf(&text, "== %s\n", name);
	for (uint64_t seed = 1; seed < 4; seed++) {
		for (int windows = 0; windows < 2; windows++) {
			struct portions portions;
			struct err err = ERR_INIT;
			plant(of, seed * 100 + (uint64_t)_i, items);
			ck_assert_int_eq(portions_find(items, of->n, n_codes, 0.01, windows,
			                               &portions, NULL, &err),
			                 0);
			add_portions(&text, &portions, items);
		}
	}
	check_section(name, &text);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_figures");
	TCase *tcase = tcase_create("figures");
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, of_one_set);
	tcase_add_test(tcase, of_two_sets);
	tcase_add_test(tcase, of_laws);
	tcase_add_test(tcase, of_shares);
	tcase_add_loop_test(tcase, of_portions, 0, COUNT_OF(planted_cases));
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
