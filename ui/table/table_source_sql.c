/* The answer of any one statement. */
#include "config.h"

#include <stdlib.h>

#include "ui/table/table_source.h"
#include "ui/base/texts.h"
#include "util/mem.h"

static struct result *
load(const struct table_source *source, char *const *texts, struct job_worker *worker,
     const struct cancel *cancel, struct err *err)
{
	struct store *store = worker_store(worker, source->run_path, cancel, err);

	(void)texts;
	return store ? query_sql(store, source->sql, cancel, err) : NULL;
}

static const struct table_source_ops ops = {.load = load};

struct table_source *
table_source_sql(const char *run_path, struct slice sql)
{
	struct table_source *source = xcalloc(1, sizeof *source);
	char *own = text_new(sql);

	*source = (struct table_source){.ops = &ops,
	                                .references = 1,
	                                .title = "SQL",
	                                .run_path = xstrdup(run_path),
	                                .sql = own,
	                                .own = own};
	return source;
}
