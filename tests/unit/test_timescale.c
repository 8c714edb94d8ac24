/* The timeline's window: always inside the run, always on whole cells, the cursor's time kept by
 * zooming. */
#include "config.h"

#include "tests/unit/unit.h"
#include "ui/base/timescale.h"
#include "util/prng.h"

#define MINUTE_NS INT64_C(60000000000)
#define HOUR_NS (60 * MINUTE_NS)
#define DAY_NS (24 * HOUR_NS)

static void
check_inside(const struct timescale *scale)
{
	ck_assert_int_ge(scale->start_ns, 0);
	ck_assert(scale->start_ns % scale->cell_ns == 0);
	ck_assert(scale->start_ns < scale->duration_ns || scale->start_ns == 0);
	ck_assert_int_ge(scale->cursor, 0);
	ck_assert_int_lt(scale->cursor, scale->columns);
}

START_TEST(fitting_shows_the_whole_run)
{
	struct timescale scale = {.duration_ns = 1000, .cell_ns = 1, .columns = 70};

	timescale_set_cell(&scale, timescale_fit_ns(&scale));
	ck_assert_int_eq(scale.start_ns, 0);
	ck_assert(timescale_time(&scale, scale.columns) >= scale.duration_ns);
}
END_TEST

START_TEST(zooming_keeps_the_time_under_the_cursor)
{
	struct timescale scale = {
	    .duration_ns = 1000000, .cell_ns = 10000, .columns = 100, .cursor = 60};
	int64_t before = timescale_time(&scale, scale.cursor);

	timescale_set_cell(&scale, 1000);
	ck_assert_int_eq(timescale_time(&scale, scale.cursor), before);
	ck_assert_int_eq(scale.cursor, 60);
	timescale_set_cell(&scale, 10000);
	ck_assert_int_eq(timescale_time(&scale, scale.cursor), before);
	check_inside(&scale);
}
END_TEST

START_TEST(at_the_ends_of_the_run_the_cursor_moves_instead)
{
	struct timescale scale = {.duration_ns = 1000, .cell_ns = 1, .columns = 100};

	ck_assert(!timescale_pan_or_move(&scale, -25));
	ck_assert_int_eq(scale.cursor, 0);
	ck_assert(timescale_pan_or_move(&scale, 25));
	ck_assert_int_eq(scale.start_ns, 25);
	ck_assert_int_eq(scale.cursor, 0);
	timescale_pan(&scale, 10000);
	ck_assert(!timescale_pan_or_move(&scale, 25));
	ck_assert(!timescale_pan_or_move(&scale, 25));
	ck_assert_int_eq(scale.start_ns, 900);
	ck_assert_int_eq(scale.cursor, 2);
	scale = (struct timescale){.duration_ns = 21, .cell_ns = 10, .columns = 100};
	for (int i = 0; i < 200; i++) {
		ck_assert(!timescale_pan_or_move(&scale, 25)); /* not beyond the run */
	}
	ck_assert_int_eq(scale.cursor, 2);
	scale = (struct timescale){.duration_ns = 1000, .cell_ns = 10, .columns = 100};
	for (int i = 0; i < 200; i++) {
		ck_assert(!timescale_pan_or_move(&scale, 25));
	}
	ck_assert_int_eq(scale.cursor, 99);
	ck_assert(!timescale_pan_or_move(&scale, -25));
	ck_assert_int_eq(scale.cursor, 98);
	ck_assert_int_eq(scale.start_ns, 0);
}
END_TEST

START_TEST(panning_stops_at_both_ends)
{
	struct timescale scale = {.duration_ns = 1000, .cell_ns = 5, .columns = 40};

	timescale_pan(&scale, INT64_MIN / 2);
	ck_assert_int_eq(scale.start_ns, 0);
	timescale_pan(&scale, INT64_MAX / 2);
	ck_assert_int_eq(timescale_time(&scale, scale.columns), 1000);
	timescale_move(&scale, -1000);
	ck_assert_int_eq(scale.cursor, 0);
	ck_assert_int_eq(scale.start_ns, 0);
}
END_TEST

