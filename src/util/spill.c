/*
 * Memory first, then an unlinked file.
 *
 * Pieces are some hundred KiB each, so one allocation or one pwrite(2) a piece costs nothing. Only
 * the handing out of room is locked; writing is not. The file is opened by O_TMPFILE, which never
 * gives it a name; file systems without it (NFS, Lustre) get a random name that is removed at once.
 */
#include "config.h"
#include "util/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/mem.h"
#include "util/slice.h"

struct spill {
	char *directory;
	size_t memory_limit;
	pthread_mutex_t lock; /* guards the rest */
	size_t memory_bytes;
	void **pieces; /* those in memory */
	size_t n_pieces, piece_capacity;
	int fd; /* -1: not needed yet */
	uint64_t file_bytes;
};

char *
spill_folder(const char *beside)
{
	const char *temporary = getenv("TMPDIR");
	const char *slash = beside ? strrchr(beside, '/') : NULL;

	if (temporary && temporary[0]) {
		return xstrdup(temporary);
	}
	return slash ? xstrndup(beside, slash == beside ? 1 : (size_t)(slash - beside))
	             : xstrdup(".");
}

struct spill *
spill_new(const char *directory, size_t memory_bytes)
{
	struct spill *spill = xcalloc(1, sizeof *spill);

	spill->directory = xstrdup(directory);
	spill->memory_limit = memory_bytes;
	spill->fd = -1;
	pthread_mutex_init(&spill->lock, NULL);
	return spill;
}

static int
report(const struct spill *spill, int errnum, const char *what, struct err *err)
{
	return err_set(err, ERR_SYSTEM,
	               "cannot %s temporary data in '%s': %s (make room there, or set TMPDIR to a "
	               "folder that has some)",
	               what, spill->directory, strerror(errnum));
}

