/*
 * A trial is a folder, and its path says what was measured:
 *
 *     .../baseline2/imagenet/local/sim_compute_time=0.1-block_size=10/
 *
 * Elements behind the kind are taken by what they look like, in any order, at any depth. Without a
 * kind, only those right before the folder count, as "local" or "run1" further up may mean
 * anything.
 *
 * Every file of the folder is a source of its own and knows only its path; what all of them say
 * together is known at the end, when each trial gets its tags, in the scope "trial PATH".
 */
#include "config.h"
#include "import/import_dataload.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "util/intern.h"

#define ELEMENTS_MAX 64

struct elements {
	struct slice list[ELEMENTS_MAX]; /* the last ones of a longer path */
	size_t n;
};

static void
split(const char *folder, struct elements *elements)
{
	elements->n = 0;
	while (*folder) {
		size_t length = strcspn(folder, "/");
		if (length > 0 && !(length == 1 && folder[0] == '.')) {
			if (elements->n == ELEMENTS_MAX) {
				memmove(elements->list, elements->list + 1,
				        (ELEMENTS_MAX - 1) * sizeof *elements->list);
				elements->n--;
			}
			elements->list[elements->n++] = (struct slice){folder, length};
		}
		folder += length + (folder[length] == '/');
	}
}

static bool
is_kind(struct slice element)
{
	static const char *const names[] = {"baseline1", "baseline2", "ours", NULL};
	return import_is_one_of(element, names);
}

static bool
is_dataset(struct slice element)
{
	static const char *const names[] = {"librispeech", "imagenet", "ucf", NULL};
	return import_is_one_of(element, names);
}

static bool
is_mode(struct slice element)
{
	static const char *const names[] = {"local", "remote", NULL};
	return import_is_one_of(element, names);
}

static bool
is_run(struct slice element)
{
	uint64_t number;
	return slice_starts_with(element, "run") && slice_uint64(slice_from(element, 3), &number);
}

static const char *
keep(struct arena *arena, struct slice text)
{
	return arena_strndup(arena, text.ptr, text.len);
}

/* Takes an element that looks like a run, a mode or a known data set not yet seen. */
static bool
take_known(struct arena *arena, struct slice element, struct dataload_trial *trial)
{
	const char **field = is_run(element)       ? &trial->run
	                     : is_mode(element)    ? &trial->mode
	                     : is_dataset(element) ? &trial->dataset
	                                           : NULL;

	if (!field || **field) {
		return false;
	}
	*field = keep(arena, element);
	return true;
}

/* Elements behind the kind, up to the folder itself. */
static void
take_behind(struct arena *arena, const struct elements *elements, size_t first, size_t end,
            struct dataload_trial *trial)
{
	struct strbuf variant = {0};

	for (size_t i = first; i < end; i++) {
		struct slice element = elements->list[i];
		if (i == first && !is_run(element) && !is_mode(element)) {
			trial->dataset = keep(arena, element); /* of whatever name */
		} else if (!take_known(arena, element, trial)) {
			strbuf_add_text(&variant, variant.len ? "/" : "");
			strbuf_add_slice(&variant, element);
		}
	}
	trial->variant = keep(arena, strbuf_slice(&variant));
	strbuf_free(&variant);
}

static const char *
join(struct arena *arena, const struct elements *elements, size_t first)
{
	struct strbuf joined = {0};

	for (size_t i = first; i < elements->n; i++) {
		strbuf_add_text(&joined, joined.len ? "/" : "");
		strbuf_add_slice(&joined, elements->list[i]);
	}
	const char *text = joined.len ? keep(arena, strbuf_slice(&joined)) : ".";
	strbuf_free(&joined);
	return text;
}

