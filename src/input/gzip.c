/*
 * A gzip file is a row of members: tools that compress in parallel or append write many, tapes pad
 * with zeros. Whatever breaks, all bytes that were decoded before it are handed out first, and then
 * the stream simply ends, with the reason kept: the half of a trace that a crashed job left is
 * worth reading.
 */
#include "config.h"
#include "input/gzip.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/mem.h"

enum phase { BETWEEN, INSIDE, OVER };

struct gzip {
	const struct inflate_ops *ops;
	void *state;
	enum phase phase;
	unsigned n_members; /* begun */
	char truncation[96];
};

struct gzip *
gzip_new(enum inflate_engine engine)
{
	struct gzip *gzip = xcalloc(1, sizeof *gzip);

#ifdef HAVE_ISAL
	gzip->ops = engine == INFLATE_ZLIB ? &inflate_zlib : &inflate_isal;
#else
	(void)engine;
	gzip->ops = &inflate_zlib;
#endif
	gzip->state = gzip->ops->create();
	return gzip;
}

void
gzip_free(struct gzip *gzip)
{
	if (gzip) {
		gzip->ops->destroy(gzip->state);
		free(gzip);
	}
}

static void
stop(struct gzip *gzip, const char *what)
{
	gzip->phase = OVER;
	snprintf(gzip->truncation, sizeof gzip->truncation, "gzip member %u %s", gzip->n_members,
	         what);
}

/* Begins the next member if there is one, else sets OVER. 0, or -1 when raw can't be read. */
static int
begin_member(struct gzip *gzip, struct raw *raw, struct err *err)
{
	int more = raw->avail ? 1 : raw_refill(raw, err);

	while (more == 1 && gzip->n_members > 0 && raw->next[0] == 0) { /* padding */
		raw->next++;
		raw->avail--;
		more = raw->avail ? 1 : raw_refill(raw, err);
	}
	if (more <= 0) {
		gzip->phase = OVER;
		return more;
	}
	if (gzip->n_members > 0) {
		if (raw->next[0] != 0x1f) {
			stop(gzip, "is followed by bytes that are not gzip, which were ignored");
			return 0;
		}
		gzip->ops->reset(gzip->state);
	}
	gzip->n_members++;
	gzip->phase = INSIDE;
	return 0;
}

/* Decodes from the bytes at hand into out; returns how many bytes came out. */
static size_t
run(struct gzip *gzip, struct raw *raw, unsigned char *out, size_t size, bool *stuck)
{
	struct inflate_io io = {raw->next, raw->avail, out, size};
	enum inflate_status status = gzip->ops->run(gzip->state, &io);
	size_t produced = size - io.avail_out;

	*stuck = status == INFLATE_MORE && produced == 0 && io.avail_in == raw->avail;
	raw->next = io.next_in;
	raw->avail = io.avail_in;
	switch (status) {
	case INFLATE_MORE:
		break;
	case INFLATE_MEMBER_END:
		gzip->phase = BETWEEN;
		break;
	case INFLATE_CORRUPT:
		stop(gzip, "is corrupt");
		break;
	case INFLATE_BAD_CHECKSUM:
		stop(gzip, "has a wrong checksum");
		break;
	case INFLATE_HEADER:
		stop(gzip, "has no valid header");
		break;
	}
	return produced;
}

int64_t
gzip_read(struct gzip *gzip, struct raw *raw, void *out, size_t size, struct err *err)
{
	size_t produced = 0;

	while (produced < size && gzip->phase != OVER) {
		bool stuck = false;
		if (gzip->phase == BETWEEN) {
			if (begin_member(gzip, raw, err) != 0) {
				return -1;
			}
			continue;
		}
		int more = raw->avail ? 1 : raw_refill(raw, err);
		if (more < 0) {
			return -1;
		}
		/* Without input there may still be output inside the inflater. */
		produced +=
		    run(gzip, raw, (unsigned char *)out + produced, size - produced, &stuck);
		if (stuck) {
			stop(gzip, more ? "is corrupt" : "ends early");
		}
	}
	return (int64_t)produced;
}

unsigned
gzip_members(const struct gzip *gzip)
{
	return gzip->n_members;
}

const char *
gzip_truncation(const struct gzip *gzip)
{
	return gzip->truncation[0] ? gzip->truncation : NULL;
}
