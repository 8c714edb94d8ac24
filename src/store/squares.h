/* Sums of squares in SQL: BLOBs of 16 bytes, the most significant first, so that they compare as
 * the numbers do.
 * Used by its room alone. */
#ifndef LANESCOPE_STORE_SQUARES_H
#define LANESCOPE_STORE_SQUARES_H

#define SQUARES_BYTES 16

static inline void
squares_put(unsigned char bytes[SQUARES_BYTES], unsigned __int128 squares)
{
	for (int i = SQUARES_BYTES - 1; i >= 0; i--, squares >>= 8) {
		bytes[i] = (unsigned char)squares;
	}
}

static inline unsigned __int128
squares_get(const unsigned char bytes[SQUARES_BYTES])
{
	unsigned __int128 squares = 0;
	for (int i = 0; i < SQUARES_BYTES; i++) {
		squares = squares << 8 | bytes[i];
	}
	return squares;
}

#endif
