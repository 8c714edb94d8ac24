/*
 * Checksums of pages as SQLite's checksum VFS has them (ext/misc/cksumvfs.c): two sums of 32-bit
 * little-endian words by turns, each taking in the other, so that the place of a word counts; they
 * are the last 8 bytes of the page. SQLite's tools verify them as well. They find every single bit
 * that is wrong, but were made for speed and for accidents: whoever means to forge a page can.
 */
#include "config.h"
#include "store/page.h"

#include <string.h>

static uint32_t
word(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

static void
put_word(unsigned char *bytes, uint32_t value)
{
	for (int i = 0; i < 4; i++) {
		bytes[i] = (unsigned char)(value >> (8 * i));
	}
}

struct page_sums {
	uint32_t first, second;
};

static inline void
sum_step(struct page_sums *sums, const unsigned char *words)
{
	sums->first += word(words) + sums->second;
	sums->second += word(words + 4) + sums->first;
}

/* What n steps over zeros make of sums is linear in them: (1 1; 1 2) to the n-th power. */
struct page_steps {
	uint32_t of[2][2];
};

static struct page_steps
steps_after(const struct page_steps *one, const struct page_steps *other)
{
	struct page_steps both;
	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < 2; k++) {
			both.of[i][k] =
			    one->of[i][0] * other->of[0][k] + one->of[i][1] * other->of[1][k];
		}
	}
	return both;
}

static struct page_steps
steps_of(size_t n)
{
	struct page_steps steps = {{{1, 0}, {0, 1}}}, power = {{{1, 1}, {1, 2}}};
	for (; n; n >>= 1) {
		if (n & 1) {
			steps = steps_after(&steps, &power);
		}
		power = steps_after(&power, &power);
	}
	return steps;
}

/* The sums of bytes that follow on those of `before`, where they alone would be `sums`. */
static struct page_sums
sums_join(const struct page_steps *steps, struct page_sums before, struct page_sums sums)
{
	return (struct page_sums){
	    steps->of[0][0] * before.first + steps->of[0][1] * before.second + sums.first,
	    steps->of[1][0] * before.first + steps->of[1][1] * before.second + sums.second};
}

/* Each addition waits for the one before: four quarters side by side are 2.5 times as fast. */
static struct page_sums
sum_page(const unsigned char *page, size_t bytes)
{
	size_t n = (bytes - PAGE_RESERVED) / 8, quarter = n / 4 * 8;
	struct page_sums a = {0, 0}, b = a, c = a, d = a;
	for (const unsigned char *at = page, *end = page + quarter; at < end; at += 8) {
		sum_step(&a, at);
		sum_step(&b, at + quarter);
		sum_step(&c, at + 2 * quarter);
		sum_step(&d, at + 3 * quarter);
	}
	struct page_steps steps = steps_of(quarter / 8);
	struct page_sums sums = sums_join(&steps, sums_join(&steps, sums_join(&steps, a, b), c), d);
	for (size_t at = 4 * quarter; at < 8 * n; at += 8) {
		sum_step(&sums, page + at);
	}
	return sums;
}

void
page_seal(unsigned char *page, size_t bytes)
{
	struct page_sums sums = sum_page(page, bytes);
	put_word(page + bytes - 8, sums.first);
	put_word(page + bytes - 4, sums.second);
}

bool
page_is_sealed(const unsigned char *page, size_t bytes)
{
	struct page_sums sums = sum_page(page, bytes);
	return word(page + bytes - 8) == sums.first && word(page + bytes - 4) == sums.second;
}

bool
page_is_zero(const unsigned char *page, size_t bytes)
{
	/* Looks at the end first, where other pages have a checksum. */
	return page[bytes - 1] == 0 && page[0] == 0 && memcmp(page, page + 1, bytes - 1) == 0;
}

size_t
page_header_bytes(const unsigned char *header)
{
	size_t bytes = (size_t)header[16] << 8 | header[17];
	bytes = bytes == 1 ? PAGE_BYTES_MOST : bytes;
	return bytes >= PAGE_BYTES_LEAST && bytes <= PAGE_BYTES_MOST && (bytes & (bytes - 1)) == 0
	           ? bytes
	           : 0;
}

bool
page_header_is_sealed(const unsigned char *header)
{
	return header[20] == PAGE_RESERVED;
}

static void
put_big_endian(unsigned char *at, size_t value, int bytes)
{
	for (int i = bytes; i-- > 0; value >>= 8) {
		at[i] = (unsigned char)value;
	}
}

/* Offsets are those of SQLite's file format; what is left at zero is set by SQLite. */
void
page_first(unsigned char *page, size_t bytes)
{
	static const char magic[16] = "SQLite format 3";
	memset(page, 0, bytes);
	memcpy(page, magic, sizeof magic);
	put_big_endian(page + 16, bytes == PAGE_BYTES_MOST ? 1 : bytes, 2);
	page[18] = page[19] = 1; /* to write and to read: a rollback journal, no write-ahead log */
	page[20] = PAGE_RESERVED;
	page[21] = 64; /* fractions of payload: SQLite takes no others */
	page[22] = page[23] = 32;
	put_big_endian(page + 24, 1, 4); /* changes so far, as of bytes 92 to 95 */
	put_big_endian(page + 28, 1, 4); /* pages in the file */
	put_big_endian(page + 44, 4, 4); /* format of the schema */
	put_big_endian(page + 56, 1, 4); /* UTF-8 */
	put_big_endian(page + 92, 1, 4);
	page[PAGE_HEADER_BYTES] = 13; /* a leaf of a table, the schema's, with no rows */
	put_big_endian(page + PAGE_HEADER_BYTES + 5, bytes - PAGE_RESERVED, 2);
	page_seal(page, bytes);
}
