/* Running a saved query on each of the runs, by a connection each; of many, some at once. */
#include "config.h"
#include "cli/query_call.h"

#include <stdlib.h>
#include <string.h>

#include "cli/classes.h"
#include "util/intervals.h"
#include "util/order.h"
#include "util/workers.h"

#define SMALL_ROWS 1000000 /* a run of so few does not take long */
#define RUNS_A_THREAD 4

static void
argument_add(struct argument_list *list, struct slice name, const char *text)
{
	list->names = list->names ? list->names : arena_new();
	MEM_GROW(list->all, list->capacity, list->n + 1);
	list->all[list->n++] = (struct query_argument){
	    .name = arena_strndup(list->names, name.ptr, name.len),
	    .text = text,
	};
}

int
argument_take(struct argument_list *list, const char *text, struct err *err)
{
	const char *equals = strchr(text, '=');
	if (!equals || equals == text) {
		return err_set(err, ERR_USAGE, "-p %s: not NAME=VALUE", text);
	}
	argument_add(list, (struct slice){text, (size_t)(equals - text)}, equals + 1);
	return 0;
}

void
argument_list_free(struct argument_list *list)
{
	free(list->all);
	arena_free(list->names);
}

int
compare_integers(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return ORDER(x, y);
}

int
query_call_take(void *user, int id, const char *value, struct err *err)
{
	struct query_call *call = user;
	int rc = plot_take(&call->plot, id, value, err);
	rc = rc ? rc : answers_take(&call->answers, id, value, err);
	if (rc) {
		return rc;
	}
	switch (id) {
	case OPTION_PARAM:
		return argument_take(&call->arguments, value, err);
	case OPTION_WINDOW:
		argument_add(&call->arguments, slice_of("window"), value);
		return 0;
	case OPTION_QUERIES:
		call->queries_dir = value;
		return 0;
	case OPTION_KEY:
		call->key = value;
		return 0;
	case OPTION_CLASS:
		return classes_take(&call->classes, value, err);
	case OPTION_MEASURE:
		call->measures = value;
		return 0;
	case OPTION_REL_TO:
		call->is_rel_to_b = strcmp(value, "b") == 0;
		return call->is_rel_to_b || strcmp(value, "a") == 0
		           ? 0
		           : err_set(err, ERR_USAGE, "--rel-to %s: a or b", value);
	case OPTION_BEHIND:
		return slice_int64(slice_of(value), &call->behind) && call->behind > 0
		           ? 0
		           : err_set(err, ERR_USAGE, "--behind %s: not the number of a row", value);
	case OPTION_BY:
	case OPTION_STAT:
	case OPTION_PIVOT:
	case OPTION_TREND:
		*(id == OPTION_BY      ? &call->fold.by
		  : id == OPTION_STAT  ? &call->fold.stats
		  : id == OPTION_PIVOT ? &call->fold.pivot
		                       : &call->fold.trend) = value;
		call->is_folded = true;
		return 0;
	case OPTION_WHERE:
		call->where = value;
		return 0;
	case OPTION_WIDE:
		call->wide = true;
		return 0;
	case OPTION_ALL:
		call->is_all = true;
		return 0;
	case OPTION_A:
	case OPTION_BASELINE:
	case OPTION_B:
		path_list_add(&call->groups[id == OPTION_B], value);
		return 0;
	default:
		rc = gate_take(&call->gate, id, value, err);
		return rc ? rc : output_take(&call->output, id, value, err);
	}
}

void
query_say_broken(const struct query_library *library, const char *name)
{
	for (size_t i = 0; i < query_library_broken(library); i++) {
		const char *message = query_library_broken_message(library, i);
		size_t n = name ? strlen(name) : 0;
		if (!name || (strncmp(message, name, n) == 0 && message[n] == ':')) {
			cli_say("saved query left out: %s", message);
		}
	}
}

static int
set_not_for(const struct query_call *call, size_t i, struct err *err)
{
	return err_set(
	    err, ERR_FORMAT,
	    "query %s is for runs of format %s; %s is a %s run (lanescope queries %s lists "
	    "what fits)",
	    call->query->name, call->query->formats, call->runs.names[i],
	    store_run(call->runs.stores[i])->format, call->runs.paths.paths[i]);
}

/* Of several runs, those that the query is not for are left out, unless all are needed or none is
 * left. */
