/* Words that a prompt offers. */
#include "config.h"

#include <stdlib.h>

#include "ui/view.h"
#include "util/mem.h"

void
completion_add(struct completion *completion, struct slice word)
{
	if (completion->n == completion->capacity) {
		completion->capacity = completion->capacity ? completion->capacity * 2 : 16;
		completion->words = xrealloc_array(completion->words, completion->capacity,
		                                   sizeof(*completion->words));
	}
	completion->words[completion->n++] = xstrndup(word.ptr, word.len);
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
