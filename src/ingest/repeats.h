/* Records that stand twice, in one source or in several of a run: found once all are read, so that
 * they can be passed over when they are read again. Private to src/ingest.
 * Used by its room alone. */
#ifndef LANESCOPE_INGEST_REPEATS_H
#define LANESCOPE_INGEST_REPEATS_H

#include "ingest/source.h"
#include "util/number_set.h"

/* Of one source. */
struct repeated {
	struct number_set *omitted; /* records that stand in another place before; NULL: none */
	uint64_t record, offset;    /* the first of them */
	uint64_t original;          /* which it is a copy of, in that source: */
	uint32_t original_source;

	uint64_t n_others; /* records whose ids others had before with other contents */
	uint64_t other_record, other_offset, other_original;
	uint32_t other_source;

	bool is_unread; /* may hold some, but can't be read again */
};

struct repeats {
	struct repeated *sources; /* NULL: none was looked at */
	uint32_t n_sources;
	bool any; /* some are to be passed over */
};

/* Compares the records of read sources where their facts say that some may stand twice. options: as
 * they were read. folder: for temporary files. */
int repeats_find(struct repeats *repeats, const struct import_format *format,
                 const struct source *sources, uint32_t n_sources,
                 const struct import_options *options, const char *folder, struct err *err);
/* Tells of them in a source that was read (again). */
int repeats_tell(const struct repeats *repeats, const struct source *sources, struct source *source,
                 struct err *err);
/* May it hold some that could not be compared? */
bool repeats_are_unread(const struct repeats *repeats, uint32_t source);
void repeats_fini(struct repeats *repeats);

#endif
