/*
 * Names of runs. A run of one file is called like it, wherever it lies and however it was reached.
 * A run of several is called like the folder that they have in common; but several jobs of one
 * folder by what tells them apart ("base" of base-0.pfw, base-1.pfw), and traces that go by names
 * ("full-64" of full-64-node-trace.csv, full-64-terminate-trace.csv) by what these share. Where two
 * runs would have one name, they get what differs in their paths, then in their files' endings,
 * then when they began, their formats, and at last a number: names never clash, and nobody has to
 * help.
 */
#include "config.h"
#include "ingest/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "util/ascii.h"
#include "util/order.h"

#define WALL_MIN_NS INT64_C(100000000000000000) /* 1973: less is of another clock */
#define STEM_BYTES_MIN 3u
#define NAME_BYTES 180 /* a file's name has 255, of which the import's temporary name needs some */

struct naming {
	struct planning *planning;
	const char **own;    /* by draft: its name by itself */
	const char **names;  /* and as it is so far */
	struct slice *where; /* the folder that the name is of, as a real path */
};

/* ---- one name ---- */

static const char *
legal(struct planning *planning, const char *name)
{
	char *copy = arena_strndup(planning->arena, name, strnlen(name, NAME_BYTES));

	for (char *c = copy; *c; c++) {
		bool is_control = (unsigned char)*c < 0x20 || *c == 0x7f || *c == '/';
		*c = is_control ? '_' : *c;
	}
	size_t length = strlen(copy);
	while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80) {
		length--; /* not within a character */
	}
	copy[length] = '\0';
	if (copy[0] == '.' || copy[0] == '-') {
		copy[0] = '_';
	}
	return copy[0] ? copy : "run";
}

/* The real folder that the files of a draft have in common. */
static struct slice
common_folder(const struct planning *planning, const struct run_draft *draft)
{
	struct slice common =
	    intern_text(planning->folders, planning->files[draft->files[0]].folder);

	for (unsigned i = 1; i < draft->n_files - draft->n_beside; i++) {
		struct slice other =
		    intern_text(planning->folders, planning->files[draft->files[i]].folder);
		while (common.len > 1 &&
		       (other.len < common.len || memcmp(other.ptr, common.ptr, common.len) != 0 ||
		        (other.len > common.len && other.ptr[common.len] != '/'))) {
			common.len = plan_folder_length(common.ptr, common.len);
		}
	}
	return common;
}

static struct slice
last_part(struct slice path)
{
	size_t start = path.len;

	while (start > 0 && path.ptr[start - 1] != '/') {
		start--;
	}
	return slice_from(path, start);
}

static const char *
text_of(struct planning *planning, struct slice text)
{
	return arena_strndup(planning->arena, text.ptr, text.len);
}

static bool
is_separator(char c)
{
	return strchr("-_. ", c) != NULL; /* '\0' is one, too: a name's end */
}

/* What the names of a draft's files begin with, in whole words: "full-64" of full-64-node-trace.csv
 * and others beside it. Empty if that tells nothing, or they lie in several folders. */
static struct slice
common_stem(const struct planning *planning, const struct run_draft *draft)
{
	static const struct slice nothing = {"", 0};
	const struct plan_file *first = &planning->files[draft->files[0]];
	struct slice stem = plain_name(first->path);
	size_t n_letters = 0;

	for (unsigned i = 1; i < draft->n_files - draft->n_beside; i++) {
		const struct plan_file *file = &planning->files[draft->files[i]];
		struct slice name = plain_name(file->path);
		size_t same = 0;
		while (same < stem.len && same < name.len && stem.ptr[same] == name.ptr[same]) {
			same++;
		}
		bool is_whole = (same == stem.len || is_separator(stem.ptr[same])) &&
		                (same == name.len || is_separator(name.ptr[same]));
		while (!is_whole && same > 0 && !is_separator(stem.ptr[same - 1])) {
			same--;
		}
		stem.len = file->folder == first->folder ? same : 0;
	}
	while (stem.len > 0 && is_separator(stem.ptr[stem.len - 1])) {
		stem.len--;
	}
	for (size_t i = 0; i < stem.len; i++) {
		n_letters += is_letter(stem.ptr[i]);
	}
	return stem.len >= STEM_BYTES_MIN && n_letters > 0 ? stem : nothing;
}

/* What a draft is called by itself, and of which folder that name is. */
static const char *
own_name(struct planning *planning, const struct run_draft *draft, struct slice *where)
{
	const struct plan_file *first = &planning->files[draft->files[0]];
	unsigned n = draft->n_files - draft->n_beside;

	*where = common_folder(planning, draft);
	if (strcmp(first->path, "-") == 0) {
		return "stdin";
	}
	if (n > 1 && first->grouping == GROUP_EACH && !planning->options->one) {
		return text_of(planning, first->look.job);
	}
	if (n > 1 && draft->label.len) {
		return text_of(planning, draft->label);
	}
	struct slice stem = n > 1 && first->grouping == GROUP_TREE ? common_stem(planning, draft)
	                                                           : (struct slice){"", 0};
	if (stem.len) {
		return text_of(planning, stem);
	}
	if (n == 1 || draft->n_jobs > 1) {
		return text_of(planning, plain_name(first->path));
	}
	struct slice name = last_part(*where);
	where->len = plan_folder_length(where->ptr, where->len);
	return text_of(planning, name.len ? name : slice_of("run"));
}

