/*
 * A source counts by the codes of its own names, as finding a text by its bytes for each span would
 * take longer than all else that is done for it; the texts are looked up when the counts are handed
 * on, a few times a second.
 */
#include "config.h"
#include "ingest/early.h"

#include <pthread.h>
#include <stdlib.h>

#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define SLOTS (2 * EARLY_NAMES)

static const struct early_sums no_sums = {.longest_ns = TIME_NONE};

struct early_look {
	pthread_mutex_t lock;
	struct intern *names;
	struct early_sums *sums; /* by name */
	size_t capacity;
};

struct early_look *
early_new(void)
{
	struct early_look *early = xcalloc(1, sizeof *early);

	pthread_mutex_init(&early->lock, NULL);
	early->names = intern_new();
	return early;
}

void
early_reset(struct early_look *early)
{
	pthread_mutex_lock(&early->lock);
	intern_free(early->names);
	early->names = intern_new();
	pthread_mutex_unlock(&early->lock);
}

void
early_free(struct early_look *early)
{
	if (early) {
		pthread_mutex_destroy(&early->lock);
		intern_free(early->names);
		free(early->sums);
		free(early);
	}
}

static void
add(struct early_sums *to, const struct early_sums *sums)
{
	to->calls = time_add(to->calls, sums->calls);
	to->total_ns = time_add(to->total_ns, sums->total_ns);
	to->longest_ns = MOST(to->longest_ns, sums->longest_ns); /* TIME_NONE is least */
}

static void
add_name(struct early_look *early, struct slice name, const struct early_sums *sums)
{
	pthread_mutex_lock(&early->lock);
	uint32_t known = intern_count(early->names);
	uint32_t id = intern_find(early->names, name);
	if (id == INTERN_NONE) { /* many sources may have as many names each */
		id = intern_id(early->names, known < EARLY_NAMES ? name : (struct slice){"", 0});
	}
	if (id >= known) {
		MEM_GROW(early->sums, early->capacity, (size_t)id + 1);
		early->sums[id] = no_sums;
	}
	add(&early->sums[id], sums);
	pthread_mutex_unlock(&early->lock);
}

void
early_each(struct early_look *early,
           void (*give)(void *user, struct slice name, const struct early_sums *sums), void *user)
{
	pthread_mutex_lock(&early->lock);
	for (uint32_t id = 0; id < intern_count(early->names); id++) {
		give(user, intern_text(early->names, id), &early->sums[id]);
	}
	pthread_mutex_unlock(&early->lock);
}

/* ---- one source ---- */

struct early_name {
	uint32_t code;
	struct early_sums sums;
};

/* NULL: there are too many. */
static struct early_sums *
find_name(struct early_source *source, uint32_t code)
{
	if (!source->slots) {
		MEM_NEW(source->slots, SLOTS);
		source->others = no_sums;
	}
	uint64_t at = hash_mix(code) % SLOTS;
	for (; source->slots[at]; at = (at + 1) % SLOTS) {
		struct early_name *name = &source->names[source->slots[at] - 1];
		if (name->code == code) {
			return &name->sums;
		}
	}
	if (source->n == EARLY_NAMES) {
		return NULL;
	}
	size_t capacity = source->capacity;
	MEM_GROW(source->names, capacity, (size_t)source->n + 1);
	source->capacity = (uint32_t)capacity;
	source->names[source->n++] = (struct early_name){code, no_sums};
	source->slots[at] = (uint16_t)source->n;
	return &source->names[source->n - 1].sums;
}

void
early_count(struct early_source *source, const struct span *span)
{
	const struct call_totals *totals = span->totals;
	struct early_sums one = {.calls = MOST(span->calls, 1),
	                         .total_ns = totals ? totals->sum_ns : span->duration_ns,
	                         .longest_ns = totals            ? totals->max_ns
	                                       : span->calls > 1 ? TIME_NONE
	                                                         : span->duration_ns};
	struct early_sums *sums = find_name(source, span->name);

	add(sums ? sums : &source->others, &one);
}

static void
tell(struct early_sums *sums, struct early_look *early, struct slice name)
{
	if (sums->calls > 0) {
		add_name(early, name, sums);
		*sums = no_sums;
	}
}

void
early_tell(struct early_source *source, struct early_look *early, const struct intern *texts,
           bool is_end)
{
	static const struct slice nameless = {"", 0};

	for (uint32_t i = 0; i < source->n; i++) {
		struct early_name *name = &source->names[i];
		bool is_nameless = name->code == TEXT_NONE;
		struct slice text = is_nameless ? nameless : intern_text(texts, name->code);
		if (text.len > 0 || is_nameless || is_end) {
			tell(&name->sums, early, text);
		}
	}
	tell(&source->others, early, nameless);
}

void
early_source_fini(struct early_source *source)
{
	free(source->names);
	free(source->slots);
	*source = (struct early_source){0};
}
