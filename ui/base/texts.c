#include "config.h"

#include "ui/base/texts.h"

#include <stdlib.h>

#include "util/mem.h"

char **
texts_copy(const char *const *texts, size_t n)
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
