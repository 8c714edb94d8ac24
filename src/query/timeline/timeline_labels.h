/* What colours can stand for: the categories, names or classes of runs, with their times.
 * Used by its room alone. */
#ifndef LANESCOPE_QUERY_TIMELINE_TIMELINE_LABELS_H
#define LANESCOPE_QUERY_TIMELINE_TIMELINE_LABELS_H

#include "query/timeline/timeline_colour.h"
#include "util/intern.h"

/* Time of a label (category, name, kind, class) in the runs that were read. */
struct label {
	uint32_t id; /* in the intern */
	int64_t self_ns;
	double sum_ns;
	int64_t n;
};
struct labels {
	struct intern *texts;
	struct label *labels;
	size_t n, capacity;
};
/* Which label a text code of a run stands for; UINT32_MAX: none. */
struct label_codes {
	uint32_t *of_code; /* free() */
	uint32_t n_codes;
};

void labels_init(struct labels *labels);
void labels_fini(struct labels *labels);
/* Add what a run has to what is there. */
int labels_read(struct labels *labels, struct label_codes *codes, struct store *store,
                bool by_category, struct err *err);
int labels_read_classes(struct labels *labels, struct store *store, struct err *err);

#endif