START_TEST(the_last_window_holds_the_end)
{
	struct timescale scale = {.duration_ns = 1001, .cell_ns = 5, .columns = 40};

	timescale_pan(&scale, INT64_MAX / 2); /* its last cell is not whole */
	ck_assert_int_eq(scale.start_ns, 805);
	timescale_move(&scale, 39);
	ck_assert_int_eq(scale.cursor, 39);
	timescale_move(&scale, 1);
	ck_assert_int_eq(scale.cursor, 39);
	timescale_pan(&scale, -100);
	ck_assert_int_eq(scale.start_ns, 305);
	timescale_move(&scale, 3); /* beyond the right edge: the window goes along */
	ck_assert_int_eq(scale.start_ns, 320);
	ck_assert_int_eq(scale.cursor, 39);
	timescale_move(&scale, -42);
	ck_assert_int_eq(scale.start_ns, 305);
	ck_assert_int_eq(scale.cursor, 0);
}
END_TEST

START_TEST(a_time_is_shown_in_its_column)
{
	struct timescale scale = {.duration_ns = 1000, .cell_ns = 5, .columns = 40};

	timescale_show(&scale, 500, 10);
	ck_assert_int_eq(scale.start_ns, 450);
	ck_assert_int_eq(scale.cursor, 10);
	ck_assert_int_eq(timescale_column(&scale, 500), 10);
	ck_assert_int_eq(timescale_column(&scale, 449), -1);
	ck_assert_int_eq(timescale_column(&scale, 450), 0);
	ck_assert_int_eq(timescale_column(&scale, 649), 39);
	ck_assert_int_eq(timescale_column(&scale, 650), 40); /* right of it */
	timescale_show(&scale, 20, 10);                      /* the run begins four cells before */
	ck_assert_int_eq(scale.start_ns, 0);
	ck_assert_int_eq(scale.cursor, 4);
	timescale_show(&scale, -5, 10);
	ck_assert_int_eq(scale.cursor, 0);
	timescale_show(&scale, 990, 10); /* and here it ends */
	ck_assert_int_eq(scale.start_ns, 800);
	ck_assert_int_eq(scale.cursor, 38);
	timescale_show(&scale, 5000, 10);
	ck_assert_int_eq(scale.start_ns, 800);
	ck_assert_int_eq(scale.cursor, 39);
}
END_TEST

START_TEST(ruler_steps_are_round)
{
	struct timescale scale = {.duration_ns = INT64_MAX, .cell_ns = 1, .columns = 40};

	for (int64_t cell = 1; cell < INT64_MAX / 1000; cell = cell * 3 + 1) {
		int64_t step;

		scale.cell_ns = cell;
		step = timescale_ruler_ns(&scale, 12);
		ck_assert(step / cell >= 12);
		if (step >= MINUTE_NS / 2 && step <= 14400 * MINUTE_NS) { /* up to ten days */
			ck_assert_int_eq(step % (MINUTE_NS / 2), 0);
			ck_assert(HOUR_NS % step == 0 || DAY_NS % step == 0 || step % DAY_NS == 0);
			continue;
		}
		while (step % 10 == 0) {
			step /= 10;
		}
		ck_assert(step == 1 || step == 2 || step == 5);
	}
}
END_TEST

START_TEST(no_sequence_of_moves_leaves_the_run)
{
	struct prng prng = {11};

	for (int round = 0; round < 200; round++) {
		struct timescale scale = {
		    1 + (int64_t)(prng_next(&prng) >> (1 + prng_below(&prng, 60))), 0, 1,
		    1 + (int)prng_below(&prng, 300), 0};

		timescale_set_cell(&scale, timescale_fit_ns(&scale));
		for (int i = 0; i < 200; i++) {
			switch (prng_below(&prng, 4)) {
			case 0:
				timescale_pan(&scale, (int64_t)prng_below(&prng, 1000) - 500);
				break;
			case 1:
				timescale_move(&scale, (int64_t)prng_below(&prng, 1000) - 500);
				break;
			case 2:
				timescale_resize(&scale, (int)prng_below(&prng, 300));
				break;
			default:
				timescale_set_cell(&scale, prng_below(&prng, 2)
				                               ? scale.cell_ns / 2
				                               : timescale_fit_ns(&scale));
			}
			check_inside(&scale);
		}
	}
}
END_TEST

