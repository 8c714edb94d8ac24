/*
 * What of the pages can be looked up: their sections, the items of their lists, the commands.
 * Used by its room alone.
 */
#ifndef LANESCOPE_MANUAL_INDEX_H
#define LANESCOPE_MANUAL_INDEX_H

#include "manual/manual.h"
#include "util/mem.h"

/* Of several topics of one name the kind that stands first here is shown. */
enum topic_kind {
	TOPIC_COMMAND,
	TOPIC_QUERY,
	TOPIC_FORMAT,
	TOPIC_PRODUCER,
	TOPIC_PAGE,
	TOPIC_COLUMN,
	TOPIC_WORD, /* an item of a list: an option, a key, a table, a setting ... */
	TOPIC_SECTION,
	TOPIC_KINDS
};
extern const char *const topic_kinds[TOPIC_KINDS]; /* "command", ... */

struct topic {
	enum topic_kind kind;
	const char *name;
	struct manual_page page; /* of a query, a column: none */
	struct slice section;    /* title of the section that it stands in, or is */
	struct slice text;       /* mdoc, of the page's; of a command: from the synopsis */
	struct slice list;       /* of an item: the line that begins its list */
	const struct saved_query *query;
	const struct column_meaning *column;
};

struct manual {
	struct arena *arena;
	const struct query_library *library;
	struct topic *topics;
	size_t n_topics, capacity;
};

void index_page(struct manual *manual, const struct manual_page *page);
/* The next line of *text, without its end, which is taken off. False: there is none. */
bool index_line(struct slice *text, struct slice *line);

#endif
