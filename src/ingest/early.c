/*
 * A source counts in an array by the codes of its own names, as finding a text by its bytes for
 * each span would take longer than all else that is done for it; the texts are looked up when the
 * counts are handed on, a few times a second.
 */
#include "config.h"
#include "ingest/early.h"

#include <pthread.h>
#include <stdlib.h>

#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

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
	to->spans += sums->spans;
	to->total_ns = time_add(to->total_ns, sums->total_ns);
	to->longest_ns = MOST(to->longest_ns, sums->longest_ns);
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
		early->sums[id] = (struct early_sums){0};
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

void
early_count(struct early_source *source, uint32_t name, int64_t duration_ns)
{
	uint32_t at = LEAST(name, EARLY_NAMES);

	if (at >= source->n) {
		uint32_t n = LEAST(MOST(at + 1, source->n * 2), EARLY_NAMES + 1);
		source->sums = xrealloc_array(source->sums, n, sizeof *source->sums);
		memset(source->sums + source->n, 0, (n - source->n) * sizeof *source->sums);
		source->n = n;
	}
	add(&source->sums[at], &(struct early_sums){1, duration_ns, duration_ns});
}

void
early_tell(struct early_source *source, struct early_look *early, const struct intern *texts,
           bool is_end)
{
	for (uint32_t i = 0; i < source->n; i++) {
		if (source->sums[i].spans == 0) {
			continue;
		}
		bool has_name = i < EARLY_NAMES;
		struct slice name = has_name ? intern_text(texts, i) : (struct slice){"", 0};
		if (has_name && name.len == 0 && !is_end) {
			continue;
		}
		add_name(early, name, &source->sums[i]);
		source->sums[i] = (struct early_sums){0};
	}
}

void
early_source_fini(struct early_source *source)
{
	free(source->sums);
	*source = (struct early_source){0};
}
