#include "config.h"

#include "ui/base/texts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/tempfile.h"

int
text_save(const char *path, struct slice text, struct err *err)
{
	char *made = NULL;
	int fd = tempfile_create(path, 0600, &made), result = 0;
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (!file || fwrite(text.ptr, 1, text.len, file) != text.len) {
		result = err_set_errno(err, errno, "%s", path);
	}
	if (file && fclose(file) != 0 && result == 0) {
		result = err_set_errno(err, errno, "%s", path);
	}
	if (made && tempfile_end(made, path, result == 0)) {
		result = err_set_errno(err, errno, "%s", path);
	}
	return result;
}

void
text_make_folders(const char *path)
{
	char *folder = xstrdup(path);

	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(folder, 0700); /* that it failed shows when the file is written */
		*slash = '/';
	}
	free(folder);
}

char **
texts_copy(char *const *texts, size_t n)
{
	char **copy = xcalloc(n + 1, sizeof *copy);

	for (size_t i = 0; texts && i < n; i++) {
		copy[i] = texts[i] ? xstrdup(texts[i]) : NULL;
	}
	return copy;
}

void
texts_free(char **texts, size_t n)
{
	for (size_t i = 0; texts && i < n; i++) {
		free(texts[i]);
	}
	free(texts);
}
