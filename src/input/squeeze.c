/*
 * A byte says how the rest is kept. Level 1: what an import keeps so is short, and next to reading
 * its traces must cost nothing; higher ones gain a tenth.
 */
#include "config.h"
#include "input/squeeze.h"

#include <stdlib.h>
#include <zlib.h>

#include "util/mem.h"
#include "util/order.h"

#define LEVEL 1
#define CHUNK_BYTES ((size_t)256 << 10)

enum { KEPT_PLAIN, KEPT_ZLIB };

static int
add_plain(struct slice bytes, struct strbuf *out)
{
	strbuf_add_char(out, KEPT_PLAIN);
	strbuf_add_slice(out, bytes);
	return 0;
}

int
squeeze(struct slice bytes, struct strbuf *out, struct err *err)
{
	if (bytes.len > SQUEEZE_BYTES_MAX) {
		return add_plain(bytes, out);
	}
	uLongf n = compressBound((uLong)bytes.len);
	Bytef *packed = xmalloc(n);
	int result = compress2(packed, &n, (const Bytef *)bytes.ptr, (uLong)bytes.len, LEVEL);

	if (result == Z_OK && n < bytes.len) {
		strbuf_add_char(out, KEPT_ZLIB);
		strbuf_add(out, packed, n);
	} else if (result == Z_OK) {
		add_plain(bytes, out);
	}
	free(packed);
	return result == Z_OK ? 0 : err_set(err, ERR_SYSTEM, "cannot set up compression");
}

static int
unsound(struct err *err)
{
	return err_set(err, ERR_FORMAT, "holds what was never written so");
}

static int
inflate_all(z_stream *stream, struct strbuf *out, struct err *err)
{
	char *chunk = xmalloc(CHUNK_BYTES);
	size_t n = 0;
	int result = Z_OK;

	while (result == Z_OK && n <= SQUEEZE_BYTES_MAX) {
		stream->next_out = (Bytef *)chunk;
		stream->avail_out = (uInt)CHUNK_BYTES;
		result = inflate(stream, Z_NO_FLUSH);
		n += CHUNK_BYTES - stream->avail_out;
		strbuf_add(out, chunk, CHUNK_BYTES - stream->avail_out);
	}
	free(chunk);
	return result == Z_STREAM_END && stream->avail_in == 0 && n <= SQUEEZE_BYTES_MAX
	           ? 0
	           : unsound(err);
}

int
unsqueeze(struct slice squeezed, struct strbuf *out, struct err *err)
{
	z_stream stream = {.next_in = (Bytef *)squeezed.ptr + 1};

	if (squeezed.len == 0) {
		return unsound(err);
	}
	if (squeezed.ptr[0] == KEPT_PLAIN) {
		strbuf_add(out, squeezed.ptr + 1, squeezed.len - 1);
		return 0;
	}
	if (squeezed.ptr[0] != KEPT_ZLIB || squeezed.len > UINT32_MAX) {
		return unsound(err);
	}
	stream.avail_in = (uInt)(squeezed.len - 1);
	if (inflateInit(&stream) != Z_OK) {
		return err_set(err, ERR_SYSTEM, "cannot set up decompression");
	}
	int status = inflate_all(&stream, out, err);
	inflateEnd(&stream);
	return status;
}