START_TEST(each_ruler_step_is_the_first_with_room)
{
	static const struct {
		int64_t cell_ns, step_ns;
	} cases[] = {
	    {1, 20}, /* 12 cells and more */
	    {100, 2000},
	    {166, 2000},
	    {167, 5000},
	    {1000000000, 20000000000}, /* 12 s */
	    {1666666666, 20000000000}, /* 19.99 s */
	    {1700000000, 30000000000}, /* 20.4 s: from here on as clocks have it */
	    {2500000000, 30000000000}, /* 30 s */
	    {2500000001, MINUTE_NS},   /* more than that */
	    {10000000000, 2 * MINUTE_NS},
	    {20 * MINUTE_NS, 6 * HOUR_NS}, /* 4 h */
	    {20 * HOUR_NS, 10 * DAY_NS},
	    {30 * HOUR_NS, 2000000000000000}, /* 15 days, 1.3 M seconds: decimal again */
	};
	struct timescale scale = {.duration_ns = INT64_MAX, .columns = 40};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		scale.cell_ns = cases[i].cell_ns;
		ck_assert_msg(timescale_ruler_ns(&scale, 12) == cases[i].step_ns, "%zu: %lld", i,
		              (long long)timescale_ruler_ns(&scale, 12));
	}
	scale.cell_ns = INT64_MAX;
	ck_assert(timescale_ruler_ns(&scale, 12) >= INT64_MAX / 2);
}
END_TEST

START_TEST(windows_settle_on_whole_cells)
{
	struct timescale scale = {.duration_ns = 1000, .cell_ns = 10, .columns = 40};

	timescale_show(&scale, 504, 10);
	ck_assert_int_eq(scale.start_ns, 400);
	timescale_set_cell(&scale, 0); /* never less than 1 ns */
	ck_assert_int_eq(scale.cell_ns, 1);
	ck_assert_int_eq(timescale_time(&scale, scale.cursor), 500);
	timescale_resize(&scale, 0);
	ck_assert_int_eq(scale.columns, 1);
	ck_assert_int_eq(scale.cursor, 0);
	timescale_resize(&scale, -3);
	ck_assert_int_eq(scale.columns, 1);
	scale.columns = 40;
	scale.cursor = -4;
	timescale_resize(&scale, 40);
	ck_assert_int_eq(scale.cursor, 0);
	ck_assert_int_eq(timescale_fit_ns(&scale), 25);
	scale.duration_ns = 1001;
	ck_assert_int_eq(timescale_fit_ns(&scale), 26);
	scale.duration_ns = 0;
	ck_assert_int_eq(timescale_fit_ns(&scale), 1);
	/* Wider than the run: it begins at 0, and the cursor is kept in the window. */
	scale = (struct timescale){
	    .start_ns = 90, .duration_ns = 100, .cell_ns = 1, .columns = 10, .cursor = 9};
	timescale_set_cell(&scale, 50);
	ck_assert_int_eq(scale.start_ns, 0);
	ck_assert_int_eq(scale.cursor, 9); /* two cells, over all columns */
}
END_TEST

START_TEST(windows_are_the_same_if_all_of_them_is)
{
	const struct timescale a = {.start_ns = 10, .cell_ns = 5, .columns = 40};
	struct timescale b = a;

	b.cursor = 7;
	b.duration_ns = 9;
	ck_assert(timescale_same_window(&a, &b));
	b.start_ns = 15;
	ck_assert(!timescale_same_window(&a, &b));
	b = a;
	b.cell_ns = 10;
	ck_assert(!timescale_same_window(&a, &b));
	b = a;
	b.columns = 41;
	ck_assert(!timescale_same_window(&a, &b));
}
END_TEST

