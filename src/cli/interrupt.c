/*
 * Signals that ask the program to stop set a flag which all long work polls, so that an import
 * removes its temporary file and a query closes its run. The second signal does what signals do, as
 * do those of a time limit, of batch systems (SIGUSR1) and of a pipe that nobody reads: they end
 * the program on the spot, but for its temporary files. SIGPIPE does so even where a parent had it
 * ignored: `lanescope ... | head` ends without a word.
 */
#include "config.h"
#include "cli/cli.h"

#include <signal.h>
#include <stddef.h>

#include "util/litter.h"
#include "util/mem.h"

static volatile sig_atomic_t received;

static void
end_now(int signal_number)
{
	litter_remove_all();
	(void)signal(signal_number, SIG_DFL);
	(void)raise(signal_number);
}

static void
on_signal(int signal_number)
{
	if (received) { /* whichever came first: what was asked for is not done yet */
		end_now(signal_number);
		return;
	}
	received = signal_number;
	cancel_all();
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

	(void)signal(SIGPIPE, SIG_DFL);
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
	return received && received != SIGINT ? 128 + received : CLI_CANCELLED;
}
