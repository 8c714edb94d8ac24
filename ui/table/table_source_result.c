/* What is on the screen as a table: asked again, it gives the same. */
#include "config.h"

#include <stdlib.h>

#include "ui/base/result_copy.h"
#include "ui/table/table_source.h"
#include "util/mem.h"

static struct result *
load(const struct table_source *source, char *const *texts, struct job_worker *worker,
     const struct cancel *cancel, struct err *err)
{
	(void)texts;
	(void)worker;
	(void)cancel;
	(void)err;
	return result_copy(source->result);
}

static const struct table_source_ops ops = {.load = load};

struct table_source *
table_source_result(const char *title, struct result *result)
{
	struct table_source *source = xcalloc(1, sizeof *source);
	char *own = xstrdup(title);

	*source = (struct table_source){
	    .ops = &ops, .references = 1, .title = own, .own = own, .result = result};
	return source;
}
