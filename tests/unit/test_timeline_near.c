/* What is shown around a span or an instant. */
#include "config.h"

#include "query/timeline/timeline_near.h"
#include "tests/unit/unit.h"

#define RUN 1000000

static void
check(struct surroundings around, int64_t from, int64_t to)
{
	int64_t got_from, got_to;

	around.duration_ns = RUN;
	timeline_surround(&around, &got_from, &got_to);
	ck_assert_int_eq(got_from, from);
	ck_assert_int_eq(got_to, to);
}

#define ALONE .parent_end_ns = -1, .before_ns = -1, .after_ns = -1

START_TEST(a_span_is_shown_in_its_parent)
{
	check((struct surroundings){5000, 5010, 4900, 5100, -1, -1, 0}, 4890, 5110);
	check((struct surroundings){5000, 5010, 4500, 5500, 4990, 5020, 0}, 4450, 5550);
	/* too far away: the neighbours are nearer */
	check((struct surroundings){5000, 5010, 0, RUN, 4950, 5040, 0}, 4950, 5040);
}
END_TEST

START_TEST(a_span_is_shown_among_its_neighbours)
{
	check((struct surroundings){5000, 5010, ALONE}, 4960, 5050);
	check((struct surroundings){5000, 5010, 0, -1, 4999, 5011, 0}, 4960, 5050);
	check((struct surroundings){5000, 5010, 0, -1, 0, RUN, 0}, 4505, 5505);
	check((struct surroundings){0, 10, ALONE}, 0, 50);
	check((struct surroundings){RUN - 10, RUN, ALONE}, RUN - 50, RUN);
	check((struct surroundings){0, INT64_MAX, ALONE}, 0, RUN);
}
END_TEST

START_TEST(an_instant_is_shown_among_its_neighbours)
{
	check((struct surroundings){5000, 5000, 0, -1, 4000, 7000, 0}, 3699, 7301);
	check((struct surroundings){5000, 5000, 4900, 5100, -1, -1, 0}, 4890, 5110);
	check((struct surroundings){500000, 500000, ALONE}, 490000, 510001);
	check((struct surroundings){0, 0, ALONE}, 0, 10001);
	check((struct surroundings){2 * RUN, 2 * RUN, ALONE}, 2 * RUN - 10000, 2 * RUN - 9999);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("timeline_near");
	TCase *tests = tcase_create("timeline_near");

	tcase_add_test(tests, a_span_is_shown_in_its_parent);
	tcase_add_test(tests, a_span_is_shown_among_its_neighbours);
	tcase_add_test(tests, an_instant_is_shown_among_its_neighbours);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
