/*
 * A gzip file is a row of members: tools that compress in parallel or append write many, tapes pad
 * with zeros. Whatever breaks, all bytes that were decoded before it are handed out first: the half
 * of a trace that a crashed job left is worth reading. What follows is searched for the header of
 * another member, and reading goes on there, on a new line; that is damage, and told. Where there
 * is none, the stream simply ends, with the reason kept.
 *
 * The search goes on where the inflater gave up and never back, so that each byte is looked at
 * once, and pipes work like files. Four bytes that only look like a header (one place in 2^27 of
 * what is random) cost what the inflater makes of them until it gives up in turn.
 *
 * How many bytes an inflater makes of a broken code before it finds that out depends on where its
 * input ends, by some dozens. So that of one file always the same is kept, however it is read, a
 * member is given in pieces of one size, but for its last.
 */
#include "config.h"
#include "input/gzip.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

enum gzip_phase { BETWEEN, INSIDE, SEARCHING, OVER };

#define PIECE_BYTES ((size_t)32 << 10)
#define MAGIC_BYTES 3
#define FLAGS_NEVER_SET 0xe0u
#define TRAILER_BYTES 8
static const char foreign[] = "is followed by bytes that are not gzip";
static const unsigned char magic[MAGIC_BYTES] = {0x1f, 0x8b, 8};

struct gzip {
	const struct inflate_ops *ops;
	void *state;
	enum gzip_phase phase;
	unsigned n_members; /* begun */
	size_t n_taken;     /* bytes of the member that the inflater took */
	char truncation[96];

	unsigned n_matched;  /* SEARCHING: of magic, by the last bytes */
	bool is_found;       /* INSIDE a member that was searched for and has given nothing yet */
	bool is_line_open;   /* the last byte that came out was no newline */
	uint64_t plain;      /* bytes that came out */
	uint64_t damaged_at; /* as many had before the first place that was passed over */
	uint64_t broken_at;  /* where in the file the inflater gave up */
	uint64_t found_at;   /* where the member begins that was searched for */
	bool is_doubtful;    /* what came out before may be wrong */
	char breakage[64];   /* why: the truncation, unless there are more members */
	unsigned n_damaged;  /* places that were passed over */
	char damage[400];    /* of the first */
	char told[480];
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

static uint64_t
place(const struct raw *raw)
{
	uint64_t offset = atomic_load_explicit(&((struct raw *)raw)->offset, memory_order_relaxed);

	return offset - raw->avail;
}

static void
stop(struct gzip *gzip, const char *what)
{
	gzip->phase = OVER;
	snprintf(gzip->truncation, sizeof gzip->truncation, "gzip member %u %s", gzip->n_members,
	         what);
}

/* The member can't be read on: maybe another one can. */
static void
give_up(struct gzip *gzip, const struct raw *raw, const char *why)
{
	gzip->phase = SEARCHING;
	gzip->n_matched = 0;
	if (gzip->is_found) {
		gzip->is_found = false; /* it was none, and the search goes on */
		gzip->n_members--;
		return;
	}
	gzip->broken_at = place(raw);
	snprintf(gzip->breakage, sizeof gzip->breakage, "%s", why);
	gzip->is_doubtful = why != foreign;
}

/* Tells of the place that was passed over, once what was found there gives something. */
static void
note_damage(struct gzip *gzip)
{
	uint64_t lost = gzip->found_at - gzip->broken_at;

	if (gzip->n_damaged++ > 0) {
		return;
	}
	gzip->damaged_at = gzip->plain;
	int n =
	    snprintf(gzip->damage, sizeof gzip->damage,
	             "gzip member %u %s (byte %" PRIu64 " of the file)%s; reading went on with the "
	             "next member at byte %" PRIu64,
	             gzip->n_members - 1, gzip->breakage, gzip->broken_at,
	             gzip->is_doubtful ? ", and its text may be wrong" : "", gzip->found_at);
	if (lost > TRAILER_BYTES && n > 0 && (size_t)n < sizeof gzip->damage) {
		snprintf(gzip->damage + n, sizeof gzip->damage - (size_t)n,
		         ", what the %" PRIu64 " bytes between held is lost", lost);
	}
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
		if (raw->next[0] != magic[0]) {
			give_up(gzip, raw, foreign);
			return 0;
		}
		gzip->ops->reset(gzip->state);
	}
	gzip->n_taken = 0;
	gzip->n_members++;
	gzip->phase = INSIDE;
	return 0;
}

/* Begins a member whose header's first bytes are gone by: magic and these flags. */
static void
enter(struct gzip *gzip, unsigned char flags)
{
	unsigned char header[MAGIC_BYTES + 1] = {magic[0], magic[1], magic[2], flags}, none;
	struct inflate_io io = {header, sizeof header, &none, 0};

	gzip->ops->reset(gzip->state);
	(void)gzip->ops->run(gzip->state, &io); /* a part of a header gives nothing */
	gzip->n_taken = 0;
	gzip->n_members++;
	gzip->phase = INSIDE;
	gzip->is_found = true;
}

