/*
 * Several runs that become one: so files that came later are no reason to read all again. It is the
 * run that one import of all their sources makes, in the order in which a search finds them, if
 * they are in that order in each run, else in that of the runs.
 *
 * A source that stands in two of them counts once. It is the same by its bytes, whatever it is
 * called; traces that are still to be read are read for that only where a source of the others has
 * their size. What lies where a run's source lay, and is another file now, is refused: of the old
 * one and of the new one neither is the run's.
 */
#include "config.h"
#include "ingest/part_set.h"

#include <stdlib.h>

#include "ingest/find.h"
#include "ingest/plan.h"
#include "input/input.h"
#include "util/file_facts.h"
#include "util/order.h"

/* Counters go beside traces of any format. */
static bool
goes_beside(const struct part_set *set)
{
	return import_find(set->about->plan.format)->grouping == GROUP_BESIDE;
}

/* Of the counters that a set has; NULL: none. */
static const char *
beside_of(const struct part_set *set)
{
	const struct ingest_plan *plan = &set->about->plan;

	return goes_beside(set) ? plan->format : plan->n_beside ? plan->beside : NULL;
}

static bool
is_beside(const struct part_set *set, uint32_t source)
{
	const struct ingest_plan *plan = &set->about->plan;

	return goes_beside(set) || source >= plan->n_paths - plan->n_beside;
}

/* Whose format is the run's: the first that is more than counters. */
static const struct part_set *
leader(const struct ingest_merge *merge)
{
	for (size_t i = 0; i < merge->n_sets; i++) {
		if (!goes_beside(&merge->sets[i])) {
			return &merge->sets[i];
		}
	}
	return &merge->sets[0];
}

/* ---- what can't be one run ---- */

static const char *
contradiction(const struct part_set *one, const struct part_set *other)
{
	const struct part_about *first = one->about, *about = other->about;
	const struct ingest_plan *a = &first->plan, *b = &about->plan;
	const char *beside = beside_of(one), *other_beside = beside_of(other);

	return (strcmp(a->format, b->format) != 0 && !goes_beside(other)) ||
	               (beside && other_beside && strcmp(beside, other_beside) != 0)
	           ? "their formats differ"
	       : about->lenient != first->lenient ? "one was made with --lenient"
	       : first->has_records || about->has_records
	           ? "one is of several runs in a file: import it by itself"
	           : NULL;
}

static int
refuse_pair(const struct part_set *one, const struct part_set *other, const char *reason,
            struct err *err)
{
	return err_set(err, ERR_USAGE, "%s and %s can't be one run: %s", one->about->plan.name,
	               other->about->plan.name, reason);
}

static int
check_alike(const struct ingest_merge *merge, struct err *err)
{
	const struct part_set *first = leader(merge);

	for (size_t i = 0; i < merge->n_sets; i++) {
		const struct part_set *set = &merge->sets[i];
		const char *reason = set == first ? NULL : contradiction(first, set);
		if (reason) {
			return refuse_pair(first, set, reason, err);
		}
	}
	return 0;
}

/* Texts that name what a file holds begin where its run's folder does; what was read knows them. */
static int
check_folder(const struct ingest_merge *merge, struct err *err)
{
	for (size_t i = 0; i < merge->n_sets; i++) {
		const struct part_set *set = &merge->sets[i];
		if (!set->is_read && !goes_beside(set) &&
		    import_find(merge->plan.format)->home_of &&
		    set->about->plan.folder_bytes != merge->plan.folder_bytes) {
			return refuse_pair(set, &merge->sets[i ? 0 : merge->n_sets - 1],
			                   "their folders differ, which names what is in them: "
			                   "import them together",
			                   err);
		}
	}
	return 0;
}

/* ---- digests ---- */

static int
load_digest(struct part_set *set, uint32_t index, struct part_reader *part, uint64_t *n_samples,
            struct err *err)
{
	struct known_digest *digest = &set->digests[index];
	struct strbuf bytes = {0};
	uint64_t numbers[3] = {0};
	int status = part_blob(part, part_digest_id(set->kept[index].index), &bytes, err);

	if (status == 0 && bytes.len != sizeof numbers) {
		status = err_set(err, ERR_FORMAT, "%s: is damaged: make it again",
		                 set->kept[index].part);
	}
	if (status == 0) {
		memcpy(numbers, bytes.data, sizeof numbers);
		*digest = (struct known_digest){true, {numbers[0], numbers[1]}};
		set->kept[index].first_sample = *n_samples;
		*n_samples += numbers[2];
	}
	strbuf_free(&bytes);
	return status;
}

