/* A part of explain as a table. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "explain/explain.h"
#include "ui/table/drill.h"
#include "ui/table/table_source.h"
#include "util/mem.h"

static struct result *
load(const struct table_source *source, char *const *texts, struct job_worker *worker,
     const struct cancel *cancel, struct err *err)
{
	const struct two_runs *runs = &source->runs;
	struct store *stores[2];
	struct query_argument *arguments;
	struct explain *explain;
	struct result *result;
	size_t n;

	if (worker_stores(worker, runs, cancel, stores, err)) {
		return NULL;
	}
	arguments = table_source_arguments(source->params, source->n_params, texts, &n);
	explain = explain_new(&stores[0], &runs->name[0], 1, &stores[1], &runs->name[1], 1, cancel);
	result = explain_compute(explain, source->part, arguments, n, err);
	worker_lose(worker, explain->lost);
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

/* A part whose rows stand for other parts' rows leads to them; else to spans, queries and timeline
 * of the row's run. */
static bool
open_row(const struct table_source *source, struct view *view, const struct view_place *in,
         const struct result *result, size_t row)
{
	const struct explain_part *target = part_of(&source->part->drill);
	struct drill drill = table_source_drill(source, source->texts);
	char **texts;

	if (!target) {
		return drill_open(view, in, &drill, result, row);
	}
	texts = drill_texts(&drill, target->params, target->n_params, result, row);
	view_open(view, PLACE_PART, .runs = source->runs, .part = target, .texts = texts);
	texts_free(texts, target->n_params);
	return true;
}

static bool
focus_row(const struct table_source *source, const struct result *result, size_t row,
          struct focus *focus)
{
	struct drill drill = table_source_drill(source, source->texts);

	return drill_focus(&drill, result, row, focus);
}

static struct table_source *
swap(const struct table_source *source)
{
	struct two_runs swapped = two_runs_swapped(&source->runs);

	return table_source_explain(&swapped, source->part, source->texts);
}

/* Where in time that is which the part sums. */
static struct table_source *
painted(const struct table_source *source)
{
	struct err ignored = ERR_INIT;
	const struct explain_part *part = explain_part_find("intervals", &ignored);
	char of[20], both[] = "both", *texts[] = {of, NULL, both};

	if (!source->part->painted || !part) {
		return NULL;
	}
	snprintf(of, sizeof of, "%s", source->part->painted);
	return table_source_explain(&source->runs, part, texts);
}

static const struct table_source_ops ops = {
    .load = load, .open = open_row, .focus = focus_row, .painted = painted, .swap = swap};

struct table_source *
table_source_explain(const struct two_runs *runs, const struct explain_part *part,
                     char *const *texts)
{
	struct table_source *source = xcalloc(1, sizeof *source);

	*source = (struct table_source){.ops = &ops,
	                                .references = 1,
	                                .title = part->title,
	                                .sets = IN_DIFF,
	                                .runs = two_runs_copy(runs),
	                                .part = part,
	                                .params = part->params,
	                                .n_params = part->n_params,
	                                .texts = texts_copy(texts, part->n_params)};
	return source;
}
