/*
 * Four unsigned integers in as few bytes as they need: two bytes that hold the four lengths (a
 * nibble each, 0 to 8), then the bytes. For sorted temporary data coded in differences; without
 * branches, so about as fast as copying.
 * Used by column/finish.
 */
#ifndef LANESCOPE_COLUMN_ENCODE_PACK_H
#define LANESCOPE_COLUMN_ENCODE_PACK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PACK_BYTES_MAX 34u /* written at most, and 8 more may be scribbled on */
#define PACK_READ_MAX 64u  /* readable bytes that pack_get needs, whatever the bytes are */

static inline uint64_t
pack_zigzag(int64_t value)
{
	return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static inline int64_t
pack_unzigzag(uint64_t value)
{
	return (int64_t)((value >> 1) ^ (~(value & 1) + 1));
}

static inline unsigned
pack_length(uint64_t value)
{
	return value ? (unsigned)(71 - __builtin_clzll(value)) / 8 : 0;
}

/* Returns the bytes used. */
static inline size_t
pack_put(unsigned char *out, const uint64_t values[4])
{
	unsigned char *at = out + 2;
	uint16_t lengths = 0;

	for (unsigned i = 0; i < 4; i++) {
		unsigned length = pack_length(values[i]);
		memcpy(at, &values[i], 8);
		at += length;
		lengths = (uint16_t)(lengths | length << (4 * i));
	}
	memcpy(out, &lengths, 2);
	return (size_t)(at - out);
}

/* Returns the bytes used, PACK_READ_MAX at most. */
static inline size_t
pack_get(const unsigned char *in, uint64_t values[4])
{
	const unsigned char *at = in + 2;
	uint16_t lengths;

	memcpy(&lengths, in, 2);
	for (unsigned i = 0; i < 4; i++) {
		unsigned length = lengths >> (4 * i) & 15;
		uint64_t value;
		memcpy(&value, at, 8);
		values[i] = length >= 8 ? value : value & ((UINT64_C(1) << (8 * length)) - 1);
		at += length;
	}
	return (size_t)(at - in);
}

#endif
