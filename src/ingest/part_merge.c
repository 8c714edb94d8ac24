/*
 * Parts -> the plan of the run that they make. Parts of one plan must be all of them, each once:
 * what a run lacks would look like a faster run. Runs that are whole may be joined to one, so that
 * files which came later are no reason to read all again; a source that stands in two of them
 * counts once.
 *
 * Only what parts are of is read here; their sources are read as those of any import are, on all
 * cores, when the run is made.
 */
#include "config.h"
#include "ingest/part.h"

#include <inttypes.h>
#include <stdlib.h>

/* The parts of one plan. */
struct part_set {
	const struct part_about *about; /* of the first that came */
	struct kept_source *kept;       /* of each of its paths; part NULL: not seen */
	struct digest_value *digests;   /* where several sets are joined */
};

struct ingest_merge {
	struct ingest_plan plan;
	struct kept_source *kept;
	struct part_about *abouts;
	const char *const *paths;
	size_t n;
	struct part_set *sets;
	size_t n_sets, sets_capacity;
	struct plan_problem *problems;
	size_t problems_capacity;
	struct arena *arena; /* of what is said of the run */
};

/* ---- reading what they are of ---- */

static int
look_at(struct ingest_merge *merge, size_t i, struct err *err)
{
	struct part_about *about = &merge->abouts[i];
	struct part_reader *part = part_open(merge->paths[i], err);
	int status = -1;

	if (part) {
		status = part_about_read(about, part_about(part), merge->paths[i], err);
	}
	part_close(part);
	if (status == 0 && strcmp(about->made_by, PACKAGE_NAME " " PACKAGE_VERSION) != 0) {
		status = err_set(err, ERR_FORMAT,
		                 "%s: was made by %s, and this is " PACKAGE_NAME " " PACKAGE_VERSION
		                 ": make it again",
		                 merge->paths[i], about->made_by);
	}
	if (status == 0 && !import_find(about->plan.format)) {
		status = err_set(err, ERR_FORMAT, "%s: %s: no such format", merge->paths[i],
		                 about->plan.format);
	}
	if (status == 0 && about->plan.n_beside && !import_find(about->plan.beside)) {
		status = err_set(err, ERR_FORMAT, "%s: %s: no such format", merge->paths[i],
		                 about->plan.beside);
	}
	return status;
}

static bool
is_same_plan(const struct part_about *a, const struct part_about *b)
{
	return a->plan_digest.high == b->plan_digest.high &&
	       a->plan_digest.low == b->plan_digest.low && a->number.of == b->number.of;
}

static struct part_set *
set_of(struct ingest_merge *merge, const struct part_about *about)
{
	for (size_t i = 0; i < merge->n_sets; i++) {
		if (is_same_plan(merge->sets[i].about, about)) {
			return &merge->sets[i];
		}
	}
	MEM_GROW(merge->sets, merge->sets_capacity, merge->n_sets + 1);
	struct part_set *set = &merge->sets[merge->n_sets++];
	*set = (struct part_set){.about = about,
	                         .kept = xcalloc(about->plan.n_paths, sizeof *set->kept)};
	return set;
}

static int
add_part(struct ingest_merge *merge, size_t i, struct err *err)
{
	const struct part_about *about = &merge->abouts[i];
	struct part_set *set = set_of(merge, about);

	for (size_t k = 0; k < about->n_held; k++) {
		uint32_t path = about->held[k];
		struct kept_source *kept = &set->kept[path];
		if (kept->part) {
			return err_set(err, ERR_USAGE,
			               "%s: holds %s, and so does %s: give each part once",
			               merge->paths[i], about->plan.paths[path], kept->part);
		}
		*kept = (struct kept_source){merge->paths[i], path};
	}
	return 0;
}

/* Which parts are missing, the first by its number. */
static int
say_missing(const struct part_set *set, struct err *err)
{
	const struct part_about *about = set->about;
	uint32_t *shares = part_about_shares(about), of = about->number.of;
	bool *lacks = xcalloc((size_t)of + 1, sizeof *lacks);
	uint32_t n = 0, first = 0;

	for (uint32_t path = 0; path < about->plan.n_paths; path++) {
		lacks[shares[path]] |= !set->kept[path].part;
	}
	for (uint32_t nth = of; nth > 0; nth--) {
		n += lacks[nth];
		first = lacks[nth] ? nth : first;
	}
	free(shares);
	free(lacks);
	return err_set(err, ERR_USAGE,
	               "%s: %" PRIu32 " of %" PRIu32 " parts %s missing, the first is %" PRIu32
	               ": lanescope import --part %" PRIu32 "/%" PRIu32
	               " and the same traces makes it",
	               about->plan.name, n, of, n == 1 ? "is" : "are", first, first, of);
}

