/* What several importers do alike.
 * Used by its room alone. */
#ifndef LANESCOPE_IMPORT_SHARED_H
#define LANESCOPE_IMPORT_SHARED_H

#include "import/import.h"

/* The problem with a reason, which is freed; what the sink says. */
int import_tell(struct sink *sink, struct problem *problem, struct strbuf *reason);
/* A tag of the run. */
int import_tag(struct sink *sink, const char *key, const char *value);
/* Times of day of a file (scope: its name) are without a zone, and only taken as if of UTC. */
int import_tag_no_zone(struct sink *sink, struct slice scope);
int import_tag_count(struct sink *sink, const char *key, size_t count);
/* names: the last is NULL. */
bool import_is_one_of(struct slice text, const char *const *names);
/* The value of a number in JSON; what no machine type holds stays as it is written. */
void import_fill_number(struct arg *arg, struct slice text, bool is_integer);
/* For sorting. */
int import_compare_times(const void *a, const void *b);

#endif
