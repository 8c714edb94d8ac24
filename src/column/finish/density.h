/*
 * What the calls of a lane's aggregated records took, cell by cell, each record's sum spread evenly
 * over its interval. Density before an instant is a number of its own: the sum over the records of
 * their share until then, rounded down to a nanosecond; a cell's is the difference between its two
 * ends. So cells of any width add up to the same, to the nanosecond, and records that end before a
 * window or start after it change nothing in it.
 * Used by its room alone.
 */
#ifndef LANESCOPE_COLUMN_FINISH_DENSITY_H
#define LANESCOPE_COLUMN_FINISH_DENSITY_H

#include <stdint.h>
#include "util/err.h"

struct density;
/* Cells 0 ... n_cells - 1 from time 0 on. take: the density of each cell that has one, in order. */
struct density *density_new(int64_t cell_ns, uint64_t n_cells,
                            int (*take)(void *user, uint64_t index, int64_t density_ns,
                                        struct err *err));
void density_begin(struct density *density, void *user);
/* Starts may not decrease; they may lie before 0. A record without length has its sum at its start.
 * Cells that end until then have been told when this returns. */
int density_add(struct density *density, int64_t start_ns, int64_t duration_ns, int64_t sum_ns,
                struct err *err);
int density_end(struct density *density, struct err *err); /* ready for the next lane then */
void density_free(struct density *density);                /* takes NULL */

#endif
