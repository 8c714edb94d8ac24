/*
 * What to import, before anything is read in full: files are recognised by their first bytes, those
 * of one format that belong together become one run, and every run gets a name and a place.
 *
 * Names come from file names, or from the folder that all files of a run have in common. Where two
 * runs would have one name, folder and format are put to it; a clash that remains is the user's to
 * solve.
 */
#include "config.h"
#include "ingest/ingest.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "import/import.h"
#include "ingest/find.h"
#include "util/intern.h"

/* What ingest_plans_free finds behind the public part. */
struct planning {
	struct ingest_plans plans;
	struct arena *arena;
	struct found_files found;
	const struct import_format **formats; /* of found.files; NULL: none */
	enum import_grouping *groupings;      /* of the same */
	struct intern *known;                 /* files by device and inode */
	size_t plans_capacity, skipped_capacity;
	struct input *standard_input;
	const struct ingest_options *options;
};

void
ingest_plans_free(struct ingest_plans *plans)
{
	struct planning *planning = (struct planning *)plans;

	if (planning) {
		for (unsigned i = 0; i < plans->n_plans; i++) {
			free(plans->plans[i].paths);
		}
		input_close(planning->standard_input);
		free(plans->plans);
		free(plans->skipped);
		intern_free(planning->known);
		free(planning->found.files);
		free(planning->formats);
		free(planning->groupings);
		arena_free(planning->arena);
		free(planning);
	}
}

/* ---- recognising ---- */

static void
skip(struct planning *planning, const char *path, const char *reason)
{
	struct ingest_plans *plans = &planning->plans;

	plans->skipped = mem_grow(plans->skipped, &planning->skipped_capacity,
	                          (size_t)plans->n_skipped + 1, sizeof *plans->skipped);
	plans->skipped[plans->n_skipped++] = arena_printf(planning->arena, "%s: %s", path, reason);
}

static void
list_formats(struct strbuf *out)
{
	for (size_t i = 0; import_formats[i]; i++) {
		strbuf_add_text(out, i ? ", " : "");
		strbuf_add_text(out, import_formats[i]->name);
	}
}

static int
not_recognised(const char *path, struct slice head, struct err *err)
{
	struct strbuf formats = {NULL, 0, 0};

	list_formats(&formats);
	if (head.len >= 15 && memcmp(head.ptr, "SQLite format 3", 15) == 0) {
		err_set(err, ERR_FORMAT,
		        "%s: is a database, not a trace (open run files as they are)", path);
	} else {
		err_set(err, ERR_FORMAT,
		        "%s: no trace format recognises it (known: %s; --format names one)", path,
		        formats.data);
	}
	strbuf_free(&formats);
	return -1;
}

/* The format of an open input, NULL if none, and its first bytes. */
static int
recognise(const struct planning *planning, const struct found_file *file, struct input *input,
          const struct import_format **format, struct slice *head, struct err *err)
{
	const char *wished = planning->options->format;
	const struct import_format *only = wished ? import_find(wished) : NULL;

	if (import_recognise(input, only, format, head, err) != 0) {
		return -1;
	}
	if (only && file->named) {
		*format = only; /* read as told; what merely lies in a folder must look like it */
	}
	return 0;
}

/* Is this file among those looked at already, by whatever path? */
static bool
is_known(struct planning *planning, const char *path)
{
	struct stat status;
	uint64_t identity[2];

	if (strcmp(path, "-") == 0 || stat(path, &status) != 0) {
		return false;
	}
	identity[0] = (uint64_t)status.st_dev;
	identity[1] = (uint64_t)status.st_ino;
	uint32_t n = intern_count(planning->known);
	return intern_id(planning->known,
	                 (struct slice){(const char *)identity, sizeof identity}) != n;
}

