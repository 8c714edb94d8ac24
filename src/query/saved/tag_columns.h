/* Tags of several runs as columns of a table that has a row, or rows, for each.
 * Used by ui/lists. */
#ifndef LANESCOPE_QUERY_SAVED_TAG_COLUMNS_H
#define LANESCOPE_QUERY_SAVED_TAG_COLUMNS_H

#include "query/saved/run_tags.h"

/* Zero-initialise. */
struct tag_columns {
	size_t n, capacity, keys_capacity;
	const char **keys; /* lent by the tags */
	struct result_column
	    *columns; /* called like the tag; "tag.KEY" where another is called so */
	struct arena *arena;
};

/* Adds those of the tags that people gave to any of the runs, in the order in which they are met,
 * or (of_traces) those that only traces tell. beside: the table's other columns. */
void tag_columns_add(struct tag_columns *columns, const struct run_tags *tags, size_t n_runs,
                     bool of_traces, const struct result_column *beside, size_t n_beside);
/* Integer or real where all values of the tag are numbers, else text. */
enum column_kind tag_kind(const struct run_tags *tags, size_t n_runs, const char *key);
/* A run's values of them, of the first n; NULL where it has none. */
void tag_columns_values(const struct tag_columns *columns, size_t from, size_t n,
                        const struct run_tags *tags, struct result *result, struct value *row);
void tag_columns_free(struct tag_columns *columns);

#endif
