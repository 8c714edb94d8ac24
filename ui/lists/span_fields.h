/* A span with all that is known of it, as rows for a screen.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_LISTS_SPAN_FIELDS_H
#define LANESCOPE_UI_LISTS_SPAN_FIELDS_H

#include "query/spans/span_about.h"
#include "util/mem.h"

enum span_section {
	SECTION_SPAN,
	SECTION_ARGUMENTS,
	SECTION_TASK,
	SECTION_PARENTS,
	SECTION_INPUTS,
	SECTION_OUTPUTS,
	SECTION_CHILDREN
};

struct span_field {
	enum span_section section;
	struct slice label, value;
	int64_t span; /* that the row stands for; 0: none */
};

/* Zero-initialise. */
struct span_fields {
	struct span_field *list;
	size_t n;
	int label_columns; /* with a gap */
	/* private */
	struct arena *arena;
	size_t capacity;
	enum span_section section; /* of the rows that are added now */
	const struct span_about *about;
	const struct span_peers *peers;
};
/* Makes the rows anew; about and peers (NULL: not known yet) are lent until the next call. */
void span_fields_lay(struct span_fields *fields, const struct span_about *about,
                     const struct span_peers *peers);
void span_fields_free(struct span_fields *fields); /* what it holds */

#endif
