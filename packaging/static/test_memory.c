/*
 * memory.c, as it is in the C library of the static binary, against loops over bytes: all lengths
 * to 200, from and to all places of two vectors, forwards and backwards. Compiled with
 * -fno-builtin.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define LENGTH_MAX 200
#define FROM_MAX 100
#define TO_MAX 230
#define BYTES (TO_MAX + LENGTH_MAX + 32)

static unsigned char now[BYTES], wanted[BYTES];

static void
fill(size_t seed)
{
	for (size_t i = 0; i < BYTES; i++) {
		now[i] = wanted[i] = (unsigned char)(i * 7 + seed);
	}
}

static bool
same(void)
{
	for (size_t i = 0; i < BYTES; i++) {
		if (now[i] != wanted[i]) {
			return false;
		}
	}
	return true;
}

static bool
moves(size_t from, size_t to, size_t n)
{
	unsigned char before[BYTES];
	bool apart = from + n <= to || to + n <= from;

	for (int copies = 0; copies <= (apart ? 1 : 0); copies++) {
		fill(n);
		for (size_t i = 0; i < BYTES; i++) {
			before[i] = wanted[i];
		}
		for (size_t i = 0; i < n; i++) {
			wanted[to + i] = before[from + i];
		}
		if ((copies ? memcpy : memmove)(now + to, now + from, n) != now + to || !same()) {
			return false;
		}
	}
	return true;
}

/* One byte of now differs from wanted's, or none where n is 0. */
static bool
compares(size_t at, size_t n)
{
	size_t middle = at + n / 2, first = at;
	int order;

	if (memcmp(now + at, wanted + at, n) != 0) {
		return false;
	}
	if (n == 0) {
		return memchr(now + at, now[at], 0) == NULL;
	}
	while (now[first] != now[middle]) {
		first++;
	}
	if (memchr(now + at, now[middle], n) != now + first) {
		return false;
	}
	wanted[middle] ^= 0x80;
	order = memcmp(now + at, wanted + at, n);
	return order != 0 && (order > 0) == (now[middle] > wanted[middle]);
}

int
main(void)
{
	for (size_t n = 0; n <= LENGTH_MAX; n++) {
		for (size_t from = 0; from < FROM_MAX; from += 3) {
			for (size_t to = 0; to < TO_MAX; to++) {
				if (!moves(from, to, n) || !compares(to, n)) {
					printf("%zu bytes from %zu to %zu: wrong\n", n, from, to);
					return 1;
				}
			}
		}
	}
	return 0;
}
