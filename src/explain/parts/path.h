/* The critical path of a schedule: a chain of pieces without a gap, from the makespan's start to
 * its end.
 * Used by explain/verdict. */
#ifndef LANESCOPE_EXPLAIN_PARTS_PATH_H
#define LANESCOPE_EXPLAIN_PARTS_PATH_H

#include "explain/schedule/schedule.h"
#include "util/cancel.h"
#include "util/err.h"

/* What the path did in a piece. */
enum path_class {
	PATH_RUN,   /* an item ran */
	PATH_START, /* before the first item of the path: nothing that it waited for is known */
	PATH_PLAN,  /* nothing planned yet: the item before had ended */
	PATH_COMMUNICATION, /* planned, not yet with the lane */
	PATH_QUEUE,         /* with the lane, inputs there, not started */
	PATH_TRANSFER_WAIT, /* a transfer was planned and had not begun */
	PATH_TRANSFER,      /* a transfer went on */
	PATH_AFTER_INPUT,   /* between the last input's end and the start; the run says no more */
	PATH_AFTER_LANE,    /* between the end of what the lane did before and the start */
	PATH_END,           /* behind the last item: nothing that takes time ran any more */
	PATH_CLASSES
};
const char *path_class_name(enum path_class path_class);

struct path_piece {
	int64_t start_ns, end_ns;
	enum path_class path_class;
	uint32_t item; /* that ran, or waited */
};

struct path {
	struct path_piece *pieces; /* in order of time; none has length 0 */
	size_t n;
	size_t by_input, by_lane,
	    by_nothing; /* steps back: through an edge, to the lane's item before, to the start */
};
/* Walks back from the item that ends last: to whichever ended last of its inputs and its lane's
 * item before. NULL: cancelled. */
struct path *path_find(const struct schedule *schedule, const struct cancel *cancel,
                       struct err *err);
void path_free(struct path *path); /* takes NULL */

#endif
