/*
 * A saved query is edited with its header, so that kinds of columns, parameters
 * and drills stay: the text is put together from what was read of the file, and
 * read again by the same parser. A text without a title is a plain statement.
 */
#include "config.h"

#include "ui/table/edit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "query/saved/query_file.h"
#include "util/litter.h"
#include "util/mem.h"

#define TEXT_LIMIT (1u << 20)

static void
add_param(struct strbuf *out, const struct query_param *param)
{
	strbuf_printf(out, "-- param %s %s ", param->name, column_kinds[param->kind].name);
	if (param->default_text) {
		strbuf_add_char(out, '\'');
		for (const char *c = param->default_text; *c; c++) {
			if (*c == '\'') {
				strbuf_add_char(out, '\'');
			}
			strbuf_add_char(out, *c);
		}
		strbuf_add_text(out, "' ");
	}
	if (param->allowed) {
		strbuf_printf(out, "{%s} ", param->allowed);
	}
	strbuf_printf(out, "%s\n", param->about);
}

/* Does the line of a header, without its newline, declare the parameter? */
static bool
declares(struct slice line, const char *name)
{
	line = slice_from(line, 2);
	return slice_is(slice_take_word(&line), "param") && slice_is(slice_take_word(&line), name);
}

/* The parameter that a line declares and that has another text than its default; NULL: none. */
static const struct query_param *
changed_param(const struct saved_query *query, char *const *texts, struct slice line,
              const char **text)
{
	for (size_t i = 0; texts && i < query->n_params; i++) {
		const char *before = query->params[i].default_text;

		if (texts[i] && (!before || strcmp(texts[i], before) != 0) &&
		    declares(line, query->params[i].name)) {
			*text = texts[i];
			return &query->params[i];
		}
	}
	return NULL;
}

/* What was declared again, with the lines that went on with it, is left out. */
static void
add_header(struct strbuf *out, const struct saved_query *query, char *const *texts,
           const char *title)
{
	bool is_replaced = false;

	for (struct slice rest = slice_of(query->header); rest.len > 0;) {
		const char *newline = memchr(rest.ptr, '\n', rest.len);
		struct slice line = {rest.ptr, newline ? (size_t)(newline - rest.ptr) : rest.len};
		bool goes_on = slice_starts_with(line, "--  ");
		struct slice words = slice_from(line, line.len < 2 ? line.len : 2);
		const char *text = NULL;
		const struct query_param *param =
		    goes_on || line.len < 2 ? NULL : changed_param(query, texts, line, &text);
		struct query_param changed;

		rest = slice_from(rest, line.len + (newline != NULL));
		if (goes_on && is_replaced) {
			continue;
		}
		is_replaced = true;
		if (param) {
			changed = *param;
			changed.default_text = text;
			add_param(out, &changed);
		} else if (title && !goes_on && slice_is(slice_take_word(&words), "title:")) {
			strbuf_printf(out, "-- title: %s\n", title);
		} else {
			strbuf_add_slice(out, line);
			strbuf_add_char(out, '\n');
			is_replaced = false;
		}
	}
}

void
edit_text_as(const struct table_source *source, char *const *texts, const char *title,
             struct strbuf *out)
{
	if (source->query) {
		add_header(out, source->query, texts, title);
	}
	if (source->sql) {
		strbuf_add_text(out, source->sql);
	}
	if (out->len > 0 && out->data[out->len - 1] != '\n') {
		strbuf_add_char(out, '\n');
	}
}

void
edit_text(const struct table_source *source, struct strbuf *out)
{
	edit_text_as(source, NULL, NULL, out);
}

bool
edit_has_title(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		struct slice rest = slice_from(text, i);

		if ((i == 0 || text.ptr[i - 1] == '\n') && rest.len > 9 &&
		    slice_starts_with(rest, "-- title:")) {
			return true;
		}
	}
	return false;
}

/* Values by the names of the parameters that have them now. */
static char **
carry_texts(const struct table_source *source, char *const *texts, const struct saved_query *query)
{
	char **carried = xcalloc(query->n_params + 1, sizeof *carried);

	for (size_t i = 0; texts && i < query->n_params; i++) {
		for (size_t k = 0; k < source->n_params; k++) {
			if (strcmp(source->params[k].name, query->params[i].name) == 0) {
				carried[i] = texts[k];
			}
		}
	}
	return carried;
}

/* The source of what a text asks: of a query with a header, else of a statement. texts: parameters
 * of the old source; those with the same names keep their values. NULL: the text is wrong. */
static struct table_source *
edit_source(struct view *view, const struct table_source *source, char *const *texts,
            struct slice text, struct err *err)
{
	const struct saved_query *query;
	struct table_source *edited;
	struct arena *arena;
	char **carried;

