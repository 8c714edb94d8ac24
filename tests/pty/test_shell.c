/* What stands around the views: prompts, commands, settings, what is kept between starts, mouse. */
#include "config.h"

#include <string.h>

#include "tests/pty/explore.h"
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
	pty_send(pty, "\r:query task-by-kind\r");
	ck_assert(pty_wait(pty, "retrieve"));
	return pty;
}

START_TEST(commands_are_completed_and_run)
{
	struct pty *pty = open_table(NULL);

	pty_send(pty, ":sort-d\t");
	ck_assert(pty_wait(pty, ":sort-down"));
	pty_send(pty, "\r");
	ck_assert(pty_wait(pty, "sort -"));
	pty_send(pty, ":map z sort-up\r");
	pty_send(pty, "z");
	ck_assert(pty_wait_gone(pty, "sort -"));
	pty_send(pty, ":explode\r");
	ck_assert(pty_wait(pty, "no command 'explode' here"));
	pty_send(pty, ":tmeline\r");
	ck_assert(pty_wait(pty, "is it timeline?"));
	pty_send(pty, ":set glyphs braille\r");
	ck_assert(pty_wait(pty, "none of auto, utf8, ascii"));
	pty_send(pty, ":messages\r");
	ck_assert(pty_wait(pty, "error: no command 'explode' here"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(sql_is_asked_completed_and_its_errors_have_a_place)
{
	struct pty *pty = open_table(NULL);

	pty_send(pty, ";");
	ck_assert(pty_wait(pty, "SQL>"));
	pty_send(pty, "SELECT 6 * 7 AS answer FROM span_tot\t");
	/* The words come from the worker: Tab again until they are there. */
	for (int i = 0; i < 100 && !strstr(pty_row(pty, 29), "span_totals"); i++) {
		pty_send(pty, "\t");
		ck_assert(pty_wait(pty, "span_tot"));
	}
	pty_send(pty, " LIMIT 1\r");
	ck_assert(pty_wait(pty, "answer"));
	ck_assert(pty_wait(pty, "42"));
	pty_send(pty, "q;SELECT nme FROM span\r");
	ck_assert(pty_wait(pty, "line 1, column 8: no such column: nme"));
	pty_send(pty, ";\x1bOA");
	ck_assert(pty_wait(pty, "SQL> SELECT nme FROM span"));
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, "SQL>"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(history_lives_beyond_the_end)
{
	struct pty *pty = open_table(NULL);

	pty_send(pty, "/retr\r");
	pty_send(pty, "Q");
	explore_end(pty, 0);
	pty = open_table(NULL);
	pty_send(pty, "/\x1bOA");
	ck_assert(pty_wait(pty, "/retr"));
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
	pty_send(pty, ":config\r");
	ck_assert(pty_wait(pty, "problems of the settings file"));
	pty_send(pty, "q");
	ck_assert(pty_wait(pty, "cascade"));
	pty_send(pty, "T");
	ck_assert(pty_wait(pty, "worker0"));
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
		pty_send(pty, "\r:query task-by-kind\r");
		ck_assert(pty_wait(pty, "retrieve"));
		if (round == 0) {
			pty_send(pty, "[");
		}
		ck_assert(pty_wait(pty, "sort kind"));
		pty_send(pty, "Q");
		explore_end(pty, 0);
	}
	/* One that can't be read is said, and nothing is opened. */
	snprintf(session, sizeof(session), "%s", explore_runs());
	pty = explore_with(100, 24, arguments, NULL);
	ck_assert(pty_wait(pty, "lanescope:"));
	explore_end(pty, 2);
}
END_TEST

START_TEST(the_mouse_is_taken_when_asked)
{
	struct pty *pty = explore(80, 24, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	ck_assert(pty_reversed(pty, 2, 3));
	pty_send(pty, "M");
	ck_assert(pty_wait(pty, "lanescope takes the mouse"));
	pty_send(pty, "\x1b[<0;5;4M\x1b[<0;5;4m");
	ck_assert(pty_wait_gone(pty, "lanescope takes the mouse"));
	ck_assert(pty_wait(pty, ">   one-worker"));
	pty_send(pty, "\x1b[<65;5;4M");
	pty_send(pty, "M");
	ck_assert(pty_wait(pty, "the mouse is the terminal's"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(help_is_searched)
{
	struct pty *pty = explore(80, 24, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	pty_send(pty, "?");
	ck_assert(pty_wait(pty, "In this view"));
	pty_send(pty, "/settings\r");
	ck_assert(pty_wait(pty, ":config"));
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
	tcase_add_test(tests, the_mouse_is_taken_when_asked);
	tcase_add_test(tests, help_is_searched);
}

int
main(void)
{
	return explore_main("shell", add);
}
