/*
 * ISA-L as an inflater, about twice as fast as zlib. It reads a member's header and trailer itself
 * and keeps what does not fit into the caller's buffer, to be handed out by the next call.
 */
#include "config.h"

#ifdef HAVE_ISAL
#include "input/gzip.h"

#include <isa-l/igzip_lib.h>
#include <stdlib.h>

#include "util/mem.h"

#define CALL_BYTES ((size_t)1 << 30) /* sizes are 32 bits there */

static void *
create(void)
{
	struct inflate_state *state = xmalloc(sizeof *state);

	isal_inflate_init(state);
	state->crc_flag = ISAL_GZIP;
	return state;
}

static void
reset(void *user)
{
	struct inflate_state *state = user;

	isal_inflate_reset(state);
	state->crc_flag = ISAL_GZIP;
}

static enum inflate_status
run(void *user, struct inflate_io *io)
{
	struct inflate_state *state = user;
	size_t in = io->avail_in < CALL_BYTES ? io->avail_in : CALL_BYTES;
	size_t out = io->avail_out < CALL_BYTES ? io->avail_out : CALL_BYTES;

	state->next_in = (uint8_t *)io->next_in; /* not written to */
	state->avail_in = (uint32_t)in;
	state->next_out = io->next_out;
	state->avail_out = (uint32_t)out;
	int result = isal_inflate(state);
	io->avail_in -= in - state->avail_in;
	io->next_in = state->next_in;
	io->avail_out -= out - state->avail_out;
	io->next_out = state->next_out;
	switch (result) {
	case ISAL_DECOMP_OK:
	case ISAL_END_INPUT:
	case ISAL_OUT_OVERFLOW:
		return state->block_state == ISAL_BLOCK_FINISH ? INFLATE_MEMBER_END : INFLATE_MORE;
	case ISAL_INCORRECT_CHECKSUM:
		return INFLATE_BAD_CHECKSUM;
	case ISAL_INVALID_WRAPPER:
	case ISAL_UNSUPPORTED_METHOD:
		return INFLATE_HEADER;
	default:
		return INFLATE_CORRUPT;
	}
}

static void
destroy(void *user)
{
	free(user);
}

const struct inflate_ops inflate_isal = {create, reset, run, destroy};
#endif
