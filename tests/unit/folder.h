/* A folder of a test's own, files in it, and its removal with all that is in it. */
#ifndef LANESCOPE_TESTS_FOLDER_H
#define LANESCOPE_TESTS_FOLDER_H

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "unit.h"

/* A new empty folder; its path stays until the next call. */
static inline const char *
folder_new(void)
{
	static char path[64];
	snprintf(path, sizeof(path), "/tmp/lanescope-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(path));
	return path;
}

static inline int
folder_remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

static inline void
folder_remove(const char *path)
{
	ck_assert_int_eq(nftw(path, folder_remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* A file that holds a text and nothing else. */
static inline void
folder_write(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

/* How many entries a folder has. */
static inline int
folder_count(const char *path)
{
	int n = 0;
	DIR *folder = opendir(path);
	ck_assert_ptr_nonnull(folder);
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	}
	closedir(folder);
	return n;
}

#endif
