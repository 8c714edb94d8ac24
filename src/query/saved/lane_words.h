/* How one speaks of lanes: "4 workers", "570 threads on 2 hosts".
 * Used by query, ui/lists. */
#ifndef LANESCOPE_QUERY_SAVED_LANE_WORDS_H
#define LANESCOPE_QUERY_SAVED_LANE_WORDS_H

#include "store/store.h"

struct lane_words {
	int64_t n; /* lanes that the word counts */
	/* static: "thread", "worker", "instance" where all are of that kind, else "lane". Lanes
	 * that hold counters alone are counted only where nothing else is, or kinds are mixed. */
	const char *one;
	int64_t n_hosts; /* that the trace names: the pool of an instance is none */
};
/* Of those in scope. */
int lane_words_read(struct store *store, struct lane_words *words, struct err *err);
/* Adds ", 4 workers on 1 host"; nothing where there are none. */
void lane_words_add(const struct lane_words *words, struct strbuf *out);

#endif
