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
		source->ops->free(source);
	}
}

struct query_source {
	struct table_source source;
	char *run_path;
	const struct saved_query *query;
	struct arena *arena; /* of the query, if it is the source's own */
	char **texts;        /* values to begin with; NULL: the default */
};

static struct result *
load(const struct table_source *source, const char *const *texts, struct worker *worker,
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
	arguments = xcalloc(source->n_params + 1, sizeof(*arguments));
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

	for (size_t i = 0; i < source->n_params; i++) {
		free(mine->texts[i]);
	}
	free(mine->texts);
	free(mine->run_path);
	arena_free(mine->arena);
	free(mine);
}

static const struct table_source_ops ops = {.load = load, .free = free_source};

struct table_source *
table_source_query(const char *run_path, const char *run_name, const struct saved_query *query,
                   const char *const *texts)
{
	struct query_source *mine = xcalloc(1, sizeof(*mine));

	mine->source = (struct table_source){.ops = &ops,
	                                     .references = 1,
	                                     .title = query->title,
	                                     .memory = query->name,
	                                     .sql = query->sql,
	                                     .query = query,
	                                     .params = query->params,
	                                     .n_params = query->n_params,
	                                     .empty = strcmp(query->name, "problems") == 0
	                                                  ? "no problems: all that stands in the "
	                                                    "traces was read and makes sense"
	                                                  : NULL};
	(void)run_name;
	mine->run_path = xstrdup(run_path);
	mine->query = query;
	mine->texts = xcalloc(query->n_params + 1, sizeof(*mine->texts));
	for (size_t i = 0; texts && i < query->n_params; i++) {
		mine->texts[i] = texts[i] ? xstrdup(texts[i]) : NULL;
	}
	mine->source.texts = (const char *const *)mine->texts;
	return &mine->source;
}

struct table_source *
table_source_edited(const char *run_path, const char *run_name, struct arena *arena,
                    const struct saved_query *query, const char *const *texts)
{
	struct table_source *source = table_source_query(run_path, run_name, query, texts);

	((struct query_source *)source)->arena = arena;
	source->memory = NULL; /* its columns may be others than the saved query's */
	return source;
}
