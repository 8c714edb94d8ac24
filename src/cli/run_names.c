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
		n = n > length - at ? length - at : n;
		bool is_nothing = (n == 0 && at > 0) || (n == 1 && path[at] == '.');
		if (!is_nothing) {
			strbuf_add(out, path + at, n);
			strbuf_add_char(out, '/');
		}
		at += n + 1;
	}
}

/* "FOLDER/NAME" of a run; new text. */
static char *
place_of(struct store *store)
{
	const char *path = store_path(store);
	struct err ignored = ERR_INIT; /* then it is the cache's folder */
	struct strbuf place = {0};
	struct stmt *stmt =
	    is_cached(path)
		? store_prepare(store,
	                        "SELECT coalesce(place, path) FROM source ORDER BY id LIMIT 1",
	                        &ignored)
		: NULL;
	struct slice beside =
	    stmt && stmt_step(stmt, &ignored) == 1 ? stmt_text(stmt, 0) : slice_of(path);
	size_t length = beside.len;
	while (length > 0 && beside.ptr[length - 1] != '/') {
		length--;
	}
	char *copy = xstrndup(beside.ptr, length);
	add_folder(&place, copy, length);
	strbuf_add_text(&place, store_run(store)->name);
	free(copy);
	stmt_free(stmt);
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

/* Do so many folders tell apart all runs of this name that lie in different folders? */
static bool
tells_apart(char *const *places, size_t n, const char *name, unsigned folders)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			if (strcmp(with_folders(places[i], 0), name) == 0 &&
			    strcmp(with_folders(places[j], 0), name) == 0 &&
			    strcmp(places[i], places[j]) != 0 &&
			    strcmp(with_folders(places[i], folders),
			           with_folders(places[j], folders)) == 0) {
				return false;
			}
		}
	}
	return true;
}

static bool
is_taken(char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(names[i], name) == 0) {
			return true;
		}
	}
	return false;
}

void
run_names(struct store *const *stores, size_t n, char **names)
{
	char **places = xcalloc(n + 1, sizeof *places);

	for (size_t i = 0; i < n; i++) {
		places[i] = n > 1 ? place_of(stores[i]) : xstrdup(store_run(stores[i])->name);
	}
	for (size_t i = 0; i < n; i++) {
		const char *name = with_folders(places[i], 0);
		unsigned folders = 0;
		while (!tells_apart(places, n, name, folders)) {
			folders++;
		}
		const char *longer = with_folders(places[i], folders);
		names[i] = xstrdup(longer);
		for (unsigned nth = 2; is_taken(names, i, names[i]); nth++) {
			struct strbuf numbered = {0};
			strbuf_printf(&numbered, "%s#%u", longer, nth);
			free(names[i]);
			names[i] = strbuf_take(&numbered);
		}
	}
	for (size_t i = 0; i < n; i++) {
		free(places[i]);
	}
	free(places);
}
