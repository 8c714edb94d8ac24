/*
 * What runs beside a lane: the time that spans of other lanes of its domain (host, process, run)
 * cover, from one instant to another. Lanes may as well be threads.
 * Used by its room alone.
 */
#ifndef LANESCOPE_COLUMN_OPS_BESIDE_H
#define LANESCOPE_COLUMN_OPS_BESIDE_H

#include "column/scan/dataset.h"
#include "util/divisor.h"
#include "util/intervals.h"

/* A stretch that the same lanes cover. */
struct beside_stretch {
	int64_t start_ns, end_ns;
	int64_t before_ns; /* covered before it */
	uint32_t lane;     /* the only one; BESIDE_SEVERAL */
};
#define BESIDE_SEVERAL UINT32_MAX

struct beside { /* of one domain */
	struct beside_stretch *all;
	size_t n, capacity;
	int64_t covered_ns;
	uint32_t *index; /* by time, of width_ns each */
	struct divisor width;
};
/* Of lanes' merged lists, n of them; lanes: their numbers. */
void beside_init(struct beside *beside, const struct intervals *lists, const uint32_t *lanes,
                 size_t n);
void beside_fini(struct beside *beside);
/* The first stretch that ends behind an instant; n: none does. */
size_t beside_find(const struct beside *beside, int64_t time_ns);
/* The same of a time that is not before that for which `first` was found: fast where it is near. */
size_t beside_find_from(const struct beside *beside, size_t first, int64_t time_ns);
/* What beside_find will read, in two steps, of which each takes a while: call the first well before
 * the second, and that well before beside_find. */
void beside_prefetch_place(const struct beside *beside, int64_t time_ns);
void beside_prefetch(const struct beside *beside, int64_t time_ns);
/* Covered from start to end by other lanes than this. own: the lane has a list. */
int64_t beside_covered(const struct beside *beside, uint32_t lane, bool own, int64_t start_ns,
                       int64_t end_ns);

#endif
