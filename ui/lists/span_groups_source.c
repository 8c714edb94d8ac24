/*
 * The columns of groups are a parameter of the table, and so is the measure of a pivot: `p` sets
 * them, and the worker adds up anew.
 */
#include "config.h"

#include "ui/lists/span_groups_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/spans/span_filter.h"
#include "query/spans/span_groups.h"
#include "ui/table/table_pivot.h"
#include "ui/table/table_source.h"

#define KEYS_MOST 500 /* arguments that prompts offer */

struct groups_source {
	struct table_source source;
	struct span_by by;
	char *filter; /* NULL: all spans */
	char **keys;
	bool is_pivot;
};

/* ---- arguments ---- */

char **
span_keys_read(const struct dataset *dataset)
{
	size_t n = dataset->n_keys < KEYS_MOST ? dataset->n_keys : KEYS_MOST;
	char **keys = xcalloc(n + 1, sizeof *keys);

	for (size_t i = 0; i < n; i++) {
		struct strbuf name = {0};

		strbuf_add_text(&name, "arg.");
		span_filter_write_key(&name, dataset->keys[i]);
		keys[i] = strbuf_take(&name);
	}
	return keys;
}

static char **
span_keys_copy(char *const *keys)
{
	char **copy;
	size_t n = 0;

	while (keys && keys[n]) {
		n++;
	}
	copy = xcalloc(n + 1, sizeof *copy);
	for (size_t i = 0; i < n; i++) {
		copy[i] = xstrdup(keys[i]);
	}
	return copy;
}

void
span_keys_free(char **keys)
{
	for (size_t i = 0; keys && keys[i]; i++) {
		free(keys[i]);
	}
	free(keys);
}

void
span_groups_complete(struct completion *completion, char *const *keys)
{
	const char *name;

	for (size_t i = 0; (name = span_by_name(i)); i++) {
		completion_add_text(completion, name);
	}
	completion_add_text(completion, "start(");
	for (size_t i = 0; keys && keys[i]; i++) {
		completion_add_text(completion, keys[i]);
	}
	completion_add_text(completion, "by");
}

/* ---- the source ---- */

static struct result *
load(const struct table_source *source, char *const *texts, struct job_worker *worker,
     const struct cancel *cancel, struct err *err)
{
	const struct groups_source *mine = (const struct groups_source *)source;
	struct store *store = worker_store(worker, source->run_path, cancel, err);
	struct span_groups request = {.by = &mine->by, .filter = mine->filter, .cancel = cancel};

	request.dataset = store ? store_dataset(store, err) : NULL;
	if (!request.dataset) {
		return NULL;
	}
	if (mine->is_pivot) {
		return span_pivot(&request, texts[0], 0, err);
	}
	request.columns = texts[0];
	return span_groups(&request, err);
}

static void
cell(const struct table_source *source, const struct result *result, size_t row, size_t column,
     struct focus *focus)
{
	const struct groups_source *mine = (const struct groups_source *)source;

	*focus = FOCUS_NONE;
	focus->filter = mine->is_pivot
	                    ? span_pivot_filter(&mine->by, mine->filter, result, row, column)
	                    : span_groups_filter(&mine->by, mine->by.n, mine->filter, result, row);
}

static int
regroup(const struct table_source *source, const struct view *view, enum prompt_kind kind,
        struct slice text, struct err *err)
{
	const struct groups_source *mine = (const struct groups_source *)source;

	return span_groups_open(view, mine->filter, kind, text, mine->keys, err);
}

static void
words(const struct table_source *source, struct completion *completion)
{
	span_groups_complete(completion, ((const struct groups_source *)source)->keys);
}

static void
free_source(struct table_source *source)
{
	struct groups_source *mine = (struct groups_source *)source;

	span_by_free(&mine->by);
	span_keys_free(mine->keys);
	free(mine->filter);
	free(mine);
}

