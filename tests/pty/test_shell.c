/* What stands around the views: prompts, commands, settings, what is kept between starts, mouse. */
#include "config.h"

#include <string.h>

#include "tests/pty/explore.h"
#include "util/mem.h"
#include "tests/unit/unit.h"

static void
write_settings(const char *text)
{
	char path[300], command[700];
	FILE *file;

	snprintf(command, sizeof(command), "mkdir -p '%s/lanescope'", explore_folder());
	ck_assert_int_eq(system(command), 0);
	snprintf(path, sizeof(path), "%s/lanescope/config", explore_folder());
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static struct pty *
open_table(const char *variable)
{
	struct pty *pty = explore(100, 30, NULL, variable);

	ck_assert(pty_wait(pty, "cascade"));
	explore_press(pty, "\r:query task-by-kind\r", "retrieve");
	return pty;
}

START_TEST(commands_are_completed_and_run)
{
	struct pty *pty = open_table(NULL);

	explore_press(pty, ":sort-d\t", ":sort-down");
	explore_press(pty, "\r", "sort -");
	pty_send(pty, ":map z sort-up\r");
	pty_send(pty, "z");
	ck_assert(pty_wait_gone(pty, "sort -"));
	explore_press(pty, ":explode\r", "no command 'explode' here");
	explore_press(pty, ":tmeline\r", "is it timeline?");
	explore_press(pty, ":set glyphs braille\r", "none of auto, utf8, ascii");
	explore_press(pty, ":messages\r", "error: no command 'explode' here");
	explore_quit(pty);
}
END_TEST

START_TEST(sql_is_asked_completed_and_its_errors_have_a_place)
{
	struct pty *pty = open_table(NULL);

	explore_press(pty, ";", "SQL>");
	pty_send(pty, "SELECT 6 * 7 AS answer FROM span_tot\t");
	/* The words come from the worker: Tab again until they are there. */
	for (int i = 0; i < 10000 && !strstr(pty_row(pty, 29), "span_totals"); i++) {
		explore_press(pty, "\t", "span_tot");
	}
	explore_press(pty, " LIMIT 1\r", "answer");
	ck_assert(pty_wait(pty, "42"));
	explore_press(pty, "q;SELECT nme FROM span\r", "line 1, column 8: no such column: nme");
	explore_press(pty, "a", "SQL> SELECT anme FROM span"); /* the cursor stands there */
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, "SQL>"));
	explore_press(pty, ";\x1bOA", "SQL> SELECT nme FROM span");
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, "SQL>"));
	explore_quit(pty);
}
END_TEST

START_TEST(history_lives_beyond_the_end)
{
	struct pty *pty = open_table(NULL);

	pty_send(pty, "/retr\r");
	explore_quit(pty);
	pty = open_table(NULL);
	explore_press(pty, "/\x1bOA", "/retr");
	pty_send(pty, "\x1bQ");
	explore_end(pty, 0);
}
END_TEST

START_TEST(settings_hold_and_their_errors_are_said)
{
	struct pty *pty;

	write_settings("glyphs = ascii\nkey.quit = Z\nspeed = high\n");
	pty = explore(100, 24, NULL, NULL);
	ck_assert(pty_wait(pty, "config:3: no setting 'speed'"));
	explore_press(pty, ":config\r", "problems of the settings file");
	explore_press(pty, "q", "cascade");
	explore_press(pty, "T", "worker0");
	ck_assert(pty_wait_gone(pty, "█"));
	pty_send(pty, "Z");
	explore_end(pty, 0);
	write_settings("");
}
END_TEST

START_TEST(a_session_file_keeps_the_sort)
{
	char session[300];
	const char *arguments[] = {"--session", session, explore_runs(), NULL};
	struct pty *pty;

	snprintf(session, sizeof(session), "%s/session", explore_folder());
	for (int round = 0; round < 2; round++) {
		pty = explore_with(100, 24, arguments, NULL);
		ck_assert(pty_wait(pty, "cascade"));
		explore_press(pty, "\r:query task-by-kind\r", "retrieve");
		if (round == 0) {
			pty_send(pty, "[");
		}
		ck_assert(pty_wait(pty, "sort kind"));
		explore_quit(pty);
	}
	/* One that can't be read is said, and nothing is opened. */
	snprintf(session, sizeof(session), "%s", explore_runs());
	pty = explore_with(100, 24, arguments, NULL);
	ck_assert(pty_wait(pty, "lanescope:"));
	explore_end(pty, 2);
}
END_TEST

/* What was sorted by stands again in the next explorer, unless that is not wanted; a file that is
 * damaged is told and passed over. */
START_TEST(a_run_is_remembered)
{
	static const struct {
		const char *argument, *keys, *sort;
	} rounds[] = {
	    {NULL, "[", "sort kind"},
	    {NULL, NULL, "sort kind"},
	    {"--no-session", NULL, "sort -total"},
	    {NULL, NULL, "sort kind"},
	    {NULL, NULL, "not a line of"}, /* the files were overwritten before */
	};

	for (size_t round = 0; round < COUNT_OF(rounds); round++) {
		const char *arguments[] = {rounds[round].argument ? rounds[round].argument
		                                                  : explore_runs(),
		                           rounds[round].argument ? explore_runs() : NULL, NULL};
		struct pty *pty;

		if (round + 1 == COUNT_OF(rounds)) {
			char command[400];

			snprintf(command, sizeof(command),
			         "for file in %s/state/lanescope/views/*; do echo x >$file; done",
			         explore_folder());
			ck_assert_int_eq(system(command), 0);
		}
		pty = explore_with(100, 24, arguments, NULL);
		ck_assert(pty_wait(pty, "cascade"));
		explore_press(pty, "\r:query task-by-kind\r", "retrieve");
		if (rounds[round].keys) {
			pty_send(pty, rounds[round].keys);
		}
		ck_assert_msg(pty_wait(pty, rounds[round].sort), "round %zu", round);
		explore_quit(pty);
	}
}
END_TEST

START_TEST(the_mouse_is_taken_when_asked)
{
	struct pty *pty = explore(80, 24, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	ck_assert(pty_reversed(pty, 2, 3));
	explore_press(pty, "M", "lanescope takes the mouse");
	pty_send(pty, "\x1b[<0;5;4M\x1b[<0;5;4m");
	ck_assert(pty_wait_gone(pty, "lanescope takes the mouse"));
	ck_assert(pty_wait(pty, ">   one-worker"));
	pty_send(pty, "\x1b[<65;5;4M");
	explore_press(pty, "M", "the mouse is the terminal's");
	explore_quit(pty);
}
END_TEST

START_TEST(help_is_searched)
{
	struct pty *pty = explore(80, 24, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	explore_press(pty, "?", "In this view");
	explore_press(pty, "/settings\r", ":config");
	pty_send(pty, "qQ");
	explore_end(pty, 0);
}
END_TEST

static void
add(void *tests)
{
	tcase_add_test(tests, commands_are_completed_and_run);
	tcase_add_test(tests, sql_is_asked_completed_and_its_errors_have_a_place);
	tcase_add_test(tests, history_lives_beyond_the_end);
	tcase_add_test(tests, settings_hold_and_their_errors_are_said);
	tcase_add_test(tests, a_session_file_keeps_the_sort);
	tcase_add_test(tests, a_run_is_remembered);
	tcase_add_test(tests, the_mouse_is_taken_when_asked);
	tcase_add_test(tests, help_is_searched);
}

int
main(void)
{
	return explore_main("shell", add);
}
