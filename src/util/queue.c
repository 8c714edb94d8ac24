/*
 * A ring under one mutex: what passes through are blocks of tens of thousands of rows, so the lock
 * is taken some thousand times a second at most and nothing cleverer would show.
 */
#include "config.h"
#include "util/workers.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util/mem.h"

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t not_full, not_empty;
	void **items;
	size_t capacity, first, n;
	bool closed;
};

struct queue *
queue_new(size_t capacity)
{
	struct queue *queue = xcalloc(1, sizeof *queue);

	queue->capacity = capacity ? capacity : 1;
	MEM_NEW(queue->items, queue->capacity);
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->not_full, NULL);
	pthread_cond_init(&queue->not_empty, NULL);
	return queue;
}

int
queue_put(struct queue *queue, void *item)
{
	pthread_mutex_lock(&queue->lock);
	while (queue->n == queue->capacity && !queue->closed) {
		pthread_cond_wait(&queue->not_full, &queue->lock);
	}
	bool accepted = !queue->closed;
	if (accepted) {
		queue->items[(queue->first + queue->n++) % queue->capacity] = item;
		pthread_cond_signal(&queue->not_empty);
	}
	pthread_mutex_unlock(&queue->lock);
	return accepted ? 0 : -1;
}

void *
queue_get(struct queue *queue)
{
	void *item = NULL;

	pthread_mutex_lock(&queue->lock);
	while (queue->n == 0 && !queue->closed) {
		pthread_cond_wait(&queue->not_empty, &queue->lock);
	}
	if (queue->n) {
		item = queue->items[queue->first];
		queue->first = (queue->first + 1) % queue->capacity;
		queue->n--;
		pthread_cond_signal(&queue->not_full);
	}
	pthread_mutex_unlock(&queue->lock);
	return item;
}

void
queue_close(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->closed = true;
	pthread_cond_broadcast(&queue->not_full);
	pthread_cond_broadcast(&queue->not_empty);
	pthread_mutex_unlock(&queue->lock);
}

void
queue_free(struct queue *queue)
{
	if (queue) {
		assert(queue->n == 0);
		pthread_cond_destroy(&queue->not_empty);
		pthread_cond_destroy(&queue->not_full);
		pthread_mutex_destroy(&queue->lock);
		free(queue->items);
		free(queue);
	}
}
