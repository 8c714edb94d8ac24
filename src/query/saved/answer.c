/*
 * A saved query's answer with what is said below it. Below one without rows: which parameter
 * matches nothing. It looks the same whether there is nothing or a path was mistyped. So each
 * parameter that is not at its default is tried at its default, alone: one with which rows come
 * then is the one that matches nothing, several match nothing together. And a pattern as SQL's LIKE
 * has it gets a word on ours.
 *
 * There may be rows even so: what a pattern says may bear on some of the columns alone. Such a
 * pattern is tried as one that can't match: if the answer is the same then, what was given matches
 * nothing either.
 */
#include "config.h"
#include "query/saved/query_file.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/notes.h"

#define TRIED 8 /* each costs the statement up to its first row */

/* The argument that holds, as the last of a name does; NULL: the parameter is at its default. */
static const char *
given_text(const struct query_param *param, const struct query_argument *arguments, size_t n)
{
	const char *text = NULL;

	for (size_t i = 0; i < n; i++) {
		text = strcmp(arguments[i].name, param->name) == 0 ? arguments[i].text : text;
	}
	return text && param->default_text && strcmp(text, param->default_text) == 0 ? NULL : text;
}

/* Is it taken as a GLOB pattern? */
static bool
is_pattern(const struct query_param *param)
{
	return param->kind == KIND_TEXT &&
	       ((param->default_text && strchr(param->default_text, '*')) ||
	        strstr(param->about, "GLOB"));
}

static void
note_like(struct result *result, const struct query_param *param, const char *text)
{
	if (is_pattern(param) && strchr(text, '%') && !strpbrk(text, "*?[")) {
		result_add_note(result,
		                "%s=%s: patterns are GLOB: * stands for any text, ? for any "
		                "character, %% for itself",
		                param->name, text);
	}
}

/* 1 if rows come with this parameter at its default, 0 if not, -1 on error. */
static int
has_rows_without(struct store *store, const struct saved_query *query,
                 const struct query_param *param, const struct query_argument *arguments, size_t n,
                 const struct cancel *cancel)
{
	struct query_argument *others = xcalloc(n + 1, sizeof *others);
	struct err ignored = ERR_INIT;
	size_t n_others = 0;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(arguments[i].name, param->name) != 0) {
			others[n_others++] = arguments[i];
		}
	}
	int rc = query_has_rows(store, query, others, n_others, cancel, &ignored);
	free(others);
	return rc;
}

static void
note_empty(struct result *result, struct store *store, const struct saved_query *query,
           const struct query_argument *arguments, size_t n, const struct cancel *cancel)
{
	struct strbuf given = {0}, guilty = {0};
	size_t n_given = 0, n_guilty = 0;

	for (size_t i = 0; i < query->n_params; i++) {
		const struct query_param *param = &query->params[i];
		const char *text = given_text(param, arguments, n);
		if (!text) {
			continue;
		}
		strbuf_printf(&given, "%s%s=%s", n_given++ ? ", " : "", param->name, text);
		if (param->default_text && n_given <= TRIED &&
		    has_rows_without(store, query, param, arguments, n, cancel) == 1) {
			strbuf_printf(&guilty, "%s%s=%s", n_guilty++ ? " and " : "", param->name,
			              text);
		}
	}
	if (n_guilty > 0) {
		result_add_note(result, "no row: nothing matches %s%s", guilty.data,
		                n_guilty > 1 ? " together" : "");
	} else if (n_given > 0) {
		result_add_note(result, "no row with %s", given.data);
	}
	strbuf_free(&given);
	strbuf_free(&guilty);
}

/* ---- an answer with rows ---- */

#define MATCHES_NOTHING "\001" /* no text of a trace: control bytes are escaped */

static bool
is_text(const struct value *value, const char *text)
{
	return value->type == VALUE_TEXT && slice_is(value->text, text);
}

/* Are two answers the same, but for where they show the pattern itself? */
static bool
is_same_answer(const struct result *a, const char *pattern_a, const struct result *b,
               const char *pattern_b)
{
	bool is_same = a->n_rows == b->n_rows && a->n_columns == b->n_columns;

	for (size_t i = 0; is_same && i < a->n_rows * a->n_columns; i++) {
		is_same = (a->values[i].type == b->values[i].type &&
		           value_compare(&a->values[i], &b->values[i]) == 0) ||
		          (is_text(&a->values[i], pattern_a) && is_text(&b->values[i], pattern_b));
	}
	return is_same;
}

