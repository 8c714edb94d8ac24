/* Counting, and the source that most tables have: a saved query on one run. */
#include "config.h"

#include "explain/explain.h"
#include "ui/table/table_source.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

struct table_source *
table_source_retain(struct table_source *source)
{
	atomic_fetch_add(&source->references, 1);
	return source;
}

void
table_source_release(struct table_source *source)
{
	if (source && atomic_fetch_sub(&source->references, 1) == 1) {
		texts_free(source->texts, source->n_params);
		two_runs_free(&source->runs);
		free(source->run_path);
		free(source->own);
		free((char *)source->by);
		free(source->own_params);
		result_free(source->result);
		arena_free(source->arena);
		if (source->ops->free) {
			source->ops->free(source);
		} else {
			free(source);
		}
	}
}

struct query_argument *
table_source_arguments(const struct query_param *params, size_t n_params, char *const *texts,
                       size_t *n)
{
	struct query_argument *arguments = xcalloc(n_params + 1, sizeof *arguments);

	*n = 0;
	for (size_t i = 0; i < n_params; i++) {
		if (texts[i]) {
			arguments[(*n)++] = (struct query_argument){params[i].name, texts[i]};
		}
	}
	return arguments;
}

static struct result *
load(const struct table_source *source, char *const *texts, struct job_worker *worker,
     const struct cancel *cancel, struct err *err)
{
	struct store *store = worker_store(worker, source->run_path, cancel, err);
	struct query_argument *arguments;
	struct result *result;
	size_t n;

	if (!store) {
		return NULL;
	}
	arguments = table_source_arguments(source->params, source->n_params, texts, &n);
	result = query_run(store, source->query, arguments, n, cancel, err);
	free(arguments);
	return result;
}

static const struct table_source_ops ops = {.load = load};

struct table_source *
table_source_query(const char *run_path, const struct saved_query *query, char *const *texts)
{
	struct table_source *source = xcalloc(1, sizeof *source);

	*source = (struct table_source){.ops = &ops,
	                                .run_path = xstrdup(run_path),
	                                .references = 1,
	                                .title = query->title,
	                                .memory = query->name,
	                                .sql = query->sql,
	                                .query = query,
	                                .params = query->params,
	                                .texts = texts_copy(texts, query->n_params),
	                                .n_params = query->n_params,
	                                .empty = strcmp(query->name, "problems") == 0
	                                             ? "no problems: all that stands in the "
	                                               "traces was read and makes sense"
	                                             : NULL};
	return source;
}

struct table_source *
table_source_edited(const char *run_path, struct arena *arena, const struct saved_query *query,
                    char *const *texts)
{
	struct table_source *source = table_source_query(run_path, query, texts);

	source->arena = arena;
	source->memory = NULL; /* its columns may be others than the saved query's */
	return source;
}

struct table_source *
table_source_at(const struct view_place *place)
{
	struct table_source *source;

	switch (place->kind) {
	case PLACE_QUERY:
		return place->n_paths > 0
		           ? table_source_across(place->paths, place->n_paths, place->query)
		           : table_source_query(place->run_path, place->query, place->texts);
	case PLACE_SQL:
		source = table_source_sql(place->run_path, place->text);
		source->is_typed = true;
		return source;
	case PLACE_RESULT:
		return table_source_result(place->title, place->result);
	case PLACE_DIFFERENCE:
		return table_source_diff(&place->runs, place->query);
	case PLACE_PART:
		return table_source_explain(&place->runs, place->part, place->texts);
	default:
		return place->source;
	}
}

struct drill
table_source_drill(const struct table_source *source, char *const *texts)
{
	const struct saved_query *query = source->query;
	const struct explain_part *part = source->part;

	return (struct drill){.header = part    ? &part->drill
	                                : query ? &query->drill
	                                        : NULL,
	                      .spans = part    ? part->spans
	                               : query ? query->spans
	                                       : NULL,
	                      .params = source->params,
	                      .texts = texts,
	                      .n_params = source->n_params};
}
