/*
 * From files to runs. Each format says which of its files may be one run at all: each by itself,
 * those of a folder, of a tree of folders, all. plan_jobs.c divides folders and trees further, by
 * what the files tell. Only then is known where the runs lie, and what lies beside them is given to
 * them: counters, copies that are not read, what can't be read.
 */
#include "config.h"
#include "ingest/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- trees ---- */

/* The uppermost folder above this one, or itself, of those in `holders`. */
static uint32_t
uppermost(const struct planning *planning, const struct intern *holders, uint32_t folder)
{
	struct slice path = intern_text(planning->folders, folder);
	uint32_t home = folder;

	for (size_t length = path.len; length > 0;) {
		struct slice above = {path.ptr, length};
		if (intern_find(holders, above) != INTERN_NONE) {
			home = intern_find(planning->folders, above);
		}
		size_t shorter = plan_folder_length(path.ptr, length);
		length = shorter < length ? shorter : 0;
	}
	return home;
}

/* Homes in which a name stands in two folders: these hold what is alike, and are apart. */
static void
note_names(struct intern *names, bool *is_divided, const struct plan_file *file, uint32_t home)
{
	struct strbuf key = {0};
	uint32_t n = intern_count(names);

	strbuf_printf(&key, "%u/%s", home, path_name(file->path));
	is_divided[home] |= intern_id(names, strbuf_slice(&key)) != n;
	strbuf_free(&key);
}

static bool
is_of_tree(const struct plan_file *file, const struct import_format *format)
{
	return file->format == format && file->grouping == GROUP_TREE && file->copy_of == FILE_NONE;
}

/* Homes of a format's files, by index; new (free()). */
static uint32_t *
find_homes(const struct planning *planning, const struct import_format *format)
{
	uint32_t *homes = xcalloc(planning->n_files + 1, sizeof *homes);
	bool *is_divided = xcalloc((size_t)intern_count(planning->folders) + 1, sizeof *is_divided);
	struct intern *holders = intern_new(), *names = intern_new();

	for (size_t i = 0; i < planning->n_files; i++) {
		if (is_of_tree(&planning->files[i], format)) {
			intern_id(holders,
			          intern_text(planning->folders, planning->files[i].folder));
		}
	}
	for (size_t i = 0; i < planning->n_files; i++) {
		if (is_of_tree(&planning->files[i], format)) {
			homes[i] = uppermost(planning, holders, planning->files[i].folder);
			note_names(names, is_divided, &planning->files[i], homes[i]);
		}
	}
	for (size_t i = 0; i < planning->n_files; i++) {
		homes[i] = is_divided[homes[i]] ? planning->files[i].folder : homes[i];
	}
	free(is_divided);
	intern_free(holders);
	intern_free(names);
	return homes;
}

/* The folder that the format says; the file's own if it says none. */
static uint32_t
home_of(const struct planning *planning, const struct plan_file *file)
{
	struct slice folder = intern_text(planning->folders, file->folder);
	char *path = xstrndup(folder.ptr, folder.len);
	size_t length = file->format->home_of(path);

	free(path);
	return length ? intern_id(planning->folders, (struct slice){folder.ptr, length})
	              : file->folder;
}

/* ---- sets of files that may be one run ---- */

struct set {
	size_t *files;
	size_t n, capacity;
	uint32_t home; /* of the first */
};

struct sets {
	struct intern *keys;
	struct set *sets; /* by id in keys */
	size_t capacity;
};

/* What files of one set have in common. */
static void
add_key(const struct planning *planning, size_t index, uint32_t home, struct strbuf *key)
{
	const struct plan_file *file = &planning->files[index];
	const struct ingest_options *options = planning->options;

	strbuf_printf(key, "%s ", file->format->name);
	if (options->one || file->grouping == GROUP_BESIDE) {
		return;
	}
	if (options->each && file->grouping != GROUP_HOME) {
		strbuf_printf(key, "file %zu", index);
	} else if (file->grouping == GROUP_EACH && file->look.part) {
		strbuf_printf(key, "parts %u ", file->folder);
		strbuf_add_slice(key, file->look.job);
	} else if (file->grouping == GROUP_EACH) {
		strbuf_printf(key, "file %zu", index);
	} else {
		strbuf_printf(key, "folder %u", home);
	}
}