static int
look_at(struct planning *planning, size_t index, struct err *err)
{
	const struct found_file *file = &planning->found.files[index];
	const struct import_format *format = NULL;
	struct slice head;
	int result = -1;

	if (is_known(planning, file->path)) {
		skip(planning, file->path, "is there already, by another name or twice");
		return 0;
	}
	struct input *input = input_open(file->path, err);
	if (!input || recognise(planning, file, input, &format, &head, err) != 0) {
		if (!file->named) { /* one unreadable file does not keep a folder from being read */
			skip(planning, file->path, err->message);
			result = 0;
		}
		goto out;
	}
	result = 0;
	if (head.len == 0 && !format) {
		skip(planning, file->path, "is empty");
	} else if (!format && file->named) {
		result = not_recognised(file->path, head, err);
	} else if (!format) {
		skip(planning, file->path, "no trace format recognises it");
	}
	planning->formats[index] = format;
	if (format) {
		planning->groupings[index] =
		    format->group_of ? format->group_of(head, file->path) : format->grouping;
	}
	if (format && strcmp(file->path, "-") == 0) {
		planning->standard_input = input;
		input = NULL;
	}
out:
	input_close(input);
	return result;
}

/* ---- grouping ---- */

static struct ingest_plan *
add_plan(struct planning *planning, const struct import_format *format)
{
	struct ingest_plans *plans = &planning->plans;

	plans->plans = mem_grow(plans->plans, &planning->plans_capacity, (size_t)plans->n_plans + 1,
	                        sizeof *plans->plans);
	struct ingest_plan *plan = &plans->plans[plans->n_plans++];
	*plan = (struct ingest_plan){.format = format->name,
	                             .standard_input = &planning->standard_input};
	return plan;
}

/* Bytes of a path's folder, without the last "/". */
static size_t
folder_length(const char *path, size_t length)
{
	while (length > 0 && path[length - 1] != '/') {
		length--;
	}
	return length > 0 ? length - 1 : 0;
}

static bool
is_in_folder(const struct planning *planning, size_t file)
{
	return planning->formats[file] && planning->groupings[file] == GROUP_FOLDER &&
	       !planning->found.files[file].named;
}

/* For each file which folder it belongs to: the uppermost one on its path that holds a file of its
 * kind. 0 for files that the user named, and where folders don't matter. New (free()). */
static uint32_t *
find_homes(const struct planning *planning)
{
	size_t n = planning->found.n;
	uint32_t *homes = xcalloc(n + 1, sizeof *homes);
	struct intern *folders = intern_new();

	intern_id(folders, slice_of("/")); /* code 0 is no folder's */
	for (size_t i = 0; i < n; i++) {
		const char *path = planning->found.files[i].path;
		if (is_in_folder(planning, i)) {
			homes[i] = intern_id(
			    folders, (struct slice){path, folder_length(path, strlen(path))});
		}
	}
	for (size_t i = 0; i < n; i++) {
		const char *path = planning->found.files[i].path;
		size_t length = is_in_folder(planning, i) ? folder_length(path, strlen(path)) : 0;
		while (length > 0) {
			uint32_t folder = intern_find(folders, (struct slice){path, length});
			homes[i] = folder != INTERN_NONE ? folder : homes[i];
			length = folder_length(path, length);
		}
	}
	intern_free(folders);
	return homes;
}

/* The user who names both files, and one run file for them, knows better than their names. */
static bool
is_other_run(const struct planning *planning, size_t a, size_t b)
{
	const struct found_file *one = &planning->found.files[a],
				*other = &planning->found.files[b];
	const char *out = planning->options->out;
	bool is_wished = one->named && other->named && out && is_run_file(out) && !is_folder(out);

	return !is_wished && import_other_run(planning->formats[a], one->path, other->path);
}

