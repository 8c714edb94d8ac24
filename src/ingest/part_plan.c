/*
 * The plan of a run is made of the same paths on every machine, so each of the jobs that make
 * parts can make it for itself and take what is its, or is handed it in a file (plan_file.c). A
 * part says of which plan it is by a digest of it, and of that plan only what is common to all and
 * what is of the sources that it holds: the plan in each of ten thousand parts would be larger
 * than what they hold. So who puts parts together needs nothing else, sees which are missing, and
 * that all are of the same plan.
 *
 * Sources are shared out by their size, the largest first, each to the part that has least so far.
 */
#include "config.h"
#include "ingest/part.h"

#include <stdlib.h>
#include <string.h>

#include "util/file_facts.h"
#include "util/heap.h"
#include "util/order.h"

struct sized {
	int64_t bytes;
	uint32_t path;
};

static int
compare_sized(const void *left, const void *right)
{
	const struct sized *a = left, *b = right;
	int order = ORDER(b->bytes, a->bytes);

	return order ? order : ORDER(a->path, b->path);
}

struct load {
	int64_t bytes;
	uint32_t part;
};

static bool
has_less(const struct load *a, const struct load *b)
{
	return a->bytes != b->bytes ? a->bytes < b->bytes : a->part < b->part;
}

HEAP(loads, struct load, has_less)

/* Takes those that are the nth part's of all sources of a plan. */
static void
take_share(struct part_about *about, const struct held_source *all, uint32_t nth)
{
	uint32_t n = about->plan.n_paths, of = about->of;
	struct sized *sized = xcalloc((size_t)n + 1, sizeof *sized);
	struct load *loads = xcalloc(of, sizeof *loads);
	bool *is_held = xcalloc((size_t)n + 1, sizeof *is_held);

	for (uint32_t i = 0; i < n; i++) {
		sized[i] = (struct sized){MOST(all[i].size_bytes, 0) + 1, i};
	}
	for (uint32_t i = 0; i < of; i++) { /* equal loads in order are a heap */
		loads[i].part = i + 1;
	}
	SORT(sized, n, compare_sized);
	for (uint32_t i = 0; i < n; i++) {
		is_held[sized[i].path] = loads[0].part == nth;
		loads[0].bytes += sized[i].bytes;
		loads_sink(loads, of, 0);
	}
	for (uint32_t i = 0; i < n; i++) {
		if (is_held[i]) {
			MEM_GROW(about->held, about->held_capacity, about->n_held + 1);
			about->held[about->n_held++] = all[i];
		}
	}
	free(sized);
	free(loads);
	free(is_held);
}

/* ---- as bytes ---- */

struct about_pack {
	struct pack pack;
	struct strbuf *out; /* being written */
	struct slice in;    /* or read, and given at once */
	struct part_about *about;
};

static int
turn_about(void *user, struct pack *pack, struct err *err)
{
	struct about_pack *ap = user;

	(void)err;
	if (pack->is_reading) {
		strbuf_add_slice(&pack->bytes, ap->in);
		ap->in.len = 0;
	} else {
		strbuf_add_slice(ap->out, strbuf_slice(&pack->bytes));
		strbuf_clear(&pack->bytes);
	}
	return 0;
}

static void
pack_held(struct about_pack *ap, struct held_source *held)
{
	struct pack *pack = &ap->pack;

	PACK(pack, held->index);
	pack_kept_string(pack, ap->about->arena, &held->path);
	PACK(pack, held->size_bytes);
	PACK(pack, held->modified_ns);
	if (ap->about->has_records) {
		PACK(pack, held->records.first);
		PACK(pack, held->records.end);
	}
	pack->failed |= !held->path || strlen(held->path) < ap->about->plan.folder_bytes;
}

