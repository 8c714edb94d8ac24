/*
 * lanescope completion SHELL: completions made from the tables of commands, options, formats and
 * saved queries that this program has, so they can't be out of date. The scripts are static text
 * once made; only names of files are left to the shell.
 */
#include "config.h"
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "chart/chart.h"
#include "cli/options.h"
#include "explain/explain.h"
#include "export/document.h"
#include "export/export.h"
#include "import/import.h"
#include "manual/manual.h"
#include "query/saved/query.h"

#define WORD_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

/* Those without characters that shells read as something else. */
static void
print_topics(const struct query_library *library)
{
	struct manual *manual = manual_open(library);
	const char *word;

	for (size_t i = 0; (word = manual_word(manual, i)) != NULL; i++) {
		if (strspn(word, WORD_CHARACTERS) == strlen(word)) {
			printf("%s ", word);
		}
	}
	manual_close(manual);
}

static void
print_words(enum cli_words words, const struct query_library *library)
{
	switch (words) {
	case WORDS_EXPORT:
	case WORDS_TO:
		printf("%s", words == WORDS_TO ? "chrome " : "");
		for (const struct export_format *format = export_formats; format->name; format++) {
			if (words == WORDS_EXPORT || format->row) {
				printf("%s ", format->name);
			}
		}
		break;
	case WORDS_IMPORT:
		for (size_t i = 0; import_formats[i]; i++) {
			printf("%s ", import_formats[i]->name);
		}
		break;
	case WORDS_QUERY:
		for (size_t i = 0; i < query_library_count(library); i++) {
			printf("%s ", query_library_get(library, i)->name);
		}
		break;
	case WORDS_PART:
		for (size_t i = 0; explain_parts[i] && explain_parts[i]->name; i++) {
			printf("%s ", explain_parts[i]->name);
		}
		break;
	case WORDS_PLOT:
		for (size_t i = 0; chart_kind_names[i]; i++) {
			printf("%s ", chart_kind_names[i]);
		}
		break;
	case WORDS_TOPIC:
		print_topics(library);
		break;
	case WORDS_REPORT:
		for (size_t i = 0; document_formats[i].name; i++) {
			printf("%s ", document_formats[i].name);
		}
		break;
	case WORDS_SHELL:
		printf("bash zsh fish ");
		break;
	case WORDS_SIMULATE:
		printf("preemption trace checkpoint ");
		break;
	default:
		break;
	}
}

static bool
is_list(enum cli_words words)
{
	return words == WORDS_EXPORT || words == WORDS_TO || words == WORDS_IMPORT ||
	       words == WORDS_QUERY || words == WORDS_SHELL || words == WORDS_SIMULATE ||
	       words == WORDS_PART || words == WORDS_TOPIC || words == WORDS_PLOT ||
	       words == WORDS_REPORT;
}

static bool
is_file(enum cli_words words)
{
	return words == WORDS_FILE || words == WORDS_RUN || words == WORDS_TRACE ||
	       words == WORDS_FOLDER;
}

static void
print_commands(const struct cli_command *all)
{
	for (const struct cli_command *command = all + 1; command->name; command++) {
		printf("%s ", command->name);
	}
}

/* ---- bash (zsh reads the same through bashcompinit's functions, but gets its own below) ---- */

static void
bash_command(const struct cli_command *command, const struct query_library *library)
{
	printf("\t%s)\n\t\tcase $previous in\n", command->name[0] ? command->name : "*");
	for (size_t i = 0; command->options[i]; i++) {
		const struct cli_option *option = command->options[i];
		if (!option->argument) {
			continue;
		}
		printf("\t\t--%s%s%c) ", option->name, option->id < 256 ? "|-" : "",
		       option->id < 256 ? option->id : ' ');
		if (is_list(option->words)) {
			printf("words='");
			print_words(option->words, library);
			printf("' ;;\n");
		} else {
			printf("files=%s ;;\n", is_file(option->words) ? "yes" : "no");
		}
	}
	printf("\t\t*)\n\t\t\toptions='");
	for (size_t i = 0; command->options[i]; i++) {
		printf("--%s ", command->options[i]->name);
	}
	printf("--help --version'\n");
	if (is_list(command->words[0])) {
		printf("\t\t\t[ \"$nth\" -eq 1 ] && words='");
		print_words(command->words[0], library);
		printf("'\n");
	}
	printf("\t\t\t;;\n\t\tesac\n\t\t;;\n");
}

static void
print_bash(const struct cli_command *all, const struct query_library *library)
{
	printf(
	    "# bash completion for lanescope; made by `lanescope completion bash`\n"
	    "_lanescope()\n{\n"
	    "\tlocal current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
	    "\tlocal command=${COMP_WORDS[1]} nth=$((COMP_CWORD - 1)) words= options= files=yes\n"
	    "\tcase $command in\n");
	for (const struct cli_command *command = all + 1; command->name; command++) {
		bash_command(command, library);
	}
	bash_command(all, library);
	printf("\tesac\n\t[ \"$COMP_CWORD\" -eq 1 ] && words='");
	print_commands(all);
	printf("'\n"
	       "\t[ \"${current#-}\" != \"$current\" ] && words=$options files=no\n"
	       "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
	       "\t[ ${#COMPREPLY[@]} -eq 0 ] && [ $files = yes ] && { compopt -o filenames; "
	       "COMPREPLY=($(compgen -f -- \"$current\")); }\n"
	       "\treturn 0\n}\ncomplete -F _lanescope lanescope\n");
}

/* ---- zsh ---- */

/* Text within '...[...]' of _arguments. */
static void
zsh_text(const char *text)
{
	for (; *text; text++) {
		if (strchr("[]:\\", *text)) {
			putchar('\\');
		}
		if (*text == '\'') {
			printf("'\\''");
		} else {
			putchar(*text);
		}
	}
}

