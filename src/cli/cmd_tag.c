/*
 * lanescope tag RUN... [KEY=VALUE | KEY-]...: what people say of runs, after their import. Words
 * with "=" behind a tag's name, and those that end in "-" and are no file, are tags, all others
 * runs. All runs are opened before the first is changed.
 */
#include "config.h"
#include "cli/open.h"
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "query/saved/run_tags.h"
#include "store/runfile.h"
#include "store/upgrade.h"

struct tag_call {
	struct output_choice output;
	const char *into;
	struct tag_list changes;
	struct path_list paths; /* of the runs */
};

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct tag_call *call = user;
	if (id == OPTION_INTO) {
		call->into = value;
		return 0;
	}
	return output_take(&call->output, id, value, err);
}

/* 1: the word is a tag, 0 a run. */
static int
take_tag(struct tag_call *call, const char *word, struct err *err)
{
	struct err ignored = ERR_INIT;
	const char *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) : strlen(word);
	bool is_taken = !equals && length > 1 && word[length - 1] == '-';
	struct slice key = {word, length - is_taken};
	bool is_key = (equals || is_taken) && tag_check_key(key, &ignored) == 0;
	if (!is_key || (is_taken && access(word, F_OK) == 0)) {
		return 0;
	}
	if (equals && !equals[1]) {
		return err_set(err, ERR_USAGE, "%s: has no value; %.*s- takes the tag away", word,
		               (int)length, word);
	}
	int rc = equals ? tag_list_take(&call->changes, word, err)
	                : tag_list_set(&call->changes, key, slice_of(""), err);
	return rc ? -1 : 1;
}

/* A word with "=" that is no run was meant as a tag: what its name lacks is said. */
static int
take_run(struct tag_call *call, char *word, struct err *err)
{
	static const char why[] = "a trace gets tags when it is imported (lanescope import --tag)";
	const char *equals = strchr(word, '=');
	if (find_only_runs(word, why, &call->paths, err) == 0) {
		return 0;
	}
	return equals && !memchr(word, '/', (size_t)(equals - word)) && access(word, F_OK) != 0
	           ? tag_check_key((struct slice){word, (size_t)(equals - word)}, err)
	           : -1;
}

static int
take_words(struct tag_call *call, struct cli *cli, struct err *err)
{
	for (size_t i = 0; i < cli->n_words; i++) {
		int is_tag = take_tag(call, cli->words[i], err);
		if (is_tag < 0 || (!is_tag && take_run(call, cli->words[i], err))) {
			return -1;
		}
	}
	if (call->paths.n == 0) {
		return err_set(err, ERR_USAGE, "which run?");
	}
	return call->into && call->paths.n > 1
	           ? err_set(err, ERR_USAGE, "--into is of one run, these are %zu", call->paths.n)
	           : 0;
}

/* Does the run have a tag that is to be taken away? */
static int
has_taken(const struct tag_call *call, struct store *store, bool *has, struct err *err)
{
	struct run_tags tags = {0};
	int rc = run_tags_read(store, &tags, err);
	for (size_t i = 0; rc == 0 && i < call->changes.n; i++) {
		const struct tag_text *change = &call->changes.all[i];
		has[i] = has[i] || *change->value || run_tags_find(&tags, change->key);
	}
	run_tags_free(&tags);
	return rc;
}

/* What none of the runs has is a slip of the keys. */
static int
check_taken(const struct tag_call *call, struct store *const *stores, struct err *err)
{
	bool *has = xcalloc(call->changes.n + 1, sizeof *has);
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < call->paths.n; i++) {
		rc = has_taken(call, stores[i], has, err);
	}
	for (size_t i = 0; rc == 0 && i < call->changes.n; i++) {
		if (!has[i]) {
			rc = err_set(err, ERR_USAGE, "%s%s: there is no tag %s to take away",
			             call->paths.paths[0],
			             call->paths.n > 1 ? " and the others" : "",
			             call->changes.all[i].key);
		}
	}
	free(has);
	return rc;
}

static int
write_into(const struct tag_call *call, struct store *store, const struct cancel *cancel,
           struct err *err)
{
	struct tag_list tags = {0};
	int rc = run_tags_later(store, &tags, err) || tag_list_add(&tags, &call->changes, err) ||
	                 upgrade_tags(store_path(store), call->into, &tags, cancel, err)
	             ? -1
	             : 0;
	tag_list_free(&tags);
	return rc;
}

static int
list_tags(const struct tag_call *call, struct store *const *stores, struct err *err)
{
	struct result **results = xcalloc(call->paths.n + 1, sizeof *results);
	const char **names = xcalloc(call->paths.n + 1, sizeof *names);
	struct result *stack = NULL;
	size_t n = 0;
	for (; n < call->paths.n; n++) {
		struct run_tags tags = {0};
		if (run_tags_read(stores[n], &tags, err)) {
			run_tags_free(&tags);
			break;
		}
		if (tags.trouble) {
			cli_say("%s", tags.trouble);
		}
		results[n] = run_tags_list(&tags);
		names[n] = store_run(stores[n])->name;
		run_tags_free(&tags);
	}
	int rc = -1;
	if (n == call->paths.n && (stack = query_stack(results, names, NULL, NULL, n, err))) {
		rc = output_result(stack, &call->output, err);
	}
	for (size_t i = 0; i < n; i++) {
		result_free(results[i]);
	}
	result_free(stack);
	free(results);
	free(names);
	return rc;
}

static int
carry_out(const struct tag_call *call, struct store *const *stores, const struct cancel *cancel,
          struct err *err)
{
	if (check_taken(call, stores, err)) {
		return -1;
	}
	if (call->into) {
		return write_into(call, stores[0], cancel, err);
	}
	for (size_t i = 0; call->changes.n > 0 && i < call->paths.n; i++) {
		if (run_tags_keep(stores[i], &call->changes, err)) {
			return -1;
		}
	}
	return call->changes.n == 0 ? list_tags(call, stores, err) : 0;
}

int
command_tag(struct cli *cli)
{
	struct tag_call call = {0};
	struct err err = ERR_INIT;
	int status = CLI_DONE;
	if (options_parse(cli, take, &call, &err) || take_words(&call, cli, &err)) {
		status = cli_usage(cli, &err);
	}
	struct store **stores = xcalloc(call.paths.n + 1, sizeof *stores);
	size_t n = 0;
	call.output.inputs = &call.paths;
	while (status == CLI_DONE && n < call.paths.n) {
		stores[n] = store_open(call.paths.paths[n], &err);
		status = stores[n] ? CLI_DONE : cli_fail(&err);
		n += stores[n] != NULL;
	}
	if (status == CLI_DONE && n > 0 && carry_out(&call, stores, &cli->cancel, &err)) {
		status = cli_fail(&err);
	}
	while (n > 0) {
		store_close(stores[--n]);
	}
	free(stores);
	tag_list_free(&call.changes);
	path_list_free(&call.paths);
	return status;
}