static int
leave_others(struct query_call *call, bool needs_all, struct err *err)
{
	struct left_out left = {0};
	struct strbuf note = {0};
	size_t n_fit = 0, last = 0;
	for (size_t i = 0; i < call->runs.n; i++) {
		bool fits = query_applies(call->query, store_run(call->runs.stores[i]));
		last = fits ? last : i;
		n_fit += fits;
	}
	if (n_fit < call->runs.n && (needs_all || (n_fit == 0 && !call->answers.left_in))) {
		return set_not_for(call, last, err);
	}
	for (size_t i = 0; i < call->runs.n;) {
		if (query_applies(call->query, store_run(call->runs.stores[i]))) {
			i++;
			continue;
		}
		query_leave_out(&left, call->runs.names[i]);
		run_set_leave(&call->runs, i);
	}
	query_tell_left_out(&left, call->query, &note);
	if (note.len) {
		cli_say("note: %s", note.data);
	}
	strbuf_free(&left.names);
	strbuf_free(&note);
	return 0;
}

/* ---- answers ---- */

struct answering {
	struct query_call *call;
	const struct cancel *cancel;
	struct err *errs; /* of each run */
};

static void
pack_result(struct pack *pack, void *answer)
{
	struct result **result = answer;

	*result = result_pack(pack, *result);
}

static struct result *
load_result(const struct answer_jobs *answers, const char *path, struct err *err)
{
	struct result *result = NULL;

	if (answers_load(answers, path, pack_result, &result, err)) {
		result_free(result);
		return NULL;
	}
	return result;
}

static int
answer_run(void *user, size_t i, unsigned thread, struct err *err)
{
	struct answering *answering = user;
	struct query_call *call = answering->call;
	(void)thread;
	const char *path = call->runs.paths.paths[i];
	call->results[i] =
	    call->answers.folder
		? load_result(&call->answers, path, &answering->errs[i])
		: query_run(call->runs.stores[i], call->query, call->arguments.all,
	                    call->arguments.n, answering->cancel, &answering->errs[i]);
	store_rest(call->runs.stores[i]);
	if (call->answers.left_in) { /* who waits for it says what is wrong */
		return answers_keep(&call->answers, path, pack_result,
		                    call->results[i] ? &call->results[i] : NULL,
		                    &answering->errs[i], err);
	}
	if (call->results[i]) {
		return 0;
	}
	/* What is wrong with the call itself is with all runs. */
	enum err_code code = answering->errs[i].code;
	return code == ERR_CANCELLED || code == ERR_USAGE ? (*err = answering->errs[i], -1) : 0;
}

/* Small runs are answered side by side; of a large one each scan takes all cores by itself. */
static unsigned
count_threads(const struct run_set *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		const struct run_info *info = store_run(runs->stores[i]);
		if (time_add(time_add(info->n_spans, info->n_events), info->n_counters) >
		    SMALL_ROWS) {
			return 1;
		}
	}
	return (unsigned)LEAST((size_t)workers_count(), runs->n / RUNS_A_THREAD + 1);
}

/* A run that gives no answer does not keep the others from theirs, unless all are needed, or the
 * call itself is wrong. */
static int
keep_answers(struct answering *answering, bool needs_all, struct err *err)
{
	struct query_call *call = answering->call;
	size_t n = call->runs.n, kept = 0;
	for (size_t i = 0; i < n; i++) {
		struct result *result = call->results[i];
		if (!result) {
			struct err *why = &answering->errs[i];
			if (run_set_is_many(&call->runs)) {
				err_wrap(why, "%s", call->runs.names[kept]);
			}
			if (needs_all || call->runs.n == 1) {
				*err = *why;
				return -1;
			}
			cli_say("%s", why->message);
			run_set_drop(&call->runs, kept);
			continue;
		}
		call->results[i] = NULL;
		call->results[kept++] = result;
	}
	return 0;
}

static int
answer_runs(struct query_call *call, bool needs_all, const struct cancel *cancel, struct err *err)
{
	struct answering answering = {.call = call, .cancel = cancel};
	MEM_NEW(answering.errs, call->runs.n + 1);
	int rc = workers_run(count_threads(&call->runs), call->runs.n, answer_run, &answering, NULL,
	                     err) ||
	                 (!call->answers.left_in && keep_answers(&answering, needs_all, err))
	             ? -1
	             : 0;
	free(answering.errs);
	return rc;
}

int
query_call_run(struct query_call *call, struct cli *cli, const char *name, bool apart,
               struct err *err)
{
	if (!name) {
		name = *cli->words++;
		cli->n_words--;
	}
	classes_set(cli, &call->classes);
	call->library = query_library_open(call->queries_dir);
	query_say_broken(call->library, name);
	call->query = query_library_take(call->library, name, err);
	const struct run_share share = {call->answers.nth, call->answers.of,
	                                call->answers.left_in != NULL};
	if (!call->query ||
	    (apart ? run_set_open(&call->runs, cli, cli->words, cli->n_words, true, err)
	           : run_set_open_some(&call->runs, cli, cli->words, cli->n_words, &share, err))) {
		return -1;
	}
	call->output.inputs = &call->runs.inputs;
	call->output.scope = &cli->scope;
	if (output_check(&call->output, err) || !output_choose_format(&call->output, err)) {
		return -1;
	}
	if (leave_others(call, apart, err)) {
		return -1;
	}
	call->n_results = call->runs.n;
	call->results = xcalloc(call->n_results + 1, sizeof *call->results);
	call->fold.cancel = &cli->cancel;
	if (call->answers.n && answers_run(&call->answers, cli, err)) {
		return -1;
	}
	return answer_runs(call, apart, &cli->cancel, err);
}

