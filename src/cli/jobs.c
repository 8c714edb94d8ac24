/*
 * Processes that are started here run side by side, one a core, in process groups of their own, so
 * that what is asked to stop stops all of what a launcher has started. They read nothing from the
 * terminal. What they made is what counts, not their status: a launcher has one of its own, and a
 * process that was lost leaves nothing.
 */
#include "config.h"
#include "cli/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "util/budget.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/slice.h"
#include "util/workers.h"

#define POLL_NS 5000000
#define POLLS_A_LOOK 100 /* for the line on a terminal */
#define LOOKS 128u       /* at what may be done by now, for that */
#define ROUNDS 2
#define LAUNCHERS_AT_ONCE 256u /* each a shell and what it starts, on this machine */

/* ---- which one ---- */

/* What launchers tell their processes, and from which number on. The first that is set counts. */
static const struct launcher {
	const char *variable;
	unsigned first;
	const char *size; /* how many there are; NULL: it does not tell */
} launchers[] = {{"LANESCOPE_JOB", 1, NULL},
                 {"PARALLEL_SEQ", 1, NULL},
                 {"OMPI_COMM_WORLD_RANK", 0, "OMPI_COMM_WORLD_SIZE"},
                 {"PMI_RANK", 0, "PMI_SIZE"},
                 {"SLURM_PROCID", 0, "SLURM_STEP_NUM_TASKS"}};

static bool
number_of(const char *text, int64_t *number)
{
	return text && slice_int64(slice_of(text), number);
}

static int
ask_environment(unsigned of, unsigned *nth, struct err *err)
{
	for (size_t i = 0; i < COUNT_OF(launchers); i++) {
		const struct launcher *launcher = &launchers[i];
		int64_t number, size;
		if (!number_of(getenv(launcher->variable), &number)) {
			continue;
		}
		if (launcher->size &&
		    (!number_of(getenv(launcher->size), &size) || size != (int64_t)of)) {
			return err_set(err, ERR_USAGE,
			               "--part /%u: %s is %" PRId64
			               ", but %s is not %u: start as many processes as there are "
			               "parts, or say which one this is (--part I/%u)",
			               of, launcher->variable, number, launcher->size, of, of);
		}
		number -= (int64_t)launcher->first;
		if (number < 0 || number >= (int64_t)of) {
			return err_set(err, ERR_USAGE,
			               "--part /%u: %s is %s: there is no such part", of,
			               launcher->variable, getenv(launcher->variable));
		}
		*nth = (unsigned)number + 1;
		return 0;
	}
	return err_set(err, ERR_USAGE,
	               "--part /%u: no launcher has said which of them this process is "
	               "(LANESCOPE_JOB, PARALLEL_SEQ, SLURM_PROCID, PMI_RANK): give --part I/%u",
	               of, of);
}

int
jobs_number(const char *text, unsigned *nth, unsigned *of, struct err *err)
{
	const char *slash = strchr(text, '/');
	struct slice before = {text, slash ? (size_t)(slash - text) : 0};
	int64_t number = 1, n = 0;

	if (!slash || !slice_int64(slice_of(slash + 1), &n) || n < 1 || n > JOBS_MOST ||
	    (before.len && !slice_int64(before, &number)) || number < 1 || number > n) {
		return err_set(err, ERR_USAGE,
		               "--part %s: give which of how many, 3/16 (at most %u)", text,
		               JOBS_MOST);
	}
	*of = (unsigned)n;
	*nth = (unsigned)number;
	return before.len ? 0 : ask_environment(*of, nth, err);
}

int
take_jobs(const char *value, unsigned *n, struct err *err)
{
	int64_t number;

	if (!slice_int64(slice_of(value), &number) || number < 1 || number > JOBS_MOST) {
		return err_set(err, ERR_USAGE, "--jobs %s: not a number from 1 to %u", value,
		               JOBS_MOST);
	}
	*n = (unsigned)number;
	return 0;
}

/* ---- the command ---- */

static char *
own_path(void)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path);

	return n > 0 && (size_t)n < sizeof path ? xstrndup(path, (size_t)n) : xstrdup(PACKAGE_NAME);
}

