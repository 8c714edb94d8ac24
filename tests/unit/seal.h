/* Run files that tests change behind the program's back, with checksums that are right again: what
 * else is wrong with them is then what is noticed. */
#ifndef LANESCOPE_TESTS_SEAL_H
#define LANESCOPE_TESTS_SEAL_H

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>
#include "store/page.h"
#include "unit/unit.h"

static inline void
seal_pages(const char *path)
{
	static unsigned char page[PAGE_BYTES_MOST];
	int fd = open(path, O_RDWR);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pread(fd, page, PAGE_HEADER_BYTES, 0), PAGE_HEADER_BYTES);
	size_t bytes = page_header_is_sealed(page) ? page_header_bytes(page) : 0;
	for (off_t at = 0; bytes && pread(fd, page, bytes, at) == (ssize_t)bytes;
	     at += (off_t)bytes) {
		page_seal(page, bytes);
		ck_assert_int_eq(pwrite(fd, page, bytes, at), bytes);
	}
	close(fd);
}

/* Changes a run file by SQL. */
static inline void
seal_after(const char *path, const char *sql)
{
	sqlite3 *db;
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s: %s", sql,
	              sqlite3_errmsg(db));
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	seal_pages(path);
}

#endif
