/*
 * The tags of a run: what its traces say of it as a whole, what people said at its import, and what
 * they said later, which stands in a file of tags beside it, RUN.lanes.tags, or, where its folder
 * can't be written, in $XDG_STATE_HOME/lanescope/tags by the run's identity. Of two that say
 * something of one tag the later counts.
 * Used by cli, explain/parts, query, ui/lists.
 */
#ifndef LANESCOPE_QUERY_SAVED_RUN_TAGS_H
#define LANESCOPE_QUERY_SAVED_RUN_TAGS_H

#include "query/saved/query.h"
#include "util/tag_list.h"

enum tag_origin { TAG_OF_TRACE, TAG_OF_IMPORT, TAG_LATER, TAG_ORIGINS };
extern const char *const tag_origins[TAG_ORIGINS]; /* "trace", "import", "later" */

struct run_tag {
	const char *key, *value;
	enum tag_origin origin;
};
/* What traces say first, then what people said. Zero-initialise. */
struct run_tags {
	struct run_tag *all;
	size_t n, capacity;
	struct arena *arena;
	const char *trouble; /* why a file of later tags is not used; NULL: nothing is wrong */
};
int run_tags_read(struct store *store, struct run_tags *tags, struct err *err);
const struct run_tag *run_tags_find(const struct run_tags *tags, const char *key); /* NULL: none */
/* False: its value is no number as people write one. */
bool run_tag_number(const struct run_tag *tag, struct value *number);
/* That number, else the text, copied into the result. */
struct value run_tag_value(struct result *result, const struct run_tag *tag);
/* As a table: tag, value, from. */
struct result *run_tags_list(const struct run_tags *tags);
void run_tags_free(struct run_tags *tags);

/* Adds what was said later. -1 if a file of it is broken, or another run's. */
int run_tags_later(const struct store *store, struct tag_list *later, struct err *err);
/* Keeps later tags of the run: those there are, changed by these (value "": taken away). The file
 * is written whole or not at all. ERR_USAGE if the one that is there is another run's. */
int run_tags_keep(struct store *store, const struct tag_list *changes, struct err *err);

#endif
