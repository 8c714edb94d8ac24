/*
 * A saved query across many runs: those that are tagged alike are one, and the measures are asked
 * for by parameters besides the query's own. Runs are asked one after the other, so that only one
 * more than what the worker keeps is open.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/across.h"
#include "ui/table/table_source.h"
#include "util/mem.h"

enum { TAGS, STAT, MEASURES, PIVOT, TREND, OWN_PARAMS };
static const struct query_param own_params[OWN_PARAMS] = {
    {.name = "tags",
     .default_text = "*",
     .about = "runs that are tagged alike are one; *: by tags that some runs share, empty: all"},
    {.name = "stat", .default_text = "mean", .about = "of each measure: " FOLD_STAT_WORDS},
    {.name = "measures", .default_text = "", .about = "only these columns"},
    {.name = "pivot", .default_text = "", .about = "a tag whose values become columns"},
    {.name = "trend",
     .default_text = "",
     .about = "over " FOLD_STARTED ", or a tag: the noise, and where the measures step"},
};

struct across_source {
	struct table_source source; /* first */
	char **paths;
	size_t n_paths;
};

/* Of an own parameter; NULL: nothing is asked for. */
static const char *
text_of(const struct table_source *source, char *const *texts, size_t own)
{
	const char *text = texts[source->compared->n_params + own];

	text = text ? text : own_params[own].default_text;
	return *text ? text : NULL;
}

static int
ask_runs(const struct across_source *mine, struct across *across,
         const struct query_argument *arguments, size_t n, struct job_worker *worker,
         const struct cancel *cancel, struct err *err)
{
	for (size_t i = 0; i < mine->n_paths; i++) {
		struct err why = ERR_INIT;
		struct store *store = worker_store(worker, mine->paths[i], cancel, &why);

		if (!store && why.code != ERR_CANCELLED) {
			across_miss(across, &why);
		} else if (!store) {
			*err = why;
			return -1;
		} else if (across_add(across, store, arguments, n, cancel, err)) {
			return -1;
		}
	}
	return 0;
}

static struct result *
load(const struct table_source *source, char *const *texts, struct job_worker *worker,
     const struct cancel *cancel, struct err *err)
{
	const struct across_source *mine = (const struct across_source *)source;
	const struct fold fold = {.by = text_of(source, texts, TAGS),
	                          .stats = text_of(source, texts, STAT),
	                          .measures = text_of(source, texts, MEASURES),
	                          .pivot = text_of(source, texts, PIVOT),
	                          .trend = text_of(source, texts, TREND),
	                          .cancel = cancel};
	struct result *table = NULL;
	size_t n;

	if (fold.trend && fold.pivot) {
		(void)err_set(err, ERR_USAGE, "trend has figures of its own: leave pivot empty");
		return NULL;
	}
	struct query_argument *arguments =
	    table_source_arguments(source->params, source->compared->n_params, texts, &n);
	struct across *across = across_new(source->compared);
	if (ask_runs(mine, across, arguments, n, worker, cancel, err) == 0) {
		table = across_fold(across, &fold, err);
	}
	across_free(across);
	free(arguments);
	return table;
}

static void
free_across(struct table_source *source)
{
	struct across_source *mine = (struct across_source *)source;

	texts_free(mine->paths, mine->n_paths);
	free(mine);
}

static const struct table_source_ops ops = {.load = load, .free = free_across};

struct table_source *
table_source_across(const char *const *paths, size_t n_paths, const struct saved_query *query)
{
	struct across_source *mine = xcalloc(1, sizeof *mine);
	size_t n = query->n_params;
	struct query_param *params = xcalloc(n + OWN_PARAMS, sizeof *params);
	struct strbuf text = {0};

	if (n > 0) {
		memcpy(params, query->params, n * sizeof *params);
	}
	memcpy(params + n, own_params, sizeof own_params);
	strbuf_printf(&text, "%s of %zu runs", query->title, n_paths);
	mine->source = (struct table_source){.ops = &ops,
	                                     .references = 1,
	                                     .title = text.data,
	                                     .own = text.data,
	                                     .sql = query->sql,
	                                     .compared = query,
	                                     .notes_first = true,
	                                     .params = params, /* the query's, then ours */
	                                     .own_params = params,
	                                     .n_params = n + OWN_PARAMS};
	mine->paths = texts_copy((char *const *)paths, n_paths);
	mine->n_paths = n_paths;
	return &mine->source;
}
