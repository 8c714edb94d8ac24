/* An early look at an import that goes on: what the calls read so far come to, by name. Each source
 * counts for itself and adds it up here now and then, so that nobody waits for anybody.
 * Used by cli. */
#ifndef LANESCOPE_INGEST_EARLY_H
#define LANESCOPE_INGEST_EARLY_H

#include <stdint.h>
#include "model/model.h"
#include "util/slice.h"

/* As span_sums has them: of a record that stands for many calls, those. Sums end at the largest
 * number. */
struct early_sums {
	int64_t calls, total_ns;
	int64_t longest_ns; /* TIME_NONE: not known */
};
/* Names that are told apart, in a source as in all: what comes later, and what only the whole run
 * gives a name, is one without. */
#define EARLY_NAMES 4096

struct early_look;
struct early_look *early_new(void);
void early_reset(struct early_look *early); /* as new */
void early_free(struct early_look *early);  /* takes NULL */
/* All that was added up, in the order of first appearance: until a reset it stays. name: lent for
 * the call. Any thread. */
void early_each(struct early_look *early,
                void (*give)(void *user, struct slice name, const struct early_sums *sums),
                void *user);

/* One source's, which its own thread alone uses. */
struct early_source {
	struct early_name *names;
	uint32_t n, capacity;
	uint16_t *slots; /* by the code of a name, open: its place in names plus one */
	struct early_sums others;
};
void early_count(struct early_source *source, const struct span *span);
struct intern;
/* Hands all on, from any thread. Names without a text wait for one until the end (is_end). */
void early_tell(struct early_source *source, struct early_look *early, const struct intern *texts,
                bool is_end);
void early_source_fini(struct early_source *source);

#endif
