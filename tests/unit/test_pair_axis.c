/* Two runs on one axis: lanes matched, times aligned, shares of any stretch. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ui/timeline/pair_axis.h"
#include "unit/unit.h"

static struct timeline_row
lane(const char *name, int64_t busy_ns)
{
	return (struct timeline_row){
	    .type = TIMELINE_LANE, .name = slice_of(name), .busy_ns = busy_ns};
}

START_TEST(lanes_match_by_name_then_by_rank)
{
	struct timeline_row a[] = {lane("x", 1), lane("only a", 9), lane("y", 5), lane("less", 2)};
	struct timeline_row b[] = {lane("y", 5), lane("only b", 3), lane("x", 7)};
	struct timeline ta = {.rows = a, .n_rows = 4, .n_lanes = 4};
	struct timeline tb = {.rows = b, .n_rows = 3, .n_lanes = 3};
	size_t n;
	struct pair_rows *pairs = pair_match(&ta, &tb, true, &n);

	ck_assert_uint_eq(n, 4);
	ck_assert_uint_eq(pairs[0].row[0], 0);
	ck_assert_uint_eq(pairs[0].row[1], 2);
	ck_assert_uint_eq(pairs[1].row[0], 2);
	ck_assert_uint_eq(pairs[1].row[1], 0);
	ck_assert_uint_eq(pairs[2].row[0], 1); /* the busiest of those left */
	ck_assert_uint_eq(pairs[2].row[1], 1);
	ck_assert_uint_eq(pairs[3].row[0], 3);
	ck_assert_uint_eq(pairs[3].row[1], PAIR_NONE);
	free(pairs);
}
END_TEST

START_TEST(equal_names_match_in_order)
{
	struct timeline_row a[] = {lane("x", 1), lane("x", 2)}, b[] = {lane("x", 3), lane("x", 4)};
	struct timeline ta = {.rows = a, .n_rows = 2, .n_lanes = 2};
	struct timeline tb = {.rows = b, .n_rows = 2, .n_lanes = 2};
	size_t n;
	struct pair_rows *pairs = pair_match(&ta, &tb, true, &n);

	ck_assert_uint_eq(n, 2);
	ck_assert_uint_eq(pairs[1].row[0], 1);
	ck_assert_uint_eq(pairs[1].row[1], 1);
	free(pairs);
}
END_TEST

START_TEST(times_align)
{
	struct pair_axis axis = {ALIGN_START, {1000, 400}, {300, 100}};

	ck_assert_int_eq(pair_axis_length(&axis), 1000);
	ck_assert(pair_axis_time(&axis, 1, 50) == 50);
	axis.alignment = ALIGN_SCALED;
	ck_assert(pair_axis_time(&axis, 0, 1000) == 1000);
	ck_assert(pair_axis_time(&axis, 1, 1000) == 400);
	axis.alignment = ALIGN_ANCHOR;
	ck_assert_int_eq(pair_axis_length(&axis), 1000);
	ck_assert(pair_axis_time(&axis, 0, 300) == 300);
	ck_assert(pair_axis_time(&axis, 1, 300) == 100);
	ck_assert(pair_axis_time(&axis, 1, 0) == -200);
}
END_TEST

/* However the stretch lies on the cells, the shares of all stretches add up to the busy time. */
START_TEST(shares_add_up)
{
	struct timeline_row row = lane("x", 0);
	struct timeline timeline = {.rows = &row, .n_rows = 1, .duration_ns = 100};
	struct tile_cell cells[10];
	struct timeline_line line = {0, -1};
	struct timeline_track track = {.cells = cells};
	struct timeline_window window = {
	    .cell_ns = 10, .n_cells = 10, .n_lines = 1, .lines = &line, .tracks = &track};
	double busy = 0;

	for (int i = 0; i < 10; i++) {
		cells[i] = (struct tile_cell){.busy_ns = i};
		busy += i;
	}
	for (double step = 0.7; step < 120; step *= 1.7) {
		double sum = 0, share;

		for (double at = 0; at < 100; at += step) {
			double to = at + step < 100 ? at + step : 100;

			ck_assert(pair_share(&window, &timeline, 0, at, to, &share, NULL));
			sum += share * (to - at);
		}
		ck_assert(sum > busy - 1e-6 && sum < busy + 1e-6);
	}
	double share;
	ck_assert(!pair_share(&window, &timeline, 0, 100, 110, &share, NULL));
	ck_assert(!pair_share(&window, &timeline, 0, -10, 0, &share, NULL));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("pair_axis");
	TCase *tests = tcase_create("pair_axis");

	tcase_add_test(tests, lanes_match_by_name_then_by_rank);
	tcase_add_test(tests, equal_names_match_in_order);
	tcase_add_test(tests, times_align);
	tcase_add_test(tests, shares_add_up);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
