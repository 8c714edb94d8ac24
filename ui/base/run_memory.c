/*
 * Files are read when a run is first asked about, and touched then: the time of a file says when it
 * was needed last. Whatever stands in one is bounded and no more than texts; what is no such file
 * is passed over.
 */
#include "config.h"

#include "ui/base/run_memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ui/base/memory.h"
#include "ui/base/texts.h"
#include "util/ascii.h"
#include "util/mem.h"
#include "util/order.h"

#define FILES_LIMIT 500
#define BYTES_LIMIT (1 << 18)
#define AGE_LIMIT_SECONDS ((time_t)366 * 24 * 60 * 60)
#define IDENTITY_DIGITS 32

struct known_run {
	char *path, *identity;
	struct memory *memory; /* NULL: its file was not looked at yet */
	bool is_changed;
};

struct run_memory {
	char *folder;
	struct known_run *runs;
	size_t n, capacity;
};

struct run_memory *
run_memory_new(const char *folder)
{
	struct run_memory *memory = xcalloc(1, sizeof *memory);

	memory->folder = folder ? xstrdup(folder) : NULL;
	return memory;
}

static void
forget(struct known_run *run)
{
	free(run->path);
	free(run->identity);
	memory_free(run->memory);
}

void
run_memory_free(struct run_memory *memory)
{
	if (!memory) {
		return;
	}
	for (size_t i = 0; i < memory->n; i++) {
		forget(&memory->runs[i]);
	}
	free(memory->runs);
	free(memory->folder);
	free(memory);
}

static struct known_run *
find(const struct run_memory *memory, const char *path)
{
	for (size_t i = 0; path && i < memory->n; i++) {
		if (strcmp(memory->runs[i].path, path) == 0) {
			return &memory->runs[i];
		}
	}
	return NULL;
}

/* It becomes the name of a file. */
static bool
is_identity(const char *text)
{
	size_t n = 0;

	while (hex_value(text[n]) >= 0) {
		n++;
	}
	return n == IDENTITY_DIGITS && !text[n];
}

void
run_memory_know(struct run_memory *memory, const char *path, const char *identity)
{
	struct known_run *run = find(memory, path);

	if (!memory->folder || !is_identity(identity) ||
	    (run && strcmp(run->identity, identity) == 0)) {
		return;
	}
	if (!run) {
		MEM_GROW(memory->runs, memory->capacity, memory->n + 1);
		run = &memory->runs[memory->n++];
	} else { /* another run has come to this place */
		forget(run);
	}
	*run = (struct known_run){.path = xstrdup(path), .identity = xstrdup(identity)};
}

static void
add_path(const struct run_memory *memory, const char *name, struct strbuf *path)
{
	strbuf_clear(path);
	strbuf_printf(path, "%s/%s", memory->folder, name);
}

/* Reads the run's file, once. */
static void
look(const struct run_memory *memory, struct known_run *run, struct err *err)
{
	struct strbuf path = {0};
	struct stat status;

	if (run->memory) {
		return;
	}
	run->memory = memory_new();
	add_path(memory, run->identity, &path);
	if (lstat(path.data, &status) == 0) {
		if (!S_ISREG(status.st_mode) || status.st_size > BYTES_LIMIT) {
			err_set(err, ERR_FORMAT, "%s: not what is remembered of a run, passed over",
			        path.data);
		} else if (memory_load(run->memory, path.data, err) == 0) {
			(void)utimensat(AT_FDCWD, path.data, NULL, 0); /* else it only looks old */
		} else {
			memory_free(run->memory); /* half of it would be odd */
			run->memory = memory_new();
		}
	}
	strbuf_free(&path);
}

static bool
ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

static bool
lasts(const char *key)
{
	return ends_with(key, ".sort") || ends_with(key, ".columns") || ends_with(key, ".colour");
}

const char *
run_memory_get(struct run_memory *memory, const char *path, const char *key, struct err *err)
{
	struct known_run *run = find(memory, path);

	if (!run || !lasts(key)) {
		return NULL;
	}
	look(memory, run, err);
	return memory_get(run->memory, key);
}

void
run_memory_set(struct run_memory *memory, const char *path, const char *key, const char *value,
               struct err *err)
{
	struct known_run *run = find(memory, path);
	const char *before;

	if (!run || !lasts(key)) {
		return;
	}
	look(memory, run, err);
	before = memory_get(run->memory, key);
	if (value ? !before || strcmp(before, value) != 0 : before != NULL) {
		memory_set(run->memory, key, value);
		run->is_changed = true;
	}
}

/* ---- the folder ---- */

struct kept_file {
	char name[IDENTITY_DIGITS + 1];
	time_t used;
};

static int
compare_newest_first(const void *a, const void *b)
{
	const struct kept_file *left = a, *right = b;

	ORDER_BY(right->used, left->used);
	return strcmp(left->name, right->name);
}

static void
trim(const struct run_memory *memory)
{
	DIR *folder = opendir(memory->folder);
	struct kept_file *files = NULL;
	size_t n = 0, capacity = 0;
	struct strbuf path = {0};
	time_t now = time(NULL);
	struct stat status;

	for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
		add_path(memory, entry->d_name, &path);
		if (is_identity(entry->d_name) && lstat(path.data, &status) == 0 &&
		    S_ISREG(status.st_mode)) {
			MEM_GROW(files, capacity, n + 1);
			memcpy(files[n].name, entry->d_name, sizeof files[n].name);
			files[n++].used = status.st_mtime;
		}
	}
	if (folder) {
		closedir(folder);
	}
	SORT(files, n, compare_newest_first);
	for (size_t i = 0; i < n; i++) {
		if (i >= FILES_LIMIT || now - files[i].used > AGE_LIMIT_SECONDS) {
			add_path(memory, files[i].name, &path);
			(void)unlink(path.data); /* the next end tries again */
		}
	}
	strbuf_free(&path);
	free(files);
}

void
run_memory_save(const struct run_memory *memory)
{
	struct err ignored = ERR_INIT; /* what can't be kept is not worth a word at the end */
	struct strbuf path = {0};
	bool any = false;

	for (size_t i = 0; i < memory->n; i++) {
		if (memory->runs[i].is_changed) {
			add_path(memory, memory->runs[i].identity, &path);
			text_make_folders(path.data);
			any = memory_save(memory->runs[i].memory, path.data, &ignored) == 0 || any;
		}
	}
	if (any) {
		trim(memory);
	}
	strbuf_free(&path);
}
