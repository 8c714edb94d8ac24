/* Words that a prompt offers.
 * Used by ui/app, ui/chart, ui/lists, ui/table, ui/timeline. */
#ifndef LANESCOPE_UI_BASE_COMPLETION_H
#define LANESCOPE_UI_BASE_COMPLETION_H

#include "util/slice.h"

/* What a prompt offers for the word at the cursor. */
struct completion {
	struct slice typed; /* up to the cursor; lent */
	size_t from;        /* bytes of it that stay; each word replaces what follows */
	char **words;       /* each malloc'd; completion_free frees them */
	size_t n, capacity;
};
void completion_add(struct completion *completion, struct slice word);
void completion_add_text(struct completion *completion, const char *word);
/* The same of before and word, put together. */
void completion_add_joined(struct completion *completion, const char *before, const char *word);
void completion_add_texts(struct completion *completion, const char *const *words, size_t n);
/* The words of filters of spans. */
void completion_add_columns(struct completion *completion);
/* What stays is what stands before the cursor up to one of these characters. */
void completion_begin(struct completion *completion, const char *ends);
/* Keeps the words that begin with what is typed of them, sorted, each once. */
void completion_settle(struct completion *completion);
void completion_free(struct completion *completion);

#endif