static void
add_to_set(struct planning *planning, struct sets *sets, size_t index, uint32_t home)
{
	struct strbuf key = {0};
	uint32_t n = intern_count(sets->keys);

	add_key(planning, index, home, &key);
	uint32_t id = intern_id(sets->keys, strbuf_slice(&key));
	MEM_GROW(sets->sets, sets->capacity, (size_t)id + 1);
	if (id == n) {
		sets->sets[id] = (struct set){NULL, 0, 0, home};
	}
	struct set *set = &sets->sets[id];
	MEM_GROW(set->files, set->capacity, set->n + 1);
	set->files[set->n++] = index;
	strbuf_free(&key);
}

/* "folder logs/n2_base", as the user spells it. */
static const char *
say_folder(struct planning *planning, const struct set *set)
{
	const struct plan_file *first = &planning->files[set->files[0]];
	size_t best = plan_folder_length(first->path, strlen(first->path));
	const char *path = first->path;
	bool is_below = false;

	for (size_t i = 1; i < set->n; i++) {
		const struct plan_file *file = &planning->files[set->files[i]];
		size_t length = plan_folder_length(file->path, strlen(file->path));
		is_below |= file->folder != first->folder;
		if (length < best) {
			best = length;
			path = file->path;
		}
	}
	return arena_printf(planning->arena, "folder %.*s%s", best ? (int)best : 1,
	                    best ? path : ".", is_below ? " and below" : "");
}

static const char *
say_fixed(const struct planning *planning, const struct set *set)
{
	const struct plan_file *file = &planning->files[set->files[0]];
	const struct ingest_options *options = planning->options;

	if (options->one) {
		return GROUPING_ASKED;
	}
	if (strcmp(file->path, "-") == 0) {
		return "standard input";
	}
	if (file->grouping == GROUP_HOME) {
		struct slice home = intern_text(planning->folders, set->home);
		return arena_printf(planning->arena, "study in %.*s%s", (int)home.len, home.ptr,
		                    options->each ? "; a file of this format by itself is no run"
		                                  : "");
	}
	return options->each ? "a run for each file was asked for"
	                     : "a file of this format is a run";
}

static void
draft_set(struct planning *planning, const struct set *set)
{
	const struct plan_file *first = &planning->files[set->files[0]];
	const struct ingest_options *options = planning->options;
	bool is_fixed = options->one || options->each || first->grouping == GROUP_HOME ||
	                (first->grouping == GROUP_EACH && !first->look.part) ||
	                strcmp(first->path, "-") == 0;

	if (first->grouping == GROUP_BESIDE) {
		return; /* once it is known where the runs lie */
	}
	if (!is_fixed) {
		const char *where = say_folder(planning, set);
		if (first->grouping == GROUP_EACH) {
			where = arena_printf(planning->arena, "parts of %.*s in %s",
			                     (int)first->look.job.len, first->look.job.ptr, where);
		}
		plan_jobs(planning, set->files, set->n, where);
		return;
	}
	struct run_draft *draft = plan_draft(planning, first->format, say_fixed(planning, set));
	for (size_t i = 0; i < set->n; i++) {
		plan_draft_add(draft, set->files[i]);
	}
}

/* ---- where the drafts lie ---- */

static void
add_once(unsigned **list, size_t *n, size_t *capacity, unsigned draft)
{
	if (*n == 0 || (*list)[*n - 1] != draft) {
		*list = mem_grow(*list, capacity, *n + 1, sizeof **list);
		(*list)[(*n)++] = draft;
	}
}