/* Everything but path from the elements of a folder's path. */
static void
take_path(struct arena *arena, const char *folder, struct dataload_trial *trial)
{
	struct elements elements;
	size_t kind, first;

	split(folder, &elements);
	size_t end = elements.n; /* of what stands before the folder itself */
	end -= end && trial->is_measured;
	for (kind = end; kind > 0 && !is_kind(elements.list[kind - 1]); kind--) {
	}
	if (kind > 0) {
		first = kind - 1;
		trial->kind = keep(arena, elements.list[first]);
		take_behind(arena, &elements, kind, end, trial);
	} else {
		first = end;
		while (first > 0 && take_known(arena, elements.list[first - 1], trial)) {
			first--;
		}
		first -= first == elements.n && first > 0; /* at least its own name */
	}
	trial->name = join(arena, &elements, first);
	trial->study_bytes = first < elements.n ? (size_t)(elements.list[first].ptr - folder) : 0;
}

#define TIME_PREFIX "sim_compute_time="
#define SIZE_PREFIX "-block_size="

/* "sim_compute_time=0.1-block_size=10"; the time may be negative or have an exponent. */
static void
take_measure(struct arena *arena, const char *folder, struct dataload_trial *trial)
{
	size_t length = strlen(folder);
	double seconds;
	uint64_t size;

	while (length > 0 && folder[length - 1] != '/') {
		length--;
	}
	const char *name = folder + length;
	trial->is_measured = strncmp(name, TIME_PREFIX, strlen(TIME_PREFIX)) == 0;
	if (!trial->is_measured) {
		trial->problem = "its folder is not named sim_compute_time=S";
		return;
	}
	const char *time = name + strlen(TIME_PREFIX);
	const char *split_at = strstr(time, SIZE_PREFIX);
	struct slice text = {time, split_at ? (size_t)(split_at - time) : strlen(time)};
	if (slice_double(text, &seconds) && isfinite(seconds)) {
		trial->sim_compute_time = keep(arena, text);
	} else {
		trial->problem = "the compute time in its folder's name is no number";
	}
	if (split_at) {
		text = slice_of(split_at + strlen(SIZE_PREFIX));
		if (slice_uint64(text, &size) && size > 0) {
			trial->block_size = keep(arena, text);
		} else {
			trial->problem =
			    "the block size in its folder's name is no positive integer";
		}
	}
}

static const char *
folder_of(struct arena *arena, const char *file_path)
{
	const char *slash = strrchr(file_path, '/');

	if (!slash) {
		return "";
	}
	return slash == file_path ? "/"
	                          : arena_strndup(arena, file_path, (size_t)(slash - file_path));
}

static const struct dataload_trial empty = {"", "", "", "", "", "", "", false, "", "", NULL, 0};

size_t
dataload_study_of(const char *folder)
{
	struct arena *arena = arena_new();
	struct dataload_trial trial = empty;

	take_measure(arena, folder, &trial);
	take_path(arena, folder, &trial);
	arena_free(arena);
	return trial.study_bytes > 1 ? trial.study_bytes - 1 : trial.study_bytes;
}

void
dataload_trial_of(struct arena *arena, const char *file_path, size_t folder_bytes,
                  struct dataload_trial *trial)
{
	const char *folder = folder_of(arena, file_path);
	char *resolved = NULL;

	*trial = empty;
	size_t length = strlen(folder);
	trial->path = length > folder_bytes ? folder + folder_bytes : ".";
	take_measure(arena, folder, trial);
	take_path(arena, folder, trial);
	if (!*trial->kind && strcmp(file_path, "-") != 0) {
		resolved = xrealpath(*folder ? folder : "."); /* "cd ours; lanescope import ." */
	}
	if (resolved) {
		struct dataload_trial whole = empty;
		whole.path = trial->path;
		take_measure(arena, resolved, &whole);
		take_path(arena, resolved, &whole);
		if (*whole.kind || !*trial->name || strcmp(trial->name, ".") == 0) {
			*trial = whole;
		}
	}
	free(resolved);
}

/* ---- what all files of a folder say ---- */

struct folder {
	const struct dataload_trial *trial;
	const char *noted_time, *chosen_threads, *chosen_size;
	unsigned files; /* bits of file_names */
};

