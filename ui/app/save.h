/*
 * What is shown, written to a file that is asked for at the prompt: the format
 * by the name's ending. A file that exists is written only when
 * "!" stands before the name, which the second prompt offers; a run file, and a
 * trace behind the runs that are shown or marked, never.
 * Used by ui/chart, ui/lists, ui/table, ui/timeline.
 */
#ifndef LANESCOPE_UI_APP_SAVE_H
#define LANESCOPE_UI_APP_SAVE_H

#include <stdio.h>
#include "export/export.h"
#include "ui/base/result_hold.h"
#include "ui/app/view.h"

/* Opens the prompt (PROMPT_EXPORT) with a name made from the title. */
void save_ask(struct view *view, const char *title);
/* The accepted text of the prompt: gives the path (new) to write to; NULL if it
 * asks again or says what is wrong. */
char *save_path(struct view *view, struct slice text);
/* The same, with one more ending ("svg"), of what is no table; NULL: none. */
char *save_picture_path(struct view *view, struct slice text, const char *picture);
/* How tables are written, as the settings have it. */
struct export_options save_options(const struct view *view);
bool save_has_ending(const char *path, const char *ending); /* without the dot, in any case */
/* Writes these rows and columns of the result on the worker. Takes path; copies rows and
 * columns. */
void save_selection(struct view *view, struct result_hold *hold, const size_t *rows, size_t n_rows,
                    const size_t *columns, size_t n_columns, char *path);
/* Writes what `write` draws, at once, and says so. Takes path. */
void save_drawing(struct view *view, int (*write)(const void *user, FILE *file, struct err *err),
                  const void *user, char *path);
/* Rows that are made while they are written, however many there are. */
struct save_sink;
void save_put(struct save_sink *sink, const struct value *values); /* texts are lent for the call */
struct save_stream {
	const char *title;
	const struct result_column *columns;
	size_t n_columns;
	/* On the worker: puts all rows. -1 with err set on failure. */
	int (*rows)(struct save_stream *stream, struct job_worker *worker, struct save_sink *sink,
	            const struct cancel *cancel, struct err *err);
	void (*free)(struct save_stream *stream); /* frees it and what it holds */
};
/* Takes stream and path; writes on the worker. */
void save_rows(struct view *view, struct save_stream *stream, char *path);
/* In the view's `done`: true if the job was one of these; says what was
 * written. */
bool save_done(struct view *view, struct view_job *job);
/* Names of files for the path that begins at `from`. */
void save_complete(struct completion *completion);

#endif
