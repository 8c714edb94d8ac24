/*
 * The file is written beside its place and renamed, so that it is whole or not
 * there, whatever happens meanwhile. Links and what is no plain file (a
 * terminal, a pipe) are written into directly.
 */
#include "config.h"

#include "ui/app/save.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "query/saved/target.h"
#include "ui/app/app.h"
#include "util/ascii.h"
#include "ui/base/result_copy.h"
#include "ui/base/settings.h"
#include "util/mem.h"
#include "util/tempfile.h"

#define ROWS_A_POLL 1024
#define SAVE_JOB 1000 /* kind: apart from a view's own */

struct save_job {
	struct view_job job;
	struct result_hold *hold; /* of a selection; or NULL */
	size_t *rows, *columns, n_columns;
	struct save_stream *stream; /* or NULL */
	char *path;
	size_t n_rows;
	struct export_options options;
};

/* Where a stream's rows go: to the file, or to a result for formats that must see all of it. */
struct save_sink {
	struct exporter exporter;
	struct result *result; /* NULL: to the exporter */
	size_t n_rows;
};

bool
save_has_ending(const char *path, const char *ending)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');

	return dot && strcasecmp(dot + 1, ending) == 0;
}

/* The format that a path's ending names. */
static const struct export_format *
format_of(const char *path)
{
	for (const struct export_format *format = export_formats; format->name; format++) {
		if (save_has_ending(path, format->extension)) {
			return format;
		}
	}
	return NULL;
}

/* *temporary: NULL where it is written into directly. */
static FILE *
open_beside(const char *path, char **temporary, struct err *err)
{
	struct stat status;
	bool is_other = lstat(path, &status) == 0 && !S_ISREG(status.st_mode);
	int fd = is_other ? open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY)
	                  : tempfile_create(path, 0666, temporary);
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (!file) {
		err_set_errno(err, errno, "can't write %s", path);
	}
	return file;
}

void
save_put(struct save_sink *sink, const struct value *values)
{
	sink->n_rows++;
	if (!sink->result) {
		exporter_row(&sink->exporter, values);
		return;
	}
	struct value *row = result_add_row(sink->result);

	for (size_t i = 0; i < sink->result->n_columns; i++) {
		row[i] = value_copy(sink->result, &values[i]);
	}
}

static int
write_stream(struct save_job *mine, struct job_worker *worker, FILE *file, struct err *err)
{
	const struct export_options *options = &mine->options;
	struct save_stream *stream = mine->stream;
	const struct export_format *format = format_of(mine->path);
	struct save_sink sink = {.n_rows = 0};
	struct err closing = ERR_INIT;
	int rc;

	if (format->row) {
		exporter_open(&sink.exporter, format, options, file, stream->columns,
		              stream->n_columns);
	} else {
		sink.result = result_new(stream->title, stream->columns, stream->n_columns);
	}
	rc = stream->rows(stream, worker, &sink, &mine->job.cancel, err);
	if (format->row) {
		if (exporter_close(&sink.exporter, &closing) != 0 && rc == 0) {
			*err = closing;
			rc = -1;
		}
	} else if (rc == 0) {
		rc = export_result(sink.result, format, options, file, err);
	}
	result_free(sink.result);
	mine->n_rows = sink.n_rows;
	return rc;
}

/* A row at a time, for formats that can: so it can be stopped, and takes no further memory. */
static int
write_rows(struct save_job *mine, FILE *file, struct err *err)
{
	const struct export_options *options = &mine->options;
	const struct result *result = mine->hold->result;
	struct result_column *columns = xcalloc(mine->n_columns + 1, sizeof *columns);
	struct value *values = xcalloc(mine->n_columns + 1, sizeof *values);
	struct exporter exporter;
	struct err closing = ERR_INIT;
	bool is_stopped = false;
	int rc;

	for (size_t c = 0; c < mine->n_columns; c++) {
		columns[c] = result->columns[mine->columns[c]];
	}
	exporter_open(&exporter, format_of(mine->path), options, file, columns, mine->n_columns);
	for (size_t i = 0; i < mine->n_rows && !ferror(file) && !is_stopped; i++) {
		for (size_t c = 0; c < mine->n_columns; c++) {
			values[c] = *result_value(result, mine->rows[i], mine->columns[c]);
		}
		exporter_row(&exporter, values);
		is_stopped = i % ROWS_A_POLL == 0 && cancel_requested(&mine->job.cancel);
	}
	rc = exporter_close(&exporter, &closing);
	if (is_stopped) {
		rc = err_set(err, ERR_CANCELLED, "stopped");
	} else if (rc != 0) {
		*err = closing;
	}
	free(values);
	free(columns);
	return rc;
}