static int
check_whole(const struct part_set *set, struct err *err)
{
	for (uint32_t path = 0; path < set->about->plan.n_paths; path++) {
		if (!set->kept[path].part) {
			return say_missing(set, err);
		}
	}
	return 0;
}

/* ---- several runs to one ---- */

/* Texts that name what a file holds begin where its run's folder does. */
static bool
has_same_folder(const struct ingest_plan *a, const struct ingest_plan *b)
{
	return a->folder_bytes == b->folder_bytes &&
	       memcmp(a->paths[0], b->paths[0], a->folder_bytes) == 0;
}

static const char *
contradiction(const struct part_about *first, const struct part_about *about)
{
	const struct ingest_plan *a = &first->plan, *b = &about->plan;

	return strcmp(a->format, b->format) != 0  ? "their formats differ"
	       : about->lenient != first->lenient ? "one was made with --lenient"
	       : a->n_beside || b->n_beside
	           ? "one has counters beside its traces: import the traces together"
	       : a->parts || b->parts ? "one is of several runs in a file: import it by itself"
	       : import_find(a->format)->home_of && !has_same_folder(a, b)
	           ? "their folders differ, which names what is in them: import them together"
	           : NULL;
}

static int
check_alike(const struct ingest_merge *merge, struct err *err)
{
	for (size_t i = 1; i < merge->n_sets; i++) {
		const struct part_about *first = merge->sets[0].about,
					*about = merge->sets[i].about;
		const char *reason = contradiction(first, about);
		if (reason) {
			return err_set(err, ERR_USAGE, "%s and %s can't be one run: %s",
			               first->plan.name, about->plan.name, reason);
		}
	}
	return 0;
}

static int
load_digest(const struct kept_source *kept, struct part_reader *part, struct digest_value *digest,
            struct err *err)
{
	struct strbuf bytes = {0};
	int status = part_blob(part, part_digest_id(kept->index), &bytes, err);

	if (status == 0 && bytes.len != 2 * sizeof(uint64_t)) {
		status = err_set(err, ERR_FORMAT, "%s: is damaged: make it again", kept->part);
	}
	if (status == 0) {
		memcpy(&digest->high, bytes.data, sizeof digest->high);
		memcpy(&digest->low, bytes.data + sizeof digest->high, sizeof digest->low);
	}
	strbuf_free(&bytes);
	return status;
}

/* Of all sources of a set, part by part. */
static int
load_digests(struct part_set *set, struct err *err)
{
	uint32_t n = set->about->plan.n_paths;
	struct part_reader *part = NULL;
	const char *open = NULL;
	int status = 0;

	set->digests = xcalloc(n, sizeof *set->digests);
	for (uint32_t i = 0; i < n && status == 0; i++) {
		const struct kept_source *kept = &set->kept[i];
		if (kept->part != open) {
			part_close(part);
			part = part_open(kept->part, err);
			open = kept->part;
		}
		status = part ? load_digest(kept, part, &set->digests[i], err) : -1;
	}
	part_close(part);
	return status;
}

/* What makes a source the same as another: its bytes, and its name where that tells what they are.
 * */
static struct slice
source_key(const struct part_set *set, uint32_t path, struct strbuf *key)
{
	bool by_name = import_find(set->about->plan.format)->copies == COPIES_NAME;

	strbuf_clear(key);
	strbuf_add(key, &set->digests[path], sizeof set->digests[path]);
	strbuf_add_text(key, by_name ? set->about->plan.paths[path] : "");
	return strbuf_slice(key);
}

static void
add_problem(struct ingest_merge *merge, enum problem_kind kind, const char *reason)
{
	struct ingest_plan *plan = &merge->plan;

	MEM_GROW(merge->problems, merge->problems_capacity, (size_t)plan->n_problems + 1);
	merge->problems[plan->n_problems++] = (struct plan_problem){kind, reason};
	plan->problems = merge->problems;
}

static void
add_set(struct ingest_merge *merge, const struct part_set *set, struct intern *seen,
        const char **first_paths)
{
	const struct ingest_plan *one = &set->about->plan;
	struct ingest_plan *plan = &merge->plan;
	struct strbuf key = {0};

	for (uint32_t i = 0; i < one->n_problems; i++) {
		add_problem(merge, one->problems[i].kind, one->problems[i].reason);
	}
	for (uint32_t i = 0; i < one->n_paths; i++) {
		uint32_t n = seen ? intern_count(seen) : 0;
		uint32_t id = seen ? intern_id(seen, source_key(set, i, &key)) : n;
		if (id < n && strcmp(one->paths[i], first_paths[id]) == 0) {
			continue; /* the same file */
		}
		if (id < n) {
			add_problem(
			    merge, PROBLEM_DUPLICATE,
			    arena_printf(merge->arena,
			                 "%s: holds the same as %s, which is read in its place",
			                 one->paths[i], first_paths[id]));
			continue;
		}
		first_paths[id] = one->paths[i];
		plan->paths[plan->n_paths] = one->paths[i];
		merge->kept[plan->n_paths++] = set->kept[i];
	}
	strbuf_free(&key);
}