/* Of all that a part holds. */
static int
load_digests(struct ingest_merge *merge, size_t i, struct err *err)
{
	const struct part_about *about = &merge->abouts[i];
	struct part_set *set = &merge->sets[merge->set_of[i]];
	struct part_reader *part = part_open(merge->paths[i], err);
	uint64_t n_samples = 0;
	int status = part ? 0 : -1;

	for (size_t k = 0; k < about->n_held && status == 0; k++) {
		status = cancel_check(merge->cancel, err) ||
		         load_digest(set, about->held[k].index, part, &n_samples, err);
	}
	part_close(part);
	return status ? -1 : 0;
}

static int
load_all_digests(struct ingest_merge *merge, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < merge->n_sets; i++) {
		struct part_set *set = &merge->sets[i];
		set->digests = xcalloc(set->about->plan.n_paths, sizeof *set->digests);
		set->is_there = xcalloc(set->about->plan.n_paths, sizeof *set->is_there);
	}
	for (size_t i = 0; i < merge->n && status == 0; i++) {
		status = load_digests(merge, i, err);
	}
	return status;
}

/* ---- traces that were read before ---- */

struct old_source {
	struct part_set *set;
	uint32_t index;
};

/* The sources of all runs by their full paths, and sizes of all that was read. */
struct old_sources {
	struct intern *places, *sizes;
	struct old_source *at; /* by id in places */
	size_t capacity;
	struct part_set *set; /* whose places come */
};

static void
take_place(void *user, int64_t source, struct slice place)
{
	struct old_sources *old = user;
	uint32_t n = intern_count(old->places);

	if (source < 0 || source >= old->set->about->plan.n_paths ||
	    intern_id(old->places, place) < n) {
		return;
	}
	MEM_GROW(old->at, old->capacity, (size_t)n + 1);
	old->at[n] = (struct old_source){old->set, (uint32_t)source};
}

static struct slice
size_key(const int64_t *bytes)
{
	return (struct slice){(const char *)bytes, sizeof *bytes};
}

static int
list_old(struct ingest_merge *merge, struct old_sources *old, struct err *err)
{
	for (size_t i = 0; i < merge->n_sets; i++) {
		struct part_set *set = &merge->sets[i];
		for (uint32_t k = 0; !set->is_read && k < set->about->plan.n_paths; k++) {
			intern_id(old->sizes, size_key(&set->sources[k].size_bytes));
		}
		if (!set->is_run) {
			continue;
		}
		struct part_reader *run = part_open(set->kept[0].part, err);
		old->set = set;
		int status = run ? part_places(run, old, take_place, err) : -1;
		part_close(run);
		if (status) {
			return -1;
		}
	}
	return 0;
}

/* The file lies where one of a run lay: is it that one? */
static int
look_again(struct part_set *set, uint32_t index, const struct old_source *old, struct err *err)
{
	const struct held_source *now = &set->sources[index],
				 *then = &old->set->sources[old->index];
	const struct digest_value *a = &set->digests[index].value,
				  *b = &old->set->digests[old->index].value;

	bool is_same = set->digests[index].is_known ? a->high == b->high && a->low == b->low
	                                            : now->size_bytes == then->size_bytes &&
	                                                  now->modified_ns == then->modified_ns;
	if (!is_same) {
		return err_set(err, ERR_USAGE,
		               "%s: is another file than %s was imported of: import all of its "
		               "traces again, or call the new one otherwise",
		               now->path, old->set->kept[old->index].part);
	}
	set->is_there[index] = true;
	return 0;
}

static int
look_at_trace(struct ingest_merge *merge, struct part_set *set, uint32_t index,
              const struct old_sources *old, struct err *err)
{
	const struct held_source *source = &set->sources[index];
	char *place = xrealpath(source->path);
	uint32_t id = place ? intern_find(old->places, slice_of(place)) : INTERN_NONE;
	const struct held_source *there =
	    id != INTERN_NONE ? &old->at[id].set->sources[old->at[id].index] : NULL;
	bool is_untouched = there && there->size_bytes == source->size_bytes &&
	                    there->modified_ns == source->modified_ns;
	struct known_digest *digest = &set->digests[index];
	int status = 0;

	free(place);
	if (!is_untouched && source->size_bytes >= 0 &&
	    intern_find(old->sizes, size_key(&source->size_bytes)) != INTERN_NONE) {
		status = input_digest(source->path, merge->cancel, &digest->value, err);
		digest->is_known = status == 0;
	}
	return status ? -1 : there ? look_again(set, index, &old->at[id], err) : 0;
}

static int
look_at_traces(struct ingest_merge *merge, struct err *err)
{
	struct part_set *set = &merge->sets[merge->n_sets - 1];
	struct old_sources old = {.places = intern_new(), .sizes = intern_new()};
	int status = list_old(merge, &old, err);

	for (uint32_t i = 0; i < set->about->plan.n_paths && status == 0; i++) {
		status = look_at_trace(merge, set, i, &old, err);
	}
	intern_free(old.places);
	intern_free(old.sizes);
	free(old.at);
	return status;
}

