/*
 * Open addressing with linear probing over slots of 8 bytes (32 bits of hash, id + 1): one cache
 * line usually decides, and the text is compared only where the hashes agree. Texts lie in an arena
 * and never move. The hash is seeded per process, so that a hostile trace can't aim for collisions;
 * ids follow the order of appearance alone.
 *
 * hash_bytes is of wyhash's kind: 64 x 64 -> 128 bit multiplications folded, 16 bytes a step.
 */
#include "config.h"
#include "util/intern.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "util/mem.h"

#define SLOTS_MIN ((size_t)64)
#define MIX_A UINT64_C(0xa0761d6478bd642f)
#define MIX_B UINT64_C(0xe7037ed1a0b428db)

struct slot {
	uint32_t hash;
	uint32_t id_plus_1; /* 0: free */
};

struct intern {
	struct slot *slots;
	size_t mask;
	struct slice *texts;
	size_t texts_capacity;
	uint32_t n_texts;
	uint64_t seed;
	struct arena *arena;
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

struct intern *
intern_new(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct intern *intern = xcalloc(1, sizeof *intern);

	pthread_once(&once, make_seed);
	intern->seed = process_seed;
	intern->mask = SLOTS_MIN - 1;
	intern->slots = xcalloc(SLOTS_MIN, sizeof *intern->slots);
	intern->arena = arena_new();
	return intern;
}

/* The slot that holds text, or the free one where it belongs. */
static inline size_t
probe(const struct intern *intern, struct slice text, uint32_t hash)
{
	size_t at = hash & intern->mask;

	for (;; at = (at + 1) & intern->mask) {
		const struct slot *slot = &intern->slots[at];
		if (slot->id_plus_1 == 0) {
			return at;
		}
		if (slot->hash == hash && slice_equal(intern->texts[slot->id_plus_1 - 1], text)) {
			return at;
		}
	}
}

static void
grow(struct intern *intern)
{
	size_t n_old = intern->mask + 1;
	struct slot *old = intern->slots;

	intern->mask = n_old * 2 - 1;
	intern->slots = xcalloc(n_old * 2, sizeof *intern->slots);
	for (size_t i = 0; i < n_old; i++) {
		if (old[i].id_plus_1) {
			size_t at = old[i].hash & intern->mask;
			while (intern->slots[at].id_plus_1) {
				at = (at + 1) & intern->mask;
			}
			intern->slots[at] = old[i];
		}
	}
	free(old);
}

/* The next id, for a text that stays where it is. */
static uint32_t
append(struct intern *intern, struct slice text)
{
	uint32_t id = intern->n_texts;

	/* INTERN_NONE and the slots' + 1 need two values; memory runs out long before. */
	if (id >= UINT32_MAX - 2) {
		return INTERN_NONE;
	}
	intern->texts =
	    mem_grow(intern->texts, &intern->texts_capacity, (size_t)id + 1, sizeof *intern->texts);
	intern->texts[id] = text;
	intern->n_texts++;
	return id;
}

static uint32_t
add(struct intern *intern, struct slice text, size_t at, uint32_t hash)
{
	uint32_t id = append(
	    intern, (struct slice){arena_strndup(intern->arena, text.ptr, text.len), text.len});

	if (id != INTERN_NONE) {
		intern->slots[at] = (struct slot){hash, id + 1};
		if (intern->n_texts > intern->mask / 2) {
			grow(intern);
		}
	}
	return id;
}

uint32_t
intern_reserve(struct intern *intern)
{
	return append(intern, (struct slice){"", 0});
}

uint32_t
intern_id(struct intern *intern, struct slice text)
{
	uint32_t hash = (uint32_t)hash_bytes(text.ptr, text.len, intern->seed);
	size_t at = probe(intern, text, hash);
	uint32_t id_plus_1 = intern->slots[at].id_plus_1;

	return id_plus_1 ? id_plus_1 - 1 : add(intern, text, at, hash);
}

uint32_t
intern_find(const struct intern *intern, struct slice text)
{
	uint32_t hash = (uint32_t)hash_bytes(text.ptr, text.len, intern->seed);
	uint32_t id_plus_1 = intern->slots[probe(intern, text, hash)].id_plus_1;

	return id_plus_1 ? id_plus_1 - 1 : INTERN_NONE;
}

struct slice
intern_text(const struct intern *intern, uint32_t id)
{
	return intern->texts[id];
}

uint32_t
intern_count(const struct intern *intern)
{
	return intern->n_texts;
}

size_t
intern_bytes(const struct intern *intern)
{
	return sizeof *intern + arena_bytes(intern->arena) +
	       (intern->mask + 1) * sizeof *intern->slots +
	       intern->texts_capacity * sizeof *intern->texts;
}

void
intern_free(struct intern *intern)
{
	if (intern) {
		arena_free(intern->arena);
		free(intern->texts);
		free(intern->slots);
		free(intern);
	}
}