static int
write_selection(struct save_job *mine, FILE *file, struct err *err)
{
	const struct export_options *options = &mine->options;
	struct result *result;
	int rc;

	if (format_of(mine->path)->row) {
		return write_rows(mine, file, err);
	}
	result = result_select(mine->hold->result, mine->rows, mine->n_rows, mine->columns,
	                       mine->n_columns);
	rc = export_result(result, format_of(mine->path), options, file, err);
	result_free(result);
	return rc;
}

static int
work(struct view_job *job, struct job_worker *worker, struct err *err)
{
	struct save_job *mine = (struct save_job *)job;
	char *temporary = NULL;
	FILE *file = open_beside(mine->path, &temporary, err);
	int rc = -1;

	if (!file) {
		goto out;
	}
	rc =
	    mine->stream ? write_stream(mine, worker, file, err) : write_selection(mine, file, err);
	if (fclose(file) != 0 && rc == 0) {
		rc = err_set_errno(err, errno, "can't write %s", mine->path);
	}
out:
	if (temporary && tempfile_end(temporary, mine->path, rc == 0)) {
		rc = err_set_errno(err, errno, "can't write %s", mine->path);
	}
	return rc;
}

static void
free_job(struct view_job *job)
{
	struct save_job *mine = (struct save_job *)job;

	result_hold_release(mine->hold);
	free(mine->rows);
	free(mine->columns);
	if (mine->stream) {
		mine->stream->free(mine->stream);
	}
	free(mine->path);
}

struct export_options
save_options(const struct view *view)
{
	return (struct export_options){.header = true, .safe = app_settings(view->app)->safe_csv};
}

static struct save_job *
save_job_new(const struct view *view, char *path)
{
	struct save_job *mine = job_new(sizeof *mine, SAVE_JOB, work, free_job, NULL);

	mine->path = path;
	mine->options = save_options(view);
	return mine;
}

void
save_selection(struct view *view, struct result_hold *hold, const size_t *rows, size_t n_rows,
               const size_t *columns, size_t n_columns, char *path)
{
	struct save_job *mine = save_job_new(view, path);

	mine->hold = result_hold_retain(hold);
	mine->rows = numbers_copy(rows, n_rows);
	mine->n_rows = n_rows;
	mine->columns = numbers_copy(columns, n_columns);
	mine->n_columns = n_columns;
	view_submit(view, &mine->job);
}

void
save_rows(struct view *view, struct save_stream *stream, char *path)
{
	struct save_job *mine = save_job_new(view, path);

	mine->stream = stream;
	view_submit(view, &mine->job);
}

void
save_drawing(struct view *view, int (*write)(const void *user, FILE *file, struct err *err),
             const void *user, char *path)
{
	struct err err = ERR_INIT;
	char *temporary = NULL;
	FILE *file = open_beside(path, &temporary, &err);
	int rc = file ? write(user, file, &err) : -1;

	if (file && fclose(file) != 0 && rc == 0) {
		rc = err_set_errno(&err, errno, "can't write %s", path);
	}
	if (temporary && tempfile_end(temporary, path, rc == 0) && rc == 0) {
		rc = err_set_errno(&err, errno, "can't write %s", path);
	}
	if (rc) {
		view_fail(view, err.message);
	} else {
		view_say(view, "wrote %s", path);
	}
	free(path);
}

bool
save_done(struct view *view, struct view_job *job)
{
	struct save_job *mine = (struct save_job *)job;

	if (job->kind != SAVE_JOB) {
		return false;
	}
	view_say(view, "%zu row%s written to %s", mine->n_rows, mine->n_rows == 1 ? "" : "s",
	         mine->path);
	return true;
}