static void
group_files(struct planning *planning)
{
	size_t n = planning->found.n;
	bool *done = xcalloc(n + 1, sizeof *done);
	uint32_t *homes = find_homes(planning);

	for (size_t i = 0; i < n; i++) {
		const struct import_format *format = planning->formats[i];
		if (!format || done[i]) {
			continue;
		}
		enum import_grouping grouping = planning->groupings[i];
		bool together = (grouping == GROUP_BESIDE ||
		                 (grouping != GROUP_EACH && !planning->options->each));
		struct ingest_plan *plan = add_plan(planning, format);
		plan->paths = xcalloc(together ? n : 1, sizeof *plan->paths);
		for (size_t j = i; j < (together ? n : i + 1); j++) {
			if (!done[j] && planning->formats[j] == format &&
			    planning->groupings[j] == grouping && homes[j] == homes[i] &&
			    !is_other_run(planning, i, j)) {
				plan->paths[plan->n_paths++] = planning->found.files[j].path;
				done[j] = true;
			}
		}
	}
	free(homes);
	free(done);
}

/* Puts the files of a format that goes beside others to each run of those, if there is one. */
static void
join_beside(struct ingest_plans *plans)
{
	unsigned beside = 0;

	while (beside < plans->n_plans &&
	       import_find(plans->plans[beside].format)->grouping != GROUP_BESIDE) {
		beside++;
	}
	if (beside == plans->n_plans || plans->n_plans == 1) {
		return;
	}
	struct ingest_plan files = plans->plans[beside];
	plans->n_plans--;
	memmove(&plans->plans[beside], &plans->plans[beside + 1],
	        (plans->n_plans - beside) * sizeof *plans->plans);
	for (unsigned i = 0; i < plans->n_plans; i++) {
		struct ingest_plan *plan = &plans->plans[i];
		plan->beside = files.format;
		plan->n_beside = files.n_paths;
		plan->paths = xrealloc_array(plan->paths, (size_t)plan->n_paths + files.n_paths,
		                             sizeof *plan->paths);
		memcpy(plan->paths + plan->n_paths, files.paths,
		       files.n_paths * sizeof *files.paths);
		plan->n_paths += files.n_paths;
	}
	free(files.paths);
}

/* ---- names ---- */

/* Length of the folder part, "/" included, that all paths of a plan share. */
static size_t
shared_folder(const struct ingest_plan *plan)
{
	const char *first = plan->paths[0];
	const char *slash = strrchr(first, '/');
	size_t length = slash ? (size_t)(slash - first) + 1 : 0;

	for (unsigned i = 1; i < plan->n_paths - plan->n_beside; i++) {
		while (length > 0 && strncmp(first, plan->paths[i], length) != 0) {
			do {
				length--;
			} while (length > 0 && first[length - 1] != '/');
		}
	}
	return length;
}

/* Name of the folder that is the first `length` bytes of path; resolved where it has none ("../").
 */
static const char *
folder_name(struct planning *planning, const char *path, size_t length)
{
	char *folder = length ? xstrndup(path, length) : xstrdup(".");
	char *resolved = realpath(folder, NULL);
	const char *slash = resolved ? strrchr(resolved, '/') : NULL;
	const char *name = slash && slash[1] ? slash + 1 : "run";
	const char *copy = arena_strndup(planning->arena, name, strlen(name));

	free(resolved);
	free(folder);
	return copy;
}

static const char *
first_name(struct planning *planning, const struct ingest_plan *plan)
{
	if (plan->n_paths - plan->n_beside > 1) {
		return folder_name(planning, plan->paths[0], shared_folder(plan));
	}
	if (strcmp(plan->paths[0], "-") == 0) {
		return "stdin";
	}
	struct slice name = plain_name(plan->paths[0]);
	return arena_strndup(planning->arena, name.ptr, name.len);
}

#define NAME_LEVELS 3

/* Of several files: what their names say of the run, put to that of the folder first and then with its time. */
static const char *
group_name(struct planning *planning, const struct ingest_plan *plan, unsigned level)
{
	const struct import_format *format = import_find(plan->format);
	const char *base =
	    planning->options->name ? planning->options->name : first_name(planning, plan);
	int64_t seconds = 0;
	struct slice told =
	    format->run_of ? format->run_of(plan->paths[0], &seconds) : (struct slice){"", 0};

	if (told.len == 0) {
		return arena_printf(planning->arena, "%s-%s", base, plan->format);
	}
	const char *name = arena_strndup(planning->arena, told.ptr, told.len);
	return seconds && level > 1
	           ? arena_printf(planning->arena, "%s-%s-%" PRId64, base, name, seconds)
	           : arena_printf(planning->arena, "%s-%s", base, name);
}

