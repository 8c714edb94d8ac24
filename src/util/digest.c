/*
 * XXH3-128 was chosen because it is published, found in every distribution (so that a user can
 * check what a run says of its trace), and faster than any disk: the digest is made of bytes that
 * are being read anyway, and must not be noticed.
 *
 * More than 240 bytes: eight lanes of 64 bits take stripes of 64 bytes; 16 stripes are a block,
 * after which the lanes are scrambled. The last stripe, the last 64 bytes, is taken once more, and
 * the last block is never scrambled: a full block waits in the buffer until a byte follows it.
 * Shorter inputs have rules of their own, by length.
 */
#include "config.h"
#include "util/digest.h"
#include "util/order.h"

#include <stdio.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define STRIPES_PER_BLOCK (DIGEST_BLOCK_BYTES / DIGEST_STRIPE_BYTES)
#define SECRET_BYTES 192
#define SHORT_BYTES 240

static const uint64_t prime1 = UINT64_C(0x9e3779b185ebca87), prime2 = UINT64_C(0xc2b2ae3d27d4eb4f),
		      prime3 = UINT64_C(0x165667b19e3779f9), prime4 = UINT64_C(0x85ebca77c2b2ae63),
		      prime5 = UINT64_C(0x27d4eb2f165667c5);
static const uint64_t small_prime1 = 0x9e3779b1, small_prime2 = 0x85ebca77,
		      small_prime3 = 0xc2b2ae3d;

static const unsigned char secret[SECRET_BYTES] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

static uint64_t
read64(const unsigned char *bytes)
{
	uint64_t value;
	memcpy(&value, bytes, sizeof value);
	return value;
}

static uint32_t
read32(const unsigned char *bytes)
{
	uint32_t value;
	memcpy(&value, bytes, sizeof value);
	return value;
}

/* Two words of the secret as one. */
static uint64_t
key_at(size_t offset)
{
	return read64(secret + offset) ^ read64(secret + offset + 8);
}

static struct digest_value
multiply(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	return (struct digest_value){(uint64_t)(product >> 64), (uint64_t)product};
}

static uint64_t
multiply_and_fold(uint64_t a, uint64_t b)
{
	struct digest_value product = multiply(a, b);
	return product.high ^ product.low;
}

static uint64_t
avalanche(uint64_t value)
{
	value ^= value >> 37;
	value *= UINT64_C(0x165667919e3779f9);
	return value ^ (value >> 32);
}

/* XXH64's, used for the shortest. */
static uint64_t
avalanche64(uint64_t value)
{
	value ^= value >> 33;
	value *= prime2;
	value ^= value >> 29;
	value *= prime3;
	return value ^ (value >> 32);
}

/* ---- up to 240 bytes ---- */

static struct digest_value
of_1_to_3(const unsigned char *bytes, size_t length)
{
	uint32_t low = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[length >> 1] << 24 |
	               bytes[length - 1] | (uint32_t)length << 8;
	uint32_t swapped = __builtin_bswap32(low);
	uint32_t high = swapped << 13 | swapped >> 19;
	return (struct digest_value){
	    avalanche64(high ^ (uint64_t)(read32(secret + 8) ^ read32(secret + 12))),
	    avalanche64(low ^ (uint64_t)(read32(secret) ^ read32(secret + 4)))};
}

static struct digest_value
of_4_to_8(const unsigned char *bytes, size_t length)
{
	uint64_t word = read32(bytes) + ((uint64_t)read32(bytes + length - 4) << 32);
	struct digest_value value = multiply(word ^ key_at(16), prime1 + (length << 2));
	value.high += value.low << 1;
	value.low ^= value.high >> 3;
	value.low ^= value.low >> 35;
	value.low *= UINT64_C(0x9fb21c651e98df25);
	value.low ^= value.low >> 28;
	value.high = avalanche(value.high);
	return value;
}

