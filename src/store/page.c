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

struct sums {
	uint32_t first, second;
};

/* One step is: first += word + second; second += next word + first. */
static struct sums
sum_page(const unsigned char *page, size_t bytes)
{
	struct sums sums = {0, 0};
	size_t end = bytes - PAGE_RESERVED, at = 0;
	/* Two steps at once, with the words' own part apart from what came before: half as long a
	 * chain of additions that wait for each other. */
	for (; at + 16 <= end; at += 16) {
		uint32_t a = word(page + at), b = word(page + at + 4), c = word(page + at + 8),
			 d = word(page + at + 12);
		uint32_t first = 2 * a + b + c, second = first + a + b + d;
		uint32_t both = sums.first + sums.second, before = 2 * both + sums.second;
		sums.second = before + both + sums.second + second;
		sums.first = before + first;
	}
	for (; at < end; at += 8) {
		sums.first += word(page + at) + sums.second;
		sums.second += word(page + at + 4) + sums.first;
	}
	return sums;
}

void
page_seal(unsigned char *page, size_t bytes)
{
	struct sums sums = sum_page(page, bytes);
	put_word(page + bytes - 8, sums.first);
	put_word(page + bytes - 4, sums.second);
}

bool
page_is_sealed(const unsigned char *page, size_t bytes)
{
	struct sums sums = sum_page(page, bytes);
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
