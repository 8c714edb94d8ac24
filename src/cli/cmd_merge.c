/*
 * lanescope merge PART... -o RUN: parts that import --part made become the run that one import of
 * all their traces makes. A folder stands for the parts in it.
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
	struct path_list parts;
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

/* All parts in a folder, in the order of their names. */
static int
add_folder(struct path_list *parts, const char *folder, struct err *err)
{
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
	return parts->n > before
	           ? 0
	           : err_set(err, ERR_USAGE, "%s: no part (NAME" INGEST_PART_ENDING ") in it",
	                     folder);
}

static int
find_parts(struct merge_call *call, char *const *words, int n, struct err *err)
{
	for (int i = 0; i < n; i++) {
		struct stat status;
		if (stat(words[i], &status) == 0 && S_ISDIR(status.st_mode)) {
			if (add_folder(&call->parts, words[i], err)) {
				return -1;
			}
		} else {
			path_list_add(&call->parts, words[i]);
		}
	}
	return 0;
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
	return say_part_import(&call->summary, &call->say);
}

static int
merge(struct merge_call *call, struct err *err)
{
	char *name = runfile_name(call->options.out);
	struct ingest_merge *parts =
	    ingest_merge_new((const char *const *)call->parts.paths, call->parts.n, name,
	                     call->options.out, call->joins, call->options.cancel, err);
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
	return status;
}
