/* What is on the screen as a table: asked again, it gives the same. */
#include "config.h"

#include <stdlib.h>

#include "ui/base/result_copy.h"
#include "ui/table/table_source.h"
#include "util/mem.h"

struct result_source {
	struct table_source source;
	struct result *result;
};

static struct result *
load(const struct table_source *source, const char *const *texts, struct job_worker *worker,
     const struct cancel *cancel, struct err *err)
{
	(void)texts;
	(void)worker;
	(void)cancel;
	(void)err;
	return result_copy(((const struct result_source *)source)->result);
}

static void
free_source(struct table_source *source)
{
	struct result_source *mine = (struct result_source *)source;

	result_free(mine->result);
	free(mine);
}

static const struct table_source_ops ops = {.load = load, .free = free_source};

struct table_source *
table_source_result(const char *title, struct result *result)
{
	struct result_source *mine = xcalloc(1, sizeof *mine);
	char *own = xstrdup(title);

	mine->result = result;
	mine->source =
	    (struct table_source){.ops = &ops, .references = 1, .title = own, .own = own};
	return &mine->source;
}