/* ---- the sources of all, each once ---- */

struct joined_source {
	const struct held_source *held;
	struct kept_source kept;
	struct opened_input *opened;
	bool is_beside;
	char *order; /* NULL: as it comes */
	size_t nth;
};

struct joining {
	struct ingest_merge *merge;
	struct intern *seen; /* NULL: there is but one set */
	const char **first_paths;
	struct joined_source *sources;
	size_t n;
};

/* What makes a source the same as another: its bytes, and its name where that tells what they are.
 * */
static struct slice
source_key(const struct part_set *set, uint32_t path, struct strbuf *key)
{
	const struct ingest_plan *plan = &set->about->plan;
	const char *format = is_beside(set, path) ? beside_of(set) : plan->format;
	bool by_name = import_find(format)->copies == COPIES_NAME;

	strbuf_clear(key);
	if (set->digests[path].is_known) {
		strbuf_add(key, &set->digests[path].value, sizeof set->digests[path].value);
	} else { /* of no other's size */
		strbuf_add_text(key, set->sources[path].path);
	}
	strbuf_add_text(key, by_name ? set->sources[path].path : "");
	return strbuf_slice(key);
}

static void
add_problem(struct ingest_merge *merge, enum problem_kind kind, const char *reason)
{
	struct ingest_plan *plan = &merge->plan;

	for (unsigned i = 0; i < plan->n_problems; i++) {
		if (plan->problems[i].kind == kind &&
		    strcmp(plan->problems[i].reason, reason) == 0) {
			return;
		}
	}
	MEM_GROW(merge->problems, merge->problems_capacity, (size_t)plan->n_problems + 1);
	merge->problems[plan->n_problems++] = (struct plan_problem){kind, reason};
	plan->problems = merge->problems;
}

/* Is it the first with these bytes? Of another file with them is told. */
static bool
is_first(struct joining *joining, const struct part_set *set, uint32_t i)
{
	const char *path = set->sources[i].path;
	struct strbuf key = {0};
	uint32_t n = intern_count(joining->seen);
	uint32_t id = intern_id(joining->seen, source_key(set, i, &key));

	strbuf_free(&key);
	if (id == n) {
		joining->first_paths[id] = path;
		return true;
	}
	if (strcmp(path, joining->first_paths[id]) != 0) {
		add_problem(joining->merge, PROBLEM_DUPLICATE,
		            arena_printf(joining->merge->arena,
		                         "%s: holds the same as %s, which is read in its place",
		                         path, joining->first_paths[id]));
	}
	return false;
}

static void
add_sources(struct joining *joining, const struct part_set *set)
{
	const struct ingest_plans *traces = set->is_read ? joining->merge->traces : NULL;

	for (uint32_t i = 0; i < set->about->plan.n_paths; i++) {
		if (joining->seen && (set->is_there[i] || !is_first(joining, set, i))) {
			continue;
		}
		joining->sources[joining->n] =
		    (struct joined_source){.held = &set->sources[i],
		                           .kept = set->kept[i],
		                           .opened = traces ? traces->plans[0].opened[i] : NULL,
		                           .is_beside = is_beside(set, i),
		                           .nth = joining->n};
		joining->n++;
	}
}

static int
compare_order(const void *left, const void *right)
{
	const struct joined_source *a = left, *b = right;
	int order = ORDER(a->is_beside, b->is_beside);

	order = order || !a->order || !b->order ? order : compare_naturally(a->order, b->order);
	return order ? order : ORDER(a->nth, b->nth);
}

/* Are the sources of each set in the order in which a search finds them? */
static bool
are_in_order(const struct ingest_merge *merge)
{
	bool is_in_order = true;

	for (size_t i = 0; i < merge->n_sets; i++) {
		const struct part_set *set = &merge->sets[i];
		char *before = NULL;
		for (uint32_t k = 0; k < set->about->plan.n_paths && is_in_order; k++) {
			char *order = path_order(set->sources[k].path);
			is_in_order = !before || is_beside(set, k) != is_beside(set, k - 1) ||
			              compare_naturally(before, order) <= 0;
			free(before);
			before = order;
		}
		free(before);
	}
	return is_in_order;
}

static void
put_in_order(struct joining *joining)
{
	bool is_in_order = joining->merge->n_sets > 1 && are_in_order(joining->merge);

	for (size_t i = 0; i < joining->n && is_in_order; i++) {
		joining->sources[i].order = path_order(joining->sources[i].held->path);
	}
	SORT(joining->sources, joining->n, compare_order);
	for (size_t i = 0; i < joining->n; i++) {
		free(joining->sources[i].order);
	}
}

