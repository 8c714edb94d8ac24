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
/* The key of a field of a row that is no column of its form: by its name in the header, or by its
 * place (from 0) where it has none, or where one of the n keys before it has that name, or the
 * record itself says something by it (own; NULL: nothing). A record has each key once. */
uint32_t import_field_key(struct sink *sink, struct slice name, size_t place, const char *own,
                          const uint32_t *keys, size_t n);
/* For sorting. */
int import_compare_times(const void *a, const void *b);

#endif
