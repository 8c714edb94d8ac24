/*
 * Two runs side by side, as the search for causes sees them: what both did, item by item and stage
 * by stage, and models of both that can be run again with something changed.
 * Used by its room alone.
 */
#ifndef LANESCOPE_EXPLAIN_VERDICT_COMPARISON_H
#define LANESCOPE_EXPLAIN_VERDICT_COMPARISON_H

#include "explain/frame/frame.h"
#include "util/student.h"
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
/* What the runs of a side did, item by item of the one of them that stands for all in `run`. */
struct comparison_group {
	size_t n;
	float *log_ns[STAGES]; /* by run, then by item; NAN: not known. NULL of one run */
	/* Of tasks, likewise by run and item; lane NULL of spans. */
	uint32_t *lane, *host; /* codes; INTERN_NONE: unknown in the two runs that stand for all */
	int64_t *at_ns;
	float *log_at_once;
	size_t *n_of_kind;   /* by run, then by kind code: items */
	size_t *n_lanes;     /* by run */
	double *makespan_ns; /* by run */
};
struct comparison {
	struct explain *explain;      /* of two runs */
	const struct explain *groups; /* all runs; NULL of two */
	struct comparison_group group[2];
	struct student_groups makespans; /* of the groups */
	bool keeps_runs;                 /* all runs' schedules are there */
	const struct schedule *run[2];   /* B with its clocks corrected */
	const struct matching *matching;
	struct matching *own_matching; /* of runs that were condensed; or NULL */
	uint32_t *together;            /* by kind code: how many spans an item is of; NULL: one */
	struct replay *replay;
	struct rerun *rerun[2]; /* of spans NULL until they are made */
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
/* Of two runs. NULL on error. */
struct comparison *comparison_new(struct explain *explain, struct err *err);
/* Makes the reruns that are missing: late, as those of spans take as much memory as the search for
 * causes does. -1: cancelled. */
int comparison_make_reruns(struct comparison *comparison, struct err *err);
/* Adds the other runs of two groups, of which the comparison's runs are one each: stages become
 * means over all of them. -1 on error. */
int comparison_add_groups(struct comparison *comparison, struct explain *groups, struct err *err);
void comparison_free_groups(struct comparison *comparison);
/* The makespan of a side; of several runs, the mean. With clocks as the run has them, or as they
 * would be were they right. */
int64_t comparison_makespan_ns(const struct comparison *comparison, unsigned run);
int64_t comparison_seen_makespan_ns(const struct comparison *comparison, unsigned run);
/* Stages of a schedule's items, in an array each. */
void comparison_measure_stages(const struct schedule *schedule, int64_t *const stage[STAGES]);
/* Of groups: half the range of what their mean makespans differ by where nothing does. one_run_ns:
 * standard deviation of one run's, as items alone would make it. */
double comparison_noise_ns(const struct comparison *comparison, double one_run_ns);
/* Do the groups' makespans differ by no more than runs of a group do? */
bool comparison_is_within_spread(const struct comparison *comparison);
/* Of groups, keeps of the portions of a stage's items those whose effect stands out from what runs
 * of a group differ by; widens their errors by that, and raises their chances. */
void comparison_confirm(const struct comparison *comparison, enum comparison_stage stage,
                        const struct portion_item *items, size_t n, int64_t floor_ns,
                        double chance_max, struct portions *portions);
/* Does the effect of one of n items' portions stand out from its means in the runs of the groups?
 * prior: what the variance of such a mean is at least. Widens and raises as above. */
bool comparison_stands_out(const struct comparison *comparison, const struct student_groups *means,
                           double prior, size_t n, double chance_max, struct portion *portion);
/* Do all runs of B have more items of a kind than all of A (sign > 0), or fewer? By counts of both
 * groups; true of two runs that do. The same of lanes. */
bool comparison_kind_differs(const struct comparison *comparison, uint32_t kind, int sign);
bool comparison_lanes_differ(const struct comparison *comparison);
void comparison_free(struct comparison *comparison); /* takes NULL */

#define STAGE_UNKNOWN INT64_MIN

/* Of tasks of groups, items are those of every run of B, as they run elsewhere in each; else the
 * runs of a group are averaged item by item. What one of the items counts for. */
bool comparison_is_spread(const struct comparison *comparison);
double comparison_share(const struct comparison *comparison);
/* Variance of an item's log ratio over that of the log time of an item in one run. */
double comparison_ratio_variance(const struct comparison *comparison);
struct portion_item *comparison_spread_items(const struct comparison *comparison,
                                             enum comparison_stage stage, int64_t floor_ns,
                                             size_t *n);
/* Portions of a stage's matched items: n of them, in an array to be freed. Items of B stand in
 * unit; amounts below floor_ns count as that. */
struct portion_item *comparison_items(const struct comparison *comparison,
                                      enum comparison_stage stage, int64_t floor_ns, size_t *n);
void comparison_codes(const struct comparison *comparison, uint32_t n_codes[PORTION_ATTRIBUTES]);
/* Where spans are too many to be matched one by one: puts schedules of fewer items in their place
 * and fills together. False: nothing was done. */
bool comparison_condense(struct comparison *comparison);
/* Another run as those were. In the arena. */
const struct schedule *comparison_condensed(const struct comparison *comparison,
                                            const struct schedule *run, struct arena *arena);
/* B as it would be were the clocks of its hosts right; fills clock_ns. Lives in the arena. */
const struct schedule *clocks_corrected(struct comparison *comparison, struct arena *arena);
/* What the end of a run may jump by, whatever changes: a list schedule by its longest item, though
 * that is most of a short run. */
int64_t comparison_jump_ns(const struct comparison *comparison);
/* Sum over what is known in a run. */
int64_t comparison_total_ns(const struct comparison *comparison, unsigned run,
                            enum comparison_stage stage);

#endif