static void
take_sources(struct joining *joining)
{
	struct ingest_merge *merge = joining->merge;
	struct ingest_plan *plan = &merge->plan;
	size_t n = joining->n + 1;

	plan->paths = xcalloc(n, sizeof *plan->paths);
	plan->kept = merge->kept = xcalloc(n, sizeof *merge->kept);
	plan->opened = merge->opened = xcalloc(n, sizeof *merge->opened);
	merge->records = xcalloc(n, sizeof *merge->records);
	plan->parts = merge->sets[0].about->has_records ? merge->records : NULL;
	for (size_t i = 0; i < joining->n; i++) {
		const struct joined_source *source = &joining->sources[i];
		plan->paths[i] = source->held->path;
		merge->records[i] = source->held->records;
		merge->kept[i] = source->kept;
		merge->opened[i] = source->opened;
		plan->n_beside += source->is_beside;
	}
	plan->n_paths = (unsigned)joining->n;
	if (plan->n_beside == plan->n_paths) { /* no trace beside them */
		plan->n_beside = 0;
	}
	plan->beside = plan->n_beside ? plan->beside : NULL;
}

/* ---- all of it ---- */

/* As a planning lists them: what is missing, copies, what was found in files. */
static void
add_problems(struct ingest_merge *merge, const struct part_set *set, int rank)
{
	const struct part_about *about = set->part_1;

	for (uint32_t i = 0; about && i < about->plan.n_problems; i++) {
		const struct plan_problem *problem = &about->plan.problems[i];
		int own = problem->kind == PROBLEM_MISSING     ? 0
		          : problem->kind == PROBLEM_DUPLICATE ? 1
		                                               : 2;
		if (own == rank) {
			add_problem(merge, problem->kind, problem->reason);
		}
	}
}

static void
add_all_sources(struct ingest_merge *merge)
{
	struct joining joining = {.merge = merge, .seen = merge->n_sets > 1 ? intern_new() : NULL};
	size_t n = 1;

	for (size_t i = 0; i < merge->n_sets; i++) {
		n += merge->sets[i].about->plan.n_paths;
	}
	joining.sources = xcalloc(n, sizeof *joining.sources);
	joining.first_paths = xcalloc(n, sizeof *joining.first_paths);
	for (int rank = 0; rank < 3; rank++) {
		for (size_t i = 0; i < merge->n_sets; i++) {
			add_problems(merge, &merge->sets[i], rank);
		}
		for (size_t i = 0; i < merge->n_sets && rank == 1; i++) {
			add_sources(&joining, &merge->sets[i]);
		}
	}
	put_in_order(&joining);
	take_sources(&joining);
	intern_free(joining.seen);
	free(joining.first_paths);
	free(joining.sources);
}

/* All of their format in one folder, as each run says, or what was asked for. */
static void
say_why(struct ingest_merge *merge)
{
	struct ingest_plan *plan = &merge->plan;

	for (size_t i = 0; i < merge->n_sets && merge->n_sets > 1; i++) {
		const struct ingest_plan *other = &merge->sets[i].about->plan;
		bool is_same = plan->is_folder && other->is_folder && plan->grouping &&
		               other->grouping && strcmp(plan->grouping, other->grouping) == 0;
		plan->grouping = is_same ? plan->grouping : GROUPING_ASKED;
		plan->is_folder = is_same;
	}
}

static int
take_tags(struct ingest_merge *merge, struct err *err)
{
	for (size_t i = 0; i < merge->n_sets; i++) {
		const struct tag_list *tags = merge->sets[i].about->plan.tags;
		if (tags && tag_list_add(&merge->tags, tags, err)) {
			return -1;
		}
	}
	merge->plan.tags = &merge->tags;
	return 0;
}

int
part_join(struct ingest_merge *merge, struct err *err)
{
	struct ingest_plan *plan = &merge->plan;
	bool has_runs = false;

	for (size_t i = 0; i < merge->n_sets; i++) {
		has_runs |= merge->sets[i].is_run;
	}
	if (check_alike(merge, err) ||
	    (merge->n_sets > 1 || has_runs ? load_all_digests(merge, err) : 0)) {
		return -1;
	}
	if (merge->traces && look_at_traces(merge, err)) {
		return -1;
	}
	*plan = leader(merge)->about->plan;
	plan->n_problems = plan->n_beside = 0;
	for (size_t i = 0; i < merge->n_sets; i++) {
		plan->beside = plan->beside ? plan->beside : beside_of(&merge->sets[i]);
	}
	plan->must_compare = has_runs;
	add_all_sources(merge);
	say_why(merge);
	if (merge->n_sets > 1) {
		plan->folder_bytes = plan_shared_folder(plan);
	}
	return check_folder(merge, err) || take_tags(merge, err) ? -1 : 0;
}