/* Names of growing length, for plans whose shorter names clash. */
static const char *
name_of(struct planning *planning, const struct ingest_plan *plan, unsigned level)
{
	const char *path = plan->paths[0];
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;

	if (level == 0 || strcmp(path, "-") == 0) {
		return planning->options->name ? planning->options->name
		                               : first_name(planning, plan);
	}
	if (plan->n_paths - plan->n_beside > 1) {
		return group_name(planning, plan, level);
	}
	if (level == 1) {
		return planning->options->name
		           ? arena_printf(planning->arena, "%s-%s", planning->options->name, file)
		           : arena_strndup(planning->arena, file, strlen(file));
	}
	const char *folder = folder_name(planning, path, slash ? (size_t)(slash - path) + 1 : 0);
	return arena_printf(planning->arena, "%s-%s", folder, name_of(planning, plan, 1));
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp((*(struct ingest_plan *const *)a)->name,
	              (*(struct ingest_plan *const *)b)->name);
}

/* Plans by name. */
static struct ingest_plan **
sort_plans(const struct ingest_plans *plans)
{
	struct ingest_plan **sorted = xcalloc((size_t)plans->n_plans + 1, sizeof *sorted);

	for (unsigned i = 0; i < plans->n_plans; i++) {
		sorted[i] = &plans->plans[i];
	}
	qsort(sorted, plans->n_plans, sizeof(struct ingest_plan *), compare_names);
	return sorted;
}

/* Gives those plans a longer name that share theirs with another. */
static void
lengthen_names(struct planning *planning, unsigned level)
{
	const struct ingest_plans *plans = &planning->plans;
	struct ingest_plan **sorted = sort_plans(plans);

	for (unsigned i = 0, end; i < plans->n_plans; i = end) {
		for (end = i + 1;
		     end < plans->n_plans && compare_names(&sorted[i], &sorted[end]) == 0;) {
			end++;
		}
		for (unsigned j = i; end > i + 1 && j < end; j++) {
			sorted[j]->name = name_of(planning, sorted[j], level);
		}
	}
	free(sorted);
}

static void
name_plans(struct planning *planning)
{
	struct ingest_plans *plans = &planning->plans;

	for (unsigned i = 0; i < plans->n_plans; i++) {
		plans->plans[i].folder_bytes = shared_folder(&plans->plans[i]);
		plans->plans[i].name = name_of(planning, &plans->plans[i], 0);
	}
	for (unsigned level = 1; level < NAME_LEVELS; level++) {
		lengthen_names(planning, level);
	}
}

/* Is the place a folder: one that is there, or (*is_new) one that is to be made? */
static bool
choose_folder(const char *out, unsigned n_runs, bool *is_new)
{
	size_t length = out ? strlen(out) : 0;
	struct stat status;

	*is_new = length > 0 && stat(out, &status) != 0 && errno == ENOENT &&
	          (out[length - 1] == '/' || (n_runs > 1 && !is_run_file(out)));
	return !out || *is_new || is_folder(out);
}

/* "f4" of "runs/f4.lanes". */
static const char *
file_stem(struct planning *planning, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;

	return arena_strndup(planning->arena, file, strlen(file) - (is_run_file(file) ? 6 : 0));
}