/* ---- where names clash ---- */

struct entry {
	const char *name;
	unsigned draft;
};

static int
compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : ORDER(x->draft, y->draft);
}

/* Bytes that all folders of these drafts begin with (whole parts), and end with. */
static void
shared_parts(const struct naming *naming, const struct entry *entries, unsigned n, size_t *front,
             size_t *back)
{
	struct slice first = naming->where[entries[0].draft];
	size_t shortest = first.len;

	*front = *back = first.len;
	for (unsigned i = 1; i < n; i++) {
		struct slice other = naming->where[entries[i].draft];
		size_t same = 0;
		while (same < *front && same < other.len && first.ptr[same] == other.ptr[same]) {
			same++;
		}
		*front = same;
		for (same = 0;
		     same < *back && same < other.len &&
		     first.ptr[first.len - 1 - same] == other.ptr[other.len - 1 - same];) {
			same++;
		}
		*back = same;
		shortest = LEAST(other.len, shortest);
	}
	while (*front > 0 && first.ptr[*front - 1] != '/') {
		--*front;
	}
	while (*back > 0 && first.ptr[first.len - *back] != '/') {
		--*back;
	}
	*back = *front + *back > shortest ? 0 : *back;
}

/* "a-x" of /t/a/x, where all are below /t; puts it before the name. */
static void
add_folders(struct naming *naming, const struct entry *entries, unsigned n)
{
	size_t front, back;
	bool is_one_folder = true;

	for (unsigned i = 1; i < n; i++) {
		is_one_folder &=
		    slice_equal(naming->where[entries[0].draft], naming->where[entries[i].draft]);
	}
	if (is_one_folder) {
		return;
	}
	shared_parts(naming, entries, n, &front, &back);
	for (unsigned i = 0; i < n; i++) {
		struct slice where = naming->where[entries[i].draft];
		if (where.len <= front + back) {
			continue;
		}
		char *parts = arena_strndup(naming->planning->arena, where.ptr + front,
		                            where.len - front - back);
		for (char *c = parts; *c; c++) {
			*c = *c == '/' ? '-' : *c;
		}
		naming->names[entries[i].draft] =
		    arena_printf(naming->planning->arena, "%s-%s", parts, entries[i].name);
	}
}

/* The file's whole name in place of that without endings. */
static void
add_endings(struct naming *naming, const struct entry *entries, unsigned n)
{
	struct planning *planning = naming->planning;

	for (unsigned i = 0; i < n; i++) {
		const struct run_draft *draft = &planning->drafts[entries[i].draft];
		const char *file = path_name(planning->files[draft->files[0]].path);
		const char *own = naming->own[entries[i].draft];
		size_t length = strlen(entries[i].name), own_length = strlen(own);
		bool ends_so =
		    length >= own_length && strcmp(entries[i].name + length - own_length, own) == 0;
		if (draft->n_files - draft->n_beside == 1 && ends_so &&
		    strncmp(file, own, own_length) == 0) {
			naming->names[entries[i].draft] = arena_printf(
			    planning->arena, "%s%s", entries[i].name, file + own_length);
		}
	}
}

static void
add_begins(struct naming *naming, const struct entry *entries, unsigned n)
{
	struct planning *planning = naming->planning;

	for (unsigned i = 0; i < n; i++) {
		int64_t begin_ns = planning->drafts[entries[i].draft].begin_ns;
		time_t seconds = (time_t)(begin_ns / 1000000000);
		struct tm date;
		if (begin_ns > WALL_MIN_NS && gmtime_r(&seconds, &date)) {
			naming->names[entries[i].draft] =
			    arena_printf(planning->arena, "%s-%04d%02d%02dT%02d%02d%02d",
			                 entries[i].name, date.tm_year + 1900, date.tm_mon + 1,
			                 date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec);
		}
	}
}

static void
add_formats(struct naming *naming, const struct entry *entries, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		naming->names[entries[i].draft] =
		    arena_printf(naming->planning->arena, "%s-%s", entries[i].name,
		                 naming->planning->drafts[entries[i].draft].format->name);
	}
}

static struct entry *
sorted_names(const struct naming *naming)
{
	unsigned n = naming->planning->n_drafts;
	struct entry *entries = xcalloc((size_t)n + 1, sizeof *entries);

	for (unsigned i = 0; i < n; i++) {
		entries[i] = (struct entry){naming->names[i], i};
	}
	SORT(entries, n, compare_entries);
	return entries;
}

