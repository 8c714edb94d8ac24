/*
 * A run as the scans see it: dictionary, lanes and blocks, with a callback that fetches a column's
 * bytes. The store makes one from a run file; tests make one in memory.
 *
 * Blocks hold codes of their source's own dictionary (text, lane, key); the source's maps turn them
 * into the run's. Everything else here is in the run's codes and in ns from the run's start.
 * Used by column/finish, column/ops, explain, explain/parts, explain/schedule, export,
 * query/spans, query/timeline, store, ui/timeline.
 */
#ifndef LANESCOPE_COLUMN_SCAN_DATASET_H
#define LANESCOPE_COLUMN_SCAN_DATASET_H

#include "column/encode/block.h"
#include "column/scan/path_classes.h"
#include "util/cancel.h"

struct dataset_source {
	/* Source's code -> run's code; every code in a block must be checked against n_. */
	const uint32_t *texts, *lanes;
	uint32_t n_texts, n_lanes;
	/* fields of arguments in block_info are already in the run's keys */
};

/* Sums that the import has made over all spans of one lane, category and name. */
struct dataset_total {
	uint32_t lane, category, name; /* texts: TEXT_NONE if missing */
	int64_t calls, rows;
	int64_t start_min, end_max;
	int64_t duration_sum, duration_min, duration_max, self_sum;
	int64_t size_n, size_sum, size_min, size_max; /* extremes mean nothing where size_n is 0 */
	unsigned __int128 duration_squares, size_squares;
	int64_t unfinished, unfinished_sum; /* of rows whose end was not recorded */
	bool is_exact; /* else a sum has left 64 bits, and stands at their end: good to rank by */
};

/* What of a run scans see (scope.h). Zeroed: all. */
struct dataset_scope {
	bool has_range;
	int64_t start_ns, end_ns; /* [start, end); none is in a range that ends where it starts */
	const char *filter;       /* of lanes and conditions; NULL: none */
};

typedef void dataset_visit_total(void *visitor, const struct dataset_total *total);

struct dataset {
	struct dataset_scope scope;
	const struct slice *texts; /* the run's dictionary */
	uint32_t n_texts;
	const struct lane *lanes; /* in the run's codes; each has a name */
	uint32_t n_lanes;
	const struct slice *keys; /* argument names */
	uint32_t n_keys;
	const struct path_classes *classes; /* of paths; borrowed, never NULL */
	const struct dataset_source *sources;
	uint32_t n_sources;
	/* By first_id; times of infos and of FIELD_START are from the run's start. */
	const struct block_info *blocks[BLOCK_KINDS];
	size_t n_blocks[BLOCK_KINDS];
	int64_t n_rows[BLOCK_KINDS];
	int64_t duration_ns; /* of the run */

	/* Reads blob_bytes bytes of blob_id into buffer. Called only on the thread that called
	 * the scan (it may step a statement, so that an interrupt is noticed). -1 on error. */
	int (*fetch)(void *user, int64_t blob_id, void *buffer, size_t bytes, struct err *err);
	/* A scan is over: what fetch keeps ready for the next call may go. May be NULL. */
	void (*fetched)(void *user);
	/* Sums of all spans, together of every row; lent as long as the dataset. *n is 0 if there
	 * are none such: then blocks are scanned. So it is if_few where they are so many that
	 * scanning is quicker. May be NULL; called as fetch is. */
	int (*totals)(void *user, bool if_few, const struct dataset_total **totals, size_t *n,
	              struct err *err);
	/* The same, each in turn, none kept: there may be millions. NULL: by `totals`. */
	int (*each_total)(void *user, dataset_visit_total *visit, void *visitor, struct err *err);
	void *user;
	unsigned n_threads; /* for scans; 0: workers_count() */
};

static inline bool
scope_is_set(const struct dataset_scope *scope)
{
	return scope->has_range || scope->filter;
}

static inline bool
dataset_is_scoped(const struct dataset *dataset)
{
	return scope_is_set(&dataset->scope);
}

/* Cuts [start, end) at the ends of the scope's range, if they have anything in common. */
static inline void
dataset_clip(const struct dataset *dataset, int64_t *start_ns, int64_t *end_ns)
{
	const struct dataset_scope *scope = &dataset->scope;

	if (scope->has_range) {
		*start_ns = *start_ns > scope->start_ns ? *start_ns : scope->start_ns;
		*end_ns = *end_ns < scope->end_ns ? *end_ns : scope->end_ns;
		*end_ns = *end_ns > *start_ns ? *end_ns : *start_ns;
	}
}

/* The part of a duration in the scope's range. */
static inline int64_t
dataset_inside(const struct dataset *dataset, int64_t start_ns, int64_t duration_ns)
{
	int64_t end_ns;

	if (!dataset->scope.has_range) {
		return duration_ns;
	}
	if (__builtin_add_overflow(start_ns, duration_ns, &end_ns)) {
		end_ns = duration_ns < 0 ? INT64_MIN : INT64_MAX;
	}
	dataset_clip(dataset, &start_ns, &end_ns);
	return (int64_t)((uint64_t)end_ns - (uint64_t)start_ns);
}

/* May a block have spans that the range cuts? */
static inline bool
dataset_cuts(const struct dataset *dataset, const struct block_info *block)
{
	const struct dataset_scope *scope = &dataset->scope;

	return scope->has_range &&
	       (block->start_min < scope->start_ns || block->end_max > scope->end_ns);
}

void dataset_fetched(const struct dataset *dataset);

/* A text of the run's dictionary, "" for TEXT_NONE. */
static inline struct slice
dataset_text(const struct dataset *dataset, uint32_t code)
{
	return code < dataset->n_texts ? dataset->texts[code] : slice_of("");
}

/* The name of a path's class. Lent by the dataset's classes. */
struct slice dataset_class_of(const struct dataset *dataset, struct slice path);

/* The number of an argument's name, UINT32_MAX: the run has none such. */
uint32_t dataset_key(const struct dataset *dataset, struct slice name);

/* Visits all sums that the import has made; none if there are none. */
int dataset_each_total(const struct dataset *dataset, dataset_visit_total *visit, void *visitor,
                       struct err *err);

/* The column of a block, or NULL. */
const struct column_info *block_column(const struct block_info *block, uint32_t field);
/* Has any block of spans records that stand for many calls? */
bool dataset_has_calls(const struct dataset *dataset);

#endif