static const char *const file_names[] = {"data_load_time.npy", "compute_time.npy", "io_time.npy",
                                         "processing_time.npy", "memory.npy"};
#define FILE_NAMES (COUNT_OF(file_names))

static void
add_facts(struct folder *folder, const struct dataload_facts *facts)
{
	folder->trial = &facts->trial;
	folder->noted_time = facts->noted_time ? facts->noted_time : folder->noted_time;
	folder->chosen_threads =
	    facts->chosen_threads ? facts->chosen_threads : folder->chosen_threads;
	folder->chosen_size = facts->chosen_size ? facts->chosen_size : folder->chosen_size;
	for (unsigned i = 0; i < FILE_NAMES; i++) {
		folder->files |= (unsigned)(strcmp(facts->file, file_names[i]) == 0) << i;
	}
}

static int
put_tags(struct sink *sink, const struct folder *folder)
{
	const struct dataload_trial *trial = folder->trial;
	const char *time = *trial->sim_compute_time ? trial->sim_compute_time
	                   : folder->noted_time     ? folder->noted_time
	                                            : "";
	const char *size = folder->chosen_size  ? folder->chosen_size
	                   : *trial->block_size ? trial->block_size
	                                        : "1";
	const char *tags[][2] = {
	    {"kind", trial->kind},
	    {"dataset", trial->dataset},
	    {"variant", trial->variant},
	    {"run", trial->run},
	    {"mode", trial->mode},
	    {"sim_compute_time", time},
	    {"threadpool_size", folder->chosen_threads ? folder->chosen_threads : "1"},
	    {"block_size", size}};
	struct strbuf scope = {0};
	int result = 0;

	strbuf_printf(&scope, "trial %s", trial->path);
	text_code code = sink_text(sink, strbuf_slice(&scope));
	strbuf_free(&scope);
	for (size_t i = 0; i < COUNT_OF(tags) && result == 0; i++) {
		struct slice value = slice_of(tags[i][1]);
		result = value.len ? sink_tag_texts(sink, code, slice_of(tags[i][0]), value) : 0;
	}
	return result;
}

static int
put_problem(struct sink *sink, enum problem_kind kind, const char *path, const char *reason)
{
	struct strbuf text = {0};

	strbuf_printf(&text, "%s: %s", path, reason);
	return import_tell(sink, &(struct problem){.kind = kind}, &text);
}

static int
put_problems(struct sink *sink, const struct folder *folder)
{
	const struct dataload_trial *trial = folder->trial;
	struct strbuf missing = {0};
	int result = 0;

	if (trial->problem) {
		result = put_problem(sink, PROBLEM_SUSPICIOUS, trial->path, trial->problem);
	}
	for (unsigned i = 0; i < FILE_NAMES && trial->is_measured; i++) {
		if (!(folder->files >> i & 1)) {
			strbuf_add_text(&missing, missing.len ? ", " : "no ");
			strbuf_add_text(&missing, file_names[i]);
		}
	}
	if (missing.len && result == 0) {
		result = put_problem(sink, PROBLEM_MISSING, trial->path, missing.data);
	}
	strbuf_free(&missing);
	return result;
}

void
dataload_conclude(void *const *facts, size_t n_facts, struct sink *sink)
{
	struct intern *paths = intern_new();
	struct folder *folders = xcalloc(n_facts + 1, sizeof *folders);
	int result = 0;

	for (size_t i = 0; i < n_facts; i++) {
		const struct dataload_facts *file = facts[i];
		if (file) {
			add_facts(&folders[intern_id(paths, slice_of(file->trial.path))], file);
		}
	}
	for (uint32_t i = 0; i < intern_count(paths) && result == 0; i++) {
		result = put_tags(sink, &folders[i]);
		if (result == 0) {
			result = put_problems(sink, &folders[i]);
		}
	}
	free(folders);
	intern_free(paths);
}