/* With the lock held. */
static int
open_file(struct spill *spill, struct err *err)
{
	struct strbuf path = {0};

#ifdef O_TMPFILE
	spill->fd = open(spill->directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (spill->fd >= 0) {
		return 0;
	}
#endif
	strbuf_printf(&path, "%s/.lanescope-XXXXXX", spill->directory);
	spill->fd = mkostemp(path.data, O_CLOEXEC);
	int errnum = errno;
	if (spill->fd >= 0) {
		(void)unlink(path.data); /* nothing can be done about a name that stays */
	}
	strbuf_free(&path);
	return spill->fd >= 0 ? 0 : report(spill, errnum, "create a file for", err);
}

/* Hands out room for n bytes: memory, or NULL and an offset in the file. */
static int
reserve(struct spill *spill, size_t n, void **memory, uint64_t *offset, struct err *err)
{
	int status = 0;

	pthread_mutex_lock(&spill->lock);
	*memory = NULL;
	*offset = 0;
	if (spill->memory_bytes <= spill->memory_limit &&
	    n <= spill->memory_limit - spill->memory_bytes) {
		*memory = xmalloc(n + SPILL_PADDING);
		MEM_GROW(spill->pieces, spill->piece_capacity, spill->n_pieces + 1);
		spill->pieces[spill->n_pieces++] = *memory;
		spill->memory_bytes += n;
	} else if (spill->fd >= 0 || (status = open_file(spill, err)) == 0) {
		*offset = spill->file_bytes;
		spill->file_bytes += n;
	}
	pthread_mutex_unlock(&spill->lock);
	return status;
}

/* 0, or why not. */
static int
write_all(int fd, const void *bytes, size_t n, uint64_t offset)
{
	for (size_t done = 0; done < n;) {
		ssize_t k =
		    pwrite(fd, (const char *)bytes + done, n - done, (off_t)(offset + done));
		if (k < 0 && errno == EINTR) {
			continue;
		}
		if (k <= 0) {
			return k < 0 ? errno : ENOSPC;
		}
		done += (size_t)k;
	}
	return 0;
}

int
spill_add(struct spill *spill, const void *bytes, size_t n, struct spill_place *place,
          struct err *err)
{
	void *memory;
	uint64_t offset;

	if (reserve(spill, n, &memory, &offset, err)) {
		return -1;
	}
	if (memory) {
		if (n > 0) {
			memcpy(memory, bytes, n);
		}
		memset((char *)memory + n, 0, SPILL_PADDING);
	}
	int errnum = memory ? 0 : write_all(spill->fd, bytes, n, offset);
	if (errnum) {
		return report(spill, errnum, "write", err);
	}
	place->memory = memory;
	place->offset = offset;
	return 0;
}

int
spill_read(const struct spill *spill, const struct spill_place *place, size_t offset, void *buffer,
           size_t n, struct err *err)
{
	if (place->memory) {
		memcpy(buffer, place->memory + offset, n);
		return 0;
	}
	for (size_t done = 0; done < n;) {
		ssize_t k = pread(spill->fd, (char *)buffer + done, n - done,
		                  (off_t)(place->offset + offset + done));
		if (k < 0 && errno == EINTR) {
			continue;
		}
		if (k <= 0) {
			return report(spill, k < 0 ? errno : EIO, "read back", err);
		}
		done += (size_t)k;
	}
	return 0;
}

/* Room in the file for whole pages. False: there is none, or they may stay in memory. */
static bool
reserve_pages(struct spill *spill, size_t n, uint64_t *offset)
{
	struct err ignored = ERR_INIT;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	bool stays;

	pthread_mutex_lock(&spill->lock);
	stays = spill->memory_bytes <= spill->memory_limit &&
	        n <= spill->memory_limit - spill->memory_bytes;
	if (stays || (spill->fd < 0 && open_file(spill, &ignored))) {
		spill->memory_bytes += n;
		stays = true;
	} else {
		*offset = (spill->file_bytes + page - 1) / page * page;
		spill->file_bytes = *offset + n;
	}
	pthread_mutex_unlock(&spill->lock);
	return !stays;
}

/* The file's pages take the place of those in memory, at once. */
static bool
map_instead(int fd, uint64_t offset, void *at, size_t n)
{
	void *mapped = mmap(NULL, n, PROT_READ, MAP_SHARED, fd, (off_t)offset);

	if (mapped == MAP_FAILED) {
		return false;
	}
	if (mremap(mapped, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED) {
		munmap(mapped, n);
		return false;
	}
	return true;
}

bool
spill_move(struct spill *spill, void *at, size_t n)
{
	uint64_t offset;

	if (!reserve_pages(spill, n, &offset)) {
		return false;
	}
	if (write_all(spill->fd, at, n, offset) == 0 && map_instead(spill->fd, offset, at, n)) {
		return true;
	}
	pthread_mutex_lock(&spill->lock);
	spill->memory_bytes += n;
	pthread_mutex_unlock(&spill->lock);
	return false;
}

void *
spill_map(struct spill *spill, size_t n)
{
	uint64_t offset;

	/* room must be there before it is written to: a file without any can't say so then */
	if (reserve_pages(spill, n, &offset) &&
	    posix_fallocate(spill->fd, (off_t)offset, (off_t)n) == 0) {
		void *mapped =
		    mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, spill->fd, (off_t)offset);
		if (mapped != MAP_FAILED) {
			return mapped;
		}
	}
	return mem_map(n);
}

/* What fits now, as large as it was or larger, did so then: it is in memory. */
void *
spill_grow(struct spill *spill, void *at, size_t n, size_t want)
{
	pthread_mutex_lock(&spill->lock);
	bool stays = spill->memory_bytes <= spill->memory_limit &&
	             want - n <= spill->memory_limit - spill->memory_bytes;
	spill->memory_bytes += stays ? want - n : 0;
	pthread_mutex_unlock(&spill->lock);
	if (stays) {
		return mem_remap(at, n, want);
	}
	void *grown = spill_map(spill, want);
	memcpy(grown, at, n);
	mem_unmap(at, n);
	return grown;
}

void
spill_forget(struct spill *spill, size_t n)
{
	pthread_mutex_lock(&spill->lock);
	spill->memory_bytes -= n;
	pthread_mutex_unlock(&spill->lock);
}

int
spill_damaged(struct err *err)
{
	return err_set(err, ERR_SYSTEM, "temporary data came back damaged");
}

size_t
spill_memory_bytes(const struct spill *spill)
{
	return spill->memory_bytes;
}

uint64_t
spill_file_bytes(const struct spill *spill)
{
	return spill->file_bytes;
}

void
spill_free(struct spill *spill)
{
	if (spill) {
		for (size_t i = 0; i < spill->n_pieces; i++) {
			free(spill->pieces[i]);
		}
		free(spill->pieces);
		if (spill->fd >= 0) {
			close(spill->fd);
		}
		pthread_mutex_destroy(&spill->lock);
		free(spill->directory);
		free(spill);
	}
}
