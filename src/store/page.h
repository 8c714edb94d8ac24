/* Pages of a run file as bytes: the checksum that ends each, and the first page of a new file. No
 * SQLite is asked.
 * Used by its room alone.
 */
#ifndef LANESCOPE_STORE_PAGE_H
#define LANESCOPE_STORE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_RESERVED 8       /* bytes at the end of each page, the checksum of those before */
#define PAGE_HEADER_BYTES 100 /* of SQLite's header, at the start of the first page */
#define PAGE_BYTES_LEAST 512
#define PAGE_BYTES_MOST 65536

/* Writes the checksum of a page's other bytes to its end. bytes: a power of two of at least 512. */
void page_seal(unsigned char *page, size_t bytes);
/* Is that checksum there? A page of nothing but zeros has it, too: its checksum is zero. */
bool page_is_sealed(const unsigned char *page, size_t bytes);
bool page_is_zero(const unsigned char *page, size_t bytes);
/* The whole of an empty database in pages of that size, sealed: what SQLite is opened on, since
 * old versions can't be asked for bytes at the end of pages. */
void page_first(unsigned char *page, size_t bytes);

/* What SQLite's header says. */
size_t page_header_bytes(const unsigned char *header);   /* of a page; 0: nothing possible */
bool page_header_is_sealed(const unsigned char *header); /* are just those bytes kept at the end? */

#endif