static const struct table_source_ops ops = {
    .load = load, .cell = cell, .regroup = regroup, .words = words, .free = free_source};

static struct query_param *
new_parameter(bool is_pivot)
{
	struct query_param *param = xcalloc(1, sizeof *param);

	*param = is_pivot
	             ? (struct query_param){.name = "measure",
	                                    .default_text = "inside",
	                                    .about = "what is added up",
	                                    .allowed = "inside, total, count, calls, self, size"}
	             : (struct query_param){.name = "columns",
	                                    .default_text = SPAN_GROUPS_COLUMNS,
	                                    .about = "figures of each group"};
	return param;
}

/* "Spans by name, host", "Spans: name by host", of which. */
static char *
new_title(const struct groups_source *mine)
{
	struct strbuf title = {0};

	strbuf_add_text(&title, mine->is_pivot ? "Spans: " : "Spans by ");
	for (unsigned i = 0; i < mine->by.n; i++) {
		bool is_last = mine->is_pivot && i + 1 == mine->by.n;

		strbuf_printf(&title, "%s%s",
		              i == 0    ? ""
		              : is_last ? " by "
		                        : ", ",
		              mine->by.columns[i].name);
	}
	if (mine->filter) {
		strbuf_printf(&title, " of %s", mine->filter);
	}
	return strbuf_take(&title);
}

/* Takes by. */
static struct table_source *
new_source(const char *run_path, const char *filter, struct span_by *by, bool is_pivot,
           const char *measure, char *const *keys)
{
	struct groups_source *mine = xcalloc(1, sizeof *mine);
	struct strbuf rows = {0};
	struct span_by shown = *by;

	mine->by = *by;
	mine->filter = filter ? xstrdup(filter) : NULL;
	mine->keys = span_keys_copy(keys);
	mine->is_pivot = is_pivot;
	shown.n -= is_pivot;
	span_by_write(&shown, &rows);
	mine->source = (struct table_source){.ops = &ops,
	                                     .references = 1,
	                                     .run_path = xstrdup(run_path),
	                                     .memory = is_pivot ? NULL : "span-groups",
	                                     .by = strbuf_take(&rows),
	                                     .own_params = new_parameter(is_pivot),
	                                     .n_params = 1,
	                                     .empty = "no span passes the filter"};
	mine->source.params = mine->source.own_params;
	mine->source.title = mine->source.own = new_title(mine);
	mine->source.texts = texts_copy((char *[]){(char *)measure}, 1);
	return &mine->source;
}

/* "name by host count" as a list of columns and a measure (new; NULL: none). */
static int
read_text(enum prompt_kind kind, struct slice text, struct span_by *by, char **measure,
          struct err *err)
{
	struct strbuf all = {0};
	struct pivot_text parts;

	*measure = NULL;
	if (kind == PROMPT_GROUP) {
		return span_by_read(text, by, err);
	}
	if (pivot_text_read(text, &parts, err)) {
		return -1;
	}
	strbuf_add_slice(&all, parts.rows);
	strbuf_add_text(&all, ", ");
	strbuf_add_slice(&all, parts.columns);
	int rc = span_by_read(strbuf_slice(&all), by, err);

	strbuf_free(&all);
	if (rc == 0 && parts.measure.len > 0) {
		*measure = text_new(parts.measure);
		rc = span_pivot_check(*measure, err);
	}
	return rc;
}

int
span_groups_open(const struct view *view, const char *filter, enum prompt_kind kind,
                 struct slice text, char *const *keys, struct err *err)
{
	struct span_by by = {.n = 0};
	char *measure;

	if (read_text(kind, text, &by, &measure, err)) {
		span_by_free(&by);
		free(measure);
		return -1;
	}
	view_open(view, PLACE_SOURCE,
	          .source =
	              new_source(view->run_path, filter, &by, kind == PROMPT_PIVOT, measure, keys));
	free(measure);
	return 0;
}
