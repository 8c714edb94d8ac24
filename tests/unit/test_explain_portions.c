/* Portions: the smallest slices that explain log ratios, and none where there is only noise. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/verdict/portions.h"
#include "unit.h"
#include "util/mem.h"
#include "util/prng.h"

enum { KINDS = 4, LANES = 6, HOSTS = 3, ITEMS = 360 };
static const uint32_t n_codes[PORTION_ATTRIBUTES] = {KINDS, LANES, HOSTS};

/* Nearly normal: the sum of twelve equal chances. */
static double
normal(struct prng *prng)
{
	double sum = -6;
	for (int i = 0; i < 12; i++) {
		sum += (double)prng_below(prng, 1 << 20) / (1 << 20);
	}
	return sum;
}

/* Items of all kinds on all lanes, one a microsecond, with noise alone. */
static void
fill(struct portion_item *items, size_t n, double noise, uint64_t seed)
{
	struct prng prng = {seed};
	for (size_t i = 0; i < n; i++) {
		uint32_t lane = (uint32_t)prng_below(&prng, LANES);
		items[i] = (struct portion_item){
		    .ratio = noise * normal(&prng),
		    .at_ns = (int64_t)i * 1000,
		    .unit = (uint32_t)i,
		    .code = {(uint32_t)prng_below(&prng, KINDS), lane, lane / 2}};
	}
}

static struct portions
find(struct portion_item *items, size_t n)
{
	struct portions portions;
	struct err err = ERR_INIT;
	ck_assert_int_eq(portions_find(items, n, n_codes, 0.01, true, &portions, NULL, &err), 0);
	return portions;
}

struct change {
	uint32_t code[PORTION_ATTRIBUTES];
	int64_t from_ns, until_ns;
	double by;
};
#define ANY PORTION_ANY
#define EVER INT64_MIN, INT64_MAX

static void
change(struct portion_item *items, size_t n, const struct change *change)
{
	const struct portion portion = {.code = {change->code[0], change->code[1], change->code[2]},
	                                .from_ns = change->from_ns,
	                                .until_ns = change->until_ns,
	                                .item = PORTION_ANY};
	for (size_t i = 0; i < n; i++) {
		items[i].ratio += portion_holds(&portion, items, i) ? change->by : 0;
	}
}

static const struct change changes[] = {
    {{ANY, ANY, ANY}, EVER, 0.1},
    {{2, ANY, ANY}, EVER, 0.3},
    {{2, ANY, ANY}, EVER, -0.3},
    {{ANY, 4, ANY}, EVER, 0.2},
    {{ANY, ANY, 1}, EVER, 0.2},
    {{1, 3, ANY}, EVER, 0.5},
    {{3, ANY, 2}, EVER, 0.4},
    {{ANY, ANY, ANY}, 180000, INT64_MAX, 0.2},
    {{ANY, ANY, ANY}, INT64_MIN, 90000, -0.2},
    {{ANY, 5, ANY}, 200000, INT64_MAX, 0.6},
};

START_TEST(one_change_is_one_portion)
{
	struct portion_item items[ITEMS];
	const struct change *made = &changes[_i];
	fill(items, ITEMS, 0.03, 5 + (uint64_t)_i);
	change(items, ITEMS, made);
	struct portions portions = find(items, ITEMS);
	ck_assert_uint_eq(portions.n, 1);
	const struct portion *found = &portions.found[0];
	ck_assert_int_eq(memcmp(found->code, made->code, sizeof found->code), 0);
	ck_assert_uint_eq(found->item, PORTION_ANY);
	ck_assert(fabs(found->effect - made->by) < 4 * found->error);
	ck_assert(found->error > 0 && found->error < 0.03);
	ck_assert(found->chance < 0.001);
	ck_assert(fabs(portions.noise - 0.03) < 0.006);
	bool begins = made->from_ns != INT64_MIN, ends = made->until_ns != INT64_MAX;
	ck_assert(begins ? llabs(found->from_ns - made->from_ns) < 12000
	                 : found->from_ns == INT64_MIN);
	ck_assert(ends ? llabs(found->until_ns - made->until_ns) < 12000
	               : found->until_ns == INT64_MAX);
}
END_TEST

