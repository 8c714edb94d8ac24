/*
 * --jobs of commands that ask runs: several processes, each for its share of the runs, leave what
 * they found in a folder; here it is read back, and all else is as if it had been asked here.
 * Used by its room alone.
 */
#ifndef LANESCOPE_CLI_ANSWERS_H
#define LANESCOPE_CLI_ANSWERS_H

#include "cli/cli.h"
#include "util/pack.h"

struct answer_jobs {
	unsigned n;           /* processes; 0: there are none, runs are asked here */
	const char *launcher; /* NULL: they are started here */
	/* of such a process: which it is, and where its answers go; of 0, NULL: it is none */
	unsigned nth, of;
	const char *left_in;
	char *folder; /* of the one that started them */
};

/* Takes --jobs, --with, --part, --answers: 1; 0: it is none of these. */
int answers_take(struct answer_jobs *answers, int id, const char *value, struct err *err);
int answers_check(const struct answer_jobs *answers, struct err *err);

/* Starts the processes, with this command and its options and words but for what is about them and
 * about where the answer goes; waits until all have answered. */
int answers_run(struct answer_jobs *answers, struct cli *cli, struct err *err);

/* An answer to bytes or, where the pack is read, from them. */
typedef void answer_pack(struct pack *pack, void *answer);
/* What the process found out about a thing that both sides know by that text, or (answer NULL) why
 * it found nothing: kept for the one that waits. */
int answers_keep(const struct answer_jobs *answers, const char *about, answer_pack *pack,
                 void *answer, const struct err *why, struct err *err);
/* The process's own answers are all there. What it could not read, though it went on, is said by
 * the one that waits. */
int answers_end(const struct answer_jobs *answers, struct cli *cli, struct err *err);
/* Reads what was kept into *answer; -1: err says why there is nothing, or not all of it. */
int answers_load(const struct answer_jobs *answers, const char *about, answer_pack *pack,
                 void *answer, struct err *err);
/* Removes them. */
void answers_fini(struct answer_jobs *answers);

#endif
