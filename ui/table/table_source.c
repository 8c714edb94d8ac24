/* Counting, and the source that most tables have: a saved query on one run. */
#include "config.h"

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
		source->ops->free(source);
	}
}

struct query_source {
	struct table_source source;
	char *run_path;
	const struct saved_query *query;
	struct arena *arena; /* of the query, if it is the source's own */
};

static struct result *
load(const struct table_source *source, const char *const *texts, struct job_worker *worker,
     const struct cancel *cancel, struct err *err)
{
	const struct query_source *mine = (const struct query_source *)source;
	struct store *store = worker_store(worker, mine->run_path, cancel, err);
	struct query_argument *arguments;
	struct result *result;
	size_t n = 0;

	if (!store) {
		return NULL;
	}
	arguments = xcalloc(source->n_params + 1, sizeof *arguments);
	for (size_t i = 0; i < source->n_params; i++) {
		if (texts[i]) {
			arguments[n++] = (struct query_argument){source->params[i].name, texts[i]};
		}
	}
	result = query_run(store, mine->query, arguments, n, cancel, err);
	free(arguments);
	return result;
}

static void
free_source(struct table_source *source)
{
	struct query_source *mine = (struct query_source *)source;

	free(mine->run_path);
	arena_free(mine->arena);
	free(mine);
}

static const struct table_source_ops ops = {.load = load, .free = free_source};

struct table_source *
table_source_query(const char *run_path, const struct saved_query *query, const char *const *texts)
{
	struct query_source *mine = xcalloc(1, sizeof *mine);

	mine->source = (struct table_source){.ops = &ops,
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
	mine->run_path = xstrdup(run_path);
	mine->query = query;
	return &mine->source;
}

struct table_source *
table_source_edited(const char *run_path, struct arena *arena, const struct saved_query *query,
                    const char *const *texts)
{
	struct table_source *source = table_source_query(run_path, query, texts);

	((struct query_source *)source)->arena = arena;
	source->memory = NULL; /* its columns may be others than the saved query's */
	return source;
}

struct table_source *
table_source_at(const struct view_place *place)
{
	struct table_source *source;

	switch (place->kind) {
	case PLACE_QUERY:
		return table_source_query(place->run_path, place->query, place->texts);
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
