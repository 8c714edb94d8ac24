/*
 * The cache's key: a hash over the program's store version, what the plan told of the files, and,
 * for each trace file, its real path, device, inode, size, times of modification and change, and
 * the records that are read of it. A trace that grew is another run; the old one goes when the
 * cache is full (cache_limit.c), or with `rm -r ~/.cache/lanescope`, which is always safe. Of
 * programs that import the same trace at once the first to finish wins; the others throw theirs
 * away and take its file, which therefore never changes under a reader.
 */
#include "config.h"
#include "cli/cache.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/store.h"
#include "util/file_facts.h"
#include "util/intern.h"
#include "util/mem.h"
#include "util/spill.h"
#include "util/tempfile.h"

int
make_folders(char *path, unsigned mode, struct err *err)
{
	for (char *p = path + 1;; p++) {
		if (*p != '/' && *p != 0) {
			continue;
		}
		char end = *p;
		*p = 0;
		int failed = mkdir(path, (mode_t)mode) != 0 && errno != EEXIST;
		*p = end;
		if (failed) {
			return err_set_errno(err, errno, "%s", path);
		}
		if (end == 0) {
			return 0;
		}
	}
}

bool
cache_place(const char *name, struct strbuf *path)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	if (cache && cache[0] == '/') {
		strbuf_printf(path, "%s/lanescope/%s", cache, name);
		return true;
	}
	if (home && home[0] == '/') {
		strbuf_printf(path, "%s/.cache/lanescope/%s", home, name);
		return true;
	}
	return false;
}

int
cache_folder(const char *name, struct strbuf *path, struct err *err)
{
	return !cache_place(name, path)
	           ? err_set(err, ERR_SYSTEM,
	                     "no folder for the cache: HOME is not set; set XDG_CACHE_HOME, or "
	                     "use lanescope import")
	           : make_folders(path->data, 0700, err);
}

static int
hash_file(const char *path, uint64_t *hash, struct err *err)
{
	struct stat status;
	char *real = xrealpath(path);
	if (!real || stat(real, &status) != 0) {
		err_set_errno(err, errno, "%s", path);
		free(real);
		return -1;
	}
	struct file_facts facts = file_facts_of(&status);
	*hash = hash_bytes(real, strlen(real), *hash);
	*hash = hash_bytes(&facts, sizeof facts, *hash);
	free(real);
	return 0;
}

char *
cache_run_path(const struct ingest_plan *plan, const char *folder, struct err *err)
{
	uint64_t hash = hash_bytes(PACKAGE_VERSION, sizeof PACKAGE_VERSION, STORE_VERSION);
	hash = hash_bytes(plan->format, strlen(plan->format), hash);
	for (unsigned i = 0; i < plan->n_problems; i++) {
		const char *reason = plan->problems[i].reason;
		hash = hash_bytes(reason, strlen(reason) + 1, hash);
	}
	for (unsigned i = 0; i < plan->n_paths; i++) {
		if (hash_file(plan->paths[i], &hash, err)) {
			return NULL;
		}
		if (plan->parts) {
			hash = hash_bytes(&plan->parts[i], sizeof plan->parts[i], hash);
		}
	}
	struct strbuf path = {0};
	tag_list_write(plan->tags, NULL, &path);
	hash = hash_bytes(path.data ? path.data : "", path.len, hash);
	strbuf_clear(&path);
	strbuf_printf(&path, "%s/%016" PRIx64, folder, hash);
	if (make_folders(path.data, 0700, err)) {
		strbuf_free(&path);
		return NULL;
	}
	const char *slash = strrchr(plan->out_path, '/');
	strbuf_printf(&path, "/%s", slash ? slash + 1 : plan->out_path);
	return strbuf_take(&path);
}

bool
cache_has(const char *path)
{
	struct err ignored = ERR_INIT;
	struct store *store = access(path, R_OK) == 0 ? store_open(path, &ignored) : NULL;
	store_close(store);
	return store;
}

static bool
is_plain(const char *path)
{
	struct stat status;
	return stat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
}

