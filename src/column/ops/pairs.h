/*
 * Pairs: spans of one set, each with those of another that have the same value of a dimension (a
 * kernel and the call that launched it, by arg.correlation), in the order in which they ran on
 * their lanes.
 * Used by store.
 */
#ifndef LANESCOPE_COLUMN_OPS_PAIRS_H
#define LANESCOPE_COLUMN_OPS_PAIRS_H

#include "column/scan/dataset.h"
#include "column/scan/scan.h"

#define PAIRS_LIMIT (16u << 20) /* spans of either set */

struct pairs_request {
	/* one dimension (scan.h): spans of equal value belong together, NULL belongs to none */
	const char *key;
	const char *spans; /* the filter of those that are wanted */
	const char *partners;
	struct scan_value parameters[SCAN_PARAMETERS];
	const struct cancel *cancel;
};

struct pair {
	int64_t id, start_ns, duration_ns;
	int64_t inside_ns; /* the part of its duration in the scope's range */
	/* latest end of the set's spans before it on its lane; INT64_MIN: it is the first */
	int64_t before_ns;
	int64_t partner_start_ns, partner_end_ns; /* first start and latest end of its partners */
	uint32_t n_partners;
	uint32_t lane, name; /* name: text code or TEXT_NONE */
};

/* How many; *pairs (to be freed) are in order of lane, start, the partners' start, id. -1:
 * ERR_QUERY, ERR_LIMIT, ERR_CANCELLED, ERR_FORMAT. */
int64_t pairs_run(const struct dataset *dataset, const struct pairs_request *request,
                  struct pair **pairs, struct err *err);

#endif