/* As one word of a POSIX shell. */
static void
add_quoted(struct strbuf *line, const char *word)
{
	strbuf_add_char(line, '\'');
	for (; *word; word++) {
		if (*word == '\'') {
			strbuf_add_text(line, "'\\''");
		} else {
			strbuf_add_char(line, *word);
		}
	}
	strbuf_add_char(line, '\'');
}

static void
print_part(char part[32], unsigned nth, unsigned of)
{
	if (nth) {
		snprintf(part, 32, "%u/%u", nth, of);
	} else {
		snprintf(part, 32, "/%u", of);
	}
}

/* nth 0: all of them. */
static void
add_command(struct strbuf *line, const struct jobs_call *jobs, unsigned nth)
{
	char *program = own_path(), part[32];

	print_part(part, nth, jobs->n);
	add_quoted(line, program);
	for (size_t i = 0; i < jobs->n_words; i++) {
		strbuf_add_char(line, ' ');
		add_quoted(line, i == jobs->part_word ? part : jobs->words[i]);
	}
	free(program);
}

static char *
launch_line(const struct jobs_call *jobs, unsigned nth)
{
	struct strbuf line = {0};
	bool has_command = strstr(jobs->launcher, "{command}") != NULL;

	for (const char *at = jobs->launcher; *at;) {
		if (strncmp(at, "{n}", 3) == 0) {
			strbuf_printf(&line, "%u", jobs->n);
			at += 3;
		} else if (strncmp(at, "{i}", 3) == 0) {
			strbuf_printf(&line, "%u", nth);
			at += 3;
		} else if (strncmp(at, "{command}", 9) == 0) {
			add_command(&line, jobs, nth);
			at += 9;
		} else {
			strbuf_add_char(&line, *at++);
		}
	}
	if (!has_command) {
		strbuf_add_char(&line, ' ');
		add_command(&line, jobs, nth);
	}
	return strbuf_take(&line);
}

/* ---- processes ---- */

/* In the child: no terminal to read from, a group of its own, no signal blocked. */
static void
become(char *const *argv)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (nothing >= 0) {
		(void)dup2(nothing, STDIN_FILENO);
	}
	(void)setpgid(0, 0);
	budget_lift();
	(void)execvp(argv[0], argv);
	_exit(127);
}

static pid_t
start(char *const *argv, struct err *err)
{
	pid_t pid;

	(void)fflush(NULL);
	pid = fork();
	if (pid == 0) {
		become(argv);
	}
	if (pid < 0) {
		err_set_errno(err, errno, "can't start a process");
	} else {
		(void)setpgid(pid, pid);
	}
	return pid;
}

/* The nth of them, or (0) all, by the launcher's line. */
static pid_t
start_job(const struct jobs_call *jobs, unsigned nth, struct err *err)
{
	char part[32];
	pid_t pid;

	if (jobs->launcher) {
		char *line = launch_line(jobs, nth);
		char *argv[] = {(char *)"/bin/sh", (char *)"-c", line, NULL};
		pid = start(argv, err);
		free(line);
		return pid;
	}
	char *program = own_path();
	char **argv = xcalloc(jobs->n_words + 2, sizeof *argv);
	print_part(part, nth, jobs->n);
	argv[0] = program;
	for (size_t i = 0; i < jobs->n_words; i++) {
		argv[i + 1] = i == jobs->part_word ? part : jobs->words[i];
	}
	pid = start(argv, err);
	free(argv);
	free(program);
	return pid;
}

/* ---- those that run ---- */

/* The processes of a call. What was seen to be done is not looked at again: of ten thousand parts
 * each look is an open file. */
struct crew {
	const struct jobs_call *jobs;
	bool *is_done; /* by number, from 1 */
	unsigned n_done, looked_at;
	struct member {
		pid_t pid;
		unsigned nth; /* 0: all of them */
	} * running;
	unsigned n_running, at_once;
};

static void
look_at(struct crew *crew, unsigned nth)
{
	if (!crew->is_done[nth] && crew->jobs->is_done(crew->jobs->user, nth)) {
		crew->is_done[nth] = true;
		crew->n_done++;
	}
}

