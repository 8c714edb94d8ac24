/*
 * Questions of the list of spans. Only some screens of rows are ever here: those around what is
 * seen. Whatever moves the list, one job finds the place and reads the rows around it; the rows
 * that are here tell it where to begin.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ui/lists/span_groups_source.h"
#include "ui/lists/view_spans.h"
#include "ui/base/texts.h"
#include "util/mem.h"

#define PAGE_SCREENS 5
#define PAGE_ROWS 150 /* at least */

#define SORT_MEMORY "spans.sort"
#define COLUMNS_MEMORY "spans.columns"

struct spans_job {
	struct view_job job;
	struct span_list list; /* the filter and the text are own copies: the view may be closed */
	char *text;
	bool is_known;
	struct span_figures figures;
	struct span_known known;
	struct spans_wish wish;
	struct span_row from; /* of GOAL_FIND; id 0: there is none */
	int64_t n;
	bool wants_keys;
	/* what comes back */
	char **keys;
	struct span_page *page;
	int64_t place;      /* -2: not found */
	struct err refused; /* the user's filter */
};

/* ---- on the worker ---- */

struct span_list
spans_list(const struct spans_view *spans)
{
	return (struct span_list){.filter = filter_stack_all(&spans->filters),
	                          .key = spans->key,
	                          .column = spans->column ? xstrdup(spans->column) : NULL,
	                          .is_descending = spans->is_descending};
}

int
spans_list_open(struct span_list *list, struct store *store, const struct cancel *cancel,
                struct err *err)
{
	list->dataset = store ? store_dataset(store, err) : NULL;
	list->cancel = cancel;
	return list->dataset ? 0 : -1;
}

/* Row of the list that the wish is about; -1 on error, -2 if there is none. */
static int64_t
find_place(struct spans_job *mine, struct err *err)
{
	const struct span_list *list = &mine->list;

	switch (mine->wish.goal) {
	case GOAL_VALUE:
		return span_list_seek(list, &mine->figures, mine->wish.value, err);
	case GOAL_FIND:
		return mine->from.id == 0
		           ? -2
		           : span_list_find(list, &mine->figures, &mine->from, mine->wish.where,
		                            slice_of(mine->text), err);
	default:
		return mine->wish.place < mine->figures.n ? mine->wish.place
		       : mine->figures.n > 0              ? mine->figures.n - 1
		                                          : 0;
	}
}

static int
work(struct view_job *job, struct job_worker *worker, struct err *err)
{
	struct spans_job *mine = (struct spans_job *)job;
	struct span_list *list = &mine->list;
	int64_t first;

	if (spans_list_open(list, job_store(job, worker, err), &job->cancel, err)) {
		return -1;
	}
	if (mine->wants_keys) {
		mine->keys = span_keys_read(list->dataset);
	}
	if (!mine->is_known && span_list_figures(list, &mine->figures, err)) {
		if (err->code != ERR_QUERY || !list->filter) {
			return -1;
		}
		mine->refused = *err; /* the view takes it back */
		*err = (struct err)ERR_INIT;
		return 0;
	}
	mine->place = find_place(mine, err);
	if (mine->place < 0) {
		return mine->place == -2 ? 0 : -1;
	}
	first = mine->place - mine->n / 2;
	if (first + mine->n > mine->figures.n) {
		first = mine->figures.n - mine->n;
	}
	mine->page =
	    span_page_read(list, &mine->figures, &mine->known, first > 0 ? first : 0, mine->n, err);
	return mine->page ? 0 : -1;
}

static void
free_job(struct view_job *job)
{
	struct spans_job *mine = (struct spans_job *)job;

	span_page_free(mine->page);
	span_keys_free(mine->keys);
	free((char *)mine->list.filter);
	free((char *)mine->list.column);
	free(mine->text);
}

/* ---- in the view ---- */

const char *
spans_key_name(const struct spans_view *spans)
{
	return spans->column ? spans->column : span_list_key_name(spans->key);
}

void
spans_ask_for(struct view *view, const struct spans_wish *wish)
{
	struct spans_view *spans = view->state;
	struct spans_job *job = job_new(sizeof *job, 0, work, free_job, view->run_path);
	int64_t row = spans_row(spans);

	job->list = spans_list(spans);
	job->text = wish->text.ptr ? text_new(wish->text) : NULL;
	job->is_known = spans->is_known;
	job->figures = spans->figures;
	job->wish = *wish;
	job->wants_keys = !spans->keys;
	if (spans->is_known) {
		job->known = span_page_known(spans->page);
	}
	if (wish->goal == GOAL_FIND && spans->page && spans->page->n > 0) {
		if (row >=
		    /* while a text is typed, pages come and go: the row where that began is kept */
		    0) {
			spans->from = spans->page->rows[row];
		}
		job->from = spans->from;
	}
	job->n = (int64_t)spans->all.height * PAGE_SCREENS;
	job->n = job->n > PAGE_ROWS ? job->n : PAGE_ROWS;
	view_submit(view, &job->job);
}

int64_t
spans_row(const struct spans_view *spans)
{
	int64_t row = spans->page ? (int64_t)spans->all.selected - spans->page->first : -1;

	return spans->page && row < spans->page->n ? row : -1;
}

static bool
page_covers(const struct spans_view *spans)
{
	int64_t top = (int64_t)spans->all.top, end = top + (int64_t)spans->all.height;

	end = end < (int64_t)spans->all.n ? end : (int64_t)spans->all.n;
	return spans->page && top >= spans->page->first &&
	       end <= spans->page->first + spans->page->n;
}

