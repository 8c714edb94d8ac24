/* Kinds of terminals and every way out: what a terminal can do is used, what it can't is not sent,
 * and it is given back as it was. */
#include "config.h"

#include <signal.h>
#include <string.h>

#include "tests/pty/script.h"
#include "tests/unit/unit.h"

#define COLUMNS 80
#define ROWS 24

static bool
is_there_or_refused(struct pty *pty, const void *text)
{
	return pty_shows(pty, text) || pty_shows(pty, "is not known here");
}

/* A terminal type that this machine has no description of is refused; all others show the same. */
START_TEST(terminals_show_the_same)
{
	static const char *const types[] = {
	    "TERM=vt100",           "TERM=xterm",         "TERM=xterm-256color", "TERM=screen",
	    "TERM=screen-256color", "TERM=tmux-256color", "TERM=linux"};
	struct pty *pty = explore(COLUMNS, ROWS, NULL, types[_i]);

	ck_assert(pty_wait_until(pty, is_there_or_refused, "3 runs"));
	if (!pty_shows(pty, "3 runs")) {
		explore_end(pty, 2);
		return;
	}
	if (strcmp(types[_i], "TERM=vt100") == 0) { /* letters instead of colours, in both */
		setenv("NO_COLOR", "1", 1);
	}
	script_follow(pty, NULL, COLUMNS, ROWS, "",
	              "j Down Up i q T w ^L Right q v Enter ] 61x20 80x24 Esc");
	explore_quit(pty);
}
END_TEST

/* A sequence that sets a colour was sent: 30 to 49 or 90 to 107, ESC [ ... m. */
static bool
sends_colours(struct pty *pty)
{
	const char *at = pty_output(pty), *end = at + pty_bytes(pty);

	while ((at = memchr(at, '\033', (size_t)(end - at))) != NULL) {
		const char *parameter = at + 2;

		at++;
		if (end - at < 2 || *at != '[') {
			continue;
		}
		at += 1 + strspn(at + 1, "0123456789;");
		while (*at == 'm' && parameter < at) {
			int number = atoi(parameter);

			if ((number >= 30 && number < 49 && number != 39) || number >= 90) {
				return true;
			}
			parameter += strcspn(parameter, ";m") + 1;
		}
	}
	return false;
}

START_TEST(no_colour_is_sent_where_none_is_wanted)
{
	static const struct {
		const char *variable;
		bool has_colours;
	} cases[] = {
	    {"NO_COLOR=1", false}, {"NO_COLOR=", true}, {"NO_COLOR", true}, {"TERM=vt100", false}};
	struct pty *pty = explore(COLUMNS, ROWS, NULL, cases[_i].variable);

	if (!cases[_i].has_colours) {
		setenv("NO_COLOR", "1", 1);
	}
	script_follow(pty, NULL, COLUMNS, ROWS, "", "T w q i");
	ck_assert_int_eq(sends_colours(pty), cases[_i].has_colours);
	explore_quit(pty);
}
END_TEST

/* Without UTF-8 nothing but ASCII is sent. The script draws with the other glyphs after ~. */
START_TEST(a_locale_without_utf8_gets_ascii)
{
	struct pty *pty = explore(COLUMNS, ROWS, NULL, "LC_ALL=C");

	script_follow(pty, NULL, COLUMNS, ROWS, "~", "j i q v j Enter q q S");
	/* The emulator repeats a character one column short at the margin (so the second query,
	 * whose rows do not reach it): of timelines only the bytes count. */
	script_press(pty, "T w");
	ck_assert(pty_wait(pty, "> Timeline"));
	ck_assert(pty_wait(pty, "worker0"));
	for (size_t i = 0; i < pty_bytes(pty); i++) {
		ck_assert_int_lt((unsigned char)pty_output(pty)[i], 0x80);
	}
	explore_quit(pty);
}
END_TEST

START_TEST(what_is_no_terminal_is_refused_with_a_word)
{
	static const struct {
		const char *variable, *says;
	} cases[] = {{"TERM=dumb", "TERM is 'dumb'"},
	             {"TERM", "TERM is ''"},
	             {"TERM=", "TERM is ''"},
	             {"TERM=no-such-terminal", "'no-such-terminal' is not known here"},
	             {"TERM=../../etc/passwd", "is not known here"}};
	struct pty *pty = explore(COLUMNS, ROWS, NULL, cases[_i].variable);

	ck_assert(pty_wait(pty, cases[_i].says));
	explore_end(pty, 2);
}
END_TEST

