/*
 * Busy time by group: how long at least one of a group's spans was going on (the length of their
 * union), and how much of that was hidden: while another thread of the same process did what
 * `beside` describes, computing say. Also the plain sums of the same spans, and how many threads
 * and processes they are of.
 *
 * Of spans that stand for many calls all of the reporting interval counts as busy: where `summed`
 * is not 0, busy is an upper bound.
 * Used by store.
 */
#ifndef LANESCOPE_COLUMN_OPS_BUSY_H
#define LANESCOPE_COLUMN_OPS_BUSY_H

#include "column/scan/scan.h"

struct busy_request {
	/* As of sums, but no time(WIDTH), and 7 dimensions at most where `lane` is none of them.
	 * Each ';' begins a level: "path;host;process" is groups of paths, then of paths and hosts,
	 * then of paths, hosts and processes. */
	const char *by;
	const char *filter; /* NULL: all spans */
	const char *beside; /* what hides: a filter; NULL: nothing does */
	struct scan_value parameters[SCAN_PARAMETERS];
	size_t memory_bytes; /* for intervals at a time; 0: 512 MiB (tests take less) */
	const struct cancel *cancel;
};

struct busy_group {
	int64_t n, rows; /* calls, records */
	int64_t summed;  /* calls of records that stand for many */
	int64_t duration_sum, size_n, size_sum;
	bool n_leaves, duration_leaves, size_leaves; /* 64 bits: what does not fit is 0 */
	int64_t busy_ns, hidden_ns;
	int64_t threads, processes; /* of which it has spans; a process is one of a host */
	unsigned level;             /* of `by`, from 0 */
};

struct busy;
/* Groups level by level in the order of their keys, which lack the dimensions of deeper levels; an
 * empty `by` gives one even if nothing matches. NULL on error, as sums_run. */
struct busy *busy_run(const struct dataset *dataset, const struct busy_request *request,
                      struct err *err);
size_t busy_count(const struct busy *busy);
bool busy_has(const struct busy *busy, enum row_column dimension);
/* Does any span match `beside`? Without one it is not known what is hidden. */
bool busy_is_beside(const struct busy *busy);
struct scan_value busy_key(const struct busy *busy, size_t group, enum row_column dimension);
const struct busy_group *busy_group(const struct busy *busy, size_t group);
void busy_free(struct busy *busy); /* takes NULL */

#endif
