/* The timeline on a terminal: what each of its keys shows, and how little of it goes over the
 * line. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/pty/explore.h"
#include "tests/unit/unit.h"
#include "util/slice.h"

static struct pty *
open_timeline(int columns, int rows)
{
	struct pty *pty = explore(columns, rows, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	pty_send(pty, "T");
	ck_assert(pty_wait(pty, "0 ns .. 7.2"));
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
	ck_assert(pty_wait(pty, "filter  name REGEXP '^efi'"));
	pty_send(pty, "&duration > 1s\r");
	ck_assert(pty_wait(pty, "filter  name REGEXP '^efi'  &  duration > 1s"));
	pty_send(pty, "&duration > long\r"); /* stays to be mended */
	ck_assert(pty_wait(pty, "character 12: duration is compared with a text"));
	ck_assert(pty_wait(pty, "COLUMN OP VALUE): duration > long"));
	ck_assert(pty_wait(pty, "filtered"));
	pty_send(pty, "\x08\x08\x08\x08"
	              "1us\r");
	ck_assert(pty_wait(pty, "duration > 1s  &  duration > 1us"));
	pty_send(pty, "\\\\");
	ck_assert(pty_wait_gone(pty, "&  duration > 1s"));
	ck_assert(pty_wait(pty, "filter  name REGEXP '^efi'"));
	pty_send(pty, "\\");
	ck_assert(pty_wait_gone(pty, "filtered"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

/* Steps typed at once go as far as steps typed one by one. */
START_TEST(fast_keys_lose_no_step)
{
	static const char *const walks[] = {".........", "....))",     "....)).(.,)", "/efi\rnn.)(",
	                                    "jj.",       "lllllllll.", "jllllllll)"};

	for (size_t i = 0; i < sizeof(walks) / sizeof(walks[0]); i++) {
		struct strbuf keys = {0};
		struct pty *pty = open_timeline(100, 30);
		char *screen, *facts;

		strbuf_add_text(&keys, "100x30 T ");
		for (const char *c = walks[i]; *c; c++) {
			strbuf_printf(&keys, *c == '/' ? "'/efi' Enter " : "%c ", *c);
			c += *c == '/' ? 4 : 0;
		}
		screen = explore_play(keys.data);
		facts = strstr(screen, "  lasts ");
		ck_assert_msg(facts != NULL, "%s", screen);
		while (facts > screen && facts[-1] != '\n') {
			facts--;
		}
		*strchr(facts, '\n') = '\0';
		pty_send(pty, walks[i]);
		ck_assert_msg(pty_wait(pty, facts), "%s leads to: %s", walks[i], facts);
		pty_send(pty, "Q");
		explore_end(pty, 0);
		free(screen);
		strbuf_free(&keys);
	}
}
END_TEST

/* A launch on one lane, the kernel on another: flows lead there and back, however fast the keys
 * come. */
START_TEST(flows_lead_from_lane_to_lane)
{
	char path[300];
	struct pty *pty;
	FILE *file;

	snprintf(path, sizeof(path), "%s/flows.json", explore_folder());
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs("{\"traceEvents\": [", file);
	for (int i = 0; i < 3; i++) {
		fprintf(
		    file,
		    "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":9,\"name\":\"launch%d\"},"
		    "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":%d,\"dur\":50,\"name\":\"kernel%d\"},"
		    "{\"ph\":\"s\",\"pid\":1,\"tid\":1,\"ts\":%d,\"id\":%d,\"cat\":\"ac2g\","
		    "\"name\":\"ac2g\"},"
		    "{\"ph\":\"f\",\"bp\":\"e\",\"pid\":1,\"tid\":2,\"ts\":%d,\"id\":%d,"
		    "\"cat\":\"ac2g\",\"name\":\"ac2g\"}%s",
		    100 * i, i, 100 * i + 40, i, 100 * i, i, 100 * i + 40, i, i < 2 ? "," : "]}");
	}
	ck_assert_int_eq(fclose(file), 0);
	pty = explore(100, 30, path, NULL);
	ck_assert(pty_wait(pty, "where the time goes"));
	pty_send(pty, "T");
	ck_assert(pty_wait(pty, "outputs 1"));
	pty_send(pty, ".)");
	ck_assert(pty_wait(pty, "output 1 of 1"));
	ck_assert(pty_wait(pty, " kernel1  2  at 140.0 us"));
	pty_send(pty, "o,,"); /* unfolded: its only depth */
	ck_assert(pty_wait(pty, "the first span of depth 0 is reached"));
	pty_send(pty, "o..(");
	ck_assert(pty_wait(pty, "input 1 of 1"));
	ck_assert(pty_wait(pty, " launch2  1  at 200.0 us"));
	pty_send(pty, "(");
	ck_assert(pty_wait(pty, "this span depends on nothing"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

/* The overview's first name is selected by itself: nothing is marked. One that was chosen is, and n
 * goes on along its spans. */
START_TEST(the_overview_leads_to_the_whole_run)
{
	struct pty *pty = explore(100, 30, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	pty_send(pty, "i");
	ck_assert(pty_wait(pty, "where the time goes"));
	pty_send(pty, "T");
	ck_assert(pty_wait(pty, "0 ns .. 7.2"));
	ck_assert(pty_wait(pty, "\u2588 efi"));
	pty_send(pty, "n");
	ck_assert(pty_wait(pty, "no spans are marked"));
	pty_send(pty, "qjT");
	ck_assert(pty_wait(pty, "marked 8 of 494 spans, here 1"));
	pty_send(pty, "n");
	ck_assert(pty_wait(pty, "here 2: category = 'task' AND"));
	ck_assert(pty_wait_gone(pty, "filtered"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(walking_from_a_group_begins_in_it)
{
	struct pty *pty = open_timeline(100, 30);

	pty_send(pty, "gO"); /* lanes unfold */
	pty_send(pty, "O");  /* all is shut */
	ck_assert(pty_wait_gone(pty, "worker3"));
	pty_send(pty, ".");
	ck_assert(pty_wait(pty, "lasts"));
	ck_assert(pty_wait(pty, ">  worker0"));
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
	pty_send(pty, "u");
	ck_assert(pty_wait(pty, "idle"));
	ck_assert(pty_wait(pty, "queue"));
	pty_send(pty, "u");
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
	pty_send(pty, "LLLLLLLLLLm");
	ck_assert(pty_wait(pty, ", mean "));
	ck_assert(pty_wait(pty, "busy"));
	pty_send(pty, "f");
	ck_assert(pty_wait_gone(pty, "0 ns .. 7.2"));
	pty_send(pty, "f");
	ck_assert(pty_wait(pty, "0 ns .. 7.2"));
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, ", mean "));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(colours_and_commands)
{
	struct pty *pty = open_timeline(100, 30);

	pty_send(pty, "c");
	ck_assert(pty_wait(pty, "colour class"));
	pty_send(pty, "c");
	ck_assert(pty_wait(pty, "colour status"));
	pty_send(pty, ":colour category\r");
	ck_assert(pty_wait(pty, "colour category"));
	pty_send(pty, ":colour nothing\r");
	ck_assert(pty_wait(pty, "not 'nothing'"));
	pty_send(pty, ":range 1s 2s\r");
	ck_assert(pty_wait(pty, "2.0"));
	ck_assert(pty_wait_gone(pty, "0 ns .. 7.2"));
	pty_send(pty, ":goto 5s\r");
	ck_assert(pty_wait(pty, "5.0 s"));
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

START_TEST(the_cells_are_a_table)
{
	struct pty *pty = open_timeline(120, 30);

	pty_send(pty, "t");
	ck_assert(pty_wait(pty, "Timeline cells"));
	ck_assert(pty_wait(pty, "busy_ns"));
	ck_assert(pty_wait(pty, "worker0"));
	pty_send(pty, "q");
	ck_assert(pty_wait(pty, "0 ns .. 7.2"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(enter_opens_the_span)
{
	struct pty *pty = open_timeline(100, 30);

	pty_send(pty, ".");
	ck_assert(pty_wait(pty, "lasts"));
	pty_send(pty, "\r");
	ck_assert(pty_wait_gone(pty, "0 ns .. 7.2"));
	ck_assert(pty_wait(pty, "duration"));
	pty_send(pty, "q");
	ck_assert(pty_wait(pty, "0 ns .. 7.2"));
	ck_assert(pty_wait(pty, "lasts"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

/* At 100 columns cells begin in column 25 (from 0), lines in row 4. */
START_TEST(the_mouse_points_drags_and_zooms)
{
	struct pty *pty = open_timeline(100, 30);

	pty_send(pty, "M");
	ck_assert(pty_wait(pty, "takes the mouse"));
	pty_send(pty, "\x1b[<0;40;9M\x1b[<0;40;9m");
	ck_assert(pty_wait(pty, ">  worker1"));
	pty_send(pty, "\x1b[<64;40;9M");
	ck_assert(pty_wait_gone(pty, "0 ns .. 7.2"));
	pty_send(pty, "\x1b[<65;40;9M");
	ck_assert(pty_wait(pty, "0 ns .. 7.2"));
	pty_send(pty, "\x1b[<0;30;9M\x1b[<32;40;9M\x1b[<32;60;9M\x1b[<0;60;9m");
	ck_assert(pty_wait(pty, ", mean "));
	ck_assert(pty_wait(pty, "\u2501\u2501]"));
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, ", mean "));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(slowdown_is_against_the_other_run)
{
	struct pty *pty = explore(100, 30, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	pty_send(pty, "AjBT");
	ck_assert(pty_wait(pty, "0 ns .. 17."));
	pty_send(pty, ":colour slowdown\r");
	ck_assert(pty_wait(pty, "colour slowdown"));
	ck_assert(pty_wait(pty, "! twice or more"));
	pty_send(pty, "c");
	ck_assert(pty_wait(pty, "colour category"));
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
	/* On a busy machine cells may come late, and what is there is drawn before them: the best
	 * of some steps counts. */
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
	pty_send(pty, ":goto 100s\r.");
	ck_assert(pty_wait(pty, "lasts")); /* a span comes after the picture */
	pty_send(pty, "m");
	ck_assert(pty_wait(pty, "range begins here"));
	for (int i = 0; i < 24; i++) {
		snprintf(moved[i], sizeof(moved[i]), "%s", pty_row(pty, i));
	}
	pty_send(pty, "\x0c");
	pty_send(pty, "?");
	ck_assert(pty_wait_gone(pty, "process 0"));
	pty_send(pty, "q");
	ck_assert(pty_wait(pty, "help  Tab pane")); /* the last row is drawn last */
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
	tcase_add_test(tests, fast_keys_lose_no_step);
	tcase_add_test(tests, flows_lead_from_lane_to_lane);
	tcase_add_test(tests, the_overview_leads_to_the_whole_run);
	tcase_add_test(tests, walking_from_a_group_begins_in_it);
	tcase_add_test(tests, lanes_fold_and_sums_unfold);
	tcase_add_test(tests, a_range_gives_its_facts);
	tcase_add_test(tests, colours_and_commands);
	tcase_add_test(tests, any_size_is_survived);
	tcase_add_test(tests, the_picture_is_exported);
	tcase_add_test(tests, the_cells_are_a_table);
	tcase_add_test(tests, enter_opens_the_span);
	tcase_add_test(tests, the_mouse_points_drags_and_zooms);
	tcase_add_test(tests, slowdown_is_against_the_other_run);
	tcase_add_test(tests, a_pan_step_of_a_dense_picture_sends_little);
	tcase_add_test(tests, what_was_moved_is_what_is_drawn);
}

int
main(void)
{
	return explore_main("timeline", add);
}
