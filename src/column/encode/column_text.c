/*
 * Encoding texts that rarely repeat: their bytes, and where each ends. The offsets are stored less
 * i times the shortest length, so that texts of one length (hashes, UUIDs) cost nothing but their
 * bytes, and any text is found in constant time.
 */
#include "config.h"
#include "column/encode/column.h"

#include <stdlib.h>

#include "column/encode/column_bits.h"
#include "column/encode/column_encode.h"
#include "util/mem.h"
#include "util/order.h"

void
column_encode_packed_texts(struct column_info *info, const struct slice *values,
                           const uint64_t *presence, uint32_t n_rows, struct strbuf *out)
{
	uint32_t n = info->n_present;
	size_t start = out->len, shortest = n > 0 ? SIZE_MAX : 0, total = 0;

	column_encode_presence(info, presence, n_rows, out);
	for (uint32_t i = 0; i < n; i++) {
		shortest = LEAST(values[i].len, shortest);
		total += values[i].len;
	}
	uint64_t *offsets = xrealloc_array(NULL, (size_t)n + 1, sizeof *offsets);
	offsets[0] = 0;
	for (uint32_t i = 0; i < n; i++) {
		offsets[i + 1] = offsets[i] + values[i].len - shortest;
	}
	info->type = COLUMN_LOCAL_TEXT;
	info->base = (int64_t)shortest;
	info->width = (uint8_t)bits_width(offsets[n]);
	bits_pack(offsets, n + 1, info->width, out);
	free(offsets);

	uint32_t length = (uint32_t)total;
	strbuf_add(out, &length, sizeof length);
	for (uint32_t i = 0; i < n; i++) {
		strbuf_add_slice(out, values[i]);
	}
	info->blob_bytes = (uint32_t)(out->len - start);
}
