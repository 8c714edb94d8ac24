/*
 * Small allocations never fail as far as callers see: there is nothing sensible a trace tool could
 * do halfway through, and tests could not reach such paths. What a file's contents can make large
 * goes through mem_try, whose failure is an ordinary error.
 */
#include "config.h"
#include "util/mem.h"
#include "util/litter.h"
#include "util/order.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MESSAGE_BYTES 6000    /* a path has up to 4096 */
#define LARGE_BYTES (1 << 20) /* of an array, which is mapped by itself */

static void (*exhausted_hook)(void);
static atomic_uint fail_countdown;
static _Thread_local const struct mem_task *own_task;
static const struct mem_task *_Atomic default_task;
static const char *_Atomic limit_text;

void
mem_on_exhausted(void (*hook)(void))
{
	exhausted_hook = hook;
}

void
mem_fail_at(unsigned n)
{
	atomic_store(&fail_countdown, n);
}

void
mem_set_task(const struct mem_task *task, bool is_default)
{
	if (is_default) {
		atomic_store(&default_task, task);
	} else {
		own_task = task;
	}
}

void
mem_set_limit(const char *text)
{
	atomic_store(&limit_text, text);
#ifdef __GLIBC__
	/* else it grows with what is freed, and large arrays leave holes that no other fits */
	(void)mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
#endif
}

/* Takes no memory: none can be had. */
void
mem_print_exhausted(char *out, size_t size)
{
	const struct mem_task *task = own_task ? own_task : atomic_load(&default_task);
	bool has_file = task && task->file;
	const char *limit = atomic_load(&limit_text);

	snprintf(out, size, "out of memory%s%s%s%s%s%s%s%s: give more with --memory SIZE%s%s",
	         task ? " " : "", task ? task->doing : "", has_file ? " '" : "",
	         has_file ? task->file : "", has_file ? "'" : "", limit ? " (it may use " : "",
	         limit ? limit : "", limit ? ")" : "", task && task->help ? ", or " : "",
	         task && task->help ? task->help : "");
}

static _Noreturn void
exhausted(void)
{
	static atomic_flag once = ATOMIC_FLAG_INIT;
	static char message[MESSAGE_BYTES];
	const size_t start = sizeof "lanescope: " - 1;

	if (atomic_flag_test_and_set(&once)) {
		for (;;) {
			pause(); /* another one ends the program */
		}
	}
	if (exhausted_hook) {
		exhausted_hook();
	}
	litter_remove_all();
	memcpy(message, "lanescope: ", start);
	mem_print_exhausted(message + start, sizeof message - start - 1);
	size_t end = strlen(message);
	for (size_t i = 0; i < end; i++) { /* of a file's name */
		message[i] = (unsigned char)message[i] < ' ' ? '?' : message[i];
	}
	message[end] = '\n';
	ssize_t ignored = write(STDERR_FILENO, message, end + 1);
	(void)ignored; /* the exit status says it too */
	_exit(2);
}

void *
xmalloc(size_t size)
{
	void *memory = malloc(size ? size : 1);
	if (!memory) {
		exhausted();
	}
	return memory;
}

void *
xcalloc(size_t n, size_t size)
{
	void *memory = n && size ? calloc(n, size) : calloc(1, 1);
	if (!memory) {
		exhausted();
	}
	return memory;
}

size_t
xsize_add(size_t a, size_t b)
{
	size_t sum;

	if (__builtin_add_overflow(a, b, &sum)) {
		exhausted();
	}
	return sum;
}

void *
xrealloc_array(void *old, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		exhausted();
	}
	void *memory = realloc(old, bytes ? bytes : 1);
	if (!memory) {
		exhausted();
	}
	return memory;
}

char *
xstrdup(const char *text)
{
	return xstrndup(text, strlen(text));
}

char *
xstrndup(const char *bytes, size_t length)
{
	char *copy = xmalloc(xsize_add(length, 1));
	if (length) {
		memcpy(copy, bytes, length);
	}
	copy[length] = '\0';
	return copy;
}

char *
xrealpath(const char *path)
{
	char *real = realpath(path, NULL);
	if (!real && errno == ENOMEM) {
		exhausted();
	}
	return real;
}

void *
mem_grow(void *array, size_t *capacity, size_t want, size_t element_size)
{
	if (want <= *capacity) {
		return array;
	}
	size_t grown = MOST(8, *capacity);
	while (grown < want) {
		grown = grown > SIZE_MAX / 2 ? want : grown * 2;
	}
	array = xrealloc_array(array, grown, element_size);
	*capacity = grown;
	return array;
}

void *
mem_map(size_t bytes)
{
	void *memory =
	    mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED) {
		exhausted();
	}
	return memory;
}

void *
mem_remap(void *memory, size_t bytes, size_t want)
{
	void *moved = mremap(memory, bytes, want, MREMAP_MAYMOVE);

	if (moved == MAP_FAILED) {
		exhausted();
	}
	return moved;
}

void
mem_unmap(void *memory, size_t bytes)
{
	(void)munmap(memory, bytes);
}

void
mem_give_back(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

/* True for the call that mem_fail_at chose. */
static bool
must_fail(void)
{
	unsigned left = atomic_load_explicit(&fail_countdown, memory_order_relaxed);

	while (left && !atomic_compare_exchange_weak(&fail_countdown, &left, left - 1)) {
	}
	return left == 1;
}

void *
mem_try(size_t n, size_t size, size_t limit)
{
	size_t bytes;

	if (must_fail() || __builtin_mul_overflow(n, size, &bytes) || bytes > limit) {
		return NULL;
	}
	return malloc(bytes ? bytes : 1);
}
