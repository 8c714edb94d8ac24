/*
 * An index over the texts, which never move. The hash is seeded per process, so
 * that a hostile trace can't aim for collisions; ids follow the order of appearance alone.
 *
 * hash_bytes is of wyhash's kind: 64 x 64 -> 128 bit multiplications folded, 16 bytes a step.
 */
#include "config.h"
#include "util/intern.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "util/index.h"
#include "util/mem.h"
#include "util/text_heap.h"

#define MIX_A UINT64_C(0xa0761d6478bd642f)
#define MIX_B UINT64_C(0xe7037ed1a0b428db)

struct intern {
	struct index index;
	const char **texts; /* each behind its length, see put_text */
	size_t texts_capacity;
	uint32_t n_texts;
	uint64_t seed;
	struct text_heap *heap;
};

static inline uint64_t
load64(const unsigned char *p)
{
	uint64_t value;
	memcpy(&value, p, sizeof value);
	return value;
}

static inline uint64_t
load32(const unsigned char *p)
{
	uint32_t value;
	memcpy(&value, p, sizeof value);
	return value;
}

static inline uint64_t
fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t
hash_bytes(const void *bytes, size_t length, uint64_t seed)
{
	const unsigned char *p = bytes;
	uint64_t a, b;

	seed ^= fold(seed ^ MIX_A, MIX_B);
	if (length > 16) {
		size_t left = length;
		for (; left > 16; left -= 16, p += 16) {
			seed = fold(load64(p) ^ MIX_B, load64(p + 8) ^ seed);
		}
		a = load64(p + left - 16);
		b = load64(p + left - 8);
	} else if (length >= 8) {
		a = load64(p);
		b = load64(p + length - 8);
	} else if (length >= 4) {
		a = load32(p);
		b = load32(p + length - 4);
	} else if (length) {
		a = (uint64_t)p[0] << 16 | (uint64_t)p[length >> 1] << 8 | p[length - 1];
		b = 0;
	} else {
		a = b = 0;
	}
	return fold(MIX_B ^ length, fold(a ^ MIX_B, b ^ seed));
}

static uint64_t process_seed;

static void
make_seed(void)
{
	if (getrandom(&process_seed, sizeof process_seed, GRND_NONBLOCK) !=
	    (ssize_t)sizeof process_seed) {
		struct timespec now;
		clock_gettime(CLOCK_REALTIME, &now);
		process_seed = hash_mix((uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 30 ^
		                        (uint64_t)(uintptr_t)&process_seed);
	}
}

uint64_t
hash_secret(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_seed);
	return process_seed;
}

struct intern *
intern_new(void)
{
	return intern_new_spilled(NULL);
}

struct intern *
intern_new_spilled(struct spill *spill)
{
	struct intern *intern = xcalloc(1, sizeof *intern);

	intern->seed = hash_secret();
	intern->heap = text_heap_new(spill);
	return intern;
}

/* A text's length stands right before it: in one byte, or in the eight before a byte of LONG. So
 * an id takes one address, and the length is read where the text is. */
#define LONG 255u

static const char *
put_text(struct text_heap *heap, struct slice text)
{
	bool is_long = text.len >= LONG;
	uint64_t length = text.len;
	size_t before = is_long ? sizeof length + 1 : 1;
	unsigned char *at = (unsigned char *)text_heap_alloc(heap, xsize_add(text.len, before + 1));

	at += before;
	if (is_long) {
		memcpy(at - before, &length, sizeof length);
	}
	at[-1] = (unsigned char)(is_long ? LONG : length);
	if (text.len > 0) {
		memcpy(at, text.ptr, text.len);
	}
	at[text.len] = '\0';
	return (const char *)at;
}

static inline struct slice
get_text(const char *at)
{
	uint64_t length = (unsigned char)at[-1];

	if (length == LONG) {
		memcpy(&length, at - 1 - sizeof length, sizeof length);
	}
	return (struct slice){at, (size_t)length};
}

/* The next id, for a text that stays where it is. */
static uint32_t
append(struct intern *intern, const char *text)
{
	uint32_t id = intern->n_texts;

	/* INTERN_NONE and the index's + 1 need two values; memory runs out long before. */
	if (id >= UINT32_MAX - 2) {
		return INTERN_NONE;
	}
	MEM_GROW(intern->texts, intern->texts_capacity, (size_t)id + 1);
	intern->texts[id] = text;
	intern->n_texts++;
	return id;
}

uint32_t
intern_reserve(struct intern *intern)
{
	static const char nothing[] = {0, 0};

	return append(intern, nothing + 1);
}

static inline uint64_t
hash_of(const struct intern *intern, struct slice text)
{
	return hash_bytes(text.ptr, text.len, intern->seed);
}

static inline uint32_t
find(const struct intern *intern, struct slice text, uint64_t hash)
{
	uint32_t id;

	INDEX_FIND(id, &intern->index, hash, slice_equal(get_text(intern->texts[id]), text));
	return id;
}

uint32_t
intern_id(struct intern *intern, struct slice text)
{
	uint64_t hash = hash_of(intern, text);
	uint32_t id = find(intern, text, hash);

	if (id == INDEX_NONE) {
		id = append(intern, put_text(intern->heap, text));
		if (id != INTERN_NONE) {
			index_add(&intern->index, hash, id);
		}
	}
	return id;
}

uint32_t
intern_settle(struct intern *intern, uint32_t reserved, struct slice text)
{
	uint64_t hash = hash_of(intern, text);
	uint32_t id = find(intern, text, hash);

	if (id == INDEX_NONE) {
		id = reserved;
		intern->texts[id] = put_text(intern->heap, text);
		index_add(&intern->index, hash, id);
	}
	return id;
}

uint32_t
intern_find(const struct intern *intern, struct slice text)
{
	return find(intern, text, hash_of(intern, text));
}

struct slice
intern_text(const struct intern *intern, uint32_t id)
{
	return get_text(intern->texts[id]);
}

void
intern_end_finding(struct intern *intern)
{
	index_free(&intern->index);
}

uint32_t
intern_count(const struct intern *intern)
{
	return intern->n_texts;
}

void
intern_free(struct intern *intern)
{
	if (intern) {
		text_heap_free(intern->heap);
		free(intern->texts);
		index_free(&intern->index);
		free(intern);
	}
}
