/* A folder for each test of imports, and files in it. */
#ifndef LANESCOPE_TESTS_INGEST_FOLDER_H
#define LANESCOPE_TESTS_INGEST_FOLDER_H

#include <stdio.h>

#include "folder.h"
#include "unit.h"

static const char *folder;

static void
make_folder(void)
{
	folder = folder_new();
}

static void
remove_folder(void)
{
	folder_remove(folder);
}

static const char *
in_folder(const char *name)
{
	static char paths[64][160];
	static unsigned next;
	char *path = paths[next++ % 64];
	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

static inline const char *
write_bytes(const char *name, const void *bytes, size_t n)
{
	const char *path = in_folder(name);
	FILE *file = fopen(path, "wb");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, n, file), n);
	fclose(file);
	return path;
}

static inline const char *
write_file(const char *name, const char *text)
{
	return write_bytes(name, text, strlen(text));
}

#endif