static struct folder_drafts *
in_folder(struct planning *planning, uint32_t folder)
{
	size_t old = planning->in_folder_capacity;

	MEM_GROW(planning->in_folder, planning->in_folder_capacity, (size_t)folder + 1);
	for (size_t i = old; i < planning->in_folder_capacity; i++) {
		planning->in_folder[i] = (struct folder_drafts){0};
	}
	return &planning->in_folder[folder];
}

/* The folder above; itself for the uppermost. */
static uint32_t
folder_above(struct planning *planning, uint32_t folder)
{
	struct slice path = intern_text(planning->folders, folder);
	size_t length = plan_folder_length(path.ptr, path.len);

	return length && length < path.len
	           ? intern_id(planning->folders, (struct slice){path.ptr, length})
	           : folder;
}

static void
locate(struct planning *planning, unsigned index)
{
	const struct run_draft *draft = &planning->drafts[index];

	for (unsigned i = 0; i < draft->n_files; i++) {
		uint32_t folder = planning->files[draft->files[i]].folder;
		if (i && folder == planning->files[draft->files[i - 1]].folder) {
			continue;
		}
		struct folder_drafts *here = in_folder(planning, folder);
		add_once(&here->direct, &here->n_direct, &here->direct_capacity, index);
		for (uint32_t above = folder;;) {
			here = in_folder(planning, above);
			if (here->n_below && here->below[here->n_below - 1] == index) {
				break; /* and all above it */
			}
			add_once(&here->below, &here->n_below, &here->below_capacity, index);
			uint32_t next = folder_above(planning, above);
			if (next == above) {
				break;
			}
			above = next;
		}
	}
}

/* The first folder from this one upwards in whose tree drafts lie. */
static const struct folder_drafts *
nearest(struct planning *planning, uint32_t folder)
{
	for (;;) {
		const struct folder_drafts *here = in_folder(planning, folder);
		uint32_t above = folder_above(planning, folder);
		if (here->n_below || above == folder) {
			return in_folder(planning, folder);
		}
		folder = above;
	}
}

/* ---- what goes beside ---- */

static void
join_beside(struct planning *planning, const struct set *set)
{
	bool is_alone = planning->n_drafts == 0;

	if (is_alone) {
		struct run_draft *draft = plan_draft(
		    planning, planning->files[set->files[0]].format, "no trace beside them");
		for (size_t i = 0; i < set->n; i++) {
			plan_draft_add(draft, set->files[i]);
		}
		return;
	}
	for (size_t i = 0; i < set->n; i++) {
		const struct folder_drafts *near =
		    nearest(planning, planning->files[set->files[i]].folder);
		bool is_stray = near->n_below == 0; /* "-", or of another root */
		size_t n = is_stray ? planning->n_drafts : near->n_below;
		for (size_t k = 0; k < n; k++) {
			struct run_draft *draft = &planning->drafts[is_stray ? k : near->below[k]];
			plan_draft_add(draft, set->files[i]);
			draft->n_beside++;
		}
	}
}

/* ---- problems ---- */

/* It concerns the runs that have files in its folder, or else the only run in the next folder above
 * that holds some. */
static void
tell_trouble(struct planning *planning, const struct plan_trouble *trouble)
{
	const struct folder_drafts *near = in_folder(planning, trouble->folder);

	if (!trouble->is_told) {
		plan_skip(planning, trouble->path, trouble->reason);
	}
	for (size_t i = 0; i < near->n_direct; i++) {
		const struct run_draft *draft = &planning->drafts[near->direct[i]];
		if (!trouble->is_stray || plan_is_alike(planning, draft, trouble->path)) {
			plan_problem(planning, near->direct[i], PROBLEM_MISSING, trouble->reason);
		}
	}
	if (near->n_direct || trouble->is_told) {
		return;
	}
	near = nearest(planning, trouble->folder);
	if (near->n_below == 1) {
		plan_problem(planning, near->below[0], PROBLEM_MISSING, trouble->reason);
	}
}

