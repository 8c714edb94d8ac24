/* The rows of a table, painted on timelines. */
#include "config.h"

#include <stdlib.h>

#include "ui/table/table_source.h"
#include "util/mem.h"

struct paint_table {
	struct paint_source base;
	struct table_source *source; /* retained */
	char **texts;                /* values of its parameters */
};

static struct result *
load(const struct paint_source *source, struct job_worker *worker, const struct cancel *cancel,
     struct err *err)
{
	const struct paint_table *mine = (const struct paint_table *)source;

	return mine->source->ops->load(mine->source, mine->texts, worker, cancel, err);
}

static struct drill
drill(const struct paint_source *source)
{
	const struct paint_table *mine = (const struct paint_table *)source;

	return table_source_drill(mine->source, mine->texts);
}

static void
open_at(const struct paint_source *source, struct view *view, size_t row)
{
	const struct paint_table *mine = (const struct paint_table *)source;

	view_open(view, PLACE_SOURCE, .source = table_source_retain(mine->source),
	          .texts = mine->texts, .row = row + 1);
}

static void
free_source(struct paint_source *source)
{
	struct paint_table *mine = (struct paint_table *)source;

	texts_free(mine->texts, mine->source->n_params);
	table_source_release(mine->source);
	free(mine);
}

static const struct paint_source_ops ops = {
    .load = load, .drill = drill, .open = open_at, .free = free_source};

struct paint_source *
paint_source_of_table(const struct table_source *source, char *const *texts)
{
	struct table_source *painted = source->ops->painted ? source->ops->painted(source) : NULL;
	struct paint_table *mine = xcalloc(1, sizeof *mine);

	texts = painted ? painted->texts : texts;
	mine->source = painted ? painted : table_source_retain((struct table_source *)source);
	mine->texts = texts_copy(texts, mine->source->n_params);
	mine->base = (struct paint_source){&ops, 1, mine->source->title};
	return &mine->base;
}
