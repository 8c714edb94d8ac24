/*
 * lanescope [RUN | TRACE | FOLDER]...: the explorer opens at once; traces that the cache does not
 * have yet are imported in the background. Folders with run files are opened as they are, so that
 * the explorer shows what comes and goes in them.
 */
#include "config.h"
#include "cli/browse.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/background.h"
#include "cli/classes.h"
#include "cli/open.h"
#include "cli/options.h"
#include "query/saved/run_list.h"
#include "util/slice.h"

int
browse_open(const struct ui_options *options)
{
	struct err err = ERR_INIT;
	if (!options->keys_file && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))) {
		cli_say("the explorer needs a terminal; without one use lanescope query, info or "
		        "sql (see lanescope --help)");
		return CLI_FAILED;
	}
	return ui_run(options, &err) ? cli_fail(&err) : CLI_DONE;
}

struct browse_call {
	struct ui_options options;
	struct strbuf classes;
	const char *size;
};

static int
take_cast(struct browse_call *call, const char *path, struct err *err)
{
	const char *ending = strrchr(path, '.');
	if (!ending || (strcmp(ending, ".svg") != 0 && strcmp(ending, ".cast") != 0)) {
		return err_set(err, ERR_USAGE,
		               "--cast %s: what is kept is NAME.svg, animated, or NAME.cast", path);
	}
	call->options.cast = path;
	return 0;
}

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct browse_call *call = user;
	switch (id) {
	case OPTION_ASCII:
		call->options.ascii = true;
		return 0;
	case OPTION_CLASS:
		return classes_take(&call->classes, value, err);
	case OPTION_QUERIES:
		call->options.query_dir = value;
		return 0;
	case OPTION_SESSION:
		call->options.session = value;
		return 0;
	case OPTION_SAFE_CSV:
		call->options.safe_csv = true;
		return 0;
	case OPTION_NO_SESSION:
		call->options.no_session = true;
		return 0;
	case OPTION_CAST:
		return take_cast(call, value, err);
	case OPTION_KEYS:
		call->options.keys_file = value;
		return 0;
	default: /* --size */
		return take_size(value, &call->options.width, &call->options.height, err);
	}
}

/* What the arguments name: run files and folders of them, and traces. */
struct gathering {
	struct background *background;
	struct path_list paths;
};

static void
take_run(void *user, const char *path)
{
	struct gathering *gathering = user;
	path_list_add(&gathering->paths, path);
}

static int
take_traces(void *user, const char *const *traces, unsigned n, struct err *err)
{
	struct gathering *gathering = user;
	return background_add(gathering->background, traces, n, take_run, gathering, err);
}

/* A folder that holds run files stays a folder. */
static int
gather(char **arguments, size_t n, struct gathering *gathering, struct err *err)
{
	struct find_taker taker = {gathering, take_run, take_traces};
	for (size_t i = 0; i < n;) {
		struct stat status;
		if (stat(arguments[i], &status) == 0 && S_ISDIR(status.st_mode)) {
			const char *folder = arguments[i++];
			struct run_list *runs = run_list_find(&folder, 1, err);
			if (!runs) {
				return -1;
			}
			bool has_runs = runs->n > 0;
			run_list_free(runs);
			if (has_runs) {
				path_list_add(&gathering->paths, folder);
			} else if (find_arguments(arguments + i - 1, 1, false, &taker, err)) {
				return -1;
			}
			continue;
		}
		size_t end = i + 1; /* files side by side go together */
		while (end < n &&
		       !(stat(arguments[end], &status) == 0 && S_ISDIR(status.st_mode))) {
			end++;
		}
		if (find_arguments(arguments + i, end - i, false, &taker, err)) {
			return -1;
		}
		i = end;
	}
	return 0;
}

int
command_browse(struct cli *cli)
{
	struct browse_call call = {0};
	struct gathering gathering = {0};
	struct err err = ERR_INIT;
	int status = CLI_DONE;
	if (options_parse(cli, take, &call, &err)) {
		strbuf_free(&call.classes);
		return cli_usage(cli, &err);
	}
	if (call.options.cast && !call.options.keys_file) {
		err_set(&err, ERR_USAGE, "--cast keeps the screens of --keys FILE: give both");
		strbuf_free(&call.classes);
		return cli_usage(cli, &err);
	}
	call.options.classes = call.classes.data;
	call.options.scope = &cli->scope;
	gathering.background = background_new(cli);
	if (gather(cli->words, cli->n_words, &gathering, &err)) {
		status = cli_fail(&err);
	} else {
		call.options.paths = (const char *const *)gathering.paths.paths;
		call.options.n_paths = gathering.paths.n;
		call.options.imports = background_imports(gathering.background);
		status = browse_open(&call.options);
	}
	background_free(gathering.background);
	path_list_free(&gathering.paths);
	strbuf_free(&call.classes);
	return status;
}
