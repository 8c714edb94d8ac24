/*
 * Folders are searched depth first in natural order of names, so that ranks come as people count
 * them and the numbering of sources does not depend on the file system. Links to folders are not
 * followed: there could be no end. Hidden folders are left to those who name them; whether one may
 * hold traces is told by the endings of a few of its files' names.
 */
#include "config.h"
#include "ingest/find.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/input.h"
#include "util/ascii.h"
#include "util/order.h"

#define DEPTH_LIMIT 64
#define HIDDEN_NAMES 1000u /* looked at, of all hidden folders of one */
#define HIDDEN_DEPTH 4u

/* Compares the numbers at *a and *b and moves behind them. */
static int
compare_numbers(const char **a, const char **b)
{
	while (**a == '0') {
		++*a;
	}
	while (**b == '0') {
		++*b;
	}
	size_t length_a = strspn(*a, "0123456789");
	size_t length_b = strspn(*b, "0123456789");
	int result = length_a != length_b ? ORDER(length_a, length_b) : memcmp(*a, *b, length_a);
	*a += length_a;
	*b += length_b;
	return result;
}

int
compare_naturally(const char *a, const char *b)
{
	const char *whole_a = a, *whole_b = b;

	while (*a && *b) {
		if (is_digit(*a) && is_digit(*b)) {
			int result = compare_numbers(&a, &b);
			if (result) {
				return result;
			}
		} else if (*a != *b) {
			break;
		} else {
			a++;
			b++;
		}
	}
	int result = (unsigned char)*a - (unsigned char)*b;
	return result ? result : strcmp(whole_a, whole_b); /* "01" and "1" */
}

static bool
is_side_file(const char *name)
{
	static const char *const endings[] = {".lanes", ".tags", ".zindex", ".idx", ".dftindex"};

	for (size_t i = 0; i < COUNT_OF(endings); i++) {
		if (slice_has_ending(slice_of(name), endings[i])) {
			return true;
		}
	}
	return name[0] == '.';
}

static void
add_file(struct found_files *found, const char *path, bool named)
{
	MEM_GROW(found->files, found->capacity, found->n + 1);
	found->files[found->n++] = (struct found_file){arena_strdup(found->arena, path), named};
}

static void
add_trouble(struct found_files *found, const char *path, const char *reason)
{
	MEM_GROW(found->troubles, found->troubles_capacity, found->n_troubles + 1);
	found->troubles[found->n_troubles++] = (struct found_trouble){
	    arena_strdup(found->arena, path), arena_strdup(found->arena, reason)};
}

static int
compare_entries(const void *a, const void *b)
{
	return compare_naturally(*(char *const *)a, *(char *const *)b);
}

/* ---- hidden folders ---- */

static char *
join(const char *folder, const char *name)
{
	struct strbuf path = {0};

	strbuf_printf(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
	return strbuf_take(&path);
}

/* Has any of its files the ending of one? budget: of names. */
static bool
may_hold_traces(const char *path, unsigned depth, unsigned *budget)
{
	DIR *folder = opendir(path);
	bool may = false;

	for (struct dirent *entry; folder && !may && *budget > 0 && (entry = readdir(folder));) {
		const char *name = entry->d_name;
		char *below = join(path, name);
		struct stat status;
		bool is_known =
		    strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && lstat(below, &status) == 0;
		--*budget;
		if (is_known && S_ISDIR(status.st_mode) && depth > 1) {
			may = may_hold_traces(below, depth - 1, budget);
		} else if (is_known && S_ISREG(status.st_mode)) {
			may = plain_name(name).len < strlen(name);
		}
		free(below);
	}
	if (folder) {
		closedir(folder);
	}
	return may;
}

static void
note_hidden(struct found_files *found, const char *folder, const char *name, unsigned *budget)
{
	char *path = join(folder, name);
	struct stat status;

	if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && lstat(path, &status) == 0 &&
	    S_ISDIR(status.st_mode) && may_hold_traces(path, HIDDEN_DEPTH, budget)) {
		MEM_GROW(found->hidden, found->hidden_capacity, found->n_hidden + 1);
		found->hidden[found->n_hidden++] = arena_strdup(found->arena, path);
	}
	free(path);
}

