/* Sorting by digits: in order, stable, whatever digits the keys have in common. */
#include "config.h"

#include "unit.h"
#include "util/mem.h"
#include "util/prng.h"
#include "util/radix.h"

START_TEST(sorts_stably)
{
	struct prng prng = {11};

	for (size_t n = 0; n < 3000; n = n * 2 + 1) {
		struct radix_item *items = xcalloc(2 * n + 1, sizeof *items);
		uint64_t mask = prng_next(&prng) & prng_next(&prng),
			 fixed = prng_next(&prng) & ~mask;

		for (size_t i = 0; i < n; i++) {
			items[i].key = (prng_next(&prng) & mask) | fixed;
			items[i].key = prng_below(&prng, 3) ? items[i].key : fixed;
			items[i].index = (uint32_t)i;
		}
		const struct radix_item *sorted = radix_sort(items, items + n, n);
		for (size_t i = 1; i < n; i++) {
			bool is_same = sorted[i - 1].key == sorted[i].key;
			ck_assert_uint_le(sorted[i - 1].key, sorted[i].key);
			ck_assert(!is_same || sorted[i - 1].index < sorted[i].index);
		}
		free(items);
	}
}
END_TEST

START_TEST(keys_are_ordered_as_their_numbers)
{
	ck_assert_uint_eq(radix_key(INT64_MIN), 0);
	ck_assert_uint_lt(radix_key(-1), radix_key(0));
	ck_assert_uint_eq(radix_key(INT64_MAX), UINT64_MAX);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("radix");
	TCase *tcase = tcase_create("radix");

	tcase_add_test(tcase, sorts_stably);
	tcase_add_test(tcase, keys_are_ordered_as_their_numbers);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
