/* Words that a prompt offers. */
#ifndef LANESCOPE_UI_BASE_COMPLETION_H
#define LANESCOPE_UI_BASE_COMPLETION_H

#include "util/slice.h"

/* What a prompt offers for the word at the cursor. */
struct completion {
	size_t
	    from; /* bytes of the text that stay; each word replaces what follows up to the cursor */
	char **words; /* each malloc'd; completion_free frees them */
	size_t n, capacity;
};
void completion_add(struct completion *completion, struct slice word);
/* The words of filters of spans. */
void completion_add_columns(struct completion *completion);
/* Keeps the words that begin with prefix, sorted, each once. */
void completion_settle(struct completion *completion, struct slice prefix);
void completion_free(struct completion *completion);

#endif
