/*
 * Work in several processes, on this machine or on others: each does one part of it, and leaves
 * what it made in files. Who starts them is a launcher (srun, GNU parallel, ssh), by a line of the
 * shell; none is needed here.
 * Used by its room alone.
 */
#ifndef LANESCOPE_CLI_JOBS_H
#define LANESCOPE_CLI_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include "util/cancel.h"
#include "util/err.h"

#define JOBS_MOST 65536u

struct jobs_call {
	unsigned n;
	/* NULL: the processes are started here, jobs_at_once() of them side by side. Else a line
	 * of the shell: {n} is their number, {command} the command (at the end, if it is not
	 * named), and {i} which of them: the line then starts one, some hundred side by side, else
	 * all of them, which ask jobs_number(). */
	const char *launcher;
	/* lanescope's words; that of part_word is "3/16" in its place, or "/16" where the process
	 * has to ask. */
	char *const *words;
	size_t n_words, part_word;
	/* Has the i-th, from 1, made what it should? Asked until it has. */
	bool (*is_done)(void *user, unsigned nth);
	void *user;
	const struct cancel *cancel;
};

/* How many of n processes run side by side where they are started here: one a core. */
unsigned jobs_at_once(unsigned n);
/* Starts those that are not done, waits, and once more those that failed. 0: all are done. */
int jobs_run(const struct jobs_call *jobs, struct err *err);

/* "3/16", or "/16": which of them the launcher's environment says that this process is (Slurm, MPI,
 * GNU parallel). At most JOBS_MOST. */
int jobs_number(const char *text, unsigned *nth, unsigned *of, struct err *err);

/* The value of --jobs. */
int take_jobs(const char *value, unsigned *n, struct err *err);

#endif
