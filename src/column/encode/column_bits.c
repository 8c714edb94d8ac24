/*
 * Bit packing is what makes a column small: a name among 17 takes 5 bits, not 8. Unpacking must not
 * cost what that saves in memory traffic, so there is one loop for each width, eight numbers a
 * turn, in which all shifts are constants and as many numbers as possible share one 8-byte load.
 */
#include "config.h"
#include "column/encode/column_bits.h"

#include "util/mem.h"

static void
strbuf_reserve(struct strbuf *buf, size_t extra)
{
	if (buf->cap < buf->len + extra) {
		buf->data = mem_grow(buf->data, &buf->cap, buf->len + extra, 1);
	}
}

void
bits_pack(const uint64_t *numbers, uint32_t n, unsigned width, struct strbuf *out)
{
	if (width == 0 || n == 0) {
		return;
	}
	size_t bytes = bits_bytes(n, width);
	strbuf_reserve(out, bytes + 17);
	unsigned char *p = (unsigned char *)out->data + out->len;
	if (width == 64) {
		memcpy(p, numbers, bytes);
	} else {
		uint64_t pending = 0;
		unsigned filled = 0;
		for (uint32_t i = 0; i < n; i++) {
			pending |= numbers[i] << filled;
			filled += width;
			if (filled >= 64) {
				memcpy(p, &pending, 8);
				p += 8;
				filled -= 64;
				pending = filled ? numbers[i] >> (width - filled) : 0;
			}
		}
		memcpy(p, &pending, 8);
	}
	out->len += bytes;
	out->data[out->len] = '\0';
}

/* How many numbers of a width one 8-byte load serves in a group of eight. */
#define PER_LOAD(w) ((w) <= 8 ? 8u : (w) <= 15 ? 4u : (w) <= 28 ? 2u : 1u)

static inline __attribute__((always_inline)) uint64_t
unpack_one(const unsigned char *bytes, unsigned j, unsigned width)
{
	unsigned first_bit = j / PER_LOAD(width) * PER_LOAD(width) * width;
	unsigned shift = (first_bit & 7) + j % PER_LOAD(width) * width;
	return load_u64(bytes + first_bit / 8) >> shift & bits_mask(width);
}

static inline __attribute__((always_inline)) void
unpack_groups(const unsigned char *bytes, uint32_t n_groups, unsigned width, uint64_t *out)
{
	for (; n_groups > 0; n_groups--, bytes += width, out += 8) {
		out[0] = unpack_one(bytes, 0, width);
		out[1] = unpack_one(bytes, 1, width);
		out[2] = unpack_one(bytes, 2, width);
		out[3] = unpack_one(bytes, 3, width);
		out[4] = unpack_one(bytes, 4, width);
		out[5] = unpack_one(bytes, 5, width);
		out[6] = unpack_one(bytes, 6, width);
		out[7] = unpack_one(bytes, 7, width);
	}
}

#define WIDTH(w)                                                                                   \
	case w:                                                                                    \
		unpack_groups(bytes, n_groups, w, out);                                            \
		break;
#define WIDTHS8(w)                                                                                 \
	WIDTH(w)                                                                                   \
	WIDTH(w + 1)                                                                               \
	WIDTH(w + 2) WIDTH(w + 3) WIDTH(w + 4) WIDTH(w + 5) WIDTH(w + 6) WIDTH(w + 7)

static void
unpack_width(const unsigned char *bytes, uint32_t n_groups, unsigned width, uint64_t *out)
{
	switch (width) {
		WIDTHS8(1)
		WIDTHS8(9)
		WIDTHS8(17)
		WIDTHS8(25)
		WIDTHS8(33)
		WIDTHS8(41)
		WIDTHS8(49)
		WIDTH(57)
	default:
		break;
	}
}

void
bits_unpack(const unsigned char *bytes, uint32_t first, uint32_t n, unsigned width,
            uint64_t *numbers)
{
	if (n == 0) {
		return;
	}
	if (width == 0) {
		memset(numbers, 0, n * sizeof *numbers);
		return;
	}
	if (width == 64) {
		memcpy(numbers, bytes + (size_t)first * 8, (size_t)n * 8);
		return;
	}
	uint32_t i = 0;
	for (; i < n && ((first + i) & 7) != 0; i++) {
		numbers[i] = bits_get(bytes, first + i, width);
	}
	uint32_t n_groups = (n - i) / 8;
	unpack_width(bytes + (size_t)(first + i) / 8 * width, n_groups, width, numbers + i);
	for (i += n_groups * 8; i < n; i++) {
		numbers[i] = bits_get(bytes, first + i, width);
	}
}

/* Eight numbers, one beside the other in the lower bits, to eight bytes: halves are moved apart
 * three times. */
static inline uint64_t
spread_bytes(uint64_t eight, unsigned width)
{
	const uint64_t fours = bits_mask(4 * width), twos = bits_mask(2 * width) * 0x100000001u,
		       ones = bits_mask(width) * UINT64_C(0x1000100010001);
	eight = (eight & fours) | (eight >> 4 * width & fours) << 32;
	eight = (eight & twos) | (eight >> 2 * width & twos) << 16;
	return (eight & ones) | (eight >> width & ones) << 8;
}

void
bits_unpack_bytes(const unsigned char *bytes, uint32_t first, uint32_t n, unsigned width,
                  uint8_t *numbers)
{
	uint32_t i = 0;
	for (; i < n && ((first + i) & 7) != 0; i++) {
		numbers[i] = (uint8_t)bits_get(bytes, first + i, width);
	}
	const unsigned char *next = bytes + (size_t)(first + i) / 8 * width;
	for (; i + 8 <= n; i += 8, next += width) {
		uint64_t eight = spread_bytes(load_u64(next), width);
		memcpy(numbers + i, &eight, sizeof eight);
	}
	for (; i < n; i++) {
		numbers[i] = (uint8_t)bits_get(bytes, first + i, width);
	}
}
