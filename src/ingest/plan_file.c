/*
 * Plans as a file: made once and handed to thousands of jobs, each of which else searches the tree
 * and looks into all of its files for itself. Of each run it says what a part of all of it is of
 * (part_plan.c), the sizes and times of its files among it, so that a part is the same to the last
 * byte, whoever made the plan.
 *
 * A line that tells what it is, a digest of all that follows, and that.
 */
#include "config.h"
#include "ingest/part.h"
#include "ingest/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/tempfile.h"

#define MARK "lanescope plan 2\n" /* the number to be raised whenever what follows changes */
#define MARK_BYTES (sizeof MARK - 1)
#define HEAD_OF_FILE_BYTES (MARK_BYTES + sizeof(struct digest_value))
#define FILE_BYTES_MAX ((size_t)1 << 30)

/* Of all bytes behind the head. */
static struct digest_value
digest_of(const struct strbuf *bytes)
{
	struct digest digest;

	digest_init(&digest);
	digest_add(&digest, bytes->data + HEAD_OF_FILE_BYTES, bytes->len - HEAD_OF_FILE_BYTES);
	return digest_end(&digest);
}

/* ---- writing ---- */

/* Nothing but a plan may be lost. */
static int
check_place(const char *path, struct err *err)
{
	FILE *file = fopen(path, "re");
	char bytes[MARK_BYTES];
	size_t n = file ? fread(bytes, 1, sizeof bytes, file) : 0;
	bool is_free = n == 0 || (n == MARK_BYTES && memcmp(bytes, MARK, n) == 0);

	if (file) {
		(void)fclose(file); /* only read */
	}
	return is_free ? 0
	               : err_set(err, ERR_USAGE,
	                         "%s: is there already, and no plan: give another name", path);
}

static int
append(void *user, struct pack *pack, struct err *err)
{
	(void)err;
	strbuf_add_slice(user, strbuf_slice(&pack->bytes));
	strbuf_clear(&pack->bytes);
	return 0;
}

static void
add_plan(struct pack *pack, const struct ingest_plan *plan, const struct ingest_options *options)
{
	struct part_about about;
	struct strbuf bytes = {0};

	part_about_make(&about, plan, options, (struct part_number){1, 1});
	part_about_write(&about, &bytes);
	struct slice told = strbuf_slice(&bytes);
	pack_slice(pack, &told);
	strbuf_free(&bytes);
	part_about_free(&about);
}

int
ingest_plans_write(const struct ingest_plans *plans, const struct ingest_options *options,
                   const char *path, struct err *err)
{
	struct digest_value digest = {0, 0};
	struct strbuf bytes = {0};
	struct pack pack = {.piece = append, .user = &bytes};
	uint32_t n = plans->n_plans;
	int status = check_place(path, err);

	for (unsigned i = 0; i < n && status == 0; i++) {
		status = part_check_files(&plans->plans[i], err);
	}
	if (status) {
		return -1;
	}
	strbuf_add(&bytes, MARK, MARK_BYTES);
	strbuf_add(&bytes, &digest, sizeof digest);
	PACK(&pack, n);
	for (unsigned i = 0; i < n; i++) {
		pack_break(&pack);
		add_plan(&pack, &plans->plans[i], options);
	}
	status = pack_end(&pack, err);
	digest = digest_of(&bytes);
	memcpy(bytes.data + MARK_BYTES, &digest, sizeof digest);
	status = status ? -1 : tempfile_replace(path, bytes.data, bytes.len, err);
	strbuf_free(&bytes);
	return status;
}

/* ---- reading ---- */

static int
is_none(const char *path, struct err *err)
{
	return err_set(err, ERR_FORMAT,
	               "%s: is no plan that this lanescope made: lanescope import --plan FILE "
	               "TRACE... makes one",
	               path);
}

