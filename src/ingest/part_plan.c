/*
 * Every part holds the plan of the whole run: who puts parts together needs nothing else, sees
 * which are missing, and that all are of the same plan. It is made of the same paths on every
 * machine, so each of the jobs that make parts can make the plan for itself and take what is its.
 *
 * Sources are shared out by their size, the largest first, each to the part that has least so far.
 */
#include "config.h"
#include "ingest/part.h"

#include <stdlib.h>

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

uint32_t *
part_about_shares(const struct part_about *about)
{
	uint32_t n = about->plan.n_paths, of = about->number.of;
	struct sized *sized = xcalloc((size_t)n + 1, sizeof *sized);
	struct load *loads = xcalloc(of, sizeof *loads);
	uint32_t *shares = xcalloc((size_t)n + 1, sizeof *shares);

	for (uint32_t i = 0; i < n; i++) {
		sized[i] = (struct sized){MOST(about->files[i].size_bytes, 0) + 1, i};
	}
	for (uint32_t i = 0; i < of; i++) { /* equal loads in order are a heap */
		loads[i].part = i + 1;
	}
	SORT(sized, n, compare_sized);
	for (uint32_t i = 0; i < n; i++) {
		shares[sized[i].path] = loads[0].part;
		loads[0].bytes += sized[i].bytes;
		loads_sink(loads, of, 0);
	}
	free(sized);
	free(loads);
	return shares;
}

static void
take_share(struct part_about *about)
{
	uint32_t *shares = part_about_shares(about);

	for (uint32_t i = 0; i < about->plan.n_paths; i++) {
		if (shares[i] == about->number.nth) {
			MEM_GROW(about->held, about->held_capacity, about->n_held + 1);
			about->held[about->n_held++] = i;
		}
	}
	free(shares);
}

/* ---- as bytes ---- */