static int
make_plan(struct ingest_merge *merge, struct err *err)
{
	struct ingest_plan *plan = &merge->plan;
	bool is_joined = merge->n_sets > 1;
	struct intern *seen = is_joined ? intern_new() : NULL;
	const char **first_paths;
	size_t n = 0;
	int status = 0;

	for (size_t i = 0; i < merge->n_sets && status == 0; i++) {
		n += merge->sets[i].about->plan.n_paths;
		status = is_joined ? load_digests(&merge->sets[i], err) : 0;
	}
	*plan = merge->sets[0].about->plan;
	plan->n_paths = plan->n_problems = 0;
	plan->paths = xcalloc(n + 1, sizeof *plan->paths);
	plan->kept = merge->kept = xcalloc(n + 1, sizeof *merge->kept);
	first_paths = xcalloc(n + 1, sizeof *first_paths);
	for (size_t i = 0; i < merge->n_sets && status == 0; i++) {
		add_set(merge, &merge->sets[i], seen, first_paths);
	}
	if (is_joined) {
		plan->grouping = arena_printf(merge->arena, "joined by lanescope merge: %zu runs",
		                              merge->n_sets);
	}
	intern_free(seen);
	free(first_paths);
	return status;
}

static struct ingest_merge *
look_at_all(const char *const *parts, size_t n, const struct cancel *cancel, struct err *err)
{
	struct ingest_merge *merge = xcalloc(1, sizeof *merge);
	int status = n ? 0 : err_set(err, ERR_USAGE, "which parts?");

	merge->arena = arena_new();
	merge->paths = parts;
	merge->n = n;
	merge->abouts = xcalloc(n + 1, sizeof *merge->abouts);
	for (size_t i = 0; i < n && status == 0; i++) {
		status =
		    cancel_check(cancel, err) || look_at(merge, i, err) || add_part(merge, i, err);
	}
	if (status) {
		ingest_merge_free(merge);
	}
	return status ? NULL : merge;
}

struct ingest_merge *
ingest_merge_new(const char *const *parts, size_t n, const char *name, const char *out,
                 const struct cancel *cancel, struct err *err)
{
	struct ingest_merge *merge = look_at_all(parts, n, cancel, err);
	int status = merge ? 0 : -1;

	for (size_t i = 0; merge && i < merge->n_sets && status == 0; i++) {
		status = check_whole(&merge->sets[i], err);
	}
	if (status || check_alike(merge, err) || make_plan(merge, err)) {
		ingest_merge_free(merge);
		return NULL;
	}
	merge->plan.name = name ? name : merge->plan.name;
	merge->plan.out_path = out;
	return merge;
}

int
ingest_merge_part(const char *const *parts, size_t n, const char *path,
                  struct ingest_options *options, struct ingest_progress *progress,
                  struct ingest_summary *summary, struct err *err)
{
	struct ingest_merge *merge = look_at_all(parts, n, options->cancel, err);
	int status = merge ? 0 : -1;

	if (merge && merge->n_sets > 1) {
		status = err_set(err, ERR_USAGE,
		                 "%s and others are of several runs: one part is of one", parts[0]);
	}
	if (status == 0) {
		struct part_about about = *merge->sets[0].about;
		struct ingest_plan plan = about.plan;
		about.held = NULL;
		about.n_held = about.held_capacity = 0;
		about.number.nth = 0;
		for (uint32_t i = 0; i < plan.n_paths; i++) {
			if (merge->sets[0].kept[i].part) {
				MEM_GROW(about.held, about.held_capacity, about.n_held + 1);
				about.held[about.n_held++] = i;
			}
		}
		plan.kept = merge->sets[0].kept;
		plan.out_path = path;
		status = part_make(&plan, path, &about, options, progress, summary, err);
		free(about.held);
	}
	ingest_merge_free(merge);
	return status;
}

const struct ingest_plan *
ingest_merge_plan(const struct ingest_merge *merge, struct ingest_options *options)
{
	options->lenient = merge->sets[0].about->lenient;
	options->format = merge->sets[0].about->is_forced ? merge->plan.format : NULL;
	return &merge->plan;
}

void
ingest_merge_free(struct ingest_merge *merge)
{
	if (!merge) {
		return;
	}
	for (size_t i = 0; i < merge->n_sets; i++) {
		free(merge->sets[i].kept);
		free(merge->sets[i].digests);
	}
	for (size_t i = 0; i < merge->n; i++) {
		part_about_free(&merge->abouts[i]);
	}
	free(merge->sets);
	free(merge->abouts);
	free(merge->kept);
	free(merge->plan.paths);
	free(merge->problems);
	arena_free(merge->arena);
	free(merge);
}