void
query_call_sums(struct query_call *call)
{
	if (!call->output.sums_are_set) {
		call->output.sums = SUMS_FOR_PEOPLE;
	}
}

void
query_call_note_problems(const struct query_call *call, struct result *result)
{
	const struct run_set *runs = &call->runs;

	if (!strstr(call->query->sql, "problem")) {
		/* Of several files that make a run none stands for it. */
		bool is_one = runs->inputs.n - runs->paths.n == 1;
		query_note_problems(result, runs->stores, runs->names, runs->n,
		                    is_one ? runs->inputs.paths[0] : runs->paths.paths[0]);
	}
}

static struct result *
fold_table(struct query_call *call, struct err *err)
{
	const struct run_tags *tags = run_set_tags(&call->runs, err);
	size_t n = call->runs.n;
	call->fold.measures = call->measures;
	call->fold.key = call->key;
	if (!tags || !call->fold.trend) {
		return tags ? query_fold(call->results, tags, n, &call->fold, err) : NULL;
	}
	struct value *starts = xcalloc(n + 1, sizeof *starts);
	for (size_t i = 0; i < n; i++) {
		const struct run_info *info = store_run(call->runs.stores[i]);
		starts[i] = info->has_date ? value_integer(info->date_ns) : starts[i];
	}
	struct result *table = query_trend(call->results, tags, starts, n, &call->fold, err);
	free(starts);
	return table;
}

/* Runs that the fold's tags tell apart are meant to differ; NULL: none are. */
static size_t *
call_groups(struct query_call *call)
{
	struct err err = ERR_INIT;
	const struct run_tags *tags = call->is_folded ? run_set_tags(&call->runs, &err) : NULL;

	return tags ? fold_groups(tags, call->runs.n, &call->fold, &err) : NULL;
}

static int
keep_rows(const struct query_call *call, struct result *table, struct err *err)
{
	size_t n = table->n_rows;
	if (!call->where) {
		return 0;
	}
	if (result_where(table, call->where, err)) {
		return err_wrap(err, "--where");
	}
	if (n > 0 && table->n_rows == 0) {
		result_add_note(table, "none of the %zu rows meets --where \"%s\"", n, call->where);
	}
	return 0;
}

struct result *
query_call_table(struct query_call *call, struct err *err)
{
	size_t n = call->runs.n;
	bool is_stacked = run_set_is_many(&call->runs) || call->output.has_path;
	struct result *table =
	    call->is_folded ? fold_table(call, err)
	    : call->wide    ? query_wide(call->results, call->runs.names, n, call->key, err)
	    : is_stacked    ? output_stack(call->results, &call->runs, &call->output, err)
			    : call->results[0];
	if (!table) {
		return NULL;
	}
	if (n > 1) {
		query_note_rankings(table, call->query, call->results, call->runs.names, n,
		                    call->key);
		size_t *groups = call_groups(call);
		query_note_differences(table, call->runs.stores, call->runs.names, groups, n);
		free(groups);
	}
	query_call_note_problems(call, table);
	query_call_sums(call);
	if (keep_rows(call, table, err)) {
		query_call_table_free(call, table);
		return NULL;
	}
	return table;
}

void
query_call_table_free(const struct query_call *call, struct result *table)
{
	if (table != call->results[0]) {
		result_free(table);
	}
}

int
query_call_gate(struct query_call *call, struct result *answer, struct err *err)
{
	const struct run_set *runs = &call->runs;
	if (!call->gate.is_set) {
		return 0;
	}
	struct gate *gate =
	    gate_new(call->gate.limit, runs->stores, runs->names, call->n_a, runs->n - call->n_a);
	int rc = gate_add_results(gate, call->results, call->key, call->measures,
	                          call->gate.is_total, err);
	if (rc == 0) {
		gate_tell(&call->gate, gate, answer);
	}
	gate_free(gate);
	return rc;
}

void
query_call_free(struct query_call *call)
{
	for (size_t i = 0; i < call->n_results; i++) {
		result_free(call->results[i]);
	}
	free(call->results);
	answers_fini(&call->answers);
	run_set_close(&call->runs);
	query_library_close(call->library);
	strbuf_free(&call->classes);
	argument_list_free(&call->arguments);
	path_list_free(&call->groups[0]);
	path_list_free(&call->groups[1]);
}
