/* How one speaks of lanes: "4 workers", "570 threads on 2 hosts".
 * Used by cli, query, ui/lists. */
#ifndef LANESCOPE_QUERY_SAVED_LANE_WORDS_H
#define LANESCOPE_QUERY_SAVED_LANE_WORDS_H

#include "store/store.h"

/* As SQL, how many lanes a run has: without rows of the lane beside them, as queues are, and, but
 * where nothing else is, without those that hold counters alone. */
#define LANES_COUNTED                                                                              \
	"(SELECT coalesce(nullif(count(*), 0), (SELECT lanes FROM run)) FROM lane "                \
	"WHERE NOT lane_is_beside(kind) AND kind <> 'counter')"

struct lane_words {
	int64_t n; /* lanes that the word counts */
	/* static: "thread", "worker", "instance" where all are of that kind, else "lane" */
	const char *one;
	int64_t n_hosts; /* that the trace names: the pool of an instance is none */
};
/* Of those in scope. */
int lane_words_read(struct store *store, struct lane_words *words, struct err *err);
/* Adds ", 4 workers on 1 host"; nothing where there are none. */
void lane_words_add(const struct lane_words *words, struct strbuf *out);

#endif
