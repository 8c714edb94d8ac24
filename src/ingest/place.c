/*
 * A run file is never replaced by another run. What a run is, its identity says: a digest over
 * those of its sources (sorted: the order in which they are named does not matter), the records
 * that are read of each where a file holds several runs, its name where that tells what the content
 * is, the options that change what is kept, and the version of run files. What was told of the
 * files (copies, unreadable neighbours) is no part of it: the run holds the same. What is at the
 * place is asked for its identity before anything is imported and, since another process may have
 * been faster, once more when the finished file is to get its name.
 *
 * Before the import the digests are those that the run at the place has kept of its sources, where
 * path, device, inode, size and both times are what they were; else the files are read, but for
 * such whose size is no source's: they are told apart for nothing.
 */
#include "config.h"
#include "ingest/place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "import/import.h"
#include "ingest/find.h"
#include "input/input.h"
#include "store/runfile.h"
#include "store/store.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/slice.h"

#define NUMBER_LAST 9999

void
place_init(struct run_place *place, const struct ingest_plan *plan,
           const struct ingest_options *options, bool is_made)
{
	*place = (struct run_place){.plan = plan, .options = options, .is_made = is_made};
	place->path = xstrdup(plan->out_path);
	place->known = xcalloc((size_t)plan->n_paths + 1, sizeof *place->known);
}

void
place_fini(struct run_place *place)
{
	free(place->path);
	free(place->known);
}

/* ---- identities ---- */