/* ---- folders ---- */

/* The names in a folder that are worth a look, sorted. An errno if it can't be read (to its
 * end). */
static int
list_folder(struct found_files *found, const char *path, char ***names, size_t *n)
{
	DIR *folder = opendir(path);
	unsigned budget = HIDDEN_NAMES;
	size_t capacity = 0, n_hidden = found->n_hidden;

	*names = NULL;
	*n = 0;
	if (!folder) {
		return errno;
	}
	errno = 0;
	for (struct dirent *entry; (entry = readdir(folder)); errno = 0) {
		if (!is_side_file(entry->d_name)) {
			*names = mem_grow(*names, &capacity, *n + 1, sizeof **names);
			(*names)[(*n)++] = xstrdup(entry->d_name);
		} else if (entry->d_name[0] == '.') {
			note_hidden(found, path, entry->d_name, &budget);
		}
	}
	int failure = errno;
	closedir(folder);
	SORT(*names, *n, compare_entries);
	SORT(found->hidden + n_hidden, found->n_hidden - n_hidden, compare_entries);
	return failure;
}

static void search(struct found_files *found, const char *path, unsigned depth);

/* One name of a folder. */
static void
look_into(struct found_files *found, const char *path, unsigned depth)
{
	struct stat status, itself;

	if (lstat(path, &itself) != 0 || stat(path, &status) != 0) {
		add_trouble(found, path, strerror(errno));
	} else if (S_ISDIR(itself.st_mode)) {
		search(found, path, depth + 1);
	} else if (S_ISREG(status.st_mode)) {
		add_file(found, path, false);
	}
}

static void
search(struct found_files *found, const char *path, unsigned depth)
{
	char **names;
	size_t n;

	if (depth > DEPTH_LIMIT) {
		add_trouble(found, path, "folders are nested too deeply");
		return;
	}
	int failure = list_folder(found, path, &names, &n);
	if (failure) {
		add_trouble(found, path, strerror(failure));
	}
	for (size_t i = 0; i < n; i++) {
		char *entry = join(path, names[i]);
		look_into(found, entry, depth);
		free(entry);
		free(names[i]);
	}
	free(names);
}

int
find_files(struct found_files *found, const char *path, struct err *err)
{
	struct stat status;

	if (strcmp(path, "-") == 0) {
		add_file(found, path, true);
		return 0;
	}
	if (stat(path, &status) != 0) {
		return err_set_errno(err, errno, "%s", path);
	}
	if (S_ISDIR(status.st_mode) && access(path, R_OK | X_OK) != 0) {
		return err_set_errno(err, errno, "%s", path);
	}
	if (S_ISDIR(status.st_mode)) {
		search(found, path, 0);
		return 0;
	}
	add_file(found, path, true);
	return 0;
}

char *
path_order(const char *path)
{
	char *order = xstrdup(path);

	for (char *p = order; *p; p++) {
		*p = *p == '/' ? '\1'
		               : *p; /* what is in a folder comes before its longer namesakes */
	}
	return order;
}

struct slice
plain_name(const char *path)
{
	static const char *const endings[] = {
	    ".gz",  ".pfw",     ".jsonl", ".ndjson", ".json", ".log",    ".csv",   ".tsv",
	    ".txt", ".msgpack", ".mpk",   ".npy",    ".pkl",  ".pickle", ".trace", ".pftrace"};
	struct slice name = slice_of(path_name(path));
	bool again = true;

	while (again) {
		again = false;
		for (size_t i = 0; i < COUNT_OF(endings); i++) {
			if (slice_has_ending(name, endings[i])) {
				name.len -= strlen(endings[i]);
				again = true;
			}
		}
	}
	return name;
}

bool
is_folder(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool
is_run_file(const char *path)
{
	size_t length = strlen(path);
	return length > 6 && strcmp(path + length - 6, ".lanes") == 0;
}
