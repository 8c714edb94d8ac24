/*
 * What people say of runs: files of tags in the folders of the traces, patterns that their paths
 * fit, tags given by themselves; the later ones count. A file says it of all traces in its folder
 * and below, as far up as the folder that was given. What is wrong with one is a problem of the
 * runs that it is about: it keeps nothing from being imported.
 */
#include "config.h"
#include "ingest/plan.h"

#include <stdlib.h>

#include "ingest/tag_file.h"

/* The folder that all paths of a run have in common, as spelled, "/" included. */
static size_t
common_folder(const struct planning *planning, const struct run_draft *draft)
{
	const char *first = planning->files[draft->files[0]].path;
	size_t length = strlen(first);

	for (unsigned i = 0; i < draft->n_files; i++) {
		const char *path = planning->files[draft->files[i]].path;
		size_t same = 0;
		while (same < length && path[same] == first[same]) {
			same++;
		}
		length = same;
	}
	while (length > 0 && first[length - 1] != '/') {
		length--;
	}
	return length;
}

static void
read_file(struct planning *planning, unsigned index, const char *folder, size_t length,
          struct tag_list *tags)
{
	struct err err = ERR_INIT;
	const char *path =
	    arena_printf(planning->arena, "%.*s%s", (int)length, folder, INGEST_TAG_FILE);
	if (tag_file_read(tags, path, &err) < 0) {
		plan_problem(planning, index, PROBLEM_SUSPICIOUS,
		             arena_strdup(planning->arena, err.message));
	}
}

static void
read_files(struct planning *planning, unsigned index, const char *const *paths,
           struct tag_list *tags)
{
	const struct run_draft *draft = &planning->drafts[index];
	const struct plan_file *first = &planning->files[draft->files[0]];
	const char *given = paths[first->given];
	size_t length = common_folder(planning, draft), n_given = strlen(given);
	bool is_below = !first->named && strncmp(first->path, given, n_given) == 0;
	size_t from = is_below && n_given < length ? n_given : length;

	if (strcmp(first->path, "-") == 0) {
		return;
	}
	while (from < length && first->path[from - 1] != '/') {
		from++;
	}
	for (size_t at = from; at < length; at++) {
		if (first->path[at - 1] == '/') {
			read_file(planning, index, first->path, at, tags);
		}
	}
	read_file(planning, index, first->path, length, tags);
}

/* The real path, without the endings of the file's name. */
static char *
plain_path(const char *path)
{
	char *real = xrealpath(path);
	struct strbuf text = {0};
	const char *from = real ? real : path;
	struct slice name = plain_name(from);

	strbuf_add(&text, from, (size_t)(name.ptr - from) + name.len);
	free(real);
	return strbuf_take(&text);
}

/* What all files of the run agree on. */
static bool
read_pattern(const struct planning *planning, const struct run_draft *draft, const char *pattern,
             struct tag_list *tags)
{
	struct tag_list common = {0};
	bool is_fit = true;

	for (unsigned i = 0; is_fit && i < draft->n_files - draft->n_beside; i++) {
		struct tag_list own = {0};
		char *path = plain_path(planning->files[draft->files[i]].path);
		is_fit = tag_pattern_read(pattern, slice_of(path), i ? &own : &common);
		for (size_t k = 0; i > 0 && k < common.n; k++) {
			const char *value = tag_list_find(&own, common.all[k].key);
			bool is_same = value && strcmp(value, common.all[k].value) == 0;
			common.all[k].value = is_same ? common.all[k].value : "";
		}
		free(path);
		tag_list_free(&own);
	}
	for (size_t k = 0; is_fit && k < common.n; k++) {
		struct err ignored = ERR_INIT; /* too many: what is given counts more */
		if (*common.all[k].value) {
			(void)tag_list_set(tags, slice_of(common.all[k].key),
			                   slice_of(common.all[k].value), &ignored);
		}
	}
	tag_list_free(&common);
	return is_fit;
}

static int
tag_run(struct planning *planning, unsigned index, const char *const *paths, struct err *err)
{
	const struct ingest_options *options = planning->options;
	struct run_draft *draft = &planning->drafts[index];
	bool is_fit = options->n_patterns == 0;

	read_files(planning, index, paths, &draft->tags);
	for (size_t i = 0; i < options->n_patterns; i++) {
		is_fit |= read_pattern(planning, draft, options->patterns[i], &draft->tags);
	}
	draft->fits_no_pattern = !is_fit;
	return options->tags ? tag_list_add(&draft->tags, options->tags, err) : 0;
}

int
plan_tags(struct planning *planning, const char *const *paths, struct err *err)
{
	for (size_t i = 0; i < planning->options->n_patterns; i++) {
		if (tag_pattern_check(planning->options->patterns[i], err)) {
			return err_wrap(err, "--tags-from");
		}
	}
	for (unsigned i = 0; i < planning->n_drafts; i++) {
		if (tag_run(planning, i, paths, err)) {
			return -1;
		}
	}
	return 0;
}
