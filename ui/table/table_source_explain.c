/* A part of explain as a table. */
#include "config.h"

#include <stdlib.h>

#include "explain/explain.h"
#include "ui/table/drill.h"
#include "ui/table/table_source.h"
#include "util/mem.h"

struct explain_source {
	struct table_source source;
	const struct explain_part *part;
	char *path_a, *name_a, *path_b, *name_b;
	char **texts; /* values of the parameters to begin with; NULL: the default */
};

static struct result *
load(const struct table_source *source, const char *const *texts, struct worker *worker,
     const struct cancel *cancel, struct err *err)
{
	const struct explain_source *mine = (const struct explain_source *)source;
	const char *name_a = mine->name_a, *name_b = mine->name_b;
	struct store *a = worker_store(worker, mine->path_a, cancel, err);
	struct store *b = a ? worker_store(worker, mine->path_b, cancel, err) : NULL;
	struct query_argument *arguments;
	struct explain *explain;
	struct result *result;
	size_t n = 0;

	if (!b) {
		return NULL;
	}
	arguments = xcalloc(source->n_params + 1, sizeof(*arguments));
	for (size_t i = 0; i < source->n_params; i++) {
		if (texts[i]) {
			arguments[n++] = (struct query_argument){source->params[i].name, texts[i]};
		}
	}
	explain = explain_new(&a, &name_a, 1, &b, &name_b, 1, cancel);
	result = explain_compute(explain, mine->part, arguments, n, err);
	explain_free(explain);
	free(arguments);
	return result;
}

static const struct explain_part *
part_of(const struct query_drill *header)
{
	struct err ignored = ERR_INIT;

	return header->view ? explain_part_find(header->view, &ignored) : NULL;
}

/* A part whose rows stand for other parts' rows leads to them; else to spans, queries and timeline of the view's run. */
static bool
open_row(const struct table_source *source, struct view *view, const struct result *result,
         size_t row)
{
	const struct explain_source *mine = (const struct explain_source *)source;
	const struct explain_part *target = part_of(&mine->part->drill);
	struct drill drill = {.header = &mine->part->drill,
	                      .params = source->params,
	                      .texts = source->texts,
	                      .n_params = source->n_params};
	struct table_source *next;
	char **texts;

	if (!target) {
		return drill_open(view, &drill, result, row);
	}
	texts = drill_texts(&drill, target->params, target->n_params, result, row);
	next = table_source_explain(mine->path_a, mine->name_a, mine->path_b, mine->name_b, target,
	                            (const char *const *)texts);
	drill_texts_free(texts, target->n_params);
	app_push(view->app, view_table_new(view->app, view->run_path, view->run_name, next));
	return true;
}

static bool
focus_row(const struct table_source *source, const struct result *result, size_t row,
          struct focus *focus)
{
	const struct explain_source *mine = (const struct explain_source *)source;
	struct drill drill = {.header = &mine->part->drill, .spans = mine->part->spans};

	return drill_focus(&drill, result, row, focus);
}

static struct table_source *
swap(const struct table_source *source)
{
	const struct explain_source *mine = (const struct explain_source *)source;

	return table_source_explain(mine->path_b, mine->name_b, mine->path_a, mine->name_a,
	                            mine->part, source->texts);
}

static void
pair(const struct table_source *source, struct view *view, const struct result *result, size_t row)
{
	const struct explain_source *mine = (const struct explain_source *)source;
	struct focus focus = FOCUS_NONE;
	bool has_focus = row != SIZE_MAX && focus_row(source, result, row, &focus);

	app_push(view->app, view_pair_new_at(view->app, mine->path_a, mine->name_a, mine->path_b,
	                                     mine->name_b, 1, has_focus ? &focus : NULL));
	drill_focus_free(&focus);
}

static void
free_source(struct table_source *source)
{
	struct explain_source *mine = (struct explain_source *)source;

	free(mine->path_a);
	free(mine->name_a);
	free(mine->path_b);
	free(mine->name_b);
	drill_texts_free(mine->texts, source->n_params);
	free(mine);
}

static const struct table_source_ops ops = {.load = load,
                                            .open = open_row,
                                            .focus = focus_row,
                                            .swap = swap,
                                            .pair = pair,
                                            .free = free_source};

struct table_source *
table_source_explain(const char *path_a, const char *name_a, const char *path_b, const char *name_b,
                     const struct explain_part *part, const char *const *texts)
{
	struct explain_source *mine = xcalloc(1, sizeof(*mine));

	mine->part = part;
	mine->path_a = xstrdup(path_a);
	mine->name_a = xstrdup(name_a);
	mine->path_b = xstrdup(path_b);
	mine->name_b = xstrdup(name_b);
	mine->texts = xcalloc(part->n_params + 1, sizeof(*mine->texts));
	for (size_t i = 0; texts && i < part->n_params; i++) {
		mine->texts[i] = texts[i] ? xstrdup(texts[i]) : NULL;
	}
	mine->source = (struct table_source){.ops = &ops,
	                                     .references = 1,
	                                     .title = part->title,
	                                     .sets = IN_DIFF,
	                                     .run_paths = {mine->path_a, mine->path_b},
	                                     .run_names = {mine->name_a, mine->name_b},
	                                     .params = part->params,
	                                     .n_params = part->n_params,
	                                     .texts = (const char *const *)mine->texts};
	return &mine->source;
}
