/*
 * Every page of a run file, read in order without SQLite. One page of a large file is passed over:
 * the one at 1 GiB, in which SQLite keeps its locks and never a byte.
 */
#include "config.h"
#include "store/runfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/page.h"
#include "util/mem.h"

#define LOCKED_BYTE 0x40000000

/* As many bytes as there are, up to n. */
static ssize_t
read_whole(int fd, unsigned char *bytes, size_t n)
{
	size_t have = 0;
	while (have < n) {
		ssize_t got = read(fd, bytes + have, n - have);
		if (got == 0) {
			break;
		}
		if (got < 0 && errno != EINTR) {
			return -1;
		}
		have += got > 0 ? (size_t)got : 0;
	}
	return (ssize_t)have;
}

static void
look_at(const unsigned char *page, struct runfile_pages *pages)
{
	int64_t page_bytes = pages->page_bytes, at = pages->n++ * page_bytes;
	if (at <= LOCKED_BYTE && LOCKED_BYTE < at + page_bytes) {
		return;
	}
	if (!page_is_sealed(page, (size_t)page_bytes)) {
		pages->first = pages->damaged++ ? pages->first : pages->n;
	} else if (page_is_zero(page, (size_t)page_bytes)) {
		pages->zero++;
	}
}

static int
read_pages(const char *path, int fd, struct runfile_pages *pages, const struct cancel *cancel,
           struct err *err)
{
	unsigned char *page = xmalloc(PAGE_BYTES_MOST);
	ssize_t n = read_whole(fd, page, PAGE_HEADER_BYTES);
	int status = 0;
	pages->page_bytes = n == PAGE_HEADER_BYTES ? (int64_t)page_header_bytes(page) : 0;
	if (n < 0 || lseek(fd, 0, SEEK_SET) != 0) {
		status = err_set_errno(err, errno, "%s", path);
	} else if (!pages->page_bytes) {
		status = err_set(err, ERR_FORMAT, "%s: is damaged, its header is wrong", path);
	}
	while (status == 0 &&
	       (n = read_whole(fd, page, (size_t)pages->page_bytes)) == pages->page_bytes) {
		look_at(page, pages);
		status = cancel_check(cancel, err);
	}
	if (status == 0 && n != 0) {
		status =
		    n < 0 ? err_set_errno(err, errno, "%s", path)
			  : err_set(err, ERR_FORMAT, "%s: is damaged, its last page is cut", path);
	}
	free(page);
	return status;
}

int
runfile_verify(const char *path, struct runfile_pages *pages, const struct cancel *cancel,
               struct err *err)
{
	struct runfile_pages read = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		return err_set_errno(err, errno, "%s", path);
	}
	int status = read_pages(path, fd, &read, cancel, err);
	close(fd);
	if (status == 0) {
		*pages = read;
	}
	return status;
}