static int
place_plans(struct planning *planning, struct err *err)
{
	struct ingest_plans *plans = &planning->plans;
	const char *out = planning->options->out;
	bool is_new, in_folder = choose_folder(out, plans->n_plans, &is_new);
	int result = 0;

	plans->folder = is_new ? arena_strndup(planning->arena, out, strlen(out)) : NULL;
	if (!in_folder && plans->n_plans == 1 && !planning->options->name) {
		plans->plans[0].name = file_stem(planning, out); /* the file's name is the run's */
	}
	for (unsigned i = 0; i < plans->n_plans; i++) {
		struct ingest_plan *plan = &plans->plans[i];
		size_t length = out ? strlen(out) : 0;
		plan->out_path =
		    !in_folder
			? arena_strndup(planning->arena, out, length)
			: arena_printf(planning->arena, "%s%s%s.lanes", out ? out : "",
		                       length && out[length - 1] != '/' ? "/" : "", plan->name);
	}
	if (!in_folder && plans->n_plans > 1) {
		return err_set(err, ERR_USAGE,
		               "%s: a run file holds one run, and these are %u: give a folder (-o "
		               "FOLDER/), or import them one by one",
		               out, plans->n_plans);
	}
	struct ingest_plan **sorted = sort_plans(plans);
	for (unsigned i = 1; i < plans->n_plans; i++) {
		if (strcmp(sorted[i - 1]->out_path, sorted[i]->out_path) == 0) {
			result = err_set(
			    err, ERR_USAGE,
			    "%s: would hold both %s and %s: import them one by one, each with "
			    "its own name (--name)",
			    sorted[i]->out_path, sorted[i - 1]->paths[0], sorted[i]->paths[0]);
		}
	}
	free(sorted);
	return result;
}

/* ---- all of it ---- */

static int
check_options(const struct ingest_options *options, struct err *err)
{
	struct strbuf formats = {NULL, 0, 0};
	const char *name = options->name;

	if (options->format && !import_find(options->format)) {
		list_formats(&formats);
		err_set(err, ERR_USAGE, "%s: no such format (known: %s)", options->format,
		        formats.data);
		strbuf_free(&formats);
		return -1;
	}
	if (name &&
	    (name[0] == '\0' || name[0] == '.' || strchr(name, '/') || strlen(name) > 200)) {
		return err_set(err, ERR_USAGE, "%s: can't be the name of a run file", name);
	}
	return 0;
}

static int
make_plans(struct planning *planning, const char *const *paths, unsigned n_paths, struct err *err)
{
	const struct ingest_options *options = planning->options;

	if (check_options(options, err) != 0) {
		return -1;
	}
	for (unsigned i = 0; i < n_paths; i++) {
		if (find_files(&planning->found, paths[i], err) != 0) {
			return -1;
		}
	}
	planning->formats = xcalloc(planning->found.n + 1, sizeof *planning->formats);
	planning->groupings = xcalloc(planning->found.n + 1, sizeof *planning->groupings);
	for (size_t i = 0; i < planning->found.n; i++) {
		if (cancel_requested(options->cancel)) {
			return err_set(err, ERR_CANCELLED, "cancelled");
		}
		if (look_at(planning, i, err) != 0) {
			return -1;
		}
	}
	group_files(planning);
	join_beside(&planning->plans);
	if (planning->plans.n_plans == 0) {
		bool is_empty =
		    n_paths == 1 && planning->found.n == 1 && planning->found.files[0].named;
		return err_set(err, ERR_FORMAT, "%s: no trace found%s",
		               n_paths ? paths[0] : "(nothing)",
		               n_paths > 1 ? ", nor in the others"
		               : is_empty  ? ": it is empty (--format says of which format)"
		                           : "");
	}
	name_plans(planning);
	return place_plans(planning, err);
}

struct ingest_plans *
ingest_plan(const char *const *paths, unsigned n_paths, const struct ingest_options *options,
            struct err *err)
{
	struct planning *planning = xcalloc(1, sizeof *planning);

	planning->options = options;
	planning->arena = planning->found.arena = arena_new();
	planning->known = intern_new();
	if (make_plans(planning, paths, n_paths, err) != 0) {
		ingest_plans_free(&planning->plans);
		return NULL;
	}
	planning->options = NULL; /* the caller's */
	return &planning->plans;
}
