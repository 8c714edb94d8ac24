/*
 * zlib's deflate in front of write(2). The first error is kept and everything after it ignored, so
 * that generators need not look at the result of every line.
 */
#include "config.h"
#include "input/gzip_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "util/mem.h"

#define OUT_BYTES ((size_t)256 << 10)
#define GZIP_WINDOW (15 + 16) /* largest window, gzip frame */
#define MEMORY_LEVEL 9

struct gzip_writer {
	int fd;
	int level;
	bool is_ours; /* fd is to be closed */
	int error;    /* errno of the first failure */
	char *path;
	z_stream stream;
	unsigned char out[OUT_BYTES];
	size_t n_out; /* plain writing only: bytes waiting in out */
};

struct gzip_writer *
gzip_writer_over(int fd, const char *name, int level, struct err *err)
{
	struct gzip_writer *writer = xcalloc(1, sizeof *writer);

	writer->level = level;
	writer->fd = fd;
	if (level > 0 && deflateInit2(&writer->stream, level, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
	                              Z_DEFAULT_STRATEGY) != Z_OK) {
		err_set(err, ERR_SYSTEM, "%s: cannot set up compression", name);
		free(writer);
		return NULL;
	}
	writer->path = xstrdup(name);
	return writer;
}

struct gzip_writer *
gzip_writer_open(const char *path, int level, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0) {
		err_set_errno(err, errno, "%s: cannot create", path);
		return NULL;
	}
	struct gzip_writer *writer = gzip_writer_over(fd, path, level, err);
	if (writer) {
		writer->is_ours = true;
	} else {
		close(fd);
	}
	return writer;
}

bool
gzip_writer_failed(const struct gzip_writer *writer)
{
	return writer->error != 0;
}

static void
write_all(struct gzip_writer *writer, const unsigned char *bytes, size_t length)
{
	while (length && !writer->error) {
		ssize_t n = write(writer->fd, bytes, length);
		if (n < 0) {
			writer->error = errno == EINTR ? 0 : errno;
			continue;
		}
		bytes += n;
		length -= (size_t)n;
	}
}

static void
compress_all(struct gzip_writer *writer, int flush)
{
	int status;

	do {
		writer->stream.next_out = writer->out;
		writer->stream.avail_out = OUT_BYTES;
		status = deflate(&writer->stream, flush);
		write_all(writer, writer->out, OUT_BYTES - writer->stream.avail_out);
	} while (writer->stream.avail_out == 0 || (flush == Z_FINISH && status == Z_OK));
}

static void
put_plain(struct gzip_writer *writer, const unsigned char *bytes, size_t length)
{
	if (length > OUT_BYTES - writer->n_out) {
		write_all(writer, writer->out, writer->n_out);
		writer->n_out = 0;
	}
	if (length > OUT_BYTES) {
		write_all(writer, bytes, length);
		return;
	}
	memcpy(writer->out + writer->n_out, bytes, length);
	writer->n_out += length;
}

void
gzip_writer_put(struct gzip_writer *writer, const void *bytes, size_t length)
{
	const unsigned char *from = bytes;

	if (length == 0 || writer->error) {
		return;
	}
	if (writer->level == 0) {
		put_plain(writer, from, length);
		return;
	}
	while (length) { /* zlib counts in unsigned int */
		unsigned part = length < (1u << 30) ? (unsigned)length : 1u << 30;
		writer->stream.next_in = (unsigned char *)from;
		writer->stream.avail_in = part;
		compress_all(writer, Z_NO_FLUSH);
		from += part;
		length -= part;
	}
}

void
gzip_writer_split(struct gzip_writer *writer)
{
	if (writer->level > 0) {
		compress_all(writer, Z_FINISH);
		deflateReset(&writer->stream);
	}
}

int
gzip_writer_close(struct gzip_writer *writer, struct err *err)
{
	int result = 0;

	if (!writer) {
		return 0;
	}
	if (writer->level > 0) {
		compress_all(writer, Z_FINISH);
		deflateEnd(&writer->stream);
	} else {
		write_all(writer, writer->out, writer->n_out);
	}
	if (writer->is_ours && close(writer->fd) != 0 && !writer->error) {
		writer->error = errno;
	}
	if (writer->error) {
		result = err_set_errno(err, writer->error, "%s: cannot write", writer->path);
	}
	free(writer->path);
	free(writer);
	return result;
}
