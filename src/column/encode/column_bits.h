/* Numbers of any width packed into bytes, from the lowest bit of the first byte on.
 * Used by column/scan. */
#ifndef LANESCOPE_COLUMN_ENCODE_COLUMN_BITS_H
#define LANESCOPE_COLUMN_ENCODE_COLUMN_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "util/slice.h"

#define BITS_MAX_PARTIAL 57 /* a number of up to 57 bits lies within 8 bytes wherever it starts */

static inline bool
bits_width_valid(unsigned width)
{
	return width <= BITS_MAX_PARTIAL || width == 64;
}

/* Narrowest valid width for numbers up to max. */
static inline unsigned
bits_width(uint64_t max)
{
	unsigned width = max == 0 ? 0 : 64 - (unsigned)__builtin_clzll(max);
	return width <= BITS_MAX_PARTIAL ? width : 64;
}

static inline uint64_t
bits_mask(unsigned width)
{
	return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static inline uint64_t
bits_bytes(uint64_t n, unsigned width)
{
	return (n * width + 7) / 8;
}

static inline uint64_t
load_u64(const void *bytes)
{
	uint64_t value;
	memcpy(&value, bytes, sizeof value);
	return value;
}

static inline uint32_t
load_u32(const void *bytes)
{
	uint32_t value;
	memcpy(&value, bytes, sizeof value);
	return value;
}

static inline uint16_t
load_u16(const void *bytes)
{
	uint16_t value;
	memcpy(&value, bytes, sizeof value);
	return value;
}

static inline uint64_t
bits_get(const unsigned char *bytes, uint64_t index, unsigned width)
{
	uint64_t bit = index * width;
	return width == 0 ? 0 : load_u64(bytes + bit / 8) >> (bit & 7) & bits_mask(width);
}

/* Bits set. Without an instruction for it, compilers call a function for each word. */
static inline uint32_t
bits_count(uint64_t word)
{
#if defined(__POPCNT__) || defined(__aarch64__)
	return (uint32_t)__builtin_popcountll(word);
#else
	word -= word >> 1 & UINT64_C(0x5555555555555555);
	word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
	word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
#endif
}

/* 64 bits of a bitmap from row on (a multiple of 64); those from n_rows on are 0. */
static inline uint64_t
bitmap_word(const unsigned char *bitmap, uint32_t row, uint32_t n_rows)
{
	uint64_t word = load_u64(bitmap + row / 8);
	uint32_t left = n_rows - row;
	return left >= 64 ? word : word & bits_mask(left);
}

/* Bits set of the rows row ... end - 1; row is a multiple of 64. */
static inline uint32_t
bitmap_count(const unsigned char *bitmap, uint32_t row, uint32_t end)
{
	uint32_t count = 0;

	for (; row < end; row += 64) {
		count += bits_count(bitmap_word(bitmap, row, end));
	}
	return count;
}

/* Appends n numbers (each below 2^width); a call must start at a byte: n of all but the last one
 * a multiple of 8. */
void bits_pack(const uint64_t *numbers, uint32_t n, unsigned width, struct strbuf *out);
/* Numbers first ... first + n - 1. May read (not use) up to 8 bytes beyond them. */
void bits_unpack(const unsigned char *bytes, uint32_t first, uint32_t n, unsigned width,
                 uint64_t *numbers);
/* The same into bytes, for widths of 1 to 7. */
void bits_unpack_bytes(const unsigned char *bytes, uint32_t first, uint32_t n, unsigned width,
                       uint8_t *numbers);

#endif
