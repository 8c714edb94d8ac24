/*
 * The file is what the editor would show, with the parameters' values as they stand for defaults;
 * a statement that was typed gets a header that says what it can. It is parsed before it is
 * written, so that no file is left that the library would refuse.
 */
#include "config.h"

#include "ui/table/save_query.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "query/saved/kind.h"
#include "query/saved/query_file.h"
#include "ui/table/edit.h"
#include "util/ascii.h"
#include "util/mem.h"
#include "util/xdg.h"

#define NAME_LIMIT 60

/* Names stand in commands and become names of files. */
static int
check_name(struct slice name, struct err *err)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];

		if (!is_word_char(c) && (c != '-' || i == 0)) {
			return err_set(err, ERR_USAGE,
			               "save: a name is of letters, digits, - and _, not '%.*s'",
			               (int)name.len, name.ptr);
		}
	}
	if (name.len == 0 || name.len > NAME_LIMIT) {
		return err_set(err, ERR_USAGE,
		               "save: write save NAME, or save NAME TITLE (up to %d letters of "
		               "name)",
		               NAME_LIMIT);
	}
	return 0;
}

/* "kind=efi, least=5: Tasks by kind": what was changed tells it from the other in a list. */
static void
add_title(const struct table_source *source, char *const *texts, const char *name,
          struct strbuf *out)
{
	for (size_t i = 0; i < source->n_params; i++) {
		const char *before = source->params[i].default_text;

		if (texts[i] && (!before || strcmp(texts[i], before) != 0)) {
			strbuf_printf(out, "%s%s=%s", out->len > 0 ? ", " : "",
			              source->params[i].name, texts[i]);
		}
	}
	strbuf_printf(out, "%s%s", out->len > 0 ? ": " : "",
	              source->query ? source->query->title : name);
}

/* Columns whose names can stand in a header, and whose kind says more than the values do. */
static void
add_columns(const struct result *result, struct strbuf *out)
{
	for (size_t i = 0; result && i < result->n_columns; i++) {
		const struct result_column *column = &result->columns[i];
		const char *end = column->name;

		while (is_word_char(*end)) {
			end++;
		}
		if (end > column->name && !*end && column->kind != KIND_TEXT) {
			strbuf_printf(out, "-- column %s %s\n", column->name,
			              column_kinds[column->kind].name);
		}
	}
}

/* As it was written, the query must say what it says here. */
static int
check_text(struct slice text, const char *name, const struct table_source *source,
           char *const *texts, struct err *err)
{
	struct arena *arena = arena_new();
	const struct saved_query *query = query_file_parse(arena, name, "save", text, err);
	int rc = query ? 0 : -1;

	for (size_t i = 0; rc == 0 && source->query && i < source->n_params; i++) {
		const char *now = i < query->n_params ? query->params[i].default_text : NULL;

		if (texts[i] && (!now || strcmp(now, texts[i]) != 0)) {
			rc = err_set(err, ERR_FORMAT,
			             "save: %s=%s can't be written as a default: set it with p "
			             "after the query was opened",
			             source->params[i].name, texts[i]);
		}
	}
	arena_free(arena);
	return rc;
}

static int
check_place(struct view *view, const char *name, const char *path, struct err *err)
{
	struct err none = ERR_INIT;
	const struct saved_query *query = query_library_find(app_library(view->app), name, &none);

	if (access(path, F_OK) == 0) {
		return err_set(err, ERR_USAGE, "%s exists: save !%s writes over it", path, name);
	}
	if (query) {
		return err_set(err, ERR_USAGE,
		               "%s is a saved query already (%s): save !%s puts this in its place",
		               name, query->origin, name);
	}
	return 0;
}

static int
write_query(struct view *view, const char *name, bool may_replace, struct slice text,
            struct err *err)
{
	struct strbuf file = {0}, path = {0};
	int rc = 0;

	strbuf_printf(&file, "queries/%s.sql", name);
	if (!xdg_path(XDG_CONFIG, file.data, &path)) {
		rc = err_set(err, ERR_USAGE, "save: neither XDG_CONFIG_HOME nor HOME is set");
	}
	if (rc == 0 && !may_replace) {
		rc = check_place(view, name, path.data, err);
	}
	if (rc == 0) {
		text_make_folders(path.data);
		rc = text_save(path.data, text, err);
	}
	if (rc == 0) {
		app_reload_library(view->app);
		view_say(view, "saved as %s: %s", name, path.data);
	}
	strbuf_free(&file);
	strbuf_free(&path);
	return rc;
}

int
save_query(struct view *view, const struct table_source *source, char *const *texts,
           const struct result *result, struct slice words, struct err *err)
{
	bool may_replace = words.len > 0 && words.ptr[0] == '!';
	struct strbuf text = {0}, title = {0};
	struct slice name;
	char *name_text;
	int rc;

	words = slice_from(words, may_replace);
	name = slice_take_word(&words);
	if (!source->sql) {
		return err_set(err, ERR_USAGE, "save: no SQL stands behind this table");
	}
	if (check_name(name, err)) {
		return -1;
	}
	name_text = text_new(name);
	if (words.len > 0) {
		strbuf_add_slice(&title, words);
	} else {
		add_title(source, texts, name_text, &title);
	}
	if (!source->query && !edit_has_title(slice_of(source->sql))) {
		strbuf_printf(&text, "-- title: %s\n", title.data);
		add_columns(result, &text);
	}
	edit_text_as(source, texts, title.data, &text);
	rc = check_text(strbuf_slice(&text), name_text, source, texts, err);
	if (rc == 0) {
		rc = write_query(view, name_text, may_replace, strbuf_slice(&text), err);
	}
	strbuf_free(&title);
	strbuf_free(&text);
	free(name_text);
	return rc;
}
