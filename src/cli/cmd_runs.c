/* lanescope runs [FOLDER]...: what is here. */
#include "config.h"
#include "cli/answers.h"
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
	struct cli *cli;
	struct output_choice output;
	struct plot_choice plot;
	struct answer_jobs answers;
	const char *where;
	bool is_cached;
	bool lacks; /* what was named is not there, or no run, which was said */
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
	rc = rc ? rc : answers_take(&call->answers, id, value, err);
	return rc ? rc : output_take(&call->output, id, value, err);
}

static void
say_troubles(const struct run_list *runs, struct runs_call *call)
{
	for (size_t i = 0; i < runs->n; i++) {
		const struct run_entry *entry = &runs->entries[i];
		call->lacks |= entry->is_named && entry->error;
		if (entry->error || entry->tags.trouble) {
			cli_say("%s", entry->error ? entry->error : entry->tags.trouble);
		}
	}
}

/* The rows and columns that are asked for; columns of the first n_plain, unless others are named.
 * */
static int
choose(struct result *table, size_t n_plain, size_t n_files, const struct runs_call *call,
       struct err *err)
{
	size_t n_runs = table->n_rows;
	if ((call->where && result_where(table, call->where, err)) ||
	    (call->output.sort && result_sort(table, call->output.sort, err))) {
		return -1;
	}
	if (n_files == 0) {
		result_add_note(table, "no run files here; lanescope import TRACE... makes one");
	} else if (n_runs > 0 && table->n_rows == 0) {
		result_add_note(table, "none of the %zu runs meets the condition", n_runs);
	}
	if (!call->output.columns) { /* others are picked when it is printed */
		run_table_keep_plain(table, n_plain);
	}
	return 0;
}

/* ---- several processes ---- */

struct runs_share {
	struct run_list *runs;
	size_t first, step;
};

static void
pack_share(struct pack *pack, void *answer)
{
	const struct runs_share *share = answer;

	run_list_pack(pack, share->runs, share->first, share->step);
}

/* What a process found out, by its number. */
static void
print_about(char about[32], unsigned nth)
{
	snprintf(about, 32, "runs of %u", nth);
}

static int
keep_share(struct run_list *runs, const struct runs_call *call, struct err *err)
{
	const struct err none = ERR_INIT;
	struct runs_share all = {runs, 0, 1};
	char about[32];

	print_about(about, call->answers.nth);
	return answers_keep(&call->answers, about, pack_share, &all, &none, err) ||
	               answers_end(&call->answers, call->cli, err)
	           ? -1
	           : 0;
}

/* What came to be there in between, so that a process counted otherwise, is read here. */
static int
ask_others(struct run_list *runs, struct runs_call *call, struct err *err)
{
	if (answers_run(&call->answers, call->cli, err)) {
		return -1;
	}
	for (unsigned nth = 1; nth <= call->answers.n; nth++) {
		struct runs_share share = {runs, nth - 1, call->answers.n};
		struct err ignored = ERR_INIT;
		char about[32];
		print_about(about, nth);
		(void)answers_load(&call->answers, about, pack_share, &share, &ignored);
	}
	return 0;
}

static int
read_runs(struct run_list *runs, struct runs_call *call, struct err *err)
{
	if (call->answers.n && ask_others(runs, call, err)) {
		return -1;
	}
	if (call->answers.of) {
		run_list_keep(runs, call->answers.nth - 1, call->answers.of);
	}
	return run_list_read(runs, err);
}

/* ---- the list ---- */

static int
print_table(const struct run_list *runs, const char *const *paths, size_t n_paths,
            struct runs_call *call, struct err *err)
{
	struct path_list inputs = {0};
	struct output_choice to = call->output;
	size_t n_plain;
	for (size_t i = 0; i < n_paths; i++) {
		path_list_add(&inputs, paths[i]);
	}
	to.inputs = &inputs;
	to.sort = NULL; /* done, as columns may be gone by which rows are put in order */
	say_troubles(runs, call);
	struct result *table = run_table_new(runs, &n_plain);
	const struct run_set none = {0}; /* whose names have colours */
	int rc = choose(table, n_plain, runs->n, call, err) ||
	                 plot_or_print(table, "bars x=run y=duration", &call->plot, &to, &none, err)
	             ? -1
	             : 0;
	result_free(table);
	path_list_free(&inputs);
	return rc;
}

/* Paths as run_list_new takes them. */
static int
print_runs(const char *const *paths, size_t n_paths, struct runs_call *call, struct err *err)
{
	struct run_list *runs = run_list_find(paths, n_paths, err);
	int rc = runs ? read_runs(runs, call, err) : -1;

	if (rc == 0) {
		rc = call->answers.left_in ? keep_share(runs, call, err)
		                           : print_table(runs, paths, n_paths, call, err);
	}
	run_list_free(runs);
	answers_fini(&call->answers);
	return rc;
}
static int
print_cached(struct runs_call *call, struct err *err)
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

/* What is named and not there, or no run, does not keep the others from being listed. */
static int
print_named(struct runs_call *call, struct err *err)
{
	struct path_list paths = {0};
	for (size_t i = 0; i < call->cli->n_words; i++) {
		const char *name = call->cli->words[i];
		struct strbuf path = {0};
		struct stat status;
		int found = resolve_name(name, &path, NULL, err);
		if (found == 0) {
			strbuf_add_text(&path, name);
		}
		if (found < 0 || stat(path.data, &status) != 0) {
			call->lacks = true;
			cli_say("%s%s%s", found < 0 ? err->message : name, found < 0 ? "" : ": ",
			        found < 0 ? "" : strerror(errno));
			*err = (struct err)ERR_INIT;
		} else {
			path_list_add(&paths, path.data);
		}
		strbuf_free(&path);
	}
	int rc = paths.n ? print_runs((const char *const *)paths.paths, paths.n, call, err) : 0;
	path_list_free(&paths);
	return rc;
}

int
command_runs(struct cli *cli)
{
	struct runs_call call = {.cli = cli};
	struct err err = ERR_INIT;
	static const char *const here[] = {"."};
	if (options_parse(cli, take, &call, &err) || plot_settle(&call.plot, &call.output, &err) ||
	    answers_check(&call.answers, &err) ||
	    (call.is_cached && cli->n_words &&
	     err_set(&err, ERR_USAGE, "--cached takes no folder"))) {
		return cli_usage(cli, &err);
	}
	int rc = call.is_cached ? print_cached(&call, &err)
	         : cli->n_words ? print_named(&call, &err)
	                        : print_runs(here, 1, &call, &err);
	return rc ? cli_fail(&err) : call.lacks ? CLI_FAILED : CLI_DONE;
}