static void
pack_problems(struct pack *pack, struct part_about *about)
{
	struct ingest_plan *plan = &about->plan;
	uint32_t n = plan->n_problems;
	size_t capacity = 0;

	PACK(pack, n);
	for (uint32_t i = 0; i < n && !pack->failed; i++) {
		uint32_t kind = pack->is_reading ? 0 : plan->problems[i].kind;
		pack_break(pack);
		PACK(pack, kind);
		if (pack->is_reading) {
			MEM_GROW(plan->problems, capacity, (size_t)i + 1);
			plan->problems[i] = (struct plan_problem){kind, NULL};
			plan->n_problems = i + 1;
		}
		pack_kept_string(pack, about->arena, &plan->problems[i].reason);
		pack->failed |= kind >= PROBLEM_KINDS || !plan->problems[i].reason;
	}
}

static void
pack_tags(struct pack *pack, struct part_about *about)
{
	const struct tag_list *given = about->plan.tags;
	uint64_t n = pack->is_reading || !given ? 0 : given->n;

	PACK(pack, n);
	for (uint64_t i = 0; i < n && !pack->failed; i++) {
		struct slice key = {"", 0}, value = {"", 0};
		struct err err = ERR_INIT;
		if (!pack->is_reading) {
			key = slice_of(given->all[i].key);
			value = slice_of(given->all[i].value);
		}
		pack_slice(pack, &key);
		pack_slice(pack, &value);
		pack->failed |= pack->is_reading && !pack->failed &&
		                tag_list_set(&about->tags, key, value, &err) != 0;
	}
}

static void
pack_common(struct pack *pack, struct part_about *about)
{
	struct ingest_plan *plan = &about->plan;
	uint64_t folder_bytes = plan->folder_bytes;

	pack_kept_string(pack, about->arena, &about->made_by);
	pack_kept_string(pack, about->arena, &plan->format);
	pack_kept_string(pack, about->arena, &plan->name);
	pack_kept_string(pack, about->arena, &plan->grouping);
	pack_kept_string(pack, about->arena, &plan->beside);
	PACK(pack, plan->is_folder);
	PACK(pack, plan->n_beside);
	PACK(pack, about->lenient);
	PACK(pack, about->is_forced);
	PACK(pack, plan->n_paths);
	PACK(pack, folder_bytes);
	plan->folder_bytes = (size_t)folder_bytes;
	PACK(pack, about->has_records);
	pack_tags(pack, about);
	pack->failed |= !about->made_by || !plan->format || !plan->name || plan->n_paths == 0 ||
	                plan->n_paths > PART_SOURCES_MAX || plan->n_beside > plan->n_paths ||
	                (plan->n_beside && !plan->beside);
}

static void
pack_number(struct pack *pack, struct part_about *about)
{
	PACK(pack, about->of);
	PACK_ARRAY(pack, about->numbers, about->n_numbers, about->numbers_capacity, pack_small);
	pack->failed |= about->of == 0 || about->of > INGEST_PARTS_MAX || about->n_numbers == 0;
	for (size_t i = 0; i < about->n_numbers; i++) {
		uint32_t nth = about->numbers[i], least = i > 0 ? about->numbers[i - 1] + 1 : 1;
		pack->failed |= nth < least || nth > about->of;
	}
}

static void
pack_all_held(struct about_pack *ap)
{
	struct part_about *about = ap->about;
	struct pack *pack = &ap->pack;

	PACK_EACH(pack, ap, about->held, about->n_held, about->held_capacity, pack_held);
	for (size_t i = 0; i < about->n_held; i++) {
		pack->failed |= about->held[i].index >= about->plan.n_paths ||
		                (i > 0 && about->held[i].index <= about->held[i - 1].index);
	}
}

/* What is wrong with the plan is told by its first part. */
static void
pack_about(struct about_pack *ap)
{
	struct pack *pack = &ap->pack;
	struct part_about *about = ap->about;

	pack_common(pack, about);
	PACK(pack, about->plan_digest.high);
	PACK(pack, about->plan_digest.low);
	pack_number(pack, about);
	pack_all_held(ap);
	if (!pack->failed && about->numbers[0] == 1) {
		pack_problems(pack, about);
	}
}