	if (!edit_has_title(text)) {
		return table_source_sql(view->run_path, text);
	}
	arena = arena_new();
	query = query_file_parse(arena, source->query ? source->query->name : "edited",
	                         "edited query", text, err);
	if (!query) {
		arena_free(arena);
		return NULL;
	}
	carried = carry_texts(source, texts, query);
	edited = table_source_edited(view->run_path, arena, query, carried);
	free(carried);
	return edited;
}

/* A file that nobody else can read or write, in the folder for temporary files.
 */
static int
write_file(struct strbuf *path, struct slice text, struct err *err)
{
	const char *folder = getenv("TMPDIR");
	size_t written = 0;
	int fd, rc = 0;

	strbuf_printf(path, "%s/lanescope-XXXXXX.sql", folder && *folder ? folder : "/tmp");
	fd = mkstemps(path->data, 4);
	if (fd < 0) {
		err_set_errno(err, errno, "can't make %s", path->data);
		strbuf_clear(path);
		return -1;
	}
	litter_add(path->data);
	while (written < text.len && rc == 0) {
		ssize_t n = write(fd, text.ptr + written, text.len - written);

		if (n < 0 && errno != EINTR) {
			rc = err_set_errno(err, errno, "can't write %s", path->data);
		}
		written += n > 0 ? (size_t)n : 0;
	}
	if (close(fd) != 0 && rc == 0) {
		rc = err_set_errno(err, errno, "can't write %s", path->data);
	}
	return rc;
}

static int
read_file(const char *path, struct strbuf *text, struct err *err)
{
	FILE *file = fopen(path, "re");
	char bytes[4096];
	size_t n;
	int rc = 0;

	if (!file) {
		return err_set_errno(err, errno, "can't read %s", path);
	}
	while ((n = fread(bytes, 1, sizeof bytes, file)) > 0 && text->len <= TEXT_LIMIT) {
		strbuf_add(text, bytes, n);
	}
	if (ferror(file)) {
		rc = err_set_errno(err, errno, "can't read %s", path);
	} else if (text->len > TEXT_LIMIT) {
		rc = err_set(err, ERR_LIMIT, "%s: longer than 1 MiB", path);
	}
	fclose(file);
	return rc;
}

/* Always -1. 126: the shell could not run it. */
static int
editor_failed(int status, struct err *err)
{
	const char *visual = getenv("VISUAL"), *editor = getenv("EDITOR");
	const char *name = visual && *visual ? visual : editor && *editor ? editor : "vi";

	if (status == 126) {
		return err_set(err, ERR_USAGE,
		               "can't run the editor '%s': set EDITOR to one that is installed",
		               name);
	}
	return err_set(err, ERR_USAGE, "the editor '%s' ended with status %d: nothing is asked",
	               name, status);
}

/* The text after the user has edited it; -1 if the editor failed. */
static int
run_editor(struct app *app, struct strbuf *text, struct err *err)
{
	struct strbuf path = {0};
	int status, rc = write_file(&path, strbuf_slice(text), err);

	if (rc == 0) {
		/* As git does it: the shell reads $EDITOR, which may hold arguments and quotes.
		 * That it found none is told apart from having no shell. */
		const char *argv[] = {"/bin/sh",
		                      "-c",
		                      "eval \"${VISUAL:-${EDITOR:-vi}} \\\"\\$1\\\"\"; status=$?; "
		                      "[ $status -ne 127 ] || exit 126; exit $status",
		                      "sh",
		                      path.data,
		                      NULL};

		status = app_run_program(app, argv, err);
		rc = status == 0 ? 0 : status < 0 ? -1 : editor_failed(status, err);
	}
	if (rc == 0) {
		strbuf_clear(text);
		rc = read_file(path.data, text, err);
	}
	if (path.len > 0) {
		litter_remove(path.data); /* only a copy */
	}
	strbuf_free(&path);
	return rc;
}

void
edit_query(struct view *view, const struct table_source *source, char *const *texts, char **draft)
{
	struct strbuf text = {0};
	struct table_source *edited;
	struct err err = ERR_INIT;
	char *before;

	if (!source->sql || !view->run_path) {
		view_fail(view, "no SQL of one run stands behind this");
		return;
	}
	if (*draft) {
		strbuf_add_text(&text, *draft);
	} else {
		edit_text(source, &text);
	}
	before = xstrdup(text.data);
	if (run_editor(view->app, &text, &err)) {
		view_fail(view, err.message);
	} else if (strcmp(before, text.data ? text.data : "") == 0) {
		view_say(view, "nothing was changed");
	} else {
		edited = edit_source(view, source, texts, strbuf_slice(&text), &err);
		free(*draft);
		*draft = edited ? NULL : xstrndup(text.data, text.len);
		if (edited) {
			view_open(view, PLACE_SOURCE, .source = edited);
		} else {
			app_say(view->app, true, "%s (E edits it again)", err.message);
		}
	}
	free(before);
	strbuf_free(&text);
}