START_TEST(time_saturates_at_the_ends_of_64_bits)
{
	struct timescale scale = {
	    .duration_ns = INT64_MAX, .cell_ns = INT64_MAX / 2, .columns = 3, .cursor = 2};

	ck_assert_int_eq(timescale_time(&scale, 2), INT64_MAX - 1);
	ck_assert_int_eq(timescale_time(&scale, 3), INT64_MAX);
	timescale_pan(&scale, -5);
	ck_assert_int_eq(scale.start_ns, 0);
	timescale_pan(&scale, 5);
	ck_assert_int_eq(scale.start_ns, 0);
	scale.columns = 1;
	timescale_pan(&scale, 1);
	ck_assert_int_eq(scale.start_ns, INT64_MAX / 2);
}
END_TEST

/* Columns and times are each other's inverse, in order, without gaps. */
static void
check_columns(const struct timescale *scale)
{
	for (int column = 0; column < scale->columns; column++) {
		int64_t from = timescale_time(scale, column);
		int64_t end = timescale_time(scale, column + 1);

		ck_assert_int_lt(from, end);
		ck_assert_int_eq(timescale_column(scale, from), column);
		ck_assert_int_eq(timescale_column(scale, end - 1), column);
	}
	ck_assert_int_eq(timescale_column(scale, scale->start_ns - 1), -1);
}

START_TEST(any_window_fills_its_columns)
{
	struct prng prng = {7};

	for (int round = 0; round < 3000; round++) {
		struct timescale scale = {.columns = 2 + (int)prng_below(&prng, 300), .cell_ns = 1};
		int64_t from, to;

		scale.duration_ns =
		    scale.columns + (int64_t)(prng_next(&prng) >> (2 + prng_below(&prng, 60)));
		timescale_set_cell(&scale, timescale_fit_ns(&scale));
		check_columns(&scale);
		ck_assert_int_eq(timescale_column(&scale, 0), 0);
		ck_assert_int_eq(timescale_column(&scale, scale.duration_ns - 1),
		                 scale.columns - 1);
		ck_assert_int_eq(timescale_column(&scale, scale.duration_ns), scale.columns - 1);
		from = (int64_t)prng_below(&prng, (uint64_t)scale.duration_ns);
		to = from + 1 + (int64_t)prng_below(&prng, (uint64_t)(scale.duration_ns - from));
		scale.cell_ns = timescale_cell_for(&scale, from, to);
		timescale_show(&scale, from, 0);
		check_columns(&scale);
		ck_assert_int_ge(timescale_column(&scale, from), 0);
		ck_assert_int_lt(timescale_column(&scale, to - 1), scale.columns);
		ck_assert_int_ge(timescale_time(&scale, scale.columns), to);
		/* at most a cell at either end is not asked for, or what must be shown of the
		 * run */
		if (timescale_time(&scale, scale.columns) < scale.duration_ns) {
			ck_assert_int_le(timescale_column(&scale, from), 1);
		}
		ck_assert_int_le(timescale_cells(&scale), scale.columns);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("timescale");
	TCase *tests = tcase_create("timescale");

	tcase_add_test(tests, fitting_shows_the_whole_run);
	tcase_add_test(tests, zooming_keeps_the_time_under_the_cursor);
	tcase_add_test(tests, at_the_ends_of_the_run_the_cursor_moves_instead);
	tcase_add_test(tests, panning_stops_at_both_ends);
	tcase_add_test(tests, the_last_window_holds_the_end);
	tcase_add_test(tests, a_time_is_shown_in_its_column);
	tcase_add_test(tests, ruler_steps_are_round);
	tcase_add_test(tests, no_sequence_of_moves_leaves_the_run);
	tcase_add_test(tests, each_ruler_step_is_the_first_with_room);
	tcase_add_test(tests, windows_settle_on_whole_cells);
	tcase_add_test(tests, windows_are_the_same_if_all_of_them_is);
	tcase_add_test(tests, time_saturates_at_the_ends_of_64_bits);
	tcase_add_test(tests, any_window_fills_its_columns);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