static void
zsh_action(enum cli_words words, const struct query_library *library)
{
	if (is_list(words)) {
		putchar('(');
		print_words(words, library);
		putchar(')');
	} else if (is_file(words)) {
		printf("%s", words == WORDS_FOLDER ? "_files -/" : "_files");
	}
}

static void
zsh_option(const struct cli_option *option, const struct query_library *library)
{
	for (int letter = option->id < 256; letter >= 0; letter--) {
		if (letter) {
			printf("\t\t\t'-%c", option->id);
		} else {
			printf("\t\t\t'--%s%s", option->name, option->argument ? "=" : "");
		}
		putchar('[');
		zsh_text(option->about);
		putchar(']');
		if (option->argument) {
			bool is_optional = option->argument[0] == '['; /* "[KIND]" */

			printf("%s%.*s:", is_optional ? "::" : ":",
			       (int)strlen(option->argument) - 2 * is_optional,
			       option->argument + is_optional);
			zsh_action(option->words, library);
		}
		printf("' \\\n");
	}
}

static void
zsh_command(const struct cli_command *command, const struct query_library *library)
{
	printf("\t%s)\n\t\t_arguments \\\n", command->name[0] ? command->name : "*");
	for (size_t i = 0; command->options[i]; i++) {
		zsh_option(command->options[i], library);
	}
	printf("\t\t\t'1:argument:");
	zsh_action(command->words[0], library);
	printf("' '*:argument:");
	zsh_action(command->words[1], library);
	printf("'\n\t\t;;\n");
}

static void
print_zsh(const struct cli_command *all, const struct query_library *library)
{
	printf("#compdef lanescope\n# made by `lanescope completion zsh`\n_lanescope()\n{\n"
	       "\tif ((CURRENT == 2)); then\n\t\tlocal -a names\n\t\tnames=(\n");
	for (const struct cli_command *command = all + 1; command->name; command++) {
		printf("\t\t\t'%s:", command->name);
		zsh_text(command->summary);
		printf("'\n");
	}
	printf("\t\t)\n\t\t_describe command names\n\t\t_files\n\t\treturn\n\tfi\n"
	       "\tlocal name=$words[2]\n\tshift words\n\t((CURRENT--))\n\tcase $name in\n");
	for (const struct cli_command *command = all + 1; command->name; command++) {
		zsh_command(command, library);
	}
	zsh_command(all, library);
	printf("\tesac\n}\n_lanescope \"$@\"\n");
}

/* ---- fish ---- */

static void
fish_text(const char *text)
{
	putchar('\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\') {
			putchar('\\');
		}
		putchar(*text);
	}
	putchar('\'');
}

static void
fish_command(const struct cli_command *command, const struct query_library *library)
{
	char condition[128];
	snprintf(condition, sizeof condition,
	         command->name[0] ? "__fish_seen_subcommand_from %s" : "__fish_use_subcommand%s",
	         command->name);
	for (size_t i = 0; command->options[i]; i++) {
		const struct cli_option *option = command->options[i];
		printf("complete -c lanescope -n '%s' -l %s", condition, option->name);
		if (option->id < 256) {
			printf(" -s %c", option->id);
		}
		if (option->argument && option->argument[0] != '[') {
			printf(is_file(option->words) ? " -r" : " -x");
		}
		if (is_list(option->words)) {
			printf(" -a '");
			print_words(option->words, library);
			putchar('\'');
		}
		printf(" -d ");
		fish_text(option->about);
		putchar('\n');
	}
	if (is_list(command->words[0])) {
		printf("complete -c lanescope -n '%s' -a '", condition);
		print_words(command->words[0], library);
		printf("'\n");
	}
}

static void
print_fish(const struct cli_command *all, const struct query_library *library)
{
	printf("# fish completion for lanescope; made by `lanescope completion fish`\n"
	       "complete -c lanescope -l help -s h -d 'this text'\ncomplete -c lanescope -l "
	       "version -d 'the version'\n");
	for (const struct cli_command *command = all + 1; command->name; command++) {
		printf("complete -c lanescope -n __fish_use_subcommand -a %s -d ", command->name);
		fish_text(command->summary);
		putchar('\n');
	}
	for (const struct cli_command *command = all; command->name; command++) {
		fish_command(command, library);
	}
}

/* Every command and option, one a line: for tests that compare the manual with the tables. */
static void
print_all_words(const struct cli_command *all)
{
	for (const struct cli_command *command = all; command->name; command++) {
		if (command->name[0]) {
			puts(command->name);
		}
		for (size_t i = 0; command->options[i]; i++) {
			printf("--%s\n", command->options[i]->name);
		}
	}
}

int
command_completion(struct cli *cli)
{
	struct err err = ERR_INIT;
	if (options_parse(cli, NULL, NULL, &err)) {
		return cli_usage(cli, &err);
	}
	const char *shell = cli->n_words ? cli->words[0] : "";
	struct query_library *library = query_library_open(NULL);
	int status = CLI_DONE;
	if (strcmp(shell, "bash") == 0) {
		print_bash(cli->commands, library);
	} else if (strcmp(shell, "zsh") == 0) {
		print_zsh(cli->commands, library);
	} else if (strcmp(shell, "fish") == 0) {
		print_fish(cli->commands, library);
	} else if (strcmp(shell, "words") == 0) {
		print_all_words(cli->commands);
	} else {
		err_set(&err, ERR_USAGE, "for which shell? bash, zsh or fish");
		status = cli_usage(cli, &err);
	}
	query_library_close(library);
	return status;
}
