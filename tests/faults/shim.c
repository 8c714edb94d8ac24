/*
 * Loaded before the program (LD_PRELOAD), makes the n-th call of one kind fail, once:
 *
 *     LANESCOPE_FAULT=KIND:N    (none: no call fails)
 *     LANESCOPE_CALLS=FILE      gets how many calls there were, a line each kind, at the end
 *     LANESCOPE_READ_MS=MS      so long each read(2) takes, as from storage that is far away
 *
 * A kind is one thing that a system refuses, by whatever name it is asked for.
 */
#include "config.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum kind {
	KIND_MALLOC,
	KIND_OPEN,
	KIND_READ,
	KIND_WRITE,
	KIND_SYNC,
	KIND_RENAME,
	KIND_THREAD,
	KINDS
};
static const char *const names[KINDS] = {"malloc", "open",   "read",  "write",
                                         "sync",   "rename", "thread"};

static enum kind kind = KINDS;
static unsigned long at, read_ms;
static atomic_ulong calls[KINDS];

/* The function that this one stands before. */
#define NEXT(name, type) ((type)(uintptr_t)dlsym(RTLD_NEXT, name))

static bool
fails(enum kind of, int code)
{
	if (atomic_fetch_add(&calls[of], 1) + 1 != at || of != kind) {
		return false;
	}
	errno = code;
	return true;
}

__attribute__((constructor)) static void
begin(void)
{
	const char *fault = getenv("LANESCOPE_FAULT"), *ms = getenv("LANESCOPE_READ_MS");
	const char *colon = fault ? strchr(fault, ':') : NULL;

	for (int i = 0; colon && i < KINDS; i++) {
		if (strncmp(fault, names[i], (size_t)(colon - fault)) == 0) {
			at = strtoul(colon + 1, NULL, 10);
			kind = (enum kind)i;
		}
	}
	read_ms = ms ? strtoul(ms, NULL, 10) : 0;
}

__attribute__((destructor)) static void
end(void)
{
	const char *path = getenv("LANESCOPE_CALLS");
	unsigned long n[KINDS];

	kind = KINDS;
	for (int i = 0; i < KINDS; i++) {
		n[i] = atomic_load(&calls[i]);
	}
	FILE *file = path ? fopen(path, "w") : NULL;
	for (int i = 0; file && i < KINDS; i++) {
		fprintf(file, "%lu\n", n[i]);
	}
	if (file) {
		fclose(file);
	}
}

/* ---- memory: the C library's own, by the names that it has for those who stand before ---- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

void *
malloc(size_t size)
{
	return fails(KIND_MALLOC, ENOMEM) ? NULL : __libc_malloc(size);
}

void *
calloc(size_t n, size_t size)
{
	return fails(KIND_MALLOC, ENOMEM) ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *old, size_t size)
{
	return fails(KIND_MALLOC, ENOMEM) ? NULL : __libc_realloc(old, size);
}

/* ---- files ---- */

#define MODE_OF(flags, last)                                                                       \
	mode_t mode = 0;                                                                           \
	if (((flags)&O_CREAT) || ((flags)&O_TMPFILE) == O_TMPFILE) {                               \
		va_list arguments;                                                                 \
		va_start(arguments, last);                                                         \
		mode = va_arg(arguments, mode_t);                                                  \
		va_end(arguments);                                                                 \
	}
#define OPEN(name)                                                                                 \
	int name(const char *path, int flags, ...)                                                 \
	{                                                                                          \
		MODE_OF(flags, flags)                                                              \
		return fails(KIND_OPEN, EMFILE)                                                    \
		           ? -1                                                                    \
		           : NEXT(#name, int (*)(const char *, int, ...))(path, flags, mode);      \
	}
OPEN(open)
OPEN(open64)
#define FOPEN(name)                                                                                \
	FILE *name(const char *path, const char *mode)                                             \
	{                                                                                          \
		return fails(KIND_OPEN, EMFILE)                                                    \
		           ? NULL                                                                  \
		           : NEXT(#name, FILE * (*)(const char *, const char *))(path, mode);      \
	}
FOPEN(fopen)
FOPEN(fopen64)
#define MKSTEMP(name)                                                                              \
	int name(char *template)                                                                   \
	{                                                                                          \
		return fails(KIND_OPEN, EMFILE) ? -1 : NEXT(#name, int (*)(char *))(template);     \
	}
MKSTEMP(mkstemp)
MKSTEMP(mkstemp64)

DIR *
opendir(const char *path)
{
	return fails(KIND_OPEN, EMFILE) ? NULL : NEXT("opendir", DIR * (*)(const char *))(path);
}

ssize_t
read(int fd, void *bytes, size_t n)
{
	if (read_ms) {
		nanosleep(
		    &(struct timespec){(time_t)(read_ms / 1000), (long)(read_ms % 1000 * 1000000)},
		    NULL);
	}
	return fails(KIND_READ, EIO) ? -1
	                             : NEXT("read", ssize_t(*)(int, void *, size_t))(fd, bytes, n);
}

#define PREAD(name, offset)                                                                        \
	ssize_t name(int fd, void *bytes, size_t n, offset from)                                   \
	{                                                                                          \
		return fails(KIND_READ, EIO)                                                       \
		           ? -1                                                                    \
		           : NEXT(#name, ssize_t(*)(int, void *, size_t, offset))(fd, bytes, n,    \
		                                                                  from);           \
	}
PREAD(pread, off_t)
PREAD(pread64, off64_t)

ssize_t
write(int fd, const void *bytes, size_t n)
{
	return fails(KIND_WRITE, ENOSPC)
	           ? -1
	           : NEXT("write", ssize_t(*)(int, const void *, size_t))(fd, bytes, n);
}

#define PWRITE(name, offset)                                                                       \
	ssize_t name(int fd, const void *bytes, size_t n, offset to)                               \
	{                                                                                          \
		return fails(KIND_WRITE, ENOSPC)                                                   \
		           ? -1                                                                    \
		           : NEXT(#name, ssize_t(*)(int, const void *, size_t, offset))(fd, bytes, \
		                                                                        n, to);    \
	}
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

/* What stdio kept back until then is written here. */
int
fflush(FILE *file)
{
	return fails(KIND_WRITE, ENOSPC) ? EOF : NEXT("fflush", int (*)(FILE *))(file);
}

int
fclose(FILE *file)
{
	int result = NEXT("fclose", int (*)(FILE *))(file);

	return fails(KIND_WRITE, ENOSPC) ? EOF : result;
}

int
fsync(int fd)
{
	return fails(KIND_SYNC, EIO) ? -1 : NEXT("fsync", int (*)(int))(fd);
}

int
fdatasync(int fd)
{
	return fails(KIND_SYNC, EIO) ? -1 : NEXT("fdatasync", int (*)(int))(fd);
}

int
rename(const char *from, const char *to)
{
	return fails(KIND_RENAME, EACCES)
	           ? -1
	           : NEXT("rename", int (*)(const char *, const char *))(from, to);
}

/* ---- threads ---- */

int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
               void *user)
{
	return fails(KIND_THREAD, EAGAIN)
	           ? EAGAIN
	           : NEXT("pthread_create",
	                  int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))(
			 thread, attributes, run, user);
}
