/*
 * The SQL prompt: its words are the tables, table-valued functions and columns of the run that it
 * stands in, read once by the worker.
 */
#include "config.h"

#include "ui/app/app_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/ascii.h"
#include "util/mem.h"

struct words_job {
	struct view_job job;
	struct completion words;
};

static int
read_words(struct view_job *job, struct job_worker *worker, struct err *err)
{
	static const char sql[] =
	    "WITH t(name) AS (SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
	    " UNION SELECT name FROM pragma_module_list WHERE name NOT LIKE 'sqlite%'"
	    " AND name NOT LIKE 'pragma%' AND name NOT LIKE 'fts%' AND name NOT LIKE 'rtree%')"
	    " SELECT name FROM t UNION SELECT c.name FROM t, pragma_table_xinfo(t.name) c";
	struct words_job *mine = (struct words_job *)job;
	struct store *store = job_store(job, worker, err);
	struct result *result = store ? query_sql(store, sql, &job->cancel, err) : NULL;

	for (size_t i = 0; result && i < result->n_rows; i++) {
		const struct value *value = result_value(result, i, 0);

		if (value->type == VALUE_TEXT) {
			completion_add(&mine->words, value->text);
		}
	}
	result_free(result);
	return result ? 0 : -1;
}

static void
free_words(struct view_job *job)
{
	completion_free(&((struct words_job *)job)->words);
}

void
app_sql_words(struct app *app, struct view_job *job)
{
	struct words_job *mine = (struct words_job *)job;

	if (job->err.code == ERR_NONE) { /* else there are no words: typing goes on without */
		completion_free(&app->words);
		app->words = mine->words;
		mine->words = (struct completion){0};
		free(app->words_run);
		app->words_run = xstrdup(job->run_path);
	}
}

void
app_sql_open(struct app *app, const char *text)
{
	const char *path = app->top->run_path;

	if (!path) {
		app_say(app, true, "open a run first: SQL asks one run");
		return;
	}
	if (!app->words_run || strcmp(app->words_run, path) != 0) {
		struct view_job *job =
		    job_new(sizeof(struct words_job), 0, read_words, free_words, path);

		job->owner = app;
		jobs_submit(app->jobs, job);
	}
	app_prompt(app, PROMPT_SQL, "SQL> ", text);
}

void
app_sql_ask(struct app *app, struct slice sql)
{
	view_open(app->top, PLACE_SQL, .text = sql);
}

/* Where an error of SQL says it is, as a byte offset; the end if it does not. */
static size_t
error_place(const char *sql, const struct err *err)
{
	size_t length = strlen(sql), at = 0;
	unsigned line, column;

	if (sscanf(err->message, "SQL, line %u, column %u", &line, &column) != 2) {
		return length;
	}
	for (; line > 1 && at < length; at++) {
		line -= sql[at] == '\n';
	}
	at = column > 0 && column - 1 <= length - at ? at + column - 1 : length;
	while (at > 0 && utf8_goes_on(sql[at])) {
		at--;
	}
	return at;
}

bool
app_sql_refused(struct view *view, const char *sql, const struct err *err)
{
	struct app *app = view->app;
	char *text;

	if (view != app->top || app->prompt.is_open || !view->below || strchr(sql, '\n')) {
		return false;
	}
	text = xstrdup(sql); /* the view may hold the last reference to it */
	app->n_ahead = 0;    /* typed for the answer */
	app_pop(app);
	app_sql_open(app, text);
	app->prompt.cursor = error_place(text, err);
	app_say(app, true, "%s", err->message);
	free(text);
	return true;
}

void
app_sql_complete(const struct app *app, struct completion *completion)
{
	static const char *const keywords[] = {
	    "SELECT", "FROM",  "WHERE",  "GROUP BY", "ORDER BY", "LIMIT", "COUNT",  "DISTINCT",
	    "JOIN",   "USING", "HAVING", "DESC",     "AND",      "LIKE",  "BETWEEN"};
	struct slice typed = completion->typed;

	completion->from = typed.len;
	while (completion->from > 0) {
		char c = typed.ptr[completion->from - 1];

		if (!is_word_char(c) && (unsigned char)c < 0x80) {
			break;
		}
		completion->from--;
	}
	completion_add_texts(completion, (const char *const *)app->words.words, app->words.n);
	if (completion->from < typed.len) {
		completion_add_texts(completion, keywords, COUNT_OF(keywords));
	}
	completion_settle(completion);
}
