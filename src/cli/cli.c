/*
 * From argv to a command. The first word names it; anything else that stands first (an option, a
 * run, a trace, a folder) is for the explorer, so that `lanescope trace.jsonl` does what one hopes.
 * A first word that is neither a command nor a file is more likely a mistyped command: that is said
 * rather than "no such file" alone.
 */
#include "config.h"
#include "cli/cli.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cache.h"
#include "cli/classes.h"
#include "cli/resolve.h"
#include "query/saved/query.h"
#include "store/store.h"

static const struct cli_command *
command_find(const char *name)
{
	for (const struct cli_command *command = commands + 1; command->name; command++) {
		if (strcmp(command->name, name) == 0) {
			return command;
		}
	}
	return NULL;
}

/* Status of an error about the first word, 0 if it may be a file. */
static int
check_first_word(const char *word)
{
	const char *names[32];
	struct stat status;
	size_t n = 0;
	if (word[0] == '-' || stat(word, &status) == 0 || strchr(word, '/') || strchr(word, '.')) {
		return 0;
	}
	struct strbuf path = {0};
	struct err ambiguous = ERR_INIT; /* told when it is opened */
	int found = resolve_name(word, &path, NULL, &ambiguous);
	strbuf_free(&path);
	if (found != 0) {
		return 0;
	}
	for (const struct cli_command *command = commands + 1; command->name && n < 32; command++) {
		names[n++] = command->name;
	}
	const char *near = query_suggest(word, names, n);
	if (near) {
		cli_say(
		    "\"%s\" is no command and no file: did you mean \"%s\"? (see lanescope --help)",
		    word, near);
	} else {
		cli_say("\"%s\" is no command and no file (see lanescope --help)", word);
	}
	return CLI_FAILED;
}

/* Whatever could not read all of a run file, and went on without what is lost (as a note that could
 * not be made), has not answered as it would have. */
static int
look_for_failure(const struct cli *cli, int status)
{
	struct err err = cli->elsewhere;
	bool is_told = status == CLI_FAILED || status >= CLI_CANCELLED || cli->is_asked;
	return !is_told && (store_failure(&err) || err.code != ERR_NONE) ? cli_fail(&err) : status;
}

int
cli_main(int argc, char **argv)
{
	struct cli cli = {.program = argc > 0 ? argv[0] : PACKAGE, .commands = commands};
	(void)setlocale(LC_CTYPE, ""); /* only characters: numbers stay as in C */
	interrupt_watch();
	const struct cli_command *command = argc > 1 ? command_find(argv[1]) : NULL;
	int status = argc > 1 && !command ? check_first_word(argv[1]) : 0;
	if (status) {
		return status;
	}
	cli.command = command ? command : commands;
	cli.argc = argc - (command != NULL);
	cli.argv = argv + (command != NULL);
	status = look_for_failure(&cli, cli.command->run(&cli));
	cache_release(&cli);
	classes_release(&cli);
	scope_free(&cli.scope);
	free(cli.joined);
	free(cli.given);
	return status;
}
