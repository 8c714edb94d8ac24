/* Inside of sums: what planning, scanning, merging and quantiles share.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_OPS_SUMS_PRIVATE_H
#define LANESCOPE_COLUMN_OPS_SUMS_PRIVATE_H

#include <stdatomic.h>
#include "column/scan/coder.h"
#include "column/scan/filter.h"
#include "column/scan/group_table.h"
#include "column/ops/cut_spans.h"
#include "column/ops/value_counts.h"
#include "util/deviation.h"
#include "util/order.h"

#define SQUARES_LEAVE (~(unsigned __int128)0)

/* One measure of one group. Integers: exact. */
struct measure_total {
	unsigned __int128 squares; /* SQUARES_LEAVE: more than fits */
	__int128 sum;              /* of 2^64 values at most: cannot overflow */
	int64_t min, max, n;
};
/* The same for one chunk, if its values are small: sum in the lower 52 bits, n above. */
struct packed_total {
	unsigned __int128 squares;
	uint64_t n_and_sum;
	int64_t min, max;
};
#define PACKED_ONE (UINT64_C(1) << 52)
#define PACKED_VALUE                                                                               \
	(UINT64_C(1) << 41) /* sums of CHUNK_ROWS smaller ones fit 52 bits, and their squares 128 */
struct group_times {
	int64_t start_min, end_max;
};
/* Of counters: sums of doubles depend on the order of additions, so they are kept apart, block by
 * block. */
struct value_total {
	double sum, min, max;
	int64_t n;
	struct deviations deviations; /* where squares are wanted */
};

/* Of a group's records that stand for many calls. */
struct calls_measure {
	__int128 n, sum; /* n: calls that have the measure */
	int64_t min, max;
	bool has_unknown; /* not every record tells its extremes */
};
struct calls_total {
	int64_t rows;
	__int128 calls;
	struct calls_measure measures[MEASURE_VALUE];
};
/* Where their columns stand in the loop's set. */
struct calls_slots {
	uint32_t calls, duration, size, sum, min, max, size_min, size_max;
};

/* Of rows whose end was not recorded. */
struct unfinished_total {
	int64_t n;
	__int128 sum; /* of durations */
};

/* Of rows that reach out of the scope's range: what of their time lies outside. */
struct outside_total {
	__int128 duration, self;
};

/* Totals of the groups of a table; arrays that nobody needs stay NULL. */
struct group_totals {
	size_t n, capacity;
	/* that have no duration, or all if durations are not wanted: see group_totals_rows */
	int64_t *rows;
	/* of the rows that stand for many, which are in nothing else here */
	struct calls_total *calls;
	struct unfinished_total *unfinished;
	struct outside_total *outside; /* where the scope has a range */
	struct group_times *times;
	struct measure_total *measures[MEASURES];
};

enum { PART_SUM = 1, PART_RANGE = 2, PART_SQUARES = 4 };

#define SMALL_GROUPS 4096u

/* What all threads share and nobody changes during a scan. */
struct sums_plan {
	const struct dataset *dataset;
	enum block_kind kind;
	const struct cancel *cancel;
	struct arena *arena;
	struct dimension_list dimensions;
	struct coder_set coders;
	struct filter *filter;
	struct block_fields fields;
	size_t n_sift;            /* of the fields: the filter's that come first */
	unsigned parts[MEASURES]; /* of each measure; 0: not wanted */
	bool has_times, has_calls, has_unfinished;
	bool is_cut;     /* by the scope's range */
	bool is_bounded; /* some values have no code */
	bool is_limited; /* the request limits groups */
	/* Of time(WIDTH), where its values have bounds: the buckets that begin there. Spans
	 * that begin before and reach into them are in groups of the bucket before, which are
	 * dropped. */
	int64_t time_from, time_to;
	struct cut_spans cut_spans; /* where self times are summed and cut */
	struct row_slots measure_slots[MEASURES], start_slots, end_slots, unfinished_slots,
	    duration_slots;
	struct calls_slots calls_slots; /* where has_calls */
	bool is_counted[MEASURES];      /* values are counted for quantiles */
	uint32_t group_limit, gather_limit, count_limit;
	uint64_t group_bytes, room_bytes; /* of a group; for the groups of all threads together */
};

/* Whole buckets that spans cross between their first and their last: +1 where a run of them begins,
 * -1 behind its end. */
struct cover {
	struct group_table table; /* same tuples as the groups' */
	int64_t *steps;
	size_t capacity;
};

