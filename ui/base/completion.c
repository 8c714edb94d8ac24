#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ui/base/completion.h"
#include "column/encode/registry.h"
#include "ui/base/texts.h"
#include "util/mem.h"

void
completion_add(struct completion *completion, struct slice word)
{
	MEM_GROW(completion->words, completion->capacity, completion->n + 1);
	completion->words[completion->n++] = text_new(word);
}

void
completion_add_text(struct completion *completion, const char *word)
{
	completion_add(completion, slice_of(word));
}

void
completion_add_joined(struct completion *completion, const char *before, const char *word)
{
	struct strbuf joined = {0};

	strbuf_printf(&joined, "%s%s", before, word);
	completion_add(completion, strbuf_slice(&joined));
	strbuf_free(&joined);
}

void
completion_add_texts(struct completion *completion, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		completion_add_text(completion, words[i]);
	}
}

void
completion_add_columns(struct completion *completion)
{
	for (int i = 0; i < ROW_COLUMNS; i++) {
		if (!row_column_is_named((enum row_column)i, BLOCK_SPAN)) {
			continue;
		}
		completion_add_text(completion, row_columns[i].name);
		if (row_columns[i].synonym) {
			completion_add_text(completion, row_columns[i].synonym);
		}
	}
	completion_add_text(completion, "arg.");
	completion_add_text(completion, "not");
}

static int
compare_words(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void
completion_begin(struct completion *completion, const char *ends)
{
	size_t from = completion->typed.len;

	while (from > 0 && !strchr(ends, completion->typed.ptr[from - 1])) {
		from--;
	}
	completion->from = from;
}

void
completion_settle(struct completion *completion)
{
	struct slice prefix = slice_from(completion->typed, completion->from);
	size_t n = 0;

	for (size_t i = 0; i < completion->n; i++) {
		char *word = completion->words[i];

		if (strncmp(word, prefix.ptr, prefix.len) == 0) {
			completion->words[n++] = word;
		} else {
			free(word);
		}
	}
	completion->n = n;
	if (n > 1) {
		qsort(completion->words, n, sizeof *completion->words, compare_words);
	}
	n = 0;
	for (size_t i = 0; i < completion->n; i++) {
		if (n > 0 && strcmp(completion->words[n - 1], completion->words[i]) == 0) {
			free(completion->words[i]);
		} else {
			completion->words[n++] = completion->words[i];
		}
	}
	completion->n = n;
}

void
completion_free(struct completion *completion)
{
	for (size_t i = 0; i < completion->n; i++) {
		free(completion->words[i]);
	}
	free(completion->words);
	*completion = (struct completion){0};
}
