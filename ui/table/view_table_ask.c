/*
 * The question goes to the worker with its own copies of all it needs. Whatever
 * comes back as an error is kept: the last result stays on the screen, and the
 * line below says that it is the answer to other parameters.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/saved/query_file.h"
#include "ui/app/save.h"
#include "ui/base/texts.h"
#include "ui/table/view_table.h"

enum { JOB_ASK, JOB_ORDER };

struct table_job {
	struct view_job job;
	struct table_source *source; /* retained: the view may be closed while the job still runs */
	char **texts;
	struct result *result;
	struct err failure;
};

/* An error is the table's to show, unless the application must know of it, too.
 */
static int
work(struct view_job *job, struct job_worker *worker, struct err *err)
{
	struct table_job *mine = (struct table_job *)job;

	mine->result =
	    mine->source->ops->load(mine->source, mine->texts, worker, &job->cancel, err);
	if (mine->result) {
		return 0;
	}
	mine->failure = *err;
	if (err->code == ERR_CHANGED || err->code == ERR_CANCELLED) {
		return -1;
	}
	*err = (struct err)ERR_INIT;
	return 0;
}

static void
free_job(struct view_job *job)
{
	struct table_job *mine = (struct table_job *)job;

	result_free(mine->result);
	texts_free(mine->texts, mine->source->n_params);
	table_source_release(mine->source);
}

void
table_ask(struct view *view)
{
	struct table_view *table = view->state;
	const struct table_source *source = table->source;
	struct table_job *job;

	for (size_t i = 0; i < source->n_params; i++) {
		if (!source->params[i].default_text && !table->asked[i]) {
			char text[80];

			snprintf(text, sizeof text, "%s=", source->params[i].name);
			app_prompt(view->app, PROMPT_PARAMETER, "parameter ", text);
			return;
		}
	}
	job = job_new(sizeof *job, JOB_ASK, work, free_job, NULL);
	job->source = table_source_retain(table->source);
	job->texts = texts_copy(table->asked, source->n_params);
	view_submit(view, &job->job);
}

/* ---- the order of many rows ---- */

struct order_job {
	struct view_job job;
	struct table_order *order;
};

static int
work_order(struct view_job *job, struct job_worker *worker, struct err *err)
{
	(void)worker;
	return table_order_run(((struct order_job *)job)->order, &job->cancel, err);
}

static void
free_order_job(struct view_job *job)
{
	table_order_free(((struct order_job *)job)->order);
}

void
table_order_rows(struct view *view)
{
	struct table_view *table = view->state;
	struct order_job *job;

	if (!table->model.is_late || table->n_ordered == table->model.n_wishes) {
		return;
	}
	table->n_ordered = table->model.n_wishes;
	job = job_new(sizeof *job, JOB_ORDER, work_order, free_order_job, NULL);
	job->order = table_model_order(&table->model);
	view_submit(view, &job->job);
}

/* The row that the view was opened for. */
static void
select_wished(struct view *view)
{
	struct table_view *table = view->state;
	size_t row = table->row_wished - 1;

	if (table->row_wished == 0) {
		return;
	}
	for (size_t i = 0; i < table->model.n_rows; i++) {
		if (table->model.rows[i] == row) {
			table->list.selected = i;
			list_settle(&table->list);
			table->row_wished = table->model.is_late ? row + 1 : 0;
			return;
		}
	}
	view_say(view, "a filter hides the row (\\ drops it)");
}

/* The selected row stays so, wherever it comes to stand. */
static void
grow(struct view *view, struct result *result)
{
	struct table_view *table = view->state;
	struct table_model *model = &table->model;
	size_t at = table->list.selected;
	size_t row = at < model->n_rows ? model->rows[at] : SIZE_MAX;

	table_model_grow(model, result);
	for (size_t i = 0; i < model->n_rows; i++) {
		if (model->rows[i] == row) {
			table->list.selected = i;
		}
	}
}

static void
take_order(struct view *view, struct order_job *job)
{
	struct table_view *table = view->state;

	(void)search_stop(&view->search); /* it counted other rows */
	table_model_take(&table->model, job->order);
	job->order = NULL;
	table_lay(view);
	select_wished(view);
}

void
table_cancelled(struct view *view)
{
	struct table_view *table = view->state;

	if (table_model_revert(&table->model)) {
		table_changed(view);
	}
}

void
table_done(struct view *view, struct view_job *job)
{
	struct table_view *table = view->state;
	struct table_job *mine = (struct table_job *)job;
	bool is_first = !table->model.result;

	if (save_done(view, job)) {
		return;
	}
	if (job->kind == JOB_ORDER) {
		take_order(view, (struct order_job *)job);
		return;
	}
	table->failure = mine->failure;
	if (!mine->result && table->source->is_typed && is_first &&
	    app_sql_refused(view, table->source->sql, &mine->failure)) {
		return;
	}
	if (!mine->result) {
		view_fail(view, mine->failure.message);
		return;
	}
	if (table->source->ops->is_growing && !is_first) {
		grow(view, mine->result);
	} else {
		table_model_set(&table->model, mine->result);
	}
	mine->result = NULL;
	texts_free(table->answered, table->source->n_params);
	table->answered = mine->texts;
	mine->texts = NULL;
	grid_set(&table->grid, table->model.result);
	if (is_first) {
		table_recall(view);
	}
	table_lay(view);
	select_wished(view);
}

/* One parameter stands there to be changed; several are asked for by name. */
void
table_prompt_parameter(struct view *view)
{
	const struct table_view *table = view->state;
	const struct table_source *source = table->source;
	struct strbuf text = {0};

	if (source->n_params == 0) {
		view_say(view, "%s takes no parameters", source->title);
		return;
	}
	strbuf_add_text(&text, "");
	if (source->n_params == 1) {
		const char *value =
		    table->asked[0] ? table->asked[0] : source->params[0].default_text;

		strbuf_printf(&text, "%s=%s", source->params[0].name, value ? value : "");
	}
	app_prompt(view->app, PROMPT_PARAMETER, "parameter NAME=VALUE: ", text.data);
	strbuf_free(&text);
}

int
table_set_parameter(struct view *view, struct slice text, struct err *err)
{
	struct table_view *table = view->state;
	const struct table_source *source = table->source;
	const char *equals = memchr(text.ptr, '=', text.len);
	struct slice name = {text.ptr, equals ? (size_t)(equals - text.ptr) : text.len};
	struct strbuf names = {0};
	struct value parsed;

	for (size_t i = 0; i < source->n_params; i++) {
		if (equals && slice_is(name, source->params[i].name)) {
			struct slice value = {equals + 1, text.len - name.len - 1};

			strbuf_free(&names);
			if (query_param_value(&source->params[i], value, &parsed, err)) {
				return -1;
			}
			free(table->asked[i]);
			table->asked[i] = text_new(value);
			table_ask(view);
			return 0;
		}
		strbuf_printf(&names, "%s%s", i ? ", " : "", source->params[i].name);
	}
	if (source->n_params == 0) {
		err_set(err, ERR_USAGE, "%s takes no parameters", source->title);
	} else if (!equals) {
		err_set(err, ERR_USAGE, "a parameter is written NAME=VALUE; there are %s",
		        names.data);
	} else {
		err_set(err, ERR_USAGE, "%s has no parameter '%.*s'; there are %s", source->title,
		        (int)name.len, name.ptr, names.data);
	}
	strbuf_free(&names);
	return -1;
}
