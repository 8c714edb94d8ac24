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
#include "util/order.h"

#define CALL_BYTES ((size_t)1 << 30) /* sizes are 32 bits there */

struct isal {
	struct inflate_state state;
	enum inflate_status failure; /* INFLATE_MORE: none yet */
};

static void *
create(void)
{
	/* Zeros, since a broken code may copy what was never set. */
	struct isal *isal = xcalloc(1, sizeof *isal);

	isal_inflate_init(&isal->state);
	isal->state.crc_flag = ISAL_GZIP;
	isal->failure = INFLATE_MORE;
	return isal;
}

static void
reset(void *user)
{
	struct isal *isal = user;

	if (isal->failure == INFLATE_MORE) {
		isal_inflate_reset(&isal->state);
	} else { /* of which resetting might leave something */
		isal_inflate_init(&isal->state);
	}
	isal->state.crc_flag = ISAL_GZIP;
	isal->failure = INFLATE_MORE;
}

/* Gives back what was taken in ahead, as far as it is of these bytes: another member may begin
 * there. */
static void
give_back(struct isal *isal, struct inflate_io *io, size_t consumed)
{
	int32_t n_bits = isal->state.read_in_length;
	size_t n = n_bits > 0 ? (size_t)n_bits / 8 : 0;

	n = LEAST(n, consumed);
	io->next_in -= n;
	io->avail_in += n;
}

/* Hands out what was decoded before the failure; the failure once nothing is left. */
static enum inflate_status
drain(struct isal *isal, struct inflate_io *io)
{
	struct inflate_state *state = &isal->state;
	size_t left = (size_t)(state->tmp_out_valid - state->tmp_out_processed);
	size_t n = LEAST(left, io->avail_out);

	memcpy(io->next_out, state->tmp_out_buffer + state->tmp_out_processed, n);
	state->tmp_out_processed += (int32_t)n;
	io->next_out += n;
	io->avail_out -= n;
	return n < left ? INFLATE_MORE : isal->failure;
}

static enum inflate_status
status_of(const struct inflate_state *state, int result)
{
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

static enum inflate_status
run(void *user, struct inflate_io *io)
{
	struct isal *isal = user;
	struct inflate_state *state = &isal->state;
	size_t in = LEAST(io->avail_in, CALL_BYTES);
	size_t out = LEAST(io->avail_out, CALL_BYTES);

	if (isal->failure != INFLATE_MORE) {
		return drain(isal, io);
	}
	state->next_in = (uint8_t *)io->next_in; /* not written to */
	state->avail_in = (uint32_t)in;
	state->next_out = io->next_out;
	state->avail_out = (uint32_t)out;
	enum inflate_status status = status_of(state, isal_inflate(state));
	/* By the pointer: after a failure the number of bytes may not fit it. */
	size_t taken = (size_t)(state->next_in - io->next_in);
	taken = LEAST(taken, in);
	io->avail_in -= taken;
	io->next_in += taken;
	io->avail_out -= out - state->avail_out;
	io->next_out = state->next_out;
	if (status == INFLATE_MORE || status == INFLATE_MEMBER_END) {
		return status;
	}
	isal->failure = status;
	give_back(isal, io, taken);
	return drain(isal, io);
}

static void
destroy(void *user)
{
	free(user);
}

const struct inflate_ops inflate_isal = {create, reset, run, destroy};
#endif
