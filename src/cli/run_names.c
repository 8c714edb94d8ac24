/*
 * Two runs of one name in two folders are told apart as their owner does: by the folders. A run of
 * the cache lies in a folder that says nothing, so it counts as lying beside its trace.
 */
#include "config.h"
#include "cli/run_names.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cache.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/slice.h"

static bool
is_cached(const char *path)
{
	struct strbuf folder = {0};
	bool is_there = cache_place("runs", &folder) && folder.len > 0 &&
	                strncmp(path, folder.data, folder.len) == 0 && path[folder.len] == '/';
	strbuf_free(&folder);
	return is_there;
}

/* Appends the folder, "/" included, without "." and doubled slashes. */
static void
add_folder(struct strbuf *out, const char *path, size_t length)
{
	for (size_t at = 0; at < length;) {
		size_t n = strcspn(path + at, "/");
		n = LEAST(length - at, n);
		bool is_nothing = (n == 0 && at > 0) || (n == 1 && path[at] == '.');
		if (!is_nothing) {
			strbuf_add(out, path + at, n);
			strbuf_add_char(out, '/');
		}
		at += n + 1;
	}
}

/* The folder, "/" included, that all trace files of a run have in common; new text. */
static char *
trace_folder(struct store *store)
{
	struct err ignored = ERR_INIT; /* then there is none */
	struct stmt *stmt =
	    store_prepare(store, "SELECT coalesce(place, path) FROM source ORDER BY id", &ignored);
	char *folder = NULL;
	size_t length = 0;

	while (stmt && stmt_step(stmt, &ignored) == 1) {
		struct slice path = stmt_text(stmt, 0);
		size_t same = 0;
		length = folder ? length : path.len;
		folder = folder ? folder : xstrndup(path.ptr, path.len);
		while (same < length && same < path.len && folder[same] == path.ptr[same]) {
			same++;
		}
		length = same;
		while (length > 0 && folder[length - 1] != '/') {
			length--;
		}
	}
	stmt_free(stmt);
	char *shared = xstrndup(folder ? folder : "", length);
	free(folder);
	return shared;
}

/* "FOLDER/NAME" of a run; new text. A run of a folder's files is called like it: the folder stands
 * once. */
static char *
place_of(struct store *store)
{
	const char *path = store_path(store), *name = store_run(store)->name;
	const char *slash = strrchr(path, '/');
	struct strbuf place = {0};
	char *folder = is_cached(path) ? trace_folder(store)
	                               : xstrndup(path, slash ? (size_t)(slash - path) + 1 : 0);
	size_t length = strlen(folder), own = strlen(name);
	bool ends_so = is_cached(path) && length > own + 1 && folder[length - own - 2] == '/' &&
	               strncmp(folder + length - own - 1, name, own) == 0;

	add_folder(&place, folder, ends_so ? length - own - 1 : length);
	strbuf_add_text(&place, name);
	free(folder);
	return strbuf_take(&place);
}

/* The last n folders of a place, and the name. */
static const char *
with_folders(const char *place, unsigned n)
{
	const char *at = place + strlen(place);
	for (unsigned i = 0; at > place; at--) {
		if (at[-1] == '/' && i++ == n) {
			break;
		}
	}
	return at;
}

struct named_place {
	char *text;
	size_t run;
	unsigned folders; /* that its name has */
};

static int
compare_names(const void *a, const void *b)
{
	const struct named_place *x = a, *y = b;
	return strcmp(with_folders(x->text, 0), with_folders(y->text, 0));
}

static int
compare_runs(const void *a, const void *b)
{
	const struct named_place *x = a, *y = b;
	return ORDER(x->run, y->run);
}

/* Do so many folders tell apart all runs, of one name, that lie in different folders? */
static bool
tells_apart(const struct named_place *places, size_t n, unsigned folders)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			if (strcmp(places[i].text, places[j].text) != 0 &&
			    strcmp(with_folders(places[i].text, folders),
			           with_folders(places[j].text, folders)) == 0) {
				return false;
			}
		}
	}
	return true;
}

static void
count_folders(struct named_place *places, size_t n)
{
	SORT(places, n, compare_names);
	for (size_t i = 0, end; i < n; i = end) {
		unsigned folders = 0;
		for (end = i + 1; end < n && compare_names(&places[i], &places[end]) == 0;) {
			end++;
		}
		while (!tells_apart(places + i, end - i, folders)) {
			folders++;
		}
		for (size_t k = i; k < end; k++) {
			places[k].folders = folders;
		}
	}
	SORT(places, n, compare_runs);
}

static bool
is_taken(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(names[i], name) == 0) {
			return true;
		}
	}
	return false;
}

void
run_names(struct store *const *stores, size_t n, const char **names)
{
	struct named_place *places = xcalloc(n + 1, sizeof *places);

	for (size_t i = 0; i < n; i++) {
		places[i].text = n > 1 ? place_of(stores[i]) : xstrdup(store_run(stores[i])->name);
		places[i].run = i;
	}
	count_folders(places, n);
	for (size_t i = 0; i < n; i++) {
		const char *longer = with_folders(places[i].text, places[i].folders);
		struct strbuf numbered = {0};
		strbuf_add_text(&numbered, longer);
		for (unsigned nth = 2; is_taken(names, i, numbered.data); nth++) {
			strbuf_clear(&numbered);
			strbuf_printf(&numbered, "%s#%u", longer, nth);
		}
		names[i] = strbuf_take(&numbered);
	}
	for (size_t i = 0; i < n; i++) {
		free(places[i].text);
	}
	free(places);
}