static struct pty *
open_shell(void)
{
	const char *argv[] = {"/bin/sh", "-i", NULL};
	const char *environment[] = {"PS1=ready> ", "ENV", NULL};
	struct pty *pty = pty_start(COLUMNS, ROWS, argv, environment);

	ck_assert(pty_wait(pty, "ready>"));
	return pty;
}

static void
type_command(struct pty *pty, const char *redirection)
{
	char command[700];

	snprintf(command, sizeof(command), "'%s' '%s'%s; echo status=$?\n", getenv("LANESCOPE"),
	         explore_runs(), redirection);
	pty_send(pty, command);
}

static void
end_shell(struct pty *pty)
{
	pty_send(pty, "exit\n");
	ck_assert_int_eq(pty_end(pty), 0);
	pty_free(pty);
}

START_TEST(closed_or_redirected_ends_are_refused_with_a_word)
{
	static const char *const redirections[] = {" <&-",        " >&-",        " <&- >&-",
	                                           " </dev/null", " >/dev/null", " | true"};
	struct pty *pty = open_shell();

	type_command(pty, redirections[_i]);
	ck_assert(pty_wait(pty, "needs a terminal"));
	ck_assert(pty_wait(pty, _i == 5 ? "status=0" : "status=2"));
	ck_assert(pty_on_main_screen(pty));
	end_shell(pty);
}
END_TEST

/* Signals, in the middle of whatever is open. */
static const char *const states[] = {"T", "j v Enter : 'sort'", "M", "S"};
#define N_STATES ((int)(sizeof(states) / sizeof(states[0])))

START_TEST(signals_give_the_terminal_back)
{
	static const int signals[][2] = {
	    {SIGTERM, 143}, {SIGHUP, 129}, {SIGINT, 130}, {SIGQUIT, 131}};
	struct pty *pty = explore(COLUMNS, ROWS, NULL, NULL);

	script_follow(pty, NULL, COLUMNS, ROWS, "", states[_i / 4]);
	pty_signal(pty, signals[_i % 4][0]);
	explore_end(pty, signals[_i % 4][1]);
}
END_TEST

/* Both come while it stands still, so that the first can't have been heeded yet. */
START_TEST(the_second_signal_ends_it_at_once)
{
	struct pty *pty = explore(COLUMNS, ROWS, NULL, NULL);

	script_follow(pty, NULL, COLUMNS, ROWS, "", states[_i]);
	pty_signal(pty, SIGSTOP);
	pty_signal(pty, SIGINT);
	pty_signal(pty, SIGTERM);
	pty_signal(pty, SIGCONT);
	ck_assert_int_gt(pty_end(pty), 0); /* of one or the other */
	ck_assert(pty_is_given_back(pty));
	pty_free(pty);
}
END_TEST

START_TEST(crashes_give_the_terminal_back)
{
	static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE};
	struct pty *pty = explore(COLUMNS, ROWS, NULL, NULL);

	script_follow(pty, NULL, COLUMNS, ROWS, "", states[_i]);
	pty_signal(pty, signals[_i]);
	ck_assert_int_gt(pty_end(pty), 0); /* 128 + the signal, or a sanitizer's own */
	ck_assert(pty_is_given_back(pty));
	pty_free(pty);
}
END_TEST

/* A pipe that nobody reads, a batch system's time limit. */
START_TEST(what_ends_it_on_the_spot_gives_the_terminal_back)
{
	static const int signals[] = {SIGPIPE, SIGXCPU, SIGUSR1, SIGALRM};
	struct pty *pty = explore(COLUMNS, ROWS, NULL, NULL);

	script_follow(pty, NULL, COLUMNS, ROWS, "", states[_i]);
	pty_signal(pty, signals[_i]);
	ck_assert_int_eq(pty_end(pty), 128 + signals[_i]);
	ck_assert(pty_is_given_back(pty));
	pty_free(pty);
}
END_TEST

START_TEST(a_terminal_that_goes_away_ends_the_program)
{
	struct pty *pty = explore(COLUMNS, ROWS, NULL, NULL);

	script_follow(pty, NULL, COLUMNS, ROWS, "", states[_i]);
	pty_hang_up(pty);
	ck_assert_int_eq(pty_end(pty), 129); /* SIGHUP comes with it */
	pty_free(pty);
}
END_TEST

/* Only a shell with jobs can stop and continue it: alone on a terminal nobody would be there to
 * continue it. */
