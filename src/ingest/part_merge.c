/*
 * Parts -> the plan of the run that they make. Parts of one plan must be all of them, each once:
 * what a run lacks would look like a faster run. A run file is the only part of itself, and traces
 * are the only part of a plan of their own; how several runs become one says part_join.c.
 *
 * Only what parts are of is read here; their sources are read as those of any import are, on all
 * cores, when the run is made.
 */
#include "config.h"
#include "ingest/part.h"

#include <inttypes.h>
#include <stdlib.h>

#include "ingest/part_set.h"
#include "input/squeeze.h"
#include "util/order.h"

/* ---- reading what they are of ---- */

static int
check_about(const struct part_about *about, const char *path, struct err *err)
{
	if (strcmp(about->made_by, PART_MADE_BY) != 0) {
		return err_set(err, ERR_FORMAT,
		               "%s: was made by %s, and this is " PACKAGE_NAME " " PACKAGE_VERSION
		               ": make it again",
		               path, about->made_by);
	}
	if (!import_find(about->plan.format)) {
		return err_set(err, ERR_FORMAT, "%s: %s: no such format", path, about->plan.format);
	}
	return about->plan.n_beside && !import_find(about->plan.beside)
	           ? err_set(err, ERR_FORMAT, "%s: %s: no such format", path, about->plan.beside)
	           : 0;
}

static int
read_about(struct ingest_merge *merge, struct part_about *about, struct part_reader *part,
           const char *path, struct err *err)
{
	struct strbuf bytes = {0};
	struct slice told = part_about(part);
	int status = 0;

	if (part_is_run(part)) {
		status = unsqueeze(told, &bytes, err);
		told = strbuf_slice(&bytes);
		status = status ? err_wrap(err, "%s: what this run is of can't be read", path) : 0;
	}
	status = status || part_about_read(about, told, path, merge->arena, err);
	if (status == 0 && part_is_run(part)) { /* with the tags that it has now */
		tag_list_free(&about->tags);
		about->tags = (struct tag_list){0};
		status = part_tags(part, &about->tags, err);
	}
	strbuf_free(&bytes);
	return status ? -1 : check_about(about, path, err);
}

