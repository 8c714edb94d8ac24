/* What the two files about jobs of one folder share: plan_jobs.c puts files together, plan_claims.c
 * says whether they may be.
 * Used by its room alone. */
#ifndef LANESCOPE_INGEST_PLAN_JOBS_H
#define LANESCOPE_INGEST_PLAN_JOBS_H

#include "ingest/plan.h"

#define SECOND_NS INT64_C(1000000000)
#define APART_NS (60 * SECOND_NS)
#define NONE UINT32_MAX

struct claim_member {
	size_t file;
	const struct look_process *process; /* of a claim to a process */
	uint32_t next;
};

/* Files that fit together so far. */
struct group {
	int64_t first, last; /* begins, TIME_NONE: none is known */
	int64_t apart_ns;    /* how far others' may be from them */
	int64_t ranks;
	uint64_t command;
	bool is_ranked; /* each file tells its rank */
	uint32_t series;
	const char *reason; /* why it is no part of one before; NULL: it was not held against one */
	size_t *files;      /* indexes in the dividing's order */
	size_t n_files, capacity;
	uint32_t previous; /* of its series */
	uint64_t parent, host;
	int64_t pid; /* of the file that came last */
};

/* One of the two rounds. */
struct round {
	struct group *groups;
	uint32_t n_groups;
	size_t groups_capacity;
	struct intern *claims;  /* struct claim as bytes -> list of members */
	uint32_t *first_member; /* by id in claims */
	size_t first_capacity;
	struct claim_member *members;
	uint32_t n_members;
	size_t members_capacity;
};

struct dividing {
	struct planning *planning;
	const struct plan_file **files; /* in the order of their begins */
	size_t n;
	bool pids_are_ranks;
	struct intern *series;
};

/* How far two begins are apart; 0 if one is not known. */
static inline int64_t
plan_apart(int64_t a, int64_t b)
{
	return a == TIME_NONE || b == TIME_NONE ? 0 : a > b ? a - b : b - a;
}

int64_t plan_rank_of(const struct dividing *dividing,
                     const struct plan_file *file); /* -1: not told */
/* Notes what a file (index in dividing->files) claims for a group. */
void plan_claim(const struct dividing *dividing, struct round *round, uint32_t group, size_t index);
/* Why a file can't be of this group; NULL: it can. */
const char *plan_contradiction(struct dividing *dividing, const struct round *round, uint32_t group,
                               size_t index);
/* Was a process of this file started by one of the group? */
bool plan_descends(const struct dividing *dividing, const struct round *round, uint32_t group,
                   size_t index);

#endif