START_TEST(stopped_and_continued_it_goes_on)
{
	static const int stops[] = {0, SIGTSTP, SIGSTOP};
	struct pty *pty = open_shell();
	char *before;

	type_command(pty, "");
	ck_assert(pty_wait(pty, "Enter open"));
	script_follow(pty, NULL, COLUMNS, ROWS, "", "j i");
	before = pty_screen(pty);
	if (stops[_i]) {
		pty_signal_foreground(pty, stops[_i]);
	} else {
		pty_send(pty, "\x1a");
	}
	ck_assert(pty_wait(pty, "Stopped"));
	ck_assert(stops[_i] == SIGSTOP || pty_on_main_screen(pty)); /* SIGSTOP asks nobody */
	explore_press(pty, "echo in between\n", "ready> ");
	pty_send(pty, "fg\n");
	ck_assert_msg(pty_wait_screen(pty, before), "not the same screen");
	free(before);
	script_follow(pty, NULL, COLUMNS, ROWS, "j i", "Tab q");
	explore_press(pty, "Q", "ready> "); /* what stood behind the command ran at its stop */
	ck_assert(pty_on_main_screen(pty));
	end_shell(pty);
}
END_TEST

/* Who started it ignores both: not to be stopped is heeded, but it ends when it is asked to. */
START_TEST(a_stop_that_is_ignored_stays_so)
{
	struct pty *pty = open_shell();
	char command[700];

	snprintf(command, sizeof(command), "(trap '' TSTP INT; exec '%s' '%s'); echo status=$?\n",
	         getenv("LANESCOPE"), explore_runs());
	pty_send(pty, command);
	ck_assert(pty_wait(pty, "Enter open"));
	script_follow(pty, NULL, COLUMNS, ROWS, "", "j");
	pty_signal_foreground(pty, SIGTSTP);
	script_follow(pty, NULL, COLUMNS, ROWS, "j", "i");
	pty_signal_foreground(pty, SIGINT);
	ck_assert(pty_wait(pty, "status=0"));
	end_shell(pty);
}
END_TEST

/* What is typed into the editor is the editor's: ^C ends it alone, ^Z stops both. */
START_TEST(signals_to_the_editor_leave_the_explorer)
{
	static const char *const editors[] = {"EDITOR=sh -c 'kill -INT 0'",
	                                      "EDITOR=sh -c 'kill -QUIT 0'"};
	struct pty *pty = explore(COLUMNS, ROWS, NULL, editors[_i]);

	script_follow(pty, NULL, COLUMNS, ROWS, "", "j v Enter");
	explore_press(pty, "E", "ended with status 1");
	pty_send(pty, "jQ");
	explore_end(pty, 0);
}
END_TEST

START_TEST(the_editor_is_stopped_and_continued)
{
	struct pty *pty = open_shell();

	pty_send(pty, "export EDITOR=\"sh -c 'kill -TSTP 0; read wait'\"\n");
	type_command(pty, "");
	ck_assert(pty_wait(pty, "Enter open"));
	script_follow(pty, NULL, COLUMNS, ROWS, "", "j v Enter");
	explore_press(pty, "E", "Stopped");
	explore_press(pty, "fg\n\n", "one-worker > ");
	pty_send(pty, "Q");
	ck_assert(pty_wait_gone(pty, "one-worker > "));
	ck_assert(pty_on_main_screen(pty));
	end_shell(pty);
}
END_TEST

static void
add(void *tests)
{
	tcase_add_loop_test(tests, terminals_show_the_same, 0, 7);
	tcase_add_loop_test(tests, no_colour_is_sent_where_none_is_wanted, 0, 4);
	tcase_add_test(tests, a_locale_without_utf8_gets_ascii);
	tcase_add_loop_test(tests, what_is_no_terminal_is_refused_with_a_word, 0, 5);
	tcase_add_loop_test(tests, closed_or_redirected_ends_are_refused_with_a_word, 0, 6);
	tcase_add_loop_test(tests, signals_give_the_terminal_back, 0, 4 * N_STATES);
	tcase_add_loop_test(tests, the_second_signal_ends_it_at_once, 0, N_STATES);
	tcase_add_loop_test(tests, crashes_give_the_terminal_back, 0, N_STATES);
	tcase_add_loop_test(tests, what_ends_it_on_the_spot_gives_the_terminal_back, 0, N_STATES);
	tcase_add_loop_test(tests, a_terminal_that_goes_away_ends_the_program, 0, N_STATES);
	tcase_add_loop_test(tests, stopped_and_continued_it_goes_on, 0, 3);
	tcase_add_test(tests, a_stop_that_is_ignored_stays_so);
	tcase_add_loop_test(tests, signals_to_the_editor_leave_the_explorer, 0, 2);
	tcase_add_test(tests, the_editor_is_stopped_and_continued);
}

int
main(void)
{
	return explore_main("terminals", add);
}
