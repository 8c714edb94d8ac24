/* What the two files about putting parts together share: part_merge.c reads what they are of,
 * part_join.c makes one run of several.
 * Used by its room alone. */
#ifndef LANESCOPE_INGEST_PART_SET_H
#define LANESCOPE_INGEST_PART_SET_H

#include "ingest/part.h"

/* The parts of one plan. */
struct part_set {
	const struct part_about *about;  /* of the one that came first */
	const struct part_about *part_1; /* which tells of the plan's problems */
	struct held_source *sources;     /* of the plan; path NULL: not seen */
	struct kept_source *kept;        /* of each of them */
	bool *has;                       /* which parts, by their numbers */
	bool is_run;                     /* a run file, the only one */
	bool is_read;                    /* traces */
	struct known_digest *digests;    /* where several sets are joined */
	bool *is_there;                  /* of traces: they are in another set already */
};

struct ingest_merge {
	struct ingest_plan plan;
	struct kept_source *kept;
	struct plan_part *records;
	struct opened_input **opened;
	struct part_about *abouts; /* of paths, then of the traces */
	bool *is_run;              /* of paths */
	size_t *set_of;            /* of abouts */
	const char *const *paths;
	size_t n;
	struct ingest_plans *traces; /* NULL: none */
	struct part_set *sets;
	size_t n_sets, sets_capacity;
	struct plan_problem *problems;
	size_t problems_capacity;
	struct tag_list tags;
	struct arena *arena; /* of what is said of the run */
	const struct cancel *cancel;
};

/* The plan of all sets' sources; ERR_USAGE if they can't be one run. */
int part_join(struct ingest_merge *merge, struct err *err);

#endif
