/*
 * Plain read(2): a mapped file that is cut while it is read would kill the program, and on network
 * file systems maps are slower than large reads. There each read costs its round trip, however
 * much it brings: so there files are read in large pieces, and the system is told of the next
 * ones, which it can fetch meanwhile. Bytes that were looked at to recognise the container stay in
 * the buffer and are handed out first, so that pipes work like files.
 */
#include "config.h"
#include "input/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/mem.h"
#include "util/order.h"

#define SPARE_BYTES ((size_t)4096) /* for a file that grows while it is read */

static void
init(struct raw *raw, int64_t size)
{
	bool is_small = size >= 0 && size < (int64_t)RAW_BUFFER_BYTES;
	*raw = (struct raw){.fd = -1, .size = size};
	raw->capacity = is_small ? (size_t)size + SPARE_BYTES : RAW_BUFFER_BYTES;
	raw->buffer = xmalloc(raw->capacity);
	raw->next = raw->buffer;
	digest_init(&raw->digest);
}

int
raw_open(struct raw *raw, const char *path, struct err *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct stat status;

	if (fd < 0) {
		return err_set_errno(err, errno, "%s", path);
	}
	bool known = fstat(fd, &status) == 0;
	if (known && S_ISDIR(status.st_mode)) {
		if (!is_stdin) {
			close(fd);
		}
		return err_set_errno(err, EISDIR, "%s", path);
	}
	bool is_file = known && S_ISREG(status.st_mode);
	init(raw, is_file ? status.st_size : -1);
	raw->fd = fd;
	if (is_file) {
		raw->is_file = true;
		raw->facts = file_facts_of(&status);
		(void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL); /* only a hint */
	}
	return 0;
}

void
raw_open_memory(struct raw *raw, struct slice bytes, size_t chunk)
{
	init(raw, (int64_t)bytes.len);
	raw->memory = bytes;
	raw->chunk = chunk;
}

void
raw_close(struct raw *raw)
{
	if (raw->fd > STDIN_FILENO) {
		close(raw->fd);
	}
	free(raw->buffer);
	raw->buffer = NULL;
}

static ssize_t
read_file(struct raw *raw, void *out, size_t size)
{
	bool is_first = atomic_load_explicit(&raw->offset, memory_order_relaxed) == 0;
	int64_t begin_ns = clock_ns();
	ssize_t n;

	do {
		n = read(raw->fd, out, is_first ? LEAST(size, RAW_FIRST_BYTES) : size);
	} while (n < 0 && errno == EINTR);
	int64_t took_ns = clock_ns() - begin_ns;
	raw->is_far |= raw->is_file && took_ns > RAW_FAR_NS;
	if (raw->is_far) {
		atomic_fetch_add_explicit(&raw->waited_ns, (uint_fast64_t)took_ns,
		                          memory_order_relaxed);
	}
	if (raw->is_far && n > 0 && !is_first) { /* only a hint, of who reads on */
		(void)posix_fadvise(raw->fd, (off_t)atomic_load(&raw->offset) + n,
		                    (off_t)RAW_AHEAD_BYTES, POSIX_FADV_WILLNEED);
	}
	return n;
}

/* One read from the file or memory. */
static int64_t
read_some(struct raw *raw, void *out, size_t size, struct err *err)
{
	ssize_t n;

	if (raw->chunk && size > raw->chunk) {
		size = raw->chunk;
	}
	if (raw->fd < 0) {
		n = (ssize_t)(LEAST(size, raw->memory.len));
		if (n) {
			memcpy(out, raw->memory.ptr, (size_t)n);
			raw->memory.ptr += n;
			raw->memory.len -= (size_t)n;
		}
	} else {
		n = read_file(raw, out, size);
	}
	if (n < 0) {
		return err_set_errno(err, errno, "read");
	}
	raw->ended = n == 0;
	digest_add(&raw->digest, out, (size_t)n);
	atomic_fetch_add_explicit(&raw->offset, (uint_fast64_t)n, memory_order_relaxed);
	return n;
}

int
raw_refill(struct raw *raw, struct err *err)
{
	if (raw->avail == 0) {
		raw->next = raw->buffer;
	}
	size_t end = (size_t)(raw->next - raw->buffer) + raw->avail;
	if (end == raw->capacity && raw->next > raw->buffer) {
		memmove(raw->buffer, raw->next, raw->avail);
		raw->next = raw->buffer;
		end = raw->avail;
	}
	if (raw->ended || end == raw->capacity) {
		return 0;
	}
	int64_t n = read_some(raw, raw->buffer + end, raw->capacity - end, err);
	if (n > 0) {
		raw->avail += (size_t)n;
	}
	return n < 0 ? -1 : n > 0;
}

int64_t
raw_read(struct raw *raw, void *out, size_t size, struct err *err)
{
	if (raw->avail == 0 && (raw->ended || size == 0)) {
		return 0;
	}
	if (raw->avail == 0 && (!raw->is_far || size >= raw->capacity)) {
		return read_some(raw, out, size, err);
	}
	int more = raw->avail ? 1 : raw_refill(raw, err);
	if (more <= 0) {
		return more;
	}
	size_t n = LEAST(size, raw->avail);
	memcpy(out, raw->next, n);
	raw->next += n;
	raw->avail -= n;
	return (int64_t)n;
}

int
raw_finish(struct raw *raw, const struct cancel *cancel, struct err *err)
{
	raw->avail = 0;
	while (!raw->ended) {
		if (cancel_requested(cancel)) {
			return err_set(err, ERR_CANCELLED, "cancelled");
		}
		if (read_some(raw, raw->buffer, raw->capacity, err) < 0) {
			return -1;
		}
	}
	return 0;
}
