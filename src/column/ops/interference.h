/*
 * Do spans take longer while others run beside them? How their durations go along with the share of
 * them that lies beside spans of a second set, on other lanes.
 *
 * A span that takes d and runs beside the others for the share o of it loses the share k of that
 * part: without them it would take d (1 - k o). k is what leaves no covariance of o with that, each
 * lane and name by itself: cov(o, d) / cov(o, d o), in the means of d. Below 0: it runs faster.
 *
 * Neither durations nor the others are independent of what was just before, so what chance gives is
 * asked by shifting the others in time, all by the same, around the end: both keep their order.
 * Used by store.
 */
#ifndef LANESCOPE_COLUMN_OPS_INTERFERENCE_H
#define LANESCOPE_COLUMN_OPS_INTERFERENCE_H

#include "column/scan/scan.h"

struct interference_request {
	const char *of, *beside; /* filters */
	struct scan_value parameters[SCAN_PARAMETERS];
	/* Spans of the second set count beside those of another lane of the same ... */
	enum { INTERFERENCE_HOST, INTERFERENCE_PROCESS, INTERFERENCE_RUN } within;
	unsigned n_shifts; /* 0: no ranges */
	uint64_t seed;
	uint32_t sample; /* spans that are asked at each shift, at most; 0: 25 000 */
	const struct cancel *cancel;
};
enum interference_level { OF_RUN, OF_HOST, OF_NAME, OF_LANE };
struct interference_row { /* of hosts, names and lanes where there are several; of 64 names */
	enum interference_level level;
	uint32_t lane, host, name; /* lane's number; text codes; TEXT_NONE: of all, or none */
	int64_t n, n_beside;       /* spans; beside the others for 5 % or more of their time */
	int64_t sum_ns, beside_ns; /* durations; the part of them that lies beside others */
	/* Mean durations, weighted by the share that does not, and that does, lie beside them. */
	double apart_ns, together_ns;
	/* k; NAN: fewer than 6 spans are, or are not, beside others, or k is not between -1 and 1,
	 * as of spans too uneven. Then what is left of it when what 95 % of the shifts give is
	 * taken off, and the share of shifts that give as much. */
	double slowed, low, high, chance;
};
struct interferences {
	struct interference_row *rows; /* for the caller to free */
	size_t n;
	int64_t n_others;  /* stretches of time that others cover, lane by lane */
	int64_t n_sampled; /* spans asked at each shift */
};
/* Records that stand for many calls are left out. -1: ERR_QUERY, ERR_LIMIT, ERR_CANCELLED,
 * ERR_FORMAT. */
int interference_run(const struct dataset *dataset, const struct interference_request *request,
                     struct interferences *found, struct err *err);

#endif