/* Passes over what is at hand up to behind the next header's first bytes. */
static void
search_bytes(struct gzip *gzip, struct raw *raw)
{
	while (raw->avail > 0) {
		unsigned char byte = *raw->next++;
		raw->avail--;
		if (gzip->n_matched == MAGIC_BYTES && (byte & FLAGS_NEVER_SET) == 0) {
			gzip->found_at = place(raw) - MAGIC_BYTES - 1;
			enter(gzip, byte);
			return;
		}
		bool is_next = gzip->n_matched < MAGIC_BYTES && byte == magic[gzip->n_matched];
		gzip->n_matched = is_next ? gzip->n_matched + 1 : byte == magic[0];
		if (gzip->n_matched == 0) {
			const unsigned char *first = memchr(raw->next, magic[0], raw->avail);
			size_t skipped = first ? (size_t)(first - raw->next) : raw->avail;
			raw->next += skipped;
			raw->avail -= skipped;
		}
	}
}

/* Looks for another member. 0, or -1 when raw can't be read. */
static int
search(struct gzip *gzip, struct raw *raw, struct err *err)
{
	int more = raw->avail ? 1 : raw_refill(raw, err);

	if (more < 0) {
		return -1;
	}
	if (more == 0) {
		stop(gzip, gzip->is_doubtful ? gzip->breakage
		                             : "is followed by bytes that are not gzip, which were "
		                               "ignored");
		return 0;
	}
	search_bytes(gzip, raw);
	return 0;
}

/* What is left of the piece to hand, as far as there is so much. 1, 0 at the end, -1. */
static int
gather(const struct gzip *gzip, struct raw *raw, size_t *n, struct err *err)
{
	size_t left = PIECE_BYTES - gzip->n_taken % PIECE_BYTES;
	int more = 1;

	while (raw->avail < left && more == 1) {
		more = raw_refill(raw, err);
	}
	*n = LEAST(raw->avail, left);
	return more < 0 ? -1 : *n > 0;
}

/* Decodes n of the bytes at hand into out; returns how many bytes came out. */
static size_t
run(struct gzip *gzip, struct raw *raw, size_t n, unsigned char *out, size_t size, bool *stuck)
{
	struct inflate_io io = {raw->next, n, out, size};
	enum inflate_status status = gzip->ops->run(gzip->state, &io);
	size_t produced = size - io.avail_out, taken = n - io.avail_in;

	*stuck = status == INFLATE_MORE && produced == 0 && taken == 0;
	raw->next = io.next_in;
	raw->avail -= taken;
	gzip->n_taken += taken;
	if (gzip->is_found && (produced > 0 || status == INFLATE_MEMBER_END)) {
		gzip->is_found = false;
		note_damage(gzip);
	}
	switch (status) {
	case INFLATE_MORE:
		break;
	case INFLATE_MEMBER_END:
		gzip->phase = BETWEEN;
		break;
	case INFLATE_CORRUPT:
		give_up(gzip, raw, "is corrupt");
		break;
	case INFLATE_BAD_CHECKSUM:
		give_up(gzip, raw, "has a wrong checksum");
		break;
	case INFLATE_HEADER:
		give_up(gzip, raw, "has no valid header");
		break;
	}
	return produced;
}

/* The next bytes of the member; a line that a damaged one left open ends before. 0, or -1. */
static int
inflate_some(struct gzip *gzip, struct raw *raw, unsigned char *out, size_t size, size_t *produced,
             struct err *err)
{
	size_t n;
	int more = gather(gzip, raw, &n, err);
	bool is_stuck = false, ends_line = gzip->is_found && gzip->is_line_open;

	if (more < 0) {
		return -1;
	}
	if (ends_line && size < 2) {
		out[0] = '\n';
		gzip->is_line_open = false;
		gzip->plain += *produced = 1;
		return 0;
	}
	/* Without input there may still be output inside the inflater. */
	*produced = run(gzip, raw, n, out + ends_line, size - ends_line, &is_stuck);
	if (ends_line && *produced > 0) {
		out[0] = '\n';
		++*produced;
	}
	if (*produced > 0) {
		gzip->is_line_open = out[*produced - 1] != '\n';
		gzip->plain += *produced;
	}
	if (is_stuck && !more && !gzip->is_found) {
		stop(gzip, "ends early");
	} else if (is_stuck) {
		give_up(gzip, raw, "is corrupt");
	}
	return 0;
}

int64_t
gzip_read(struct gzip *gzip, struct raw *raw, void *out, size_t size, struct err *err)
{
	size_t produced = 0;
	int status = 0;

	while (status == 0 && produced < size && gzip->phase != OVER) {
		size_t n = 0;
		switch (gzip->phase) {
		case BETWEEN:
			status = begin_member(gzip, raw, err);
			break;
		case SEARCHING:
			status = search(gzip, raw, err);
			break;
		default:
			status = inflate_some(gzip, raw, (unsigned char *)out + produced,
			                      size - produced, &n, err);
			break;
		}
		produced += n;
	}
	return status ? -1 : (int64_t)produced;
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

const char *
gzip_damage(struct gzip *gzip, uint64_t *offset)
{
	*offset = gzip->damaged_at;
	if (gzip->n_damaged == 0) {
		return NULL;
	}
	snprintf(gzip->told, sizeof gzip->told, "%s", gzip->damage);
	if (gzip->n_damaged > 1) {
		size_t length = strlen(gzip->told);
		snprintf(gzip->told + length, sizeof gzip->told - length,
		         " (the first of %u such places)", gzip->n_damaged);
	}
	return gzip->told;
}
