/* zlib as an inflater: always there, and the reference that the faster one is tested against. */
#include "config.h"
#include "input/gzip.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "util/mem.h"
#include "util/order.h"

#define GZIP_ONLY 16 /* added to the window bits */

struct zlib_state {
	z_stream stream;
	bool in_data; /* the header was read */
};

static void *
create(void)
{
	struct zlib_state *state = xcalloc(1, sizeof *state);

	if (inflateInit2(&state->stream, MAX_WBITS + GZIP_ONLY) != Z_OK) {
		/* Its only reason is memory, which xmalloc would have reported like this. */
		free(xrealloc_array(NULL, SIZE_MAX, 2));
	}
	return state;
}

static void
reset(void *user)
{
	struct zlib_state *state = user;

	(void)inflateReset(&state->stream); /* fails for a broken stream struct only */
	state->in_data = false;
}

static enum inflate_status
failure(const struct zlib_state *state, bool wrote)
{
	/* At the trailer zlib has said all it had; only then does it speak of checks. */
	const char *message = state->stream.msg ? state->stream.msg : "";

	if (strcmp(message, "incorrect data check") == 0 ||
	    strcmp(message, "incorrect length check") == 0) {
		return INFLATE_BAD_CHECKSUM;
	}
	return state->in_data || wrote ? INFLATE_CORRUPT : INFLATE_HEADER;
}

static enum inflate_status
run(void *user, struct inflate_io *io)
{
	struct zlib_state *state = user;
	z_stream *stream = &state->stream;
	size_t in = LEAST(io->avail_in, UINT_MAX);
	size_t out = LEAST(io->avail_out, UINT_MAX);

	stream->next_in = (unsigned char *)io->next_in; /* zlib does not write there */
	stream->avail_in = (unsigned)in;
	stream->next_out = io->next_out;
	stream->avail_out = (unsigned)out;
	int result = inflate(stream, Z_NO_FLUSH);
	io->avail_in -= in - stream->avail_in;
	io->next_in = stream->next_in;
	io->avail_out -= out - stream->avail_out;
	io->next_out = stream->next_out;
	bool wrote = stream->avail_out < out;
	state->in_data |= wrote;
	switch (result) {
	case Z_OK:
	case Z_BUF_ERROR: /* no progress: more input or room is needed */
		return INFLATE_MORE;
	case Z_STREAM_END:
		return INFLATE_MEMBER_END;
	default:
		return failure(state, wrote);
	}
}

static void
destroy(void *user)
{
	struct zlib_state *state = user;

	(void)inflateEnd(&state->stream);
	free(state);
}

const struct inflate_ops inflate_zlib = {create, reset, run, destroy};