/* At so many of those that were not done, from where the last look ended. */
static void
look_around(struct crew *crew, unsigned most)
{
	for (unsigned i = 0; i < crew->jobs->n && most > 0; i++) {
		crew->looked_at = crew->looked_at % crew->jobs->n + 1;
		most -= !crew->is_done[crew->looked_at];
		look_at(crew, crew->looked_at);
	}
}

static void
stop_all(const struct crew *crew)
{
	for (unsigned i = 0; i < crew->n_running; i++) {
		(void)kill(-crew->running[i].pid, SIGTERM);
	}
}

static void
reap(struct crew *crew)
{
	siginfo_t ended = {0};
	unsigned n = 0;

	if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0) {
		return; /* nobody has */
	}
	for (unsigned i = 0; i < crew->n_running; i++) {
		struct member member = crew->running[i];
		if (waitpid(member.pid, NULL, WNOHANG) == 0) {
			crew->running[n++] = member;
		} else if (member.nth) {
			look_at(crew, member.nth);
		}
	}
	crew->n_running = n;
}

static void
show(struct crew *crew)
{
	look_around(crew, LOOKS);
	fprintf(stderr, "\r%u of %u parts\033[K", crew->n_done, crew->jobs->n);
	(void)fflush(stderr);
}

/* From *next on, as many as may run, of those that are not done. */
static int
start_some(struct crew *crew, unsigned *next, unsigned last, struct err *err)
{
	for (; *next <= last && crew->n_running < crew->at_once; ++*next) {
		if (*next == 0 || !crew->is_done[*next]) {
			struct member member = {start_job(crew->jobs, *next, err), *next};
			if (member.pid < 0) {
				return -1;
			}
			crew->running[crew->n_running++] = member;
		}
	}
	return 0;
}

/* Starts all that are not done, and waits for them. */
static int
run_round(struct crew *crew, struct err *err)
{
	static const struct timespec poll = {.tv_nsec = POLL_NS};
	const char *launcher = crew->jobs->launcher;
	bool is_shown = isatty(STDERR_FILENO), one_by_one = !launcher || strstr(launcher, "{i}");
	unsigned last = one_by_one ? crew->jobs->n : 0, next = one_by_one ? 1 : 0;
	int status = 0;

	for (unsigned i = 1; (status == 0 && next <= last) || crew->n_running > 0; i++) {
		if (status == 0 &&
		    (start_some(crew, &next, last, err) || cancel_check(crew->jobs->cancel, err))) {
			status = -1;
			stop_all(crew);
		}
		if (is_shown && i % POLLS_A_LOOK == 0) {
			show(crew);
		}
		(void)nanosleep(&poll, NULL);
		reap(crew);
	}
	if (is_shown) {
		fputs("\r\033[K", stderr);
	}
	return status ? status : cancel_check(crew->jobs->cancel, err);
}

unsigned
jobs_at_once(unsigned n)
{
	return LEAST(n, workers_count());
}

int
jobs_run(const struct jobs_call *jobs, struct err *err)
{
	struct crew crew = {.jobs = jobs,
	                    .is_done = xcalloc((size_t)jobs->n + 1, sizeof *crew.is_done),
	                    .at_once = jobs->launcher ? LEAST(jobs->n, LAUNCHERS_AT_ONCE)
	                                              : jobs_at_once(jobs->n)};
	unsigned nth = 1;
	int status = 0;

	crew.running = xcalloc(crew.at_once, sizeof *crew.running);
	look_around(&crew, jobs->n);
	for (int round = 0; round < ROUNDS && crew.n_done < jobs->n && status == 0; round++) {
		if (round) {
			cli_say("%u of %u parts are there: the others are made once more",
			        crew.n_done, jobs->n);
		}
		status = run_round(&crew, err);
		look_around(&crew, jobs->n);
	}
	while (nth <= jobs->n && crew.is_done[nth]) {
		nth++;
	}
	free(crew.running);
	free(crew.is_done);
	return status || nth > jobs->n
	           ? status
	           : err_set(err, ERR_SYSTEM,
	                     "part %u of %u was not made in %d attempts: its process may have said "
	                     "why; what was made is used by the next call",
	                     nth, jobs->n, ROUNDS);
}