struct sums_thread {
	const struct sums_plan *plan;
	_Atomic uint64_t *n_groups; /* of all threads */
	struct filter_state *filter_state;
	struct coder_state *coder_states[SCAN_DIMENSIONS];
	uint32_t *codes[SCAN_DIMENSIONS];
	struct group_table table;
	struct group_totals totals;
	struct cover cover;
	struct value_total *values; /* by group, of the current block */
	size_t values_capacity;
	struct value_counts counts[MEASURES];
	/* The current chunk: rows that match (NULL: all), their groups by row. */
	const uint16_t *rows;
	uint32_t n_rows;
	uint16_t row_buffer[CHUNK_ROWS], present_buffer[CHUNK_ROWS];
	uint32_t groups[CHUNK_ROWS];
	/* Dimensions of few values in a block: group + 1 by the combination of their indices. */
	const struct block_info *small_block; /* that small_groups are of */
	const struct group_table *small_table;
	uint32_t small_groups[SMALL_GROUPS];
	uint16_t small_indices[CHUNK_ROWS];
	struct packed_total packed[CHUNK_ROWS / 4];
	int64_t scratch[CHUNK_ROWS];
};

/* Instead of scanning: adds the totals that the import has made, where they tell all that is asked.
 * 1: done, 0: they do not. */
int sums_add_totals(struct sums_thread *thread, struct err *err);

int sums_plan_init(struct sums_plan *plan, const struct dataset *dataset,
                   const struct sums_request *request, struct err *err);
void sums_plan_fini(struct sums_plan *plan);
/* The loop of a scan as planned; its filter is still to be set. */
struct block_loop sums_plan_loop(const struct sums_plan *plan, void *user, block_scan *scan);

struct sums_thread *sums_thread_new(const struct sums_plan *plan, _Atomic uint64_t *n_groups);
void sums_thread_free(struct sums_thread *thread);
/* Finds the matching rows of the view's chunk and their groups: in `known` (which stays as it is),
 * or in the thread's own table. verdict: what filter_prune said of the block. */
int sums_thread_rows(struct sums_thread *thread, struct block_view *view,
                     enum filter_verdict verdict, const struct group_table *known, struct err *err);
/* The first step of that: the matching rows alone. */
void sums_select_rows(struct sums_thread *thread, struct block_view *view,
                      enum filter_verdict verdict);
/* The matching rows' groups (sums_thread_rows), if all dimensions are columns of few values in the
 * view's block: 1, 0 if they are not, -1. */
int sums_small_groups(struct sums_thread *thread, struct block_view *view,
                      const struct group_table *known, struct err *err);
/* One tuple's group in the thread's own table, with totals; for tuples that no row of the chunk
 * has. */
int sums_thread_group(struct sums_thread *thread, const uint32_t *tuple, uint32_t *group,
                      struct err *err);
/* Less rows: without those that end before the plan's buckets of time. */
void sums_keep_reaching(struct sums_thread *thread, struct block_view *view);
/* The groups of the chunk's matching rows there, by their codes. */
int sums_thread_group_rows(struct sums_thread *thread, struct err *err);
/* Makes a table ready for any codes that the plan's coders have given, and for one tuple. */
void sums_prepare_table(const struct sums_plan *plan, struct group_table *table);
void sums_prepare_tuple(struct group_table *table, const uint32_t *tuple);
/* Adds a thread's groups and totals to those of the first; map[i]: where its group i went. */
int sums_thread_merge(struct sums_thread *first, const struct sums_thread *thread, uint32_t *map,
                      struct err *err);
/* A measure's values in the chunk, and the matching rows that have one (*rows NULL: 0 ... *n-1). */
struct row_integers sums_thread_measure(struct sums_thread *thread, struct block_view *view,
                                        enum measure measure, const uint16_t **rows, uint32_t *n);

/* The same for all rows of the chunk. */
struct row_integers sums_read_measure(struct sums_thread *thread, struct block_view *view,
                                      enum measure measure);

void group_totals_grow(struct group_totals *totals, const struct sums_plan *plan, size_t n);
int64_t group_totals_rows(const struct group_totals *totals, size_t group);
void group_totals_fini(struct group_totals *totals);
/* Adds group `from` of b to group `to` of a. */
void group_totals_merge(struct group_totals *a, size_t to, const struct group_totals *b,
                        size_t from);
/* More than fits is SQUARES_LEAVE, and stays. */
static inline void
sums_add_squares(unsigned __int128 *sum, unsigned __int128 more)
{
	if (__builtin_add_overflow(*sum, more, sum)) {
		*sum = SQUARES_LEAVE;
	}
}
/* Adds the chunk's rows to their groups. */
int sums_add_chunk(struct sums_thread *thread, struct block_view *view, struct err *err);

/* Takes the records that stand for many calls out of the chunk's rows and, if wanted, adds them to
 * their groups. */
int sums_take_calls(struct sums_thread *thread, struct block_view *view, bool is_added,
                    struct err *err);
