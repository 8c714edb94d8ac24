/* What interference.c and interference_shifts.c share.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_OPS_INTERFERENCE_PRIVATE_H
#define LANESCOPE_COLUMN_OPS_INTERFERENCE_PRIVATE_H

#include "column/ops/beside.h"
#include "column/ops/interference.h"
#include "column/ops/interval_lists.h"
#include "column/ops/span_scan.h"
#include "util/intern.h"

#define ONE ((int64_t)1 << 30) /* a share */
#define BESIDE_SHARE (ONE / 20)

__extension__ typedef __int128 wide;

struct span_sums {
	int64_t n, n_beside, sum_ns, beside_ns;
	int64_t shares; /* in 2^-30 */
	wide beside_shares;
};

struct sampled {
	uint64_t hash;
	int64_t start_ns, duration_ns;
	uint32_t group, lane;
};

struct beside_group { /* spans of a lane and a name */
	uint32_t lane, name;
	struct span_sums sums;
};

struct interfering_thread {
	struct interval_lists others; /* by lane */
	struct intern *numbers;       /* of groups, by lane and name */
	struct beside_group *groups;
	size_t n_groups, group_capacity;
	uint32_t last; /* group */
	struct sampled *sample;
	size_t n_sample, sample_capacity;
	uint64_t hash_end; /* from there on not sampled */
	int64_t first_ns, end_ns;
};

struct interfering {
	const struct dataset *dataset;
	const struct interference_request *request;
	struct span_scan scan;
	uint32_t lane_slot, name_slot;
	struct interval_budget budget;
	struct interfering_thread *threads;
	unsigned n_threads;
	uint32_t *domain; /* by lane */
	bool *has_others;
	struct beside *beside; /* by domain */
	uint32_t n_domains;
	uint32_t sample_limit;

	/* of all threads */
	struct beside_group *groups; /* in order of lane and name */
	size_t n_groups;
	bool are_names_rare; /* and are not told apart */
	uint32_t *row_of;    /* by group and level; NO_ROW */
	struct sampled *sample;
	size_t n_sample;
	int64_t first_ns, length_ns;
	struct interferences *found;
	double *at_shift; /* by shift and row: k */
};
#define NO_ROW UINT32_MAX
#define LEVELS (OF_LANE + 1)

/* Adds to a group's sums a span, of which so much lies beside others. */
void interference_add(struct span_sums *sums, int64_t duration_ns, int64_t beside_ns);
void interference_add_sums(struct span_sums *sums, const struct span_sums *more);
/* Of the groups, rows without ranges; then these. -1: cancelled. */
void interference_fill(struct interfering *interfering);
int interference_shift(struct interfering *interfering, struct err *err);

#endif
