/* Quotients by a reciprocal against the machine's. */
#include "config.h"

#include "unit.h"
#include "util/divisor.h"
#include "util/order.h"
#include "util/prng.h"

static int64_t
slow_floor(int64_t value, int64_t by)
{
	return value / by - (value % by < 0);
}

START_TEST(agrees_with_a_division)
{
	static const int64_t ends[] = {
	    0, 1, -1, 2, 1000, INT64_MAX, INT64_MIN, INT32_MAX, INT64_MAX - 1, INT64_MIN + 1};
	struct prng prng = {3};

	for (int round = 0; round < 20000; round++) {
		int64_t by = (int64_t)(prng_next(&prng) >> (1 + prng_below(&prng, 62)));
		struct divisor divisor = divisor_of(MOST(by, 1));
		int64_t multiple =
		    (int64_t)prng_below(&prng, (uint64_t)(INT64_MAX / divisor.by)) * divisor.by;
		int64_t values[] = {(int64_t)prng_next(&prng), multiple, multiple - 1, -multiple,
		                    ends[prng_below(&prng, sizeof ends / sizeof *ends)]};

		for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
			ck_assert_int_eq(divide_floor(divisor, values[i]),
			                 slow_floor(values[i], divisor.by));
		}
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("divisor");
	TCase *tcase = tcase_create("divisor");

	tcase_add_test(tcase, agrees_with_a_division);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
