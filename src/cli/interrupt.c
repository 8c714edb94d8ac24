/*
 * Signals that ask the program to stop set a flag which all long work polls, so that an import
 * removes its temporary file and a query closes its run. Not all work can poll (SQLite merges what
 * it sorts, a disk flushes) or does so often enough at any size: what has not come to its end soon
 * after is ended by a timer, with the words and the status of what ends by itself. A second signal,
 * those of a time limit, of batch systems (SIGUSR1) and of a pipe that nobody reads end the program
 * on the spot, by that signal. Its temporary files are removed in any case. SIGPIPE ends it even
 * where a parent had it ignored: `lanescope ... | head` ends without a word.
 *
 * What was sorted or matched in a file without a name is taken back by the kernel when the last
 * process that has it lets it go, which takes that process a sixth of a second a GB (ext4): a child
 * does it, when this one has ended.
 */
#include "config.h"
#include "cli/cli.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "util/litter.h"
#include "util/mem.h"

#define GRACE_US 100000
#define LARGE_BYTES (64 << 20)
#define FILES 256 /* below: those that are looked at */

static volatile sig_atomic_t received, is_terminal, is_said;

/* As what ends by itself does, over a line of progress. */
static void
say_stopped(void)
{
	static const char said[] = "\r\033[Klanescope: stopped\n";
	size_t from = is_terminal ? 0 : strlen("\r\033[K");

	(void)!write(STDERR_FILENO, said + from, sizeof said - 1 - from);
}

static bool
is_large_and_nameless(int fd)
{
	struct stat stat;

	return fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) && stat.st_nlink == 0 &&
	       stat.st_size >= LARGE_BYTES;
}

static void
leave_large_files_to_child(void)
{
	pid_t parent = getpid();
	bool has_large = false;
	sigset_t all;

	for (int fd = 0; fd < FILES && !has_large; fd++) {
		has_large = is_large_and_nameless(fd);
	}
	/* not fork(), which takes locks; no signal at its end, so that nobody waits for it */
	if (!has_large || syscall(SYS_clone, 0, NULL, NULL, NULL, NULL) != 0) {
		return;
	}
	sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, NULL);
	for (int fd = 0; fd < FILES; fd++) {
		if (!is_large_and_nameless(fd)) {
			close(fd);
		}
	}
	while (getppid() == parent) {
		(void)poll(NULL, 0, 1);
	}
	_exit(0);
}

/* By what came first: what was asked for is not done yet. */
static void
end_now(int signal_number)
{
	int reason = received ? received : signal_number;

	if (!received) {
		leave_large_files_to_child();
	}
	litter_remove_all();
	if (received && signal_number == SIGALRM) {
		if (!is_said) {
			say_stopped();
		}
		_exit(128 + reason);
	}
	(void)signal(reason, SIG_DFL);
	(void)raise(reason);
}

static void
on_signal(int signal_number)
{
	static const struct itimerval grace = {.it_value = {.tv_usec = GRACE_US}};

	if (received) {
		end_now(signal_number);
		return;
	}
	received = signal_number;
	leave_large_files_to_child();
	cancel_all();
	(void)setitimer(ITIMER_REAL, &grace, NULL);
}

/* nohup stays nohup */
static void
watch(int signal_number, void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler}, old;

	sigemptyset(&action.sa_mask);
	if (sigaction(signal_number, NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
		(void)sigaction(signal_number, &action, NULL);
	}
}

void
interrupt_watch(void)
{
	static const int asking[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	static const int ending[] = {SIGPIPE, SIGXCPU, SIGALRM, SIGVTALRM, SIGUSR1, SIGUSR2};

	is_terminal = isatty(STDERR_FILENO);
	(void)signal(SIGPIPE, SIG_DFL);
	(void)signal(SIGALRM, SIG_DFL);
	for (size_t i = 0; i < COUNT_OF(asking); i++) {
		watch(asking[i], on_signal);
	}
	for (size_t i = 0; i < COUNT_OF(ending); i++) {
		watch(ending[i], end_now);
	}
	(void)signal(
	    SIGXFSZ,
	    SIG_IGN); /* a file-size limit then is an error with a message, as a full disk is */
}

int
interrupt_status(void)
{
	is_said = 1;
	return received && received != SIGINT ? 128 + received : CLI_CANCELLED;
}
