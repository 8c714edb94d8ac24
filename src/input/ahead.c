/*
 * Where one file is all there is to read, a second core can inflate it while the first one parses.
 * The pieces circulate between two queues, one of empty and one of filled ones; the reader takes a
 * piece's memory as its buffer instead of copying it, for which there is room in front of the
 * bytes: the partial line that the last piece ended with goes there.
 */
#include "config.h"
#include "input/ahead.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/workers.h"

#define PIECES 4

struct ahead {
	struct queue *empty, *filled;
	struct ahead_piece pieces[PIECES];
	int64_t (*produce)(void *user, void *out, size_t size, struct err *err);
	void *user;
	pthread_t thread;
};

static void *
ahead_main(void *user)
{
	struct ahead *ahead = user;

	for (struct ahead_piece *piece; (piece = queue_get(ahead->empty));) {
		piece->n = ahead->produce(ahead->user, piece->memory + AHEAD_HEADROOM, AHEAD_BYTES,
		                          &piece->err);
		int64_t n = piece->n; /* the piece is the reader's from here on */
		if (queue_put(ahead->filled, piece) || n <= 0) {
			break;
		}
	}
	return NULL;
}

/* Empties a queue that is closed. */
static void
drop_all(struct queue *queue)
{
	while (queue_get(queue)) {
	}
}

static void
release(struct ahead *ahead)
{
	drop_all(ahead->empty);
	drop_all(ahead->filled);
	queue_free(ahead->empty);
	queue_free(ahead->filled);
	for (size_t i = 0; i < PIECES; i++) {
		free(ahead->pieces[i].memory);
	}
	free(ahead);
}

struct ahead *
ahead_new(int64_t (*produce)(void *user, void *out, size_t size, struct err *err), void *user)
{
	struct ahead *ahead = xcalloc(1, sizeof *ahead);

	ahead->produce = produce;
	ahead->user = user;
	ahead->empty = queue_new(PIECES);
	ahead->filled = queue_new(PIECES);
	for (size_t i = 0; i < PIECES; i++) {
		ahead->pieces[i].memory = xmalloc(AHEAD_CAPACITY + INPUT_PADDING);
		memset(ahead->pieces[i].memory + AHEAD_CAPACITY, 0, INPUT_PADDING);
		(void)queue_put(ahead->empty, &ahead->pieces[i]); /* has room for all */
	}
	if (thread_start(&ahead->thread, ahead_main, ahead) != 0) {
		queue_close(ahead->empty);
		queue_close(ahead->filled);
		release(ahead);
		return NULL;
	}
	return ahead;
}

struct ahead_piece *
ahead_take(struct ahead *ahead)
{
	return queue_get(ahead->filled);
}

void
ahead_give(struct ahead *ahead, struct ahead_piece *piece)
{
	(void)queue_put(ahead->empty, piece); /* has room for all */
}

void
ahead_free(struct ahead *ahead)
{
	if (ahead) {
		queue_close(ahead->empty);
		queue_close(ahead->filled);
		pthread_join(ahead->thread, NULL);
		release(ahead);
	}
}