struct about_pack {
	struct pack pack;
	struct strbuf *out; /* being written */
	struct slice in;    /* or read, and given at once */
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
pack_file(struct pack *pack, struct planned_file *file)
{
	PACK(pack, file->size_bytes);
	PACK(pack, file->modified_ns);
}

static void
pack_paths(struct pack *pack, struct part_about *about)
{
	struct ingest_plan *plan = &about->plan;
	uint64_t folder_bytes = plan->folder_bytes;
	uint32_t n = plan->n_paths;
	size_t capacity = 0;

	PACK(pack, n);
	for (uint32_t i = 0; i < n && !pack->failed; i++) {
		pack_break(pack);
		if (pack->is_reading) {
			MEM_GROW(plan->paths, capacity, (size_t)i + 1);
			plan->paths[i] = NULL;
			plan->n_paths = i + 1;
		}
		pack_kept_string(pack, about->arena, &plan->paths[i]);
		pack->failed |= !plan->paths[i];
	}
	PACK(pack, folder_bytes);
	plan->folder_bytes = (size_t)folder_bytes;
	PACK_ARRAY(pack, about->files, about->n_files, about->files_capacity, pack_file);
	for (uint32_t i = 0; i < plan->n_paths; i++) {
		pack->failed |= pack->is_reading && plan->paths[i] &&
		                strlen(plan->paths[i]) < plan->folder_bytes;
	}
	pack->failed |= about->n_files != plan->n_paths || plan->n_paths == 0;
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

/* Of each path, if of any. */
static void
pack_parts(struct pack *pack, struct part_about *about)
{
	struct ingest_plan *plan = &about->plan;
	bool has_parts = plan->parts != NULL;

	PACK(pack, has_parts);
	if (!has_parts || pack->failed) {
		return;
	}
	struct plan_part *parts = (struct plan_part *)plan->parts;
	if (pack->is_reading) {
		parts = arena_zalloc(about->arena, plan->n_paths * sizeof *parts);
	}
	for (uint32_t i = 0; i < plan->n_paths; i++) {
		PACK(pack, parts[i].first);
		PACK(pack, parts[i].end);
	}
	plan->parts = parts;
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
pack_plan(struct pack *pack, struct part_about *about)
{
	struct ingest_plan *plan = &about->plan;

	pack_kept_string(pack, about->arena, (const char **)&about->made_by);
	pack_kept_string(pack, about->arena, &plan->format);
	pack_kept_string(pack, about->arena, &plan->name);
	pack_kept_string(pack, about->arena, &plan->grouping);
	pack_kept_string(pack, about->arena, &plan->beside);
	PACK(pack, plan->n_beside);
	PACK(pack, about->lenient);
	PACK(pack, about->is_forced);
	pack_paths(pack, about);
	pack_problems(pack, about);
	pack_parts(pack, about);
	pack_tags(pack, about);
	pack->failed |= !about->made_by || !plan->format || !plan->name ||
	                plan->n_beside > plan->n_paths || (plan->n_beside && !plan->beside);
}

static void
pack_share(struct pack *pack, struct part_about *about)
{
	PACK(pack, about->number.nth);
	PACK(pack, about->number.of);
	PACK_ARRAY(pack, about->held, about->n_held, about->held_capacity, pack_small);
	pack->failed |= about->number.of == 0 || about->number.of > INGEST_PARTS_MAX ||
	                about->number.nth > about->number.of;
	for (size_t i = 0; i < about->n_held; i++) {
		pack->failed |= about->held[i] >= about->plan.n_paths ||
		                (i > 0 && about->held[i] <= about->held[i - 1]);
	}
}

static struct digest_value
digest_of(const void *bytes, size_t length)
{
	struct digest digest;

	digest_init(&digest);
	digest_add(&digest, bytes, length);
	return digest_end(&digest);
}

/* The plan alone, for its digest. */
static void
note_digest(struct part_about *about)
{
	struct strbuf out = {0};
	struct about_pack ap = {.pack = {.piece = turn_about}, .out = &out};
	struct err ignored = ERR_INIT;

	ap.pack.user = &ap;
	pack_plan(&ap.pack, about);
	(void)pack_end(&ap.pack, &ignored);
	about->plan_digest = digest_of(out.data, out.len);
	strbuf_free(&out);
}

void
part_about_make(struct part_about *about, const struct ingest_plan *plan,
                const struct ingest_options *options, struct part_number number)
{
	*about = (struct part_about){.made_by = (char *)(PACKAGE_NAME " " PACKAGE_VERSION),
	                             .plan = *plan,
	                             .lenient = options->lenient,
	                             .is_forced = options->format != NULL,
	                             .number = number};
	MEM_GROW(about->files, about->files_capacity, plan->n_paths);
	about->n_files = plan->n_paths;
	for (uint32_t i = 0; i < plan->n_paths; i++) {
		struct file_facts facts;
		bool is_there = file_facts_read(plan->paths[i], &facts);
		about->files[i] = is_there
		                      ? (struct planned_file){facts.size_bytes, facts.modified_ns}
		                      : (struct planned_file){-1, -1};
	}
	take_share(about);
	note_digest(about);
}

void
part_about_write(struct part_about *about, struct strbuf *out)
{
	struct about_pack ap = {.pack = {.piece = turn_about}, .out = out};
	struct err ignored = ERR_INIT;

	ap.pack.user = &ap;
	pack_plan(&ap.pack, about);
	pack_share(&ap.pack, about);
	(void)pack_end(&ap.pack, &ignored);
}

int
part_about_read(struct part_about *about, struct slice bytes, const char *path, struct err *err)
{
	struct about_pack ap = {.pack = {.is_reading = true, .piece = turn_about}, .in = bytes};

	*about = (struct part_about){.arena = arena_new()};
	ap.pack.user = &ap;
	pack_break(&ap.pack);
	pack_plan(&ap.pack, about);
	pack_share(&ap.pack, about);
	if (pack_end(&ap.pack, err)) {
		part_about_free(about);
		return err_wrap(err, "%s: what this part is of can't be read", path);
	}
	about->plan.tags = &about->tags;
	note_digest(about);
	return 0;
}

void
part_about_free(struct part_about *about)
{
	if (about->arena) {
		free(about->plan.paths);
		free(about->plan.problems);
	}
	free(about->files);
	free(about->held);
	tag_list_free(&about->tags);
	arena_free(about->arena);
	*about = (struct part_about){0};
}
