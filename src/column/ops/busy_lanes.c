/*
 * Which lanes are of one thread, and which threads of one process: it is threads that hide each
 * other.
 */
#include "config.h"
#include "column/ops/busy_private.h"

#include <stdlib.h>

#include "util/intern.h"
#include "util/mem.h"

struct lane_key {
	uint32_t host, types;
	uint64_t process, thread;
};

static uint64_t
ident_number(const struct ident *ident)
{
	return ident->type == IDENT_INTEGER ? (uint64_t)ident->integer
	       : ident->type == IDENT_TEXT  ? ident->text
	                                    : 0;
}

static uint32_t
intern_key(struct intern *keys, const struct lane_key *key)
{
	return intern_id(keys, (struct slice){(const char *)key, sizeof *key});
}

/* Two nodes can have equal ids of processes, so a process is one of a host; lanes without either
 * are one thread, one process. */
void
busy_find_threads(const struct dataset *dataset, struct busy_lanes *lanes)
{
	struct intern *threads = intern_new(), *processes = intern_new();
	size_t n = (size_t)dataset->n_lanes + 1;

	MEM_NEW(lanes->threads, n);
	MEM_NEW(lanes->processes, n);
	MEM_NEW(lanes->process_of_thread, n);
	for (uint32_t i = 0; i < dataset->n_lanes; i++) {
		const struct lane *lane = &dataset->lanes[i];
		struct lane_key key;
		memset(&key, 0, sizeof key);
		key.host = lane->host;
		key.types = (uint32_t)lane->process.type;
		key.process = ident_number(&lane->process);
		lanes->processes[i] = intern_key(processes, &key);
		key.types |= (uint32_t)lane->thread.type << 8;
		key.thread = ident_number(&lane->thread);
		if (lane->thread.type != IDENT_INTEGER && lane->thread.type != IDENT_TEXT) {
			key.thread = i; /* nothing says that two such lanes are one thread */
		}
		lanes->threads[i] = intern_key(threads, &key);
		lanes->process_of_thread[lanes->threads[i]] = lanes->processes[i];
	}
	lanes->n_threads = intern_count(threads);
	lanes->n_processes = intern_count(processes);
	intern_free(threads);
	intern_free(processes);
}
