/* What comparison functions and binary searches are made of. */
#include "config.h"

#include <math.h>

#include "unit.h"
#include "util/order.h"

struct pair {
	unsigned first;
	int64_t second;
};

static int
compare(const struct pair *a, const struct pair *b)
{
	ORDER_BY(a->first, b->first);
	ORDER_BY(b->second, a->second);
	return 0;
}

START_TEST(one_number_after_another)
{
	ck_assert_int_eq(compare(&(struct pair){1, 5}, &(struct pair){2, 5}), -1);
	ck_assert_int_eq(compare(&(struct pair){2, 5}, &(struct pair){1, 5}), 1);
	ck_assert_int_eq(compare(&(struct pair){1, INT64_MAX}, &(struct pair){1, INT64_MIN}), -1);
	ck_assert_int_eq(compare(&(struct pair){1, INT64_MIN}, &(struct pair){1, INT64_MAX}), 1);
	ck_assert_int_eq(compare(&(struct pair){1, 5}, &(struct pair){1, 5}), 0);
}
END_TEST

START_TEST(how_x_stands_to_y)
{
	ck_assert_int_eq(ORDER(INT64_MIN, INT64_MAX), -1);
	ck_assert_int_eq(ORDER(UINT64_MAX, UINT64_C(1)), 1);
	ck_assert_int_eq(ORDER(0.0, -0.0), 0);
	ck_assert_int_eq(ORDER(1.0, (double)NAN), 0);
}
END_TEST

/* Each number of things, and each place among them, as counting finds it. */
START_TEST(the_first_that_is_not_before)
{
	static const int64_t sorted[] = {1, 3, 3, 3, 7, 8, 8, 20};

	for (size_t n = 0; n <= sizeof sorted / sizeof *sorted; n++) {
		for (size_t from = 0; from <= n; from++) {
			for (int64_t wanted = 0; wanted < 22; wanted++) {
				size_t low = from, counted = from;

				ORDER_FIND(low, n, at, sorted[at] < wanted);
				while (counted < n && sorted[counted] < wanted) {
					counted++;
				}
				ck_assert_uint_eq(low, counted);
			}
		}
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("order");
	TCase *tcase = tcase_create("order");

	tcase_add_test(tcase, one_number_after_another);
	tcase_add_test(tcase, how_x_stands_to_y);
	tcase_add_test(tcase, the_first_that_is_not_before);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
