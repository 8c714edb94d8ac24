/*
 * Runs a command again and again and sends it a signal at moments spread over its run.
 *
 *   stopped [-p KEYS] [-b SHELL] [-a SHELL] SIGNAL MOMENTS CPU_MS COMMAND [ARGUMENT...]
 *
 *   -b  run before each time (removes what was made, say); -a run after each time: it must succeed
 *   -p  on a terminal of its own, on which KEYS are typed
 *
 * Moments are of the time that the command computes, and so is what it may still take after the
 * signal: a machine on which much else goes on changes neither. It must end with 128 + SIGNAL, or
 * as it does when it is left alone, if it was done before it could look; of SIGKILL it must die.
 * Prints "stopped N, done N, most MS" and the command; exit status 1, with what went wrong, if not.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "util/prng.h"

#define QUIET_MS 300

struct options {
	const char *keys, *before, *after;
	int signal_number;
	double most_ms;
	char **command;
};

struct child {
	pid_t pid;
	int terminal; /* -1: none */
	const char *keys;
};

/* Milliseconds that it computed so far; negative: it has ended. */
static double
computed_ms(pid_t pid)
{
	char path[64], text[1024];
	unsigned long user, system;
	char state;

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	FILE *file = fopen(path, "r");
	size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
	if (file) {
		fclose(file);
	}
	text[n] = '\0';
	const char *at = strrchr(text, ')');
	if (!at ||
	    sscanf(at, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user,
	           &system) != 3 ||
	    state == 'Z') {
		return -1;
	}
	return (double)(user + system) * 1000 / (double)sysconf(_SC_CLK_TCK);
}

static struct child
start(const struct options *options)
{
	struct child child = {.terminal = -1, .keys = options->keys};
	struct winsize size = {30, 100, 0, 0};

	if (options->before && system(options->before) != 0) {
		fprintf(stderr, "%s: failed\n", options->before);
		exit(2);
	}
	child.pid = options->keys ? forkpty(&child.terminal, NULL, NULL, &size) : fork();
	if (child.pid == 0) {
		if (!options->keys) {
			int null = open("/dev/null", O_RDWR);
			dup2(null, STDOUT_FILENO);
			dup2(null, STDERR_FILENO);
		}
		signal(SIGINT, SIG_DFL); /* a shell's background jobs ignore it */
		execvp(options->command[0], options->command);
		_exit(127);
	}
	if (child.pid < 0) {
		perror("fork");
		exit(2);
	}
	return child;
}

/* Reads what the terminal shows, and types, a key whenever it is quiet. */
static void
pump(struct child *child, int ms)
{
	char bytes[65536];
	struct pollfd ready = {child->terminal, POLLIN, 0};

	if (child->terminal < 0) {
		nanosleep(&(struct timespec){0, ms * 1000000L}, NULL);
	} else if (poll(&ready, 1, ms) > 0) {
		if (read(child->terminal, bytes, sizeof bytes) <= 0) {
			nanosleep(&(struct timespec){0, ms * 1000000L}, NULL);
		}
	} else if (*child->keys && write(child->terminal, child->keys, 1) == 1) {
		child->keys++;
	}
}

/* Its exit status, 128 + the signal it died of, and the time that it computed. */
static int
end(struct child *child, double *ms)
{
	struct rusage usage;
	int status;

	while (wait4(child->pid, &status, WNOHANG, &usage) == 0) {
		pump(child, 2);
	}
	if (child->terminal >= 0) {
		close(child->terminal);
	}
	*ms = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
	      (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* True if it still ran. Who has nothing to do and gets no more keys does not come so far. */
static bool
wait_until(struct child *child, double ms)
{
	double now, last = 0;

	for (int quiet = 0; (now = computed_ms(child->pid)) >= 0 && now < ms; quiet++) {
		if (now > last || (child->keys && *child->keys)) {
			last = now;
			quiet = 0;
		} else if (child->keys && quiet > QUIET_MS) {
			break;
		}
		pump(child, 1);
	}
	return now >= 0;
}

static bool
is_good_after(const struct options *options)
{
	return !options->after || system(options->after) == 0;
}

struct found {
	unsigned n_stopped, n_done;
	double most_ms;
};

/* Once; false: something is wrong, which is told. */
static bool
stop_at(const struct options *options, double at_ms, int whole_status, struct found *found)
{
	struct child child = start(options);
	double before = 0, after;

	if (wait_until(&child, at_ms)) {
		before = computed_ms(child.pid);
		kill(child.pid, options->signal_number);
	}
	int status = end(&child, &after);
	bool is_done = status == whole_status, is_stopped = status == 128 + options->signal_number;
	double took = before > 0 && !is_done ? after - before : 0;

	found->n_done += is_done;
	found->n_stopped += is_stopped;
	found->most_ms = took > found->most_ms ? took : found->most_ms;
	if (!is_done && !is_stopped) {
		printf("after %.0f ms: status %d\n", at_ms, status);
		return false;
	}
	if (took > options->most_ms) {
		printf("after %.0f ms: it took another %.0f ms\n", at_ms, took);
		return false;
	}
	if (!is_good_after(options)) {
		printf("after %.0f ms: failed: %s\n", at_ms, options->after);
		return false;
	}
	return true;
}

int
main(int argc, char **argv)
{
	struct options options = {NULL, NULL, NULL, 0, 0, NULL};
	struct prng prng = {1};
	struct found found = {0, 0, 0};
	bool is_good = true;
	double whole_ms;
	int letter, whole_status = 0;

	while ((letter = getopt(argc, argv, "+p:b:a:")) >= 0) {
		*(letter == 'p'   ? &options.keys
		  : letter == 'b' ? &options.before
		                  : &options.after) = optarg;
	}
	if (argc - optind < 4) {
		fprintf(stderr, "usage: stopped [-p KEYS] [-b SHELL] [-a SHELL] SIGNAL MOMENTS "
		                "CPU_MS COMMAND...\n");
		return 2;
	}
	options.signal_number = atoi(argv[optind]);
	int n = atoi(argv[optind + 1]);
	options.most_ms = atof(argv[optind + 2]);
	options.command = argv + optind + 3;
	struct child child = start(&options);
	if (options.keys) { /* it does not end by itself: until the keys are typed and done */
		double now = 0, last = -1;
		while (*child.keys || now > last) {
			last = *child.keys ? -1 : now;
			for (int i = 0; i < 100; i++) {
				pump(&child, 5);
			}
			now = computed_ms(child.pid);
		}
		whole_ms = now;
		kill(child.pid, SIGTERM);
		(void)end(&child, &now);
		whole_status = -1;
	} else {
		whole_status = end(&child, &whole_ms);
	}
	for (int i = 0; i < n; i++) {
		double part = whole_ms / n,
		       at = part * (i + (double)prng_below(&prng, 1000) / 1000);
		is_good = stop_at(&options, at, whole_status, &found) && is_good;
	}
	printf("stopped %u, done %u, most %.0f ms of %.0f:", found.n_stopped, found.n_done,
	       found.most_ms, whole_ms);
	for (char **word = options.command + 1; *word; word++) {
		printf(" %s", *word);
	}
	puts("");
	return is_good ? 0 : 1;
}