void
spans_moved(struct view *view)
{
	struct spans_view *spans = view->state;
	struct spans_wish wish = {.goal = GOAL_SCROLL};

	list_settle(&spans->all);
	if (spans->is_known && !page_covers(spans)) {
		wish.place = (int64_t)(spans->all.top + spans->all.height / 2);
		spans_ask_for(view, &wish);
	}
}

void
spans_ask_anew(struct view *view)
{
	struct spans_view *spans = view->state;

	spans->is_known = false;
	spans->may_hide = true;
	spans_ask(view, GOAL_PLACE);
}

bool
spans_unfilter(struct view *view)
{
	struct spans_view *spans = view->state;

	if (!filter_stack_drop(&spans->filters)) {
		return false;
	}
	spans_ask_anew(view);
	return true;
}

/* Columns that hold nothing only take room. Which they are, the first page of a list decides; one
 * that holds something after all is shown. */
static void
hide_empty(struct spans_view *spans)
{
	const struct result *result = spans->model.result;

	for (size_t c = 0; c < result->n_columns && result->n_rows > 0; c++) {
		bool any = false;

		for (size_t r = 0; r < result->n_rows && !any; r++) {
			any = result_value(result, r, c)->type != VALUE_NULL;
		}
		if (any == spans->is_empty[c] && (any || spans->may_hide)) {
			spans->is_empty[c] = !any;
			grid_hide(&spans->grid, slice_of(result->columns[c].name), !any);
		}
	}
	spans->may_hide = spans->may_hide && result->n_rows == 0;
}

void
spans_remember(const struct view *view)
{
	struct spans_view *spans = view->state;
	struct strbuf text = {0};

	strbuf_printf(&text, "%s%s", spans->is_descending ? "-" : "", spans_key_name(spans));
	view_remember(view, SORT_MEMORY, text.data);
	strbuf_clear(&text);
	for (int pass = 0; pass < 2;
	     pass++) { /* what is hidden for being empty here may not be elsewhere */
		for (size_t c = 0; c < SPAN_COLUMNS; c++) {
			if (spans->is_empty[c]) {
				grid_hide(&spans->grid, slice_of(span_columns[c].name), pass == 1);
			}
		}
		if (pass == 0) {
			grid_write(&spans->grid, &text);
		}
	}
	view_remember(view, COLUMNS_MEMORY, text.data);
	strbuf_free(&text);
}

void
spans_recall(struct view *view)
{
	struct spans_view *spans = view->state;
	const char *text = view_recall(view, SORT_MEMORY);
	bool is_descending = text && *text == '-';
	struct err ignored = ERR_INIT;
	enum span_list_key key;
	char *column;

	if (text &&
	    span_list_key_read(slice_of(text + is_descending), &key, &column, &ignored) == 0) {
		spans->key = key;
		spans->column = column;
		spans->is_descending = is_descending;
	}
}

/* The page as the grid shows it, with the sort in its titles. */
static void
show_page(struct view *view)
{
	struct spans_view *spans = view->state;
	struct result *result = result_new("Spans", span_columns, SPAN_COLUMNS);
	bool is_first = !spans->model.result;

	for (int64_t i = 0; i < spans->page->n; i++) {
		struct value values[SPAN_COLUMNS];
		struct value *row = result_add_row(result);

		span_page_values(spans->page, i, values);
		for (size_t c = 0; c < SPAN_COLUMNS; c++) {
			row[c] = value_copy(result, &values[c]);
		}
		if (!spans->figures.has_range) { /* then it is the duration again */
			row[SPAN_COLUMN_INSIDE] = (struct value){.type = VALUE_NULL};
		}
	}
	spans->model.wish.n_keys = 0;
	table_model_set(&spans->model, result);
	for (size_t c = 0; c < SPAN_COLUMNS && spans->key != SPAN_KEY_ID; c++) {
		if (strcmp(span_columns[c].name, spans_key_name(spans)) == 0) {
			spans->model.wish.keys[0] = (struct table_sort_key){
			    .column = c, .is_descending = spans->is_descending};
			spans->model.wish.n_keys = 1; /* for the title: the rows are in order */
		}
	}
	grid_set(&spans->grid, result);
	if (is_first && view_recall(view, COLUMNS_MEMORY)) {
		grid_read(&spans->grid, view_recall(view, COLUMNS_MEMORY));
	} else if (is_first) {
		grid_hide(&spans->grid, slice_of("id"), true); /* of use to few; "+" shows it */
	}
	hide_empty(spans);
	grid_lay(&spans->grid, &spans->model, view->area.width);
}

void
spans_done(struct view *view, struct view_job *job)
{
	struct spans_view *spans = view->state;
	struct spans_job *mine = (struct spans_job *)job;

	if (mine->keys && !spans->keys) {
		spans->keys = mine->keys;
		mine->keys = NULL;
	}
	if (mine->refused.code != ERR_NONE) {
		view_fail(view, mine->refused.message);
		(void)spans_unfilter(view);
		return;
	}
	spans->figures = mine->figures;
	spans->is_known = true;
	spans->all.n = (size_t)mine->figures.n;
	if (!mine->page) {
		app_search_ended(view, SEARCH_MISSED);
		spans_moved(view);
		return;
	}
	span_page_free(spans->page);
	spans->page = mine->page;
	mine->page = NULL;
	if (mine->wish.goal != GOAL_SCROLL) {
		spans->all.selected = (size_t)mine->place;
	}
	list_settle(&spans->all);
	show_page(view);
	spans_moved(view);
	if (mine->wish.goal == GOAL_FIND) {
		app_search_ended(view, search_found(&view->search, spans->all.selected));
	}
}
