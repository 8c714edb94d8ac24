/*
 * What to import, before anything is read in full: files are recognised by their first bytes, those
 * that belong together become one run, and every run gets a name and a place. The steps have a file
 * each (plan.h).
 *
 * Whatever can't be read keeps nothing else from being imported: a file or folder that was found is
 * a problem of the runs beside it, a path that was given is told as failed. Commands that read
 * traces on the way, the explorer and import all ask here, so they see the same runs.
 */
#include "config.h"
#include "ingest/part.h"
#include "ingest/plan.h"

#include <stdlib.h>
#include <string.h>

#define HIDDEN_REASON "is a hidden folder: name it to search it"

void
ingest_plans_free(struct ingest_plans *plans)
{
	struct planning *planning = (struct planning *)plans;

	if (!planning) {
		return;
	}
	for (unsigned i = 0; i < plans->n_plans; i++) {
		free(plans->plans[i].paths);
		free(plans->plans[i].opened);
		if (planning->read) {
			part_about_free(&planning->read[i]);
		}
	}
	for (unsigned i = 0; i < planning->n_drafts; i++) {
		free(planning->drafts[i].files);
		free(planning->drafts[i].problems);
		tag_list_free(&planning->drafts[i].tags);
	}
	for (size_t i = 0; i < planning->in_folder_capacity; i++) {
		free(planning->in_folder[i].direct);
		free(planning->in_folder[i].below);
	}
	for (size_t i = 0; i < planning->n_files; i++) {
		input_close(planning->files[i].opened.input);
	}
	free(planning->read);
	free(plans->plans);
	free(plans->skipped);
	free(plans->failed);
	free(planning->drafts);
	free(planning->in_folder);
	free(planning->troubles);
	free(planning->files);
	free(planning->found.files);
	free(planning->found.troubles);
	free(planning->found.hidden);
	free(planning->is_settled);
	free(planning->folder_of_spelling);
	intern_free(planning->folder_spelling);
	intern_free(planning->trouble_sentences);
	intern_free(planning->folders);
	arena_free(planning->arena);
	free(planning);
}

/* ---- files ---- */

static void
take_found(struct planning *planning, unsigned given, size_t n_known)
{
	planning->files =
	    xrealloc_array(planning->files, planning->found.n + 1, sizeof *planning->files);
	for (size_t i = n_known; i < planning->found.n; i++) {
		const struct found_file *found = &planning->found.files[i];
		planning->files[i] = (struct plan_file){.path = found->path,
		                                        .given = given,
		                                        .named = found->named,
		                                        .copy_of = FILE_NONE};
		planning->files[i].folder = plan_folder(planning, found->path);
	}
	planning->n_files = planning->found.n;
}

static void
find_all(struct planning *planning, const char *const *paths, unsigned n_paths)
{
	for (unsigned i = 0; i < n_paths; i++) {
		struct err err = ERR_INIT;
		size_t n = planning->found.n, n_troubles = planning->found.n_troubles,
		       n_hidden = planning->found.n_hidden;
		if (find_files(&planning->found, paths[i], &err)) {
			plan_fail(planning, paths[i], err.message);
			plan_trouble(planning, paths[i], err.message, true);
			planning->is_settled[i] = true;
			continue;
		}
		take_found(planning, i, n);
		for (size_t k = n_troubles; k < planning->found.n_troubles; k++) {
			plan_trouble(planning, planning->found.troubles[k].path,
			             planning->found.troubles[k].reason, false);
		}
		for (size_t k = n_hidden; k < planning->found.n_hidden; k++) {
			plan_skip(planning, planning->found.hidden[k], HIDDEN_REASON);
		}
	}
}

static bool
lies_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 &&
	       (path[length] == '/' || folder[length - 1] == '/');
}

/* No trace was found in the folder: as one there can't be read or is hidden, or as there is
 * none. */
static void
fail_folder(struct planning *planning, const char *path)
{
	for (size_t i = 0; i < planning->n_troubles; i++) {
		const struct plan_trouble *trouble = &planning->troubles[i];
		if (lies_below(trouble->path, path)) {
			plan_fail(planning, trouble->path, trouble->reason);
			return;
		}
	}
	for (size_t i = 0; i < planning->found.n_hidden; i++) {
		if (lies_below(planning->found.hidden[i], path)) {
			plan_fail(planning, planning->found.hidden[i], HIDDEN_REASON);
			return;
		}
	}
	plan_fail(planning, path, "no trace found");
}

/* Tells of paths that lead to no file of any run, unless that was told already. */
static void
fail_fruitless(struct planning *planning, const char *const *paths, unsigned n_paths)
{
	bool *is_told = xcalloc((size_t)n_paths + 1, sizeof *is_told);

	for (size_t i = 0; i < planning->n_files; i++) {
		const struct plan_file *file = &planning->files[i];
		is_told[file->given] |= file->format || file->named;
	}
	for (unsigned i = 0; i < n_paths; i++) {
		if (!is_told[i] && !planning->is_settled[i] && is_folder(paths[i])) {
			fail_folder(planning, paths[i]);
		}
	}
	free(is_told);
}

