/*
 * A run file with a bit that is wrong answers as the whole one does, or with an error; never
 * otherwise.
 *
 *     flips PROGRAM N SEED RUN OTHER      (from the command line alone)
 *
 * Flips N bits of RUN, one after another, each time puts four of the program's commands to it by
 * turns (every saved query that applies, the facts, the timeline, the causes against OTHER, all
 * rows of some tables) and compares status and standard output with what the whole file gave. An
 * answer of status 0 must be the same; anything else must be status 2 and name the file.
 */
#include "config.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/files.h"
#include "util/digest.h"
#include "util/mem.h"
#include "util/prng.h"
#include "util/slice.h"

extern char **environ;

#define COMMANDS_MAX 256
#define COMMANDS_EACH 4

struct answer {
	int status; /* of the process; -1: ended by a signal */
	struct digest_value digest;
	bool names_file; /* its errors do */
	char said[600];  /* the end of them */
};
struct command {
	char *words[8]; /* NULL-terminated, without the program; RUN stands for the file */
	struct answer expected;
};
static struct command commands[COMMANDS_MAX];
static size_t n_commands;
static char folder[] = "/tmp/lanescope-flips-XXXXXX";
static char run[80], out[80], said[80];

static struct answer
ask(const char *program, char *const *words)
{
	struct answer answer = {0};
	const char *argv[10] = {program};
	posix_spawn_file_actions_t files;
	pid_t child;
	int status;
	for (size_t i = 0; words[i]; i++) {
		argv[i + 1] = strcmp(words[i], "RUN") == 0 ? run : words[i];
	}
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_addopen(&files, 2, said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (posix_spawn(&child, program, &files, NULL, (char *const *)argv, environ) ||
	    waitpid(child, &status, 0) < 0) {
		fail(program);
	}
	posix_spawn_file_actions_destroy(&files);
	answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	struct strbuf text = read_file(out), errors = read_file(said);
	struct digest digest;
	digest_init(&digest);
	digest_add(&digest, text.data, text.len);
	answer.digest = digest_end(&digest);
	const char *last = errors.data ? errors.data : "";
	answer.names_file = strstr(last, run) != NULL;
	last += errors.len < sizeof answer.said ? 0 : errors.len - sizeof answer.said + 1;
	snprintf(answer.said, sizeof answer.said, "%s", last);
	strbuf_free(&text);
	strbuf_free(&errors);
	return answer;
}

/* Kept where the whole file answers it. */
static void
add_command(const char *program, const char *const *words)
{
	struct command *command = &commands[n_commands];
	size_t n = 0;
	for (; words[n]; n++) {
		command->words[n] = xstrdup(words[n]);
	}
	command->words[n] = NULL;
	command->expected = ask(program, command->words);
	if (command->expected.status == 0 && n_commands < COMMANDS_MAX - 1) {
		n_commands++;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		free(command->words[i]);
	}
}

static void
add_commands(const char *program, const char *other)
{
	const char *const fixed[][7] = {
	    {"info", "RUN", NULL},
	    {"info", "--format", "csv", "RUN", NULL},
	    {"timeline", "--width", "80", "RUN", NULL},
	    {"timeline", "--format", "csv", "--depth", "RUN", NULL},
	    {"explain", "RUN", other, "--format", "csv", NULL},
	    {"explain", other, "RUN", "--part", "all", NULL},
	    {"spans", "RUN", NULL},
	    {"sql", "RUN", "SELECT * FROM span", NULL},
	    {"sql", "RUN", "SELECT * FROM event", NULL},
	    {"sql", "RUN", "SELECT * FROM counter", NULL},
	    {"sql", "RUN", "SELECT * FROM tasks", NULL},
	    {"sql", "RUN", "SELECT * FROM transfers", NULL},
	    {"sql", "RUN", "SELECT * FROM span_totals", NULL},
	    {"export", "RUN", "--to", "chrome", NULL},
	    {"queries", "RUN", NULL},
	};
	const char *const list[] = {"queries", "RUN", "--format", "tsv", "--no-header", NULL};
	for (size_t i = 0; i < COUNT_OF(fixed); i++) {
		add_command(program, fixed[i]);
	}
	(void)ask(program, (char *const *)list);
	struct strbuf queries = read_file(out);
	for (char *line = strtok(queries.data, "\n"); line; line = strtok(NULL, "\n")) {
		line[strcspn(line, "\t")] = '\0';
		add_command(program, (const char *const[]){"query", line, "RUN", NULL});
		add_command(program, (const char *const[]){"diff", line, other, "RUN", NULL});
	}
	strbuf_free(&queries);
}

/* What is wrong with the answer; NULL: nothing. */
static const char *
judge(const struct answer *expected, const struct answer *answer)
{
	if (answer->status == 0) {
		return memcmp(&answer->digest, &expected->digest, sizeof answer->digest) == 0
		           ? NULL
		           : "another answer";
	}
	if (answer->status != 2) {
		return "another status than 0 or 2";
	}
	return answer->names_file ? NULL : "an error that does not name the file";
}

int
main(int argc, char **argv)
{
	if (argc != 6) {
		fputs("usage: flips PROGRAM N SEED RUN OTHER\n", stderr);
		return 2;
	}
	struct prng prng = {strtoull(argv[3], NULL, 10)};
	struct strbuf whole = read_file(argv[4]);
	size_t n = strtoull(argv[2], NULL, 10), n_same = 0, n_errors = 0, n_wrong = 0, next = 0;
	if (!mkdtemp(folder)) {
		fail(folder);
	}
	snprintf(run, sizeof run, "%s/run.lanes", folder);
	snprintf(out, sizeof out, "%s/out", folder);
	snprintf(said, sizeof said, "%s/said", folder);
	int file = open(run, O_RDWR | O_CREAT, 0600);
	if (file < 0 || pwrite(file, whole.data, whole.len, 0) != (ssize_t)whole.len) {
		fail(run);
	}
	add_commands(argv[1], argv[5]);
	for (size_t i = 0; i < n; i++) {
		uint64_t bit = prng_below(&prng, 8 * (uint64_t)whole.len);
		char right = whole.data[bit / 8], wrong = (char)(right ^ 1 << bit % 8);
		if (pwrite(file, &wrong, 1, (off_t)(bit / 8)) != 1) {
			fail(run);
		}
		for (int k = 0; k < COMMANDS_EACH; k++, next++) {
			const struct command *command = &commands[next % n_commands];
			struct answer answer = ask(argv[1], command->words);
			const char *why = judge(&command->expected, &answer);
			n_same += !why && answer.status == 0;
			n_errors += !why && answer.status != 0;
			if (why) {
				n_wrong++;
				printf("# bit %llu, %s %s: %s (status %d)\n# %s",
				       (unsigned long long)bit, command->words[0],
				       command->words[1], why, answer.status, answer.said);
			}
		}
		if (pwrite(file, &right, 1, (off_t)(bit / 8)) != 1) {
			fail(run);
		}
	}
	printf("# %zu bits, %zu commands: the same answer %zu times, an error %zu, wrong %zu\n", n,
	       n_commands, n_same, n_errors, n_wrong);
	close(file);
	strbuf_free(&whole);
	unlink(run);
	unlink(out);
	unlink(said);
	rmdir(folder);
	return n_wrong || n_commands < 10 ? 1 : 0;
}
