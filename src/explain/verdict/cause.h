/*
 * Causes: slices of a difference between two runs, each with a size, a range, and how sure it is.
 * Finders append to a list; estimates and words are added to what was found.
 * Used by its room alone.
 */
#ifndef LANESCOPE_EXPLAIN_VERDICT_CAUSE_H
#define LANESCOPE_EXPLAIN_VERDICT_CAUSE_H

#include "explain/verdict/comparison.h"

enum cause_type {
	CAUSE_DURATION, /* items of a portion take longer or shorter */
	CAUSE_CONTENTION,
	CAUSE_INTERFERENCE, /* of a kind with another, kinds[0], that runs meanwhile elsewhere */
	CAUSE_PLAN,
	CAUSE_COMMUNICATION,
	CAUSE_BEGIN,
	CAUSE_TRANSFERS,
	CAUSE_MORE_WORK, /* items that only B has */
	CAUSE_LESS_WORK, /* only A */
	CAUSE_RENAMED,   /* kind -> kinds[0] */
	CAUSE_SPLIT,     /* kind -> kinds[0], kinds[1] ... */
	CAUSE_LANES,
	CAUSE_PLACEMENT,
	CAUSE_CLOCK,
	CAUSE_SAME,
	CAUSE_OTHER_WORK, /* all of it: nothing is matched */
	CAUSE_UNEXPLAINED /* they differ, and no slice of what they did does */
};

struct amount {
	bool is_known;
	int64_t ns, low_ns, high_ns; /* b - a */
};

struct cause {
	enum cause_type type;
	struct portion portion;   /* of DURATION, PLAN, COMMUNICATION, BEGIN, TRANSFERS */
	const char *item_name;    /* of a portion of one item */
	uint32_t kind, kinds[4];  /* of the work; of CONTENTION those it shows in most */
	size_t n_kinds, n_a, n_b; /* items of the work; lanes */
	double share;             /* of what has no match, that is more or less work */
	double slowed;    /* of INTERFERENCE: the share of a time that overlaps which is lost */
	double *overlaps; /* by B's item: the share of its time while the other ran */
	double *slopes;   /* by kind code: of CONTENTION; in the arena */
	struct amount makespan, lane_time;
	double chance;
	const char *against, *sentence, *slice, *name, *look; /* in the verdict's arena */
};

struct causes {
	struct arena *arena;
	struct cause *all;
	size_t n, capacity;
	double noise;                 /* of an item's log ratio */
	bool is_scheduled;            /* what ran are tasks, which a scheduler deals */
	struct amount noise_makespan; /* what reruns with that noise differ by */
};

/* A cause to be filled; valid until the next. */
struct cause *causes_add(struct causes *causes, enum cause_type type);
/* A portion that holds everything. */
struct portion portion_all(void);

/* Finders. -1 on error. */
void causes_find_clocks(struct causes *causes, const struct comparison *comparison);
int causes_find_stages(struct causes *causes, const struct comparison *comparison, struct err *err);
/* Log ratios of a schedule's concurrency on its hosts by B's item, b / a; 0 where an item has no
 * match. To be freed. */
double *contention_ratios(const struct comparison *comparison);
/* The same items as if concurrency had not changed: slopes by kind are fitted and taken off. The
 * cost of the slopes, as of portions; INFINITY: concurrency changed too little to tell. */
double contention_take_off(const struct comparison *comparison, struct portion_item *items,
                           size_t n, double *slopes);
/* The kind of items whose times grow with what they overlap with of another kind on other lanes of
 * their process (where there are several, else of their host). */
struct interference {
	uint32_t of, during;      /* kind codes */
	double slowed, *overlaps; /* see struct cause; overlaps are to be freed */
};
/* The clearest; it is taken off the items. Its cost, as of portions; INFINITY: there is none. */
double interference_take_off(const struct comparison *comparison, struct portion_item *items,
                             size_t n, struct interference *interference);
int causes_find_transfers(struct causes *causes, const struct comparison *comparison,
                          struct err *err);
void causes_find_work(struct causes *causes, const struct comparison *comparison);
void causes_find_lanes(struct causes *causes, const struct comparison *comparison);
/* After all others. */
void causes_find_placement(struct causes *causes, const struct comparison *comparison);

/* Makespans with and without each cause, by reruns; then the noise of a makespan. */
int causes_estimate(struct causes *causes, const struct comparison *comparison, struct err *err);

/* All of the above, the largest first; one at least, if only CAUSE_SAME. -1 on error. */
int causes_find(struct causes *causes, struct comparison *comparison, struct err *err);

/* A stretch of a run that a cause is in. */
struct place {
	unsigned run;             /* 0: A, 1: B */
	uint32_t lane;            /* of the run's schedule */
	uint32_t item;            /* likewise; SCHEDULE_NONE */
	int64_t start_ns, end_ns; /* as recorded */
	int64_t more_ns;          /* what it took more than its match; below 0: less */
};
struct place_taker {
	void *user;
	void (*take)(void *user, const struct place *place);
};
/* All stretches, lane by lane of A, then of B. Their times are of the runs' recorded schedules;
 * where spans were condensed, of these. */
void causes_places(const struct comparison *comparison, const struct cause *cause,
                   const struct place_taker *taker);

/* Fills name, slice, sentence, against and look. */
void causes_word(struct causes *causes, const struct comparison *comparison);
/* The first sentence: both makespans, and what makes the most of their difference. */
const char *causes_sentence(const struct causes *causes, const struct comparison *comparison);

#endif