/* ---- all of it ---- */

bool
plan_is_name(const char *name)
{
	return name[0] != '\0' && name[0] != '.' && !strchr(name, '/') && strlen(name) <= 200;
}

static int
check_options(const struct ingest_options *options, struct err *err)
{
	const char *name = options->name;

	if (options->format && !import_find(options->format)) {
		struct strbuf formats = {0};
		for (size_t i = 0; import_formats[i]; i++) {
			strbuf_printf(&formats, "%s%s", i ? ", " : "", import_formats[i]->name);
		}
		err_set(err, ERR_USAGE, "%s: no such format (known: %s)", options->format,
		        formats.data);
		strbuf_free(&formats);
		return -1;
	}
	if (options->each && options->one) {
		return err_set(err, ERR_USAGE, "--each and --one: every file a run, or all one?");
	}
	if (name && !plan_is_name(name)) {
		return err_set(err, ERR_USAGE, "%s: can't be the name of a run file", name);
	}
	return 0;
}

/* Drafts as the caller sees them. */
static void
publish(struct planning *planning)
{
	struct ingest_plans *plans = &planning->plans;

	plans->plans = xcalloc((size_t)planning->n_drafts + 1, sizeof *plans->plans);
	plans->n_plans = planning->n_drafts;
	for (unsigned i = 0; i < planning->n_drafts; i++) {
		const struct run_draft *draft = &planning->drafts[i];
		struct ingest_plan *plan = &plans->plans[i];
		*plan = (struct ingest_plan){.format = draft->format->name,
		                             .grouping = draft->reason,
		                             .is_folder = draft->n_jobs == 1,
		                             .n_paths = draft->n_files,
		                             .n_beside = draft->n_beside,
		                             .parts = draft->records,
		                             .tags = &draft->tags,
		                             .fits_no_pattern = draft->fits_no_pattern,
		                             .problems = draft->problems,
		                             .n_problems = draft->n_problems};
		plan->paths = xcalloc((size_t)draft->n_files + 1, sizeof *plan->paths);
		plan->opened = xcalloc((size_t)draft->n_files + 1, sizeof *plan->opened);
		for (unsigned k = 0; k < draft->n_files; k++) {
			plan->paths[k] = planning->files[draft->files[k]].path;
			plan->opened[k] = &planning->files[draft->files[k]].opened;
		}
		if (draft->n_beside) {
			size_t last = draft->files[draft->n_files - 1];
			plan->beside = planning->files[last].format->name;
		}
	}
}

static int
nothing_found(const struct planning *planning, const char *const *paths, unsigned n_paths,
              struct err *err)
{
	const struct ingest_plans *plans = &planning->plans;

	if (plans->n_failed == 1) {
		return err_set(err, ERR_FORMAT, "%s", plans->failed[0]);
	}
	if (plans->n_failed) {
		return err_set(err, ERR_FORMAT, "%s; nor is there a trace in the %u others",
		               plans->failed[0], plans->n_failed - 1);
	}
	return err_set(err, ERR_FORMAT, "%s: no trace found", n_paths ? paths[0] : "(nothing)");
}

static int
make_plans(struct planning *planning, const char *const *paths, unsigned n_paths, struct err *err)
{
	if (check_options(planning->options, err)) {
		return -1;
	}
	planning->is_settled = xcalloc((size_t)n_paths + 1, sizeof *planning->is_settled);
	find_all(planning, paths, n_paths);
	if (plan_look(planning, err) || plan_copies(planning, err) || plan_begins(planning, err)) {
		return -1;
	}
	fail_fruitless(planning, paths, n_paths);
	plan_runs(planning);
	if (planning->n_drafts == 0) {
		return nothing_found(planning, paths, n_paths, err);
	}
	if (plan_parts(planning, err) || plan_tags(planning, paths, err)) {
		return -1;
	}
	publish(planning);
	plan_names(planning);
	return 0;
}

struct planning *
plan_new(const struct ingest_options *options)
{
	struct planning *planning = xcalloc(1, sizeof *planning);

	planning->options = options;
	planning->arena = planning->found.arena = arena_new();
	planning->folders = intern_new();
	planning->folder_spelling = intern_new();
	planning->trouble_sentences = intern_new();
	return planning;
}

struct ingest_plans *
ingest_plan(const char *const *paths, unsigned n_paths, const struct ingest_options *options,
            struct err *err)
{
	struct planning *planning = plan_new(options);

	if (make_plans(planning, paths, n_paths, err)) {
		ingest_plans_free(&planning->plans);
		return NULL;
	}
	planning->options = NULL; /* the caller's */
	return &planning->plans;
}
