/*
 * The cache of imported runs has a limit, so that a home folder does not fill with what was looked
 * at once. Each run has a folder of its own, whose time of change says when it was last used: of
 * run files themselves nothing may change, since readers take that for another run. Whoever uses a
 * run keeps a file with its host and process number beside it; these tell, on network file systems
 * and without locks, what is in use. One that was left behind by a process that died counts for
 * nothing, one of another host for a day.
 *
 * Two programs may remove the same run at once. A run that was used a moment ago stays, so that
 * nobody loses what he just found; where that is not enough, a run that vanishes is imported again
 * with the next call.
 */
#include "config.h"
#include "cli/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/user_settings.h"
#include "util/tempfile.h"
#include "util/litter.h"
#include "util/format.h"
#include "util/mem.h"
#include "util/order.h"

#define RECENT_SECONDS 600
#define FOLDER_NAME_BYTES 16 /* hexadecimal digits */

static char *
folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? xstrndup(path, (size_t)(slash - path)) : xstrdup(".");
}

void
cache_hold(struct cli *cli, const char *path)
{
	struct err ignored = ERR_INIT; /* a cache that can't be written still serves */
	char *folder = folder_of(path);
	struct strbuf name = {0};

	strbuf_printf(&name, "%s/in-use", folder);
	char *held = tempfile_new(name.data, &ignored); /* the folder changes with it */
	if (held) {
		MEM_GROW(cli->held, cli->held_capacity, cli->n_held + 1);
		cli->held[cli->n_held++] = held;
	}
	strbuf_free(&name);
	free(folder);
}

void
cache_release(struct cli *cli)
{
	for (size_t i = 0; i < cli->n_held; i++) {
		char *folder = folder_of(cli->held[i]);

		litter_remove(cli->held[i]);
		(void)rmdir(folder); /* where no run came about */
		free(folder);
		free(cli->held[i]);
	}
	for (size_t i = 0; i < cli->n_once; i++) {
		litter_remove(cli->once[i]);
		free(cli->once[i]);
	}
	free(cli->once);
	free(cli->held);
	cli->held = cli->once = NULL;
	cli->n_once = cli->once_capacity = 0;
	cli->n_held = cli->held_capacity = 0;
}

int64_t
cache_limit_bytes(void)
{
	const char *given = getenv("LANESCOPE_CACHE");
	struct settings settings;
	struct err err = ERR_INIT;

	user_settings_read(&settings);
	if (given && *given && settings_set(&settings, slice_of("cache"), slice_of(given), &err)) {
		cli_say("LANESCOPE_CACHE=%s: %s", given, err.message);
	}
	settings_fini(&settings);
	return settings.cache_bytes;
}

/* ---- what is there ---- */

struct cached {
	char *folder;
	int64_t bytes;
	struct timespec used;
};
struct cached_list {
	struct cached *items;
	size_t n, capacity;
	int64_t bytes;
	time_t newest;
};

static int64_t
folder_bytes(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	struct stat status;
	int64_t bytes = 0;

	while (folder && (entry = readdir(folder))) {
		if (fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(status.st_mode)) {
			bytes += status.st_size;
		}
	}
	if (folder) {
		closedir(folder);
	}
	return bytes;
}

static int
compare_used(const void *left, const void *right)
{
	const struct cached *a = left, *b = right;

	ORDER_BY(a->used.tv_sec, b->used.tv_sec);
	ORDER_BY(a->used.tv_nsec, b->used.tv_nsec);
	return strcmp(a->folder, b->folder);
}

/* The one used longest ago first. */
static void
list_cached(const char *path, struct cached_list *list)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	struct stat status;

	while (folder && (entry = readdir(folder))) {
		struct strbuf name = {0};

		if (strlen(entry->d_name) != FOLDER_NAME_BYTES ||
		    strspn(entry->d_name, "0123456789abcdef") != FOLDER_NAME_BYTES ||
		    fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISDIR(status.st_mode)) {
			continue; /* none of ours */
		}
		strbuf_printf(&name, "%s/%s", path, entry->d_name);
		MEM_GROW(list->items, list->capacity, list->n + 1);
		struct cached *item = &list->items[list->n++];
		*item = (struct cached){.bytes = folder_bytes(name.data), .used = status.st_mtim};
		item->folder = strbuf_take(&name);
		list->bytes += item->bytes;
		list->newest = MOST(item->used.tv_sec, list->newest);
	}
	if (folder) {
		closedir(folder);
	}
	SORT(list->items, list->n, compare_used);
}

static void
list_free(struct cached_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->items[i].folder);
	}
	free(list->items);
}

void
cache_each(const char *folder, void (*add)(void *user, const char *path), void *user)
{
	struct cached_list list = {0};

	list_cached(folder, &list);
	for (size_t i = 0; i < list.n; i++) {
		add(user, list.items[i].folder);
	}
	list_free(&list);
}

/* ---- removing ---- */

static bool
is_ours(const char *name)
{
	size_t n = strlen(name);

	return (n > 6 && strcmp(name + n - 6, ".lanes") == 0) ||
	       (name[0] == '.' && n > 4 && strcmp(name + n - 4, ".tmp") == 0);
}

static bool
remove_run(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		if (is_ours(entry->d_name)) {
			(void)unlinkat(dirfd(folder), entry->d_name, 0);
		}
	}
	if (folder) {
		closedir(folder);
	}
	return rmdir(path) == 0;
}

void
cache_trim(const char *folder, int64_t limit_bytes)
{
	struct cached_list list = {0};

	if (limit_bytes >= 0) {
		list_cached(folder, &list);
	}
	for (size_t i = 0; i < list.n && list.bytes > limit_bytes; i++) {
		const struct cached *item = &list.items[i];

		if (list.newest - item->used.tv_sec <= RECENT_SECONDS) {
			break; /* and so are all that follow */
		}
		if (!tempfile_in_use(item->folder) && remove_run(item->folder)) {
			list.bytes -= item->bytes;
		}
	}
	list_free(&list);
}
