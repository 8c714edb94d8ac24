/*
 * What is painted on lanes: the rows of a table that say where they lie, each a stretch of time on
 * a lane and of a class. Causes, the critical path, idle lanes, gaps: whatever has rows of that
 * kind.
 * Used by ui/timeline.
 */
#ifndef LANESCOPE_QUERY_TIMELINE_TIMELINE_PAINT_H
#define LANESCOPE_QUERY_TIMELINE_TIMELINE_PAINT_H

#include "query/saved/row_place.h"
#include "query/timeline/timeline.h"

struct paint_stretch {
	int64_t start_ns, end_ns; /* in its run; the same: an instant */
	uint32_t lane;            /* of the timeline */
	uint32_t row;             /* of the result */
	uint8_t side;             /* of two runs 1: B's; else 0 */
	uint8_t class;
};

/* The largest by time have a class of their own, the last of so many takes the rest. */
#define PAINT_CLASSES 8

struct paint_class {
	char *name;
	char mark; /* a letter that no other one has */
	int64_t n, sum_ns;
};

struct timeline_paint {
	struct paint_stretch *stretches; /* by lane, those of a lane in order of their starts */
	int64_t *reach;                  /* the last end up to each, on its lane */
	uint32_t *by_time;               /* all of them in order of time, of a side's run each */
	size_t n, n_rows;                /* n_rows: of the table; some may say no place */
	uint32_t n_lanes;                /* of the timeline */
	size_t *firsts;                  /* by lane, and the end of the last */
	int64_t *by_lane;                /* stretches of each */
	uint32_t n_classes;
	struct paint_class classes[PAINT_CLASSES];
};

/*
 * names: what the timeline's runs are called. Rows of a column `run` belong to the run of that
 * name, and are left out if there is none; others to the last run. The class is what stands in the
 * first text column of these names: class, cause, category, name, kind; without one all are
 * of one class, `title`.
 *
 * NULL if it was cancelled.
 */
struct timeline_paint *timeline_paint_new(const struct timeline *timeline,
                                          const char *const names[2], const char *title,
                                          const struct drill *drill, const struct result *result,
                                          const struct cancel *cancel);
void timeline_paint_free(struct timeline_paint *paint); /* takes NULL */

/* The first stretch of a lane that ends behind a time of its run, or lies on it; those that follow
 * it may not. paint->firsts[lane + 1]: there is none. */
size_t timeline_paint_from(const struct timeline_paint *paint, uint32_t lane, int64_t at_ns);

#endif