static bool
makes_no_difference(const struct result *result, struct store *store,
                    const struct saved_query *query, const struct query_param *param,
                    const struct query_argument *arguments, size_t n, const struct cancel *cancel)
{
	struct query_argument *others = xcalloc(n, sizeof *others);
	struct err ignored = ERR_INIT;
	const char *text = given_text(param, arguments, n);

	for (size_t i = 0; i < n; i++) {
		others[i] = arguments[i];
		if (strcmp(arguments[i].name, param->name) == 0) {
			others[i].text = MATCHES_NOTHING;
		}
	}
	struct result *other = query_run_plain(store, query, others, n, cancel, &ignored);
	bool is_same = other && is_same_answer(result, text, other, MATCHES_NOTHING);
	result_free(other);
	free(others);
	return is_same;
}

static void
note_unmatched(struct result *result, struct store *store, const struct saved_query *query,
               const struct query_argument *arguments, size_t n, const struct cancel *cancel)
{
	struct strbuf guilty = {0};
	size_t n_guilty = 0, n_given = 0;

	for (size_t i = 0; i < query->n_params; i++) {
		const struct query_param *param = &query->params[i];
		const char *text = given_text(param, arguments, n);
		if (text && is_pattern(param) && n_given++ < TRIED &&
		    makes_no_difference(result, store, query, param, arguments, n, cancel)) {
			strbuf_printf(&guilty, "%s%s=%s", n_guilty++ ? " and " : "", param->name,
			              text);
		}
	}
	if (n_guilty > 0) {
		result_add_note(result, "nothing matches %s%s", guilty.data,
		                n_guilty > 1 ? ", alone or together" : "");
	}
	strbuf_free(&guilty);
}

static void
note_patterns(struct result *result, const struct saved_query *query,
              const struct query_argument *arguments, size_t n)
{
	for (size_t i = 0; i < query->n_params; i++) {
		const char *text = given_text(&query->params[i], arguments, n);
		if (text) {
			note_like(result, &query->params[i], text);
		}
	}
}

/* Tasks and transfers are rows of their own: a scope's condition takes those of the spans that it
 * takes, and none that has no span. */
static void
note_condition(struct result *result, const struct store *store, const struct saved_query *query)
{
	const char *condition = store_scope_condition(store);

	if (condition && query->needs &&
	    (strstr(query->needs, "tasks") || strstr(query->needs, "transfers"))) {
		result_add_note(result, "the scope's conditions choose spans, and %s by theirs: %s",
		                strstr(query->needs, "tasks") ? "tasks" : "transfers", condition);
		result->out_of_scope = result->notes[result->n_notes - 1];
	}
}

static struct result *
run(struct store *store, const struct saved_query *query, const struct query_argument *arguments,
    size_t n_arguments, const struct cancel *cancel, struct err *err)
{
	struct result *result = query_run_plain(store, query, arguments, n_arguments, cancel, err);
	if (!result) {
		return NULL;
	}
	store_set_cancel(store, cancel);
	query_note_spans(result, store, query);
	store_set_cancel(store, NULL);
	if (result->n_rows == 0) {
		note_empty(result, store, query, arguments, n_arguments, cancel);
	} else {
		note_unmatched(result, store, query, arguments, n_arguments, cancel);
	}
	note_patterns(result, query, arguments, n_arguments);
	note_condition(result, store, query);
	return result;
}

const char *
query_unscoped(const struct saved_query *query)
{
	return query->scope ? query->scope + strlen("none ") : NULL;
}

/* One that a scope is not for is asked of the whole run, and it is said. */
static struct result *
run_unscoped(struct store *store, const struct saved_query *query,
             const struct query_argument *arguments, size_t n_arguments,
             const struct cancel *cancel, struct err *err)
{
	struct scope scope;
	struct err restoring = ERR_INIT;
	struct result *result = NULL;

	scope_copy(&scope, store_scope(store));
	if (store_set_scope(store, NULL, err) == 0) {
		result = run(store, query, arguments, n_arguments, cancel, err);
		if (store_set_scope(store, &scope, &restoring) && result) {
			*err = restoring;
			result_free(result);
			result = NULL;
		}
	}
	if (result) {
		result_add_note(result, "not scoped: %s", query_unscoped(query));
		result->out_of_scope = result->notes[result->n_notes - 1];
	}
	scope_free(&scope);
	return result;
}

struct result *
query_run(struct store *store, const struct saved_query *query,
          const struct query_argument *arguments, size_t n_arguments, const struct cancel *cancel,
          struct err *err)
{
	bool is_lifted = query_unscoped(query) && store_scope(store)->n > 0;

	return (is_lifted ? run_unscoped : run)(store, query, arguments, n_arguments, cancel, err);
}
