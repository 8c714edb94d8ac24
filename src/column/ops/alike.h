/*
 * Lanes that are alike, and those that are odd: hosts among hosts, processes among those of their
 * host, lanes among those of their kind in their process or, where it has no row, on their host.
 * Only lanes that work count (lane_kind_is_work): no counters, no queues, no records that stand for
 * many calls.
 *
 * Each is compared with the median of its group by its figures, all over the scope: its self time
 * in each name, its busy time (the sum of these), its first start and its last end. It is odd if
 * one of them is off by more than
 *     k x MAD / 0.6745, but at least 2 % and at most 20 %
 * where MAD is the median of the distances from the median, and percents are of the median busy
 * time or, of starts and ends, of the median time from first start to last end. k is 3.5, the rule
 * of Iglewicz and Hoaglin, How to Detect and Handle Outliers (1993), or, if that is more, the
 * square root of 2 ln(figures x members), which normal noise as good as never leaves (Donoho and
 * Johnstone, 1994). So noise of a regular group is not odd, nor do lanes pass for alike that are
 * far apart.
 *
 * A group folds if more than half of it, two at least, are alike: else there is no picture that its
 * members have in common.
 * Used by query/timeline, store.
 */
#ifndef LANESCOPE_COLUMN_OPS_ALIKE_H
#define LANESCOPE_COLUMN_OPS_ALIKE_H

#include "column/scan/dataset.h"

#define ALIKE_SCORE 3.5
#define ALIKE_LEAST 0.02
#define ALIKE_MOST 0.2
#define ALIKE_NONE UINT32_MAX

enum alike_level { ALIKE_LANES, ALIKE_PROCESSES, ALIKE_HOSTS };
#define ALIKE_LEVELS 3
enum alike_figure { ALIKE_NAME, ALIKE_BUSY, ALIKE_FIRST, ALIKE_LAST };

/* A lane, process or host. */
struct alike_member {
	uint32_t lane;  /* its first, by id */
	uint32_t group; /* number of its group; its members follow each other */
	bool is_empty;  /* it has no span in scope: neither start nor end */
	int64_t busy_ns, first_ns, last_ns;
	bool is_odd;
	/* Of its figures the one that is furthest off, by what it may be: what it is, what is usual
	 * (the median), what it may be off by. */
	enum alike_figure figure;
	uint32_t name; /* of an ALIKE_NAME: text code */
	int64_t value_ns, usual_ns, limit_ns;
};
struct alike_group {
	enum alike_level level;
	uint32_t first, n; /* members */
	uint32_t n_alike;
	bool folds;
};
/* Self time of a member in a name. */
struct alike_time {
	uint32_t member, name;
	int64_t ns;
};

struct alike {
	struct alike_group *groups;
	struct alike_member *members;
	uint32_t n_groups, n_members;
	uint32_t *by_lane[ALIKE_LEVELS]; /* the member that a lane belongs to; ALIKE_NONE: none */
};

/* Fills *alike (alike_fini() even after an error): one pass over the run's sums, of a scope over
 * its spans. ERR_LIMIT, ERR_CANCELLED, ERR_FORMAT. */
int alike_run(const struct dataset *dataset, const struct cancel *cancel, struct alike *alike,
              struct err *err);
void alike_fini(struct alike *alike);

/* Says which members are odd and which groups fold; busy times come from the others. Members stand
 * by groups; times in any order, of a member and a name several add up. */
void alike_rate(struct alike *alike, struct alike_time *times, size_t n_times);

/* Does a process of a host stand above its lanes in a row of its own? Of the host's processes,
 * and the process's lanes. */
static inline bool
process_has_row(const struct ident *process, size_t n_processes, size_t n_lanes)
{
	return n_processes > 1 && n_lanes > 1 && process->type != IDENT_NONE;
}

#endif
