/* The timeline on a terminal: what each of its keys shows, and how little of it goes over the line. */
#include "config.h"

#include <stdint.h>
#include <string.h>

#include "tests/pty/explore.h"
#include "tests/unit/unit.h"

static struct pty *
open_timeline(int columns, int rows)
{
	struct pty *pty = explore(columns, rows, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	pty_send(pty, "T");
	ck_assert(pty_wait(pty, "0 ns .. 7.6"));
	ck_assert(pty_wait(pty, "worker0"));
	ck_assert(pty_wait(pty, "\u2588 efi")); /* the legend */
	return pty;
}

START_TEST(spans_are_walked_and_told_about)
{
	struct pty *pty = open_timeline(100, 30);

	pty_send(pty, "..");
	ck_assert(pty_wait(pty, "lasts"));
	ck_assert(pty_wait(pty, "outputs"));
	ck_assert(pty_wait(pty, "queue "));
	pty_send(pty, ",,,,,,");
	ck_assert(pty_wait(pty, "retrieve(0, 0)"));
	pty_send(pty, ",");
	ck_assert(pty_wait(pty, "the lane's first span is reached"));
	pty_send(pty, ")");
	ck_assert(pty_wait(pty, "output 1 of"));
	pty_send(pty, "(");
	ck_assert(pty_wait(pty, "input 1 of 1"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(a_search_jumps_and_counts)
{
	struct pty *pty = open_timeline(100, 30);

	pty_send(pty, "/efi\r");
	ck_assert(pty_wait(pty, "'efi': 1 of 4"));
	ck_assert(pty_wait(pty, "efi:"));
	pty_send(pty, "n");
	ck_assert(pty_wait(pty, "'efi': 2 of 4"));
	pty_send(pty, "NN");
	ck_assert(pty_wait(pty, "'efi': 4 of 4"));
	pty_send(pty, "/nonsense\r");
	ck_assert(pty_wait(pty, "no span and no lane has 'nonsense'"));
	pty_send(pty, "/worker3 tr\r");
	ck_assert(pty_wait(pty, "worker3 transfers"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(a_filter_hides_other_spans)
{
	struct pty *pty = open_timeline(100, 30);

	pty_send(pty, "&^efi\r");
	ck_assert(pty_wait(pty, "filtered"));
	ck_assert(pty_wait(pty, "keeps name REGEXP '^efi'"));
	pty_send(pty, "&duration > 1s\r");
	ck_assert(pty_wait(pty, "keeps duration > 1s"));
	pty_send(pty, "&duration > 'long'\r");
	ck_assert(pty_wait_gone(pty, "filtered"));
	pty_send(pty, "&name = 'x'\r");
	ck_assert(pty_wait(pty, "filtered"));
	pty_send(pty, "\\");
	ck_assert(pty_wait_gone(pty, "filtered"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(zooming_in_and_out_returns)
{
	struct pty *pty = open_timeline(80, 24);
	char before[24][1024];

	pty_send(pty, ">>>>>ww");
	ck_assert(pty_wait_gone(pty, "0 ns .. 7.6"));
	pty_send(pty, "ss");
	ck_assert(pty_wait(pty, "0 ns .. 7.6"));
	ck_assert(pty_wait_gone(pty, "]")); /* no part of the run is bracketed */
	pty_send(pty, "Z");
	ck_assert(pty_wait(pty, "no such key here: Z")); /* the last row is drawn last */
	for (int i = 0; i < 24; i++) {
		snprintf(before[i], sizeof(before[i]), "%s", pty_row(pty, i));
	}
	pty_send(pty, "www");
	ck_assert(pty_wait_gone(pty, "0 ns .. 7.6"));
	pty_send(pty, "sss");
	ck_assert(pty_wait(pty, "0 ns .. 7.6"));
	for (int i = 0; i < 20; i++) {
		ck_assert(pty_wait(pty, before[i]));
	}
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(lanes_fold_and_sums_unfold)
{
	struct pty *pty = open_timeline(100, 30);

	pty_send(pty, "ko");
	ck_assert(pty_wait_gone(pty, "worker0"));
	pty_send(pty, "\r");
	ck_assert(pty_wait(pty, "worker0"));
	pty_send(pty, "O");
	ck_assert(pty_wait(pty, "\u25be"));
	pty_send(pty, "OO");
	ck_assert(pty_wait(pty, "worker0"));
	pty_send(pty, "A");
	ck_assert(pty_wait(pty, "idle"));
	ck_assert(pty_wait(pty, "queue"));
	pty_send(pty, "A");
	ck_assert(pty_wait_gone(pty, "idle"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(a_range_gives_its_facts)
{
	struct pty *pty = open_timeline(120, 30);

	pty_send(pty, "m");
	ck_assert(pty_wait(pty, "range begins here"));
	pty_send(pty, ">>>>>>>>>>m");
	ck_assert(pty_wait(pty, "min mean max"));
	ck_assert(pty_wait(pty, "busy"));
	pty_send(pty, "f");
	ck_assert(pty_wait_gone(pty, "0 ns .. 7.6"));
	pty_send(pty, "f");
	ck_assert(pty_wait(pty, "0 ns .. 7.6"));
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, "min mean max"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(colours_and_commands)
{
	struct pty *pty = open_timeline(100, 30);

	pty_send(pty, "c");
	ck_assert(pty_wait(pty, "colour status"));
	pty_send(pty, ":colour category\r");
	ck_assert(pty_wait(pty, "colour category"));
	pty_send(pty, ":colour nothing\r");
	ck_assert(pty_wait(pty, "not 'nothing'"));
	pty_send(pty, ":range 1s 2s\r");
	ck_assert(pty_wait(pty, "2.0"));
	ck_assert(pty_wait_gone(pty, "0 ns .. 7.6"));
	pty_send(pty, ":goto 5s\r");
	ck_assert(pty_wait(pty, "5.000 s"));
	pty_send(pty, ":lane worker2\r");
	ck_assert(pty_wait(pty, "> "));
	pty_send(pty, ":range x y\r");
	ck_assert(pty_wait(pty, "'x' is no time"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(any_size_is_survived)
{
	static const int sizes[][2] = {{1, 1}, {20, 5}, {300, 100}, {40, 8}, {500, 200}, {2, 50}};
	struct pty *pty = open_timeline(80, 24);

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		pty_resize(pty, sizes[i][0], sizes[i][1]);
		pty_send(pty, "wlj.oms");
	}
	pty_resize(pty, 80, 24);
	ck_assert(pty_wait(pty, "worker"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(the_picture_is_exported)
{
	struct pty *pty = open_timeline(100, 30);
	char keys[600];

	snprintf(keys, sizeof(keys), "e\x15%s/picture.svg\r", explore_folder());
	pty_send(pty, keys);
	ck_assert(pty_wait(pty, "wrote "));
	snprintf(keys, sizeof(keys), "e\x15%s/cells.csv\r", explore_folder());
	pty_send(pty, keys);
	ck_assert(pty_wait(pty, "cells.csv"));
	snprintf(keys, sizeof(keys), "e\x15%s/none/x.txt\r", explore_folder());
	pty_send(pty, keys);
	ck_assert(pty_wait(pty, "No such file"));
	snprintf(keys, sizeof(keys), "%s/cells.csv", explore_folder());
	ck_assert_int_eq(access(keys, R_OK), 0);
	snprintf(keys, sizeof(keys), "%s/picture.svg", explore_folder());
	ck_assert_int_eq(access(keys, R_OK), 0);
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

/* A dense picture: 16 lanes, each cell coloured. */
START_TEST(a_pan_step_of_a_dense_picture_sends_little)
{
	struct pty *pty = explore(80, 24, NULL, NULL);
	size_t least = SIZE_MAX;

	ck_assert(pty_wait(pty, "cascade"));
	pty_send(pty, "GT");
	ck_assert(pty_wait(pty, "process 0"));
	ck_assert(pty_wait(pty, "0 ns .. "));
	pty_send(pty, "ww");
	/* On a busy machine cells may come late, and what is there is drawn before them: the best of some steps counts. */
	for (int i = 0; i < 10; i++) {
		size_t before;

		pty_send(pty, "g");
		ck_assert(pty_wait(pty, "0 ns .. "));
		before = pty_bytes(pty);
		pty_send(pty, "l");
		ck_assert(pty_wait_gone(pty, "0 ns .. "));
		least = pty_bytes(pty) - before < least ? pty_bytes(pty) - before : least;
	}
	ck_assert_uint_le(least, 2048);
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

/* What the terminal was told to move must look as if it had been drawn anew. */
START_TEST(what_was_moved_is_what_is_drawn)
{
	struct pty *pty = explore(80, 24, NULL, NULL);
	char moved[24][1024];

	ck_assert(pty_wait(pty, "cascade"));
	pty_send(pty, "GT");
	ck_assert(pty_wait(pty, "process 0"));
	pty_send(pty, "www");
	ck_assert(pty_wait_gone(pty, "of 6m 32s   colour category0 ns"));
	for (const char *key = "lllhlahd"; *key; key++) {
		pty_send(pty, (const char[]){*key, '\0'});
	}
	pty_send(pty, ":goto 100s\r");
	pty_send(pty, "m");
	ck_assert(pty_wait(pty, "range begins here"));
	for (int i = 0; i < 24; i++) {
		snprintf(moved[i], sizeof(moved[i]), "%s", pty_row(pty, i));
	}
	pty_send(pty, "\x0c");
	pty_send(pty, "?");
	ck_assert(pty_wait_gone(pty, "process 0"));
	pty_send(pty, "q");
	ck_assert(pty_wait(pty, "in/output")); /* the last row is drawn last */
	for (int i = 0; i < 20; i++) {
		ck_assert(pty_wait(pty, moved[i]));
	}
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

static void
add(void *tests)
{
	tcase_add_test(tests, spans_are_walked_and_told_about);
	tcase_add_test(tests, a_search_jumps_and_counts);
	tcase_add_test(tests, a_filter_hides_other_spans);
	tcase_add_test(tests, zooming_in_and_out_returns);
	tcase_add_test(tests, lanes_fold_and_sums_unfold);
	tcase_add_test(tests, a_range_gives_its_facts);
	tcase_add_test(tests, colours_and_commands);
	tcase_add_test(tests, any_size_is_survived);
	tcase_add_test(tests, the_picture_is_exported);
	tcase_add_test(tests, a_pan_step_of_a_dense_picture_sends_little);
	tcase_add_test(tests, what_was_moved_is_what_is_drawn);
}

int
main(void)
{
	return explore_main("timeline", add);
}