static struct digest_value
of_9_to_16(const unsigned char *bytes, size_t length)
{
	uint64_t low = read64(bytes), high = read64(bytes + length - 8);
	struct digest_value value = multiply(low ^ high ^ key_at(32), prime1);
	value.low += (uint64_t)(length - 1) << 54;
	high ^= key_at(48);
	value.high += high + (uint64_t)(uint32_t)high * (small_prime2 - 1);
	value.low ^= __builtin_bswap64(value.high);
	struct digest_value mixed = multiply(value.low, prime2);
	mixed.high += value.high * prime2;
	return (struct digest_value){avalanche(mixed.high), avalanche(mixed.low)};
}

static uint64_t
mix16(const unsigned char *bytes, const unsigned char *key)
{
	return multiply_and_fold(read64(bytes) ^ read64(key), read64(bytes + 8) ^ read64(key + 8));
}

static void
mix32(struct digest_value *value, const unsigned char *one, const unsigned char *other,
      const unsigned char *key)
{
	value->low += mix16(one, key);
	value->low ^= read64(other) + read64(other + 8);
	value->high += mix16(other, key + 16);
	value->high ^= read64(one) + read64(one + 8);
}

static struct digest_value
conclude_short(struct digest_value value, size_t length)
{
	return (struct digest_value){
	    0 - avalanche(value.low * prime1 + value.high * prime4 + length * prime2),
	    avalanche(value.low + value.high)};
}

static struct digest_value
of_17_to_128(const unsigned char *bytes, size_t length)
{
	struct digest_value value = {0, length * prime1};
	for (size_t i = (length - 1) / 32 + 1; i-- > 0;) {
		mix32(&value, bytes + 16 * i, bytes + length - 16 * (i + 1), secret + 32 * i);
	}
	return conclude_short(value, length);
}

static struct digest_value
of_129_to_240(const unsigned char *bytes, size_t length)
{
	struct digest_value value = {0, length * prime1};
	for (size_t i = 0; i < 128; i += 32) {
		mix32(&value, bytes + i, bytes + i + 16, secret + i);
	}
	value.low = avalanche(value.low);
	value.high = avalanche(value.high);
	for (size_t i = 128; i + 32 <= length; i += 32) {
		mix32(&value, bytes + i, bytes + i + 16, secret + 3 + i - 128);
	}
	mix32(&value, bytes + length - 16, bytes + length - 32, secret + 103);
	return conclude_short(value, length);
}

static struct digest_value
of_few(const unsigned char *bytes, size_t length)
{
	if (length == 0) {
		return (struct digest_value){avalanche64(key_at(80)), avalanche64(key_at(64))};
	}
	return length <= 3     ? of_1_to_3(bytes, length)
	       : length <= 8   ? of_4_to_8(bytes, length)
	       : length <= 16  ? of_9_to_16(bytes, length)
	       : length <= 128 ? of_17_to_128(bytes, length)
	                       : of_129_to_240(bytes, length);
}

/* ---- more ---- */

#ifdef __SSE2__
/* Two lanes at once: three times as fast as what compilers make of the loop below. */
static inline void
take_stripe(uint64_t *lanes, const unsigned char *stripe, const unsigned char *key)
{
	for (size_t i = 0; i < DIGEST_LANES; i += 2) {
		__m128i value = _mm_loadu_si128((const __m128i *)(const void *)(stripe + 8 * i));
		__m128i keyed = _mm_xor_si128(
		    value, _mm_loadu_si128((const __m128i *)(const void *)(key + 8 * i)));
		__m128i product = _mm_mul_epu32(keyed, _mm_srli_epi64(keyed, 32));
		__m128i crossed = _mm_shuffle_epi32(value, _MM_SHUFFLE(1, 0, 3, 2));
		__m128i *pair = (__m128i *)(void *)(lanes + i);
		__m128i sum = _mm_add_epi64(_mm_loadu_si128(pair), crossed);
		_mm_storeu_si128(pair, _mm_add_epi64(sum, product));
	}
}
#else
static inline void
take_stripe(uint64_t *lanes, const unsigned char *stripe, const unsigned char *key)
{
	for (size_t i = 0; i < DIGEST_LANES; i++) {
		uint64_t value = read64(stripe + 8 * i);
		uint64_t keyed = value ^ read64(key + 8 * i);
		lanes[i ^ 1] += value;
		lanes[i] += (keyed & 0xffffffff) * (keyed >> 32);
	}
}
#endif

