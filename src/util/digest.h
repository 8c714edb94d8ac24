/* XXH3 with 128 bits, seed 0 and the default secret: what `xxh128sum` prints. Tells contents apart,
 * not forgeries.
 * Used by cli, ingest, input. */
#ifndef LANESCOPE_UTIL_DIGEST_H
#define LANESCOPE_UTIL_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_LANES 8
#define DIGEST_STRIPE_BYTES 64
#define DIGEST_BLOCK_BYTES 1024
#define DIGEST_TEXT_BYTES 33 /* of its hexadecimal digits, NUL included */

/* Bytes that come piece by piece. */
struct digest {
	uint64_t lanes[DIGEST_LANES];
	uint64_t length;
	size_t held; /* of the block at hand, which follows the last stripe of the one before */
	unsigned char buffer[DIGEST_STRIPE_BYTES + DIGEST_BLOCK_BYTES];
};
void digest_init(struct digest *digest);
void digest_add(struct digest *digest, const void *bytes, size_t length);

struct digest_value {
	uint64_t high, low;
};
/* Of all that was added so far; more may be added afterwards. */
struct digest_value digest_end(const struct digest *digest);
/* As 32 lower-case hexadecimal digits, the high half first. Returns text. */
char *digest_print(struct digest_value value, char text[DIGEST_TEXT_BYTES]);

#endif