static int
compare_lines(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* What is read of one source. */
static char *
source_line(const struct run_place *place, unsigned i, struct digest_value digest)
{
	const struct ingest_plan *plan = place->plan;
	bool is_beside = i >= plan->n_paths - plan->n_beside;
	const struct import_format *format = import_find(is_beside ? plan->beside : plan->format);
	struct strbuf line = {0};
	char digits[DIGEST_TEXT_BYTES];

	strbuf_add_text(&line, digest_print(digest, digits));
	if (plan->parts && (plan->parts[i].first || plan->parts[i].end)) {
		strbuf_printf(&line, " records %" PRIu64 " %" PRIu64, plan->parts[i].first,
		              plan->parts[i].end);
	}
	if (!place->is_made && format && format->copies == COPIES_NAME) {
		struct slice name = plain_name(plan->paths[i]);
		strbuf_add_text(&line, " name ");
		strbuf_add_slice(&line, name);
	}
	strbuf_add_char(&line, '\n');
	return strbuf_take(&line);
}

/* The digest of a text that lanescope-schema(5) describes. */
static void
make_identity(const struct run_place *place, const struct digest_value *digests, char *identity)
{
	unsigned n = place->plan->n_paths;
	char **lines = xcalloc((size_t)n + 1, sizeof *lines);
	struct strbuf text = {0};
	struct digest digest;

	strbuf_printf(&text, "lanescope run %d\nformat %s\n", STORE_VERSION, place->plan->format);
	if (place->options->lenient) {
		strbuf_add_text(&text, "lenient\n");
	}
	for (unsigned i = 0; i < n; i++) {
		lines[i] = source_line(place, i, digests[i]);
	}
	SORT(lines, n, compare_lines);
	for (unsigned i = 0; i < n; i++) {
		strbuf_add_text(&text, lines[i]);
		free(lines[i]);
	}
	digest_init(&digest);
	digest_add(&digest, text.data, text.len);
	digest_print(digest_end(&digest), identity);
	strbuf_free(&text);
	free(lines);
}

void
place_identify(struct run_place *place, const struct digest_value *digests)
{
	make_identity(place, digests, place->identity);
}

/* ---- what is there ---- */

enum held_place { HELD_NOTHING, HELD_SAME, HELD_OTHER, HELD_UNKNOWN };

static bool
parse_digest(struct slice text, struct digest_value *value)
{
	uint64_t halves[2] = {0, 0};
	if (text.len != DIGEST_TEXT_BYTES - 1) {
		return false;
	}
	for (size_t i = 0; i < text.len; i++) {
		const char *digits = "0123456789abcdef";
		const char *at = memchr(digits, text.ptr[i], 16);
		if (!at) {
			return false;
		}
		halves[i / 16] = halves[i / 16] << 4 | (uint64_t)(at - digits);
	}
	*value = (struct digest_value){halves[0], halves[1]};
	return true;
}

/* Looks for the file among the sources of a run. *has_size: one of them is as long. */
static int
find_kept(struct store *store, const struct file_facts *facts, const char *place,
          struct known_digest *known, bool *has_size, struct err *err)
{
	struct stmt *stmt = store_prepare(
	    store,
	    "SELECT digest, place IS ?1 AND device IS ?2 AND inode IS ?3 AND modified_ns IS ?5 "
	    "AND changed_ns IS ?6 FROM source WHERE raw_bytes = ?4",
	    err);
	int status = stmt ? 1 : -1;
	if (stmt) {
		const int64_t numbers[] = {facts->device, facts->inode, facts->size_bytes,
		                           facts->modified_ns, facts->changed_ns};
		stmt_bind_text(stmt, 1, slice_of(place));
		for (int i = 0; i < 5; i++) {
			stmt_bind_integer(stmt, i + 2, numbers[i]);
		}
	}
	while (status == 1 && (status = stmt_step(stmt, err)) == 1) {
		*has_size = true;
		if (stmt_integer(stmt, 1) && parse_digest(stmt_text(stmt, 0), &known->value)) {
			known->is_known = true;
			break;
		}
	}
	stmt_free(stmt);
	return status < 0 ? -1 : 0;
}

/* The digest of a path of the plan. HELD_OTHER: no source of the run is as long; HELD_UNKNOWN: it
 * can be read only once. */
static enum held_place
digest_path(struct run_place *place, unsigned i, struct store *store)
{
	const char *path = place->plan->paths[i];
	struct known_digest *known = &place->known[i];
	struct file_facts facts;
	struct err err = ERR_INIT; /* what can't be read, the import will tell */
	bool has_size = false;

	if (known->is_known) {
		return HELD_SAME;
	}
	if (place->is_made || place->plan->kept || strcmp(path, "-") == 0 ||
	    !file_facts_read(path, &facts)) {
		return HELD_UNKNOWN;
	}
	char *full = xrealpath(path);
	int status = find_kept(store, &facts, full ? full : path, known, &has_size, &err);
	free(full);
	if (status == 0 && !has_size) {
		return HELD_OTHER;
	}
	if (!known->is_known) {
		known->is_known =
		    input_digest(path, place->options->cancel, &known->value, &err) == 0;
	}
	return known->is_known ? HELD_SAME : HELD_UNKNOWN;
}

static enum held_place
compare_sources(struct run_place *place, struct store *store)
{
	unsigned n = place->plan->n_paths;
	struct digest_value *digests;
	enum held_place held = HELD_SAME;

	if (store_run(store)->n_sources != (int64_t)n) {
		return HELD_OTHER;
	}
	for (unsigned i = 0; i < n && held == HELD_SAME; i++) {
		held = digest_path(place, i, store);
	}
	if (held != HELD_SAME) {
		return held;
	}
	digests = xcalloc((size_t)n + 1, sizeof *digests);
	for (unsigned i = 0; i < n; i++) {
		digests[i] = place->known[i].value;
	}
	make_identity(place, digests, place->identity);
	free(digests);
	return HELD_SAME;
}

static enum held_place
look(struct run_place *place, const char *path)
{
	struct err err = ERR_INIT;
	struct stat status;
	struct store *store;
	enum held_place held = HELD_SAME;

	if (stat(path, &status) != 0 || (S_ISREG(status.st_mode) && status.st_size == 0)) {
		return HELD_NOTHING;
	}
	store = store_open(path, &err);
	if (!store) { /* damaged, or of another version */
		return HELD_OTHER;
	}
	if (!place->identity[0]) {
		held = compare_sources(place, store);
	}
	if (held == HELD_SAME && strcmp(store_run(store)->identity, place->identity) != 0) {
		held = HELD_OTHER;
	}
	store_close(store);
	return held;
}

/* ---- where it goes ---- */

/* "runs/f4-2.lanes" of "runs/f4.lanes". */
static char *
numbered(const char *path, unsigned number)
{
	size_t length = strlen(path);
	bool has_ending = length > 6 && strcmp(path + length - 6, ".lanes") == 0;
	struct strbuf text = {0};

	strbuf_printf(&text, "%.*s-%u%s", (int)(length - (has_ending ? 6 : 0)), path, number,
	              has_ending ? ".lanes" : "");
	return strbuf_take(&text);
}

/* What to do about what is at path: 0 the run goes there, 1 another place (place->path) is to be
 * looked at, -1 (err says why) nowhere. is_held is set where it is there. */
static int
decide(struct run_place *place, struct err *err)
{
	enum ingest_clash clash = place->options->clash;
	const char *out = place->options->out;
	enum held_place held;

	if (runfile_may_replace(place->path, err)) {
		return -1;
	}
	held = clash == CLASH_REPLACE ? HELD_NOTHING : look(place, place->path);
	place->is_held = held == HELD_SAME;
	if (held != HELD_OTHER || clash == CLASH_SHARE) {
		return 0;
	}
	bool is_named = out && strcmp(out, place->plan->out_path) == 0;
	if (is_named || place->number == NUMBER_LAST) {
		return err_set(err, ERR_USAGE,
		               "%s: holds another run: give another name, or --force to replace it",
		               place->path);
	}
	place->number = place->number ? place->number + 1 : 2;
	free(place->path);
	place->path = numbered(place->plan->out_path, place->number);
	return 1;
}

int
place_choose(struct run_place *place, struct err *err)
{
	int status;
	do {
		status = decide(place, err);
	} while (status == 1);
	return status;
}

char *
place_instead(void *user, const char *path, struct err *err)
{
	struct run_place *place = user;
	(void)path; /* place->path */
	return decide(place, err) < 0 || place->is_held ? NULL : xstrdup(place->path);
}