static void
take_block(uint64_t *lanes, const unsigned char *block)
{
	for (size_t i = 0; i < STRIPES_PER_BLOCK; i++) {
		take_stripe(lanes, block + i * DIGEST_STRIPE_BYTES, secret + 8 * i);
	}
	for (size_t i = 0; i < DIGEST_LANES; i++) {
		lanes[i] ^= lanes[i] >> 47;
		lanes[i] ^= read64(secret + SECRET_BYTES - DIGEST_STRIPE_BYTES + 8 * i);
		lanes[i] *= small_prime1;
	}
}

static uint64_t
merge_lanes(const uint64_t *lanes, const unsigned char *key, uint64_t start)
{
	for (size_t i = 0; i < DIGEST_LANES; i += 2) {
		start += multiply_and_fold(lanes[i] ^ read64(key + 8 * i),
		                           lanes[i + 1] ^ read64(key + 8 * i + 8));
	}
	return avalanche(start);
}

void
digest_init(struct digest *digest)
{
	*digest = (struct digest){.lanes = {small_prime3, prime1, prime2, prime3, prime4,
	                                    small_prime2, prime5, small_prime1}};
}

void
digest_add(struct digest *digest, const void *bytes, size_t length)
{
	const unsigned char *next = bytes;
	unsigned char *block = digest->buffer + DIGEST_STRIPE_BYTES;

	digest->length += length;
	while (length > 0) {
		if (digest->held == DIGEST_BLOCK_BYTES) {
			take_block(digest->lanes, block);
			memcpy(digest->buffer, block + DIGEST_BLOCK_BYTES - DIGEST_STRIPE_BYTES,
			       DIGEST_STRIPE_BYTES);
			digest->held = 0;
		}
		if (digest->held == 0 && length > DIGEST_BLOCK_BYTES) { /* past the buffer */
			while (length > DIGEST_BLOCK_BYTES) {
				take_block(digest->lanes, next);
				next += DIGEST_BLOCK_BYTES;
				length -= DIGEST_BLOCK_BYTES;
			}
			memcpy(digest->buffer, next - DIGEST_STRIPE_BYTES, DIGEST_STRIPE_BYTES);
		}
		size_t room = DIGEST_BLOCK_BYTES - digest->held;
		size_t n = LEAST(length, room);
		memcpy(block + digest->held, next, n);
		digest->held += n;
		next += n;
		length -= n;
	}
}

struct digest_value
digest_end(const struct digest *digest)
{
	const unsigned char *block = digest->buffer + DIGEST_STRIPE_BYTES;
	uint64_t lanes[DIGEST_LANES];

	if (digest->length <= SHORT_BYTES) {
		return of_few(block, (size_t)digest->length);
	}
	memcpy(lanes, digest->lanes, sizeof lanes);
	for (size_t i = 0; i < (digest->held - 1) / DIGEST_STRIPE_BYTES; i++) {
		take_stripe(lanes, block + i * DIGEST_STRIPE_BYTES, secret + 8 * i);
	}
	take_stripe(lanes, block + digest->held - DIGEST_STRIPE_BYTES,
	            secret + SECRET_BYTES - DIGEST_STRIPE_BYTES - 7);
	return (struct digest_value){
	    merge_lanes(lanes, secret + SECRET_BYTES - 64 - 11, ~(digest->length * prime2)),
	    merge_lanes(lanes, secret + 11, digest->length * prime1)};
}

char *
digest_print(struct digest_value value, char text[DIGEST_TEXT_BYTES])
{
	snprintf(text, DIGEST_TEXT_BYTES, "%016llx%016llx", (unsigned long long)value.high,
	         (unsigned long long)value.low);
	return text;
}
