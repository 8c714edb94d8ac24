/* The explorer on a terminal: what a user sees and gets back, from start to every way out. */
#include "config.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "tests/pty/explore.h"
#include "tests/unit/unit.h"

START_TEST(runs_are_listed_and_quit_restores_the_terminal)
{
	struct pty *pty = explore(80, 24, NULL, NULL);

	ck_assert(pty_wait(pty, "duration"));
	ck_assert(pty_wait(pty, "cascade"));
	ck_assert(pty_wait(pty, "dftracer"));
	ck_assert(pty_wait(pty, "? help"));
	ck_assert(pty_reversed(pty, 2, 3));
	explore_press(pty, "j", "3 runs");
	explore_quit(pty);
}
END_TEST

/* The terminal keeps what is typed before the program reads: all of it comes before the first
 * answer of any view. */
START_TEST(keys_typed_ahead_of_the_first_answer_count)
{
	static const struct {
		const char *keys, *shows;
	} typed[] = {{"/training\rT", "training > Timeline"},
	             {"jj\r/POSIX\rv", "training > Queries"},
	             {"GAggB", "A training   B four-workers"},
	             {"jv/task-incomplete\rV", "one-worker > Tasks that lack a stage > SQL"},
	             {"jv/task-by-kind\r\r[lF", "values of n"},
	             {"\r\t\rG", "four-workers > Tasks by kind"},
	             /* the second leaves a timeline that the list's answer came before */
	             {"T\x1b\x1bR", "3 runs"},
	             {":version\r", "no command 'version' here"},
	             {"/train", ">   training"}};
	struct pty *pty = explore(100, 30, NULL, NULL);

	pty_send(pty, typed[_i].keys);
	ck_assert(pty_wait(pty, typed[_i].shows));
	pty_send(pty, "\x1bQ");
	explore_end(pty, 0);
}
END_TEST

START_TEST(a_query_is_opened_sorted_filtered_and_left)
{
	struct pty *pty = explore(100, 30, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	explore_press(pty, "v", "saved queries");
	explore_press(pty, "/task-by-kind\r", "> task-by-kind");
	explore_press(pty, "\r", "retrieve");
	explore_press(pty, "l]", "sort -");
	pty_send(pty, "[");
	ck_assert(pty_wait_gone(pty, "sort -"));
	explore_press(pty, "&^retr\r", "1 of ");
	ck_assert(pty_wait(pty, "filter  ^retr"));
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, "filter  ^retr"));
	explore_press(pty, "&(\r", "(");
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, "& keep"));
	explore_press(pty, "q", "> task-by-kind");
	explore_press(pty, "q", "3 runs");
	explore_press(pty, "q", "leave lanescope?");
	pty_send(pty, "j");
	ck_assert(pty_wait_gone(pty, "leave lanescope?"));
	explore_press(pty, "q", "leave lanescope?");
	pty_send(pty, "q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(a_missing_parameter_is_asked_for)
{
	struct pty *pty = explore(100, 30, NULL, NULL);

	ck_assert(pty_wait(pty, "training"));
	explore_press(pty, "Gv", "saved queries");
	explore_press(pty, "/file-spans\r", "> file-spans");
	explore_press(pty, "\r", "parameter file=");
	explore_press(pty, "model*\r", "parameters  file=model*");
	ck_assert(pty_wait(pty, "write"));
	explore_press(pty, "prows=5\r", "5 rows");
	explore_press(pty, "pnonsense=1\r", "has no parameter 'nonsense'");
	explore_press(pty, "\x15rows=many\r", "rows=many: not an integer");
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, "parameter NAME"));
	explore_quit(pty);
}
END_TEST

START_TEST(the_timeline_zooms_and_pans)
{
	struct pty *pty = explore(80, 24, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	explore_press(pty, "T", "Timeline");
	ck_assert(pty_wait(pty, "worker0"));
	ck_assert(pty_wait(pty, "0 ns .. "));
	ck_assert(pty_wait(pty, "█"));
	explore_press(pty, "....www", "lasts");
	pty_send(pty, "l");
	ck_assert(pty_wait_gone(pty, "0 ns .. "));
	pty_send(pty, "ff"); /* to the span, to the run */
	ck_assert(pty_wait(pty, "0 ns .. "));
	pty_send(pty, "~");
	ck_assert(pty_wait_gone(pty, "█"));
	explore_quit(pty);
}
END_TEST

START_TEST(help_comes_from_the_key_table)
{
	struct pty *pty = explore(80, 24, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	explore_press(pty, "?", "go into what is selected");
	explore_press(pty, "q", "3 runs");
	explore_press(pty, "#", "no such key: #");
	pty_send(pty, "q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(any_size_is_survived)
{
	static const int sizes[][2] = {{1, 1},  {20, 5},    {300, 100}, {40, 8},
	                               {79, 3}, {500, 200}, {2, 50},    {80, 24}};
	struct pty *pty = explore(80, 24, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	explore_press(pty, "T", "worker0");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		pty_resize(pty, sizes[i][0], sizes[i][1]);
		pty_send(pty, "wlj");
	}
	ck_assert(pty_wait(pty, "worker0"));
	pty_resize(pty, 30, 6);
	ck_assert(pty_wait(pty, "terminal too small"));
	pty_resize(pty, 80, 24);
	ck_assert(pty_wait(pty, "worker0"));
	explore_quit(pty);
}
END_TEST

START_TEST(a_damaged_run_is_listed_with_its_error)
{
	char path[300], command[700];
	struct pty *pty;

	snprintf(path, sizeof(path), "%s/broken", explore_folder());
	snprintf(command, sizeof(command), "mkdir -p %s && echo nothing >%s/a.lanes", path, path);
	ck_assert_int_eq(system(command), 0);
	pty = explore(100, 24, path, NULL);
	ck_assert(pty_wait(pty, "a.lanes"));
	pty_send(pty, "\r");
	pty_send(pty, "q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(a_pan_step_sends_little)
{
	struct pty *pty = explore(80, 24, NULL, NULL);
	size_t least = SIZE_MAX;

	ck_assert(pty_wait(pty, "cascade"));
	explore_press(pty, "T", "0 ns .. ");
	pty_send(pty, "www");
	/* On a busy machine the cells may come late, and what is there is drawn before them: the
	 * best of some steps counts. */
	for (int i = 0; i < 10; i++) {
		size_t before;

		explore_press(pty, "g", "0 ns .. ");
		before = pty_bytes(pty);
		pty_send(pty, "l");
		ck_assert(pty_wait_gone(pty, "0 ns .. "));
		least = pty_bytes(pty) - before < least ? pty_bytes(pty) - before : least;
	}
	ck_assert_uint_le(least, 2048);
	explore_quit(pty);
}
END_TEST

static void
add(void *tests)
{
	tcase_add_test(tests, runs_are_listed_and_quit_restores_the_terminal);
	tcase_add_loop_test(tests, keys_typed_ahead_of_the_first_answer_count, 0, 9);
	tcase_add_test(tests, a_query_is_opened_sorted_filtered_and_left);
	tcase_add_test(tests, a_missing_parameter_is_asked_for);
	tcase_add_test(tests, the_timeline_zooms_and_pans);
	tcase_add_test(tests, help_comes_from_the_key_table);
	tcase_add_test(tests, any_size_is_survived);
	tcase_add_test(tests, a_damaged_run_is_listed_with_its_error);
	tcase_add_test(tests, a_pan_step_sends_little);
}

int
main(void)
{
	return explore_main("explorer", add);
}
