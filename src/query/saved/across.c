#include "config.h"
#include "query/saved/across.h"

#include <stdlib.h>

#include "util/order.h"

struct across {
	const struct saved_query *query;
	struct result **results;
	struct run_tags *tags;
	struct value *starts;
	size_t n, results_capacity, tags_capacity, starts_capacity;
	struct left_out left;
	size_t n_failed;
	struct strbuf why; /* the first failure */
};

struct across *
across_new(const struct saved_query *query)
{
	struct across *across = xcalloc(1, sizeof *across);
	across->query = query;
	return across;
}

void
across_miss(struct across *across, const struct err *why)
{
	if (across->n_failed++ == 0) {
		strbuf_add_text(&across->why, why->message);
	}
}

int
across_add(struct across *across, struct store *store, const struct query_argument *arguments,
           size_t n_arguments, const struct cancel *cancel, struct err *err)
{
	const struct run_info *run = store_run(store);
	size_t n = across->n;
	if (!query_applies(across->query, run)) {
		query_leave_out(&across->left, run->name);
		return 0;
	}
	struct run_tags tags = {0};
	struct result *result =
	    query_run(store, across->query, arguments, n_arguments, cancel, err);
	if (!result || run_tags_read(store, &tags, err)) {
		result_free(result);
		run_tags_free(&tags);
		if (err->code == ERR_CANCELLED || err->code == ERR_USAGE) {
			return -1;
		}
		(void)err_wrap(err, "%s", run->name);
		across_miss(across, err);
		*err = (struct err)ERR_INIT;
		return 0;
	}
	MEM_GROW(across->results, across->results_capacity, n + 1);
	MEM_GROW(across->tags, across->tags_capacity, n + 1);
	MEM_GROW(across->starts, across->starts_capacity, n + 1);
	across->results[n] = result;
	across->tags[n] = tags;
	across->starts[n] =
	    run->has_date ? value_integer(run->date_ns) : (struct value){.type = VALUE_NULL};
	across->n++;
	return 0;
}

/* Does the tag part the runs into fewer parts than runs, but more than one? */
static bool
is_shared(const struct across *across, const char *key)
{
	const struct run_tag *first = run_tags_find(&across->tags[0], key);
	bool varies = false, repeats = false;
	for (size_t i = 0; i < across->n && !(varies && repeats); i++) {
		const struct run_tag *tag = run_tags_find(&across->tags[i], key);
		varies |= !tag != !first || (tag && strcmp(tag->value, first->value) != 0);
		for (size_t k = 0; k < i && tag && !repeats; k++) {
			const struct run_tag *other = run_tags_find(&across->tags[k], key);
			repeats = other && strcmp(tag->value, other->value) == 0;
		}
	}
	return varies && repeats;
}

/* Those that people gave, "nodes,mode"; empty: none. */
static void
list_shared(const struct across *across, struct strbuf *list)
{
	for (size_t i = 0; i < across->n; i++) {
		for (size_t k = 0; k < across->tags[i].n; k++) {
			const struct run_tag *tag = &across->tags[i].all[k];
			bool is_new = tag->origin != TAG_OF_TRACE;
			for (size_t j = 0; is_new && j < i; j++) {
				is_new = !run_tags_find(&across->tags[j], tag->key);
			}
			if (is_new && is_shared(across, tag->key)) {
				strbuf_printf(list, "%s%s", list->len ? "," : "", tag->key);
			}
		}
	}
}

static void
add_notes(const struct across *across, struct result *table)
{
	struct strbuf left = {0};
	query_tell_left_out(&across->left, across->query, &left);
	if (left.len) {
		result_add_note(table, "%s", left.data);
	}
	strbuf_free(&left);
	if (across->n_failed) {
		result_add_note(table, "%zu run%s gave no answer: %s", across->n_failed,
		                across->n_failed == 1 ? "" : "s", across->why.data);
	}
}

struct result *
across_fold(const struct across *across, const struct fold *fold, struct err *err)
{
	struct fold by = *fold;
	struct strbuf shared = {0};
	struct result *table = NULL;
	if (across->n == 0) {
		return across->n_failed ? (err_set(err, ERR_QUERY, "%s", across->why.data), NULL)
		                        : (err_set(err, ERR_USAGE, "%s is for runs of format %s",
		                                   across->query->name, across->query->formats),
		                           NULL);
	}
	if (by.by && strcmp(by.by, "*") == 0) {
		list_shared(across, &shared);
		by.by = shared.data;
	}
	table = by.trend ? query_trend(across->results, across->tags, across->starts, across->n,
	                               &by, err)
	                 : query_fold(across->results, across->tags, across->n, &by, err);
	if (table) {
		add_notes(across, table);
	}
	strbuf_free(&shared);
	return table;
}

void
across_free(struct across *across)
{
	if (across) {
		for (size_t i = 0; i < across->n; i++) {
			result_free(across->results[i]);
			run_tags_free(&across->tags[i]);
		}
		free(across->results);
		free(across->tags);
		free(across->starts);
		strbuf_free(&across->left.names);
		strbuf_free(&across->why);
		free(across);
	}
}
