/*
 * How long a checkpoint takes by theory, to a parallel file system, to node-local disks, and from
 * those to the former; and how often to take one. Times in seconds, sizes in bytes.
 * Used by cli.
 */
#ifndef LANESCOPE_SIMULATE_CHECKPOINT_H
#define LANESCOPE_SIMULATE_CHECKPOINT_H

#include <stdint.h>
#include "util/err.h"

struct checkpoint_model {
	double data_bytes;             /* of each node */
	double pfs_rate, ssd_rate;     /* bytes a second of one node */
	double pfs_factor, ssd_factor; /* how it grows ... */
};
extern const struct checkpoint_model checkpoint_defaults;
/* ... with the number of nodes n: factor to the power of n - 1, or of log2 n. */
enum checkpoint_rule { CHECKPOINT_BY_NODE, CHECKPOINT_BY_DOUBLING };
const char *checkpoint_rule_name(enum checkpoint_rule rule);

struct checkpoint_times {
	double exponent, pfs_s, ssd_s, flush_s;
};
/* ERR_USAGE if a constant is not above 0. */
int checkpoint_model_check(const struct checkpoint_model *model, struct err *err);
struct checkpoint_times checkpoint_model_times(const struct checkpoint_model *model, int64_t nodes,
                                               enum checkpoint_rule rule);

/* Best time between checkpoints, for the time that one takes and the mean time between failures. */
double checkpoint_young(double cost_s, double mtbf_s);
double checkpoint_daly(double cost_s, double mtbf_s);

#endif
