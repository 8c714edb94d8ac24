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

#include "util/order.h"

/* The parts of one plan. */
struct part_set {
	const struct part_about *about;  /* of the one that came first */
	const struct part_about *part_1; /* which tells of the plan's problems */
	struct held_source *sources;     /* of the plan; path NULL: not seen */
	struct kept_source *kept;        /* of each of them */
	bool *has;                       /* which parts, by their numbers */
	struct digest_value *digests;    /* where several sets are joined */
};

struct ingest_merge {
	struct ingest_plan plan;
	struct kept_source *kept;
	struct plan_part *records;
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
		status =
		    part_about_read(about, part_about(part), merge->paths[i], merge->arena, err);
	}
	part_close(part);
	if (status == 0 && strcmp(about->made_by, PART_MADE_BY) != 0) {
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
	       a->plan_digest.low == b->plan_digest.low && a->of == b->of &&
	       a->plan.n_paths == b->plan.n_paths;
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
	                         .sources = xcalloc(about->plan.n_paths, sizeof *set->sources),
	                         .kept = xcalloc(about->plan.n_paths, sizeof *set->kept),
	                         .has = xcalloc((size_t)about->of + 1, sizeof *set->has)};
	return set;
}

static int
add_part(struct ingest_merge *merge, size_t i, struct err *err)
{
	const struct part_about *about = &merge->abouts[i];
	struct part_set *set = set_of(merge, about);

	for (size_t k = 0; k < about->n_held; k++) {
		const struct held_source *held = &about->held[k];
		struct kept_source *kept = &set->kept[held->index];
		if (kept->part) {
			return err_set(err, ERR_USAGE,
			               "%s: holds %s, and so does %s: give each part once",
			               merge->paths[i], held->path, kept->part);
		}
		*kept = (struct kept_source){merge->paths[i], held->index};
		set->sources[held->index] = *held;
	}
	for (size_t k = 0; k < about->n_numbers; k++) {
		set->has[about->numbers[k]] = true;
	}
	set->part_1 = about->numbers[0] == 1 ? about : set->part_1;
	return 0;
}

/* Which parts are missing, the first by its number. Of more parts than sources the last are
 * empty. */
