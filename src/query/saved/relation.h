/*
 * What people type to keep some rows: COLUMN OP VALUE, or else a pattern. Which of the two a text
 * is, tables and spans decide alike: a text is a relation if what stands before its first operator
 * names a column; and it was meant as one if a name and blanks around the operator say so.
 * Used by query/spans, ui/table.
 */
#ifndef LANESCOPE_QUERY_SAVED_RELATION_H
#define LANESCOPE_QUERY_SAVED_RELATION_H

#include "util/err.h"
#include "util/slice.h"

enum relation {
	RELATION_EQUAL,
	RELATION_NOT_EQUAL,
	RELATION_LESS,
	RELATION_LESS_EQUAL,
	RELATION_GREATER,
	RELATION_GREATER_EQUAL,
	RELATION_MATCHES, /* ~ a regular expression */
	RELATION_MATCHES_NOT
};

struct relation_parts {
	struct strbuf quoted; /* the column's name, if it stood in double quotes */
	struct slice column, value;
	enum relation relation;
	bool is_meant; /* should there be no such column, that is a mistake, not a pattern */
};

/* False: there is no operator. The parts lie in text; relation_parts_free frees them in either
 * case. */
bool relation_split(struct slice text, struct relation_parts *parts);
void relation_parts_free(struct relation_parts *parts);
bool relation_is_identifier(struct slice name);
/* "filter: there is no column 'x' (did you mean y?)". Always -1. */
int relation_no_column(struct slice name, const char *const *names, size_t n, struct err *err);

#endif
