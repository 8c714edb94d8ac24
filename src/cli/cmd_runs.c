/* lanescope runs [FOLDER]...: what is here. */
#include "config.h"
#include "cli/cache.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/plot.h"
#include "cli/resolve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "query/saved/run_table.h"
#include "store/store.h"

struct runs_call {
	struct output_choice output;
	struct plot_choice plot;
	const char *where;
	bool is_cached;
};

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct runs_call *call = user;
	if (id == OPTION_CACHED) {
		call->is_cached = true;
		return 0;
	}
	if (id == OPTION_WHERE) {
		call->where = value;
		return 0;
	}
	int rc = plot_take(&call->plot, id, value, err);
	return rc ? rc : output_take(&call->output, id, value, err);
}

static void
say_troubles(const struct run_list *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		const struct run_entry *entry = &runs->entries[i];
		if (entry->error || entry->tags.trouble) {
			cli_say("%s", entry->error ? entry->error : entry->tags.trouble);
		}
	}
}

/* The rows and columns that are asked for; columns of the first n_plain, unless others are named.
 * */
static int
choose(struct result *table, size_t n_plain, const struct runs_call *call, struct err *err)
{
	size_t n_runs = table->n_rows;
	if ((call->where && result_where(table, call->where, err)) ||
	    (call->output.sort && result_sort(table, call->output.sort, err))) {
		return -1;
	}
	if (n_runs == 0) {
		result_add_note(table, "no run files here; lanescope import TRACE... makes one");
	} else if (table->n_rows == 0) {
		result_add_note(table, "none of the %zu runs meets the condition", n_runs);
	}
	if (!call->output.columns) { /* others are picked when it is printed */
		run_table_keep_plain(table, n_plain);
	}
	return 0;
}

/* Paths as run_list_new takes them. */
static int
print_runs(const char *const *paths, size_t n_paths, const struct runs_call *call, struct err *err)
{
	struct run_list *runs = run_list_new(paths, n_paths, err);
	if (!runs) {
		return -1;
	}
	struct path_list inputs = {0};
	struct output_choice to = call->output;
	size_t n_plain;
	for (size_t i = 0; i < n_paths; i++) {
		path_list_add(&inputs, paths[i]);
	}
	to.inputs = &inputs;
	to.sort = NULL; /* done, as columns may be gone by which rows are put in order */
	say_troubles(runs);
	struct result *table = run_table_new(runs, &n_plain);
	const struct run_set none = {0}; /* whose names have colours */
	int rc = choose(table, n_plain, call, err) ||
	                 plot_or_print(table, "bars x=run y=duration", &call->plot, &to, &none, err)
	             ? -1
	             : 0;
	result_free(table);
	path_list_free(&inputs);
	run_list_free(runs);
	return rc;
}

static int
print_cached(const struct runs_call *call, struct err *err)
{
	struct path_list folders = {0};
	struct strbuf cache = {0};
	int rc = cache_folder("runs", &cache, err);
	if (rc == 0) {
		cache_each(cache.data, path_list_add, &folders);
		rc = print_runs((const char *const *)folders.paths, folders.n, call, err);
	}
	path_list_free(&folders);
	strbuf_free(&cache);
	return rc;
}

static bool
can_be_opened(const char *path)
{
	struct err err = ERR_INIT;
	struct stat status;
	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		return true;
	}
	struct store *store = store_open(path, &err);
	store_close(store);
	return store;
}

/* What is named and not there, or no run, does not keep the others from being listed. */
static int
print_named(char **names, size_t n, const struct runs_call *call, struct err *err)
{
	struct path_list paths = {0};
	bool all_good = true;
	for (size_t i = 0; i < n; i++) {
		struct strbuf path = {0};
		struct stat status;
		int found = resolve_name(names[i], &path, NULL, err);
		if (found == 0) {
			strbuf_add_text(&path, names[i]);
		}
		if (found < 0 || stat(path.data, &status) != 0) {
			all_good = false;
			cli_say("%s%s%s", found < 0 ? err->message : names[i],
			        found < 0 ? "" : ": ", found < 0 ? "" : strerror(errno));
			*err = (struct err)ERR_INIT;
		} else {
			path_list_add(&paths, path.data);
			all_good = all_good && can_be_opened(path.data);
		}
		strbuf_free(&path);
	}
	int rc = paths.n ? print_runs((const char *const *)paths.paths, paths.n, call, err) : 0;
	path_list_free(&paths);
	return rc ? cli_fail(err) : all_good ? CLI_DONE : CLI_FAILED;
}

int
command_runs(struct cli *cli)
{
	struct runs_call call = {0};
	struct err err = ERR_INIT;
	static const char *const here[] = {"."};
	if (options_parse(cli, take, &call, &err) || plot_settle(&call.plot, &call.output, &err) ||
	    (call.is_cached && cli->n_words &&
	     err_set(&err, ERR_USAGE, "--cached takes no folder"))) {
		return cli_usage(cli, &err);
	}
	if (call.is_cached) {
		return print_cached(&call, &err) ? cli_fail(&err) : CLI_DONE;
	}
	if (!cli->n_words) {
		return print_runs(here, 1, &call, &err) ? cli_fail(&err) : CLI_DONE;
	}
	return print_named(cli->words, cli->n_words, &call, &err);
}
