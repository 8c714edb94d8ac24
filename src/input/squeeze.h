/*
 * Bytes made smaller (zlib), to be kept in a file of ours and read back whole.
 * Used by ingest.
 */
#ifndef LANESCOPE_INPUT_SQUEEZE_H
#define LANESCOPE_INPUT_SQUEEZE_H

#include "util/err.h"
#include "util/slice.h"

/* More than these are kept as they are, and nothing hostile grows beyond them. */
#define SQUEEZE_BYTES_MAX ((size_t)64 << 20)

/* Appends the bytes, squeezed where that makes them smaller. The same for the same bytes and zlib.
 */
int squeeze(struct slice bytes, struct strbuf *out, struct err *err);
/* Appends what was squeezed. ERR_FORMAT, without a place: it wasn't. */
int unsqueeze(struct slice squeezed, struct strbuf *out, struct err *err);

#endif
