/*
 * lanescope completion SHELL: a script that asks the program itself what may stand next
 * (complete_next.h), so that it knows one's own queries and runs and is never out of date. A script
 * only takes the words from its shell and gives the answers back.
 */
#include "config.h"
#include "cli/complete_next.h"

#include <stdio.h>
#include <string.h>

#include "cli/options.h"

/* bash takes = and : for the end of a word, unless told otherwise. */
static const char bash_script[] =
    "# bash completion for lanescope; made by `lanescope completion bash`\n"
    "_lanescope()\n"
    "{\n"
    "\tlocal i word line kind= cut= all_open=yes\n"
    "\tlocal -a words=()\n"
    "\tfor ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "\t\tword=${COMP_WORDS[i]}\n"
    "\t\tif ((i > 1)) && [[ $word == [=:]* || ${COMP_WORDS[i-1]} == [=:] ]]; then\n"
    "\t\t\twords[${#words[@]}-1]+=$word\n"
    "\t\telse\n"
    "\t\t\twords+=(\"$word\")\n"
    "\t\tfi\n"
    "\tdone\n"
    "\tword=${words[${#words[@]}-1]}\n"
    "\t[[ $word == *[=:]* && $COMP_WORDBREAKS == *=* ]] && cut=${word%\"${word##*[=:]}\"}\n"
    "\tCOMPREPLY=()\n"
    "\twhile IFS= read -r line; do\n"
    "\t\tcase $line in\n"
    "\t\t:*) kind=${line#:} ;;\n"
    "\t\t*)\n"
    "\t\t\tline=${line%%$'\\t'*}\n"
    "\t\t\tline=${line#\"$cut\"}\n"
    "\t\t\t[[ $line == *= ]] || all_open=no\n"
    "\t\t\t[[ -n $kind || $line != *[!A-Za-z0-9_./,:=@%+-]* ]] || printf -v line %q \"$line\"\n"
    "\t\t\tCOMPREPLY+=(\"$line\")\n"
    "\t\t\t;;\n"
    "\t\tesac\n"
    "\tdone < <(\"${COMP_WORDS[0]}\" completion next -- \"${words[@]}\" 2>/dev/null)\n"
    "\tif [[ -n $kind ]]; then\n"
    "\t\tcompopt -o filenames 2>/dev/null\n"
    "\t\twhile IFS= read -r line; do\n"
    "\t\t\tCOMPREPLY+=(\"$line\")\n"
    "\t\tdone < <(if [[ $kind == folders ]]; then compgen -d -- \"${word#\"$cut\"}\"; else "
    "compgen -f -- \"${word#\"$cut\"}\"; fi)\n"
    "\telif [[ $all_open == yes ]]; then\n"
    "\t\tcompopt -o nospace 2>/dev/null\n"
    "\tfi\n"
    "\treturn 0\n"
    "}\n"
    "complete -F _lanescope lanescope\n";

static const char zsh_script[] =
    "#compdef lanescope\n"
    "# made by `lanescope completion zsh`\n"
    "_lanescope()\n"
    "{\n"
    "\tlocal line kind\n"
    "\tlocal -a given whole whole_shown open open_shown\n"
    "\tgiven=(\"${(@Q)words[2,CURRENT-1]}\" \"${(Q)PREFIX}\")\n"
    "\tfor line in \"${(@f)$(\"${(Q)words[1]}\" completion next -- \"${given[@]}\" "
    "2>/dev/null)}\"; "
    "do\n"
    "\t\tcase $line in\n"
    "\t\t('') ;;\n"
    "\t\t(:*) kind=${line#:} ;;\n"
    "\t\t(*=$'\\t'*) open+=(\"${line%%$'\\t'*}\") open_shown+=(\"${line/$'\\t'/  }\") ;;\n"
    "\t\t(*) whole+=(\"${line%%$'\\t'*}\") whole_shown+=(\"${line/$'\\t'/  }\") ;;\n"
    "\t\tesac\n"
    "\tdone\n"
    "\t(( ${#whole} )) && compadd -l -d whole_shown -a whole\n"
    "\t(( ${#open} )) && compadd -S '' -l -d open_shown -a open\n"
    "\tif [[ -n $kind ]]; then\n"
    "\t\t[[ $PREFIX == -*=* ]] && compset -P '*='\n"
    "\t\t[[ $kind == folders ]] && _files -/ || _files\n"
    "\tfi\n"
    "}\n"
    "_lanescope \"$@\"\n";

static const char fish_script[] =
    "# fish completion for lanescope; made by `lanescope completion fish`\n"
    "function __lanescope_next\n"
    "\tset -l words (commandline -opc)\n"
    "\tset -l current (commandline -ct)\n"
    "\tfor line in ($words[1] completion next -- $words[2..-1] \"$current\" 2>/dev/null)\n"
    "\t\tswitch $line\n"
    "\t\t\tcase ':files'\n"
    "\t\t\t\t__fish_complete_path \"$current\"\n"
    "\t\t\tcase ':folders'\n"
    "\t\t\t\t__fish_complete_directories \"$current\"\n"
    "\t\t\tcase '*'\n"
    "\t\t\t\techo $line\n"
    "\t\tend\n"
    "\tend\n"
    "end\n"
    "complete -c lanescope -f -a '(__lanescope_next)'\n";

static const struct {
	const char *shell, *script;
} scripts[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

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
	struct slice word = slice_of(cli->n_words ? cli->words[0] : "");
	size_t i = NAME_FIND(word, scripts);
	if (i < COUNT_OF(scripts)) {
		fputs(scripts[i].script, stdout);
	} else if (slice_is(word, "next")) {
		complete_next(cli, cli->words + 1, cli->n_words - 1);
	} else if (slice_is(word, "words")) {
		print_all_words(cli->commands);
	} else {
		err_set(&err, ERR_USAGE, "for which shell? bash, zsh or fish");
		return cli_usage(cli, &err);
	}
	return CLI_DONE;
}
