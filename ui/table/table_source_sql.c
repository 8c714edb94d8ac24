/* The answer of any one statement. */
#include "config.h"

#include <stdlib.h>

#include "ui/table/table_source.h"
#include "util/mem.h"

struct sql_source {
	struct table_source source;
	char *run_path, *sql;
};

static struct result *
load(const struct table_source *source, const char *const *texts, struct job_worker *worker,
     const struct cancel *cancel, struct err *err)
{
	const struct sql_source *mine = (const struct sql_source *)source;
	struct store *store = worker_store(worker, mine->run_path, cancel, err);

	(void)texts;
	return store ? query_sql(store, mine->sql, cancel, err) : NULL;
}

static void
free_source(struct table_source *source)
{
	struct sql_source *mine = (struct sql_source *)source;

	free(mine->run_path);
	free(mine->sql);
	free(mine);
}

static const struct table_source_ops ops = {.load = load, .free = free_source};

struct table_source *
table_source_sql(const char *run_path, struct slice sql)
{
	struct sql_source *mine = xcalloc(1, sizeof *mine);

	mine->run_path = xstrdup(run_path);
	mine->sql = xstrndup(sql.ptr, sql.len);
	mine->source =
	    (struct table_source){.ops = &ops, .references = 1, .title = "SQL", .sql = mine->sql};
	return &mine->source;
}
