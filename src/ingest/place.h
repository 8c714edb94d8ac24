/* Where a run goes, and whether it is there already. Private to src/ingest.
 * Used by its room alone. */
#ifndef LANESCOPE_INGEST_PLACE_H
#define LANESCOPE_INGEST_PLACE_H

#include "ingest/ingest.h"
#include "util/digest.h"

struct known_digest {
	bool is_known;
	struct digest_value value;
};

struct run_place {
	const struct ingest_plan *plan;
	const struct ingest_options *options;
	bool is_made; /* the sources are no files */
	char *path;
	bool is_held;    /* the run is at `path` already: nothing is to be written */
	unsigned number; /* of the name: NAME-2 ...; 0: NAME */
	char identity[DIGEST_TEXT_BYTES]; /* "": not known yet */
	struct known_digest *known;       /* of the plan's paths, as far as one looked */
};

void place_init(struct run_place *place, const struct ingest_plan *plan,
                const struct ingest_options *options, bool is_made);
void place_fini(struct run_place *place);
/* Before the import: `path` and is_held, as far as it can be told without reading what only can be
 * read once. -1 if the run can't go there. */
int place_choose(struct run_place *place, struct err *err);
/* Of all sources, in any order. */
void place_identify(struct run_place *place, const struct digest_value *digests);
/* For struct writer_placing; user: the place, whose identity is known. */
char *place_instead(void *user, const char *path, struct err *err);

#endif
