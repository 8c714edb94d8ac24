/* Threads: a parallel loop and a bounded queue.
 * Used by cli, column/finish, column/ops, column/scan, explain/frame, explain/parts,
 * explain/verdict, export, import, ingest, input, query/saved, simulate, ui/base. */
#ifndef LANESCOPE_UTIL_WORKERS_H
#define LANESCOPE_UTIL_WORKERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include "util/cancel.h"
#include "util/err.h"

/* Cores usable by this process (sched affinity), at least 1; LANESCOPE_THREADS overrides,
 * 1..256. */
unsigned workers_count(void);
bool workers_are_told(void); /* LANESCOPE_THREADS says how many */

/* Calls work(user, item, thread) for item 0..n_items-1, items handed out in order, on n_threads
 * threads (thread 0 is the caller). Stops early at the first error, the lowest failing item's is
 * returned, or when cancel is set (ERR_CANCELLED). Workers block all signals. */
int workers_run(unsigned n_threads, size_t n_items,
                int (*work)(void *user, size_t item, unsigned thread, struct err *err), void *user,
                const struct cancel *cancel, struct err *err);

/* pthread_create with all signals blocked and a stack large enough everywhere; 0 or an errno. */
int thread_start(pthread_t *thread, void *(*run)(void *user), void *user);

/* Tests only: the n-th thread_start from now fails with EAGAIN (0 switches off). */
void thread_fail_at(unsigned n);

/* Bounded first-in first-out queue of pointers for any number of producers and consumers. */
struct queue;
struct queue *queue_new(size_t capacity);
int queue_put(struct queue *queue,
              void *item); /* waits while full; -1 once closed: item stays the caller's */
void *queue_get(struct queue *queue);  /* waits while empty; NULL once closed and empty */
void queue_close(struct queue *queue); /* wakes everybody */
void queue_free(struct queue *queue);  /* takes NULL; must be empty */

#endif