static int
look_at(struct ingest_merge *merge, size_t i, struct err *err)
{
	struct part_reader *part = part_open(merge->paths[i], err);
	int status = part ? read_about(merge, &merge->abouts[i], part, merge->paths[i], err) : -1;

	if (part) {
		merge->is_run[i] = part_is_run(part);
	}
	part_close(part);
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
new_set(struct ingest_merge *merge, const struct part_about *about)
{
	MEM_GROW(merge->sets, merge->sets_capacity, merge->n_sets + 1);
	struct part_set *set = &merge->sets[merge->n_sets++];
	*set = (struct part_set){.about = about,
	                         .sources = xcalloc(about->plan.n_paths, sizeof *set->sources),
	                         .kept = xcalloc(about->plan.n_paths, sizeof *set->kept),
	                         .has = xcalloc((size_t)about->of + 1, sizeof *set->has)};
	return set;
}

/* The set of parts of such a plan, a new one if there is none. */
static struct part_set *
set_of(struct ingest_merge *merge, const struct part_about *about)
{
	for (size_t i = 0; i < merge->n_sets; i++) {
		if (is_same_plan(merge->sets[i].about, about)) {
			return &merge->sets[i];
		}
	}
	return new_set(merge, about);
}

static int
add_part(struct ingest_merge *merge, size_t i, struct part_set *set, struct err *err)
{
	const struct part_about *about = &merge->abouts[i];
	const char *part = i < merge->n ? merge->paths[i] : NULL;

	set->is_read = !part;
	set->is_run = merge->is_run[i];
	merge->set_of[i] = (size_t)(set - merge->sets);
	for (size_t k = 0; k < about->n_held; k++) {
		const struct held_source *held = &about->held[k];
		struct kept_source *kept = &set->kept[held->index];
		if (kept->part) {
			return err_set(err, ERR_USAGE,
			               "%s: holds %s, and so does %s: give each part once", part,
			               held->path, kept->part);
		}
		*kept = (struct kept_source){part, held->index, 0};
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
		if (!set->sources[path].path) {
			return say_missing(set, err);
		}
	}
	return 0;
}

/* A pattern of names may fit another run's parts as well; run files and traces are named as such.
 */
static int
check_one(const struct ingest_merge *merge, struct err *err)
{
	const struct part_set *of_parts[2] = {NULL, NULL};
	size_t n = 0;

	for (size_t i = 0; i < merge->n_sets; i++) {
		if (!merge->sets[i].is_run && !merge->sets[i].is_read) {
			of_parts[LEAST(n, 1)] = &merge->sets[i];
			n++;
		}
	}
	return n < 2 ? 0
	             : err_set(err, ERR_USAGE,
	                       "these are parts of %zu runs (%s, %s%s): give those of one, or "
	                       "--join to make one run of all",
	                       n, of_parts[0]->about->plan.name, of_parts[1]->about->plan.name,
	                       n > 2 ? " ..." : "");
}

/* What else is to be one run with them. */
static int
plan_traces(struct ingest_merge *merge, const char *const *paths, unsigned n, struct err *err)
{
	const struct part_about *first = merge->sets[0].about;
	struct ingest_options options = {.format = first->is_forced ? first->plan.format : NULL,
	                                 .lenient = first->lenient,
	                                 .cancel = merge->cancel};
	struct part_about *about = &merge->abouts[merge->n];

	merge->traces = ingest_plan(paths, n, &options, err);
	if (merge->traces && merge->traces->n_plans > 1) {
		ingest_plans_free(merge->traces);
		options.one = true;
		merge->traces = ingest_plan(paths, n, &options, err);
	}
	if (!merge->traces) {
		return -1;
	}
	if (merge->traces->n_failed) {
		return err_set(err, ERR_FORMAT, "%s", merge->traces->failed[0]);
	}
	if (merge->traces->n_plans > 1) {
		return err_set(err, ERR_USAGE,
		               "the traces are of several formats (%s, %s ...): give those of one",
		               merge->traces->plans[0].format, merge->traces->plans[1].format);
	}
	part_about_make(about, &merge->traces->plans[0], &options, (struct part_number){1, 1});
	return add_part(merge, merge->n, new_set(merge, about), err);
}

static struct ingest_merge *
look_at_all(const char *const *parts, size_t n, const struct cancel *cancel, struct err *err)
{
	struct ingest_merge *merge = xcalloc(1, sizeof *merge);
	int status = n ? 0 : err_set(err, ERR_USAGE, "which parts?");

	merge->arena = arena_new();
	merge->paths = parts;
	merge->n = n;
	merge->cancel = cancel;
	merge->abouts = xcalloc(n + 1, sizeof *merge->abouts);
	merge->is_run = xcalloc(n + 1, sizeof *merge->is_run);
	merge->set_of = xcalloc(n + 1, sizeof *merge->set_of);
	for (size_t i = 0; i < n && status == 0; i++) {
		status = cancel_check(cancel, err) || look_at(merge, i, err) ||
		         add_part(merge, i, set_of(merge, &merge->abouts[i]), err);
	}
	if (status) {
		ingest_merge_free(merge);
	}
	return status ? NULL : merge;
}

struct ingest_merge *
ingest_merge_new(const struct ingest_merging *of, const char *name, const char *out,
                 const struct cancel *cancel, struct err *err)
{
	struct ingest_merge *merge = look_at_all(of->parts, of->n_parts, cancel, err);
	int status = !merge ? -1 : of->joins ? 0 : check_one(merge, err);

	for (size_t i = 0; merge && i < merge->n_sets && status == 0; i++) {
		status = check_whole(&merge->sets[i], err);
	}
	if (status == 0 && of->n_traces) {
		status = plan_traces(merge, of->traces, of->n_traces, err);
	}
	if (status || part_join(merge, err)) {
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

	if (merge && merge->sets[0].is_run) {
		status =
		    err_set(err, ERR_USAGE, "%s: is a run already, not a part of one", parts[0]);
	} else if (merge && merge->n_sets > 1) {
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
		free(merge->sets[i].is_there);
	}
	for (size_t i = 0; i < merge->n + 1; i++) {
		part_about_free(&merge->abouts[i]);
	}
	free(merge->sets);
	free(merge->abouts);
	free(merge->kept);
	free(merge->records);
	free(merge->opened);
	free(merge->is_run);
	free(merge->set_of);
	ingest_plans_free(merge->traces);
	tag_list_free(&merge->tags);
	free(merge->plan.paths);
	free(merge->problems);
	arena_free(merge->arena);
	free(merge);
}
