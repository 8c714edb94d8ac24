/*
 * Flows: pairs of spans that lead from the one to the other, summed by their names.
 * Used by store.
 */
#ifndef LANESCOPE_COLUMN_OPS_FLOWS_H
#define LANESCOPE_COLUMN_OPS_FLOWS_H

#include "column/scan/dataset.h"

struct flow {
	int64_t from, to; /* ids of spans */
	uint32_t name;    /* text code or TEXT_NONE, as all names here */
};

/* All flows of one name, from spans of one name to spans of one name. */
struct flow_group {
	uint32_t name, source, target;
	int64_t n;
	/* from the end of the one to the start of the other, below zero where they overlap */
	__int128 wait_sum_ns;
	int64_t wait_min_ns, wait_max_ns;
};

/* How many groups; *groups is to be freed. Flows with an end that is not among the dataset's spans
 * (or not in its scope) do not count. -1: ERR_QUERY, ERR_CANCELLED, ERR_FORMAT. */
int64_t flows_sum(const struct dataset *dataset, const struct flow *flows, size_t n,
                  const struct cancel *cancel, struct flow_group **groups, struct err *err);

#endif