/* A copy is told to the run that its original is of, and to those that it lies beside. */
static void
tell_copy(struct planning *planning, size_t index, const unsigned *draft_of)
{
	const struct plan_file *copy = &planning->files[index];
	size_t original = index;
	uint64_t bytes = 0; /* of the shortest on the way */

	while (planning->files[original].copy_of != FILE_NONE) {
		uint64_t its = planning->files[original].beginning_bytes;
		bytes = its && (bytes == 0 || its < bytes) ? its : bytes;
		original = planning->files[original].copy_of;
	}
	const char *path = planning->files[original].path;
	const char *reason =
	    bytes ? arena_printf(planning->arena,
	                         "%s: holds the first %" PRIu64
	                         " bytes (decompressed) of %s, which is read in its place",
	                         copy->path, bytes, path)
		  : arena_printf(planning->arena,
	                         "%s: holds the same as %s, which is read in its place", copy->path,
	                         path);
	unsigned home = draft_of[original];
	if (home != UINT32_MAX) {
		plan_problem(planning, home, PROBLEM_DUPLICATE, reason);
	}
	const struct folder_drafts *beside = in_folder(planning, copy->folder);
	for (size_t i = 0; copy->folder != planning->files[original].folder && i < beside->n_direct;
	     i++) {
		if (beside->direct[i] != home) {
			plan_problem(planning, beside->direct[i], PROBLEM_DUPLICATE, reason);
		}
	}
}

static void
tell_all(struct planning *planning)
{
	unsigned *draft_of = xcalloc(planning->n_files + 1, sizeof *draft_of);

	memset(draft_of, 0xff, planning->n_files * sizeof *draft_of);
	for (unsigned i = 0; i < planning->n_drafts; i++) {
		for (unsigned k = 0; k < planning->drafts[i].n_files; k++) {
			draft_of[planning->drafts[i].files[k]] = i;
		}
	}
	for (size_t i = 0; i < planning->n_troubles; i++) {
		tell_trouble(planning, &planning->troubles[i]);
	}
	for (size_t i = 0; i < planning->n_files; i++) {
		if (planning->files[i].copy_of != FILE_NONE) {
			tell_copy(planning, i, draft_of);
		}
	}
	free(draft_of);
}

/* ---- all of it ---- */

/* The sets of all files, in the order of their first ones. */
static void
make_sets(struct planning *planning, struct sets *sets)
{
	uint32_t **homes = NULL;
	size_t n_formats = 0;

	while (import_formats[n_formats]) {
		n_formats++;
	}
	homes = xcalloc(n_formats + 1, sizeof *homes);
	for (size_t i = 0; i < planning->n_files; i++) {
		const struct plan_file *file = &planning->files[i];
		if (!file->format || file->copy_of != FILE_NONE) {
			continue;
		}
		uint32_t home =
		    file->grouping == GROUP_HOME ? home_of(planning, file) : file->folder;
		for (size_t k = 0; k < n_formats && file->grouping == GROUP_TREE; k++) {
			if (import_formats[k] == file->format) {
				homes[k] = homes[k] ? homes[k] : find_homes(planning, file->format);
				home = homes[k][i];
			}
		}
		add_to_set(planning, sets, i, home);
	}
	for (size_t k = 0; k < n_formats; k++) {
		free(homes[k]);
	}
	free(homes);
}

void
plan_runs(struct planning *planning)
{
	struct sets sets = {.keys = intern_new()};

	make_sets(planning, &sets);
	for (uint32_t i = 0; i < intern_count(sets.keys); i++) {
		draft_set(planning, &sets.sets[i]);
	}
	for (unsigned i = 0; i < planning->n_drafts; i++) {
		locate(planning, i);
	}
	for (uint32_t i = 0; i < intern_count(sets.keys); i++) {
		if (planning->files[sets.sets[i].files[0]].grouping == GROUP_BESIDE) {
			join_beside(planning, &sets.sets[i]);
		}
		free(sets.sets[i].files);
	}
	tell_all(planning);
	free(sets.sets);
	intern_free(sets.keys);
}
