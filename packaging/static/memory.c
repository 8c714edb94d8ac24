/*
 * memcpy, memmove, memcmp and memchr by 16 bytes, in place of musl's, which on x86-64 begin each
 * copy with "rep movsq" and compare and search byte by byte: imports, which copy many short texts,
 * took up to twice as long with those. Vectors of the compiler: SSE2 or NEON, which every machine
 * has. musl compiles this with the flags of its own string functions.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef unsigned char vector __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint64_t word __attribute__((aligned(1), may_alias));
typedef uint32_t half __attribute__((aligned(1), may_alias));
typedef uint16_t quarter __attribute__((aligned(1), may_alias));
typedef signed char mask __attribute__((vector_size(16)));
typedef uint64_t words __attribute__((vector_size(16), may_alias));

#define AT(type, address) (*(type *)(address))
#define FROM(type, address) (*(const type *)(address))

/* Copies at most 64 bytes: all are read before any is written, so that the two may overlap. */
static inline void
copy_short(unsigned char *to, const unsigned char *from, size_t n)
{
	if (n > 32) {
		vector a = FROM(vector, from), b = FROM(vector, from + 16),
		       c = FROM(vector, from + n - 32), d = FROM(vector, from + n - 16);

		AT(vector, to) = a;
		AT(vector, to + 16) = b;
		AT(vector, to + n - 32) = c;
		AT(vector, to + n - 16) = d;
	} else if (n >= 16) {
		vector a = FROM(vector, from), b = FROM(vector, from + n - 16);

		AT(vector, to) = a;
		AT(vector, to + n - 16) = b;
	} else if (n >= 8) {
		word a = FROM(word, from), b = FROM(word, from + n - 8);

		AT(word, to) = a;
		AT(word, to + n - 8) = b;
	} else if (n >= 4) {
		half a = FROM(half, from), b = FROM(half, from + n - 4);

		AT(half, to) = a;
		AT(half, to + n - 4) = b;
	} else if (n >= 2) {
		quarter a = FROM(quarter, from), b = FROM(quarter, from + n - 2);

		AT(quarter, to) = a;
		AT(quarter, to + n - 2) = b;
	} else if (n == 1) {
		*to = *from;
	}
}

void *
memmove(void *target, const void *source, size_t n)
{
	unsigned char *to = target;
	const unsigned char *from = source;

	if (n <= 64) {
		copy_short(to, from, n);
	} else if ((uintptr_t)to - (uintptr_t)from >=
	           n) { /* forwards: no byte is written before it was read */
		vector c = FROM(vector, from + n - 32), d = FROM(vector, from + n - 16);
		unsigned char *end = to + n;

		for (; n > 32; n -= 32, to += 32, from += 32) {
			vector a = FROM(vector, from), b = FROM(vector, from + 16);

			AT(vector, to) = a;
			AT(vector, to + 16) = b;
		}
		AT(vector, end - 32) = c;
		AT(vector, end - 16) = d;
	} else {
		vector c = FROM(vector, from), d = FROM(vector, from + 16);

		for (; n > 32; n -= 32) {
			vector a = FROM(vector, from + n - 16), b = FROM(vector, from + n - 32);

			AT(vector, to + n - 16) = a;
			AT(vector, to + n - 32) = b;
		}
		AT(vector, to) = c;
		AT(vector, to + 16) = d;
	}
	return target;
}

void *
memcpy(void *restrict target, const void *restrict source, size_t n)
{
	return memmove(target, source, n);
}

/* The bits of a comparison: 0 if none is set. */
static inline uint64_t
any(mask found)
{
	words bits = (words)found;

	return bits[0] | bits[1];
}

int
memcmp(const void *left, const void *right, size_t n)
{
	const unsigned char *a = left, *b = right;

	for (; n >= 16; n -= 16, a += 16, b += 16) {
		if (any(FROM(vector, a) != FROM(vector, b))) {
			break;
		}
	}
	if (n >= 8 && FROM(word, a) == FROM(word, b)) {
		n -= 8;
		a += 8;
		b += 8;
	}
	for (; n > 0 && *a == *b; n--, a++, b++) {
	}
	return n > 0 ? *a - *b : 0;
}

void *
memchr(const void *bytes, int c, size_t n)
{
	const unsigned char *at = bytes;
	unsigned char wanted = (unsigned char)c;
	vector all = wanted - (vector){0};

	for (; n >= 16; n -= 16, at += 16) {
		words found = (words)(FROM(vector, at) == all);

		if (found[0]) {
			return (void *)(at + __builtin_ctzll(found[0]) / 8);
		}
		if (found[1]) {
			return (void *)(at + 8 + __builtin_ctzll(found[1]) / 8);
		}
	}
	for (; n > 0; n--, at++) {
		if (*at == wanted) {
			return (void *)at;
		}
	}
	return NULL;
}