/* Gives those drafts a longer name that share theirs with another. */
static void
tell_apart(struct naming *naming,
           void (*add)(struct naming *naming, const struct entry *entries, unsigned n))
{
	struct entry *entries = sorted_names(naming);

	for (unsigned i = 0, end; i < naming->planning->n_drafts; i = end) {
		for (end = i + 1; end < naming->planning->n_drafts &&
		                  strcmp(entries[i].name, entries[end].name) == 0;) {
			end++;
		}
		if (end > i + 1) {
			add(naming, entries + i, end - i);
		}
	}
	free(entries);
}

/* Makes names legal, and the second and further ones of a name NAME-2, NAME-3 ..., past those that
 * are taken. */
static void
number(struct naming *naming)
{
	struct planning *planning = naming->planning;
	struct intern *taken = intern_new();

	for (unsigned i = 0; i < planning->n_drafts; i++) {
		naming->names[i] = legal(planning, naming->names[i]);
	}
	struct entry *entries = sorted_names(naming);
	for (unsigned i = 0; i < planning->n_drafts; i++) {
		intern_id(taken, slice_of(entries[i].name));
	}
	unsigned nth = 2;
	for (unsigned i = 1; i < planning->n_drafts; i++) {
		if (strcmp(entries[i].name, entries[i - 1].name) != 0) {
			nth = 2;
			continue;
		}
		const char *name = NULL;
		for (uint32_t n = intern_count(taken); intern_count(taken) == n; nth++) {
			name = arena_printf(planning->arena, "%s-%u", entries[i].name, nth);
			intern_id(taken, slice_of(name));
		}
		naming->names[entries[i].draft] = name;
	}
	free(entries);
	intern_free(taken);
}

/* ---- places ---- */

size_t
plan_shared_folder(const struct ingest_plan *plan)
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
	const char *file = path_name(path);

	return arena_strndup(planning->arena, file, strlen(file) - (is_run_file(file) ? 6 : 0));
}

void
plan_place(struct planning *planning)
{
	struct ingest_plans *plans = &planning->plans;
	const char *out = planning->options->out;
	bool is_new, in_folder = choose_folder(out, plans->n_plans, &is_new);
	size_t length = out ? strlen(out) : 0;
	bool one_format = true;

	plans->folder = is_new ? arena_strndup(planning->arena, out, length) : NULL;
	if (!in_folder && plans->n_plans == 1 && !planning->options->name &&
	    !planning->options->is_part) {
		plans->plans[0].name = file_stem(planning, out); /* the file's name is the run's */
	}
	for (unsigned i = 0; i < plans->n_plans; i++) {
		struct ingest_plan *plan = &plans->plans[i];
		plan->folder_bytes = plan_shared_folder(plan);
		plan->out_path =
		    !in_folder
			? arena_strndup(planning->arena, out, length)
			: arena_printf(planning->arena, "%s%s%s.lanes", out ? out : "",
		                       length && out[length - 1] != '/' ? "/" : "", plan->name);
		one_format &= strcmp(plan->format, plans->plans[0].format) == 0;
	}
	if (!in_folder && plans->n_plans > 1) {
		plans->refusal = arena_printf(
		    planning->arena,
		    "%s: a run file holds one run, and these are %u: give a folder (-o FOLDER/)%s",
		    out, plans->n_plans,
		    one_format ? ", or --one to make one run of all of them" : "");
	}
}

/* ---- all of it ---- */

void
plan_names(struct planning *planning)
{
	struct ingest_plans *plans = &planning->plans;
	const char *wished = planning->options->name;
	size_t n = (size_t)planning->n_drafts + 1;
	struct naming naming = {.planning = planning,
	                        .own = xcalloc(n, sizeof *naming.own),
	                        .names = xcalloc(n, sizeof *naming.names),
	                        .where = xcalloc(n, sizeof *naming.where)};

	for (unsigned i = 0; i < planning->n_drafts; i++) {
		const struct run_draft *draft = &planning->drafts[i];
		naming.own[i] = own_name(planning, draft, &naming.where[i]);
		naming.own[i] =
		    draft->part ? arena_printf(planning->arena, "%s-%u", naming.own[i], draft->part)
				: naming.own[i];
		naming.names[i] =
		    wished && planning->n_drafts > 1
			? arena_printf(planning->arena, "%s-%s", wished, naming.own[i])
		    : wished ? wished
			     : naming.own[i];
	}
	tell_apart(&naming, add_folders);
	tell_apart(&naming, add_endings);
	tell_apart(&naming, add_begins);
	tell_apart(&naming, add_formats);
	number(&naming);
	for (unsigned i = 0; i < planning->n_drafts; i++) {
		plans->plans[i].name = naming.names[i];
	}
	free(naming.own);
	free(naming.names);
	free(naming.where);
	plan_place(planning);
}
