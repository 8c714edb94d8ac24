/* What programs of tests share that run lanescope: files as they are, and their own end where it is
 * not lanescope that fails. */
#ifndef LANESCOPE_TESTS_FILES_H
#define LANESCOPE_TESTS_FILES_H

#include <stdio.h>
#include <stdlib.h>

#include "util/slice.h"

static inline void
fail(const char *what)
{
	perror(what);
	exit(2);
}

/* To be freed. */
static inline struct strbuf
read_file(const char *path)
{
	struct strbuf bytes = {0};
	char buffer[65536];
	FILE *file = fopen(path, "r");

	if (!file) {
		fail(path);
	}
	for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;) {
		strbuf_add(&bytes, buffer, n);
	}
	fclose(file);
	return bytes;
}

#endif
