/*
 * Signals that ask for something only set a flag and write a byte into a pipe; the loop sees them
 * between keys. The second that asks to end does end the program, with the terminal put back.
 * curses has handlers of its own, but ignores the wish to stop while it draws, so that it would be
 * lost now and then.
 *
 * Signals of a crash, of a time limit or of a pipe that nobody reads end the program wherever it
 * stands, on whatever thread, so curses can't be called. What it would send to leave the screen is
 * put together beforehand, and with it the modes of the line are put back: whoever had a crash gets
 * a shell that echoes, and sees the message. The signal then goes its old way (a core, a
 * sanitizer's report).
 */
#include "config.h"

#include "ui/term/term_signals.h"
#include "util/mem.h"

#include <curses.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

static const int asking[] = {SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCONT, SIGTSTP};
/* What ends the program on the spot. */
static const int crashes[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,    SIGABRT, SIGPIPE,
                              SIGXCPU, SIGALRM, SIGUSR1, SIGVTALRM, SIGUSR2};

/* Handlers have no other way to anything. */
static volatile sig_atomic_t resize_seen, quit_seen, continue_seen, stop_seen;
static volatile int wake = -1;
static bool is_taken, is_guarded;
static struct sigaction old_asking[COUNT_OF(asking)], old_crashes[COUNT_OF(crashes)], lent[4];
static struct termios modes;
static char farewell[256];
static size_t farewell_bytes;

/* So that a shell that echoes comes next, wherever the program stands. */
static void
put_back(void)
{
	ssize_t ignored = write(STDOUT_FILENO, farewell, farewell_bytes);

	(void)ignored;
	if (is_guarded) {
		tcsetattr(STDIN_FILENO, TCSANOW, &modes);
	}
}

/* Whoever watched the signal before still does: it stops what runs, and knows the exit status. */
static void
tell_program(int number)
{
	for (size_t i = 0; i < COUNT_OF(asking); i++) {
		void (*handler)(int) = old_asking[i].sa_handler;

		if (asking[i] == number && handler != SIG_DFL && handler != SIG_IGN) {
			handler(number);
		}
	}
}

static void
signal_seen(int number)
{
	int saved = errno;

	if (number == SIGWINCH) {
		resize_seen = 1;
	} else if (number == SIGCONT) {
		continue_seen = 1;
	} else if (number == SIGTSTP) {
		stop_seen = 1;
	} else if (quit_seen) {
		put_back();
		tell_program(number);
		(void)signal(number, SIG_DFL);
		(void)raise(number);
	} else {
		quit_seen = 1;
		tell_program(number);
	}
	if (wake >= 0) {
		ssize_t ignored = write(wake, "s", 1);

		(void)ignored; /* a full pipe wakes the loop as well */
	}
	errno = saved;
}

static void
crashed(int number, siginfo_t *info, void *context)
{
	(void)context;
	put_back();
	for (size_t i = 0; i < COUNT_OF(crashes); i++) {
		if (crashes[i] == number) {
			sigaction(number, &old_crashes[i], NULL);
		}
	}
	if (info->si_code <= 0 || info->si_code == SI_KERNEL) {
		raise(number); /* sent, not met: it does not come again by itself */
	}
}

/* A capability's text without its padding ("$<5>"). */
static void
farewell_add(const char *text)
{
	bool is_padding = false;

	for (; text && text != (const char *)(intptr_t)-1 && *text; text++) {
		is_padding = is_padding || (text[0] == '$' && text[1] == '<');
		if (!is_padding && farewell_bytes < sizeof farewell) {
			farewell[farewell_bytes++] = *text;
		}
		is_padding = is_padding && *text != '>';
	}
}

static void
farewell_write(void)
{
	static const char *const capabilities[] = {"sgr0", "rmkx", "cnorm", "rmcup"};

	farewell_bytes = 0;
	if (key_defined("\033[M") > 0 || key_defined("\033[<") > 0) {
		farewell_add("\033[?1006l\033[?1002l\033[?1000l");
	}
	for (size_t i = 0; i < COUNT_OF(capabilities); i++) {
		char name[8];

		snprintf(name, sizeof name, "%s", capabilities[i]);
		farewell_add(tigetstr(name));
	}
}

void
term_signals_take(int wake_file)
{
	struct sigaction action = {.sa_handler = signal_seen};

	resize_seen = quit_seen = continue_seen = stop_seen = 0;
	wake = wake_file;
	for (size_t i = 0; i < COUNT_OF(asking); i++) {
		sigaction(asking[i], NULL, &old_asking[i]);
		if (asking[i] != SIGTSTP || old_asking[i].sa_handler != SIG_IGN) {
			sigaction(asking[i], &action, NULL);
		}
	}
	is_taken = true;
}

void
term_signals_guard(const struct termios *before)
{
	struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	modes = *before;
	farewell_write();
	for (size_t i = 0; i < COUNT_OF(crashes); i++) {
		sigaction(crashes[i], NULL, &old_crashes[i]);
		if (old_crashes[i].sa_handler != SIG_IGN) {
			sigaction(crashes[i], &action, NULL);
		}
	}
	is_guarded = true;
}

void
term_signals_release(void)
{
	for (size_t i = 0; is_taken && i < COUNT_OF(asking); i++) {
		sigaction(asking[i], &old_asking[i], NULL);
	}
	for (size_t i = 0; is_guarded && i < COUNT_OF(crashes); i++) {
		sigaction(crashes[i], &old_crashes[i], NULL);
	}
	is_taken = is_guarded = false;
	wake = -1;
}

void
term_signals_stop(void)
{
	struct sigaction stop = {.sa_handler = SIG_DFL}, ours;

	sigaction(SIGTSTP, &stop, &ours);
	kill(0, SIGTSTP);
	sigaction(SIGTSTP, &ours, NULL);
	stop_seen = 0;
}

/* A handler, since a program that is started would be left with a signal that is ignored. */
static void
signal_for_others(int number)
{
	(void)number;
}

void
term_signals_lend(void)
{
	struct sigaction action = {.sa_handler = signal_for_others};

	sigaction(SIGINT, &action, &lent[0]);
	sigaction(SIGQUIT, &action, &lent[1]);
	sigaction(SIGALRM, &action, &lent[3]);
	action.sa_handler = SIG_DFL;
	sigaction(SIGTSTP, &action, &lent[2]);
}

void
term_signals_take_back(void)
{
	sigaction(SIGINT, &lent[0], NULL);
	sigaction(SIGQUIT, &lent[1], NULL);
	sigaction(SIGTSTP, &lent[2], NULL);
	sigaction(SIGALRM, &lent[3], NULL);
}

enum term_signal
term_signals_next(void)
{
	if (quit_seen) {
		return TERM_SIGNAL_QUIT;
	}
	if (stop_seen) {
		stop_seen = 0;
		return TERM_SIGNAL_STOP;
	}
	if (continue_seen) {
		continue_seen = 0;
		return TERM_SIGNAL_CONTINUED;
	}
	if (resize_seen) {
		resize_seen = 0;
		return TERM_SIGNAL_RESIZE;
	}
	return TERM_SIGNAL_NONE;
}

void
term_signals_came_back(void)
{
	continue_seen = 0;
	resize_seen = 1;
}
