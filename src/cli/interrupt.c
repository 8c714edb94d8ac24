/*
 * Signals that ask the program to stop set a flag which all long work polls, so that an import
 * removes its temporary file and a query closes its run. The second signal does what signals do.
 * SIGPIPE gets its usual meaning back, in case a parent had it ignored: `lanescope ... | head` ends
 * without a word.
 */
#include "config.h"
#include "cli/cli.h"

#include <signal.h>
#include <stddef.h>

#include "util/litter.h"
#include "util/mem.h"

static volatile sig_atomic_t received;

static void
on_signal(int signal_number)
{
	if (received) { /* whichever came first: what was asked for is not done yet */
		litter_remove_all();
		(void)signal(signal_number, SIG_DFL);
		(void)raise(signal_number);
		return;
	}
	received = signal_number;
	cancel_all();
}

void
interrupt_watch(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = on_signal};
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < COUNT_OF(signals); i++) {
		struct sigaction old;
		if (sigaction(signals[i], NULL, &old) == 0 &&
		    old.sa_handler != SIG_IGN) { /* nohup stays nohup */
			(void)sigaction(signals[i], &action, NULL);
		}
	}
	(void)signal(SIGPIPE, SIG_DFL);
	(void)signal(
	    SIGXFSZ,
	    SIG_IGN); /* a file-size limit then is an error with a message, as a full disk is */
}

int
interrupt_status(void)
{
	return received && received != SIGINT ? 128 + received : CLI_CANCELLED;
}
