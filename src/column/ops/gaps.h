/*
 * Gaps: what no span of a lane covers between the lane's first start and its last end. Spans that
 * overlap, nest or touch make no gap; one without length divides the gap that it lies in. Also each
 * lane's sums: how long it was busy (the union of its spans) and idle.
 * A scope's range cuts gaps at its ends: there they have no span before or after them.
 * So it is with the lanes of a process, a host or the run as if they were one; of these only what
 * is in a scope's range counts, and lies around gaps.
 * Used by store.
 */
#ifndef LANESCOPE_COLUMN_OPS_GAPS_H
#define LANESCOPE_COLUMN_OPS_GAPS_H

#include "column/scan/dataset.h"
#include "column/scan/scan.h"

#define GAPS_LIMIT 10000000

enum gaps_within { GAPS_LANE, GAPS_PROCESS, GAPS_HOST, GAPS_RUN };

struct gaps_request {
	enum gaps_within within; /* whose lanes are looked at as one */
	const char *filter;      /* spans that count; NULL: all */
	struct scan_value parameters[SCAN_PARAMETERS];
	int64_t least_ns;    /* shorter gaps are not counted; below 1 as 1 */
	int64_t limit;       /* how many gaps to give, the longest ones; up to GAPS_LIMIT */
	bool neighbours;     /* look for the spans around the gaps given */
	size_t memory_bytes; /* for intervals at a time; 0: 256 MiB (tests take less) */
	const struct cancel *cancel;
};

/* The span that ends where a gap begins, or begins where it ends: of several of a lane the longest,
 * then the one with the lowest id, which of several lanes it is at once. */
struct gap_neighbour {
	int64_t id, duration_ns;
	uint32_t name; /* text code or TEXT_NONE */
	uint32_t lane;
};

struct gap {
	int64_t start_ns, end_ns;
	uint32_t lane;                      /* the first of those that are looked at as one */
	struct gap_neighbour before, after; /* id 0: not looked for */
};

struct lane_gaps {
	int64_t n_spans, n_gaps;
	int64_t start_ns, end_ns;             /* first start, last end */
	int64_t uncovered_ns;                 /* in all gaps, the short ones, too */
	int64_t idle_ns;                      /* in those that count */
	int64_t longest_ns, longest_start_ns; /* of those; the first of equal ones */
};

struct gaps {
	struct lane_gaps *lanes; /* by lane, of GAPS_LANE; all is 0 where the filter left nothing */
	uint32_t n_lanes;
	struct gap *gaps; /* longest first, then by lane, or process and host, and start */
	size_t n_gaps;
};

/* Fills *gaps (gaps_fini() even after an error). ERR_QUERY, ERR_LIMIT, ERR_CANCELLED,
 * ERR_FORMAT. */
int gaps_run(const struct dataset *dataset, const struct gaps_request *request, struct gaps *gaps,
             struct err *err);
void gaps_fini(struct gaps *gaps);

#endif
