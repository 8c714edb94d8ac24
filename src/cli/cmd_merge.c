/*
 * lanescope merge PART... -o RUN: parts that import --part made become the run that one import of
 * all their traces makes; so do a run file and what came later, parts or traces. A folder stands
 * for the parts in it, or else for the traces.
 */
#include "config.h"
#include "cli/cache.h"
#include "cli/cmd_import.h"
#include "cli/options.h"
#include "cli/path_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "query/saved/target.h"
#include "store/runfile.h"
#include "util/mem.h"
#include "util/slice.h"

struct merge_call {
	struct ingest_options options;
	struct import_saying say;
	bool is_part, joins; /* is_part: one part is made of them */
	struct ingest_summary summary;
	struct path_list parts, traces; /* run files are parts */
};

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct merge_call *call = user;

	switch (id) {
	case OPTION_JOIN:
		call->joins = true;
		return 0;
	case OPTION_AS_PART:
		call->is_part = true;
		return 0;
	default:
		return import_take(&call->options, &call->say, id, value, err);
	}
}

static bool
is_part(const char *path)
{
	return slice_ends_with(slice_of(path), INGEST_PART_ENDING) || runfile_is_run(path) ||
	       runfile_is_part(path);
}

/* All parts in a folder, in the order of their names; or what is in it are traces. */
static int
add_folder(struct merge_call *call, const char *folder, struct err *err)
{
	struct path_list *parts = &call->parts;
	struct dirent **entries;
	int n = scandir(folder, &entries, NULL, alphasort);
	size_t before = parts->n;

	if (n < 0) {
		return err_set_errno(err, errno, "%s", folder);
	}
	for (int i = 0; i < n; i++) {
		struct strbuf path = {0};
		const char *name = entries[i]->d_name;
		if (name[0] != '.' && slice_ends_with(slice_of(name), INGEST_PART_ENDING)) {
			strbuf_printf(&path, "%s%s%s", folder,
			              slice_ends_with(slice_of(folder), "/") ? "" : "/", name);
			path_list_add(parts, path.data);
		}
		strbuf_free(&path);
		free(entries[i]);
	}
	free(entries);
	if (parts->n == before) {
		path_list_add(&call->traces, folder);
	}
	return 0;
}

/* What is read is never replaced. */
static int
check_out(const struct merge_call *call, const char *word, const struct stat *status,
          struct err *err)
{
	struct stat out;

	return stat(call->options.out, &out) == 0 && out.st_dev == status->st_dev &&
	               out.st_ino == status->st_ino
	           ? err_set(err, ERR_USAGE,
	                     "%s: is one of those that are merged: give another name", word)
	           : 0;
}

static int
find_parts(struct merge_call *call, char *const *words, int n, struct err *err)
{
	for (int i = 0; i < n; i++) {
		struct stat status;
		bool is_stdin = strcmp(words[i], "-") == 0;
		if (!is_stdin && stat(words[i], &status)) {
			return err_set_errno(err, errno, "%s", words[i]);
		}
		if (!is_stdin && check_out(call, words[i], &status, err)) {
			return -1;
		}
		if (!is_stdin && S_ISDIR(status.st_mode)) {
			if (add_folder(call, words[i], err)) {
				return -1;
			}
		} else {
			path_list_add(!is_stdin && is_part(words[i]) ? &call->parts : &call->traces,
			              words[i]);
		}
	}
	if (call->is_part && call->traces.n) {
		return err_set(err, ERR_USAGE, "%s: is no part of a run", call->traces.paths[0]);
	}
	return call->parts.n ? 0
	                     : err_set(err, ERR_USAGE,
	                               "%s: neither part nor run file: lanescope import makes runs "
	                               "of traces",
	                               call->traces.paths[0]);
}

static int
make_part(void *user, struct ingest_progress *counters, struct err *err)
{
	struct merge_call *call = user;

	return ingest_merge_part((const char *const *)call->parts.paths, call->parts.n,
	                         call->options.out, &call->options, counters, &call->summary, err);
}

static int
merge_to_part(struct merge_call *call, struct err *err)
{
	struct ingest_progress counters = {0};

	if (progress_show(call->options.out, call->options.cancel, &counters, make_part, call,
	                  err)) {
		return cli_fail(err);
	}
	return say_part_import(NULL, &call->summary, &call->say);
}

static int
merge(struct merge_call *call, struct err *err)
{
	char *name = runfile_name(call->options.out);
	const struct ingest_merging of = {.parts = (const char *const *)call->parts.paths,
	                                  .n_parts = call->parts.n,
	                                  .traces = (const char *const *)call->traces.paths,
	                                  .n_traces = (unsigned)call->traces.n,
	                                  .joins = call->joins};
	struct ingest_merge *parts =
	    ingest_merge_new(&of, name, call->options.out, call->options.cancel, err);
	const struct ingest_plan *plan = parts ? ingest_merge_plan(parts, &call->options) : NULL;
	int status = plan && progress_import(plan, &call->options, &call->summary, err) == 0
	                 ? say_import(plan, &call->summary, &call->say)
	                 : cli_fail(err);

	ingest_merge_free(parts);
	free(name);
	return status;
}

int
command_merge(struct cli *cli)
{
	static const char *const run_files[] = {"lanes", NULL};
	struct merge_call call = {.options = {.cancel = &cli->cancel}};
	struct err err = ERR_INIT;
	int status;

	if (options_parse(cli, take, &call, &err) ||
	    (!cli->n_words && err_set(&err, ERR_USAGE, "which parts?")) ||
	    (!call.options.out &&
	     err_set(&err, ERR_USAGE, "what is the run file called? give -o RUN")) ||
	    (!call.is_part &&
	     target_check_ending(call.options.out, run_files,
	                         "a run file is written, so call it NAME.lanes", &err))) {
		return cli_usage(cli, &err);
	}
	status = find_parts(&call, cli->words, (int)cli->n_words, &err) ? cli_fail(&err)
	         : call.is_part                                         ? merge_to_part(&call, &err)
	                                                                : merge(&call, &err);
	path_list_free(&call.parts);
	path_list_free(&call.traces);
	return status;
}
