/*
 * The verdict: why B took longer or shorter than A, as a short ranked list of causes.
 * Used by explain.
 */
#ifndef LANESCOPE_EXPLAIN_VERDICT_VERDICT_H
#define LANESCOPE_EXPLAIN_VERDICT_VERDICT_H

#include "explain/frame/frame.h"

/* A row a cause, the largest first, at most limit of them (0: all); the title is the answer in one
 * sentence. Of the first run of either side. ERR_USAGE: the runs have nothing in common to compare;
 * NULL on error. */
struct result *verdict_find(struct explain *explain, size_t limit, struct err *err);

#endif