/* The plan as a whole, and how its files are. */
static struct digest_value
digest_plan(struct part_about *about, struct held_source *all)
{
	struct strbuf out = {0};
	struct about_pack ap = {.pack = {.piece = turn_about}, .out = &out, .about = about};
	struct err ignored = ERR_INIT;
	struct digest digest;

	ap.pack.user = &ap;
	pack_common(&ap.pack, about);
	for (uint32_t i = 0; i < about->plan.n_paths; i++) {
		pack_held(&ap, &all[i]);
	}
	pack_problems(&ap.pack, about);
	(void)pack_end(&ap.pack, &ignored);
	digest_init(&digest);
	digest_add(&digest, out.data, out.len);
	strbuf_free(&out);
	return digest_end(&digest);
}

/* All sources of a plan. New (free()). */
static struct held_source *
list_sources(const struct ingest_plan *plan)
{
	struct held_source *all = xcalloc((size_t)plan->n_paths + 1, sizeof *all);

	if (plan->as_planned) {
		memcpy(all, plan->as_planned, plan->n_paths * sizeof *all);
		return all;
	}
	for (uint32_t i = 0; i < plan->n_paths; i++) {
		struct file_facts facts;
		bool is_there = file_facts_read(plan->paths[i], &facts);
		all[i] = (struct held_source){.index = i,
		                              .path = plan->paths[i],
		                              .size_bytes = is_there ? facts.size_bytes : -1,
		                              .modified_ns = is_there ? facts.modified_ns : -1};
		if (plan->parts) {
			all[i].records = plan->parts[i];
		}
	}
	return all;
}

/* all: its sources. */
static void
make_about(struct part_about *about, const struct ingest_plan *plan,
           const struct ingest_options *options, struct part_number number, struct held_source *all)
{
	*about = (struct part_about){.made_by = PART_MADE_BY,
	                             .plan = *plan,
	                             .lenient = options->lenient,
	                             .is_forced = options->format != NULL,
	                             .has_records = plan->parts != NULL,
	                             .of = number.of};
	MEM_GROW(about->numbers, about->numbers_capacity, 1);
	about->numbers[about->n_numbers++] = number.nth;
	take_share(about, all, number.nth);
	about->plan_digest = digest_plan(about, all);
}

void
part_about_make(struct part_about *about, const struct ingest_plan *plan,
                const struct ingest_options *options, struct part_number number)
{
	struct held_source *all = list_sources(plan);

	make_about(about, plan, options, number, all);
	free(all);
}

void
part_about_make_run(struct part_about *about, const struct run *run)
{
	struct held_source *all = xcalloc((size_t)run->n_sources + 1, sizeof *all);
	struct ingest_plan plan = *run->plan;

	for (uint32_t i = 0; i < run->n_sources; i++) {
		const struct source *source = &run->sources[i];
		all[i] = (struct held_source){
		    .index = i,
		    .path = source->path,
		    .size_bytes = source->is_file ? source->file.size_bytes : -1,
		    .modified_ns = source->is_file ? source->file.modified_ns : -1};
		if (plan.parts) {
			all[i].records = plan.parts[i];
		}
	}
	plan.tags = NULL; /* the run has a table of them, which people may change */
	make_about(about, &plan, run->options, (struct part_number){1, 1}, all);
	free(all);
}

void
part_about_write(struct part_about *about, struct strbuf *out)
{
	struct about_pack ap = {.pack = {.piece = turn_about}, .out = out, .about = about};
	struct err ignored = ERR_INIT;

	ap.pack.user = &ap;
	pack_about(&ap);
	(void)pack_end(&ap.pack, &ignored);
}

int
part_about_read(struct part_about *about, struct slice bytes, const char *path, struct arena *arena,
                struct err *err)
{
	struct about_pack ap = {
	    .pack = {.is_reading = true, .piece = turn_about}, .in = bytes, .about = about};

	*about = (struct part_about){.arena = arena};
	ap.pack.user = &ap;
	pack_break(&ap.pack);
	pack_about(&ap);
	if (pack_end(&ap.pack, err)) {
		part_about_free(about);
		return err_wrap(err, "%s: what this part is of can't be read", path);
	}
	about->plan.tags = &about->tags;
	return 0;
}

void
part_about_free(struct part_about *about)
{
	if (about->arena) {
		free(about->plan.problems);
	}
	free(about->numbers);
	free(about->held);
	tag_list_free(&about->tags);
	*about = (struct part_about){0};
}