/* Four of four that take 1.6 times as long are no chance. */
START_TEST(few_are_enough)
{
	struct portion_item items[ITEMS];
	fill(items, ITEMS, 0.02, 9);
	for (size_t i = 0, n = 0; i < ITEMS; i++) {
		items[i].code[PORTION_KIND] %= 3;
		if (i % 80 == 7 && n++ < 4) {
			items[i].code[PORTION_KIND] = 3;
			items[i].ratio += log(1.6);
		}
	}
	struct portions portions = find(items, ITEMS);
	ck_assert_uint_eq(portions.n, 1);
	ck_assert_uint_eq(portions.found[0].code[PORTION_KIND], 3);
	ck_assert_uint_eq(portions.found[0].n, 4);
	ck_assert(fabs(exp(portions.found[0].effect) - 1.6) < 0.05);
}
END_TEST

START_TEST(one_item_stands_apart)
{
	struct portion_item items[ITEMS];
	fill(items, ITEMS, 0.02, 10);
	items[100].ratio += 1.5;
	struct portions portions = find(items, ITEMS);
	ck_assert_uint_eq(portions.n, 1);
	ck_assert_uint_eq(portions.found[0].n, 1);
	ck_assert_uint_eq(items[portions.found[0].item].unit, 100);
	ck_assert(fabs(portions.found[0].effect - 1.5) < 0.1);
}
END_TEST

START_TEST(two_changes_are_two_portions)
{
	struct portion_item items[ITEMS];
	fill(items, ITEMS, 0.03, 11);
	change(items, ITEMS, &changes[1]);
	change(items, ITEMS, &changes[3]);
	struct portions portions = find(items, ITEMS);
	ck_assert_uint_eq(portions.n, 2);
	for (size_t p = 0; p < 2; p++) {
		const struct portion *found = &portions.found[p];
		bool is_kind = found->code[PORTION_KIND] == 2 && found->code[PORTION_LANE] == ANY;
		bool is_lane = found->code[PORTION_LANE] == 4 && found->code[PORTION_KIND] == ANY;
		ck_assert(is_kind || is_lane);
		ck_assert(fabs(found->effect - (is_kind ? 0.3 : 0.2)) < 0.03);
	}
	ck_assert_int_ne(
	    memcmp(portions.found[0].code, portions.found[1].code, sizeof portions.found[0].code),
	    0);
}
END_TEST

/* Of two hundred searches of noise two or three may name something. */
START_TEST(noise_is_no_portion)
{
	struct portion_item items[ITEMS];
	unsigned n_named = 0;
	for (uint64_t seed = 0; seed < 200; seed++) {
		size_t n = 20 + seed * 5 % 340;
		fill(items, n, 0.05, 1000 + seed);
		n_named += find(items, n).n > 0;
	}
	ck_assert_uint_le(n_named, 6);
}
END_TEST

/* With less to explain an answer costs less; equal items have an equal answer in any order. */
START_TEST(answers_can_be_compared)
{
	struct portion_item items[ITEMS], turned[ITEMS];
	fill(items, ITEMS, 0.03, 12);
	struct portions still = find(items, ITEMS);
	change(items, ITEMS, &changes[1]);
	for (size_t i = 0; i < ITEMS; i++) {
		turned[i] = items[ITEMS - 1 - i];
	}
	struct portions changed = find(items, ITEMS), same = find(turned, ITEMS);
	ck_assert(still.cost < changed.cost);
	ck_assert(changed.cost == same.cost);
	ck_assert(changed.found[0].effect == same.found[0].effect);
}
END_TEST

START_TEST(too_few_and_cancelled)
{
	struct portion_item items[ITEMS];
	struct portions portions;
	struct err err = ERR_INIT;
	struct cancel cancel = {0};
	fill(items, ITEMS, 0.03, 13);
	change(items, ITEMS, &changes[1]);
	ck_assert_uint_eq(find(items, 0).n, 0);
	ck_assert_uint_eq(find(items, 2).n, 0);
	cancel_request(&cancel);
	ck_assert_int_eq(portions_find(items, ITEMS, n_codes, 0.01, true, &portions, &cancel, &err),
	                 -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_portions");
	TCase *tcase = tcase_create("portions");
	tcase_add_loop_test(tcase, one_change_is_one_portion, 0, COUNT_OF(changes));
	tcase_add_test(tcase, few_are_enough);
	tcase_add_test(tcase, one_item_stands_apart);
	tcase_add_test(tcase, two_changes_are_two_portions);
	tcase_add_test(tcase, noise_is_no_portion);
	tcase_add_test(tcase, answers_can_be_compared);
	tcase_add_test(tcase, too_few_and_cancelled);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
