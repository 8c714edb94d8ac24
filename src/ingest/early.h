/* An early look at an import that goes on: what the spans read so far come to, by name. Each source
 * counts for itself and adds it up here now and then, so that nobody waits for anybody.
 * Used by cli. */
#ifndef LANESCOPE_INGEST_EARLY_H
#define LANESCOPE_INGEST_EARLY_H

#include <stdint.h>
#include "util/slice.h"

struct early_look;
struct early_sums {
	uint64_t spans;
	int64_t total_ns, longest_ns; /* the total ends at the largest number */
};
/* Names that are told apart in a source: those that it comes to later, and those that only the
 * whole run tells, are one without a name. */
#define EARLY_NAMES 4096

struct early_look *early_new(void);
void early_reset(struct early_look *early); /* as new */
void early_free(struct early_look *early);  /* takes NULL */
/* All that was added up, in no order; name: lent for the call. Any thread. */
void early_each(struct early_look *early,
                void (*give)(void *user, struct slice name, const struct early_sums *sums),
                void *user);

/* One source's, which its own thread alone uses. */
struct early_source {
	struct early_sums *sums; /* by code of the name, then what has none */
	uint32_t n;
};
void early_count(struct early_source *source, uint32_t name, int64_t duration_ns);
struct intern;
/* Hands all on, from any thread. Names without a text wait for one until the end (is_end). */
void early_tell(struct early_source *source, struct early_look *early, const struct intern *texts,
                bool is_end);
void early_source_fini(struct early_source *source);

#endif