void
save_ask(struct view *view, const char *title)
{
	struct strbuf name = {0}, whole = {0};

	/* Two runs' answers to one question are two files. */
	strbuf_printf(&whole, "%s%s%s", view->run_name ? view->run_name : "",
	              view->run_name ? "-" : "", title);
	for (const char *c = whole.data; *c && name.len < 60; c++) {
		if (is_word_char(*c)) {
			strbuf_add_char(&name, to_lower(*c));
		} else if (name.len > 0 && name.data[name.len - 1] != '-') {
			strbuf_add_char(&name, '-');
		}
	}
	strbuf_add_text(&name, name.len > 0 ? ".csv" : "table.csv");
	app_prompt(view->app, PROMPT_EXPORT,
	           "write to (.csv .tsv .json .jsonl .md .txt): ", name.data);
	strbuf_free(&whole);
	strbuf_free(&name);
}

/* "~/x" as the shell has it. */
static char *
expand_home(struct slice text)
{
	const char *home = getenv("HOME");
	struct strbuf path = {0};

	if (home && slice_starts_with(text, "~/")) {
		strbuf_add_text(&path, home);
		text = slice_from(text, 1);
	}
	strbuf_add_slice(&path, text);
	return strbuf_take(&path);
}

/* May the file be written over? False: no, and it was said why. */
static bool
may_write(struct view *view, const char *path)
{
	const char *const shown[] = {view->run_path, app_marked_path(view->app, 0),
	                             app_marked_path(view->app, 1)};
	const char *runs[3];
	size_t n = 0;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < 3; i++) {
		if (shown[i]) {
			runs[n++] = shown[i];
		}
	}
	if (target_check(path, runs, n, &err)) {
		view_fail(view, err.message);
		return false;
	}
	return true;
}

char *
save_path(struct view *view, struct slice text)
{
	return save_picture_path(view, text, NULL);
}

char *
save_picture_path(struct view *view, struct slice text, const char *picture)
{
	bool may_replace;
	char *path;

	text = slice_trim(text, " \t");
	may_replace = text.len > 0 && text.ptr[0] == '!';
	text = slice_from(text, may_replace);
	text = slice_trim(text, " \t");
	if (text.len == 0) {
		return NULL;
	}
	path = expand_home(text);
	if (!format_of(path) && !(picture && save_has_ending(path, picture))) {
		app_say(view->app, true,
		        "%s: its ending names no format: write .csv, .tsv, .json, .jsonl, "
		        ".md%s%s or .txt",
		        path, picture ? ", ." : "", picture ? picture : "");
	} else if (!may_write(view, path)) {
		/* it has said why */
	} else if (!may_replace && access(path, F_OK) == 0) {
		struct strbuf again = {0};

		strbuf_printf(&again, "!%s", path);
		app_prompt(view->app, PROMPT_EXPORT,
		           "exists; Enter replaces it, Esc leaves it: ", again.data);
		strbuf_free(&again);
	} else {
		return path;
	}
	free(path);
	return NULL;
}

void
save_complete(struct completion *completion)
{
	struct slice text = completion->typed;
	size_t from = text.len, start = completion->from;
	struct slice prefix;
	struct dirent *entry;
	char *folder;
	DIR *dir;

	start += slice_starts_with(slice_from(text, start), "!");
	while (from > start && text.ptr[from - 1] != '/') {
		from--;
	}
	folder = from > start ? expand_home((struct slice){text.ptr + start, from - start})
	                      : xstrdup(".");
	prefix = slice_from(text, from);
	dir = opendir(folder);
	completion->from = from;
	while (dir && (entry = readdir(dir)) != NULL && completion->n < 1000) {
		struct slice name = slice_of(entry->d_name);
		bool is_hidden = name.ptr[0] == '.' && (prefix.len == 0 || prefix.ptr[0] != '.');

		if (!is_hidden && name.len >= prefix.len &&
		    memcmp(name.ptr, prefix.ptr, prefix.len) == 0) {
			completion_add(completion, name);
		}
	}
	if (dir) {
		closedir(dir);
	}
	free(folder);
	completion_settle(completion);
}
