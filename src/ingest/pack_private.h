/* What pack_source.c and pack_blocks.c share. Private to src/ingest.
 * Used by its room alone. */
#ifndef LANESCOPE_INGEST_PACK_PRIVATE_H
#define LANESCOPE_INGEST_PACK_PRIVATE_H

#include "ingest/pack_source.h"

static inline void
refuse_unless(struct source_pack *sp, bool is_sound)
{
	sp->pack.failed |= !is_sound;
}

static inline bool
reads(const struct source_pack *sp)
{
	return sp->pack.is_reading;
}

/* Of all kinds, when the names are packed. */
void source_pack_blocks(struct source_pack *sp);

#endif