static int
say_missing(const struct part_set *set, struct err *err)
{
	const struct part_about *about = set->about;
	uint32_t n = 0, first = 0;

	for (uint32_t nth = LEAST(about->of, about->plan.n_paths); nth > 0; nth--) {
		n += !set->has[nth];
		first = set->has[nth] ? first : nth;
	}
	if (n == 0) {
		return err_set(err, ERR_FORMAT,
		               "%s: its parts do not hold all of its files: make them again",
		               about->plan.name);
	}
	return err_set(
	    err, ERR_USAGE,
	    "%s: %" PRIu32 " of %" PRIu32 " parts %s missing, the first is %" PRIu32
	    ": lanescope import --part %" PRIu32 "/%" PRIu32 " and the same traces makes it",
	    about->plan.name, n, about->of, n == 1 ? "is" : "are", first, first, about->of);
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
has_same_folder(const struct part_set *a, const struct part_set *b)
{
	size_t n = a->about->plan.folder_bytes;

	return n == b->about->plan.folder_bytes &&
	       memcmp(a->sources[0].path, b->sources[0].path, n) == 0;
}

static const char *
contradiction(const struct part_set *one, const struct part_set *other)
{
	const struct part_about *first = one->about, *about = other->about;
	const struct ingest_plan *a = &first->plan, *b = &about->plan;

	return strcmp(a->format, b->format) != 0  ? "their formats differ"
	       : about->lenient != first->lenient ? "one was made with --lenient"
	       : a->n_beside || b->n_beside
	           ? "one has counters beside its traces: import the traces together"
	       : first->has_records || about->has_records
	           ? "one is of several runs in a file: import it by itself"
	       : import_find(a->format)->home_of && !has_same_folder(one, other)
	           ? "their folders differ, which names what is in them: import them together"
	           : NULL;
}

static int
check_alike(const struct ingest_merge *merge, struct err *err)
{
	for (size_t i = 1; i < merge->n_sets; i++) {
		const struct part_set *first = &merge->sets[0], *set = &merge->sets[i];
		const char *reason = contradiction(first, set);
		if (reason) {
			return err_set(err, ERR_USAGE, "%s and %s can't be one run: %s",
			               first->about->plan.name, set->about->plan.name, reason);
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

/* Of all that a part holds. */
static int
load_digests(struct ingest_merge *merge, size_t i, struct err *err)
{
	const struct part_about *about = &merge->abouts[i];
	struct part_set *set = set_of(merge, about);
	struct part_reader *part = part_open(merge->paths[i], err);
	int status = part ? 0 : -1;

	for (size_t k = 0; k < about->n_held && status == 0; k++) {
		uint32_t index = about->held[k].index;
		status = load_digest(&set->kept[index], part, &set->digests[index], err);
	}
	part_close(part);
	return status;
}

static int
load_all_digests(struct ingest_merge *merge, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < merge->n_sets; i++) {
		struct part_set *set = &merge->sets[i];
		set->digests = xcalloc(set->about->plan.n_paths, sizeof *set->digests);
	}
	for (size_t i = 0; i < merge->n && status == 0; i++) {
		status = load_digests(merge, i, err);
	}
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
	strbuf_add_text(key, by_name ? set->sources[path].path : "");
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
	struct ingest_plan *plan = &merge->plan;
	struct strbuf key = {0};

	for (uint32_t i = 0; set->part_1 && i < set->part_1->plan.n_problems; i++) {
		const struct plan_problem *problem = &set->part_1->plan.problems[i];
		add_problem(merge, problem->kind, problem->reason);
	}
	for (uint32_t i = 0; i < set->about->plan.n_paths; i++) {
		const struct held_source *source = &set->sources[i];
		uint32_t n = seen ? intern_count(seen) : 0;
		uint32_t id = seen ? intern_id(seen, source_key(set, i, &key)) : n;
		if (id < n && strcmp(source->path, first_paths[id]) == 0) {
			continue; /* the same file */
		}
		if (id < n) {
			add_problem(
			    merge, PROBLEM_DUPLICATE,
			    arena_printf(merge->arena,
			                 "%s: holds the same as %s, which is read in its place",
			                 source->path, first_paths[id]));
			continue;
		}
		first_paths[id] = source->path;
		plan->paths[plan->n_paths] = source->path;
		merge->records[plan->n_paths] = source->records;
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
	int status = is_joined ? load_all_digests(merge, err) : 0;

	for (size_t i = 0; i < merge->n_sets; i++) {
		n += merge->sets[i].about->plan.n_paths;
	}
	*plan = merge->sets[0].about->plan;
	plan->n_paths = plan->n_problems = 0;
	plan->paths = xcalloc(n + 1, sizeof *plan->paths);
	plan->kept = merge->kept = xcalloc(n + 1, sizeof *merge->kept);
	merge->records = xcalloc(n + 1, sizeof *merge->records);
	plan->parts = merge->sets[0].about->has_records ? merge->records : NULL;
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

/* A pattern of names may fit another run's parts as well. */
static int
check_one(const struct ingest_merge *merge, bool joins, struct err *err)
{
	return merge->n_sets < 2 || joins
	           ? 0
	           : err_set(
			 err, ERR_USAGE,
			 "these are parts of %zu runs (%s, %s%s): give those of one, or --join to "
			 "make one run of all",
			 merge->n_sets, merge->sets[0].about->plan.name,
			 merge->sets[1].about->plan.name, merge->n_sets > 2 ? " ..." : "");
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
ingest_merge_new(const char *const *parts, size_t n, const char *name, const char *out, bool joins,
                 const struct cancel *cancel, struct err *err)
{
	struct ingest_merge *merge = look_at_all(parts, n, cancel, err);
	int status = merge ? check_one(merge, joins, err) : -1;

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

/* Some parts as one, whose plan has no paths for what it does not hold. */
static void
join_abouts(struct ingest_merge *merge, struct part_about *joined)
{
	struct part_set *set = &merge->sets[0];
	struct ingest_plan *plan = &merge->plan;

	*joined = *set->about;
	joined->numbers = NULL;
	joined->held = NULL;
	joined->n_numbers = joined->numbers_capacity = joined->n_held = joined->held_capacity = 0;
	for (uint32_t nth = 1; nth <= joined->of; nth++) {
		if (set->has[nth]) {
			MEM_GROW(joined->numbers, joined->numbers_capacity, joined->n_numbers + 1);
			joined->numbers[joined->n_numbers++] = nth;
		}
	}
	*plan = set->part_1 ? set->part_1->plan : set->about->plan;
	plan->paths = xcalloc((size_t)plan->n_paths + 1, sizeof *plan->paths);
	merge->records = xcalloc((size_t)plan->n_paths + 1, sizeof *merge->records);
	for (uint32_t i = 0; i < plan->n_paths; i++) {
		const struct held_source *source = &set->sources[i];
		plan->paths[i] = source->path ? source->path : "";
		merge->records[i] = source->records;
		if (source->path) {
			MEM_GROW(joined->held, joined->held_capacity, joined->n_held + 1);
			joined->held[joined->n_held++] = *source;
		}
	}
	joined->plan = *plan;
	plan->parts = joined->has_records ? merge->records : NULL;
	plan->kept = set->kept;
}

int
ingest_merge_part(const char *const *parts, size_t n, const char *path,
                  struct ingest_options *options, struct ingest_progress *progress,
                  struct ingest_summary *summary, struct err *err)
{
	struct ingest_merge *merge = look_at_all(parts, n, options->cancel, err);
	struct part_about joined;
	int status = merge ? 0 : -1;

	if (merge && merge->n_sets > 1) {
		status = err_set(err, ERR_USAGE,
		                 "%s and others are of several runs: one part is of one", parts[0]);
	}
	if (status == 0) {
		join_abouts(merge, &joined);
		merge->plan.out_path = path;
		status = part_make(&merge->plan, path, &joined, options, progress, summary, err);
		free(joined.numbers);
		free(joined.held);
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
		free(merge->sets[i].sources);
		free(merge->sets[i].kept);
		free(merge->sets[i].has);
		free(merge->sets[i].digests);
	}
	for (size_t i = 0; i < merge->n; i++) {
		part_about_free(&merge->abouts[i]);
	}
	free(merge->sets);
	free(merge->abouts);
	free(merge->kept);
	free(merge->records);
	free(merge->plan.paths);
	free(merge->problems);
	arena_free(merge->arena);
	free(merge);
}