/* Standard input, or what a shell put behind <(...): somebody writes there. */
static bool
is_given_open(const char *path)
{
	return strcmp(path, "-") == 0 ||
	       ((strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/dev/fd/", 8) == 0) &&
	        !is_plain(path));
}

int
cache_check_plain(const char *path, bool may_be_open, struct err *err)
{
	if (is_given_open(path)) {
		return may_be_open ? 0
		                   : err_set(err, ERR_USAGE,
		                             "%s can't be read beside keys: lanescope import "
		                             "it, then open the run file",
		                             strcmp(path, "-") == 0 ? "standard input" : path);
	}
	return is_plain(path) ? 0
	                      : err_set(err, ERR_USAGE,
	                                "%s: is a pipe or a device, which can't be kept in the "
	                                "cache: use lanescope import",
	                                path);
}

/* Where a trace that can't be known again becomes a run file: TMPDIR, else /tmp. */
static char *
once_folder(void)
{
	return spill_folder("/tmp/");
}

/* It is no use to the cache: its run is gone with this program. */
static int
import_once(struct cli *cli, const struct ingest_plan *plan, const struct cache_request *request,
            struct err *err)
{
	struct ingest_options options = {.clash = CLASH_SHARE, .cancel = &cli->cancel};
	struct ingest_plan once = *plan;
	struct strbuf path = {0};
	const char *slash = strrchr(plan->out_path, '/');
	char *beside = once_folder();
	strbuf_printf(&path, "%s/lanescope", beside);
	char *folder = tempfile_folder(path.data, err);
	int rc = folder ? 0 : err_wrap(err, "no place for standard input (TMPDIR may name one)");
	if (folder) {
		strbuf_clear(&path);
		strbuf_printf(&path, "%s/%s", folder, slash ? slash + 1 : plan->out_path);
		once.out_path = path.data;
		MEM_GROW(cli->once, cli->once_capacity, cli->n_once + 1);
		cli->once[cli->n_once++] = folder;
		rc = progress_import(&once, &options, NULL, err);
	}
	if (rc == 0) {
		request->add(request->user, path.data);
	}
	free(beside);
	strbuf_free(&path);
	return rc;
}

static int
import_plan(struct cli *cli, const struct ingest_plan *plan, const char *folder,
            const struct cache_request *request, struct err *err)
{
	struct ingest_options options = {.clash = CLASH_SHARE, .cancel = &cli->cancel};
	for (unsigned i = 0; i < plan->n_paths; i++) {
		if (is_given_open(plan->paths[i])) {
			return import_once(cli, plan, request, err);
		}
	}
	char *path = cache_run_path(plan, folder, err);
	if (!path) {
		return -1;
	}
	int rc = 0;
	cache_hold(cli, path);
	if (!cache_has(path)) {
		struct ingest_plan into_cache = *plan;
		into_cache.out_path = path;
		rc = progress_import(&into_cache, &options, NULL, err);
		cache_trim(folder, cache_limit_bytes());
	}
	if (rc == 0) {
		request->add(request->user, path);
	}
	free(path);
	return rc;
}

struct ingest_plans *
cache_plan(const char *const *traces, unsigned n_traces, struct strbuf *folder,
           const struct cancel *cancel, struct err *err)
{
	unsigned n_open = 0;
	for (unsigned i = 0; i < n_traces; i++) {
		if (cache_check_plain(traces[i], true, err)) {
			return NULL;
		}
		n_open += is_given_open(traces[i]);
	}
	strbuf_clear(folder);
	if (n_open == n_traces) { /* no cache is needed */
		char *place = once_folder();
		strbuf_add_text(folder, place);
		free(place);
	} else if (cache_folder("runs", folder, err)) {
		return NULL;
	}
	struct ingest_options options = {.out = folder->data, .cancel = cancel};
	return ingest_plan(traces, n_traces, &options, err);
}

/* Says it, counts it and goes on, if whoever asked is patient and the user has not had enough. */
static int
pass_over(const char *message, size_t *n_failed, struct err *err)
{
	if (!n_failed || err->code == ERR_CANCELLED) {
		return err->code ? -1 : err_set(err, ERR_FORMAT, "%s", message);
	}
	cli_say("%s", message);
	++*n_failed;
	*err = (struct err)ERR_INIT;
	return 0;
}

static int
import_plans(struct cli *cli, const struct ingest_plans *plans, const char *folder,
             const struct cache_request *request, struct err *err)
{
	int rc = 0;
	for (unsigned i = 0; rc == 0 && i < plans->n_failed; i++) {
		rc = pass_over(plans->failed[i], request->n_failed, err);
	}
	for (unsigned i = 0; rc == 0 && i < plans->n_plans; i++) {
		if (import_plan(cli, &plans->plans[i], folder, request, err)) {
			rc = pass_over(err->message, request->n_failed, err);
		}
	}
	return rc;
}

int
cache_import(struct cli *cli, const struct cache_request *request, struct err *err)
{
	struct strbuf folder = {0};
	struct ingest_plans *plans =
	    cache_plan(request->traces, request->n_traces, &folder, &cli->cancel, err);
	int rc = plans ? import_plans(cli, plans, folder.data, request, err)
	               : pass_over(err->message, request->is_all ? NULL : request->n_failed, err);
	ingest_plans_free(plans);
	strbuf_free(&folder);
	return rc;
}
