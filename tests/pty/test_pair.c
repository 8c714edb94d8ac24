/* Two runs on one axis: alignment, coupled zoom, swapping, and where the view opens. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/pty/explore.h"
#include "tests/unit/unit.h"

/* A: four-workers (7.3 s), B: one-worker (17.8 s). */
static struct pty *
open_pair(int columns, int rows)
{
	struct pty *pty = explore(columns, rows, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	pty_send(pty, "AjB|");
	ck_assert(pty_wait(pty, "four-workers | one-worker > Timeline"));
	ck_assert(pty_wait(pty, "from start"));
	ck_assert(pty_wait(pty, "0 ns .. 17."));
	ck_assert(pty_wait(pty, "A   worker3"));
	return pty;
}

START_TEST(both_runs_stand_on_one_axis)
{
	struct pty *pty = open_pair(80, 24);

	ck_assert(pty_wait(pty, "A   worker0"));
	ck_assert(pty_wait(pty, "B   worker0"));
	pty_send(pty, "kko"); /* hosts alone: what is below both folds with either */
	ck_assert(pty_wait_gone(pty, "worker0"));
	pty_send(pty, "jo");
	ck_assert(pty_wait(pty, "worker0"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

/* From start, scaled to one length, at a span of the lane under the cursor, and around. */
START_TEST(runs_are_aligned_in_turn)
{
	struct pty *pty = open_pair(80, 24);

	pty_send(pty, "jj@");
	ck_assert(pty_wait(pty, "scaled  "));
	pty_send(pty, "LLL@");
	ck_assert(pty_wait(pty, "aligned at "));
	ck_assert(pty_wait(pty, "at a span"));
	pty_send(pty, "@");
	ck_assert(pty_wait(pty, "from start"));
	pty_send(pty, "gkkkk@@"); /* on a host: at a span of its first lane */
	ck_assert(pty_wait(pty, "aligned at "));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

/* The span that was selected in the timeline of A is what both are aligned at, until the cursor
 * moves. */
START_TEST(runs_are_aligned_at_the_selected_span)
{
	struct pty *pty = explore(100, 30, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	pty_send(pty, "AjBkT");
	ck_assert(pty_wait(pty, "0 ns .. 7.2"));
	ck_assert(pty_wait(pty, "worker0"));
	pty_send(pty, "/efi\r");
	ck_assert(pty_wait(pty, "'efi': 1 of 4"));
	pty_send(pty, "|");
	ck_assert(pty_wait(pty, "four-workers | one-worker > Timeline"));
	ck_assert(pty_wait(pty, "from start")); /* both are there */
	pty_send(pty, "@@");
	ck_assert(pty_wait(pty, "aligned at efi:"));
	pty_send(pty, "@");
	ck_assert(pty_wait(pty, "from start"));
	ck_assert(pty_wait_gone(pty, "aligned at"));
	pty_send(pty, "g@@");
	ck_assert(pty_wait(pty, "aligned at "));
	ck_assert(pty_wait_gone(pty, "aligned at efi:"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(resizing_keeps_the_time)
{
	struct pty *pty = open_pair(100, 24);
	char facts[200];

	pty_send(pty, "LLLLLLLwwL");
	ck_assert(pty_wait_gone(pty, ".. 17."));
	pty_send(pty, "#");
	ck_assert(pty_wait(pty, "no such key: #")); /* what was sent is drawn */
	snprintf(facts, sizeof(facts), "%.40s", pty_row(pty, 21));
	ck_assert_msg(strstr(facts, " four-workers  ") != NULL, "%s", facts);
	pty_resize(pty, 200, 60);
	ck_assert(pty_wait(pty, facts));
	ck_assert(strcmp(pty_row(pty, 21), facts) != 0);
	pty_resize(pty, 80, 24);
	ck_assert(pty_wait(pty, facts));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(both_runs_zoom_and_return)
{
	struct pty *pty = open_pair(80, 24);

	pty_send(pty, "LLLLLLLwww");
	ck_assert(pty_wait_gone(pty, ".. 17."));
	pty_send(pty, "sss");
	ck_assert(pty_wait(pty, "from start  0 ns .. 17."));
	pty_send(pty, "wl");
	ck_assert(pty_wait_gone(pty, "0 ns .. "));
	pty_send(pty, "f"); /* to the selected span */
	ck_assert(pty_wait(pty, "from start  "));
	pty_send(pty, "f");
	ck_assert(pty_wait(pty, "from start  0 ns .. 17."));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(a_pan_step_sends_little)
{
	struct pty *pty = open_pair(80, 24);

	pty_send(pty, "www");
	ck_assert(pty_wait_gone(pty, ".. 17."));
	for (int scaled = 0; scaled < 2; scaled++) {
		size_t least = SIZE_MAX;

		/* The best of some, since what is there is drawn before cells that come late. */
		for (int i = 0; i < 10; i++) {
			size_t before;

			pty_send(pty, "g");
			ck_assert(pty_wait(pty, "  0 ns .. "));
			before = pty_bytes(pty);
			pty_send(pty, "l");
			ck_assert(pty_wait_gone(pty, "  0 ns .. "));
			least = pty_bytes(pty) - before < least ? pty_bytes(pty) - before : least;
		}
		ck_assert_uint_le(least, 2048);
		pty_send(pty, "@");
		ck_assert(pty_wait(pty, "scaled  "));
	}
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(runs_are_swapped)
{
	struct pty *pty = open_pair(80, 24);

	pty_send(pty, "x");
	ck_assert(pty_wait(pty, "one-worker | four-workers > Timeline"));
	ck_assert(pty_wait(pty, "B   worker3"));
	ck_assert(pty_wait_gone(pty, "A   worker3"));
	pty_send(pty, "x");
	ck_assert(pty_wait(pty, "four-workers | one-worker > Timeline"));
	ck_assert(pty_wait(pty, "A   worker3"));
	ck_assert(pty_wait_gone(pty, "B   worker3"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

/* Beside the timeline of B it opens where that stands. */
START_TEST(the_window_of_b_is_kept)
{
	struct pty *pty = explore(80, 24, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	pty_send(pty, "AjBT");
	ck_assert(pty_wait(pty, "0 ns .. 17."));
	ck_assert(pty_wait(pty, " queue"));
	pty_send(pty, ":lane worker0 queue\r:range 10s 12s\r");
	ck_assert(pty_wait(pty, "9.963 s .. "));
	pty_send(pty, "|");
	ck_assert(pty_wait(pty, "from start  9.96"));
	ck_assert(pty_wait(pty, ">B    queue"));
	pty_send(pty, "i"); /* of the run under the cursor */
	ck_assert(pty_wait(pty, "one-worker > Overview"));
	pty_send(pty, "qki");
	ck_assert(pty_wait(pty, "four-workers > Overview"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(cells_are_a_table)
{
	struct pty *pty = open_pair(160, 24);

	pty_send(pty, "t");
	ck_assert(pty_wait(pty, "Timeline cells"));
	ck_assert(pty_wait(pty, "run"));
	pty_send(pty, "qQ");
	explore_end(pty, 0);
}
END_TEST

START_TEST(any_size_is_survived)
{
	static const int sizes[][2] = {{1, 1}, {41, 8}, {300, 100}, {20, 5}, {500, 200}};
	struct pty *pty = open_pair(80, 24);

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		pty_resize(pty, sizes[i][0], sizes[i][1]);
		pty_send(pty, "wj@lsox");
	}
	pty_resize(pty, 80, 24);
	ck_assert(pty_wait(pty, "> Timeline"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

static void
add(void *tests)
{
	tcase_add_test(tests, both_runs_stand_on_one_axis);
	tcase_add_test(tests, runs_are_aligned_in_turn);
	tcase_add_test(tests, runs_are_aligned_at_the_selected_span);
	tcase_add_test(tests, resizing_keeps_the_time);
	tcase_add_test(tests, both_runs_zoom_and_return);
	tcase_add_test(tests, a_pan_step_sends_little);
	tcase_add_test(tests, runs_are_swapped);
	tcase_add_test(tests, the_window_of_b_is_kept);
	tcase_add_test(tests, cells_are_a_table);
	tcase_add_test(tests, any_size_is_survived);
}

int
main(void)
{
	return explore_main("pair", add);
}
