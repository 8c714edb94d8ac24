/*
 * The command line: one table of commands, one file for each. Exit status: 0 done; 1 a gate given
 * by the user was crossed; 2 failure or wrong usage; 3 done, but records were skipped and --strict
 * was given; 130 stopped by the user.
 * Used by its room alone.
 */
#ifndef LANESCOPE_CLI_CLI_H
#define LANESCOPE_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "column/scan/scope.h"
#include "util/cancel.h"
#include "util/err.h"
#include "util/mem.h"
#include "util/slice.h"

enum cli_exit { CLI_DONE = 0, CLI_GATE = 1, CLI_FAILED = 2, CLI_SKIPPED = 3, CLI_CANCELLED = 130 };

/* Of two things done one after the other: the last failure, else whether any skipped records. */
static inline int
cli_worse(int status, int next)
{
	return next == CLI_SKIPPED && status != CLI_DONE ? status : next ? next : status;
}

struct path_classes;
struct cli_command;

struct cli_given {
	const struct cli_option *option;
	const char *value; /* NULL: none */
};

struct cli {
	const char *program;                          /* what it was called */
	const struct cli_command *command, *commands; /* commands: all, for those that list them */
	int argc;                                     /* argv[0] is the command's name */
	char **argv;
	char **words; /* of these, those that are no options: see options_parse */
	size_t n_words;
	int first_word;          /* of argv */
	struct cli_given *given; /* the options, in order, --help and --version aside */
	size_t n_given, given_capacity;
	struct cancel cancel; /* set by SIGINT, SIGTERM and SIGHUP */
	char **held;          /* files that say which runs of the cache are in use (cache_hold) */
	size_t n_held, held_capacity;
	char **once; /* folders of runs that go with the program: of standard input, a pipe */
	size_t n_once, once_capacity;
	struct strbuf class_text;     /* what --class said (classes.h) */
	struct path_classes *classes; /* NULL: not asked for yet */
	struct mem_task task;         /* the command's, with the first word */
	char doing[48];
	char *joined;           /* an option and its value, put together (options_parse) */
	struct scope scope;     /* what --scope said: of every run that is opened */
	const char *runs_where; /* what --runs-where said: of which runs; NULL: of all */
	bool is_asked;          /* by another process, which says what this one could not read */
	struct err elsewhere;   /* what a process that was asked could not read (answers.h) */
};

/* What may stand at a place of the command line: for completions. */
enum cli_words {
	WORDS_NONE,
	WORDS_ANY,
	WORDS_FILE,
	WORDS_FOLDER,
	WORDS_RUN,
	WORDS_TRACE,
	WORDS_QUERY,
	WORDS_PARAM,   /* NAME=VALUE of the query or part that was named */
	WORDS_COLUMNS, /* of the query, separated by commas */
	WORDS_EXPORT,
	WORDS_REPORT,
	WORDS_IMPORT,
	WORDS_SHELL,
	WORDS_TO,
	WORDS_SIMULATE,
	WORDS_PART,
	WORDS_TOPIC,
	WORDS_TAGS,      /* names of tags, separated by commas */
	WORDS_TAG_VALUE, /* NAME=VALUE of a tag */
	WORDS_CONDITION, /* on tags and other columns of the list of runs: its first name */
	WORDS_PLOT
};

struct cli_option {
	int id;               /* the short letter, or above 255 */
	const char *name;     /* long */
	const char *argument; /* "FILE"; NULL: takes none; "[KIND]": takes one of `words` or none */
	const char *about;
	enum cli_words words;
};

struct cli_command {
	const char *name;
	const char *arguments;                   /* "NAME RUN..." */
	const char *summary;                     /* one line */
	const char *about;                       /* more, for --help; may be NULL */
	const char *const *examples;             /* NULL-terminated: command, what it does, ... */
	const struct cli_option *const *options; /* NULL-terminated, without --help and --version */
	enum cli_words words[2];                 /* of the first argument, of the others */
	int (*run)(struct cli *cli);             /* exit status */
};
extern const struct cli_command
    commands[]; /* the last has no name; the first is the explorer: no name on the command line */

int cli_main(int argc, char **argv);

/* Says "lanescope: message" on stderr; returns the exit status that belongs to it. */
int cli_fail(const struct err *err);
/* The same with "(lanescope COMMAND --help)" for wrong usage; CLI_DONE where there is no error:
 * options_parse has answered. */
int cli_usage(const struct cli *cli, const struct err *err);
void cli_say(const char *format, ...)
    __attribute__((format(printf, 1, 2))); /* "lanescope: ..." on stderr */
/* From now on cli_say says nothing: who started this process says it, too. */
void cli_say_errors_only(void);
/* Columns of the terminal on stream, or of COLUMNS; 0 unknown. */
size_t cli_width(FILE *stream);

/* Takes one option; below 0: err says what is wrong with it. */
typedef int cli_take(void *user, int id, const char *value, struct err *err);
/* Reads cli's options; take is called for each (below 0 stops, err set by it). Nonzero on error,
 * or, with err as it was, when --help or --version was given and answered: cli_usage tells what
 * then is the exit status. argv is reordered, options first; what stands behind them becomes
 * cli->words. */
int options_parse(struct cli *cli, cli_take *take, void *user, struct err *err);

/* SIGINT, SIGTERM, SIGHUP and SIGQUIT cancel all that polls (util/cancel.h); what has not ended
 * soon after is ended, as by the second. */
void interrupt_watch(void);
/* After saying that the command was stopped: 130, or 128 + the signal that came. */
int interrupt_status(void);

int command_browse(struct cli *cli);
int command_import(struct cli *cli);
int command_runs(struct cli *cli);
int command_info(struct cli *cli);
int command_queries(struct cli *cli);
int command_query(struct cli *cli);
int command_diff(struct cli *cli);
int command_explain(struct cli *cli);
int command_sql(struct cli *cli);
int command_spans(struct cli *cli);
int command_export(struct cli *cli);
int command_report(struct cli *cli);
int command_simulate(struct cli *cli);
int command_timeline(struct cli *cli);
int command_tag(struct cli *cli);
int command_verify(struct cli *cli);
int command_python(struct cli *cli);
int command_merge(struct cli *cli);
int command_upgrade(struct cli *cli);
int command_demo(struct cli *cli);
int command_completion(struct cli *cli);
int command_help(struct cli *cli);

#endif