/* All of the file, of which is known by its first bytes that it is a plan. */
static int
read_bytes(FILE *file, const char *path, struct strbuf *bytes, struct err *err)
{
	char chunk[65536];
	size_t wanted = HEAD_OF_FILE_BYTES, n;

	while (bytes->len < FILE_BYTES_MAX && (n = fread(chunk, 1, wanted, file)) > 0) {
		strbuf_add(bytes, chunk, n);
		if (!slice_starts_with(strbuf_slice(bytes), MARK)) {
			break;
		}
		wanted = sizeof chunk;
	}
	if (ferror(file)) {
		return err_set_errno(err, errno, "%s", path);
	}
	if (!slice_starts_with(strbuf_slice(bytes), MARK)) {
		return is_none(path, err);
	}
	struct digest_value digest = {0, 0};
	bool is_whole = bytes->len > HEAD_OF_FILE_BYTES;
	if (is_whole) {
		struct digest_value own = digest_of(bytes);
		memcpy(&digest, bytes->data + MARK_BYTES, sizeof digest);
		is_whole = digest.high == own.high && digest.low == own.low;
	}
	return is_whole ? 0 : err_set(err, ERR_FORMAT, "%s: is damaged: make the plan again", path);
}

static int
take_rest(void *user, struct pack *pack, struct err *err)
{
	struct slice *rest = user;

	(void)err;
	strbuf_add_slice(&pack->bytes, *rest);
	rest->len = 0;
	return 0;
}

/* A name is of a file that will be written, and all sources are the part's. */
static bool
is_sound(const struct part_about *about)
{
	const struct ingest_plan *plan = &about->plan;

	return about->of == 1 && about->n_held == plan->n_paths && plan_is_name(plan->name) &&
	       import_find(plan->format) && (!plan->n_beside || import_find(plan->beside));
}

static int
take_plan(struct planning *planning, struct slice told, const char *path, struct err *err)
{
	struct part_about *about = &planning->read[planning->plans.n_plans];
	struct ingest_plan *plan = &planning->plans.plans[planning->plans.n_plans];
	struct plan_part *records;

	if (part_about_read(about, told, path, planning->arena, err)) {
		return -1;
	}
	planning->plans.n_plans++; /* to be freed with the others */
	if (strcmp(about->made_by, PART_MADE_BY) != 0 || !is_sound(about)) {
		return is_none(path, err);
	}
	*plan = about->plan;
	plan->as_planned = about->held;
	plan->paths = xcalloc((size_t)plan->n_paths + 1, sizeof *plan->paths);
	records = arena_alloc(planning->arena, (size_t)plan->n_paths * sizeof *records);
	for (unsigned i = 0; i < plan->n_paths; i++) {
		plan->paths[i] = about->held[i].path;
		records[i] = about->held[i].records;
	}
	plan->parts = about->has_records ? records : NULL;
	return 0;
}

static int
take_all(struct planning *planning, struct slice rest, const char *path, struct err *err)
{
	struct pack pack = {.is_reading = true, .piece = take_rest, .user = &rest};
	size_t n_read = 0, n_plans = 0;
	uint32_t n = 0;
	int status = 0;

	pack_break(&pack);
	PACK(&pack, n);
	for (uint32_t i = 0; i < n && status == 0 && !pack.failed; i++) {
		struct slice told = {"", 0};
		pack_slice(&pack, &told);
		MEM_GROW(planning->read, n_read, (size_t)i + 1);
		MEM_GROW(planning->plans.plans, n_plans, (size_t)i + 1);
		planning->plans.plans[i] = (struct ingest_plan){0};
		status = pack.failed ? 0 : take_plan(planning, told, path, err);
	}
	pack.failed |= n == 0;
	if (status) {
		struct err ignored = ERR_INIT;
		(void)pack_end(&pack, &ignored);
		return -1;
	}
	return pack_end(&pack, err) ? err_wrap(err, "%s", path) : 0;
}

struct ingest_plans *
ingest_plans_read(const char *path, struct ingest_options *options, struct err *err)
{
	FILE *file = fopen(path, "re");
	struct planning *planning = plan_new(options);
	struct strbuf bytes = {0};
	int status =
	    file ? read_bytes(file, path, &bytes, err) : err_set_errno(err, errno, "%s", path);

	if (status == 0) {
		status = take_all(planning, slice_from(strbuf_slice(&bytes), HEAD_OF_FILE_BYTES),
		                  path, err);
	}
	if (file) {
		(void)fclose(file); /* only read */
	}
	strbuf_free(&bytes);
	if (status) {
		ingest_plans_free(&planning->plans);
		return NULL;
	}
	for (unsigned i = 0; i < planning->plans.n_plans; i++) {
		planning->plans.plans[i].tags = &planning->read[i].tags;
	}
	plan_place(planning);
	planning->options = NULL; /* the caller's */
	options->lenient = planning->read[0].lenient;
	options->format = planning->read[0].is_forced ? planning->plans.plans[0].format : NULL;
	return &planning->plans;
}
