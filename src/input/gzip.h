/* Gzip streams of any number of members over either of two inflaters. Private to src/input.
 * Used by its room alone. */
#ifndef LANESCOPE_INPUT_GZIP_H
#define LANESCOPE_INPUT_GZIP_H

#include "input/input.h"
#include "input/raw.h"

enum inflate_status {
	INFLATE_MORE,       /* ran out of input or room */
	INFLATE_MEMBER_END, /* trailer read and right */
	INFLATE_CORRUPT,
	INFLATE_BAD_CHECKSUM, /* all was decoded, but it is not what was compressed */
	INFLATE_HEADER        /* not a gzip header */
};

struct inflate_io {
	const unsigned char *next_in;
	size_t avail_in;
	unsigned char *next_out;
	size_t avail_out;
};

/* An inflater: decodes one member at a time, header and trailer included; next_in then stands
 * behind it. */
struct inflate_ops {
	void *(*create)(void);
	void (*reset)(
	    void *state); /* before every member but the first, whatever became of the last */
	enum inflate_status (*run)(void *state, struct inflate_io *io);
	void (*destroy)(void *state);
};
extern const struct inflate_ops inflate_zlib;
#ifdef HAVE_ISAL
extern const struct inflate_ops inflate_isal;
#endif

struct gzip;
struct gzip *gzip_new(enum inflate_engine engine);
/* Up to size plain bytes: how many, 0 at the end (whole or not), -1 when raw can't be read. */
int64_t gzip_read(struct gzip *gzip, struct raw *raw, void *out, size_t size, struct err *err);
unsigned gzip_members(const struct gzip *gzip);
const char *gzip_truncation(const struct gzip *gzip); /* NULL: none */
/* Places inside that were passed over to go on behind them, a sentence; NULL: none. *offset: plain
 * bytes before the first. */
const char *gzip_damage(struct gzip *gzip, uint64_t *offset);
void gzip_free(struct gzip *gzip); /* takes NULL */

#endif