void sums_calls_bind(struct calls_slots *slots, struct block_fields *fields);
static inline void
calls_measure_widen(struct calls_measure *into, int64_t min, int64_t max)
{
	into->min = LEAST(min, into->min);
	into->max = MOST(max, into->max);
}
/* Adds what they tell of a measure to that of the other rows. */
void sums_calls_fold(const struct calls_total *calls, enum measure measure,
                     struct measure_total *into);
/* Adds what of the chunk's rows lies outside of the scope's range. */
void sums_add_outside(struct sums_thread *thread, struct block_view *view);
/* The part in the scope's range of a sum that is spread evenly over [start, end). */
int64_t sums_inside_share(const struct sums_plan *plan, int64_t start_ns, int64_t end_ns,
                          int64_t sum_ns);
/* Of what a sum is that is divided among the buckets of time(WIDTH). */
enum divided { DIVIDED_CALLS, DIVIDED_UNFINISHED };
/* A row's sum over [start, end), which was given to no bucket yet, evenly to those it crosses. */
int sums_divide_evenly(struct sums_thread *thread, uint32_t row, int64_t start_ns, int64_t end_ns,
                       int64_t sum_ns, enum divided what, struct err *err);

/* Divides the durations of the chunk's spans among the buckets of time(WIDTH). */
int sums_divide_time(struct sums_thread *thread, struct block_view *view,
                     const struct row_integers *durations, const uint16_t *rows, uint32_t n,
                     struct err *err);
/* Bounds the buckets of time, whose dimension has such values only. */
void sums_bound_time(struct sums_plan *plan, const struct value_bounds *bounds);
/* Less groups in sums->order: without those of the bucket before. */
void sums_drop_before(struct sums *sums);
/* Adds what `cover` says to the totals, making groups where there are none yet. */
int sums_cover_finish(struct sums_thread *thread, struct err *err);
void cover_merge(struct cover *into, const struct cover *from);

/* Counters: adds the chunk's rows to thread->values. */
void sums_add_values(struct sums_thread *thread, struct block_view *view);

/* Groups of a scan that has met too many, and how far it came: what the next one is divided by. */
struct sums_sample {
	struct arena *arena;
	struct scan_value *keys; /* n_dimensions a group */
	size_t n;
	unsigned n_dimensions;
	int time;    /* the dimension time(WIDTH), -1: none */
	double part; /* of the blocks, 0 ... 1 */
};
/* As sums_run(). ERR_LIMIT: the sample is filled, as far as there are groups; its arena is the
 * caller's. */
struct sums *sums_run_sampled(const struct dataset *dataset, const struct sums_request *request,
                              struct sums_sample *sample, struct err *err);

/* Rows by a number of theirs, column by column (sums_values.c). */
struct value_rows {
	size_t n;
	int64_t *numbers, *measures[MEASURE_VALUE]; /* NULL: not wanted, or the number itself */
	uint8_t *has;                               /* bits by measure */
};

struct sums {
	struct sums_plan plan;
	struct group_table table;
	struct group_totals totals;
	struct value_total *values; /* by group; counters only */
	/* Groups by value have these instead of table and totals: sorted rows, and where those of
	 * each group begin (NULL: not so). Rows without a value are the first group, and in
	 * totals. */
	struct value_rows values_rows;
	uint32_t *values_starts;
	uint32_t *order; /* groups in the order of their keys */
	size_t n_ordered;
	unsigned quantiles[MEASURES];         /* masks */
	double *quantile_values[MEASURES];    /* QUANTILES a group */
	struct value_counts counts[MEASURES]; /* lists */
	struct group_sums shown;              /* lent by sums_group */
	size_t n_shown; /* its place + 1; 0: none yet; SIZE_MAX: none any more */
};

/* order[i]: groups sorted by their keys. */
uint32_t *sums_sort(const struct coder_set *coders, const struct dimension_list *dimensions,
                    const struct group_table *table);
/* Sums by one number of many values, and nothing that needs more than its rows' measures: is the
 * plan of such? Then, instead of a scan: fills in rows by value, and order. */
bool sums_values_fit(const struct sums_plan *plan);
int sums_values_run(struct sums *sums, struct err *err);
void sums_values_free(struct sums *sums);
/* Of a group of these: its number, its rows, what they come to, and a hint that it is read soon. */
struct scan_value sums_values_key(const struct sums *sums, size_t group);
int64_t sums_values_count(const struct sums *sums, size_t group);
struct measure_total sums_values_total(const struct sums *sums, size_t group, enum measure measure);
void sums_values_prefetch(const struct sums *sums, size_t group);
/* Exact quantiles of what the request asks for: from sums->counts, or by more passes over the
 * blocks. */
int sums_quantiles(struct sums *sums, struct err *err);

#endif
