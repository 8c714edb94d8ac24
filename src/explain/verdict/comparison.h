/*
 * Two runs side by side, as the search for causes sees them: what both did, item by item and stage
 * by stage, and models of both that can be run again with something changed.
 * Used by its room alone.
 */
#ifndef LANESCOPE_EXPLAIN_VERDICT_COMPARISON_H
#define LANESCOPE_EXPLAIN_VERDICT_COMPARISON_H

#include "explain/frame/frame.h"
#include "explain/parts/rerun.h"
#include "explain/verdict/portions.h"
#include "util/intern.h"

enum comparison_stage {            /* of a task's life; all but RUN are 0 where it has no task */
	                STAGE_RUN, /* from its start to its end */
	                /* from the end that let it be planned to its planned time: the
	                 * controller */
	                STAGE_PLAN,
	                STAGE_COMMUNICATE, /* from its planned time until it was enqueued */
	                STAGE_BEGIN, /* from when it was enqueued and its slot free to its start */
	                STAGES
};
struct comparison {
	struct explain *explain;
	const struct schedule *run[2]; /* B with its clocks corrected */
	const struct matching *matching;
	struct matching *own_matching; /* of runs that were condensed; or NULL */
	uint32_t *together;            /* by kind code: how many spans an item is of; NULL: one */
	struct replay *replay;
	struct rerun *rerun[2];
	/* Makespans of reruns of what was observed, with tasks as they were placed and with a
	 * scheduler that reacts; 0 for spans. */
	double placed_ns[2], reacting_ns[2];
	struct intern *kinds, *lanes, *hosts;                 /* names in both runs -> codes */
	uint32_t *kind_code[2], *lane_code[2], *host_code[2]; /* by the schedules' kinds, lanes */
	int64_t *stage_ns[2][STAGES];                         /* by item; INT64_MIN: not known */
	bool *is_wait;     /* by kind code: spans that wait for each other, as at a barrier */
	int64_t *clock_ns; /* by host code: how far its stamps were ahead in B, not in A */
	struct arena *arena;
};
/* NULL on error. */
struct comparison *comparison_new(struct explain *explain, struct err *err);
void comparison_free(struct comparison *comparison); /* takes NULL */

#define STAGE_UNKNOWN INT64_MIN
const char *comparison_kind(const struct comparison *comparison, uint32_t code);

/* Portions of a stage's matched items: n of them, in an array to be freed. Items of B stand in
 * unit; amounts below floor_ns count as that. */
struct portion_item *comparison_items(const struct comparison *comparison,
                                      enum comparison_stage stage, int64_t floor_ns, size_t *n);
void comparison_codes(const struct comparison *comparison, uint32_t n_codes[PORTION_ATTRIBUTES]);
/* Where spans are too many to be matched one by one: puts schedules of fewer items in their place
 * and fills together. False: nothing was done. */
bool comparison_condense(struct comparison *comparison);
/* B as it would be were the clocks of its hosts right; fills clock_ns. Lives in the arena. */
const struct schedule *clocks_corrected(struct comparison *comparison, struct arena *arena);
/* What the end of a run may jump by, whatever changes: a list schedule by its longest item, though
 * that is most of a short run. */
int64_t comparison_jump_ns(const struct comparison *comparison);
/* Sum over what is known in a run. */
int64_t comparison_total_ns(const struct comparison *comparison, unsigned run,
                            enum comparison_stage stage);

#endif
